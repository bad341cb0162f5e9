"""Levels small enough to be understood at a glance, made without the generator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from generator.geometry import GridFrame, Point, Rect, Side
from generator.kinds import DECOR_IDS, DOOR, DOOR_KINDS, FLOOR, SHIPPED, WALL
from generator.level import MARGIN, Door, Level, Marker, Room, Tiles
from generator.styles.isaac.spec import IsaacSpec

LETTERS = {" ": "void", ".": "floor", "#": "wall", "~": "pit", "=": "bridge"}
LETTERS |= {"-": "hallway", "D": "door", ",": "rubble"}

GRID = GridFrame((MARGIN, MARGIN), (15, 9))


class Way(NamedTuple):
    """A door to be cut: between two rooms, in the middle of a side of a cell of the first."""

    a: int
    b: int
    cell: Point
    side: Side
    kind: str = "open"
    width: int = 1


def drawn(
    picture: str,
    *,
    seed: int = 7,
    kind: str = "normal",
    doors: Sequence[Door] = (),
    decor: Mapping[Point, str] | None = None,
    markers: Sequence[Marker] = (),
) -> Level:
    """A level of one room that covers everything, drawn in `LETTERS`."""
    lines = picture.strip("\n").split("\n")
    width = max(map(len, lines))
    terrain = np.array(
        [[SHIPPED.terrain_ids[LETTERS[c]] for c in line.ljust(width)] for line in lines], np.uint8
    )
    room = Room(0, kind, "1x1", ((0, 0),), Rect(0, 0, width, len(lines)), (), 0, 0, 0, "")
    filled = _decor(terrain.shape, decor)
    return Level(seed, IsaacSpec(), terrain, filled, (room,), tuple(doors), tuple(markers))


def built(
    rooms: Sequence[tuple[str, Sequence[Point]]],
    ways: Sequence[Way] = (),
    *,
    seed: int = 7,
    decor: Mapping[Point, str] | None = None,
    markers: Sequence[Marker] = (),
) -> Level:
    """A level of a grid style: rooms as their kind and cells, each with a wall ring of its own."""
    right, bottom = (1 + max(cell[i] for _, cells in rooms for cell in cells) for i in (0, 1))
    owner = np.full((bottom * 9 + 2 * MARGIN, right * 15 + 2 * MARGIN), -1)
    for i, (_, cells) in enumerate(rooms):
        for cell in cells:
            owner[GRID.cell_rect(cell).slices] = i
    inner = owner >= 0
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            inner &= np.roll(owner, (dy, dx), (0, 1)) == owner
    terrain = np.where(owner < 0, 0, np.where(inner, FLOOR, WALL)).astype(np.uint8)
    doors = []
    for i, way in enumerate(ways):
        own, theirs = GRID.door_tiles(way.cell, way.side, way.width)
        doors.append(Door(i, (way.a, way.b), (*own, *theirs), way.side.label, way.kind))
        for x, y in (*own, *theirs):
            terrain[y, x] = DOOR
    made = tuple(_room(i, kind, cells) for i, (kind, cells) in enumerate(rooms))
    filled = _decor(terrain.shape, decor)
    return Level(seed, IsaacSpec(), terrain, filled, made, tuple(doors), tuple(markers), grid=GRID)


def _room(i: int, kind: str, cells: Sequence[Point]) -> Room:
    rects = [GRID.cell_rect(cell) for cell in cells]
    x, y = min(r.x for r in rects), min(r.y for r in rects)
    bounds = Rect(x, y, max(r.right for r in rects) - x, max(r.bottom for r in rects) - y)
    return Room(i, kind, f"{len(cells)} cells", tuple(cells), bounds, (), 0, 0, 0, "")


def _decor(shape: tuple[int, ...], things: Mapping[Point, str] | None) -> Tiles:
    decor = np.zeros(shape, np.uint8)
    for (x, y), name in (things or {}).items():
        decor[y, x] = DECOR_IDS[name]
    return decor


def fifteen_rooms(seed: int = 7) -> Level:
    """A level of the size that a first stage has, with doors of all kinds and something in every room."""
    kinds = ["start", "normal", "boss", "shop", "treasure", "secret", "curse", "normal", "arcade", "library"]
    kinds += ["challenge", "vault", "grave", "dice", "planetarium"]
    rooms = [(kind, [(i % 5, i // 5)]) for i, kind in enumerate(kinds)]
    steps = [(i, 1, Side.EAST) for i in range(15) if i % 5 < 4] + [(i, 5, Side.SOUTH) for i in range(10)]
    ways = [
        Way(i, i + step, (i % 5, i // 5), side, DOOR_KINDS[i % 8].name, 1 + i % 3) for i, step, side in steps
    ]
    decor: dict[Point, str] = {}
    for i in range(15):
        x, y = GRID.cell_rect((i % 5, i // 5))[:2]
        things = "rock boulder statue bookshelf rug torch fire bones table grass pot"
        for j, name in enumerate(things.split()):
            decor[x + 1 + j, y + (0 if name == "torch" else 2 + (i + 2 * j) % 5)] = name
    return built(rooms, ways, seed=seed, decor=decor)
