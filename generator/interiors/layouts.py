"""Layout files: one room's inside as text, parsed, mirrored and checked. `docs/layouts.md` is the format."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator.errors import LayoutError, shown
from generator.files import read_text
from generator.geometry import Point, Side
from generator.interiors.glyphs import GLYPHS, Glyph
from generator.kinds import DECOR_KINDS, FLOOR, MARKER_KINDS, RUBBLE, TERRAIN_IDS, TERRAIN_KINDS
from generator.level import Property, Tiles, passable, spread_decor

MOST_BYTES = 1 << 16  # of a layout file
_LARGEST = 63  # tiles a side
_MIRRORS = {"none": ("",), "h": ("", "h"), "v": ("", "v"), "hv": ("", "h", "v", "hv")}
ENEMY_KINDS = ("enemy", "boss")  # the markers that fight
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}\Z")


class PlacedMarker(NamedTuple):
    """A marker of a layout, in tiles of the room's inside."""

    kind: str
    x: int
    y: int
    properties: Mapping[str, Property]


class Interior(NamedTuple):
    """The inside of a room, one of a layout's mirror images: arrays [y, x], decor at top left tiles."""

    terrain: Tiles
    decor: Tiles
    markers: tuple[PlacedMarker, ...]


@dataclass(frozen=True, eq=False)
class Layout:
    """A checked layout. `rows` is the map as drawn; `mirrors` are the images that count as variants."""

    path: Path
    rows: tuple[str, ...]
    first_line: int  # of the map, in the file
    glyphs: Mapping[str, Glyph]
    weight: int
    mirrors: tuple[str, ...]

    @property
    def name(self) -> str:
        """The file's name without its suffix."""
        return self.path.stem

    @property
    def size(self) -> Point:
        """Width and height in tiles, without the room's walls."""
        return len(self.rows[0]), len(self.rows)

    def interior(self, mirror: str = "") -> Interior:
        """The room's inside; `mirror` holds `h` to swap left and right, `v` to swap top and bottom."""
        return _interior(self, mirror)


def load_layout(path: Path) -> Layout:
    """Read and check a layout file. Raises LayoutError with file, line and remedy."""
    return parse_layout(read_text(path, MOST_BYTES, LayoutError), path)


def parse_layout(text: str, path: Path, *, check: bool = True) -> Layout:
    """As `load_layout`, of a text; `path` names it.

    The shipped files are checked by the tests; not doing it again saves half the time of a cold start.
    """
    lines = text.splitlines()
    header_end = next((i for i, line in enumerate(lines) if line.strip() == "map:"), None)
    if header_end is None:
        raise LayoutError(f"{path}: has no line `map:`; draw the room below one")
    weight, mirrors, glyphs = _header(lines[:header_end], path)
    rows = [line.rstrip() for line in lines[header_end + 1 :]]
    while rows and not rows[-1]:
        rows.pop()
    layout = Layout(path, tuple(rows), header_end + 2, glyphs, weight, mirrors)
    if check:
        _check_shape(layout)
        _check_rules(layout, layout.interior())
    return layout


# --- the header --------------------------------------------------------------------------------------


def _header(lines: list[str], path: Path) -> tuple[int, tuple[str, ...], Mapping[str, Glyph]]:
    weight, mirrors, glyphs = 1, _MIRRORS["hv"], dict(GLYPHS)
    for number, whole_line in enumerate(lines, 1):
        line = whole_line.split("//", 1)[0].strip()
        where = f"{path}:{number}"
        if not line:
            continue
        if line.startswith("weight:"):
            weight = _weight(line.removeprefix("weight:").strip(), where)
        elif line.startswith("mirror:"):
            word = line.removeprefix("mirror:").strip()
            if word not in _MIRRORS:
                raise LayoutError(f"{where}: mirror: {shown(word)} is none of {', '.join(_MIRRORS)}")
            mirrors = _MIRRORS[word]
        elif re.match(r"[A-Z0-9]\s*=", line):
            glyphs[line[0]] = _own_glyph(line.split("=", 1)[1], where)
        else:
            raise LayoutError(
                f"{where}: {shown(line)} is no header line; write `weight:`, `mirror:`, `X = KIND …`"
            )
    return weight, mirrors, glyphs


