"""`floorplan.floorplan` as a kernel: from a seed to rooms and hallways, for one seed or many at once."""

from __future__ import annotations

from array import array
from typing import Any

from generator.algorithms.separation_kernel import separate
from generator.algorithms.triangulation_kernel import MAX_SPAN
from generator.compiled.primitives import stream_key, with_id
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.connect_kernel import (
    BASE,
    HeapState,
    candidates,
    in_order,
    is_far,
    is_hub,
    joined,
    kruskal,
    loops_in_order,
    neighbours,
    note_neighbours,
    root,
    walk,
)
from generator.styles.gungeon.led_close_kernel import Spans, draw_together
from generator.styles.gungeon.led_kernel import LED_LOOPS, TREE, breaks_too_many, can_lead, lead
from generator.styles.gungeon.led_seats_kernel import count_unmet
from generator.styles.gungeon.route_kernel import (
    HALLWAYS,
    LAID,
    NO_SPACE,
    ROOMS,
    STRIDE,
    TOO_FAR,
    begin,
    lay,
)
from generator.styles.gungeon.scatter_kernel import (
    BOSS,
    MARGIN,
    START,
    GungeonRules,
    KindTable,
    drop,
)

MADE, SHORT_OF_SPACE, UNSUITABLE, TRIES = range(4)  # outcomes of a seed; TRIES: no try succeeded
_APART, _FAILED = 4, 5  # further outcomes of a try
MAX_TRIES = 40
TRIES_FOR_SHORT_HALLWAYS = 3  # after these, long hallways and no loops will do
LED_TRIES_FOR_SHORT_HALLWAYS = 6
ROOMS_FOR_LOOPS = 12  # with fewer, a loop of five rooms is often impossible
LONG_HALLWAY, LONG_LED_HALLWAY = 7, 4  # halves of an average room
NEAR, FAR, OF_LOOPS = (2, 40), (16, 320), (1, 24)  # a hallway's most: times the direct path, and more
NEAREST = (1, 6), (1, 12), (1, 20)  # of led levels: who needs no detour comes first


def make_plan(seed: int, rules: GungeonRules, state: HeapState) -> int:
    """Make the floorplan of a seed in the state and return the outcome.

    `UNSUITABLE` is a heap that `floorplan.floorplan` must refuse, or make.
    """
    is_apart = 0
    for attempt in range(MAX_TRIES):
        state.tries[0] = attempt + 1
        rooms = drop(seed, attempt, rules, state.route.boxes, state.rooms)
        separate(state.route.boxes, rooms, rules.drop.numbers[MARGIN])
        if not _to_grid(rooms, state, rules.most_tiles):
            return UNSUITABLE
        if rules.is_led and can_lead(rooms, attempt):
            outcome = _one_led_try(seed, attempt, rooms, rules, state)
        else:
            outcome = _one_try(seed, attempt, rooms, is_apart, rules, state)
        if outcome == _APART:
            is_apart = 1
        elif outcome != _FAILED:
            return outcome
    return TRIES


def _to_grid(rooms: int, state: HeapState, most_tiles: int) -> int:
    """Move the heap to the top left of the grid. Returns 0 if it is too large."""
    boxes, around = state.route.boxes, 2 * state.route.doors.width + 4
    left, top = boxes.x[0], boxes.y[0]
    right, bottom = left, top
    for i in range(rooms):
        left, top = min(left, boxes.x[i]), min(top, boxes.y[i])
        right, bottom = max(right, boxes.x[i] + boxes.width[i]), max(bottom, boxes.y[i] + boxes.height[i])
    wide, high = right - left + 2 * around, bottom - top + 2 * around
    if wide * high > most_tiles or 2 * max(wide, high) > MAX_SPAN:
        return 0
    for i in range(rooms):
        boxes.x[i] += around - left
        boxes.y[i] += around - top
    return 1


