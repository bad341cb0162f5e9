"""Reading level.json: strict, bounded, and with the place of each error.

Everything is checked before it is used: sizes before memory is spent, references before they are
followed. Whether the level makes sense (rooms can be reached, doors fit) is for `checks`.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np

from generator.errors import KitError, LevelError, SpecError, shown
from generator.files import parsed_json, read_bytes
from generator.geometry import GridFrame, Point, Rect, Side
from generator.kinds import SHIPPED, DecorKind, Kinds, TerrainKind
from generator.kinds.kind_tables import MAX_PRICE
from generator.kinds.kinds import kinds_of
from generator.kinds.kit_files import MAX_BYTES
from generator.level import (
    LOOK_LAYERS,
    MAX_NAME,
    MAX_TILES,
    Door,
    Hallway,
    Level,
    Marker,
    PaintedLook,
    Property,
    Room,
    Tiles,
)
from generator.node import FAR, MAX_ITEMS, MAX_KINDS, LevelNode
from generator.rerolls.record import changed_by_hand
from generator.serialise import FORMAT, FORMAT_VERSION, MAX_LEVEL_BYTES
from generator.spec import saved_spec
from generator.version import VERSION

_OURS = "give a level.json that Undercroft wrote"
_MAX_SIDE = 1 << 15  # tiles; Godot's cells are 16-bit


def load_level(path: str | Path, *, accept_edits: bool = False) -> Level:
    """Load a level.json. Raises LevelError with file, key and remedy.

    A level that was changed by hand is refused. With `accept_edits` it is accepted if it breaks no rule (see
    `checks`), and a note in `rerolls` says that its seed cannot generate it again.
    """
    return level_from_bytes(
        read_bytes(Path(path), MAX_LEVEL_BYTES, LevelError), str(path), accept_edits=accept_edits
    )


def level_from_bytes(data: bytes, where: str, *, accept_edits: bool = False) -> Level:
    """Load a level like `load_level`, from a file's bytes that were read already."""
    return _accepted(parsed_root(data, where), accept_edits)


def load_any_level(path: Path) -> tuple[Level, str]:
    """Load a level, changed by hand or not, and the version that made it. Raises LevelError."""
    return any_level_from_bytes(read_bytes(path, MAX_LEVEL_BYTES, LevelError), str(path))


def any_level_from_bytes(data: bytes, where: str) -> tuple[Level, str]:
    """Load a level like `load_any_level`, from a file's bytes that were read already."""
    root = parsed_root(data, where)
    return level_of(root), root["generator_version"].text()


def own_level_from_bytes(data: bytes, where: str, *, accept_edits: bool = False) -> Level:
    """Load a level to work on: like `load_level`, but this version of the generator must have made it."""
    root = parsed_root(data, where)
    level = _accepted(root, accept_edits)
    made_by = root["generator_version"]
    if made_by.text() != VERSION:
        made_by.fail(
            f"version {shown(made_by.value)} made this level, and this is {VERSION}, whose rooms may "
            f"differ: use that version, or write {VERSION} there to mix rooms of both"
        )
    return level


def level_from_dict(table: object, where: str = "level") -> Level:
    """Read the level of a table from `Level.to_dict`. Raises LevelError."""
    return _accepted(LevelNode(table, where, is_file=True), False)


def _accepted(root: LevelNode, accept_edits: bool) -> Level:
    """Read the level of a table, if it was not changed or the changes are accepted."""
    level = level_of(root)
    if not is_edited(root, level):
        return level
    if not accept_edits:
        root["fingerprint"].fail(said_edited(root, level))
    from generator.checks import problems
    from generator.checks.told import causes, told

    edited = changed_by_hand(level)
    broken = causes(told(problems(edited), edited))
    if broken:
        count = len(broken) - 1
        rest = f", and {count} more problem{'s' * (count > 1)}" if count else ""
        raise LevelError(
            f"{root.place}: was changed by hand and breaks a rule: {broken[0]}{rest}; fix what `undercroft "
            "check --accept-edits` lists"
        )
    return edited


