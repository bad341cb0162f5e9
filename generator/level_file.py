"""Reading level.json: strict, bounded, and with the place of whatever is wrong.

Nothing is believed before it is checked: sizes before memory is spent, references before they are
followed. What a level means beyond that (rooms that can be reached, doors that fit) is for `checks`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from generator.errors import LevelError, SpecError, shown
from generator.files import read_bytes
from generator.geometry import GridFrame, Point, Rect, Side
from generator.kinds import DOOR_KINDS, MARKER_KINDS, ROOM_KINDS, DecorKind, TerrainKind
from generator.level import Door, Hallway, Level, Marker, Property, Room, Tiles
from generator.pipeline import MOST_SEED
from generator.serialise import FORMAT, FORMAT_VERSION
from generator.spec import spec_from_dict

_MOST_BYTES = 1 << 28
_MOST_SIDE = 1 << 15  # tiles; Godot's cells are 16-bit
_MOST_TILES = 1 << 25
_MOST_ITEMS = 1 << 20
_MOST_KINDS = 256
_MOST_TEXT = 4096
_FAR = 1 << 30
_SIDES = [side.label for side in Side]
_DOORS = [kind.name for kind in DOOR_KINDS]


class _Node:
    """A value of the file and its place there."""

    __slots__ = ("place", "value")

    def __init__(self, value: Any, place: str) -> None:
        self.value = value
        self.place = place

    def fail(self, what: str) -> NoReturn:
        raise LevelError(f"{self.place}: {what}")

    def __getitem__(self, key: str) -> _Node:
        if not isinstance(self.value, dict):
            self.fail(f"{shown(self.value)} is not a table")
        if key not in self.value:
            self.fail(f"has no {key!r}")
        return _Node(self.value[key], f"{self.place}.{key}")

    def items(self, most: int = _MOST_ITEMS) -> list[_Node]:
        if not isinstance(self.value, list):
            self.fail(f"{shown(self.value)} is not a list")
        if len(self.value) > most:
            self.fail(f"has {len(self.value)} entries; {most} is the most")
        return [_Node(item, f"{self.place}[{i}]") for i, item in enumerate(self.value)]

    def pairs(self) -> Iterator[tuple[str, _Node]]:
        if not isinstance(self.value, dict) or len(self.value) > _MOST_KINDS:
            self.fail(f"{shown(self.value)} is not a table of at most {_MOST_KINDS} keys")
        for key, item in self.value.items():
            yield _Node(key, f"{self.place} key").text(), _Node(item, f"{self.place}.{key[:40]}")

    def number(self, low: int, high: int) -> int:
        if type(self.value) is not int or not low <= self.value <= high:
            self.fail(f"{shown(self.value)} is not a whole number from {low} to {high}")
        return self.value

    def maybe(self, low: int, high: int) -> int | None:
        return None if self.value is None else self.number(low, high)

    def truth(self) -> bool:
        if type(self.value) is not bool:
            self.fail(f"{shown(self.value)} is neither true nor false")
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str) or len(self.value) > _MOST_TEXT:
            self.fail(f"{shown(self.value)} is not a text of at most {_MOST_TEXT} characters")
        try:
            self.value.encode()
        except UnicodeEncodeError:
            self.fail(f"{shown(self.value)} is no valid Unicode")
        return self.value

    def one_of(self, names: Collection[str]) -> str:
        if self.text() not in names:
            self.fail(f"{shown(self.value)} is none of {', '.join(names)}")
        return str(self.value)

    def numbers(self, count: int, low: int, high: int) -> tuple[int, ...]:
        items = self.items()
        if len(items) != count:
            self.fail(f"has {len(items)} entries, not {count}")
        return tuple(item.number(low, high) for item in items)

    def pair(self, low: int, high: int) -> tuple[int, int]:
        a, b = self.numbers(2, low, high)
        return a, b

    def point(self, width: int, height: int) -> Point:
        x, y = self.pair(-_FAR, _FAR)
        if not (0 <= x < width and 0 <= y < height):
            self.fail(f"[{x}, {y}] lies outside the level of {width} x {height} tiles")
        return x, y

    def tiles(self, width: int, height: int) -> tuple[Point, ...]:
        return tuple(item.point(width, height) for item in self.items())


def load_level(path: Path) -> Level:
    """The level of a level.json. Raises LevelError with file, key and remedy."""
    data = read_bytes(path, _MOST_BYTES, LevelError)
    try:
        table = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise LevelError(f"{path}: is not JSON: {str(error)[:120]}") from None
    return level_from_dict(table, str(path))


def level_from_dict(table: object, where: str = "level") -> Level:
    """The level that `Level.to_dict` gave. Raises LevelError."""
    root = _Node(table, where)
    if root["format"].value != FORMAT:
        root["format"].fail(f"{shown(root['format'].value)} is not {FORMAT!r}")
    if root["format_version"].value != FORMAT_VERSION:
        root["format_version"].fail(
            f"{shown(root['format_version'].value)} is not {FORMAT_VERSION}; make the level anew"
        )
    try:
        spec = spec_from_dict(
            root["spec"].value if isinstance(root["spec"].value, dict) else {}, root["spec"].place
        )
    except SpecError as error:
        raise LevelError(str(error)) from None
    if root["style"].value != spec.style:
        root["style"].fail(f"{shown(root['style'].value)} is not the spec's {spec.style!r}")
    width, height = (root["size"][side].number(1, _MOST_SIDE) for side in ("width", "height"))
    terrain_kinds = tuple(_terrain_kind(node) for node in root["terrain_kinds"].items(_MOST_KINDS))
    decor_kinds = tuple(_decor_kind(node) for node in root["decor_kinds"].items(_MOST_KINDS))
    level = Level(
        seed=_seed(root["seed"]),
        seed_text=root["seed_text"].text() if "seed_text" in root.value else None,
        spec=spec,
        terrain=_array(root["terrain"], width, height, len(terrain_kinds)),
        decor=_array(root["decor"], width, height, len(decor_kinds)),
        rooms=_rooms(root["rooms"], width, height),
        doors=_doors(root, width, height),
        hallways=_hallways(root, width, height),
        markers=_markers(root, width, height),
        grid=_grid(root["grid"]),
        facts={key: _property(node) for key, node in root["facts"].pairs()},
        terrain_kinds=terrain_kinds,
        decor_kinds=decor_kinds,
        rerolls=tuple(
            {key: _property(item) for key, item in node.pairs()}
            for node in root["rerolls"].items(_MOST_ITEMS)
        ),
    )
    _check_decor_fits(level, root["decor"])
    if root["fingerprint"].text() != level.fingerprint:
        root["fingerprint"].fail(
            f"{shown(root['fingerprint'].value)} is not that of the level, {level.fingerprint}; "
            "the file was changed by hand: make it anew"
        )
    return level


def _seed(node: _Node) -> int:
    text = node.text()
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) <= MOST_SEED):
        node.fail(f"{shown(text)} is not a number from 0 to {MOST_SEED}, as text")
    return int(text)


def _terrain_kind(node: _Node) -> TerrainKind:
    walk, fly, shoot, hazard = (node[key].truth() for key in ("walk", "fly", "shoot", "hazard"))
    return TerrainKind(node["name"].text(), walk, fly, shoot, hazard)


def _decor_kind(node: _Node) -> DecorKind:
    width, height = node["size"].numbers(2, 1, 16)
    return DecorKind(*_terrain_kind(node), width=width, height=height)


def _array(node: _Node, width: int, height: int, kinds: int) -> Tiles:
    if width * height > _MOST_TILES:
        node.fail(f"{width} x {height} tiles are more than {_MOST_TILES}")
    if not isinstance(node.value, list) or len(node.value) != width * height:
        node.fail(f"is not a list of {width} x {height} numbers")
    if any(type(number) is not int for number in node.value):
        node.fail("holds something that is not a whole number")
    if min(node.value) < 0 or max(node.value) >= kinds:
        node.fail(f"holds a number that is none of the {kinds} kinds")
    return np.array(node.value, np.uint8).reshape(height, width)


def _check_decor_fits(level: Level, node: _Node) -> None:
    for number, kind in enumerate(level.decor_kinds):
        ys, xs = np.nonzero(level.decor == number)
        if len(xs) and (xs.max() + kind.width > level.width or ys.max() + kind.height > level.height):
            node.fail(f"a {kind.name} of {kind.width} x {kind.height} tiles reaches over the level's edge")


def _rooms(node: _Node, width: int, height: int) -> tuple[Room, ...]:
    return tuple(
        Room(
            id=_own_id(item, number),
            kind=item["kind"].one_of(ROOM_KINDS),
            shape=item["shape"].text(),
            cells=tuple(cell.pair(-_FAR, _FAR) for cell in item["cells"].items()),
            bounds=_rect(item["bounds"], width, height),
            outline=tuple(_ring(ring, width, height) for ring in item["outline"].items()),
            distance=item["distance"].maybe(0, _MOST_ITEMS),
            depth=item["depth"].number(0, _MOST_ITEMS),
            difficulty=item["difficulty"].number(0, 1000),
            layout=item["layout"].text(),
        )
        for number, item in enumerate(node.items())
    )


def _own_id(item: _Node, number: int) -> int:
    if item["id"].number(0, _MOST_ITEMS) != number:
        item["id"].fail(f"{item['id'].value} stands at place {number}; ids count from 0 in order")
    return number


def _rect(node: _Node, width: int, height: int) -> Rect:
    rect = Rect(*node.numbers(4, 0, _FAR))
    if not rect.width or not rect.height or rect.right > width or rect.bottom > height:
        node.fail(f"{list(rect)} is empty or lies outside the level of {width} x {height} tiles")
    return rect


def _ring(node: _Node, width: int, height: int) -> tuple[Point, ...]:
    ring = node.tiles(width + 1, height + 1)  # corners of tiles
    if len(ring) < 4:
        node.fail(f"has {len(ring)} corners; a ring of tile corners has at least 4")
    return ring


def _doors(root: _Node, width: int, height: int) -> tuple[Door, ...]:
    rooms = len(root["rooms"].items()) - 1
    doors = []
    for number, item in enumerate(root["doors"].items()):
        pair = item["rooms"].items()
        if len(pair) != 2:
            item["rooms"].fail("is not a pair")
        a, b = pair[0].number(0, rooms), pair[1].maybe(0, rooms)
        tiles = item["tiles"].tiles(width, height)
        if not tiles:
            item["tiles"].fail("is empty; a door has tiles")
        side, kind = item["side"].one_of(_SIDES), item["kind"].one_of(_DOORS)
        doors.append(Door(_own_id(item, number), (a, b), tiles, side, kind))
    return tuple(doors)


def _hallways(root: _Node, width: int, height: int) -> tuple[Hallway, ...]:
    doors = len(root["doors"].items()) - 1
    return tuple(
        Hallway(
            _own_id(item, number),
            item["doors"].pair(0, doors),
            item["tiles"].tiles(width, height),
        )
        for number, item in enumerate(root["hallways"].items())
    )


def _markers(root: _Node, width: int, height: int) -> tuple[Marker, ...]:
    rooms, hallways = (len(root[key].items()) - 1 for key in ("rooms", "hallways"))
    markers = []
    for number, item in enumerate(root["markers"].items()):
        x, y = _Node([item["x"].value, item["y"].value], item.place).point(width, height)
        properties = {key: _property(node) for key, node in item["properties"].pairs()}
        room, hallway = item["room"].maybe(0, rooms), item["hallway"].maybe(0, hallways)
        kind = item["kind"].one_of(MARKER_KINDS)
        markers.append(Marker(_own_id(item, number), kind, x, y, room, hallway, properties))
    return tuple(markers)


def _property(node: _Node) -> Property:
    if isinstance(node.value, str):
        return node.text()
    if type(node.value) is float and node.value == node.value and abs(node.value) < 1e300:
        return node.value
    if type(node.value) is bool:
        return node.value
    return node.number(-(1 << 53), 1 << 53)


def _grid(node: _Node) -> GridFrame | None:
    if node.value is None:
        return None
    return GridFrame(node["origin"].pair(-_FAR, _FAR), node["cell_size"].pair(1, _MOST_SIDE))
