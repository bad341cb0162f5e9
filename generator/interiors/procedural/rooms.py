"""The table of rooms that are furnished by procedure: who furnishes which kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from generator.interiors.procedural.battle_room import battle_room
from generator.interiors.procedural.boss_room import boss_room
from generator.interiors.procedural.quiet_rooms import chest_room, shop_room, start_room
from generator.interiors.procedural.site import Inside, Site
from generator.rng import Stream
from generator.spec import GungeonSpec

Furnisher = Callable[[Site, GungeonSpec, Stream], Inside]

ROOMS: Mapping[str, Furnisher] = {
    "normal": battle_room,
    "boss": boss_room,
    "shop": shop_room,
    "chest": chest_room,
    "start": start_room,
}


def furnish_sites(spec: GungeonSpec, sites: Sequence[Site], seed: int) -> list[Inside]:
    """Furnish all rooms of a level, each from a stream of its own."""
    return [
        furnish_site(site, spec, Stream(seed, "gungeon.furnish", number)) for number, site in enumerate(sites)
    ]


def furnish_site(site: Site, spec: GungeonSpec, stream: Stream) -> Inside:
    """Furnish an empty room, by its kind."""
    return ROOMS[site.kind](site, spec, stream)
