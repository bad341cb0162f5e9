"""Levels of flows in Godot, and a body that walks through them from the start to the boss."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import exporters
import generator
from generator.level import Level
from tests.generator.styles.gungeon.flows.plans import FROM_DOCS
from tests.godot_addon.conftest import AddonProject
from tests.godot_addon.rounds import Part


def made(names: Iterable[str], seed: int) -> dict[str, Level]:
    """The levels of flows, by the names that their scenes get."""
    return {
        f"{name}-{seed}": generator.generate("gungeon", seed, flow=str(FROM_DOCS[name])) for name in names
    }


def write(folder: Path, levels: dict[str, Level]) -> None:
    """Write a scene of each level."""
    for name, level in levels.items():
        exporters.export(level, ["godot"], name=name).write(folder)


def unfinished(project: AddonProject | Part, levels: dict[str, Level]) -> list[dict[str, Any]]:
    """What is told of the levels in which the body did not come to the boss, or did not see all on its way."""
    told = project.ask("to_the_boss.gd", *(f"res://{name}.tscn" for name in levels))
    return [
        walk
        for walk, level in zip(told, levels.values(), strict=True)
        if walk["stuck"]
        or walk["rooms"] != len(level.rooms)
        or walk["keys"] != sum(marker.kind == "key" for marker in level.markers)
    ]


def walk_all(seed: int) -> None:
    """Walk through the levels that all flows make of a seed."""
    project, levels = _project(), made(FROM_DOCS, seed)
    write(project.folder, levels)
    assert unfinished(project, levels) == []


@cache
def _project() -> AddonProject:
    """A project in which the pictures of all such levels are imported. It lives as long as this process."""
    folder = tempfile.TemporaryDirectory(prefix="undercroft-walks-", ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    project = AddonProject(Path(folder.name))
    write(project.folder, made(["rings"], 0))
    assert project.import_all() == []
    return project
