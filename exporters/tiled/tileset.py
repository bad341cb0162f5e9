"""The tileset that all levels of a theme share: `THEME.tsj`.

    {"columns":32, "image":"undercroft.png", "name":"undercroft", "tilecount":1024, ...
     "tiles":[
      {"id":256, "type":"wall", "probability":8, "properties":[...], "objectgroup":{...}},
      {"id":700, "type":"decor", "animation":[{"duration":150,"tileid":700}, ...]}],
     "type":"tileset", "version":"1.10", "wangsets":[...]}

The collision of a tile is a rectangle of the class `blocks`, which says whom it stops.
"""

from __future__ import annotations

from functools import lru_cache

from exporters import digest
from exporters.theme import Theme, TileUse
from exporters.theme.file import png_size
from exporters.tile_uses import foremost_uses, passing
from exporters.tiled.text import TILED_VERSION, VERSION, Lines, document, properties
from exporters.tiled.tiles import CLASSES, tile_properties
from exporters.tiled.wangsets import wang_sets


@lru_cache(maxsize=4)
def tileset(theme: Theme) -> bytes:
    """`THEME.tsj`: the same for every level."""
    width, height = png_size(theme.image, f"{theme.name}.png")
    shared = _shared_doors(theme)
    made = document(
        {
            "columns": theme.columns,
            digest.KEY: digest.BLANK,
            "image": f"{theme.name}.png",
            "imageheight": height,
            "imagewidth": width,
            "margin": theme.margin,
            "name": theme.name,
            "spacing": theme.spacing,
            "tilecount": theme.columns * theme.rows,
            "tiledversion": TILED_VERSION,
            "tileheight": theme.tile_size,
            "tiles": Lines(
                [_tile(theme, tile, use, tile in shared) for tile, use in foremost_uses(theme).items()]
            ),
            "tilewidth": theme.tile_size,
            "type": "tileset",
            "version": VERSION,
            "wangsets": Lines(wang_sets(theme)),
        }
    )
    return digest.with_digest(made)


def _shared_doors(theme: Theme) -> set[int]:
    """The tiles that doors of several kinds have in common."""
    kinds: dict[int, set[str]] = {}
    for use in theme.uses():
        if use.role == "door":
            kinds.setdefault(use.tile, set()).add(use.name)
    return {tile for tile, names in kinds.items() if len(names) > 1}


def _tile(theme: Theme, tile: int, use: TileUse, shared: bool) -> dict[str, object]:
    """One tile, its keys in the order of Tiled."""
    made: dict[str, object] = {"id": tile}
    if animation := theme.animations.get(tile):
        frames = range(tile, tile + animation.frames)
        made["animation"] = [{"duration": animation.frame_ms, "tileid": frame} for frame in frames]
    if stopped := passing(use).stopped:
        made["objectgroup"] = _collision(theme.tile_size, stopped)
    if use.role != "door" and use.weight != 1:
        made["probability"] = use.weight
    if listed := properties(tile_properties(use, shared)):
        made["properties"] = listed
    made["type"] = CLASSES[use.role]
    return dict(sorted(made.items()))


def _collision(size: int, stopped: tuple[str, ...]) -> dict[str, object]:
    """A rectangle over the whole tile, and for whom it is one."""
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
