"""Levels that somebody drew in Tiled or LDtk without Undercroft: imported, and then levels like any other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

import exporters
from exporters.reading.drawn import DrawnLevel, drawn_level
from generator.checks import problems
from generator.cli.group import main
from generator.errors import BadInput
from generator.geometry import Rect
from generator.level import Level
from generator.level_file import level_from_dict
from tests import hostile
from tests.exporters.reading.drawn_maps import (
    CRYPT,
    ROOMS,
    Json,
    crypt,
    drawn_object,
    ldtk_entity,
    ldtk_level,
    ldtk_project,
    markers,
    rooms_of,
    tiled_map,
    write_map,
)
from tests.exporters.reading.exported import level_of


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], prog_name="undercroft")


def rows(level: Level) -> list[str]:
    """The terrain as text, without the void around it."""
    signs = {
        "void": " ",
        "wall": "#",
        "hallway": ":",
        "door": "/",
        "pit": "~",
        "floor": ".",
        "rubble": ",",
        "bridge": "=",
    }
    lines = ["".join(signs[level.terrain_kinds[number].name] for number in row) for row in level.terrain]
    kept = [line for line in lines if line.strip()]
    left = min(len(line) - len(line.lstrip()) for line in kept)
    return [line[left:].rstrip() for line in kept]


def as_level(picture: str, rooms: Sequence[tuple[str, Any, Json]], folder: Path, *more: Json) -> DrawnLevel:
    return drawn_level(write_map(folder, tiled_map(picture, [*rooms_of(rooms), *more])), {})


# --- what a drawing says -----------------------------------------------------------------------------


def test_a_map_with_rooms_as_objects_is_a_level(tmp_path: Path) -> None:
    enemy = drawn_object(9, "enemy", (15, 3, 1, 1), role="shooter")
    made = drawn_level(crypt(tmp_path, enemy, drawn_object(8, "Boss", (15, 16, 1, 1))), {})
    level = made.level
    assert (made.notes, problems(level)) == ([], [])
    assert [(room.kind, room.name, room.distance) for room in level.rooms] == [
        ("start", "Hall", 0),
        ("normal", "", 1),
        ("shop", "", 1),
        ("boss", "Throne room", 2),
    ]
    assert [room.bounds[2:] for room in level.rooms] == [box[2:] for _, box, _ in ROOMS]
    assert len(level.hallways) == 4 and len(level.doors) == 8
    assert sorted({door.kind for door in level.doors}) == ["boss", "open"]
    assert rows(level) == [
        "#########  ########", "#.......#  #......#", "#.......####......#", "#......./::/......#",
        "#.......####......#", "#.......#  #......#", "#.......#  #......#", "####/####  ###/####",
        "   #:#       #:#", "   #:#       #:#", "####/####  ###/####", "#.......#  #......#",
        "#..~~...####......#", "#......./::/......#", "#.......####......#", "#.......#  #......#",
        "#.......#  #......#", "#########  ########",
    ]  # fmt: skip
    assert markers(level) == {("player_start", 0), ("enemy", 1), ("boss", 3)}
    (shooter,) = (marker for marker in level.markers if marker.kind == "enemy")
    assert shooter.properties["role"] == "shooter"
    rock = level.kinds.decor_ids["rock"]
    assert np.argwhere(level.decor == rock).tolist() == [
        [level.rooms[0].bounds.y + 5, level.rooms[0].bounds.x + 3]
    ]


@pytest.mark.parametrize(
    ("picture", "rooms", "expected"),
    [
        (  # a wall that two rooms share becomes two, each with the door
            ["#########", "#...#...#", "#.......#", "#...#...#", "#########"],
            [(0, 0, 5, 5), (4, 0, 5, 5)],
            ["##########", "#...##...#", "#...//...#", "#...##...#", "##########"],
        ),
        (  # only floor is drawn: rectangles over it, and walls nowhere
            ["....   ...", "..........", "....   ..."],
            [(0, 0, 4, 3), (7, 0, 3, 3)],
            ["###### #####", "#....###...#", "#..../:/...#", "#....###...#", "###### #####"],
        ),
        (  # rock all round, loose rectangles, and rooms that are no rectangles
            ["#############", "#############", "###..###...##", "##.........##", "##....##...##", "#############"],
            [(0, 0, 7, 6), (7, 0, 6, 6)],
            ["#############", "#############", "###..###...##", "##....//...##", "##....##...##", "#############"],
        ),
        (  # void in the notch of a room, and another room there
            ["####", "#..#####", "#..##..#", "#......#", "#...####", "#####"],
            [(0, 0, 5, 6), (4, 1, 4, 4)],
            ["####", "#..######", "#..###..#", "#...//..#", "#...#####", "#####"],
        ),
    ],
)  # fmt: skip
def test_rooms_are_drawn_in_many_ways(
    picture: list[str], rooms: list[Any], expected: list[str], tmp_path: Path
) -> None:
    named = [("", box, {"kind": "start"} if number == 0 else {}) for number, box in enumerate(rooms)]
    made = as_level("\n".join(picture), named, tmp_path)
    assert problems(made.level) == []
    assert rows(made.level) == expected


TWO = """\
#####  #####
#...#  #...#
#..........#
#...#  #...#
#####  #####"""
TWO_ROOMS: list[tuple[str, Any, Json]] = [("", (0, 0, 5, 5), {"kind": "start"}), ("", (7, 0, 5, 5), {})]