def is_edited(root: LevelNode, level: Level) -> bool:
    """Check whether a level was changed since its fingerprint was written."""
    return not level.is_named(root["fingerprint"].text())


def said_edited(root: LevelNode, level: Level) -> str:
    """Say that a level was changed by hand, with the remedies."""
    return (
        f"{shown(root['fingerprint'].value)} is not the fingerprint of the level, {level.fingerprint}; the "
        "file was changed by hand: generate it again, or give --accept-edits (in Python: accept_edits=True)"
    )


def parsed_root(data: bytes, where: str) -> LevelNode:
    """Parse the JSON of a level. Raises LevelError."""
    return LevelNode(parsed_json(data, where, LevelError), where, is_file=True)


def level_of(root: LevelNode) -> Level:
    """Read the level of a table, whatever its fingerprint says."""
    if root.needed("format", _OURS).value != FORMAT:
        root["format"].fail(f"{shown(root['format'].value)} is not {FORMAT!r}; {_OURS}")
    if root["format_version"].value != FORMAT_VERSION:
        root["format_version"].fail(
            f"{shown(root['format_version'].value)} is not {FORMAT_VERSION}; generate the level again"
        )
    try:
        spec = saved_spec(
            root["spec"].value if isinstance(root["spec"].value, dict) else {}, root["spec"].place
        )
    except SpecError as error:
        raise LevelError(str(error)) from None
    if root["style"].value != spec.style:
        root["style"].fail(
            f"{shown(root['style'].value)} is not the spec's {spec.style!r}; give the two the same"
        )
    width, height = (root["size"][side].number(1, _MAX_SIDE) for side in ("width", "height"))
    kinds = _kinds(root)
    terrain_kinds = tuple(_terrain_kind(node) for node in root["terrain_kinds"].items(MAX_KINDS))
    decor_kinds = tuple(_decor_kind(node) for node in root["decor_kinds"].items(MAX_KINDS))
    grid = _grid(root["grid"])
    level = Level(
        seed=root["seed"].seed(),
        seed_text=root["seed_text"].line() if "seed_text" in root.value else None,
        spec=spec,
        terrain=_array(root["terrain"], width, height, len(terrain_kinds)),
        decor=_array(root["decor"], width, height, len(decor_kinds)),
        rooms=_rooms(root["rooms"], grid, width, height),
        doors=doors_of(root, width, height),
        hallways=hallways_of(root, width, height),
        markers=_markers(root, width, height),
        grid=grid,
        facts=_properties(root["facts"]),
        terrain_kinds=terrain_kinds,
        decor_kinds=decor_kinds,
        rerolls=tuple(map(_properties, root["rerolls"].items(MAX_ITEMS))),
        kinds=kinds,
        edited=_properties(root.at("edited", {})),
        looks=_looks(root.at("looks", []), width, height),
    )
    _check_decor_fits(level, root["decor"])
    return level


def _kinds(root: LevelNode) -> Kinds:
    """Read the rows of the kit that the level was made with. Files leave out those of the shipped kit."""
    if "kinds" not in root.value:
        return SHIPPED
    node = root["kinds"]
    if not isinstance(node.value, dict) or len(json.dumps(node.value)) > MAX_BYTES:
        node.fail(f"is not a table of rows with up to {MAX_BYTES} bytes")
    try:
        return kinds_of(json.dumps(node.value))
    except KitError as error:
        raise LevelError(f"{node.place}: {error}") from None


def _terrain_kind(node: LevelNode) -> TerrainKind:
    walk, fly, shoot, hazard = (node[key].truth() for key in ("walk", "fly", "shoot", "hazard"))
    return TerrainKind(node["name"].line(), walk, fly, shoot, hazard)


def _decor_kind(node: LevelNode) -> DecorKind:
    width, height = node["size"].numbers(2, 1, 16)
    return DecorKind(*_terrain_kind(node), width=width, height=height)


