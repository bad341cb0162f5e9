"""Several maps as one drawing: worlds of Tiled, the levels of LDtk that are in a line, and what is left out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from exporters.reading.drawn import drawn_level
from exporters.theme.loader import load_theme
from generator.checks import problems
from generator.cli.group import main
from generator.errors import BadInput
from tests import hostile
from tests.exporters.reading.drawn_maps import (
    PX,
    TILESET,
    Json,
    drawn_object,
    ldtk_entity,
    ldtk_level,
    ldtk_project,
    markers,
    rooms_of,
    tiled_map,
    write_map,
)
from tests.exporters.reading.test_drawn_levels import (
    LDTK_CELL,
    LDTK_HALL,
    TWO,
    TWO_ROOMS,
    rows,
    write_project,
)

TOGETHER = ["##########", "#...##...#", "#...//...#", "#...##...#", "##########"]


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], prog_name="undercroft")


def started(map_: Json) -> Json:
    """Make a map that of the start room."""
    return {**map_, "properties": [{"name": "kind", "type": "string", "value": "start"}]}


def world(folder: Path, *maps: tuple[str, int, int], **more: Any) -> Path:
    """Write a world of two maps that face each other, at places in px."""
    write_map(folder, started(tiled_map(LDTK_HALL, [])), "Great_hall.tmj")
    write_map(folder, tiled_map(LDTK_CELL, [drawn_object(3, "chest", (3, 1, 1, 1))]), "map1.tmj")
    listed = [{"fileName": name, "x": x, "y": y} for name, x, y in maps]
    (folder / "crypt.world").write_text(json.dumps({"maps": listed, "type": "world", **more}))
    return folder / "crypt.world"


def test_each_map_of_a_world_is_a_room(tmp_path: Path) -> None:
    path = world(tmp_path, ("Great_hall.tmj", -48, 32), ("map1.tmj", 32, 32))
    made = drawn_level(path)
    assert (made.notes, problems(made.level)) == ([], [])
    assert [(room.kind, room.name) for room in made.level.rooms] == [
        ("start", "Great hall"),
        ("normal", "map1"),
    ]
    assert rows(made.level) == TOGETHER
    assert markers(made.level) == {("player_start", 0), ("chest", 1)}
    assert {source.name for source in made.sources} == {"crypt.world", "Great_hall.tmj", "map1.tmj"}
    done = run("import", path, "--to", "tiled", "--out", tmp_path / "game")
    assert (done.exit_code, done.stderr) == (0, "")
    assert run("check", path).exit_code == 0


def test_objects_are_the_rooms_of_a_world(tmp_path: Path) -> None:
    path = world(tmp_path, ("Great_hall.tmj", 0, 0), ("map1.tmj", 80, 0))
    hall, cell = rooms_of([("Hall", (0, 0, 5, 5), {"kind": "start"}), ("", (0, 0, 5, 5), {})])
    music = [{"name": "music", "type": "string", "value": word} for word in ("slow", "fast")]
    write_map(tmp_path, tiled_map(LDTK_HALL, [hall], properties=music[:1]), "Great_hall.tmj")
    write_map(tmp_path, tiled_map(LDTK_CELL, [cell], properties=music[1:]), "map1.tmj")
    made = drawn_level(path)
    assert (made.level.facts["music"], made.notes) == (
        "slow",
        ["left out: 1 differing map value: music=fast"],
    )
    assert rows(made.level) == TOGETHER and problems(made.level) == []
    assert [room.name for room in made.level.rooms] == ["Hall", ""]


@pytest.mark.parametrize(
    ("maps", "more", "said"),
    [
        ([], {}, "crypt.world: maps: is empty; add a map for each room"),
        ([("gone.tmj", 0, 0)], {}, "crypt.world: maps[0].fileName: 'gone.tmj' is not a file in"),
        ([("../x.tmj", 0, 0)], {}, "crypt.world: maps[0].fileName: '../x.tmj' is not a file in"),
        ([("crypt.world", 0, 0)], {}, "maps[0].fileName: 'crypt.world': is not a map; give one that ends in"),
        ([("map1.tmj", 7, 0)], {}, "crypt.world: maps[0]: lies between tiles of 16 x 16 px; move it onto"),
        ([("map1.tmj", 0, 0), ("map1.tmj", 160000, 0)], {}, "maps: cover 10005 x 5 tiles; each side can"),
        ([("map1.tmj", 0, 0), ("large.tmj", 0, 0)], {}, "maps: have tiles of 16 x 16 and 32 x 32 px; use one"),
        ([], {"patterns": [{"regexp": "(a*)*"}]}, "patterns: are not read; list each map under maps"),
    ],
)  # fmt: skip
def test_a_world_that_is_no_level_is_refused_in_one_line(
    maps: list[Any], more: Json, said: str, tmp_path: Path
) -> None:
    path = world(tmp_path / "in", *maps, **more)
    write_map(tmp_path / "in", tiled_map(LDTK_CELL, [], tilewidth=32, tileheight=32), "large.tmj")
    done = run("import", path, "--out", tmp_path / "out")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1) and said in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("layout", "second", "expected"),
    [
        ("LinearHorizontal", LDTK_CELL, TOGETHER),
        (  # the gaps are at other heights
            "LinearHorizontal",
            "#####\n#####\n#####\n....#\n#...#\n#####",
            ["     #####", "##########", "#...######", "#...//...#", "#...##...#", "##########"],
        ),
        (
            "LinearVertical",
            "##.##\n#...#\n#...#\n#####",
            ["#####", "#...#", "#...#", "#...#", "##/##", "##/##", "#...#", "#...#", "#####"],
        ),
    ],
)  # fmt: skip
def test_levels_of_ldtk_in_a_line_are_rooms_one_after_the_other(
    layout: str, second: str, expected: list[str], tmp_path: Path
) -> None:
    first = LDTK_HALL if layout == "LinearHorizontal" else "#####\n#...#\n#...#\n#...#\n##.##"
    levels = [
        {**ldtk_level(name, (0, 0), picture, **fields), "worldX": -1, "worldY": -1}
        for name, picture, fields in (("Hall", first, {"kind": "start"}), ("Cell", second, {}))
    ]
    project = ldtk_project(*levels, layout=layout)
    made = drawn_level(write_project(tmp_path, project))
    assert (rows(made.level), problems(made.level)) == (expected, [])
    inside = {"worldLayout": None, "worlds": [{"worldLayout": layout, "levels": levels}], "levels": []}
    assert drawn_level(write_project(tmp_path, {**project, **inside})).level == made.level


def test_levels_of_two_worlds_are_not_one_level(tmp_path: Path) -> None:
    one = {"worldLayout": "Free", "levels": [ldtk_level("Hall", (0, 0), LDTK_HALL, kind="start")]}
    project = {**ldtk_project(), "worlds": [one, one]}
    with pytest.raises(BadInput, match="worlds: 2 of them have levels; keep the rooms of one level in one"):
        drawn_level(write_project(tmp_path, project))


# --- what is left out --------------------------------------------------------------------------------


def test_what_a_level_does_not_take_over_of_a_map_is_told(tmp_path: Path) -> None:
    tiles = [*TILESET["tiles"], {"id": 5, "type": "floor"}]
    map_ = tiled_map(TWO, rooms_of(TWO_ROOMS), tilesets=[{**TILESET, "tiles": tiles}])
    numbers = map_["layers"][0]["data"]
    numbers[numbers.index(2)] = 6
    numbers[numbers.index(1)] = 1 | 0x8000_0000
    map_["layers"].append({"type": "imagelayer", "name": "Sky", "id": 9, "image": "sky.png"})
    template = {"type": "template", "object": {"type": "chest", "width": 16, "height": 16}}
    (tmp_path / "chest.tj").write_text(json.dumps(template))
    map_["layers"][1]["objects"].append({"id": 9, "template": "chest.tj", "x": 2 * PX, "y": 2 * PX})
    made = drawn_level(write_map(tmp_path, map_))
    assert made.notes == [
        "left out: 1 image layer: Sky",
        "left out: 1 template link: chest.tj",
        "left out: how tiles look (2 tiles mean wall, 2 tiles mean floor); exports are drawn with a theme",
    ]
    assert markers(made.level) == {("player_start", 0), ("chest", 0)}


def test_what_a_level_does_not_take_over_of_a_project_is_told(tmp_path: Path) -> None:
    level = ldtk_level("Hall", (0, 0), LDTK_HALL, ldtk_entity("Chest", (2, 2, 1, 1)), kind="start")
    grid = level["layerInstances"][1]
    level["layerInstances"].append({**grid, "__type": "AutoLayer", "__identifier": "Moss"})
    made = drawn_level(write_project(tmp_path, ldtk_project({**level, "bgRelPath": "sky.png"})))
    assert made.notes[-2:] == ["left out: 1 background picture: Hall", "left out: 1 auto-layer: Moss"]


# --- a theme says what its tiles are -----------------------------------------------------------------


def themed(folder: Path, image: bytes, name: str = "mine.png") -> Path:
    """A map of the built-in theme's tiles that say nothing themselves."""
    theme = load_theme()
    wall, floor = theme.walls[0].tiles[0], theme.floors["default"].plain.tiles[0]
    map_ = tiled_map(TWO, rooms_of(TWO_ROOMS))
    numbers = {1: 1 + wall, 2: 1 + floor, 0: 0}
    map_["layers"][0]["data"] = [numbers[number] for number in map_["layers"][0]["data"]]
    sheet = {"firstgid": 1, "name": "mine", "columns": theme.columns, "tilewidth": theme.tile_size,
             "margin": theme.margin, "spacing": theme.spacing, "image": name}  # fmt: skip
    path = write_map(folder, {**map_, "tilesets": [sheet]})
    (folder / "mine.png").write_bytes(image)
    return path


