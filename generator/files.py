"""Reading files from outside: regular ones only, and never more than a bounded number of bytes."""

from __future__ import annotations

import codecs
import os
import re
import stat
from pathlib import Path

from generator.errors import BadInput

_DIGEST = re.compile(r"[0-9a-f]{16}")


def read_bytes(path: Path, most: int, error: type[BadInput]) -> bytes:
    """The bytes of a file of at most `most` bytes. Otherwise raises `error`, which names the file.

    The byte order mark that some editors put in front of UTF-8 is removed; no binary file begins with it.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait for ever
            raise error(f"{path}: is not a file; name one")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as reason:
        said = reason.strerror if isinstance(reason, OSError) else str(reason)
        raise error(f"{path}: cannot be read: {said}{slashes(path)}") from None
    if len(data) > most:
        raise error(f"{path}: is larger than {most} bytes; give a smaller one")
    return data.removeprefix(codecs.BOM_UTF8)


def read_text(path: Path, most: int, error: type[BadInput]) -> str:
    """Like `read_bytes`, decoded from UTF-8."""
    try:
        return read_bytes(path, most, error).decode("utf-8")
    except UnicodeDecodeError as reason:
        raise error(f"{path}: is not UTF-8 at byte {reason.start}; save it as UTF-8") from None


def slashes(path: Path) -> str:
    """The end of a message about a missing path: the remedy for `\\`, which only Windows accepts."""
    return "; write / between folders" if os.sep == "/" and "\\" in str(path) else ""


def is_digest(folder: str) -> bool:
    """Whether a spec's `layouts` or `kit` is the digest that a level stores instead of the folder."""
    return bool(_DIGEST.fullmatch(folder)) and not Path(folder).is_dir()
