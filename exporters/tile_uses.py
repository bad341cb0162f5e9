"""What the tiles of a theme are and do in a game, whichever format says so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from exporters.theme import Theme, TileUse
from generator.kinds import DecorKind, Kinds, TerrainKind

# Of several uses of one tile the first of these says what it is. Icons lie on no map.
ROLES = ("wall", "door", "pit", "decor", "floor", "overlay")

_NO_FLOORS = (
    "void",
    "wall",
    "pit",
)  # terrains that no floor is drawn for: a floor of such a name is a room's


class Passing(NamedTuple):
    """What passes a tile, and whether it hurts to stand there."""

    walk: bool = True
    fly: bool = True
    shoot: bool = True
    hazard: bool = False

    @property
    def stopped(self) -> tuple[str, ...]:
        """Who does not pass."""
        return tuple(way for way in ("walk", "fly", "shoot") if not getattr(self, way))


@lru_cache(maxsize=16)
def foremost_uses(theme: Theme) -> Mapping[int, TileUse]:
    """Every tile of the theme that can lie on a map, ascending, with the use that names it.

    Of several floors it is the one that stands first in the theme.
    """
    floors = {name: place for place, name in enumerate(theme.floors)}
    best: dict[int, tuple[tuple[int, str, int], TileUse]] = {}
    for use in theme.uses():
        if use.role in ROLES:
            rank = ROLES.index(use.role), use.state, floors.get(use.name, 0)
            if use.tile not in best or rank < best[use.tile][0]:
                best[use.tile] = rank, use
    return MappingProxyType({tile: best[tile][1] for tile in sorted(best)})


def terrain_of(use: TileUse, kinds: Kinds) -> str | None:
    """The terrain's name; what stands on a terrain, or over it, has none."""
    if use.role == "floor":
        return use.name if use.name in kinds.terrain_ids and use.name not in _NO_FLOORS else "floor"
    return use.role if use.role in ("wall", "pit", "door") else None


def passing(use: TileUse, kinds: Kinds) -> Passing:
    """What passes a tile. A shut door stops everything, an overlay nobody."""
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
