"""A level with everything that a theme draws, for `undercroft theme check`.

It has rooms of all kinds, doors of all kinds on all four sides and in several widths, all kinds of decor
several times, pits and pillars with odd outlines, all terrains, and markers of all kinds.
"""

from __future__ import annotations

import numpy as np

from exporters.bundle import Bundle
from exporters.exporting import export
from exporters.theme import Theme
from exporters.theme.loader import all_looks
from generator.geometry import GridFrame, Point, Rect, Side
from generator.kinds import BRIDGE, DOOR, FLOOR, HALLWAY, PIT, RUBBLE, SHIPPED, WALL, Kinds
from generator.kinds.kind_tables import HUNG, DecorKind
from generator.level import MARGIN, Door, Level, Marker, Room, Tiles
from generator.spec import load_spec

_GRID = GridFrame((MARGIN, MARGIN), (15, 9))
_COLUMNS = 6
_BACKGROUND = "#0d0b14"  # the void in a game
_LETTERS = {".": FLOOR, "#": WALL, "~": PIT, "=": BRIDGE, "-": HALLWAY, ",": RUBBLE}

# The insides of the two rooms after those of all kinds.
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


def pictures(theme: Theme, stem: str, seed: int = 0) -> Bundle:
    """Draw the level in each look of a theme, with marker icons. Names of files begin with `stem`.

    Raises ThemeError if an image cannot be decoded.
    """
    options = {"png.markers": True, "png.background": _BACKGROUND}
    level, bundle = showroom(seed, theme.kinds), Bundle()
    for look in all_looks(theme):
        of_look = f"-{look.look}" if look.look else ""
        bundle.update(export(level, "png", options, look, f"{stem}{of_look}-check"))
    return bundle


def showroom(seed: int = 0, kinds: Kinds = SHIPPED) -> Level:
    """Build the level. The seed only chooses the variants of tiles."""
    extra_rooms = _others(kinds)
    standing = [kind for kind in kinds.decor[1:] if kind.name not in HUNG]
    lacking = max(0, -(-len(standing) // 2) - (len(kinds.rooms) - 1))  # the first room has the markers
    names = [*kinds.rooms, *(["normal"] * (lacking + len(extra_rooms)))]
    rows = -(-len(names) // _COLUMNS)
    cells = [(i % _COLUMNS, i // _COLUMNS) for i in range(len(names))]
    terrain = np.zeros((rows * 9 + 2 * MARGIN, _COLUMNS * 15 + 2 * MARGIN), np.uint8)
    for cell in cells:
        rect = _GRID.cell_rect(cell)
        terrain[rect.slices] = WALL
        terrain[rect.shrunk(1).slices] = FLOOR
    for cell, drawn in zip(cells[-len(extra_rooms) :], extra_rooms, strict=True):
        terrain[_GRID.cell_rect(cell).shrunk(1).slices] = drawn
    doors = _doors(cells, list(kinds.doors))
    for door in doors:
        for x, y in door.tiles:
            terrain[y, x] = DOOR
    rooms = tuple(_room(i, kind, cell) for i, (kind, cell) in enumerate(zip(names, cells, strict=True)))
    first = _GRID.cell_rect(cells[0]).shrunk(1)
    markers = tuple(
        Marker(i, kind, first.x + i % first.width, first.bottom - 1 - i // first.width, 0)
        for i, kind in enumerate(list(kinds.markers)[: first.width * first.height])
    )
    decor = _decor(terrain, cells[1 : -len(extra_rooms)], kinds, standing)
    spec = load_spec("isaac")
    return Level(seed, spec, terrain, decor, rooms, doors, markers, grid=_GRID, kinds=kinds)


def _others(kinds: Kinds) -> list[Tiles]:
    """Fill additional rooms: pits, pillars, and the kit's own terrains, six per room."""
    rooms = [
        np.array([[_LETTERS[letter] for letter in line] for line in picture.split()], np.uint8)
        for picture in (_PITS, _PILLARS)
    ]
    numbers = range(RUBBLE + 1, len(kinds.terrain))
    for start in range(0, len(numbers), 6):
        inside = np.full(rooms[0].shape, FLOOR, np.uint8)
        for index, number in enumerate(numbers[start : start + 6]):
            y, x = 4 * (index // 3), 1 + 4 * (index % 3)
            inside[y : y + 3, x : x + 3] = number
        rooms.append(inside)
    return rooms


def _doors(cells: list[Point], kinds: list[str]) -> tuple[Door, ...]:
    """Put one door between each two neighbours. Kinds and widths rotate, separately for each side."""
    doors: list[Door] = []
    of_side = {Side.EAST: 0, Side.SOUTH: 0}
    for i, (x, y) in enumerate(cells):
        for side, step in ((Side.EAST, 1), (Side.SOUTH, _COLUMNS)):
            if (x + side.dx, y + side.dy) in cells:
                number, turn = len(doors), of_side[side]
                of_side[side] += 1
                kind = kinds[turn % len(kinds)]
                own, theirs = _GRID.door_tiles((x, y), side, 1 + turn % 3)
                doors.append(Door(number, (i, i + step), (*own, *theirs), side.label, kind))
    return tuple(doors)


def _room(number: int, kind: str, cell: Point) -> Room:
    rect: Rect = _GRID.cell_rect(cell)
    corners = ((rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom))
    return Room(number, kind, "1x1", (cell,), rect, (corners,), number, 0, 0, "")


def _decor(terrain: Tiles, cells: list[Point], kinds: Kinds, standing: list[DecorKind]) -> Tiles:
    """Place two kinds per room, three pieces of each. Wall decor is on the wall above."""
    decor = np.zeros_like(terrain)
    for i, cell in enumerate(cells):
        rect = _GRID.cell_rect(cell)
        for x, name in zip((2, 4, 11, 13), HUNG, strict=True):
            decor[rect.y, rect.x + x] = kinds.decor_ids.get(name, 0)
        for row, kind in enumerate(standing[2 * i : 2 * i + 2]):
            for index in range(3):
                decor[rect.y + 2 + 3 * row, rect.x + 3 + 4 * index] = kinds.decor_ids[kind.name]
    return decor