def test_tiles_mean_what_a_theme_says(tmp_path: Path) -> None:
    theme = load_theme()
    path = themed(tmp_path, theme.image)
    with pytest.raises(BadInput, match="has no terrain"):
        drawn_level(path)
    made = drawn_level(path, theme=theme)
    assert problems(made.level) == [] and len(made.level.hallways) == 1
    with pytest.raises(BadInput, match="has no terrain"):
        drawn_level(themed(tmp_path, b"another picture"), theme=theme)
    with pytest.raises(BadInput, match="has no terrain"):
        drawn_level(themed(tmp_path, theme.image, "\0.png"), theme=theme)


def test_tiles_of_ldtk_mean_what_a_theme_says(tmp_path: Path) -> None:
    theme = load_theme()
    wall, floor = theme.walls[0].tiles[0], theme.floors["default"].plain.tiles[0]
    level = ldtk_level("Hall", (0, 0), LDTK_HALL, kind="start")
    grid = level["layerInstances"].pop()
    places = [(x, y, LDTK_HALL.split("\n")[y][x]) for y in range(5) for x in range(5)]
    tiles = [{"px": [x * PX, y * PX], "t": {"#": wall, ".": floor}[sign]} for x, y, sign in places]
    level["layerInstances"].append({**grid, "__type": "Tiles", "__tilesetDefUid": 7, "gridTiles": tiles})
    project = ldtk_project(level)
    project["defs"]["tilesets"] = [{"uid": 7, "relPath": "mine.png", "__cWid": theme.columns, "tileGridSize": PX,
                                    "padding": 0, "spacing": 0}]  # fmt: skip
    path = write_project(tmp_path, project)
    (tmp_path / "mine.png").write_bytes(theme.image)
    with pytest.raises(BadInput, match="has no terrain"):
        drawn_level(path)
    assert rows(drawn_level(path, theme=theme).level)[1:3] == ["#...#", "#...#"]


