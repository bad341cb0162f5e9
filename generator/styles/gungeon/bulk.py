"""Floorplans of the `gungeon` style for many seeds, made by compiled kernels: as arrays, or one by one."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from generator.compiled.loader import bulk
from generator.errors import GenerationFailed
from generator.geometry import Rect
from generator.level import MARGIN
from generator.styles.columns import DoorColumns, KnownDoors, PlanColumns, Shorts, joined
from generator.styles.gungeon import plan_kernel
from generator.styles.gungeon.plan_kernel import GungeonColumns
from generator.styles.gungeon.floorplan import MAX_TRIES, floorplan
from generator.styles.gungeon.furnishing.room_kinds import BOSS, NORMAL, START
from generator.styles.gungeon.keep_apart import keep_apart
from generator.styles.gungeon.kernel_tables import HeapTables, new_state, tables_of
from generator.styles.gungeon.plan import Entrance, Heap, HeapPlan, PlannedHallway, planned_rooms, tiles_of
from generator.styles.gungeon.plan_kernel import MADE, SHORT_OF_SPACE, HeapState
from generator.styles.gungeon.route import straights
from generator.styles.gungeon.route_kernel import HALLWAYS, ROOMS, STRIDE
from generator.styles.gungeon.sides import RoomSide
from generator.styles.gungeon.spec import GungeonSpec

_FEW = 1000  # seeds: for fewer it is not worth compiling the kernels
_TILES = 1 << 16  # of the first grid; a grid that is too small is doubled
_BLOCK_NUMBERS = 1 << 20  # size of the arrays before they are cut to what they hold


class Maker:
    """Makes the floorplans of a spec with kernels, compiled or interpreted, and reuses its buffers."""

    def __init__(self, spec: GungeonSpec, tables: HeapTables, kernel: Any) -> None:
        self.spec = spec
        self.tables = tables
        self.kernel = kernel
        self._tiles = _TILES
        self._state = self._new_state()
        self._box = array("q", bytes(32))

    def _new_state(self) -> HeapState:
        return new_state(self.tables, self.spec.hallway_width, self._tiles)

    def plan(self, seed: int) -> HeapPlan:
        """Make the same plan as `floorplan`, which handles what kernels cannot. Raises what it raises."""
        while (outcome := self._made(seed)) == SHORT_OF_SPACE:
            self._grow()
        return self._finished() if outcome == MADE else floorplan(self.spec, seed)

    def _made(self, seed: int) -> int:
        outcome: int = self.kernel.make_one(array("Q", (seed,)), self.tables.rules, self._state)
        return outcome

    def _grow(self) -> None:
        self._tiles *= 2
        self._state = self._new_state()

    def write_down(self, seeds: array[int], out: GungeonColumns) -> list[int]:
        """Write the floorplans of these seeds to `out`. Returns the rows that are left to `floorplan`."""
        row, left = 0, []
        rules = self.tables.rules
        while (row := self.kernel.make_plans(seeds, row, rules, self._state, out)) < len(seeds):
            if self._made(seeds[row]) == SHORT_OF_SPACE:
                self._grow()
            else:
                left.append(row)
                row += 1
        return left

    def _finished(self) -> HeapPlan:
        """Return the floorplan in the state, in tiles of the level."""
        state, tables = self._state, self.tables
        self.kernel.frame(state, self._box)
        dx, dy, right, bottom = self._box[0] - MARGIN, self._box[1] - MARGIN, self._box[2], self._box[3]
        rooms, count = state.grid.numbers[ROOMS], state.grid.numbers[HALLWAYS]
        x, y, width, height = (np.array(side[:rooms]) for side in state.rects)
        layouts = tuple(
            [tables.images[image] if image >= 0 else None for image in state.rooms.images[:rooms]]
        )
        kinds = tuple([tables.kinds[kind] for kind in state.rooms.kinds[:rooms]])
        heap = Heap(kinds, x - dx, y - dy, width, height, layouts, self.spec.load_kit().kinds)
        rects = heap.rects()
        hallways = tuple([self._hallway(hallway, rects, dx, dy) for hallway in range(count)])
        heap = keep_apart(self.spec, heap, hallways)
        placed = planned_rooms(heap, rects, state.distances[:rooms], state.depths[:rooms])
        size = right + MARGIN - dx, bottom + MARGIN - dy
        return HeapPlan(size, placed, hallways, {"loops": sum(state.hallways.loops[:count])}, state.tries[0])

    def _hallway(self, hallway: int, rects: Sequence[Rect], dx: int, dy: int) -> PlannedHallway:
        hallways, stride, width = (
            self._state.hallways,
            self._state.grid.numbers[STRIDE],
            self.spec.hallway_width,
        )
        positions = hallways.paths[hallways.begins[hallway] : hallways.begins[hallway + 1]]
        path = tuple([(position % stride - dx, position // stride - dy) for position in positions])
        first, last = (self._entrance(end, rects, dx, dy) for end in (2 * hallway, 2 * hallway + 1))
        tiles = tiles_of(list(straights(path, width)))
        return PlannedHallway((first, last), path, tiles, bool(hallways.loops[hallway]))

    def _entrance(self, end: int, rects: Sequence[Rect], dx: int, dy: int) -> Entrance:
        hallways, stride = self._state.hallways, self._state.grid.numbers[STRIDE]
        room = hallways.rooms[end]
        side = RoomSide(room, hallways.sides[end], rects[room], None, self.spec.hallway_width, stride)
        return side.entrance(hallways.places[end] - dy * stride - dx)


def maker(spec: GungeonSpec, seeds: int) -> Maker | None:
    """Prepare a maker for this many floorplans. None if nothing is compiled or kernels cannot make them.

    Interpreted kernels are slower than `floorplan`.
    """
    spec.load_kit().need(spec.style, rooms=(START, NORMAL, BOSS))
    kernel = bulk(plan_kernel, seeds, _FEW)
    if kernel is plan_kernel:
        return None
    tables = tables_of(spec)
    return Maker(spec, tables, kernel) if tables else None


def plans(spec: GungeonSpec, seeds: int) -> Callable[[int], HeapPlan] | None:
    """See `Style.plans`."""
    plan_maker = maker(spec, seeds)
    return plan_maker.plan if plan_maker else None


def floorplans(spec: GungeonSpec, seeds: Sequence[int]) -> PlanColumns | None:
    """Make the floorplans of these seeds. None for a spec with a flow, or if nothing is compiled."""
    plan_maker = maker(spec, len(seeds))
    return columns(plan_maker, seeds) if plan_maker else None


def columns(plan_maker: Maker, seeds: Sequence[int]) -> PlanColumns:
    """Make the floorplans of these seeds as arrays."""
    most = plan_maker.tables.most_rooms
    size = max(1, _BLOCK_NUMBERS // (10 * most))
    blocks = [_block(plan_maker, seeds[first : first + size]) for first in range(0, len(seeds), size)]

    def whole(name: str) -> Shorts:
        return joined([getattr(block, name) for block in blocks])

    rooms, hallways = whole("rooms"), whole("hallways")
    connections, is_made = whole("connections"), rooms > 0
    is_laid = np.arange(connections.shape[1]) < hallways[:, None]
    doors = DoorColumns(
        connections,
        np.full(is_laid.shape, -1, np.int16),
        np.full(is_laid.shape, -1, np.int16),
        np.where(is_laid, 0, -1).astype(np.int16),
        ("connection",),
    )
    kinds = whole("kinds")
    return PlanColumns(
        seeds=np.array(seeds, np.uint64),
        made=is_made,
        tries=np.where(is_made, whole("tries"), MAX_TRIES).astype(np.int32),
        rooms=rooms,
        kind=kinds,
        shape=np.minimum(kinds, 0),
        distance=whole("distances"),
        depth=whole("depths"),
        bounds=whole("bounds"),
        cells=np.full((len(seeds), 0, 2), -1, np.int16),
        cell_room=np.full((len(seeds), 0), -1, np.int16),
        extent=whole("extent"),
        facts={"loops": whole("loops").astype(np.int64)},
        kinds=plan_maker.tables.kinds,
        shapes=("rectangle",),
        secret_doors=plan_maker.spec.load_kit().kinds.secret_doors,
        find_doors=KnownDoors(doors),
    )


def _block(plan_maker: Maker, seeds: Sequence[int]) -> GungeonColumns:
    """Make the floorplans of some seeds, in arrays cut to the width they need."""
    rooms, many = plan_maker.tables.most_rooms, len(seeds)

    def nothing(*shape: int) -> Shorts:
        return np.full((many, *shape), -1, np.int16)

    out = GungeonColumns(
        nothing(), nothing(), nothing(rooms), nothing(rooms), nothing(rooms), nothing(rooms, 4),
        nothing(), nothing(4 * rooms, 2), nothing(), nothing(2),
    )  # fmt: skip
    for row in plan_maker.write_down(array("Q", seeds), out):
        _write_plan(plan_maker, seeds[row], row, out)
    most, hallways = (max(0, int(count.max(initial=0))) for count in (out.rooms, out.hallways))
    by_room = {
        name: getattr(out, name)[:, :most].copy() for name in ("kinds", "distances", "depths", "bounds")
    }
    return out._replace(**by_room, connections=out.connections[:, :hallways].copy())


def _write_plan(plan_maker: Maker, seed: int, row: int, out: GungeonColumns) -> None:
    """Write a floorplan that kernels cannot make to `out`."""
    try:
        plan = floorplan(plan_maker.spec, seed)
    except GenerationFailed:
        return
    rooms, hallways = len(plan.rooms), len(plan.hallways)
    out.tries[row] = plan.tries
    out.rooms[row], out.hallways[row], out.loops[row] = rooms, hallways, plan.facts["loops"]
    out.kinds[row, :rooms] = [plan_maker.tables.kinds.index(room.kind) for room in plan.rooms]
    out.distances[row, :rooms] = [room.distance for room in plan.rooms]
    out.depths[row, :rooms] = [room.depth for room in plan.rooms]
    out.bounds[row, :rooms] = [room.bounds for room in plan.rooms]
    out.connections[row, :hallways] = np.array(plan.connections, np.int16).reshape(-1, 2)
    out.extent[row] = plan.extent
