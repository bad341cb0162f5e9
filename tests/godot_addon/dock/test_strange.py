"""The dock has no list of styles, formats or values of its own: it shows whatever `describe` tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from generator.cli import main

from .conftest import Played, story
from .test_stale import paint

STAND_IN = """#!/bin/sh
case "$1" in describe) exec cat {folder}/told.json ;; esac
for each in "$@"; do case "$each" in --out=*) out=${{each#--out=}} ;; esac; done
mkdir -p "$out"
cp {folder}/art/blue.png "$out/level.png"
printf '{{"name": "grotto-7", "files": ["%s/level.png"]}}' "$out"
"""


def value(key: str, kind: str, default: object, **more: object) -> dict[str, object]:
    return {"key": key, "type": kind, "default": default, "unit": "", "help": f"what {key} is", **more}


GROTTO = {
    "style": "caverns",
    "summary": "caves of water",
    "seed": {"key": "seed", "default": "5", "help": "any number"},
    "values": [
        value("width", "integer", 5, low=3, high=9, step=2),
        value("rooms", "integer", 0, low=5, high=40, off=0),
        value("pools", "integers", [1, 4], low=0, high=9, ordered=True, parts=["least", "most"]),
        value("cell", "integers", [15, 9], low=9, high=63, sizes=[[15, 9], [21, 13]]),
        value("flooded", "boolean", False, group="Water"),
        value("lakes", "integer", 1, low=0, high=9, when=[{"key": "flooded", "values": [True], "high": 2}]),
        value("torches", "boolean", False, when=[{"key": "flooded", "values": [True], "choices": [False]}]),
        value("shape", "polygons", []),
    ],
}
VOXELS = {
    "format": "voxels",
    "summary": "a model of cubes",
    "suffixes": [".vox"],
    "options": [value("voxels.depth", "integer", 2, low=1, high=8)],
}


@story()
def strange(folder: Path) -> str:
    """A command that describes a style and a format of its own."""
    told: dict[str, Any] = json.loads(CliRunner().invoke(main, ["describe"]).stdout)
    told["styles"]["caverns"] = GROTTO
    told["presets"].append({"name": "grotto", "summary": "a flooded cave", "style": "caverns", "given": {}})
    told["formats"]["voxels"] = VOXELS
    (folder / "told.json").write_text(json.dumps(told), "utf-8")
    paint(folder / "art")
    fake = folder / "strange-stand-in"
    fake.write_text(STAND_IN.format(folder=folder), "utf-8")
    fake.chmod(0o755)
    return "res://strange-stand-in"


def test_a_style_and_a_format_that_nobody_here_knows(strange: Played) -> None:
    """A value of a type that the dock does not know keeps its default; every other one has its control."""
    seen = strange.seen
    assert seen["summary"] == "a flooded cave"
    tail = ["--edits=merge", f"--out={strange.folder}/levels", "--", "grotto"]
    assert seen["untouched"] == ["generate", "--json", "--to=json", "--to=godot", *tail]
    assert seen["steps"] == [3, 5, 7, 9] and seen["typed"] in (5, 7)
    assert seen["off"] == [0, 5, 5, 0, 40]
    assert seen["pair"] == [7, 7] and seen["pair_back"] == [2, 2]
    assert seen["sizes"] == ["15 × 9", "21 × 13"] and seen["size"] == [21, 13]
    assert seen["conditions"] == [[9, 9, True], [2, 2, False], [9, 9, True]]
    assert seen["all"] == [
        *["generate", "--json", f"--set=width={seen['typed']}", "--set=rooms=40", "--set=pools=[2, 2]"],
        *["--set=cell=[21, 13]", "--set=lakes=9", "--set=torches=true"],
        *["--to=json", "--to=godot", "--to=voxels", "--option=voxels.depth=4", *tail],
    ]
