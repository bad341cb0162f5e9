"""What the tiles of a theme mean in a game, for all formats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from exporters.theme import Theme, TileUse
from generator.kinds import DecorKind, Kinds, TerrainKind

# If a tile has several uses, the first in this list counts. Icons are not on maps.
ROLES = ("wall", "door", "pit", "decor", "floor", "overlay")

_NO_FLOORS = (
    "void",
    "wall",
    "pit",
)  # terrains without a floor tile: a floor with such a name is that of a room kind


class Passing(NamedTuple):
    """Who can pass a tile, and whether it hurts to stand there."""

    walk: bool = True
    fly: bool = True
    shoot: bool = True
    hazard: bool = False

    @property
    def stopped(self) -> tuple[str, ...]:
        """Who cannot pass."""
        return tuple(way for way in ("walk", "fly", "shoot") if not getattr(self, way))


@lru_cache(maxsize=16)
def foremost_uses(theme: Theme) -> Mapping[int, TileUse]:
    """Return every tile of the theme that can be on a map, in ascending order, with its main use.

    If several floors use it, the first one in the theme counts.
    """
    floors = {name: index for index, name in enumerate(theme.floors)}
    best: dict[int, tuple[tuple[int, str, int], TileUse]] = {}
    for use in theme.uses():
        if use.role in ROLES:
            rank = ROLES.index(use.role), use.state, floors.get(use.name, 0)
            if use.tile not in best or rank < best[use.tile][0]:
                best[use.tile] = rank, use
    return MappingProxyType({tile: best[tile][1] for tile in sorted(best)})


def terrain_of(use: TileUse, kinds: Kinds) -> str | None:
    """Return the terrain's name, or None for things on or above a terrain."""
    if use.role == "floor":
        return use.name if use.name in kinds.terrain_ids and use.name not in _NO_FLOORS else "floor"
    return use.role if use.role in ("wall", "pit", "door") else None


def passing(use: TileUse, kinds: Kinds) -> Passing:
    """Find who can pass a tile. A shut door stops everything, an overlay stops nothing."""
    if use.role == "door" and use.state == "shut":
        return Passing(False, False, False)
    kind: TerrainKind | DecorKind
    if use.role == "decor":
        kind = kinds.decor[kinds.decor_ids[use.name]]
    elif terrain := terrain_of(use, kinds):
        kind = kinds.terrain[kinds.terrain_ids[terrain]]
    else:
        return Passing()
    return Passing(kind.walk, kind.fly, kind.shoot, kind.hazard)
