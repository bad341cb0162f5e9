"""What the rooms, doors, hallways and markers of a level are called in messages: a number, a kind and a tile.

The tiles are those in the names that editors show: `marker 1 (enemy at 12,34)` is the node `Enemy_12_34`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import cache, partial

from generator.geometry import Point
from generator.level import Level, Room
from generator.pattern import pattern

_THING = pattern(
    r"(?<!\w)(['\"])(?:\\.|(?!\1)[^\\])*(?:\1|…)"  # what people wrote, as messages quote it
    r"|\b(?P<sort>room|door|hallway|marker) (?P<number>\d{1,9})\b(?! \()"
)
MARKER = pattern(r"\bmarker (\d+) \([^()]* at \d+,\d+\)")
"""What `called` says of a marker; the group is its number."""


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


def all_called(level: Level) -> Callable[[str], str]:
    """Return a function that names all things of a level in a text that has only their numbers."""
    name = cache(partial(called, level))
    return partial(
        _THING.sub, lambda found: name(found["sort"], int(found["number"])) if found["sort"] else found[0]
    )


def corner(room: Room) -> Point:
    """Return a room's first corner in row order, as that of its bounds may be another's (an L's notch)."""
    return first([corner for ring in room.outline for corner in ring] or [room.bounds[:2]])


def first(tiles: Iterable[Point]) -> Point:
    """Return the first of some tiles in row order."""
    return min(tiles, key=lambda tile: (tile[1], tile[0]), default=(0, 0))


def _of_marker(level: Level, number: int) -> str:
    place = bisect_left(level.markers, number, key=lambda marker: marker.id)
    found = (marker for marker in level.markers[place : place + 1] if marker.id == number)
    return next((f"{marker.kind} at {marker.x},{marker.y}" for marker in found), "")


def _said(tile: Point) -> str:
    return f"{tile[0]},{tile[1]}"
