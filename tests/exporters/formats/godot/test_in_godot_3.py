"""What only Godot 3 can be asked: its TileSet, its autotiles, and the picture that its numbers make."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

import exporters
from exporters.blob import MASKS, masks_of
from exporters.formats.godot.write_tileset import EVERYONE, WALKERS
from exporters.theme import foremost_uses
from generator.kinds import DECOR_IDS, DECOR_KINDS

from .conftest import Case, Project3

pytestmark = pytest.mark.xdist_group("godot")

LAYERS = ("Ground", "Walls", "Doors", "Decor", "Overlay")
GODOT_3_BITS = (2, 4, 32, 256, 128, 64, 8, 1)  # north, north-east, and so on round the tile


def test_the_numbers_make_our_picture(case_3: Case) -> None:
    """It has no screen: each cell's piece of the texture is laid where Godot says it draws it."""
    with Image.open(case_3.project.folder / case_3.way.folder / f"{case_3.theme.name}.png") as image:
        sheet = np.asarray(image.convert("RGBA"))
    size = case_3.theme.tile_size
    drawn = np.zeros((case_3.level.height * size, case_3.level.width * size, 4), np.uint8)
    for layer in sorted((case_3.dump["layers"][name] for name in LAYERS), key=lambda one: one["z_index"]):
        for x, y, (left, top, width, height) in layer["drawn"]:
            assert (width, height) == (size, size)
            stamp(
                drawn[round(y) * size :, round(x) * size :],
                sheet[round(top) : round(top) + size, round(left) : round(left) + size],
            )
    png = exporters.export(case_3.level, "png", theme=case_3.theme, name="a")["a.png"]
    ours = decoded(png)
    visible = ours[..., 3] > 0
    assert np.array_equal(drawn[..., 3] > 0, visible)
    assert np.array_equal(drawn[visible], ours[visible])


def stamp(canvas: npt.NDArray[np.uint8], tile: npt.NDArray[np.uint8]) -> None:
    """Themes here have pixels that are opaque or not there at all."""
    seen = tile[..., 3] == 255
    assert (seen | (tile[..., 3] == 0)).all()
    canvas[: len(tile), : len(tile)][seen] = tile[seen]


def decoded(png: bytes) -> npt.NDArray[np.uint8]:
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGBA"))


def place(case: Case, index: int) -> str:
    return "{},{}".format(*case.theme.at(index))


def test_the_tiles_of_the_tileset(case_3: Case) -> None:
    theme, tiles = case_3.theme, case_3.dump["tileset"]
    further = [f"{name}_{below.look}" for below in theme.below for name in ("wall", "pit")]
    names = ["tiles", "wall", "pit", *further]
    assert {name: tile["id"] for name, tile in tiles.items()} == {name: at for at, name in enumerate(names)}
    assert [tiles[name]["mode"] for name in ("tiles", "wall", "pit")] == [2, 1, 1]  # an atlas, two autotiles
    assert [tiles[name]["bitmask_mode"] for name in ("wall", "pit")] == [1, 1]  # 3 x 3 minimal
    with Image.open(case_3.project.folder / case_3.way.folder / f"{theme.name}.png") as image:
        assert all(tile["texture"] == list(image.size) for tile in tiles.values())


def test_walls_and_pits_are_solid(case_3: Case) -> None:
    theme, tiles, size = case_3.theme, case_3.dump["tileset"], case_3.theme.tile_size
    square = [[0, 0], [size, 0], [size, size], [0, size]]
    for name, looks in (("wall", theme.walls), ("pit", theme.pits)):
        solid = {"{:.0f},{:.0f}".format(*at): points for at, points in tiles[name]["shapes"]}
        for mask in MASKS:
            for index in looks[mask].tiles:
                if foremost_uses(theme)[index].role != name:
                    continue
                found = tiles[name]["places"][place(case_3, index)]
                assert solid[place(case_3, index)] == square
                assert found["occluder"] == (square if name == "wall" else [])
                assert found["facts"]["terrain"] == name
                assert found["facts"]["fly"] is (name == "pit")
                bits = 16 + sum(bit for i, bit in enumerate(GODOT_3_BITS) if mask >> i & 1)
                assert found["bits"] == bits


def test_floors_and_decor_do_what_they_do(case_3: Case) -> None:
    theme, tiles, size = case_3.theme, case_3.dump["tileset"], case_3.theme.tile_size
    sheet = tiles["tiles"]
    solid = {"{:.0f},{:.0f}".format(*at) for at, _ in sheet["shapes"]}
    square = sorted([[0, 0], [size, 0], [size, size], [0, size]])
    seen = set()
    for index, use in foremost_uses(theme).items():
        if use.role == "floor":
            assert sorted(sheet["places"][place(case_3, index)]["navigation"]) == square
            assert place(case_3, index) not in solid
            assert sheet["places"][place(case_3, index)]["priority"] == use.weight
        elif use.role == "decor":
            kind = DECOR_KINDS[DECOR_IDS[use.name]]
            assert (place(case_3, index) in solid) is not (kind.walk and kind.fly and kind.shoot)
            assert sheet["places"][place(case_3, index)]["facts"]["decor"] == use.name
        seen.add(use.role)
    assert {"floor", "decor"} <= seen


def test_autotiles_choose_as_the_generator_does(project_3: Project3, case_3: Case) -> None:
    """A rectangle with a nook, so that there are inner corners too, gets the tiles of its masks."""
    shape = np.zeros((9, 12), bool)
    shape[2:7, 2:10] = True
    shape[4:7, 5] = False
    cells = np.argwhere(shape)[:, ::-1].tolist()
    masks = masks_of(shape)
    path = f"{case_3.way.folder}/{case_3.theme.name}.tres"
    orders = [{"tile": name, "cells": cells} for name in ("wall", "pit")]
    answers: list[list[Any]] = project_3.ask("paint.gd", path, orders)
    for answer, looks in zip(answers, (case_3.theme.walls, case_3.theme.pits), strict=True):
        assert sorted([round(x), round(y)] for (x, y), _ in answer) == sorted(cells)
        for (x, y), (column, row) in answer:
            index = round(row) * case_3.theme.columns + round(column)
            assert index in looks[int(masks[round(y), round(x)])].tiles, (x, y)


def test_what_stops_others_than_its_layer_has_a_map_of_its_own(case_3: Case) -> None:
    """A TileMap of Godot 3 has one collision layer for all its tiles."""
    decor = set(np.unique(case_3.level.covered).tolist())
    names = {name for part in case_3.dump["part_children"] for name in part}
    for suffix, bits in (("Low", WALKERS), ("High", EVERYONE)):
        kinds = {i for i, kind in enumerate(DECOR_KINDS) if i and stopped(kind) == bits}
        assert (f"Decor{suffix}" in names) is bool(decor & kinds)


def stopped(kind: Any) -> int:
    return int(not kind.walk) | 2 * (not kind.fly) | 4 * (not kind.shoot)
