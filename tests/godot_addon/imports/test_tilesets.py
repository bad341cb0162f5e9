"""One TileSet for all maps of a tileset, and what was drawn on its tiles stays when folders move."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.godot_addon.conftest import AddonProject
from tests.godot_addon.dock.conftest import Editor
from tests.godot_addon.ldtk import projects as ldtk
from tests.godot_addon.tiled.maps import a_map, object_layer, save, sheet, tile_layer, tileset

STORIES = Path(__file__).parent / "stories"
DRAWN = [-8, -8, 15, 11]  # the box of what draw_on_tiles.gd draws
SHARED, EMBEDDED, OWN = "dungeon.tsj.tileset.tres", "inside.tmj.tileset.tres", "tiles.png.tileset.tres"
SCENES = {"one.tmj": SHARED, "two.tmj": SHARED, "inside.tmj": EMBEDDED, "world.ldtk": OWN}


def write_maps(folder: Path) -> None:
    """Two maps of one tileset, one with a tileset of its own in it, an LDtk project."""
    folder.mkdir()
    sheet(4, 1, (16, 16)).save(folder / "dungeon.png")
    whole = {"x": 0, "y": 0, "width": 16, "height": 16, "id": 1, "name": "", "type": "", "rotation": 0}
    solid = {"id": 1, "objectgroup": object_layer(whole | {"visible": True})}
    made = tileset("dungeon.png", 4, 4, (16, 16), tiles=[solid])
    save(folder, "dungeon.tsj", made)
    for name in ("one.tmj", "two.tmj", "inside.tmj"):
        used = {"firstgid": 1} | (made if name == "inside.tmj" else {"source": "dungeon.tsj"})
        gids = np.array([[1, 2], [3, 4]], np.uint32)
        save(folder, name, a_map((2, 2), (16, 16), [used], tile_layer(gids, name="Ground")))
    ldtk.sheet(folder)
    layer = ldtk.layer(1, "Ground", "Tiles", gridTiles=[ldtk.tile(0, 0, 0)])
    drawn = ldtk.layer_def(1, "Ground", "Tiles")
    ldtk.save(folder, "world.ldtk", ldtk.project([ldtk.level("L", [layer])], [drawn]))


def first_tiles(project: AddonProject, *folders: str) -> list[tuple[list[Any], str]]:
    """Of each scene: the boxes of the collisions of the tile at (0, 0), and the data that a person gave it."""
    scenes = [f"res://{folder}/{name}" for folder in folders for name in SCENES]
    trees = project.ask("tree.gd", *scenes)
    found = []
    for path in scenes:
        (ground,) = (node for node in trees[path].values() if "cells" in node)
        boxes = [box for _bits, box in ground["cells"]["0,0"][3]]
        found.append((boxes, ground["tiles"]["0,0"]["data"].get("mine", "")))
    return found


def sizes(*folders: Path) -> list[dict[str, tuple[int, int]]]:
    """For each TileSet of a folder how many sources it has, and its size in bytes."""
    return [
        {
            path.name: (_sources(path.read_text("utf-8")), path.stat().st_size)
            for path in folder.glob("*.tres")
        }
        for folder in folders
    ]


def _sources(tile_set: str) -> int:
    return len(re.findall(r"^sources/\d+ = ", tile_set, re.MULTILINE))


def make_older(folder: Path) -> None:
    """Give TileSets the ledgers of earlier versions, which knew a tileset by its path."""
    for name, path in ((SHARED, "dungeon.tsj"), (EMBEDDED, "inside.tmj#dungeon")):
        file = folder / name
        text = re.sub(r'"parts": \{.*?\n\}\n\},\n', "", file.read_text("utf-8"), flags=re.DOTALL)
        text = re.sub(r'"(told |terrains |)tileset 1', rf'"\1res://{folder.name}/{path}', text)
        assert "tileset 1" not in text and '"parts"' not in text
        file.write_text(text, "utf-8")


def rename_in_the_dock(project: AddonProject) -> None:
    """`levels` becomes `stages`, by the hand of a person."""
    settings = project.folder / "project.godot"
    usual = settings.read_text("utf-8")
    editor = Editor(project)
    shutil.copy(STORIES / "rename.gd", project.folder / "addons" / "driver")
    assert editor.play("rename", display=False) == {"renamed": True}
    settings.write_text(usual, "utf-8")  # the driver is not to play again
    editor.forget()  # the FileSystem dock would look for the folder of the old name


def test_a_folder_that_moves_keeps_what_was_drawn(project: AddonProject) -> None:
    """One folder is renamed on disk after an update of the addon, the other in the FileSystem dock."""
    old, new = project.folder / "old", project.folder / "levels"
    for folder in (old, new):
        write_maps(folder)
    assert project.import_all() == []
    made = [path for folder in (old, new) for path in sorted(folder.glob("*.tres"))]
    assert [path.name for path in made] == 2 * sorted({*SCENES.values()})
    paths = (f"res://{path.parent.name}/{path.name}" for path in made)
    project.quiet("-s", "probes/draw_on_tiles.gd", "--", *paths)
    seen = first_tiles(project, "old", "levels")
    assert all(boxes[-1] == DRAWN and mine == '"by hand"' for boxes, mine in seen)
    before = sizes(old, new)

    make_older(old)
    old = old.rename(project.folder / "older")
    rename_in_the_dock(project)
    moved = project.folder / "stages"
    for folder in (old, moved):
        for name in SCENES:  # what the first import left behind does not count
            path = folder / name
            path.write_bytes(path.read_bytes() + b"\n")
    # A tileset that gets another image says nothing of it.
    shutil.copy(old / "dungeon.png", old / "other.png")
    embedded = old / "inside.tmj"
    embedded.write_text(embedded.read_text("utf-8").replace("dungeon.png", "other.png"), "utf-8")
    assert project.import_all() == []
    assert first_tiles(project, "older", "stages") == seen
    assert not new.exists()
    for now, then in zip(sizes(old, moved), before, strict=True):
        assert {name: number for name, (number, _) in now.items()} == {
            name: n for name, (n, _) in then.items()
        }
        for name, (_, size) in now.items():
            assert size == pytest.approx(then[name][1], rel=0.05, abs=100)
