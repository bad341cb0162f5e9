"""The layers of each LDtk level: its IntGrid, the tiles drawn by rules, and tiles placed separately.

Where the rules draw the same tile as the dressed level, there is only the rule's tile. Where they cannot (a
wall around a room of another level), the tile is in a layer that overrides the rules. So nothing is drawn
twice.
"""

from __future__ import annotations

import itertools
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY, Layers, TileLayer
from exporters.formats.ldtk import kinds
from exporters.formats.ldtk.areas import NOBODY, AreaNumbers, AreaPlan
from exporters.formats.ldtk.definitions import Definitions, LayerDef
from exporters.formats.ldtk.kinds import Drawing, GridValues
from exporters.formats.ldtk.syntax import (
    HOLE,
    Pieces,
    TextColumn,
    TextForm,
    byte_list,
    number_columns,
    table_list,
    utf8,
)
from exporters.owners import common
from exporters.theme import Theme
from exporters.variants import seed_of
from generator.arrays import Mask
from generator.geometry import Rect
from generator.level import Level
from generator.named_tuple import NamedTuple


class PlacedTiles(NamedTuple):
    """Tiles of one layer, sorted by coordinate. Those on one place are in drawing order.

    `coords` are x + y · width of the level, `indexes` are in the atlas. `rules` are the numbers of the rules
    that drew the tiles, if any.
    """

    coords: npt.NDArray[np.int32]
    indexes: npt.NDArray[np.int32]
    rules: npt.NDArray[np.int32] | None = None


class Content(NamedTuple):
    """One LDtk level's tiles by layer."""

    values: GridValues
    terrain: PlacedTiles
    fixed: PlacedTiles
    above: PlacedTiles
    below: PlacedTiles
    doors: PlacedTiles
    decor: PlacedTiles
    overlay: PlacedTiles


