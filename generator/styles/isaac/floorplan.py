"""The 2011 game's floorplans, after Boris the Brave: "Dungeon Generation in Binding of Isaac" (2020).

A tree of rooms grows on the board (`growth_kernel`), the labyrinth adds to it, end rooms become special
(`plan_kernel`), and a plan that breaks a rule is thrown away. Tries are counted, never timed.

How often a try fails, in percent of all tries (`tests/benchmarks/isaac_tries.py`):

                                 stage 1    3    6    9   12    labyrinth 1    3    6    9   12
    too few rooms grew              25.1 46.8 73.6 93.1 99.4           29.9 45.3 73.8 93.3 99.4
    too few end rooms               10.1  0.4  0.0  0.0  0.0           58.5 19.1  0.2  0.0  0.0
    no place for a secret room       2.5  0.6  0.0  0.0  0.0            3.0  6.9  6.3  2.2  0.1
    no place for a second boss                                          0.9  3.0  3.3  1.3  0.2
    no place for a further room                                         6.5  2.6  0.3  0.0  0.0
    boss beside the start            0.0  0.0  0.1  0.0  0.0            0.0  0.0  0.2  0.0  0.0
    mean tries per floorplan         1.6  1.9  3.8 14.5  178             83  4.3  6.3   32  419
    most of 1,000 seeds                7   11   29   91 2023            214   27   53  249 2782
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from itertools import repeat

from generator.errors import GenerationFailed
from generator.geometry import Rect
from generator.rng import name_key
from generator.styles.grid.floorplan import Floorplan, PlannedRoom
from generator.styles.grid.gates import NO_WAYS_BACK, PlanDice, lacks_rooms, with_gates
from generator.styles.grid.own_rooms import NoPlaceError, own_streams, with_own_rooms
from generator.styles.grid.spec import CURSES
from generator.styles.grid.special_rooms import door_kinds
from generator.styles.isaac import bulk_kernel, plan_kernel
from generator.styles.isaac.growth_kernel import MADE, Board, new_board
from generator.styles.isaac.spec import IsaacSpec
from generator.styles.isaac.special_rooms import tables_of

_MAX_TRIES = 20_000
_DEMO_FACTOR = 10
_FEWER_WAYS = "fewer one-way doors and shortcuts"
_BOARD = Rect(1, 0, 9, 8)  # the cells that rooms may stand on
# By the number of a try's outcome.
_REASONS = (
    "",
    "too few rooms grew",
    "the boss is beside the start",
    "no place for a second boss room",
    "no place for a further room",
    "fewer end rooms than special rooms",
    "no place for a secret room",
)


def draw_curse(spec: IsaacSpec, seed: int) -> str:
    """Return the spec's curse, or the one that a level of this seed draws."""
    if spec.curse != "random":
        return spec.curse
    return CURSES[bulk_kernel.draw_curse(seed, name_key("isaac.curse"), spec.stage, spec.hard)]


def most_tries(spec: IsaacSpec) -> int:
    """Return after how many tries a floorplan fails. Large ones as in the article's demo grow rarely."""
    return _MAX_TRIES * (_DEMO_FACTOR if spec.secret_room == "demo" else 1)


def floorplan(spec: IsaacSpec, seed: int) -> Floorplan:
    """Find the first floorplan that keeps every rule. Raises GenerationFailed after too many tries."""
    search, reasons, most = _PlanSearch(spec, seed), Counter[str](), most_tries(spec)
    if spec.plan.asks and (hopeless := search.hopeless()):
        raise GenerationFailed("floorplan", 0, f"{hopeless}; {_remedy(spec, _FEWER_WAYS)}", seed)
    while search.tries < most:
        outcome = search.on(most)
        if isinstance(outcome, Floorplan):
            return outcome
        if outcome not in _REASONS:
            reasons[outcome] += 1  # the kit's rule that found no place
    for number, reason in enumerate(_REASONS):
        if number != MADE:
            reasons[reason] += search.state[plan_kernel.COUNTS + number]
    raise no_floorplan(spec, seed, reasons)


