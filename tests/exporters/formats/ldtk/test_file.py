"""The file as LDtk writes it: its bytes, uids, iids, references, and texts from outside."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exporters
import generator
from exporters.edits.digests import is_as_written
from exporters.formats.ldtk.check import problems
from exporters.formats.ldtk.syntax import document, one_line
from exporters.formats.ldtk.write_project import BUILD
from exporters.theme import Theme
from generator.kinds.marker_properties import MARKER_PROPERTIES
from generator.level import Level, Marker
from generator.level_file import level_from_dict
from tests.commands import undercroft_line
from tests.exporters.small_level import built, fifteen_rooms

from .conftest import CASES, Case
from .reader import Json, Project


def entities(project: Project, name: str | None = None) -> Iterator[tuple[Json, Json]]:
    """Each entity with its level."""
    for level in project.levels:
        for layer in level["layerInstances"]:
            for entity in layer["entityInstances"]:
                if name in (None, entity["__identifier"]):
                    yield level, entity


def values(entity: Json) -> dict[str, Any]:
    return {field["__identifier"]: field["__value"] for field in entity["fieldInstances"]}


def test_the_bundle(case: Case) -> None:
    """The project, its levels if they are files of their own, and the theme's image."""
    external = dict(CASES[case.name].options).get("ldtk.external")
    levels = [f"level/{level['identifier']}.ldtkl" for level in case.project.levels] if external else []
    assert list(case.bundle) == ["level.ldtk", *levels, f"{case.theme.name}.png", "level.png"]


def test_every_file_is_as_ldtk_writes_json(case: Case) -> None:
    """Read and written again in LDtk's form, it is the same bytes."""
    for path, data in case.bundle.items():
        if path.endswith((".ldtk", ".ldtkl")):
            table = json.loads(data)
            assert document(table.pop("__header__"), table).getvalue() == data


def test_a_compact_project_is_the_same_in_one_line(tmp_path: Path) -> None:
    """And stays so when a person's changes are merged into it."""

    def written(*options: str, seed: int = 7) -> bytes:
        words = " ".join(f"--option {option}" for option in ("ldtk.external=true", *options))
        line = f"undercroft generate isaac --seed {seed} --name a --to ldtk {words} --out ."
        assert undercroft_line(line, tmp_path).returncode == 0
        return (tmp_path / "a.ldtk").read_bytes()

    usual = json.loads(written())
    levels = {file.name: json.loads(file.read_bytes()) for file in tmp_path.glob("a/*.ldtkl")}
    compact = written("ldtk.compact=true")
    assert b"\n" not in compact and json.loads(compact) | {"minifyJson": False} == usual | {
        "__header__": json.loads(compact)["__header__"]
    }
    for file in tmp_path.glob("a/*.ldtkl"):
        assert b"\n" not in file.read_bytes() and json.loads(file.read_bytes()) == levels[file.name]
    exporters.export(generator.generate("isaac", 7), "ldtk", {"ldtk.compact": True}, name="b").write(tmp_path)
    assert is_as_written(tmp_path / "b.ldtk")
    mine = json.loads(compact) | {"bgColor": "#123456"}
    (tmp_path / "a.ldtk").write_bytes(one_line(mine))
    again = written(seed=8)
    assert b"\n" not in again and json.loads(again)["bgColor"] == "#123456"


def test_our_own_checks_find_nothing(case: Case) -> None:
    assert problems(case.folder / "level.ldtk") == []


def test_two_runs_give_the_same_bytes(make: Callable[[str], Case]) -> None:
    """The level read back from its file too."""
    case = make("labyrinth-external")
    level = level_from_dict(generator.generate("labyrinth", 5).to_dict())
    again = exporters.export(level, "ldtk", dict(CASES[case.name].options), case.theme, "level")
    assert all(case.bundle[path] == data for path, data in again.items())


