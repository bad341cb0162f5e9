"""The tileset that all levels of a theme share: `THEME.tsj`.

    {"columns":32, "image":"undercroft.png", "name":"undercroft", "tilecount":1024, ...
     "tiles":[
      {"id":256, "type":"wall", "probability":8, "properties":[...], "objectgroup":{...}},
      {"id":700, "type":"decor", "animation":[{"duration":150,"tileid":700}, ...]}],
     "type":"tileset", "version":"1.10", "wangsets":[...]}

A tile's collision shape is a rectangle with the class `blocks`, which says whom it stops.
"""

from __future__ import annotations

from functools import lru_cache

from exporters import digest
from exporters.formats.tiled.formats import written_tileset_file
from exporters.formats.tiled.text import TILED_VERSION, VERSION, Colour, Lines, properties
from exporters.formats.tiled.tiles import CLASSES, ICON_PROPERTIES, tile_properties
from exporters.formats.tiled.wangsets import wang_sets
from exporters.theme import Theme, TileUse
from exporters.theme.file import png_size
from exporters.tile_uses import foremost_uses, passing
from generator.kinds import Kinds


@lru_cache(maxsize=16)
def tileset(theme: Theme, ending: str = "tsj") -> bytes:
    """Write `THEME.tsj` or `.tsx`, the same for every level."""
    return written_tileset_file(
        {
            **tileset_table(theme),
            digest.KEY: digest.BLANK,
            "tiledversion": TILED_VERSION,
            "type": "tileset",
            "version": VERSION,
        },
        ending,
    )


def tileset_table(theme: Theme) -> dict[str, object]:
    """Return a tileset as embedded in a map."""
    width, height = png_size(theme.image, f"{theme.name}.png")
    return {
        "columns": theme.columns,
        "image": f"{theme.name}.png",
        "imageheight": height,
        "imagewidth": width,
        "margin": theme.margin,
        "name": theme.name,
        **_light(theme),
        "spacing": theme.spacing,
        "tilecount": theme.columns * theme.rows,
        "tileheight": theme.tile_size,
        "tiles": Lines(_tiles(theme)),
        "tilewidth": theme.tile_size,
        "wangsets": Lines(wang_sets(theme)),
    }


def _light(theme: Theme) -> dict[str, Lines]:
    """Return the theme's light colours as properties of the tileset, empty if the theme has none."""
    lights = {
        f"{name}_light": Colour(f"#ff{value[1:].lower()}")
        for name, value in theme.light._asdict().items()
        if value
    }
    return {"properties": Lines(properties(lights))} if lights else {}


def _tiles(theme: Theme) -> list[dict[str, object]]:
    """List every tile that can be on a map, and the icons, whose properties name their markers."""
    shared, uses = _shared_doors(theme), foremost_uses(theme)
    tiles = {tile: _tile(theme, tile, use, tile in shared) for tile, use in uses.items()}
    for name, tile in theme.icons.items():
        if (
            tile not in uses and name not in theme.kinds.decor_ids
        ):  # of a fire's two pictures, the decor is the one to paint
            tiles[tile] = _icon(tile, name, theme.kinds)
    return [tiles[tile] for tile in sorted(tiles)]


def _icon(tile: int, name: str, kinds: Kinds) -> dict[str, object]:
    """Make an icon such as `enemy_shooter`. The kind becomes the tile's class, the variant a property."""
    kind = max((kind for kind in kinds.markers if f"{name}_".startswith(f"{kind}_")), key=len)
    variant = name[len(kind) + 1 :]
    out: dict[str, object] = {"id": tile}
    if variant and kind in ICON_PROPERTIES:
        out["properties"] = properties({ICON_PROPERTIES[kind]: variant})
    return {**out, "type": kind}


def _shared_doors(theme: Theme) -> set[int]:
    """Find the tiles shared by several kinds of doors."""
    kinds: dict[int, set[str]] = {}
    for use in theme.uses():
        if use.role == "door":
            kinds.setdefault(use.tile, set()).add(use.name)
    return {tile for tile, names in kinds.items() if len(names) > 1}


def _tile(theme: Theme, tile: int, use: TileUse, shared: bool) -> dict[str, object]:
    """Make a tile, with its keys in Tiled's order."""
    out: dict[str, object] = {"id": tile}
    if animation := theme.animations.get(tile):
        frames = range(tile, tile + animation.frames)
        out["animation"] = [{"duration": animation.frame_ms, "tileid": frame} for frame in frames]
    if stopped := passing(use, theme.kinds).stopped:
        out["objectgroup"] = _collision(theme.tile_size, stopped)
    if use.role != "door" and use.weight != 1:
        out["probability"] = use.weight
    if listed := properties(tile_properties(use, shared, theme.kinds)):
        out["properties"] = listed
    out["type"] = CLASSES[use.role]
    return dict(sorted(out.items()))


def _collision(size: int, stopped: tuple[str, ...]) -> dict[str, object]:
    """Make a rectangle over the whole tile, with properties for whom it stops."""
    shape = {
        "height": size,
        "id": 1,
        "name": "",
        "properties": properties({way: way in stopped for way in ("walk", "fly", "shoot")}),
        "rotation": 0,
        "type": "blocks",
        "visible": True,
        "width": size,
        "x": 0,
        "y": 0,
    }
    return {
        "draworder": "index",
        "name": "",
        "objects": [shape],
        "opacity": 1,
        "type": "objectgroup",
        "visible": True,
        "x": 0,
        "y": 0,
    }
