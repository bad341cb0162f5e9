"""What Godot scenes show of a level: `NAME.tscn` with the scenes of its rooms, and `NAME_edit.tscn`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY
from exporters.formats.godot.read_cells import SceneCells, cells_of
from exporters.formats.godot.read_nodes import SceneTree, TreeNode
from exporters.formats.godot.setting import CONTAINERS
from exporters.formats.godot.syntax.sections import Built
from exporters.formats.godot.write_lights import AMBIENT, LIGHT
from exporters.merge.outcome import LOST
from exporters.reading.files import ExportFiles
from exporters.reading.seen import FOREIGN, LAYERS, TURNED, SeenPart, SeenThing, ShownCells, ShownLevel
from exporters.theme import Theme
from generator.errors import LayoutError
from generator.geometry import Point, Rect
from generator.level import Level, Property
from generator.named_tuple import NamedTuple
from generator.node import LayoutNode

_TILE_NODES = ("TileMapLayer", "TileMap")
_OURS = (*CONTAINERS, "Player", "Shape", "Outline", "Navigation", AMBIENT)
_HOLDERS = ("Markers", "Doors", "Things")
_SUFFIXES = ("", "Low", "Middle", "High")  # of the additional layers for Godot 3
_MARKERS_OWN = ("id", "properties")
_ROOMS_OWN = ("id", "bounds", "cells", "color", "icon", "icon_tile")
_DOORS_OWN = ("id", "side", "rooms", "hallway", "cells", "open_tiles", "shut_tiles", "leads_to")


def read_scene(path: str, files: ExportFiles, theme: Theme, level: Level) -> ShownLevel:
    """Read all that a scene and its rooms' scenes show. Raises BadInput for a file that is not a scene."""
    tree = SceneTree(path, files)
    tree.drop(LOST)
    root = tree.nodes["."].metadata()
    facts = root.get("facts")
    seen = ShownLevel(str(root.get("fingerprint", "")))
    seen.facts = _plain(facts if isinstance(facts, dict) else {})
    seen.notes = [f"{scene}: is missing; what it showed stays as it was" for scene in tree.missing]
    seen.is_incomplete = bool(tree.missing)
    _add_parts(seen, tree, files, theme, level)
    for node in tree.nodes.values():
        _add_node(seen, tree, node, theme.tile_size)
    return seen


def identity(path: str, files: ExportFiles) -> dict[str, str]:
    """Read style, seed, spec and fingerprint of the level from the root's metadata."""
    metadata = SceneTree(path, files, only_root=True).nodes["."].metadata()
    return {key: value for key, value in metadata.items() if isinstance(value, str)}


def options(path: str, files: ExportFiles) -> dict[str, object]:
    """Find whether each room is a scene, and for which Godot version the scenes were written."""
    nodes = SceneTree(path, files).nodes.values()
    layers = [node for node in nodes if node.type in _TILE_NODES]
    target = "4.3"
    if layers and not any(node.type == "TileMapLayer" for node in layers):
        target = "3.6" if any("tile_data" in node.properties for node in layers) else "4.2"
    split = any(node.parent == "Rooms" and node.instance for node in nodes)
    return {
        "godot.split": "rooms" if split else "none",
        "godot.target": target,
        "godot.lights": any(node.name == LIGHT and "/Markers/" in f"/{node.parent}" for node in nodes),
        "godot.darkness": AMBIENT in {node.path for node in nodes},
        "godot.player": "Player" in {node.path for node in nodes},
    }


# --- tiles -------------------------------------------------------------------------------------------


class _NodeLayer(NamedTuple):
    """The cells of a node, and the part and layer that they belong to."""

    part: str
    name: str
    cells: SceneCells


