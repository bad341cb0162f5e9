"""How many steps the places of a graph are away from one of them.

E. F. Moore, "The shortest path through a maze" (1959).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def steps_from(start: T, beside: Mapping[T, Iterable[T]]) -> dict[T, int]:
    """Count the fewest steps from `start` to each node that can be reached, the nearest first.

    `beside` has the places that one step leads to from each; a place without an entry leads nowhere.
    """
    steps = {start: 0}
    queue = [start]
    for node in queue:
        for neighbour in beside.get(node, ()):
            if neighbour not in steps:
                steps[neighbour] = steps[node] + 1
                queue.append(neighbour)
    return steps


def neighbours_of(nodes: Iterable[T], edges: Iterable[tuple[T, T]]) -> dict[T, list[T]]:
    """List the nodes that edges join to each node."""
    beside: dict[T, list[T]] = {node: [] for node in nodes}
    for a, b in edges:
        beside[a].append(b)
        beside[b].append(a)
    return beside
