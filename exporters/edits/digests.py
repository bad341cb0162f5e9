"""Digests of files, and the digests that some files contain of themselves."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from exporters.digest import BLANK, EDITED, KEY
from exporters.exported import LEVEL, without_exported, without_rows
from generator.errors import UndercroftError
from generator.pattern import pattern

if TYPE_CHECKING:
    from generator.level import Level

_OWN = pattern(rb'"' + KEY.encode() + rb'": ?"([0-9a-f]{64})"')
_EDITED = pattern(rb'"' + EDITED.encode() + rb'": ?true')
_MAX_LEVEL = 1 << 26  # bytes of a level.json that we read
_MAX_BYTES = 1 << 28  # of any file that we read; larger than any that we write
_READ: dict[tuple[object, ...], bytes] = {}  # digests of files, by what `stat` says of them
_MOST_READ = 4096
_MOMENT_NS = 50_000_000  # some ticks of the clock that gives files their times
_COARSE_NS = 3_000_000_000  # on a file system whose times are whole seconds


def digest_of_bytes(data: bytes) -> bytes:
    """Compute the digest of a file's content."""
    return hashlib.blake2b(data, digest_size=16).digest()


def as_committed(data: bytes) -> bytes:
    """Return a text file with the line ends that we write, which git may have changed."""
    return data.replace(b"\r\n", b"\n")


def digest_of_file(path: Path) -> bytes | None:
    """Compute `digest_of_bytes` of a regular file, or None if it is missing or cannot be read."""
    try:
        return digest_of_ready(path) if path.is_file() else None
    except (OSError, ValueError):
        return None


def digest_of_ready(path: Path) -> bytes:
    """Like `digest_of_bytes`, for a file that must exist. Raises OSError."""
    return _digest(path, _digest_as_it_is)


def digest_among(path: Path, known: Collection[bytes | None]) -> bytes:
    """Compute a file's digest: with the line ends that we write, if it is one of the `known` then.

    Raises OSError.
    """
    digest = digest_of_ready(path)
    if digest in known or path.stat().st_size > _MAX_BYTES:
        return digest
    committed = _digest(path, _digest_as_committed)
    return committed if committed in known else digest


def _digest(path: Path, compute: Callable[[IO[bytes]], bytes]) -> bytes:
    """Compute a digest of a file. Raises OSError.

    A file is read once, and again when it has changed since. That shows in its time unless it changed again
    within a moment, so the digest of a file that has just changed is not remembered.
    """
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        times = status.st_mtime_ns, status.st_ctime_ns
        seen = (compute, status.st_dev, status.st_ino, status.st_size, *times)
        if seen in _READ:
            return _READ[seen]
        is_settled = time.time_ns() - max(times) > (
            _MOMENT_NS if any(at % 10**9 for at in times) else _COARSE_NS
        )
        digest = compute(file)
    if is_settled:
        if len(_READ) >= _MOST_READ:
            _READ.clear()
        _READ[seen] = digest
    return digest


def _digest_as_it_is(file: IO[bytes]) -> bytes:
    return hashlib.file_digest(file, partial(hashlib.blake2b, digest_size=16)).digest()  # type: ignore[arg-type]


def _digest_as_committed(file: IO[bytes]) -> bytes:
    """Return nothing for a file in which git has changed no line ends."""
    data = file.read()
    return digest_of_bytes(as_committed(data)) if b"\r\n" in data else b""


def is_as_written(path: Path) -> bool:
    """Return whether a file contains its own correct digest, so that nobody changed it after we wrote it.

    It may have been written in another folder or on another machine, and git may have changed the line ends.
    A level.json has its fingerprint instead. False for files of a level that a person edited. Raises OSError.
    """
    if not path.is_file() or path.stat().st_size > _MAX_BYTES:
        return False
    data = as_committed(path.read_bytes())
    if path.name.endswith(LEVEL):
        level = _level_as_written(data)
        return level is not None and not level.rerolls and not level.edited
    match = _OWN.search(data)
    if not match or _EDITED.search(data):
        return False
    blank = data[: match.start(1)] + BLANK.encode() + data[match.end(1) :]
    return hashlib.sha256(blank).hexdigest().encode() == match[1]


def is_a_persons(path: Path, begun: bytes) -> bool:
    """Return whether a starting point with a digest was changed. True for a link or an unreadable file."""
    if not os.path.lexists(path):
        return False
    try:
        return path.is_symlink() or digest_among(path, {begun}) != begun
    except (OSError, ValueError):
        return True


def is_same_level(path: Path, new: bytes | None) -> bool:
    """Return whether a level.json and its new version differ at most in what the files are exported with.

    A person's rolls and edits are all in the new one then. Raises OSError.
    """
    if new is None or not path.name.endswith(LEVEL) or path.stat().st_size > _MAX_LEVEL:
        return False
    return without_rows(path.read_bytes()) == without_rows(new)


def level_as_written(path: Path) -> Level | None:
    """Read the level in a level.json that nobody changed since we wrote it, else None.

    Raises OSError.
    """
    if not path.name.endswith(LEVEL) or path.stat().st_size > _MAX_LEVEL:
        return None
    return _level_as_written(as_committed(path.read_bytes()))


def _level_as_written(data: bytes) -> Level | None:
    """Read the level if the file is as a version of the generator writes it, with the right fingerprint."""
    from generator.level_file import level_from_dict
    from generator.serialise import dumps

    if len(data) > _MAX_LEVEL:
        return None
    try:
        table = without_exported(json.loads(data))
        level = level_from_dict(table)
    except (UndercroftError, ValueError, RecursionError):
        return None
    version = table.get("generator_version")
    ours = {"generator_version": version, "fingerprint": table["fingerprint"]}  # perhaps of an older version
    return level if isinstance(version, str) and table == {**json.loads(dumps(level)), **ours} else None
