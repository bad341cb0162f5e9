"""What is not imported, and what is tried again: levels that are there twice, damaged maps."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np

import exporters
import generator
from tests.godot_addon.rounds import Part, Turns, in_rounds, ours
from tests.godot_addon.tiled.maps import a_map, object_layer, save, sheet, tile_layer, tileset

MAP = a_map((1, 1), (16, 16), [], object_layer({"name": "Point", "point": True}))
TWINS = ("level.tmj", "level.ldtk", "undercroft.tsj")


@in_rounds
def test_a_level_that_lies_beside_its_scene_is_not_imported_again(part: Part) -> Turns:
    """A whole build folder is dropped into a project; then the Godot scene of a level goes."""
    build = part.folder / "build"
    level = generator.generate("isaac", seed=7)
    exporters.export(level, ["godot", "tiled", "ldtk", "json"], name="level").write(build)
    given = {path.name for path in build.iterdir()}
    said = ours((yield))
    assert [line.partition(" was ")[0] for line in said] == sorted(f"res://build/{name}" for name in TWINS)
    assert said[0] == (
        "res://build/level.ldtk was skipped because level.tscn is the same level; "
        "turn on import_twin to import it too"
    )
    sizes = part.imported()
    assert all(sizes[name] < 500 for name in TWINS)
    assert {path.name for path in build.iterdir() if path.suffix != ".import"} == given
    trees = part.ask("tree.gd", *(f"res://build/level.{end}" for end in ("tscn", "tmj", "ldtk")))
    scene, *others = trees.values()
    for other in others:
        assert [(path, node["class"]) for path, node in other.items()] == [
            (path, node["class"]) for path, node in scene.items()
        ]

    for name in ("level.tscn", "level_edit.tscn"):
        (build / name).unlink()
    tsj = build / "undercroft.tsj.import"
    tsj.write_text(tsj.read_text("utf-8").replace("import_twin=false", "import_twin=true"), "utf-8")
    assert ours((yield)) == []
    assert all(size > 5000 for name, size in part.imported().items() if name in TWINS)


@in_rounds
def test_a_level_that_was_edited_is_imported(part: Part) -> Turns:
    """What a person added is in the scene, although the level's Godot scene lies beside it."""
    build = part.folder / "build"
    bundle = exporters.export(generator.generate("isaac", seed=7), ["godot", "tiled", "ldtk"], name="level")
    bundle.write(build)
    for name in TWINS:
        (build / name).write_bytes(bundle[name].replace(b"\n", b"\r\n"))
    assert len(ours((yield))) == len(TWINS)  # another kind of line ends is no edit

    tiles = json.loads(bundle["undercroft.tsj"])
    tiles["tiles"][0]["probability"] = 0.5
    save(build, "undercroft.tsj", tiles)
    assert ours((yield)) == []
    sizes = part.imported()
    assert [name for name in TWINS if sizes[name] > 5000] == ["level.tmj", "undercroft.tsj"]

    drawn = json.loads(bundle["level.tmj"])
    drawn["layers"].append(object_layer({"name": "Mine", "point": True}, id=99))
    save(build, "level.tmj", drawn)
    renamed = json.loads(bundle["level.ldtk"])
    renamed["levels"][0]["identifier"] = "MyRoom"
    save(build, "level.ldtk", renamed)
    assert ours((yield)) == []
    trees = part.ask("tree.gd", "res://build/level.tmj", "res://build/level.ldtk")
    assert "Objects/Mine" in trees["res://build/level.tmj"]
    assert "MyRoom" in trees["res://build/level.ldtk"]


@in_rounds
def test_a_lost_picture_is_known_by_its_digest(part: Part) -> Turns:
    """A TileSet is not bound to another picture with the same name; the message names the right one."""
    folder = part.folder
    art = folder / "old" / "art"
    art.mkdir(parents=True)
    sheet(2, 1, (16, 16)).save(art / "tiles.png")
    used = {"firstgid": 1} | tileset("art/tiles.png", 2, 2, (16, 16))
    save(folder / "old", "a.tmj", a_map((1, 1), (16, 16), [used], tile_layer(np.ones((1, 1), np.uint32))))
    assert ours((yield)) == []
    tile_set, level = folder / "old" / "a.tmj.tileset.tres", folder / "old" / "a.tmj"
    kept, picture = tile_set.read_bytes(), (art / "tiles.png").read_bytes()

    shutil.rmtree(art)
    sheet(2, 1, (16, 16)).rotate(180).save(folder / "tiles.png")
    level.write_bytes(level.read_bytes().replace(b"art/tiles.png", b"../tiles.png"))
    said = ours((yield))
    assert any("needs res://old/art/tiles.png, which is missing" in line for line in said), said
    assert tile_set.read_bytes() == kept

    (folder / "old" / "tiles.png").write_bytes(picture)
    level.write_bytes(level.read_bytes().replace(b"../tiles.png", b"tiles.png"))
    told = "res://old/a.tmj.tileset.tres: res://old/art/tiles.png is now res://old/tiles.png"
    assert ours((yield)) == [told]
    assert 'path="res://old/tiles.png"' in part.inner(tile_set.read_text("utf-8"))
    assert not [*folder.rglob("*.tmp")]


@in_rounds
def test_a_map_is_tried_again_once_it_is_repaired(part: Part) -> Turns:
    """One map was never whole, one lacks its image."""
    folder = part.folder
    save(folder, "fresh.tmj", MAP)
    good = (folder / "fresh.tmj").read_bytes()
    _damage(folder / "fresh.tmj", good)
    used = [{"firstgid": 1} | tileset("late.png", 1, 1, (16, 16))]
    save(folder, "lacks.tmj", a_map((1, 1), (16, 16), used, tile_layer(np.ones((1, 1), np.uint32))))
    said = ours((yield))
    assert any(line.startswith("res://fresh.tmj: line 38: ") for line in said)
    assert any("late.png" in line for line in said)

    (folder / "fresh.tmj").write_bytes(good)
    sheet(1, 1, (16, 16)).save(folder / "late.png")
    yield
    assert {"fresh.tmj", "lacks.tmj"} <= part.imported().keys()
    assert ours((yield)) == []
    trees = part.ask("tree.gd", "res://fresh.tmj", "res://lacks.tmj")
    assert "Objects/Point" in trees["res://fresh.tmj"]
    assert any("cells" in node for node in trees["res://lacks.tmj"].values())


@in_rounds
def test_the_last_good_import_of_a_map_stays_until_it_is_repaired(part: Part) -> Turns:
    """Beside it lies a map that is damaged all the time."""
    folder = part.folder
    save(folder, "good.tmj", MAP)
    good = (folder / "good.tmj").read_bytes()
    _damage(folder / "never.tmj", good)
    yield
    whole = (part.project.folder / ".godot" / "imported").glob("good.tmj-*.scn")
    (kept,) = ((path, path.read_bytes()) for path in whole)

    _damage(folder / "good.tmj", good)
    said = ours((yield))
    older = "the last successful import is kept, but is out of date"
    assert [line for line in said if line.startswith("res://good.tmj: line 38: ") and line.endswith(older)]
    assert [line for line in said if line.startswith("res://never.tmj: ")]  # said at each start
    assert kept[0].read_bytes() == kept[1]

    for name in ("good.tmj", "never.tmj"):
        (folder / name).write_bytes(good)
    yield
    assert {"good.tmj", "never.tmj"} <= part.imported().keys()


def _damage(path: Path, good: bytes) -> None:
    path.write_bytes(good[:-20])
