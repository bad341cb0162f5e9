"""`connect.connect` and `LoopFinder` as a kernel: which rooms are joined, and which others a loop may join.

An edge is a number: the lower room number times `BASE`, plus the other room number.
"""

from __future__ import annotations

from array import array

from generator.algorithms.triangulation_kernel import TriangleMesh, triangulate
from generator.compiled.primitives import below
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.led_seats_kernel import LedState
from generator.styles.gungeon.route_kernel import RouteState
from generator.styles.gungeon.scatter_kernel import BOSS, Dropped, GungeonRules, Pools

BASE = 1 << 16
_HUBS_PULL = 2
_MIN_STEPS = 4  # between the ends of a connection that closes a loop, along the rest of it


class RoomGraph(NamedTuple):
    """Buffers for walks, by room. The neighbours of a room start at `begins[room]` of `beside`."""

    middle_x: array[int]
    middle_y: array[int]
    parents: array[int]
    depths: array[int]
    marks: array[int]
    begins: array[int]
    beside: array[int]
    queue: array[int]


class HeapState(NamedTuple):
    """A floorplan, while it is made and when it is finished."""

    rooms: Dropped
    graph: RoomGraph
    mesh: TriangleMesh
    route: RouteState  # its doors' images are those of `rooms`
    distances: array[int]  # [room]
    depths: array[int]  # [room]
    tries: array[int]  # one number: how many heaps were made
    laid: bytearray  # [index of an edge]
    doors: array[int]  # [room]: how many doors it may still have
    led: LedState


def neighbours(rooms: int, is_apart: int, rules: GungeonRules, state: HeapState) -> list[int]:
    """List the edges of neighbouring rooms, ascending. `is_apart` omits those from the start to bosses."""
    graph, boxes, kinds = state.graph, state.route.boxes, state.rooms.kinds
    for room in range(rooms):
        graph.middle_x[room] = 2 * boxes.x[room] + boxes.width[room]
        graph.middle_y[room] = 2 * boxes.y[room] + boxes.height[room]
    mesh_edges = [0] * 0
    for subset in range(4 if is_apart else 2):
        points = [0] * 0
        for room in range(rooms):
            kind = kinds[room]
            if (
                subset == 0
                or (subset == 1 and not rules.kinds.aside[kind])
                or (subset == 2 and room > 0)
                or (subset == 3 and kind != BOSS)
            ):
                points.append(room)
        triangulate(graph.middle_x, graph.middle_y, points, state.mesh, mesh_edges, BASE)
    mesh_edges.sort()
    edges = [0] * 0
    for edge in mesh_edges:
        if edges and edges[-1] == edge:
            continue
        if is_apart and edge < BASE and kinds[edge] == BOSS:
            continue
        edges.append(edge)
    return edges


def in_order(edges: list[int], rules: GungeonRules, state: HeapState) -> list[int]:
    """Sort the indices of the edges into the order in which Kruskal's algorithm takes them."""
    keys = [0] * 0
    for index in range(len(edges)):
        a, b = edges[index] // BASE, edges[index] % BASE
        weight = _weight(a, b, rules, state.rooms)
        apart = _apart(a, b, state.graph)
        if is_hub(rules.pools, state.rooms, a) or is_hub(rules.pools, state.rooms, b):
            apart //= _HUBS_PULL
        keys.append((weight << 57) + (apart << 20) + index)
    keys.sort()
    return [key & 0xFFFFF for key in keys]


def _weight(a: int, b: int, rules: GungeonRules, out: Dropped) -> int:
    """Return an edge's weight. Edges of less weight are taken first, whatever their length."""
    if a == 0 and out.kinds[b] == BOSS:
        return rules.connect.boss_beside_start
    return rules.kinds.weight[out.kinds[a]] + rules.kinds.weight[out.kinds[b]]


def _apart(a: int, b: int, graph: RoomGraph) -> int:
    """Compute the squared distance between the centres of two rooms, in half tiles."""
    return (graph.middle_x[a] - graph.middle_x[b]) ** 2 + (graph.middle_y[a] - graph.middle_y[b]) ** 2


def is_hub(pools: Pools, out: Dropped, room: int) -> int:
    """Check whether a room's layout is a hub."""
    return pools.is_hub[out.images[room]] if out.images[room] >= 0 else 0


