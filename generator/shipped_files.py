"""Find and read the files that ship with the package, fast: every command needs some of them.

Python reads TOML slowly. So some folders of TOML files also have a copy as JSON, which is read in a tenth of
the time:

    {"digest": "0123456789abcdef", "tables": {"rooms.toml": {"room": {...}}, ...}}

The copy is used as long as its digest matches the files. A test compares the two, and can renew the copy.
"""

from __future__ import annotations

import hashlib
import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

COPY = "tables.json"


def shipped_folder(package: str) -> Traversable:
    """The folder of one of our packages, which may be in a zip file."""
    for entry in import_module(package).__path__:
        if Path(entry).is_dir():
            return Path(entry)
    from importlib import resources  # slow to import, as it supports zip files

    return resources.files(package)


def shipped_tables(folder: Traversable) -> dict[str, dict[str, Any]]:
    """The tables of the TOML files of a shipped folder, by file name, in sorted order."""
    files = _toml_files(folder)
    copy = folder / COPY
    if copy.is_file():
        kept: dict[str, Any] = json.loads(copy.read_bytes())
        if kept["digest"] == _digest(files):
            tables: dict[str, dict[str, Any]] = kept["tables"]
            return tables
    return _parsed(files)


def copy_of(folder: Traversable) -> str:
    """The text that the copy of a folder's tables must have."""
    files = _toml_files(folder)
    return json.dumps({"digest": _digest(files), "tables": _parsed(files)}, separators=(",", ":")) + "\n"


def _toml_files(folder: Traversable) -> dict[str, bytes]:
    entries = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {name: entry.read_bytes() for name, entry in entries}


def _digest(files: dict[str, bytes]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for name, data in files.items():
        digest.update(f"{name}\n{len(data)}\n".encode() + data)
    return digest.hexdigest()


def _parsed(files: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    import tomllib

    return {name: tomllib.loads(data.decode("utf-8")) for name, data in files.items()}
