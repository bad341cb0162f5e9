"""A style on a grid in a package of its own: a row of rooms with teeth, and a plan of locks."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

from generator import GenerationFailed, Level
from generator.checks.base import Check
from generator.geometry import Rect
from generator.interiors.pools import Choice
from generator.rng import Stream
from generator.shapes import Slot
from generator.styles.base import Style
from generator.styles.grid.build import build_level
from generator.styles.grid.checks import CHECKS
from generator.styles.grid.floorplan import Floorplan, PlannedRoom
from generator.styles.grid.gates import PlanDice, with_gates
from generator.styles.grid.own_rooms import NoPlaceError
from generator.styles.grid.pools import LevelPools
from generator.styles.grid.spec import GatePlan, GridSpec
from generator.styles.grid.special_rooms import door_kinds

_TRIES = 20


@dataclass(frozen=True, kw_only=True)
class CombSpec(GridSpec):
    """A row of rooms, some with a tooth below."""

    style: ClassVar[str] = "comb"
    summary: ClassVar[str] = "a row of rooms with teeth"

    plan: GatePlan = dataclasses.field(default_factory=GatePlan)


def _rooms(stream: Stream) -> tuple[PlannedRoom, ...]:
    """From the start to the east, down at the end, and back below; the boss at the other end."""
    cells = [*((x, 0) for x in range(5)), *((4, y) for y in (1, 2)), *((x, 2) for x in (3, 2, 1))]
    rooms = [
        PlannedRoom("start" if i == 0 else "normal", "1x1", (cell,), i, i) for i, cell in enumerate(cells)
    ]
    rooms.append(PlannedRoom("boss", "1x1", ((0, 2),), 10, 10))
    tooth = stream.pick([1, 2, 3])
    return (*rooms, PlannedRoom("treasure", "1x1", ((tooth, -1),), tooth + 1, tooth + 1))


def _plan(spec: CombSpec, seed: int) -> Floorplan:
    kit = spec.load_kit()
    doors = door_kinds(spec.stage, kit.kinds)
    for attempt in range(_TRIES):
        made = Floorplan(_rooms(Stream(seed, "comb", attempt)), doors, {}, attempt + 1, kit.kinds)
        try:
            return with_gates(made, spec.plan, PlanDice(seed, spec.stage, attempt), Rect(0, -1, 5, 4))
        except NoPlaceError as found:
            reason = str(found)
    raise GenerationFailed("floorplan", _TRIES, reason, seed)


def _choose(
    spec: CombSpec, plan: Floorplan, pools: LevelPools, doors: list[frozenset[Slot]], seed: int
) -> list[Choice]:
    return [
        Stream(seed, "comb.layouts", i).pick(pools.choices(room.kind, ("easy",)))
        for i, room in enumerate(plan.rooms)
    ]


def _build(spec: CombSpec, seed: int, text: str | None, plan: Any) -> Level:
    return build_level(spec, seed, text, plan, _choose)


def _checks() -> tuple[Check, ...]:
    return CHECKS


STYLE = Style("comb", CombSpec.summary, CombSpec, _plan, _build, _checks)
