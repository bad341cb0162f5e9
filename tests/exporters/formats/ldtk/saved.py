"""What LDtk makes of a project when it opens and saves it, written from its documentation and behaviour.

It sorts, completes and reckons: layers and fields in the order of their definitions, `__` values from what they show,
tiles of auto-layers from the rules, neighbours, references only to what is there, nothing that it does not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .reader import Project, tile_drawn

Json = dict[str, Any]

HEADER = ("fileType", "app", "doc", "schema", "appAuthor", "appVersion", "url")
FIELD = ("__identifier", "__type", "__value", "__tile", "defUid", "realEditorValues")


def save(path: Path) -> None:
    """Open a project, and save it."""
    files = Saved(path).files()
    for file in path.with_suffix("").glob("*.ldtkl"):
        file.unlink()
    for file, made in files.items():
        file.write_text(json.dumps(made, indent="\t", ensure_ascii=False), "utf-8")


def unlike_ldtk(path: Path) -> list[str]:
    """Where a project on disk is not as LDtk would save it, if it saved it again; but for its header."""
    found: list[str] = []
    for file, made in Saved(path).files().items():
        ours = json.loads(file.read_bytes()) | {"__header__": made["__header__"]}
        found += (f"{file.name}: {line}" for line in _differences(ours, made))
    return found


def _differences(ours: Any, theirs: Any, place: str = "") -> Iterator[str]:
    """Yield where two files differ; tiles that rules draw may be in any order, since LDtk sorts them."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in {**ours, **theirs}:
            yield from _differences(ours.get(key), theirs.get(key), f"{place}.{key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        if place.endswith(".autoLayerTiles"):
            ours, theirs = (sorted(each, key=lambda tile: tile["d"][::-1]) for each in (ours, theirs))
        for number, (own, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from _differences(own, other, f"{place}[{number}]")
    elif ours != theirs:
        yield f"{place}: {str(ours)[:200]} is {str(theirs)[:200]} in LDtk"


class Saved:
    """An opened project, as LDtk saves it."""

    def __init__(self, path: Path) -> None:
        self.path, self.project = path, Project(path)
        self.root, self.levels = self.project.json, self.project.levels
        defs = self.root["defs"]
        self.entities: dict[int, Json] = {each["uid"]: each for each in defs["entities"]}
        self.enums: dict[int, Json] = {each["uid"]: each for each in defs["enums"]}
        self.places: dict[str, Json] = {}
        self.references: set[tuple[int, str, str]] = set()  # field, from and to
        for level in self.levels:
            level["layerInstances"] = [self._layer(level, each) for each in defs["layers"]]
        for level in self.levels:
            self._register(level)
        for level in self.levels:
            self._level(level)

    def files(self) -> dict[Path, Json]:
        """The project, and its levels if they are files of their own."""
        header = {"__header__": {key: self.root["__header__"][key] for key in HEADER}}
        levels = [{key: level[key] for key in level if key != "__header__"} for level in self.levels]
        made: dict[Path, Json] = {}
        for level in levels if self.root["externalLevels"] else ():
            path = f"{self.path.stem}/{level['identifier']}.ldtkl"
            made[self.path.parent / path] = {**header, **level}
            level |= {"layerInstances": None, "externalRelPath": path}
        return {self.path: {**self.root, **header, "levels": levels}, **made}

    def _layer(self, level: Json, known: Json) -> Json:
        """A layer's instance, or a new empty one."""
        size = known["gridSize"]
        columns, rows = (-(-level[side] // size) for side in ("pxWid", "pxHei"))
        there = [each for each in level["layerInstances"] if each["layerDefUid"] == known["uid"]]
        layer: Json = there[0] if there else self._new_layer(level, known, columns * rows)
        tileset = self.project.tilesets.get(known["tilesetDefUid"])
        return layer | {
            "__identifier": known["identifier"],
            "__type": known["type"],
            "__cWid": columns,
            "__cHei": rows,
            "__gridSize": size,
            "__pxTotalOffsetX": known["pxOffsetX"] + layer["pxOffsetX"],
            "__pxTotalOffsetY": known["pxOffsetY"] + layer["pxOffsetY"],
            "__tilesetDefUid": known["tilesetDefUid"],
            "__tilesetRelPath": tileset["relPath"] if tileset else None,
            "levelId": level["uid"],
            "gridTiles": sorted(layer["gridTiles"], key=lambda tile: tile["d"][0]),
        }

    def _new_layer(self, level: Json, known: Json, cells: int) -> Json:
        values = [0] * cells if known["type"] == "IntGrid" else []
        return {
            **level["layerInstances"][0],
            "iid": f"d0000000-0000-11ee-8c99-{known['uid']:06d}{level['uid']:06d}",
            "layerDefUid": known["uid"],
            "pxOffsetX": 0,
            "pxOffsetY": 0,
            "seed": 1000 + known["uid"],
            "intGridCsv": values,
            "autoLayerTiles": [],
            "gridTiles": [],
            "entityInstances": [],
        }

    def _register(self, level: Json) -> None:
        for layer in level["layerInstances"]:
            for entity in layer["entityInstances"]:
                self.places[entity["iid"]] = {
                    "entityIid": entity["iid"],
                    "layerIid": layer["iid"],
                    "levelIid": level["iid"],
                    "worldIid": self.root["dummyWorldIid"],
                }
                for field in entity["fieldInstances"]:
                    held = (each["params"][0] for each in field["realEditorValues"] if each)
                    self.references |= {(field["defUid"], entity["iid"], value) for value in held}

    def _level(self, level: Json) -> None:
        level["fieldInstances"] = self._fields(level, self.root["defs"]["levelFields"])
        level["__neighbours"] = [
            {"levelIid": other["iid"], "dir": way} for other, way in self._neighbours(level)
        ]
        for layer in level["layerInstances"]:
            known = self.project.layers[layer["layerDefUid"]]
            if layer["__type"] == "IntGrid" and known["autoRuleGroups"]:
                layer["autoLayerTiles"] = self._drawn(level, layer, known)
            for entity in layer["entityInstances"]:
                self._entity(level, layer, entity)

    def _drawn(self, level: Json, layer: Json, known: Json) -> list[Json]:
        """The tiles of an auto-layer, those of the last rule first."""
        order = {rule["uid"]: number for number, rule in enumerate(self.project.rules(known))}
        found = self.project.applied(level, layer).items()
        tileset = self.project.tilesets[known["tilesetDefUid"]]
        pitch, size = tileset["tileGridSize"] + tileset["spacing"], layer["__gridSize"]
        tiles = []
        for coord, rule in sorted(found, key=lambda each: (-order[each[1]["uid"]], each[0])):
            tile = tile_drawn(rule, layer, coord)
            y, x = divmod(coord, layer["__cWid"])
            at = divmod(tile, tileset["__cWid"])
            src = [tileset["padding"] + at[1] * pitch, tileset["padding"] + at[0] * pitch]
            place = {"px": [x * size, y * size], "src": src}
            tiles.append(place | {"f": 0, "t": tile, "d": [rule["uid"], coord], "a": 1})
        return tiles

    def _entity(self, level: Json, layer: Json, entity: Json) -> None:
        known = self.entities[entity["defUid"]]
        entity["__identifier"], entity["__tags"] = known["identifier"], known["tags"]
        entity["__grid"] = [at // layer["__gridSize"] for at in entity["px"]]
        entity["__worldX"], entity["__worldY"] = (
            level[key] + at for key, at in zip(("worldX", "worldY"), entity["px"], strict=True)
        )
        entity["fieldInstances"] = self._fields(entity, known["fieldDefs"])
        shown = [field["__tile"] for field in entity["fieldInstances"] if field["__tile"]]
        entity["__tile"] = shown[0] if shown else known["tileRect"]

    def _fields(self, holder: Json, definitions: list[Json]) -> list[Json]:
        """The fields by their definitions; `__value` follows from `realEditorValues`, which alone LDtk reads."""
        there = {field["defUid"]: field["realEditorValues"] for field in holder["fieldInstances"]}
        return [self._field(holder, known, there.get(known["uid"], [])) for known in definitions]

    def _field(self, holder: Json, known: Json, held: list[Any]) -> Json:
        if known["type"] == "F_EntityRef":
            held = [each if each and self._leads(holder, known, each["params"][0]) else None for each in held]
            held = [each for each in held if each] if known["isArray"] else held
        values = [each and each["params"][0] for each in held]
        shown = [self._shown(known, value) for value in values]
        single = shown[0] if shown else self._shown(known, None)
        value = shown if known["isArray"] else single
        row = (known["identifier"], known["__type"], value, self._tile(known, single), known["uid"], held)
        return dict(zip(FIELD, row, strict=True))

    def _leads(self, holder: Json, known: Json, target: str) -> bool:
        """Whether a reference is to something that is there, and refers back if it must."""
        back = known["uid"], target, holder["iid"]
        return target in self.places and (not known["symmetricalRef"] or back in self.references)

    def _shown(self, known: Json, value: Any) -> Any:
        if value is None:
            return known["defaultOverride"] and known["defaultOverride"]["params"][0]
        if known["type"] == "F_EntityRef":
            return self.places[value]
        if known["type"] == "F_Color":
            return f"#{value:06X}"
        if known["type"] == "F_Point":
            return dict(zip(("cx", "cy"), map(int, value.split(",")), strict=True))
        return round(value, 3) if known["type"] == "F_Float" else value

    def _tile(self, known: Json, value: Any) -> Any:
        if not known["type"].startswith("F_Enum") or known["editorDisplayMode"] != "EntityTile":
            return None
        enum = self.enums[int(known["type"][7:-1])]
        return next((each["tileRect"] for each in enum["values"] if each["id"] == value), None)

    def _neighbours(self, level: Json) -> list[tuple[Json, str]]:
        """Other levels that overlap it, then those that touch it."""
        over, beside = [], []
        left, top, depth = level["worldX"], level["worldY"], level["worldDepth"]
        right, bottom = left + level["pxWid"], top + level["pxHei"]
        for other in self.levels:
            x, y, other_depth = other["worldX"], other["worldY"], other["worldDepth"]
            end_x, end_y = x + other["pxWid"], y + other["pxHei"]
            if other is level or x > right or end_x < left or y > bottom or end_y < top:
                continue
            ns = "n" if end_y == top else "s" if y == bottom else ""
            we = "w" if end_x == left else "e" if x == right else ""
            if not ns and not we:
                if abs(depth - other_depth) <= 1:
                    over.append((other, "o" if depth == other_depth else ">" if other_depth > depth else "<"))
            elif depth == other_depth:
                beside.append((other, ns + we if ns and we else ns or we))
        return over + beside
