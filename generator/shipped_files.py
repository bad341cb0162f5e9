"""Find and read the files that ship with the package, fast: every command needs some of them.

Python reads TOML slowly. So some folders of TOML files also have a copy as JSON, which is read in a tenth of
the time. A folder of layouts has one of what takes long to find out about them:

    {"digest": "0123456789abcdef", "tables": {"rooms.toml": {"room": {...}}, ...}}

A copy is used as long as its digest matches the files. A test compares the two, and can renew the copy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

COPY = "tables.json"


def shipped_folder(package: str) -> Traversable:
    """Return the folder of one of our packages, which may be in a zip file."""
    for entry in import_module(package).__path__:
        if Path(entry).is_dir():
            return Path(entry)
    from importlib import resources  # slow to import, as it supports zip files

    return resources.files(package)


def shipped_tables(folder: Traversable) -> dict[str, dict[str, Any]]:
    """Read the tables of the TOML files of a shipped folder, by file name, in sorted order."""
    files = _toml_files(folder)
    tables: dict[str, dict[str, Any]] | None = fitting_copy(folder, files)
    return _parsed(files) if tables is None else tables


def copy_of(folder: Traversable) -> str:
    """Return the text that the copy of a folder's tables must have."""
    files = _toml_files(folder)
    return copy_text(files, _parsed(files))


def fitting_copy(folder: Traversable, files: Mapping[str, bytes]) -> dict[str, Any] | None:
    """Read what the copy in a folder holds. None if there is none, or it was not made from these files."""
    copy = folder / COPY
    if not copy.is_file():
        return None
    kept: dict[str, Any] = json.loads(copy.read_bytes())
    tables: dict[str, Any] = kept["tables"]
    return tables if kept["digest"] == _digest(files) else None


def copy_text(files: Mapping[str, bytes], tables: Mapping[str, Any]) -> str:
    """Return the text of a copy that holds some tables, made from these files."""
    return json.dumps({"digest": _digest(files), "tables": tables}, separators=(",", ":")) + "\n"


def _toml_files(folder: Traversable) -> dict[str, bytes]:
    entries = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {name: entry.read_bytes() for name, entry in entries}


def _digest(files: Mapping[str, bytes]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for name, data in files.items():
        digest.update(f"{name}\n{len(data)}\n".encode() + data)
    return digest.hexdigest()


def _parsed(files: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    import tomllib

    return {name: tomllib.loads(data.decode("utf-8")) for name, data in files.items()}
