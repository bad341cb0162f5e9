"""No path of a scene leads through a shut door, whatever shuts it; when doors open, paths lead through them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import exporters
import generator
from generator.level import Level

from .conftest import Project
from .shut_doors import FLOWS, KITS, LEVELS, of_flow, of_kit, questions, starts_open, wrong
from .test_bodies_in_godot import DEFAULT_DESIRED, asked

pytestmark = pytest.mark.xdist_group("godot")

# Each level once; each target and split with several of them.
WAYS = {
    "isaac": {},
    "rebirth": {"godot.split": "rooms"},
    "flow": {"godot.target": "4.2"},
    "secret": {},
    "station": {"godot.split": "rooms"},
    "hull": {"godot.target": "4.2", "godot.split": "rooms"},
    "hedge": {},
    "drop": {"godot.split": "rooms"},
}


def walked_wrong(
    folder: Path, levels: Mapping[str, Level], ways: Mapping[str, dict[str, str]]
) -> list[object]:
    project = Project(folder)
    for name, level in levels.items():
        exporters.export(level, ["godot"], ways[name], name=name).write(folder / name)
    project.begin()
    every = [each for name, level in levels.items() for each in questions(f"{name}/{name}.tscn", level)]
    project.run("--headless", *asked(folder, every, 6, DEFAULT_DESIRED))
    return wrong(list(levels.values()), folder / "walked.json")


def test_no_body_walks_against_a_shut_door(tmp_path: Path) -> None:
    levels = {name: make() for name, make in LEVELS.items()}
    assert not any(all(starts_open(level, door) for door in level.doors) for level in levels.values())
    assert not walked_wrong(tmp_path, levels, WAYS)


@pytest.mark.soak
@pytest.mark.parametrize("split", ["none", "rooms"])
@pytest.mark.parametrize("target", ["4.2", "4.3"])
def test_no_body_walks_against_a_shut_door_in_any_style_flow_or_kit(
    tmp_path: Path, split: str, target: str
) -> None:
    levels = {
        **{f"{style}-{seed}": generator.generate(style, seed, stage=stage)
           for style in ("isaac", "rebirth") for seed, stage in ((1, 2), (2, 4), (3, 6), (4, 7))},
        **{f"{flow}-{seed}": of_flow(flow, seed) for flow in FLOWS for seed in (1, 2)},
        **{f"{kit}-{style}": of_kit(kit, style, 5) for kit in KITS for style in ("isaac", "gungeon")},
        **{name: make() for name, make in LEVELS.items()},
    }  # fmt: skip
    ways = {key: {"godot.split": split, "godot.target": target} for key in levels}
    assert len(levels) > 20 and not walked_wrong(tmp_path, levels, ways)
