"""Locks with their keys, one-way doors and shortcuts, put on a finished floorplan.

    S..L..B     a lock L on the only way to some rooms; its key lies in a room that one can reach without it
      ..K

    .....F      a new room N between a far room F and a near one A, which rooms nearer than N lead to anyway:
    .    N      the door between N and A leads only to A (one-way), or is barred until it is opened from N
    A.....      (a shortcut)

Every choice is proved as a flow's is: nobody gets stuck, whatever they do, every room can be reached, and no
lock can be walked around. (J. Dormans, "Adventures in Level Design", 2010.) A floorplan without a place for
what is asked is refused, so that its style tries another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from generator.algorithms.graph import steps_from
from generator.errors import SpecError
from generator.geometry import Point, Rect, Side
from generator.kinds import Kinds
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.shapes import SHAPES
from generator.styles.costs import WITHOUT_KEYS
from generator.styles.grid.floorplan import DoorGate, Floorplan, KeyPlace, Pair, PlannedRoom
from generator.styles.grid.own_rooms import NoPlaceError, free_cells
from generator.styles.grid.spec import GatePlan

if TYPE_CHECKING:
    from generator.algorithms.gated_map import Gate, GatedMap

_STREAM = "plan"
_TRIES = 24  # choices of locks and keys on one floorplan
NO_WAYS_BACK = "no place for a one-way door", "no place for a shortcut"
_LEAST_SAVED = 2  # rooms that a way back must save
# Rooms that are normal or the start: in smaller trees, wherever they turn and begin, no, one or two ways back
# have no place (`test_gates.py` tries all).
_LEAST_ROOMS = 0, 5, 7
_LEAST_BETWEEN = 2  # rooms between two locks that follow each other
_PLAIN = ("normal", "start")
_METALS = ("bronze_key", "silver_key", "gold_key", "iron_key", "copper_key", "jade_key")
_BOSS_KEY, _ALIKE = "boss_key", "small_key"


def lacks_rooms(rules: GatePlan, dice: PlanDice, rooms: int) -> str:
    """Say why no floorplan with at most so many normal rooms, the start included, has place for ways back.

    Empty if one may have. The rooms form a tree, and no other kind of room leads on.
    """
    _, one_ways, shortcuts = dice.counts(rules)
    ways = one_ways + shortcuts
    if rooms >= _LEAST_ROOMS[min(ways, 2)]:
        return ""
    asked = "a one-way door or a shortcut" if ways == 1 else f"{ways} one-way doors and shortcuts"
    return f"{asked} cannot have a place among {rooms} normal rooms"


class PlanDice(NamedTuple):
    """What the dice of a plan are keyed by: the level's seed and stage, and the floorplan's attempt."""

    seed: int
    stage: int
    attempt: int

    def counts(self, rules: GatePlan) -> tuple[int, int, int]:
        """Draw how many locks, one-way doors and shortcuts there are: the same for every attempt."""
        stream = Stream(self.seed, _STREAM, self.stage)
        return (
            stream.between(*rules.locks),
            stream.between(*rules.one_way),
            stream.between(*rules.shortcuts),
        )

    def stream(self) -> Stream:
        """Return the stream of the attempt."""
        return Stream(self.seed, _STREAM, self.stage, self.attempt)


def with_gates(plan: Floorplan, rules: GatePlan, dice: PlanDice, board: Rect) -> Floorplan:
    """Put what the rules ask for on a floorplan. `board` has the cells that rooms may stand on.

    Raises NoPlaceError if the floorplan has no place for it, and SpecError if the kit lacks a kind for it.
    """
    if not rules.asks:
        return plan
    _need_kinds(plan.kinds)
    locks, one_ways, shortcuts = dice.counts(rules)
    stream = dice.stream()
    for number in range(one_ways + shortcuts):
        plan = _with_way_back(plan, board, stream, one_way=number >= shortcuts)
    if locks:
        plan = _with_locks(plan, locks, rules, stream)
    elif plan.gates and not _is_sound(plan):
        raise NoPlaceError("a way back makes the level impossible")
    gates = plan.gates.values()
    counts = {
        "keys": len(plan.keys),
        "locks": sum(bool(gate.needs) for gate in gates),
        "one_ways": sum(gate.into is not None for gate in gates),
        "shortcuts": sum(gate.opens_from is not None for gate in gates),
    }
    return replace(plan, facts={**plan.facts, **counts})


def _need_kinds(kinds: Kinds) -> None:
    lacking = [f"[door.{kind}]" for kind in ("locked", "one_way", "barred") if kind not in kinds.doors]
    lacking += ["[marker.key]"] if "key" not in kinds.markers else []
    if lacking:
        raise SpecError(f"plan: the kit has no {' and '.join(lacking)}; add the rows, or leave out plan")


# --- where one can walk ------------------------------------------------------------------------------


def ways_on(plan: Floorplan, without: Pair | None = None) -> dict[int, list[int]]:
    """List the rooms that can be entered from each room on a first visit, with every key but no secret."""
    ahead: dict[int, list[int]] = {room: [] for room in range(len(plan.rooms))}
    for a, b in dict.fromkeys(plan.connections):
        pair = min(a, b), max(a, b)
        if pair == without:
            continue
        gate = plan.gates.get(pair, _OPEN)
        for here, there in ((a, b), (b, a)):
            if gate.into in (None, there) and gate.opens_from in (None, here):
                ahead[here].append(there)
    return ahead


_OPEN = DoorGate()


# --- ways back: one-way doors and shortcuts ----------------------------------------------------------


class _WayBack(NamedTuple):
    """A free cell beside a far room and nearer ones, and how many rooms it saves on the way back."""

    cell: Point
    far: int
    nearer: tuple[int, ...]
    saves: int


def _with_way_back(plan: Floorplan, board: Rect, stream: Stream, *, one_way: bool) -> Floorplan:
    """Add a room with an open door to a far room and gates to nearer ones. Takes one word."""
    found = list(_ways_back(plan, board))
    if not found:
        raise NoPlaceError(NO_WAYS_BACK[0 if one_way else 1])
    cell, far, nearer, _ = stream.weighted(found, [way.saves for way in found])
    number, first = len(plan.rooms), plan.rooms[min(far, *nearer)]
    distance = (plan.rooms[far].distance or 0) + 1
    room = PlannedRoom("normal", "1x1", (cell,), distance, first.depth + 1)
    gates = {
        (near, number): DoorGate(into=near) if one_way else DoorGate(opens_from=number) for near in nearer
    }
    return replace(plan, rooms=(*plan.rooms, room), gates={**plan.gates, **gates})


def _ways_back(plan: Floorplan, board: Rect) -> Iterator[_WayBack]:
    """Find the free cells beside rooms that one has to walk far between, one of them the furthest."""
    ahead: dict[int, list[int]] = {}
    for cell, beside in free_cells(plan, board):
        if len(beside) < 2 or not all(_takes_door(plan, *door) for door in beside):
            continue
        rooms = {number: plan.rooms[number].distance or 0 for _, number in beside}
        (*nearer, (furthest, far)) = sorted((distance, number) for number, distance in rooms.items())
        if len(rooms) < len(beside) or nearer[-1][0] == furthest:
            continue
        ahead = ahead or ways_on(plan)
        back = steps_from(far, ahead).get(nearer[0][1], 0)
        if back - 2 >= _LEAST_SAVED:
            yield _WayBack(cell, far, tuple(number for _, number in nearer), back - 2)


def _takes_door(plan: Floorplan, side: Side, number: int) -> bool:
    """Check whether a room may be on a way, and have a door on a side."""
    room = plan.rooms[number]
    row = plan.kinds.room(room.kind)
    is_plain = room.kind in _PLAIN and not row.secret and not row.off_the_way and room.distance is not None
    return is_plain and side in SHAPES[room.shape].sides


# --- locks and keys ----------------------------------------------------------------------------------


class _LockPlace(NamedTuple):
    """The only way to some rooms, `behind` it: the rooms that it joins, the near one first."""

    pair: Pair
    near: int
    far: int
    behind: frozenset[int]


def _with_locks(plan: Floorplan, count: int, rules: GatePlan, stream: Stream) -> Floorplan:
    places = list(_lock_places(plan))
    chooser = _LockChooser(plan, rules, places, stream)
    for _ in range(_TRIES if chooser.can_place(count) else 0):
        chosen = chooser.locks(count)
        keys = chooser.keys(chosen) if len(chosen) == count else []
        if len(keys) < count or not all(map(chooser.is_worth_it, chosen)):
            continue
        names = _names(plan, rules, chosen)
        needs = {place.pair: DoorGate((name,)) for place, name in zip(chosen, names, strict=True)}
        lying = [KeyPlace(name, room, rules.keys == "alike") for name, room in zip(names, keys, strict=True)]
        locked = replace(plan, gates={**plan.gates, **needs}, keys=tuple(lying))
        if _is_sound(locked):
            return locked
    raise NoPlaceError(f"no place for {count} lock{'s' if count > 1 else ''} with keys on this side of them")


def _lock_places(plan: Floorplan) -> Iterator[_LockPlace]:
    """Find the connections by a single door that are the only way to the rooms behind them."""
    everywhere = set(steps_from(0, ways_on(plan)))
    for a, b in plan.connections:
        pair = min(a, b), max(a, b)
        if plan.connections.count((a, b)) + plan.connections.count((b, a)) > 1 or pair in plan.gates:
            continue
        behind = everywhere - steps_from(0, ways_on(plan, without=pair)).keys()
        cut_off = [room for room in pair if room in behind]
        if len(cut_off) == 1:
            far = cut_off[0]
            yield _LockPlace(pair, a + b - far, far, frozenset(behind))


class _LockChooser:
    """Chooses which doors are locked, and where their keys lie. The lock on the way to the boss is last."""

    def __init__(
        self, plan: Floorplan, rules: GatePlan, places: Sequence[_LockPlace], stream: Stream
    ) -> None:
        self._plan, self._rules, self._places, self._stream = plan, rules, places, stream
        self._goals = goals_of(plan)
        self._prizes = {
            number
            for number, room in enumerate(plan.rooms)
            if room.kind not in _PLAIN and room.distance is not None
        }
        self._holders = [
            number
            for number, room in enumerate(plan.rooms)
            if room.kind not in WITHOUT_KEYS
            and plan.door_kinds.get(room.kind, "open") == "open"
            and room.distance is not None
            and plan.kinds.room(room.kind).markers.get("key", (0, 1))[1]
        ]
        self._steps = [steps_from(number, ways_on(plan)) for number in range(len(plan.rooms))]
        self._ways = [len(set(ways)) for ways in ways_on(plan).values()]
        self._keys: list[int] = []

    def can_place(self, count: int) -> bool:
        """Check whether there are enough doors and rooms, wherever they are: that is quick."""
        return min(len(self._places), len(self._holders)) >= count

    def locks(self, count: int) -> list[_LockPlace]:
        """Choose doors to lock, in the order in which they can be opened; fewer if there are not enough."""
        before_the_boss = [place for place in self._places if self._goals <= place.behind]
        before_the_boss = before_the_boss or [place for place in self._places if self._goals & place.behind]
        if not before_the_boss:
            return []
        last = self._stream.weighted(
            before_the_boss, [self._distance(place.far) for place in before_the_boss]
        )
        chosen = [last]
        while len(chosen) < count:
            free = [place for place in self._places if self._is_free(place, last, chosen)]
            weights = [self._worth(place) for place in free]
            if not any(weights):
                return []
            chosen.append(self._stream.weighted(free, weights))
        return [*sorted(chosen[1:], key=lambda place: (self._distance(place.far), place.pair)), last]

    def _distance(self, room: int) -> int:
        return self._plan.rooms[room].distance or 0

    def _is_free(self, place: _LockPlace, last: _LockPlace, chosen: Sequence[_LockPlace]) -> bool:
        """Check whether a lock is not behind the last one, and apart from those before and behind it."""
        apart = all(
            len(place.behind ^ other.behind) >= _LEAST_BETWEEN
            for other in chosen
            if place.behind & other.behind
        )
        return place.far not in last.behind and apart

    def _worth(self, place: _LockPlace) -> int:
        """Weigh a lock: best is one with something special behind it."""
        if place.behind & self._prizes:
            return 3
        return int(self._rules.in_sequence and not place.behind.isdisjoint(self._holders))

    def keys(self, locks: Sequence[_LockPlace]) -> list[int]:
        """Choose a room for the key of each lock; fewer if there is none for one."""
        self._keys = []
        for number, lock in enumerate(locks):
            before = locks[:number]
            rooms = [room for room in self._holders if self._may_lie(room, lock, locks, before)]
            far = [room for room in rooms if self._steps[room].get(lock.near, 0) > 1]
            if not rooms:
                break
            rooms = far or rooms
            self._keys.append(self._stream.weighted(rooms, [self._hidden(room, before) for room in rooms]))
        return self._keys

    def _may_lie(
        self, room: int, lock: _LockPlace, locks: Sequence[_LockPlace], before: Sequence[_LockPlace]
    ) -> bool:
        """Check whether a lock's key may lie in a room: behind only the locks before it, and not at it."""
        passed = [place for place in locks if room in place.behind]
        in_order = all(place in before for place in passed)
        follows = not self._rules.in_sequence or not before or before[-1] in passed
        return in_order and follows and room != lock.near and room not in self._keys

    def _hidden(self, room: int, before: Sequence[_LockPlace]) -> int:
        """Weigh a room for a key: best are dead ends, special rooms, and rooms behind other locks."""
        passed = sum(room in place.behind for place in before)
        return 1 + 6 * (self._ways[room] == 1) + 2 * (room in self._prizes) + 3 * passed

    def is_worth_it(self, lock: _LockPlace) -> bool:
        """Check whether something is behind a lock: the goal, a special room, or a key."""
        return not lock.behind.isdisjoint(self._goals | self._prizes | set(self._keys))


