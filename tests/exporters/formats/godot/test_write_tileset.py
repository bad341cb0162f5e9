"""The TileSet's text: the same for every level, in the order that Godot wants, whatever a theme shares."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import exporters
import generator
from exporters.dress import EMPTY, dress
from exporters.formats.godot.write_tileset import UNTOUCHED, floor_terrains, layer_bits, tileset_file
from exporters.theme import Theme, foremost_uses
from exporters.theme.loader import load_theme
from generator.kinds import DECOR_KINDS, TERRAIN_KINDS
from tests.exporters import small_theme


def lines(theme: Theme) -> list[tuple[str, str]]:
    """Names and values of all properties, in their order."""
    return re.findall(r"^(\S+) = (.*)$", tileset_file(theme).decode("utf-8"), re.MULTILINE)


def tiles(theme: Theme) -> dict[int, dict[str, str]]:
    """The properties of every tile by atlas index."""
    found: dict[int, dict[str, str]] = {}
    for name, value in lines(theme):
        if place := re.match(r"(\d+):(\d+)/0/?", name):
            index = int(place[2]) * theme.columns + int(place[1])
            found.setdefault(index, {})[name[place.end() :]] = value
    return found


def test_each_way_of_blocking_has_a_layer() -> None:
    ways = {(kind.walk, kind.fly, kind.shoot) for kind in (*TERRAIN_KINDS[1:], *DECOR_KINDS[1:])}
    blocking = ways - {(True, True, True)}
    assert len(layer_bits()) == len(blocking)
    assert set(layer_bits()) == {
        (not walk) | (not fly) << 1 | (not shoot) << 2 for walk, fly, shoot in blocking
    }


def test_layers_are_declared_before_the_source(plain: Theme) -> None:
    names = [name for name, _ in lines(plain)]
    assert names[-1] == "sources/0"
    declared = re.compile(
        r"(physics|occlusion|navigation|custom_data)_layer_\d+/(?!polygon)|terrain_set_\d+/"
    )
    assert sum(bool(declared.match(name)) for name in names) > 20
    for name in names:
        if "/0/" in name and (found := re.search(r"(physics|navigation|occlusion)_layer_\d+", name)):
            assert any(other.startswith(f"{found[0]}/") for other in names), name


def test_a_tile_is_made_before_its_terrain_and_that_before_its_bits(plain: Theme) -> None:
    names = [name for name, _ in lines(plain)]
    for name in names:
        if "/terrains_peering_bit/" in name:
            head = name.split("/terrains")[0]
            order = [names.index(head + tail) for tail in ("", "/terrain_set", "/terrain")]
            assert order == sorted(order) and order[-1] < names.index(name)


def test_the_bytes_depend_on_the_theme_alone(plain: Theme, tmp_path: Path) -> None:
    again = load_theme(small_theme.write(tmp_path))
    assert again is not plain
    assert tileset_file(again) == tileset_file(plain)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_tile_of_a_level_is_in_it(plain: Theme, built_in: Theme, seed: int) -> None:
    level = generator.generate("isaac", seed, stage=6)
    for theme in (plain, built_in):
        used = set(np.unique(np.stack(dress(level, theme))).tolist()) - {EMPTY}
        assert used <= set(foremost_uses(theme))


def test_icons_are_no_tiles(plain: Theme) -> None:
    assert plain.icons
    assert not set(plain.icons.values()) & set(foremost_uses(plain))


def test_a_floor_that_borrows_its_tiles_is_not_a_terrain(plain: Theme, tmp_path: Path) -> None:
    assert set(floor_terrains(plain)) == {"default", "boss", "shop", "hallway", "rubble", "bridge", "door"}
    shared = load_theme(small_theme.write(tmp_path, ("tiles = [[9, 2]]", "tiles = [[0, 2], [1, 2]]")))
    assert "hallway" not in floor_terrains(shared)
    default = shared.floors["default"].plain.tiles[0]
    found = tiles(shared)[default]
    assert found["terrain"] == str(floor_terrains(shared)["default"])
    assert found["custom_data_0"] == '"floor"'
    assert found["probability"] == "6.0"


def test_a_tile_for_plain_and_shaded_floors_can_be_painted_with(tmp_path: Path) -> None:
    """What is the shaded look of one floor and the plain one of another is the latter."""
    shared = load_theme(small_theme.write(tmp_path, ("shaded = [[8, 2]]", "shaded = [[5, 2]]")))
    boss = shared.floors["boss"].plain.tiles[0]
    assert boss in shared.floors["shop"].shaded.tiles
    assert tiles(shared)[boss]["terrain"] == str(floor_terrains(shared)["boss"])


def test_a_wall_comes_first(tmp_path: Path) -> None:
    """A tile that is a wall's and a floor's stops: nothing may be walked through that looks like stone."""
    shared = load_theme(small_theme.write(tmp_path, ("tiles = [[10, 2]]", "tiles = [[46, 0]]")))
    found = tiles(shared)[shared.floors["rubble"].plain.tiles[0]]
    assert found["terrain_set"] == "0"
    assert found["physics_layer_0/polygon_0/points"].startswith("PackedVector2Array(-4, -4, 4, -4")
    assert "navigation_layer_0/polygon" not in found


def test_only_walls_and_pits_have_peering_bits(built_in: Theme) -> None:
    """A floor with bits leaves the edge of what is painted empty."""
    written = tiles(built_in)
    for index, use in foremost_uses(built_in).items():
        bits = [name for name in written[index] if name.startswith("terrains_peering_bit")]
        expected = (use.mask or 0).bit_count() if use.role in ("wall", "pit") else 0
        assert len(bits) == expected, use


def test_an_animated_tile_shows_each_frame_as_long_as_the_theme_says(built_in: Theme) -> None:
    """Godot counts seconds."""
    named, frame = dict(lines(built_in)), re.compile(r"(\d+):(\d+)/animation_frame_\d+/duration")
    assert built_in.animations
    found = [(place, float(named[name])) for name in named if (place := frame.fullmatch(name))]
    assert len(found) == sum(each.frames for each in built_in.animations.values())
    for place, seconds in found:
        animation = built_in.animations[int(place[2]) * built_in.columns + int(place[1])]
        assert seconds * 1000 == animation.frame_ms


def test_in_godot_4_2_doors_and_overlays_have_a_tile_that_stops_nobody(built_in: Theme) -> None:
    """A TileMap cannot turn the collisions of a layer off, so these are the tiles that its layers above show."""
    text = tileset_file(built_in, "4.2").decode("utf-8")
    named = set(re.findall(rf"^(\d+):(\d+)/{UNTOUCHED} = ", text, re.MULTILINE))
    shown = {built_in.at(use.tile) for use in built_in.uses() if use.role in ("door", "overlay")}
    assert named == {(str(column), str(row)) for column, row in shown}
    assert not re.search(rf"^\d+:\d+/{UNTOUCHED} = ", tileset_file(built_in).decode("utf-8"), re.MULTILINE)


def test_a_level_of_several_looks_brings_its_sheet_along_with_a_tileset_of_ones_own() -> None:
    options = {"godot.tileset": "res://art/own.tres"}
    several, one = (
        exporters.export(generator.generate(style, seed=3), "godot", options, name="a")
        for style in ("gungeon", "isaac")
    )
    sheets = {path for path in several if path.endswith((".png", ".tres"))}
    (note,) = several.notes
    assert len(sheets) == 2 and all(sheet in note for sheet in sheets)
    assert not one.notes and not [path for path in one if path.endswith((".png", ".tres"))]
