"""Bodies that follow the navigation of running levels arrive: from the start to the boss, and through every door.

Time is counted in frames of physics, which are made as fast as the machine can.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.ndimage import label

import exporters
import generator
from generator.geometry import Point
from generator.level import Level
from tests.combinations import usually

from .conftest import Project
from .test_walking_in_godot import target

pytestmark = pytest.mark.xdist_group("godot")

STYLES = ("isaac", "rebirth", "gungeon")
DEFAULT_DESIRED = 20.0  # an agent's path_desired_distance, if nobody changes it
NEAR = 10.5  # px: its target_desired_distance, and a frame's step at most beyond


class Named(NamedTuple):
    """A level and the name of its files."""

    name: str
    level: Level


def levels(style: str, seeds: Sequence[int]) -> list[Named]:
    return [Named(f"{style}-{seed}", generator.generate(style, seed)) for seed in seeds]


def spots(level: Level) -> list[list[int]]:
    """Where a body stands in each room: where the level has put somebody who walks, or else in front of a door."""
    found = [target(level, room.id) for room in level.rooms]
    free = level.passable("walk")
    for marker in reversed(level.markers):
        walks = marker.kind in ("enemy", "boss") and not marker.properties.get("flies")
        if marker.room is not None and walks and free[marker.y, marker.x]:
            found[marker.room] = [marker.x, marker.y]
    return found


def legs(level: Level) -> Iterator[tuple[list[int], list[int]]]:
    """Where from and where to: from the start to each boss, and both ways through every door and hallway."""
    spot = spots(level)
    start = next(marker for marker in level.markers if marker.kind == "player_start")
    for room in level.rooms:
        if room.kind == "boss":
            yield [start.x, start.y], spot[room.id]
    pairs = [door.rooms for door in level.doors if door.rooms[1] is not None]
    pairs += [tuple(level.doors[door].rooms[0] for door in hallway.doors) for hallway in level.hallways]
    for one, other in pairs:
        yield spot[one], spot[other]
        yield spot[other], spot[one]


def flights(level: Level) -> Iterator[tuple[list[int], list[int]]]:
    """Between places that only flyers reach: every seventh pit or piece of low decor, and the next of them."""
    fly = level.passable("fly")
    areas = label(fly)[0]
    only = np.argwhere(fly & ~level.passable("walk"))[::7].tolist()
    for (y, x), (below, right) in pairwise(only):
        if areas[y, x] == areas[below, right]:  # some rooms have no door
            yield [x, y], [right, below]


def walks(scene: str, level: Level, origin: Point = (0, 0)) -> dict[str, Any]:
    """What one level's bodies are asked to do, walkers and flyers; `origin` is the scene's tile (0, 0)."""

    def here(tile: list[int]) -> list[int]:
        return [tile[0] - origin[0], tile[1] - origin[1]]

    walked = list(legs(level))
    every = [(leg, False) for leg in walked] + [(leg, True) for leg in (*walked, *flights(level))]
    return {
        "scene": scene,
        "legs": [{"from": here(a), "to": here(b), "flies": flies} for (a, b), flies in every],
    }


def asked(folder: Path, walks: Sequence[dict[str, Any]], radius: float, desired: float) -> list[str]:
    """The arguments of the probe, of which the last is where it answers."""
    questions = {"levels": walks, "radius": radius, "desired": desired, "tile_size": 16}
    (folder / "walks.json").write_text(json.dumps(questions), "utf-8")
    probe = ("--fixed-fps", "60", "-s", "probes/bodies.gd", "--", "res://walks.json")
    return [*probe, str(folder / "walked.json")]


def left_behind(folder: Path, walks: Sequence[dict[str, Any]]) -> list[Any]:
    """Who did not arrive: scene, from where to where, and where it ended."""
    answers = json.loads((folder / "walked.json").read_bytes())
    assert sum(map(len, answers)) > 20 * len(walks)
    return [
        (one["scene"], leg, ended)
        for one, answer in zip(walks, answers, strict=True)
        for leg, ended in zip(one["legs"], answer, strict=True)
        if ended["rest"] > NEAR
    ]


def not_arrived(
    folder: Path,
    some: Sequence[Named],
    radius: float,
    desired: float = DEFAULT_DESIRED,
    options: dict[str, object] | None = None,
) -> list[Any]:
    """Of bodies of a radius in px in written scenes those that did not arrive."""
    project = Project(folder)
    for name, level in some:
        exporters.export(level, ["godot"], options, name=name).write(folder)
    project.begin()
    every = [walks(f"{name}.tscn", level) for name, level in some]
    project.run("--headless", *asked(folder, every, radius, desired))
    return left_behind(folder, every)


@pytest.mark.parametrize("style", usually(["gungeon"], STYLES))
def test_bodies_arrive_wherever_navigation_leads(tmp_path: Path, style: str) -> None:
    """With an agent as Godot makes it, and the widest body that the default is for."""
    assert not not_arrived(tmp_path, levels(style, range(1, 4)), radius=6)


@pytest.mark.parametrize("style", usually(["isaac"], STYLES))
def test_bodies_arrive_from_scene_to_scene(tmp_path: Path, style: str) -> None:
    assert not not_arrived(tmp_path, levels(style, [7]), 5, 4, {"godot.split": "rooms"})


@pytest.mark.soak
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("radius", "desired"), [(3, 4.0), (5, 4.0), (7, 4.0), (6, DEFAULT_DESIRED)])
def test_bodies_of_every_radius_arrive(tmp_path: Path, style: str, radius: int, desired: float) -> None:
    """A hundred levels of each style in four ways, with the distance that docs/godot.md asks for.

    With Godot's own distance, narrow bodies on their narrow margin may cut a corner and stop at it.
    """
    for first in range(100, 200, 20):
        some = levels(style, range(first, first + 20))
        (folder := tmp_path / str(first)).mkdir()
        assert not not_arrived(folder, some, radius, desired, {"godot.agent_radius": radius})
