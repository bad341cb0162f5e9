"""The invariants of a level's keys and locks: they fit, and nobody gets stuck.

The proof uses only the level's tiles and the steps of its `body`, not the flow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count

import numpy as np

from generator.algorithms.gated_map import Gate, GatedMap
from generator.algorithms.lock_proof import Verdict, prove
from generator.algorithms.lock_states import CROSS, FIND, PICK
from generator.arrays import Ints, Mask
from generator.checks.base import Problem, is_as_generated, owners, pieces_of, problem
from generator.geometry import Side
from generator.kinds.signs import keys_in_words
from generator.level import Door, Level, Marker


def keys_fit_locks(level: Level) -> Iterator[Problem]:
    """Check that a key says what it opens and whether it is used up, as all of its name. Locks have keys.

    What costs several keys uses them up, and there are that many. Unless a person changed that, a door of a
    kind that costs something is paid at, at one end of its hallway if it has one, and all can be paid for.
    """
    consumed: dict[str, object] = {}
    for marker in level.markers:
        if marker.kind != "key":
            continue
        subject, opens = f"marker {marker.id}", marker.properties.get("opens")
        used_up = marker.properties.get("consumed")
        if not isinstance(opens, str) or not isinstance(used_up, bool):
            yield problem(keys_fit_locks, subject, "the key needs the properties opens (a text) and consumed")
        elif consumed.setdefault(opens, used_up) != used_up:
            yield problem(
                keys_fit_locks, subject, f"another {opens} is {'not ' * used_up}used up, this one differs"
            )
        if not isinstance(marker.properties.get("must", False), bool):
            yield problem(keys_fit_locks, subject, "the key's property must is neither true nor false")
    yield from _locks_have_keys(level, consumed)
    if is_as_generated(level) and level.kinds.costs:
        yield from _prices_kept(level)


def _key_counts(level: Level) -> Counter[object]:
    """Count the keys of a level by the name that they open."""
    return Counter(marker.properties.get("opens") for marker in level.markers if marker.kind == "key")


def _locks_have_keys(level: Level, consumed: Mapping[str, object]) -> Iterator[Problem]:
    there = _key_counts(level)
    for door in level.doors:
        for need, price in Counter(door.needs).items():
            message = ""
            if need not in consumed:
                message = f"needs {need}, but there is no such key"
            elif price > 1 and consumed[need] is not True:
                message = f"costs {price} {need}, but it does not use them up"
            elif price > there[need]:
                message = f"costs {price} {need}, but there are only {there[need]}"
            if message:
                yield problem(keys_fit_locks, f"door {door.id}", message)


def _prices_kept(level: Level) -> Iterator[Problem]:
    """Find doors that do not ask for the price of their kind, and keys that are too few for all prices."""
    costs, there = level.kinds.costs, _key_counts(level)
    paid = {door.id for door in level.doors if door.needs}
    for hallway in level.hallways:
        paid.update(hallway.doors if not paid.isdisjoint(hallway.doors) else ())
    total: Counter[str] = Counter()
    for door in (door for door in level.doors if door.kind in costs):
        wanted = " and ".join(keys_in_words(costs[door.kind]))
        asks = " and ".join(keys_in_words(door.needs)) or "nothing"
        if door.id not in paid or door.needs not in ((), costs[door.kind]):
            message = f"a door of the kind {door.kind} costs {wanted}, but asks for {asks}"
            yield problem(keys_fit_locks, f"door {door.id}", message)
        if all(price <= there[name] for name, price in Counter(door.needs).items()):
            total.update(door.needs)  # otherwise that is a problem of its own
    for name, price in total.items():
        if there[name] < price:
            message = f"its doors cost {price} {name} together, but there are only {there[name]}"
            yield problem(keys_fit_locks, "level", message)


def nobody_gets_stuck(level: Level) -> Iterator[Problem]:
    """Check that an exit stays in reach, whatever is done with keys, locks, one-ways, shortcuts and secrets.

    No secret door has to be found for that. Every room can be reached too, rooms behind secret doors by
    finding them.
    """
    if not any(_asks(door) for door in level.doors):
        return
    walked = _Walked(level)
    world = walked.world()
    if world is None:
        return  # no start or no goal: other checks report that
    verdict = prove(world)
    if verdict.undecided:
        place = "level" if verdict.hardest is None else f"door {walked.gates[verdict.hardest].id}"
        yield problem(
            nobody_gets_stuck, place, "multiplies the states of keys and locks, too many to be decided"
        )
    elif verdict.stuck is not None:
        yield problem(nobody_gets_stuck, "level", walked.story(verdict))
    else:
        for room in walked.unreached(verdict):
            message = "cannot be reached from the start, whatever is opened"
            yield problem(nobody_gets_stuck, f"room {room}", message)


def _asks(door: Door) -> bool:
    return bool(door.needs) or door.one_way or door.opens_from is not None


class _Walked:
    """The pieces of a level that can be walked without passing a gate, and the gates between them.

    Secret doors are gates too, and so are all doors of rooms with keys that must be taken.
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self.keys = [
            marker
            for marker in level.markers
            if marker.kind == "key" and isinstance(marker.properties.get("opens"), str)
        ]
        must = {key.room for key in self.keys if key.properties.get("must") is True} - {None}
        secret = level.kinds.secret_doors
        self.gates = [
            door
            for door in level.doors
            if _asks(door) or door.kind in secret or not must.isdisjoint(door.rooms)
        ]
        self.kinds = sorted({str(key.properties["opens"]) for key in self.keys})
        self.pieces = self._pieces()

    def _pieces(self) -> Ints:
        """Return the piece [y, x] of each tile that the body can cover, 0 for none. Gates are shut."""
        free = self.level.passable("walk").copy()
        for door in self.gates:
            free[_rows(door)] = False
        return pieces_of(free, self.level.spec.body)

    def world(self) -> GatedMap | None:
        """Build a map with the pieces as places. Returns None without a start and a goal."""
        start = self._at(
            next((marker for marker in self.level.markers if marker.kind == "player_start"), None)
        )
        ends = [marker for marker in self.level.markers if marker.kind == "exit"]
        ends = ends or [marker for marker in self.level.markers if marker.kind == "boss"]
        goals = frozenset(piece for marker in ends if (piece := self._at(marker)))
        if not start or not goals:
            return None
        nowhere = count(int(self.pieces.max()) + 1)  # a separate place for what is not beside a piece
        gates = []
        for door in self.gates:
            inside = self._beside(door, inwards=True) or next(nowhere)
            outside = self._beside(door, inwards=False) or next(nowhere)
            needs = tuple(self.kinds.index(need) for need in door.needs if need in self.kinds)
            if len(needs) < len(door.needs):
                needs = (len(self.kinds),)  # a key that does not exist
            is_turned = door.one_way or (door.opens_from is not None and door.opens_from == door.rooms[1])
            a, b = (outside, inside) if is_turned else (inside, outside)
            is_secret = door.kind in self.level.kinds.secret_doors
            gates.append(Gate(a, b, needs, door.one_way, door.opens_from is not None, is_secret))
        keys = [
            (self.kinds.index(str(key.properties["opens"])), self._at(key) or next(nowhere))
            for key in self.keys
        ]
        return GatedMap(
            places=next(nowhere),
            gates=tuple(gates),
            keys=tuple(keys),
            used_up=frozenset(
                self.kinds.index(str(key.properties["opens"]))
                for key in self.keys
                if key.properties.get("consumed") is True
            ),
            start=start,
            goals=goals,
            must=tuple(self._must()),
        )

    def _must(self) -> Iterator[tuple[int, int]]:
        """Yield each key that must be taken with each piece of its room: whoever is there has it."""
        owner = owners(self.level)
        for number, key in enumerate(self.keys):
            if key.properties.get("must") is True and key.room is not None:
                for piece in np.unique(self.pieces[owner == key.room]).tolist():
                    if piece:
                        yield number, piece

    def unreached(self, verdict: Verdict) -> Iterator[int]:
        """Yield the ids of the rooms without a piece that can be reached."""
        missed = set(verdict.unreached)
        for room in self.level.rooms:
            doors = [door for door in self.level.doors if room.id in door.rooms]
            inside = {self._beside(door, inwards=door.rooms[0] == room.id) for door in doors} - {0}
            if inside and inside <= missed:
                yield room.id

    def _at(self, marker: Marker | None) -> int:
        """Return the piece that a marker is in or beside, or 0 for none."""
        if marker is None:
            return 0
        height, width = self.pieces.shape
        for dx, dy in ((0, 0), (0, -1), (1, 0), (0, 1), (-1, 0)):
            x, y = marker.x + dx, marker.y + dy
            if 0 <= x < width and 0 <= y < height and self.pieces[y, x]:
                return int(self.pieces[y, x])
        return 0

    def _beside(self, door: Door, *, inwards: bool) -> int:
        """Return the piece before a door: in its room, or in its hallway."""
        side = Side.named(door.side)
        step = -1 if inwards else 1
        pieces = [
            int(self.pieces[y + step * side.dy, x + step * side.dx])
            for x, y in (door.tiles if inwards or door.rooms[1] is None else door.halves[1].tiles)
        ]
        return max(pieces)

    def story(self, verdict: Verdict) -> str:
        """Tell how the player gets stuck, in the ids of rooms and doors."""
        acts = []
        for act, number in verdict.stuck or ():
            if act == PICK:
                key = self.keys[number]
                acts.append(f"taking {key.properties['opens']} in room {key.room}")
            else:
                door = self.gates[number]
                finding = "finding " if act == FIND else ""
                acts.append(
                    f"{finding}door {door.id} {'into' if act == CROSS else 'of'} room {door.rooms[0]}"
                )
        missing = [self.kinds[kind] for kind in verdict.without if kind < len(self.kinds)]
        without = f" without {' and '.join(missing)}" if missing else ""
        return f"after {', '.join(acts) or 'the start'}{without} no exit can be reached any more"


def _rows(door: Door) -> tuple[Mask, Mask]:
    xs, ys = zip(*door.tiles, strict=True)
    return np.array(ys), np.array(xs)
