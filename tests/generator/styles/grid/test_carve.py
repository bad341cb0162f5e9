"""Rooms of every shape as tiles: one wall ring of their own, doors in the middle of cells' sides."""

from __future__ import annotations

import numpy as np
import pytest

from generator.geometry import Point, Side
from generator.interiors.interior import FurnishedRoom, doorsteps, inside_tiles
from generator.kinds import DECOR_IDS, DOOR, FLOOR, VOID, WALL
from generator.level import MARGIN, Level
from generator.shapes import SHAPES
from generator.styles.grid.build import assemble, carve
from generator.styles.grid.floorplan import Floorplan, PlannedRoom
from generator.styles.grid.furnish import FurnishedLevel
from generator.styles.isaac.spec import IsaacSpec
from tests.cases import for_each

PITCHES = [(15, 9), (9, 15), (11, 11)]


def room(shape: str, corner: Point, kind: str = "normal") -> PlannedRoom:
    cells = tuple((corner[0] + x, corner[1] + y) for x, y in SHAPES[shape].cells)
    return PlannedRoom(kind, shape, cells, 0, 0)


def made(*rooms: PlannedRoom, pitch: Point = (15, 9), door_width: int = 1, decor: str = "none") -> Level:
    """A level of rooms with the same thing, or nothing, on every tile."""
    plan = Floorplan(rooms, {}, {})
    insides = []
    for one in rooms:
        inside = inside_tiles(SHAPES[one.shape].cells, pitch)
        terrain = np.where(inside, FLOOR, WALL).astype(np.uint8)
        insides.append(
            FurnishedRoom("bare", 0, terrain, np.full_like(terrain, DECOR_IDS[decor]) * inside, ())
        )
    furnished = FurnishedLevel(tuple(insides), "none", "")
    carved = carve(plan, insides, pitch, door_width)
    return assemble(IsaacSpec(room_size=pitch, layouts="0123456789abcdef"), 0, None, plan, furnished, carved)


@for_each(pitch=PITCHES, shape=SHAPES)
def test_a_room_covers_its_cells_and_has_one_ring_of_walls(shape: str, pitch: Point) -> None:
    level = made(room(shape, (3, 4)), pitch=pitch)
    covered = np.zeros(level.terrain.shape, bool)
    for x, y in SHAPES[shape].cells:
        top, left = MARGIN + y * pitch[1], MARGIN + x * pitch[0]
        covered[top : top + pitch[1], left : left + pitch[0]] = True
    assert np.array_equal(level.terrain != VOID, covered)
    around = np.lib.stride_tricks.sliding_window_view(np.pad(covered, 1), (3, 3)).all((2, 3))
    assert np.array_equal(level.terrain == FLOOR, around)
    columns, rows = SHAPES[shape].size
    assert level.rooms[0].bounds == (MARGIN, MARGIN, columns * pitch[0], rows * pitch[1])


@pytest.mark.parametrize("shape", SHAPES)
def test_an_outline_goes_round_the_cells(shape: str) -> None:
    """Clockwise, with four corners or an L's six; its area is that of the cells."""
    (ring,) = made(room(shape, (0, 0))).rooms[0].outline
    assert len(ring) == (6 if shape.startswith("L") else 4)
    area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True)) // 2
    assert area == len(SHAPES[shape].cells) * 15 * 9


@for_each(door_width=[1, 3], shape=SHAPES)
def test_every_slot_can_be_a_door(shape: str, door_width: int) -> None:
    """With a neighbour at each slot there is a door at each, in the middle, and free floor behind it."""
    wanted: dict[Point, list[tuple[Point, Side]]] = {}
    for (x, y), side in SHAPES[shape].slots.values():
        wanted.setdefault((x + side.dx, y + side.dy), []).append(((x, y), side))
    plan = [room(shape, (0, 0)), *(room("1x1", cell) for cell in wanted)]
    level = made(*plan, door_width=door_width)
    assert level.grid is not None
    doors = [door for door in level.doors if 0 in door.rooms]
    assert len(doors) == len(SHAPES[shape].slots)
    (x0, y0), (ox, oy) = level.rooms[0].bounds[:2], level.grid.origin
    assert (x0, y0) == (ox, oy)
    steps = {
        (x0 + 1 + x, y0 + 1 + y) for x, y in doorsteps((15, 9), SHAPES[shape].slots.values(), door_width)
    }
    found = set()
    for door in doors:
        half = len(door.tiles) // 2
        assert half == door_width
        own, side = (
            (door.tiles[:half], Side(_side(door.side)))
            if door.rooms[0] == 0
            else (
                door.tiles[half:],
                Side(_side(door.side)).opposite,
            )
        )
        found |= {(x - side.dx, y - side.dy) for x, y in own}
        for x, y in door.tiles:
            assert level.terrain[y, x] == DOOR
    assert found == steps
    assert all(level.terrain[y, x] == FLOOR for x, y in steps)


def _side(label: str) -> tuple[str, int, int]:
    return next(side.value for side in Side if side.label == label)


@pytest.mark.parametrize("shape", ["IH", "IIH", "IV", "IIV"])
def test_a_narrow_room_has_no_door_at_its_long_sides(shape: str) -> None:
    along_x = "H" in shape
    beside = room("1x1", (0, 1) if along_x else (1, 0))
    assert made(room(shape, (0, 0)), beside).doors == ()


def test_two_large_rooms_share_two_doors_and_a_room_in_the_notch_has_two() -> None:
    level = made(room("2x2", (0, 0)), room("1x2", (2, 0)))
    assert [(door.rooms, door.side) for door in level.doors] == [((0, 1), "east")] * 2
    level = made(room("LTL", (0, 0)), room("1x1", (0, 0)))
    assert sorted((door.rooms, door.side) for door in level.doors) == [((1, 0), "east"), ((1, 0), "south")]


def test_torches_hang_over_each_cell_at_the_top_and_in_narrow_rooms_on_the_inner_wall() -> None:
    counts = {"1x1": 2, "2x1": 4, "1x2": 2, "2x2": 4, "LTL": 4, "LBL": 4}
    for shape, count in counts.items():
        level = made(room(shape, (0, 0)))
        torches = [marker for marker in level.markers if marker.kind == "torch"]
        assert len(torches) == count, shape
        for torch in torches:
            assert level.terrain[torch.y, torch.x] == WALL and level.terrain[torch.y + 1, torch.x] == FLOOR
    assert not [marker for marker in made(room("1x1", (0, 0), "secret")).markers if marker.kind == "torch"]


def test_fires_in_the_notch_of_an_l_are_those_of_the_room_there() -> None:
    level = made(room("LTL", (0, 0)), room("1x1", (0, 0)), decor="fire")
    for marker in level.markers:
        if marker.kind == "fire":
            x, y, width, height = level.rooms[1].bounds
            inside = x <= marker.x < x + width and y <= marker.y < y + height
            assert marker.room == int(inside)
    assert {marker.room for marker in level.markers if marker.kind == "fire"} == {0, 1}
