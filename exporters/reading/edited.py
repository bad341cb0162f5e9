"""Apply edits to a Level. Plain functions on values, independent of formats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from exporters.reading.restructured import Restructured, changes_structure, restructured
from exporters.reading.seen import Edits
from generator.checks import problems
from generator.checks.base import owners
from generator.checks.rooms import walked
from generator.checks.told import told
from generator.geometry import Point
from generator.kinds.marker_properties import MARKER_PROPERTIES
from generator.level import Door, Level, Marker, PaintedLook, Property, Tiles
from generator.rerolls.record import changed_by_hand
from generator.things import called


def edited(level: Level, edits: Edits) -> Level:
    """Apply and record all edits of the level. Return the level itself if there are no edits.

    Anything that a level can hold is accepted; `broken` lists the rules that edits break.
    """
    return edited_and_told(level, edits).level


def edited_and_told(level: Level, edits: Edits) -> Restructured:
    """Do what `edited` does, and say which edits of the structure do not fit the level."""
    if not edits:
        return Restructured(level, {})
    structural = changes_structure(level, edits)
    doors, terrain = _doors(level, edits), level.terrain.copy()
    _move_door_tiles(level, doors, terrain)
    _paint(terrain, edits, {kind.name: number for number, kind in enumerate(level.terrain_kinds)})
    ids = {door.id: door.id if structural else number for number, door in enumerate(doors)}
    result = replace(
        level,
        terrain=terrain,
        decor=_decor(level, edits),
        rooms=tuple(replace(room, **_room_values(edits, room.id)) for room in level.rooms),
        doors=tuple(replace(door, id=ids[door.id]) for door in doors),
        hallways=tuple(
            way if structural else replace(way, doors=(ids[way.doors[0]], ids[way.doors[1]]))
            for way in level.hallways
        ),
        markers=_markers(level, edits),
        facts=_with(level.facts, {str(key[1]): value for key, value in edits.items() if key[0] == "fact"}),
        edited=_record(level, edits),
        looks=_looks(level, edits, terrain),
    )
    made = Restructured(result, {})
    if structural:
        made = restructured(level, result, edits)
    elif any(key[0] == "door" for key in edits):
        distances = walked(result)
        result = replace(
            result, rooms=tuple(replace(room, distance=distances.get(room.id)) for room in result.rooms)
        )
        made = Restructured(result, {})
    return replace(made, level=changed_by_hand(made.level))


def broken(before: Level | None, after: Level) -> list[str]:
    """List the rules, one line each, that an edited level breaks and the level before its first edit did not.

    If that level is not known, all that it breaks.
    """
    if after is before:
        return []
    found = problems(after, before)
    rules = {problem.check for problem in found}
    known = {str(problem) for problem in problems(before, rules=rules)} if before and found else set()
    walls = list(_walled_up(after))
    tiles = {f"tile {x},{y}" for _, x, y, _ in walls}
    lines = [
        f"{called(after, 'room', room)}: its door is {action} at {x},{y}" for room, x, y, action in walls
    ]
    new = []
    for problem in found:
        of_door = problem.check == "doors-two-sided" and any(
            problem.what.startswith(f"{tile} is") for tile in tiles
        )
        if str(problem) not in known and not of_door:
            new.append(problem)
    return [*lines, *told(new, after)]


def _walled_up(level: Level) -> Iterator[tuple[int, int, int, str]]:
    """Yield door tiles that were painted over: a room of the door, the position, and what was done."""
    for door in level.doors:
        for half in door.halves:
            for x, y in half.tiles:
                kind = level.terrain_kinds[level.terrain[y, x]]
                if kind.name != "door":
                    yield half.room, x, y, "painted over" if kind.walk else "walled up"


# --- tiles -------------------------------------------------------------------------------------------


def _paint(array: Tiles, edits: Edits, numbers: Mapping[str, int]) -> None:
    for key, name in edits.items():
        if key[0] == "terrain":
            _, x, y = key
            array[y, x] = numbers[str(name)]


def _decor(level: Level, edits: Edits) -> Tiles:
    """Return the decor [y, x] without things that would reach over the level's edge."""
    decor = level.decor.copy()
    numbers = {kind.name: number for number, kind in enumerate(level.decor_kinds)}
    for key, name in edits.items():
        if key[0] == "decor":
            _, x, y = key
            kind = level.decor_kinds[numbers[str(name)] if name else 0]
            if int(x) + kind.width <= level.width and int(y) + kind.height <= level.height:
                decor[y, x] = numbers[str(name)] if name else 0
    return decor


