"""The rules of a layout (`docs/layouts.md`): a map that can be read, and a room that can be played."""

from __future__ import annotations

import numpy as np

from generator.errors import LayoutError, shown
from generator.geometry import Point
from generator.interiors.footprint import doorsteps, inside_tiles
from generator.interiors.interior import Interior, reached, too_near
from generator.interiors.layouts import Layout
from generator.kinds import DECOR_KINDS, FLOOR, RUBBLE, WALL
from generator.level import passable, spread_decor

_LARGEST = 63  # tiles of a cell, a side


def check_map(layout: Layout) -> None:
    """Raise LayoutError unless every glyph is known and the map has the size of its shape."""
    path, rows, shape = layout.path, layout.rows, layout.shape
    if not rows or not rows[0]:
        raise LayoutError(f"{path}: has nothing below `map:`; draw the room there")
    width, height = layout.size
    if width > _LARGEST * shape.size[0] or height > _LARGEST * shape.size[1]:
        raise LayoutError(f"{path}: is {width} x {height} tiles; {_LARGEST} a side is the most for a cell")
    for y, row in enumerate(rows):
        where = f"{path}:{layout.first_line + y}"
        if len(row) != width:
            raise LayoutError(f"{where}: is {len(row)} tiles wide, the first row {width}; make them equal")
        for x, glyph in enumerate(row):
            if glyph not in layout.glyphs:
                raise LayoutError(
                    f"{where}: column {x + 1}: {shown(glyph)} means nothing; see docs/layouts.md"
                )
    for tiles, cells, pitch in zip(layout.size, shape.size, layout.pitch, strict=True):
        if cells == 1 and (tiles % 2 == 0 or tiles < 5):
            raise LayoutError(f"{path}: is {width} x {height} tiles; a door needs odd sides of at least 5")
        if pitch * cells != tiles + 2 or pitch % 2 == 0 or pitch < 7:
            raise LayoutError(
                f"{path}: is {width} x {height} tiles; {cells} cells of odd width W are {cells} x W - 2 "
                "tiles without the outer walls, such as 28 or 16"
            )


def check_rules(layout: Layout, interior: Interior) -> None:
    """Raise LayoutError unless a body can walk and fight there, whichever doors there are."""
    _check_notch(layout, interior)
    covered = spread_decor(interior.decor, DECOR_KINDS)
    steps = doorsteps(layout.pitch, [layout.shape.slots[name] for name in layout.doors])
    for x, y in steps:
        marked = any((marker.x, marker.y) == (x, y) for marker in interior.markers)
        if interior.terrain[y, x] not in (FLOOR, RUBBLE) or covered[y, x] or marked:
            raise _at(layout, x, y, "stands in front of a door; leave free floor there")
    safely = reached_on_foot(interior, steps[0], safely=True)
    for x, y in steps[1:]:
        if (x, y) not in safely:
            first = layout.doors[0]
            raise _at(layout, x, y, f"cannot be reached from door {first} without a hazard; open a way")
    on_foot = reached_on_foot(interior, steps[0], safely=False)
    for marker in interior.markers:
        place = marker.x, marker.y
        if place not in on_foot:
            raise _at(layout, *place, f"{marker.kind} cannot be reached on foot; open a way")
        if too_near(marker.kind, place, steps):
            raise _at(layout, *place, "is an enemy within two steps of a door; move it away")


def _check_notch(layout: Layout, interior: Interior) -> None:
    """Where a shape has no cell, and in the wall round that, there is nothing but wall."""
    outside = ~inside_tiles(layout.shape.cells, layout.pitch)
    for y, x in np.argwhere(outside & (interior.terrain != WALL)).tolist():
        raise _at(layout, x, y, f"lies outside of the shape {layout.shape.name}; draw `#` there")


def reached_on_foot(interior: Interior, start: Point, *, safely: bool) -> set[Point]:
    """The tiles that one reaches on foot from `start`; `safely`: without touching a hazard."""
    covered = spread_decor(interior.decor, DECOR_KINDS)
    free = passable(interior.terrain, covered, "walk")
    if safely:
        free &= ~np.array([kind.hazard for kind in DECOR_KINDS])[covered]
    return reached(start, free)


def _at(layout: Layout, x: int, y: int, what: str) -> LayoutError:
    glyph = layout.rows[y][x]
    return LayoutError(f"{layout.path}:{layout.first_line + y}: column {x + 1}: `{glyph}` {what}")
