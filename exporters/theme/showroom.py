"""A level that has everything that a theme draws: what `undercroft theme check` shows.

A room of every kind, doors of every kind on all four sides and of several widths, every kind of decor several
times, pits and pillars of odd outlines, every terrain, a marker of every kind.
"""

from __future__ import annotations

import numpy as np

import exporters
from exporters.bundle import Bundle
from exporters.theme import Theme
from generator.geometry import GridFrame, Point, Rect, Side
from generator.kinds import (
    BRIDGE,
    DECOR_IDS,
    DECOR_KINDS,
    DOOR,
    DOOR_KINDS,
    FLOOR,
    HALLWAY,
    MARKER_KINDS,
    PIT,
    ROOM_KINDS,
    RUBBLE,
    WALL,
)
from generator.level import MARGIN, Door, Level, Marker, Room, Tiles
from generator.spec import IsaacSpec

_GRID = GridFrame((MARGIN, MARGIN), (15, 9))
_COLUMNS = 6
_BACKGROUND = "#0d0b14"  # void, as a game shows it
_ON_WALLS = ("torch", "banner")
_LETTERS = {".": FLOOR, "#": WALL, "~": PIT, "=": BRIDGE, "-": HALLWAY, ",": RUBBLE}

# The insides of the two rooms behind those of every kind.
_PITS = """
~~~~.....~~~.
~~~~~.~..~.~.
.~~~~.=..~~~.
..~~..=......
.=====~~~~~~.
..~~..~~.~~~.
.~~~~....~..."""
_PILLARS = """
.....----.,,.
.##..----.,,.
.##..........
.....##.###..
.###..#.#.#..
.#......###..
....#........"""


def picture(theme: Theme, seed: int = 0) -> Bundle:
    """The level in a theme, with the icons of markers. Raises ThemeError if its image cannot be decoded."""
    name = f"{theme.name[:190]}-check"
    options = {"png.markers": True, "png.background": _BACKGROUND}
    return exporters.export(showroom(seed), "png", options, theme, name)


def showroom(seed: int = 0) -> Level:
    """The level; the seed only chooses among variants of tiles."""
    kinds = [*ROOM_KINDS, "normal", "normal"]
    rows = -(-len(kinds) // _COLUMNS)
    cells = [(i % _COLUMNS, i // _COLUMNS) for i in range(len(kinds))]
    terrain = np.zeros((rows * 9 + 2 * MARGIN, _COLUMNS * 15 + 2 * MARGIN), np.uint8)
    for cell in cells:
        rect = _GRID.cell_rect(cell)
        terrain[rect.slices] = WALL
        terrain[rect.shrunk(1).slices] = FLOOR
    for cell, picture in zip(cells[-2:], (_PITS, _PILLARS), strict=True):
        drawn = [[_LETTERS[letter] for letter in line] for line in picture.split()]
        terrain[_GRID.cell_rect(cell).shrunk(1).slices] = drawn
    doors = _doors(cells)
    for door in doors:
        for x, y in door.tiles:
            terrain[y, x] = DOOR
    rooms = tuple(_room(i, kind, cell) for i, (kind, cell) in enumerate(zip(kinds, cells, strict=True)))
    first = _GRID.cell_rect(cells[0]).shrunk(1)
    markers = tuple(
        Marker(i, kind, first.x + i % first.width, first.bottom - 1 - i // first.width, 0)
        for i, kind in enumerate(MARKER_KINDS)
    )
    decor = _decor(terrain, cells[1:-2])
    return Level(seed, IsaacSpec(), terrain, decor, rooms, doors, markers, grid=_GRID)


def _doors(cells: list[Point]) -> tuple[Door, ...]:
    """One between every two neighbours; kinds and widths change from door to door."""
    doors: list[Door] = []
    for i, (x, y) in enumerate(cells):
        for side, step in ((Side.EAST, 1), (Side.SOUTH, _COLUMNS)):
            if (x + side.dx, y + side.dy) in cells:
                number = len(doors)
                kind = DOOR_KINDS[number // 2 % len(DOOR_KINDS)].name
                own, theirs = _GRID.door_tiles((x, y), side, 1 + number // 2 % 3)
                doors.append(Door(number, (i, i + step), (*own, *theirs), side.label, kind))
    return tuple(doors)


def _room(number: int, kind: str, cell: Point) -> Room:
    rect: Rect = _GRID.cell_rect(cell)
    corners = ((rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom))
    return Room(number, kind, "1x1", (cell,), rect, (corners,), number, 0, 0, "")


def _decor(terrain: Tiles, cells: list[Point]) -> Tiles:
    """Two kinds a room, three of each, and what hangs on walls on the wall above."""
    decor = np.zeros_like(terrain)
    standing = [kind for kind in DECOR_KINDS[1:] if kind.name not in _ON_WALLS]
    for i, cell in enumerate(cells):
        rect = _GRID.cell_rect(cell)
        for x, name in zip((2, 11), _ON_WALLS, strict=True):
            decor[rect.y, rect.x + x] = DECOR_IDS[name]
        for row, kind in enumerate(standing[2 * i : 2 * i + 2]):
            for place in range(3):
                decor[rect.y + 2 + 3 * row, rect.x + 3 + 4 * place] = DECOR_IDS[kind.name]
    return decor
