"""Tiles of the grid styles: where a floorplan's cells come to lie, and what is carved there."""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import NamedTuple

import numpy as np

from generator.floorplans.floorplan import Floorplan, PlannedDoor, PlannedRoom
from generator.geometry import GridFrame, Point, Rect, Side
from generator.interiors.footprint import Mask, covered_tiles, inside_tiles
from generator.interiors.furnish import Furnishing
from generator.kinds import DECOR_IDS, DECOR_KINDS, DOOR, FLOOR, SECRET_ROOM_KINDS, TERRAIN_KINDS, WALL
from generator.level import MARGIN, Tiles
from generator.shapes import SHAPES, Shape

_TORCH_INSET = 3  # tiles from a cell's outer edge to its torches


class CutDoor(NamedTuple):
    """A door's tiles in the wall of its first room, and in the wall of its second."""

    first: list[Point]
    second: list[Point]


class Carved(NamedTuple):
    """A level's arrays [y, x], where its cells lie, and the tiles of its doors and torches."""

    terrain: Tiles
    decor: Tiles
    frame: GridFrame
    bounds: list[Rect]
    doors: list[CutDoor]
    torches: list[tuple[int, Point]]  # the room, and the tile of its north wall


def carve(plan: Floorplan, furnishings: Sequence[Furnishing], pitch: Point, door_width: int) -> Carved:
    """Carve every room and cut every door. `pitch` is a cell's size in tiles, walls included."""
    frame, width, height = lay_out(plan, pitch)
    terrain = np.zeros((height, width), np.uint8)
    decor = np.zeros((height, width), np.uint8)
    bounds = []
    for room, furnishing in zip(plan.rooms, furnishings, strict=True):
        bounds.append(carve_room(room, furnishing, frame, terrain, decor))
    doors = [_cut(door, frame, door_width, terrain, decor) for door in plan.doors]
    torches = []
    for number, room in enumerate(plan.rooms):
        if room.kind not in SECRET_ROOM_KINDS:  # they stay dark
            torches += [(number, place) for place in hang_torches(room, frame, terrain, decor)]
    return Carved(terrain, decor, frame, bounds, doors, torches)


def carve_room(
    room: PlannedRoom, furnishing: Furnishing, frame: GridFrame, terrain: Tiles, decor: Tiles
) -> Rect:
    """Carve one room, without doors and torches; its bounds."""
    rect = frame.bounds(room.cells)
    within = rect.shrunk(1).slices
    covered, inside = _where(SHAPES[room.shape], frame.cell_size)
    terrain[rect.slices][covered] = WALL
    terrain[within][inside] = furnishing.terrain[inside]
    decor[within][inside] = furnishing.decor[inside]
    return rect


def _where(shape: Shape, pitch: Point) -> tuple[Mask, Mask] | tuple[EllipsisType, EllipsisType]:
    """What of a room's bounding box is covered, and what of its inside is inside: all of a rectangle."""
    if shape.is_rectangle:
        return ..., ...
    return covered_tiles(shape.cells, pitch), inside_tiles(shape.cells, pitch)


def lay_out(plan: Floorplan, pitch: Point) -> tuple[GridFrame, int, int]:
    """Where the cells lie, and the level's width and height: no more than the rooms and the margin."""
    columns = [x for room in plan.rooms for x, _ in room.cells]
    rows = [y for room in plan.rooms for _, y in room.cells]
    left, top = min(columns), min(rows)
    frame = GridFrame((MARGIN - left * pitch[0], MARGIN - top * pitch[1]), pitch)
    width = (max(columns) - left + 1) * pitch[0] + 2 * MARGIN
    height = (max(rows) - top + 1) * pitch[1] + 2 * MARGIN
    return frame, width, height


def _cut(door: PlannedDoor, frame: GridFrame, width: int, terrain: Tiles, decor: Tiles) -> CutDoor:
    """Open both walls."""
    first, second = frame.door_tiles(door.cell, door.side, width)
    open_wall(first, door.side.opposite, terrain, decor)
    open_wall(second, door.side, terrain, decor)
    return CutDoor(first, second)


def open_wall(tiles: Sequence[Point], inwards: Side, terrain: Tiles, decor: Tiles) -> None:
    """Make a door of tiles in one room's wall; `inwards` is the side on which the room lies.

    What stands in front of a door that is wider than its layout thought of is cleared away.
    """
    for x, y in tiles:
        terrain[y, x] = DOOR
        if len(tiles) > 1:
            _clear_doorstep(x + inwards.dx, y + inwards.dy, terrain, decor)


def _clear_doorstep(x: int, y: int, terrain: Tiles, decor: Tiles) -> None:
    """Let a body step on a tile safely: fill a pit, and take away a thing that blocks or hurts."""
    if not TERRAIN_KINDS[terrain[y, x]].walk:
        terrain[y, x] = FLOOR
    for number, kind in enumerate(DECOR_KINDS):
        if kind.walk and not kind.hazard:
            continue
        area = decor[y - kind.height + 1 : y + 1, x - kind.width + 1 : x + 1]  # where its top left may be
        area[area == number] = 0


def hang_torches(room: PlannedRoom, frame: GridFrame, terrain: Tiles, decor: Tiles) -> list[Point]:
    """Hang two torches on the face of each cell's north wall, where it is no door and has floor below.

    That of a narrow room is as thick as its layout draws it.
    """
    hung = []
    thick = Side.NORTH not in SHAPES[room.shape].sides
    for cell in room.cells:
        if (cell[0], cell[1] - 1) in room.cells:
            continue
        rect = frame.cell_rect(cell)
        for x in (rect.x + _TORCH_INSET, rect.right - 1 - _TORCH_INSET):
            y = rect.y
            while thick and y < rect.bottom - 2 and terrain[y + 1, x] == WALL:
                y += 1
            if terrain[y, x] == WALL and terrain[y + 1, x] != WALL:
                decor[y, x] = DECOR_IDS["torch"]
                hung.append((x, y))
    return hung
