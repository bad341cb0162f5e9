"""Which layout each room gets: dealt out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.errors import SpecError
from generator.floorplans.floorplan import Floorplan
from generator.geometry import Point
from generator.interiors.chapters import Chapter, difficulties_of
from generator.interiors.own_layouts import OwnLayouts
from generator.interiors.pools import Choice, deal, normal_choices, special_choices
from generator.rng import Stream
from generator.shapes import SHAPES, Slot
from generator.spec import IsaacSpec


class Pools(NamedTuple):
    """Where a level's layouts come from, and the size of its cells."""

    chapter: Chapter
    pitch: Point
    own: OwnLayouts


def deal_layouts(
    spec: IsaacSpec, plan: Floorplan, pools: Pools, doors: Sequence[frozenset[Slot]], seed: int
) -> list[Choice]:
    """Deal the rooms of each kind their layouts, so that none comes twice before all have come.

    No room depends on those of other kinds, nor on its doors: only layouts that have all doors are dealt.
    """
    difficulties = difficulties_of(spec, str(plan.facts["curse"]))
    dealt: dict[str, Iterator[Choice]] = {}
    for kind, count in Counter(room.kind for room in plan.rooms).items():
        if kind == "normal":
            choices = normal_choices(pools.chapter, difficulties, pools.pitch, pools.own)
        else:
            choices = special_choices(kind, pools.pitch, pools.own)
        complete = list(fitting(choices, kind, "1x1", frozenset(SHAPES["1x1"].slots.values())))
        dealt[kind] = iter(deal(complete, count, Stream(seed, f"isaac.deal.{kind}")))
    return [next(dealt[room.kind]) for room in plan.rooms]


def fitting(choices: Sequence[Choice], kind: str, shape: str, needed: frozenset[Slot]) -> Iterator[Choice]:
    """The choices with the mirror images that have all doors needed. Raises SpecError if there are none."""
    slots = SHAPES[shape].slots
    nothing = True
    for choice in choices:
        mirrors = choice.mirrors
        if len(choice.layout.doors) < len(slots):
            mirrors = tuple(mirror for mirror in mirrors if needed <= choice.layout.slots(mirror))
        if mirrors:
            nothing = False
            yield choice._replace(mirrors=mirrors)
    if nothing:
        doors = " ".join(name for name, slot in slots.items() if slot in needed)
        raise SpecError(
            f"layouts: none for {kind} rooms of shape {shape} has the doors {doors}; draw one that has all"
        )
