"""`godot.lights`: each Godot reads a light for each torch and fire, where its marker is, and the ambient light."""

from __future__ import annotations

from dataclasses import replace

import pytest

import exporters
import generator
from exporters.theme import Light
from exporters.theme.loader import load_theme
from generator.errors import BadInput

from .conftest import FOLDER, Project

pytestmark = pytest.mark.xdist_group("godot")

LEVEL = generator.generate("gungeon", 2, rooms=4, districts="none")


@pytest.mark.parametrize(
    ("target", "split"),
    [("4.3", "none"), ("4.3", "rooms"), ("4.2", "none"), ("3.6", "rooms")],
)
def test_there_is_a_light_at_each_torch_and_fire(
    target: str, split: str, request: pytest.FixtureRequest
) -> None:
    asked: Project = request.getfixturevalue("project_3" if target == "3.6" else "project")
    theme, name = load_theme(), f"lit-{target[0]}{target[2]}-{split}"
    folder = "much older levels" if target == "3.6" else FOLDER
    options = {"godot.target": target, "godot.split": split, "godot.lights": True, "godot.edit": False}
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


@pytest.mark.parametrize("option", ["godot.lights", "png.light"])
def test_a_theme_without_colours_of_light_is_refused(option: str) -> None:
    dark = replace(load_theme(), light=Light())
    with pytest.raises(BadInput) as error:
        exporters.export(LEVEL, option.partition(".")[0], {option: True}, dark)
    assert (
        str(error.value) == f"{option}: the theme {dark.name} has no torch_light; give it in the theme's file"
    )
