"""Deals the layouts of the `isaac` style like cards, with one deck for each kind of room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from generator.interiors.pools import Choice, deal
from generator.rng import Stream
from generator.shapes import Slot
from generator.styles.grid.floorplan import Floorplan
from generator.styles.grid.pools import LevelPools
from generator.styles.isaac.spec import IsaacSpec
from generator.styles.isaac.special_rooms import difficulties_of


def choose_layouts(
    spec: IsaacSpec, plan: Floorplan, pools: LevelPools, doors: Sequence[frozenset[Slot]], seed: int
) -> list[Choice]:
    """Deal layouts to the rooms of each kind, so that none comes twice before all have come.

    In a run, those that it has shown least come first. A room depends neither on rooms of other kinds nor on
    its doors: only layouts with all doors are dealt.
    """
    difficulties = tuple(difficulties_of(spec, str(plan.facts["curse"])))
    seen = Counter(spec.memory.layouts)
    dealt: dict[str, Iterator[Choice]] = {}
    for kind, count in Counter(room.kind for room in plan.rooms).items():
        choices = pools.choices(kind, difficulties)
        dealt[kind] = iter(deal(choices, count, Stream(seed, f"isaac.deal.{kind}", spec.stage), seen))
    return [next(dealt[room.kind]) for room in plan.rooms]
