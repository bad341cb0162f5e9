"""The parts of a project that have no place now: hidden layers `Lost_edits`, and levels of that name.

Games would treat entities as parts of the level, so each becomes a `Lost_edit`, which records what it was.
"""

from __future__ import annotations

import copy
import hashlib
import uuid
from collections.abc import Iterable
from typing import Any

from exporters.formats.ldtk.syntax import clean, identifier
from exporters.merge.ldtk_cells import INTS
from exporters.merge.ldtk_ids import tables

NAME, ENTITY = "Lost_edits", "Lost_edit"
_LAYERS = {"Tiles": NAME, "IntGrid": f"{NAME}_terrain", "Entities": f"{NAME}_entities"}
_DOC = "edits that had no place in the new version of the level; delete this when you have looked at them"


class LostDefinitions:
    """The definitions for lost edits, added to a merged project when they are first needed."""

    def __init__(self, project: dict[str, Any], next_uid: int) -> None:
        self._project = project
        self._defs: dict[str, Any] = project.get("defs") or {}
        self.next_uid = next_uid
        self._layers: dict[str, dict[str, Any]] = {}

    def layers(self) -> list[dict[str, Any]]:
        """List the definitions of all layers."""
        return tables(self._defs.get("layers"))

    def blank(self, fields: Any) -> list[dict[str, Any]]:
        """Remove the values of a level's fields where possible, since the level is not a room of the game."""
        may = {field.get("uid") for field in tables(self._defs.get("levelFields")) if field.get("canBeNull")}
        none: dict[str, Any] = {"__value": None, "realEditorValues": []}
        return [{**field, **none} if field.get("defUid") in may else field for field in tables(fields)]

    def put(self, level: dict[str, Any], type_: str, key: str, items: list[Any]) -> None:
        """Add tiles, entities or IntGrid values to a level's layer of lost edits."""
        definition = self._layer(type_)
        if definition is None:  # a level in a separate file, without definitions
            return
        layer = next(
            (candidate for candidate in tables(level["layerInstances"]) if _is_of(candidate, definition)),
            None,
        )
        if layer is None:
            layer = instance(definition, level, self._project)
            level["layerInstances"].append(layer)
        if key == INTS:
            before = layer[INTS] if len(layer[INTS]) == len(items) else [0] * len(items)
            layer[INTS] = [new or old for new, old in zip(items, before, strict=True)]
        else:
            layer[key] = [*layer[key], *items]

    def entity(self, lost: dict[str, Any], level: dict[str, Any]) -> dict[str, Any]:
        """Create a `Lost_edit` at the position of another entity, which records what that was."""
        definition = self._entity()
        field = self._was(definition)
        fields = {
            item.get("__identifier"): item.get("__value") for item in tables(lost.get("fieldInstances"))
        }
        text = clean(
            "; ".join(f"{key}={value}" for key, value in {"was": lost.get("__identifier"), **fields}.items())
        )
        value = {"__identifier": field["identifier"], "__type": "String", "__value": text, "__tile": None}
        value |= {"defUid": field["uid"], "realEditorValues": [{"id": "V_String", "params": [text]}]}
        kept = {
            key: lost.get(key)
            for key in ("__grid", "__pivot", "width", "height", "px", "__worldX", "__worldY")
        }
        return {
            "__identifier": ENTITY,
            **kept,
            "__tags": [],
            "__tile": None,
            "__smartColor": definition["color"],
            "iid": iid_of(lost.get("iid"), level["iid"], "lost"),
            "defUid": definition["uid"],
            "fieldInstances": [value],
        }

    def _layer(self, type_: str) -> dict[str, Any] | None:
        if type_ not in self._layers and self._defs:
            name = _LAYERS[type_]
            layers = self._defs["layers"]
            layer = next((definition for definition in layers if definition.get("identifier") == name), None)
            if layer is None:
                like = next(definition for definition in layers if definition.get("type") == type_)
                layer = {**copy.deepcopy(like), "identifier": name, "uid": self._uid(), "doc": _DOC}
                layer |= {"autoRuleGroups": [], "autoSourceLayerDefUid": None, "requiredTags": []}
                for value in tables(layer.get("intGridValues")):  # or a game would take it for terrain
                    value["identifier"] = f"lost_{value.get('identifier')}"
                layer |= {"hideInList": False, "canSelectWhenInactive": False}
                layers.insert(0, layer)
            self._layers[type_] = layer
        return self._layers.get(type_)

    def _entity(self) -> dict[str, Any]:
        entities = self._defs["entities"]
        for entity in tables(entities):
            if entity.get("identifier") == ENTITY:
                return entity
        definition = {**copy.deepcopy(entities[0]), "identifier": ENTITY, "uid": self._uid(), "doc": _DOC}
        definition |= {
            "tags": [],
            "resizableX": True,
            "resizableY": True,
            "tileRect": None,
            "tilesetId": None,
        }
        definition |= {"renderMode": "Rectangle", "uiTileRect": None, "color": "#808080", "maxCount": 0}
        definition["fieldDefs"] = []
        entities.append(definition)
        return dict(definition)

    def _was(self, definition: dict[str, Any]) -> dict[str, Any]:
        """Return the field that records what an entity was. Add it if a person has removed it."""
        for field in tables(definition["fieldDefs"]):
            if field.get("identifier") == "was":
                return field
        fields = [
            candidate for entity in self._defs["entities"] for candidate in tables(entity.get("fieldDefs"))
        ]
        like = next(
            candidate
            for candidate in fields
            if candidate.get("type") == "F_String" and not candidate.get("isArray")
        )
        added = {**copy.deepcopy(like), "identifier": "was", "uid": self._uid(), "doc": None}
        definition["fieldDefs"].append(added)
        return added

    def _uid(self) -> int:
        self.next_uid += 1
        return self.next_uid - 1


