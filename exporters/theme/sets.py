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

from collections.abc import Callable, Mapping
from functools import partial

from exporters import blob
from exporters.blob import CORNERS, MASKS, NE, NW, SE, SIDES, SW, E, N, S, W, reduce
from exporters.theme import AtlasIndex, Variants
from exporters.theme.compose import Quarter, Recipe, whole
from exporters.theme.file import OUTSIDES, ThemeNode
from exporters.theme.sheet import TileSheet
from exporters.theme.tileset import Terrain, TilesetFile, by_mask, fullest
from generator.errors import unknown
from generator.named_tuple import NamedTuple

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
        # the stone continues behind the walls; else walls are also visible from outside
        sheet.is_solid = table["outside"].one_of(OUTSIDES) == "solid"
    if name != "rim" and table.has("under"):
        under = sheet.tile(table["under"])
        variants = {mask: underlaid(looks, under, sheet) for mask, looks in variants.items()}
    sheet.animate(table, (tile for looks in variants.values() for tile in looks.tiles))
    table.done()
    return variants


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


def _by_bits(table: ThemeNode, sheet: TileSheet, order: tuple[int, ...]) -> ByMask:
    tiles = _listed(table, sheet, 16)
    return _varied(table, sheet, {mask: tiles[_number(mask, order)] for mask in MASKS})


def _number(mask: int, order: tuple[int, ...]) -> int:
    """Build a number from the bits of `mask` listed in `order`, the first one lowest."""
    return sum(1 << i for i, bit in enumerate(order) if mask & bit)


def _single(table: ThemeNode, sheet: TileSheet) -> ByMask:
    """Read the same variants, `tiles`, for all masks."""
    return dict.fromkeys(MASKS, sheet.variants(table, "tiles", "weights"))


def _faced(table: ThemeNode, sheet: TileSheet) -> ByMask:
    """Read two looks: `face` where the south neighbour differs, so that the front shows, else `top`."""
    face, top = (sheet.variants(table, key, f"{key}_weights") for key in ("face", "top"))
    return {mask: top if mask & blob.S else face for mask in MASKS}


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


# --- sets from a tileset -----------------------------------------------------------------------------


def _terrain(table: ThemeNode, sheet: TileSheet) -> ByMask:
    """Read a terrain of the theme's tileset. `alone` is the tile without neighbours, which most lack."""
    terrain, tileset = sheet.terrain(table)
    alone = sheet.equal(table["alone"]) if table.has("alone") else None
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


# --- rims around the stone: about 13 tiles, from which all 47 are composed ---------------------------
#
# A tile is named after the side where the floor is. Sheets draw such a rim around a room, a block, or both:
#
#     room                                        block
#     inner_south_east  south  inner_south_west   north_west  north  north_east
#     east                     west               west        fill   east
#     inner_north_east  north  inner_north_west   south_west  south  south_east
#
# Each of these has its own neighbourhood, such as all neighbours except the east and its corners. The tile
# for any other neighbourhood is made of four quarters, each from the tile that differs least around that
# quarter.
#
# A wall with floor to its south is seen from the front, its face. If a sheet has the edge above the face as
# a separate tile (`south`), both share one tile, and the corners beside it move up with the edge:
#
#     edge     . . . .                          lower half of `south`
#              = = = =      = = = =  one tile   lower half of `face`
#     face     # # # #  ->  # # # #
#              # # # #

_ALL = 255
_NORTH, _EAST, _SOUTH, _WEST = N | NE | NW, E | NE | SE, S | SE | SW, W | NW | SW

# The neighbourhood of each tile; of two that fit equally well, the first is used.
RIM_TILES: Mapping[str, int] = {
    "fill": _ALL,
    "face": _ALL & ~_SOUTH,
    "face_west": _ALL & ~(_SOUTH | _WEST),
    "face_east": _ALL & ~(_SOUTH | _EAST),
    "face_alone": _ALL & ~(_SOUTH | _WEST | _EAST),
    "north": _ALL & ~_NORTH,
    "east": _ALL & ~_EAST,
    "south": _ALL & ~_SOUTH,
    "west": _ALL & ~_WEST,
    "north_west": _ALL & ~(_NORTH | _WEST),
    "north_east": _ALL & ~(_NORTH | _EAST),
    "south_west": _ALL & ~(_SOUTH | _WEST),
    "south_east": _ALL & ~(_SOUTH | _EAST),
    "inner_north_west": _ALL & ~NW,
    "inner_north_east": _ALL & ~NE,
    "inner_south_west": _ALL & ~SW,
    "inner_south_east": _ALL & ~SE,
}
THIN_TILES = ("north", "west", "east", "south", "fill")
_SIDES = ("north", "east", "west")  # required, as is a face or the south

