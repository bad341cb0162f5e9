"""Doors wider than a layout is drawn for: markers too near to one are moved aside."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from generator.errors import LayoutError
from generator.geometry import Point
from generator.interiors.footprint import doorsteps
from generator.interiors.interior import Interior, too_near
from generator.interiors.layout_rules import reached_on_foot
from generator.interiors.layouts import Layout
from generator.interiors.passage import Passage, covered_from
from generator.shapes import Slot


@lru_cache(maxsize=4096)
def interior_behind(layout: Layout, mirror: str, passage: Passage, doors: frozenset[Slot]) -> Interior:
    """Return the inside of a room with doors in some slots, which may be wider than a tile.

    Layouts are drawn, and checked, for doors of one tile. Near a wider one a marker moves to the nearest free
    tile that is far enough from all doors and can be reached safely, by a large body too:

        ####+####          ##+++++##
        .........          .........
        .E.......    ->    E........     two steps from the tile in front of the door's left end

    An enemy without such a tile is left out. Raises LayoutError if it is the boss.
    """
    interior, door_width = layout.interior(mirror), passage.door_width
    steps = doorsteps(layout.pitch, doors, door_width)
    if not any(too_near(marker.kind, (marker.x, marker.y), steps) for marker in interior.markers):
        return interior
    start = doorsteps(layout.pitch, layout.slots(mirror))[0]  # any will do: all doors are connected
    safe = reached_on_foot(interior, start, safely=True)
    if passage.body > 1:
        safe &= covered_by_body(interior, layout, doors, passage)
    taken = {(marker.x, marker.y) for marker in interior.markers}
    markers = []
    for marker in interior.markers:
        position = x, y = marker.x, marker.y
        if too_near(marker.kind, position, steps):
            free = [tile for tile in safe - taken if not too_near(marker.kind, tile, steps)]
            if not free and marker.kind == "enemy":
                continue
            if not free:
                raise LayoutError(
                    f"{layout.path}: has no place for its {marker.kind} away from doors that are "
                    f"{door_width} tiles wide; draw more free floor, or make door_width smaller"
                )
            position = min(free, key=lambda tile: (abs(tile[0] - x) + abs(tile[1] - y), tile[1], tile[0]))
            taken.add(position)
        markers.append(marker._replace(x=position[0], y=position[1]))
    return interior._replace(markers=tuple(markers))


def covered_by_body(
    interior: Interior, layout: Layout, doors: frozenset[Slot], passage: Passage
) -> set[Point]:
    """Return the tiles that a body can cover on paths from the doors."""
    free = np.pad(interior.safe(), 1)
    openings = [
        (x + 1 + slot[1].dx, y + 1 + slot[1].dy)
        for slot in doors
        for x, y in doorsteps(layout.pitch, [slot], passage.door_width)
    ]
    for x, y in openings:
        free[y, x] = True
    return {(x - 1, y - 1) for x, y in covered_from(openings, free, passage.body)}
