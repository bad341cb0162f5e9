"""Merges of whole files: what must not change, what was taken away, and what is damaged or hostile."""

from __future__ import annotations

import base64
import copy
import gzip
import json
import random
import zlib
from collections.abc import Callable, Iterable
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from exporters.edits.merging import CannotMerge, merge
from exporters.formats.godot.syntax.sections import written as scene_text
from exporters.merge.godot import merge_scene
from exporters.merge.godot_tree import parts_of, tree_of
from exporters.merge.ldtk import merge_project
from exporters.merge.outcome import Merged
from exporters.merge.tiled_files import merge_plain
from exporters.merge.tiled_map import merge_map
from exporters.merge.tree import name_of

from .conftest import exported, gone_enemy
from .people import PEOPLE, all_layers, objects, tile_layers
from .xml_maps import as_json, plain

Json = dict[str, Any]
MERGERS: dict[str, Callable[[bytes, bytes, bytes], Merged]] = {
    "tmj": merge_map,
    "tmx": merge_map,
    "ldtk": merge_project,
    "tscn": merge_scene,
    "tres": merge_scene,
    "tsj": merge_plain,
    "tsx": merge_plain,
    "tiled-project": merge_plain,
}
XML = ("tmx", "tsx")
LEVELS = [("isaac", 7), ("gungeon", 7), ("rebirth", 42)]


def with_levels(suffixes: Iterable[str]) -> list[tuple[str, str, int]]:
    """Each with all levels; XML, which is merged as JSON, with one."""
    return [(suffix, *level) for suffix in suffixes for level in (LEVELS[:1] if suffix in XML else LEVELS)]


def parsed(suffix: str, data: bytes) -> Any:
    """A file's values, without what tells that it is ours."""
    if suffix in ("tscn", "tres"):
        return tree_of(data)
    if suffix == "tmx":
        return plain(as_json(data))
    found = json.loads(data)
    found.pop("digest", None)
    found.get("__header__", {}).pop("digest", None)
    return found


def saved(suffix: str, data: bytes) -> bytes:
    """The same in other spaces, without the digest."""
    if suffix in XML:
        root = ET.fromstring(data)
        root.attrib.pop("digest", None)
        return bytes(ET.tostring(root))
    table = json.loads(data)
    table.pop("digest", None)
    return json.dumps(table, indent=3).encode()


@pytest.mark.parametrize(("suffix", "preset", "seed"), with_levels(MERGERS))
def test_an_unchanged_file_becomes_the_new_one(suffix: str, preset: str, seed: int) -> None:
    """Byte for byte; also if a program has written the same in another form."""
    base, new = exported(preset, seed)[suffix], exported(preset, seed + 1)[suffix]
    assert merge(f"level.{suffix}", base, base, new) == Merged(new, ())
    assert MERGERS[suffix](base, base, new)[:2] == (new, ())
    if suffix not in ("tscn", "tres") and base != new:
        assert merge(f"level.{suffix}", base, saved(suffix, base), new) == Merged(new, ())


