"""Lights: a marker for each torch and fire, where a game can put a light."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from generator.arrays import Mask
from generator.geometry import Point
from generator.interiors.interior import PlacedMarker
from generator.kinds import Kinds
from generator.level import Property, Tiles

_RADIUS_TILES = 3
_COLORS = {"fire": "orange", "red_fire": "red"}
TORCH = "torch"
BURNS: Mapping[str, tuple[str, ...]] = {TORCH: ("torch",), "fire": ("fire", "red_fire")}
"""The things that the light markers belong to, which the generator places."""
TORCH_LIGHT: Mapping[str, Property] = MappingProxyType(
    {"color": "orange", "light_radius_tiles": _RADIUS_TILES}
)  # all torches share it


def torch_of(kinds: Kinds) -> int:
    """Return the number of the torch, 0 in a kit without torches."""
    return kinds.decor_ids.get(TORCH, 0) if TORCH in kinds.markers else 0


def torch_marker(tile: Point) -> PlacedMarker:
    """Create the light of a torch on a wall tile."""
    return PlacedMarker(TORCH, *tile, TORCH_LIGHT)


@lru_cache(maxsize=64)
def _fires(kinds: Kinds) -> tuple[dict[int, str], Mask]:
    """Return the color of each thing that burns, by its number, and whether each decor number burns."""
    known = _COLORS if "fire" in kinds.markers else {}
    fires = {kinds.decor_ids[name]: color for name, color in known.items() if name in kinds.decor_ids}
    return fires, np.isin(np.arange(len(kinds.decor)), list(fires))


def may_burn(decor: Tiles, kinds: Kinds) -> bool:
    """Check quickly whether there is a fire in `decor` [y, x], because most rooms have none."""
    tiles = decor.tobytes()
    for number in _fires(kinds)[0]:  # noqa: SIM110 - a generator would take longer, and this is asked for every room
        if number in tiles:
            return True
    return False


def fire_markers(decor: Tiles, origin: Point, kinds: Kinds) -> list[PlacedMarker]:
    """Create the lights of the fires in `decor` [y, x], whose top left tile is `origin`."""
    if not may_burn(decor, kinds):
        return []
    fires, burns = _fires(kinds)
    return [
        PlacedMarker(
            "fire",
            origin[0] + x,
            origin[1] + y,
            {"color": fires[int(decor[y, x])], "light_radius_tiles": _RADIUS_TILES},
        )
        for y, x in np.argwhere(burns[decor]).tolist()
    ]
