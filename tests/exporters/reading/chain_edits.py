"""Edits at random, and where each must be in a level: rooms are found by what they are, in the simplest way."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

from generator.checks.base import owners
from generator.geometry import Point
from generator.level import Level, Marker, Room
from tests.exporters.merge.people import GodotPerson, LdtkPerson, TiledPerson

from .chain_structure import STRUCTURE, Told, change_structure, facts, paint_look, told_at
from .editors import Editor

KINDS = (
    "wall", "rubble", "pit", "chest", "put", "take", "moved", "gone", "tell", "door", "room", "look", *STRUCTURE,
)  # fmt: skip
MOVABLE = ("enemy", "pickup", "item", "torch", "ware")
RIDERS = {
    ".tmj": (TiledPerson, ("rename_layer", "tell_map", "add_tileset", "add_group", "refer", "draw_layer")),
    ".ldtk": (
        LdtkPerson,
        ("tell_level", "add_level", "add_layer", "add_enum_value", "add_command", "add_field"),
    ),
    ".tscn": (
        GodotPerson,
        ("add_node", "hang_on", "own_resource", "script", "connect", "join_group", "tell_node"),
    ),
}
NEEDS = {"script": 'type="Node2D"', "join_group": "groups=["}  # in the heading of a node that is not the root


def places_in(told: Told, level: Level, room: Room, *, any_kind: bool) -> list[Told]:
    """Where an edit may be in a room: at the same place in a room like its own, or at the same tile."""
    x, y = told.tile[0] - told.corner[0] + room.bounds.x, told.tile[1] - told.corner[1] + room.bounds.y
    now = facts(level, room)
    if told.kind in ("draw", "move"):
        return [told._replace(tile=room.bounds[:2], corner=room.bounds[:2])]
    is_like = now[1:] == told.room[1:] if any_kind else now == told.room
    tiles = [(x, y)] if is_like else [(x, y), told.tile] if any_kind or room.kind == told.room[0] else []
    return [
        told._replace(tile=tile, corner=room.bounds[:2], room=now)
        for tile in tiles
        if room.bounds.contains(*tile)
    ]


def has(level: Level, told: Told, room: Room) -> bool:  # noqa: PLR0911 - one for each kind
    """Whether a level has the edit at its place, which is in the room."""
    x, y = told.tile
    here = [marker for marker in level.markers if (marker.x, marker.y) == (x, y)]
    if told.kind == "terrain":
        return level.terrain_kinds[level.terrain[y, x]].name == told.value
    if told.kind == "decor":
        number = level.decor[y, x]
        return (level.decor_kinds[number].name if number else "") == told.value
    if told.kind == "marker":
        return any(marker.properties.get("tier") == told.value for marker in here)
    if told.kind == "moved":
        return any(marker.kind == told.value for marker in here)
    if told.kind == "gone":
        return all(marker.kind != told.value for marker in here)
    if told.kind == "door":
        return any(door.kind == told.value for door in level.doors if room.id in door.rooms)
    if told.kind == "room":
        return room.kind == told.value
    if told.kind == "draw":
        return not room.layout and room.bounds[2:] == told.room[3]
    if told.kind == "move":
        return facts(level, room) == told.room
    if told.kind == "link":
        return any((x, y) in door.tiles for door in level.doors if room.id in door.rooms)
    if told.kind == "look":
        return any(look[2:4] == (x, y) and str(look.tile) == told.value for look in level.looks)
    inside = [marker for marker in level.markers if marker.room == room.id]
    return any(told.value in map(str, marker.properties.values()) for marker in inside)


def any_edit(  # noqa: PLR0911 - one for each kind
    edit: Editor, level: Level, chance: random.Random, token: str, taken: set[object]
) -> Told | None:
    """Do something to the level in an editor, at a place that is not `taken`. None if there is no such place."""
    kind = chance.choice(KINDS)
    if kind in STRUCTURE:
        return change_structure(edit, level, kind, chance, taken)
    if kind in ("door", "room"):
        return _of_room(edit, level, kind, chance, taken)
    if kind in ("gone", "tell"):
        return _of_marker(edit, level, kind, chance, token, taken)
    if kind == "take":
        return _taken_decor(edit, level, chance, taken)
    tiles = [tile for tile in free_tiles(level) if tile not in taken]
    if not tiles:
        return None
    if kind == "look":
        return paint_look(edit, level, tiles, chance, taken)
    tile = chance.choice(tiles)
    taken.add(tile)
    if kind == "chest":
        edit.add_marker("chest", tile, {"tier": token})
        return told_at("marker", token, tile, level)
    if kind == "put":
        names = [each.name for each in level.decor_kinds[1:] if (each.width, each.height) == (1, 1)]
        name = chance.choice([name for name in names if name in ("rock", "spikes", "urn", "bones")] or names)
        edit.put(tile, name)
        return told_at("decor", name, tile, level)
    if kind == "moved":
        marker = _some_marker(level, chance, taken)
        room = None if marker is None else marker.room
        if marker is None or room is None or edit.room_of(tile) != room:
            return None
        edit.move_marker(marker.id, tile)
        return told_at("moved", marker.kind, tile, level)
    edit.paint(tile, kind)
    return told_at("terrain", kind, tile, level)


def _of_room(edit: Editor, level: Level, kind: str, chance: random.Random, taken: set[object]) -> Told | None:
    """Another kind for a door, or for a room."""
    if kind == "door":
        doors = [door for door in level.doors if door.kind == "open" and ("door", door.id) not in taken]
        if not doors:
            return None
        door = chance.choice(doors)
        taken.add(("door", door.id))
        edit.set_door(door.id, "locked")
        room = level.rooms[next(number for number in door.rooms if number is not None)]
        return Told("door", "locked", door.tiles[0], room.bounds[:2], facts(level, room))
    rooms = [room for room in level.rooms if room.kind == "normal" and ("room", room.id) not in taken]
    if not rooms:
        return None
    room = chance.choice(rooms)
    taken.add(("room", room.id))
    edit.set_room(room.id, "treasure")
    return Told("room", "treasure", room.bounds[:2], room.bounds[:2], ("treasure", *facts(level, room)[1:]))


def _some_marker(level: Level, chance: random.Random, taken: set[object]) -> Marker | None:
    found = [
        marker
        for marker in level.markers
        if marker.kind in MOVABLE and marker.room is not None and ("marker", marker.id) not in taken
    ]
    marker = chance.choice(found) if found else None
    if marker:
        taken.add(("marker", marker.id))
    return marker


def _of_marker(
    edit: Editor, level: Level, kind: str, chance: random.Random, token: str, taken: set[object]
) -> Told | None:
    marker = _some_marker(level, chance, taken)
    if marker is None:
        return None
    tile = marker.x, marker.y
    alike = [other for other in level.markers if (other.kind, other.x, other.y) == (marker.kind, *tile)]
    if kind == "gone" and len(alike) == 1:
        edit.drop_marker(marker.id)
        return told_at("gone", marker.kind, tile, level)
    names = [name for name in ("item", "pool", "color") if isinstance(marker.properties.get(name), str)]
    if kind == "tell" and names:
        edit.set_property(marker.id, names[0], token)
        return told_at("tell", token, tile, level)
    return None


def _taken_decor(edit: Editor, level: Level, chance: random.Random, taken: set[object]) -> Told | None:
    found = [
        (x, y)
        for y in range(level.height)
        for x in range(level.width)
        if level.decor[y, x] and owners(level)[y, x] >= 0 and (x, y) not in taken
        and (kind := level.decor_kinds[level.decor[y, x]]).width == kind.height == 1
    ]  # fmt: skip
    if not found:
        return None
    tile = chance.choice(found)
    taken.add(tile)
    edit.take(tile)
    return told_at("decor", "", tile, level)


def rider(path: Path, chance: random.Random, token: str) -> str | None:
    """Put something into a file that a level cannot have. Its kind, or None if the file has no place for it."""
    found = RIDERS.get(path.suffix)
    if found is None or path.name.endswith("_edit.tscn"):
        return None
    person, kinds = found[0](chance.randrange(1000)), found[1]
    kind = chance.choice(kinds)
    person.count = chance.randrange(100_000, 1_000_000)
    do: Any = getattr(person, kind)
    if path.suffix == ".tscn":
        text = path.read_text()
        if not re.search(rf"^\[node [^\n]*parent=[^\n]*{re.escape(NEEDS.get(kind, ''))}", text, re.MULTILINE):
            return None
        path.write_text(do(text, token)[0])
        return kind
    table = json.loads(path.read_text())
    if kind in ("add_level", "tell_level") and (table["externalLevels"] or len(table["levels"]) == 1):
        return None
    if kind in ("draw_layer",) and any(isinstance(each.get("data"), str) for each in table["layers"]):
        return None
    do(table, token)
    for layer in table.get("layers", ()):
        if layer["name"] == token and kind == "draw_layer":
            layer["data"] = [5 if gid else 0 for gid in layer["data"]]
    path.write_text(json.dumps(table))
    return kind


def free_tiles(level: Level) -> list[Point]:
    """Floor in rooms, with floor around it and nothing on it."""
    names = [kind.name for kind in level.terrain_kinds]
    floor = level.terrain == names.index("floor")
    marked = {(marker.x, marker.y) for marker in level.markers}
    found = []
    for room in level.rooms:
        for y in range(room.bounds.y + 2, room.bounds.bottom - 2):
            for x in range(room.bounds.x + 2, room.bounds.right - 2):
                around = slice(y - 1, y + 2), slice(x - 1, x + 2)
                if floor[around].all() and not level.decor[around].any() and (x, y) not in marked:
                    found.append((x, y))
    return found
