"""Leads a level, as a kernel: from the neighbours in a heap to its connections, and where each room lies.

First comes the shape: a path from the start to the boss with as many rooms as the spec's linearity asks for,
perhaps a second path beside it, branches with as many tips as its branching asks for, and loops. Then rooms
with rules are seated by a search with branch and bound. All numbers are whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.compiled.primitives import below
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.led_branches_kernel import tree_of
from generator.styles.gungeon.led_seats_kernel import LedRules, LedState, nodes_of, seated
from generator.styles.gungeon.led_shape_kernel import (
    BASE,
    BOSS,
    BRANCHING,
    LINEARITY,
    LOOPS,
    START,
    TWO_WAYS,
    Net,
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
LED_TRIES = 20  # heaps that are led; the rest are joined by chance
_STRICT_TRIES = 3  # of these: the others may break rules of more than one room in a hundred
TREE, LED_LOOPS = range(2)  # indices of a state's numbers


class LedShape(NamedTuple):
    """The way, and the edges of tree and loops. Without a way, nodes are left."""

    way: list[int]
    tree: list[int]
    loops: list[int]


class Nets(NamedTuple):
    """The edges of `near_edges`, with a share of `NEAR` and of `WIDE`: listed, and by node."""

    near: list[int]
    wide: list[int]
    of_near: Net
    of_wide: Net


class Wish(NamedTuple):
    """What a shape should have: on its way, `wanted` rooms or more, up to `most`, and as many `tips`.

    Its way leads to `end` if that is near enough. It `is_judged` if no room may be more than half as far
    again as the boss, and `is_crowded` if half of the rooms or more are off the way.
    """

    wanted: int
    most: int
    end: int
    tips: int
    is_judged: bool
    is_crowded: bool


def can_lead(rooms: int, attempt: int) -> bool:
    """Check whether an attempt's heap of so many rooms is led."""
    return FEWEST <= rooms <= MOST and attempt < LED_TRIES


def breaks_too_many(rooms: int, attempt: int, unmet: Sequence[int]) -> bool:
    """Check whether more rooms break their rules than an attempt's heap, or its floorplan, may have."""
    return attempt < _STRICT_TRIES and 100 * _total(unmet) > rooms


