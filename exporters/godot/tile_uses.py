"""What the tiles of a theme are and do in a game, whichever Godot reads them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from exporters.theme import Theme, TileUse
from generator.kinds import DECOR_IDS, DECOR_KINDS, TERRAIN_IDS, TERRAIN_KINDS

# What a body must collide with to be stopped: bits of collision layers and masks.
WALKERS, FLYERS, SHOTS = 1, 2, 4
EVERYONE = WALKERS | FLYERS | SHOTS

CUSTOM_DATA = ("terrain", "decor", "walk", "fly", "shoot", "hazard")
# Of several uses of one tile the first of these says what it is in the TileSet.
_ROLES = ("wall", "door", "pit", "decor", "floor", "overlay")


class Lets(NamedTuple):
    """What passes a tile."""

    walk: bool
    fly: bool
    shoot: bool
    hazard: bool

    @property
    def stops(self) -> int:
        """The collision layer's bits."""
        return WALKERS * (not self.walk) | FLYERS * (not self.fly) | SHOTS * (not self.shoot)


def floor_terrains(theme: Theme) -> dict[str, int]:
    """Place in the floors' terrain set by the floor's name, of all floors with a tile of their own.

    One that borrows another's tiles is left out: a tile has one terrain, and a brush must find tiles.
    """
    own = {use.name for use in source_tiles(theme).values() if use.role == "floor" and not use.state}
    return {name: place for place, name in enumerate(name for name in theme.floors if name in own)}


@lru_cache(maxsize=4)
def source_tiles(theme: Theme) -> Mapping[int, TileUse]:
    """The tiles of the TileSet by atlas index, each with its foremost use; icons are none of them."""
    tiles: dict[int, TileUse] = {}
    floors = {name: place for place, name in enumerate(theme.floors)}
    for use in theme.uses():
        if use.role in _ROLES:
            rank = (_ROLES.index(use.role), use.state, floors.get(use.name, 0))
            old = tiles.get(use.tile)
            if old is None or rank < (_ROLES.index(old.role), old.state, floors.get(old.name, 0)):
                tiles[use.tile] = use
    return tiles


def terrain_name(use: TileUse) -> str:
    """The terrain's name of a tile; things stand on a terrain but are none."""
    if use.role == "floor":
        return use.name if use.name in TERRAIN_IDS else "floor"
    return "" if use.role == "decor" else use.role


def lets_of(use: TileUse) -> Lets:
    """What passes; a shut door lets nothing pass, of a pair of looks the TileSet cannot know better."""
    if use.role == "decor":
        kind = DECOR_KINDS[DECOR_IDS[use.name]]
        return Lets(kind.walk, kind.fly, kind.shoot, kind.hazard)
    if use.role == "door" and use.state == "shut":
        return Lets(False, False, False, False)
    terrain = TERRAIN_KINDS[TERRAIN_IDS[terrain_name(use)]]
    return Lets(terrain.walk, terrain.fly, terrain.shoot, terrain.hazard)


def custom_data(use: TileUse) -> Mapping[str, object]:
    """The values of CUSTOM_DATA; those that are false or empty are the default."""
    return {
        "terrain": terrain_name(use),
        "decor": use.name if use.role == "decor" else "",
        **lets_of(use)._asdict(),
    }
