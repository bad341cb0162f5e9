"""Wang sets: of the right type, and neighbours on generated levels agree about what is between them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from exporters import blob
from exporters.dress import EMPTY
from exporters.formats.tiled.syntax.text import Lines
from exporters.formats.tiled.write_tileset import wang_sets
from exporters.theme import Theme, Variants
from generator.kinds import BRIDGE, PIT
from generator.level import Level

from .conftest import Case

Ids = npt.NDArray[np.uint8]
# A side or corner, where the neighbour lies that shares it, and what that calls it.
SHARED = [(2, 1, 0, 6), (4, 0, 1, 0), (3, 1, 1, 7), (5, -1, 1, 1)]
SHARED += [(1, 1, 0, 7), (3, 1, 0, 5), (3, 0, 1, 1), (5, 0, 1, 7)]  # a corner has two more


def plain(value: Any) -> Any:
    """Without the marks that tell where lines break."""
    if isinstance(value, Lines):
        return plain(dict(value.items) if isinstance(value.items, dict) else list(value.items))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def sets(theme: Theme) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in plain(wang_sets(theme))}


def wang_ids(one: dict[str, Any]) -> dict[int, list[int]]:
    return {tile["tileid"]: tile["wangid"] for tile in one["wangtiles"]}


def ids_in_all_looks(theme: Theme, name: str) -> dict[int, list[int]]:
    """The wang ids of a set and of those of the other looks on the sheet, such as `Walls_keep`."""
    found = [wang_ids(one) for title, one in sets(theme).items() if title.partition("_")[0] == name]
    assert len(found) == len(theme.sheets)
    return {tile: wang_id for ids in found for tile, wang_id in ids.items()}


def id_map(theme: Theme, layer: npt.NDArray[np.int32], name: str) -> Ids:
    """[y, x, 8]: the wang id of every tile of a layer, zeros where it has none of the set."""
    table = np.zeros((theme.columns * theme.rows + 1, 8), np.uint8)
    for tile, wang_id in ids_in_all_looks(theme, name).items():
        table[tile] = wang_id
    return table[layer]  # EMPTY is the last


def disagreements(ids: Ids) -> set[tuple[int, int]]:
    """The tiles that say otherwise than a neighbour of a side or corner that they share."""
    height, width, _ = ids.shape
    found: set[tuple[int, int]] = set()
    for mine, dx, dy, theirs in SHARED:
        left, right = max(0, -dx), width - max(0, dx)
        here = ids[: height - dy, left:right, mine]
        there = ids[dy:, left + dx : right + dx, theirs]
        ys, xs = np.nonzero(here != there)
        for y, x in zip(ys.tolist(), xs.tolist(), strict=True):
            found |= {(x + left, y), (x + left + dx, y + dy)}
    return found


def around(level: Level, wang_set: str) -> set[tuple[int, int]]:
    """Where the picture shows more than the layer: walls continue in secret and red doors, pits below bridges."""
    if wang_set == "Walls":
        tiles = [tile for door in level.doors if door.kind in ("secret", "red") for tile in door.tiles]
    else:
        ys, xs = np.nonzero(level.terrain == BRIDGE)
        tiles = list(zip(xs.tolist(), ys.tolist(), strict=True))
    return {(x + dx, y + dy) for x, y in tiles for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


@pytest.mark.parametrize("wang_set", ["Walls", "Pits"])
def test_neighbours_agree_about_what_is_between_them(case: Case, wang_set: str) -> None:
    """Whatever the terrain brush would ask of a neighbour, it has: nothing needs to be corrected."""
    layer = case.layers.walls if wang_set == "Walls" else case.layers.ground
    ids = id_map(case.theme, layer, wang_set)
    assert disagreements(ids) <= around(case.level, wang_set)


def test_a_disagreement_would_be_found(cases: dict[str, Case]) -> None:
    case = cases["isaac-7"]
    ids = id_map(case.theme, case.layers.walls, "Walls")
    ys, xs = np.nonzero(ids.any(axis=2))
    y, x = int(ys[len(ys) // 2]), int(xs[len(xs) // 2])
    ids[y, x] = 1 - ids[y, x]
    assert (x, y) in disagreements(ids)


def test_a_wang_id_is_the_neighbourhood(case: Case) -> None:
    """1 on a side exactly where the tile beside it is of the set, but next to secret and red doors."""
    there = case.layers.walls != EMPTY
    ids = id_map(case.theme, case.layers.walls, "Walls")
    secret = around(case.level, "Walls")
    masks = blob.masks_of(there)
    for y, x in zip(*(values.tolist() for values in np.nonzero(there)), strict=True):
        if (x, y) not in secret:
            assert ids[y, x].tolist() == [masks[y, x] >> i & 1 for i in range(8)]


@pytest.mark.parametrize("which", ["built_in", "plain"])
def test_every_tile_that_dressing_chooses_is_in_the_set(which: str, request: pytest.FixtureRequest) -> None:
    """With all its variants, except the tile without neighbours, which has no wang id."""
    theme: Theme = request.getfixturevalue(which)
    for name, looks in (("Walls", theme.walls), ("Pits", theme.pits)):
        ids = wang_ids(sets(theme)[name])
        alone = set(looks[0].tiles)
        assert ids.keys() == {tile for look in looks.values() for tile in look.tiles} - alone
        for mask, look in looks.items():
            for tile in set(look.tiles) - alone:
                assert ids[tile] == [mask >> i & 1 for i in range(8)]


def test_a_blob_is_mixed(built_in: Theme) -> None:
    assert {name: one["type"] for name, one in sets(built_in).items()} == {
        "Walls": "mixed", "Pits": "mixed", "Floors": "edge", "FloorsBelowWalls": "edge",
    }  # fmt: skip


def looks_by(bits: int) -> dict[int, Variants]:
    """A set of tiles that tells only these bits of a mask apart."""
    return {mask: Variants((100 + (mask & bits),), (1,)) for mask in blob.MASKS}


SIDES, CORNERS = blob.N | blob.E | blob.S | blob.W, blob.NE | blob.SE | blob.SW | blob.NW


@pytest.mark.parametrize(("bits", "kind"), [(SIDES, "edge"), (CORNERS, "corner"), (255, "mixed")])
def test_the_type_is_what_chooses_the_tile(bits: int, kind: str, plain: Theme) -> None:
    """Of 16 tiles that know their sides, or their corners, only those have a colour."""
    looks = looks_by(bits)
    assert blob.counted(looks) == bits
    walls = sets(replace(plain, walls=looks, columns=100))["Walls"]
    assert walls["type"] == kind
    ids = wang_ids(walls)
    assert len(ids) == (46 if bits == 255 else 15)
    for tile, wang_id in ids.items():
        assert wang_id == [(tile - 100) >> i & 1 for i in range(8)]


def test_one_tile_for_all_walls_is_the_full_one(plain: Theme) -> None:
    looks = {mask: Variants((3,), (1,)) for mask in blob.MASKS}
    walls = sets(replace(plain, walls=looks))["Walls"]
    assert wang_ids(walls) == {3: [1, 0, 1, 0, 1, 0, 1, 0]}


def test_floors_are_filled_with_their_own_tiles(built_in: Theme, case: Case) -> None:
    """A floor's tiles all have one colour, its own; one that borrows tiles has none."""
    for name, shaded in (("Floors", False), ("FloorsBelowWalls", True)):
        found = sets(built_in)[name]
        names = [color["name"] for color in found["colors"]]
        for tile, wang_id in wang_ids(found).items():
            floor = built_in.floors[names[wang_id[0] - 1]]
            assert tile in (floor.shaded if shaded else floor.plain).tiles
            assert wang_id == [wang_id[0], 0] * 4
        assert len({color["color"] for color in found["colors"]}) == len(names)
    names = ("Pits", "Floors", "FloorsBelowWalls")
    known = {tile for name in names for tile in ids_in_all_looks(case.theme, name)}
    alone = {tile for look in case.theme.sheets for tile in look.pits[0].tiles}
    assert set(np.unique(case.layers.ground).tolist()) - {EMPTY} <= known | alone


def test_colours_are_in_range(case: Case) -> None:
    """Tiled fails on a colour that is not there, and takes a colour without a probability for one of 0."""
    for one in sets(case.theme).values():
        assert one["wangtiles"] and one["tile"] >= 0
        for color in one["colors"]:
            assert color["probability"] == 1 and len(color["color"]) == 7 and color["tile"] >= 0
        for wang_id in wang_ids(one).values():
            assert len(wang_id) == 8 and any(wang_id) and max(wang_id) <= len(one["colors"])
        tiles = [tile["tileid"] for tile in one["wangtiles"]]
        assert tiles == sorted(set(tiles))


def test_pits_are_tried(cases: dict[str, Case]) -> None:
    """So that the tests above are about pits too."""
    assert any((case.level.terrain == PIT).any() for case in cases.values())
