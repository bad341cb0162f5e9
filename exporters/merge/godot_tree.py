"""Godot scenes as values that can be merged, and their translation to the names of a new level's scene.

    {"heading": {...}, "ext": [...], "sub": [...], "nodes": [{"path": "Markers/Lamp", "class": {...},
     "groups": [...], "properties": {...}}, ...], "others": [...]}

A node is identified by its path, a file by its own path, and a resource inside the scene by its first user.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from exporters.formats.godot.syntax.sections import (
    STRING,
    GodotTextError,
    TextSection,
    numbers,
    plain,
    quoted,
    references,
    referring,
    sections,
)
from exporters.merge.matching import Moves, RoomFact, ThingFact, moves_of, things_of
from exporters.merge.outcome import CannotMerge
from generator.geometry import Point, Rect
from generator.pattern import pattern

Tree = dict[str, Any]
_MAX_BYTES = 1 << 28
_GROUP = pattern(STRING, re.DOTALL)
_PLACES = {"Doors": "door", "Hallways": "hallway", "Markers": "marker", "Things": "thing"}


def parsed(data: bytes, known: dict[Hashable, tuple[Any, Any]] | None = None) -> list[TextSection]:
    """Parse a file into sections, which it shares with other files that had the `known` ones.

    Raises CannotMerge if it is not a Godot text file.
    """
    if len(data) > _MAX_BYTES:
        raise CannotMerge(f"has more than {_MAX_BYTES >> 20} MB")
    try:
        parts = list(sections(data.decode("utf-8-sig"), known))
    except UnicodeDecodeError:
        raise CannotMerge("is not text") from None
    except GodotTextError as error:
        raise CannotMerge(f"is damaged in line {error.line}") from None
    if not parts or parts[0].kind not in ("gd_scene", "gd_resource"):
        raise CannotMerge("is not a scene or resource of Godot as text")
    return parts


def tree_of(data: bytes, known: dict[Hashable, tuple[Any, Any]] | None = None) -> Tree:
    """Parse the values of a file. Raises CannotMerge if it is damaged. `known` is for `sections`."""
    return tree_from(parsed(data, known))


def tree_from(parts: Iterable[TextSection]) -> Tree:
    """Return the values of a file's sections, which stay as they are."""
    tree: Tree = {"heading": {}, "ext": [], "sub": [], "nodes": [], "others": []}
    for number, part in enumerate(parts):
        if number == 0:
            attributes = {key: value for key, value in part.attributes.items() if key != "load_steps"}
            tree["heading"] = {"kind": part.kind, **attributes}
        elif part.kind in ("ext_resource", "sub_resource"):
            tree[part.kind[:3]].append(_resource(part))
        elif part.kind in ("node", "resource"):
            tree["nodes"].append(_node(part))
        else:
            tree["others"].append({"kind": part.kind, **part.attributes})
    return tree


def _resource(part: TextSection) -> Tree:
    attributes = dict(part.attributes)
    return {"id": plain(attributes.pop("id", "")), "class": attributes, "properties": {**part.properties}}


def _node(part: TextSection) -> Tree:
    attributes = dict(part.attributes)
    groups = _GROUP.findall(attributes.pop("groups", ""))
    if part.kind == "resource":
        return {"path": "", "class": {}, "groups": [], "properties": {**part.properties}}
    name, parent = plain(attributes.pop("name", "")), attributes.pop("parent", None)
    path = "." if parent is None else joined(plain(parent), name)
    kept = {"rootname": quoted(name)} if parent is None else {}
    properties = {**part.properties}
    return {"path": path, "class": {**kept, **attributes}, "groups": groups, "properties": properties}


def parts_of(tree: Tree) -> list[TextSection]:
    """Convert a tree to sections."""
    heading = dict(tree["heading"])
    parts = [TextSection(heading.pop("kind"), heading)]
    bare = tree["heading"].get("format") == "2"  # Godot 3
    for kind in ("ext", "sub"):
        for entry in tree[kind]:
            id_ = entry["id"] if bare else quoted(entry["id"])
            parts.append(TextSection(f"{kind}_resource", {**entry["class"], "id": id_}, entry["properties"]))
    parts.extend(map(_section, tree["nodes"]))
    for entry in tree["others"]:
        attributes = dict(entry)
        parts.append(TextSection(attributes.pop("kind"), attributes))
    return parts


