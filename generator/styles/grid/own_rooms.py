"""Special rooms by the rules of a team's kit, added to an otherwise finished floorplan.

    dead_end        a normal room with one door               far, near     the furthest or nearest of them
    on_the_way      one with several                          beside:KIND   one beside a room of that kind
                    if no dead end is left, a new room on a free cell beside one room, if there is any
    secret          a free cell beside as many rooms as can be, none of them special
    super_secret    a free cell beside exactly one normal room

Each rule has its own dice, named after it, so that no rule changes the results of another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from generator.geometry import Point, Rect, Side
from generator.kinds.kind_tables import RoomKind
from generator.kinds.style_names import REBIRTH
from generator.named_tuple import NamedTuple
from generator.reasons import came, passed_over
from generator.rng import Stream
from generator.shapes import SHAPES
from generator.styles.grid.floorplan import Floorplan, PlannedRoom
from generator.styles.grid.special_rooms import SpecialRoom

_SIDES = tuple((side.opposite, side.dx, side.dy) for side in Side)
_BEST = 3  # rooms beside a secret room: more than three are no better


class NoPlaceError(Exception):
    """No position is left for a room that a rule insists on. The message says which."""


class TurnedRule(NamedTuple):
    """A rule, and its turn among those of its name."""

    rule: SpecialRoom
    turn: int


def with_turns(rules: Iterable[SpecialRoom]) -> list[TurnedRule]:
    """Number the rules of each name."""
    turns: dict[str, Iterator[int]] = defaultdict(count)
    return [TurnedRule(rule, next(turns[rule.row.name])) for rule in rules]


def own_streams(
    rules: Iterable[TurnedRule], seed: int, stage: int, attempt: int
) -> list[tuple[SpecialRoom, Stream]]:
    """Pair each rule with its stream, for one attempt at a floorplan."""
    return [(rule, Stream(seed, stream_name(rule.row.name), stage, turn, attempt)) for rule, turn in rules]


def stream_name(rule: str) -> str:
    """Return the name of a rule's stream."""
    return f"kit.special_room.{rule}"


def with_own_rooms(
    plan: Floorplan,
    rules: Sequence[tuple[SpecialRoom, Stream]],
    board: Rect,
    is_drawn: Callable[[str, str], bool] | None = None,
) -> Floorplan:
    """Add the rooms that the rules roll to the floorplan, each on a suitable cell if there is one.

    `board` has the cells that rooms may stand on. With `is_drawn`, which is asked with a kind and a shape, a
    room of several cells or a narrow one only becomes one of a kind that it allows. Raises NoPlaceError for a
    `must` without a place.
    """
    for rule, stream in rules:
        kind = rule.roll(stream)
        if kind is None:
            continue
        changed = _placed(plan, rule, kind, board, stream, is_drawn)
        if changed is None and rule.must:
            raise NoPlaceError(f"no place for a {kind} room")
        if changed is None:
            passed_over("special_room", rule.row.name, f"no room or cell suits its place, {rule.place}")
        else:
            came("special_room", rule.row.name)
        plan = changed or plan
    return plan


def _placed(
    plan: Floorplan,
    rule: SpecialRoom,
    kind: str,
    board: Rect,
    stream: Stream,
    is_drawn: Callable[[str, str], bool] | None,
) -> Floorplan | None:
    """Add a room of a kind to the floorplan, or return None if no cell suits it. Takes one word."""
    if rule.row.is_hidden:
        cells = list(hidden_cells(plan, rule.place, board))
        return _with_hidden(plan, kind, stream.pick(cells)) if cells else None
    places = normal_rooms(plan, rule, kind, is_drawn)
    if not places:
        ends = list(free_ends(plan, rule, board))
        return _with_dead_end(plan, kind, *stream.pick(ends)) if ends else None
    number = stream.pick(places)
    rooms = list(plan.rooms)
    rooms[number] = rooms[number]._replace(kind=kind)
    return replace(plan, rooms=tuple(rooms))


def normal_rooms(
    plan: Floorplan, rule: SpecialRoom, kind: str, is_drawn: Callable[[str, str], bool] | None
) -> list[int]:
    """List the numbers of the normal rooms that a rule may turn into a kind."""
    row = plan.kinds.room(kind)
    beside = _neighbours(plan)
    one_door = rule.place in ("dead_end", "far", "near") or row.off_the_way
    numbers = [
        number
        for number, room in enumerate(plan.rooms)
        if room.kind == "normal"
        and _has_shape(row, room)
        and (is_drawn is None or room.shape == "1x1" or is_drawn(kind, room.shape))
        and (not one_door or len(beside[number]) == 1)
        and not (rule.place == "on_the_way" and len(beside[number]) < 2)
        and (
            not rule.row.beside
            or rule.row.beside in {plan.rooms[neighbour].kind for neighbour in beside[number]}
        )
        and not _touches_red(plan, number, kind)
    ]
    wanted = _distance_wanted(rule, [plan.rooms[number].distance or 0 for number in numbers])
    return [number for number in numbers if wanted in (None, plan.rooms[number].distance or 0)]


