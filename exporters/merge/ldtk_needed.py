"""What a merged project needs so that LDtk loads it: definitions, a layer for each of them, and names."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from exporters.formats.ldtk.syntax import identifier
from exporters.merge.ldtk_fields import complete_fields
from exporters.merge.ldtk_ids import OWN_COUNT, UIDS, tables
from generator.pattern import pattern

_SORTS = ("entities", "tilesets", "enums", "levelFields")
_ENUM = pattern(r"F_Enum\((\d{1,12})\)")


def keep_needed(project: dict[str, Any], before: dict[str, Any]) -> None:
    """Add the definitions of `before` that a merged project refers to, in place."""
    defs, old_defs = project.get("defs"), before.get("defs")
    if not isinstance(defs, dict) or not isinstance(old_defs, dict):
        return
    missing = {
        definition["uid"]: (sort, definition)
        for sort in _SORTS
        for definition in tables(old_defs.get(sort))
        if isinstance(definition.get("uid"), int)
    }
    for sort in _SORTS:
        for definition in tables(defs.get(sort)):
            missing.pop(definition.get("uid"), None)
    if not missing:
        return
    looked_at: list[Any] = [project]
    while looked_at:
        added = [missing.pop(uid) for uid in dict.fromkeys(_uids(looked_at)) if uid in missing]
        for sort, definition in added:
            defs[sort].append(definition)
        looked_at = [definition for _, definition in added]  # fields of entities may use an enum


def _uids(value: Any, key: str = "") -> Iterator[int]:
    """Yield all uids that a value refers to."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name not in OWN_COUNT and name != "autoLayerTiles":
                yield from _uids(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _uids(item, key)
    elif isinstance(value, int):
        if key in UIDS:
            yield value
    elif key == "type" and isinstance(value, str) and (enum := _ENUM.fullmatch(value)):
        yield int(enum[1])


def _iid_of(*parts: object) -> str:
    """Derive a deterministic iid for something new. It starts with a letter, as our iids do."""
    digest = hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "replace")).digest()
    return "a" + str(uuid.UUID(bytes=digest[:16], version=5))[1:]


def _instance(definition: dict[str, Any], level: dict[str, Any], project: dict[str, Any]) -> dict[str, Any]:
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
        "iid": _iid_of(level["iid"], definition["uid"], definition["identifier"]),
        "levelId": level["uid"],
        "layerDefUid": definition["uid"],
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "visible": True,
        "optionalRules": [],
        "intGridCsv": [0] * (width * height) if definition["type"] == "IntGrid" else [],
        "autoLayerTiles": [],
        "seed": 0,
        "overrideTilesetUid": None,
        "gridTiles": [],
        "entityInstances": [],
    }


def complete(project: dict[str, Any]) -> None:
    """Give each level one layer per definition, in order, and all its fields, as LDtk does, in place."""
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
                instances.get(layer["uid"]) or _instance(layer, level, project) for layer in definitions
            ]
    complete_fields(project)


def named_apart(levels: Iterable[dict[str, Any]], added: set[str]) -> None:
    """Give unique names to levels that a person added, in place."""
    levels = list(levels)
    taken = {str(level["identifier"]) for level in levels if level["iid"] not in added}
    for level in levels:
        if level["iid"] in added:
            name = str(level["identifier"])
            level["identifier"] = identifier(name, taken) if name in taken else name
            taken.add(level["identifier"])
