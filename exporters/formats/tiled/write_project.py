"""Tiled's project, with the property types: the enums and classes that the editor shows for our maps.

    {"commands":[], "compatibilityVersion":1100, "extensionsPath":"extensions", "folders":["."],
     "propertyTypes":[
      {"id":1, "name":"DoorKind", "storageType":"string", "type":"enum", "values":["open","locked",...],
       "valuesAsFlags":false},
      {"color":"#ffd0a040", "drawFill":true, "id":9, "members":[{"name":"needs","type":"string",...}, ...],
       "name":"door", "type":"class", "useAs":["object"]}]}

Ids are not members, because objects that a person adds have no id until we write the map again.

The project is the same for all themes and all levels of a kit, and declares the kit's kinds. The maps have
them as plain text; see `exporters.formats.tiled.names`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from exporters.formats.tiled.names import RULES, written_name
from exporters.formats.tiled.syntax.text import EnumChoice, Lines, PropertyValue, Ref, document, properties
from exporters.objects import marker_colors, slug
from generator.geometry import Side
from generator.kinds import ROSTER, SHIPPED, Kinds
from generator.kinds.kind_tables import PROPERTY_FORMS
from generator.kinds.marker_properties import MARKER_PROPERTIES
from generator.named_tuple import NamedTuple

PROJECT_NAME = "undercroft.tiled-project"
_COMPATIBLE = 1100  # with Tiled 1.10


def project_file(kinds: Kinds) -> str:
    """Return the project's file name for a kit's levels, or `PROJECT_NAME` for the shipped kit."""
    return PROJECT_NAME if kinds == SHIPPED else f"undercroft-{slug(kinds)}.tiled-project"


@lru_cache(maxsize=16)
def _enums(kinds: Kinds) -> Mapping[str, tuple[str, ...]]:
    return {
        "DoorKind": tuple(kinds.doors),
        "EnemyKind": tuple(kinds.enemies),
        "MarkerKind": tuple(kinds.markers),
        "RoomKind": tuple(kinds.rooms),
        "Side": tuple(side.label for side in Side),
        # The first value is for what stays as it is.
        "NewDoorKind": ("", *kinds.doors),
        "NewEnemyKind": ("", *kinds.enemies),
        "NewRoomKind": ("", *kinds.rooms),
    }


class _Class(NamedTuple):
    name: str
    color: str  # #aarrggbb
    use_as: Sequence[str]
    members: Mapping[str, PropertyValue]
    fill: bool = True


def _room(kinds: Kinds) -> dict[str, PropertyValue]:
    return {
        "kind": _first("RoomKind", kinds, "normal"),
        "new_kind": EnumChoice("NewRoomKind", ""),
        "shape": "",
        "cells": "[]",
        "bounds": "[0,0,0,0]",
        "distance": -1,
        "depth": 0,
        "difficulty": 0,
        "layout": "",
        "zone": "",
    }


def _first(enum: str, kinds: Kinds, usual: str) -> PropertyValue:
    """Choose a member's default: the usual value, the enum's first one, or a text if the enum is empty."""
    known = _enums(kinds)[enum]
    return EnumChoice(enum, usual if usual in known else known[0]) if known else usual


def _marker(kind: str, kinds: Kinds) -> dict[str, PropertyValue]:
    own: dict[str, PropertyValue] = {
        "kind": EnumChoice("MarkerKind", kind),
        "room": Ref(0),
        "hallway": Ref(0),
    }
    given = MARKER_PROPERTIES.get(kind, {})
    usual: dict[str, PropertyValue] = {name: given[name].default for name in sorted(given)}
    if kind == "enemy":
        usual["name"] = _first("EnemyKind", kinds, next(iter(ROSTER)))
    declared = {name: PROPERTY_FORMS[form]() for name, form in kinds.markers[kind].properties.items()}
    named = {written_name(name, kind): value for name, value in (declared | usual).items()}
    if kind == "enemy":
        named["new_enemy_name"] = EnumChoice("NewEnemyKind", "")
    return named | own


_LEVEL: dict[str, PropertyValue] = {"style": "", "seed": "0", "fingerprint": "", "spec": "{}"}
_DOOR: dict[str, PropertyValue] = {
    "kind": EnumChoice("DoorKind", "open"),
    "new_kind": EnumChoice("NewDoorKind", ""),
    "side": EnumChoice("Side", "north"),
}
_SHUT: dict[str, PropertyValue] = {"starts_shut": False, "secret": False}
_WAYS: dict[str, PropertyValue] = {"room_a": Ref(0), "room_b": Ref(0), "hallway": Ref(0)}
_ASKED: dict[str, PropertyValue] = {"needs": "", "one_way": False, "opens_from": Ref(0)}
_ENDS: dict[str, PropertyValue] = {"door_a": Ref(0), "door_b": Ref(0), "room_a": Ref(0), "room_b": Ref(0)}
_PASSING: dict[str, PropertyValue] = {"walk": True, "fly": True, "shoot": True, "hazard": False}
_NOTHING_PASSES = _PASSING | {"walk": False, "fly": False, "shoot": False}


def _classes(kinds: Kinds) -> list[_Class]:
    usual = _usual_classes(kinds)
    taken = {class_.name for class_ in usual}
    return usual + [
        _Class(kind, f"#ff{color[1:].lower()}", ["object", "tile"], _marker(kind, kinds))
        for kind, color in marker_colors(kinds.markers, kinds).items()
        if kind not in taken
    ]


def _usual_classes(kinds: Kinds) -> list[_Class]:
    tile = ["tile"]
    return [
        _Class("level", "#ffa0a0a4", ["map"], _LEVEL),
        _Class("room", "#ff8c8cbf", ["map", "object"], _room(kinds), fill=False),
        _Class("hallway", "#ff996633", ["map", "object"], _ENDS, fill=False),
        _Class("door", "#ffd0a040", ["object"], _DOOR | _SHUT | _WAYS | _ASKED),
        _Class("one_of", "#ff50a0a0", ["object"], {"of": "rock pot floor"}),
        _Class("group", "#ff50a0a0", ["object"], {"many": 2, "of": "enemy shooter"}),
        _Class("note", "#ffa0a0a4", ["object"], {}),
        _Class("blocks", "#ffff0000", ["object"], {"walk": True, "fly": True, "shoot": True}),
        _Class("wall", "#ff8c8cbf", tile, _NOTHING_PASSES | {"terrain": "wall"}),
        _Class("door_tile", "#ffd0a040", tile, _PASSING | {"terrain": "door", "door": "", "shut": False}),
        _Class("pit", "#ff33334d", tile, _PASSING | {"walk": False} | {"terrain": "pit"}),
        _Class("decor", "#ff50a050", tile, _PASSING | {"decor": ""}),
        _Class(
            "floor",
            "#ff996633",
            tile,
            _PASSING | {"terrain": "floor"} | {"floor": "default", "shaded": False},
        ),
        _Class("overlay", "#ffa0a0a4", tile, {}),
    ]


@lru_cache(maxsize=16)
def project(kinds: Kinds = SHIPPED) -> bytes:
    """Write the bytes of the project file."""
    types = [_enum(name, values) for name, values in _enums(kinds).items()]
    types += [_class(class_) for class_ in sorted(_classes(kinds), key=lambda class_: class_.name)]
    return document(
        {
            "automappingRulesFile": RULES,
            "commands": [],
            "compatibilityVersion": _COMPATIBLE,
            "extensionsPath": "extensions",
            "folders": ["."],
            "properties": [],
            "propertyTypes": Lines([{"id": number, **kind} for number, kind in enumerate(types, 1)]),
        }
    )


def _enum(name: str, values: Sequence[str]) -> dict[str, object]:
    return {
        "name": name,
        "storageType": "string",
        "type": "enum",
        "values": list(values),
        "valuesAsFlags": False,
    }


def _class(class_: _Class) -> dict[str, object]:
    members = properties(class_.members)
    for member in members:
        if "propertytype" in member:  # spelt differently in a map
            member["propertyType"] = member.pop("propertytype")
    return {
        "color": class_.color,
        "drawFill": class_.fill,
        "members": members,
        "name": class_.name,
        "type": "class",
        "useAs": list(class_.use_as),
    }
