"""A tileset that cannot be read for a while: what people drew in the TileSet is in use again once it can be."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.godot_addon.rounds import Part, Turns, complaints, in_rounds
from tests.godot_addon.tiled.maps import a_map, save, sheet, tile_layer, tileset

from .test_tilesets import DRAWN, sizes

MAPS = {"one.tmj": "a.tsj", "two.tmj": "a.tsj", "early.tmj": "late.tsj"}
TILESETS = ("a.tsj", "late.tsj")
SHARED = "a.tsj.tileset.tres"


def change_maps(folder: Path) -> None:
    """Have all maps imported again, whether or not anything in them has changed."""
    for name in MAPS:
        path = folder / name
        path.write_bytes(path.read_bytes() + b"\n")


def tile_sets(folder: Path) -> dict[str, int]:
    """The TileSets of a folder, and how many sources each has."""
    (found,) = sizes(folder)
    return {name: sources for name, (sources, _) in found.items()}


@in_rounds
def test_what_was_drawn_outlives_a_tileset_that_was_lost_for_a_while(part: Part) -> Turns:
    yield from _gone_for_a_while(part, None)


@in_rounds
def test_what_was_drawn_outlives_a_tileset_that_was_damaged_for_a_while(part: Part) -> Turns:
    yield from _gone_for_a_while(part, b'{"columns": ')


def _gone_for_a_while(part: Part, damaged: bytes | None) -> Turns:
    folder = part.folder
    for name in TILESETS:
        image = name.replace("tsj", "png")
        sheet(4, 1, (16, 16)).save(folder / image)
        save(folder, name, tileset(image, 4, 4, (16, 16)))
    for name, used in MAPS.items():
        gids = np.array([[1, 2], [3, 0]], np.uint32)
        save(folder, name, a_map((2, 2), (16, 16), [{"firstgid": 1, "source": used}], tile_layer(gids)))
    late = (folder / "late.tsj").read_bytes()
    (folder / "late.tsj").unlink()

    said = complaints((yield))
    assert [line.rpartition("source: ")[2] for line in said] == ["res://late.tsj is missing"]
    assert tile_sets(folder) == {SHARED: 1}
    part.ask("draw_on_tiles.gd", f"res://{SHARED}")
    whole = (folder / "a.tsj").read_bytes()
    (folder / "a.tsj").unlink()
    if damaged:
        (folder / "a.tsj").write_bytes(damaged)
    change_maps(folder)
    said = yield
    assert len([line for line in said if "WARNING" in line and "a.tsj" in line]) == 2
    assert tile_sets(folder) == {SHARED: 2}  # one is for the missing tiles

    (folder / "a.tsj").write_bytes(whole)
    (folder / "late.tsj").write_bytes(late)
    change_maps(folder)
    assert complaints((yield)) == []
    assert tile_sets(folder) == {SHARED: 1, "late.tsj.tileset.tres": 1}
    trees = part.ask("tree.gd", *(f"res://{name}" for name in MAPS))
    for name, used in MAPS.items():
        (layer,) = (node for node in trees[f"res://{name}"].values() if "cells" in node)
        image, *_, bodies = layer["cells"]["0,0"][:4]
        assert image == used.replace("tsj", "png")
        assert [box for _, box in bodies] == ([DRAWN] if used == "a.tsj" else [])
