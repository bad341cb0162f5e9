"""Facts about saved levels: nothing is generated again, which a newer version might do otherwise."""

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
    """What facts ask of a floorplan, of a finished level; how often it was tried is not known."""

    rooms: tuple[Room, ...]
    connections: tuple[tuple[int, int], ...]
    extent: Point
    facts: Mapping[str, Property]
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
    def plan(self) -> Plan:
        """The level's rooms, as facts look at them."""
        level = self._level
        places = [cell for room in level.rooms for cell in room.cells]
        if level.grid and places:
            xs, ys = zip(*places, strict=True)
            size = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        else:
            size = level.width, level.height
        return cast(Plan, _SavedPlan(level.rooms, tuple(connections(level)), size, level.facts))
