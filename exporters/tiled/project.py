"""Tiled's project, with the property types: the enums and classes that the editor shows for our maps.

    {"commands":[], "compatibilityVersion":1100, "extensionsPath":"extensions", "folders":["."],
     "propertyTypes":[
      {"id":1, "name":"DoorKind", "storageType":"string", "type":"enum", "values":["open","locked",...],
       "valuesAsFlags":false},
      {"color":"#ffd0a040", "drawFill":true, "id":9, "members":[{"name":"id","type":"int","value":0}, ...],
       "name":"door", "type":"class", "useAs":["object"]}]}

It is the same for all levels and themes: kinds are what `generator.kinds` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from exporters.tiled.text import Choice, Lines, Ref, Value, document, properties
from generator.geometry import Side
from generator.kinds import DOOR_KINDS, MARKER_KINDS, ROOM_KINDS

PROJECT_NAME = "undercroft.tiled-project"
_COMPATIBLE = 1100  # with Tiled 1.10

_ENUMS: dict[str, tuple[str, ...]] = {
    "DoorKind": tuple(kind.name for kind in DOOR_KINDS),
    "MarkerKind": MARKER_KINDS,
    "RoomKind": ROOM_KINDS,
    "Side": tuple(side.label for side in Side),
}

# What markers of a kind have beside the ids; see `docs/layouts.md` for what the values mean.
MARKER_MEMBERS: dict[str, dict[str, Value]] = {
    "boss": {"flies": False, "rank": "boss"},
    "chest": {"tier": "wood"},
    "enemy": {"champion": False, "flies": False, "role": "walker", "wave": 1},
    "exit": {"to": "next"},
    "fire": {"color": "orange", "light_radius_tiles": 3},
    "item": {"pool": "room"},
    "machine": {"game": "slots"},
    "pickup": {"item": "any"},
    "torch": {"color": "orange", "light_radius_tiles": 3},
    "ware": {"item": "any"},
}


class _Class(NamedTuple):
    name: str
    color: str  # #aarrggbb
    use_as: Sequence[str]
    members: Mapping[str, Value]
    fill: bool = True


def _room() -> dict[str, Value]:
    return {
        "id": 0,
        "kind": Choice("RoomKind", "normal"),
        "shape": "",
        "cells": "[]",
        "bounds": "[0,0,0,0]",
        "distance": -1,
        "depth": 0,
        "difficulty": 0,
        "layout": "",
    }


def _marker(kind: str) -> dict[str, Value]:
    own: dict[str, Value] = {"id": 0, "kind": Choice("MarkerKind", kind), "room": Ref(0), "hallway": Ref(0)}
    return own | MARKER_MEMBERS.get(kind, {})


_LEVEL: dict[str, Value] = {"style": "", "seed": "0", "fingerprint": "", "spec": "{}"}
_DOOR: dict[str, Value] = {"id": 0, "kind": Choice("DoorKind", "open"), "side": Choice("Side", "north")}
_WAYS: dict[str, Value] = {"shut": False, "room_a": Ref(0), "room_b": Ref(0), "hallway": Ref(0)}
_ENDS: dict[str, Value] = {"id": 0, "door_a": Ref(0), "door_b": Ref(0), "room_a": Ref(0), "room_b": Ref(0)}
_PASSING: dict[str, Value] = {"walk": True, "fly": True, "shoot": True, "hazard": False}
_NOTHING_PASSES = _PASSING | {"walk": False, "fly": False, "shoot": False}


def _classes() -> list[_Class]:
    tile = ["tile"]
    markers = [_Class(kind, "#ffe05050", ["object"], _marker(kind)) for kind in MARKER_KINDS]
    return [
        _Class("level", "#ffa0a0a4", ["map"], _LEVEL),
        _Class("room", "#ff8c8cbf", ["map", "object"], _room(), fill=False),
        _Class("hallway", "#ff996633", ["map", "object"], _ENDS, fill=False),
        _Class("door", "#ffd0a040", ["object"], _DOOR | _WAYS),
        *markers,
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


def project() -> bytes:
    """The file's bytes."""
    types = [_enum(name, values) for name, values in _ENUMS.items()]
    types += [_class(one) for one in sorted(_classes(), key=lambda one: one.name)]
    return document(
        {
            "automappingRulesFile": "",
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


def _class(one: _Class) -> dict[str, object]:
    members = properties(one.members)
    for member in members:
        if "propertytype" in member:  # spelt otherwise than in a map
            member["propertyType"] = member.pop("propertytype")
    return {
        "color": one.color,
        "drawFill": one.fill,
        "members": members,
        "name": one.name,
        "type": "class",
        "useAs": list(one.use_as),
    }
