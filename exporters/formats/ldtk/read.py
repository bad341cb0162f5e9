"""What an LDtk project shows of a level: `NAME.ldtk`, with its levels inside or in separate files.

The painted values count, not the tiles drawn by the rules, because LDtk draws these again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain

import numpy as np
import numpy.typing as npt

from exporters.base import SeveralLevelsError
from exporters.dress import EMPTY
from exporters.formats.ldtk.areas import OUTSIDE, WHOLE
from exporters.formats.ldtk.definitions import DOOR, OTHERS, ROOM
from exporters.formats.ldtk.write_project import SYNC, compiled
from exporters.merge.outcome import LOST_IN_LDTK as LOST
from exporters.reading.files import ExportFiles, beside
from exporters.reading.seen import FOREIGN, TURNED, SeenPart, SeenThing, ShownCells, ShownLevel
from exporters.theme import Theme
from generator.errors import LayoutError, shown
from generator.geometry import Point, Rect
from generator.interiors.editor_room import class_of
from generator.level import Level, Property
from generator.named_tuple import NamedTuple
from generator.node import LayoutNode

_MAX_LEVELS = 1 << 13
_MAX_LISTED = 1 << 20
_MAX_SIDE = 1 << 15
_FAR = 1 << 24
_MAX_TEXT = 4096
_UID = (1 << 31) - 1
_LAYERS = {
    "Terrain": "terrain",
    "Terrain_fixed": "fixed",
    "Doors": "doors",
    "Decor": "decor",
    "Overlay": "overlay",
    "Stone_above": "above",
    "Stone_below": "below",
}
_MAX_COMMANDS = 1000
_LEVEL_OWN = ("style", "seed", "fingerprint")
_NUMBERS = {DOOR: "id", ROOM: "room"}  # the field with our number; markers have `id`


class _LdtkWords(NamedTuple):
    """The names in an export of the level: kinds by entity, and properties by kind and field."""

    kinds: Mapping[str, str]
    properties: Mapping[str, Mapping[str, str]]
    tileset: int


def read_project(path: str, files: ExportFiles, theme: Theme, level: Level) -> ShownLevel:
    """Read all levels of a project. Raises BadInput for a file that is not a project."""
    root = files.json(path)
    seen, words = ShownLevel(), _words(level, theme)
    origin = _origin(root, level, theme.tile_size)
    for node in _levels(root, path, files):
        _add_level(seen, node, origin, words, theme, files)
    return seen


def identity(path: str, files: ExportFiles) -> dict[str, str]:
    """Read style, seed and fingerprint of the level from the first LDtk level that has them.

    Raises SeveralLevelsError for the project of a run.
    """
    found: dict[str, str] = {}
    for node in _levels(files.json(path), path, files):
        values = {name: value for name, value in _fields(node) if isinstance(value, str)}
        if not values.get("fingerprint"):
            continue
        if found.get("fingerprint", values["fingerprint"]) != values["fingerprint"]:
            raise SeveralLevelsError(
                f"{files.where(path)}: shows several levels of a run, so changes stay only in this file; "
                "make the change in the project of its level"
            )
        found = found or values
    return found


def options(path: str, files: ExportFiles) -> dict[str, object]:
    """Find whether each room is a level, whether levels are separate files, and when edits come home."""
    root = files.json(path)
    inside = [node for node in _listed_levels(root) if node.word("identifier") not in (OUTSIDE, WHOLE)]
    syncs = [
        row for row in root.list("customCommands", _MAX_COMMANDS) if row.word("command").startswith(SYNC)
    ]
    return {
        "ldtk.levels": "rooms" if inside else "one",
        "ldtk.external": bool(root["externalLevels"].value),
        "ldtk.compact": bool(root["minifyJson"].value),
        "ldtk.sync_on_save": any(row.word("when") == "AfterSave" for row in syncs),
    }


def _origin(root: LayoutNode, level: Level, size: int) -> Point:
    """Return the tile at the world's origin. A world on a grid keeps its pitch if a person makes it free."""
    if level.grid is None:
        return (0, 0)
    world = next(iter(root.list("worlds", _MAX_LEVELS)), root)
    pitch = tuple(world.whole(f"worldGrid{side}", 0, _FAR, 0) // size for side in ("Width", "Height"))
    return level.grid.origin if pitch == level.grid.cell_size else (0, 0)


def _words(level: Level, theme: Theme) -> _LdtkWords:
    known = compiled(level, theme, 3, None).definitions
    names = {entity.name: kind for kind, entity in known.entities.items()}
    fields = {
        kind: {field.name: name for name, field in table.items() if field.name != OTHERS or name == OTHERS}
        for kind, table in known.properties.items()
    }
    return _LdtkWords(names, fields, known.tileset)


def _listed_levels(root: LayoutNode) -> list[LayoutNode]:
    levels = root.list("levels", _MAX_LEVELS)
    for world in root.list("worlds", _MAX_LEVELS):
        levels += world.list("levels", _MAX_LEVELS)
    return [node for node in levels if not node.word("identifier").startswith(f"{LOST}_")]


def _levels(root: LayoutNode, path: str, files: ExportFiles) -> Iterator[LayoutNode]:
    """Yield every level with its layers, which may be in a separate file."""
    for node in _listed_levels(root):
        outer = node.word("externalRelPath")
        whole = files.json(beside(path, outer)) if node.get("layerInstances") is None and outer else node
        if whole.get("layerInstances") is None:
            called = shown(whole.word("identifier"))
            whole.fail(f"level {called}: layerInstances: are missing; put the file back as LDtk saved it")
        yield whole


def _add_level(
    seen: ShownLevel, node: LayoutNode, origin: Point, words: _LdtkWords, theme: Theme, files: ExportFiles
) -> None:
    size, called, iid = theme.tile_size, node["identifier"].line(), node["iid"].text()
    values = dict(_fields(node))
    seen.fingerprint = seen.fingerprint or str(values.get("fingerprint", ""))
    at = tuple(
        origin[axis] + node[key].number(-_FAR, _FAR) // size for axis, key in enumerate(("worldX", "worldY"))
    )
    layers: dict[str, ShownCells] = {}
    for layer in node.list("layerInstances", 256):
        name, type_ = layer["__identifier"].line(), layer["__type"].text()
        if name.startswith(LOST):
            continue
        if layer["__gridSize"].number(1, 4096) != size:
            if name in _LAYERS:
                problem = (
                    f"its tiles have {layer['__gridSize'].value} px, but those of the theme {theme.name} "
                    f"have {size}"
                )
                raise LayoutError(
                    f"{layer.place}: {problem}; give the theme that it was exported with by --theme"
                )
            seen.notes.append(f"{called}: layer {name}: is not a layer of Undercroft, so it is left out")
        elif type_ == "Entities":
            for entity in layer.list("entityInstances", _MAX_LISTED):
                _add_entity(seen, entity, (at[0], at[1]), iid, called, words, size, files)
        elif name in _LAYERS:
            width, height = (layer[key].number(1, _MAX_SIDE) for key in ("__cWid", "__cHei"))
            files.spend(width * height, layer)
            key = "cells", layer.word("iid"), type_
            layers[_LAYERS[name]] = files.thing(
                key, layer, partial(_cells, layer, type_, (height, width), theme, words)
            )
        elif layer.list("gridTiles", _MAX_LISTED) or any(layer["intGridCsv"].value or ()):
            seen.notes.append(
                f"{called}: layer {name}: is not one of the level's, so it stays only in this file"
            )
    width, height = (node[key].number(1, _FAR) // size for key in ("pxWid", "pxHei"))
    seen.parts[iid] = SeenPart(at[0], at[1], layers, called, (at[0], at[1]), (width, height))
    number = values.get("room", -1)
    if isinstance(number, int) and called not in (OUTSIDE, WHOLE):
        own = {name: value for name, value in values.items() if name not in ("room", *_LEVEL_OWN)}
        seen.rooms.append(
            SeenThing(
                iid, number, "room", Rect(at[0], at[1], width, height), own, f"level {called}", iid, called
            )
        )


def _cells(
    layer: LayoutNode, type_: str, shape: tuple[int, int], theme: Theme, words: _LdtkWords
) -> ShownCells:
    """Read a layer's values or tiles. Where several tiles lie on one another, the topmost counts."""
    height, width = shape
    if type_ == "IntGrid":
        values = _whole_numbers(layer["intGridCsv"], width * height, _UID)
        return values.astype(np.int32).reshape(height, width)
    cells = np.full((height, width), EMPTY, np.int32)
    ours = layer.whole("__tilesetDefUid", 0, _UID, 0) == words.tileset
    pitch = theme.tile_size + theme.spacing
    left, top, column, row, turns = _placed(layer).T
    x, y = left // theme.tile_size, top // theme.tile_size
    column, row = (column - theme.margin) // pitch, (row - theme.margin) // pitch
    inside = ours & (column >= 0) & (column < theme.columns) & (row >= 0) & (row < theme.rows)
    indexes = np.where(inside, row * theme.columns + column + np.where(turns, TURNED, 0), FOREIGN)
    seen = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    cells[y[seen], x[seen]] = indexes[seen]
    return cells


def _placed(layer: LayoutNode) -> npt.NDArray[np.int64]:
    """Return [tile, 5]: the place of each tile of a layer, its place in the sheet, and how it is turned."""
    tiles = layer.value.get("gridTiles")
    try:
        rows = [
            (*place, *source, tile.get("f", 0))
            for tile in tiles
            for place, source in [(tile["px"], tile["src"])]
            if len(place) == 2 == len(source)
        ]
        is_good = len(rows) == len(tiles) <= _MAX_LISTED and {*map(type, chain.from_iterable(rows))} <= {int}
        array = np.array(rows if is_good else (), np.int64).reshape(-1, 5)
        is_good &= bool((np.abs(array[:, :4]) <= _FAR).all() and (array[:, 4] & ~3 == 0).all())
    except (TypeError, KeyError, AttributeError, OverflowError):
        is_good = False
    if is_good:
        return array
    listed = layer.list("gridTiles", _MAX_LISTED)  # names the wrong one
    rows = [
        (*tile["px"].pair(-_FAR, _FAR), *tile["src"].pair(-_FAR, _FAR), tile.whole("f", 0, 3, 0))
        for tile in listed
    ]
    return np.array(rows, np.int64).reshape(-1, 5)


def _add_entity(
    seen: ShownLevel,
    node: LayoutNode,
    at: Point,
    part: str,
    called: str,
    words: _LdtkWords,
    size: int,
    files: ExportFiles,
) -> None:
    place = part, called, at, node.text_at("iid")
    item = files.thing(place, node, lambda: _entity(node, at, part, called, words, size))
    {DOOR: seen.doors, ROOM: seen.rooms}.get(item.kind, seen.markers).append(item)


def _entity(node: LayoutNode, at: Point, part: str, called: str, words: _LdtkWords, size: int) -> SeenThing:
    identifier = node.line_at("__identifier")
    kind = words.kinds.get(identifier, class_of(identifier))
    values = dict(_fields(node))
    number = values.pop(_NUMBERS.get(kind, "id"), -1)
    width, height = (node.whole(key, 0, _FAR, size) for key in ("width", "height"))
    pivot = [_real(coordinate) for coordinate in node.list("__pivot", 2)] or [0.0, 0.0]
    px = node["px"].pair(-_FAR, _FAR)
    left, top = (
        int((position - share * side + min(side, size) / 2) // size)
        for position, share, side in zip(px, pivot, (width, height), strict=True)
    )
    tiles = Rect(at[0] + left, at[1] + top, max(1, round(width / size)), max(1, round(height / size)))
    fields = words.properties.get(kind, {})
    own = {fields.get(name, name): value for name, value in values.items()}
    name = f"{called}: entity {identifier} at {left},{top}"
    ours = number if type(number) is int else -1
    return SeenThing(node.text_at("iid"), ours, kind, tiles, own, name, part)


def _real(node: LayoutNode) -> float:
    value = node.value
    is_usual = type(value) in (int, float) and abs(value) < 1 << 20
    return float(value) if is_usual else LayoutNode({"v": value}, node.place).real("v")


def _fields(node: LayoutNode) -> Iterator[tuple[str, Property]]:
    """Yield the fields with values that a level can hold. A list of texts becomes one text."""
    for field in node.list("fieldInstances", 1024):
        name, type_, value = field.line_at("__identifier"), field.text_at("__type"), field["__value"].value
        if type_ == "Float" and type(value) is int:
            value = float(value)
        if isinstance(value, list) and all(isinstance(text, str) for text in value):
            value = ", ".join(value) or None
        if isinstance(value, (bool, int, float, str)):
            if isinstance(value, str) and len(value) > _MAX_TEXT:
                field["__value"].fail(f"{shown(value)} is longer than {_MAX_TEXT} characters")
            yield name, value


def _whole_numbers(data: LayoutNode, count: int, most: int) -> npt.NDArray[np.int64]:
    """A list of `count` whole numbers from 0 to `most`."""
    values = data.value
    if not isinstance(values, list):
        data.fail(f"{shown(values)} is not a list; save the file again")
    if len(values) != count:
        data.fail(f"has {len(values)} entries, not {count}; save the file again")
    try:
        array = np.array(values if {*map(type, values)} <= {int} else [-1], np.int64)
        is_good = bool((array >= 0).all() and (array <= most).all())
    except OverflowError:
        is_good = False
    return array if is_good else np.array(data.numbers(count, 0, most), np.int64)  # names the wrong one
