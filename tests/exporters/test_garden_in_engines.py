"""A level of the example `garden` in the real Godot and Tiled, and held against the rules of LDtk's format."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import exporters
import generator
from exporters.dress import EMPTY, dress
from exporters.formats.tiled.write_project import project_file
from exporters.objects import names_of
from exporters.theme import Theme
from exporters.theme.loader import fitted, load_theme
from generator.cli.check import _problems
from generator.level import Level
from tests.exporters.formats.ldtk.official_schema import faults

from .formats.godot.conftest import Project
from .formats.tiled.conftest import pixels, rasterized, read, run_tiled
from .formats.tiled.test_in_tiled import differences, that_matter

GARDEN = Path(__file__).parents[2] / "docs" / "examples" / "garden"
pytestmark = pytest.mark.xdist_group("garden")


@pytest.fixture(scope="module")
def level() -> Level:
    """One with a garden, its hedge, ferns, water, a lever and slugs."""
    made = generator.generate("gungeon", 1, kit=str(GARDEN), rooms=12, flow="random")
    assert {"garden"} <= {room.kind for room in made.rooms} and {"hedge"} <= {
        door.kind for door in made.doors
    }
    assert {"fern", "water"} <= {
        *(made.decor_kinds[i].name for i in np.unique(made.decor)),
        *(made.terrain_kinds[i].name for i in np.unique(made.terrain)),
    }
    return made


@pytest.fixture(scope="module")
def theme(level: Level) -> Theme:
    return fitted(load_theme(), level.kinds)


def test_godot_reads_all_of_a_garden(level: Level, theme: Theme, tmp_path: Path) -> None:
    project = Project(tmp_path)
    exporters.export(level, "godot", name="garden").write(tmp_path / "levels")
    project.begin()
    dump, names = project.ask("dump.gd", "levels/garden.tscn"), names_of(level)
    for room, found in zip(level.rooms, dump["rooms"], strict=True):
        assert (found["name"], found["meta"]["kind"]) == (names.rooms[room.id], room.kind)
        assert set(found["groups"]) == {"room", f"room_{room.kind}"}
    by_id = {found["meta"]["id"]: found for found in dump["doors"]}
    for door in level.doors:
        found, row = by_id[door.id], level.kinds.doors[door.kind]
        assert set(found["groups"]) == {"door", f"door_{door.kind}"}
        assert found["disabled"] is not row.starts_shut and found["way"] is row.starts_shut
    for name, layer in zip(
        ("Ground", "Walls", "Doors", "Decor", "Overlay"), dress(level, theme), strict=True
    ):
        ys, xs = np.nonzero(layer != EMPTY)
        expected = [
            [x, y, *theme.at(int(layer[y, x]))] for y, x in zip(ys.tolist(), xs.tolist(), strict=True)
        ]
        assert dump["layers"][name]["cells"] == expected


def test_tiled_keeps_and_draws_a_garden_as_it_is(level: Level, tmp_path: Path) -> None:
    exporters.export(level, ["tiled", "png"], name="garden").write(tmp_path)
    path = tmp_path / "garden.tmj"
    project = project_file(level.kinds)
    run_tiled("--export-map", "json", path, path.with_suffix(".saved"), project=tmp_path, name=project)
    assert that_matter(differences(read(path), read(path.with_suffix(".saved")))) == []
    assert np.array_equal(rasterized(path, tmp_path / "map.png"), pixels(tmp_path / "garden.png"))


def test_a_garden_keeps_the_rules_of_ldtk(level: Level, tmp_path: Path) -> None:
    """And those of the official schema where the environment names it, as for all other projects."""
    exporters.export(level, "ldtk", name="garden").write(tmp_path)
    assert _problems(tmp_path / "garden.ldtk", False, []) == []
    project = json.loads((tmp_path / "garden.ldtk").read_bytes())
    assert "Lever" in {each["identifier"] for each in project["defs"]["entities"]}
    assert faults(project) == []