def grid_values(level: Level, layers: Layers, theme: Theme) -> GridValues:
    """Return [y, x] the IntGrid value of every tile, without wall ends, and 0 where nothing is drawn."""
    of_terrain = kinds.grid_words(level.kinds).of_terrain
    by_terrain = [of_terrain.get(kind.name, kinds.FLOOR) for kind in level.terrain_kinds]
    values: GridValues = np.array(by_terrain, np.uint8)[level.terrain]
    floor = np.array([kind.name == "floor" for kind in level.terrain_kinds])[level.terrain]
    values[floor] = _floor_values(level)[floor]
    values[(values == 0) & (layers.walls != EMPTY)] = kinds.STONE
    for door in level.doors:
        if door.kind in level.kinds.secret_doors:
            for x, y in door.tiles:
                values[y, x] = kinds.SECRET_DOOR
    tiles = np.where(layers.walls == EMPTY, layers.ground, layers.walls)
    values[tiles == EMPTY] = 0
    if theme.below:
        steps = np.maximum(kinds.look_values(theme), 0).astype(np.uint8)
        drawn = values != 0
        values[drawn] += steps[tiles[drawn] // theme.sheet_tiles]
    return values


def _floor_values(level: Level) -> GridValues:
    """Return [y, x] the floor value of each tile's room, and plain floor outside all rooms."""
    values = np.full(level.terrain.shape, kinds.FLOOR, np.uint8)
    of_room = kinds.grid_words(level.kinds).of_room
    for room in level.rooms:
        for rect in level.room_rects(room):
            values[rect.slices] = of_room.get(room.kind, kinds.FLOOR)
    return values


def contents(level: Level, layers: Layers, plan: AreaPlan, drawing: Drawing, theme: Theme) -> list[Content]:
    """Build each LDtk level's content, in order. For speed, levels of the same size are made together."""
    planes = np.stack([plan.owners, grid_values(level, layers, theme), *layers])
    seed = seed_of(level.seed)
    above, below = _beyond(plan.above, plan, layers, 1), _beyond(plan.below, plan, layers, -1)
    sizes: dict[tuple[int, int], list[int]] = {}
    for number, area in enumerate(plan.areas):
        sizes.setdefault((area.rect.width, area.rect.height), []).append(number)
    by_number: dict[int, Content] = {}
    for numbers in sizes.values():
        cuts = np.stack([_cut(planes, plan.areas[number].rect) for number in numbers], axis=1)
        own = cuts[0] == np.array(numbers)[:, None, None]
        values = np.where(own, cuts[1], 0).astype(np.uint8)
        ground, walls, doors, decor, overlay = np.where(own, cuts[2:], EMPTY)
        del own, cuts  # of a large level, they take much memory
        at = np.array([plan.areas[number].rect[:2] for number in numbers])
        values, drawn, fixed = _terrain(values, ground, walls, drawing, CutOut(seed, at))
        beyond = [[tiles[number] for number in numbers] for tiles in (above, below)]
        upper = [_tiles(layer) for layer in (doors, decor, overlay)]
        columns = zip(values, drawn, fixed, *beyond, *upper, strict=True)
        by_number |= zip(numbers, itertools.starmap(Content, columns), strict=True)
    return [by_number[number] for number in range(len(plan.areas))]


def _cut(layers: npt.NDArray[np.int32], rect: Rect) -> npt.NDArray[np.int32]:
    """Cut a rectangle out of some layers [layer, y, x], with NOBODY where it reaches over their edges."""
    _, height, width = layers.shape
    if rect.x >= 0 and rect.y >= 0 and rect.right <= width and rect.bottom <= height:
        return layers[:, *rect.slices]
    cut = np.full((len(layers), rect.height, rect.width), NOBODY, layers.dtype)
    inner = common(rect, Rect(0, 0, width, height))
    own = inner._replace(x=inner.x - rect.x, y=inner.y - rect.y)
    cut[:, *own.slices] = layers[:, *inner.slices]
    return cut


class CutOut(NamedTuple):
    """Where levels of one size lie: the level's `seed_of`, and x and y [level, 2] of their corners in it."""

    seed: int
    at: npt.NDArray[np.intp]


def _terrain(
    values: GridValues, ground: TileLayer, walls: TileLayer, drawing: Drawing, corners: CutOut
) -> tuple[GridValues, list[PlacedTiles], list[PlacedTiles]]:
    """Return the values with wall ends, the tiles that the rules draw, and the tiles that override them.

    For levels of one size: arrays are [level, y, x], lists have one item per level.
    """
    tiles = np.where(walls != EMPTY, walls, ground)
    seen = tiles != EMPTY
    alone = seen & ((walls == EMPTY) | (ground == EMPTY))
    rules = drawing.drawn(values)
    fits, right = _fits(drawing, rules, tiles, alone, corners)
    for end, columns in (
        (kinds.WEST_END, slice(1)),
        (kinds.EAST_END, slice(-1, None)),
        # Rooms in one level have their ends inside it.
        (kinds.WEST_END, slice(None)),
        (kinds.EAST_END, slice(None)),
    ):
        wrong = alone & ~fits
        wrong[..., columns] = (alone & ~right)[..., columns]
        wrong &= drawing.is_wall(values)
        if wrong.any():
            # All ends are in the group Walls, so the neighbours' rules do not change.
            with_ends = np.where(wrong, values + (end - kinds.WALL), values).astype(np.uint8)
            ended = drawing.drawn(with_ends)
            _, better = _fits(drawing, ended, tiles, wrong, corners)
            values = np.where(better, with_ends, values).astype(np.uint8)
            rules = np.where(better, ended, rules)
            fits |= better
            right |= better
    levels, coords = _places(right)
    indexes, chosen = tiles[right], rules[right]
    order = np.argsort(levels * len(drawing.rules) - chosen, kind="stable")  # LDtk lists the last rule first
    drawn = _by_level(levels, len(values), coords[order], indexes[order], chosen[order])
    unruled = seen & ~right
    return values, drawn, _stacked([np.where(unruled, ground, EMPTY), np.where(unruled, walls, EMPTY)])


def _fits(
    drawing: Drawing,
    rules: npt.NDArray[np.int32],
    tiles: npt.NDArray[np.int32],
    where: Mask,
    corners: CutOut,
) -> tuple[Mask, Mask]:
    """Return where each rule can draw the tile that is there, and where it does."""
    levels, ys, xs = np.nonzero(where)
    numbers, wanted = rules[where], tiles[where]
    x, y = corners.at[levels].T
    fits, draws = np.zeros((2, *where.shape), bool)
    fits[where] = drawing.holds(numbers, wanted)
    draws[where] = fits[where] & (drawing.tiles(numbers, corners.seed, xs + x, ys + y) == wanted)
    return fits, draws


def _places(where: Mask) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int32]]:
    """Return the level and the coordinate of each tile in the mask `where` [level, y, x], in order."""
    flat = np.flatnonzero(where)
    levels = flat // max(where[0].size, 1)
    return levels, (flat - levels * where[0].size).astype(np.int32)


def _tiles(layer: TileLayer) -> list[PlacedTiles]:
    """Collect for each level the tiles of one layer [level, y, x]."""
    seen = layer != EMPTY
    levels, coords = _places(seen)
    return _by_level(levels, len(layer), coords, layer[seen])


def _stacked(layers: list[TileLayer]) -> list[PlacedTiles]:
    """Stack for each level the tiles of several layers in one, the first layer lowest."""
    masks = [layer != EMPTY for layer in layers]
    places = [_places(mask) for mask in masks]
    levels, coords = (np.concatenate(parts) for parts in zip(*places, strict=True))
    indexes = np.concatenate([layer[mask] for layer, mask in zip(layers, masks, strict=True)])
    return _sorted(levels, len(layers[0]), coords, indexes)


def _beyond(hosts: AreaNumbers, plan: AreaPlan, layers: Layers, step: int) -> list[PlacedTiles]:
    """Place for each level its tiles a row above or below it at their wall tiles, `step` rows below them."""
    ys, xs = np.nonzero(hosts != NOBODY)
    levels = hosts[ys, xs]
    rects = np.array([area.rect for area in plan.areas], np.int32)[levels]
    coords = ((ys + step - rects[:, 1]) * rects[:, 2] + xs - rects[:, 0]).astype(np.int32)
    indexes = np.concatenate([layer[ys, xs] for layer in layers])
    seen = indexes != EMPTY
    columns = (np.tile(column, len(layers))[seen] for column in (levels, coords))
    return _sorted(next(columns), len(plan.areas), next(columns), indexes[seen])