def test_uids_are_those_of_every_project_of_a_theme(make: Callable[[str], Case]) -> None:
    """What two projects both define has the same uid in both, and `nextUid` is above all."""

    def uids(project: Project) -> dict[str, int]:
        defs = project.json["defs"]
        listed = [*defs["layers"], *defs["entities"], *defs["enums"], *defs["tilesets"], *defs["levelFields"]]
        found = {each["identifier"]: each["uid"] for each in listed}
        for entity in defs["entities"]:
            found |= {
                f"{entity['identifier']}.{each['identifier']}": each["uid"] for each in entity["fieldDefs"]
            }
        for layer in defs["layers"]:
            for group in layer["autoRuleGroups"]:
                found |= {f"{group['name']}.{i}": rule["uid"] for i, rule in enumerate(group["rules"])}
        return found

    one, other = make("isaac").project, make("gungeon").project
    a, b = uids(one), uids(other)
    assert {key: a[key] for key in a.keys() & b.keys()} == {key: b[key] for key in a.keys() & b.keys()}
    assert len(a.keys() & b.keys()) > 200 and len(set(a.values())) == len(a)
    for project, known in ((one, a), (other, b)):
        levels = [level["uid"] for level in project.levels]
        assert project.json["nextUid"] == max(levels) + 1 and min(levels) > max(known.values())


def test_iids_are_uuids_that_stay(make: Callable[[str], Case]) -> None:
    """The same level has the same ones under another theme; another level has none of them."""

    def iids(data: bytes) -> list[str]:
        return re.findall(r'"iid": "([^"]+)"', data.decode())

    level, other = fifteen_rooms(7), fifteen_rooms(8)
    plain, built_in = make("fifteen").theme, make("isaac").theme
    ours = iids(exporters.export(level, "ldtk", theme=plain, name="a")["a.ldtk"])
    assert len(set(ours)) == len(ours) > 100
    assert all(str(uuid.UUID(iid)) == iid and uuid.UUID(iid).version == 5 for iid in ours)
    assert ours == iids(exporters.export(level, "ldtk", theme=built_in, name="b")["b.ldtk"])
    assert not set(ours) & set(iids(exporters.export(other, "ldtk", theme=plain)["isaac-8.ldtk"]))


def test_it_opens_without_a_word(case: Case) -> None:
    """No backup is suggested, no level renamed, nothing counts as an older program's."""
    root = case.project.json
    assert root["jsonVersion"] == "1.5.3" and root["appBuildId"] == BUILD >= 473_703
    assert root["flags"] == ["IgnoreBackupSuggest", "UseMultilinesType"]
    assert not any(level["useAutoIdentifier"] for level in case.project.levels)
    assert all(tileset["cachedPixelData"] for tileset in root["defs"]["tilesets"])


def test_level_fields_tell_what_the_room_is(make: Callable[[str], Case]) -> None:
    case = make("isaac")
    assert len(case.project.levels) == len(case.level.rooms)
    for room, level in zip(case.level.rooms, case.project.levels, strict=True):
        found = values(level)
        for name in ("kind", "shape", "distance", "depth", "difficulty", "layout"):
            assert found[name] == getattr(room, name)
        assert found["room"] == room.id and found["seed"] == str(case.level.seed)
        assert found["fingerprint"] == case.level.fingerprint


def test_doors_refer_to_each_other(case: Case) -> None:
    """Both ways, across levels; each side of a door lies where its tiles are."""
    sides = {entity["iid"]: (level, entity) for level, entity in entities(case.project, "Door")}
    for level, entity in sides.values():
        found, size = values(entity), case.theme.tile_size
        door = case.level.doors[found["id"]]
        assert found["kind"] == door.kind
        left, top = case.level.grid.origin if case.project.json["worldLayout"] == "GridVania" else (0, 0)
        x, y = entity["__worldX"] // size + left, entity["__worldY"] // size + top
        assert (x, y) in door.tiles and entity["__worldX"] == level["worldX"] + entity["px"][0]
        assert found["to"], "every door of these levels leads somewhere"
        other_level, other = sides[found["to"]["entityIid"]]
        assert values(other)["to"]["entityIid"] == entity["iid"]
        assert found["to"]["levelIid"] == other_level["iid"]
        assert found["to"]["worldIid"] == case.project.json["dummyWorldIid"]
        if door.rooms[1] is not None:
            assert other is not entity and values(other)["id"] == door.id
            assert {found["room"], values(other)["room"]} == set(door.rooms)
        else:
            (hallway,) = (each for each in case.level.hallways if door.id in each.doors)
            assert {door.id, values(other)["id"]} == set(hallway.doors) and found["hallway"] == hallway.id
    halves = sum(2 if door.rooms[1] is not None else 1 for door in case.level.doors)
    assert len(sides) == halves


