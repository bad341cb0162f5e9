"""A reader of LDtk projects that knows the format only: it draws a project, and applies its rules.

Written from LDtk's documentation and behaviour, without the exporter's code.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from PIL import Image

Json = dict[str, Any]

ANYTHING = 1_000_001  # in a rule's pattern: any value but 0; negative: 0 only
GROUPS_FROM = 1000


class Project:
    """A project on disk, its external levels read in their places."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.json: Json = json.loads(path.read_bytes())
        self.levels: list[Json] = []
        for level in self.json["levels"]:
            relative = level["externalRelPath"]
            self.levels.append(json.loads((path.parent / relative).read_bytes()) if relative else level)
        self.layers: dict[int, Json] = {layer["uid"]: layer for layer in self.json["defs"]["layers"]}
        self.tilesets: dict[int, Json] = {each["uid"]: each for each in self.json["defs"]["tilesets"]}
        self._images: dict[int, Image.Image] = {}

    def tileset_image(self, uid: int) -> Image.Image:
        if uid not in self._images:
            with Image.open(self.path.parent / self.tilesets[uid]["relPath"]) as image:
                self._images[uid] = image.convert("RGBA")
        return self._images[uid]

    def tile_image(self, uid: int, tile: int) -> Image.Image:
        """A tile by its number, cut out as LDtk does."""
        tileset = self.tilesets[uid]
        size, pitch = tileset["tileGridSize"], tileset["tileGridSize"] + tileset["spacing"]
        row, column = divmod(tile, tileset["__cWid"])
        x, y = tileset["padding"] + column * pitch, tileset["padding"] + row * pitch
        return self.tileset_image(uid).crop((x, y, x + size, y + size))

    def drawn_tiles(self) -> Iterator[tuple[int, int, int, int]]:
        """World x and y (px), tileset and tile, of all tiles in the order in which they are drawn."""
        for level in sorted(self.levels, key=lambda each: each["worldDepth"]):
            for instance in reversed(level["layerInstances"]):
                x = level["worldX"] + instance["__pxTotalOffsetX"]
                y = level["worldY"] + instance["__pxTotalOffsetY"]
                grid, width = instance["__gridSize"], instance["__cWid"]
                for tile in instance["autoLayerTiles"]:
                    yield x + tile["px"][0], y + tile["px"][1], instance["__tilesetDefUid"], tile["t"]
                for tile in instance["gridTiles"]:
                    row, column = divmod(tile["d"][0], width)
                    yield x + column * grid, y + row * grid, instance["__tilesetDefUid"], tile["t"]

    def picture(self, width: int, height: int, left: int = 0, top: int = 0) -> Image.Image:
        """What is drawn from (left, top) of the world on, without background."""
        picture = Image.new("RGBA", (width, height))
        cache: dict[tuple[int, int], Image.Image] = {}
        for x, y, uid, tile in self.drawn_tiles():
            if (uid, tile) not in cache:
                cache[uid, tile] = self.tile_image(uid, tile)
            picture.alpha_composite(cache[uid, tile], (x - left, y - top))
        return picture

    def rules(self, layer: Json) -> Iterator[Json]:
        """The rules of a layer in the order in which they are tried."""
        for group in layer["autoRuleGroups"]:
            if group["active"] and not group["isOptional"]:
                yield from (rule for rule in group["rules"] if rule["active"])

    def applied(self, level: Json, instance: Json) -> dict[int, Json]:
        """For each coordinate of an IntGrid layer the rule that draws it; ours all break on match."""
        layer = self.layers[instance["layerDefUid"]]
        groups = {each["value"]: each["groupUid"] for each in layer["intGridValues"]}
        killed = set()
        for other in level["layerInstances"]:
            if other["layerDefUid"] == layer["autoTilesKilledByOtherLayerUid"]:
                killed = {tile["d"][0] for tile in other["gridTiles"]}
        by_centre: Mapping[int, list[Json]] = _by_centre(list(self.rules(layer)), groups)
        found = {}
        for coord, value in enumerate(instance["intGridCsv"]):
            if coord not in killed:
                for rule in by_centre[value]:
                    if matches(rule, instance, groups, coord):
                        found[coord] = rule
                        break
        return found


def tile_drawn(rule: Json, instance: Json, coord: int) -> int:
    """The tile that LDtk chooses for a rule at a coordinate of a layer."""
    row, column = divmod(coord, instance["__cWid"])
    listed: list[list[int]] = rule["tileRectsIds"]
    (tile,) = listed[chosen(rule["uid"] + instance["seed"], column, row, len(listed))]
    return tile


def chosen(seed: int, x: int, y: int, count: int) -> int:
    """LDtk's choice among some tiles, its hash of a seed and a place as JavaScript computes it."""
    mixed = _int32(seed + x * 374761393 + y * 668265263)
    mixed = _int32(int(float(mixed ^ (mixed >> 13)) * 1274126177.0))
    return (mixed ^ (mixed >> 16)) % count


def _int32(number: int) -> int:
    """A number as JavaScript's operators on bits see it."""
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def _by_centre(rules: list[Json], groups: Mapping[int, int]) -> dict[int, list[Json]]:
    """For each value the rules whose middle fits it; all others need not be tried."""
    found: dict[int, list[Json]] = defaultdict(list)
    for rule in rules:
        for value in (0, *groups):
            if fits(rule["pattern"][len(rule["pattern"]) // 2], value, groups):
                found[value].append(rule)
    return found


def matches(rule: Json, instance: Json, groups: Mapping[int, int], coord: int) -> bool:
    """Whether a rule's whole pattern fits round a coordinate."""
    size, (width, height) = rule["size"], (instance["__cWid"], instance["__cHei"])
    row, column = divmod(coord, width)
    for i, wanted in enumerate(rule["pattern"]):
        if wanted:
            x, y = column + i % size - size // 2, row + i // size - size // 2
            inside = 0 <= x < width and 0 <= y < height
            value = instance["intGridCsv"][y * width + x] if inside else rule["outOfBoundsValue"]
            if value is None or not fits(wanted, value, groups):
                return False
    return True


def fits(wanted: int, value: int, groups: Mapping[int, int]) -> bool:
    """Whether a value is what one place of a pattern asks for."""
    if not wanted:
        return True
    kind = abs(wanted)
    if kind == ANYTHING:
        like = value != 0
    elif kind >= GROUPS_FROM:
        like = groups.get(value) == kind // 1000 - 1
    else:
        like = value == kind
    return like == (wanted > 0)
