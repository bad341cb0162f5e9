"""How a test says with which options a file is imported; a project of everything that is not drawn."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.engines import tiled
from tests.godot_addon.conftest import AddonProject

from .features import write_features
from .handwritten import FAILING
from .kinds import write_kinds
from .maps import import_with, save

Nodes = dict[str, Any]
MANY = 20
ASKED = (
    "features.tmj",
    "xml.tmx",
    "all.world",
    "many7.tmj",
    *(
        f"types/{name}"
        for name in ("kinds.tmj", "old.tmj", "xml.tmx", "hand.tmx", "diamond.tmj", "mapped.tmj")
    ),
    *(f"types/{name}" for name in ("wraps.tmj", "picks.tmj")),
)


@dataclass(frozen=True)
class Features:
    """A project that was imported, what Godot said, and the nodes of its scenes."""

    project: AddonProject
    said: list[str]
    trees: dict[str, Nodes]


@pytest.fixture(scope="session")
def features(tmp_path_factory: pytest.TempPathFactory) -> Features:
    """Maps in both notations, a world, many maps that share a TileSet: one import for several modules."""
    project = AddonProject(tmp_path_factory.mktemp("features"))
    folder = project.folder
    write_features(folder)
    write_kinds(folder)
    _write_xml(folder, "rich", "features", "game")
    _write_xml(folder / "types", "old", "old", "types")
    for number in range(MANY):
        shutil.copy(folder / "features.tmj", folder / f"many{number}.tmj")
        import_with(folder, f"many{number}.tmj", tileset="res://many.tileset.tres")
    maps = [{"fileName": "many0.tmj", "x": 0, "y": 0}, {"fileName": "xml.tmx", "x": 64, "y": -48}]
    pattern = {"regexp": "many(1)(\\d)\\.tmj", "multiplierX": 100, "multiplierY": 48, "offsetX": 5}
    save(folder, "all.world", {"type": "world", "maps": maps, "patterns": [pattern]})
    said = project.import_all()
    meant = (
        "no area that could collide",
        "several wang sets",
        *(f"res://types/{name}.tmj" for name in FAILING),
    )
    others = [line for line in said if "Undercroft" in line and not any(one in line for one in meant)]
    assert others == []
    return Features(project, said, project.ask("tree.gd", *(f"res://{name}" for name in ASKED)))


def _write_xml(folder: Path, tileset: str, name: str, project: str) -> None:
    """`xml.tmx` beside a map, and its tileset, as Tiled writes them."""
    for args in (
        ("--export-tileset", "tsx", f"{tileset}.tsj", f"{tileset}.tsx"),
        ("--project", f"{project}.tiled-project", "--export-map", "tmx", f"{name}.tmj", "xml.tmx"),
    ):
        done = tiled().run(*args, cwd=folder)
        assert done.returncode == 0, done.stderr
    xml = folder / "xml.tmx"
    xml.write_text(xml.read_text().replace(f"{tileset}.tsj", f"{tileset}.tsx"))
