"""Deals the layouts of the `isaac` style like cards, with one deck for each kind of room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice

from generator.interiors.pools import Choice, ChoiceDeck, ChoicePool, by_times_seen, deal, drawn_difficulty
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

    Normal rooms first draw one of the difficulties that have layouts left, by its share. In a run, the
    layouts that it has shown least come first. A room depends neither on rooms of other kinds nor on its
    doors: only layouts with all doors are dealt.
    """
    shares = difficulties_of(spec, str(plan.facts["curse"]))
    seen = Counter(spec.memory.layouts)
    choices_of = _choices_of(pools, tuple(shares))
    dealt: dict[str, Iterator[Choice]] = {}
    for kind, count in Counter(room.kind for room in plan.rooms).items():
        choices = choices_of(kind)
        stream = Stream(seed, f"isaac.deal.{kind}", spec.stage)
        if kind == "normal":
            dealt[kind] = islice(_by_difficulty(choices, shares, stream, seen), count)
        else:
            dealt[kind] = iter(deal(choices, count, stream, seen))
    return [next(dealt[room.kind]) for room in plan.rooms]


@lru_cache(maxsize=64)
def _choices_of(pools: LevelPools, difficulties: tuple[str, ...]) -> Callable[[str], ChoicePool]:
    """Return a function that lists the layouts of a kind. To look up pools takes long: levels do it once."""
    return cache(lambda kind: pools.choices(kind, difficulties))


def _by_difficulty(
    pool: ChoicePool, shares: Mapping[str, int], stream: Stream, seen: Mapping[str, int]
) -> Iterator[Choice]:
    """Deal normal layouts without end. Each takes two words, however many follow."""
    decks: dict[int, list[ChoiceDeck]] = {}  # by difficulty: those that were seen least are the last deck
    while True:
        if not decks:
            decks = {
                difficulty: list(map(ChoiceDeck, by_times_seen(part, seen)))
                for difficulty, part in pool.by_difficulty.items()
            }
        difficulty = drawn_difficulty(decks, shares, stream)
        yield decks[difficulty][-1].draw(stream)
        if not decks[difficulty][-1]:
            decks[difficulty].pop()
        if not decks[difficulty]:
            del decks[difficulty]
