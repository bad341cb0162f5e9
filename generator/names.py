"""File names that every file system accepts, made from what people typed.

A name that is safe everywhere stays as it is: up to 120 of `A-Za-z0-9._-`, no dot at either end, and not
reserved by Windows, as `con` and `nul.txt` are. In any other name, unsafe characters become `_`, what is too
long is cut, and a digest of the whole text is added: so `a:b` and `a b` stay apart, as do names of 300 and
301 characters.
"""

from __future__ import annotations

import hashlib
import re

_MAX_NAME = 120  # characters; the files' suffixes come after these
_SAFE = re.compile(r"[A-Za-z0-9_-]([A-Za-z0-9._-]*[A-Za-z0-9_-])?")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE | re.DOTALL)


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
