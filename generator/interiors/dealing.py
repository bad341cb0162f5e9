"""Which layout each room gets: dealt out (`isaac`), or drawn by weights that fall with use (`rebirth`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from generator.floorplans.floorplan import Floorplan
from generator.geometry import Point
from generator.interiors.chapters import Chapter, difficulties_of
from generator.interiors.difficulty import window
from generator.interiors.own_layouts import OwnLayouts
from generator.interiors.passage import ONE_TILE, Passage
from generator.interiors.pools import SQUARE, Choice, Form, deal, normal_choices, special_choices
from generator.kinds import DIFFICULTIES
from generator.rng import Stream
from generator.shapes import LARGE_BOSSES, SHAPES, Slot
from generator.spec import IsaacSpec, RebirthSpec

_LEAST = 10**7  # how many times less a weight becomes at most: the game's 1e-7
_EXACT = 999, 100  # the game's 9.99
_GONE_PERCENT = 95


class Pools(NamedTuple):
    """Where a level's layouts come from, the size of its cells, and who has to get through."""

    chapter: Chapter
    pitch: Point
    own: OwnLayouts
    passage: Passage = ONE_TILE

    def choices(self, kind: str, difficulties: tuple[str, ...], form: Form = SQUARE) -> tuple[Choice, ...]:
        """The layouts for rooms of a kind and a form; `difficulties` are those of normal rooms."""
        if kind == "normal":
            return normal_choices(self.chapter, difficulties, self.pitch, self.own, form, self.passage)
        return special_choices(kind, self.pitch, self.own, form, self.passage)


def deal_layouts(
    spec: IsaacSpec, plan: Floorplan, pools: Pools, doors: Sequence[frozenset[Slot]], seed: int
) -> list[Choice]:
    """Deal the rooms of each kind their layouts, so that none comes twice before all have come.

    No room depends on those of other kinds, nor on its doors: only layouts that have all doors are dealt.
    """
    difficulties = difficulties_of(spec, str(plan.facts["curse"]))
    dealt: dict[str, Iterator[Choice]] = {}
    for kind, count in Counter(room.kind for room in plan.rooms).items():
        choices = pools.choices(kind, difficulties)
        dealt[kind] = iter(deal(choices, count, Stream(seed, f"isaac.deal.{kind}")))
    return [next(dealt[room.kind]) for room in plan.rooms]


def draw_layouts(
    spec: RebirthSpec, plan: Floorplan, pools: Pools, doors: Sequence[frozenset[Slot]], seed: int
) -> list[Choice]:
    """Draw each room a layout by weight, among those that have the doors that it needs.

    A layout's weight falls to a tenth each time (isaac-facts 4.8); that of a room of several cells is gone
    from the pool, 95 times in 100 (isaac-article, "Rebirth"), unless the pool would be empty.
    """
    difficulties = window(spec, str(plan.facts["curse"]))
    _require_shapes(pools, tuple(difficulties), spec.large_bosses > 0)
    shares = {DIFFICULTIES[name]: share for name, share in difficulties.items()}
    used: Counter[str] = Counter()
    gone: set[str] = set()
    drawn = []
    for number, (room, needed) in enumerate(zip(plan.rooms, doors, strict=True)):
        every = pools.choices(room.kind, tuple(difficulties), Form(room.shape, needed))
        choices = [choice for choice in every if choice.name not in gone] or every
        stream = Stream(seed, "rebirth.draw", number)
        choice = _draw(choices, [_weight(each, shares, used) for each in choices], needed, stream)
        used[choice.name] += 1
        if stream.chance(_GONE_PERCENT, 100) and len(room.cells) > 1:
            gone.add(choice.name)
        drawn.append(choice)
    return drawn


@lru_cache(maxsize=64)
def _require_shapes(pools: Pools, difficulties: tuple[str, ...], large_bosses: bool) -> None:
    """Raise SpecError if a shape has no layouts, whether this level has such rooms or not."""
    for shape in SHAPES:
        pools.choices("normal", difficulties, Form(shape, frozenset()))
    for shape in LARGE_BOSSES if large_bosses else ():
        pools.choices("boss", difficulties, Form(shape, frozenset()))


def _weight(choice: Choice, shares: Mapping[int, int], used: Mapping[str, int]) -> int:
    weight: int = choice.layout.weight * shares.get(choice.difficulty, 1) * _LEAST
    return max(1, weight // int(10 ** used.get(choice.name, 0)))


def _draw(
    choices: Sequence[Choice], weights: Sequence[int], needed: frozenset[Slot], stream: Stream
) -> Choice:
    """Draw by weight; now and then only among those that have the doors needed and no others.

    The more weight these have, the likelier: their share times 9.99, against a number below 1. Two words.
    """
    exact = []
    for choice, weight in zip(choices, weights, strict=True):
        if len(choice.layout.doors) != len(needed):
            continue
        mirrors = tuple(mirror for mirror in choice.mirrors if choice.layout.slots(mirror) == needed)
        if mirrors:
            exact.append((choice._replace(mirrors=mirrors), weight))
    part, whole = sum(weight for _, weight in exact), sum(weights)
    if part * _EXACT[0] > whole * _EXACT[1] * stream.below(1 << 32) >> 32:
        choices, weights = zip(*exact, strict=True)
    return stream.weighted(choices, weights)
