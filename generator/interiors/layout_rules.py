"""The rules of a layout (`docs/layouts.md`): the map must be readable, and the room playable."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from generator.arrays import Mask
from generator.errors import LayoutError, shown
from generator.geometry import Point
from generator.interiors.interior import BURNS, FIGHTERS, Interior, doorsteps, inside_tiles, reached, too_near
from generator.interiors.layouts import Layout
from generator.kinds import FLOOR, RUBBLE, WALL
from generator.level import passable
from generator.value_words import how_many

_LARGEST = 63  # tiles on each side of a cell


Told = Callable[[str], None]


def refuse(problem: str) -> None:
    """Raise the first problem: pass this to the checks if a list of all problems is not wanted."""
    raise LayoutError(problem)


def check_map(layout: Layout, tell: Told = refuse) -> None:
    """Report unknown glyphs, and a map that does not have the size of its shape.

    Raises LayoutError if there is no usable map, whatever `tell` does.
    """
    path, rows = layout.path, layout.rows
    if not rows or not rows[0]:
        raise LayoutError(f"{path}: has nothing below `map:`; draw the room there")
    _check_largest(layout)
    width = len(rows[0])
    for y, row in enumerate(rows):
        where = f"{path}:{layout.first_line + y}"
        if len(row) != width:
            tell(
                f"{where}: is {len(row)} tiles wide, but the first row is {width}; make all rows equally wide"
            )
        for x, glyph in enumerate(row):
            if glyph not in layout.glyphs:
                tell(f"{where}: column {x + 1}: {shown(glyph)} means nothing; see docs/layouts.md")
    for letter, variation in layout.variations.items():
        places = sum(row.count(letter) for row in rows)
        if places < variation.many:
            tell(f"{path}: {letter} = group {variation.many}: the map has {places} of {letter}")
    if not layout.exits:
        _check_size(layout)


def _check_largest(layout: Layout) -> None:
    width, height = layout.size
    columns, rows = (1, 1) if layout.exits else layout.shape.size
    if width > _LARGEST * columns or height > _LARGEST * rows:
        most = f"at most {_LARGEST}{'' if layout.exits else ' per cell'}"
        raise LayoutError(f"{layout.path}: is {width} x {height} tiles; each side can be {most}")


def _check_size(layout: Layout) -> None:
    """Raise LayoutError unless the map has a size that a room of its shape can have."""
    path, shape, (width, height) = layout.path, layout.shape, layout.size
    for tiles, cells, pitch in zip(layout.size, shape.size, layout.pitch, strict=True):
        if cells == 1 and (tiles % 2 == 0 or tiles < 5):
            raise LayoutError(f"{path}: is {width} x {height} tiles; a door needs odd sides of at least 5")
        if pitch * cells != tiles + 2 or pitch % 2 == 0 or pitch < 7:
            raise LayoutError(
                f"{path}: is {width} x {height} tiles; {cells} cells of odd width W are {cells} x W - 2 "
                "tiles without the outer walls, such as 28 or 16"
            )


def check_rules(layout: Layout, tell: Told = refuse) -> None:
    """Report places where a body cannot walk or fight, whichever doors there are.

    All variations of the layout count. Raises LayoutError if the other rules cannot be checked.
    """
    interior = layout.fullest.interior()
    if layout.exits:
        for image in layout.mirrors[1:]:  # some things cannot be turned
            layout.fullest.interior(image)
        start, steps = _check_exits(layout, interior, tell)
    else:
        _check_notch(layout, interior, tell)
        steps = doorsteps(layout.pitch, [layout.shape.slots[name] for name in layout.doors])
        _check_doorsteps(layout, interior, steps, tell)
        start = steps[0]
    on_foot = reached_on_foot(interior, start, safely=False)
    _check_leads_in(layout, interior, start, on_foot, tell)
    for marker in interior.markers:
        position = marker.x, marker.y
        if marker.kind in BURNS:
            burning = " or ".join(BURNS[marker.kind])
            tell(_at(layout, *position, f"is the light of a {burning}, which comes by itself; remove it"))
        ground = layout.kinds.terrain[interior.terrain[marker.y, marker.x]]
        stands_on = layout.kinds.markers[marker.kind].stands_on
        if stands_on and ground.name not in stands_on:
            message = f"{marker.kind} is on {ground.name}; draw it on {' or '.join(stands_on)}"
            tell(_at(layout, *position, message))
        if position not in on_foot and ground.walk:
            tell(_at(layout, *position, f"{marker.kind} cannot be reached on foot; clear a path"))
        is_drawn_to_fight = marker.kind in FIGHTERS and not (layout.exits and marker.kind == "enemy")
        if is_drawn_to_fight and too_near(marker.kind, position, steps):
            tell(_at(layout, *position, "is an enemy within two steps of a door; move it away"))


def _check_doorsteps(layout: Layout, interior: Interior, steps: Sequence[Point], tell: Told) -> None:
    """Report tiles in front of doors that are not free, or not connected without a hazard."""
    bare = bare_floor(interior)
    for x, y in steps:
        if not bare[y, x]:
            tell(_at(layout, x, y, "is in front of a door; leave free floor there"))
    safely = reached_on_foot(interior, steps[0], safely=True)
    for x, y in steps[1:]:
        if (x, y) not in safely:
            first = layout.doors[0]
            tell(_at(layout, x, y, f"cannot be reached from door {first} without a hazard; clear a path"))


def _check_exits(layout: Layout, interior: Interior, tell: Told) -> tuple[Point, list[Point]]:
    """Report exits without free floor, or not connected to all others without a hazard.

    Returns a tile of one exit, and all tiles of the exits with a fixed place.
    """
    bare = bare_floor(interior)
    steps: list[Point] = []
    free: list[list[Point]] = []
    width, height = layout.size
    for exit_ in layout.exits:
        tiles = exit_.tiles(layout.size)
        if any(x >= width or y >= height for x, y in tiles):
            raise LayoutError(f"{layout.path}: exits: {exit_} is outside the map of {width} x {height} tiles")
        for x, y in () if exit_.is_any else tiles:
            if not bare[y, x]:
                tell(_at(layout, x, y, f"is in the exit {exit_}; leave free floor there"))
        steps += () if exit_.is_any else tiles
        free.append([(x, y) for x, y in tiles if bare[y, x]])
        if not free[-1]:
            edge = "row" if exit_.side.is_vertical_way else "column"
            raise LayoutError(
                f"{layout.path}: exits: {exit_}: there is no free floor in the outermost {edge}"
            )
    start = _best_start(interior, free[0])
    safely = reached_on_foot(interior, start, safely=True)
    for exit_, tiles in zip(layout.exits, free, strict=True):
        apart = [tile for tile in tiles if tile not in safely]
        if apart and (len(apart) == len(tiles) or not exit_.is_any):
            first = layout.exits[0]
            message = f"cannot be reached from the exit {first} without a hazard; clear a path"
            tell(_at(layout, *apart[0], message))
    return start, steps


def _best_start(interior: Interior, tiles: Sequence[Point]) -> Point:
    """Find the tile of an exit from which most others can be reached without a hazard."""
    best, most, seen = tiles[0], 0, set[Point]()
    for tile in tiles:
        if tile not in seen:
            area = reached_on_foot(interior, tile, safely=True)
            seen |= area
            if len(area) > most:
                best, most = tile, len(area)
    return best


def _check_leads_in(
    layout: Layout, interior: Interior, start: Point, on_foot: set[Point], tell: Told
) -> None:
    """Report a room whose doors or exits are walled up: a larger part of it is cut off from them.

    `on_foot` are the tiles that can be reached from the tile `start` of a door or an exit.
    """
    unreached = passable(interior.terrain, interior.covered, "walk", interior.kinds)
    area, cut_off = on_foot, 0
    while True:
        for x, y in area:
            unreached[y, x] = False
        if not unreached.any():
            break
        y, x = np.argwhere(unreached)[0].tolist()
        area = reached((x, y), unreached)
        cut_off = max(cut_off, len(area))
    if cut_off > len(on_foot):
        way_in = f"the exit {layout.exits[0]}" if layout.exits else f"door {layout.doors[0]}"
        message = (
            f"leads nowhere: {how_many(len(on_foot), 'tile')} can be reached on foot from {way_in}, and "
            f"{how_many(cut_off, 'tile')} elsewhere cannot; clear a path"
        )
        tell(_at(layout, *start, message))


def bare_floor(interior: Interior) -> Mask:
    """Return whether there is floor with nothing on it [y, x]."""
    bare: Mask = ((interior.terrain == FLOOR) | (interior.terrain == RUBBLE)) & (interior.covered == 0)
    for marker in interior.markers:
        bare[marker.y, marker.x] = False
    return bare


def _check_notch(layout: Layout, interior: Interior, tell: Told) -> None:
    """Report anything but wall where a shape has no cell, and in the wall round that."""
    outside = ~inside_tiles(layout.shape.cells, layout.pitch)
    for y, x in np.argwhere(outside & (interior.terrain != WALL)).tolist():
        tell(_at(layout, x, y, f"is outside the shape {layout.shape.name}; draw `#` there"))


def reached_on_foot(interior: Interior, start: Point, *, safely: bool) -> set[Point]:
    """Return the tiles that can be reached on foot from `start`. `safely`: without touching a hazard."""
    free = interior.safe() if safely else passable(interior.terrain, interior.covered, "walk", interior.kinds)
    return reached(start, free)


def _at(layout: Layout, x: int, y: int, message: str) -> str:
    glyph = layout.rows[y][x]
    return f"{layout.path}:{layout.first_line + y}: column {x + 1}: `{glyph}` {message}"
