"""What the tiles of a theme do, in Godot's terms: their collisions and custom data."""

from __future__ import annotations

from collections.abc import Mapping

from exporters.formats.godot.text import Call
from exporters.theme import AtlasIndex, Theme, TileUse, Variants
from exporters.tile_uses import Passing, foremost_uses, passing, terrain_of
from generator.kinds import Kinds

# Bits of collision layers: a body stops at the layers in its mask.
WALKERS, FLYERS, SHOTS = 1, 2, 4
EVERYONE = WALKERS | FLYERS | SHOTS

CUSTOM_DATA = ("terrain", "decor", "walk", "fly", "shoot", "hazard")
_BITS = {"walk": WALKERS, "fly": FLYERS, "shoot": SHOTS}


def stops(what_passes: Passing) -> int:
    """Return the bits of the collision layer."""
    return sum(_BITS[way] for way in what_passes.stopped)


def light_colours(theme: Theme) -> dict[str, Call]:
    """Return the theme's light colours, if it has them: `torch_light` and `ambient_light`."""
    return {
        f"{name}_light": Call("Color", (*(round(part / 255, 4) for part in bytes.fromhex(colour[1:])), 1))
        for name, colour in theme.light._asdict().items()
        if colour
    }


def floor_terrains(theme: Theme) -> dict[str, int]:
    """Return the index in the floors' terrain set by floor name, for all floors with a tile of their own.

    A floor that uses another floor's tiles is left out: a tile has one terrain, and a brush needs tiles.
    """
    own = {use.name for use in foremost_uses(theme).values() if use.role == "floor" and not use.state}
    return {name: index for index, name in enumerate(name for name in theme.floors if name in own)}


def common_bits(looks: Mapping[int, Variants]) -> dict[AtlasIndex, tuple[int, int]]:
    """Return for each wall or pit tile the bits common to all masks that choose it, and those in any."""
    by_tile: dict[AtlasIndex, tuple[int, int]] = {}
    for mask, variants in looks.items():
        for tile in variants.tiles:
            common, either = by_tile.get(tile, (mask, mask))
            by_tile[tile] = common & mask, either | mask
    return by_tile


def custom_data(use: TileUse, kinds: Kinds) -> Mapping[str, object]:
    """Return the values of CUSTOM_DATA. False and empty values are the default."""
    return {
        "terrain": terrain_of(use, kinds) or "",
        "decor": use.name if use.role == "decor" else "",
        **passing(use, kinds)._asdict(),
    }