def _is_of(layer: dict[str, Any], definition: dict[str, Any]) -> bool:
    return bool(layer.get("layerDefUid") == definition["uid"])


def iid_of(*parts: object) -> str:
    """Derive a deterministic iid for something new. It starts with a letter, as our iids do."""
    digest = hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "replace")).digest()
    return "a" + str(uuid.UUID(bytes=digest[:16], version=5))[1:]


def instance(definition: dict[str, Any], level: dict[str, Any], project: dict[str, Any]) -> dict[str, Any]:
    """Create an empty layer of a level."""
    size = definition.get("gridSize") or 1
    width, height = -(-int(level["pxWid"]) // size), -(-int(level["pxHei"]) // size)
    tileset = definition.get("tilesetDefUid")
    paths = {entry.get("uid"): entry.get("relPath") for entry in tables(project["defs"].get("tilesets"))}
    return {
        "__identifier": definition["identifier"],
        "__type": definition["type"],
        "__cWid": width,
        "__cHei": height,
        "__gridSize": size,
        "__opacity": definition.get("displayOpacity", 1),
        "__pxTotalOffsetX": definition.get("pxOffsetX", 0),
        "__pxTotalOffsetY": definition.get("pxOffsetY", 0),
        "__tilesetDefUid": tileset,
        "__tilesetRelPath": paths.get(tileset),
        "iid": iid_of(level["iid"], definition["uid"], definition["identifier"]),
        "levelId": level["uid"],
        "layerDefUid": definition["uid"],
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "visible": not definition["identifier"].startswith(NAME),
        "optionalRules": [],
        "intGridCsv": [0] * (width * height) if definition["type"] == "IntGrid" else [],
        "autoLayerTiles": [],
        "seed": 0,
        "overrideTilesetUid": None,
        "gridTiles": [],
        "entityInstances": [],
    }


def complete(project: dict[str, Any]) -> None:
    """Give each level one layer per definition, in order, as LDtk does, in place."""
    if not project.get("defs"):
        return
    definitions = tables(project["defs"].get("layers"))
    paths = {layer.get("uid"): layer.get("relPath") for layer in tables(project["defs"].get("tilesets"))}
    for level in tables(project.get("levels")):
        if isinstance(level.get("layerInstances"), list):
            instances = {layer.get("layerDefUid"): layer for layer in level["layerInstances"]}
            for layer in instances.values():
                tileset = layer.get("overrideTilesetUid") or layer.get("__tilesetDefUid")
                layer["__tilesetRelPath"] = paths.get(tileset)
            level["layerInstances"] = [
                instances.get(layer["uid"]) or instance(layer, level, project) for layer in definitions
            ]


def named_apart(levels: Iterable[dict[str, Any]], added: set[str]) -> None:
    """Give unique names to levels that a person added, in place."""
    levels = list(levels)
    taken = {str(level["identifier"]) for level in levels if level["iid"] not in added}
    for level in levels:
        if level["iid"] in added:
            name = str(level["identifier"])
            level["identifier"] = identifier(name, taken) if name in taken else name
            taken.add(level["identifier"])