def _looks(level: Level, edits: Edits, terrain: Tiles) -> tuple[PaintedLook, ...]:
    """Return the looks, row by row, without those of tiles that have become another terrain."""
    looks: dict[tuple[Any, ...], int | None] = {
        look[:4]: look.tile
        for look in level.looks
        if level.terrain[look.y, look.x] == terrain[look.y, look.x]
    }
    looks |= {key[1:]: tile for key, tile in edits.items() if key[0] == "look"}
    found = (PaintedLook._make((*key, tile)) for key, tile in looks.items() if tile is not None)
    return tuple(sorted(found, key=lambda look: (look.theme, look.y, look.x, look.layer)))


# --- doors -------------------------------------------------------------------------------------------


DOOR_VALUES = ("kind", "needs", "one_way", "joins")
"""The parts of a door that a person can change."""


def _doors(level: Level, edits: Edits) -> list[Door]:
    """Return the remaining doors, with their old ids."""
    doors = []
    for door in level.doors:
        mine = {str(key[2]): value for key, value in edits.items() if key[:2] == ("door", door.id)}
        if "gone" in mine:
            continue
        changed: dict[str, Any] = {key: mine[key] for key in DOOR_VALUES if key in mine}
        if "at" in mine:
            dx, dy = mine["at"]
            changed["tiles"] = tuple((x + dx, y + dy) for x, y in door.tiles)
        inside = all(0 <= x < level.width and 0 <= y < level.height for x, y in changed.get("tiles", ()))
        if not inside:
            del changed["tiles"]
        doors.append(replace(door, **changed))
    return doors


def _move_door_tiles(level: Level, doors: list[Door], terrain: Tiles) -> None:
    """Put walls where moved doors were, and door tiles where they are now."""
    names = {kind.name: number for number, kind in enumerate(level.terrain_kinds)}
    now = {door.id: door for door in doors}
    for door in level.doors:
        tiles = now[door.id].tiles if door.id in now else ()
        if tiles != door.tiles:
            for x, y in door.tiles:
                terrain[y, x] = names["wall"]
    for door in level.doors:
        if door.id in now and now[door.id].tiles != door.tiles:
            for x, y in now[door.id].tiles:
                terrain[y, x] = names["door"]


# --- rooms and markers -------------------------------------------------------------------------------


def _room_values(edits: Edits, room: int) -> dict[str, Any]:
    mine = {str(key[2]): value for key, value in edits.items() if key[:2] == ("room", room)}
    return {name: value for name, value in mine.items() if name not in ("gone", "bounds")}


def _markers(level: Level, edits: Edits) -> tuple[Marker, ...]:
    """Return the markers by id. New ones get ids from their room's own range, as in re-rolled rooms."""
    markers, ids = [], {marker.id for marker in level.markers}
    rooms = _TileHolders(level)
    for marker in level.markers:
        mine = {key[2:]: value for key, value in edits.items() if key[:2] == ("marker", marker.id)}
        if ("gone",) in mine:
            continue
        properties = {str(key[1]): value for key, value in mine.items() if key[0] == "property"}
        x, y = mine.get(("at",), (marker.x, marker.y))
        room, hallway = rooms.of((x, y)) if ("at",) in mine else (marker.room, marker.hallway)
        kind = str(mine.get(("kind",), marker.kind))
        markers.append(Marker(marker.id, kind, x, y, room, hallway, _with(marker.properties, properties)))
    numbers: dict[int, Iterator[int]] = {}
    for key, properties in edits.items():
        if key[0] == "new marker":
            _, kind, x, y = key
            room, hallway = rooms.of((x, y))
            first, step = level.terrain.size + (room or 0), max(1, len(level.rooms))
            number = next(n for n in numbers.setdefault(room or 0, count(first, step)) if n not in ids)
            ids.add(number)
            own = _completed(level, str(kind), properties)
            markers.append(Marker(number, str(kind), x, y, room, hallway, own))
    return tuple(sorted(markers, key=lambda marker: marker.id))


