"""Floorplans of many seeds on a grid, as arrays: their rooms, written by kernels, and their doors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from generator.compiled.loader import bulk
from generator.geometry import Side
from generator.kinds import Kinds
from generator.named_tuple import NamedTuple
from generator.shapes import SHAPES
from generator.styles.columns import DoorColumns, PlanColumns, Shorts
from generator.styles.grid import doors_kernel
from generator.styles.grid.doors_kernel import BOARD, EAST, NORTH, SOUTH, WEST, FoundDoors
from generator.styles.grid.floorplan import door_kind
from generator.styles.grid.spec import GridSpec
from generator.styles.grid.special_rooms import door_kinds

_SIDE = 16  # cells: more than any floorplan's width and height


class PlanArrays(NamedTuple):
    """Floorplans as kernels write them: a row per level, in most arrays a column per room. -1 is unused."""

    tries: Any  # [level]: how many floorplans were made; 0 is unused
    rooms: Any  # [level]: how many rooms there are; -1 without a floorplan
    cells: Any  # [level]: how many cells they have
    kind: Any  # [level, room]: numbers of kinds
    shape: Any  # [level, room]: numbers of shapes
    distance: Any  # [level, room]
    depth: Any  # [level, room]
    cell: Any  # [level, cell, 2]: x and y
    owner: Any  # [level, cell]: the room of each cell
    extent: Any  # [level, 2]: width and height in cells

    def cut(self) -> PlanArrays:
        """Return copies that are as wide as they need to be."""
        rooms, cells = (max(0, int(count.max(initial=0))) for count in (self.rooms, self.cells))
        by_room = {
            name: getattr(self, name)[:, :rooms].copy() for name in ("kind", "shape", "distance", "depth")
        }
        by_cell = {name: getattr(self, name)[:, :cells].copy() for name in ("cell", "owner")}
        return self._replace(**by_room, **by_cell)


def unused_arrays(levels: int, rooms: int, cells: int) -> PlanArrays:
    """Allocate arrays with space for so many rooms and cells in each level."""

    def unused(*shape: int) -> Shorts:
        return np.full((levels, *shape), -1, np.int16)

    by_room = unused(rooms), unused(rooms), unused(rooms), unused(rooms)
    tries = np.zeros(levels, np.int32)
    return PlanArrays(tries, unused(), unused(), *by_room, unused(cells, 2), unused(cells), unused(2))


def plan_columns(
    spec: GridSpec,
    seeds: Sequence[int],
    plans: PlanArrays,
    facts: Mapping[str, npt.NDArray[Any]],
    kinds: tuple[str, ...],
    shapes: tuple[str, ...],
) -> PlanColumns:
    """Return the floorplans that a kernel wrote, of rooms of these kinds and shapes."""
    is_made, rows = plans.rooms > 0, spec.load_kit().kinds
    by_room = door_kinds(spec.stage, rows)
    return PlanColumns(
        seeds=np.array(seeds, np.uint64),
        made=is_made,
        tries=plans.tries,
        rooms=plans.rooms,
        kind=plans.kind,
        shape=plans.shape,
        distance=plans.distance,
        depth=plans.depth,
        bounds=np.full((len(seeds), 0, 4), -1, np.int16),
        cells=plans.cell,
        cell_room=plans.owner,
        extent=plans.extent,
        facts={
            name: np.where(is_made, values, "" if values.dtype.kind == "U" else -1)
            for name, values in facts.items()
        },
        kinds=kinds,
        shapes=shapes,
        secret_doors=rows.secret_doors,
        find_doors=partial(doors_between, spec=spec, by_room=by_room, kinds=rows),
    )


def doors_between(
    plans: PlanColumns, spec: GridSpec, by_room: Mapping[str, str], kinds: Kinds
) -> DoorColumns:
    """Put a door wherever two rooms touch: `Floorplan.doors` of each floorplan, in the same order.

    `by_room` gives the kind of the door to a special room, by that room's kind.
    """
    names, table = _kinds_of_pairs(plans.kinds, by_room, kinds)
    kernel = bulk(doors_kernel, spec.style, pays=len(plans) >= spec.few)
    if kernel is doors_kernel:  # numpy is faster than the interpreted kernel
        return doors_by_arrays(plans, names, table)
    return doors_by_kernel(kernel, plans, names, table)


def doors_by_kernel(kernel: Any, plans: PlanColumns, names: tuple[str, ...], table: Shorts) -> DoorColumns:
    """Find the doors with `doors_kernel`. `table` has indices of `names`, by the kinds of two rooms."""
    inputs = (
        np.ascontiguousarray(array) for array in (plans.cells, plans.cell_room, plans.shape, plans.kind)
    )
    shape = len(plans), 2 * plans.cell_room.shape[1]
    doors = FoundDoors(np.full((*shape, 2), -1, np.int16), *(np.full(shape, -1, np.int16) for _ in range(3)))
    most = kernel.find_doors(*inputs, _sides_of(plans.shapes), table, bytearray(BOARD), doors)
    rooms, cell, side, kind = (array[:, :most].copy() for array in doors)
    return DoorColumns(rooms, cell, side, kind, names)


def _sides_of(shapes: tuple[str, ...]) -> bytes:
    """Set, for each shape, a bit for each side that may have doors."""
    sides = {EAST: Side.EAST, SOUTH: Side.SOUTH, WEST: Side.WEST, NORTH: Side.NORTH}
    return bytes(sum((side in SHAPES[name].sides) << bit for bit, side in sides.items()) for name in shapes)


def doors_by_arrays(plans: PlanColumns, names: tuple[str, ...], table: Shorts) -> DoorColumns:
    """Find the same doors with numpy."""
    levels = np.arange(len(plans))[:, None]
    x, y = plans.cells[..., 0], plans.cells[..., 1]
    owners = np.full((len(plans), _SIDE + 1, _SIDE + 1), -1, np.int16)
    owners[levels, y, x] = plans.cell_room  # padding lies at [-1, -1], where there is no room
    owners[:, -1, -1] = -1
    beyond = np.stack((owners[levels, y, x + 1], owners[levels, y + 1, x]), axis=2)  # [n, c, side]
    own = np.broadcast_to(plans.cell_room[..., None], beyond.shape)
    is_door = (own >= 0) & (beyond >= 0) & (own != beyond) & _open_sides(plans, own, beyond)
    level, cell, side = np.nonzero(is_door)
    count = is_door.sum(axis=(1, 2))
    position = np.arange(len(level)) - np.repeat(np.cumsum(count) - count, count)
    first, second = own[level, cell, side], beyond[level, cell, side]
    kind = table[plans.kind[level, first], plans.kind[level, second]]

    def spread(values: npt.NDArray[np.integer]) -> Shorts:
        out = np.full((len(plans), int(count.max(initial=0)), *values.shape[1:]), -1, np.int16)
        out[level, position] = values
        return out

    return DoorColumns(spread(np.stack((first, second), 1)), spread(cell), spread(side), spread(kind), names)


def _open_sides(plans: PlanColumns, own: Shorts, beyond: Shorts) -> npt.NDArray[np.bool_]:
    """Return whether both rooms may have a door there [n, c, side]. A narrow room's long side may not."""
    if plans.shapes == ("1x1",):
        return np.ones((1, 1, 2), bool)
    sides = [SHAPES[name].sides for name in plans.shapes]
    out = np.array([[Side.EAST in allowed, Side.SOUTH in allowed] for allowed in sides])
    into = np.array([[Side.WEST in allowed, Side.NORTH in allowed] for allowed in sides])
    levels, side = np.arange(len(plans))[:, None, None], np.arange(2)
    is_open: npt.NDArray[np.bool_] = (
        out[plans.shape[levels, own], side] & into[plans.shape[levels, beyond], side]
    )
    return is_open


def _kinds_of_pairs(
    names: tuple[str, ...], by_room: Mapping[str, str], kinds: Kinds
) -> tuple[tuple[str, ...], Shorts]:
    """Return the kinds of doors, and the index of the kind by the kinds of two rooms."""
    pairs = [[door_kind(a, b, by_room, kinds) for b in names] for a in names]
    distinct = tuple(dict.fromkeys(kind for row in pairs for kind in row))
    return distinct, np.array([[distinct.index(kind) for kind in row] for row in pairs], np.int16)