def _add_parts(seen: ShownLevel, tree: SceneTree, files: ExportFiles, theme: Theme, level: Level) -> None:
    layers = []
    for node in tree.nodes.values():
        if node.name in CONTAINERS and "position" in node.properties:
            seen.notes.append(f"node {node.path}: was moved; what is in it is read where it was")
        if node.type not in _TILE_NODES:
            continue
        name = next(
            (known for known in LAYERS for end in _SUFFIXES if node.name == known.capitalize() + end), ""
        )
        own = node.parent == "." or node.parent.startswith(("Rooms/", "Hallways/"))
        if not name or not own:
            seen.notes.append(f"layer {node.path}: is not one of the level's, so it stays only in this file")
            continue
        _check_theme(node, theme, files)
        if "position" in node.properties:
            seen.notes.append(f"layer {node.path}: was moved; its tiles are read where they were")
        layers.append(_NodeLayer(node.parent, name, cells_of(node, theme, files)))
    usual = _usual_source([layer.cells for layer in layers])
    for part in dict.fromkeys(layer.part for layer in layers):
        mine = [layer for layer in layers if layer.part == part]
        seen.parts[part] = _part(seen, part, mine, tree, usual, theme, level, files)
        if part == ".":
            missing = [name for name in LAYERS if name not in {layer.name for layer in mine}]
            seen.notes += [
                f"layer {name.capitalize()}: is gone; what it showed stays as it was" for name in missing
            ]


def _check_theme(node: TreeNode, theme: Theme, files: ExportFiles) -> None:
    value = node.properties.get("tile_set")
    path = value.text if isinstance(value, Built) and value.name == "ExtResource" else ""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    if path and not path.startswith("res://") and stem != theme.name:
        problem = f"its TileSet is {stem}, not the theme's {theme.name}"
        raise LayoutError(
            f"{files.where(node.path)}: {problem}; give the theme that it was exported with by --theme"
        )


def _usual_source(layers: Sequence[SceneCells]) -> int:
    """Find the TileSet's source with the theme's tiles: the one that most cells use."""
    all_sources = np.concatenate([cells.sources for cells in layers] or [np.zeros(0, np.int64)])
    if not len(all_sources):
        return 0
    sources, counts = np.unique(all_sources, return_counts=True)
    return int(sources[counts.argmax()])


def _part(
    seen: ShownLevel,
    part: str,
    layers: Sequence[_NodeLayer],
    tree: SceneTree,
    usual: int,
    theme: Theme,
    level: Level,
    files: ExportFiles,
) -> SeenPart:
    """Read the cells of a part that lie inside the level, as arrays of one size."""
    left, top = (round(values / theme.tile_size) for values in tree.place(part))
    inside: list[tuple[str, npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]] = []
    beyond = 0
    for layer in layers:
        cells = layer.cells
        xs, ys = cells.xs + left, cells.ys + top
        ok = (xs >= -1) & (ys >= -1) & (xs <= level.width) & (ys <= level.height)
        beyond += int((~ok).sum())
        indexes = np.where(cells.sources == usual, cells.indexes, FOREIGN)
        indexes = np.where(cells.turned & (indexes >= 0), indexes + TURNED, indexes)
        inside.append((layer.name, xs[ok], ys[ok], indexes[ok]))
    if beyond:
        seen.notes.append(f"{part}: {beyond} tiles left out: outside the level, which keeps its size")
    every_x, every_y = (np.concatenate([values[axis] for values in inside]) for axis in (1, 2))
    x, y = (int(values.min(initial=1 << 20)) if len(values) else 0 for values in (every_x, every_y))
    width, height = (int(values.max(initial=0)) + 1 - first for values, first in ((every_x, x), (every_y, y)))
    size = max(width, 1), max(height, 1)
    files.spend(size[0] * size[1] * len(LAYERS), LayoutNode(None, files.where(part)))
    arrays: dict[str, ShownCells] = {}
    for name, xs, ys, indexes in inside:
        array = arrays.setdefault(name, np.full(size[::-1], EMPTY, np.int32))
        array[ys - y, xs - x] = indexes
    return SeenPart(x, y, arrays, "" if part == "." else part, (left, top))


# --- nodes -------------------------------------------------------------------------------------------


