"""LDtk, as `saved.py` knows it, finds nothing to mend in a project of ours."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Case
from .saved import save, unlike_ldtk


@pytest.mark.parametrize("name", ["labyrinth-external", "hallways-rooms", "crypt"])
def test_ldtk_saves_our_projects_as_they_are(name: str, make: Callable[[str], Case]) -> None:
    assert unlike_ldtk(make(name).folder / "level.ldtk") == []


def test_what_is_stale_is_seen_and_mended(make: Callable[[str], Case], tmp_path: Path) -> None:
    """A cell painted without its tiles, a field without `__value`, a door whose other side is gone."""
    main = Path(shutil.copytree(make("isaac").folder, tmp_path / "a")) / "level.ldtk"
    project = json.loads(main.read_bytes())
    layers = {each["__identifier"]: each for each in project["levels"][0]["layerInstances"]}
    layers["Terrain"]["intGridCsv"][4 * 15 + 7] = 1
    door = next(each for each in layers["Entities"]["entityInstances"] if each["__identifier"] == "Door")
    layers["Entities"]["entityInstances"].remove(door)
    door["fieldInstances"][0]["realEditorValues"][0]["params"] = ["locked"]
    project["levels"][1]["layerInstances"][0]["entityInstances"].append({**door, "iid": "mine"})
    main.write_text(json.dumps(project), "utf-8")
    found = "\n".join(unlike_ldtk(main))
    for part in (".autoLayerTiles", "locked in LDtk", "None in LDtk"):
        assert part in found
    save(main)
    assert unlike_ldtk(main) == []
