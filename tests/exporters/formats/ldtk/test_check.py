"""`undercroft check FILE.ldtk`: whatever LDtk takes without a word and does wrong later is named, with its place."""

from __future__ import annotations

import copy
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exporters.formats.ldtk.check import problems
from exporters.formats.ldtk.check_values import MAX_PROBLEMS
from generator.cli import main
from generator.errors import BadInput

from .conftest import Case
from .reader import Json

Change = Callable[[Json], object]


def layer(root: Json, name: str, level: int = 0) -> Json:
    found = [each for each in root["levels"][level]["layerInstances"] if each["__identifier"] == name]
    assert isinstance(found[0], dict)
    return found[0]


def layer_def(root: Json, name: str) -> Json:
    found = [each for each in root["defs"]["layers"] if each["identifier"] == name]
    assert isinstance(found[0], dict)
    return found[0]


def first_rule(root: Json) -> Json:
    found: Json = layer_def(root, "Terrain")["autoRuleGroups"][0]["rules"][0]
    return found


def door(root: Json, level: int = 0) -> Json:
    found = [
        each for each in layer(root, "Entities", level)["entityInstances"] if each["__identifier"] == "Door"
    ]
    assert isinstance(found[0], dict)
    return found[0]


def field(holder: Json, name: str) -> Json:
    found = [each for each in holder["fieldInstances"] if each["__identifier"] == name]
    assert isinstance(found[0], dict)
    return found[0]


def enemy_field(root: Json, name: str) -> Json:
    for level in root["levels"]:
        for entity in level["layerInstances"][0]["entityInstances"]:
            if entity["__identifier"] == "Enemy":
                return field(entity, name)
    raise AssertionError


def put(place: Callable[[Json], Any], key: object, value: object) -> Change:
    """Set a key of what is found in the project."""
    return lambda root: place(root).__setitem__(key, value)


def _levels(root: Json) -> Any:
    return root["levels"]


def _level(root: Json) -> Any:
    return root["levels"][0]


def _terrain(root: Json) -> Any:
    return layer(root, "Terrain")


def _tile(root: Json) -> Any:
    return layer(root, "Terrain")["autoLayerTiles"][0]


def _decor(root: Json) -> Any:
    return next(each for i in range(9) for each in layer(root, "Decor", i)["gridTiles"])


def _tileset(root: Json) -> Any:
    return root["defs"]["tilesets"][0]


def _root(root: Json) -> Any:
    return root


def _same_depth(root: Json) -> None:
    """A level is put over its neighbour."""
    for key in ("worldX", "worldY"):
        root["levels"][1][key] = root["levels"][0][key]


def _kill(root: Json) -> None:
    """A fixed tile where a rule draws."""
    tile = copy.deepcopy(_tile(root))
    layer(root, "Terrain_fixed")["gridTiles"] = [{**tile, "d": [tile["d"][1]]}]


