"""Pools of layouts: their names, and rules for the layouts of a folder and for those of a pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from generator.errors import LayoutError
from generator.geometry import Point
from generator.interiors.chapters import chapter_names
from generator.interiors.layout_file import load_layout
from generator.interiors.layouts import Layout
from generator.kinds import DIFFICULTIES, Kit
from generator.pattern import pattern

# The names of pools, which are folders: `normal/CHAPTER/DIFFICULTY`, or a room kind.

_NAME = pattern(r"[A-Za-z0-9 ._/-]+\Z")  # spelled the same by every system


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


# Rules for the layouts of one folder: all for a grid or all with exits, one size, distinct names.


def check_family(layout: Layout, on_grid: bool | None) -> None:
    """Raise LayoutError for exits in rooms on a grid, whose doors are fixed, and for missing exits elsewhere.

    With `on_grid` None neither is checked.
    """
    if on_grid and layout.exits:
        raise LayoutError(
            f"{layout.path}: exits: rooms of this style have no exits; keep layouts for the style gungeon "
            "in a separate folder"
        )
    if on_grid is False and not layout.exits:
        raise LayoutError(
            f"{layout.path}: has no line `exits:`, which layouts for the style gungeon need, such as "
            "`exits: N any, S any`; keep other layouts in a separate folder"
        )


def check_only(layout: Layout, others: Mapping[str, Layout]) -> None:
    """Raise LayoutError if `others`, by lower-case name, contain one of the same name.

    A level names its layouts, and some systems distinguish `Pond` and `pond`, others do not.
    """
    namesake = others.get(layout.name.lower())
    if namesake:
        raise LayoutError(f"{layout.path}: has the same name as {namesake.path.name}; rename one of the two")


def check_size(layout: Layout, pitch: Point) -> None:
    """Raise LayoutError for a layout that is not drawn for cells of `pitch` tiles, walls included."""
    if layout.pitch != pitch:
        width, height = (side * cells - 2 for side, cells in zip(pitch, layout.shape.size, strict=True))
        actual, rooms = (f"{size[0]} x {size[1]}" for size in (layout.size, pitch))
        raise LayoutError(
            f"{layout.path}: is {actual} tiles; rooms of room_size {rooms} are {width} x {height} inside"
            f"{_in_shape(layout)}: change its size, or keep layouts of other sizes in another folder"
        )


def _in_shape(layout: Layout) -> str:
    return "" if layout.shape.size == (1, 1) else f" if they are {layout.shape.name}"


def check_layout(path: Path, kit: Kit) -> None:
    """Check a layout file, and if it is in a pool, that it has what the pool's rooms need."""
    layout = load_layout(path, kit.kinds)
    folders = path.absolute().parent.parts
    if layout.exits:
        kind = next((folder for folder in reversed(folders) if folder in kit.kinds.rooms), None)
        if kind:
            check_markers(layout, kind)
        return
    for pool in (folders[-1:], folders[-3:]):
        if is_pool(pool, kit):
            check_markers(layout, pool[0])


def marker_counts(layout: Layout) -> Counter[str]:
    """Count the markers of each kind that its rooms have, whatever chance decides."""
    counts = Counter(marker.kind for marker in layout.interior().markers)
    for variation in layout.variations.values():
        marker = layout.glyphs[variation.signs[0]].marker
        if marker:
            counts[marker] += variation.many
    return counts


def check_markers(layout: Layout, kind: str) -> None:
    """Raise LayoutError unless a layout has the shape and the markers that rooms of a kind need."""
    rules = layout.kinds.room(kind)
    if not layout.exits and layout.shape.name != "1x1" and not rules.has_shapes:
        shaped = " and ".join(row.name for row in layout.kinds.rooms.values() if row.has_shapes)
        raise LayoutError(
            f"{layout.path}: shape: {kind} rooms must be 1x1; only {shaped} rooms can have other shapes"
        )
    counts = marker_counts(layout)
    for marker, (least, most) in rules.markers.items():
        if counts[marker] < least:
            wanted = f"at least {least}"
        elif counts[marker] > most:
            wanted = f"at most {most}" if most else "none"
        else:
            continue
        raise LayoutError(f"{layout.path}: has {counts[marker]} {marker} markers; {kind} rooms take {wanted}")
