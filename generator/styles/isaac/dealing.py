"""Which layout each room of the `isaac` style gets: dealt out like cards, one deck for each kind of room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from generator.interiors.pools import Choice, deal
from generator.rng import Stream
from generator.shapes import Slot
from generator.styles.grid.floorplan import Floorplan
from generator.styles.grid.pools import LevelPools
from generator.styles.isaac.difficulty import difficulties_of
from generator.styles.isaac.spec import IsaacSpec


def deal_layouts(
    spec: IsaacSpec, plan: Floorplan, pools: LevelPools, doors: Sequence[frozenset[Slot]], seed: int
) -> list[Choice]:
    """Deal the rooms of each kind their layouts, so that none comes twice before all have come.

    In a run those come first that it has shown least. No room depends on those of other kinds, nor on its
    doors: only layouts that have all doors are dealt.
    """
    difficulties = tuple(difficulties_of(spec, str(plan.facts["curse"])))
    seen = Counter(spec.memory.layouts)
    dealt: dict[str, Iterator[Choice]] = {}
    for kind, count in Counter(room.kind for room in plan.rooms).items():
        choices = pools.choices(kind, difficulties)
        dealt[kind] = iter(deal(choices, count, Stream(seed, f"isaac.deal.{kind}", spec.stage), seen))
    return [next(dealt[room.kind]) for room in plan.rooms]
