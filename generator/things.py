"""What the rooms, doors, hallways and markers of a level are called in messages: a number, a kind and a tile.

The tiles are those in the names that editors show: `marker 1 (enemy at 12,34)` is the node `Enemy_12_34`.
"""

from __future__ import annotations

from collections.abc import Iterable

from generator.geometry import Point
from generator.level import Level, Room
from generator.pattern import pattern

_THING = pattern(r"\b(room|door|hallway|marker) (\d+)\b(?! \()")


def called(level: Level, sort: str, number: int) -> str:
    """Name a thing, such as `room 3 (shop at 12,34)`. Only its number is left of one that is not there."""
    thing = f"{sort} {number}"
    if sort == "marker":
        place = _of_marker(level, number)
        return f"{thing} ({place})" if place else thing
    holders = {"room": level.rooms, "door": level.doors, "hallway": level.hallways}
    if number >= len(holders[sort]):
        return thing
    if sort == "room":
        room = level.rooms[number]
        name = f"{room.name}, " if room.name else ""
        return f"{thing} ({name}{room.kind} at {_said(corner(room))})"
    if sort == "door":
        door = level.doors[number]
        return f"{thing} ({door.kind} at {_said(first(door.tiles))})"
    return f"{thing} (at {_said(first(level.hallways[number].tiles))})"


def the_marker(level: Level, number: int) -> str:
    """Name a marker without its number, such as `the enemy at 12,34`."""
    place = _of_marker(level, number)
    return f"the {place}" if place else f"marker {number}"


def all_called(level: Level, text: str) -> str:
    """Name all things of a level in a text that has only their numbers."""
    return _THING.sub(lambda found: called(level, found[1], int(found[2])), text)


def corner(room: Room) -> Point:
    """Return a room's first corner in row order, as that of its bounds may be another's (an L's notch)."""
    return first([corner for ring in room.outline for corner in ring] or [room.bounds[:2]])


def first(tiles: Iterable[Point]) -> Point:
    """Return the first of some tiles in row order."""
    return min(tiles, key=lambda tile: (tile[1], tile[0]), default=(0, 0))


def _of_marker(level: Level, number: int) -> str:
    found = (f"{marker.kind} at {marker.x},{marker.y}" for marker in level.markers if marker.id == number)
    return next(found, "")


def _said(tile: Point) -> str:
    return f"{tile[0]},{tile[1]}"
