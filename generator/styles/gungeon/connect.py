"""Connect: which neighbouring rooms are joined, by a spanning tree first and then by some loops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from generator.algorithms.graph import Edge, kruskal, neighbours_of
from generator.algorithms.triangulation import triangulate
from generator.arrays import Ints
from generator.kinds.settings import MAX_WEIGHT
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.styles.gungeon.furnishing.gungeon_layouts import HUB
from generator.styles.gungeon.furnishing.kit_tables import BOSS, gungeon_kind, off_the_way
from generator.styles.gungeon.plan import Heap
from generator.styles.gungeon.spec import DEAD_ENDS, SHORTEST, GungeonSpec

# Rooms off the way add weight to their edges, so that Kruskal's algorithm takes these last and only if it
# must: then shops and chest rooms end up on dead ends, and bosses on dead ends away from the start.
_BOSS_BESIDE_START = 1 + 2 * MAX_WEIGHT  # more than any two rooms

_HUBS_PULL = 2  # hallways meet in hubs: the squared length of a hub's edge is divided by this


class Connections(NamedTuple):
    """Edges between rooms.

    `tree` is a minimum spanning tree, in the order in which it was made; `spare` are the other edges in the
    order in which they would have been taken; `loops` of the `loop_candidates`, which are shuffled, are
    wanted. With `takes_any_loop` these are as they come, whatever they join.
    """

    tree: list[Edge]
    spare: list[Edge]
    loop_candidates: list[Edge]
    loops: int
    takes_any_loop: bool = False


def connect(
    spec: GungeonSpec, heap: Heap, seed: int, attempt: int, *, bosses_apart: bool = False
) -> Connections:
    """Find a minimum spanning tree of neighbouring rooms, and the other neighbours that a loop may join.

    With `bosses_apart` no boss room may be joined to the start; the heap must have a room that is neither.
    If the spec's tree is the shortest, only lengths count, as in Van Nobelen's dungeon, and loops may join
    any rooms.

    A loop joins two rooms that are not off the way and are no further apart than the spec's `loop_length`.
    The share of those that become loops is drawn from the spec's range; their number is rounded up.
    """
    stream = Stream(seed, "gungeon.connect", attempt)
    edges = neighbours(heap, bosses_apart=bosses_apart)
    a, b = np.array(edges, np.int64).reshape(-1, 2).T
    weights = _weights(heap, a, b) if spec.tree == DEAD_ENDS else np.zeros(len(a), np.int64)
    centres = heap.centres
    apart = ((centres[a] - centres[b]) ** 2).sum(axis=1)  # in half tiles, squared
    layouts = heap.layouts or (None,) * len(heap.kinds)
    pulls = spec.tree == DEAD_ENDS
    hubs = np.array([pulls and layout is not None and HUB in layout.layout.tags for layout in layouts])
    apart_for_tree = np.where(hubs[a] | hubs[b], apart // _HUBS_PULL, apart)
    order = np.lexsort((b, a, apart_for_tree, weights))
    tree, spare = kruskal(len(heap.kinds), [edges[i] for i in order.tolist()])
    near = (weights == 0) & (apart <= (2 * spec.loop_length) ** 2)
    in_tree = set(tree)
    candidates = [edges[i] for i in np.flatnonzero(near).tolist() if edges[i] not in in_tree]
    share = stream.between(*spec.loop_share)
    stream.shuffle(candidates)
    loops = -(-len(candidates) * share // 100)
    return Connections(tree, spare, candidates, loops, takes_any_loop=spec.tree == SHORTEST)


def neighbours(heap: Heap, *, bosses_apart: bool = False) -> list[Edge]:
    """Find the neighbours: in the triangulation of all centres, or in that without the rooms off the way.

    Without the second, a shop between two enemy rooms would separate them, and only a long detour would join
    them. With `bosses_apart` no boss room is a neighbour of the start. They all still have neighbours then,
    from the triangulations without the start and without the bosses.
    """
    kinds, aside, centres = heap.kinds, off_the_way(heap.rows), heap.centres
    subsets: list[Sequence[int]] = [
        range(len(kinds)),
        [room for room, kind in enumerate(kinds) if kind not in aside],
    ]
    if bosses_apart:
        subsets += [range(1, len(kinds)), [room for room, kind in enumerate(kinds) if kind != BOSS]]
    edges: set[Edge] = set()
    for rooms in subsets:
        edges.update([(rooms[a], rooms[b]) for a, b in triangulate(centres[rooms])])
    if bosses_apart:
        edges = {(a, b) for a, b in edges if a != 0 or heap.kinds[b] != BOSS}  # room 0 is the start
    return sorted(edges)


def _weights(heap: Heap, a: Ints, b: Ints) -> Ints:
    """Return the weight of each edge. Edges of less weight are taken first, whatever their length."""
    weight = np.array([gungeon_kind(heap.rows, kind).weight for kind in heap.kinds], np.int64)
    weights = weight[a] + weight[b]
    is_boss = np.array([kind == BOSS for kind in heap.kinds])
    weights[(a == 0) & is_boss[b]] = _BOSS_BESIDE_START  # room 0 is the start
    return weights


# Loops of a level without a flow: which extra connections are worth having.
#
# A loop is worth having if it shortens a walk: it has five rooms or more, so that without it one walks
# through three rooms or more from one end of its connection to the other. Loops that offer an alternative
# on the path to the boss come first.

_MIN_STEPS = 4  # between the ends of the closing connection: then the loop has five rooms


class LoopFinder:
    """The connections laid so far, and which others would close a loop worth having."""

    def __init__(self, rooms: int, tree: Sequence[Edge]) -> None:
        self._beside = neighbours_of(range(rooms), tree)
        self._parent = [-1] * rooms
        self._depth = [0] * rooms
        queue = [0]
        for room in queue:
            for neighbour in self._beside[room]:
                if neighbour != self._parent[room]:
                    self._parent[neighbour], self._depth[neighbour] = room, self._depth[room] + 1
                    queue.append(neighbour)

    def add(self, edge: Edge) -> None:
        """Add a connection that was laid."""
        a, b = edge
        self._beside[a].append(b)
        self._beside[b].append(a)

    def in_order(self, candidates: Sequence[Edge], kinds: Sequence[str]) -> list[Edge]:
        """Sort edges: those whose loops share a connection with the path to the furthest boss come first."""
        bosses = [room for room, kind in enumerate(kinds) if kind == BOSS]
        way = set()
        room = max(bosses, key=lambda room: self._depth[room], default=0)
        while room >= 0:
            way.add(room)
            room = self._parent[room]
        return sorted(candidates, key=lambda edge: not self._passes(edge, way))

    def _passes(self, edge: Edge, way: set[int]) -> bool:
        """Check whether the tree's path between two rooms shares a connection with the path to the boss."""
        a, b = edge
        while a != b:
            if self._depth[a] < self._depth[b]:
                a, b = b, a
            if a in way:  # and so is the room above it
                return True
            a = self._parent[a]
        return False

    def is_worth_it(self, edge: Edge) -> bool:
        """Check whether it is a long walk between the two rooms as things are."""
        seen = {edge[0]}
        reached = {edge[0]}
        for _ in range(_MIN_STEPS - 1):
            reached = {neighbour for room in reached for neighbour in self._beside[room]} - seen
            seen |= reached
        return edge[1] not in seen