def test_an_object_says_what_a_door_is_and_makes_one_where_there_is_no_gap(tmp_path: Path) -> None:
    wall = ["#####", "#...#", "#...#", "#...#", "#####"]
    picture = "\n".join(f"{row}{row}" for row in wall)
    rooms = [("", (0, 0, 5, 5), {"kind": "start"}), ("", (5, 0, 5, 5), {})]
    door = drawn_object(7, "door", (4, 2, 1, 1))
    (made,) = as_level(picture, rooms, tmp_path, door).level.doors
    assert (made.kind, made.rooms, len(made.tiles)) == ("open", (0, 1), 2)
    locked = drawn_object(7, "door", (4, 2, 2, 1), kind="locked", needs="brass", one_way=True)
    level = as_level(picture.replace("#...##...#", "#........#", 2), rooms, tmp_path, locked).level
    (made,) = level.doors
    assert (made.kind, made.needs, made.one_way, len(made.tiles)) == ("locked", ("brass",), True, 4)


def test_what_a_level_cannot_have_is_told_in_one_line_each(tmp_path: Path) -> None:
    picture = "\n".join([*TWO.split("\n"), "  .", "", "..."])
    picture = picture.replace("#...#  #...#", "#...#  #....", 1)
    things = [
        drawn_object(20, "tree", (1, 1, 1, 1)),
        drawn_object(21, "Tree", (2, 1, 1, 1)),
        drawn_object(22, "chest", (6, 0, 1, 1)),
        drawn_object(23, "door", (2, 2, 1, 1)),
        drawn_object(24, "", (2, 2, 1, 1)),
        drawn_object(25, "note", (2, 2, 1, 1)),
    ]
    rooms = [
        (TWO_ROOMS[0][0], TWO_ROOMS[0][1], {"kind": "start", "music": "slow"}),
        ("x" * 65, *TWO_ROOMS[1][1:]),
    ]
    made = as_level(picture, rooms, tmp_path, *things)
    assert problems(made.level) == [] and len(made.level.hallways) == 1
    path = tmp_path / "crypt.tmj"
    assert sorted(made.notes) == sorted(
        [
            f"{path}: object 2 (room): its name is left out: it is not one line of 64 characters",
            "left out: 4 tiles of floor in no room that join no two, the first at 2,5",
            "closed: 1 tile of floor in walls, with nothing behind, the first at 11,1",
            "left out: 2 objects of the class 'tree', which is no kind of marker",
            "left out: 1 object without a class",
            "left out: properties that rooms of a level do not have: music",
            "left out: 1 object of the class 'chest' where none can be",
            f"{path}: object 23 (door): left out: it is in no wall; put it over the wall of a room, before its "
            "floor and a room or hallway",
        ]
    )