def kruskal(rooms: int, edges: list[int], order: list[int], graph: RoomGraph) -> list[int]:
    """Move the edges of the minimum spanning tree to the front of the order."""
    for room in range(rooms):
        graph.parents[room] = room
    tree, spare = [0] * 0, [0] * 0
    for index in order:
        if joined(graph.parents, edges[index] // BASE, edges[index] % BASE):
            tree.append(index)
        else:
            spare.append(index)
    tree.extend(spare)
    return tree


def joined(parents: array[int], a: int, b: int) -> int:
    """Join the sets of two rooms. Returns 0 if they are in one already."""
    a, b = root(parents, a), root(parents, b)
    parents[b] = a
    return 1 if a != b else 0


def root(parents: array[int], room: int) -> int:
    """Find the root of a room's set."""
    while parents[room] != room:
        parents[room] = parents[parents[room]]
        room = parents[room]
    return room


def candidates(
    key: int, rooms: int, edges: list[int], tree: list[int], rules: GungeonRules, state: HeapState
) -> list[int]:
    """Shuffle the indices of edges that may become loops, and append how many loops are wanted.

    `key` is that of the stream; `tree` has the indices of the spanning tree's edges first.
    """
    connect = rules.connect
    in_tree, loops, most = [0] * len(edges), [0] * 0, (2 * connect.length) ** 2
    for i in range(rooms - 1):
        in_tree[tree[i]] = 1
    for index in range(len(edges)):
        a, b = edges[index] // BASE, edges[index] % BASE
        apart = _apart(a, b, state.graph)
        weight = _weight(a, b, rules, state.rooms)
        if weight == 0 and apart <= most and not in_tree[index]:
            loops.append(index)
    share = connect.share_least + below(key, 0, connect.share_most - connect.share_least + 1)
    position = 1
    for i in range(len(loops) - 1, 0, -1):
        j = below(key, position, i + 1)
        loops[i], loops[j] = loops[j], loops[i]
        position += 1
    loops.append(-(-len(loops) * share // 100))
    return loops


# --- walks -------------------------------------------------------------------------------------------


def note_neighbours(rooms: int, ends: array[int], hallways: int, graph: RoomGraph) -> None:
    """Note each room's neighbours, from the rooms at both ends of the first `hallways` hallways."""
    for room in range(rooms + 1):
        graph.begins[room] = 0
    for end in range(2 * hallways):
        graph.begins[ends[end] + 1] += 1
    for room in range(rooms):
        graph.begins[room + 1] += graph.begins[room]
        graph.marks[room] = graph.begins[room]
    for end in range(2 * hallways):
        room = ends[end]
        graph.beside[graph.marks[room]] = ends[end ^ 1]
        graph.marks[room] += 1


def walk(rooms: int, start: int, most: int, graph: RoomGraph) -> None:
    """Note each room's steps from `start` in `depths`, -1 beyond `most`, and the room before in `parents`."""
    for room in range(rooms):
        graph.depths[room] = graph.parents[room] = -1
    graph.depths[start], graph.queue[0] = 0, start
    first, last = 0, 1
    while first < last:
        room = graph.queue[first]
        first += 1
        if graph.depths[room] == most:
            break
        for i in range(graph.begins[room], graph.begins[room + 1]):
            neighbour = graph.beside[i]
            if graph.depths[neighbour] < 0:
                graph.depths[neighbour], graph.parents[neighbour] = graph.depths[room] + 1, room
                graph.queue[last] = neighbour
                last += 1


def loops_in_order(
    rooms: int, edges: list[int], indices: list[int], out: Dropped, graph: RoomGraph
) -> list[int]:
    """Sort the indices: first edges whose loops share a connection with the path to the furthest boss.

    `graph` holds the walk from the start through the tree.
    """
    boss = 0
    for room in range(rooms):
        if out.kinds[room] == BOSS and (boss == 0 or graph.depths[room] > graph.depths[boss]):
            boss = room
    for room in range(rooms):
        graph.marks[room] = 0
    while boss >= 0:
        graph.marks[boss] = 1
        boss = graph.parents[boss]
    first, rest = [0] * 0, [0] * 0
    for index in indices:
        if _passes(edges[index] // BASE, edges[index] % BASE, graph):
            first.append(index)
        else:
            rest.append(index)
    first.extend(rest)
    return first


def _passes(a: int, b: int, graph: RoomGraph) -> int:
    """Return whether the tree's path between two rooms shares a connection with the path to the boss."""
    while a != b:
        if graph.depths[a] < graph.depths[b]:
            a, b = b, a
        if graph.marks[a]:
            return 1
        a = graph.parents[a]
    return 0


def is_far(rooms: int, a: int, b: int, graph: RoomGraph) -> int:
    """Check whether joining two rooms would close a loop that is long enough. Changes the graph's depths."""
    walk(rooms, a, _MIN_STEPS - 1, graph)
    return 1 if graph.depths[b] < 0 else 0
