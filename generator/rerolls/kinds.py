"""Another kind for a room: what its style would place there, with the floorplan as it is.

The floorplan stays, so a room that is where it is for its kind keeps it: the start, bosses, secret rooms
and the grave. Of the others the style knows what they may become, and their rows may allow only some of it.
"""

from __future__ import annotations

from generator.kinds import Kinds
from generator.level import Room
from generator.rerolls.record import NothingElseError
from generator.rerolls.rooms import RoomRoller
from generator.rng import Stream


def next_kind(roller: RoomRoller, seed: int, room: Room, kinds: Kinds) -> str:
    """The kind that a room becomes: in an order that is drawn for the room, the next that may be.

    So the same roll again and again leads through all of them. Raises NothingElseError if it must stay what
    it is.
    """
    row = kinds.room(room.kind)
    if row.stays:
        raise stays(room, row.stays)
    allowed = roller.other_kinds(room)
    if row.becomes is not None and not (allowed := allowed & row.becomes):
        others = " or ".join(sorted(row.becomes))
        raise stays(room, f"its kind may only become {others}, which the style does not allow here")
    order = [*kinds.rooms, *sorted({room.kind, *allowed} - set(kinds.rooms))]
    Stream(seed, "reroll.kind", room.id).shuffle(order)
    at = order.index(room.kind)
    return next(kind for kind in order[at + 1 :] + order[:at] if kind in allowed)


def stays(room: Room, why: str) -> NothingElseError:
    """The error for a room that must stay what it is."""
    return NothingElseError(f"room {room.id}: stays {room.kind}: {why}")
