"""A level while rooms are rolled again: arrays that can be written to, and the parts of each room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import Protocol

from generator.errors import LevelError
from generator.geometry import Point, Side
from generator.interiors.interior import PlacedMarker
from generator.kinds import Kinds
from generator.level import Level, Marker, Room
from generator.named_tuple import NamedTuple
from generator.rerolls.record import NothingElseError, Rolls, rows_of
from generator.rng import Stream


class RoomDoor(NamedTuple):
    """A door of a room: the side of the room that it is on, and its tiles in the room's own wall."""

    door: int
    side: Side
    tiles: tuple[Point, ...]

    @property
    def steps(self) -> list[Point]:
        """The tiles inside the room in front of the door."""
        return [(x - self.side.dx, y - self.side.dy) for x, y in self.tiles]


class LevelDraft:
    """The parts of a level that a reroll can change. Everything else stays as it is.

    Ids of markers are part of a level, and those of other rooms must stay. So a room's new markers get ids
    that no other room can get, however many there are: from the number of tiles on, which is more than a
    level can have markers, each of n rooms has every n-th id. That is why it does not matter which of two
    rooms is rolled first.
    """

    def __init__(self, level: Level) -> None:
        if level.terrain_kinds != level.kinds.terrain or level.decor_kinds != level.kinds.decor:
            raise LevelError(
                "terrain_kinds, decor_kinds: are not those of this version; generate the level again"
            )
        self.level = level
        self.terrain = level.terrain.copy()
        self.decor = level.decor.copy()
        self.rooms = list(level.rooms)
        self.doors = list(level.doors)
        self._markers: dict[int | None, list[Marker]] = {}
        for marker in level.markers:
            self._markers.setdefault(marker.room, []).append(marker)
        self._ids = {marker.id for marker in level.markers}
        self._openings: dict[int, list[RoomDoor]] = {}
        for door in level.doors:
            for half in door.halves:
                opening = RoomDoor(door.id, Side.named(half.side), half.tiles)
                self._openings.setdefault(half.room, []).append(opening)

    def openings(self, room: int) -> list[RoomDoor]:
        """Return a room's doors, in the order of their ids."""
        return self._openings.get(room, [])

    def markers(self, room: int) -> list[Marker]:
        """Return a room's markers, in the order of their ids."""
        return self._markers.get(room, [])

    def put_markers(self, room: int, placed: Iterable[PlacedMarker], kept: Iterable[Marker] = ()) -> None:
        """Replace a room's markers, in the level's tiles, except those `kept`, which keep their ids."""
        markers = list(kept)
        self._ids -= {marker.id for marker in self.markers(room)}
        self._ids |= {marker.id for marker in markers}
        ids = (
            free_id
            for free_id in count(self.terrain.size + room, len(self.rooms))
            if free_id not in self._ids
        )
        for marker, number in zip(placed, ids, strict=False):
            properties = dict(marker.properties)
            markers.append(Marker(number, marker.kind, marker.x, marker.y, room, properties=properties))
            self._ids.add(number)
        self._markers[room] = sorted(markers, key=lambda marker: marker.id)

    def finished(self, rolls: Mapping[int, Rolls], *, is_edited: bool) -> Level:
        """Build the level as it is now."""
        markers = [marker for group in self._markers.values() for marker in group]
        return replace(
            self.level,
            terrain=self.terrain,
            decor=self.decor,
            rooms=tuple(self.rooms),
            doors=tuple(self.doors),
            markers=tuple(sorted(markers, key=lambda marker: marker.id)),
            rerolls=rows_of(rolls, is_edited=is_edited),
        )


# Rerolls the kind of a room: one that its style could place there, with the same floorplan.
#
# The floorplan stays, so a room whose kind decides its place keeps it: the start, bosses, secret rooms and
# the grave. For the others, the style knows what they may become, and their rows may allow only some of
# that.


def next_kind(roller: RoomRoller, seed: int, room: Room, kinds: Kinds) -> str:
    """Choose the kind that a room becomes: the next allowed one, in a random order for this room.

    So repeated rolls go through all of them. Raises NothingElseError if the kind cannot change.
    """
    row = kinds.room(room.kind)
    if row.stays:
        raise stays(room, row.stays)
    allowed = roller.other_kinds(room)
    if row.becomes is not None and not (allowed := allowed & row.becomes):
        choices = " or ".join(sorted(row.becomes))
        raise stays(room, f"its kind may only become {choices}, which the style does not allow here")
    order = [*kinds.rooms, *sorted({room.kind, *allowed} - set(kinds.rooms))]
    Stream(seed, "reroll.kind", room.id).shuffle(order)
    at = order.index(room.kind)
    return next(kind for kind in order[at + 1 :] + order[:at] if kind in allowed)


def stays(room: Room, why: str) -> NothingElseError:
    """Return the error for a room that must stay what it is."""
    return NothingElseError(f"room {room.id}: stays {room.kind}: {why}")


# What a style must be able to do for `reroll`.


class RoomRoller(Protocol):
    """Rolls rooms of one level again: it changes the `LevelDraft` that it was made with."""

    def make(self, number: int, rolls: Rolls, seed: int) -> None:
        """Roll the inside of a room again. Raises NothingElseError if there is no other."""

    def move(self, number: int, rolls: Rolls, seed: int) -> None:
        """Place enemies, pickups and chests again. Raises NothingElseError if that is impossible."""

    def other_kinds(self, room: Room) -> set[str]:
        """Return the kinds that a room may become. Raises NothingElseError if it must stay what it is."""

    def change_doors(self, number: int) -> None:
        """Give a room's doors the kinds that follow from the rooms on their sides."""
