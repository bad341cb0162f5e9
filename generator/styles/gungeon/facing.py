"""Turns drawn rooms so that what they are about is seen from one of their doors."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from generator.styles.gungeon.dealing import door_of, fitting
from generator.styles.gungeon.furnishing.furnishers import views_of_things
from generator.styles.gungeon.furnishing.gungeon_layouts import OWN, GungeonLayout
from generator.styles.gungeon.furnishing.site import Site
from generator.styles.gungeon.spec import GungeonSpec


def facing_doors(spec: GungeonSpec, sites: Sequence[Site], *, are_named: bool) -> list[Site]:
    """Return the sites of a level, with layouts in which as little as possible is hidden from a room's doors.

    A room gets another mirror image of its layout, or else, unless the level's flow has named it, another of
    the shipped layouts that no room has. Rooms of set pieces, and all without such images, stay.
    """
    used = {site.layout.file for site in sites if site.layout is not None}
    return [facing(spec, site, None if are_named else used) for site in sites]


def facing(spec: GungeonSpec, site: Site, used: Collection[str] | None) -> Site:
    """Turn or replace the layout of one room, as `facing_doors` does."""
    drawn = site.layout
    if drawn is None or not _hidden(spec, site, drawn) or any(way.joins for way in drawn.layout.exits):
        return site
    doors = [door_of(opening.side, opening.tiles[0], "") for opening in site.openings]
    fitting_ones = list(fitting(spec, site.kind, drawn.size, doors))
    same = [image for image in fitting_ones if image.file == drawn.file]
    if not same:
        return site
    others = [image for image in fitting_ones if used is not None and image.file not in used]
    is_own = drawn.file.startswith(OWN) or spec.only_layout
    candidates = [drawn, *same, *(() if is_own else others)]
    return site._replace(layout=min(candidates, key=lambda image: _hidden(spec, site, image)))


def _hidden(spec: GungeonSpec, site: Site, drawn: GungeonLayout) -> int:
    return views_of_things(site, drawn, spec.chapter).count(None)
