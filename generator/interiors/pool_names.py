"""The names of pools of layouts, which are folders: `normal/CHAPTER/DIFFICULTY`, or a room kind."""

from __future__ import annotations

import re
from pathlib import Path

from generator.errors import LayoutError
from generator.interiors.chapters import chapter_names
from generator.kinds import DIFFICULTIES, Kit

_NAME = re.compile(r"[A-Za-z0-9 ._/-]+\Z")  # spelled the same by every system


def is_layout_name(name: str) -> bool:
    """Check whether the path of a layout below its folder is spelled the same by every system."""
    return bool(_NAME.match(name)) and not any(part in ("", ".", "..") for part in name.split("/"))


def is_pool(folders: tuple[str, ...], kit: Kit) -> bool:
    """Check whether these folders are a pool: `normal`, a chapter and a difficulty, or another room kind."""
    match folders:
        case ("normal", chapter, difficulty):
            return difficulty in DIFFICULTIES and chapter in ("any", *chapter_names(kit))
        case (kind,):
            return kind in kit.kinds.rooms and kind != "normal"
    return False


def is_any_pool(pool: str, kit: Kit, *, on_grid: bool) -> bool:
    """Check whether a path is a pool: of rooms on a grid, or else of rooms with exits."""
    return is_pool(tuple(pool.split("/")), kit) if on_grid else pool.partition("/")[0] in kit.kinds.rooms


def pool_of_file(name: str, path: Path, kit: Kit, *, on_grid: bool) -> str:
    """Return the pool of a file, by its path below the layouts' folder. Raises LayoutError."""
    pool = name.rpartition("/")[0]
    if is_any_pool(pool, kit, on_grid=on_grid):
        return pool
    if on_grid:
        raise LayoutError(
            f"{path}: is not in a pool; move it into normal/CHAPTER/DIFFICULTY, or ROOM_KIND/ (chapters: "
            f"{', '.join(('any', *chapter_names(kit)))}; difficulties: {', '.join(DIFFICULTIES)})"
        )
    raise LayoutError(
        f"{path}: is not in a pool; move it into ROOM_KIND/, or a folder in that, where ROOM_KIND is one of "
        f"{', '.join(kit.kinds.rooms)}"
    )


def layouts_folder(path: Path, top: Path, kit: Kit) -> Path | None:
    """Find the folder of pools of a file at or below `top`, or None if it is not in a pool.

    It can be below `top`, or above it if `top` is a pool or a folder in one.
    """
    folders = path.absolute().parts[:-1]
    for length in (3, 1):
        if is_pool(folders[-length:], kit):
            return Path(*folders[:-length])
    above = len(top.absolute().parts)
    kinds = [index for index, folder in enumerate(folders) if folder in kit.kinds.rooms]
    below = [index for index in kinds if index >= above]
    near = [index for index in kinds if index >= above - 2]
    return Path(*folders[: below[0] if below else near[-1]]) if near else None


def kind_of(name: str, kit: Kit) -> str:
    """Return the room kind of a layout, from its name or path: that of its pool, or else normal."""
    folders = tuple(name.split("/")[:-1])
    for pool in (folders[-1:], folders[-3:]):
        if is_pool(pool, kit):
            return pool[0]
    return next((folder for folder in reversed(folders) if folder in kit.kinds.rooms), "normal")