def _section(node: Tree) -> TextSection:
    if node["path"] == "":
        return TextSection("resource", {}, node["properties"])
    class_ = dict(node["class"])
    parent, name = split(node["path"])
    attributes = {"name": class_.pop("rootname", None) or quoted(name)}
    if "type" in class_:
        attributes["type"] = class_.pop("type")
    if node["path"] != ".":
        attributes["parent"] = quoted(parent)
    if node["groups"]:
        attributes["groups"] = f"[{', '.join(node['groups'])}]"
    return TextSection("node", {**attributes, **class_}, node["properties"])


def joined(parent: str, name: str) -> str:
    """Join the path of a parent node and a name."""
    return name if parent == "." else f"{parent}/{name}"


def split(path: str) -> tuple[str, str]:
    """Split a node's path into the path of its parent and its name."""
    parent, _, name = path.rpartition("/")
    return parent or ".", name


# --- matching ----------------------------------------------------------------------------------------


def moves_between(old: Tree, new: Tree) -> tuple[Moves, dict[str, str]]:
    """Find where the rooms moved to, and the new path of each node whose path changed."""
    (rooms, objects), (new_rooms, new_things) = _facts(old), _facts(new)
    moves = moves_of(rooms, new_rooms)
    matches: dict[Any, Any] = {pair.old.key: pair.new.key for pair in moves.pairs}
    matches |= things_of(objects, new_things, moves)
    scenes = _room_scenes(new)
    matches |= {path: scenes[place] for place, path in _room_scenes(old).items() if place in scenes}
    taken = {node["path"] for node in new["nodes"]}
    for key in (*(room.key for room in rooms), *(item.key for item in objects)):
        if key not in matches and key in taken:  # another object has that name now
            matches[key] = apart(str(key), taken)
    return moves, {key: path for key, path in matches.items() if key != path}


def _room_scenes(tree: Tree) -> dict[tuple[str, str], str]:
    """Find the nodes of rooms that are scenes of their own, by these scenes and the places of the nodes."""
    files = {resource["id"]: resource["class"].get("path", "") for resource in tree["ext"]}
    return {
        (files.get(id_, ""), node["properties"].get("position", "")): node["path"]
        for node in tree["nodes"]
        if split(node["path"])[0] == "Rooms"
        for _, id_ in references(node["class"].get("instance", ""))
    }


def apart(path: str, taken: set[str]) -> str:
    """Derive an unused path from `path`."""
    number, free = 2, path
    while free in taken:
        free, number = f"{path}_{number}", number + 1
    taken.add(free)
    return free


def tile_size(tree: Tree) -> int:
    """Return the tile size in px that the root has as metadata, or 16 without it."""
    for node in tree["nodes"][:1]:
        size = node["properties"].get("metadata/tile_size", "")
        if re.fullmatch(r"[1-9]\d{0,3}", size):
            return int(size)
    return 16


def _facts(tree: Tree) -> tuple[list[RoomFact], list[ThingFact]]:
    rooms, objects, size = [], [], tile_size(tree)
    for node in tree["nodes"]:
        facts, (parent, _) = node["properties"], split(node["path"])
        kind = facts.get("metadata/kind", "")
        bounds = numbers(facts.get("metadata/bounds"), "Rect2i")
        if parent == "Rooms" and len(bounds) == 4 and all(abs(number) < 1 << 15 for number in bounds):
            x, y, width, height = map(int, bounds)
            features = kind, facts.get("metadata/shape"), facts.get("metadata/layout")
            rooms.append(RoomFact(node["path"], Rect(x, y, max(width, 1), max(height, 1)), features))
        elif parent in _PLACES:
            tile = place_of(node, size) or (0, 0)
            number = facts.get("metadata/id", "") if _PLACES[parent] == "marker" else ""
            objects.append(ThingFact(node["path"], _PLACES[parent], kind, tile, number))
    return rooms, objects


def place_of(node: Tree, size: int) -> Point | None:
    """Return the tile of a node's position, or None if it has none."""
    position = numbers(node["properties"].get("position"), "Vector2")
    if len(position) != 2 or not all(abs(number) < 1 << 30 for number in position):
        return None
    return math.floor(position[0] / size), math.floor(position[1] / size)


# --- translation -------------------------------------------------------------------------------------