def _names(plan: Floorplan, rules: GatePlan, locks: Sequence[_LockPlace]) -> list[str]:
    """Name the keys of locks."""
    if rules.keys == "alike":
        return [_ALIKE] * len(locks)
    is_boss = any(plan.rooms[room].kind == "boss" for room in locks[-1].behind)
    return [*_METALS[: len(locks) - 1], _BOSS_KEY if is_boss else _METALS[len(locks) - 1]]


# --- the proof ---------------------------------------------------------------------------------------


def goals_of(plan: Floorplan) -> frozenset[int]:
    """Return the rooms of bosses, or the furthest room if there is none."""
    bosses = {number for number, room in enumerate(plan.rooms) if room.kind == "boss"}
    furthest = max(range(len(plan.rooms)), key=lambda number: plan.rooms[number].distance or 0)
    return frozenset(bosses or {furthest})


def world_of(plan: Floorplan) -> GatedMap:
    """Build the map that is proved: its places are the rooms."""
    from generator.algorithms.gated_map import GatedMap  # most levels have no gates

    kinds = {name: number for number, name in enumerate(dict.fromkeys(key.name for key in plan.keys))}
    return GatedMap(
        places=len(plan.rooms),
        gates=tuple(_gates(plan, kinds)),
        keys=tuple((kinds[key.name], key.room) for key in plan.keys),
        used_up=frozenset(kinds[key.name] for key in plan.keys if key.consumed),
        start=0,
        goals=goals_of(plan),
    )


def _gates(plan: Floorplan, kinds: Mapping[str, int]) -> Iterator[Gate]:
    from generator.algorithms.gated_map import Gate

    for door in plan.doors:
        gate = plan.gate(door) or _OPEN
        needs = tuple(kinds[name] for name in gate.needs)
        a, b = (door.b, door.a) if gate.into is not None else (door.a, door.b)
        secret = door.kind in plan.kinds.secret_doors
        yield Gate(a, b, needs, gate.into is not None, gate.opens_from is not None, secret)


def _is_sound(plan: Floorplan) -> bool:
    """Prove that nobody gets stuck, that every room can be reached, and that each lock has an effect."""
    from generator.algorithms.lock_proof import prove

    verdict = prove(world_of(plan))
    return not (verdict.undecided or verdict.stuck is not None or verdict.unreached or verdict.idle)
