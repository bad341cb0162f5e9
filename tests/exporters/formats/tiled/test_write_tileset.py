"""The tileset's text: what each tile is, whom it stops, and what moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exporters.dress import EMPTY
from exporters.formats.tiled.write_tileset import tileset
from exporters.image import cut_atlas
from exporters.theme import Theme, foremost_uses
from exporters.theme.loader import load_theme
from generator.kinds import DECOR_KINDS, DOOR_KINDS, MARKER_KINDS
from tests.exporters import small_theme
from tests.exporters.formats.godot import crypt_level

from .conftest import Case, properties


def parsed(theme: Theme) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(tileset(theme))
    return found


def tiles(theme: Theme) -> dict[int, dict[str, Any]]:
    return {tile["id"]: tile for tile in parsed(theme)["tiles"]}


def stops(tile: dict[str, Any]) -> set[str]:
    """Whom a tile's collision stops, nobody if it has none."""
    if "objectgroup" not in tile:
        return set()
    (shape,) = tile["objectgroup"]["objects"]
    assert shape["type"] == "blocks"
    return {way for way, blocked in properties(shape).items() if blocked}


def test_it_describes_its_image(built_in: Theme) -> None:
    """The image lies beside it."""
    found = parsed(built_in)
    assert found["image"] == "undercroft.png"
    assert (found["imagewidth"], found["imageheight"]) == (built_in.columns * 16, built_in.rows * 16)
    assert found["tilecount"] == built_in.columns * built_in.rows
    assert cut_atlas(built_in, [found["tilecount"] - 1]).shape == (1, 16, 16, 4)


def test_gaps_in_the_sheet_are_reported(tmp_path: Path) -> None:
    found = parsed(crypt_level.theme(tmp_path))
    assert (found["margin"], found["spacing"], found["tilewidth"], found["columns"]) == (3, 2, 8, 48)


def test_every_tile_of_a_level_has_a_class(case: Case) -> None:
    found = tiles(case.theme)
    for name, layer in case.layers._asdict().items():
        used = set(np.unique(layer).tolist()) - {EMPTY}
        classes = {found[tile]["type"] for tile in used}
        expected = {
            "ground": {"floor", "pit"},
            "walls": {"wall"},
            "doors": {"door_tile", "wall"},  # the wall, where a theme has no secret doors
            "decor": {"decor"},
            "overlay": {"overlay"},
        }
        assert classes <= expected[name], name


def test_icons_say_the_marker_that_they_stand_for(plain: Theme, built_in: Theme) -> None:
    """So that people who draw rooms can paint them; a tile used on maps keeps its own class."""
    found, drawn = tiles(plain), foremost_uses(plain)
    icons = {name: tile for name, tile in plain.icons.items() if tile not in drawn}
    assert icons
    for name, tile in icons.items():
        assert name.startswith(found[tile]["type"]) and found[tile]["type"] in MARKER_KINDS
    shooter = tiles(built_in)[built_in.icons["enemy_shooter"]]
    assert (shooter["type"], properties(shooter)) == ("enemy", {"role": "shooter"})


@pytest.mark.parametrize("which", ["built_in", "plain"])
def test_a_tile_says_what_passes_it_and_stops_the_rest(which: str, request: pytest.FixtureRequest) -> None:
    theme: Theme = request.getfixturevalue(which)
    found = tiles(theme)
    for tile, use in foremost_uses(theme).items():
        said = properties(found[tile])
        if use.role == "overlay":
            assert not said and not stops(found[tile])
        else:
            assert {way for way in ("walk", "fly", "shoot") if not said[way]} == stops(found[tile])
    for look in theme.walls.values():
        assert all(stops(found[tile]) == {"walk", "fly", "shoot"} for tile in look.tiles)
    for look in theme.pits.values():
        assert all(stops(found[tile]) == {"walk"} for tile in look.tiles)
    assert not any(stops(found[tile]) for tile in theme.floors["default"].plain.tiles)
    for kind in DECOR_KINDS[1:]:
        said = found[theme.decor[kind.name].variants.tiles[0]]
        assert stops(said) == {way for way in ("walk", "fly", "shoot") if not getattr(kind, way)}
        assert properties(said)["decor"] == kind.name and properties(said)["hazard"] is kind.hazard


def test_collisions_cover_the_tile(plain: Theme) -> None:
    shapes = [tile["objectgroup"]["objects"][0] for tile in tiles(plain).values() if "objectgroup" in tile]
    assert {(one["x"], one["y"], one["width"], one["height"]) for one in shapes} == {(0, 0, 8, 8)}


def test_a_shut_door_stops_everybody_and_an_open_one_nobody(built_in: Theme) -> None:
    """A tile of one kind of door alone says which."""
    found = tiles(built_in)
    named = set()
    for (kind, _), look in built_in.doors.items():
        for shut, several in ((False, look.open), (True, look.shut)):
            for tile in several:
                said = properties(found[tile])
                assert said["shut"] is shut
                assert stops(found[tile]) == ({"walk", "fly", "shoot"} if shut else set())
                if "door" in said:
                    assert said["door"] == kind
                    named.add(kind)
    assert named == {kind.name for kind in DOOR_KINDS}


def test_animations_are_those_of_the_theme(built_in: Theme) -> None:
    found = tiles(built_in)
    moving = {tile: one["animation"] for tile, one in found.items() if "animation" in one}
    assert moving.keys() == built_in.animations.keys()
    torch = built_in.decor["torch"].variants.tiles[0]
    assert torch in moving
    for tile, frames in moving.items():
        animation = built_in.animations[tile]
        assert [frame["tileid"] for frame in frames] == list(range(tile, tile + animation.frames))
        assert {frame["duration"] for frame in frames} == {animation.frame_ms}


def test_variants_are_as_frequent_as_in_the_theme(built_in: Theme) -> None:
    """A brush and the random mode draw by the tile's probability, 1 where none is given."""
    found = tiles(built_in)
    floor = built_in.floors["default"].plain
    assert [found[tile].get("probability", 1) for tile in floor.tiles] == list(floor.weights)
    assert len(set(floor.weights)) > 1


def test_the_bytes_depend_on_the_theme_alone(plain: Theme, tmp_path: Path) -> None:
    again = load_theme(small_theme.write(tmp_path))
    assert again is not plain and tileset(again) == tileset(plain)
