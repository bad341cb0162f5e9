"""Reading files from outside: regular ones only, and never more than a bounded number of bytes."""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
from pathlib import Path
from typing import Any, BinaryIO

from generator.errors import BadInput, not_parsed, shown

_REMEDIES = {
    errno.ENOENT: "check the name",
    errno.ENOTDIR: "check the name",
    errno.EACCES: "allow your user to read it",
    errno.EPERM: "allow your user to read it",
    errno.ENAMETOOLONG: "give a shorter one",
    errno.ELOOP: "remove the link, which leads to itself",
}
_TWICE = re.compile(r"(?:Cannot overwrite a value|Cannot declare \((.*)\) twice) \(at (?:line (\d+)|end)")
_KEY = re.compile(r"[ \t]*(?:\[+[ \t]*([^]\n]+?)[ \t]*\]|([^\s=#\[][^=\n]*?)[ \t]*=)")
_DIGEST = re.compile(r"[0-9a-f]{16}")


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


def open_file(path: Path, error: type[BadInput]) -> BinaryIO:
    """Open a regular file for reading. Otherwise raises `error`, which names the file."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait for ever
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
