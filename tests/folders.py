"""What stands in a folder, without the store that every command keeps there of what it wrote."""

from __future__ import annotations

from pathlib import Path

from exporters.edits.store import HOME


def entries(folder: Path) -> list[Path]:
    """The files and folders in a folder, in the order of their names."""
    return sorted(path for path in folder.iterdir() if path.name != HOME)


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its path, and what it holds."""
    found = (path for path in sorted(folder.rglob("*")) if HOME not in path.parts and path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
