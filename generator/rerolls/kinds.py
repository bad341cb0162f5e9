"""Rerolls the kind of a room: one that its style could place there, with the same floorplan.

The floorplan stays, so a room whose kind decides its place keeps it: the start, bosses, secret rooms and the
grave. For the others, the style knows what they may become, and their rows may allow only some of that.
"""

from __future__ import annotations

from typing import Protocol

from generator.kinds import Kinds
from generator.level import Room
from generator.rerolls.record import NothingElseError, Rolls
from generator.rng import Stream


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
