"""Floorplans of many seeds as arrays: a row for each seed, and within it a column for each room or door."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from generator.errors import GenerationFailed
from generator.geometry import Side
from generator.named_tuple import NamedTuple
from generator.styles.base import Plan

if TYPE_CHECKING:
    from generator.data_frames import PlanFrames

Shorts = npt.NDArray[np.int16]

SIDES = tuple(side.label for side in (Side.EAST, Side.SOUTH))  # a door is listed with one of its two rooms


class DoorColumns(NamedTuple):
    """The doors of n levels, at most d each, padded with -1."""

    rooms: Shorts  # [n, d, 2]: the two rooms
    cell: Shorts  # [n, d]: index, among the level's cells, of the first room's cell that it is in
    side: Shorts  # [n, d]: the side of that cell, an index of SIDES
    kind: Shorts  # [n, d]: indices of `kinds`
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class KnownDoors:
    """For `PlanColumns.find_doors`, if the doors were found together with the rooms."""

    doors: DoorColumns

    def __call__(self, plans: PlanColumns) -> DoorColumns:
        """Return the doors, whatever the floorplans."""
        return self.doors


@dataclass(frozen=True, repr=False)
class PlanColumns:
    """Floorplans as arrays: n levels, of at most r rooms and c cells each, padded with -1.

    Rooms and doors come in the order of `generate(..., until="floorplan")`. Distances of rooms that only
    secret doors lead to are -1. If a style's floorplans have no cells, `cells` is empty; if they have no
    doors, the doors are the connections. A seed without a floorplan has `made` False and -1 in everything but
    `tries`; its facts are empty.
    """

    seeds: npt.NDArray[np.uint64]  # [n]
    made: npt.NDArray[np.bool_]  # [n]
    tries: npt.NDArray[np.int32]  # [n]: how many floorplans were made, this one included
    rooms: Shorts  # [n]: how many rooms there are
    kind: Shorts  # [n, r]: indices of `kinds`
    shape: Shorts  # [n, r]: indices of `shapes`
    distance: Shorts  # [n, r]: rooms walked from the start
    depth: Shorts  # [n, r]: in the tree that grew the floorplan
    bounds: Shorts  # [n, r, 4]: x, y, width and height in tiles; for floorplans without cells
    cells: Shorts  # [n, c, 2]: x and y
    cell_room: Shorts  # [n, c]: the room of each cell
    extent: Shorts  # [n, 2]: width and height, in cells on a grid, otherwise in tiles
    facts: Mapping[str, npt.NDArray[Any]]  # what chance decided, by name: [n]
    kinds: tuple[str, ...]
    shapes: tuple[str, ...]
    secret_doors: frozenset[str]  # the kinds of doors that distances, dead ends and loops leave out
    find_doors: Callable[[PlanColumns], DoorColumns]

    def __len__(self) -> int:
        return len(self.seeds)

    def __repr__(self) -> str:
        from generator.short_tables import FIRST, table_text

        return table_text(*self._beginning(FIRST))

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        from generator.short_tables import FIRST, table_html

        return table_html(*self._beginning(FIRST))

    def _beginning(self, most: int) -> tuple[str, list[list[object]]]:
        """Return what this is, and a row for each of the first floorplans, below the columns' names."""
        count, made = len(self), int(np.count_nonzero(self.made))
        title = (
            f"PlanColumns of {count:,} seeds, {made:,} with a floorplan, at most {self.kind.shape[1]} rooms"
        )
        columns = {"seed": self.seeds, "made": self.made, "tries": self.tries, "rooms": self.rooms}
        columns |= {"columns": self.extent[:, 0], "rows": self.extent[:, 1]}
        columns |= {f"fact_{name}": column for name, column in self.facts.items()}
        rows = zip(*(column[:most].tolist() for column in columns.values()), strict=True)
        return title, [[*columns], *map(list, rows), *([["..."] * len(columns)] if count > most else [])]

    @cached_property
    def doors(self) -> DoorColumns:
        """The doors, computed on first use."""
        return self.find_doors(self)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all arrays by name: the fields, the doors' as `door_NAME`, the facts as `fact_NAME`."""
        skipped = ("facts", "find_doors", "doors", "secret_doors")
        by_name = {name: np.asarray(value) for name, value in vars(self).items() if name not in skipped}
        by_name |= {f"door_{name}": np.asarray(value) for name, value in self.doors._asdict().items()}
        by_name["secret_doors"] = np.array(sorted(self.secret_doors), np.str_)
        return by_name | {f"fact_{name}": value for name, value in self.facts.items()}

    def save(self, file: str | Path) -> None:
        """Write the arrays to a `.npz` file, which `numpy.load` reads without pickle."""
        np.savez_compressed(file, allow_pickle=False, **self.arrays())

    def to_pandas(self) -> PlanFrames:
        """Return tables of pandas: `levels`, `rooms` and `doors`, a row for each, without the padding.

        `columns` and `rows` of `levels` are its `extent`. A fact that a level does not have is `<NA>`. A seed
        without a floorplan has a row in `levels` only. Raises UndercroftError if pandas is not installed
        (`pip install 'undercroft[pandas]'`).
        """
        from generator.data_frames import plan_frames

        return plan_frames(self)


