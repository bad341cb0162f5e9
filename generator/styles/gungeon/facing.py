"""Turn drawn rooms so that what they are about is seen from one of their doors."""

from __future__ import annotations

from collections.abc import Sequence

from generator.styles.gungeon.dealing import door_of, fitting
from generator.styles.gungeon.furnishing.furnishers import views_of_things
from generator.styles.gungeon.furnishing.gungeon_layouts import GungeonLayout
from generator.styles.gungeon.furnishing.site import Site
from generator.styles.gungeon.spec import GungeonSpec


def facing_doors(spec: GungeonSpec, sites: Sequence[Site]) -> list[Site]:
    """Return the sites of a level, in whose layouts as little as possible is hidden from a room's doors."""
    return [facing(spec, site) for site in sites]


def facing(spec: GungeonSpec, site: Site) -> Site:
    """Give a room another mirror image of its layout. Rooms of set pieces, and all that have none, stay."""
    drawn = site.layout
    if drawn is None or not _hidden(spec, site, drawn) or any(way.joins for way in drawn.layout.exits):
        return site
    doors = [door_of(opening.side, opening.tiles[0], "") for opening in site.openings]
    images = [image for image in fitting(spec, site.kind, drawn.size, doors) if image.file == drawn.file]
    return site._replace(layout=min([drawn, *images], key=lambda image: _hidden(spec, site, image)))


def _hidden(spec: GungeonSpec, site: Site, drawn: GungeonLayout) -> int:
    return views_of_things(site, drawn, spec.chapter).count(None)
