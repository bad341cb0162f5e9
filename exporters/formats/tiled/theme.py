"""Tiled tilesets: `.tsj` (JSON) and `.tsx` (XML), with the same content.

    {"columns": 8, "image": "crypt.png", "margin": 0, "spacing": 0, "tilewidth": 16, "tileheight": 16,
     "tiles": [{"id": 3, "type": "rock", "probability": 0.5, "animation": [{"tileid": 3, "duration": 100}]}],
     "wangsets": [{"name": "Walls", "type": "mixed", "colors": [{"name": "stone"}],
                   "wangtiles": [{"tileid": 0, "wangid": [0, 0, 1, 1, 1, 0, 0, 0]}]}]}

A wang id lists colours, counted from 1 (0 for none), clockwise from the top: the order of a mask's bits. Sets
of type `corner` are painted on crossings, those of type `edge` or `mixed` on cells.
(https://doc.mapeditor.org/en/stable/reference/json-map-format/)

Before Tiled 1.5 there were terrains instead of corner sets; a corner without terrain is empty, or -1 in JSON:

    <terraintypes><terrain name="stone" tile="3"/></terraintypes>
    <tile id="3" terrain="0,0,,0"/>     up left, up right, down left, down right
"""

from __future__ import annotations

from collections.abc import Iterator

from exporters.blob import NE, NW, SE, SW, E, N, S, W
from exporters.formats.tiled.syntax.reader import tiled_table
from exporters.theme import Animation
from exporters.theme.file import ThemeNode
from exporters.theme.tileset import AtlasCoords, Terrain, TilesetFile, beside, weight_of
from generator.errors import ThemeError, shown

_BITS = (N, NE, E, SE, S, SW, W, NW)
_OLD_CORNERS = (NW, NE, SW, SE)
_KINDS = {"mixed": "mixed", "edge": "edge", "corner": "dual"}
_MAX_TILES = 1 << 20  # no readable image has tiles with larger ids
_MAX_COLORS = 254  # Tiled's limit


def tiled_tileset(data: bytes, file: str, source: int | None = None) -> TilesetFile:
    """Read the tileset in a file's bytes, which has no `source` to choose. Raises ThemeError."""
    found = tiled_table(data, file, "tileset", ThemeError)
    if not isinstance(found, dict):
        raise ThemeError(f"{file}: {shown(found)} is not a tileset; give one that Tiled saved")
    table = ThemeNode(found, file, is_file=True)
    table.needed("image", "give a tileset that is based on one image")
    width, height = (table[key].number(1, 4096) for key in ("tilewidth", "tileheight"))
    if width != height or not 8 <= width <= 64:
        table["tilewidth"].fail(f"tiles are {width} x {height} px; give squares of 8 to 64 px")
    columns = table["columns"].number(1, _MAX_TILES)
    weights, animations, classes = {}, {}, {}
    for tile in table.at("tiles", []).items():
        coords = _place(tile, "id", columns)
        if tile.has("probability"):
            weights[coords] = weight_of(tile["probability"].value, tile["probability"].place)
        animation = _animation(tile, columns, coords) if tile.has("animation") else None
        if animation:
            animations[coords] = animation
        class_name = _class(tile)
        if class_name:
            classes[coords] = class_name
    return TilesetFile(
        file=file,
        images=(beside(file, table["image"].text()),),
        tile_size=width,
        margin=table.at("margin", 0).number(0, 4096),
        spacing=table.at("spacing", 0).number(0, 4096),
        terrains=dict([*_terrains(table, columns), *_old_terrains(table, columns)]),
        weights=weights,
        animations=animations,
        classes=classes,
    )


def _place(table: ThemeNode, key: str, columns: int) -> AtlasCoords:
    number = table[key].number(0, _MAX_TILES)
    return number % columns, number // columns


def _animation(tile: ThemeNode, columns: int, coords: AtlasCoords) -> Animation | None:
    """Read frames to the right of the tile with equal durations, all that every format supports."""
    frames = tile["animation"].items()[:65]
    durations = {frame["duration"].number(0, 1_000_000) for frame in frames}
    positions = [_place(frame, "tileid", columns) for frame in frames]
    fits = positions == [(coords[0] + i, coords[1]) for i in range(len(frames))]
    if not fits or not 2 <= len(frames) <= 64 or len(durations) != 1 or not 10 <= min(durations) <= 60_000:
        return None
    return Animation(len(frames), durations.pop())


def _class(tile: ThemeNode) -> str:
    """Return the tile's property `decor`, or its class."""
    for key in ("type", "class"):
        named = tile[key].value if tile.has(key) else ""
        if named and isinstance(named, str) and named != "decor":
            return named
    for property_ in tile.at("properties", []).items():
        if (
            property_.has("name")
            and property_["name"].value == "decor"
            and isinstance(property_["value"].value, str)
        ):
            return property_["value"].text()
    return ""


def _terrains(table: ThemeNode, columns: int) -> Iterator[tuple[str, Terrain]]:
    for wang_set in table.at("wangsets", []).items():
        kind = wang_set.at("type", "mixed").one_of(_KINDS)
        colors = wang_set.at("colors", []).items(_MAX_COLORS)
        tiles: list[dict[AtlasCoords, int]] = [{} for _ in colors]
        for wang_tile in wang_set.at("wangtiles", []).items():
            coords = _place(wang_tile, "tileid", columns)
            for i, color in enumerate(wang_tile["wangid"].numbers(len(_BITS), 0, len(colors))):
                if color:
                    tiles[color - 1][coords] = tiles[color - 1].get(coords, 0) | _BITS[i]
        for color_table, members in zip(colors, tiles, strict=True):
            if members:
                yield (
                    f"{wang_set['name'].text()}/{color_table['name'].text()}",
                    Terrain(_KINDS[kind], members),
                )


def _old_terrains(table: ThemeNode, columns: int) -> Iterator[tuple[str, Terrain]]:
    """Convert the terrains of Tiled before 1.5 to corner sets, as Tiled does now."""
    names = [entry["name"].text() for entry in table.at("terrains", []).items(_MAX_COLORS)]
    tiles: list[dict[AtlasCoords, int]] = [{} for _ in names]
    for tile in table.at("tiles", []).items() if names else []:
        corners = tile.at("terrain", [-1] * len(_OLD_CORNERS)).numbers(len(_OLD_CORNERS), -1, len(names) - 1)
        coords = _place(tile, "id", columns)
        for terrain, bit in zip(corners, _OLD_CORNERS, strict=True):
            if terrain >= 0:
                tiles[terrain][coords] = tiles[terrain].get(coords, 0) | bit
    yield from (
        (f"Terrains/{name}", Terrain("dual", members))
        for name, members in zip(names, tiles, strict=True)
        if members
    )
