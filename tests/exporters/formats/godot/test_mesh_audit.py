"""The navigation meshes of written scenes, audited by polygons; and the audit finds planted faults."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import shapely
from shapely import affinity

import exporters
import generator
from generator.level import Level

from .mesh_audit import SceneMesh, faults, meshes_of

GARDEN = str(Path(__file__).parents[4] / "docs" / "examples" / "garden")


class SceneOf(NamedTuple):
    """How to make a level and its scene."""

    style: str
    values: Mapping[str, Any] = {}
    radius: int = 6
    seed: int = 7


CASES = {
    "isaac": SceneOf("isaac", {"stage": 4}),
    "wide doors": SceneOf("isaac", {"door_width": 3, "body": 2}, 15),
    "labyrinth": SceneOf("isaac", {"curse": "labyrinth", "stage": 3}, 0),
    "red rooms": SceneOf("rebirth", {"stage": 5}, seed=10),
    "a body of three": SceneOf("rebirth", {"stage": 3, "door_width": 5, "body": 3}, 7),
    "caves": SceneOf("gungeon", {"rooms": 8, "procedural_share": 100, "body": 1, "hallway_width": 1}),
    "locks": SceneOf("gungeon", {"flow": "lock_and_key"}, 15),
    "one way": SceneOf("gungeon", {"flow": "one_way_reward"}),
    "shortcut": SceneOf("gungeon", {"flow": "shortcut"}, 1),
    "garden": SceneOf("isaac", {"kit": GARDEN, "stage": 2}),
}


@cache
def scene(name: str) -> tuple[Level, tuple[SceneMesh, ...], frozenset[int]]:
    return written(CASES[name])


def written(made: SceneOf) -> tuple[Level, tuple[SceneMesh, ...], frozenset[int]]:
    level = generator.generate(made.style, made.seed, **made.values)
    options = {"godot.agent_radius": made.radius, "godot.edit": False}
    files = exporters.export(level, "godot", options, name="level")
    meshes, linked = meshes_of(files["level.tscn"].decode())
    return level, tuple(meshes), frozenset(linked)


@pytest.mark.parametrize("name", CASES)
def test_meshes_are_where_bodies_can_walk(name: str) -> None:
    level, meshes, linked = scene(name)
    assert faults(level, meshes, linked, 16, CASES[name].radius) == []


def test_the_cases_have_all_kinds_of_meshes() -> None:
    assert all(scene(name)[1] for name in CASES)
    assert any(mesh.layers == 2 for mesh in scene("caves")[1])
    assert any(mesh.door is not None for mesh in scene("locks")[1]) and scene("one way")[2]


@pytest.mark.soak
@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_meshes_of_many_levels_are_where_bodies_can_walk(style: str) -> None:
    for seed in range(1, 80):
        width = 1 + 2 * (seed % 3)
        wide = {"hallway_width": width} if style == "gungeon" else {"door_width": width}
        own = {"rooms": 2 + seed % 12} if style == "gungeon" else {"stage": 1 + seed % 10}
        radius = (0, 3, 6, 7)[seed // 3 % 4]
        level, meshes, linked = written(
            SceneOf(style, {**wide, **own, "body": 1 + seed % min(width, 3)}, radius, seed)
        )
        assert faults(level, meshes, linked, 16, radius) == [], seed


# --- planted faults --------------------------------------------------------------------------------------


def found(name: str, change: Callable[[shapely.Polygon], list[shapely.Polygon]]) -> list[str]:
    """What is wrong once the polygon in the middle of a scene's first door is replaced by others."""
    level, meshes, linked = scene(name)
    middle = shapely.MultiPoint([(16 * x + 8, 16 * y + 8) for x, y in level.doors[0].tiles]).centroid
    other = [
        mesh._replace(
            polygons=[
                new for each in mesh.polygons for new in (change(each) if each.intersects(middle) else [each])
            ]
        )
        for mesh in meshes
    ]
    return faults(level, other, linked, 16, CASES[name].radius)


def test_a_polygon_that_is_gone_is_found() -> None:
    lines = found("labyrinth", lambda polygon: [])
    assert any(line.startswith("walkers: ") and line.endswith("of their ground left out") for line in lines)


def test_a_polygon_that_was_moved_is_found() -> None:
    lines = found("labyrinth", lambda polygon: [affinity.translate(polygon, 5, 3)])
    assert "polygons overlap" in lines
    assert any(line.startswith("walkers: ") and line.endswith("off their ground") for line in lines)


def test_a_polygon_that_is_not_convex_is_found() -> None:
    """Godot refuses these, and those that cross themselves."""
    for corners in (
        [(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)],
        [(0, 0), (4, 4), (4, 0), (0, 4)],
    ):
        bad = shapely.Polygon(corners)
        assert found("labyrinth", lambda polygon, bad=bad: [polygon, bad]) == [
            f"not a convex polygon: {bad.wkt}"
        ]  # type: ignore[misc]


def test_polygons_that_share_no_whole_edge_are_found() -> None:
    """They cover the same ground, but Godot does not join them to their neighbours."""

    def quarters(polygon: shapely.Polygon) -> list[shapely.Polygon]:
        left, top, right, bottom = polygon.bounds
        x, y = (left + right) / 2, (top + bottom) / 2
        return [
            shapely.box(left, top, x, y),
            shapely.box(x, top, right, y),
            shapely.box(left, y, x, bottom),
            shapely.box(x, y, right, bottom),
        ]

    (line,) = found("isaac", quarters)
    numbers = re.fullmatch(r"(\d+) parts of the level are (\d+) meshes", line)
    assert numbers and int(numbers[1]) < int(numbers[2])


def test_a_mesh_through_a_shut_door_is_found() -> None:
    level, meshes, linked = scene("locks")
    (door,) = {mesh.door for mesh in meshes} - {None}
    opened = [mesh._replace(door=None) for mesh in meshes]
    assert faults(level, opened, linked, 16, 15) == [f"door {door} starts open"]
    (way,) = (mesh for mesh in meshes if mesh.door == door)
    across = faults(level, [*meshes, way._replace(door=None)], linked, 16, 15)
    assert "polygons overlap" in across and any(line.endswith("off their ground") for line in across)


def test_a_door_whose_kind_starts_shut_is_missed_if_it_starts_open() -> None:
    level, meshes, linked = scene("isaac")
    shut = sorted({mesh.door for mesh in meshes if mesh.door is not None})
    assert shut and not any(level.doors[door].needs for door in shut)
    opened = [mesh._replace(door=None) for mesh in meshes]
    found = faults(level, opened, linked, 16, 15)
    assert [line for line in found if "starts open" in line] == [f"door {door} starts open" for door in shut]
