"""Paths and distances without navigation are those of the level's tiles and doors."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from generator.level import Level

from .conftest import Play, level
from .test_plan import neighbours

pytestmark = pytest.mark.xdist_group("play")

SCENES = {"isaac": "isaac.tscn", "gungeon": "gungeon.tscn", "apart": "apart/gungeon.tscn"}
BARRED = {"locked", "secret", "red"}


@pytest.fixture(scope="module")
def told(play: Play) -> dict[str, Any]:
    """What a probe was told of each scene, and of a level.json. It runs the code of the page too."""
    paths = [*SCENES.values(), "isaac.level.json"]
    return dict(
        zip(
            [*SCENES, "json"],
            play.ask("routes.gd", "distances", *(f"res://{path}" for path in paths)),
            strict=True,
        )
    )


def walked(made: Level, barred: set[str]) -> npt.NDArray[np.int_]:
    """[y, x]: how many tiles it is from the start; -1 where nobody gets on foot."""
    free = made.passable("walk").copy()
    for door in made.doors:
        for x, y in door.tiles:
            free[y, x] = door.kind not in barred
    (start,) = (marker for marker in made.markers if marker.kind == "player_start")
    far = np.full(free.shape, -1)
    far[start.y, start.x] = 0
    queue = deque([(start.x, start.y)])
    while queue:
        x, y = queue.popleft()
        for to_x, to_y in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if free[to_y, to_x] and far[to_y, to_x] < 0:
                far[to_y, to_x] = far[y, x] + 1
                queue.append((to_x, to_y))
    return far


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("state", ["at_start", "open"])
def test_distances_in_tiles_are_those_of_the_levels_tiles(told: Any, name: str, state: str) -> None:
    made = level("gungeon" if name == "apart" else name)
    far = walked(made, BARRED if state == "at_start" else set())
    expected = [int(far[marker.y, marker.x]) for marker in made.markers]
    assert told[name][state]["tiles"] == expected
    assert max(expected) > 40
    assert told[name]["nowhere"] == -1


@pytest.mark.parametrize("name", [*SCENES, "json"])
@pytest.mark.parametrize("state", ["at_start", "open"])
def test_steps_are_those_of_the_doors_that_are_not_barred(told: Any, name: str, state: str) -> None:
    made = level({"apart": "gungeon", "json": "isaac"}.get(name, name))
    ways = neighbours(made, BARRED if state == "at_start" else set())
    steps = {0: 0}
    queue = deque([0])
    while queue:
        here = queue.popleft()
        for there in sorted(ways[here] - steps.keys()):
            steps[there] = steps[here] + 1
            queue.append(there)
    expected = [steps.get(room.id, -1) for room in made.rooms]
    assert told[name][state]["steps"] == expected
    if state == "at_start":
        assert told[name]["alone"] == expected
    for marker, rooms in zip(made.markers, told[name][state]["rooms"], strict=True):
        if marker.room is not None:
            assert len(rooms) - 1 == expected[marker.room]


def test_a_way_from_a_hallway_begins_at_the_nearer_end(told: Any) -> None:
    made, steps = level("gungeon"), told["gungeon"]["open"]["steps"]
    far = walked(made, set())
    for hallway, (rooms, tiles) in zip(made.hallways, told["gungeon"]["hallways"], strict=True):
        ends = [made.doors[door].rooms[0] for door in hallway.doors]
        assert rooms[0] in ends and len(rooms) - 1 == min(steps[end] for end in ends)
        x, y = hallway.tiles[0]
        assert tiles == far[y, x]


def test_without_tiles_the_plan_says_how_far_it_is(told: Any) -> None:
    """As if rooms held nothing, so that no way is longer than in the scene."""
    for at_best, is_so in zip(told["json"]["open"]["tiles"], told["isaac"]["open"]["tiles"], strict=True):
        assert at_best == is_so == -1 or 0 <= at_best <= is_so or is_so == -1