@pytest.mark.parametrize(
    ("picture", "boxes", "crossing", "expected"),
    [
        (
            ["#####  #####", "#...#  #...#", "#..........#", "#..........#", "#...#..#...#", "#####..#####",
             "     ..", "    #..#", "    #..#", "    #..#", "    ####"],
            [(0, 0, 5, 6), (7, 0, 5, 6), (4, 7, 4, 4)],
            "5,2",
            ["#####    #####", "#...######...#", "#...//..//...#", "#...//..//...#", "#...##..##...#", "######//######",
             "     #::#", "     #//#", "     #..#", "     #..#", "     ####"],
        ),
        (
            ["####         ####", "#..#         #..#", "#...............#", "#..#  . . .  #..#", "####  . . .  ####",
             "      . . .", "     #.#.#.#", "     #.#.#.#", "     #.#.#.#", "     #######"],
            [(0, 0, 4, 5), (13, 0, 4, 5), (5, 6, 3, 4), (7, 6, 3, 4), (9, 6, 3, 4)],
            "6,2 and 2 more",
            ["####           ####", "#..#############..#", "#../:/.//.//./:/..#", "#..###/##/##/###..#", "#### #:##:##:# ####",
             "     #:##:##:#", "     #/##/##/#", "     #.##.##.#", "     #.##.##.#", "     #########"],
        ),
        (  # rooms on both sides of a wide hallway
            ["####  ####", "#..#  #..#", "##.####.##", "  ......  ", "  ......  ", "####.#####", "   #..#", "   ####"],
            [(0, 0, 4, 3), (6, 0, 4, 3), (3, 5, 4, 3)],
            "2,3",
            ["####   ####", "#..#   #..#", "##/#   #/##", " #/#####:#", " #..../::#", " #..../::#", " ###/#####",
             "   #/##", "   #..#", "   ####"],
        ),
    ],
)  # fmt: skip
def test_where_hallways_cross_there_is_a_room(
    picture: list[str], boxes: list[Any], crossing: str, expected: list[str], tmp_path: Path
) -> None:
    rooms = [("", box, {} if number else {"kind": "start"}) for number, box in enumerate(boxes)]
    made = as_level("\n".join(picture), rooms, tmp_path)
    print("\n".join(rows(made.level)), made.notes)
    assert problems(made.level) == []
    assert rows(made.level) == expected
    assert made.notes == [f"the crossing at {crossing}: made a room there, because a hallway joins two rooms"]


def test_the_player_starts_in_the_start_room_or_that_room_is_the_start(tmp_path: Path) -> None:
    rooms: list[tuple[str, Any, Json]] = [("", box, {}) for _, box, _ in TWO_ROOMS]
    made = as_level(TWO, rooms, tmp_path, drawn_object(9, "PlayerStart", (9, 2, 1, 1)))
    assert [room.kind for room in made.level.rooms] == ["start", "normal"]
    assert made.level.rooms[0].bounds.x > made.level.rooms[1].bounds.x and problems(made.level) == []
    made = as_level(TWO, rooms, tmp_path)
    assert made.notes == ["no room has the kind start; give it to the room where the player begins"]
    assert {problem.check for problem in problems(made.level)} == {"one-start"}


def test_lights_hang_on_walls_or_stand_on_the_floor(tmp_path: Path) -> None:
    places = {21: ("torch", 2, 0), 22: ("torch", 2, 2), 23: ("fire", 1, 1), 24: ("torch", 5, 1)}
    things = [drawn_object(number, kind, (x, y, 1, 1)) for number, (kind, x, y) in places.items()]
    picture = TWO.replace("#...#  #...#", "#...####...#")
    made = as_level(picture, TWO_ROOMS, tmp_path, *things)
    assert made.notes == ["left out: 1 object of the class 'torch' where none can be"]
    assert problems(made.level) == []
    assert markers(made.level) == {("player_start", 0), ("torch", 0), ("fire", 0), ("torch", None)}


# --- what its tiles mean -----------------------------------------------------------------------------


def mute(folder: Path, **tileset: Any) -> Json:
    """A map whose tiles say nothing themselves."""
    map_ = tiled_map(TWO, rooms_of(TWO_ROOMS))
    bare = {key: value for key, value in map_["tilesets"][0].items() if key != "tiles"}
    return {**map_, "tilesets": [{**bare, **tileset}]}


