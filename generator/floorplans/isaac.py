"""The 2011 game's floorplans, after Boris the Brave: "Dungeon Generation in Binding of Isaac" (2020).

A tree of rooms grows on the board (`isaac_growth`), the labyrinth adds to it, end rooms become special,
and a plan that breaks a rule is thrown away: counted, never timed.

How often a try fails, in percent of all tries (`tests/benchmarks/isaac_tries.py`):

                                 stage 1    3    6    9   12    labyrinth 1    3    6    9   12
    too few rooms grew              25.1 46.8 73.6 93.1 99.4           29.9 45.3 73.8 93.3 99.4
    too few end rooms               10.1  0.4  0.0  0.0  0.0           58.5 19.1  0.2  0.0  0.0
    no place for a secret room       2.5  0.6  0.0  0.0  0.0            3.0  6.9  6.3  2.2  0.1
    no place for a second boss                                          0.9  3.0  3.3  1.3  0.2
    no place for a further room                                         6.5  2.6  0.3  0.0  0.0
    boss beside the start            0.0  0.0  0.1  0.0  0.0            0.0  0.0  0.2  0.0  0.0
    tries a floorplan, mean          1.6  1.9  3.8 14.5  178             83  4.3  6.3   32  419
    most of 1,000 seeds                7   11   29   91 2023            214   27   53  249 2782
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice

from generator.errors import GenerationFailed
from generator.floorplans.floorplan import Floorplan, PlannedRoom
from generator.floorplans.isaac_growth import (
    START,
    STEPS,
    Growth,
    Rejected,
    add_room,
    coins_needed,
    find_secret_cell,
    grow,
    is_dead_end,
)
from generator.floorplans.special_rooms import SpecialRoom, door_kinds, special_rooms
from generator.rng import Stream
from generator.spec import IsaacSpec

_MOST_TRIES = 20_000
_FURTHEST_ENDS = 6  # under the labyrinth only so many end rooms become special
_LABYRINTH_MOST = 45  # rooms
_LOOSEN_AFTER = 25  # labyrinths with too few end rooms; then growth places one room more
_FEW_ENDS = "fewer end rooms than special rooms"


def enlarge(plan: Growth, rooms: int, stream: Stream) -> int:
    """Make a labyrinth of `plan`: a second boss room behind the first, then normal rooms up to `rooms`.

    Normal rooms are placed like secret rooms, away from all end rooms; where that fails, only away from
    the furthest ones, which become special. Returns the cell of the second boss room, which touches the
    first alone; the end rooms become the furthest six.
    """
    boss = plan.ends[-1]
    behind = [boss + step for step in STEPS if plan.crowding[boss + step] == 1]
    if not behind:
        raise Rejected("no place for a second boss room")
    second_boss = stream.pick(behind)
    add_room(plan, second_boss)
    every_end = [*plan.ends, second_boss]
    depths = depths_of(plan.parents)
    plan.ends[:] = [*sorted(plan.ends[:-1], key=depths.__getitem__)[1 - _FURTHEST_ENDS :], boss]
    special_ends = [*plan.ends, second_boss]
    while len(plan.parents) < rooms:
        try:
            cell = find_secret_cell(plan, every_end, stream)
        except Rejected:
            every_end = special_ends  # an end room that stays normal need not stay an end
            try:
                cell = find_secret_cell(plan, every_end, stream)
            except Rejected:
                raise Rejected("no place for a further room") from None
        add_room(plan, cell)
    return second_boss


def assign_kinds(
    plan: Growth, second_boss: int, table: Sequence[SpecialRoom], stream: Stream
) -> dict[int, str]:
    """Give the end rooms their kinds, and place the secret rooms; kinds by cell, without normal rooms.

    The boss takes the last end room, which with a start that came back on the queue need not be the
    furthest. Shop and treasure follow, then the table's rooms by their chance, each at a random end room,
    as far as end rooms go. Under the labyrinth (`second_boss` > 0) shop, treasure and secret room come
    twice. That leaves one of the six end rooms: the first chance room to come takes it, and the optional
    doubles of such rooms are what drops first.
    """
    kinds = {START: "start", plan.ends[-1]: "boss"}
    ends = plan.ends[:-1]
    copies = 1
    if second_boss:
        kinds[second_boss] = "boss"
        copies = 2
    always = ["shop", "treasure"] * copies
    if len(ends) < len(always):
        raise Rejected(_FEW_ENDS)
    for kind in always:
        kinds[_pop_random(ends, stream)] = kind
    rolled = (room.roll(stream) for room in table)
    for kind in [each for each in rolled if each][: len(ends)]:
        kinds[_pop_random(ends, stream)] = kind
    for _ in range(copies):
        _add_secret_room(plan, kinds, stream)
    return kinds


def _pop_random(cells: list[int], stream: Stream) -> int:
    return cells.pop(stream.below(len(cells)))


def _add_secret_room(plan: Growth, kinds: dict[int, str], stream: Stream) -> None:
    """Place a secret room beside no room with a single door, the start included, and no special room.

    "Not next to any end rooms": a start with a single door grows none, but is a dead end as they are.
    """
    forbidden = [
        cell for cell in plan.parents if is_dead_end(plan, cell) or (cell in kinds and cell != START)
    ]
    cell = find_secret_cell(plan, forbidden, stream)
    add_room(plan, cell)
    kinds[cell] = "secret"


def rooms_wanted(spec: IsaacSpec, labyrinth: bool, seed: int) -> tuple[int, int]:
    """How many rooms grow as a tree, and how many there are in all (secret rooms not counted).

    `random(2) + 5 + level * 2.6`; the labyrinth has 80 % more, at most 45.
    """
    if spec.rooms and not labyrinth:
        return spec.rooms, spec.rooms
    number = Stream(seed, "isaac.rooms").below(2) + 5 + spec.stage * 26 // 10
    if not labyrinth:
        return number, number
    wanted = spec.rooms or min(_LABYRINTH_MOST, number * 18 // 10)
    return min(number, wanted - 1), wanted


def draw_curse(spec: IsaacSpec, seed: int) -> str:
    """The level's curse. A random one comes 1 time in 5, in hard mode 1 in 3 (isaac-facts 4.3).

    The labyrinth falls on the first stage of a chapter only, before stage 8; another draw of it is none.
    """
    if spec.curse != "random":
        return spec.curse
    stream = Stream(seed, "isaac.curse")
    comes = stream.chance(1, 3 if spec.hard else 5)
    kind = stream.pick(("labyrinth", "lost", "darkness", "unknown", "maze", "blind"))
    if not comes or (kind == "labyrinth" and (spec.stage % 2 == 0 or spec.stage >= 8)):
        return "none"
    return kind


def floorplan(spec: IsaacSpec, seed: int) -> Floorplan:
    """A floorplan that keeps every rule, the first of counted tries. Raises GenerationFailed."""
    reasons: Counter[str] = Counter()
    for outcome in islice(tries(spec, seed), _MOST_TRIES):
        if isinstance(outcome, Floorplan):
            return outcome
        reasons[outcome] += 1
    why = "; ".join(f"{reason} ({count} times)" for reason, count in reasons.most_common())
    remedy = f"ask for another {'number of rooms' if spec.rooms else 'stage'}"
    raise GenerationFailed("floorplan", _MOST_TRIES, f"{why}; {remedy}", seed)


def tries(spec: IsaacSpec, seed: int) -> Iterator[Floorplan | str]:
    """Try after try without end: a floorplan, or the reason why it is none."""
    curse = draw_curse(spec, seed)
    labyrinth = curse == "labyrinth"
    grown_rooms, all_rooms = rooms_wanted(spec, labyrinth, seed)
    table, doors = special_rooms(spec), door_kinds(spec.stage)
    coins = Stream(seed, "isaac.grow")
    too_few_ends = 0
    for number in count():
        plan = grow(grown_rooms, coins.bits(coins_needed(grown_rooms)))
        if len(plan.parents) < grown_rooms:
            yield "too few rooms grew"
        elif not plan.ends or plan.ends[-1] - START in STEPS:
            yield "the boss is beside the start"
        else:
            try:
                second_boss = (
                    enlarge(plan, all_rooms, Stream(seed, "isaac.enlarge", number)) if labyrinth else 0
                )
                kinds = assign_kinds(plan, second_boss, table, Stream(seed, "isaac.special", number))
                yield _finished(plan, kinds, doors, curse, number + 1)
            except Rejected as reason:
                yield str(reason)
                too_few_ends += str(reason) == _FEW_ENDS
                if labyrinth and too_few_ends == _LOOSEN_AFTER:
                    grown_rooms = min(grown_rooms + 1, all_rooms - 1)
                    too_few_ends = 0


def depths_of(parents: Mapping[int, int]) -> dict[int, int]:
    """Each room's depth in the tree that grew it, the start's being 0."""
    depths = {START: 0}
    for cell, parent in parents.items():
        if cell != START:
            depths[cell] = depths[parent] + 1
    return depths


# The cells of a room on each cell, made once: this is what a floorplan has most of.
_CELLS_OF = tuple(((number % 10, number // 10),) for number in range(100))


def _finished(
    plan: Growth, kinds: Mapping[int, str], doors: Mapping[str, str], curse: str, tries: int
) -> Floorplan:
    depths = depths_of(plan.parents)
    distances = _distances(plan.parents, kinds) if curse == "labyrinth" else depths
    rooms = []
    for cell, depth in depths.items():
        kind = kinds.get(cell, "normal")
        distance = None if kind == "secret" else distances[cell]  # in a tree there is but one way
        rooms.append(PlannedRoom(kind, "1x1", _CELLS_OF[cell], distance, depth))
    return Floorplan(tuple(rooms), doors, {"curse": curse}, tries)


def _distances(cells: Iterable[int], kinds: Mapping[int, str]) -> dict[int, int]:
    """Rooms walked from the start, breadth first, by cell; secret rooms are not walked through."""
    unseen = {cell for cell in cells if kinds.get(cell) != "secret"}
    unseen.discard(START)
    distances = {START: 0}
    queue = [START]
    for cell in queue:
        for step in STEPS:
            neighbour = cell + step
            if neighbour in unseen:
                unseen.discard(neighbour)
                distances[neighbour] = distances[cell] + 1
                queue.append(neighbour)
    return distances
