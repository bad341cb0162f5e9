"""The floorplan: where the chambers are, what they are, and which tunnels join them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from caves.spec import CavesSpec
from caves.tunnels import Tunnel, Tunneller
from generator.algorithms.graph import Edge, kruskal
from generator.algorithms.separation import separate
from generator.algorithms.triangulation import triangulate
from generator.errors import GenerationFailed
from generator.geometry import Point, Rect
from generator.level import MARGIN, Property
from generator.rng import Stream

_MAX_TRIES = 20
_LONGEST_LOOP = 90  # tiles and bends; nobody would walk round a longer one


class Chamber(NamedTuple):
    """A room of the plan: its kind, and the tiles that it may take up, walls included."""

    kind: str
    bounds: Rect
    distance: int
    depth: int
    shape: str = "ragged"


@dataclass(frozen=True)
class CavesPlan:
    """The finished floorplan, in the level's tiles. Room 0 is the start."""

    extent: Point
    rooms: tuple[Chamber, ...]
    tunnels: tuple[Tunnel, ...]
    facts: Mapping[str, Property]
    tries: int

    @property
    def connections(self) -> tuple[Edge, ...]:
        """The rooms that each tunnel joins."""
        return tuple(tunnel.rooms for tunnel in self.tunnels)

    def picture(self) -> Mapping[Point, str]:
        """A room's kind inside of its bounds, `wall` round it, and the tunnels with their doors."""
        picture = {tile: "hallway" for tunnel in self.tunnels for tile in tunnel.tiles}
        for room in self.rooms:
            x, y, width, height = room.bounds
            inside = room.bounds.shrunk(1)
            for at in ((i, j) for i in range(x, x + width) for j in range(y, y + height)):
                picture[at] = room.kind if inside.contains(*at) else "wall"
        return picture | {
            tile: "door" for tunnel in self.tunnels for end in tunnel.ends for tile in end.tiles
        }


def plan(spec: CavesSpec, seed: int) -> CavesPlan:
    """The floorplan of a spec and a seed. Raises GenerationFailed if tunnels find no way again and again."""
    for attempt in range(_MAX_TRIES):
        made = _attempt(spec, Stream(seed, "caves.plan", attempt), attempt + 1)
        if made:
            return made
    raise GenerationFailed("floorplan", _MAX_TRIES, "a chamber could not be reached by a tunnel", seed)


def _attempt(spec: CavesSpec, stream: Stream, tries: int) -> CavesPlan | None:
    """One floorplan; None if a chamber stays apart."""
    count = 2 + spec.chambers + spec.chests + spec.grottoes
    rects = _dropped(spec, count, stream)
    middles = np.array([(2 * rect.x + rect.width, 2 * rect.y + rect.height) for rect in rects])
    edges = sorted(triangulate(middles), key=lambda edge: (_apart(middles, edge), edge))
    tree, rest = kruskal(count, edges)
    start, boss = _furthest_apart(count, tree)
    extra = [
        edge for edge in rest if boss not in edge and start not in edge and stream.chance(spec.loops, 100)
    ]
    tunneller = Tunneller(rects, spec.tunnel_width, spec.winding, stream)
    if not all(tunneller.dig(edge) for edge in tree):
        return None
    dug = [edge for edge in extra if tunneller.dig(edge, _LONGEST_LOOP)]
    depths, distances = _walked(count, tree, start), _walked(count, [*tree, *dug], start)
    kinds = _kinds(spec, count, tree, start, boss, stream)
    order = [start, *(room for room in range(count) if room != start)]
    dx, dy, extent = _frame(rects, tunneller.tunnels)
    rooms = (Chamber(kinds[i], _moved(rects[i], dx, dy), distances[i], depths[i]) for i in order)
    numbers = {old: new for new, old in enumerate(order)}
    tunnels = (tunnel.moved(dx, dy, numbers) for tunnel in tunneller.tunnels)
    return CavesPlan(extent, tuple(rooms), tuple(tunnels), {"loops": len(dug)}, tries)


def _dropped(spec: CavesSpec, count: int, stream: Stream) -> list[Rect]:
    """Chambers of many sizes, dropped in a heap and pushed apart. The last one is the largest."""
    size, gap = spec.chamber_size, 2 * spec.tunnel_width + 5
    width = np.array([stream.between(size, size * 3 // 2) for _ in range(count)])
    height = np.array([stream.between(size * 3 // 4, size) for _ in range(count)])
    spread = size * count // 2
    x, y = (np.array([stream.below(side) for _ in range(count)]) for side in (spread, spread // 2 + 1))
    x, y = separate(x, y, width, height, gap)
    return [Rect(*rect) for rect in np.column_stack([x, y, width, height]).tolist()]


def _apart(middles: np.ndarray[tuple[int, ...], np.dtype[np.int64]], edge: Edge) -> int:
    return int(((middles[edge[0]] - middles[edge[1]]) ** 2).sum())


def _walked(count: int, edges: Sequence[Edge], start: int) -> list[int]:
    """How many tunnels one walks from the start to each chamber."""
    beside: list[list[int]] = [[] for _ in range(count)]
    for a, b in edges:
        beside[a].append(b)
        beside[b].append(a)
    steps, queue = {start: 0}, [start]
    for room in queue:
        for other in beside[room]:
            if other not in steps:
                steps[other] = steps[room] + 1
                queue.append(other)
    return [steps[room] for room in range(count)]


def _furthest_apart(count: int, tree: Sequence[Edge]) -> Edge:
    """The ends of the longest walk in a tree: the start and the boss. No other walk leads through them."""
    steps = _walked(count, tree, 0)
    start = steps.index(max(steps))
    steps = _walked(count, tree, start)
    return start, steps.index(max(steps))


def _kinds(
    spec: CavesSpec, count: int, tree: Sequence[Edge], start: int, boss: int, stream: Stream
) -> list[str]:
    """What each chamber is. Chests and grottoes lie in dead ends, as long as there are any."""
    doors = np.bincount(np.array(tree).ravel(), minlength=count)
    others = [room for room in range(count) if room not in (start, boss)]
    stream.shuffle(others)
    others.sort(key=lambda room: doors[room] > 1)
    quiet = ["chest"] * spec.chests + ["grotto"] * spec.grottoes
    kinds = dict(zip(others, quiet, strict=False)) | {start: "start", boss: "boss"}
    return [kinds.get(room, "normal") for room in range(count)]


def _frame(rects: Sequence[Rect], tunnels: Sequence[Tunnel]) -> tuple[int, int, Point]:
    """How far everything is to be moved, and the level's size: void all round, and walls of tunnels."""
    tiles = np.array([tile for tunnel in tunnels for tile in tunnel.tiles])
    corners = [*((rect.x, rect.y) for rect in rects), *((rect.right - 1, rect.bottom - 1) for rect in rects)]
    both = np.concatenate([np.array(corners), tiles - 1, tiles + 1])
    (left, top), (right, bottom) = both.min(axis=0).tolist(), both.max(axis=0).tolist()
    return MARGIN - left, MARGIN - top, (right - left + 1 + 2 * MARGIN, bottom - top + 1 + 2 * MARGIN)


def _moved(rect: Rect, dx: int, dy: int) -> Rect:
    return rect._replace(x=rect.x + dx, y=rect.y + dy)