def layered(**names: Json) -> list[Json]:
    """The layers of a map, with a layer for the walls and one for the floor."""
    tiles, things = tiled_map(TWO, rooms_of(TWO_ROOMS))["layers"]
    return [
        {**tiles, "data": [number if number == wanted else 0 for number in tiles["data"]], **more}
        for wanted, more in ((1, names["walls"]), (2, names["floor"]))
    ] + [things]


def test_tiles_mean_what_their_terrain_set_says(tmp_path: Path) -> None:
    ids = {0: [1] * 8, 1: [2, 0, 2, 2, 2, 1, 1, 1]}
    wang = {"name": "Ground", "type": "mixed", "tile": -1, "colors": [{"name": "Wall"}, {"name": "Floor"}],
            "wangtiles": [{"tileid": tile, "wangid": row} for tile, row in ids.items()]}  # fmt: skip
    assert problems(drawn_level(write_map(tmp_path, mute(tmp_path, wangsets=[wang])), {}).level) == []


@pytest.mark.parametrize(
    "layers",
    [
        {"walls": {"name": "Walls"}, "floor": {"name": "Floor"}},
        {"walls": {"class": "wall"}, "floor": {"class": "floor"}},
        {
            key: {"properties": [{"name": "terrain", "type": "string", "value": key}]}
            for key in ("walls", "floor")
        },
    ],
)
def test_tiles_mean_what_their_layer_says(layers: dict[str, Json], tmp_path: Path) -> None:
    path = write_map(tmp_path, {**mute(tmp_path), "layers": layered(**layers)})
    assert rows(drawn_level(path, {}).level) == rows(as_level(TWO, TWO_ROOMS, tmp_path).level)


def test_tiles_mean_what_an_option_says(tmp_path: Path) -> None:
    path = write_map(tmp_path, mute(tmp_path))
    done = run("import", path, "--out", tmp_path / "out")
    said = "tile 0 of mine has no terrain; give it the class wall, floor, pit or the name of a thing in Tiled"
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1) and said in done.stderr
    meanings = ["--meaning", "mine:0=wall", "--meaning", "mine:1=floor"]
    assert run("import", path, *meanings, "--out", tmp_path / "out").exit_code == 0
    layers = layered(walls={"name": "back"}, floor={"name": "front"})
    write_map(tmp_path, {**mute(tmp_path), "layers": layers})
    meanings = ["--meaning", "back=wall", "--meaning", "front=floor"]
    assert run("import", path, *meanings, "--out", tmp_path / "out").exit_code == 0
    done = run("import", path, "--meaning", "back=wal", "--out", tmp_path / "out")
    assert done.exit_code == 2 and "meaning: back=wal: no terrain or decor; did you mean wall?" in done.stderr


# --- LDtk --------------------------------------------------------------------------------------------

LDTK_HALL = "#####\n#...#\n#....\n#...#\n#####"
LDTK_CELL = "#####\n#...#\n....#\n#.o.#\n#####"


def write_project(folder: Path, project: Json) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "crypt.ldtk").write_text(json.dumps(project), "utf-8")
    return folder / "crypt.ldtk"


def test_each_level_of_ldtk_is_a_room(tmp_path: Path) -> None:
    chest = ldtk_entity("Chest", (3, 1, 1, 1), tier="gold")
    project = ldtk_project(
        ldtk_level("Great_hall", (-3, 2), LDTK_HALL, kind="start"),
        ldtk_level("Level_1", (2, 2), LDTK_CELL, chest),
    )
    made = drawn_level(write_project(tmp_path, project), {})
    assert (made.notes, problems(made.level)) == ([], [])
    assert [(room.kind, room.name) for room in made.level.rooms] == [("start", "Great hall"), ("normal", "")]
    assert rows(made.level) == ["##########", "#...##...#", "#...//...#", "#...##...#", "##########"]
    assert markers(made.level) == {("player_start", 0), ("chest", 1)}


