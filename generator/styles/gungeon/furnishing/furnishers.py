"""The furnishers of rooms. The row of a room kind names its furnisher."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from generator.geometry import Rect
from generator.interiors.interior import FIGHTERS, FurnishedRoom, PlacedMarker
from generator.rng import Stream
from generator.styles.gungeon.furnishing.battle_room import battle_room
from generator.styles.gungeon.furnishing.boss_room import boss_room
from generator.styles.gungeon.furnishing.drawn_room import drawn_room
from generator.styles.gungeon.furnishing.quiet_rooms import chest_room, quiet_room, shop_room
from generator.styles.gungeon.furnishing.site import Site
from generator.styles.gungeon.keys import HeldTiles, tile_near_middle
from generator.styles.gungeon.spec import GungeonSpec

Furnisher = Callable[[Site, GungeonSpec, Stream], FurnishedRoom]

FURNISHERS: Mapping[str, Furnisher] = {
    "battle": battle_room,
    "boss": boss_room,
    "shop": shop_room,
    "chest": chest_room,
    "quiet": quiet_room,
}


def furnish_sites(spec: GungeonSpec, sites: Sequence[Site], seed: int) -> list[FurnishedRoom]:
    """Furnish all rooms of a level, each from its own stream."""
    return [
        furnish_site(site, spec, Stream(seed, "gungeon.furnish", number)) for number, site in enumerate(sites)
    ]


def furnish_site(site: Site, spec: GungeonSpec, stream: Stream) -> FurnishedRoom:
    """Furnish an empty room from its layout, or without one by the procedure of its kind."""
    if site.layout is not None:
        inside = drawn_room(site, site.layout, spec, stream)
    else:
        inside = FURNISHERS[site.row.furnisher](site, spec, stream)
        if not site.kit.is_shipped:
            inside = with_demanded(inside, site, spec.body)
    known = site.kinds.markers
    if site.is_quiet:
        known = {kind: row for kind, row in known.items() if kind != "enemy"}
        inside = inside._replace(difficulty=0)
    if all(marker.kind in known for marker in inside.markers):
        return inside
    return inside._replace(markers=tuple(marker for marker in inside.markers if marker.kind in known))


# Markers that a room kind's row demands and the furnisher of a room by procedure does not know.

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
