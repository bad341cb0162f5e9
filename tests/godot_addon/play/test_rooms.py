"""Rooms come into the tree and leave it as the camera moves; what is in them is as it was left."""

from __future__ import annotations

from typing import Any

import pytest

from generator.level import Level, Room

from .conftest import Play, level

pytestmark = pytest.mark.xdist_group("play")

SCENES = {"gungeon": "gungeon.tscn", "apart": "apart/gungeon.tscn", "grid": "apart/rebirth.tscn"}
TILE, VIEW, MARGIN = 16, (288, 162), 32
ALWAYS, DISABLED = 3, 4  # process modes
OPEN, SHUT = [True, False], [False, True]  # a way leads through; a ray is stopped


@pytest.fixture(scope="module")
def told(play: Play) -> Any:
    """What a probe saw of each scene, and how many rooms a frame looked at in levels of two sizes."""
    answer = play.ask("rooms.gd", "large", *(f"res://{path}" for path in SCENES.values()))
    return answer | dict(zip(SCENES, answer["levels"], strict=True))


@pytest.mark.parametrize("name", SCENES)
def test_the_rooms_near_the_camera_are_in_the_tree_and_no_others(told: Any, name: str) -> None:
    made = level("rebirth" if name == "grid" else "gungeon")
    for room, (present, of_markers, has, said) in zip(made.rooms, told[name]["seen"], strict=True):
        assert near(made, room, MARGIN) <= set(present) <= near(made, room, 1.5 * MARGIN)
        assert present == has == sorted(said)
        assert of_markers == [one for one in present if any(mark.room == one for mark in made.markers)]
    assert told[name]["at_end"] == [room.id for room in made.rooms]
    few, all_of_them = told[name]["nodes"]
    assert few < all_of_them * 0.6


def near(made: Level, seen: Room, margin: float) -> set[int]:
    """The rooms that are less than a margin outside of the view of a camera at the middle of a room."""

    def is_near(room: Room) -> bool:
        return all(
            abs((2 * low + size) - (2 * low_seen + size_seen)) * TILE < size * TILE + view + 2 * margin
            for low, size, low_seen, size_seen, view in (
                (room.bounds.x, room.bounds.width, seen.bounds.x, seen.bounds.width, VIEW[0]),
                (room.bounds.y, room.bounds.height, seen.bounds.y, seen.bounds.height, VIEW[1]),
            )
        )

    return {room.id for room in made.rooms if is_near(room)}


@pytest.mark.parametrize("name", SCENES)
def test_what_is_in_a_room_is_as_it_was_left(told: Any, name: str) -> None:
    """A lamp of the game, navigation through a door, a foe that counts, and a door that shut meanwhile."""
    seen = told[name]
    assert seen["before"] == [True, OPEN]
    assert seen["away"] == [False, DISABLED, 1, False]
    assert seen["back"] == [True, ALWAYS, 7, SHUT, OPEN]
    assert seen["bodies"][:4] == [["slept", True], ["woke", True]] * 2
    assert seen["same_state"]
    assert seen["chest"] and seen["in_order"]  # with its unique name, and the level's own nodes


def test_a_frame_looks_at_as_many_rooms_in_a_large_level(told: Any) -> None:
    assert 0 < told["looked_at"]["100"] == told["looked_at"]["900"] < 30
    assert told["most"] == 10  # as near as all of them are


def test_the_players_room_is_in_the_tree_wherever_the_camera_is(told: Any) -> None:
    assert told["entered"]


def test_a_level_may_be_watched_again_and_freed(told: Any) -> None:
    assert told["watched"] == told["pack"][2]
    inherits = 0
    assert told["freed"] == [DISABLED, 0, inherits, True, True]


def test_walls_stop_light_once_where_rooms_have_occluders(told: Any) -> None:
    assert told["occluders"] == 1


def test_a_level_of_a_pack_has_few_rooms_in_the_tree(told: Any) -> None:
    present, of_markers, rooms = told["pack"]
    assert 0 in present and present == of_markers and len(present) < rooms / 2


def test_the_code_of_the_page_runs(told: Any) -> None:
    inherits = 0
    assert told["documented"] == [True, inherits, False, DISABLED]
