"""Shops, chest rooms and start rooms: what each must hold, in many sizes and with many doors."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import generator
from generator.interiors.interior import FurnishedRoom, reached
from generator.kinds import DECOR_IDS, DECOR_KINDS, FLOOR
from generator.rng import Stream
from generator.styles.gungeon.furnishing.quiet_rooms import (
    Centrepiece,
    centrepieces,
    chest_room,
    quiet_room,
    shop_room,
)
from generator.styles.gungeon.furnishing.site import Site
from generator.styles.gungeon.spec import GungeonSpec
from tests.cases import for_each
from tests.generator.styles.gungeon.furnishing.sites import (
    check_decor,
    check_shell,
    check_ways,
    middle_openings,
    site_of,
    walkable,
)

SPEC = GungeonSpec()
ROOMS: dict[str, Callable[[Site, GungeonSpec, Stream], FurnishedRoom]] = {
    "shop": shop_room,
    "chest": chest_room,
    "start": quiet_room,
}
USUAL = {"shop": (13, 17, 10, 13), "chest": (9, 13, 8, 11), "start": (11, 15, 9, 12)}
SIZES = [(7, 7), (8, 7), (7, 9), (9, 8), (11, 9), (13, 10), (17, 13), (7, 40), (24, 20), (63, 9), (63, 63)]
FOLDER = Path(generator.__file__).parent / "styles" / "gungeon" / "furnishing" / "layouts"
FILES = sorted(FOLDER.rglob("*.txt"))
PIECES = [(kind, piece) for kind in ROOMS for piece in centrepieces(kind)]


def furnished(site: Site, seed: int = 0) -> FurnishedRoom:
    return ROOMS[site.kind](site, SPEC, Stream(seed, "test.quiet"))


def usual(kind: str, seed: int, danger: int = 50) -> tuple[Site, FurnishedRoom]:
    least_width, most_width, least_height, most_height = USUAL[kind]
    stream = Stream(seed, "test.size")
    size = stream.between(least_width, most_width), stream.between(least_height, most_height)
    site = site_of(kind, *size, 1 + seed % 3, 2, seed, danger)
    return site, furnished(site, seed)


# --- the rooms ---------------------------------------------------------------------------------------


@for_each(kind=ROOMS, size=SIZES, door_width=[1, 2, 3, 5])
def test_every_room_keeps_the_rules(kind: str, size: tuple[int, int], door_width: int) -> None:
    """Whatever the size, and however many doors of whatever width there are, several on a side too."""
    for ways, seed in zip((1, 2, 4, 7), itertools.count()):
        site = site_of(kind, *size, ways, door_width, seed)
        check_room(site, furnished(site, seed))
    site = Site(kind, *size, middle_openings(*size, door_width), 2, 50)
    check_room(site, furnished(site))


@pytest.mark.soak
@pytest.mark.parametrize("kind", ROOMS)
@pytest.mark.parametrize("door_width", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("width", range(7, 64, 4))
def test_all_sizes(kind: str, width: int, door_width: int) -> None:
    for height, seed in itertools.product(range(7, 64, 3), range(3)):
        site = site_of(kind, width, height, 1 + (height + seed) % 6, door_width, seed)
        check_room(site, furnished(site, seed))


def check_room(site: Site, inside: FurnishedRoom) -> None:
    check_shell(site, inside)
    check_ways(site, inside)
    check_decor(inside)
    assert inside.difficulty == 0
    {"shop": check_shop, "chest": check_chest, "start": check_start}[site.kind](site, inside)


def check_shop(site: Site, inside: FurnishedRoom) -> None:
    (keeper,) = (marker for marker in inside.markers if marker.kind == "shopkeeper")
    wares = [marker for marker in inside.markers if marker.kind == "ware"]
    assert len(wares) + 1 == len(inside.markers)
    assert 3 <= len(wares) <= 6
    assert is_in_the_middle(site, keeper.x, keeper.y, 4)
    for ware in wares:
        assert dict(ware.properties) == {"item": "any"}
        assert max(abs(ware.x - keeper.x), abs(ware.y - keeper.y)) <= 5


def check_chest(site: Site, inside: FurnishedRoom) -> None:
    (chest,) = inside.markers
    assert chest.kind == "chest"
    assert chest.properties["tier"] in ("wood", "gold", "red")
    assert is_in_the_middle(site, chest.x, chest.y, 1)


def check_start(site: Site, inside: FurnishedRoom) -> None:
    (start,) = inside.markers
    assert (start.kind, dict(start.properties)) == ("player_start", {})
    assert is_in_the_middle(site, start.x, start.y, 2)


def is_in_the_middle(site: Site, x: int, y: int, off: int) -> bool:
    return abs(2 * x + 1 - site.width) <= 2 * off and abs(2 * y + 1 - site.height) <= 2 * off


@pytest.mark.parametrize("kind", ROOMS)
def test_rooms_of_usual_size_are_varied(kind: str) -> None:
    layouts = Counter(usual(kind, seed)[1].layout for seed in range(200))
    assert len(layouts) >= 10
    assert layouts.most_common(1)[0][1] <= 50


@pytest.mark.parametrize("kind", ROOMS)
def test_the_same_stream_gives_the_same_room(kind: str) -> None:
    site = site_of(kind, 15, 11, 2, 2, 3)
    first, again = furnished(site, 4), furnished(site, 4)
    assert first.layout == again.layout
    assert first.terrain.tobytes() == again.terrain.tobytes()
    assert first.decor.tobytes() == again.decor.tobytes()
    assert first.markers == again.markers


def test_shops_have_goods_by_their_walls() -> None:
    """Crates, barrels, pots, shelves and the like: five or more of them in a shop, as a rule."""
    goods = [
        DECOR_IDS[name]
        for name in ("crate", "barrel", "pot", "bookshelf", "table", "sack", "weapon_rack", "workbench")
    ]
    counts = sorted(np.isin(usual("shop", seed)[1].decor, goods).sum() for seed in range(100))
    assert counts[15] >= 5


def test_chest_rooms_are_treasure_troves() -> None:
    """There are coins and candles about nearly every chest."""
    rooms = [usual("chest", seed)[1].decor for seed in range(100)]
    assert sum((decor == DECOR_IDS["coins"]).any() for decor in rooms) >= 85
    assert sum((decor == DECOR_IDS["candle"]).any() for decor in rooms) >= 70


def test_nothing_hurts_where_nobody_fights() -> None:
    hazards = [DECOR_IDS[name] for name in ("fire", "red_fire", "spikes")]
    for kind, seed in itertools.product(ROOMS, range(50)):
        assert not np.isin(usual(kind, seed)[1].decor, hazards).any()


def test_chests_are_better_further_from_the_start() -> None:
    tiers = {
        danger: Counter(usual("chest", seed, danger)[1].markers[0].properties["tier"] for seed in range(300))
        for danger in (0, 50, 100)
    }
    assert tiers[0]["wood"] > tiers[50]["wood"] > tiers[100]["wood"] > 30
    assert 0 < tiers[0]["red"] < tiers[50]["red"] < tiers[100]["red"]
    assert tiers[0]["gold"] < tiers[100]["gold"]


def test_large_rooms_are_not_bare_round_their_middle() -> None:
    """Things stand in rows, to the left and the right, above and below."""
    site = Site("chest", 41, 31, middle_openings(41, 31, 1), 3, 50)
    for seed in range(6):
        decor = furnished(site, seed).decor[3:-3, 3:-3]  # away from walls
        sides = decor[:, :12], decor[:, -12:], decor[:9], decor[-9:]
        assert min(np.count_nonzero(side) for side in sides) >= 13


@pytest.mark.parametrize("kind", ROOMS)
def test_no_thing_stands_on_another(kind: str) -> None:
    for seed in range(60):
        width, height = 20 + seed % 44, 20 + seed * 7 % 44
        inside = furnished(Site(kind, width, height, middle_openings(width, height, 2), 3, 50), seed)
        covers = np.zeros(inside.decor.shape, int)
        for y, x in np.argwhere(inside.decor).tolist():
            thing = DECOR_KINDS[inside.decor[y, x]]
            covers[y : y + thing.height, x : x + thing.width] += 1
        assert covers.max() <= 1


# --- centrepieces ------------------------------------------------------------------------------------


@for_each(path=FILES)
def test_every_file_says_what_it_draws(path: Path) -> None:
    assert path.read_text("utf-8").startswith("// ")
    assert path.stem in {piece.name for piece in centrepieces(path.parent.name)}


@for_each(case=PIECES)
def test_every_centrepiece_can_be_walked_about_in(case: tuple[str, Centrepiece]) -> None:
    """From the ring of floor round it one gets to all of its markers and to all tiles that one can stand on."""
    kind, piece = case
    free = np.pad(piece.interior.safe(), 1, constant_values=True)
    seen = reached((0, 0), free)
    assert len(seen) == free.sum()
    assert all((marker.x + 1, marker.y + 1) in seen for marker in piece.interior.markers)
    marks = {"shop": "shopkeeper", "chest": "chest", "start": "player_start"}
    assert [marker.kind for marker in piece.interior.markers].count(marks[kind]) == 1


@pytest.mark.parametrize("kind", ROOMS)
def test_one_fits_everywhere(kind: str) -> None:
    """A single tile, that is: the middle of a room of 7 × 7 with doors as wide as its sides."""
    assert (1, 1) in {piece.size for piece in centrepieces(kind)}
    inside = furnished(Site(kind, 7, 7, middle_openings(7, 7, 5), 1, 0))
    assert inside.terrain[3, 3] == FLOOR
    assert walkable(inside)[1:-1, 1:-1].all()


@pytest.mark.parametrize("kind", ROOMS)
def test_every_centrepiece_comes_up(kind: str) -> None:
    names = {piece.name for piece in centrepieces(kind)}
    for seed in range(3000):
        if not names:
            break
        stream = Stream(seed, "test.any")
        size = stream.between(7, 19), stream.between(7, 15)
        names.discard(furnished(site_of(kind, *size, 1 + seed % 2, 1, seed), seed).layout)
    assert not names
