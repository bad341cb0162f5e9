"""Rerolls of rooms that somebody drew: only what is on their floor can move."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from generator.level import Room
from generator.rerolls.draft import LevelDraft, stays
from generator.rerolls.markers import move_markers
from generator.rerolls.record import NothingElseError, Rolls
from generator.styles.drawn.spec import DrawnSpec


class DrawnRooms:
    """Rolls rooms of one level again. Enemies, pickups and chests keep what they are."""

    def __init__(self, draft: LevelDraft, _: DrawnSpec, __: str | Path) -> None:
        self._draft = draft

    def make(self, number: int, _: Rolls, __: int) -> NoReturn:
        """Raise NothingElseError: what somebody drew stays."""
        raise NothingElseError(f"room {number}: was drawn by hand, so it stays; roll its markers instead")

    def move(self, number: int, rolls: Rolls, seed: int) -> None:
        """Place enemies, pickups and chests again. Raises NothingElseError if that is impossible."""
        move_markers(self._draft, self._draft.rooms[number], rolls, seed, lambda marker, _: marker)

    def other_kinds(self, room: Room) -> NoReturn:
        """Raise NothingElseError: a room is what somebody drew."""
        raise stays(room, "it was drawn by hand; change it in the drawing")

    def change_doors(self, number: int) -> None:
        """Leave the doors as they were drawn."""