_ROOM = (
    ("inner_south_east", "south", "inner_south_west"),
    ("east", "", "west"),
    ("inner_north_east", "north", "inner_north_west"),
)
_BLOCK = (
    ("north_west", "north", "north_east"),
    ("west", "fill", "east"),
    ("south_west", "south", "south_east"),
)
BLOCKS = {
    "room": _ROOM,
    "block": _BLOCK,
    "corners": (_BLOCK[0][::2], _BLOCK[2][::2]),
    "inner": (_ROOM[0][::2], _ROOM[2][::2]),
}

# For each quarter: its two sides, the corner between them, and the other corner on its side.
_QUARTERS = ((N, W, NW, SW), (N, E, NE, SE), (S, W, SW, NW), (S, E, SE, NE))
_FRONT = 1000  # so that a top is never mixed with a face


_Looks = tuple[tuple[Recipe, ...], tuple[int, ...]]
"""The variants of a tile, and their weights."""


class _RimTile(NamedTuple):
    """A tile of the set: its neighbourhood, and its variants with their weights."""

    mask: int
    looks: tuple[Recipe, ...]
    weights: tuple[int, ...]


def rim(table: ThemeNode, sheet: TileSheet) -> dict[int, Variants]:
    """Compose a rim with corners and a face: the variants for each of the 47 masks. Raises ThemeError."""
    drawn = _given(table, sheet)
    missing = [name for name in _SIDES if name not in drawn]
    missing += ["face"] if "face" not in drawn and "south" not in drawn else []
    if missing:
        table["set"].fail(f"a rim needs {', '.join(missing)}; give them, or `room`")
    tiles = {name: _RimTile(reduce(RIM_TILES[name]), *looks) for name, looks in _lipped(drawn).items()}
    _tell_corners(table, sheet, tiles)
    variants: dict[int, Variants] = {}
    taken: dict[AtlasIndex, int] = {}
    natural = [tile.mask for tile in tiles.values()]
    for mask in sorted(MASKS, key=lambda mask: (mask not in natural, mask)):
        looks, weights = _made(mask, tiles, "face" in drawn)
        indexes = tuple(_own(sheet, sheet.added.tile(recipe), mask, taken) for recipe in looks)
        variants[mask] = Variants(indexes, weights)
    return {mask: variants[mask] for mask in MASKS}


def thin(table: ThemeNode, sheet: TileSheet) -> dict[int, Variants]:
    """Draw thin walls along the tiles' edges, over one another: four tiles. Raises ThemeError.

    An inner corner is the part that the edges on both its sides share, because they meet there:

        # # |      the eastern edge of the wall above, and the southern one of the wall to the left, meet
        ----+      in this wall's own corner
    """
    edges = {
        side: sheet.tile(table[name]) for side, name in ((N, "north"), (W, "west"), (E, "east"), (S, "south"))
    }
    fill = [sheet.tile(table["fill"])] if table.has("fill") else []
    corners = ((NW, N, W), (NE, N, E), (SW, S, W), (SE, S, E))
    variants: dict[int, Variants] = {}
    taken: dict[AtlasIndex, int] = {}
    for mask in MASKS:
        parts = [edge for side, edge in edges.items() if not mask & side]
        for corner, first, second in corners:
            if mask & first and mask & second and not mask & corner:
                parts.append(sheet.added.shared(edges[first], edges[second]))
        tile = _own(sheet, sheet.added.stacked(*fill, *parts), mask, taken)
        variants[mask] = Variants((tile,), (1,))
    return variants


def _given(table: ThemeNode, sheet: TileSheet) -> dict[str, _Looks]:
    """Read the variants of every given tile, single or in a block."""
    variants: dict[str, Variants] = {}
    for key, rows in BLOCKS.items():
        if table.has(key):
            first = sheet.tile(table[key], len(rows[0]), len(rows))
            for y, row in enumerate(rows):
                for x, name in enumerate(row):
                    if name:
                        tile = first + y * sheet.columns + x
                        variants[name] = sheet.joined(table[key].place, (tile,), [1])[0]
    for name in RIM_TILES:
        if table.has(name):
            variants[name] = sheet.variants(table, name, f"{name}_weights")
        elif table.has(f"{name}_weights"):
            table[f"{name}_weights"].fail(f"needs `{name}`, a list of tiles; give both")
    nothing = Variants((sheet.added.stacked(),), (1,))
    variants = {"fill": nothing, **_floored(table, sheet, variants)}
    return {name: (tuple(map(whole, looks.tiles)), looks.weights) for name, looks in variants.items()}


