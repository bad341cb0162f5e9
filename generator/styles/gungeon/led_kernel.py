"""Leads a level, as a kernel: from the neighbours in a heap to its connections, and where each room lies.

First comes the shape: a path from the start to the boss with as many rooms as the spec's linearity asks for,
perhaps a second path beside it, branches with as many tips as its branching asks for, and loops. Then rooms
with rules are seated by a search with branch and bound. All numbers are whole.
"""

from __future__ import annotations

from array import array

from generator.compiled.primitives import below
from generator.styles.gungeon.led_branches_kernel import tree_of
from generator.styles.gungeon.led_seats_kernel import LedRules, LedState, seated
from generator.styles.gungeon.led_shape_kernel import (
    BASE,
    BOSS,
    BRANCHING,
    LINEARITY,
    LOOPS,
    NEAR,
    TWO_WAYS,
    WIDE,
    drawn,
    edge_of,
    ends_of,
    loop_edges,
    loops_of,
    near_edges,
    net_of,
    second_path,
    squared,
    way_of,
)

FEWEST, MOST = 6, 400  # rooms: with fewer there is nothing to lead, with more it takes too long
TREE, LED_LOOPS = range(2)  # indices of a state's numbers


def lead(
    key: int,
    kinds: array[int],
    places: tuple[array[int], array[int]],
    hubs: list[int],
    edges: list[int],
    rules: LedRules,
    out: LedState,
) -> list[int]:
    """Plan a heap of `len(hubs)` rooms of these `kinds`, with its `places` in half tiles.

    Returns the edges between rooms: those of the tree, then the loops in the order of their worth, then the
    rest; `out.numbers` says how many of the first two there are. Empty if the heap has no plan: it has too
    few rooms, no boss, or too many rooms off the way. `key` is a stream's.
    """
    rooms, aside = len(hubs), 0
    for room in range(rooms):
        aside += rules.aside[kinds[room]]
    for rule in range(len(out.unmet)):
        out.unmet[rule] = 0
    most = rooms - aside + 1
    if rooms < FEWEST or rooms > MOST or kinds[1] != BOSS or 2 * aside >= rooms:
        return [0] * 0
    wanted = min(max((rooms * drawn(key, 0, rules.shape, LINEARITY) + 50) // 100, 3), most)
    near = near_edges(rooms, edges, places, hubs, NEAR)
    net = net_of(rooms, near, places, hubs)
    wide = near_edges(rooms, edges, places, hubs, WIDE)
    start, boss = ends_of(wanted - 1, rooms, net, places)
    way = way_of(start, boss, wanted, rooms, net)
    if len(way) < 3:
        return [0] * 0
    tips = max(((rooms - len(way)) * drawn(key, 1, rules.shape, BRANCHING) + 50) // 100, aside - 1)
    ring = [0] * 0
    if below(key, 2, 100) < rules.shape[TWO_WAYS]:
        ring = second_path(way, rooms, tips, net)
    short = loop_edges(boss, near, rules.shape, places)
    share = drawn(key, 3, rules.shape, LOOPS)
    loops_wanted = -(-max(0, len(short) - (rooms - 2)) * share // 100)  # of those that no tree takes
    ends = tips + (loops_wanted + 1) // 2  # loops will take some
    parents, feet = tree_of(way, ring, ends, rooms, net, net_of(rooms, wide, places, hubs))
    if not parents:
        return [0] * 0
    short = loop_edges(boss, wide, rules.shape, places)
    loops = loops_of(key, (way, ring), parents, feet, tips, loops_wanted, short, net)
    tree = [0] * 0
    for node in range(rooms):
        if parents[node] >= 0:
            tree.append(edge_of(node, parents[node]))
    if not seated(key, kinds, way, parents, tree, loops, rules, out):
        return [0] * 0
    return _between_rooms(tree, loops, edges, places, out)


def _between_rooms(
    tree: list[int],
    loops: list[int],
    edges: list[int],
    places: tuple[array[int], array[int]],
    out: LedState,
) -> list[int]:
    """Turn edges between nodes into edges between rooms: tree, loops, the rest; first and last by length."""
    rooms = len(tree) + 1
    at, order = [0] * rooms, [0] * 0
    for room in range(rooms):
        at[out.seats[room]] = room
    for edge in tree:
        apart = squared(edge // BASE, edge % BASE, places)
        order.append((apart << 32) + edge_of(at[edge // BASE], at[edge % BASE]))
    order.sort()
    chosen = [entry & 0xFFFFFFFF for entry in order]
    chosen += [edge_of(at[edge // BASE], at[edge % BASE]) for edge in loops]
    out.numbers[TREE], out.numbers[LED_LOOPS] = len(tree), len(loops)
    taken = tree + loops
    taken.sort()
    first = 0
    spare = [0] * 0
    for edge in edges:
        if first < len(taken) and taken[first] == edge:
            first += 1
            continue
        a, b = edge // BASE, edge % BASE
        spare.append((squared(a, b, places) << 32) + edge_of(at[a], at[b]))
    spare.sort()
    return chosen + [entry & 0xFFFFFFFF for entry in spare]