@pytest.mark.parametrize("name", ["hallways", "hallways-rooms"])
def test_what_a_door_asks_of_the_player(name: str, make: Callable[[str], Case]) -> None:
    """A lock names its keys and leads to them, in whichever level they lie."""
    case = make(name)
    keys = {entity["iid"]: (level, entity) for level, entity in entities(case.project, "Key")}
    for _, entity in entities(case.project, "Door"):
        found, door = values(entity), case.level.doors[values(entity)["id"]]
        assert (found["needs"], found["one_way"]) == (list(door.needs), door.one_way)
        assert found["opens_from"] == door.opens_from
        opened = []
        for target in found["keys"]:
            level, key = keys[target["entityIid"]]
            assert target["levelIid"] == level["iid"]
            opened.append(values(key)["opens"])
        assert opened == list(door.needs)


def test_markers_keep_their_properties(case: Case) -> None:
    """As typed fields, on their tile, in the level of their room."""
    found = {
        values(entity)["id"]: entity for _, entity in entities(case.project) if "marker" in entity["__tags"]
    }
    assert len(found) == len(case.level.markers)
    left, top = case.level.grid.origin if case.project.json["worldLayout"] == "GridVania" else (0, 0)
    for marker in case.level.markers:
        entity, size = found[marker.id], case.theme.tile_size
        assert entity["__identifier"].casefold() == marker.kind.replace("_", "")
        assert (entity["__worldX"], entity["__worldY"]) == ((marker.x - left) * size, (marker.y - top) * size)
        fields = values(entity)
        assert fields["room"] == marker.room and fields["hallway"] == marker.hallway
        if case.name != "crypt":  # whose names are none for fields
            assert {key: fields[key] for key in marker.properties} == dict(marker.properties)


def test_fires_and_enemies_look_like_what_they_are(make: Callable[[str], Case]) -> None:
    """The tile of a red fire is that of red fire on the map, and an enemy has its own."""
    case = make("isaac")
    theme, level = case.theme, case.level
    burning = (
        replace(marker, properties={"color": "red"}) if marker.kind == "fire" and marker.id % 2 else marker
        for marker in level.markers
    )
    level = replace(level, markers=tuple(burning))
    project = json.loads(exporters.export(level, "ldtk", theme=theme, name="a")["a.ldtk"])
    things = {"orange": "fire", "red": "red_fire"}
    tiles = {color: theme.decor[thing].variants.tiles[0] for color, thing in things.items()}
    tiles |= {name.removeprefix("enemy_"): icon for name, icon in theme.icons.items()}
    seen = set()
    for each in project["levels"]:
        for layer in each["layerInstances"]:
            for entity in layer["entityInstances"]:
                shows = values(entity).get({"Fire": "color", "Enemy": "name"}.get(entity["__identifier"], ""))
                if shows:
                    x, y = theme.at_px(tiles[shows])
                    assert (entity["__tile"]["x"], entity["__tile"]["y"]) == (x, y)
                    told = [field["__tile"] for field in entity["fieldInstances"] if field["__tile"]]
                    assert told[0] == entity["__tile"]
                    seen.add(shows)
    assert seen > {"orange", "red"}


def test_a_fire_of_another_colour_is_kept_as_text(make: Callable[[str], Case], tmp_path: Path) -> None:
    level = make("isaac").level
    fires = [
        replace(marker, properties={"color": "blue"}) if marker.kind == "fire" else marker
        for marker in level.markers
    ]
    made = exporters.export(replace(level, markers=tuple(fires)), "ldtk", name="a")
    made.write(tmp_path)
    assert problems(tmp_path / "a.ldtk") == []
    assert b'"color", "__type": "String", "__value": "blue"' in made["a.ldtk"]


def test_levels_of_several_rooms_hold_them_as_entities(make: Callable[[str], Case]) -> None:
    case = make("gungeon")
    rooms = [values(entity) for _, entity in entities(case.project, "Room")]
    assert [room["room"] for room in rooms] == [room.id for room in case.level.rooms]
    assert [room["kind"] for room in rooms] == [room.kind for room in case.level.rooms]


@pytest.mark.parametrize("name", ["isaac", "isaac-wide-one", "gungeon", "rebirth"])
def test_what_the_generator_gives_markers_has_fields_always(name: str, make: Callable[[str], Case]) -> None:
    """So that a field has the same uid in every project, whatever is in its level."""
    for marker in make(name).level.markers:
        assert marker.properties.keys() <= MARKER_PROPERTIES.get(marker.kind, {}).keys()


