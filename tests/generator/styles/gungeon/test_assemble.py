"""What is carved of a heap's plan: rooms where they belong, hallways with walls and torches, doors."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from generator import GungeonSpec, generate
from generator.kinds import DECOR_IDS, DOOR, FLOOR, HALLWAY, PIT, RUBBLE, VOID, WALL
from generator.level import Level
from generator.styles.gungeon.assemble import sites_of
from generator.styles.gungeon.furnishing.gungeon_layouts import CONNECTOR
from generator.styles.gungeon.furnishing.kit_tables import gungeon_kind
from generator.styles.gungeon.plan import HeapPlan

SEEDS = range(12)


@cache
def made(seed: int) -> tuple[HeapPlan, Level]:
    spec = GungeonSpec(rooms=3 + seed, hallway_width=1 + seed % 4)
    plan = generate(spec, seed, until="floorplan")
    assert isinstance(plan, HeapPlan)
    return plan, generate(spec, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_rooms_doors_and_hallways_are_the_plans(seed: int) -> None:
    plan, level = made(seed)
    assert (level.width, level.height) == plan.size
    assert len(level.rooms) == len(plan.rooms)
    for room, planned in zip(level.rooms, plan.rooms, strict=True):
        assert (room.kind, room.distance, room.depth) == (planned.kind, planned.distance, planned.depth)
    for hallway, way in zip(level.hallways, plan.hallways, strict=True):
        assert set(hallway.tiles) >= set(way.tiles)
        assert len(way.path) >= 5 or hallway.tiles == way.tiles
    assert [door.tiles for door in level.doors] == [end.tiles for way in plan.hallways for end in way.ends]
    for hallway in level.hallways:
        assert {level.terrain[y, x] for x, y in hallway.tiles} <= {HALLWAY, RUBBLE, PIT}
    for door in level.doors:
        assert all(level.terrain[y, x] == DOOR for x, y in door.tiles)
    assert (level.terrain == DOOR).sum() == sum(len(door.tiles) for door in level.doors)
    floor = {tile for hallway in level.hallways for tile in hallway.tiles}
    assert {(x, y) for y, x in np.argwhere(level.terrain == HALLWAY).tolist()} <= floor


@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_are_the_smallest_rectangle_round_a_rooms_tiles(seed: int) -> None:
    """Those that the plan's rectangle holds, of which a ragged floor may leave outer rows and columns empty."""
    plan, level = made(seed)
    for room, planned in zip(level.rooms, plan.rooms, strict=True):
        x, y, right, bottom = planned.bounds.x, planned.bounds.y, planned.bounds.right, planned.bounds.bottom
        own = [(i, j) for i in range(x, right) for j in range(y, bottom) if level.terrain[j, i] != VOID]
        columns, rows = [i for i, _ in own], [j for _, j in own]
        assert (room.bounds.x, room.bounds.right) == (min(columns), max(columns) + 1)
        assert (room.bounds.y, room.bounds.bottom) == (min(rows), max(rows) + 1)


