"""The branches of a led level as a kernel: a tree of all rooms with as many tips as are asked for.

The branches grow from the way to the boss and from the second path, as in Prim's algorithm (1957). Then one
connection at a time takes the place of another that it closes a loop with, until there are as many tips as
wanted: a local search, as for spanning trees with many leaves (H. Lu, R. Ravi, "The power of local
optimization", 1992).
"""

from __future__ import annotations

from heapq import heappop, heappush

from generator.styles.gungeon.led_shape_kernel import BASE, Net, gap_of, length_of

_MAX_DOORS, _DOORS_OF_STARS = 5, 7  # of a room, where others will do; if there are too few tips
_SWEEPS, _MOVES = 8, 10  # over all connections; swaps in every other sweep that leave the tips as many


def tree_of(
    way: list[int], ring: list[int], tips: int, rooms: int, near: Net, wide: Net
) -> tuple[list[int], list[int]]:
    """Join all rooms to the way and the ring by branches with `tips` tips, where that can be.

    Returns the parent of each node, -1 for the start, and where its branch begins. Empty if nodes are left.
    No room is more than half as far again from the start as the boss, and none has more than `_MAX_DOORS`
    doors, where that can be. The connections are those of `near`, unless some of `wide` are needed for that.
    """
    gap, before = gap_of(way, ring, near), way[0]
    most = 3 * (len(way) - 1) // 2
    boss, kept = way[len(way) - 1], ring[len(ring) // 2] if ring else -1  # where nothing grows
    beside = _core(way, ring, rooms)
    if not _grow(boss, kept, most, 0, near, beside, way[0]):
        beside = _core(way, ring, rooms)
        if not _grow(boss, kept, most, 1, wide, beside, way[0]):
            beside = _core(way, ring, rooms)
            if not _grow(boss, -1, BASE, 1, wide, beside, way[0]):
                return [0] * 0, [0] * 0
    core = [0] * rooms
    for node in way + ring:
        core[node] = 1
    more = _swapped(way[0], boss, kept, most, _MAX_DOORS, tips, core, near, beside)
    if more:
        more = _swapped(way[0], boss, kept, most, _MAX_DOORS, tips, core, wide, beside)
    if more < 0:
        _swapped(way[0], boss, kept, most, _DOORS_OF_STARS, tips, core, wide, beside)
    if ring:
        before = ring[gap - 1] if gap else way[0]
        after = ring[gap] if gap < len(ring) else way[len(way) - 2]
        beside[before].remove(after)
        beside[after].remove(before)
    parents, feet = [-1] * rooms, [-1] * rooms
    for node in _walked(way[0], beside, parents, [0] * rooms):
        feet[node] = node if core[node] else feet[parents[node]]
    return parents, feet


def _core(way: list[int], ring: list[int], rooms: int) -> list[list[int]]:
    """List the neighbours of each room along the way and the second path."""
    beside = [[0] * 0 for _ in range(rooms)]
    for path in (way, [way[0], *ring, way[len(way) - 2]] if ring else way[:1]):
        for i in range(len(path) - 1):
            beside[path[i]].append(path[i + 1])
            beside[path[i + 1]].append(path[i])
    return beside


def _walked(start: int, beside: list[list[int]], parents: list[int], steps: list[int]) -> list[int]:
    """Walk through a tree, or one with the second path. Notes parents and steps; returns the order."""
    for node in range(len(beside)):
        parents[node] = steps[node] = -1
    steps[start] = 0
    queue = [start]
    for node in queue:
        for other in beside[node]:
            if steps[other] < 0:
                steps[other], parents[other] = steps[node] + 1, node
                queue.append(other)
    return queue


def _grow(
    boss: int, kept: int, most: int, by_steps: int, net: Net, beside: list[list[int]], start: int
) -> int:
    """Join the other rooms, the nearest first, or those with the fewest steps. Returns 0 if some are left."""
    rooms = len(beside)
    steps = [0] * rooms
    joined = _walked(start, beside, [0] * rooms, steps)
    heap, left = [0] * 0, rooms - len(joined)
    for node in joined:
        if node not in (boss, kept):
            _push(node, by_steps, steps, net, heap)
    while left and heap:
        entry = heappop(heap)
        node, new = entry // BASE % BASE, entry % BASE
        if steps[new] >= 0 or steps[node] >= most or (len(beside[node]) >= _MAX_DOORS and most < BASE):
            continue
        beside[node].append(new)
        beside[new].append(node)
        steps[new] = steps[node] + 1
        left -= 1
        _push(new, by_steps, steps, net, heap)
    return 1 if left == 0 else 0


def _push(node: int, by_steps: int, steps: list[int], net: Net, heap: list[int]) -> None:
    for i in range(net.begins[node], net.begins[node + 1]):
        if steps[net.beside[i]] < 0:
            cost = by_steps * steps[node] * BASE + net.apart[i]
            heappush(heap, (cost * BASE + node) * BASE + net.beside[i])


def _swapped(
    start: int,
    boss: int,
    kept: int,
    most: int,
    doors: int,
    tips: int,
    core: list[int],
    net: Net,
    beside: list[list[int]],
) -> int:
    """Swap connections until there are `tips` tips. Returns by how much there are more, or fewer."""
    rooms = len(beside)
    edges, parents, steps = _by_length(net), [0] * rooms, [0] * rooms
    deepest = max(most, steps[_walked(start, beside, parents, steps)[-1]])
    more = -tips
    for node in range(rooms):
        more += 1 if len(beside[node]) == 1 and node not in (start, boss) else 0
    for sweep in range(_SWEEPS):
        moves = _MOVES * (sweep & 1)  # that change nothing, to get out of a local optimum
        swaps = 0
        for entry in edges:
            if more == 0:
                return 0
            a, b = entry // BASE % BASE, entry % BASE
            is_full = max(len(beside[a]), len(beside[b])) >= doors
            if is_full or boss in (a, b) or kept in (a, b) or b in beside[a]:
                continue
            c, change = _dropped(a, b, start, more, moves, core, parents, net, beside)
            if c < 0:
                continue
            p = parents[c]
            _swap(a, b, c, p, beside)
            swaps += 1
            queue = _walked(start, beside, parents, steps)
            if steps[queue[-1]] > deepest:
                _swap(c, p, a, b, beside)
                _walked(start, beside, parents, steps)
            else:
                more += change
                moves -= 1 if change == 0 else 0
        if sweep & 1 and swaps == 0:
            break  # nothing would happen in any other sweep either
    return more


def _by_length(net: Net) -> list[int]:
    """List the edges of a net, the shortest first: the length times `BASE` squared, plus the edge."""
    edges = [0] * 0
    for node in range(len(net.begins) - 1):
        for i in range(net.begins[node], net.begins[node + 1]):
            if node < net.beside[i]:
                edges.append((net.apart[i] * BASE + node) * BASE + net.beside[i])
    edges.sort()
    return edges


def _swap(a: int, b: int, c: int, p: int, beside: list[list[int]]) -> None:
    """Join a and b, and separate c and p."""
    beside[a].append(b)
    beside[b].append(a)
    beside[c].remove(p)
    beside[p].remove(c)


def _dropped(
    a: int,
    b: int,
    start: int,
    more: int,
    moves: int,
    core: list[int],
    parents: list[int],
    net: Net,
    beside: list[list[int]],
) -> tuple[int, int]:
    """Choose the room whose connection to its parent a new one between a and b replaces. -1: none does.

    Then there are fewer tips if there are `more` than wanted, and otherwise more. Long connections go first.
    The second number is how many more tips there are then.
    """
    chains = [[0] * 0 for _ in range(2)]
    for side in range(2):
        node = b if side else a
        while not core[node]:
            chains[side].append(node)
            node = parents[node]
    while chains[0] and chains[1] and chains[0][-1] == chains[1][-1]:
        chains[0].pop()
        chains[1].pop()
    best, longest, best_change = -1, -1, 0
    lost_a = 1 if len(beside[a]) == 1 and a != start else 0
    lost_b = 1 if len(beside[b]) == 1 and b != start else 0
    for chain in chains:
        for c in chain:
            p, change = parents[c], 0
            if a not in (c, p):
                change -= lost_a
            if b not in (c, p):
                change -= lost_b
            if len(beside[c]) == 2 and c not in (a, b, start):
                change += 1
            if len(beside[p]) == 2 and p not in (a, b, start):
                change += 1
            is_move = change == 0 and moves > 0 and c != chain[-1]
            if is_move or (change * more < 0 and abs(more + change) < abs(more)):
                length = length_of(c, p, net)
                if length > longest:
                    best, longest, best_change = c, length, change
    return best, best_change