def test_entities_are_the_rooms_of_one_level_of_ldtk(tmp_path: Path) -> None:
    rooms = [
        ldtk_entity("Room", (0, 0, 9, 8), kind="start", name="Hall"),
        *(ldtk_entity("Room", box) for _, box, _ in ROOMS[1:]),
        ldtk_entity("Player_start", (2, 2, 1, 1)),
    ]
    made = drawn_level(
        write_project(tmp_path, ldtk_project(ldtk_level("Level_0", (0, 0), CRYPT, *rooms))), {}
    )
    assert (made.notes, problems(made.level)) == ([], [])
    assert rows(made.level) == rows(drawn_level(crypt(tmp_path), {}).level)
    assert made.level.rooms[0].name == "Hall"


def test_values_of_ldtk_mean_what_an_option_says(tmp_path: Path) -> None:
    """In many projects only walls are painted, and the floor is where the IntGrid is empty."""
    hall, cell = LDTK_HALL.replace(".", " "), LDTK_CELL.replace(".", " ")
    levels = ldtk_level("Hall", (0, 0), hall, kind="start"), ldtk_level("Cell", (5, 0), cell)
    path = write_project(tmp_path, ldtk_project(*levels, values=[None, "floor", "pit", "rock", "door"]))
    with pytest.raises(BadInput, match="value 1 of the IntGrid has no terrain"):
        drawn_level(path, {})
    made = drawn_level(path, {"Collisions:0": "floor", "Collisions:1": "wall"})
    assert problems(made.level) == [] and len(made.level.doors) == 1


SLANTED = [{"x": 0, "y": 0}, {"x": 80, "y": 70}, {"x": 0, "y": 80}]


