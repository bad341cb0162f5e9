"""The simplified export says what the project says, and its pictures are ours."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

import exporters
import generator
from generator.errors import BadInput

pytestmark = pytest.mark.xdist_group("simplified")  # whose exports are made once

CASES = [("isaac", {}), ("isaac", {"ldtk.external": True}), ("gungeon", {}), ("rebirth", {})]


def read(data: bytes) -> npt.NDArray[np.int64]:
    found = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")).astype(int)
    found[found[..., 3] == 0] = 0
    return found


@pytest.fixture(scope="module", params=CASES, ids=lambda case: "-".join([case[0], *case[1]]))
def made(request: pytest.FixtureRequest) -> tuple[generator.Level, Any, dict[str, bytes]]:
    """A level, its project with all levels in it, and the files of the simplified export by `LEVEL/FILE`."""
    preset, options = request.param
    level = generator.generate(preset, 7)
    bundle = exporters.export(level, ["ldtk", "png"], {**options, "ldtk.simplified": True}, name="a")
    start = "a/simplified/"
    files = {path.removeprefix(start): data for path, data in bundle.items() if path.startswith(start)}
    files["a.png"] = bundle["a.png"]
    project = json.loads(bundle["a.ldtk"])
    assert project["simplifiedExport"] is True
    for one in project["levels"]:
        if one["externalRelPath"]:
            one.update(json.loads(bundle[one["externalRelPath"]]))
    return level, project, files


def test_every_level_has_its_files(made: tuple[generator.Level, Any, dict[str, bytes]]) -> None:
    _, project, files = made
    layers = ["Terrain", "Terrain_fixed", "Stone_below", "Stone_above", "Doors", "Decor", "Overlay"]
    names = {"data.json", "_bg.png", "_composite.png", "Terrain.csv", "Terrain-int.png"}
    names |= {f"{layer}.png" for layer in layers}
    assert files.keys() - {"a.png"} == {
        f"{one['identifier']}/{name}" for one in project["levels"] for name in names
    }
    for one in project["levels"]:
        told = json.loads(files[f"{one['identifier']}/data.json"])
        assert told["layers"] == [f"{layer}.png" for layer in layers]


def test_data_is_the_projects(made: tuple[generator.Level, Any, dict[str, bytes]]) -> None:
    _, project, files = made
    for level in project["levels"]:
        told = json.loads(files[f"{level['identifier']}/data.json"])
        assert (told["x"], told["y"]) == (level["worldX"], level["worldY"])
        assert told["uniqueIdentifer"] == level["iid"] and told["neighbourLevels"] == level["__neighbours"]
        assert told["customFields"]["seed"] == "7"
        found = {one["iid"]: one for some in told["entities"].values() for one in some}
        (entities,) = (
            one["entityInstances"] for one in level["layerInstances"] if one["__type"] == "Entities"
        )
        assert list(found) and sorted(found) == sorted(one["iid"] for one in entities)
        for one in entities:
            short = found[one["iid"]]
            assert short["id"] == one["__identifier"] and [short["x"], short["y"]] == one["px"]
            values = {field["__identifier"]: field["__value"] for field in one["fieldInstances"]}
            assert short["customFields"] == values
        rows = list(csv.reader(io.StringIO(files[f"{level['identifier']}/Terrain.csv"].decode())))
        width, height = level["pxWid"] // 16, level["pxHei"] // 16
        assert [len(row) for row in rows] == [width + 1] * (height - 1) + [width]
        (grid,) = (one for one in level["layerInstances"] if one["__type"] == "IntGrid")
        assert [int(value) for row in rows for value in row if value] == grid["intGridCsv"]


def test_composites_are_our_picture(made: tuple[generator.Level, Any, dict[str, bytes]]) -> None:
    """Put where the levels lie, over the background, but for the rows of stone that rise over their edges."""
    level, project, files = made
    ours = read(files["a.png"])
    left, top = (-side * 16 for side in level.grid.origin) if level.grid else (0, 0)
    compared = 0
    for one in sorted(project["levels"], key=lambda each: each["worldDepth"]):
        drawn = read(files[f"{one['identifier']}/_composite.png"])
        assert (drawn[..., 3] == 255).all()
        (terrain,) = (each for each in one["layerInstances"] if each["__type"] == "IntGrid")
        values = np.array(terrain["intGridCsv"]).reshape(terrain["__cHei"], terrain["__cWid"])
        inside = (values > 0).repeat(16, axis=0).repeat(16, axis=1)
        x, y = one["worldX"] - left, one["worldY"] - top
        background = np.array([13, 11, 20])
        height, width = inside.shape
        for row in range(max(0, -y), min(height, len(ours) - y)):
            start, end = max(0, -x), min(width, ours.shape[1] - x)
            want, got = ours[y + row, x + start : x + end], drawn[row, start:end]
            solid = inside[row, start:end] & (want[:, 3] == 255)
            assert np.array_equal(got[solid], want[solid])
            clear = inside[row, start:end] & (want[:, 3] == 0)
            assert (got[clear][:, :3] == background).all()
            compared += int(solid.sum())
    assert compared > 50_000


def test_pictures_without_measure_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exporters.formats.ldtk.write_simplified._MAX_PX", 100_000)
    with pytest.raises(BadInput, match=r"ldtk.simplified: .* too many; leave the option out"):
        exporters.export(generator.generate("isaac", 7), "ldtk", {"ldtk.simplified": True}, name="a")


def test_pictures_may_have_just_as_many_pixels_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    level = generator.generate("isaac", 7, rooms=6)
    project = json.loads(exporters.export(level, "ldtk", {}, name="a")["a.ldtk"])
    every = sum(each["pxWid"] * each["pxHei"] for each in project["levels"])
    monkeypatch.setattr("exporters.formats.ldtk.write_simplified._MAX_PX", every)
    exporters.export(level, "ldtk", {"ldtk.simplified": True}, name="a")
    monkeypatch.setattr("exporters.formats.ldtk.write_simplified._MAX_PX", every - 1)
    with pytest.raises(BadInput, match=f"ldtk.simplified: {every:,} px per layer are too many"):
        exporters.export(level, "ldtk", {"ldtk.simplified": True}, name="a")
