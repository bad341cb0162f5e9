"""The tile grid: where rooms come to lie, what a door clears, where lights hang."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import Level, generate
from generator.algorithms.outline import ring
from generator.geometry import Side
from generator.kinds import DECOR_IDS, DOOR, TERRAIN_KINDS, VOID, WALL
from generator.level import MARGIN, passable, spread_decor
from generator.styles.grid.build import lay_out

SEEDS = st.integers(0, 2**64 - 1)
SIDES = {side.label: side for side in Side}


def levels(seed: int, stage: int, door_width: int) -> Level:
    return generate("isaac", seed, stage=stage, door_width=door_width)


@given(SEEDS, st.integers(1, 9))
@settings(max_examples=25)
def test_the_level_is_no_larger_than_its_rooms_and_the_margin(seed: int, stage: int) -> None:
    plan = generate("isaac", seed, stage=stage, until="floorplan")
    frame, width, height = lay_out(plan, (15, 9))
    rects = [frame.cell_rect(room.cells[0]) for room in plan.rooms]
    assert min(rect.x for rect in rects) == min(rect.y for rect in rects) == MARGIN
    assert max(rect.right for rect in rects) == width - MARGIN
    assert max(rect.bottom for rect in rects) == height - MARGIN


@given(SEEDS, st.integers(1, 9), st.sampled_from([1, 3, 5]))
@settings(max_examples=25)
def test_every_tile_outside_the_rooms_is_void(seed: int, stage: int, door_width: int) -> None:
    level = levels(seed, stage, door_width)
    outside = np.ones(level.terrain.shape, bool)
    for room in level.rooms:
        outside[room.bounds.slices] = False
        assert (level.terrain[room.bounds.slices] != VOID).all()
    assert (level.terrain[outside] == VOID).all()
    assert (level.decor[outside] == 0).all()


@given(SEEDS, st.integers(1, 9), st.sampled_from([1, 3, 5]))
@settings(max_examples=30)
def test_one_steps_safely_out_of_every_tile_of_a_door(seed: int, stage: int, door_width: int) -> None:
    """However wide the door: no pit, no thing that blocks, no spikes or fire on its doorsteps."""
    level = levels(seed, stage, door_width)
    walk = level.passable("walk")
    hazard = np.array([kind.hazard for kind in level.decor_kinds])[level.covered]
    for door in level.doors:
        side, half = SIDES[door.side], len(door.tiles) // 2
        for tiles, step in ((door.tiles[:half], side.opposite), (door.tiles[half:], side)):
            for x, y in tiles:
                assert walk[y, x] and walk[y + step.dy, x + step.dx]
                assert not hazard[y + step.dy, x + step.dx]


@given(SEEDS, st.sampled_from([3, 5]))
@settings(max_examples=15)
def test_a_wider_door_changes_no_more_than_walls_and_doorsteps(seed: int, door_width: int) -> None:
    narrow, wide = levels(seed, 4, 1), levels(seed, 4, door_width)
    assert [room.layout for room in narrow.rooms] == [room.layout for room in wide.rooms]
    near_door = np.zeros(wide.terrain.shape, bool)
    for y, x in np.argwhere(wide.terrain == DOOR).tolist():
        near_door[y - 1 : y + 2, x - 1 : x + 2] = True
    assert not ((narrow.terrain != wide.terrain) & ~near_door).any()
    lost = (narrow.covered != wide.covered) & ~near_door
    large = {
        DECOR_IDS[name] for name in ("boulder", "fountain", "table", "bookshelf", "coffin", "altar", "rug")
    }
    torches = {0, DECOR_IDS["torch"]}
    assert set(narrow.covered[lost].tolist()) <= large | torches


@given(SEEDS, st.integers(1, 9))
@settings(max_examples=20)
def test_large_things_stand_whole_inside_one_room(seed: int, stage: int) -> None:
    """No boulder is cut by a door, by a wall or by another thing."""
    level = levels(seed, stage, 5)
    inside = np.full(level.terrain.shape, -1)
    for room in level.rooms:
        inside[room.bounds.shrunk(1).slices] = room.id
    for y, x in np.argwhere(level.decor).tolist():
        kind = level.decor_kinds[level.decor[y, x]]
        if kind.width * kind.height > 1:
            area = slice(y, y + kind.height), slice(x, x + kind.width)
            assert len(set(inside[area].ravel().tolist())) == 1 and inside[y, x] >= 0
            assert (level.covered[area] == level.decor[y, x]).all()
            assert np.count_nonzero(level.decor[area]) == 1


@given(SEEDS, st.integers(1, 9), st.sampled_from([1, 3, 5]))
@settings(max_examples=20)
def test_torches_hang_on_the_north_wall_above_floor(seed: int, stage: int, door_width: int) -> None:
    """A lit room has two unless a door or an inner wall takes the place; secret rooms stay dark."""
    level = levels(seed, stage, door_width)
    lit = {room.id: 0 for room in level.rooms}
    for marker in level.markers:
        if marker.kind == "torch":
            assert marker.room is not None and marker.y == level.rooms[marker.room].bounds.y
            assert level.terrain[marker.y, marker.x] == WALL
            assert level.terrain[marker.y + 1, marker.x] != WALL
            lit[marker.room] += 1
    for room in level.rooms:
        assert lit[room.id] <= (0 if room.kind == "secret" else 2)
    assert (level.decor == DECOR_IDS["torch"]).sum() == sum(lit.values())


def test_lights_tell_their_colour_and_reach() -> None:
    level = generate("isaac", 5, stage=4, red_fires=50)
    lights = [marker for marker in level.markers if marker.kind in ("torch", "fire")]
    assert {marker.kind for marker in lights} == {"torch", "fire"}
    for marker in lights:
        name = level.decor_kinds[level.decor[marker.y, marker.x]].name
        assert marker.properties["color"] == ("red" if name == "red_fire" else "orange")
        assert marker.properties["light_radius_tiles"] == 3
    fires = np.isin(level.decor, [DECOR_IDS["fire"], DECOR_IDS["red_fire"]]).sum()
    assert fires == sum(marker.kind == "fire" for marker in lights)


@given(SEEDS, st.integers(1, 9))
@settings(max_examples=15)
def test_outlines_run_clockwise_round_the_bounds(seed: int, stage: int) -> None:
    for room in levels(seed, stage, 1).rooms:
        (outer,) = room.outline
        assert outer == ring(room.bounds)
        turns = zip(outer, (*outer[1:], outer[0]), strict=True)
        area = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in turns)
        assert area == 2 * room.bounds.width * room.bounds.height  # positive: clockwise, with y down


def test_ids_are_places() -> None:
    level = generate("labyrinth", 3)
    for things in (level.rooms, level.doors, level.markers):
        assert [thing.id for thing in things] == list(range(len(things)))


@pytest.mark.parametrize("way", ["walk", "fly", "shoot"])
def test_what_passes_is_decided_by_terrain_and_by_things(way: str) -> None:
    level = generate("isaac", 5, stage=4)
    found = level.passable(way)
    for y, x in np.argwhere(level.terrain >= 0)[::7].tolist():
        terrain, thing = TERRAIN_KINDS[level.terrain[y, x]], level.decor_kinds[level.covered[y, x]]
        assert found[y, x] == (getattr(terrain, way) and getattr(thing, way))
    assert np.array_equal(found, passable(level.terrain, level.covered, way))


def test_a_large_thing_covers_all_its_tiles() -> None:
    decor = np.zeros((6, 6), np.uint8)
    decor[1, 1], decor[4, 3] = DECOR_IDS["boulder"], DECOR_IDS["table"]
    covered = spread_decor(decor, generate("isaac").decor_kinds)
    assert {(int(x), int(y)) for y, x in np.argwhere(covered)} == {
        (1, 1),
        (2, 1),
        (1, 2),
        (2, 2),
        (3, 4),
        (4, 4),
    }