def tries(spec: IsaacSpec, seed: int) -> Iterator[Floorplan | str]:
    """Yield an endless sequence of tries: each a floorplan, or the reason why it failed."""
    search = _PlanSearch(spec, seed)
    while True:
        yield search.on(search.tries + 1)


def no_floorplan(spec: IsaacSpec, seed: int, reasons: Counter[str]) -> GenerationFailed:
    """Make the error for a seed whose tries all failed, for these reasons."""
    why_not = [f"{reason} ({count} times)" for reason, count in reasons.most_common() if count]
    lacks_way_back = bool(reasons) and reasons.most_common(1)[0][0] in NO_WAYS_BACK
    remedy = _remedy(spec, _FEWER_WAYS if lacks_way_back else "less")
    return GenerationFailed("floorplan", most_tries(spec), f"{'; '.join(why_not)}; {remedy}", seed)


def _remedy(spec: IsaacSpec, less: str) -> str:
    other = f"for another {'number of rooms' if spec.rooms else 'stage'}"
    return f"ask for {less} in plan, or {other}" if spec.plan.asks else f"ask {other}"


class _PlanSearch:
    """A search for a floorplan, try by try."""

    def __init__(self, spec: IsaacSpec, seed: int) -> None:
        self._seed, self._stage, self._curse = seed, spec.stage, draw_curse(spec, seed)
        self._rules = spec.plan
        self._kinds = spec.load_kit().kinds
        self._spec_tables = tables_of(spec, self._curse == "labyrinth")
        self._board = new_board()
        self.state = new_state()
        plan_kernel.begin_search(seed, self._spec_tables.tables, self.state)

    @property
    def tries(self) -> int:
        """How many tries there were."""
        return self.state[plan_kernel.TRIES]

    def hopeless(self) -> str:
        """Say why no floorplan can have what the plan asks for. Empty if one may."""
        if self._spec_tables.later:  # these may add rooms of any kind
            return ""
        rooms = self.state[plan_kernel.ALL_ROOMS] - 1 - len(self._spec_tables.tables.always)  # 1: the boss
        return lacks_rooms(self._rules, PlanDice(self._seed, self._stage, 0), rooms)

    def on(self, most: int) -> Floorplan | str:
        """Return the next floorplan, or why a kit's rule rejected one or the last of `most` tries failed."""
        outcome = plan_kernel.search_on(self._seed, self._spec_tables.tables, self.state, self._board, most)
        if outcome != MADE:
            return _REASONS[outcome]
        rooms = _rooms(self._board, self.state[plan_kernel.PLACED], self._spec_tables.kinds)
        doors = door_kinds(self._stage, self._kinds)
        plan = Floorplan(rooms, doors, {"curse": self._curse}, self.tries, self._kinds)
        if not (self._spec_tables.later or self._rules.asks):
            return plan
        try:
            rules = own_streams(self._spec_tables.later, self._seed, self._stage, plan.tries - 1)
            plan = with_own_rooms(plan, rules, _BOARD)
            dice = PlanDice(self._seed, self._stage, plan.tries - 1)
            return with_gates(plan, self._rules, dice, _BOARD)
        except NoPlaceError as reason:
            return str(reason)


def new_state() -> array[int]:
    """Make the state of a search before it begins."""
    return array("q", bytes(8 * plan_kernel.SEARCH))


# Shared values: the cells of a room by its cell, and distances as rooms store them.
_CELLS_OF = tuple(((number % 10, number // 10),) for number in range(100))
_DISTANCES = (*range(plan_kernel.NO_DISTANCE), None)


def _rooms(board: Board, placed: int, kinds: tuple[str, ...]) -> tuple[PlannedRoom, ...]:
    """List the rooms on a board, in the order of their numbers."""
    fields = zip(
        map(kinds.__getitem__, board.kinds[:placed]),
        repeat("1x1"),
        map(_CELLS_OF.__getitem__, board.cells[:placed]),
        map(_DISTANCES.__getitem__, board.distances[:placed]),
        board.depths[:placed],
        strict=False,
    )
    return tuple(map(tuple.__new__, repeat(PlannedRoom), fields))
