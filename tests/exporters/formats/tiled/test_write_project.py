"""The project declares every type that our maps use, with what objects of it have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from exporters.formats.tiled.names import CHOICES, written_name
from exporters.formats.tiled.write_project import project
from generator.kinds import DOOR_KINDS, MARKER_KINDS, ROOM_KINDS, SHIPPED
from generator.kinds.marker_properties import MARKER_PROPERTIES
from tests.exporters import own_kinds

from .conftest import Case, read

TYPES: dict[str, dict[str, Any]] = {one["name"]: one for one in json.loads(project())["propertyTypes"]}


def things(case: Case) -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything in a level's files that has a class, with what the class is used as."""
    maps = [case.whole, *(case.world.parent / one["fileName"] for one in read(case.world)["maps"])]
    for path in maps:
        found = read(path)
        yield "map", {**found, "type": found["class"]}
        for layer in found["layers"]:
            yield from (("object", one) for one in layer.get("objects", ()))
    for tile in read(case.whole.parent / f"{case.theme.name}.tsj")["tiles"]:
        yield "tile", tile
        yield from (("object", one) for one in tile.get("objectgroup", {}).get("objects", ()))


def members(name: str) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in TYPES[name]["members"]} if name in TYPES else {}


def test_everything_has_a_class_that_is_declared(case: Case) -> None:
    for use, thing in things(case):
        if thing["type"] != own_kinds.MARKER:
            assert use in TYPES[thing["type"]]["useAs"], thing["type"]


def test_properties_have_the_types_of_their_class(case: Case) -> None:
    """Kinds are plain texts, among the values of the class's enum, so that a map without a project has no errors."""
    for _, thing in things(case):
        declared = members(thing["type"])
        for one in thing.get("properties", ()):
            assert "propertytype" not in one
            if one["name"] in declared and case.name != "by.hand":
                member = declared[one["name"]]
                assert member["type"] == one["type"], (thing["type"], one)
                enum = TYPES.get(member.get("propertyType"), {"values": [one["value"]]})
                assert one["value"] in {*enum["values"], *own_kinds.KINDS}, (thing["type"], one)


def test_each_kind_can_be_chosen_from_a_list() -> None:
    """That of a marker is its class; those of others are values of an enum, or none, which changes nothing."""
    for class_, name in (("room", "new_kind"), ("door", "new_kind"), ("enemy", "new_enemy_name")):
        member = members(class_)[name]
        kinds = TYPES[members(class_)[CHOICES[name]]["propertyType"]]["values"]
        assert (member["value"], TYPES[member["propertyType"]]["values"]) == ("", ["", *kinds])


def test_classes_name_what_their_things_have(case: Case) -> None:
    """All but a room's doors, however many they are, and what only the maps of rooms have."""
    split = {"level", "fingerprint", "left", "top"}
    split |= {"room_id", "door_id", "hallway_id", "marker_id", "unique_name"}  # which no class has
    split.add("joins")  # of the few doors whose exits have a class
    split |= {"to_room", "to_map", "to_room_a", "to_map_a", "to_room_b", "to_map_b"}
    facts = set(case.level.facts)
    for use, thing in things(case):
        named = {one["name"] for one in thing.get("properties", ())}
        unknown = {
            one for one in named - members(thing["type"]).keys() if not one.startswith(("door_", "key_"))
        }
        if use == "map":
            unknown -= facts
        if case.name != "by.hand" and thing["type"] != own_kinds.MARKER:
            assert unknown <= split, thing["type"]


def test_what_markers_have_is_declared(cases: dict[str, Case]) -> None:
    """Those that layouts can draw, and those of generated levels."""
    drawn = [(glyph.marker, glyph.properties) for glyph in SHIPPED.glyphs.values() if glyph.marker]
    levels = [case.level for name, case in cases.items() if name != "by.hand"]
    drawn += [(marker.kind, marker.properties) for level in levels for marker in level.markers]
    for kind, found in drawn:
        if kind == own_kinds.MARKER:
            continue
        declared = {name: type(one.default) for name, one in MARKER_PROPERTIES.get(kind, {}).items()}
        assert {name: type(value) for name, value in found.items()}.items() <= declared.items(), kind
        assert {written_name(name, kind) for name in declared} <= members(kind).keys()


def test_enums_are_the_kinds() -> None:
    assert tuple(TYPES["RoomKind"]["values"]) == ROOM_KINDS
    assert tuple(TYPES["MarkerKind"]["values"]) == MARKER_KINDS
    assert TYPES["DoorKind"]["values"] == [kind.name for kind in DOOR_KINDS]
    assert MARKER_PROPERTIES.keys() <= set(MARKER_KINDS)


def test_ids_and_names_are_unique() -> None:
    every = json.loads(project())["propertyTypes"]
    assert [one["id"] for one in every] == list(range(1, len(every) + 1))
    assert len(TYPES) == len(every)
    for one in every:
        assert one["type"] == "class" or one["storageType"] == "string"
