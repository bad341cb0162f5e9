"""Sets of walls and pits: how to find the tile for each of the 47 neighbourhoods.

All sets are converted to the form that dressing and exporters use: one tile per mask (see `blob`). Sets with
whole tiles keep them. Only a `dual16` set, whose tiles are on the crossings between cells, is cut into
quarters and recomposed:

    cells          tiles on crossings       the quarters of a cell's new tile
    a | b          |   |                    3 of the tile up left     2 of the tile up right
    --+--          +---+                    1 of the tile down left   0 of the tile down right
    c | d          |   |
"""

from __future__ import annotations

from collections.abc import Callable

from exporters import blob
from exporters.blob import CORNERS, MASKS, SIDES
from exporters.theme import AtlasIndex, Variants
from exporters.theme.compose import Quarter
from exporters.theme.file import ThemeNode
from exporters.theme.limits import OUTSIDES
from exporters.theme.rims import rim, thin, underlaid
from exporters.theme.sheet import TileSheet
from exporters.theme.tileset import Terrain, TilesetFile, by_mask, fullest
from generator.errors import unknown

ByMask = dict[int, Variants]

_ONE = (1,)
_SIDE_ORDER = (blob.N, blob.E, blob.S, blob.W)
_CORNER_ORDER = (blob.NW, blob.NE, blob.SW, blob.SE)

# For each quarter of a cell: the quarter of the crossing's tile that covers it, and the crossing's other
# three cells, as (bit of the cell's mask, number in _CORNER_ORDER of the crossing's tile).
_CROSSINGS = (
    (3, ((blob.NW, 0), (blob.N, 1), (blob.W, 2))),
    (2, ((blob.N, 0), (blob.NE, 1), (blob.E, 3))),
    (1, ((blob.W, 0), (blob.SW, 2), (blob.S, 3))),
    (0, ((blob.E, 1), (blob.S, 2), (blob.SE, 3))),
)


def read_set(table: ThemeNode, sheet: TileSheet) -> ByMask:
    """Read the variants of each of the 47 masks. Raises ThemeError."""
    name = ""
    if table.has("terrain"):
        variants = _terrain(table, sheet)
    else:
        name = table["set"].text()
        if name not in SETS:
            table["set"].fail(unknown("set", name, list(SETS)))
        variants = SETS[name](table, sheet)
    if table.path == "wall" and table.has("outside"):
        sheet.is_solid = _is_solid(table)
    if name != "rim" and table.has("under"):
        under = sheet.tile(table["under"])
        variants = {mask: underlaid(looks, under, sheet) for mask, looks in variants.items()}
    sheet.animate(table, (tile for looks in variants.values() for tile in looks.tiles))
    table.done()
    return variants


def _is_solid(table: ThemeNode) -> bool:
    """Check whether the stone continues behind the walls. Else walls are also visible from outside."""
    return table["outside"].one_of(OUTSIDES) == "solid"