def _weight(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= 1000):
        raise LayoutError(f"{where}: weight: {shown(text)} is not a whole number from 1 to 1000")
    return int(text)


def _own_glyph(text: str, where: str) -> Glyph:
    """The meaning after `X =`: a marker kind, properties, and `on=` a terrain."""
    kind, *pairs = text.split() or [""]
    if kind not in MARKER_KINDS:
        raise LayoutError(f"{where}: {shown(kind)} is no marker kind; known are {', '.join(MARKER_KINDS)}")
    properties: dict[str, Property] = {}
    for pair in pairs:
        key, _, word = pair.partition("=")
        if not _WORD.match(key) or not (_WORD.match(word) or re.match(r"-?[0-9]{1,9}\Z", word)):
            raise LayoutError(
                f"{where}: {shown(pair)} is not NAME=VALUE with a number, true, false or a word"
            )
        properties[key] = _property(word)
    ground = str(properties.pop("on", "floor"))
    if ground not in TERRAIN_IDS or not TERRAIN_KINDS[TERRAIN_IDS[ground]].walk or ground == "door":
        raise LayoutError(f"{where}: on={ground}: nothing stands on that; use floor, rubble or bridge")
    return Glyph(TERRAIN_IDS[ground], 0, kind, properties)


def _property(word: str) -> Property:
    if word in ("true", "false"):
        return word == "true"
    return word if _WORD.match(word) else int(word)


# --- the map -----------------------------------------------------------------------------------------


def _check_shape(layout: Layout) -> None:
    path, rows = layout.path, layout.rows
    if not rows or not rows[0]:
        raise LayoutError(f"{path}: has nothing below `map:`; draw the room there")
    width = len(rows[0])
    if len(rows) > _LARGEST or width > _LARGEST:
        raise LayoutError(f"{path}: is {width} x {len(rows)} tiles; {_LARGEST} a side is the most")
    for y, row in enumerate(rows):
        where = f"{path}:{layout.first_line + y}"
        if len(row) != width:
            raise LayoutError(f"{where}: is {len(row)} tiles wide, the first row {width}; make them equal")
        for x, glyph in enumerate(row):
            if glyph not in layout.glyphs:
                raise LayoutError(
                    f"{where}: column {x + 1}: {shown(glyph)} means nothing; see docs/layouts.md"
                )
    if width % 2 == 0 or len(rows) % 2 == 0 or width < 5 or len(rows) < 5:
        raise LayoutError(f"{path}: is {width} x {len(rows)} tiles; a door needs odd sides of at least 5")


@lru_cache(maxsize=4096)
def _interior(layout: Layout, mirror: str) -> Interior:
    rows = [row[::-1] if "h" in mirror else row for row in layout.rows]
    if "v" in mirror:
        rows.reverse()
    height, width = len(rows), len(rows[0])
    terrain = np.zeros((height, width), np.uint8)
    decor = np.zeros((height, width), np.uint8)
    markers = []
    covered: set[Point] = set()
    for y, row in enumerate(rows):
        for x, character in enumerate(row):
            glyph = layout.glyphs[character]
            terrain[y, x] = glyph.terrain
            if glyph.decor and (x, y) not in covered:
                decor[y, x] = glyph.decor
                covered.update(_tiles_of(layout, rows, character, x, y, mirror))
            if glyph.marker:
                markers.append(PlacedMarker(glyph.marker, x, y, glyph.properties))
    for array in (terrain, decor):
        array.setflags(write=False)
    return Interior(terrain, decor, tuple(markers))