class _TileHolders:
    """The room or hallway that each tile belongs to."""

    def __init__(self, level: Level) -> None:
        self._owners = owners(level)
        self._hallways = {tile: way.id for way in level.hallways for tile in way.tiles}

    def of(self, tile: Point) -> tuple[int | None, int | None]:
        """Return the room and the hallway of a tile."""
        room = int(self._owners[tile[1], tile[0]])
        return (room, None) if room >= 0 else (None, self._hallways.get(tile))


def _completed(level: Level, kind: str, properties: Mapping[str, Property]) -> dict[str, Property]:
    """Complete a new marker's properties with the defaults that editors show for its kind."""
    usual = {name: given.default for name, given in MARKER_PROPERTIES.get(kind, {}).items()}
    if kind == "enemy":
        role = properties.get("role", usual["role"])
        names = [name for name, row in level.kinds.enemies.items() if row.role == role]
        usual |= {"name": names[0]} if names else {}
        usual = {name: value for name, value in usual.items() if value != ""}
    return {**usual, **properties}


def _with(table: Mapping[str, Property], changes: Mapping[str, Property | None]) -> dict[str, Property]:
    """Update a table with new values. None removes a key."""
    return {key: value for key, value in {**table, **changes}.items() if value is not None}


# --- the record --------------------------------------------------------------------------------------


def counted(edits: Edits) -> dict[str, int]:
    """Count the edits of each sort that there is, under the names in level.json."""
    return {name: number for name, number in _counts(edits).items() if number}


def _counts(edits: Edits) -> dict[str, int]:
    counts = {"terrain": sum(key[0] == "terrain" for key in edits)}
    counts["decor_added"] = sum(key[0] == "decor" and bool(value) for key, value in edits.items())
    counts["decor_removed"] = sum(key[0] == "decor" and not value for key, value in edits.items())
    removed = {key[1] for key in edits if key[0] == "door" and key[2] == "gone"}
    counts["doors"] = len({key[1] for key in edits if key[0] == "door"} - removed)
    counts["doors_added"] = sum(key[0] == "new door" for key in edits)
    counts["doors_removed"] = len(removed)
    counts["rooms_added"] = sum(key[0] == "new room" for key in edits)
    counts["rooms_moved"] = sum(key[0] == "room" and key[2] == "bounds" for key in edits)
    counts["rooms_removed"] = sum(key[0] == "room" and key[2] == "gone" for key in edits)
    counts["markers_added"] = sum(key[0] == "new marker" for key in edits)
    counts["markers_moved"] = sum(key[0] == "marker" and key[2] == "at" for key in edits)
    counts["markers_removed"] = sum(key[0] == "marker" and key[2] == "gone" for key in edits)
    counts["looks"] = sum(key[0] == "look" for key in edits)
    counts["properties"] = sum(
        key[0] == "fact"
        or (key[0] == "room" and key[2] not in ("gone", "bounds"))
        or (key[0] == "marker" and key[2] in ("kind", "property"))
        for key in edits
    )
    return counts


def _record(level: Level, edits: Edits) -> dict[str, Property]:
    """Return the base, what ids are made from, and the sums, whatever the order of the edits."""
    sums = _counts(edits)
    for name, value in level.edited.items():
        if isinstance(value, int):
            sums[name] = sums.get(name, 0) + value
    base = level.edited.get("base", level.fingerprint)
    return {"base": base, "ids": level.ids_from, **{name: number for name, number in sums.items() if number}}