def _sorted(
    levels: npt.NDArray[np.integer], count: int, coords: npt.NDArray[np.int32], indexes: TileLayer
) -> list[PlacedTiles]:
    """Sort the tiles of each of `count` levels by coordinate. Those on one place stay in order."""
    order = np.argsort(levels.astype(np.int64) << 32 | coords, kind="stable")
    return _by_level(levels[order], count, coords[order], indexes[order])


def _by_level(
    levels: npt.NDArray[np.integer],
    count: int,
    coords: npt.NDArray[np.int32],
    indexes: TileLayer,
    rules: npt.NDArray[np.int32] | None = None,
) -> list[PlacedTiles]:
    """Split tiles sorted by level into one list per level."""
    ends = np.searchsorted(levels, np.arange(count + 1)).tolist()
    return [
        PlacedTiles(coords[start:end], indexes[start:end], None if rules is None else rules[start:end])
        for start, end in itertools.pairwise(ends)
    ]


# --- as JSON; the text that instances of a definition share is made once -----------------------------
#
#     {
#         "__identifier": "Terrain",
#         "__type": "IntGrid",
#         ...
#         "intGridCsv": [
#             1,1,1,1,1,1,1,9,1,1,1,1,1,1,1, ...
#         ],
#         "autoLayerTiles": [
#             { "px": [16,0], "src": [64,160], "f": 0, "t": 324, "d": [87,1], "a": 1 },
#
# A tile's `t` is its number in the tileset, and `src` its place there. `d` has the uid of the rule that
# drew it, if any, and the coordinate x + y · width, from which LDtk reads the tile's place.

_KEYS = 6  # per tile


class TileNumbering(NamedTuple):
    """LDtk's numbering of tiles: its `columns` may be more than the theme's."""

    theme: Theme
    columns: int

    def number(self, index: int) -> int:
        """Return LDtk's number of an atlas index."""
        column, row = self.theme.at(index)
        return row * self.columns + column

    def middle(self, index: int) -> str:
        """Return the text that tiles with the same atlas index share."""
        x, y = self.theme.at_px(index)
        return f'{x},{y}], "f": 0, "t": {self.number(index)}, "d": ['


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
        self._rules = utf8(f"{uid}," for uid in definitions.rule_uids)
        self._middles = utf8([sheet.middle(sheet.theme.rows * sheet.theme.columns - 1)]).repeat(
            sheet.theme.rows * sheet.theme.columns
        )
        self._known = np.zeros(len(self._middles), bool)
        self._forms = {
            name: TextForm.of(_form(layer, definitions.tileset, sheet.theme), indent - 1)
            for name, layer in definitions.layers.items()
        }

    def write(
        self,
        layer: LayerDef,
        place: LayerPlace,
        values: str | Pieces = "[]",
        drawn: str | Pieces = "[]",
        tiles: str | Pieces = "[]",
        entities: str | Pieces = "[]",
    ) -> Pieces:
        """Write a layer, from the texts of its IntGrid values, tiles from rules, other tiles and entities."""
        width, height, iid, level, seed = place
        return self._forms[layer.name].filled(
            str(width), str(height), f'"{iid}"', str(level), values, drawn, str(seed), tiles, entities
        )

    def values(self, values: GridValues) -> str | Pieces:
        """Write the list of IntGrid values."""
        return byte_list(values, self._indent)

    def tiles(self, tiles: PlacedTiles, width: int) -> str | Pieces:
        """Write the list of some tiles in a level of `width` tiles."""
        if not len(tiles.coords):
            return "[]"
        size = self._sheet.theme.tile_size
        ys, xs = divmod(tiles.coords, width)
        columns = [
            TextColumn(_numbers(width, size, '{ "px": [', ","), xs),
            TextColumn(_numbers(int(ys.max()) + 1, size, "", '], "src": ['), ys),
            TextColumn(self._middles_of(tiles.indexes), tiles.indexes),
        ]
        if tiles.rules is not None:
            columns.append(TextColumn(self._rules, tiles.rules))
        return table_list([*columns, *number_columns(tiles.coords, '], "a": 1 }')], _KEYS, self._indent)

    def _middles_of(self, indexes: TileLayer) -> npt.NDArray[np.bytes_]:
        """Return the texts of tiles by index, at least of those with these."""
        unknown = indexes[~self._known[indexes]]
        for index in set(unknown.tolist()):
            self._middles[index] = self._sheet.middle(index)
        self._known[unknown] = True
        return self._middles


@lru_cache(maxsize=64)
def _numbers(count: int, step: int, before: str, after: str) -> npt.NDArray[np.bytes_]:
    """Return the texts of the first multiples of a step."""
    return utf8(f"{before}{number * step}{after}" for number in range(count))


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
