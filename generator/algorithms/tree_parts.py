"""Parts of a graph that are about equally large and are joined by few edges.

A tree is cut from its leaves, as by S. Kundu and J. Misra, "A linear tree partitioning algorithm" (1977), but
with a least size instead of a greatest one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from generator.algorithms.graph import Edge, neighbours_of, steps_from

_WAYS_OUT = 2


def tree_parts(count: int, tree: Sequence[Edge], least: int, most: int) -> list[int]:
    """Divide the nodes 0 .. count-1 into parts of about `least` to `most` nodes; return that of each.

    The tree is cut from its leaves to node 0: a branch becomes a part as soon as it has `least` nodes. Where
    several smaller branches meet in more than `most`, the largest ones become parts too. A part of less than
    half of `least` joins the smallest part beside it. So each part is connected, and a single edge of the
    tree leads to it from node 0. The part of node 0 has the number 0.
    """
    steps = steps_from(0, neighbours_of(range(count), tree))
    order = list(steps)
    parents = {max(edge, key=steps.__getitem__): min(edge, key=steps.__getitem__) for edge in tree}
    waiting: list[list[int]] = [[] for _ in range(count)]  # branches that are not parts yet
    sizes = [1] * count
    tops = {0}
    for node in reversed(order):
        branches = sorted(waiting[node], key=lambda branch: (sizes[branch], branch))
        sizes[node] += sum(sizes[branch] for branch in branches)
        while sizes[node] > most and branches:
            sizes[node] -= sizes[branches[-1]]
            tops.add(branches.pop())
        if sizes[node] >= least:
            tops.add(node)
        elif node:
            waiting[parents[node]].append(node)
    parts = [0] * count
    for node in order:
        parts[node] = node if node in tops else parts[parents[node]]
    _join_small(parts, tree, least)
    numbers = {part: number for number, part in enumerate(dict.fromkeys(parts[node] for node in order))}
    return [numbers[part] for part in parts]


def _join_small(parts: list[int], edges: Sequence[Edge], least: int) -> None:
    """Join parts of less than half of `least` with the smallest part beside them, the smallest ones first."""
    while True:
        sizes = Counter(parts)
        small = min(sizes, key=lambda part: (sizes[part], part))
        pairs = {(parts[a], parts[b]) for a, b in edges if (parts[a] == small) != (parts[b] == small)}
        beside = {part for pair in pairs for part in pair} - {small}
        if 2 * sizes[small] >= least or not beside:
            return
        into = min(beside, key=lambda part: (sizes[part], part))
        parts[:] = [into if part == small else part for part in parts]


def part_around(node: int, count: int, edges: Sequence[Edge], most: int) -> set[int]:
    """Return a connected part of a graph that holds a node, but not node 0: at most `most` of its nodes.

    It grows by the node beside it with which the fewest edges lead out, so first by dead ends. The largest
    part counts out of which at most two edges lead, or else three, or else the node alone.
    """
    beside = neighbours_of(range(count), edges)
    part, ways = {node}, len(beside[node])
    found = {max(ways, _WAYS_OUT): frozenset(part)}
    while len(part) < most:
        near = sorted({other for inside in part for other in beside[inside]} - part - {0})
        leads_out = {other: sum(1 if far not in part else -1 for far in beside[other]) for other in near}
        if not near:
            break
        chosen = min(near, key=leads_out.__getitem__)
        part.add(chosen)
        ways += leads_out[chosen]
        found[max(ways, _WAYS_OUT)] = frozenset(part)
    larger = [found[ways] for ways in (_WAYS_OUT, _WAYS_OUT + 1) if len(found.get(ways, ())) > 1]
    return {node, *next(iter(larger), ())}
