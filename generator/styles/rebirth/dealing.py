"""Draws the layouts of the `rebirth` style by weights that fall with use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import accumulate

from generator.errors import SpecError
from generator.interiors.pools import SQUARE, Choice, Form, drawn_difficulty
from generator.kinds import Kinds
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
    names = tuple(difficulties)
    gone: set[str] = set()
    seen = Counter(spec.memory.layouts)
    used = seen.copy() if spec.is_as_repentance_plus else Counter[str]()
    shows_least_seen = bool(spec.memory.place) and not spec.is_as_repentance_plus
    drawn, decks_of = [], _decks_of(pools, names)
    streams = Stream.numbered(len(plan.rooms), seed, "rebirth.draw", spec.stage)
    for room, needed, stream in zip(plan.rooms, doors, streams, strict=True):
        decks = decks_of(room.kind, room.shape, needed)
        barred = gone if any(not deck.names <= gone for deck in decks.values()) else set[str]()
        deck = decks.get(0)
        if deck is None:
            left = [number for number, deck in decks.items() if not deck.names <= barred]
            deck = decks[drawn_difficulty(left, difficulties, stream)]
        if shows_least_seen:
            least = min(seen[name] for name in deck.names)
            barred = {name for name in deck.names if seen[name] > least}
        choice = deck.draw(barred, used, stream)
        used[choice.name] += 1
        seen[choice.name] += 1
        if len(room.cells) > 1 and not shows_least_seen and stream.chance(_GONE_PERCENT, 100):
            gone.add(choice.name)
        drawn.append(choice)
    return drawn


class _WeightedDeck:
    """The layouts that a room may get, from which it draws by weight."""

    def __init__(self, choices: Sequence[Choice], doors: frozenset[Slot]) -> None:
        self._choices = choices
        self._weights = tuple(max(1, card.weight * _MIN) for card in choices)
        self._totals = tuple(accumulate(self._weights))
        self._exact = dict(_exact(choices, doors))
        self._exact_totals = tuple(accumulate(map(self._weights.__getitem__, self._exact)))
        self._numbers = {choice.name: number for number, choice in enumerate(choices)}
        self.names = self._numbers.keys()

    def draw(self, barred: Set[str], used: Mapping[str, int], stream: Stream) -> Choice:
        """Draw by weight, sometimes only among those with the needed doors and no others.

        None that is `barred` is drawn; each time a layout was `used` its weight falls to a tenth. The more
        weight the exact ones have, the likelier that is: their share times 9.99, against a number below 1.
        Takes two words.
        """
        totals, exact_totals = self._totals, self._exact_totals
        lighter, without = self.names & used.keys(), self.names & barred
        if lighter or without:
            weights = list(self._weights)
            for name in lighter:
                number = self._numbers[name]
                weights[number] = max(1, weights[number] // 10 ** used[name])
            for name in without:
                weights[self._numbers[name]] = 0
            totals = tuple(accumulate(weights))
            exact_totals = tuple(accumulate(map(weights.__getitem__, self._exact)))
        part = exact_totals[-1] if exact_totals else 0
        if part * _EXACT[0] > totals[-1] * _EXACT[1] * stream.below(1 << 32) >> 32:
            return tuple(self._exact.values())[stream.drawn_place(exact_totals)]
        return self._choices[stream.drawn_place(totals)]


def _exact(choices: Iterable[Choice], doors: frozenset[Slot]) -> Iterator[tuple[int, Choice]]:
    """Yield the numbers of the layouts with these doors and no others, with the images that match."""
    for number, choice in enumerate(choices):
        if len(choice.layout.doors) == len(doors):
            mirrors = tuple(mirror for mirror in choice.mirrors if choice.layout.slots(mirror) == doors)
            if mirrors:
                yield number, choice._replace(mirrors=mirrors)


_Decks = Mapping[int, _WeightedDeck]
"""The decks of a kind and a form: 0, or one of each difficulty if there are several."""


@lru_cache(maxsize=64)
def _decks_of(
    pools: LevelPools, difficulties: tuple[str, ...]
) -> Callable[[str, str, frozenset[Slot]], _Decks]:
    """Return a function that makes the decks of a kind, a shape and doors.

    To look up pools takes long, so levels do it once.
    """

    @lru_cache(maxsize=4096)
    def decks(kind: str, shape: str, doors: frozenset[Slot]) -> _Decks:
        pool = pools.choices(kind, difficulties, Form(shape, doors))
        parts = pool.by_difficulty if kind == "normal" and len(pool.by_difficulty) > 1 else {0: pool}
        return {difficulty: _WeightedDeck(part, doors) for difficulty, part in parts.items()}

    return decks


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
