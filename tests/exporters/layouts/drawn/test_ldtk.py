"""Projects of LDtk by hand: painted by an IntGrid or with tagged tiles, with entities; and hostile ones."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporters.formats.ldtk.drawn_rooms import ldtk_rooms
from generator.errors import LayoutError
from generator.interiors.drawing_text import layout_of
from generator.interiors.drawings import DrawnFiles, pool_of_room
from generator.kinds import shipped_kit
from tests import hostile

from .files import ROOM, ROWS

VALUES = {"#": 1, ".": 2, "~": 3, "o": 4, "D": 0}
NUMBERS = [VALUES[sign] for row in ROOM.splitlines() for sign in row]


def field(name: str, value: object) -> dict[str, Any]:
    return {"__identifier": name, "__type": "String", "__value": value}


def project() -> dict[str, Any]:
    """A room in two ways: the first painted, the second of tiles; the doors are gaps in both."""
    size = {"__cWid": 9, "__cHei": 7, "__gridSize": 8, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0}
    enemy = {"__identifier": "Enemy", "__pivot": [0.5, 1], "px": [52, 32], "width": 8, "height": 8,
             "fieldInstances": [field("role", "walker"), field("wave", None)]}  # fmt: skip
    tiles = [{"px": [i % 9 * 8, i // 9 * 8], "t": number + 9} for i, number in enumerate(NUMBERS) if number]
    entities = {"__type": "Entities", "__identifier": "Things", **size, "entityInstances": [enemy]}
    grid = {"__type": "IntGrid", "__identifier": "Ground", "layerDefUid": 8, **size}
    painted = {**grid, "intGridCsv": [number or 2 for number in NUMBERS], "gridTiles": []}
    tiled = {"__type": "Tiles", "__identifier": "Tiles", "__tilesetDefUid": 9, **size, "gridTiles": tiles}
    floor = {**grid, "intGridCsv": [0 if number else 2 for number in NUMBERS]}
    facts = [field("kind", "normal"), field("difficulty", "hard"), field("weight", None)]
    return {
        "defs": {
            "layers": [{"uid": 8, "type": "IntGrid", "intGridValues": [
                {"value": 1, "identifier": "Wall"}, {"value": 2, "identifier": "floor_shop"},
                {"value": 3, "identifier": "PIT"}, {"value": 4, "identifier": "rock"}]}],
            "tilesets": [{"uid": 9, "enumTags": [
                {"enumValueId": "Wall", "tileIds": [10]}, {"enumValueId": "floor", "tileIds": [11, 13]},
                {"enumValueId": "Pit", "tileIds": [12]}], "customData": [{"tileId": 13, "data": "decor=rock"}]}],
        },
        "levels": [
            {"identifier": "Painted_room", "fieldInstances": facts, "layerInstances": [entities, painted]},
            {"identifier": "Tiles", "fieldInstances": facts, "layerInstances": [entities, tiled, floor]},
        ],
        "worlds": [],
    }  # fmt: skip


def write(folder: Path, project: dict[str, Any]) -> Path:
    (folder / "rooms.ldtk").write_text(json.dumps(project), "utf-8")
    return folder / "rooms.ldtk"


def read(path: Path) -> list[list[str]]:
    return [list(layout_of(room).rows) for room in ldtk_rooms(path, DrawnFiles(path.parent, shipped_kit()))]


def test_rooms_are_painted_or_made_of_tiles(tmp_path: Path) -> None:
    path = write(tmp_path, project())
    assert read(path) == [ROWS, ROWS]
    rooms = list(ldtk_rooms(path, DrawnFiles(tmp_path, shipped_kit())))
    assert [room.name for room in rooms] == ["Painted-room", "Tiles"]
    assert {pool_of_room(room, on_grid=True) for room in rooms} == {"normal/any/hard"}
    assert {pool_of_room(room, on_grid=False) for room in rooms} == {"normal"}


def test_levels_lie_in_worlds_and_in_files_of_their_own(tmp_path: Path) -> None:
    made = project()
    first, second = made["levels"]
    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms" / "a.ldtkl").write_text(json.dumps(first))
    outer = {"identifier": "Painted_room", "layerInstances": None, "externalRelPath": "rooms/a.ldtkl"}
    path = write(tmp_path, {**made, "levels": [outer], "worlds": [{"levels": [second]}]})
    assert read(path) == [ROWS, ROWS]
    outer["externalRelPath"] = "../a.ldtkl"
    with pytest.raises(LayoutError, match=r"externalRelPath: '\.\./a\.ldtkl' is not a file in"):
        read(write(tmp_path, {**made, "levels": [outer]}))


def test_a_project_may_be_as_large_as_a_thousand_rooms_make_it(tmp_path: Path) -> None:
    """The shipped layouts in one project are 49 MB."""
    path = write(tmp_path, project())
    with path.open("ab") as file:
        file.write(b" " * 49_000_000)
    assert read(path) == [ROWS, ROWS]


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        (("levels",), [], "levels: is empty"),
        (("levels", 0, "layerInstances"), None, "level Painted_room: has no layers"),
        (("levels", 0, "layerInstances", 1, "intGridCsv"), [1], r"intGridCsv: has 1 entries, not 63"),
        (("levels", 0, "layerInstances", 1, "intGridCsv"), [7] * 63, r"tile \(0, 0\): value 7 of the IntGrid"),
        (("levels", 0, "layerInstances", 1, "__cWid"), 10**9, "__cWid: 1000000000 is not a whole number"),
        (("levels", 0, "layerInstances", 0, "entityInstances", 0, "__identifier"), "Enmy", "did you mean enemy"),
        (("levels", 0, "fieldInstances", 0), field("shape", "2x2"), "is 7 x 5 tiles; 2 cells of odd width"),
        (("levels", 0, "fieldInstances", 0), field("mirror", "all"), "level Painted_room: mirror: 'all' is not one"),
        (("levels", 0, "fieldInstances", 0), field("Weight", 2), "'Weight' is not a property .* mean weight"),
        (("defs",), 3, r"defs: 3 is not a table"),
    ],
)  # fmt: skip
def test_damage_is_reported_with_its_place(
    place: tuple[Any, ...], value: object, says: str, tmp_path: Path
) -> None:
    made = copy.deepcopy(project())
    holder: Any = made
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    with pytest.raises(LayoutError, match=says) as caught:
        read(write(tmp_path, made))
    assert str(caught.value).startswith(str(tmp_path / "rooms.ldtk")) and "\n" not in str(caught.value)


@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_whatever_is_odd_is_reported_in_a_line(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = write(tmp_path_factory.getbasetemp(), hostile.changed(data, project()))
    try:
        read(path)
    except LayoutError as error:
        assert "\n" not in str(error) and str(error).startswith(str(path))