# --- refusals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("map_", "said"),
    [
        (tiled_map(TWO, []), "has no room; draw a rectangle of the class room over each room"),
        (tiled_map(TWO, rooms_of([("", (40, 0, 5, 5), {})])), "object 1 (room): is outside of all tiles"),
        (tiled_map(TWO, rooms_of([("", (5, 0, 2, 2), {})])), "object 1 (room): there is no floor in it"),
        (
            tiled_map(TWO, rooms_of([("", (0, 0, 5, 5), {"kind": "stat"})])),
            "object 1 (room): kind: 'stat' is not a kind of room; did you mean start?",
        ),
        (
            tiled_map(TWO, rooms_of([*TWO_ROOMS, ("", (1, 1, 3, 3), {})])),
            "object 3 (room): overlaps object 1 (room) at 0,0; draw them apart",
        ),
        (
            tiled_map(TWO, rooms_of([("", (0, 0, 5, 5), {"difficulty": "hard"})])),
            "object 1 (room): left out: difficulty: 'hard' is not one of the level's",
        ),
        (
            tiled_map(TWO, [{**drawn_object(4, "room", (0, 0, 5, 5)), "polygon": SLANTED}]),
            "object 4 (room): a side of its polygon runs across tiles",
        ),
        (tiled_map(TWO, rooms_of(TWO_ROOMS), orientation="isometric"), "only orthogonal maps can be read"),
        (tiled_map(" ", rooms_of(TWO_ROOMS)), "has no tiles; draw its rooms"),
    ],
)  # fmt: skip
def test_what_is_no_level_is_refused_in_one_line(map_: Json, said: str, tmp_path: Path) -> None:
    done = run("import", write_map(tmp_path, map_), "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert said in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_maps_of_hostile_size_are_refused_before_they_are_made(tmp_path: Path) -> None:
    far = [{"x": x, "y": x, "width": 1, "height": 1, "data": [2]} for x in (0, 1 << 19)]
    wide = [{"x": x, "y": x, "width": 1, "height": 1, "data": [2]} for x in (0, 4000)]
    for chunks, said in ((far, "each side can be at most 4096"), (wide, "brings all layers to more than")):
        layer = {"type": "tilelayer", "name": "a", "chunks": chunks}
        map_ = tiled_map(TWO, rooms_of(TWO_ROOMS), infinite=True)
        done = run(
            "import", write_map(tmp_path, {**map_, "layers": [layer, map_["layers"][1]]}), "--out", tmp_path
        )
        assert done.exit_code == 2 and said in done.stderr and done.stderr.count("\n") == 1
    rooms = [drawn_object(number, "room", (0, 0, 3, 3)) for number in range(4097)]
    done = run("import", write_map(tmp_path, tiled_map(TWO, rooms)), "--out", tmp_path)
    assert done.exit_code == 2 and "draw at most 4096" in done.stderr
    burning = tiled_map("\n".join(["o" * 260] * 260), rooms_of([("", (0, 0, 260, 260), {})]))
    burning["tilesets"] = [{**burning["tilesets"][0], "tiles": [{"id": 3, "type": "fire"}]}]
    done = run("import", write_map(tmp_path, burning), "--out", tmp_path)
    assert done.exit_code == 2 and "has 67600 markers; draw at most 65536" in done.stderr
    levels = [ldtk_level(f"Level_{x}", (x, x), "#.#") for x in (0, 5000)]
    done = run("import", write_project(tmp_path, ldtk_project(*levels)), "--out", tmp_path)
    assert done.exit_code == 2 and "each side can be at most 4096" in done.stderr


# --- our own exports, without all that says so -------------------------------------------------------


@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
@pytest.mark.parametrize("program", ["tiled", "ldtk"])
def test_an_export_without_all_that_is_ours_has_the_same_rooms_doors_and_tiles(
    style: str, program: str, tmp_path: Path
) -> None:
    level = level_of(style)
    exporters.export(
        level, program, name="x", options={"ldtk.levels": "rooms"} if program == "ldtk" else None
    ).write(tmp_path, edits=None)
    path = tmp_path / ("x.tmj" if program == "tiled" else "x.ldtk")
    path.write_text(json.dumps(stripped(json.loads(path.read_text()))))
    made = drawn_level(path, {}).level
    dx, dy = (made.rooms[0].bounds[axis] - level.rooms[0].bounds[axis] for axis in (0, 1))

    def moved(rect: Rect) -> Rect:
        return rect._replace(x=rect.x + dx, y=rect.y + dy)

    assert [room.bounds for room in made.rooms] == [moved(room.bounds) for room in level.rooms]
    doors = {frozenset((x + dx, y + dy) for x, y in door.tiles) for door in level.doors}
    assert {frozenset(door.tiles) for door in made.doors} == doors
    assert rows(made) == rows(level)
    assert {problem.check for problem in problems(made)} <= {"one-start"}


def stripped(table: Json) -> Json:
    """Leave the tiles, and where rooms are."""
    if "levels" in table:
        bare = [
            {**level, "fieldInstances": [], "layerInstances": [
                {**layer, "entityInstances": []} for layer in level["layerInstances"]]}
            for level in table["levels"]
        ]  # fmt: skip
        return {**table, "levels": bare}
    layers = [layer for layer in table["layers"] if layer["type"] == "tilelayer" or layer["name"] == "Rooms"]
    for layer in layers:
        for item in layer.get("objects", ()):
            item.pop("properties", None)
            item["name"] = ""
    return {
        **{key: value for key, value in table.items() if key not in ("properties", "undercroft")},
        "layers": layers,
    }


ODD = {
    "odd.tmj": tiled_map(TWO, [*rooms_of(TWO_ROOMS), drawn_object(7, "door", (4, 2, 1, 1), kind="locked"),
                               drawn_object(8, "chest", (9, 2, 1, 1), tier="gold"), drawn_object(9, "torch", (2, 0, 1, 1))]),
    "odd.ldtk": ldtk_project(ldtk_level("Hall", (0, 0), LDTK_HALL, ldtk_entity("Chest", (2, 1, 1, 1)), kind="start"),
                             ldtk_level("Cell", (5, 0), LDTK_CELL, ldtk_entity("Door", (0, 2, 1, 1), kind="locked"))),
}  # fmt: skip


@given(data=st.data())
@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("name", ODD)
def test_whatever_is_odd_is_a_level_or_reported_in_a_line(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_text(json.dumps(hostile.changed(data, ODD[name])), "utf-8")
    try:
        made = drawn_level(path)
    except BadInput as error:
        assert "\n" not in str(error) and str(error).startswith(str(path))
    else:
        assert all("\n" not in line for line in made.notes)
        problems(made.level)
        assert level_from_dict(made.level.to_dict()) == made.level
