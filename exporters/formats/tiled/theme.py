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
from exporters.theme.file import Table
from exporters.theme.tileset import AtlasCoords, Terrain, TilesetFile, beside, weight_of
from generator.errors import ThemeError, shown

_BITS = (N, NE, E, SE, S, SW, W, NW)
_OLD_CORNERS = (NW, NE, SW, SE)
_KINDS = {"mixed": "mixed", "edge": "edge", "corner": "dual"}
_MAX_TILES = 1 << 20  # no readable image has tiles with larger ids
_MAX_COLORS = 254  # Tiled's limit


def tiled_tileset(data: bytes, file: str) -> TilesetFile:
    """Read the tileset in a file's bytes. Raises ThemeError."""
    found = tiled_table(data, file, "tileset", ThemeError)
    if not isinstance(found, dict):
        raise ThemeError(f"{file}: {shown(found)} is not a tileset; give one that Tiled saved")
    table = Table(f"{file}: ", "", found)
    if not table.has("image"):
        raise ThemeError(f"{file}: image: is missing; give a tileset that is based on one image")
    width, height = (table.integer(key, 1, 4096) for key in ("tilewidth", "tileheight"))
    if width != height or not 8 <= width <= 64:
        raise ThemeError(f"{file}: tilewidth: tiles are {width} x {height} px; give squares of 8 to 64 px")
    columns = table.integer("columns", 1, _MAX_TILES)
    weights, animations, classes = {}, {}, {}
    for tile in table.tables("tiles") if table.has("tiles") else []:
        coords = _place(tile, "id", columns)
        if tile.has("probability"):
            weights[coords] = weight_of(tile.raw("probability"), tile.where("probability"))
        animation = _animation(tile, columns, coords) if tile.has("animation") else None
        if animation:
            animations[coords] = animation
        named = _class(tile)
        if named:
            classes[coords] = named
    return TilesetFile(
        file=file,
        images=(beside(file, table.text("image")),),
        tile_size=width,
        margin=table.integer("margin", 0, 4096, default=0),
        spacing=table.integer("spacing", 0, 4096, default=0),
        terrains=dict([*_terrains(table, columns), *_old_terrains(table, columns)]),
        weights=weights,
        animations=animations,
        classes=classes,
    )


def _place(table: Table, key: str, columns: int) -> AtlasCoords:
    number = table.integer(key, 0, _MAX_TILES)
    return number % columns, number // columns


def _animation(tile: Table, columns: int, coords: AtlasCoords) -> Animation | None:
    """Read frames to the right of the tile with equal durations, all that every format supports."""
    frames = tile.tables("animation")[:65]
    durations = {frame.integer("duration", 0, 1_000_000) for frame in frames}
    positions = [_place(frame, "tileid", columns) for frame in frames]
    fits = positions == [(coords[0] + i, coords[1]) for i in range(len(frames))]
    if not fits or not 2 <= len(frames) <= 64 or len(durations) != 1 or not 10 <= min(durations) <= 60_000:
        return None
    return Animation(len(frames), durations.pop())


def _class(tile: Table) -> str:
    """Return the tile's property `decor`, or its class."""
    for key in ("type", "class"):
        named = tile.raw(key) if tile.has(key) else ""
        if named and isinstance(named, str) and named != "decor":
            return named
    for property_ in tile.tables("properties") if tile.has("properties") else []:
        if (
            property_.has("name")
            and property_.raw("name") == "decor"
            and isinstance(property_.raw("value"), str)
        ):
            return property_.text("value")
    return ""


def _terrains(table: Table, columns: int) -> Iterator[tuple[str, Terrain]]:
    for wang_set in table.tables("wangsets") if table.has("wangsets") else []:
        kind = wang_set.text("type") if wang_set.has("type") else "mixed"
        if kind not in _KINDS:
            raise ThemeError(f"{wang_set.where('type')}: {shown(kind)} is not one of {', '.join(_KINDS)}")
        colors = wang_set.tables("colors") if wang_set.has("colors") else []
        if len(colors) > _MAX_COLORS:
            raise ThemeError(f"{wang_set.where('colors')}: are more than {_MAX_COLORS}")
        tiles: list[dict[AtlasCoords, int]] = [{} for _ in colors]
        for wang_tile in wang_set.tables("wangtiles") if wang_set.has("wangtiles") else []:
            coords = _place(wang_tile, "tileid", columns)
            for i, color in enumerate(_wang_id(wang_tile, len(colors))):
                if color:
                    tiles[color - 1][coords] = tiles[color - 1].get(coords, 0) | _BITS[i]
        for color_table, members in zip(colors, tiles, strict=True):
            if members:
                yield f"{wang_set.text('name')}/{color_table.text('name')}", Terrain(_KINDS[kind], members)


def _old_terrains(table: Table, columns: int) -> Iterator[tuple[str, Terrain]]:
    """Convert the terrains of Tiled before 1.5 to corner sets, as Tiled does now."""
    names = [entry.text("name") for entry in table.tables("terrains")] if table.has("terrains") else []
    if len(names) > _MAX_COLORS:
        raise ThemeError(f"{table.where('terrains')}: are more than {_MAX_COLORS}")
    tiles: list[dict[AtlasCoords, int]] = [{} for _ in names]
    for tile in table.tables("tiles") if names and table.has("tiles") else []:
        corners = tile.sequence("terrain") if tile.has("terrain") else [-1] * len(_OLD_CORNERS)
        if len(corners) != len(_OLD_CORNERS):
            raise ThemeError(f"{tile.where('terrain')}: has {len(corners)} corners; give 4")
        coords = _place(tile, "id", columns)
        for number, bit in zip(corners, _OLD_CORNERS, strict=True):
            terrain = tile.checked_integer("terrain", number, -1, len(names) - 1)
            if terrain >= 0:
                tiles[terrain][coords] = tiles[terrain].get(coords, 0) | bit
    yield from (
        (f"Terrains/{name}", Terrain("dual", members))
        for name, members in zip(names, tiles, strict=True)
        if members
    )


def _wang_id(table: Table, colors: int) -> list[int]:
    values = table.sequence("wangid")
    if len(values) != len(_BITS):
        raise ThemeError(f"{table.where('wangid')}: has {len(values)} colours; give 8")
    return [table.checked_integer("wangid", color, 0, colors) for color in values]