def _one_try(
    seed: int, attempt: int, rooms: int, is_apart: int, rules: GungeonRules, state: HeapState
) -> int:
    """Join the rooms of a heap. Returns `MADE` if the floorplan passes."""
    edges = neighbours(rooms, is_apart, rules, state)
    tree = kruskal(rooms, edges, in_order(edges, rules, state), state.graph)
    key = with_id(stream_key(seed, rules.connect.connect), attempt)
    indices = candidates(key, rooms, edges, tree, rules, state)
    wanted = indices.pop()
    for rule in range(len(state.led.unmet)):
        state.led.unmet[rule] = 0
    for room in range(rooms):
        state.led.through[room] = 0
    met = _lay_tree(rooms, edges, tree, 0, rules.kinds, state)
    if met == LAID:
        met = _lay_loops(rooms, edges, indices, wanted, state)
    if met == LAID:
        return _judged(attempt < TRIES_FOR_SHORT_HALLWAYS, rooms, wanted, LONG_HALLWAY, state)
    return SHORT_OF_SPACE if met == NO_SPACE else UNSUITABLE if met == TOO_FAR else _FAILED


def _one_led_try(seed: int, attempt: int, rooms: int, rules: GungeonRules, state: HeapState) -> int:
    """Join the rooms of a heap by a plan. Returns `MADE` if the floorplan passes."""
    boxes, graph = state.route.boxes, state.graph
    edges = neighbours(rooms, 0, rules, state)
    key = with_id(stream_key(seed, rules.led_stream), attempt)
    hubs = [is_hub(rules.pools, state.rooms, room) for room in range(rooms)]
    places = graph.middle_x, graph.middle_y
    chosen = lead(key, attempt, state.rooms.kinds, places, hubs, edges, rules.led, state.led)
    if not chosen:
        return _FAILED
    x = [graph.middle_x[state.led.seats[room]] for room in range(rooms)]
    y = [graph.middle_y[state.led.seats[room]] for room in range(rooms)]
    for room in range(rooms):
        boxes.x[room], boxes.y[room] = (x[room] - boxes.width[room]) // 2, (y[room] - boxes.height[room]) // 2
    separate(boxes, rooms, rules.drop.numbers[MARGIN])
    tree, loops = state.led.numbers[TREE], state.led.numbers[LED_LOOPS]
    along = Spans(boxes.x, boxes.width, boxes.y, boxes.height)
    across = Spans(boxes.y, boxes.height, boxes.x, boxes.width)
    draw_together(along, across, chosen[: tree + loops], rooms, rules.drop.numbers[MARGIN])
    if not _to_grid(rooms, state, rules.most_tiles):
        return UNSUITABLE
    order = [*range(tree), *range(tree + loops, len(chosen))]
    met = _lay_tree(rooms, chosen, order, tree, rules.kinds, state)
    if met == LAID:
        met = _lay_loops(rooms, chosen, [*range(tree, tree + loops)], loops, state)
    if met == LAID:
        ends, number = state.route.hallways.rooms, state.route.grid.numbers[HALLWAYS]
        laid = [ends[2 * hallway] * BASE + ends[2 * hallway + 1] for hallway in range(number)]
        count_unmet(rooms, state.rooms.kinds, laid, rules.led, state.led.unmet)
        is_early = attempt < LED_TRIES_FOR_SHORT_HALLWAYS
        is_refused = breaks_too_many(rooms, attempt, state.led.unmet)
        return _FAILED if is_refused else _judged(is_early, rooms, loops, LONG_LED_HALLWAY, state)
    return SHORT_OF_SPACE if met == NO_SPACE else UNSUITABLE if met == TOO_FAR else _FAILED


def _judged(is_early: bool, rooms: int, loops: int, halves: int, state: HeapState) -> int:
    """Judge a heap whose rooms are all joined, and return the outcome. `loops` is how many were wanted.

    An early try must have loops, and no long hallways: of so many `halves` of an average room.
    """
    number, boss, furthest = state.route.grid.numbers[HALLWAYS], -1, 0
    _note_distances(rooms, rooms - 1, state.depths, state)
    _note_distances(rooms, number, state.distances, state)
    for room in range(rooms):
        furthest = max(furthest, state.distances[room])
        if state.rooms.kinds[room] == BOSS:
            boss = max(boss, state.distances[room])
    if boss >= 0 and 3 * boss < 2 * furthest:
        return _FAILED
    if is_early:
        lacks_loops = loops > 0 and rooms >= ROOMS_FOR_LOOPS and not state.route.hallways.loops[number - 1]
        if lacks_loops or _has_long_walks(rooms, halves, state):
            return _FAILED
    return _APART if _has_boss_beside_start(rooms, state) else MADE


