"""The table of furnishers, and that no room disturbs another."""

from __future__ import annotations

import pytest

from generator.interiors.interior import FurnishedRoom
from generator.kinds import DECOR_KINDS
from generator.rng import Stream
from generator.styles.gungeon.furnishing.furnishers import FURNISHERS, furnish_site, furnish_sites
from generator.styles.gungeon.furnishing.kit_tables import GUNGEON_KINDS
from generator.styles.gungeon.spec import GungeonSpec
from tests.generator.styles.gungeon.furnishing.sites import check_ways, site_of

SPEC = GungeonSpec()
KINDS = tuple(GUNGEON_KINDS)


def bytes_of(inside: FurnishedRoom) -> tuple[bytes, bytes]:
    return inside.terrain.tobytes(), inside.decor.tobytes()


def test_there_is_a_furnisher_for_every_kind_of_room() -> None:
    assert set(FURNISHERS) == {kind.furnisher for kind in GUNGEON_KINDS.values()}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_fills_its_site(kind: str) -> None:
    site = site_of(kind, 21, 17, 2, 2, 5)
    inside = furnish_site(site, SPEC, Stream(5, "test.procedural"))
    assert inside.terrain.shape == inside.decor.shape == (site.height, site.width)
    assert inside.decor.max() < len(DECOR_KINDS)
    assert inside.layout
    check_ways(site, inside)


def test_every_room_has_a_stream_of_its_own() -> None:
    """One more room before the end changes none of those before it; and rooms of a size are not alike."""
    sites = [site_of(kind, 21, 17, 2, 2, 5) for kind in (*KINDS, "shop")]
    rooms = [bytes_of(inside) for inside in furnish_sites(SPEC, sites, 7)]
    assert [bytes_of(inside) for inside in furnish_sites(SPEC, sites[:3], 7)] == rooms[:3]
    assert rooms[3] != rooms[5]
    assert [bytes_of(inside) for inside in furnish_sites(SPEC, sites, 8)] != rooms
