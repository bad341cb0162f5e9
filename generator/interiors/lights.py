"""Lights: a marker for each torch and fire, so that a game can put a light there."""

from __future__ import annotations

import numpy as np

from generator.geometry import Point
from generator.interiors.interior import PlacedMarker
from generator.kinds import DECOR_IDS
from generator.level import Tiles

_RADIUS_TILES = 3
_FIRES = {DECOR_IDS["fire"]: "orange", DECOR_IDS["red_fire"]: "red"}
_IS_FIRE = np.isin(np.arange(256), list(_FIRES))


def torch_marker(place: Point) -> PlacedMarker:
    """The light of a torch on a wall's tile."""
    return PlacedMarker("torch", *place, {"color": "orange", "light_radius_tiles": _RADIUS_TILES})


def fire_markers(decor: Tiles, origin: Point) -> list[PlacedMarker]:
    """The lights of the fires in `decor` [y, x], whose top left tile is `origin`."""
    tiles = decor.tobytes()
    if not any(number in tiles for number in _FIRES):  # in most rooms, and quickly seen
        return []
    return [
        PlacedMarker(
            "fire",
            origin[0] + x,
            origin[1] + y,
            {"color": _FIRES[int(decor[y, x])], "light_radius_tiles": _RADIUS_TILES},
        )
        for y, x in np.argwhere(_IS_FIRE[decor]).tolist()
    ]
