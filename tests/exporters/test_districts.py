"""Districts: zones with looks of their own share one sheet, and mean the same in every format."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import exporters
import generator
from exporters.dress import EMPTY, Layers, dress, dressed, tiles_by_rules
from exporters.formats.godot.write_tileset import tileset_file
from exporters.formats.tiled.write_tileset import wang_sets
from exporters.image import cut_atlas
from exporters.owners import owners
from exporters.pages.cards import CardOptions, card
from exporters.reading.back import bring_back
from exporters.theme import Theme, foremost_uses
from exporters.theme.districts import LevelLooks, light_colour, look_steps, theme_in, theme_of_level
from exporters.theme.loader import all_looks, load_theme, worn
from generator.level import Level, PaintedLook
from tests.exporters.reading.editors import editor_of
from tests.exporters.reading.exported import FORMS, exported

LOOKS = {"cold": "keep", "old": "mines"}  # by zone; the mines look like the caverns


@pytest.fixture(scope="module")
def level() -> Level:
    """Rooms by turns without a zone and in two zones, in a level of the hollow."""
    made = generator.generate("gungeon", 3, rooms=7, flow="random", chapter="hollow")
    zones = ("", *LOOKS)
    rooms = tuple(replace(room, zone=zones[room.id % 3]) for room in made.rooms)
    return replace(made, rooms=rooms, facts={**made.facts, **{f"zone.{z}.look": x for z, x in LOOKS.items()}})


@pytest.fixture(scope="module")
def drawn(level: Level) -> tuple[Theme, Layers]:
    return dressed(level, load_theme())


def test_a_sheet_holds_the_looks_one_below_the_other(drawn: tuple[Theme, Layers]) -> None:
    theme, plain = drawn[0], load_theme()
    assert theme.name == "undercroft-hollow-with-caverns-keep" and theme.given_name == "undercroft"
    assert [look.look for look in theme.sheets] == ["hollow", "caverns", "keep"]
    tiles = range(0, plain.columns * plain.rows, 7)
    for number, look in enumerate(("hollow", "caverns", "keep")):
        there = cut_atlas(theme, [tile + number * theme.sheet_tiles for tile in tiles])
        assert np.array_equal(there, cut_atlas(worn(plain, look), tiles))
    assert dressed(generator.generate("isaac", 7), plain)[0] is plain


def test_each_room_and_hallway_has_its_look_and_else_nothing_changes(
    level: Level, drawn: tuple[Theme, Layers]
) -> None:
    theme, layers = drawn
    alone = dress(level, worn(load_theme(), "hollow"))
    steps = look_steps(level, theme)
    wanted = [{"": 0, "cold": 2, "old": 1}[room.zone] for room in level.rooms]
    assert [step // theme.sheet_tiles for step in steps[: len(level.rooms)]] == wanted
    for hallway in level.hallways:
        ends = [level.rooms[level.doors[door].rooms[0]] for door in hallway.doors]
        nearer = min(ends, key=lambda room: (room.distance is None, room.distance or 0, room.id))
        assert steps[len(level.rooms) + hallway.id] == steps[nearer.id]
    owner = owners(level, layers)
    for name, layer, before in zip(layers._fields, layers, alone, strict=True):
        seen = layer != EMPTY
        assert np.array_equal(seen, before != EMPTY)
        ys, xs = np.nonzero((layer != before) & (layer % theme.sheet_tiles != before))
        if name in ("ground", "walls"):  # each look has variants of its own
            assert (np.array(steps)[owner[ys, xs]] > 0).all()
            by_rules = tiles_by_rules(level, theme, name, zip(xs.tolist(), ys.tolist(), strict=True))
            assert all(
                tile % theme.sheet_tiles in tiles for tile, tiles in zip(layer[ys, xs], by_rules, strict=True)
            )
        else:
            assert not len(ys)
        assert np.array_equal(
            layer[seen] // theme.sheet_tiles, np.array(steps)[owner[seen]] // theme.sheet_tiles
        )
    colour = light_colour(level, theme)
    torches = [marker for marker in level.markers if marker.kind == "torch" and marker.room is not None]
    seen_colours = {level.rooms[torch.room or 0].zone: colour(torch) for torch in torches}
    assert seen_colours["cold"] == worn(load_theme(), "keep").light.torch != theme.light.torch
    assert seen_colours[""] == theme.light.torch


def test_every_look_has_its_collisions_brushes_and_animations(drawn: tuple[Theme, Layers]) -> None:
    theme = drawn[0]
    uses = foremost_uses(theme)
    first = {tile: use._replace(tile=0) for tile, use in uses.items() if tile < theme.sheet_tiles}
    for number in (1, 2):
        step = number * theme.sheet_tiles
        there = {tile - step: use for tile, use in uses.items() if 0 <= tile - step < theme.sheet_tiles}
        assert {tile: use._replace(tile=0) for tile, use in there.items()} == first
        assert {
            tile + step for tile in theme.animations if tile < theme.sheet_tiles
        } <= theme.animations.keys()
    text = tileset_file(theme).decode()
    assert 'terrain_set_0/terrain_2/name = "wall_keep"' in text and "metadata/torch_light_caverns" in text
    column, row = theme.at(theme.below[1].walls[255].tiles[0])
    assert f"{column}:{row}/0/terrain = 2\n" in text and f"{column}:{row}/0/physics_layer_0/polygon_0" in text
    three = tileset_file(theme, "3.6").decode()
    assert all(f'/name = "{name}"' in three for name in ("wall", "pit", "wall_caverns", "pit_keep"))
    assert len(wang_sets(theme)) == 3 * len(wang_sets(worn(load_theme(), "hollow")))


@pytest.mark.parametrize("form", sorted(FORMS))
def test_files_are_read_back_as_the_same_level(form: str, level: Level, tmp_path: Path) -> None:
    back = bring_back(exported(level, form, tmp_path))
    assert back.level.fingerprint == level.fingerprint and not back.changes.edits and not back.notes


@pytest.mark.parametrize("form", ["ldtk-one", "scene"])
def test_what_is_painted_in_a_district_comes_home(form: str, level: Level, tmp_path: Path) -> None:
    """A floor of another room kind is kept as the tile of the first look, and drawn in the look there."""
    theme, layers = dressed(level, load_theme())
    room = next(room for room in level.rooms if (room.zone, room.kind) == ("cold", "normal"))
    owner = owners(level, layers)
    free = (owner == room.id) & (layers.walls == EMPTY) & (layers.decor == EMPTY) & (layers.doors == EMPTY)
    below = {*theme.below[1].floors["default"].plain.tiles}
    y, x = next((y, x) for y, x in np.argwhere(free).tolist() if layers.ground[y, x] in below)
    main = exported(level, form, tmp_path)
    other = theme.floors["treasure"].plain.tiles[0]
    edit = editor_of(main, level)
    edit.set_tile(
        "terrain_fixed" if main.suffix == ".ldtk" else "ground",
        (x, y),
        other + look_steps(level, theme)[room.id],
    )
    edit.save()
    back = bring_back(main)
    assert back.level.looks == (PaintedLook("undercroft", "ground", x, y, other),)
    assert dressed(back.level, load_theme())[1].ground[y, x] == other + 2 * theme.sheet_tiles
    again = bring_back(exported(back.level, form, tmp_path / "again"))
    assert again.level.fingerprint == back.level.fingerprint and not again.changes.edits


def test_ldtk_paints_in_each_look(level: Level, drawn: tuple[Theme, Layers], tmp_path: Path) -> None:
    """No tile of a district is placed by hand, and its value for walls means a wall."""
    theme, layers = drawn
    main = exported(level, "ldtk-one", tmp_path)
    project = json.loads(main.read_text())
    layer = {each["__identifier"]: each for each in project["levels"][0]["layerInstances"]}
    terrain, values = (
        layer["Terrain"],
        next(each for each in project["defs"]["layers"] if each["intGridValues"]),
    )
    names = {each["identifier"]: each["value"] for each in values["intGridValues"]}
    assert layer["Terrain_fixed"]["gridTiles"] == []
    y, x = np.argwhere(
        (layers.ground // theme.sheet_tiles == 2) & (layers.walls == EMPTY) & (level.decor == 0)
    )[0]
    assert terrain["intGridCsv"][y * terrain["__cWid"] + x] in {
        names[name] for name in names if "__keep" in name
    }
    terrain["intGridCsv"][y * terrain["__cWid"] + x] = names["wall__keep"]
    main.write_text(json.dumps(project))
    after = bring_back(main).level
    assert after.terrain_kinds[after.terrain[y, x]].name == "wall"
    assert dressed(after, load_theme())[1].walls[y, x] // theme.sheet_tiles == 2


def test_pictures_and_galleries_show_the_looks(level: Level, drawn: tuple[Theme, Layers]) -> None:
    theme, layers = drawn
    data = exporters.export(level, "png", name="x")["x.png"]
    picture = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))
    bare = (layers.walls != EMPTY) & (layers.decor == EMPTY) & (layers.overlay == EMPTY)
    for number in range(3):
        y, x = np.argwhere(bare & (layers.walls // theme.sheet_tiles == number))[0].tolist()
        (tile,) = cut_atlas(theme, [int(layers.walls[y, x])])
        assert np.array_equal(picture[16 * y : 16 * y + 16, 16 * x : 16 * x + 16], tile)
    used = card(level, CardOptions(None, None), "x", "x", "x").used
    names = [look.look for look in all_looks(load_theme())]
    assert {names[tile // theme.sheet_tiles] for tile in used} == {"hollow", "caverns", "keep"}


def test_a_zone_has_a_floor_of_the_theme(level: Level) -> None:
    theme, layers = dressed(replace(level, facts={**level.facts, "zone.cold.floor": "library"}), load_theme())
    plain = dressed(level, load_theme())[1]
    owner = owners(level, layers)
    changed = {level.rooms[number] for number in np.unique(owner[layers.ground != plain.ground]).tolist()}
    assert {room.zone for room in changed} == {"cold"} and {room.kind for room in changed} == {"normal"}
    floor = theme.below[1].floors["library"]
    shown = layers.ground[layers.ground != plain.ground]
    assert {*shown.tolist()} <= {*floor.plain.tiles, *floor.shaded.tiles}


def test_a_theme_with_one_look_draws_it(level: Level, plain: Theme) -> None:
    theme, layers = dressed(level, plain)
    assert theme is plain and all(int(layer.max()) < plain.columns * plain.rows for layer in layers)
    assert theme_of_level(worn(load_theme(), "abyss"), level) is worn(load_theme(), "abyss")


def test_names_of_files_belong_to_the_theme(drawn: tuple[Theme, Layers]) -> None:
    theme = drawn[0]
    assert theme.bears("undercroft-hollow-with-caverns-keep") and theme.bears("undercroft-with-plain")
    assert not theme.bears("undercroft-cellar-7") and not theme.bears("undercroftwith")


def test_a_sheet_that_would_be_too_large_leaves_looks_out() -> None:
    tall = replace(load_theme(), rows=500)
    both = theme_in(tall, LevelLooks("", ("caverns", "keep")))
    assert [look.look for look in both.sheets] == ["", "caverns"]  # 500 rows of 16 px, 16,384 px at most
    assert "look.keep: has no space" in both.stand_ins[-1] and both.left_out == both.stand_ins[-1:]