def _lay_tree(
    rooms: int, edges: list[int], tree: list[int], first: int, kinds: KindTable, state: HeapState
) -> int:
    """Lay the hallways of the tree. Returns `LAID` if they join all rooms.

    The `first` edges of the tree are tried with the limits of `NEAREST` before all are.
    """
    graph, out = state.graph, state.rooms
    met, aside = begin(state.route, rooms), 0
    for room in range(rooms):
        graph.parents[room] = room
        state.doors[room] = 1 + state.led.through[room] if kinds.aside[out.kinds[room]] else rooms
        aside += kinds.aside[out.kinds[room]]
    for index in range(len(edges)):
        state.laid[index] = 0
    is_strict, sets = 2 * aside < rooms, rooms
    for times, detour in (*NEAREST, NEAR, FAR):
        last = first if times == 1 else len(tree)
        for place in range(last):
            index = tree[place]
            a, b = edges[index] // BASE, edges[index] % BASE
            if sets == 1 or met in (NO_SPACE, TOO_FAR):
                break
            if root(graph.parents, a) == root(graph.parents, b):
                continue
            if is_strict and (state.doors[a] == 0 or state.doors[b] == 0):
                continue
            met = lay(state.route, a, b, times, detour)
            if met == LAID:
                state.laid[index] = 1
                joined(graph.parents, a, b)
                sets -= 1
                for room in (a, b):
                    state.doors[room] = max(0, state.doors[room] - 1)
    if met in (NO_SPACE, TOO_FAR):
        return met
    return LAID if sets == 1 else _FAILED


def _lay_loops(rooms: int, edges: list[int], indices: list[int], wanted: int, state: HeapState) -> int:
    """Lay up to `wanted` loops that are worth having."""
    hallways, graph, numbers = state.route.hallways, state.graph, state.route.grid.numbers
    note_neighbours(rooms, hallways.rooms, numbers[HALLWAYS], graph)
    walk(rooms, 0, rooms, graph)
    for index in loops_in_order(rooms, edges, indices, state.rooms, graph):
        a, b = edges[index] // BASE, edges[index] % BASE
        if not wanted or state.laid[index]:
            continue
        through = state.led.through
        if (through[a] and state.doors[a] == 0) or (through[b] and state.doors[b] == 0):
            continue
        if not is_far(rooms, a, b, graph):
            continue
        met = lay(state.route, a, b, OF_LOOPS[0], OF_LOOPS[1])
        if met in (NO_SPACE, TOO_FAR):
            return met
        if met == LAID:
            hallways.loops[numbers[HALLWAYS] - 1] = 1
            note_neighbours(rooms, hallways.rooms, numbers[HALLWAYS], graph)
            wanted -= 1
    return LAID


def _note_distances(rooms: int, hallways: int, distances: array[int], state: HeapState) -> None:
    """Note in `distances` each room's distance from the start, along the first `hallways` hallways."""
    note_neighbours(rooms, state.route.hallways.rooms, hallways, state.graph)
    walk(rooms, START, rooms, state.graph)
    for room in range(rooms):
        distances[room] = state.graph.depths[room]


def _has_long_walks(rooms: int, halves: int, state: HeapState) -> bool:
    """Check whether more than one hallway in a hundred is longer than so many halves of an average room."""
    sides = long = 0
    for room in range(rooms):
        sides += state.route.boxes.width[room] + state.route.boxes.height[room]
    for hallway in range(state.route.grid.numbers[HALLWAYS]):
        length = state.route.hallways.begins[hallway + 1] - state.route.hallways.begins[hallway]
        if 4 * rooms * length > halves * sides:
            long += 1
    return 100 * long > state.route.grid.numbers[HALLWAYS]


def _has_boss_beside_start(rooms: int, state: HeapState) -> bool:
    """Check whether a hallway joins start and boss although there are rooms that are neither."""
    kinds, has_others, is_beside = state.rooms.kinds, False, False
    for room in range(rooms):
        has_others = has_others or kinds[room] > BOSS
    for hallway in range(state.route.grid.numbers[HALLWAYS]):
        a, b = (
            kinds[state.route.hallways.rooms[2 * hallway]],
            kinds[state.route.hallways.rooms[2 * hallway + 1]],
        )
        is_beside = is_beside or (min(a, b) == START and max(a, b) == BOSS)
    return has_others and is_beside


