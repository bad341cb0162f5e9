"""Edits of something in a room that others removed: one of both would be lost in silence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from exporters.owners import Owners, owners_of_rooms
from exporters.reading.changes import said
from exporters.reading.seen import EditKey
from generator.geometry import Point
from generator.level import Level
from generator.value_words import how_many


class RoomsOfEdits:
    """Which rooms of a level edits are about."""

    def __init__(self, level: Level) -> None:
        self._level = level

    @cached_property
    def _owner(self) -> Owners:
        return owners_of_rooms(self._level)

    @cached_property
    def _markers(self) -> dict[int, int | None]:
        return {marker.id: marker.room for marker in self._level.markers}

    @cached_property
    def _doors(self) -> dict[int, set[int]]:
        return {door.id: {room for room in door.rooms if room is not None} for door in self._level.doors}

    @cached_property
    def _ways(self) -> dict[Point, set[int]]:
        return {tile: self._doors[door.id] for door in self._level.doors for tile in door.tiles}

    def of(self, key: EditKey) -> set[int]:
        """Return the rooms that an edit is about: one, both of a door, or none."""
        subject, *rest = key
        if subject == "door":
            return self._doors.get(rest[0], set())
        if subject in ("room", "marker"):
            room = rest[0] if subject == "room" else self._markers.get(rest[0])
            return set() if room is None else {room}
        if subject not in ("terrain", "decor", "look", "new marker"):
            return set()
        x, y = rest[-2:]
        height, width = self._owner.shape
        if not (0 <= x < width and 0 <= y < height):
            return set()
        return self._ways.get((x, y), set()) or {int(self._owner[y, x])}

    def lost(
        self, edits: Mapping[EditKey, object], others: Mapping[EditKey, object]
    ) -> Iterator[tuple[int, str]]:
        """Yield each room that `others` remove and in which edits change something, and what, in words."""
        own = _removed(edits)
        for room in sorted(_removed(others) - own):
            about = ((key, self.of(key)) for key in edits if key[-1] != "gone")
            keys = [key for key, rooms in about if room in rooms and rooms.isdisjoint(own)]
            if keys:
                more = f" and {how_many(len(keys) - 1, 'more thing')}" if len(keys) > 1 else ""
                yield room, f"{said(keys[0], self._level)}{more}"


def _removed(edits: Mapping[EditKey, object]) -> set[int]:
    return {key[1] for key in edits if key[0] == "room" and key[-1] == "gone"}
