"""One TileSet for all maps of a tileset, and what was drawn on its tiles stays when folders move."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.godot_addon.conftest import AddonProject, res
from tests.godot_addon.ldtk import projects as ldtk
from tests.godot_addon.rounds import Part, Turns, complaints, in_rounds
from tests.godot_addon.tiled.maps import a_map, import_with, object_layer, save, sheet, tile_layer, tileset

SAVES = """@tool
extends RefCounted


func post_import(root: Node) -> Node:
	var writer: GDScript = load("res://addons/undercroft/import/new_tileset.gd")
	var made := TileSet.new()
	var curve := Curve.new()
	curve.add_point(Vector2(0.5, 0.25))
	made.set_meta("deep", [{"curve": curve}])
	var script: Script = get_script()
	var here := script.resource_path.get_base_dir()
	writer.call("save", made, here.path_join("deep.tres"))
	writer.call("save", TileSet.new(), here.path_join("kept.tres"))
	return root
"""
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


def first_tiles(project: AddonProject | Part, *folders: str) -> list[tuple[list[Any], str]]:
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
        text = re.sub(r'"(told |terrains |)tileset 1', rf'"\1{res(folder)}{path}', text)
        assert "tileset 1" not in text and '"parts"' not in text
        file.write_text(text, "utf-8")


@in_rounds
def test_a_folder_that_moves_keeps_what_was_drawn(part: Part) -> Turns:
    """It is renamed on disk after an update of the addon."""
    old = part.folder / "old"
    write_maps(old)
    assert complaints((yield)) == []
    made = sorted(path.name for path in old.glob("*.tres"))
    assert made == sorted({*SCENES.values()})
    part.ask("draw_on_tiles.gd", *(f"res://old/{name}" for name in made))
    seen = first_tiles(part, "old")
    assert all(boxes[-1] == DRAWN and mine == '"by hand"' for boxes, mine in seen)
    (before,) = sizes(old)

    make_older(old)
    moved = old.rename(part.folder / "older")
    for name in SCENES:  # what the first import left behind does not count
        path = moved / name
        path.write_bytes(path.read_bytes() + b"\n")
    # A tileset that gets another image says nothing of it.
    shutil.copy(moved / "dungeon.png", moved / "other.png")
    embedded = moved / "inside.tmj"
    embedded.write_text(embedded.read_text("utf-8").replace("dungeon.png", "other.png"), "utf-8")
    assert complaints((yield)) == []
    assert first_tiles(part, "older") == seen
    (now,) = sizes(moved)
    assert {name: number for name, (number, _) in now.items()} == {name: n for name, (n, _) in before.items()}
    for name, (_, size) in now.items():
        assert size == pytest.approx(before[name][1], rel=0.05, abs=100)


@in_rounds
def test_a_tileset_is_written_whole_or_not_at_all(part: Part) -> Turns:
    """With resources in tables; one that cannot be written beside the old one leaves it as it is."""
    sheet(4, 1, (16, 16)).save(part.folder / "dungeon.png")
    used = {"firstgid": 1} | tileset("dungeon.png", 4, 4, (16, 16))
    save(part.folder, "a.tmj", a_map((1, 1), (16, 16), [used], tile_layer(np.ones((1, 1), np.uint32))))
    (part.folder / "saves.gd").write_text(SAVES, "utf-8")
    import_with(part.folder, "a.tmj", post_import="res://saves.gd")
    (part.folder / "kept.tres.tmp").mkdir()
    old = '[gd_resource type="TileSet" format=3]\n\n[resource]\n'
    (part.folder / "kept.tres").write_text(old, "utf-8")
    yield
    assert (part.folder / "kept.tres").read_text("utf-8") == old
    assert 'SubResource("Curve_' in (part.folder / "deep.tres").read_text("utf-8")
    assert "Object(" not in (part.folder / "deep.tres").read_text("utf-8")


@in_rounds
def test_a_batch_lets_go_of_large_images(part: Part) -> Turns:
    """Eight of 64 MiB each: the first go, the last is there."""
    yield
    kept = part.ask("batch.gd")
    assert kept[-1] and kept == sorted(kept) and 0 < sum(kept) <= 5
