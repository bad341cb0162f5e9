"""How a test says with which options a file is imported; a project of everything that is not drawn."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.engines import tiled
from tests.godot_addon.rounds import Part, imported

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


@imported
def tiled_features(folder: Path) -> None:
    """Maps in both notations, a world, many maps that share a TileSet."""
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


@dataclass(frozen=True)
class Features:
    """A folder that was imported, and the nodes of its scenes."""

    part: Part
    trees: dict[str, Nodes]


@pytest.fixture(scope="session")
def features(tiled_features: Part) -> Features:
    """What is read of these files, for several modules."""
    meant = (
        "no area that could collide",
        "several wang sets",
        *(f"res://types/{name}.tmj" for name in FAILING),
    )
    said = [line for line in tiled_features.said if "Undercroft" in line]
    assert [line for line in said if not any(one in line for one in meant)] == []
    return Features(tiled_features, tiled_features.ask("tree.gd", *(f"res://{name}" for name in ASKED)))


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
