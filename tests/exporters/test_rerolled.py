"""A level with rooms that were rolled again, whose ids of markers have gaps, in every format."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import exporters
from exporters.formats.ldtk.check import problems
from generator import Level, generate, reroll

from .formats.tiled.conftest import run_tiled
from .formats.tiled.test_in_tiled import differences, that_matter

STYLES = ("isaac", "rebirth", "gungeon")


@cache
def rolled(style: str) -> Level:
    return reroll(reroll(generate(style, 7), pin=0), pin=0, what="markers")


@pytest.mark.parametrize("style", STYLES)
def test_the_ids_of_markers_have_gaps(style: str) -> None:
    ids = [marker.id for marker in rolled(style).markers]
    assert ids != list(range(len(ids)))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.xdist_group("tiled")
def test_tiled_saves_the_map_as_it_is(style: str, tmp_path: Path) -> None:
    exporters.export(rolled(style), ["tiled"], name="rolled").write(tmp_path)
    path = tmp_path / "rolled.tmj"
    table = json.loads(path.read_bytes())
    ids = [each["id"] for layer in table["layers"] for each in layer.get("objects", ())]
    assert len(set(ids)) == len(ids) and max(ids) < table["nextobjectid"]
    saved = tmp_path / "saved.tmj"
    run_tiled("--export-map", "json", path, saved, project=tmp_path)
    assert that_matter(differences(table, json.loads(saved.read_bytes()))) == []


@pytest.mark.parametrize("style", STYLES)
def test_ldtk_and_godot_name_each_once(style: str, tmp_path: Path) -> None:
    exporters.export(rolled(style), ["ldtk", "godot"], name="rolled").write(tmp_path)
    assert list(problems(tmp_path / "rolled.ldtk")) == []
    text = (tmp_path / "rolled.tscn").read_text("utf-8")
    nodes = [line for line in text.splitlines() if line.startswith("[node ") and 'parent="Markers"' in line]
    names = [line.split('name="')[1].split('"')[0] for line in nodes]
    assert len(names) >= len(rolled(style).markers) and len(set(names)) == len(names)
