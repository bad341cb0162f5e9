"""The seats of a led level as a kernel: which room lies at which node of its shape, by rules."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from generator.compiled.primitives import below
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.led_shape_kernel import BASE, BOSS, START, spread

PLACE, BESIDE, REST, SHALLOW, DEEP, APART = range(6)  # the numbers of a rule; kinds: its own, and normal
ROW = 6
ANYWHERE, DEAD_END, ON_THE_WAY, FAR, NEAR, ON_A_LOOP, BRANCH, NEXT_TO = range(8)  # places

_OTHER_ROW, _UNMET, _CROWDED = 100, 10_000, 1_000_000  # costs of a seat
_SEATS_TRIED = 2_000


class LedRules(NamedTuple):
    """The values of a spec, and its kit's rules for places, a kind's one after the other.

    The first places are those of `LED_PLACES` in `generator.kinds.rule_tables`, in their order.
    """

    shape: Sequence[int]
    rows: Sequence[int]  # [ROW * rule + number]
    begins: Sequence[int]  # [kind]: its first rule; one entry more than there are kinds
    aside: Sequence[int]  # [kind]: whether no path may lead through it


class LedState(NamedTuple):
    """What comes out: where each room lies, which of those off the way may have two doors, broken rules."""

    seats: array[int]  # [room]: its node
    through: bytearray  # [room]
    unmet: array[int]  # [rule]: how many rooms it has no place for; last, those that are off the way in vain
    numbers: array[int]  # how many edges the tree has, and how many loops there are


# The seats: which room lies at which node.


class Nodes(NamedTuple):
    """What rules ask of a node.

    `ways` is 1 on the way to the boss, 2 on a loop beside it, 3 on one of several ways that are as short.
    """

    beside: list[list[int]]
    steps: list[int]
    ways: list[int]
    furthest: int


def seated(
    key: int,
    kinds: Sequence[int],
    way: list[int],
    nodes: Nodes,
    is_crowded: bool,
    rules: LedRules,
    out: LedState,
) -> int:
    """Seat all rooms. Returns 0 if a path would lead through a room off the way and there is no crowd.

    Rooms with rules are seated at the least cost, each in turn at its cheapest node first, those off the way
    before others; what is no longer cheaper than the best so far is given up (branch and bound).
    """
    rooms = len(nodes.steps)
    taken, seats = [-1] * rooms, [-1] * rooms
    taken[way[0]], seats[START] = START, way[0]
    if kinds[BOSS] == BOSS:
        taken[way[len(way) - 1]], seats[BOSS] = BOSS, way[len(way) - 1]
    led, turns = _turns(rooms, kinds, rules)
    costs, options = [0] * 0, [[0] * 0 for _ in range(0)]
    for i in range(len(led)):
        if i == 0 or turns[i] != turns[i - 1]:
            costs = _own_costs(turns[i], kinds[led[i]], nodes, taken, is_crowded, rules)
        options.append(_options(key, led[i], costs))
    chosen = _search(led, turns, options, kinds, nodes, taken, rules)
    for i in range(len(led)):
        if chosen[i] < 0:
            return 0
        seats[led[i]] = chosen[i]
        taken[chosen[i]] = led[i]
    _count_unmet(seats, kinds, nodes, taken, rules, out.unmet)
    _fill(seats, taken)
    for room in range(rooms):
        out.seats[room] = seats[room]
        out.through[room] = 1 if rules.aside[kinds[room]] and len(nodes.beside[seats[room]]) > 1 else 0
    return 1


def _turns(rooms: int, kinds: Sequence[int], rules: LedRules) -> tuple[list[int], list[int]]:
    """List the rooms that are seated by rules, those off the way first, and whose turn it is for each."""
    led, turns, seen = [0] * 0, [0] * 0, [0] * len(rules.aside)
    for aside in (1, 0):
        for room in range(rooms):
            kind = kinds[room]
            first, end = rules.begins[kind], rules.begins[kind + 1]
            if rules.aside[kind] == aside and end > first and not (room == BOSS and kind == BOSS):
                led.append(room)
                turns.append(min(first + seen[kind], end - 1))
                seen[kind] += 1
    return led, turns


def count_unmet(
    rooms: int, kinds: Sequence[int], edges: list[int], rules: LedRules, unmet: array[int]
) -> None:
    """Count the rooms of a finished floorplan that break their rule, as `LedState` does those of a plan.

    `edges` are its hallways, those of the tree first. All shortest paths to the furthest boss are the way;
    without a boss, those to the furthest room.
    """
    nodes = nodes_of([START], edges[: rooms - 1], edges[rooms - 1 :])
    boss, has_boss = START, 0
    for room in range(rooms):
        is_boss = 1 if kinds[room] == BOSS else 0
        if is_boss > has_boss or (is_boss == has_boss and nodes.steps[room] > nodes.steps[boss]):
            boss, has_boss = room, is_boss
    from_boss, at_step = [rooms] * rooms, [0] * rooms
    spread(boss, 0, nodes.beside, from_boss)
    way = [room for room in range(rooms) if nodes.steps[room] + from_boss[room] == nodes.steps[boss]]
    for room in way:
        at_step[nodes.steps[room]] += 1
    for room in way:
        nodes.ways[room] = 1 if at_step[nodes.steps[room]] == 1 else 3
    same = [*range(rooms)]
    _count_unmet(same, kinds, nodes, same, rules, unmet)


def _count_unmet(
    seats: list[int],
    kinds: Sequence[int],
    nodes: Nodes,
    taken: list[int],
    rules: LedRules,
    unmet: array[int],
) -> None:
    """Count the rooms that break the rule of their turn, or else, last, that no path leads through them."""
    for rule in range(len(unmet)):
        unmet[rule] = 0
    led, turns = _turns(len(seats), kinds, rules)
    for i in range(len(led)):
        room, node = led[i], seats[led[i]]
        if _cost(room, turns[i], node, kinds, nodes, taken, rules) >= _UNMET:
            unmet[turns[i]] += 1
        elif _is_through(kinds[room], node, nodes, rules):
            unmet[len(unmet) - 1] += 1


def _fill(seats: list[int], taken: list[int]) -> None:
    """Seat the rooms that are left: where they were dropped, or else at the free nodes in turn."""
    rooms, free = len(seats), [0] * 0
    for room in range(rooms):
        if seats[room] < 0 and taken[room] < 0:
            seats[room], taken[room] = room, room
    for node in range(rooms):
        if taken[node] < 0:
            free.append(node)
    left = 0
    for room in range(rooms):
        if seats[room] < 0:
            seats[room] = free[left]
            left += 1


def nodes_of(way: list[int], tree: list[int], loops: list[int]) -> Nodes:
    """Collect what rules ask of the nodes of a shape: its way, and edges of tree and loops."""
    rooms = len(tree) + 1
    beside, ways, depths = [[0] * 0 for _ in range(rooms)], [0] * rooms, [rooms] * rooms
    for edge in tree:
        beside[edge // BASE].append(edge % BASE)
        beside[edge % BASE].append(edge // BASE)
    spread(way[0], 0, beside, depths)
    parents = [-1] * rooms
    for node in range(rooms):
        for other in beside[node]:
            if depths[other] < depths[node]:
                parents[node] = other
    for edge in loops:
        a, b = edge // BASE, edge % BASE
        ways[a] = ways[b] = 2
        while a != b:
            if depths[a] < depths[b]:
                a, b = b, a
            a = parents[a]
            ways[a] = 2
    for edge in loops:
        beside[edge // BASE].append(edge % BASE)
        beside[edge % BASE].append(edge // BASE)
    for node in way:
        ways[node] = 1
    steps = [rooms] * rooms
    spread(way[0], 0, beside, steps)
    furthest = max(steps)
    return Nodes(beside, steps, ways, furthest)


def _options(key: int, room: int, costs: list[int]) -> list[int]:
    """List the nodes a room may have, the cheapest first, each with its cost; equal ones are shuffled."""
    entries, rooms = [0] * 0, len(costs)
    for node in range(rooms):
        if costs[node] >= 0:
            tie = below(key, 4 + rooms * (room + 9) + node, BASE)
            entries.append((costs[node] * BASE + tie) * BASE + node)
    entries.sort()
    return entries


def _own_costs(
    turn: int, kind: int, nodes: Nodes, taken: list[int], is_crowded: bool, rules: LedRules
) -> list[int]:
    """Compute what each node costs rooms of a kind, whatever the other rooms; -1: they cannot have it.

    In a crowd, paths may lead through rooms off the way: the more doors, the dearer.
    """
    costs = [-1] * len(taken)
    for node in range(len(taken)):
        if taken[node] >= 0:
            continue
        cost = _own_cost(turn, kind, node, nodes, rules)
        if not _is_through(kind, node, nodes, rules):
            costs[node] = cost
        elif is_crowded:
            costs[node] = cost + _CROWDED * (len(nodes.beside[node]) - 1)
    return costs


def _is_through(kind: int, node: int, nodes: Nodes, rules: LedRules) -> int:
    """Check whether a kind off the way has two doors or more at a node, but no rule for a loop there."""
    if not rules.aside[kind] or len(nodes.beside[node]) < 2:
        return 0
    for rule in range(rules.begins[kind], rules.begins[kind + 1]):
        if rules.rows[ROW * rule + PLACE] == ON_A_LOOP and _fit(ROW * rule, node, nodes, rules.rows) >= 0:
            return 0
    return 1


def _own_cost(turn: int, kind: int, node: int, nodes: Nodes, rules: LedRules) -> int:
    """Compute what a node costs a room without regard for other rooms. Its rule is that of its `turn`."""
    best = _UNMET
    for rule in range(rules.begins[kind], rules.begins[kind + 1]):
        cost = _fit(ROW * rule, node, nodes, rules.rows)
        if cost >= 0:
            best = min(best, cost + (0 if rule == turn else _OTHER_ROW))
    return best


def _fit(row: int, node: int, nodes: Nodes, rows: Sequence[int]) -> int:
    """Compute how badly a node suits a rule, -1 if it breaks it."""
    place, doors = rows[row + PLACE], len(nodes.beside[node])
    depth = 100 * nodes.steps[node] // nodes.furthest
    if not rows[row + SHALLOW] <= depth <= rows[row + DEEP]:
        return -1
    if place == FAR:
        return (100 - depth) // 2
    if place == NEAR:
        return depth // 2
    holds = (
        place in (ANYWHERE, NEXT_TO)
        or (place == DEAD_END and doors == 1)
        or (place == ON_THE_WAY and nodes.ways[node] in (1, 3))
        or (place == ON_A_LOOP and nodes.ways[node] >= 2 and doors == 2)
        or (place == BRANCH and nodes.ways[node] != 1)
    )
    return 0 if holds else -1


def _cost(
    room: int, turn: int, node: int, kinds: Sequence[int], nodes: Nodes, taken: list[int], rules: LedRules
) -> int:
    """Compute what a node costs a room, with regard for the rooms that are seated."""
    kind = kinds[room]
    best = _UNMET
    for rule in range(rules.begins[kind], rules.begins[kind + 1]):
        cost = _fit(ROW * rule, node, nodes, rules.rows)
        if cost < 0 or not _suits_others(ROW * rule, kind, node, kinds, nodes, taken, rules.rows):
            continue
        best = min(best, cost + (0 if rule == turn else _OTHER_ROW))
    return best


def _suits_others(
    row: int, kind: int, node: int, kinds: Sequence[int], nodes: Nodes, taken: list[int], rows: Sequence[int]
) -> int:
    """Check that a node is beside a room of the kind that the rule names, and far from others of its own."""
    if rows[row + PLACE] == NEXT_TO:
        is_beside = 0
        for other in nodes.beside[node]:
            seated = taken[other]
            found = kinds[seated] if seated >= 0 else rows[row + REST]  # normal rooms get what is left
            if found == rows[row + BESIDE]:
                is_beside = 1
        if not is_beside:
            return 0
    near, first = [node], 0
    for _ in range(rows[row + APART] - 1):
        last = len(near)
        for i in range(first, last):
            for other in nodes.beside[near[i]]:
                if other in near:
                    continue
                if taken[other] >= 0 and kinds[taken[other]] == kind:
                    return 0
                near.append(other)
        first = last
    return 1


def _search(
    led: list[int],
    turns: list[int],
    options: list[list[int]],
    kinds: Sequence[int],
    nodes: Nodes,
    taken: list[int],
    rules: LedRules,
) -> list[int]:
    """Find the cheapest seats of the rooms in `led`, -1 for one that has none."""
    number, best, tried = len(led), 1 << 60, 0
    chosen, at, costs = [-1] * number, [0] * (number + 1), [0] * (number + 1)
    picked, least = [-1] * number, [0] * (number + 1)
    for i in range(number - 1, -1, -1):
        least[i] = least[i + 1] + (options[i][0] // BASE // BASE if options[i] else 0)
    level = 0
    while level >= 0 and (best < 1 << 60 or tried <= 10 * _SEATS_TRIED + 1000 * number):
        tried += 1
        if level == number:
            if costs[level] < best:
                best, chosen = costs[level], picked[:]
            if best <= least[0]:
                break
            level -= 1
            continue
        if picked[level] >= 0:
            taken[picked[level]] = -1
            picked[level] = -1
        if at[level] >= len(options[level]) or (tried > _SEATS_TRIED + number and best < 1 << 60):
            at[level] = 0
            level -= 1
            continue
        entry = options[level][at[level]]
        at[level] += 1
        node = entry % BASE
        if taken[node] >= 0:
            continue
        own = entry // BASE // BASE
        if costs[level] + own + least[level + 1] >= best:
            at[level] = len(options[level])  # the rest costs as much
            continue
        cost = costs[level] + own // _CROWDED * _CROWDED
        cost += _cost(led[level], turns[level], node, kinds, nodes, taken, rules)
        if cost + least[level + 1] >= best:
            continue
        taken[node], picked[level], costs[level + 1] = led[level], node, cost
        level += 1
    for i in range(number):
        if picked[i] >= 0:
            taken[picked[i]] = -1
    return chosen
