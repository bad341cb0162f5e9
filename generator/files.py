"""Files from outside: regular ones only, and never more than so many bytes; safe names for files; locks."""

from __future__ import annotations

import codecs
import errno
import hashlib
import os
import re
import stat
import sys
from pathlib import Path
from typing import IO, Any, BinaryIO

from generator.errors import BadInput, not_parsed, shown
from generator.pattern import pattern

_REMEDIES = {
    errno.ENOENT: "check the name",
    errno.ENOTDIR: "check the name",
    errno.EACCES: "allow your user to read it",
    errno.EPERM: "allow your user to read it",
    errno.ENAMETOOLONG: "give a shorter one",
    errno.ELOOP: "remove the link, which leads to itself",
}
_TWICE = pattern(r"(?:Cannot overwrite a value|Cannot declare \((.*)\) twice) \(at (?:line (\d+)|end)")
_KEY = pattern(r"[ \t]*(?:\[+[ \t]*([^]\n]+?)[ \t]*\]|([^\s=#\[][^=\n]*?)[ \t]*=)")
_DIGEST = pattern(r"[0-9a-f]{16}(?:[0-9a-f]{4})?")  # of layouts; of a kit


def read_bytes(path: Path, most: int, error: type[BadInput]) -> bytes:
    """Read a file of at most `most` bytes. Otherwise raises `error`, which names the file.

    The byte order mark that some editors put in front of UTF-8 is removed; no binary file begins with it.
    """
    with open_file(path, error) as file:
        try:
            data = file.read(most + 1)
        except OSError as reason:
            raise error(f"{path}: cannot be read: {why_not_read(reason, path)}") from None
    if len(data) > most:
        raise error(f"{path}: is larger than {most} bytes; give a smaller one")
    return data.removeprefix(codecs.BOM_UTF8)


def open_file(path: Path, error: type[BadInput], *, is_read_once: bool = False) -> BinaryIO:
    """Open a regular file for reading, or if it is read once, also a pipe or a terminal.

    Otherwise raises `error`, which names the file.
    """
    try:
        mode = path.stat().st_mode
        is_stream = stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)  # opening one may wait for ever
        if not (stat.S_ISREG(mode) or (is_stream and is_read_once)):
            raise error(f"{path}: is not a file; name one")
        return path.open("rb")
    except (OSError, ValueError) as reason:
        raise error(f"{path}: cannot be read: {why_not_read(reason, path)}") from None


def read_text(path: Path, most: int, error: type[BadInput]) -> str:
    """Read a file like `read_bytes`, decoded from UTF-8."""
    try:
        return read_bytes(path, most, error).decode("utf-8")
    except UnicodeDecodeError as reason:
        raise error(f"{path}: is not UTF-8 at byte {reason.start}; save it as UTF-8") from None


def why_not_read(reason: OSError | ValueError, path: Path) -> str:
    """Tell why a file cannot be read, and what to do."""
    if not isinstance(reason, OSError):  # a null byte
        return f"{reason}; give another"
    remedy = slashes(path) or f"; {_REMEDIES.get(reason.errno or 0, 'give another')}"
    return f"{reason.strerror}{remedy}"


def parsed_toml(text: str | bytes, where: str, error: type[BadInput]) -> dict[str, Any]:
    """Parse the top table of a TOML text. Otherwise raises `error`, which begins with `where`."""
    import tomllib  # slow to import, and many commands read none

    try:
        text = text.decode("utf-8") if isinstance(text, bytes) else text
        return tomllib.loads(text)
    except (ValueError, RecursionError) as reason:
        twice = _TWICE.match(str(reason))
        if twice and isinstance(text, str):
            raise error(f"{where}: {_given_twice(text, *twice.groups())}") from None
        raise error(f"{where}: {not_parsed('TOML', reason)}") from None


def parsed_json(data: bytes, where: str, error: type[BadInput]) -> Any:
    """The value of a JSON text. Raises `error`, whose message begins with `where`."""
    import json  # as above

    try:
        return json.loads(data)
    except (ValueError, RecursionError) as reason:
        raise error(f"{where}: {not_parsed('JSON', reason)}") from None


def _given_twice(text: str, names: str | None, line: str | None) -> str:
    """Tell what is wrong with a text that gives a key twice. `names` are those of a table's path, if any.

    `line` is where the second value ends; None at the end of the text.
    """
    key = ".".join(re.findall("'([^']*)'", names or ""))
    lines = text.split("\n")
    end = int(line or len(lines))
    for preceding in reversed(lines[:end] if names is None else []):
        table, name = match.groups() if (match := _KEY.match(preceding)) else (None, "")
        if table:
            key = f"{table}.{key}" if key else table
            break
        key = key or name
    return f"{shown(key, 100)[1:-1]}: is given twice, again in line {end}; keep one of the two"


def real_path(path: Path) -> Path:
    """Resolve like `Path.resolve`, also links that lead in a circle: whoever opens the file says so."""
    return Path(os.path.realpath(path))


def slashes(path: Path) -> str:
    """Return the end of a message about a missing path: the remedy for `\\`, which only Windows accepts."""
    return "; write / between folders" if os.sep == "/" and "\\" in str(path) else ""


def is_digest(folder: str) -> bool:
    """Check whether a spec's `layouts` or `kit` is the digest that a level stores instead of the folder."""
    return bool(_DIGEST.fullmatch(folder)) and not Path(folder).is_dir()


# File names that every file system accepts, made from what people typed.
#
# A name that is safe everywhere stays as it is: up to 120 of `A-Za-z0-9._-`, no dot at either end, and not
# reserved by Windows, as `con` and `nul.txt` are. In any other name, unsafe characters become `_`, what is
# too long is cut, and a digest of the whole text is added: so `a:b` and `a b` stay apart, as do names of 300
# and 301 characters.

_MAX_NAME = 120  # characters; the files' suffixes come after these
_SAFE = pattern(r"[A-Za-z0-9_-]([A-Za-z0-9._-]*[A-Za-z0-9_-])?")
_DEVICE = pattern(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE | re.DOTALL)


def is_device(name: str) -> bool:
    """Check whether Windows treats a name as a device's, whatever follows the first dot."""
    return _DEVICE.fullmatch(name) is not None


def file_name(*parts: str) -> str:
    """Join texts by `-` to a name of at most 120 characters for files without their suffixes.

    Lists that begin with the same text get different names, unless two 32-bit digests happen to be equal.
    That is why a later text that contains a `-` gets a digest too. Names may still differ only in case.
    """
    name = "-".join(parts)
    is_clear = not any("-" in part for part in parts[1:])
    if is_clear and len(name) <= _MAX_NAME and _SAFE.fullmatch(name) and not is_device(name):
        return name
    digested = name if is_clear else "\0".join(parts)
    digest = hashlib.blake2b(digested.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    start = re.sub(r"[^A-Za-z0-9._-]", "_", name).lstrip(".") or "_"
    if is_device(start):
        start = f"_{start}"
    return f"{start[: _MAX_NAME - 1 - len(digest)]}-{digest}"


def take_lock(file: IO[bytes]) -> bool:
    """Lock an open file without waiting, False if another run has it. OSError if locks are not supported."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
