"""The floorplan of the `gungeon` style: a heap of rooms, pushed apart and linked by hallways.

After Boyd van Nobelen, "Procedurally Generated Dungeon", who has the idea from A. Adonaac, "Procedural
Dungeon Generation" (2015).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generator.errors import GenerationFailed, SpecError
from generator.floorplans.gungeon.connect import connect
from generator.floorplans.gungeon.plan import Heap, HeapPlan, HeapRoom, Way
from generator.floorplans.gungeon.route import border, route
from generator.floorplans.gungeon.scatter import scatter
from generator.floorplans.gungeon.separate import separate
from generator.level import MARGIN, MOST_TILES
from generator.spec import GungeonSpec

_MOST_TRIES = 40
_TRIES_FOR_SHORT_HALLWAYS = 3  # of these; then long ones will do


def floorplan(spec: GungeonSpec, seed: int) -> HeapPlan:
    """Rooms, and the hallways that lead to each of them.

    Raises GenerationFailed if no try succeeds, and SpecError if there are more or larger rooms than a level
    has tiles for.

    A try fails if a room cannot be reached, or if the way to the furthest boss room is less than two
    thirds of that to the furthest room of all. The first few also fail if a hallway is too long a walk.
    """
    margin = spec.hallway_width + 2  # a hallway with its walls passes between any two rooms
    around = border(spec.hallway_width)
    reason = ""
    for attempt in range(_MOST_TRIES):
        heap = separate(scatter(spec, margin, seed, attempt), margin)
        _check_size(heap, around)
        heap = heap._replace(x=heap.x - heap.x.min() + around, y=heap.y - heap.y.min() + around)
        ways = route(heap, connect(spec, heap, seed, attempt), spec.hallway_width)
        if ways is None:
            reason = "a room could not be reached"
            continue
        distances = _walked(len(heap.kinds), ways)
        bosses = [distances[room] for room, kind in enumerate(heap.kinds) if kind == "boss"]
        if bosses and 3 * max(bosses) < 2 * max(distances):
            reason = "the boss is too near to the start"
            continue
        if attempt < _TRIES_FOR_SHORT_HALLWAYS and _is_a_long_walk(heap, ways):
            continue
        return _plan(heap, ways, distances)
    raise GenerationFailed("gungeon floorplan", _MOST_TRIES, reason, seed)


def _check_size(heap: Heap, around: int) -> None:
    """Refuse a heap that takes too many tiles, with that many round it, before memory is spent on them."""
    width = int((heap.x + heap.width).max() - heap.x.min()) + 2 * around
    height = int((heap.y + heap.height).max() - heap.y.min()) + 2 * around
    if width * height > MOST_TILES:
        raise SpecError(
            f"rooms: {len(heap.kinds)} rooms of these sizes take {width} x {height} tiles, a level has at "
            f"most {MOST_TILES}; ask for fewer or smaller rooms"
        )


def _is_a_long_walk(heap: Heap, ways: Sequence[Way]) -> bool:
    """Whether more than one in a hundred hallways is longer than three and a half rooms."""
    sides = int((heap.width + heap.height).sum())
    long = sum(4 * len(heap.kinds) * len(way.path) > 7 * sides for way in ways)
    return 100 * long > len(ways)


def _walked(rooms: int, ways: Iterable[Way]) -> list[int]:
    """[room]: how many hallways one walks through from room 0 at least, -1 where no way leads."""
    beside: list[list[int]] = [[] for _ in range(rooms)]
    for way in ways:
        a, b = (end.room for end in way.ends)
        beside[a].append(b)
        beside[b].append(a)
    distances = [0] + [-1] * (rooms - 1)
    queue = [0]
    for room in queue:
        for other in beside[room]:
            if distances[other] < 0:
                distances[other] = distances[room] + 1
                queue.append(other)
    return distances


def _plan(heap: Heap, ways: list[Way], distances: list[int]) -> HeapPlan:
    """The finished plan, moved to where nothing but the margin and walls is left over round it."""
    depths = _walked(len(heap.kinds), (way for way in ways if not way.is_loop))
    rects = heap.rects()
    taken = [*rects, *(part.shrunk(-1) for way in ways for part in way.parts)]
    dx, dy = MARGIN - min(rect.x for rect in taken), MARGIN - min(rect.y for rect in taken)
    rooms = tuple(
        HeapRoom(kind, rect._replace(x=rect.x + dx, y=rect.y + dy), distance, depth)
        for kind, rect, distance, depth in zip(heap.kinds, rects, distances, depths, strict=True)
    )
    size = (
        max(rect.right for rect in taken) + dx + MARGIN,
        max(rect.bottom for rect in taken) + dy + MARGIN,
    )
    facts = {"loops": sum(way.is_loop for way in ways)}
    return HeapPlan(size, rooms, tuple(way.planned(dx, dy) for way in ways), facts)