def _tiles_of(
    layout: Layout, rows: list[str], character: str, x: int, y: int, mirror: str
) -> Iterator[Point]:
    """The tiles that the thing with its top left at (x, y) covers; all must be drawn with its letter."""
    kind = DECOR_KINDS[layout.glyphs[character].decor]
    for ty in range(y, y + kind.height):
        for tx in range(x, x + kind.width):
            if not (ty < len(rows) and tx < len(rows[0]) and rows[ty][tx] == character):
                line = layout.first_line + (len(rows) - 1 - y if "v" in mirror else y)
                size = f"{kind.width} x {kind.height}"
                raise LayoutError(
                    f"{layout.path}:{line}: {kind.name} covers {size} tiles; draw `{character}` on each"
                )
            yield tx, ty


# --- the rules ---------------------------------------------------------------------------------------


def doorsteps(size: Point, door_width: int = 1, sides: Collection[Side] = tuple(Side)) -> list[Point]:
    """The tiles inside a room in front of the doors in the middle of its sides: north, east, south, west."""
    width, height = size
    spread = range(-(door_width // 2), door_width // 2 + 1)
    steps = {
        Side.NORTH: [(width // 2 + i, 0) for i in spread],
        Side.EAST: [(width - 1, height // 2 + i) for i in spread],
        Side.SOUTH: [(width // 2 + i, height - 1) for i in spread],
        Side.WEST: [(0, height // 2 + i) for i in spread],
    }
    return [tile for side in Side if side in sides for tile in steps[side]]


def too_near(kind: str, place: Point, steps: Iterable[Point]) -> bool:
    """Whether a marker of a kind may not stand at a place: on a doorstep, or an enemy within two steps."""
    least = 3 if kind in ENEMY_KINDS else 1
    return any(abs(place[0] - x) + abs(place[1] - y) < least for x, y in steps)


def reached(start: Point, free: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> set[Point]:
    """The tiles of `free` ([y, x]) that four-neighbour steps reach from `start`."""
    height, width = free.shape
    open_tiles = free.tolist()
    seen = {start}
    todo = [start]
    for x, y in todo:
        for tile in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            tx, ty = tile
            if 0 <= tx < width and 0 <= ty < height and open_tiles[ty][tx] and tile not in seen:
                seen.add(tile)
                todo.append(tile)
    return seen


def reached_from_doors(interior: Interior, *, safely: bool) -> set[Point]:
    """The tiles that one reaches on foot from the north door; `safely`: without touching a hazard."""
    covered = spread_decor(interior.decor, DECOR_KINDS)
    free = passable(interior.terrain, covered, "walk")
    if safely:
        free &= ~np.array([kind.hazard for kind in DECOR_KINDS])[covered]
    height, width = free.shape
    return reached(doorsteps((width, height))[0], free)


def _check_rules(layout: Layout, interior: Interior) -> None:
    covered = spread_decor(interior.decor, DECOR_KINDS)
    steps = doorsteps(layout.size)
    for x, y in steps:
        marked = any((marker.x, marker.y) == (x, y) for marker in interior.markers)
        if interior.terrain[y, x] not in (FLOOR, RUBBLE) or covered[y, x] or marked:
            raise _at(layout, x, y, "stands in front of a door; leave free floor there")
    safely = reached_from_doors(interior, safely=True)
    for x, y in steps[1:]:
        if (x, y) not in safely:
            raise _at(layout, x, y, "cannot be reached from the north door without a hazard; open a way")
    on_foot = reached_from_doors(interior, safely=False)
    for marker in interior.markers:
        place = marker.x, marker.y
        if place not in on_foot:
            raise _at(layout, *place, f"{marker.kind} cannot be reached on foot; open a way")
        if too_near(marker.kind, place, steps):
            raise _at(layout, *place, "is an enemy within two steps of a door; move it away")


def _at(layout: Layout, x: int, y: int, what: str) -> LayoutError:
    glyph = layout.rows[y][x]
    return LayoutError(f"{layout.path}:{layout.first_line + y}: column {x + 1}: `{glyph}` {what}")