BROKEN: dict[str, tuple[Change, str]] = {
    # accepted but wrong: nothing warns
    "level uid twice": (
        put(lambda r: r["levels"][1], "uid", 1),
        r"levels\[1\].uid: 1 is also the uid of defs.layers",
    ),
    "same level uid": (
        lambda root: root["levels"][1].update(uid=root["levels"][0]["uid"]),
        r"levels\[1\].uid: \d+ is also the uid of levels\[0\].uid",
    ),
    "same level iid": (
        lambda root: root["levels"][1].update(iid=root["levels"][0]["iid"]),
        r"levels\[1\].iid: '.*' is also the iid of levels\[0\].iid",
    ),
    "same entity iid": (
        lambda root: door(root, 1).update(iid=door(root)["iid"]),
        r"entityInstances\[\d+\].iid: '.*' is also the iid of levels\[0\]",
    ),
    "nextUid too low": (put(_root, "nextUid", 5), r"^nextUid: 5 is not above the highest uid"),
    "IntGrid too short": (
        lambda root: _terrain(root)["intGridCsv"].pop(),
        r"intGridCsv: has 134 values, not 135",
    ),
    "IntGrid too long": (lambda root: _terrain(root)["intGridCsv"].append(0), r"has 136 values, not 135"),
    "IntGrid in tiles": (put(lambda r: layer(r, "Decor"), "intGridCsv", [0]), r"has 1 values, not 0"),
    "tile outside of the tileset": (
        put(_decor, "t", 99_999),
        r"gridTiles\[0\]: 99999 is not a tile of the layer's tileset",
    ),
    "rule's tile outside": (
        put(first_rule, "tileRectsIds", [[99_999]]),
        r"99999 is not a tile of the tileset, which has",
    ),
    "stale neighbours": (
        lambda root: _level(root)["__neighbours"].pop(),
        r"levels\[0\].__neighbours: do not contain '.* \w+'; LDtk keeps a stale list",
    ),
    "neighbour on the wrong side": (
        lambda root: _level(root)["__neighbours"][0].update(dir="se"),
        r"__neighbours: do not contain .* and contain ",
    ),
    "stale __worldX": (put(door, "__worldX", 3), r"__worldX: 3 should be \d+; LDtk keeps a stale value"),
    "stale __grid": (put(door, "__grid", [0, 1]), r"__grid: \[0, 1\] should be"),
    "stale __cWid": (put(_terrain, "__cWid", 16), r"__cWid: 16 should be 15"),
    "stale offset": (
        put(lambda r: layer(r, "Stone_above"), "__pxTotalOffsetY", 0),
        r"__pxTotalOffsetY: 0 should be -16",
    ),
    "stale __identifier": (
        put(_terrain, "__identifier", "Earth"),
        r"__identifier: 'Earth' should be 'Terrain'",
    ),
    "stale __value": (
        lambda root: enemy_field(root, "wave").update(__value=77),
        r"__value: 77 should be \d; LDtk keeps a stale value",
    ),
    "stale __type": (
        lambda root: field(_level(root), "kind").update(__type="Int"),
        r"__type: 'Int' should be 'LocalEnum.RoomKind'",
    ),
    "stale tileset path": (
        put(_terrain, "__tilesetRelPath", "x.png"),
        r"__tilesetRelPath: 'x.png' should be",
    ),
    "same level identifier": (
        lambda root: root["levels"][1].update(identifier=root["levels"][0]["identifier"]),
        r"levels\[1\].identifier: 'Room_0_start' is also the identifier of levels\[0\].identifier",
    ),
    "levels over one another": (
        _same_depth,
        r"overlaps levels\[0\] at the same depth; give one of them another worldDepth",
    ),
    "level off the grid": (
        put(_level, "worldX", 7),
        r"worldX: 7 is not a multiple of the world's grid of 240 px",
    ),
    "level no multiple of tiles": (
        put(_level, "pxWid", 250),
        r"the level's pxWid 250 is not a multiple of 16; tiles will move",
    ),
    "unknown layout": (
        put(_root, "worldLayout", "Spiral"),
        r"worldLayout: 'Spiral' is not one of Free, GridVania",
    ),
    "unknown flag": (
        lambda root: root["flags"].append("Fast"),
        r"flags\[2\]: 'Fast' is not a flag; LDtk drops it",
    ),
    "bad colour": (put(_level, "__bgColor", "#12"), r"__bgColor: '#12' is not a colour; LDtk writes #RRGGBB"),
    "bad value colour": (
        lambda root: layer_def(root, "Terrain")["intGridValues"][0].update(color="red"),
        r"intGridValues\[0\].color: 'red' is not a colour",
    ),
    "newer version": (put(_root, "jsonVersion", "1.6.0"), r"jsonVersion: '1.6.0' is not 1.5.3"),
    # silently altered
    "layers out of order": (
        lambda root: _level(root)["layerInstances"].reverse(),
        r"layerInstances: do not match `defs.layers`",
    ),
    "a layer is missing": (
        lambda root: _level(root)["layerInstances"].pop(),
        r"layerInstances: do not match",
    ),
    "unknown IntGrid value": (
        lambda root: _terrain(root)["intGridCsv"].__setitem__(3, 900),
        r"intGridCsv: contains 900, which is not a value of the layer; LDtk sets it to 0",
    ),
    "baked tile without a rule": (
        lambda root: _tile(root)["d"].__setitem__(0, 3),
        r"autoLayerTiles\[0\]: 3 is not a rule of the layer; LDtk drops the tile",
    ),
    "baked tile of another rule": (put(_tile, "t", 0), r"rule \d+ does not draw tile 0"),
    "drawn twice": (
        lambda root: _terrain(root)["autoLayerTiles"].append(copy.deepcopy(_tile(root))),
        r"autoLayerTiles\[\d+\]: is drawn twice at coordinate \d+",
    ),
    "drawn over a fixed tile": (_kill, r"is drawn twice: the layer that overrides the rules"),
    "a level's field is missing": (
        lambda root: _level(root)["fieldInstances"].pop(),
        r"do not have fingerprint; LDtk adds it",
    ),
    "a name to be changed": (put(_level, "useAutoIdentifier", True), r"does not follow `levelNamePattern`"),
    "an identifier with a space": (
        put(_level, "identifier", "level one!"),
        r"'level one!' is not an identifier",
    ),
    "wrong image size": (
        put(_tileset, "pxWid", 500),
        r"relPath: 'undercroft.png' has 512 x \d+ px, but the tileset has 500",
    ),
    "missing image": (
        put(_tileset, "relPath", "none.png"),
        r"relPath: 'none.png' is not a file; LDtk will ask for it",
    ),
    "no pixel data": (put(_tileset, "cachedPixelData", None), r"cachedPixelData: is missing"),
    "short pixel data": (
        put(_tileset, "cachedPixelData", {"opaqueTiles": "1", "averageColors": ""}),
        r"has 1 digits, not \d+",
    ),
    "unknown enum value": (
        lambda root: field(door(root), "kind").update(
            __value="dutch", realEditorValues=[{"id": "V_String", "params": ["dutch"]}]
        ),
        r"'dutch' is not a value of its enum",
    ),
    # load or save fails
    "unknown layer": (
        put(_terrain, "layerDefUid", 9999),
        r"layerDefUid: 9999 is not the uid of a layer; LDtk cannot open",
    ),
    "unknown entity": (
        put(door, "defUid", 9999),
        r"defUid: 9999 is not the uid of an entity; LDtk cannot open",
    ),
    "unknown field": (
        lambda root: field(door(root), "id").update(defUid=9999),
        r"defUid: 9999 is not the uid of a field here",
    ),
    "no levels": (put(_root, "levels", []), r"^levels: is empty"),
    "wrong levelId": (
        put(_terrain, "levelId", 0),
        r"levelId: 0 is not the level's uid \d+; LDtk cannot save",
    ),
    "wrong kind of value": (
        lambda root: field(door(root), "id").update(realEditorValues=[{"id": "V_String", "params": ["3"]}]),
        r"is not a value for a field of type Int; LDtk cannot save",
    ),
    "a tile without d": (lambda root: _decor(root).pop("d"), r"has no `d` of 1 whole numbers"),
    # references and places
    "lost reference": (
        lambda root: field(door(root), "to").update(
            realEditorValues=[{"id": "V_String", "params": ["gone"]}]
        ),
        r"fieldInstances\[3\]: 'gone' is not the iid of an entity",
    ),
    "unanswered reference": (
        lambda root: field(door(root), "to").update(__value=None, realEditorValues=[]),
        r"which does not refer back; LDtk removes the reference",
    ),
    "reference that says another place": (
        lambda root: field(door(root), "to")["__value"].update(levelIid="x"),
        r"__value: .* should be ",
    ),
    "tile says another place": (
        put(_tile, "px", [1, 1]),
        r"px \[1, 1\] is not the place of coordinate \d+",
    ),
    "tile says another source": (put(_tile, "src", [1, 1]), r"src \[1, 1\] is not the place of tile \d+"),
    "tile outside of the level": (
        lambda root: _tile(root)["d"].__setitem__(1, 135),
        r"coordinate 135 is outside the level",
    ),
    "entity outside of the level": (put(door, "px", [-40, 0]), r"px: \[-40, 0\] is outside the level"),
    "group that is none": (
        lambda root: first_rule(root)["pattern"].__setitem__(0, 9000),
        r"asks for 9000, which is not a value or group",
    ),
    "pattern of another size": (
        put(first_rule, "size", 5),
        r"pattern: has 9 values; a rule of size 5 is odd and has 25",
    ),
    "rules put aside by no layer": (
        lambda root: layer_def(root, "Terrain").update(autoTilesKilledByOtherLayerUid=1),
        r"autoTilesKilledByOtherLayerUid: 1 is not the uid of a tile layer",
    ),
    "unknown enum": (
        lambda root: root["defs"]["levelFields"][0].update(type="F_Enum(4000)"),
        r"levelFields\[0\].type: 4000 is not the uid of an enum",
    ),
    "tag of no value": (
        lambda root: _tileset(root)["enumTags"][0].update(enumValueId="lava"),
        r"enumValueId: 'lava' is not a value of the tileset's enum",
    ),
}


