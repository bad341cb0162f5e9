"""The shape of a led level as a kernel: the way to the boss, a second path beside it, branches and loops.

A node is a place of the heap, numbered like the room that was dropped there; an edge is the lower node times
`BASE`, plus the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from generator.compiled.primitives import below, square_root
from generator.named_tuple import NamedTuple

BASE = 1 << 16
START, BOSS = 0, 1  # kinds, and the rooms that are dropped with them
LINEARITY, BRANCHING, TWO_WAYS, LOOPS, LENGTH = 0, 2, 4, 5, 7  # indices of a shape's values; ranges take two

_MIN_STEPS = 4  # between the ends of a connection that closes a loop, along the rest of it
_CENTRES = 16  # places that are tried for the start of a short way
NEAR, WIDE = 75, 45  # percent, for `near_edges`


class Net(NamedTuple):
    """The edges by node: the neighbours of a node start at `begins[node]` of `beside`, `apart` from it."""

    begins: list[int]
    beside: list[int]
    apart: list[int]


def drawn(key: int, position: int, shape: Sequence[int], first: int) -> int:
    """Draw a number from the range at `first` of a shape's values."""
    return shape[first] + below(key, position, shape[first + 1] - shape[first] + 1)


def edge_of(a: int, b: int) -> int:
    """Return the edge between two nodes."""
    return min(a, b) * BASE + max(a, b)