def _add_node(seen: ShownLevel, tree: SceneTree, node: TreeNode, size: int) -> None:
    holder = node.parent.rpartition("/")[2]
    if node.parent != "." and holder not in _HOLDERS and "room" not in node.groups:
        return
    known = node.metadata()
    metadata = _plain(known)
    part = next((name for name in seen.parts if node.path == name or node.path.startswith(f"{name}/")), ".")
    ours = known.get("id")
    number = ours if type(ours) is int else -1
    x, y = tree.place(node.path)
    if holder == "Markers":
        kind = str(known.get("kind", "")) or _group(node, "marker_")
        extra = known.get("properties")
        properties = {**metadata, **_plain(extra if isinstance(extra, dict) else {})}
        own = {key: value for key, value in properties.items() if key not in _MARKERS_OWN}
        tiles = Rect(int(x // size), int(y // size), 1, 1)
        seen.markers.append(SeenThing(node.path, number, kind, tiles, own, f"marker {node.path}", part))
    elif holder == "Doors" and known.keys() & {"cells", "kind"}:
        width, height = _size_of(known.get("cells"))
        tiles = Rect(round(x / size - width / 2), round(y / size - height / 2), width, height)
        own = {key: value for key, value in metadata.items() if key not in _DOORS_OWN}
        if isinstance(known.get("needs"), list):
            own["needs"] = ", ".join(map(str, known["needs"]))  # type: ignore[call-overload]
        seen.doors.append(SeenThing(node.path, number, "door", tiles, own, f"door {node.path}", part))
    elif holder == "Things" and "kind" in known:
        width, height = (int(side) for side in _numbers(known.get("size"), 2))
        tiles = Rect(round(x / size - width / 2), round(y / size - height / 2), width, height)
        seen.things.append(SeenThing(node.path, -1, str(known["kind"]), tiles, {}, node.path, part))
    elif "room" in node.groups and "bounds" in known and number < 0 and _is_split(seen, node):
        seen.notes.append(
            f"room {node.path}: left out: it has no scene of its own, as the other rooms have; "
            "to add a room, copy a room's scene and put the copy below Rooms"
        )
    elif "room" in node.groups and "bounds" in known:
        left, top, width, height = (int(side) for side in _numbers(known["bounds"], 4))
        own = {key: value for key, value in metadata.items() if key not in _ROOMS_OWN}
        if node.path in seen.parts:  # a scene of its own, which stands where its room is
            left, top = 0, 0
        tiles = Rect(round(x / size) + left, round(y / size) + top, width, height)
        seen.rooms.append(
            SeenThing(node.path, number, "room", tiles, own, f"room {node.path}", part, node.name)
        )
    elif node.parent == "." and node.type not in _TILE_NODES and not node.name.startswith(_OURS):
        seen.notes.append(f"node {node.path}: is not a node of the level, so no other file gets it")


def _is_split(seen: ShownLevel, node: TreeNode) -> bool:
    """Check whether rooms have scenes of their own, but this one has none."""
    return node.path not in seen.parts and any(name.startswith("Rooms/") for name in seen.parts)


def _group(node: TreeNode, prefix: str) -> str:
    return next((group.removeprefix(prefix) for group in node.groups if group.startswith(prefix)), "")


def _plain(table: Mapping[str, object]) -> dict[str, Property]:
    """Return the values of a table that a level can hold."""
    return {key: value for key, value in table.items() if isinstance(value, (bool, int, float, str))}


def _numbers(value: object, count: int) -> list[float]:
    """Return the `count` numbers of a Vector2i or Rect2i, or zeros for anything else."""
    try:
        numbers = value.numbers(count) if isinstance(value, Built) else []
    except ValueError:
        numbers = []
    good = len(numbers) == count and all(abs(number) < 1 << 20 for number in numbers)
    return numbers if good else [0.0] * count


def _size_of(cells: object) -> Point:
    """Return width and height of a list of cells in tiles, 0 by 0 if empty."""
    listed = cells.args[0] if isinstance(cells, Built) and cells.args else cells
    points = [_numbers(cell, 2) for cell in listed] if isinstance(listed, list) else []
    if not points:
        return 0, 0
    xs, ys = ([point[axis] for point in points] for axis in (0, 1))
    return int(max(xs) - min(xs)) + 1, int(max(ys) - min(ys)) + 1