# Many seeds at once.

_EDGE = 2  # tiles of void round a level


class GungeonColumns(NamedTuple):
    """The floorplans as arrays with a row per seed, padded with -1."""

    tries: Any  # [seed]: how many heaps were made
    rooms: Any  # [seed]: how many rooms there are
    kinds: Any  # [seed, room]
    distances: Any  # [seed, room]
    depths: Any  # [seed, room]
    bounds: Any  # [seed, room, 4]: x, y, width and height in tiles
    hallways: Any  # [seed]: how many hallways there are
    connections: Any  # [seed, hallway, 2]: the rooms at both ends
    loops: Any  # [seed]: how many of the hallways are loops
    extent: Any  # [seed, 2]: width and height in tiles
    unmet: Any  # [seed, rule]: how many rooms do not lie where the rule asks


def make_plans(
    seeds: array[int], first: int, rules: GungeonRules, state: HeapState, out: GungeonColumns
) -> int:
    """Write the floorplans of seeds from `first` on to `out`. Returns where it stopped, or the last + 1.

    It stops at a seed that needs more space than the state has, or that kernels cannot handle.
    """
    for row in range(first, len(seeds)):
        outcome = make_plan(seeds[row], rules, state)
        if outcome == MADE:
            _write_down(row, state, out)
        elif outcome != TRIES:
            return row
    return len(seeds)


def make_one(seeds: array[int], rules: GungeonRules, state: HeapState) -> int:
    """Make the floorplan of the first seed in the state and return the outcome."""
    return make_plan(seeds[0], rules, state)


def frame(state: HeapState, box: array[int]) -> None:
    """Set `box` to the left, top, right and bottom of all rooms and hallways, walls included."""
    boxes, hallways, numbers = state.route.boxes, state.route.hallways, state.route.grid.numbers
    left, top = boxes.x[0], boxes.y[0]
    right, bottom = left, top
    for room in range(numbers[ROOMS]):
        left, top = min(left, boxes.x[room]), min(top, boxes.y[room])
        right = max(right, boxes.x[room] + boxes.width[room])
        bottom = max(bottom, boxes.y[room] + boxes.height[room])
    wall = state.route.doors.width + 1
    for i in range(hallways.begins[numbers[HALLWAYS]] if numbers[HALLWAYS] else 0):
        x, y = hallways.paths[i] % numbers[STRIDE], hallways.paths[i] // numbers[STRIDE]
        left, top, right, bottom = (
            min(left, x - 1),
            min(top, y - 1),
            max(right, x + wall),
            max(bottom, y + wall),
        )
    box[0], box[1], box[2], box[3] = left, top, right, bottom


def _write_down(row: int, state: HeapState, out: GungeonColumns) -> None:
    boxes, hallways, numbers, box = (
        state.route.boxes,
        state.route.hallways,
        state.route.grid.numbers,
        state.graph.queue,
    )
    frame(state, box)
    left, top = box[0] - _EDGE, box[1] - _EDGE
    out.extent[row, 0], out.extent[row, 1] = box[2] + _EDGE - left, box[3] + _EDGE - top
    out.tries[row] = state.tries[0]
    out.rooms[row], out.hallways[row] = numbers[ROOMS], numbers[HALLWAYS]
    for room in range(numbers[ROOMS]):
        out.kinds[row, room] = state.rooms.kinds[room]
        out.distances[row, room] = state.distances[room]
        out.depths[row, room] = state.depths[room]
        out.bounds[row, room, 0] = boxes.x[room] - left
        out.bounds[row, room, 1] = boxes.y[room] - top
        out.bounds[row, room, 2] = boxes.width[room]
        out.bounds[row, room, 3] = boxes.height[room]
    for rule in range(len(state.led.unmet)):
        out.unmet[row, rule] = state.led.unmet[rule]
    out.loops[row] = 0
    for hallway in range(numbers[HALLWAYS]):
        out.connections[row, hallway, 0] = hallways.rooms[2 * hallway]
        out.connections[row, hallway, 1] = hallways.rooms[2 * hallway + 1]
        out.loops[row] += hallways.loops[hallway]