def net_of(rooms: int, edges: list[int], places: tuple[Sequence[int], Sequence[int]], hubs: list[int]) -> Net:
    """Collect the edges by node, with their lengths in half tiles; those of hubs are shortened by a third."""
    x, y = places
    begins = [0] * (rooms + 1)
    for edge in edges:
        begins[edge // BASE + 1] += 1
        begins[edge % BASE + 1] += 1
    for node in range(rooms):
        begins[node + 1] += begins[node]
    at = begins[:]
    beside, apart = [0] * (2 * len(edges)), [0] * (2 * len(edges))
    for edge in edges:
        a, b = edge // BASE, edge % BASE
        length = square_root((x[a] - x[b]) ** 2 + (y[a] - y[b]) ** 2)
        if hubs[a] or hubs[b]:
            length = 2 * length // 3  # hallways meet in hubs
        beside[at[a]], beside[at[b]] = b, a
        apart[at[a]] = apart[at[b]] = length
        at[a] += 1
        at[b] += 1
    return Net(begins, beside, apart)


def near_edges(
    edges: list[int], net: Net, places: tuple[Sequence[int], Sequence[int]]
) -> tuple[list[int], list[int]]:
    """List the edges that no room is in the way of: none sees an edge under far more than a right angle.

    With less than `NEAR` percent of a squared edge over two others, a room is in its way; in the second list,
    with less than `WIDE`. `net` is that of all edges.

    With right angles, these would be the Gabriel graph (Gabriel, Sokal 1969), which contains a minimum
    spanning tree, so that all nodes stay joined.
    """
    near, wide = [0] * 0, [0] * 0
    x, y = places
    for edge in edges:
        a, b = edge // BASE, edge % BASE
        ax, ay, bx, by = x[a], y[a], x[b], y[b]
        length = (ax - bx) ** 2 + (ay - by) ** 2
        limit, least = length * WIDE // 100, length
        for i in range(net.begins[a], net.begins[a + 1]):
            node = net.beside[i]
            nx, ny = x[node], y[node]
            over = (ax - nx) ** 2 + (ay - ny) ** 2 + (nx - bx) ** 2 + (ny - by) ** 2
            if over < least:
                least = over
                if over < limit:
                    break
        if least >= limit:
            wide.append(edge)
            if least >= length * NEAR // 100:
                near.append(edge)
    return near, wide


def squared(a: int, b: int, places: tuple[Sequence[int], Sequence[int]]) -> int:
    """Return the squared distance between two nodes in half tiles."""
    return (places[0][a] - places[0][b]) ** 2 + (places[1][a] - places[1][b]) ** 2


def _steps(rooms: int, start: int, net: Net, parents: list[int]) -> list[int]:
    """Count the steps from `start` to each node, -1 if there is no way. The nearest parent is noted."""
    steps, lengths = [-1] * rooms, [0] * rooms
    for node in range(rooms):
        parents[node] = -1
    steps[start] = 0
    queue = [start]
    for node in queue:
        for i in range(net.begins[node], net.begins[node + 1]):
            other, length = net.beside[i], net.apart[i]
            if steps[other] < 0:
                steps[other], parents[other], lengths[other] = steps[node] + 1, node, length
                queue.append(other)
            elif steps[other] == steps[node] + 1 and length < lengths[other]:
                parents[other], lengths[other] = node, length
    return steps


# The way from the start to the boss.


def ends_of(
    wanted: int, end: int, rooms: int, net: Net, places: tuple[Sequence[int], Sequence[int]]
) -> tuple[int, int]:
    """Choose the nodes of start and boss for a way of `wanted` steps.

    They are `START` and `end`, at the two ends of the heap, unless that is too far. For a shorter way the
    start moves to where no room is more than half as far again as the boss.
    """
    parents = [-1] * rooms
    steps = _steps(rooms, START, net, parents)
    if steps[end] <= wanted:
        return START, end
    line = _followed(end, parents)
    best, start, boss = 1 << 60, START, end
    tried = min(len(line), _CENTRES)
    for i in range(tried):
        middle = line[i * (len(line) - 1) // max(1, tried - 1)]
        steps = _steps(rooms, middle, net, parents)
        furthest, last, off = 0, -1, -1
        for node in range(rooms):
            furthest = max(furthest, steps[node])
            if steps[node] == wanted and squared(middle, node, places) > off:
                last, off = node, squared(middle, node, places)
        cost = max(0, 2 * furthest - 3 * wanted) * 1000 - furthest
        if last >= 0 and cost < best:
            best, start, boss = cost, middle, last
    return start, boss


def way_of(start: int, boss: int, wanted: int, rooms: int, net: Net) -> list[int]:
    """Find a path from start to boss with `wanted` rooms, or as many as can be."""
    parents = [-1] * rooms
    if _steps(rooms, start, net, parents)[boss] < 0:
        return [0] * 0
    way = _followed(boss, parents)
    way.reverse()
    used = [0] * rooms
    for node in way:
        used[node] = 1
    return _lengthened(way, wanted, used, net)


def _lengthened(way: list[int], wanted: int, used: list[int], net: Net) -> list[int]:
    """Lead a path through more nodes, the nearest first, until it has `wanted`. Notes them in `used`.

    A node that has two neighbours on the path, one after the other, comes between them. If there is none, two
    that are neighbours do.
    """
    after = [-1] * len(used)
    heap = [0] * 0
    for i in range(len(way) - 1):
        after[way[i]] = way[i + 1]
        _offer(way[i], way[i + 1], used, net, heap)
    count = len(way)
    while count < wanted:
        if not heap:
            if count + 1 >= wanted or not _offer_pair(way[0], after, used, net, heap):
                break
            count += 2
            continue
        entry = heappop(heap)
        a, node = entry // BASE % BASE, entry % BASE
        b = entry // BASE // BASE % BASE
        if after[a] != b or used[node]:
            continue
        after[a], after[node], used[node] = node, b, 1
        count += 1
        _offer(a, node, used, net, heap)
        _offer(node, b, used, net, heap)
    return _followed(way[0], after)


def _followed(node: int, next_of: list[int]) -> list[int]:
    """List a node, the next one, and so on until there is none: -1."""
    path = [0] * 0
    while node >= 0:
        path.append(node)
        node = next_of[node]
    return path


def _offer(a: int, b: int, used: list[int], net: Net, heap: list[int]) -> None:
    """Put the free nodes that may come between two nodes of a path on the heap."""
    for i in range(net.begins[a], net.begins[a + 1]):
        node = net.beside[i]
        if not used[node]:
            last = length_of(node, b, net)
            if last >= 0:
                cost = min(net.apart[i] + last, (1 << 14) - 1)
                heappush(heap, ((cost * BASE + b) * BASE + a) * BASE + node)


def _offer_pair(first: int, after: list[int], used: list[int], net: Net, heap: list[int]) -> int:
    """Lead a path through two free neighbours, between the first two of its nodes where that can be."""
    a = first
    while after[a] >= 0:
        b = after[a]
        for i in range(net.begins[a], net.begins[a + 1]):
            node = net.beside[i]
            if used[node]:
                continue
            for j in range(net.begins[node], net.begins[node + 1]):
                other = net.beside[j]
                if not used[other] and length_of(other, b, net) >= 0:
                    after[a], after[node], after[other] = node, other, b
                    used[node] = used[other] = 1
                    _offer(a, node, used, net, heap)
                    _offer(node, other, used, net, heap)
                    _offer(other, b, used, net, heap)
                    return 1
        a = b
    return 0


def length_of(a: int, b: int, net: Net) -> int:
    """Return how far two neighbours are apart. -1: they are none."""
    for i in range(net.begins[a], net.begins[a + 1]):
        if net.beside[i] == b:
            return net.apart[i]
    return -1


def second_path(way: list[int], rooms: int, tips: int, net: Net) -> list[int]:
    """Find a second path from the start to the room before the boss, no shorter, through other rooms.

    It leaves `tips` nodes for dead ends. Empty if there is none.
    """
    used, parents = [0] * rooms, [-1] * rooms
    for node in way:
        used[node] = 1
    last = way[len(way) - 2]
    queue, found = [way[0]], 0
    for node in queue:
        if found:
            break
        for i in range(net.begins[node], net.begins[node + 1]):
            other = net.beside[i]
            if other == last and node != way[0]:
                parents[other], found = node, 1
                break
            if not used[other] and parents[other] < 0:
                parents[other] = node
                queue.append(other)
    wanted = max(len(way) - 1, 7 - len(way))  # rooms, with both ends: the ring has five at least
    if not found or rooms - len(way) - (wanted - 2) < tips:
        return [0] * 0
    path = _followed(last, parents)
    path.reverse()
    if rooms - len(way) - (len(path) - 2) < tips:
        return [0] * 0
    for node in path:
        used[node] = 1
    path = _lengthened(path, wanted, used, net)
    return path[1 : len(path) - 1] if len(path) >= wanted else [0] * 0


def gap_of(way: list[int], ring: list[int], net: Net) -> int:
    """Return how many rooms of the ring come before its shortest connection, from the start."""
    best, gap, before = 1 << 60, 0, way[0]
    for i in range(len(ring) + 1):
        node = ring[i] if i < len(ring) else way[len(way) - 2]
        if ring and length_of(before, node, net) < best:
            best, gap = length_of(before, node, net), i
        before = node
    return gap


# The loops.


def loop_edges(
    boss: int, edges: list[int], shape: Sequence[int], places: tuple[Sequence[int], Sequence[int]]
) -> list[int]:
    """List the edges that are short enough for a loop."""
    short = [0] * 0
    for edge in edges:
        a, b = edge // BASE, edge % BASE
        if boss not in (a, b) and squared(a, b, places) <= shape[LENGTH] ** 2:
            short.append(edge)
    return short


def loops_of(
    key: int,
    ways: tuple[list[int], list[int]],
    parents: list[int],
    feet: list[int],
    tips: int,
    wanted: int,
    edges: list[int],
    net: Net,
) -> list[int]:
    """Choose the loops: each shortens a walk by three rooms, and none shortens the way to the boss.

    There are as many as `wanted`, and more while there are more than `tips` dead ends; so many are left.
    Those that share a connection with the way come first.
    """
    way, ring = ways
    rooms, boss = len(parents), way[len(way) - 1]
    candidates, beside, loops = [0] * 0, [[0] * 0 for _ in range(rooms)], [0] * 0
    for node in range(rooms):
        if parents[node] >= 0:
            beside[node].append(parents[node])
            beside[parents[node]].append(node)
    for edge in edges:
        a, b = edge // BASE, edge % BASE
        if parents[a] != b and parents[b] != a:
            candidates.append(edge)
    for i in range(len(candidates) - 1, 0, -1):
        j = below(key, 4 + i, i + 1)
        candidates[i], candidates[j] = candidates[j], candidates[i]
    ends = 0
    for node in range(rooms):
        ends += 1 if len(beside[node]) == 1 and node != boss and node != way[0] else 0
    from_start, from_boss = [rooms] * rooms, [rooms] * rooms
    spread(way[0], 0, beside, from_start)
    spread(boss, 0, beside, from_boss)
    if ring and wanted:
        gap = gap_of(way, ring, net)
        a = ring[gap - 1] if gap else way[0]
        b = ring[gap] if gap < len(ring) else way[len(way) - 2]
        ends -= _lost(a, b, way[0], beside)
        _add_loop(a, b, beside, from_start, from_boss)
        loops.append(edge_of(a, b))
    for turn in range(4):
        for edge in candidates:
            a, b = edge // BASE, edge % BASE
            if (feet[a] == feet[b]) != (turn % 2 == 1) or b in beside[a]:
                continue
            shortest = min(from_start[a] + from_boss[b], from_start[b] + from_boss[a]) + 1
            lost = _lost(a, b, way[0], beside)
            if wanted == 0 or (lost == 0 if turn < 2 else len(loops) >= wanted):
                continue
            if shortest < len(way) - 1 or ends - lost < tips or not _is_far(a, b, beside):
                continue
            ends -= lost
            _add_loop(a, b, beside, from_start, from_boss)
            loops.append(edge)
    return loops


def _lost(a: int, b: int, start: int, beside: list[list[int]]) -> int:
    """Count the dead ends that a connection takes away."""
    return int(len(beside[a]) == 1 and a != start) + int(len(beside[b]) == 1 and b != start)


def _add_loop(a: int, b: int, beside: list[list[int]], from_start: list[int], from_boss: list[int]) -> None:
    beside[a].append(b)
    beside[b].append(a)
    for one, other in ((a, b), (b, a)):
        spread(one, from_start[other] + 1, beside, from_start)
        spread(one, from_boss[other] + 1, beside, from_boss)


def spread(node: int, steps: int, beside: list[list[int]], known: list[int]) -> None:
    """Note a smaller number of steps to a node, and to all that are reached over it."""
    if steps >= known[node]:
        return
    known[node] = steps
    queue = [node]
    for one in queue:
        for other in beside[one]:
            if known[other] > known[one] + 1:
                known[other] = known[one] + 1
                queue.append(other)


def _is_far(a: int, b: int, beside: list[list[int]]) -> int:
    """Check whether a connection of two rooms would close a loop of five rooms or more."""
    return 0 if _are_within(a, b, _MIN_STEPS - 1, beside) else 1


def _are_within(a: int, b: int, most: int, beside: list[list[int]]) -> int:
    """Check whether two rooms are at most this many steps apart."""
    seen, first = [a], 0
    for _ in range(most):
        last = len(seen)
        for i in range(first, last):
            for other in beside[seen[i]]:
                if other == b:
                    return 1
                if other not in seen:
                    seen.append(other)
        first = last
    return 1 if a == b else 0
