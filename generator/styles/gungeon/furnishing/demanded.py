"""Markers that a room kind's row demands and the furnisher of a room by procedure does not know."""

from __future__ import annotations

from collections import Counter

from generator.geometry import Rect
from generator.interiors.interior import FIGHTERS, FurnishedRoom, PlacedMarker
from generator.styles.gungeon.furnishing.site import Site
from generator.styles.gungeon.keys import HeldTiles, tile_near_middle

_OTHERS = (*FIGHTERS, "key")


def with_demanded(inside: FurnishedRoom, site: Site, body: int) -> FurnishedRoom:
    """Add the markers that the room's row demands, near its middle, within a body's reach.

    Enemies and bosses are left to the furnishers, keys to flows, and what cannot be on floor to layouts.
    """
    kinds = site.kinds
    counts = Counter(marker.kind for marker in inside.markers)
    markers = list(inside.markers)
    held = HeldTiles(inside.terrain, inside.decor, kinds)
    for kind, (least, _) in kinds.room(site.kind).markers.items():
        if counts[kind] >= least or kind in _OTHERS or "floor" not in kinds.grounds_of(kinds.markers[kind]):
            continue
        usual = next((glyph.properties for glyph in kinds.glyphs.values() if glyph.marker == kind), {})
        for _ in range(least - counts[kind]):
            taken = [(marker.x, marker.y) for marker in markers]
            tile = tile_near_middle(Rect(0, 0, site.width, site.height), held, taken, body)
            if tile:
                markers.append(PlacedMarker(kind, *tile, usual))
    return inside._replace(markers=tuple(markers))
