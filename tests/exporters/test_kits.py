"""Levels of a team's kit: every format knows its kinds, and what has no picture cannot be overlooked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporters
from exporters.dress import dress
from exporters.pages.cards import CardOptions, card
from exporters.pages.gallery import gallery
from exporters.theme import Passing, Theme, foremost_uses, passing
from exporters.theme.image import atlas_pixels
from exporters.theme.loader import check_theme, fitted, load_theme
from generator.errors import BadInput, ThemeError
from generator.kinds import SHIPPED
from generator.level import Level
from generator.level_file import load_level

from . import kit_level, small_level, small_theme
from .kit_level import FERN, KINDS, OAK, WATER

PLAIN = small_level.built([("start", [(0, 0)])])
OWN_TILES = """
[floor.water]
tiles = [[20, 2]]
[door.hedge.all]
open = [[21, 2]]
shut = [[22, 2]]
[decor.fern]
tiles = [[23, 2]]
[decor.old_oak]
tiles = [[20, 34]]
[marker.lever]
icon = [24, 2]
[icon.g]
icon = [25, 2]
"""


@pytest.fixture(scope="module")
def level() -> Level:
    return kit_level.level()


@pytest.fixture(scope="module")
def files(level: Level) -> dict[str, bytes]:
    return dict(exporters.export(level, name="x"))


def written(folder: Path, more: str = OWN_TILES, *changes: tuple[str, str]) -> Path:
    path = small_theme.write(folder, *changes)
    path.write_text(path.read_text("utf-8") + more, "utf-8")
    return path


# --- themes ------------------------------------------------------------------------------------------


def test_a_kind_without_a_picture_has_a_label(level: Level) -> None:
    """The thing's whole block is drawn, in rows below those of the theme, in every look."""
    plain = load_theme()
    theme = fitted(plain, KINDS)
    assert theme.name == "undercroft-our-kit" and theme.rows > plain.rows
    assert [line.split(":")[0] for line in theme.labelled] == [
        "floor.water",
        "door.hedge",
        "decor.fern",
        "decor.old_oak",
        "marker.lever",
    ]
    layers = dress(level, theme)
    first = plain.columns * plain.rows
    assert layers.ground[WATER[1], WATER[0]] >= first
    oak = layers.decor[OAK[1] : OAK[1] + 2, OAK[0] : OAK[0] + 2]
    assert (oak >= first).all() and len(set(oak.ravel().tolist())) == 4
    pixels = atlas_pixels(theme)
    x, y = theme.at_px(layers.decor[FERN[1], FERN[0]])
    label = pixels[y : y + 16, x : x + 16]
    assert (label[..., 3] == 255).all() and len(
        np.unique(label.reshape(-1, 4), axis=0)
    ) == 3  # ground, ink, frame
    assert np.array_equal(pixels[: len(atlas_pixels(plain))], atlas_pixels(plain))
    assert {look.image[:8] for look in theme.looks.values()} == {b"\x89PNG\r\n\x1a\n"}
    assert fitted(theme, SHIPPED) is load_theme()


def test_a_theme_that_draws_everything_has_no_label_and_keeps_its_name(tmp_path: Path) -> None:
    path = written(tmp_path)
    theme = load_theme(path, KINDS)
    assert theme.labelled == () and theme.name == "plain"
    assert theme.floors["water"].plain.tiles == (2 * small_theme.COLUMNS + 20,)
    assert theme.map_icons == {"g": 2 * small_theme.COLUMNS + 25}
    assert check_theme(path, KINDS)[1] == []


def test_the_same_theme_serves_levels_without_the_kit(tmp_path: Path) -> None:
    """Its files have another name then, for they lack the kit's tiles."""
    theme = load_theme(written(tmp_path))
    assert theme.name == "plain-shipped" and theme.given_name == "plain"
    assert "fern" not in theme.decor
    assert fitted(theme, KINDS).name == "plain"


def test_kinds_left_to_draw_are_reported(tmp_path: Path) -> None:
    path = written(tmp_path, OWN_TILES[: OWN_TILES.index("[decor.old_oak]")])
    assert check_theme(path, KINDS)[1] == [
        f"{path}: decor.old_oak: is still to be drawn, 2 x 2 tiles; a label is shown instead",
        f"{path}: marker.lever: is still to be drawn; a label is shown instead",
    ]


def test_a_misspelled_kind_does_not_count_as_one_of_another_kit(tmp_path: Path) -> None:
    for slip, said in (("[decor.fren]", "did you mean fern"), ("[floor.watr]", "did you mean water")):
        table = slip.replace("fren", "fern").replace("watr", "water")
        path = written(tmp_path, OWN_TILES.replace(table, slip))
        with pytest.raises(ThemeError, match=said):
            load_theme(path, KINDS)


def test_a_theme_for_a_kit_need_not_draw_the_shipped_kinds(tmp_path: Path) -> None:
    gone = ("[decor.rock]\n", "[decor.stalagmite]\n")
    alone = load_theme(written(tmp_path, "", gone))
    assert "decor: no tiles for rock; block is used instead" in "".join(alone.stand_ins)
    theme = load_theme(written(tmp_path, "", gone, ("tile_size", 'kit = "our kit"\ntile_size')))
    assert theme.labelled[0].startswith("decor.rock: is still to be drawn")


