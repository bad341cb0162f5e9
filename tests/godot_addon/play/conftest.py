"""A copy of the addon's project with levels of every style in it, and the demo where it is asked for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import exporters
import generator
from generator.level import Level
from tests.godot_addon.conftest import ADDON, AddonProject

PROBES = Path(__file__).parent / "probes"

LEVELS: dict[str, Callable[[], Level]] = {
    "isaac": lambda: generator.generate("isaac", 7),
    "labyrinth": lambda: generator.generate("labyrinth", 5),
    "rebirth": lambda: generator.generate("rebirth", 10, stage=5),  # L shapes with rooms in their notches
    "gungeon": lambda: generator.generate("gungeon", 7),
}


@cache
def level(name: str) -> Level:
    """A level of LEVELS, made once."""
    return LEVELS[name]()


@pytest.fixture(scope="session")
def levels_project(tmp_path_factory: pytest.TempPathFactory) -> AddonProject:
    """A project with all LEVELS: `NAME.level.json`, `NAME.tscn`, and `apart/NAME.tscn` with a scene a room."""
    made = AddonProject(tmp_path_factory.mktemp("play"))
    shutil.copytree(PROBES, made.folder / "probes", dirs_exist_ok=True)
    for name in LEVELS:
        exporters.export(level(name), ["json", "godot"], name=name).write(made.folder)
        options = {"godot.split": "rooms"}
        exporters.export(level(name), ["godot"], options, name=name).write(made.folder / "apart")
    made.quiet("--import")
    return made


@pytest.fixture(scope="session")
def demo_project(tmp_path_factory: pytest.TempPathFactory) -> AddonProject:
    """A project with the demo."""
    made = AddonProject(tmp_path_factory.mktemp("demo"))
    shutil.copytree(PROBES, made.folder / "probes", dirs_exist_ok=True)
    shutil.copytree(ADDON / "demo", made.folder / "demo")
    made.quiet("--import")
    return made
