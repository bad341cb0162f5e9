"""Boss rooms: four islands in a pit, joined by bridges and reached from every door."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import ndimage

from generator.algorithms.board_drawing import bridge, line
from generator.interiors.interior import FurnishedRoom, reached
from generator.kinds import BRIDGE, DECOR_IDS, DECOR_KINDS, FLOOR, PIT, RUBBLE
from generator.rng import Stream
from generator.styles.gungeon.furnishing.boss_room import boss_room, quarters
from generator.styles.gungeon.furnishing.site import Site
from generator.styles.gungeon.spec import GungeonSpec
from tests.cases import for_each
from tests.generator.styles.gungeon.furnishing.sites import (
    check_decor,
    check_shell,
    check_ways,
    covered,
    middle_openings,
    site_of,
)

SPEC = GungeonSpec()
SIZES = [(15, 15), (16, 15), (15, 24), (19, 16), (28, 22), (32, 25), (34, 27), (63, 15), (40, 63), (63, 63)]
points = st.tuples(st.integers(0, 40), st.integers(0, 40))


def furnished(site: Site, seed: int = 0) -> FurnishedRoom:
    return boss_room(site, SPEC, Stream(seed, "test.boss"))


def usual(seed: int) -> tuple[Site, FurnishedRoom]:
    width, height = 28 + seed % 7, 22 + seed % 6
    site = site_of("boss", width, height, 1 + seed % 3, 2, seed)
    return site, furnished(site, seed)


def dry(inside: FurnishedRoom) -> np.ndarray:
    return np.isin(inside.terrain, (FLOOR, RUBBLE))


# --- the room ----------------------------------------------------------------------------------------


@for_each(size=SIZES, door_width=[1, 2, 3, 5])
def test_every_room_keeps_the_rules(size: tuple[int, int], door_width: int) -> None:
    """Whatever the size, and however many doors of whatever width there are, several on a side too."""
    for ways, seed in zip((1, 2, 4, 7), itertools.count()):
        site = site_of("boss", *size, ways, door_width, seed)
        check_room(site, furnished(site, seed))


@for_each(size=SIZES, door_width=[1, 2, 5])
def test_doors_in_the_middle_of_all_sides(size: tuple[int, int], door_width: int) -> None:
    site = Site("boss", *size, middle_openings(*size, door_width), 5, 100)
    for seed in range(3):
        check_room(site, furnished(site, seed))


@pytest.mark.soak
@pytest.mark.parametrize("door_width", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("width", range(15, 64, 4))
def test_all_sizes(width: int, door_width: int) -> None:
    for height, seed in itertools.product(range(15, 64, 3), range(3)):
        site = site_of("boss", width, height, 1 + (height + seed) % 6, door_width, seed)
        check_room(site, furnished(site, seed))


def check_room(site: Site, inside: FurnishedRoom) -> None:
    check_shell(site, inside)
    check_ways(site, inside)
    check_decor(inside)
    boss, way_out, reward = inside.markers
    assert (boss.kind, boss.x, boss.y) == ("boss", site.width // 2, site.height // 2)
    assert dict(boss.properties) == {"rank": "boss", "flies": True}
    ground, _ = ndimage.label(inside.terrain != PIT)
    below = ground == ground[boss.y, boss.x] if ground[boss.y, boss.x] else ground < 0
    assert (inside.decor[below] == DECOR_IDS["dais"]).all()
    assert (way_out.kind, dict(way_out.properties)) == ("exit", {"to": "next"})
    assert (reward.kind, dict(reward.properties)) == ("item", {"pool": "room"})
    assert inside.difficulty == 10
    lying = quarter_of(site, way_out.x, way_out.y), quarter_of(site, reward.x, reward.y)
    assert lying[0] != lying[1]


def quarter_of(site: Site, x: int, y: int) -> int:
    (number,) = (i for i, quarter in enumerate(quarters(site.width, site.height)) if quarter.contains(x, y))
    return number


@for_each(seed=range(40))
def test_islands_have_room_to_fight(seed: int) -> None:
    """In a room of usual size there are 5 × 4 tiles of floor or more on each of the four islands."""
    site, inside = usual(seed)
    for quarter in quarters(site.width, site.height):
        area = dry(inside)[quarter.slices]
        assert ndimage.binary_erosion(area, np.ones((4, 5))).any()


@for_each(seed=range(40))
def test_islands_are_apart_but_for_bridges(seed: int) -> None:
    site, inside = usual(seed)
    islands, count = ndimage.label(dry(inside))
    named = set()
    for quarter in quarters(site.width, site.height):
        area = islands[quarter.slices]
        named.add(int(np.bincount(area[area > 0]).argmax()))
    assert len(named) == 4
    assert count <= 5 + len(site.openings)


@for_each(seed=range(40))
def test_every_opening_leads_onto_an_island(seed: int) -> None:
    """Even without the bridges that join the islands to each other, as the ways from the doors stay."""
    site, inside = usual(seed)
    free = dry(inside) | (inside.terrain == BRIDGE)
    for way in site.openings:
        x, y = way.tiles[0]
        seen = reached((x - way.side.dx, y - way.side.dy), free)
        for quarter in quarters(site.width, site.height):
            assert any(quarter.contains(*tile) for tile in seen)


def test_islands_hold_cover() -> None:
    """Nearly every island has something to hide behind; no room has less than two such things."""
    stops = np.array([not kind.shoot for kind in DECOR_KINDS])
    with_cover = 0
    for seed in range(60):
        site, inside = usual(seed)
        cover = stops[covered(inside)]
        islands = [cover[quarter.slices].any() for quarter in quarters(site.width, site.height)]
        assert sum(islands) >= 2
        with_cover += sum(islands)
    assert with_cover >= 60 * 4 * 80 // 100


def test_the_way_out_is_far_from_the_doors() -> None:
    for seed in range(40):
        site, inside = usual(seed)
        _, way_out, reward = inside.markers
        doors = [way.tiles[0] for way in site.openings]
        far, near = (min(abs(m.x - x) + abs(m.y - y) for x, y in doors) for m in (way_out, reward))
        assert far >= near
        candles = inside.decor[way_out.y - 1 : way_out.y + 2 : 2, way_out.x - 1 : way_out.x + 2 : 2]
        assert (candles == [kind.name for kind in DECOR_KINDS].index("candle")).sum() >= 1


def test_there_are_no_chinks_in_the_bridges() -> None:
    for seed in range(40):
        _, inside = usual(seed)
        open_pit = ndimage.binary_opening(~dry(inside) & (inside.terrain != BRIDGE), np.ones((2, 2)))
        chinks = (inside.terrain == PIT) & ~open_pit
        assert not (chinks & ndimage.binary_dilation(inside.terrain == BRIDGE)).any()


def test_some_bridges_have_fallen() -> None:
    layouts = [usual(seed)[1].layout for seed in range(100)]
    assert set(layouts) == {"four-islands", "fallen-bridge"}
    assert 25 <= layouts.count("fallen-bridge") <= 65


def test_no_two_rooms_are_alike() -> None:
    site = site_of("boss", 32, 25, 2, 2, 0)
    assert len({furnished(site, seed).terrain.tobytes() for seed in range(50)}) == 50


def test_the_same_stream_gives_the_same_room() -> None:
    site = site_of("boss", 30, 24, 3, 2, 1)
    first, again = furnished(site, 9), furnished(site, 9)
    assert first.terrain.tobytes() == again.terrain.tobytes()
    assert first.decor.tobytes() == again.decor.tobytes()
    assert first.markers == again.markers


# --- Bresenham's line --------------------------------------------------------------------------------


def test_a_line_as_bresenham_draws_it() -> None:
    assert line((0, 0), (6, 2)) == [(0, 0), (1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2)]
    assert line((3, 3), (3, 3)) == [(3, 3)]


@given(points, points)
@example((0, 0), (40, 39))
def test_a_line_stays_within_half_a_tile_of_the_true_one(
    start: tuple[int, int], end: tuple[int, int]
) -> None:
    tiles = line(start, end)
    (x0, y0), (x1, y1) = start, end
    dx, dy = x1 - x0, y1 - y0
    longest = max(abs(dx), abs(dy))
    assert (tiles[0], tiles[-1], len(tiles)) == (start, end, longest + 1)
    for (ax, ay), (bx, by) in itertools.pairwise(tiles):
        assert max(abs(bx - ax), abs(by - ay)) == 1
    for x, y in tiles:
        assert 2 * abs((x - x0) * dy - (y - y0) * dx) <= longest


@given(points, points, st.integers(2, 5))
def test_a_bridge_can_be_walked_by_four_neighbour_steps(
    start: tuple[int, int], end: tuple[int, int], breadth: int
) -> None:
    board = bridge(start, end, breadth, 64)
    free = np.array([[board >> x + y * 64 & 1 for x in range(63)] for y in range(63)], bool)
    seen = reached(start, free)
    assert end in seen
    assert len(seen) == board.bit_count()
    assert ndimage.binary_opening(free, np.ones((breadth, breadth))).sum() == free.sum()
