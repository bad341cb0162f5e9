"""Facts about saved levels, without generating them again: a newer version might make other levels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple, cast

from generator.batch.facts import Subject
from generator.checks.base import connections
from generator.geometry import Point
from generator.level import Level, Property, Room
from generator.styles.base import Plan


class _SavedPlan(NamedTuple):
    """A finished level's data in the form of a floorplan, for facts. The number of tries is unknown."""

    rooms: tuple[Room, ...]
    connections: tuple[tuple[int, int], ...]
    extent: Point
    facts: Mapping[str, Property]
    tries: None = None


class SavedSubject(Subject):
    """A finished level as a subject of facts."""

    def __init__(self, level: Level) -> None:
        super().__init__(level.spec, level.seed)
        self._level = level

    @cached_property
    def level(self) -> Level:
        """The level as it was saved."""
        return self._level

    @cached_property
    def plan(self) -> Plan:
        """The level's rooms in the form of a floorplan."""
        level = self._level
        places = [cell for room in level.rooms for cell in room.cells]
        if level.grid and places:
            xs, ys = zip(*places, strict=True)
            size = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        else:
            size = level.width, level.height
        return cast(Plan, _SavedPlan(level.rooms, tuple(connections(level)), size, level.facts))
