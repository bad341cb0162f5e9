"""What the runtime answers about a level is what Python knows of it, from a level.json and from scenes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from shapely import Polygon, contains_xy

from generator.kinds import SHIPPED
from generator.level import Level, Room

from .conftest import LEVELS, Play, level

pytestmark = pytest.mark.xdist_group("play")

WAYS = {"json": "{}.level.json", "scene": "{}.tscn", "rooms apart": "apart/{}.tscn"}


@pytest.fixture(scope="session")
def told(play: Play) -> dict[tuple[str, str], Any]:
    """What the runtime tells of each level, by its name and the way that it was read."""
    asked = [(name, way) for name in LEVELS for way in WAYS]
    answers = play.ask("plan.gd", *(f"res://{WAYS[way].format(name)}" for name, way in asked))
    return dict(zip(asked, answers, strict=True))


@pytest.fixture(params=[(name, way) for name in LEVELS for way in WAYS], ids="-".join)
def case(request: pytest.FixtureRequest, told: dict[tuple[str, str], Any]) -> tuple[Level, Any]:
    """A level, and what the runtime tells of it."""
    return level(request.param[0]), told[request.param]


def test_each_tile_is_in_the_room_or_hallway_that_it_belongs_to(case: tuple[Level, Any]) -> None:
    made, answer = case
    owners = np.array(answer["owners"]).reshape(made.height, made.width)
    assert np.array_equal(owners, owned(made))


def test_rooms_doors_and_markers_are_the_levels(case: tuple[Level, Any]) -> None:
    made, answer = case
    for room, seen in zip(made.rooms, answer["rooms"], strict=True):
        distance = -1 if room.distance is None else room.distance
        assert [seen["kind"], seen["shape"], seen["distance"]] == [room.kind, room.shape, distance]
        assert seen["bounds"] == list(room.bounds) and seen["name"] == room.name
        assert seen["secret"] == (room.kind in SHIPPED.secret_rooms)
        assert seen["markers"] == [
            [each.id, each.kind, each.x, each.y, dict(each.properties)]
            for each in made.markers
            if each.room == room.id
        ]
    for door, found in zip(made.doors, answer["doors"], strict=True):
        rooms = [one for one in door.rooms if one is not None]
        tiles = [list(tile) for tile in door.tiles]
        is_open = door.kind not in ("locked", "secret", "red")
        hallway = next((each.id for each in made.hallways if door.id in each.doors), -1)
        assert found == [door.kind, door.side, rooms, hallway, tiles, is_open]
    assert answer["curse"] == made.facts.get("curse")


def test_rooms_doors_hallways_and_markers_lead_to_each_other(case: tuple[Level, Any]) -> None:
    made, answer = case
    assert [room["doors"] for room in answer["rooms"]] == [
        [door.id for door in made.doors if room.id in door.rooms] for room in made.rooms
    ]
    assert answer["hallways"] == [
        [list(hallway.doors), [made.doors[end].rooms[0] for end in hallway.doors]]
        for hallway in made.hallways
    ]
    assert answer["standing"] == [
        [-1 if place is None else place for place in (marker.room, marker.hallway)] for marker in made.markers
    ]


def test_a_freed_level_leaves_nothing_behind(case: tuple[Level, Any]) -> None:
    """A room that a game still holds keeps no level alive, and says that it has no doors."""
    assert case[1]["kept"] == [False, 0]


def test_neighbours_are_the_rooms_behind_the_doors(case: tuple[Level, Any]) -> None:
    made, answer = case
    for key, barred in (
        ("neighbours", {"secret", "red"}),
        ("with_secrets", set()),
        ("unlocked", {"secret", "red", "locked"}),
    ):
        ways = neighbours(made, barred)
        assert [each[key] for each in answer["rooms"]] == [sorted(ways[room.id]) for room in made.rooms]


def test_a_path_is_as_long_as_the_rooms_distance(case: tuple[Level, Any]) -> None:
    made, answer = case
    ways = neighbours(made, {"secret", "red"})
    for room, seen in zip(made.rooms, answer["rooms"], strict=True):
        path = seen["path"]
        assert len(path) - 1 == (-1 if room.distance is None else room.distance)
        assert not path or (made.rooms[path[0]].kind == "start" and path[-1] == room.id)
        assert all(b in ways[a] for a, b in pairwise(path))


def test_the_levels_have_what_is_hard() -> None:
    """L shapes with a room in the notch, hallways, secret, red and locked doors, rooms joined twice."""
    made = level("rebirth")
    assert any("L" in room.shape for room in made.rooms)
    kinds = {door.kind for name in LEVELS for door in level(name).doors}
    assert {"secret", "red", "locked", "boss"} <= kinds
    assert level("gungeon").hallways


# --- Python's own answers ----------------------------------------------------------------------------


def owned(made: Level) -> npt.NDArray[np.int64]:
    """[y, x]: the room whose cells or polygon hold the tile's middle, or -2 - the hallway, or -1."""
    owners = np.full((made.height, made.width), -1)
    for hallway in made.hallways:
        for x, y in hallway.tiles:
            owners[y, x] = -2 - hallway.id
    ys, xs = np.mgrid[: made.height, : made.width]
    for room in made.rooms:
        owners[contains_xy(polygon(room), xs + 0.5, ys + 0.5)] = room.id
    return owners


def polygon(room: Room) -> Polygon:
    outer, *holes = room.outline
    return Polygon(outer, holes)


def neighbours(made: Level, barred: set[str]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {room.id: set() for room in made.rooms}
    for a, b in joints(made, barred):
        found[a].add(b)
        found[b].add(a)
    return found


def joints(made: Level, barred: set[str]) -> Iterator[tuple[int, int]]:
    for door in made.doors:
        if door.rooms[1] is not None and door.kind not in barred:
            yield door.rooms[0], door.rooms[1]
    for hallway in made.hallways:
        first, second = (made.doors[end] for end in hallway.doors)
        if not barred & {first.kind, second.kind}:
            yield first.rooms[0], second.rooms[0]
