"""An LDtk level as JSON, in the order of keys in which LDtk writes it. Second pass.

    "layerInstances": [
        {
            "__identifier": "Terrain",
            "__type": "IntGrid",
            ...
            "intGridCsv": [
                1,1,1,1,1,1,1,9,1,1,1,1,1,1,1, ...
            ],
            "autoLayerTiles": [
                { "px": [16,0], "src": [64,160], "f": 0, "t": 324, "d": [87,1], "a": 1 },

A tile's `t` is its number in the tileset, `src` its place there; `d` holds the rule's uid, if one drew it,
and the tile's coordinate x + y · width, from which LDtk knows where it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from exporters.ldtk import kinds
from exporters.ldtk.areas import Plan
from exporters.ldtk.content import Content, Tiles
from exporters.ldtk.entities import EntityWriter, Instance, room_values
from exporters.ldtk.fields import writer
from exporters.ldtk.ids import Iids
from exporters.ldtk.json_text import Lines, Rendered
from exporters.ldtk.model import Definitions, LayerDef, Value
from exporters.ldtk.touching import Neighbour
from exporters.theme import Theme
from generator.geometry import Point
from generator.level import Level

_KEYS = 6  # of a tile and of a field
_WHITENED = 0.45  # how much of white LDtk mixes into a level's colour


class Sheet(NamedTuple):
    """The tileset as LDtk counts it: `columns` of its own, which may be more than the theme's."""

    theme: Theme
    columns: int

    def number(self, index: int) -> int:
        """LDtk's number of an atlas index."""
        column, row = self.theme.at(index)
        return row * self.columns + column