def lead(
    key: int,
    attempt: int,
    kinds: Sequence[int],
    places: tuple[Sequence[int], Sequence[int]],
    hubs: list[int],
    edges: list[int],
    rules: LedRules,
    out: LedState,
) -> list[int]:
    """Plan a heap of `len(hubs)` rooms of these `kinds`, with its `places` in half tiles.

    Returns the edges between rooms: those of the tree, then the loops in the order of their worth, then the
    rest; `out.numbers` says how many of the first two there are. Empty if the heap has no plan. `key` is a
    stream's.

    At first a plan has to keep the rules of all but one room in a hundred. After `_STRICT_TRIES`, what cannot
    hold gives way in this order: the second path and the loops, the length of the way, the rules of single
    rooms, and last, where half of all rooms or more are off the way, that no path leads through these.
    Without a boss, the way leads to the place that is furthest from the start.
    """
    rooms, aside, none = len(hubs), 0, [0] * 0
    for room in range(rooms):
        aside += rules.aside[kinds[room]]
    is_strict, is_crowded = attempt < _STRICT_TRIES, 2 * aside >= rooms
    if is_strict and is_crowded:
        return none
    has_boss = int(kinds[1] == BOSS)
    most = max(rooms - aside + has_boss, 3)
    wanted = min(max((rooms * drawn(key, 0, rules.shape, LINEARITY) + 50) // 100, 3), most)
    end = BOSS if has_boss else _furthest(rooms, places)
    wish = Wish(wanted, wanted, end, aside - has_boss, has_boss == 1 and not is_strict, is_crowded)
    near, wide = near_edges(edges, net_of(rooms, edges, places, hubs), places)
    nets = Nets(near, wide, net_of(rooms, near, places, hubs), net_of(rooms, wide, places, hubs))
    chosen = _planned(key, wish, kinds, places, edges, nets, rules, out)
    broken = _total(out.unmet) if len(chosen) else rooms
    if is_strict:
        return none if breaks_too_many(rooms, attempt, out.unmet) else chosen
    if broken:
        tips = net_of(rooms, near if len(chosen) else edges, places, hubs)
        _keep_tips(wish.tips + broken, end, tips.begins, tips.beside, tips.apart)
        longer = Wish(wanted, most, end, wish.tips, wish.is_judged, is_crowded)
        other = _planned(key, longer, kinds, places, edges, Nets(near, near, tips, tips), rules, out)
        if len(other) and _total(out.unmet) < broken:
            return other
        chosen = _planned(key, wish, kinds, places, edges, nets, rules, out)
    return chosen


def _planned(
    key: int,
    wish: Wish,
    kinds: Sequence[int],
    places: tuple[Sequence[int], Sequence[int]],
    edges: list[int],
    nets: Nets,
    rules: LedRules,
    out: LedState,
) -> list[int]:
    """Plan a heap as `lead` does, whatever rules are broken."""
    length = wish.wanted
    while length <= wish.most:
        shape = _shaped(key, length, wish, nets, rules.shape, places)
        if len(shape.way) > 0:
            nodes = nodes_of(shape.way, shape.tree, shape.loops)
            boss = shape.way[len(shape.way) - 1]
            is_near = wish.is_judged and 3 * nodes.steps[boss] < 2 * nodes.furthest
            if not is_near and seated(key, kinds, shape.way, nodes, wish.is_crowded, rules, out):
                return _between_rooms(shape.tree, shape.loops, edges, places, out)
        length += 1 + length // 8
    return [0] * 0


def _total(numbers: Sequence[int]) -> int:
    total = 0
    for i in range(len(numbers)):
        total += numbers[i]
    return total


def _furthest(rooms: int, places: tuple[Sequence[int], Sequence[int]]) -> int:
    """Find the node that is furthest from the start."""
    end = START
    for node in range(rooms):
        if squared(START, node, places) > squared(START, end, places):
            end = node
    return end


def _keep_tips(wanted: int, end: int, begins: list[int], beside: list[int], apart: list[int]) -> None:
    """Choose tips in a net, and drop its edges from there to others, so that no path leads through them.

    There are as many as `wanted` and the `end`, if all other nodes stay joined and each tip is beside one of
    them. Nodes with few neighbours come first.
    """
    rooms, order = len(begins) - 1, [0] * 0
    is_tip = [0] * rooms
    is_tip[end] = 1
    for node in range(rooms):
        if node not in (START, end):
            order.append((begins[node + 1] - begins[node]) * BASE + node)
    order.sort()
    for entry in order:
        is_tip[entry % BASE] = 1
        if wanted > 0 and _are_joined(is_tip, begins, beside):
            wanted -= 1
        else:
            is_tip[entry % BASE] = 0
    kept = first = 0
    for node in range(rooms):
        last = begins[node + 1]
        begins[node] = kept
        for i in range(first, first if is_tip[node] else last):
            beside[kept], apart[kept] = beside[i], apart[i]
            kept += 1
        first = last
    begins[rooms] = kept


def _are_joined(is_tip: list[int], begins: list[int], beside: list[int]) -> int:
    """Check that all nodes are reached from the start without a path through a tip."""
    is_reached = [0] * len(is_tip)
    is_reached[START] = 1
    queue = [START]
    for node in queue:
        if is_tip[node]:
            continue
        for i in range(begins[node], begins[node + 1]):
            if not is_reached[beside[i]]:
                is_reached[beside[i]] = 1
                queue.append(beside[i])
    return 1 if len(queue) == len(is_tip) else 0


def _shaped(
    key: int,
    wanted: int,
    wish: Wish,
    nets: Nets,
    shape: Sequence[int],
    places: tuple[Sequence[int], Sequence[int]],
) -> LedShape:
    """Grow a shape with `wanted` rooms on its way, dead ends and loops, as far as that can be."""
    net, tree = nets.of_near, [0] * 0
    rooms = len(net.begins) - 1
    start, boss = ends_of(wanted - 1, wish.end, rooms, net, places)
    way = way_of(start, boss, wanted, rooms, net)
    if len(way) < 3:
        return LedShape(tree, tree, tree)
    tips = max(((rooms - len(way)) * drawn(key, 1, shape, BRANCHING) + 50) // 100, wish.tips)
    ring = [0] * 0
    if below(key, 2, 100) < shape[TWO_WAYS]:
        ring = second_path(way, rooms, tips, net)
    short = loop_edges(boss, nets.near, shape, places)
    spare = max(0, len(short) - (rooms - 2)) * drawn(key, 3, shape, LOOPS)
    count = -(-spare // 100)
    parents, feet = tree_of(way, ring, tips + (count + 1) // 2, rooms, net, nets.of_wide)
    if not parents:
        return LedShape(tree, tree, tree)
    candidates = loop_edges(boss, nets.wide, shape, places)
    loops = loops_of(key, (way, ring), parents, feet, tips, count, candidates, net)
    for node in range(rooms):
        if parents[node] >= 0:
            tree.append(edge_of(node, parents[node]))
    return LedShape(way, tree, loops)


def _between_rooms(
    tree: list[int],
    loops: list[int],
    edges: list[int],
    places: tuple[Sequence[int], Sequence[int]],
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
