"""What the real Godot reads of our TileSets, and what its terrain brush paints with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from exporters.blob import MASKS, masks_of
from exporters.formats.godot.write_tileset import EVERYONE, FLYERS, SHOTS, WALKERS, floor_terrains
from exporters.theme import Theme, Variants, foremost_uses, look_suffixed
from generator.kinds import DECOR_IDS, DECOR_KINDS, SHIPPED, TERRAIN_KINDS

from .conftest import FOLDER, Case, Project

pytestmark = pytest.mark.xdist_group("godot")

RECTANGLE = [[x, y] for y in range(2, 7) for x in range(2, 10)]


def stops(kind: Any) -> int:
    return WALKERS * (not kind.walk) | FLYERS * (not kind.fly) | SHOTS * (not kind.shoot)


def tile(case: Case, index: int) -> dict[str, Any]:
    column, row = case.theme.at(index)
    return dict(case.dump["tileset"]["tiles"][f"{column},{row}"])


def test_the_tileset_declares_its_layers(case_4: Case) -> None:
    tileset, size = case_4.dump["tileset"], case_4.theme.tile_size
    assert tileset["tile_size"] == tileset["region"] == [size, size]
    assert tileset["margins"] == [case_4.theme.margin] * 2
    assert tileset["separation"] == [case_4.theme.spacing] * 2
    assert tileset["custom_data"] == ["terrain", "decor", "walk", "fly", "shoot", "hazard"]
    assert (tileset["occlusion"], tileset["navigation"]) == (1, 1)
    kinds = [*TERRAIN_KINDS[1:], *DECOR_KINDS[1:]]
    assert sorted(tileset["physics"]) == sorted({stops(kind) for kind in kinds} - {0})
    assert set(tileset["masks"]) == {0}
    assert [terrain["mode"] for terrain in tileset["terrains"]] == [0, 0, 2]
    assert [terrain["names"] for terrain in tileset["terrains"]] == [
        *(
            [look_suffixed(name, look, case_4.theme) for look in case_4.theme.sheets]
            for name in ("wall", "pit")
        ),
        list(floor_terrains(case_4.theme)),
    ]


def test_it_has_every_tile_that_a_level_can_have(case_4: Case) -> None:
    expected = {"{},{}".format(*case_4.theme.at(index)) for index in foremost_uses(case_4.theme)}
    assert set(case_4.dump["tileset"]["tiles"]) == expected


def test_walls_stop_everyone_and_light(built_in_case: Case) -> None:
    for mask in MASKS:
        for index in built_in_case.theme.walls[mask].tiles:
            found = tile(built_in_case, index)
            assert found["stopped"] == EVERYONE
            assert found["occluders"] == 1
            assert (found["terrain_set"], found["terrain"], found["bits"]) == (0, 0, mask)
            assert found["data"]["terrain"] == "wall"
            assert found["navigation"] == 0


def test_pits_stop_only_who_walks(built_in_case: Case) -> None:
    for mask in MASKS:
        for index in built_in_case.theme.pits[mask].tiles:
            found = tile(built_in_case, index)
            assert found["stopped"] == WALKERS
            assert (found["terrain_set"], found["bits"]) == (1, mask)
            data = found["data"]
            assert (data["terrain"], data["walk"], data["fly"], data["shoot"]) == ("pit", False, True, True)


def test_floors_can_be_walked_and_navigated(built_in_case: Case) -> None:
    theme = built_in_case.theme
    for name in floor_terrains(theme):
        floor = theme.floors[name]
        for index in (*floor.plain.tiles, *floor.shaded.tiles):
            found = tile(built_in_case, index)
            assert (found["stopped"], found["navigation"]) == (0, 1)
            assert found["data"]["terrain"] == (name if name in SHIPPED.terrain_ids else "floor")
            assert found["data"]["walk"] is True


def test_the_brush_takes_floors_as_often_as_the_theme_says(built_in_case: Case) -> None:
    theme = built_in_case.theme
    for name in floor_terrains(theme):
        plain = theme.floors[name].plain
        found = {index: tile(built_in_case, index)["probability"] for index in plain.tiles}
        assert found == weights(plain)


def weights(variants: Variants) -> dict[int, int]:
    """A tile's weights in all places of the list together."""
    found = dict.fromkeys(variants.tiles, 0)
    for index, weight in zip(variants.tiles, variants.weights, strict=True):
        found[index] += weight
    return found


