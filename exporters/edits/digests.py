"""Digests by which a file's content is known, and the one that some files hold of themselves."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from exporters.digest import BLANK, EDITED, KEY
from generator.errors import UndercroftError

_OWN = re.compile(rb'"' + KEY.encode() + rb'": ?"([0-9a-f]{64})"')
_EDITED = re.compile(rb'"' + EDITED.encode() + rb'": ?true')
_LEVEL = ".level.json"
_MOST_LEVEL = 1 << 26  # bytes of a level that is read
_MOST_BYTES = 1 << 28  # of a file that is looked into; more than any that we write


def empty_digest() -> hashlib.blake2b:
    """Of nothing yet."""
    return hashlib.blake2b(digest_size=16)


def digest_of_bytes(data: bytes) -> bytes:
    """What a file's content is known by."""
    return hashlib.blake2b(data, digest_size=16).digest()


def digest_of_file(path: Path) -> bytes | None:
    """As `digest_of_bytes`, of a regular file; None if there is none, or if it cannot be read."""
    try:
        return digest_of_ready(path) if path.is_file() else None
    except (OSError, ValueError):
        return None


def digest_of_ready(path: Path) -> bytes:
    """As `digest_of_bytes`, of a file that must be there. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, empty_digest).digest()


def is_as_written(path: Path) -> bool:
    """Whether a file holds the digest of itself, so that nobody has changed it since a run of ours wrote it.

    That run may have been in another folder, on another machine. Git may have changed the line ends. A
    level.json has its fingerprint. Not so a file of a level that a person has edited. Raises OSError.
    """
    if not path.is_file() or path.stat().st_size > _MOST_BYTES:
        return False
    data = path.read_bytes().replace(b"\r\n", b"\n")
    if path.name.endswith(_LEVEL):
        return _is_generated_level(data)
    found = _OWN.search(data)
    if not found or _EDITED.search(data):
        return False
    blank = data[: found.start(1)] + BLANK.encode() + data[found.end(1) :]
    return hashlib.sha256(blank).hexdigest().encode() == found[1]


def _is_generated_level(data: bytes) -> bool:
    """Whether a level.json is as a generator of any version gave it: its own fingerprint, no rolls."""
    from generator.level_file import level_from_dict
    from generator.serialise import dumps

    if len(data) > _MOST_LEVEL:
        return False
    try:
        table = json.loads(data)
        level = level_from_dict(table)
    except (UndercroftError, ValueError, RecursionError):
        return False
    written = {**json.loads(dumps(level)), "generator_version": table["generator_version"]}
    return table == written and not level.rerolls and not level.edited