def _floored(table: ThemeNode, sheet: TileSheet, variants: dict[str, Variants]) -> dict[str, Variants]:
    """Draw the tiles over `under`: all, or those that `under_of` names."""
    if not table.has("under"):
        if table.has("under_of"):
            table["under_of"].fail("needs `under`, the tile below; give both")
        return variants
    under = sheet.tile(table["under"])
    nodes = table.at("under_of", [*variants]).items(least=1)
    names = [node.known(variants, "tile of the rim") for node in nodes]
    return {
        name: underlaid(looks, under, sheet) if name in names else looks for name, looks in variants.items()
    }


def underlaid(looks: Variants, under: AtlasIndex, sheet: TileSheet) -> Variants:
    """Draw tiles over another tile, such as the floor that shows through them."""
    return Variants(tuple(sheet.added.stacked(under, tile) for tile in looks.tiles), looks.weights)


def _lipped(variants: dict[str, _Looks]) -> dict[str, _Looks]:
    """Combine the edge above the face and the face itself in one tile, by name.

    From here on, a tile with floor to its south is a face; without a given face, it is the edge alone.
    """
    result = {name: looks for name, looks in variants.items() if not name.startswith("south")}
    edges = {"face": "south", "face_west": "south_west", "face_east": "south_east"}
    if "face" not in variants or "south" not in variants:
        alike = {face: variants[edge] for face, edge in edges.items() if edge in variants}
        return alike | result
    for face, edge in edges.items():
        if edge in variants or face in variants:
            (lip, *_), _ = variants.get(edge, variants["south"])
            fronts, weights = variants.get(face, variants["face"])
            result[face] = tuple((lip[2], lip[3], front[2], front[3]) for front in fronts), weights
    for name, side, quarter in (("inner_south_east", "east", 3), ("inner_south_west", "west", 2)):
        if name in variants:
            result[name] = _raised(variants[name], variants[side][0][0][quarter], quarter)
    return result


def _raised(corner: _Looks, side: Quarter, quarter: int) -> _Looks:
    """Raise an inner corner by half a tile, with the edge of the stone beside the face below it."""
    looks = [
        (look[2], look[3], side if quarter == 2 else look[2], side if quarter == 3 else look[3])
        for look in corner[0]
    ]
    return tuple(looks), corner[1]


def _tell_corners(table: ThemeNode, sheet: TileSheet, tiles: Mapping[str, _RimTile]) -> None:
    names = [name for name in RIM_TILES if name.startswith(("inner_", "north_")) and name not in tiles]
    if names:
        message = f"no tiles for {', '.join(names)}; the nearest tiles are used instead"
        sheet.stand_ins.append(f"{table.place}: {message}")


def _made(mask: int, tiles: Mapping[str, _RimTile], has_face: bool) -> _Looks:
    """Compose the variants for a mask: a tile's own if all quarters come from it, else first variants."""
    best = [min(tiles.values(), key=lambda tile: _distance(mask, tile.mask, q, has_face)) for q in range(4)]
    if all(tile == best[0] for tile in best):
        return best[0].looks, best[0].weights
    up_left, up_right, down_left, down_right = (tile.looks[0][q] for q, tile in enumerate(best))
    return ((up_left, up_right, down_left, down_right),), (1,)


def _distance(mask: int, tile_mask: int, quarter: int, has_face: bool) -> int:
    """Compute how far two neighbourhoods differ as seen from a quarter.

    Its own sides count most, then their corner. Beside a face, the corner below an upper quarter comes next,
    because the face's edge meets that quarter.
    """
    upright, across, corner, beyond = _QUARTERS[quarter]
    differ = mask ^ tile_mask
    counted = {upright: 64, across: 64, corner: 32, beyond: 16 if has_face and quarter < 2 else 1}
    cost = _FRONT * bool(has_face and differ & S)
    for i in range(8):
        if differ & 1 << i:
            cost += counted.get(1 << i, 2 if 1 << i & blob.SIDES else 1)
    return cost


def _own(sheet: TileSheet, tile: AtlasIndex, mask: int, taken: dict[AtlasIndex, int]) -> AtlasIndex:
    """Return the tile, or a copy if another mask uses it, since terrain brushes need one mask per tile."""
    if taken.setdefault(tile, mask) == mask:
        return tile
    return sheet.added.copied(tile, 1, 1, ("mask", mask))


# How a neighbourhood chooses a tile.
SETS: dict[str, Callable[[ThemeNode, TileSheet], ByMask]] = {
    "blob47": _blob47,
    # Sides count: tile n of 16 continues north (1), east (2), south (4), west (8).
    "edge16": partial(_by_bits, order=_SIDE_ORDER),
    # Corners count: tile n of 16 has NW (1), NE (2), SW (4), SE (8).
    "corner16": partial(_by_bits, order=_CORNER_ORDER),
    "dual16": _dual16,
    "faced": _faced,
    "rim": rim,
    "single": _single,
    "thin": thin,
}
