"""What a style must be able to do for `reroll`."""

from __future__ import annotations

from typing import Protocol

from generator.level import Room
from generator.rerolls.record import Rolls


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