def move(tree: Tree, moves: Moves, size: int) -> None:
    """Move nodes with their rooms, in place. Children move with their parents."""
    moved: set[str] = set()
    for node in tree["nodes"]:
        parent, _ = split(node["path"])
        tile = place_of(node, size)
        if parent in moved or node["path"] in (".", ""):
            moved |= {node["path"]} if parent in moved else set()
        elif tile:
            moved.add(node["path"])
            dx, dy = moves.shift_at(*tile)
            x, y = numbers(node["properties"]["position"], "Vector2")
            if dx or dy:
                node["properties"]["position"] = (
                    f"Vector2({_number(x + dx * size)}, {_number(y + dy * size)})"
                )


def _number(value: float) -> str:
    return str(int(value)) if value % 1 == 0 else repr(value)


def rename(tree: Tree, paths: Mapping[str, str]) -> None:
    """Give nodes and their descendants new paths, in place."""
    if not paths:
        return
    for node in tree["nodes"]:
        node["path"] = renamed(node["path"], paths)
    for connection in tree["others"]:
        for key in ("from", "to", "path"):
            if key in connection:
                connection[key] = quoted(renamed(plain(connection[key]), paths))


def renamed(path: str, paths: Mapping[str, str]) -> str:
    """Replace the longest renamed prefix of a path."""
    above = path
    while above:
        if above in paths:
            return paths[above] + path[len(above) :]
        above = above.rpartition("/")[0]
    return path


def renumber(old: Tree, mine: Tree, new: Tree) -> None:
    """Give the resources of the old and the person's tree the ids of the new one, in place."""
    files = [{_file(resource): resource["id"] for resource in side["ext"]} for side in (old, new)]
    own = [{key: id_ for id_, key in _owners(side).items()} for side in (old, new)]
    matched = {("Ext", id_): files[1][key] for key, id_ in files[0].items() if key in files[1]}
    matched |= {("Ext", e["id"]): files[1][_file(e)] for e in mine["ext"] if _file(e) in files[1]}
    matched |= {("Sub", id_): own[1][key] for key, id_ in own[0].items() if key in own[1]}
    used = {(sort, resource["id"]) for sort in ("Ext", "Sub") for resource in new[sort.lower()]}
    known = {(sort, resource["id"]) for sort in ("Ext", "Sub") for resource in old[sort.lower()]}
    for side in (mine, old):
        for sort in ("Ext", "Sub"):
            for resource in side[sort.lower()]:
                key = sort, resource["id"]
                if key not in matched:
                    free = resource["id"] if side is mine and key not in known else f"{resource['id']}_2"
                    matched[key] = _free(sort, free, used)
    for side in (old, mine):
        _refer(side, matched)


def _free(sort: str, id_: str, used: set[tuple[str, str]]) -> str:
    number, free = 2, id_
    while (sort, free) in used:
        free, number = f"{id_}_{number}" if not id_.isdecimal() else str(int(id_) + number), number + 1
    used.add((sort, free))
    return free


def _file(resource: Tree) -> tuple[str, str]:
    return resource["class"].get("type", ""), resource["class"].get("path", "")


def _owners(tree: Tree) -> dict[str, tuple[object, ...]]:
    """Find, for each resource of the scene by id, its first user, the property and the resource's type."""
    types = {resource["id"]: resource["class"].get("type") for resource in tree["sub"]}
    owners: dict[str, tuple[object, ...]] = {}
    inside = {resource["id"]: resource["properties"] for resource in tree["sub"]}
    queue: list[tuple[object, Mapping[str, str]]] = [(n["path"], n["properties"]) for n in tree["nodes"]]
    for owner, properties in queue:
        for key, value in properties.items():
            for number, (sort, id_) in enumerate(references(value)):
                if sort == "Sub" and id_ in inside and id_ not in owners:
                    owners[id_] = owner, key, number, types[id_]
                    queue.append((owners[id_], inside[id_]))
    return owners


def _refer(tree: Tree, ids: Mapping[tuple[str, str], str]) -> None:
    for sort in ("Ext", "Sub"):
        for entry in tree[sort.lower()]:
            entry["id"] = ids[sort, entry["id"]]
    for entry in _holders(tree):
        for key, value in entry.items():
            entry[key] = referring(value, ids)


def _holders(tree: Tree) -> Iterator[dict[str, str]]:
    for entry in tree["sub"]:
        yield entry["properties"]
    for entry in tree["nodes"]:
        yield from (entry["properties"], entry["class"])
    yield from tree["others"]
