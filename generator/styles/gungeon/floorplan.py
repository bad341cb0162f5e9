"""The floorplan of the `gungeon` style: a heap of rooms, pushed apart and linked by hallways.

After Boyd van Nobelen, "Procedurally Generated Dungeon", who took the idea from A. Adonaac, "Procedural
Dungeon Generation" (2015).
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.errors import GenerationFailed, SpecError
from generator.level import MAX_TILES
from generator.stages import enter_stage
from generator.styles.gungeon.connect import Connections, connect
from generator.styles.gungeon.keep_apart import keep_apart
from generator.styles.gungeon.plan import (
    Heap,
    HeapPlan,
    RoutedHallway,
    finished_plan,
    has_long_walks,
    walked,
)
from generator.styles.gungeon.room_kinds import BOSS, NORMAL, START
from generator.styles.gungeon.route import border, route
from generator.styles.gungeon.scatter import scatter
from generator.styles.gungeon.separate import separate_rooms
from generator.styles.gungeon.spec import RANDOM, GungeonSpec

MAX_TRIES = 40
_TRIES_FOR_SHORT_HALLWAYS = 3  # after these, long hallways and no loops will do
_ROOMS_FOR_LOOPS = 12  # with fewer, a loop of five rooms is often impossible


def floorplan(spec: GungeonSpec, seed: int) -> HeapPlan:
    """Make a floorplan: rooms, and the hallways that lead to each of them.

    Raises GenerationFailed if no try succeeds, and SpecError if there are more or larger rooms than a level
    has tiles for, or if no room can have its `only_layout`.

    A try fails if a room cannot be reached, or if the furthest boss room is less than two thirds as far as
    the furthest room of all. The first few also fail if hallways are too long, or if no loop was found. Last,
    a try fails if a hallway joins the start to a boss room, unless there are no other rooms. Later tries do
    not consider such hallways.

    A flow has its own rooms and connections, and none of these rules.
    """
    if spec.only_layout and (misfit := spec.layout_misfit(spec.only_layout)):
        raise SpecError(f"only_layout: {spec.only_layout}: {misfit}")
    if spec.flow != RANDOM:
        from generator.styles.gungeon.flows.flow_plan import flow_plan  # few levels have a flow
        from generator.styles.gungeon.flows.library import chosen_flow

        if flow := chosen_flow(spec.flow, seed, spec.load_kit()):
            return flow_plan(spec, flow, seed)
    spec.load_kit().need(spec.style, rooms=(START, NORMAL, BOSS))
    margin = spec.hallway_width + 2  # a hallway with its walls passes between any two rooms
    around = border(spec.hallway_width)
    reason, bosses_apart = "", False
    for attempt in range(MAX_TRIES):
        enter_stage("pushing rooms apart")
        heap = separate_rooms(scatter(spec, margin, seed, attempt), margin)
        _check_size(heap, around)
        heap = heap._replace(x=heap.x - heap.x.min() + around, y=heap.y - heap.y.min() + around)
        enter_stage("connecting rooms")
        connections = connect(spec, heap, seed, attempt, bosses_apart=bosses_apart)
        enter_stage("routing hallways")
        hallways = route(heap, connections, spec.hallway_width, spec.body)
        if hallways is None:
            reason = "a room could not be reached"
            continue
        distances = walked(len(heap.kinds), hallways)
        bosses = [distances[room] for room, kind in enumerate(heap.kinds) if kind == BOSS]
        if bosses and 3 * max(bosses) < 2 * max(distances):
            reason = "the boss is too near to the start"
            continue
        if attempt < _TRIES_FOR_SHORT_HALLWAYS and (
            has_long_walks(heap, hallways) or _lacks_loops(heap, hallways, connections)
        ):
            continue
        if _has_boss_beside_start(heap, hallways):
            reason, bosses_apart = "a boss is beside the start", True
            continue
        return finished_plan(keep_apart(spec, heap, hallways), hallways, distances, attempt + 1)
    raise GenerationFailed("gungeon floorplan", MAX_TRIES, reason, seed)


def _check_size(heap: Heap, around: int) -> None:
    """Refuse a heap that, with `around` tiles round it, is too large, before memory is spent on it."""
    width = int((heap.x + heap.width).max() - heap.x.min()) + 2 * around
    height = int((heap.y + heap.height).max() - heap.y.min()) + 2 * around
    if width * height > MAX_TILES:
        raise SpecError(
            f"rooms: {len(heap.kinds)} rooms of these sizes take {width} x {height} tiles, but a level has "
            f"at most {MAX_TILES}; ask for fewer or smaller rooms"
        )


def _lacks_loops(heap: Heap, hallways: Sequence[RoutedHallway], connections: Connections) -> bool:
    """Check whether loops are wanted but missing, in a heap that has enough rooms for one."""
    return bool(connections.loops) and len(heap.kinds) >= _ROOMS_FOR_LOOPS and not hallways[-1].is_loop


def _has_boss_beside_start(heap: Heap, hallways: Sequence[RoutedHallway]) -> bool:
    """Check whether a hallway joins start and boss although there are rooms that are neither."""
    if {START, BOSS}.issuperset(heap.kinds):
        return False
    return any({heap.kinds[end.room] for end in hallway.ends} == {START, BOSS} for hallway in hallways)
