"""Physics and navigation of a running level in the real Godot: who gets where, and who does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from exporters.formats.godot.write_tileset import FLYERS, SHOTS, WALKERS
from generator.geometry import Point
from generator.kinds import DOOR_KINDS
from generator.level import Door, Level

from .conftest import Case

pytestmark = pytest.mark.xdist_group("godot")

STARTS_SHUT = {kind.name for kind in DOOR_KINDS if kind.starts_shut}
# How far from its target a way may end, in px: Godot looks for the closest point with 32-bit products, which are a few
# px off in a narrow and long polygon.
CLOSE = 4
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1))


def steps(level: Level, way: str) -> list[tuple[int, int, int, int, bool]]:
    """[x, y, dx, dy] from every tile that `way` passes to each of its neighbours, and whether it may."""
    free = level.passable(way)
    return [
        (x, y, dx, dy, bool(free[y + dy, x + dx])) for y, x in np.argwhere(free).tolist() for dx, dy in AROUND
    ]


def target(level: Level, room: int) -> list[int]:
    """A tile in front of one of a room's doors, inside of the room; the middle of a room without any."""
    walkable = level.passable("walk")
    bounds = level.rooms[room].bounds
    openings = door_tiles(level)
    for door in level.doors:
        if room not in door.rooms:
            continue
        half = len(door.tiles) // (1 if door.rooms[1] is None else 2)
        own = door.tiles[:half] if door.rooms[0] == room else door.tiles[half:]
        for x, y in ((x + dx, y + dy) for x, y in own for dx, dy in AROUND):
            inside = bounds.x < x < bounds.right - 1 and bounds.y < y < bounds.bottom - 1
            if inside and walkable[y, x] and (x, y) not in openings:
                return [x, y]
    assert not any(room in door.rooms for door in level.doors)
    return [bounds.x + bounds.width // 2, bounds.y + bounds.height // 2]


def door_tiles(level: Level, kinds: set[str] | None = None) -> set[Point]:
    return {tile for door in level.doors if kinds is None or door.kind in kinds for tile in door.tiles}


def connections(level: Level, is_open: Callable[[Door], bool]) -> Iterator[tuple[int, int]]:
    """From which room to which one gets through open doors."""
    for door in level.doors:
        a, b = door.rooms
        if b is not None and is_open(door):
            yield from ((a, b), (b, a))
    for hallway in level.hallways:
        first, last = (level.doors[door] for door in hallway.doors)
        if is_open(first) and is_open(last):
            for out, into in ((first, last), (last, first)):
                if not out.one_way:
                    yield out.rooms[0], into.rooms[0]


def reached(level: Level, is_open: Callable[[Door], bool]) -> set[int]:
    """The rooms that one gets to from the start."""
    pairs = list(connections(level, is_open))
    found = {room.id for room in level.rooms if room.kind == "start"}
    while more := {b for a, b in pairs if a in found} - found:
        found |= more
    return found


@pytest.fixture(scope="session")
def walked(case: Case) -> dict[str, Any]:
    """Questions put to the running level and their answers."""
    level = case.level
    rays, free = [], []
    for way, mask in (("walk", WALKERS), ("fly", FLYERS), ("shoot", SHOTS)):
        for x, y, dx, dy, may in steps(level, way):
            rays.append([x, y, dx, dy, mask])
            free.append(may)
    start = next(marker for marker in level.markers if marker.kind == "player_start")
    questions = {
        "rays": rays,
        "steps": [step[:4] for step in steps(level, "walk") if not step[4]],
        "start": [start.x, start.y],
        "targets": [target(level, room.id) for room in level.rooms],
        "hallways": [hallway.tiles[len(hallway.tiles) // 2] for hallway in level.hallways],
    }
    answers = case.project.ask("walk.gd", case.scene, questions)
    return {"asked": questions, "free": free, **answers}


def check_rays(walked: dict[str, Any], answer: str, shut: set[Point]) -> None:
    """A ray is stopped exactly where the level says, and where it enters or leaves a shut door."""
    rays = walked["asked"]["rays"]
    checked = 0
    for (x, y, dx, dy, mask), free, hit in zip(rays, walked["free"], walked[answer], strict=True):
        if (x, y) in shut:
            continue  # it begins inside the door's body, of which rays take no notice
        assert hit is (not free or (x + dx, y + dy) in shut), (x, y, dx, dy, mask)
        checked += 1
    assert checked > 1000


def test_what_stops_walkers_flyers_and_shots(case: Case, walked: dict[str, Any]) -> None:
    check_rays(walked, "rays", door_tiles(case.level, STARTS_SHUT))


def test_shut_doors_stop_everyone(case: Case, walked: dict[str, Any]) -> None:
    check_rays(walked, "rays_shut", door_tiles(case.level))


def test_open_doors_stop_nobody(walked: dict[str, Any]) -> None:
    check_rays(walked, "rays_open", set())


def test_no_body_leaves_a_room_through_a_wall(walked: dict[str, Any]) -> None:
    assert len(walked["stuck"]) == len(walked["asked"]["steps"]) > 100
    assert all(walked["stuck"])


def test_a_room_notices_who_stands_in_it_and_nothing_else(case: Case, walked: dict[str, Any]) -> None:
    assert walked["inside"] == [[room.id] for room in case.level.rooms]


def test_a_hallway_notices_who_stands_in_it(case: Case, walked: dict[str, Any]) -> None:
    assert walked["inside_hallways"] == [[hallway.id] for hallway in case.level.hallways]


def test_a_way_leads_to_every_room_but_those_behind_shut_doors(case: Case, walked: dict[str, Any]) -> None:
    assert any(room.distance is None for room in case.level.rooms) or case.name != "by.hand"
    rooms = reached(case.level, lambda door: door.kind not in STARTS_SHUT)
    assert {room.id for room in case.level.rooms if room.distance is None}.isdisjoint(rooms)
    for room, rest in zip(case.level.rooms, walked["paths"], strict=True):
        assert (rest < CLOSE) is (room.id in rooms), room


def test_an_opened_door_joins_its_room(case: Case, walked: dict[str, Any]) -> None:
    """And nothing joins a room without any door."""
    with_doors = {room for door in case.level.doors for room in door.rooms}
    for room, rest in zip(case.level.rooms, walked["paths_open"], strict=True):
        assert (rest < CLOSE) is (room.id in with_doors)
