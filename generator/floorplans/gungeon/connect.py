"""Connect: which neighbouring rooms are joined, by a spanning tree first and then by some loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from generator.floorplans.gungeon.plan import OFF_THE_WAY, Heap, Ints
from generator.floorplans.gungeon.triangulate import Edge, triangulate
from generator.floorplans.gungeon.union_find import UnionFind
from generator.rng import Stream
from generator.spec import GungeonSpec

# Rooms off the way weigh on their edges, so that Kruskal takes these last and only as he must: then shops
# and chest rooms end up on dead ends, and bosses on dead ends away from the start.
_WEIGHTS = {"start": 0, "normal": 0, "shop": 1, "chest": 1, "boss": 3}
_BOSS_BESIDE_START = 7  # more than any two of them


class Connections(NamedTuple):
    """Edges between rooms.

    `tree` is a minimum spanning tree, in the order that it was made; `spare` are the other edges in the
    order in which they would have been taken; of `loop_candidates`, in a drawn order, `loops` are wanted.
    """

    tree: list[Edge]
    spare: list[Edge]
    loop_candidates: list[Edge]
    loops: int


def connect(spec: GungeonSpec, heap: Heap, seed: int, attempt: int) -> Connections:
    """A minimum spanning tree of neighbouring rooms, and which other neighbours may be joined for a loop.

    A loop joins two rooms that lie on the way, no further apart than the spec's `loop_length`; how many
    of those come back is a share that is drawn from the spec's range, rounded up.
    """
    stream = Stream(seed, "gungeon.connect", attempt)
    edges = neighbours(heap)
    a, b = np.array(edges, np.int64).reshape(-1, 2).T
    weights = _weights(heap.kinds, a, b)
    apart = ((heap.centres[a] - heap.centres[b]) ** 2).sum(axis=1)  # of doubled tiles
    order = np.lexsort((b, a, apart, weights))
    tree, spare = _kruskal(len(heap.kinds), [edges[i] for i in order.tolist()])
    near = (weights == 0) & (apart <= (2 * spec.loop_length) ** 2)
    in_tree = set(tree)
    candidates = [edges[i] for i in np.flatnonzero(near).tolist() if edges[i] not in in_tree]
    share = stream.between(*spec.loop_share)
    stream.shuffle(candidates)
    return Connections(tree, spare, candidates, -(-len(candidates) * share // 100))


def neighbours(heap: Heap) -> list[Edge]:
    """Which rooms are neighbours: in the triangulation of all middles, or once rooms off the way are gone.

    Without the latter a shop between two enemy rooms would part them, and they be joined far round it.
    """
    on_the_way = np.array([kind not in OFF_THE_WAY for kind in heap.kinds])
    edges: set[Edge] = set()
    for rooms in (np.arange(len(heap.kinds)), np.flatnonzero(on_the_way)):
        edges |= {(int(rooms[a]), int(rooms[b])) for a, b in triangulate(heap.centres[rooms])}
    return sorted(edges)


def _weights(kinds: Sequence[str], a: Ints, b: Ints) -> Ints:
    """[edge]: how late it is taken, before its length counts."""
    weight = np.array([_WEIGHTS[kind] for kind in kinds], np.int64)
    weights = weight[a] + weight[b]
    is_boss = np.array([kind == "boss" for kind in kinds])
    weights[(a == 0) & is_boss[b]] = _BOSS_BESIDE_START  # room 0 is the start
    return weights


def _kruskal(rooms: int, edges: Sequence[Edge]) -> tuple[list[Edge], list[Edge]]:
    """The edges, in their order, that join what was apart, and those that do not (Kruskal 1956)."""
    sets = UnionFind(rooms)
    tree: list[Edge] = []
    spare: list[Edge] = []
    for edge in edges:
        (tree if sets.union(*edge) else spare).append(edge)
    return tree, spare