@pytest.mark.parametrize(("suffix", "preset", "seed"), with_levels(PEOPLE))
def test_a_changed_file_stays_if_nothing_is_new(suffix: str, preset: str, seed: int) -> None:
    base = exported(preset, seed)[suffix]
    person, theirs = PEOPLE[suffix](seed), base
    for _ in range(0 if preset == "gungeon" and suffix == "ldtk" else 10):
        theirs, _work = person.edit(theirs)
    assert merge(f"level.{suffix}", base, theirs, base).data == theirs
    inside = max(theirs.find(b'="', len(theirs) // 2) + 2, len(theirs) // 2)  # of a text
    with pytest.raises(CannotMerge):  # it is damaged, and nobody should be told that their work is in it
        merge(f"level.{suffix}", base, theirs[:inside], base)
    found = MERGERS[suffix](base, theirs, base)  # and without the shortcut
    before, after = parsed(suffix, theirs), parsed(suffix, found.data)
    if suffix == "ldtk":  # a level has all layers, fields and neighbours afterwards, as when LDtk saves it
        for project in (before, after):
            for level in project["levels"]:
                del level["__neighbours"]
                level["layerInstances"] = list(filter(is_painted, level["layerInstances"]))
                for layer in level["layerInstances"]:
                    layer["gridTiles"].sort(key=lambda tile: tile["d"])
                for holder in (
                    level,
                    *(each for one in level["layerInstances"] for each in one["entityInstances"]),
                ):
                    holder["fieldInstances"] = [
                        each for each in holder["fieldInstances"] if each["realEditorValues"]
                    ]
            project["nextUid"] = 0
    assert found.conflicts == ()
    assert after == before


def is_painted(layer: Json) -> bool:
    return bool(layer["gridTiles"] or layer["entityInstances"] or any(layer["intGridCsv"]))


@pytest.mark.parametrize(("preset", "seed"), LEVELS)
@pytest.mark.parametrize("suffix", ["tscn", "tres"])
def test_scenes_are_read_and_written_as_they_are(suffix: str, preset: str, seed: int) -> None:
    data = exported(preset, seed)[suffix]
    assert scene_text(parts_of(tree_of(data))) == data


PACKERS: dict[str, Callable[[bytes], bytes]] = {"": bytes, "zlib": zlib.compress, "gzip": gzip.compress}


@pytest.mark.parametrize("compression", [*PACKERS, "zstd"])
def test_the_persons_encoding_stays(compression: str) -> None:
    from backports import zstd

    pack = PACKERS.get(compression) or zstd.compress
    base, new = exported("isaac", 7)["tmj"], exported("isaac", 7, rooms=14)["tmj"]
    map_ = json.loads(base)
    map_["layers"][0]["data"][0] = 77
    for layer in tile_layers(map_):
        data = b"".join(gid.to_bytes(4, "little") for gid in layer["data"])
        layer |= {
            "encoding": "base64",
            "compression": compression,
            "data": base64.b64encode(pack(data)).decode(),
        }
    made = json.loads(merge("level.tmj", base, json.dumps(map_).encode(), new).data)
    plain = merge("level.tmj", base, json.dumps({**map_, "layers": json.loads(base)["layers"]}).encode(), new)
    for layer, other in zip(tile_layers(made), tile_layers(json.loads(plain.data)), strict=True):
        assert layer["encoding"] == "base64" and layer["compression"] == compression
        data = base64.b64decode(layer["data"])
        unpacked = zlib.decompress(data, 47) if compression in ("zlib", "gzip") else data
        unpacked = zstd.decompress(data) if compression == "zstd" else unpacked
        found = [int.from_bytes(unpacked[at : at + 4], "little") for at in range(0, len(unpacked), 4)]
        assert len(found) == made["width"] * made["height"]
        assert sum(a != b for a, b in zip(found, other["data"], strict=True)) <= 1


@pytest.mark.parametrize(
    ("suffix", "theirs", "ours"),
    [
        ("tmj", (b"[\n0,", b"[\n77,"), (b'"right-down"', b'"left-up"')),
        ("tsj", (b'"undercroft.png"', b'"mine.png"'), (b'"name": "undercroft"', b'"name": "cellar"')),
    ],
)
def test_a_merged_file_has_the_lines_of_an_export(
    suffix: str, theirs: tuple[bytes, bytes], ours: tuple[bytes, bytes]
) -> None:
    """So two edits are two lines that differ, beside the digest, which only a whole export has."""
    base = exported("isaac", 7)[suffix]
    both = base.replace(*theirs, 1).replace(*ours, 1)
    assert base not in (base.replace(*theirs, 1), base.replace(*ours, 1))
    made = merge(f"level.{suffix}", base, base.replace(*theirs, 1), base.replace(*ours, 1)).data
    assert made.splitlines() == [line for line in both.splitlines() if b'"digest"' not in line]


def test_what_a_person_removed_stays_removed() -> None:
    """A marker, a layer, a tile; whatever their numbers are in the new map."""
    base, new = exported("isaac", 7)["tmj"], exported("isaac", 7, rooms=14)["tmj"]
    map_ = json.loads(base)
    markers = next(layer["objects"] for layer in map_["layers"] if layer["name"] == "Markers")
    markers[:] = [each for each in markers if each["type"] not in ("player_start", "shopkeeper")]
    map_["layers"] = [layer for layer in map_["layers"] if layer["name"] not in ("Overlay", "Hallways")]
    (start,) = (each for each in objects(map_) if each["name"].startswith("StartRoom"))
    x, y = start["x"] // 16 + 3, start["y"] // 16 + 4
    map_["layers"][0]["data"][x + y * map_["width"]] = 0
    made = json.loads(merge("level.tmj", base, json.dumps(map_).encode(), new).data)
    assert not {each["type"] for each in objects(made)} & {"player_start", "shopkeeper"}
    assert [layer["name"] for layer in made["layers"]] == ["Ground", "Walls", "Doors", "Decor", "Rooms", "DoorObjects", "Markers", "Lights"]  # fmt: skip
    (start,) = (each for each in objects(made) if each["name"].startswith("StartRoom"))
    x, y = start["x"] // 16 + 3, start["y"] // 16 + 4
    before = json.loads(new)["layers"][0]["data"][x + y * made["width"]]
    assert before and made["layers"][0]["data"][x + y * made["width"]] == 0


def test_ids_do_not_clash_and_references_lead_to_the_same() -> None:
    base, new = exported("isaac", 7)["tmj"], exported("isaac", 7, rooms=14)["tmj"]
    map_ = json.loads(base)
    boss = next(each for each in objects(map_) if each["type"] == "boss")
    mine = {**copy.deepcopy(boss), "id": map_["nextobjectid"], "name": "Mine", "type": ""}
    mine["properties"] = [{"name": "to", "type": "object", "value": boss["id"]}]
    boss["properties"].append({"name": "from", "type": "object", "value": mine["id"]})
    map_["layers"].append({**map_["layers"][-1], "id": map_["nextlayerid"], "name": "Own", "objects": [mine]})
    made = json.loads(merge("level.tmj", base, json.dumps(map_).encode(), new).data)
    by_id = {each["id"]: each for each in objects(made)}
    assert len(by_id) == len(objects(made)) and max(by_id) < made["nextobjectid"]
    layers = [layer["id"] for layer in all_layers(made)]
    assert len(set(layers)) == len(layers) and max(layers) < made["nextlayerid"]
    (mine,) = (each for each in by_id.values() if each["name"] == "Mine")
    boss = by_id[mine["properties"][0]["value"]]
    assert boss["type"] == "boss"
    assert next(one["value"] for one in boss["properties"] if one["name"] == "from") == mine["id"]


def test_what_has_no_place_is_listed_and_left_out() -> None:
    """An object in a room that is gone."""
    base, new = exported("isaac", 7, rooms=14)["tmj"], exported("isaac", 7)["tmj"]
    map_ = json.loads(base)
    enemy = next(each for each in objects(map_) if name_of(each) == gone_enemy())
    enemy["properties"].append({"name": "hp", "type": "int", "value": 9})
    found = merge("level.tmj", base, json.dumps(map_).encode(), new)
    assert found.conflicts == (f"object {gone_enemy()}: changed, but the new level has no place for it",)
    assert b'"hp"' not in found.data


def test_a_layer_of_ones_own_has_the_size_of_the_new_level() -> None:
    """One of entities, and one of tiles that is empty."""
    base, new = (exported("gungeon", 7, rooms=rooms)["ldtk"] for rooms in (7, 9))
    project = json.loads(base)
    (level,) = project["levels"]
    for number, layer in enumerate(level["layerInstances"][:3]):
        (definition,) = (each for each in project["defs"]["layers"] if each["uid"] == layer["layerDefUid"])
        uid = project["nextUid"] + number
        project["defs"]["layers"].append({**definition, "uid": uid, "identifier": f"Mine{number}"})
        empty = {key: [] for key in ("gridTiles", "entityInstances", "autoLayerTiles")}
        iid = f"b000000{number}-0000-5000-8000-000000000000"
        level["layerInstances"].append({**layer, "layerDefUid": uid, "iid": iid, "__identifier": f"Mine{number}", **empty})  # fmt: skip
    (level,) = json.loads(merge("level.ldtk", base, json.dumps(project).encode(), new).data)["levels"]
    sizes = {(layer["__cWid"], layer["__cHei"]) for layer in level["layerInstances"]}
    assert sizes == {(level["pxWid"] // 16, level["pxHei"] // 16)}


def test_a_filled_layer_of_ones_own_is_reported_in_one_line() -> None:
    """In a smaller map it has no place for many tiles."""
    base, new = (exported("isaac", 7, stage=stage)["tmj"] for stage in (5, 1))
    mine = json.loads(base)
    layer = next(copy.deepcopy(each) for each in mine["layers"] if each["type"] == "tilelayer")
    count = mine["width"] * mine["height"]
    layer |= {"id": mine["nextlayerid"], "name": "Fog", "data": [1] * count}
    layer.pop("encoding", None)
    mine["layers"].append(layer)
    mine["nextlayerid"] += 1
    merged = merge("x.tmj", base, json.dumps(mine).encode(), new)
    (line,) = merged.conflicts
    assert line.startswith("layer Fog: ") and " tiles outside the new map are left out, from " in line
    fog = next(each for each in json.loads(merged.data)["layers"] if each["name"] == "Fog")
    assert fog["data"].count(1) + int(line.split()[2]) == count


def test_a_project_of_tiled_keeps_commands_and_types() -> None:
    base = exported("isaac", 7)["tiled-project"]
    mine, fresh = json.loads(base), json.loads(base)
    mine["commands"].append({"command": "play", "name": "Play"})
    free = len(mine["propertyTypes"]) + 1
    mine["propertyTypes"].append({"id": free, "name": "Mine", "type": "enum", "values": ["a"]})
    mine["propertyTypes"][0]["values"].append("portcullis")
    fresh["propertyTypes"].append({"id": free, "name": "Theirs", "type": "enum", "values": ["b"]})
    fresh["propertyTypes"][0]["values"].append("hatch")
    made = json.loads(
        merge("x.tiled-project", base, json.dumps(mine).encode(), json.dumps(fresh).encode()).data
    )
    assert made["commands"] == mine["commands"]
    assert made["propertyTypes"][0]["values"][-2:] == ["portcullis", "hatch"]
    ids = {each["name"]: each["id"] for each in made["propertyTypes"]}
    assert len(set(ids.values())) == len(ids) and (ids["Theirs"], ids["Mine"]) == (free, free + 1)


def test_unknown_types_are_refused() -> None:
    with pytest.raises(CannotMerge, match=r"there is no merge for \.png files"):
        merge("x.png", b"a", b"b", b"c")


BOMB = base64.b64encode(zlib.compress(bytes(1 << 26))).decode()


@pytest.mark.parametrize(
    ("suffix", "change", "reason"),
    [
        ("tmj", lambda m: m["layers"][0] | {"encoding": "base64", "compression": "zlib", "data": BOMB}, "damaged|tiles"),
        ("tmj", lambda m: m["layers"][0] | {"width": 1 << 40}, "no valid size"),
        ("tmj", lambda m: m["layers"][0] | {"data": [1, 2]}, "layer Ground: has 2 entries, not 2560"),
        ("tmj", lambda m: m["layers"][0] | {"data": [-1] * 2560}, "layer Ground: entry 0: -1 is not a whole number"),
        ("tmj", lambda m: m["layers"][0] | {"id": "one"}, "valid id"),
        ("tmj", lambda m: m["layers"][0] | {"type": "group", "layers": 7}, "damaged layers or objects"),
    ],
)  # fmt: skip
def test_a_hostile_map_is_refused(suffix: str, change: Callable[[Json], Json], reason: str) -> None:
    base, new = exported("isaac", 7)["tmj"], exported("isaac", 7, rooms=14)["tmj"]
    map_ = json.loads(base)
    map_["layers"][0] = change(map_)
    with pytest.raises(CannotMerge, match=reason):
        merge(f"x.{suffix}", base, json.dumps(map_).encode(), new)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ((b'width="64"', b'width="9999999999"'), "no valid size"),
        ((b'<data encoding="csv">', b'<data encoding="base64" compression="zlib">' + BOMB.encode()), "base64|tiles"),
        ((b'<layer id="1"', b'<layer id="one"'), "valid id"),
        ((b"<map ", b'<!DOCTYPE map [<!ENTITY a "b">]><map '), "has a document type; save it again without one"),
        ((b"<layer ", b"<group>" * 40 + b"<layer "), "has too many elements"),
        ((b'infinite="0"', b'infinite="1"'), "the map was made infinite"),
        ((b"</map>", b"</mob>"), "is not XML: line [0-9]+: mismatched tag"),
    ],
)  # fmt: skip
def test_a_hostile_map_in_xml_is_refused(change: tuple[bytes, bytes], reason: str) -> None:
    base, new = exported("isaac", 7)["tmx"], exported("isaac", 7, rooms=14)["tmx"]
    assert base != base.replace(*change, 1)
    with pytest.raises(CannotMerge, match=reason):
        merge("x.tmx", base, base.replace(*change, 1), new)


@pytest.mark.parametrize("suffix", XML)
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf<?xml version='1.0'?>\r\n<!-- by hand -->\n"])
def test_two_peoples_files_in_xml_are_merged(suffix: str, start: bytes) -> None:
    """In git, the new version is also a person's, and may begin otherwise than ours and Tiled's."""
    base = exported("isaac", 7)[suffix]
    body = base[base.index(b"?>") + 3 :]
    theirs = base.replace(b"<properties>", b'<properties><property name="a" value="1"/>', 1)
    new = start + body.replace(b"</properties>", b'<property name="b" value="2"/></properties>', 1)
    made = merge(f"x.{suffix}", base, theirs, new)
    assert made.conflicts == () and b'name="a" value="1"' in made.data and b'name="b" value="2"' in made.data
    with pytest.raises(CannotMerge, match="is not a map; give one that Tiled saved"):
        merge(f"x.{suffix}", base, theirs, start + b"<odd/>")


@pytest.mark.parametrize("suffix", MERGERS)
@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe", b"[node", b"null", b"{}"]
)
def test_a_file_of_another_type_is_refused(suffix: str, text: bytes) -> None:
    if suffix in ("tsj", "tiled-project") and text == b"{}":
        return
    base, new = exported("isaac", 7)[suffix], exported("isaac", 7, rooms=14)[suffix]
    if base != new:
        with pytest.raises(CannotMerge):
            merge(f"x.{suffix}", base, text, new)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Some places overwritten, cut out or doubled."""
    for _ in range(chance.randint(1, 3)):
        at, size = chance.randrange(len(data)), chance.choice([1, 1, 3, 40, 4000])
        middle = chance.choice(
            [b"", b"0", b'"', b"-", b"9" * 30, b"null", data[at : at + size] * 2, b"[", b"}"]
        )
        data = data[:at] + middle + data[at + size :]
    return data


def rearranged(value: Any, chance: random.Random) -> None:
    """One value of a table anywhere in it is something else, or gone."""
    while isinstance(value, (dict, list)) and value:
        key = chance.choice(list(value)) if isinstance(value, dict) else chance.randrange(len(value))
        if chance.random() < 0.3 or not isinstance(value[key], (dict, list)) or not value[key]:
            if chance.random() < 0.3:
                del value[key]
            else:
                value[key] = chance.choice([None, -1, 1 << 40, "x", [], {}, [1], 0.5, True, [[]], {"id": {}}])
            return
        value = value[key]


def rearranged_xml(data: bytes, chance: random.Random) -> bytes:
    """One element anywhere is gone, or is there twice, or has another tag, attribute or text."""
    root = ET.fromstring(data)
    holder = chance.choice([each for each in root.iter() if len(each)])
    at = chance.randrange(len(holder))
    element, sort = holder[at], chance.randrange(5)
    if sort == 0:
        holder.remove(element)
    elif sort == 1:
        holder.append(element)
    elif sort == 2:
        element.tag = chance.choice(["object", "layer", "group", "tileset", "data", "property", "odd"])
    elif sort == 3:
        element.text = chance.choice(["", "x", "1,2", "9" * 40])
    else:
        key = chance.choice([*element.attrib, "id", "x", "objects", "type"])
        element.set(key, chance.choice(["", "-1", "nan", "1e999", "9" * 40, "x", "0.5", "properties"]))
    return bytes(ET.tostring(root, encoding="UTF-8", xml_declaration=True))


@pytest.mark.parametrize("suffix", MERGERS)
def test_damage_is_refused_or_merged(suffix: str) -> None:
    """Never another error: a file that people and programs write may hold anything."""
    chance = random.Random(suffix)
    base, new = exported("isaac", 7)[suffix], exported("isaac", 7, rooms=14)[suffix]
    for number in range({"ldtk": 8, "tsj": 16, "tmx": 12, "tsx": 4, "tres": 24}.get(suffix, 40)):
        if number % 2 or suffix in ("tscn", "tres"):
            theirs = damaged(base, chance)
        elif suffix in XML:
            theirs = rearranged_xml(base, chance)
        else:
            value = json.loads(base)
            rearranged(value, chance)
            theirs = json.dumps(value).encode()
        try:
            MERGERS[suffix](base, theirs, new)
        except CannotMerge as error:
            assert error.reason and "\n" not in error.reason
