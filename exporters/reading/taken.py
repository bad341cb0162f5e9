"""Remove edits from a person's files that were brought back, because the new files have them already.

Otherwise markers added in a `NAME_edit.tscn` would exist twice, and tiles painted there would hide later
changes in `NAME.tscn`; and the merge of any other file would call these edits conflicts. Everything else in
the files stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from exporters.digest import KEY as DIGEST
from exporters.dress import dressed
from exporters.formats.godot.read import read_scene
from exporters.formats.godot.syntax.sections import TextSection, plain, written
from exporters.merge.godot_tree import parsed, parts_of, rename, tree_of
from exporters.merge.outcome import CannotMerge
from exporters.merge.painted import Painted, without_painted
from exporters.reading.changes import PersonsEdits, changes
from exporters.reading.exports import Export
from exporters.reading.files import ExportFiles
from exporters.reading.seen import ShownLevel
from generator.level import Level

_HOLDERS = ("Markers", "Doors", "Things", "Rooms")
_IDENTIFIED = ("objects", "id"), ("entityInstances", "iid"), ("levels", "iid")
_NESTED = ("layers", "worlds", "levels", "layerInstances")
_TILES = ("tile_map_data", "layer_0/tile_data", "tile_data")
_FACTS = "metadata/facts"
_PLAIN = re.compile(r"true|false|[-+.\d][-+.\de]*|&?\"(?s:.*)\"")  # metadata that levels have
_MERGED = (".tmj", ".ldtk", ".ldtkl", ".tscn")
_READ = (  # what a level has of an object, entity or LDtk level
    "x", "y", "type", "px", "__grid", "__worldX", "__worldY", "width", "height", "polygon",
    "worldX", "worldY", "pxWid", "pxHei",
)  # fmt: skip


def taken_out(export: Export, level: Level, edits: PersonsEdits, paths: Mapping[str, str]) -> bytes | None:
    """Take the edits `edits` out of an export's scene, since the edited `level` now has them.

    `paths` has the new paths of nodes that are elsewhere now; what a person put on them goes along.
    None if they cannot be separated; then the scene stays as it is.
    """
    theme, path, main = export.theme_for(level), export.path, export.main
    files = export.of(level)
    look, data = dressed(level, theme)[0], path.read_bytes()

    def shown(scene: str, data: bytes) -> ShownLevel:
        return read_scene(scene, ExportFiles(path.parent, {**files, scene: data}), look, level)

    before = shown(main, files[main])
    less = with_paths(_scene_without(data, edits.added, with_changes=False), paths)
    left = changes(before, shown(path.name, less), level, look)
    return less if not left.edits and set(left.notes) <= set(edits.notes) else None


def without_taken(file: Path, change: PersonsEdits, base: bytes | None, new: bytes | None) -> bytes | None:
    """Return a file to merge with its `new` export, without the edits that this one already has.

    `base` is the file as it was exported. None if there is nothing to take out.
    """
    if file.suffix not in (*_MERGED, ".world") or new is None:
        return None
    data = file.read_bytes()
    if file.suffix == ".world":
        return _with_maps(base, data, change) if base else None
    less = _without_added(file, data, change.added)
    if file.suffix == ".tscn" and change.renamed:
        less = with_paths(less, change.renamed)  # the merge finds nodes by their paths
    if base is not None:
        less = _with_gone(base, file, less, [key for key in change.gone if _is_in(file, key)])
        less = _with_markers_of(base, file, less, [key for key in change.changed if _is_in(file, key)])
        if less is not base:
            less = without_painted(
                file.suffix, less, base, new, Painted(change.painted, change.corners, change.looks)
            )
    return None if less == data else less


def _without_added(path: Path, data: bytes, added: Collection[str]) -> bytes:
    """Remove markers that a person added from a Tiled, LDtk or Godot file. Unchanged if there are none."""
    if not added:
        return data
    if path.suffix == ".tscn":
        return _scene_without(data, added, with_changes=True)
    ends = {key.rpartition("#")[2] for key in added if _is_in(path, key)}
    table = json.loads(data)
    for holder in _holders(table):
        for listed, by in _IDENTIFIED:
            if isinstance(holder.get(listed), list):
                holder[listed] = [
                    entry
                    for entry in holder[listed]
                    if not (str(entry.get(by)) in ends or entry.get(by) in added)
                ]
    return json.dumps(table).encode()


def _is_in(path: Path, key: str) -> bool:
    """Check whether an object is in a file, by its key: each map of a room numbers its own objects."""
    part, sign, _ = key.rpartition("#")
    return not sign or part in ("", path.name, f"{path.parent.name}/{path.name}")


def _with_markers_of(base: bytes, path: Path, data: bytes, changed: Collection[str]) -> bytes:
    """Undo the changes of markers that a level has, so that the merge takes the new version of these.

    It matches markers by kind and place, and would take a changed one for another, or for one that is gone.
    Returns `base` itself if nothing else was changed.
    """
    if not changed:
        return data
    if path.suffix == ".tscn":
        return _nodes_with_markers_of(base, data, changed)
    ends = {key.rpartition("#")[2] for key in changed}
    table, of_base = json.loads(data), json.loads(base)
    before = {number: entry for number, entry in _identified(of_base) if number in ends}
    _without_strays(of_base, table, ends)
    _put_back(of_base, table, before)
    for number, entry in _identified(table):
        if number in before:
            old = before[number]
            entry |= {key: old[key] for key in _READ if key in old}
            _as_large_as(old, entry)
            for listed, name in (("properties", "name"), ("fieldInstances", "__identifier")):
                if isinstance(entry.get(listed), list) and isinstance(old.get(listed), list):
                    known = {item.get(name) for item in old[listed]}
                    own = [item for item in entry[listed] if item.get(name) not in known]
                    entry[listed] = [*old[listed], *(item for item in own if not _is_plain(item))]
    for side in (table, of_base):
        side.pop(DIGEST, None)  # editors drop it when they save
    return base if table == of_base else json.dumps(table).encode()


def _as_large_as(base: Mapping[str, Any], level: dict[str, Any]) -> None:
    """Give the layers of a resized LDtk level the size that they had, with what is painted there."""
    sizes = {layer["iid"]: (layer["__cWid"], layer["__cHei"]) for layer in base.get("layerInstances") or ()}
    for layer in level.get("layerInstances") or ():
        width, height = sizes.get(layer.get("iid"), (layer["__cWid"], layer["__cHei"]))
        old, size = layer["__cWid"], layer["__gridSize"]
        if (width, height) != (old, layer["__cHei"]):
            for listed in ("gridTiles", "autoLayerTiles"):
                layer[listed] = [
                    tile
                    for tile in layer[listed]
                    if tile["px"][0] < width * size and tile["px"][1] < height * size
                ]
            rows = [layer["intGridCsv"][at : at + old] for at in range(0, len(layer["intGridCsv"]), old)]
            rows = [(row + [0] * width)[:width] for row in rows[:height]]
            rows += [[0] * width] * (height - len(rows)) if rows else []
            layer["intGridCsv"] = [value for row in rows for value in row]
            layer |= {"__cWid": width, "__cHei": height}


def _without_strays(base: Mapping[str, Any], mine: dict[str, Any], numbers: Collection[str]) -> None:
    """Remove markers that were moved here from another level or map."""
    for listed, by in _IDENTIFIED:
        now = mine.get(listed)
        if isinstance(now, list):
            known = {str(entry.get(by)) for entry in base.get(listed) or ()}
            mine[listed] = [
                entry for entry in now if str(entry.get(by)) not in numbers or str(entry.get(by)) in known
            ]
    for listed in _NESTED:
        inner = {entry.get("iid", entry.get("id")): entry for entry in base.get(listed) or ()}
        for entry in now if isinstance(now := mine.get(listed), list) else ():
            _without_strays(inner.get(entry.get("iid", entry.get("id")), {}), entry, numbers)


def _with_gone(base: bytes, path: Path, data: bytes, gone: Collection[str]) -> bytes:
    """Put back the rooms and doors that a person removed: whether a level has them is decided already."""
    if not gone:
        return data
    if path.suffix == ".tscn":
        return _nodes_with_gone(base, data, gone)
    mine = json.loads(data)
    _put_back(json.loads(base), mine, {key.rpartition("#")[2] for key in gone})
    return json.dumps(mine).encode()


def _with_maps(base: bytes, data: bytes, change: PersonsEdits) -> bytes | None:
    """Put the maps of rooms that a person removed or moved back into a world, and take out those of new ones.

    None if there are none.
    """
    mine = json.loads(data)
    gone, moved, added = (
        {key.partition("#")[0] for key in keys} for keys in (change.gone, change.changed, change.added)
    )
    old = {entry["fileName"]: entry for entry in json.loads(base)["maps"]}
    kept = [
        old.get(name, entry) if _part_of(name := entry["fileName"]) in moved else entry
        for entry in mine["maps"]
        if entry["fileName"] in old or _part_of(entry["fileName"]) not in added
    ]
    known = {entry["fileName"] for entry in kept}
    kept += [entry for name, entry in old.items() if name not in known and _part_of(name) in gone]
    if kept == mine["maps"]:
        return None
    return json.dumps({**mine, "maps": kept}).encode()


def _part_of(name: str) -> str:
    """Return the part that a map is, by its name in a world."""
    return name.rpartition("/")[2]


def _put_back(base: Mapping[str, Any], mine: dict[str, Any], gone: Collection[str]) -> None:
    for listed, by in _IDENTIFIED:
        now = mine.get(listed)
        if isinstance(now, list):
            known = {entry.get(by) for entry in now}
            old = (entry for entry in base.get(listed) or () if str(entry.get(by)) in gone)
            missing = [entry for entry in old if entry.get(by) not in known]
            if missing:
                order = {entry.get(by): number for number, entry in enumerate(base[listed])}
                now += missing
                now.sort(key=lambda entry: order.get(entry.get(by), len(order)))
    for listed in _NESTED:
        inner = {entry.get("iid", entry.get("id")): entry for entry in base.get(listed) or ()}
        for entry in now if isinstance(now := mine.get(listed), list) else ():
            number = entry.get("iid", entry.get("id"))
            if number in inner:
                _put_back(inner[number], entry, gone)


def _nodes_with_gone(base: bytes, data: bytes, gone: Collection[str]) -> bytes:
    try:
        old, mine = parsed(base), parsed(data)
    except CannotMerge:
        return data
    known = {_path_of(part) for part in mine if part.kind == "node"}
    missing = [
        part
        for part in old
        if part.kind == "node"
        and (path := _path_of(part)) not in known
        and any(f"{path}/".startswith(f"{key}/") for key in gone)
    ]
    held = {(part.kind, part.attributes.get("id")) for part in mine}
    resources = [  # Godot leaves out those that no node has any more
        part
        for part in old
        if part.kind in ("ext_resource", "sub_resource")
        and (part.kind, part.attributes.get("id")) not in held
    ]
    nodes = [number for number, part in enumerate(mine) if part.kind == "node"]
    first, last = min(nodes), max(nodes) + 1
    return written([*mine[:first], *resources, *mine[first:last], *missing, *mine[last:]])


def _path_of(part: TextSection) -> str:
    parent, own = (plain(part.attributes.get(key)) for key in ("parent", "name"))
    return own if parent == "." else f"{parent}/{own}"


def _is_plain(item: Mapping[str, Any]) -> bool:
    """Check whether a person's own property is one that levels have."""
    return item.get("type") not in ("object", "file", "class") and isinstance(
        item.get("value"), (bool, int, float, str)
    )


