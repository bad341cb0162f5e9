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
from generator.level import Level

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
    """Where a body stands in each room: where the level has put somebody, or else in front of a door."""
    found = [target(level, room.id) for room in level.rooms]
    free = level.passable("walk")
    for marker in reversed(level.markers):
        if marker.room is not None and marker.kind in ("enemy", "boss") and free[marker.y, marker.x]:
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


def not_arrived(
    folder: Path,
    some: Sequence[Named],
    radius: float,
    desired: float = DEFAULT_DESIRED,
    options: dict[str, object] | None = None,
) -> list[Any]:
    """Where bodies of a radius in px had to go, and where they ended, of those that did not arrive."""
    project = Project(folder)
    asked = []
    for name, level in some:
        exporters.export(level, ["godot"], options, name=name).write(folder)
        ways = [{"from": a, "to": b, "flies": False} for a, b in legs(level)]
        ways += [{"from": a, "to": b, "flies": True} for a, b in (*legs(level), *flights(level))]
        asked.append({"scene": f"{name}.tscn", "legs": ways})
    project.begin()
    (folder / "questions.json").write_text(
        json.dumps({"levels": asked, "radius": radius, "desired": desired})
    )
    args = ("res://questions.json", str(folder / "questions.json"), str(folder / "answer.json"))
    project.run("--headless", "--fixed-fps", "60", "-s", "probes/bodies.gd", "--", *args)
    answers = json.loads((folder / "answer.json").read_bytes())
    assert sum(map(len, answers)) > 20 * len(some)
    return [
        (one["scene"], leg, ended)
        for one, answer in zip(asked, answers, strict=True)
        for leg, ended in zip(one["legs"], answer, strict=True)
        if ended["rest"] > NEAR
    ]


@pytest.mark.parametrize("style", STYLES)
def test_bodies_arrive_wherever_navigation_leads(tmp_path: Path, style: str) -> None:
    """With an agent as Godot makes it, and the widest body that the default is for."""
    assert not not_arrived(tmp_path, levels(style, range(1, 11)), radius=6)


@pytest.mark.parametrize("style", STYLES)
def test_bodies_arrive_from_scene_to_scene(tmp_path: Path, style: str) -> None:
    assert not not_arrived(tmp_path, levels(style, [7]), 5, 4, {"godot.split": "rooms"})


@pytest.mark.soak
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("desired", [4.0, DEFAULT_DESIRED])
@pytest.mark.parametrize("radius", [3, 5, 7])
def test_bodies_of_every_radius_arrive(tmp_path: Path, style: str, radius: int, desired: float) -> None:
    """A hundred levels of each style in six ways."""
    for first in range(100, 200, 20):
        some = levels(style, range(first, first + 20))
        (folder := tmp_path / str(first)).mkdir()
        assert not not_arrived(folder, some, radius, desired, {"godot.agent_radius": radius})