class LevelWriter:
    """Writes the levels of one project; `indent` is how deep a level's keys stand."""

    def __init__(
        self, level: Level, plan: Plan, definitions: Definitions, sheet: Sheet, iids: Iids, indent: int
    ) -> None:
        self._level = level
        self._plan = plan
        self._definitions = definitions
        self._sheet = sheet
        self._iids = iids
        self._entities = EntityWriter(definitions, sheet.theme, indent + 3)
        self._middles: dict[int, str] = {}
        self._rule_uids = definitions.rule_uids
        self._indent = indent

    def uid(self, number: int) -> int:
        """The uid of a level."""
        return self._definitions.next_uid + number

    def iid(self, number: int) -> str:
        """The iid of a level."""
        return self._iids.of("level", number)

    def world(self, number: int) -> Point:
        """Where a level lies in LDtk's world, px."""
        (left, top), size = self._plan.origin, self._sheet.theme.tile_size
        rect = self._plan.areas[number].rect
        return (rect.x - left) * size, (rect.y - top) * size

    def write(
        self, number: int, content: Content, entities: Sequence[Instance], neighbours: Sequence[Neighbour]
    ) -> dict[str, object]:
        """A level with everything in it."""
        area, size = self._plan.areas[number], self._sheet.theme.tile_size
        x, y = self.world(number)
        return {
            "identifier": area.identifier,
            "iid": self.iid(number),
            "uid": self.uid(number),
            "worldX": x,
            "worldY": y,
            "worldDepth": area.depth,
            "pxWid": area.rect.width * size,
            "pxHei": area.rect.height * size,
            "__bgColor": kinds.BACKGROUND,
            "bgColor": None,
            "useAutoIdentifier": False,
            "bgRelPath": None,
            "bgPos": None,
            "bgPivotX": 0.5,
            "bgPivotY": 0.5,
            "__smartColor": _whitened(kinds.ROOM_COLORS[area.room.kind] if area.room else kinds.BACKGROUND),
            "__bgPos": None,
            "externalRelPath": None,
            "fieldInstances": self.fields(number, self._indent + 1),
            "layerInstances": self._layers(number, content, entities),
            "__neighbours": [
                {"levelIid": self.iid(each.place), "dir": each.direction} for each in neighbours
            ],
        }

    def fields(self, number: int, indent: int) -> Lines:
        """A level's fields, to stand `indent` tabs deep."""
        room = self._plan.areas[number].room
        values: dict[str, Value] = {
            **(room_values(room) if room else {}),
            "style": self._level.style,
            "seed": str(self._level.seed),
            "fingerprint": self._level.fingerprint,
        }
        fields = self._definitions.level_fields
        return Lines([writer(field, indent)(values.get(field.name)) for field in fields], _KEYS)

    def _layers(self, number: int, content: Content, entities: Sequence[Instance]) -> list[dict[str, object]]:
        area = self._plan.areas[number]
        tiles = {
            "Overlay": content.overlay,
            "Decor": content.decor,
            "Doors": content.doors,
            "Stone_above": content.above,
            "Stone_below": content.below,
            "Terrain_fixed": content.fixed,
        }
        layers = []
        for layer in self._definitions.layers.values():
            filled: dict[str, object] = {}
            if layer.type == "IntGrid":
                filled["intGridCsv"] = content.values.ravel().tolist()
                filled["autoLayerTiles"] = Lines(self._tile_lines(content.terrain, area.rect.width), _KEYS)
            elif layer.type == "Tiles":
                filled["gridTiles"] = Lines(self._tile_lines(tiles[layer.name], area.rect.width), _KEYS)
            else:
                filled["entityInstances"] = self._entity_list(number, entities)
            layers.append(self._layer(number, layer, filled))
        return layers

    def _layer(self, number: int, layer: LayerDef, filled: dict[str, object]) -> dict[str, object]:
        rect = self._plan.areas[number].rect
        tiles = layer.type != "Entities"
        return {
            "__identifier": layer.name,
            "__type": layer.type,
            "__cWid": rect.width,
            "__cHei": rect.height,
            "__gridSize": self._sheet.theme.tile_size,
            "__opacity": 1,
            "__pxTotalOffsetX": 0,
            "__pxTotalOffsetY": layer.offset_tiles * self._sheet.theme.tile_size,
            "__tilesetDefUid": self._definitions.tileset if tiles else None,
            "__tilesetRelPath": f"{self._sheet.theme.name}.png" if tiles else None,
            "iid": self.layer_iid(number, layer),
            "levelId": self.uid(number),
            "layerDefUid": layer.uid,
            "pxOffsetX": 0,
            "pxOffsetY": 0,
            "visible": True,
            "optionalRules": [],
            "intGridCsv": filled.get("intGridCsv", []),
            "autoLayerTiles": filled.get("autoLayerTiles", []),
            "seed": (self._level.seed + number * 7919 + layer.uid) % 9_999_999,
            "overrideTilesetUid": None,
            "gridTiles": filled.get("gridTiles", []),
            "entityInstances": filled.get("entityInstances", []),
        }

    def layer_iid(self, number: int, layer: LayerDef) -> str:
        """The iid of a level's layer."""
        return self._iids.of("level", number, "layer", layer.name)

    def _entity_list(self, number: int, entities: Sequence[Instance]) -> Rendered | list[object]:
        if not entities:
            return []
        rect, world, tabs = self._plan.areas[number].rect, self.world(number), "\t" * (self._indent + 3)
        texts = [self._entities.write(each, rect, world, self._reference(each)) for each in entities]
        return Rendered(f"[\n{tabs}" + f",\n{tabs}".join(texts) + f"\n{tabs[1:]}]")

    def _reference(self, instance: Instance) -> dict[str, str] | None:
        if not instance.to:
            return None
        place, iid = instance.to
        return {
            "entityIid": iid,
            "layerIid": self.layer_iid(place, self._definitions.layers["Entities"]),
            "levelIid": self.iid(place),
            "worldIid": self._iids.of("world"),
        }

    def _tile_lines(self, tiles: Tiles, width: int) -> list[str]:
        """The tiles, each on one line; what is the same for all tiles of one index is written once."""
        size = self._sheet.theme.tile_size
        middles, uids = self._middles, self._rule_uids
        for index in set(tiles.indexes.tolist()) - middles.keys():
            x, y = self._sheet.theme.at_px(index)
            middles[index] = f'], "src": [{x},{y}], "f": 0, "t": {self._sheet.number(index)}, "d": ['
        ys, xs = divmod(tiles.coords, width)
        columns = (xs * size, ys * size, tiles.indexes, tiles.coords)
        places = zip(*(column.tolist() for column in columns), strict=True)
        if tiles.rules is None:
            return [f'{{ "px": [{x},{y}{middles[index]}{coord}], "a": 1 }}' for x, y, index, coord in places]
        return [
            f'{{ "px": [{x},{y}{middles[index]}{uids[rule]},{coord}], "a": 1 }}'
            for (x, y, index, coord), rule in zip(places, tiles.rules.tolist(), strict=True)
        ]


def _whitened(color: str) -> str:
    """A colour mixed with white as LDtk does for a level's."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    mixed = [int(255 * (part + (1 - part) * _WHITENED) + 0.5) for part in parts]
    return "#" + "".join(f"{part:02X}" for part in mixed)