# ---- texts from outside ----------------------------------------------------------------------------

HOSTILE = [
    '"',
    "\\",
    '\\"',
    "a\\nb",
    "\n",
    "\t",
    "\0",
    "12f",
    "-.5f",
    "ä€😀",
    '"}],"x":[{"',
    "\u2028",
    "x" * 5000,
]
TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=30))
NUMBERS = st.one_of(
    st.booleans(),
    st.integers(-(1 << 53), 1 << 53),
    st.floats(-1e300, 1e300, allow_nan=False, allow_infinity=False),
)


def with_markers(*properties: dict[str, Any]) -> Level:
    markers = [Marker(i, "enemy", 4 + i, 5, 0, properties=each) for i, each in enumerate(properties)]
    return replace(built([("start", [(0, 0)])]), markers=tuple(markers))


@settings(max_examples=30)
@given(st.lists(st.dictionaries(TEXTS, st.one_of(TEXTS, NUMBERS), max_size=4), min_size=1, max_size=3))
def test_no_text_breaks_the_file(found: list[dict[str, Any]]) -> None:
    """Whatever properties are called and hold: the file stays one, in LDtk's form, that LDtk keeps."""
    level = with_markers(*found)
    data = exporters.export(level, "ldtk", name="a")["a.ldtk"]
    table = json.loads(data)
    assert document(table.pop("__header__"), table).getvalue() == data  # raises for what LDtk cannot keep
    (enemy,) = (each for each in table["defs"]["entities"] if each["identifier"] == "Enemy")
    names = [field["identifier"] for field in enemy["fieldDefs"]]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name) for name in names)
    instances = [
        each
        for each in table["levels"][0]["layerInstances"][0]["entityInstances"]
        if each["defUid"] == enemy["uid"]
    ]
    assert len(instances) == len(found)
    assert all(len(each["fieldInstances"]) == len(names) for each in instances)


@pytest.mark.parametrize(
    ("held", "type_name", "shown"),
    [
        ((True, False), "Bool", (True, False)),
        ((3, -4), "Int", (3, -4)),
        ((3, 0.125), "Float", (3, 0.125)),
        ((0.00005, 1.0005), "Float", (0, 1.001)),  # as LDtk shows them; the real values stand beside
        ((1 << 31, 1), "String", ("2147483648", "1")),
        ((2_147_483_647, 1), "Int", (2_147_483_647, 1)),
        ((2_147_483_647, 0.5), "String", ("2147483647", "0.5")),
        ((1e30, 1), "String", ("1e+30", "1")),
        ((True, 1), "String", ("true", "1")),
        (("12f", "a\\b"), "String", ("12f ", "a/b")),
        (("a\nb", "\0"), "String", ("a b", "\ufffd")),
    ],
)
def test_a_field_has_the_type_that_holds_all_its_values(
    held: tuple[Any, ...], type_name: str, shown: tuple[Any, ...], plain: Theme
) -> None:
    level = with_markers(*({"own value": value} for value in held))
    table = json.loads(exporters.export(level, "ldtk", theme=plain, name="a")["a.ldtk"])
    (layer,) = (each for each in table["levels"][0]["layerInstances"] if each["__type"] == "Entities")
    fields = [
        field
        for entity in layer["entityInstances"]
        for field in entity["fieldInstances"]
        if field["__identifier"] == "own_value"
    ]
    assert [field["__type"] for field in fields] == [type_name] * len(held)
    assert tuple(field["__value"] for field in fields) == shown
    if type_name == "Float":
        assert tuple(field["realEditorValues"][0]["params"][0] for field in fields) == held


def test_many_properties_do_not_make_many_fields(plain: Theme) -> None:
    """What has no field of its own stands in one together: each entity has all fields of its kind."""
    level = with_markers({f"p{i}": i for i in range(300)}, {"role": "walker"})
    table = json.loads(exporters.export(level, "ldtk", theme=plain, name="a")["a.ldtk"])
    (enemy,) = (each for each in table["defs"]["entities"] if each["identifier"] == "Enemy")
    assert len(enemy["fieldDefs"]) < 40
    assert b"p299=299" in exporters.export(level, "ldtk", theme=plain, name="a")["a.ldtk"]
