"""Chooses what is drawn next: the shortest path or cycle from drawn places, or a place of a tree."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from generator.algorithms.spanning_tree import Edge

_Around = Sequence[Sequence[int]]


def edge_of(a: int, b: int) -> Edge:
    """Return the edge between two places, the lower number first."""
    return (a, b) if a < b else (b, a)


def next_ear(beside: _Around, undrawn: Sequence[bool], drawn: Collection[Edge]) -> list[int] | None:
    """Find the shortest path over undrawn edges that ends at two drawn places, or comes back to one.

    If there is none, an edge to a place of a tree: first those that lead to cycles, then those to the largest
    part. None if everything is drawn.
    """
    best: list[int] | None = None
    open_ends = [
        place
        for place, others in enumerate(beside)
        if not undrawn[place] and any(edge_of(place, other) not in drawn for other in others)
    ]
    for place in open_ends:
        path = _from(place, beside, undrawn, drawn, len(best) if best else 1 << 30)
        if path and (best is None or len(path) < len(best)):
            best = path
    if best:
        return best
    hung = [
        (_behind(place, other, beside), -place, -other)
        for place in open_ends
        for other in beside[place]
        if undrawn[other]
    ]
    if not hung:
        return None
    _, place, other = max(hung)
    return [-place, -other]


def _from(
    start: int, beside: _Around, undrawn: Sequence[bool], drawn: Collection[Edge], most: int
) -> list[int] | None:
    """Find the shortest path of fewer than `most` places from a drawn one, undrawn between its ends."""
    trails: list[list[int]] = []
    reached: dict[int, list[int]] = {}
    for other in beside[start]:
        if edge_of(start, other) in drawn:
            continue
        if not undrawn[other]:
            return [start, other]
        reached[other] = [start, other]
        trails.append(reached[other])
    for trail in trails:
        if len(trail) >= most:
            return None
        for other in beside[trail[-1]]:
            if other == trail[-2]:
                continue
            if not undrawn[other]:
                return [*trail, other]
            if other not in reached:
                reached[other] = [*trail, other]
                trails.append(reached[other])
            elif reached[other][1] != trail[1]:  # two trails from the start meet: a cycle through it
                return [*trail, *reached[other][::-1]]
    return None


def _behind(place: int, other: int, beside: _Around) -> int:
    """Count the places beyond an edge of a tree. A larger number if there is a cycle among them."""
    seen = {place, other}
    queue = [other]
    ends = 0
    for each in queue:
        ends += len(beside[each])
        for further in beside[each]:
            if further not in seen:
                seen.add(further)
                queue.append(further)
    return len(queue) + (1_000 if ends > 2 * len(queue) - 1 else 0)
