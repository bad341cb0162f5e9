"""Doors of a running level: their tiles, bodies and navigation follow when they open and shut."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import LEVELS, Play, level

pytestmark = pytest.mark.xdist_group("play")

BARRED = ("locked", "secret", "red")
SCENES = {name: f"res://{name}.tscn" for name in LEVELS} | {"apart": "res://apart/rebirth.tscn"}


@pytest.fixture(scope="session")
def told(play: Play) -> dict[str, Any]:
    """What passes each door of each scene: at the start, with all open, and with all shut."""
    return dict(zip(SCENES, play.ask("doors.gd", *SCENES.values()), strict=True))


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("state", ["start", "open", "shut"])
def test_tiles_bodies_and_navigation_say_the_same(told: dict[str, Any], name: str, state: str) -> None:
    doors = level("rebirth" if name == "apart" else name).doors
    for door, (ways, stopped, looks) in zip(doors, told[name][state], strict=True):
        is_open = state == "open" or (state == "start" and door.kind not in BARRED)
        assert (ways, stopped) == ([is_open, is_open], not is_open), (door, state)
        assert len(looks) == len(door.tiles)
        assert all(look[0 if is_open else 1] for look in looks)


@pytest.mark.parametrize("name", SCENES)
def test_each_change_is_reported_once(told: dict[str, Any], name: str) -> None:
    doors = level("rebirth" if name == "apart" else name).doors
    shut = [door.id for door in doors if door.kind in BARRED]
    assert told[name]["told_opened"] == shut
    assert sorted(told[name]["told_shut"]) == [door.id for door in doors]


@pytest.mark.parametrize("name", SCENES)
def test_a_door_that_turns_does_not_have_all_edges_compared(told: dict[str, Any], name: str) -> None:
    """In a level of 400 rooms, the engine took more than ten seconds for it, in which no path led anywhere new."""
    assert told[name]["compared"] == 0


def test_there_are_doors_that_start_shut() -> None:
    assert {"locked", "secret"} <= {door.kind for door in level("isaac").doors}
    assert {"locked", "secret", "red"} <= {door.kind for door in level("rebirth").doors}


def test_a_red_key_opens_the_way_through_a_red_room_into_the_ultra_secret_one(play: Play) -> None:
    told = play.ask("red.gd", "res://rebirth.tscn")
    made = level("rebirth")
    assert told["without_key"] == [False, "The outline of a door: find a red key"]
    kinds = [made.rooms[room].kind for room in told["entered"]]
    assert kinds[-2:] == ["red", "ultra_secret"] and "red" not in kinds[:-2]
    opened = [made.doors[door] for door in told["opened"]]
    assert [door.kind for door in opened] == ["red", "red"]
    assert set(opened[0].rooms) & set(opened[1].rooms) == {told["entered"][-2]}
    assert told["shown"] == [False, True]  # the red room on the map, before and after
