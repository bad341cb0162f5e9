"""Wall sets drawn as a rim around the stone: about 13 tiles, from which all 47 are composed.

A tile is named after the side where the floor is. Sheets draw such a rim around a room, a block, or both:

    room                                        block
    inner_south_east  south  inner_south_west   north_west  north  north_east
    east                     west               west        fill   east
    inner_north_east  north  inner_north_west   south_west  south  south_east

Each of these has its own neighbourhood, such as all neighbours except the east and its corners. The tile for
any other neighbourhood is made of four quarters, each from the tile that differs least around that quarter.

A wall with floor to its south is seen from the front, its face. If a sheet has the edge above the face as a
separate tile (`south`), both share one tile, and the corners beside it move up with the edge:

    edge     . . . .                          lower half of `south`
             = = = =      = = = =  one tile   lower half of `face`
    face     # # # #  ->  # # # #
             # # # #
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from exporters import blob
from exporters.blob import MASKS, NE, NW, SE, SW, E, N, S, W, reduce
from exporters.theme import AtlasIndex, Variants
from exporters.theme.compose import Quarter, Recipe, whole
from exporters.theme.file import ThemeNode
from exporters.theme.sheet import TileSheet

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
            weights = sheet.weights(table, f"{name}_weights", len(table[name].items(least=1)))
            variants[name] = sheet.variants(table[name], weights)
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