def _has_shape(row: RoomKind, room: PlannedRoom) -> bool:
    """Check whether a kind may have the room's shape. A kind with narrow rooms has no larger ones."""
    is_narrow = row.styles.get(REBIRTH, {}).get("narrow", False)
    return room.shape == "1x1" or (row.has_shapes and not (is_narrow and len(room.cells) > 1))


def _distance_wanted(rule: SpecialRoom, distances: list[int]) -> int | None:
    """Return the greatest or least distance, if the rule asks for the furthest or nearest room."""
    if rule.place not in ("far", "near") or not distances:
        return None
    return max(distances) if rule.place == "far" else min(distances)


def _neighbours(plan: Floorplan) -> list[set[int]]:
    """List, for each room, the rooms behind its doors that are neither secret nor red."""
    beside: list[set[int]] = [set() for _ in plan.rooms]
    for a, b in plan.connections:
        beside[a].add(b)
        beside[b].add(a)
    return beside


def _touches_red(plan: Floorplan, number: int, kind: str) -> bool:
    """Check whether a room would be beside a red room although its kind may not be."""
    if kind not in ("boss", "curse"):
        return False
    pairs = ((door.a, door.b) for door in plan.doors if number in (door.a, door.b))
    return any(plan.rooms[room].kind == "red" for pair in pairs for room in pair)


# --- further rooms -----------------------------------------------------------------------------------


def free_ends(plan: Floorplan, rule: SpecialRoom, board: Rect) -> list[tuple[Point, int]]:
    """List free cells that touch one room only, which is not off the way and may have a door there."""
    if rule.place == "on_the_way":
        return []
    ends = []
    for cell, beside in free_cells(plan, board):
        if len(beside) == 1:
            (side, number), room = beside[0], plan.rooms[beside[0][1]]
            row = plan.kinds.room(room.kind)
            wanted_kinds = (rule.row.beside,) if rule.row.beside else ("normal", "start")
            fits = room.kind in wanted_kinds and not (row.off_the_way or row.secret)
            if fits and side in SHAPES[room.shape].sides:
                ends.append((cell, number))
    wanted = _distance_wanted(rule, [plan.rooms[number].distance or 0 for _, number in ends])
    return [end for end in ends if wanted in (None, plan.rooms[end[1]].distance or 0)]


def _with_dead_end(plan: Floorplan, kind: str, cell: Point, parent: int) -> Floorplan:
    """Add a new room on a cell to the floorplan, one step beyond `parent`."""
    before = plan.rooms[parent]
    distance = None if before.distance is None else before.distance + 1
    room = PlannedRoom(kind, "1x1", (cell,), distance, before.depth + 1)
    return replace(plan, rooms=(*plan.rooms, room))


# --- secret rooms ------------------------------------------------------------------------------------


def hidden_cells(plan: Floorplan, kind: str, board: Rect) -> Iterator[Point]:
    """Find the best cells for a secret room, or all possible ones for a super secret room, row by row.

    Every room beside such a cell may have a door there, and is not special, secret or a dead end.
    """
    doors = [len(rooms) for rooms in _neighbours(plan)]
    counts = {
        cell: len({number for _, number in beside})
        for cell, beside in free_cells(plan, board)
        if beside and all(_takes_secret(plan, doors, number, side) for side, number in beside)
    }
    if kind == "super_secret":
        yield from (cell for cell, count in counts.items() if count == 1)
        return
    best = min(_BEST, max(counts.values(), default=0))
    yield from (cell for cell, count in counts.items() if count >= best)


def free_cells(plan: Floorplan, board: Rect) -> Iterator[tuple[Point, list[tuple[Side, int]]]]:
    """Yield the board's free cells with a room beside them, row by row, each with the rooms beside it."""
    owners = _owners(plan)
    beside: dict[Point, list[tuple[Side, int]]] = {}
    for opposite, dx, dy in _SIDES:
        for (x, y), owner in owners.items():
            beside.setdefault((x - dx, y - dy), []).append((opposite, owner))
    for y, x in sorted((y, x) for x, y in beside.keys() - owners.keys()):
        if board.contains(x, y):
            yield (x, y), beside[x, y]


def _owners(plan: Floorplan) -> dict[Point, int]:
    return {cell: number for number, room in enumerate(plan.rooms) for cell in room.cells}


def _rooms_beside(cell: Point, owners: Mapping[Point, int]) -> list[tuple[Side, int]]:
    """List the rooms beside a cell, each with its own side on which the door would be."""
    beside = []
    for side in Side:
        owner = owners.get((cell[0] + side.dx, cell[1] + side.dy))
        if owner is not None:
            beside.append((side.opposite, owner))
    return beside


def _takes_secret(plan: Floorplan, doors: Sequence[int], number: int, side: Side) -> bool:
    room = plan.rooms[number]
    is_plain = room.kind == "normal" and doors[number] > 1
    return is_plain and side in SHAPES[room.shape].sides


def _with_hidden(plan: Floorplan, kind: str, cell: Point) -> Floorplan:
    """Add a secret room on a cell to the floorplan, one step deeper than the first room beside it."""
    depth = 1 + plan.rooms[min(number for _, number in _rooms_beside(cell, _owners(plan)))].depth
    return replace(plan, rooms=(*plan.rooms, PlannedRoom(kind, "1x1", (cell,), None, depth)))
