"""Layouts as the rooms of a level, so that code for levels can draw and write them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from generator.algorithms.outline import close_pinches, outline
from generator.geometry import GridFrame, Point, Rect
from generator.interiors.interior import covered_tiles
from generator.interiors.layouts import Layout
from generator.interiors.named import NamedLayout
from generator.kinds import DIFFICULTIES, DOOR, SHIPPED, VOID, WALL
from generator.level import MARGIN, Door, Level, Marker, Room, Tiles
from generator.spec import LevelSpec


def rooms_level(named: Sequence[NamedLayout], corners: Sequence[Point], size: Point) -> Level:
    """Build a level of `size` tiles with a room per layout. `corners` are the top left tiles of their walls.

    There is a door wherever a layout can have one; it leads nowhere. Variations are left out.
    """
    terrain, decor = np.full((2, size[1], size[0]), VOID, np.uint8)
    rooms: list[Room] = []
    doors: list[Door] = []
    markers: list[tuple[Any, ...]] = []
    for number, (entry, corner) in enumerate(zip(named, corners, strict=True)):
        layout = entry.layout
        bounds = Rect(*corner, *walled_size(layout))
        interior, inside = layout.interior(), bounds.shrunk(1)
        terrain[bounds.slices] = room_terrain(layout)
        decor[inside.slices] = interior.decor
        rooms.append(_room(number, entry, bounds, terrain[bounds.slices]))
        for side, tiles in layout_doors(layout):
            placed = tuple((x + corner[0], y + corner[1]) for x, y in tiles)
            doors.append(Door(len(doors), (number, None), placed, side, "open"))
        markers += [
            (marker.kind, marker.x + inside.x, marker.y + inside.y, number, None, marker.properties)
            for marker in interior.markers
        ]
    kinds = named[0].layout.kinds if named else SHIPPED
    numbered = tuple(Marker(i, *entry) for i, entry in enumerate(markers))
    return Level(0, LevelSpec(), terrain, decor, tuple(rooms), tuple(doors), numbered, kinds=kinds)


def _room(number: int, named: NamedLayout, bounds: Rect, terrain: Tiles) -> Room:
    rings = outline(terrain != VOID, (bounds.x, bounds.y))
    pool = named.name.split("/")[-2] if "/" in named.name else ""
    difficulty = named.layout.difficulty or DIFFICULTIES.get(pool, 0)
    return Room(number, named.kind, named.layout.shape.name, (), bounds, rings, 0, 0, difficulty, named.name)


def walled_size(layout: Layout) -> Point:
    """Width and height of the room in tiles, walls included."""
    width, height = layout.size
    return width + 2, height + 2


def room_terrain(layout: Layout) -> Tiles:
    """Return the terrain [y, x] of the room with its walls and doors, void outside its shape and outline."""
    inside = layout.interior().terrain
    if layout.exits:
        terrain = np.pad(inside, 1, constant_values=VOID)
        _build_walls(terrain)
    else:
        terrain = np.pad(inside, 1, constant_values=WALL)
        terrain[~covered_tiles(layout.shape.cells, layout.pitch)] = VOID
    for _, tiles in layout_doors(layout):
        for x, y in tiles:
            terrain[y, x] = DOOR
    return terrain


def _build_walls(terrain: Tiles) -> None:
    """Put walls on the void tiles around everything else, corners included."""
    framed = np.pad(terrain != VOID, 1)
    near = np.zeros(terrain.shape, bool)
    for dy in range(3):
        for dx in range(3):
            near |= framed[dy : dy + terrain.shape[0], dx : dx + terrain.shape[1]]
    terrain[near & (terrain == VOID)] = WALL
    close_pinches(terrain, VOID, WALL)


def layout_doors(layout: Layout) -> Iterator[tuple[str, list[Point]]]:
    """Yield the possible doors or exits: their sides, and their tiles relative to the room's corner."""
    for exit_ in layout.exits:
        if not exit_.is_any:
            side, tiles = exit_.side, exit_.tiles(layout.size)
            yield side.label, [(x + 1 + side.dx, y + 1 + side.dy) for x, y in tiles]
    frame = GridFrame((0, 0), layout.pitch)
    for cell, side in (layout.shape.slots[name] for name in layout.doors):
        yield side.label, frame.door_tiles(cell, side, 1)[0]


def alone(named: NamedLayout) -> Level:
    """Build a level with one layout and a margin of void."""
    width, height = walled_size(named.layout)
    return rooms_level([named], [(MARGIN, MARGIN)], (width + 2 * MARGIN, height + 2 * MARGIN))