def _listed(table: ThemeNode, sheet: TileSheet, count: int) -> list[AtlasIndex]:
    """List the tiles of a set in order: `tiles`, or from `first` on, with `columns` tiles per row."""
    if table.has("tiles"):
        tiles = sheet.tiles(table["tiles"])
        if len(tiles) != count:
            table["tiles"].fail(f"has {len(tiles)} tiles; give {count}, or `first`")
        return list(tiles)
    columns = table.at("columns", count).number(1, count)
    first = sheet.tile(table["first"], columns, -(-count // columns))
    return [first + i // columns * sheet.columns + i % columns for i in range(count)]


def _varied(table: ThemeNode, sheet: TileSheet, by: dict[int, AtlasIndex]) -> ByMask:
    """Add extra variants to each mask's tile."""
    where = table["tiles" if table.has("tiles") else "first"].place
    return {mask: sheet.joined(where, (tile,), [1])[0] for mask, tile in by.items()}


def _blob47(table: ThemeNode, sheet: TileSheet) -> ByMask:
    """Read a set where all neighbours count: 47 tiles, in ascending order of their masks."""
    return _varied(table, sheet, dict(zip(MASKS, _listed(table, sheet, len(MASKS)), strict=True)))


def _edge16(table: ThemeNode, sheet: TileSheet) -> ByMask:
    """Read a set where sides count: tile n of 16 continues north (1), east (2), south (4), west (8)."""
    return _by_bits(table, sheet, _SIDE_ORDER)


def _corner16(table: ThemeNode, sheet: TileSheet) -> ByMask:
    """Read a set where corners count: tile n of 16 has NW (1), NE (2), SW (4), SE (8)."""
    return _by_bits(table, sheet, _CORNER_ORDER)


def _by_bits(table: ThemeNode, sheet: TileSheet, order: tuple[int, ...]) -> ByMask:
    tiles = _listed(table, sheet, 16)
    return _varied(table, sheet, {mask: tiles[_number(mask, order)] for mask in MASKS})


def _number(mask: int, order: tuple[int, ...]) -> int:
    """Build a number from the bits of `mask` listed in `order`, the first one lowest."""
    return sum(1 << i for i, bit in enumerate(order) if mask & bit)


def _single(table: ThemeNode, sheet: TileSheet) -> ByMask:
    """Read the same variants, `tiles`, for all masks."""
    return dict.fromkeys(MASKS, _looks(table, sheet, "tiles"))


def _faced(table: ThemeNode, sheet: TileSheet) -> ByMask:
    """Read two looks: `face` where the south neighbour differs, so that the front shows, else `top`."""
    face, top = _looks(table, sheet, "face"), _looks(table, sheet, "top")
    return {mask: top if mask & blob.S else face for mask in MASKS}


def _looks(table: ThemeNode, sheet: TileSheet, key: str) -> Variants:
    weights = f"{key}_weights" if key != "tiles" else "weights"
    return sheet.variants(table[key], sheet.weights(table, weights, len(table[key].items(least=1))))


def _dual16(table: ThemeNode, sheet: TileSheet) -> ByMask:
    """Read crossings: tile n of 16 is filled up left (1), up right (2), down left (4), down right (8)."""
    return _from_crossings(dict(enumerate(_listed(table, sheet, 16))), sheet)


def _from_crossings(tiles: dict[int, AtlasIndex], sheet: TileSheet) -> ByMask:
    """Compose each mask's tile from quarters of the tiles on the four crossings around a cell."""
    variants = {}
    for mask in MASKS:
        quarters: list[Quarter] = []
        for quarter, corners in _CROSSINGS:
            own = 1 << quarter  # the cell itself, as seen from the crossing
            quarters.append((tiles[own | sum(1 << at for bit, at in corners if mask & bit)], quarter))
        up_left, up_right, down_left, down_right = quarters
        variants[mask] = Variants((sheet.added.tile((up_left, up_right, down_left, down_right)),), _ONE)
    return variants


# How a neighbourhood chooses a tile.
SETS: dict[str, Callable[[ThemeNode, TileSheet], ByMask]] = {
    "blob47": _blob47,
    "edge16": _edge16,
    "corner16": _corner16,
    "dual16": _dual16,
    "faced": _faced,
    "rim": rim,
    "single": _single,
    "thin": thin,
}


# --- sets from a tileset -----------------------------------------------------------------------------


def _terrain(table: ThemeNode, sheet: TileSheet) -> ByMask:
    """Read a terrain of the theme's tileset. `alone` is the tile without neighbours, which most lack."""
    terrain, tileset = sheet.terrain(table)
    alone = sheet.variants(table["alone"]) if table.has("alone") else None
    if terrain.kind == "dual":
        variants = _from_crossings(_crossings(table, sheet, terrain, tileset), sheet)
    else:
        looks, gaps = by_mask(terrain, tileset)
        variants = {mask: sheet.placed(tiles, table) for mask, tiles in looks.items()}
        missing = [neighbours(mask) for mask in gaps if mask or not alone]
        _tell_missing(table, sheet, "tile with such neighbours", missing)
    if alone:
        variants[0] = alone
    return variants


def _crossings(
    table: ThemeNode, sheet: TileSheet, terrain: Terrain, tileset: TilesetFile
) -> dict[int, AtlasIndex]:
    """Find the tile of each crossing. A missing one gets the tile that differs in the fewest corners."""
    by_number: dict[int, Variants] = {}
    for number in range(1, 16):
        bits = sum(bit for i, bit in enumerate(_CORNER_ORDER) if number >> i & 1)
        alike = Terrain(
            "dual", {tile: mask for tile, mask in terrain.tiles.items() if mask & CORNERS == bits}
        )
        if alike.tiles:
            by_number[number] = sheet.placed(fullest(alike, tileset), table)
    if not by_number:
        table["terrain"].fail("no tile has a corner of this terrain; paint some in Tiled")
    missing = [_corner_names(number) for number in range(1, 16) if number not in by_number]
    _tell_missing(table, sheet, "tile with such corners", missing)
    return {
        number: by_number[
            min(by_number, key=lambda candidate: ((number ^ candidate).bit_count(), -candidate))
        ].tiles[0]
        for number in range(1, 16)
    }


def _tell_missing(table: ThemeNode, sheet: TileSheet, part: str, missing: list[str]) -> None:
    if missing:
        message = f"has no {part}: {', '.join(missing)}; the nearest tiles are used instead"
        sheet.stand_ins.append(f"{table['terrain'].place}: {message}")


def _corner_names(number: int) -> str:
    """Return the names of the corners, such as `NW SE`."""
    return neighbours(sum(bit for i, bit in enumerate(_CORNER_ORDER) if number >> i & 1))


def neighbours(mask: int) -> str:
    """Name the neighbours in a mask, such as `N E NE`, or `alone` for an empty mask."""
    names = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
    sides = [name for i, name in enumerate(names) if mask >> i & 1 and 1 << i & SIDES]
    corners = [name for i, name in enumerate(names) if mask >> i & 1 and not 1 << i & SIDES]
    return " ".join([*sides, *corners]) or "alone"