@pytest.fixture
def sound(make: Callable[[str], Case], tmp_path: Path) -> tuple[Json, Path]:
    """A sound project and a place for a broken copy of it, its image beside."""
    case = make("isaac")
    shutil.copy(case.folder / "undercroft.png", tmp_path)
    return json.loads(case.bundle["level.ldtk"]), tmp_path / "broken.ldtk"


@pytest.mark.parametrize("name", BROKEN)
def test_every_mistake_is_found(name: str, sound: tuple[Json, Path]) -> None:
    """One line names it and its place."""
    root, path = sound
    change, line = BROKEN[name]
    change(root)
    path.write_text(json.dumps(root), "utf-8")
    found = problems(path)
    assert [each for each in found if re.search(line, each)], "\n".join(found) or "nothing was found"
    assert all("\n" not in each and len(each) < 1000 for each in found)


def test_a_tileset_that_has_no_image_yet_is_no_mistake(sound: tuple[Json, Path]) -> None:
    root, path = sound
    nothing = {"relPath": None, "pxWid": 0, "pxHei": 0, "__cWid": 0, "__cHei": 0, "cachedPixelData": None}
    new = {
        **_tileset(root),
        **nothing,
        "identifier": "Not_yet",
        "uid": root["nextUid"],
        "enumTags": [],
        "customData": [],
    }
    root["defs"]["tilesets"].append(new)
    root["nextUid"] += 1
    path.write_text(json.dumps(root), "utf-8")
    assert list(problems(path)) == []


