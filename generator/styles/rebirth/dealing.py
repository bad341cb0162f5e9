"""Draws the layouts of the `rebirth` style by weights that fall with use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate

from generator.errors import SpecError
from generator.interiors.pools import SQUARE, Choice, Form, drawn_difficulty, least_seen
from generator.kinds import Kinds
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.shapes import Slot
from generator.styles.grid.floorplan import Floorplan
from generator.styles.grid.pools import LevelPools
from generator.styles.rebirth.drawn_shapes import game_rooms
from generator.styles.rebirth.spec import RebirthSpec
from generator.styles.rebirth.special_rooms import difficulties_of

_MIN = 10**7  # a weight is divided by at most this: the game's 1e-7
_EXACT = 999, 100  # the game's 9.99
_GONE_PERCENT = 95


def choose_layouts(
    spec: RebirthSpec, plan: Floorplan, pools: LevelPools, doors: Sequence[frozenset[Slot]], seed: int
) -> list[Choice]:
    """Draw a layout by weight for each room, among those with the doors that it needs.

    Normal rooms first draw one of the difficulties that have a layout of their form left, by its share.
    A layout's weight falls to a tenth each time (isaac-facts 4.8); a layout of several cells is removed from
    the pool 95 times in 100 (isaac-article, "Rebirth"), unless the pool would be empty. In a run only those
    that it has shown least are drawn; where the game's program decides, the weights have fallen for each time
    that the run has shown a layout instead, as both programs have it.
    """
    difficulties = difficulties_of(spec, str(plan.facts["curse"]))
    large, narrow = spec.large_bosses > 0, spec.narrow_rooms > 0
    if spec.shapes == "game":
        _require_shapes(pools, tuple(difficulties), large, narrow, plan.kinds)
    shares = tuple(difficulties.items())
    gone: set[str] = set()
    seen = Counter(spec.memory.layouts)
    used = seen.copy() if spec.is_as_repentance_plus else Counter[str]()
    shows_least_seen = bool(spec.memory.place) and not spec.is_as_repentance_plus
    drawn = []
    streams = Stream.numbered(len(plan.rooms), seed, "rebirth.draw", spec.stage)
    for room, needed, stream in zip(plan.rooms, doors, streams, strict=True):
        deck = _deck(pools, room.kind, shares, Form(room.shape, needed))
        left: Sequence[int] = deck.all
        if not shows_least_seen and not gone.isdisjoint(deck.numbers):
            left = [number for number in deck.all if deck.choices[number].name not in gone] or deck.all
        if deck.difficulties:
            of = deck.difficulties
            difficulty = drawn_difficulty({of[number] for number in left}, difficulties, stream)
            left = [number for number in left if of[number] == difficulty]
        if shows_least_seen:
            left = [
                deck.numbers[choice.name]
                for choice in least_seen([deck.choices[number] for number in left], seen)
            ]
        choice = _draw(deck, left, used, stream)
        used[choice.name] += 1
        seen[choice.name] += 1
        if len(room.cells) > 1 and stream.chance(_GONE_PERCENT, 100):
            gone.add(choice.name)
        drawn.append(choice)
    return drawn


class _WeightedDeck(NamedTuple):
    """The layouts that a room may get, their weights, the number of each by name, and all numbers.

    `exact` are those with the needed doors and no others: the number, and the images that match.
    `difficulties` has that of each layout, if there are several to draw from.
    """

    choices: tuple[Choice, ...]
    weights: tuple[int, ...]
    numbers: Mapping[str, int]
    all: Sequence[int]
    exact: Mapping[int, Choice]
    difficulties: Sequence[int]


@lru_cache(maxsize=4096)
def _deck(
    pools: LevelPools, kind: str, difficulties: tuple[tuple[str, int], ...], form: Form
) -> _WeightedDeck:
    """Make the deck of a kind and a form. `difficulties` are the names and shares for normal rooms."""
    choices = pools.choices(kind, tuple(name for name, _ in difficulties), form)
    found = [choice.difficulty for choice in choices] if kind == "normal" else []
    exact = {}
    for number, choice in enumerate(choices):
        if len(choice.layout.doors) == len(form.doors):
            mirrors = tuple(mirror for mirror in choice.mirrors if choice.layout.slots(mirror) == form.doors)
            if mirrors:
                exact[number] = choice._replace(mirrors=mirrors)
    return _WeightedDeck(
        choices,
        tuple(max(1, card.weight * _MIN) for card in choices),
        {choice.name: number for number, choice in enumerate(choices)},
        range(len(choices)),
        exact,
        found if len(set(found)) > 1 else (),
    )


@lru_cache(maxsize=64)
def _require_shapes(
    pools: LevelPools, difficulties: tuple[str, ...], large_bosses: bool, closets: bool, kinds: Kinds
) -> None:
    """Raise SpecError if a shape has no layouts, whether or not this level has such rooms."""
    for kind, shape in game_rooms(large_bosses, closets, kinds):
        try:
            pools.choices(kind, difficulties, Form(shape, frozenset()))
        except SpecError as error:
            if shape == SQUARE.shape:
                raise
            raise SpecError(f'{error}, or leave this shape out with shapes = "drawn"') from None


def _draw(deck: _WeightedDeck, left: Sequence[int], used: Mapping[str, int], stream: Stream) -> Choice:
    """Draw by weight, sometimes only among those with the needed doors and no others.

    `left` are the numbers of the layouts to draw from; each time a layout was `used` its weight falls to a
    tenth. The more weight the exact ones have, the likelier that is: their share times 9.99, against a number
    below 1. Takes two words.
    """
    weights: Sequence[int] = deck.weights
    if not used.keys().isdisjoint(deck.numbers):
        weights = list(weights)
        for name in deck.numbers.keys() & used.keys():
            number = deck.numbers[name]
            weights[number] = max(1, weights[number] // 10 ** used[name])
    exact = deck.exact if left is deck.all else [number for number in left if number in deck.exact]
    totals = tuple(accumulate(weights if left is deck.all else [weights[number] for number in left]))
    part = sum([weights[number] for number in exact])
    if part * _EXACT[0] > totals[-1] * _EXACT[1] * stream.below(1 << 32) >> 32:
        numbers = tuple(exact)
        return deck.exact[stream.weighted(numbers, [weights[number] for number in numbers])]
    return deck.choices[left[stream.drawn_place(totals)]]
