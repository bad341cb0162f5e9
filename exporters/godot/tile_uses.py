"""What the tiles of a theme do in a game in the terms of either Godot: whom they collide with, and data."""

from __future__ import annotations

from collections.abc import Mapping

from exporters.godot.text import Call
from exporters.theme import AtlasIndex, Theme, TileUse, Variants
from exporters.tile_uses import Passing, foremost_uses, passing, terrain_of
from generator.kinds import Kinds

# What a body must collide with to be stopped: bits of collision layers and masks.
WALKERS, FLYERS, SHOTS = 1, 2, 4
EVERYONE = WALKERS | FLYERS | SHOTS

CUSTOM_DATA = ("terrain", "decor", "walk", "fly", "shoot", "hazard")
_BITS = {"walk": WALKERS, "fly": FLYERS, "shoot": SHOTS}


def stops(what_passes: Passing) -> int:
    """The collision layer's bits."""
    return sum(_BITS[way] for way in what_passes.stopped)


def light_colours(theme: Theme) -> dict[str, Call]:
    """The colours of the theme's light that it tells: `torch_light` and `ambient_light`."""
    return {
        f"{name}_light": Call("Color", (*(round(part / 255, 4) for part in bytes.fromhex(given[1:])), 1))
        for name, given in theme.light._asdict().items()
        if given
    }


def floor_terrains(theme: Theme) -> dict[str, int]:
    """Place in the floors' terrain set by the floor's name, of all floors with a tile of their own.

    One that borrows another's tiles is left out: a tile has one terrain, and a brush must find tiles.
    """
    own = {use.name for use in foremost_uses(theme).values() if use.role == "floor" and not use.state}
    return {name: place for place, name in enumerate(name for name in theme.floors if name in own)}


def common_bits(looks: Mapping[int, Variants]) -> dict[AtlasIndex, tuple[int, int]]:
    """Of each tile of walls or pits the bits that all the masks have which choose it, and those some have."""
    found: dict[AtlasIndex, tuple[int, int]] = {}
    for mask, variants in looks.items():
        for tile in variants.tiles:
            every, some = found.get(tile, (mask, mask))
            found[tile] = every & mask, some | mask
    return found


def custom_data(use: TileUse, kinds: Kinds) -> Mapping[str, object]:
    """The values of CUSTOM_DATA; those that are false or empty are the default."""
    return {
        "terrain": terrain_of(use, kinds) or "",
        "decor": use.name if use.role == "decor" else "",
        **passing(use, kinds)._asdict(),
    }
