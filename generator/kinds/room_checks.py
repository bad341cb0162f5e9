"""Checks between a kit's rooms, their doors and their markers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from generator.errors import KitError
from generator.kinds.rooms import MANY

if TYPE_CHECKING:
    from generator.kinds.kinds import Kinds
    from generator.kinds.rooms import RoomKind

START, _OPEN = "start", "open"
_BEGINS = "player_start"
_HIDE = ("secret", "red")  # the doors of secret rooms
_LIGHTS = frozenset({"fire", "torch"})  # markers that the generator places, one for each thing that burns

# The markers that each furnisher of `gungeon` adds to a room, and how many at least and at most.
_PUTS = {
    "battle": {"enemy": (0, MANY)},
    "boss": {"boss": (1, 1), "exit": (1, 1)},
    "shop": {"ware": (1, MANY)},
}


def room_problems(kinds: Kinds, where: str) -> Iterator[KitError]:
    """Find rooms that cannot be reached, or in which a player would start although they are not the start."""
    for name in _HIDE:
        if name in kinds.doors and not kinds.doors[name].is_secret and kinds.secret_rooms:
            label = f"{where}: door.{name}.secret"
            yield KitError(f"{label}: is the door of secret rooms; give secret = true")
    if _OPEN in kinds.secret_doors:
        yield KitError(
            f"{where}: door.{_OPEN}.secret: all rooms without a door kind have this door; leave secret out"
        )
    for room in kinds.rooms.values():
        label = f"{where}: room.{room.name}"
        for door in dict.fromkeys(room.door or ()):
            if door in kinds.secret_doors and not room.secret and door != _OPEN:
                yield KitError(
                    f"{label}.door: door.{door} is secret, so no path would lead to the room; give another "
                    f"door, or room.{room.name} secret = true"
                )
            if room.secret and door in kinds.doors and door not in kinds.secret_doors:
                yield KitError(
                    f"{label}.door: door.{door} is in plain sight, but the room is secret; give "
                    f"door.{door} secret = true, or another door"
                )
        if room.name in (room.becomes or ()):
            yield KitError(f"{label}.becomes: contains room.{room.name} itself; give other kinds")
        for light in sorted(_LIGHTS & room.markers.keys()):
            yield KitError(f"{label}.markers: {light} markers come with what burns; remove {light} here")
        if room.name == START and room.markers.get(_BEGINS) != (1, 1) and _BEGINS in kinds.markers:
            yield KitError(f'{label}.markers: the player starts here; give {_BEGINS} = "1"')
        if room.name != START and room.markers.get(_BEGINS, (0, 0))[1]:
            yield KitError(f"{label}.markers: players start only in room.{START}; remove {_BEGINS} here")


def furnisher_problems(room: RoomKind, furnisher: str, kinds: Kinds, label: str) -> Iterator[KitError]:
    """Find markers that a furnisher puts into a room although its row forbids them. `label` is its table."""
    for marker, (fewest, most) in _PUTS.get(furnisher, {}).items():
        least, limit = room.markers.get(marker, (0, MANY))
        if marker in kinds.markers and (limit < most or least > max(fewest, most)):
            rule = "0.." if not fewest else "1.." if most == MANY else "1"
            yield KitError(
                f"{label}.furnisher: {furnisher} puts {marker} markers into the room, which its row does not "
                f'allow; give room.{room.name} markers = {{ {marker} = "{rule}" }}, or another furnisher'
            )
