"""How the levels of a run are linked: the room that leads on, and the next level.

A level says that it belongs to a run in the `memory` of its spec. Its exit is a marker whose property `to` is
the place of the next level in the run, as text, or `end`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.level import Marker, Room
    from generator.spec import LevelSpec

EXIT = "exit"
NEXT = "next"  # where an exit leads outside of a run: the game knows
END = "end"


def place_of(spec: LevelSpec) -> int:
    """Return the place of a spec's level in its run, from 1, or 0 outside of a run."""
    place = getattr(getattr(spec, "memory", None), "place", 0)
    return place if type(place) is int else 0


def next_place(spec: LevelSpec) -> str:
    """Return where the exit of a spec's level leads. Empty outside of a run."""
    place = place_of(spec)
    if not place:
        return ""
    return END if getattr(getattr(spec, "memory", None), "last", False) else str(place + 1)


def leads_on(marker: Marker, to: str) -> bool:
    """Check whether a marker is the exit to the next level, which has the place `to`."""
    return marker.kind == EXIT and marker.properties.get("to", NEXT) in (NEXT, to)


def last_room(rooms: Iterable[Room]) -> int:
    """Return the room with the exit: the boss room furthest from the start, or just the furthest room."""
    reached = [room for room in rooms if room.distance is not None]
    furthest = max(reached, key=lambda room: (room.kind == "boss", room.distance, room.id), default=None)
    return -1 if furthest is None else furthest.id