def test_the_command_says_it_a_line_a_problem(sound: tuple[Json, Path]) -> None:
    root, path = sound
    path.write_text(json.dumps(root), "utf-8")
    assert CliRunner().invoke(main, ["check", str(path)]).exit_code == 0
    root["nextUid"], root["levels"][0]["pxWid"] = 0, "wide"
    path.write_text(json.dumps(root), "utf-8")
    done = CliRunner().invoke(main, ["check", str(path)])
    assert done.exit_code == 1
    assert f"{path}: nextUid: 0 is not above the highest uid" in done.stdout
    assert f"{path}: levels[0].pxWid: 'wide' is not a whole number" in done.stdout


EXTERNAL: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing level": (
        lambda folder: (folder / "level" / "Room_0_start.ldtkl").unlink(),
        r"LDtk puts an empty level in its place",
    ),
    "broken level": (
        lambda folder: (folder / "level" / "Room_0_start.ldtkl").write_text("{"),
        r"is not JSON",
    ),
    "no table": (
        lambda folder: (folder / "level" / "Room_0_start.ldtkl").write_text("[]"),
        r"is not a table",
    ),
    "another level": (
        lambda folder: shutil.copy(
            folder / "level" / "Room_1_normal.ldtkl", folder / "level" / "Room_0_start.ldtkl"
        ),
        r"level/Room_0_start.ldtkl.identifier: 'Room_1_normal' is 'Room_0_start' in the project",
    ),
    "a way out of the folder": (
        lambda folder: (folder / "level.ldtk").write_text(
            (folder / "level.ldtk").read_text().replace('"level/Room_0_start', '"../../level/Room_0_start')
        ),
        r"is not a .ldtkl file in the project's folder",
    ),
}


@pytest.mark.parametrize("name", EXTERNAL)
def test_levels_of_their_own_are_read(name: str, make: Callable[[str], Case], tmp_path: Path) -> None:
    shutil.copytree(make("labyrinth-external").folder, tmp_path, dirs_exist_ok=True)
    assert problems(tmp_path / "level.ldtk") == []
    change, line = EXTERNAL[name]
    change(tmp_path)
    assert any(re.search(line, each) for each in problems(tmp_path / "level.ldtk"))


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"{", b"[]", b"3", b"[" * 100_000, b'{"levels": ' + b"9" * 5000 + b"}"]
)
def test_a_file_that_is_not_a_project_gets_one_line(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.ldtk"
    path.write_bytes(data)
    with pytest.raises(BadInput) as caught:
        problems(path)
    assert str(caught.value).startswith(str(path)) and "\n" not in str(caught.value)


def test_problems_are_bounded(sound: tuple[Json, Path]) -> None:
    """A file with countless mistakes gives a limited report."""
    root, path = sound
    for level in root["levels"]:
        for each in level["layerInstances"]:
            each["autoLayerTiles"] = [{}] * 400
    path.write_text(json.dumps(root), "utf-8")
    found = problems(path)
    assert (
        len(found) == MAX_PROBLEMS + 1
        and found[-1] == f"has more than {MAX_PROBLEMS} problems; the others are left out"
    )


def test_many_levels_over_one_another_take_no_for_ever(sound: tuple[Json, Path]) -> None:
    root, path = sound
    root["levels"] = [{"pxWid": 1 << 23, "pxHei": 1 << 23, "worldX": 0, "worldY": i} for i in range(10_000)]
    path.write_text(json.dumps(root), "utf-8")
    assert len(problems(path)) == MAX_PROBLEMS + 1


ODD: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just(-1), st.just(1e400)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["uid", "d", "x"]), inner)
    ),
    max_leaves=4,
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_value_anywhere_makes_the_check_stumble(data: st.DataObject, sound: tuple[Json, Path]) -> None:
    """Some value of a sound project is replaced by anything else, or taken away: lines, never a traceback."""
    sound[0]["levels"] = sound[0]["levels"][:2]
    root, path = copy.deepcopy(sound[0]), sound[1]
    holder: Any = root
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = data.draw(st.sampled_from(keys))
        inner = holder[key]
        if not isinstance(inner, (dict, list)) or not inner or data.draw(st.integers(0, 3)) == 0:
            break
        holder = inner
    if isinstance(holder, dict) and data.draw(st.booleans()):
        del holder[key]
    else:
        holder[key] = data.draw(ODD)
    path.write_text(json.dumps(root), "utf-8")
    found = problems(path)
    assert all(isinstance(each, str) for each in found) and len(found) <= MAX_PROBLEMS + 1
