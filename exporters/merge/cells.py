"""The three-way merge of tiles, cell by cell. Layers are arrays [y, x] of numbers, 0 for no tile.

A painted cell stays if the old and the new level agree there on all layers: the same tiles or, in an
unchanged room, tiles on the same layers (floor variants depend on the place). All other painted cells lose
their place.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from exporters.merge.matching import Moves
from generator.arrays import Mask
from generator.geometry import Point
from generator.named_tuple import NamedTuple

Cells = npt.NDArray[Any]


class Carry(NamedTuple):
    """The position in the old frame of each cell of the new one. See `carry`."""

    source: npt.NDArray[np.int64]  # [y, x]: y · width + x in the old frame, -1 for nowhere
    same: Mask  # [y, x]: whether it lies in an unchanged room
    unplaced: Mask  # [y, x] of the old frame: cells without a counterpart in the new one
    shift: Point

    def take(self, old: Cells) -> Cells:
        """Move a layer from the old frame to the new one."""
        return np.where(self.source >= 0, old.ravel()[np.maximum(self.source, 0)], 0)


class LostCell(NamedTuple):
    """A painted cell without a place now: its layer, its cell in coordinates of the new frame, its number."""

    layer: Any
    cell: Point
    number: int

    def said(self, layer: str, origin: Point = (0, 0)) -> str:
        """Return a line about it, for a layer of this name in a frame with this origin."""
        x, y = self.cell[0] + origin[0], self.cell[1] + origin[1]
        action = "painted" if self.number else "erased"
        return f"{layer}, {x},{y}: {action}, but the new level is different there"


class MergedCells(NamedTuple):
    """The layers, and the painted cells that have no place in them."""

    layers: dict[Any, Cells]
    lost: list[LostCell]


def carry(old_shape: tuple[int, ...], new_shape: tuple[int, ...], moves: Moves) -> Carry:
    """Find where each cell of the new frame was in the old one. Cells move with their rooms."""
    old = np.arange(old_shape[0] * old_shape[1], dtype=np.int64).reshape(old_shape)
    source = np.full(new_shape, -1, np.int64)
    same = np.zeros(new_shape, np.bool_)
    taken = np.zeros(old_shape, np.bool_)
    paste(source, old, (0, 0, old_shape[1], old_shape[0]), moves.shift)
    for pair in moves.pairs:
        paste(taken, np.ones(old_shape, np.bool_), tuple(pair.old.rect), (0, 0))
    source[(source >= 0) & taken.ravel()[np.maximum(source, 0)]] = -1
    for pair in moves.pairs:  # largest first, so that a room in another's notch keeps its cells
        for target, value in ((source, old), (same, np.full(old_shape, pair.same))):
            paste(target, value, tuple(pair.old.rect), pair.shift)
    unplaced = np.ones(old_shape, np.bool_)
    unplaced.ravel()[source[source >= 0]] = False
    return Carry(source, same, unplaced, moves.shift)


def paste(target: Cells, source: Cells, rect: tuple[int, ...], shift: Point) -> None:
    """Copy a rectangle of one array to another place in the other, clipped to both."""
    x, y, width, height = rect
    left, top = max(x, 0, -shift[0]), max(y, 0, -shift[1])
    right = min(x + width, source.shape[1], target.shape[1] - shift[0])
    bottom = min(y + height, source.shape[0], target.shape[0] - shift[1])
    if left < right and top < bottom:
        slices = slice(top + shift[1], bottom + shift[1]), slice(left + shift[0], right + shift[0])
        target[slices] = source[top:bottom, left:right]


def agreement(
    base: Mapping[Any, Cells], new: Mapping[Any, Cells], carried: Carry, by_number: Collection[Any] = ()
) -> Mask:
    """Find where the old and the new level agree.

    On the layers `by_number`, the numbers say what a tile is, so they must be equal.
    """
    exact = carried.source >= 0
    alike = exact.copy()
    for name in base.keys() & new.keys():
        before = carried.take(base[name])
        exact &= before == new[name]
        alike &= before == new[name] if name in by_number else (before != 0) == (new[name] != 0)
    return exact | (alike & carried.same)


def merged_cells(
    base: Mapping[Any, Cells],
    theirs: Mapping[Any, Cells],
    new: Mapping[Any, Cells],
    carried: Carry,
    agree: Mask,
) -> MergedCells:
    """Merge the layers that all three sides have, where `agree` is true. The first two use the old frame."""
    result = MergedCells({}, [])
    for name in new:
        if name not in base or name not in theirs:
            continue
        edited = theirs[name] != base[name]
        mine, changed = carried.take(theirs[name]), carried.take(edited).astype(np.bool_)
        result.layers[name] = np.where(changed & agree, mine, new[name])
        for y, x in np.argwhere(changed & ~agree & (mine != new[name])).tolist():
            result.lost.append(LostCell(name, (x, y), int(mine[y, x])))
        for y, x in np.argwhere(edited & carried.unplaced).tolist():
            cell = x + carried.shift[0], y + carried.shift[1]
            result.lost.append(LostCell(name, cell, int(theirs[name][y, x])))
    return result


def own_cells(theirs: Cells, carried: Carry) -> tuple[Cells, list[Point]]:
    """Move a layer that a person added to the new frame, and list its cells that have no place there."""
    cells, homeless = carried.take(theirs), []
    for y, x in np.argwhere((theirs != 0) & carried.unplaced).tolist():
        left, top = x + carried.shift[0], y + carried.shift[1]
        if 0 <= left < cells.shape[1] and 0 <= top < cells.shape[0] and not cells[top, left]:
            cells[top, left] = theirs[y, x]
        else:
            homeless.append((left, top))
    return cells, homeless


def fitted(cells: Cells, shape: tuple[int, ...]) -> Cells:
    """Crop the array to `shape`, or pad it with 0."""
    padded = np.zeros(shape, cells.dtype)
    paste(padded, cells, (0, 0, cells.shape[1], cells.shape[0]), (0, 0))
    return padded