def test_import_asks_the_theme_that_it_is_given_and_the_one_of_the_files(tmp_path: Path) -> None:
    theme, folder = Path(__file__).parents[3] / "exporters" / "themes", tmp_path / "look"
    folder.mkdir()
    text = (theme / "undercroft.toml").read_text().replace('name = "undercroft"', 'name = "crypts"')
    (folder / "crypts.toml").write_text(text)
    for image in theme.glob("*.png"):
        shutil.copy(image, folder)
    path = themed(tmp_path / "drawn", (theme / "undercroft.png").read_bytes())
    out = tmp_path / "game"
    assert run("import", path, "--to", "png", "--out", out).exit_code == 2
    done = run("import", path, "--to", "png", "--theme", folder / "crypts.toml", "--out", out)
    assert done.exit_code == 0, done.stderr
    assert run("import", path, "--out", out).exit_code == 0


@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_whatever_is_odd_in_a_world_is_a_level_or_reported_in_a_line(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = world(tmp_path_factory.getbasetemp() / "odd", ("Great_hall.tmj", 0, 0), ("map1.tmj", 80, 0))
    path.write_text(json.dumps(hostile.changed(data, json.loads(path.read_text()))), "utf-8")
    try:
        made = drawn_level(path)
    except BadInput as error:
        assert "\n" not in str(error) and str(error).startswith(str(path))
    else:
        assert all("\n" not in line for line in made.notes)
        problems(made.level)
