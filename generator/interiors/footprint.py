"""The tiles of a room shape: what it covers, what is inside its walls, and where its doors lead.

Tiles of a room's inside are counted from the corner of its bounding box, without the wall. The `pitch` is a
cell's width and height in tiles, walls included.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from generator.arrays import Mask
from generator.geometry import GridFrame, Point
from generator.shapes import Slot


@lru_cache(maxsize=64)
def covered_tiles(cells: tuple[Point, ...], pitch: Point) -> Mask:
    """Return the tiles of a shape's cells, [y, x] over their bounding box."""
    frame = GridFrame((0, 0), pitch)
    width, height = (max(at) + 1 for at in zip(*cells, strict=True))
    mask = np.zeros((height * pitch[1], width * pitch[0]), bool)
    for cell in cells:
        mask[frame.cell_rect(cell).slices] = True
    mask.setflags(write=False)
    return mask


@lru_cache(maxsize=64)
def inside_tiles(cells: tuple[Point, ...], pitch: Point) -> Mask:
    """Return the tiles inside the ring of walls round a shape's cells, [y, x] over the box's inside."""
    covered = covered_tiles(cells, pitch)
    height, width = covered.shape
    inside = np.ones((height - 2, width - 2), bool)
    for dy in range(3):
        for dx in range(3):
            inside &= covered[dy : dy + height - 2, dx : dx + width - 2]
    inside.setflags(write=False)
    return inside


def doorsteps(pitch: Point, slots: Iterable[Slot], door_width: int = 1) -> list[Point]:
    """Return the tiles inside a room in front of its doors, `door_width` per door."""
    frame = GridFrame((-1, -1), pitch)
    return [
        (x - side.dx, y - side.dy)
        for cell, side in slots
        for x, y in frame.door_tiles(cell, side, door_width)[0]
    ]
