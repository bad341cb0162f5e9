"""An LDtk level as JSON, with keys in LDtk's order. Second pass.

    {
        "identifier": "Room_0_start",
        "iid": "a0c5ab2e-6a1d-5f6b-93c1-8d2b5c0f9a11",
        "worldX": 240,
        ...
        "fieldInstances": [ ... ],
        "layerInstances": [ ... ],
        "__neighbours": [ { "levelIid": "a9b1c3f0-...", "dir": "n" } ]
    }

(From LDtk's own sample `WorldMap_GridVania_layout.ldtk`.)
"""

from __future__ import annotations

from collections.abc import Sequence

from exporters.formats.ldtk import kinds
from exporters.formats.ldtk.areas import AreaPlan
from exporters.formats.ldtk.compiled import Compiled
from exporters.formats.ldtk.content import Content
from exporters.formats.ldtk.entities import Instance, room_values
from exporters.formats.ldtk.fields import Writer, WrittenValue, writer
from exporters.formats.ldtk.ids import Iids
from exporters.formats.ldtk.json_text import Rendered, TableLines
from exporters.formats.ldtk.layers import LayerPlace
from exporters.formats.ldtk.model import FieldValue, LayerDef, RoomWords
from exporters.formats.ldtk.touching import Neighbour
from exporters.theme import Theme
from generator.geometry import Point
from generator.level import Level

_KEYS = 6  # per field
_WHITENED = 0.45  # the share of white that LDtk mixes into a level's colour


class LevelWriter:
    """Writes the levels of one project, with keys indented by `indent` tabs."""

    def __init__(
        self,
        level: Level,
        plan: AreaPlan,
        known: Compiled,
        theme: Theme,
        iids: Iids,
        indent: int,
        words: RoomWords | None = None,
    ) -> None:
        self._level = level
        self._plan = plan
        self._definitions = known.definitions
        self._room_colors = known.definitions.enums["RoomKind"].values
        self._theme = theme
        self._layer_writer = known.layers
        self._iids = iids
        self._level_iids = [iids.of("level", number) for number in range(len(plan.areas))]
        self._world = iids.of("world")
        self._entities = known.entities
        self._indent = indent
        self._words = words
        self._writers: dict[int, list[tuple[str, Writer]]] = {}  # for level fields, by indent

    def uid(self, number: int) -> int:
        """Return the uid of a level."""
        return self._definitions.next_uid + number

    def iid(self, number: int) -> str:
        """Return the iid of a level."""
        return self._level_iids[number]

    def world(self, number: int) -> Point:
        """Return the position of a level in LDtk's world, in px."""
        (left, top), size = self._plan.origin, self._theme.tile_size
        rect = self._plan.areas[number].rect
        return (rect.x - left) * size, (rect.y - top) * size

    def write(
        self, number: int, content: Content, entities: Sequence[Instance], neighbours: Sequence[Neighbour]
    ) -> dict[str, object]:
        """Write a level with everything in it."""
        area, size = self._plan.areas[number], self._theme.tile_size
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
            "__smartColor": _whitened(self._room_colors[area.room.kind] if area.room else kinds.BACKGROUND),
            "__bgPos": None,
            "externalRelPath": None,
            "fieldInstances": self.fields(number, self._indent + 1),
            "layerInstances": self._layers(number, content, entities),
            "__neighbours": [
                {"levelIid": self.iid(neighbour.place), "dir": neighbour.direction}
                for neighbour in neighbours
            ],
        }

    def fields(self, number: int, indent: int) -> TableLines:
        """Write a level's fields, indented by `indent` tabs."""
        room = self._plan.areas[number].room
        values: dict[str, FieldValue] = {
            **(room_values(room) if room else {}),
            "style": self._level.style,
            "seed": str(self._level.seed),
            "fingerprint": self._level.fingerprint,
        }
        if self._words:
            values = {**self._words.values[number]}
        return TableLines([write(values.get(name)) for name, write in self._field_writers(indent)], _KEYS)

    def _field_writers(self, indent: int) -> list[tuple[str, Writer]]:
        if indent not in self._writers:
            fields = self._definitions.level_fields
            self._writers[indent] = [(field.name, writer(field, indent)) for field in fields]
        return self._writers[indent]

    def _layers(self, number: int, content: Content, entities: Sequence[Instance]) -> Rendered:
        rect, write, tabs = self._plan.areas[number].rect, self._layer_writer, "\t" * (self._indent + 1)
        tiles = {
            "Overlay": content.overlay,
            "Decor": content.decor,
            "Doors": content.doors,
            "Stone_above": content.above,
            "Stone_below": content.below,
            "Terrain_fixed": content.fixed,
        }
        texts = []
        for layer in self._definitions.layers.values():
            seed = (self._level.seed + number * 7919 + layer.uid) % 9_999_999
            iid = self.layer_iid(number, layer)
            place = LayerPlace(rect.width, rect.height, iid, self.uid(number), seed)
            if layer.type == "IntGrid":
                drawn = write.tiles(content.terrain, rect.width)
                text = write.write(layer, place, values=write.values(content.values), drawn=drawn)
            elif layer.type == "Tiles":
                text = write.write(layer, place, tiles=write.tiles(tiles[layer.name], rect.width))
            else:
                text = write.write(layer, place, entities=self._entity_list(number, entities))
            texts.append(text)
        return Rendered(f"[\n{tabs}" + f",\n{tabs}".join(texts) + f"\n{tabs[1:]}]")

    def layer_iid(self, number: int, layer: LayerDef) -> str:
        """Return the iid of a level's layer."""
        return self._iids.of("level", number, "layer", layer.name)

    def _entity_list(self, number: int, entities: Sequence[Instance]) -> str:
        if not entities:
            return "[]"
        rect, world = self._plan.areas[number].rect, self.world(number)
        tabs = "\t" * (self._indent + 3)
        texts = [self._entities.write(entity, rect, world, self._references(entity)) for entity in entities]
        return f"[\n{tabs}" + f",\n{tabs}".join(texts) + f"\n{tabs[1:]}]"

    def _references(self, instance: Instance) -> dict[str, WrittenValue]:
        to = self._target(*instance.to) if instance.to else None
        return {"to": to, "keys": [self._target(*key) for key in instance.keys]}

    def _target(self, target_number: int, iid: str) -> dict[str, str]:
        return {
            "entityIid": iid,
            "layerIid": self.layer_iid(target_number, self._definitions.layers["Entities"]),
            "levelIid": self.iid(target_number),
            "worldIid": self._world,
        }


def _whitened(color: str) -> str:
    """Mix a colour with white, as LDtk does for levels."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    mixed = [int(255 * (part + (1 - part) * _WHITENED) + 0.5) for part in parts]
    return "#" + "".join(f"{part:02X}" for part in mixed)
