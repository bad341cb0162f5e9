"""The dock in the real editor, on a virtual screen: its buttons are pressed, and the level opens."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from exporters import describe_format
from generator import generate
from generator.errors import SpecError
from generator.spec import all_keys, load_spec, preset_names

from .conftest import Editor


def test_a_person_makes_levels(editor: Editor, environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every preset's values are there; a level is generated, worked on, generated again; what fails says why."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    specs = editor.folder / "specs"
    specs.mkdir()
    (specs / "deep.toml").write_text('style = "rebirth"\nstage = 6\nhard = true\n', "utf-8")
    seen = editor.play("generate")

    assert seen["presets"] == {name: list(all_keys(type(load_spec(name)))) for name in preset_names()}
    level = generate("isaac", 7, stage=3)
    assert seen["preview_size"] == [level.width * 16, level.height * 16]
    assert seen["heading"] == "Level (1 changed)" and seen["name"] == "isaac-7-stage-3"
    assert seen["preview_ms"] < 5000
    assert seen["first"] == {
        "message": "res://levels/isaac-7-stage-3_edit.tscn is written.",
        "scene": "res://levels/isaac-7-stage-3_edit.tscn",
        "rooms": len(level.rooms),
        "seed": "7",
        "mine": False,
    }
    other = generate("isaac", 8, stage=3)
    assert len(other.rooms) != len(level.rooms)
    assert seen["again"]["rooms"] == len(other.rooms) and seen["again"]["seed"] == "8"
    assert seen["again"]["mine"], "what a person added and had not even saved is kept"
    with pytest.raises(SpecError) as error:
        generate("isaac", 8, stage=3, rooms=3)
    assert seen["mistake_seen"] == seen["mistake"] == f"--set: {error.value}"
    assert seen["mended"] == ""
    assert seen["progress"].startswith("Generating…") and seen["longest_frame"] < 1
    assert seen["cancelled"].startswith("Cancelled")
    assert not [path.name for path in (editor.folder / "levels").iterdir() if "endless" in path.name]
    own = json.loads((editor.folder / "levels" / "deep-TKMG_13C2-0.level.json").read_bytes())
    assert seen["own"]["rooms"] == len(own["rooms"])