def _array(node: LevelNode, width: int, height: int, kinds: int) -> Tiles:
    if width * height > MAX_TILES:
        node.fail(f"{width} x {height} tiles are more than {MAX_TILES}; generate a smaller level")
    if not isinstance(node.value, list) or len(node.value) != width * height:
        node.fail(f"is not a list of {width} x {height} numbers")
    if set(map(type, node.value)) != {int} or not set(node.value).issubset(range(kinds)):
        for at, number in enumerate(node.value):
            LevelNode(number, at, node).number(0, kinds - 1)
    return np.frombuffer(bytes(node.value), np.uint8).reshape(height, width)


def _check_decor_fits(level: Level, node: LevelNode) -> None:
    tiles = level.decor.tobytes()
    for number, kind in enumerate(level.decor_kinds):
        if kind.width * kind.height == 1 or number not in tiles:
            continue
        ys, xs = np.nonzero(level.decor == number)
        if len(xs) and (xs.max() + kind.width > level.width or ys.max() + kind.height > level.height):
            size = f"{kind.width} x {kind.height} tiles"
            node.fail(f"a {kind.name} of {size} extends beyond the level's edge; move it")


def _rooms(node: LevelNode, grid: GridFrame | None, width: int, height: int) -> tuple[Room, ...]:
    rooms = []
    for number, item in enumerate(node.items()):
        bounds = _rect(item["bounds"], width, height)
        room = Room(
            id=own_id(item, number),
            kind=item["kind"].kind(),
            shape=item["shape"].line(),
            cells=tuple(_cell(cell, grid, bounds) for cell in item["cells"].items()),
            bounds=bounds,
            outline=tuple(_ring(ring, width, height) for ring in item["outline"].items()),
            distance=item["distance"].maybe(0, MAX_ITEMS),
            depth=item["depth"].number(0, MAX_ITEMS),
            difficulty=item["difficulty"].number(0, 1000),
            layout=item["layout"].line(),
            zone=item["zone"].kind() if "zone" in item.value else "",
            name=item["name"].line(MAX_NAME, least=1) if "name" in item.value else "",
        )
        rooms.append(room)
    return tuple(rooms)


def _cell(node: LevelNode, grid: GridFrame | None, bounds: Rect) -> Point:
    """Read a cell of a room. Its tiles must lie in the room's bounds."""
    cell = node.pair(-FAR, FAR)
    if grid:
        rect = grid.cell_rect(cell)
        if not (bounds.contains(rect.x, rect.y) and bounds.contains(rect.right - 1, rect.bottom - 1)):
            node.fail(f"{list(cell)} is outside the room's bounds {list(bounds)}; give one inside")
    return cell


def _rect(node: LevelNode, width: int, height: int) -> Rect:
    rect = Rect(*node.numbers(4, 0, FAR))
    if not rect.width or not rect.height or rect.right > width or rect.bottom > height:
        node.fail(f"{list(rect)} is empty or outside the level of {width} x {height} tiles; give one inside")
    return rect


def _ring(node: LevelNode, width: int, height: int) -> tuple[Point, ...]:
    ring = node.tiles(width + 1, height + 1)  # corners of tiles
    if len(ring) < 4:
        node.fail(f"has {len(ring)} corners; a ring of tile corners has at least 4")
    return ring


def _markers(root: LevelNode, width: int, height: int) -> tuple[Marker, ...]:
    rooms, hallways = (len(root[key].items()) - 1 for key in ("rooms", "hallways"))
    markers = []
    least = 0
    for item in root["markers"].items():
        number = item["id"].number(0, FAR)
        if number < least:
            item["id"].fail(f"{number} comes after {least - 1}; ids of markers must be in ascending order")
        least = number + 1
        x, y = item["x"].number(-FAR, FAR), item["y"].number(-FAR, FAR)
        item.instead([x, y]).point(width, height)
        properties = _properties(item["properties"])
        room, hallway = item["room"].maybe(0, rooms), item["hallway"].maybe(0, hallways)
        markers.append(Marker(number, item["kind"].kind(), x, y, room, hallway, properties))
    return tuple(markers)


