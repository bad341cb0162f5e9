"""Wang sets, which tell Tiled's terrain brush how a theme's tiles fit together.

A tile's wang id has a colour for each side and corner, 0 for none, clockwise from the top:

    7 0 1         {"tileid": 259, "wangid": [0, 0, 1, 1, 1, 0, 0, 0]}: wall to the right, below, and
    6 . 2         at the corner between them; nothing on the other sides
    5 4 3

This is the bit order of a `blob47` mask (see `exporters.blob`). In reduced masks, a corner shared by four
walls is set for all four of them. So neighbours on a level agree about each side and corner, as the brush
requires.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from exporters import blob
from exporters.formats.tiled.text import Lines
from exporters.theme import AtlasIndex, Theme, Variants

# A set's type, by the mask bits that choose its tiles.
_TYPES = {blob.SIDES: "edge", blob.CORNERS: "corner", blob.SIDES | blob.CORNERS: "mixed"}

WangId = tuple[int, ...]

_FLOOR_RGB = 0x996633


class _Color(NamedTuple):
    name: str
    rgb: int
    tile: AtlasIndex


def wang_sets(theme: Theme) -> list[Lines]:
    """Make the sets for walls, pits and floors, and for floors below a wall if the theme has them."""
    sets = [
        _neighbourhoods("Walls", "wall", 0x8C8CBF, theme.walls),
        _neighbourhoods("Pits", "pit", 0x33334D, theme.pits),
        _floors("Floors", _unshared({name: floor.plain for name, floor in theme.floors.items()})),
    ]
    below = {name: floor.shaded for name, floor in theme.floors.items() if floor.shaded != floor.plain}
    return [*sets, _floors("FloorsBelowWalls", _unshared(below))] if below else sets


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
