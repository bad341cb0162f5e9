"""Wang sets: what Tiled's terrain brush knows of a theme's tiles.

A tile's wang id is a colour for each of its sides and corners, 0 for none, from the top clockwise:

    7 0 1         {"tileid": 259, "wangid": [0, 0, 1, 1, 1, 0, 0, 0]}: wall to the right and below, and
    6 . 2         on the corner between, nothing on the other sides
    5 4 3

That is the order of the bits of a `blob47` mask (see `exporters.blob`), and a reduced mask has every
corner that four walls share, for all four alike: so neighbours on a level agree about each side and
corner, which is what the brush asks of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from exporters import blob
from exporters.theme import AtlasIndex, Theme, Variants
from exporters.tiled.text import Lines

# What a set is, by the bits of the masks that choose its tiles.
_TYPES = {blob.SIDES: "edge", blob.CORNERS: "corner", blob.SIDES | blob.CORNERS: "mixed"}

WangId = tuple[int, ...]

_FLOOR_RGB = 0x996633


class _Color(NamedTuple):
    name: str
    rgb: int
    tile: AtlasIndex


def wang_sets(theme: Theme) -> list[Lines]:
    """The sets of the walls, the pits, and the floors; of floors below a wall if the theme has such."""
    sets = [
        _neighbourhoods("Walls", "wall", 0x8C8CBF, theme.walls),
        _neighbourhoods("Pits", "pit", 0x33334D, theme.pits),
        _floors("Floors", _unshared({name: floor.plain for name, floor in theme.floors.items()})),
    ]
    below = {name: floor.shaded for name, floor in theme.floors.items() if floor.shaded != floor.plain}
    return [*sets, _floors("FloorsBelowWalls", _unshared(below))] if below else sets


def _neighbourhoods(title: str, name: str, rgb: int, looks: Mapping[int, Variants]) -> Lines:
    """A set of one colour, for tiles that a mask chooses: 1 where a neighbour is alike, else nothing.

    The tile for no such neighbour at all is left out: a wang id of nothing belongs to no set.
    """
    counts = blob.counted(looks)
    masks: dict[AtlasIndex, int] = {}
    for mask, variants in looks.items():
        for tile in variants.tiles:
            # A tile has one wang id. One that serves several masks gets the fullest of them.
            masks[tile] = max(masks.get(tile, 0), mask & counts, key=_fullness)
    ids = {tile: tuple(mask >> i & 1 for i in range(8)) for tile, mask in masks.items() if mask}
    icon = looks[max(looks, key=_fullness)].tiles[0]
    return _wang_set(title, _TYPES[counts], [_Color(name, rgb, icon)], ids)


def _fullness(mask: int) -> tuple[int, int]:
    return mask.bit_count(), mask


def _unshared(floors: Mapping[str, Variants]) -> dict[str, Variants]:
    """The floors whose tiles are not those of one before: a tile has one colour in a set."""
    taken: set[AtlasIndex] = set()
    found = {}
    for name, variants in floors.items():
        if taken.isdisjoint(variants.tiles):
            found[name] = variants
            taken.update(variants.tiles)
    return found


def _floors(title: str, floors: Mapping[str, Variants]) -> Lines:
    """A set with a colour a floor, whose tiles have it on all sides, for filling areas with variants.

    There is no tile between two floors, or between a floor and nothing, so the brush changes no tile
    beside those that it is told to fill.
    """
    ids: dict[AtlasIndex, WangId] = {}
    colors = []
    for number, (name, variants) in enumerate(floors.items(), 1):
        rgb = (_FLOOR_RGB + number * 0x2B491D) & 0xFFFFFF  # far enough apart to be told from one another
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