def test_a_shipped_thing_of_another_size_is_not_cut_from_the_built_in_sheet() -> None:
    rows = {**SHIPPED.tables["decor"], "crate": {**SHIPPED.tables["decor"]["crate"], "size": [2, 2]}}
    theme = fitted(load_theme(), type(KINDS)({**SHIPPED.tables, "decor": rows}))
    assert [line.partition(":")[0] for line in theme.labelled] == ["decor.crate"]


def test_tiles_do_what_the_rows_say() -> None:
    theme = fitted(load_theme(), KINDS)
    said = {use.name: passing(use, KINDS) for use in foremost_uses(theme).values()}
    assert said["water"] == Passing(walk=False)
    assert said["fern"] == Passing()
    assert said["old_oak"] == Passing(walk=False, shoot=False)


# --- formats -----------------------------------------------------------------------------------------


def test_a_saved_level_is_exported_as_the_one_that_was_saved(files: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "x.level.json").write_bytes(files["x.level.json"])
    saved = load_level(tmp_path / "x.level.json")
    assert saved.kinds == KINDS and saved.kinds.name == "our kit"
    assert dict(exporters.export(saved, name="x")) == files


def test_a_godot_scene_tells_what_a_game_cannot_know(files: dict[str, bytes]) -> None:
    scene, tiles = files["x.tscn"].decode(), files["undercroft-our-kit.tres"].decode()
    for group in ("room_garden", "door_hedge", "marker_lever"):
        assert f'"{group}"' in scene
    assert "metadata/starts_shut = true\nmetadata/secret = false\n" in scene
    assert scene.count('metadata/icon = "g"') == 1
    assert "disabled" not in scene[scene.index("HedgeDoor") : scene.index('[node name="Rooms"')]
    (water,) = (line for line in tiles.splitlines() if line.endswith('custom_data_0 = "water"'))
    tile = water.rpartition("/")[0]
    assert f"{tile}/physics_layer_" in tiles and f"{tile}/navigation_layer_0" not in tiles


def test_scenes_can_be_named_for_own_kinds(level: Level) -> None:
    options = {"godot.scenes": {"door.hedge": "res://a.tscn", "decor.fern": "res://b.tscn"}}
    scene = exporters.export(level, "godot", options, name="x")["x.tscn"].decode()
    assert 'path="res://a.tscn"' in scene and 'path="res://b.tscn"' in scene
    with pytest.raises(BadInput, match=r"door\.hegde: .* did you mean door\.hedge"):
        exporters.export(level, "godot", {"godot.scenes": {"door.hegde": "res://a.tscn"}})
    with pytest.raises(BadInput, match=r"not a kind of marker, door or decor"):
        exporters.export(PLAIN, "godot", options, name="x")


def test_tiled_has_enums_and_classes_of_them(files: dict[str, bytes]) -> None:
    types = json.loads(files["undercroft-our-kit.tiled-project"])["propertyTypes"]
    named: dict[str, Any] = {each["name"]: each for each in types}
    for enum, value in (
        ("RoomKind", "garden"),
        ("DoorKind", "hedge"),
        ("MarkerKind", "lever"),
        ("EnemyKind", "slug"),
    ):
        assert named[enum]["values"][-1] == value
    members = {each["name"]: (each["type"], each["value"]) for each in named["lever"]["members"]}
    assert members["opens"] == ("string", "") and members["turns"] == ("int", 0)
    made = json.loads(files["x.tmj"])
    (door,) = next(each for each in made["layers"] if each["name"] == "DoorObjects")["objects"]
    said = {each["name"]: each for each in door["properties"]}
    assert said["starts_shut"]["value"] is True and said["secret"]["value"] is False
    assert said["kind"] == {"name": "kind", "type": "string", "value": "hedge"}
    assert named["NewDoorKind"]["values"] == ["", *named["DoorKind"]["values"]]


def test_ldtk_has_values_enums_and_entities_of_them(files: dict[str, bytes]) -> None:
    definitions = json.loads(files["x.ldtk"])["defs"]
    (grid,) = (each for each in definitions["layers"] if each["type"] == "IntGrid")
    values = {each["identifier"]: each["value"] for each in grid["intGridValues"]}
    plain = json.loads(exporters.export(small_level.drawn("...\n..."), "ldtk", name="x")["x.ldtk"])["defs"]
    (usual,) = (each for each in plain["layers"] if each["type"] == "IntGrid")
    assert values.items() > {each["identifier"]: each["value"] for each in usual["intGridValues"]}.items()
    assert sorted(values)[-1] == "water" and values["water"] < values["floor_garden"]
    enums = {each["identifier"]: [value["id"] for value in each["values"]] for each in definitions["enums"]}
    assert enums["RoomKind"][-1] == "garden" and enums["Terrain"][-1] == "water"
    assert enums["EnemyKind"][-1] == "slug"
    (lever,) = (each for each in definitions["entities"] if each["identifier"] == "Lever")
    assert [each["identifier"] for each in lever["fieldDefs"]] == ["id", "room", "hallway", "opens", "turns"]


def test_a_page_shows_levels_of_one_kit(level: Level) -> None:
    options = CardOptions(None, None)
    cards = [card(one, options, "x", "x", "x") for one in (level, PLAIN)]
    theme: Theme = load_theme()
    assert b"garden" in gallery(cards[:1], theme, "x")
    with pytest.raises(BadInput, match="different kits"):
        gallery(cards, theme, "x")
