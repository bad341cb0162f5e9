"""Facts about saved levels: nothing is generated again, which a newer version might do otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple, cast

from generator.batch.facts import Subject
from generator.geometry import Point
from generator.level import Level, Property, Room
from generator.pipeline import AnyPlan


class _Plan(NamedTuple):
    """What facts ask of a floorplan, of a finished level; how often it was tried is not known."""

    rooms: tuple[Room, ...]
    facts: Mapping[str, Property]
    size: Point
    tries: None = None


class SavedSubject(Subject):
    """A finished level to ask about."""

    def __init__(self, level: Level) -> None:
        super().__init__(level.spec, level.seed)
        self._level = level

    @cached_property
    def level(self) -> Level:
        """The level as it was saved."""
        return self._level

    @cached_property
    def plan(self) -> AnyPlan:
        """The level's rooms, as facts look at them."""
        level = self._level
        places = [cell for room in level.rooms for cell in room.cells]
        if level.grid and places:
            xs, ys = zip(*places, strict=True)
            size = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        else:
            size = level.width, level.height
        return cast(AnyPlan, _Plan(level.rooms, level.facts, size))

    @cached_property
    def ways(self) -> list[tuple[int, int]]:
        """Pairs of rooms that a door that is not secret, or a hallway, joins."""
        doors = self._level.doors
        found = [door.rooms for door in doors if door.kind != "secret"]
        joined = [(a, b) for a, b in found if b is not None]
        halls = [
            (doors[one].rooms[0], doors[two].rooms[0]) for one, two in (h.doors for h in self._level.hallways)
        ]
        return [*joined, *halls]