def test_some_bounds_are_less_than_the_plans() -> None:
    levels = [made(seed) for seed in SEEDS]
    assert any(
        room.bounds != planned.bounds
        for plan, level in levels
        for room, planned in zip(level.rooms, plan.rooms, strict=True)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_an_entrance_that_is_not_used_is_wall(seed: int) -> None:
    """All of a room's outer ring is wall or void, but for the doors of its hallways."""
    plan, level = made(seed)
    doors = {tile for way in plan.hallways for end in way.ends for tile in end.tiles}
    for room in level.rooms:
        x, y, width, height = room.bounds
        ring = [(i, j) for i in range(x, x + width) for j in (y, y + height - 1)]
        ring += [(i, j) for i in (x, x + width - 1) for j in range(y, y + height)]
        assert {level.terrain[j, i] for i, j in ring if (i, j) not in doors} <= {WALL, VOID}


@pytest.mark.parametrize("seed", SEEDS)
def test_torches_of_a_hallway_hang_on_its_walls_and_at_its_bends(seed: int) -> None:
    plan, level = made(seed)
    torches = [marker for marker in level.markers if marker.kind == "torch" and marker.room is None]
    for torch in torches:
        assert level.terrain[torch.y, torch.x] == WALL
        assert level.decor[torch.y, torch.x] == DECOR_IDS["torch"]
    for way, hallway in zip(plan.hallways, level.hallways, strict=True):
        own = {(torch.x, torch.y) for torch in torches if torch.hallway == hallway.id}
        assert all(any(abs(x - i) + abs(y - j) == 1 for i, j in hallway.tiles) for x, y in own)
        steps = list(zip(way.path, way.path[1:], strict=False))
        is_bent = len({b[0] - a[0] for a, b in steps}) > 1
        assert own or not is_bent or len(way.path) < 5


@pytest.mark.parametrize("seed", SEEDS)
def test_torches_hang_on_both_sides_of_a_door_in_a_north_wall(seed: int) -> None:
    """They shine further than others. A door near a corner has one where the wall is, a banner may take its place."""
    _, level = made(seed)
    lights = {(light.x, light.y): light for light in level.markers if light.kind == "torch"}
    for door in level.doors:
        if door.side == "north":
            (left, y), (right, _) = door.tiles[0], door.tiles[-1]
            for x in (left - 1, right + 1):
                free = level.terrain[y, x] == WALL and level.terrain[y + 1, x] == FLOOR
                if free and level.decor[y, x] in (0, DECOR_IDS["torch"]):
                    near = [lights.get((x + i, y)) for i in range(-1, 2)]
                    assert any(light and light.properties["light_radius_tiles"] >= 5 for light in near)


def test_torches_hang_at_uneven_steps_and_rooms_of_fights_are_darker() -> None:
    steps: set[int] = set()
    torches, columns = {True: 0, False: 0}, {True: 0, False: 0}
    for seed in SEEDS:
        level = generate("gungeon", seed)
        for room in level.rooms:
            own = sorted(
                light.x for light in level.markers if light.kind == "torch" and light.room == room.id
            )
            steps |= set(np.diff(own).tolist())
            fights = any(each.room == room.id and each.kind in ("enemy", "boss") for each in level.markers)
            torches[fights] += len(own)
            columns[fights] += room.bounds.width
    assert len(steps) > 6
    assert torches[False] * columns[True] > 1.2 * torches[True] * columns[False]


@pytest.mark.parametrize("seed", SEEDS)
def test_rooms_are_lit_from_walls_with_floor_below(seed: int) -> None:
    _, level = made(seed)
    for marker in level.markers:
        if marker.kind == "torch" and marker.room is not None:
            assert level.terrain[marker.y, marker.x] == WALL
            assert level.terrain[marker.y + 1, marker.x] not in (WALL, VOID, DOOR)
    lit = {marker.room for marker in level.markers if marker.kind == "torch"}
    assert lit >= {room.id for room in level.rooms}


def test_the_ways_to_a_boss_have_his_doors() -> None:
    for seed in SEEDS:
        plan, level = made(seed)
        for door in level.doors:
            ends = plan.hallways[door.id // 2].ends
            boss = any(plan.rooms[end.room].kind == "boss" for end in ends)
            assert door.kind == ("boss" if boss else "open")


def test_sites_tell_what_furnishing_needs() -> None:
    plan, _ = made(11)
    described = sites_of(plan)
    furthest = max(room.distance for room in plan.rooms)
    for room, site in zip(plan.rooms, described, strict=True):
        assert (site.kind, site.width, site.height) == (room.kind, *room.bounds[2:])
        assert site.danger == 100 * room.distance // furthest
        for opening in site.openings:
            for x, y in opening.tiles:
                outside = x + opening.side.dx, y + opening.side.dy
                assert not (0 <= outside[0] < site.width and 0 <= outside[1] < site.height)
    assert sum(len(site.openings) for site in described) == 2 * len(plan.hallways)


def test_enemies_grow_in_number_with_the_distance() -> None:
    near, far = [], []
    for seed in range(25):
        level = generate("gungeon", seed)
        furthest = max(room.distance or 0 for room in level.rooms)
        counts = np.bincount(
            [marker.room for marker in level.markers if marker.kind == "enemy" and marker.room is not None],
            minlength=len(level.rooms),
        )
        for room in level.rooms:
            if room.kind == "normal" and room.difficulty and room.distance is not None:
                (near if 3 * room.distance <= furthest else far).append(int(counts[room.id]))
    assert np.mean(far) > 1.3 * np.mean(near) > 2


def test_a_room_that_is_a_rectangle_says_so_and_so_does_its_outline() -> None:
    for seed in SEEDS:
        for room in made(seed)[1].rooms:
            x, y, width, height = room.bounds
            corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
            assert (room.outline == (corners,)) is (room.shape == "rectangle")


def test_a_level_of_rectangles() -> None:
    level = generate("gungeon", 3, roughness=0, procedural_share=100)
    fights = [room for room in level.rooms if room.kind == "normal"]
    assert {room.shape for room in fights} == {"rectangle"}
    inside = level.terrain[fights[0].bounds.shrunk(1).slices]
    assert (inside != VOID).all() and (inside == FLOOR).any()


@pytest.mark.parametrize(
    "values",
    [
        {"procedural_share": 100, "enemy_width": (27, 27)},
        {"procedural_share": 100, "enemy_height": (22, 22), "roughness": 100, "body": 2},
        {"enemy_width": (27, 27), "body": 3, "hallway_width": 3},
        {"flow": "hub", "enemy_width": (20, 21)},
        {"roughness": 100},
    ],
)
def test_rooms_are_as_large_as_the_spec_asks(values: dict[str, Any]) -> None:
    """All but connectors, and the few rooms by procedure that take the place of one."""
    spec = GungeonSpec(**values)
    rooms = in_place = 0
    for seed in range(5):
        level, plan = generate(spec, seed), generate(spec, seed, until="floorplan")
        assert isinstance(plan, HeapPlan)
        for room, planned in zip(level.rooms, plan.rooms, strict=True):
            row = gungeon_kind(level.kinds, room.kind)
            ranges = [spec.range_of(row, "width"), spec.range_of(row, "height")]
            is_connector = planned.layout is not None and CONNECTOR in planned.layout.layout.tags
            in_its_place = room.layout == "lazy-flood" and any(
                side < least for side, (least, _) in zip(planned.bounds[2:], ranges, strict=True)
            )
            rooms, in_place = rooms + 1, in_place + in_its_place
            for side, (least, most) in zip(room.bounds[2:], ranges, strict=True):
                assert side <= most
                assert side >= least or is_connector or in_its_place, (seed, room.id)
    assert in_place <= (0 if spec.procedural_share == 100 else rooms // 50)