def columns_of_plans(
    seeds: Sequence[int], plans: Sequence[Plan | GenerationFailed], secret_doors: frozenset[str]
) -> PlanColumns:
    """Convert floorplans that were made one by one to arrays."""
    finished = [None if isinstance(plan, GenerationFailed) else plan for plan in plans]
    rooms = [plan.rooms if plan else () for plan in finished]
    kinds = _names(room.kind for row in rooms for room in row)
    shapes = _names(_shape(room) for row in rooms for room in row)
    cells = [
        [(i, cell) for i, room in enumerate(row) for cell in getattr(room, "cells", ())] for row in rooms
    ]
    fact_names = dict.fromkeys(chain.from_iterable(plan.facts for plan in finished if plan))
    doors = _doors_of(finished, [{cell: i for i, (_, cell) in enumerate(row)} for row in cells])
    return PlanColumns(
        seeds=np.array(seeds, np.uint64),
        made=np.array([plan is not None for plan in finished], bool),
        tries=np.array([_tries(plan) for plan in plans], np.int32),
        rooms=np.array([len(row) or -1 for row in rooms], np.int16),
        kind=padded([[kinds[room.kind] for room in row] for row in rooms]),
        shape=padded([[shapes[_shape(room)] for room in row] for row in rooms]),
        distance=padded([[-1 if room.distance is None else room.distance for room in row] for row in rooms]),
        depth=padded([[room.depth for room in row] for row in rooms]),
        bounds=padded([[room.bounds for room in row if hasattr(room, "bounds")] for row in rooms], 4),
        cells=padded([[cell for _, cell in row] for row in cells], 2),
        cell_room=padded([[room for room, _ in row] for row in cells]),
        extent=np.array([plan.extent if plan else (-1, -1) for plan in finished], np.int16).reshape(-1, 2),
        facts={
            name: fact_column([plan.facts.get(name) if plan else None for plan in finished])
            for name in fact_names
        },
        kinds=tuple(kinds),
        shapes=tuple(shapes),
        secret_doors=secret_doors,
        find_doors=KnownDoors(doors),
    )


def _shape(room: object) -> str:
    return str(getattr(room, "shape", "rectangle"))


def fact_column(answers: list[Any]) -> npt.NDArray[Any]:
    """Make a column of texts (empty for none) or of numbers (-1 for none)."""
    if all(isinstance(answer, int) or answer is None for answer in answers):
        return np.array([-1 if answer is None else answer for answer in answers], np.int64)
    return np.array(["" if answer is None else str(answer) for answer in answers])


def _doors_of(plans: Sequence[Plan | None], places: Sequence[Mapping[Any, int]]) -> DoorColumns:
    """Collect the doors of floorplans, or the connections of those that have no doors yet."""
    rows = [_doors(plan) if plan else [] for plan in plans]
    kinds = _names(door[4] for row in rows for door in row)
    return DoorColumns(
        padded([[door[:2] for door in row] for row in rows], 2),
        padded([[numbers.get(d[2], -1) for d in row] for row, numbers in zip(rows, places, strict=True)]),
        padded([[door[3] for door in row] for row in rows]),
        padded([[kinds[door[4]] for door in row] for row in rows]),
        tuple(kinds),
    )


def _tries(plan: Plan | GenerationFailed) -> int:
    return plan.attempts if isinstance(plan, GenerationFailed) else plan.tries


def _doors(plan: Plan) -> list[tuple[int, int, Any, int, str]]:
    """List the rooms, cell, side and kind of each door, or of each connection if there are no doors yet."""
    if not hasattr(plan, "doors"):
        return [(a, b, None, -1, "connection") for a, b in plan.connections]
    return [(d.a, d.b, d.cell, SIDES.index(d.side.label), d.kind) for d in plan.doors]


def _names(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def padded(rows: Sequence[Sequence[Any]], width: int = 0) -> Shorts:
    """Pad rows of numbers, or of groups of `width` numbers, to one length with -1."""
    most = max(map(len, rows), default=0)
    table = np.full((len(rows), most, width) if width else (len(rows), most), -1, np.int16)
    for number, row in enumerate(rows):
        if row:
            table[number, : len(row)] = row
    return table


def joined(blocks: Sequence[Shorts]) -> Shorts:
    """Stack blocks of levels below each other, padding narrower ones with -1."""
    if not blocks or blocks[0].ndim == 1:
        return np.concatenate(blocks or [np.full((0, 0), -1, np.int16)])
    width = max(block.shape[1] for block in blocks)
    shape = sum(map(len, blocks)), width, *blocks[0].shape[2:]
    stacked, first = np.full(shape, -1, np.int16), 0
    for block in blocks:
        stacked[first : first + len(block), : block.shape[1]] = block
        first += len(block)
    return stacked
