"""The layers of LDtk levels as JSON. The text that instances of a definition share is made once. Second pass.

    {
        "__identifier": "Terrain",
        "__type": "IntGrid",
        ...
        "intGridCsv": [
            1,1,1,1,1,1,1,9,1,1,1,1,1,1,1, ...
        ],
        "autoLayerTiles": [
            { "px": [16,0], "src": [64,160], "f": 0, "t": 324, "d": [87,1], "a": 1 },

A tile's `t` is its number in the tileset, and `src` its place there. `d` has the uid of the rule that drew
it, if any, and the coordinate x + y · width, from which LDtk reads the tile's place.
"""

from __future__ import annotations

from typing import NamedTuple

from exporters.formats.ldtk.content import PlacedTiles
from exporters.formats.ldtk.json_text import HOLE, TableLines, TextForm, byte_list, pretty
from exporters.formats.ldtk.model import Definitions, LayerDef
from exporters.formats.ldtk.rules import GridValues
from exporters.theme import Theme

_KEYS = 6  # per tile


class TileNumbering(NamedTuple):
    """LDtk's numbering of tiles: its `columns` may be more than the theme's."""

    theme: Theme
    columns: int

    def number(self, index: int) -> int:
        """Return LDtk's number of an atlas index."""
        column, row = self.theme.at(index)
        return row * self.columns + column


class LayerPlace(NamedTuple):
    """A layer of one level: the level's size in tiles and its uid, the layer's iid and seed."""

    width: int
    height: int
    iid: str
    level: int
    seed: int


class LayerWriter:
    """Writes layers and their contents, with keys indented by `indent` tabs, whatever the level."""

    def __init__(self, definitions: Definitions, sheet: TileNumbering, indent: int) -> None:
        self._sheet = sheet
        self._indent = indent
        self._rule_uids = definitions.rule_uids
        self._middles: dict[int, str] = {}
        self._forms = {
            name: TextForm.of(_form(layer, definitions.tileset, sheet.theme), indent - 1)
            for name, layer in definitions.layers.items()
        }

    def write(
        self,
        layer: LayerDef,
        place: LayerPlace,
        values: str = "[]",
        drawn: str = "[]",
        tiles: str = "[]",
        entities: str = "[]",
    ) -> str:
        """Write a layer, from the texts of its IntGrid values, tiles from rules, other tiles and entities."""
        width, height, iid, level, seed = place
        return self._forms[layer.name].filled(
            str(width), str(height), f'"{iid}"', str(level), values, drawn, str(seed), tiles, entities
        )

    def values(self, values: GridValues) -> str:
        """Write the list of IntGrid values."""
        return byte_list(values.tobytes(), self._indent)

    def tiles(self, tiles: PlacedTiles, width: int) -> str:
        """Write the list of some tiles in a level of `width` tiles."""
        return (
            pretty(TableLines(self._tile_lines(tiles, width), _KEYS), self._indent)
            if len(tiles.coords)
            else "[]"
        )

    def _tile_lines(self, tiles: PlacedTiles, width: int) -> list[str]:
        """Write the tiles, one per line. The text that tiles with the same index share is made once."""
        size = self._sheet.theme.tile_size
        middles, uids = self._middles, self._rule_uids
        for index in set(tiles.indexes.tolist()) - middles.keys():
            x, y = self._sheet.theme.at_px(index)
            middles[index] = f'], "src": [{x},{y}], "f": 0, "t": {self._sheet.number(index)}, "d": ['
        ys, xs = divmod(tiles.coords, width)
        lefts = [f'{{ "px": [{x * size},' for x in range(width)]
        tops = [str(y * size) for y in range(int(ys.max(initial=-1)) + 1)]
        places = zip(*(column.tolist() for column in (xs, ys, tiles.indexes, tiles.coords)), strict=True)
        if tiles.rules is None:
            return [
                f'{lefts[x]}{tops[y]}{middles[index]}{coord}], "a": 1 }}' for x, y, index, coord in places
            ]
        return [
            f'{lefts[x]}{tops[y]}{middles[index]}{uids[rule]},{coord}], "a": 1 }}'
            for (x, y, index, coord), rule in zip(places, tiles.rules.tolist(), strict=True)
        ]


def _form(layer: LayerDef, tileset: int, theme: Theme) -> dict[str, object]:
    tiles = layer.type != "Entities"
    return {
        "__identifier": layer.name,
        "__type": layer.type,
        "__cWid": HOLE,
        "__cHei": HOLE,
        "__gridSize": theme.tile_size,
        "__opacity": 1,
        "__pxTotalOffsetX": 0,
        "__pxTotalOffsetY": layer.offset_tiles * theme.tile_size,
        "__tilesetDefUid": tileset if tiles else None,
        "__tilesetRelPath": f"{theme.name}.png" if tiles else None,
        "iid": HOLE,
        "levelId": HOLE,
        "layerDefUid": layer.uid,
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "visible": True,
        "optionalRules": [],
        "intGridCsv": HOLE,
        "autoLayerTiles": HOLE,
        "seed": HOLE,
        "overrideTilesetUid": None,
        "gridTiles": HOLE,
        "entityInstances": HOLE,
    }