def _identified(table: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of maps and the entities of projects, each with its id."""
    for holder in _holders(table):
        for listed, by in _IDENTIFIED:
            if isinstance(holder.get(listed), list):
                yield from ((str(entry.get(by)), entry) for entry in holder[listed])


def _nodes_with_markers_of(base: bytes, data: bytes, changed: Collection[str]) -> bytes:
    try:
        old, mine = parsed(base), parsed(data)
    except CannotMerge:
        return data
    ends = {tuple(key.split("/")[-2:]) for key in changed}  # in a room's own scene, paths begin at the room
    before = {_holder_and_name(part): part.properties for part in old}
    for part in mine:
        key = _holder_and_name(part)
        if key in ends and key in before:
            known = {name: text for name, text in before[key].items() if _is_read(name)}
            own = {
                name: text
                for name, text in part.properties.items()
                if not (_is_read(name) and (name in known or name == "position" or _PLAIN.fullmatch(text)))
            }
            part.properties = known | own
    return base if mine == old else written(mine)


def with_paths(data: bytes, paths: Mapping[str, str]) -> bytes:
    """Give nodes of a scene and their descendants new paths. Unchanged if it has none of them."""
    try:
        tree = tree_of(data)
    except CannotMerge:
        return data
    before = [node["path"] for node in tree["nodes"]]
    rename(tree, paths)
    return data if before == [node["path"] for node in tree["nodes"]] else written(parts_of(tree))


def _is_read(name: str) -> bool:
    return name == "position" or name.startswith(("metadata/", "__meta__"))


def _holder_and_name(part: TextSection) -> tuple[str, str]:
    parent, own = (plain(part.attributes.get(key)) for key in ("parent", "name"))
    return parent.rpartition("/")[2], own


def _holders(table: object) -> Iterator[dict[str, Any]]:
    """Yield the layers of a map or project, and what they are in."""
    if isinstance(table, dict):
        yield table
        for key in _NESTED:
            for item in listed if isinstance(listed := table.get(key), list) else ():
                yield from _holders(item)


def _scene_without(data: bytes, added: Collection[str], *, with_changes: bool) -> bytes:
    """Remove added nodes from a scene and, unless `with_changes`, changes that the level now has."""
    try:
        parts = parsed(data)
    except CannotMerge:
        return data
    root = next((plain(part.attributes.get("name")) for part in parts if part.kind == "node"), "")
    in_room = {key.split("/", 2)[2] for key in added if key.count("/") > 1 and key.split("/")[1] == root}
    parents = {plain(part.attributes.get("parent")) for part in parts}
    gone = {*added, *in_room} - parents  # nodes with a person's children stay
    return written([part for part in parts if not _is_taken(part, gone, with_changes)])


def _is_taken(part: TextSection, gone: set[str], with_changes: bool) -> bool:
    """Remove the taken properties of a part. Return whether nothing is left of it."""
    parent, own = (plain(part.attributes.get(key)) for key in ("parent", "name"))
    if part.kind != "node":
        return False
    if part.attributes.keys() & {"type", "instance"} and parent:
        return f"{parent}/{own}" in gone
    if with_changes:
        return False
    holder = parent.rpartition("/")[2]
    for key in list(part.properties):
        if key in _TILES or (key == _FACTS and not parent) or (_is_read(key) and holder in _HOLDERS):
            del part.properties[key]
    return bool(parent) and not part.properties and "groups" not in part.attributes