def test_doors_stop_everyone_when_shut_and_nobody_when_open(built_in_case: Case) -> None:
    for look in built_in_case.theme.doors.values():
        for index in set(look.shut) - set(look.open):
            assert tile(built_in_case, index)["stopped"] == EVERYONE
            assert tile(built_in_case, index)["data"]["walk"] is False
        for index in look.open:
            assert tile(built_in_case, index)["stopped"] == 0
            assert tile(built_in_case, index)["data"]["terrain"] == "door"
            assert tile(built_in_case, index)["data"]["walk"] is True


def test_decor_stops_what_its_kind_stops(case_4: Case) -> None:
    theme = case_4.theme
    for name, look in theme.decor.items():
        kind = DECOR_KINDS[DECOR_IDS[name]]
        blocks = [(dx, dy) for dy in range(kind.height) for dx in range(kind.width)]
        for index, (dx, dy) in ((index, block) for index in look.variants.tiles for block in blocks):
            found = tile(case_4, index + dy * theme.columns + dx)
            assert found["stopped"] == stops(kind), name
            assert found["data"]["decor"] == name
            assert found["data"]["hazard"] is kind.hazard
            # what stands sorts by its lower edge, what lies by the upper one of its tile
            below = (kind.height - dy) * theme.tile_size
            half = theme.tile_size // 2
            assert found["y_sort_origin"] == (-half if kind.walk else below - half)


def test_animations_have_their_frames(case_4: Case) -> None:
    assert case_4.theme.animations
    for index, animation in case_4.theme.animations.items():
        assert tile(case_4, index)["seconds"] == pytest.approx(
            [animation.frame_ms / 1000] * animation.frames, rel=1e-6
        )


# --- the terrain brush -------------------------------------------------------------------------------


def stroke(cells: list[list[int]], terrain_set: int, terrain: str) -> dict[str, Any]:
    return {"cells": cells, "terrain_set": terrain_set, "terrain": terrain}


def painted(project: Project, *orders: list[dict[str, Any]]) -> list[dict[tuple[int, int], int]]:
    """The atlas index of every cell that each order painted with the built-in theme."""
    answers = project.ask("paint.gd", f"{FOLDER}/undercroft.tres", list(orders))
    return [{(x, y): row * 32 + column for (x, y), (column, row) in answer} for answer in answers]


def test_the_brush_paints_walls_and_pits_as_the_generator_does(project: Project, built_in_case: Case) -> None:
    """A rectangle with a nook, so that there are inner corners too, gets the tiles of its masks."""
    theme = built_in_case.theme
    assert theme.columns == 32
    shape = np.zeros((9, 12), bool)
    shape[2:7, 2:10] = True
    shape[4:7, 5] = False
    cells = np.argwhere(shape)[:, ::-1].tolist()
    masks = masks_of(shape)
    for found, looks in zip(
        painted(project, [stroke(cells, 0, "wall")], [stroke(cells, 1, "pit")]),
        (theme.walls, theme.pits),
        strict=True,
    ):
        assert set(found) == set(map(tuple, cells))
        for (x, y), index in found.items():
            assert index in looks[int(masks[y, x])].tiles, (x, y)


def test_the_brush_fills_a_rectangle_with_every_floor(project: Project, built_in_case: Case) -> None:
    theme = built_in_case.theme
    names = list(floor_terrains(theme))
    answers = painted(project, *([stroke(RECTANGLE, 2, name)] for name in names))
    for name, found in zip(names, answers, strict=True):
        assert set(found) == set(map(tuple, RECTANGLE)), name
        assert set(found.values()) <= set(theme.floors[name].plain.tiles), name


def test_a_floor_painted_into_another_leaves_the_rest_alone(project: Project, built_in_case: Case) -> None:
    inner = [[x, y] for x, y in RECTANGLE if 4 <= x < 7 and 3 <= y < 5]
    alone = [[12, 4]]
    (found,) = painted(
        project, [stroke(RECTANGLE, 2, "default"), stroke(inner, 2, "shop"), stroke(alone, 2, "boss")]
    )
    floors = built_in_case.theme.floors
    assert of(found, floors["shop"].plain) == set(map(tuple, inner))
    assert of(found, floors["boss"].plain) == {(12, 4)}
    assert len(of(found, floors["default"].plain)) == len(RECTANGLE) - len(inner)


def of(found: dict[tuple[int, int], int], variants: Variants) -> set[tuple[int, int]]:
    return {cell for cell, index in found.items() if index in variants.tiles}


def test_a_borrowed_floor_is_not_a_terrain(built_in_case: Case) -> None:
    theme: Theme = built_in_case.theme
    left_out = set(theme.floors) - set(floor_terrains(theme))
    assert left_out  # the built-in theme has such a floor: normal rooms look like the default
    others = {i for name in floor_terrains(theme) for i in theme.floors[name].plain.tiles}
    assert all(set(theme.floors[name].plain.tiles) <= others for name in left_out)
