"""The tileset that all levels of a theme share: `THEME.tsj`.

    {"columns":32, "image":"undercroft.png", "name":"undercroft", "tilecount":1024, ...
     "tiles":[
      {"id":256, "type":"wall", "probability":8, "properties":[...], "objectgroup":{...}},
      {"id":700, "type":"decor", "animation":[{"duration":150,"tileid":700}, ...]}],
     "type":"tileset", "version":"1.10", "wangsets":[...]}

A tile's collision shape is a rectangle with the class `blocks`, which says whom it stops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from exporters import blob, digest
from exporters.formats.tiled.syntax.formats import written_tileset_file
from exporters.formats.tiled.syntax.text import (
    TILED_VERSION,
    VERSION,
    Colour,
    Lines,
    PropertyValue,
    properties,
)
from exporters.theme import (
    AtlasIndex,
    Theme,
    TileUse,
    Variants,
    foremost_uses,
    lights_of,
    look_suffixed,
    passing,
    terrain_of,
)
from exporters.theme.file import png_size
from generator.kinds import Kinds
from generator.named_tuple import NamedTuple

FIRST_GID = 1  # of a map's only tileset
CLASSES = {  # by role
    "wall": "wall",
    "door": "door_tile",
    "pit": "pit",
    "decor": "decor",
    "floor": "floor",
    "overlay": "overlay",
}


# The marker property that the icon shows, by marker kind.
ICON_PROPERTIES = {"enemy": "role", "boss": "rank", "chest": "tier", "ware": "item", "pickup": "item"}


def tile_properties(use: TileUse, shared: bool, kinds: Kinds) -> dict[str, PropertyValue | None]:
    """Return a tile's own properties. A door tile that is `shared` by kinds of doors has no kind."""
    if use.role == "overlay":
        return {}
    terrain = terrain_of(use, kinds)
    return {
        **passing(use, kinds)._asdict(),
        "terrain": terrain,
        "decor": use.name if use.role == "decor" else None,
        "floor": use.name if use.role == "floor" else None,
        "shaded": use.state == "shaded" if use.role == "floor" else None,
        "door": use.name if use.role == "door" and not shared else None,
        "shut": use.state == "shut" if use.role == "door" else None,
    }


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
    lights = {name: Colour(f"#ff{value[1:].lower()}") for name, value in lights_of(theme).items()}
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


# --- Wang sets, which tell Tiled's terrain brush how a theme's tiles fit together --------------------
#
# A tile's wang id has a colour for each side and corner, 0 for none, clockwise from the top:
#
#     7 0 1         {"tileid": 259, "wangid": [0, 0, 1, 1, 1, 0, 0, 0]}: wall to the right, below, and
#     6 . 2         at the corner between them; nothing on the other sides
#     5 4 3
#
# This is the bit order of a `blob47` mask (see `exporters.blob`). In reduced masks, a corner shared by four
# walls is set for all four of them. So neighbours on a level agree about each side and corner, as the brush
# requires.

# A set's type, by the mask bits that choose its tiles.
_TYPES = {blob.SIDES: "edge", blob.CORNERS: "corner", blob.SIDES | blob.CORNERS: "mixed"}

WangId = tuple[int, ...]

_FLOOR_RGB = 0x996633


class _Color(NamedTuple):
    name: str
    rgb: int
    tile: AtlasIndex


def wang_sets(theme: Theme) -> list[Lines]:
    """Make sets by look: for walls, pits and floors, and for floors below a wall if the theme has them."""
    return [lines for look in theme.sheets for lines in _sets_of_look(look, theme)]


def _sets_of_look(look: Theme, theme: Theme) -> Iterator[Lines]:
    def titled(title: str) -> str:
        return look_suffixed(title, look, theme)

    yield _neighbourhoods(titled("Walls"), "wall", 0x8C8CBF, look.walls)
    yield _neighbourhoods(titled("Pits"), "pit", 0x33334D, look.pits)
    yield _floors(titled("Floors"), _unshared({name: floor.plain for name, floor in look.floors.items()}))
    below = {name: floor.shaded for name, floor in look.floors.items() if floor.shaded != floor.plain}
    if below:
        yield _floors(titled("FloorsBelowWalls"), _unshared(below))


def _neighbourhoods(title: str, name: str, rgb: int, looks: Mapping[int, Variants]) -> Lines:
    """Make a one-colour set for tiles chosen by a mask: 1 where the neighbour is of the same sort, else 0.

    The tile without such neighbours is left out, because a wang id of zeros belongs to no set.
    """
    counts = blob.counted(looks)
    masks: dict[AtlasIndex, int] = {}
    for mask, variants in looks.items():
        for tile in variants.tiles:
            # A tile has one wang id. If several masks choose it, it gets the fullest one.
            masks[tile] = max(masks.get(tile, 0), mask & counts, key=_fullness)
    ids = {tile: tuple(mask >> i & 1 for i in range(8)) for tile, mask in masks.items() if mask}
    icon = looks[max(looks, key=_fullness)].tiles[0]
    return _wang_set(title, _TYPES[counts], [_Color(name, rgb, icon)], ids)


def _fullness(mask: int) -> tuple[int, int]:
    return mask.bit_count(), mask


def _unshared(floors: Mapping[str, Variants]) -> dict[str, Variants]:
    """Drop floors that share tiles with an earlier one, since a tile has one colour per set."""
    taken: set[AtlasIndex] = set()
    kept = {}
    for name, variants in floors.items():
        if taken.isdisjoint(variants.tiles):
            kept[name] = variants
            taken.update(variants.tiles)
    return kept


def _floors(title: str, floors: Mapping[str, Variants]) -> Lines:
    """Make a set with one colour per floor, on all sides of its tiles, to fill areas with variants.

    There are no transition tiles, so the brush changes only the tiles that it fills.
    """
    ids: dict[AtlasIndex, WangId] = {}
    colors = []
    for number, (name, variants) in enumerate(floors.items(), 1):
        rgb = (_FLOOR_RGB + number * 0x2B491D) & 0xFFFFFF  # far enough apart to be distinguished
        colors.append(_Color(name, rgb, variants.tiles[0]))
        ids |= dict.fromkeys(variants.tiles, (number, 0, number, 0, number, 0, number, 0))
    return _wang_set(title, "edge", colors, ids)


def _wang_set(title: str, kind: str, colors: list[_Color], ids: Mapping[AtlasIndex, WangId]) -> Lines:
    return Lines(
        {
            "colors": Lines(
                [
                    {"color": f"#{color.rgb:06x}", "name": color.name, "probability": 1, "tile": color.tile}
                    for color in colors
                ]
            ),
            "name": title,
            "tile": colors[0].tile,
            "type": kind,
            "wangtiles": Lines([{"tileid": tile, "wangid": list(ids[tile])} for tile in sorted(ids)]),
        }
    )
