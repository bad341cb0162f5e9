"""`godot.lights` and `godot.darkness`: each Godot reads a light for each torch and fire, and the ambient light."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import exporters
import generator
from exporters.formats.godot.write_lights import LIT_QUADRANT, energy_of
from exporters.theme import Light
from exporters.theme.loader import load_theme
from generator.errors import BadInput

from .conftest import FOLDER, Project

pytestmark = pytest.mark.xdist_group("godot")

LEVEL = generator.generate("gungeon", 2, rooms=4, districts="none")


@pytest.mark.parametrize(
    ("target", "split"),
    [
        pytest.param("4.3", "none", marks=pytest.mark.soak),
        ("4.3", "rooms"),
        pytest.param("4.2", "none", marks=pytest.mark.soak),
        ("3.6", "rooms"),
    ],
)
def test_there_is_a_light_at_each_torch_and_fire(
    target: str, split: str, request: pytest.FixtureRequest
) -> None:
    asked: Project = request.getfixturevalue("project_3" if target == "3.6" else "project")
    theme, name = load_theme(), f"lit-{target[0]}{target[2]}-{split}"
    folder = "much older levels" if target == "3.6" else FOLDER
    options = {"godot.target": target, "godot.split": split, "godot.edit": False}
    options |= {"godot.lights": True, "godot.darkness": True}
    tileset = min((asked.folder / folder).glob(f"{theme.name}*.tres")).name  # imported already
    options |= {"godot.tileset": f"res://{folder}/{tileset}"}
    exporters.export(LEVEL, "godot", options, theme, name).write(asked.folder / "lit")
    seen = asked.ask("lights.gd", f"lit/{name}.tscn")
    lights = [marker for marker in LEVEL.markers if marker.kind in LEVEL.kinds.light_markers]
    assert len({marker.properties["light_radius_tiles"] for marker in lights}) > 1
    expected = sorted((marker.x, marker.y, marker.properties["light_radius_tiles"]) for marker in lights)
    assert sorted((each["x"], each["y"], each["reach"]) for each in seen["lights"]) == expected
    assert {f"#{each['color']}" for each in seen["lights"]} == {theme.light.torch}
    assert f"#{seen['ambient']}" == theme.light.ambient
    if target == "4.3":
        check_shadows(seen)


def check_shadows(seen: dict[str, Any]) -> None:
    """No light is enclosed in a wall, and all walls stop light, as the occluders' areas add up to theirs."""
    floor = {(x, y) for y, x in np.argwhere(LEVEL.terrain != LEVEL.kinds.terrain_ids["wall"]).tolist()}
    assert all(each["shadow"] and tuple(each["from"]) in floor for each in seen["lights"])
    assert seen["occlusion"] == [False] and seen["quadrants"] == [LIT_QUADRANT]
    tiles = int((LEVEL.terrain == LEVEL.kinds.terrain_ids["wall"]).sum())
    assert seen["walls"] == tiles and len(seen["occluders"]) == len(set(seen["occluders"])) > 1


@pytest.mark.parametrize(
    ("option", "lacks"),
    [("godot.lights", "torch_light"), ("godot.darkness", "ambient_light"), ("png.light", "torch_light")],
)
def test_a_theme_without_colours_of_light_is_refused(option: str, lacks: str) -> None:
    dark = replace(load_theme(), light=Light())
    with pytest.raises(BadInput) as error:
        exporters.export(LEVEL, option.partition(".")[0], {option: True}, dark)
    assert str(error.value) == f"{option}: the theme {dark.name} has no {lacks}; give it in the theme's file"


def test_light_darkens_nothing() -> None:
    """A game may have light of its own: only `godot.darkness` adds the ambient light."""
    scene = exporters.export(LEVEL, "godot", {"godot.lights": True})["gungeon-2.tscn"].decode()
    assert "PointLight2D" in scene and "CanvasModulate" not in scene


def test_a_strong_ambient_light_weakens_the_lights() -> None:
    """Together they show a tile as it is drawn."""
    bright = replace(load_theme(), light=Light("#ffb45a", "#cccccc"))
    assert energy_of(bright) == pytest.approx(0.2)
    assert energy_of(replace(bright, light=Light("#ffb45a", "#333333"))) == pytest.approx(0.8)