def _looks(node: LevelNode, width: int, height: int) -> tuple[PaintedLook, ...]:
    looks = []
    known = set()
    for item in node.items():
        theme, layer = item["theme"].line(least=1), item["layer"].one_of(LOOK_LAYERS)
        x, y = item["x"].number(0, width - 1), item["y"].number(0, height - 1)
        look = PaintedLook(theme, layer, x, y, item["tile"].number(0, FAR))
        if look[:-1] in known:
            item.fail(f"is a second look of {layer} at {x},{y} in the theme {theme}; remove one")
        known.add(look[:-1])
        looks.append(look)
    return tuple(looks)


def _properties(node: LevelNode) -> dict[str, Property]:
    return {key: _property(item) for key, item in node.pairs()}


def _property(node: LevelNode) -> Property:
    if isinstance(node.value, str):
        return node.text()
    if type(node.value) is float and node.value == node.value and abs(node.value) < 1e300:
        return node.value
    if type(node.value) is bool:
        return node.value
    return node.number(-(1 << 53), 1 << 53)


def _grid(node: LevelNode) -> GridFrame | None:
    if node.value is None:
        return None
    return GridFrame(node["origin"].pair(-FAR, FAR), node["cell_size"].pair(1, _MAX_SIDE))


# Reading the doors and hallways of a level.json: what they join, and what a door needs.

_SIDES = [side.label for side in Side]
MAX_KEYS = 12  # kinds of keys for one door


def own_id(item: LevelNode, number: int) -> int:
    """Read the id of the item, which must be its index."""
    if item["id"].number(0, MAX_ITEMS) != number:
        item["id"].fail(f"{item['id'].value} is at position {number}; ids count up from 0")
    return number


def doors_of(root: LevelNode, width: int, height: int) -> tuple[Door, ...]:
    """Read the doors of a level of this size."""
    rooms = len(root["rooms"].items()) - 1
    doors = []
    for number, item in enumerate(root["doors"].items()):
        pair = item["rooms"].items()
        if len(pair) != 2:
            item["rooms"].fail("is not a pair")
        a, b = pair[0].number(0, rooms), pair[1].maybe(0, rooms)
        tiles = item["tiles"].tiles(width, height)
        if not tiles:
            item["tiles"].fail("is empty; a door needs tiles")
        side, kind = item["side"].one_of(_SIDES), item["kind"].kind()
        doors.append(Door(own_id(item, number), (a, b), tiles, side, kind, *_gate(item, (a, b))))
    return tuple(doors)


def hallways_of(root: LevelNode, width: int, height: int) -> tuple[Hallway, ...]:
    """Read the hallways of a level of this size."""
    doors = len(root["doors"].items()) - 1
    return tuple(
        Hallway(own_id(item, number), item["doors"].pair(0, doors), item["tiles"].tiles(width, height))
        for number, item in enumerate(root["hallways"].items())
    )


def _gate(item: LevelNode, rooms: tuple[int, int | None]) -> tuple[tuple[str, ...], bool, int | None, str]:
    """Read the keys that a door needs, whether it is one-way, the room that it opens from, and its class."""
    keys = item.at("needs", [])
    needs = tuple(key.kind() for key in keys.items(MAX_KEYS * MAX_PRICE))
    if len(set(needs)) > MAX_KEYS:
        keys.fail(f"names {len(set(needs))} keys; at most {MAX_KEYS} are allowed")
    for name, count in Counter(needs).items():
        if count > MAX_PRICE:
            keys.fail(f"names {name} {count} times; at most {MAX_PRICE} are allowed")
    one_way = item.at("one_way", False).truth()
    joins = item["joins"].joins() if item.has("joins") else ""
    if "opens_from" not in item.value:
        return needs, one_way, None, joins
    node = item["opens_from"]
    if node.value not in rooms or type(node.value) is not int:
        node.fail(f"{shown(node.value)} is not a room of this door, {list(rooms)}")
    return needs, one_way, node.value, joins
