"""Chooses what is drawn next: the shortest path or cycle from drawn nodes, or a node of a tree."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from generator.algorithms.spanning_tree import Edge

_Around = Sequence[Sequence[int]]


def edge_of(a: int, b: int) -> Edge:
    """Return the edge between two nodes, the lower number first."""
    return (a, b) if a < b else (b, a)


def next_ear(beside: _Around, undrawn: Sequence[bool], drawn: Collection[Edge]) -> list[int] | None:
    """Find the shortest path over undrawn edges that ends at two drawn nodes, or comes back to one.

    If there is none, an edge to a node of a tree: first those that lead to cycles, then those to the largest
    part. None if everything is drawn.
    """
    best: list[int] | None = None
    open_ends = [
        node
        for node, neighbours in enumerate(beside)
        if not undrawn[node] and any(edge_of(node, neighbour) not in drawn for neighbour in neighbours)
    ]
    for node in open_ends:
        path = _from(node, beside, undrawn, drawn, len(best) if best else 1 << 30)
        if path and (best is None or len(path) < len(best)):
            best = path
    if best:
        return best
    branches = [
        (_behind(node, neighbour, beside), -node, -neighbour)
        for node in open_ends
        for neighbour in beside[node]
        if undrawn[neighbour]
    ]
    if not branches:
        return None
    _, node, neighbour = max(branches)
    return [-node, -neighbour]


def _from(
    start: int, beside: _Around, undrawn: Sequence[bool], drawn: Collection[Edge], most: int
) -> list[int] | None:
    """Find the shortest path of fewer than `most` nodes from a drawn one, undrawn between its ends."""
    trails: list[list[int]] = []
    reached: dict[int, list[int]] = {}
    for neighbour in beside[start]:
        if edge_of(start, neighbour) in drawn:
            continue
        if not undrawn[neighbour]:
            return [start, neighbour]
        reached[neighbour] = [start, neighbour]
        trails.append(reached[neighbour])
    for trail in trails:
        if len(trail) >= most:
            return None
        for neighbour in beside[trail[-1]]:
            if neighbour == trail[-2]:
                continue
            if not undrawn[neighbour]:
                return [*trail, neighbour]
            if neighbour not in reached:
                reached[neighbour] = [*trail, neighbour]
                trails.append(reached[neighbour])
            elif reached[neighbour][1] != trail[1]:  # two trails from the start meet: a cycle through it
                return [*trail, *reached[neighbour][::-1]]
    return None


def _behind(near: int, far: int, beside: _Around) -> int:
    """Count the nodes beyond an edge of a tree. A larger number if there is a cycle among them."""
    seen = {near, far}
    queue = [far]
    ends = 0
    for node in queue:
        ends += len(beside[node])
        for further in beside[node]:
            if further not in seen:
                seen.add(further)
                queue.append(further)
    return len(queue) + (1_000 if ends > 2 * len(queue) - 1 else 0)
