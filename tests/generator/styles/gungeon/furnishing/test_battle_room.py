"""Enemy rooms: ragged, joined to every door, with cover, rubble and enemies that stand apart."""

from __future__ import annotations

import itertools
import statistics
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from generator.algorithms.bitboard import mask_of
from generator.algorithms.board_drawing import line
from generator.interiors.interior import FurnishedRoom, PlacedMarker, reached
from generator.kinds import BRIDGE, DECOR_KINDS, DOOR, FLOOR, PIT, RUBBLE, VOID, WALL, shipped_kit
from generator.level import passable
from generator.rng import Stream
from generator.styles.gungeon.furnishing.battle_room import Flood, battle_room, ragged_floor
from generator.styles.gungeon.furnishing.kit_tables import enemy_row
from generator.styles.gungeon.furnishing.site import Site
from generator.styles.gungeon.spec import GungeonSpec
from tests.generator.styles.gungeon.furnishing.sites import check_decor, check_ways, covered, site_of

SPEC = GungeonSpec()
USUAL = SPEC.enemy_width, SPEC.enemy_height
ALL_EIGHT = np.ones((3, 3), bool)


def furnished(site: Site, seed: int = 0, spec: GungeonSpec = SPEC) -> FurnishedRoom:
    return battle_room(site, spec, Stream(seed, "test.battle"))


def usual(seed: int, danger: int = 50) -> Site:
    """A site as the default spec gives it."""
    stream = Stream(seed, "test.usual")
    width, height = (stream.between(*span) for span in USUAL)
    return site_of("normal", width, height, stream.between(1, 4), SPEC.hallway_width, seed, danger)


@st.composite
def sites(draw: st.DrawFn) -> Site:
    width, height = draw(st.integers(7, 34)), draw(st.integers(7, 27))
    ways, door_width = draw(st.integers(1, 5)), draw(st.integers(1, min(5, width - 2, height - 2)))
    danger = draw(st.integers(0, 100))
    return site_of("normal", width, height, ways, door_width, draw(st.integers(0, 1 << 32)), danger)


def floor_of(inside: FurnishedRoom) -> np.ndarray:
    return np.isin(inside.terrain, (FLOOR, RUBBLE))


def ground_of(inside: FurnishedRoom) -> np.ndarray:
    return floor_of(inside) | (inside.terrain == BRIDGE)


def enemies(inside: FurnishedRoom) -> list[PlacedMarker]:
    return [marker for marker in inside.markers if marker.kind == "enemy"]


def near_floor(floor: np.ndarray) -> np.ndarray:
    return ndimage.binary_dilation(floor, ALL_EIGHT)


@given(sites(), st.integers(0, 1 << 32), st.integers(0, 100))
def test_every_room_keeps_the_rules(site: Site, seed: int, roughness: int) -> None:
    inside = furnished(site, seed, replace(SPEC, roughness=roughness))
    check_ways(site, inside)
    check_decor(inside)
    check_walls(site, inside)
    check_enemies(site, inside, SPEC.enemy_spacing)
    assert enemies(inside) or min(site.width, site.height) < 18 or len(site.openings) > 1


def check_walls(site: Site, inside: FurnishedRoom) -> None:
    """Doors in the ring and nowhere else; wall round all floor, void only outside, no lone pillar."""
    terrain, floor = inside.terrain, ground_of(inside) | (inside.terrain == PIT)
    doors = {tile for way in site.openings for tile in way.tiles}
    assert {(x, y) for y, x in np.argwhere(terrain == DOOR).tolist()} == doors
    ring = np.ones(terrain.shape, bool)
    ring[1:-1, 1:-1] = False
    assert not (floor & ring).any()
    assert not ((terrain == VOID) & near_floor(floor | (terrain == DOOR)))[1:-1, 1:-1].any()
    assert not ((terrain == VOID) & near_floor(floor)).any()
    outside, _ = ndimage.label(np.pad(~floor & (terrain != DOOR), 1, constant_values=True))
    shut_in = outside[1:-1, 1:-1] != outside[0, 0]
    assert not ((terrain == VOID) & shut_in).any()
    others = ALL_EIGHT.copy()
    others[1, 1] = False
    floor = ground_of(inside)
    assert not (~floor & ndimage.binary_erosion(floor, others)).any()


def check_enemies(site: Site, inside: FurnishedRoom, spacing: int) -> None:
    free = floor_of(inside) & (covered(inside) == 0)
    for marker in inside.markers:
        assert free[marker.y, marker.x]
    for a, b in itertools.combinations(inside.markers, 2):
        assert (a.x - b.x) ** 2 + (a.y - b.y) ** 2 >= spacing**2


def test_enemies_wait_away_from_doors_and_things() -> None:
    """Far from every door, and but in the smallest rooms with elbow-room on all sides."""
    elbow_room = []
    for seed in range(60):
        site = usual(seed, danger=seed * 37 % 101)
        inside = furnished(site, seed)
        kinds = covered(inside)
        for marker in inside.markers:
            away = [abs(marker.x - x) + abs(marker.y - y) for way in site.openings for x, y in way.tiles]
            assert min(away) > 5
            around = np.s_[marker.y - 1 : marker.y + 2, marker.x - 1 : marker.x + 2]
            walks = all(DECOR_KINDS[number].walk for number in kinds[around].ravel())
            elbow_room.append(walks and bool(ground_of(inside)[around].all()))
    assert statistics.mean(elbow_room) > 0.9


def test_no_shooter_sees_a_door_near_by() -> None:
    for seed in range(60):
        site = usual(seed, danger=100)
        inside = furnished(site, seed)
        shots = passable(inside.terrain, covered(inside), "shoot")
        for marker in inside.markers:
            if marker.properties.get("role") in ("shooter", "turret"):
                for way in site.openings:
                    for x, y in way.tiles:
                        end = x - way.side.dx, y - way.side.dy
                        near = max(abs(marker.x - end[0]), abs(marker.y - end[1])) <= 7
                        assert not (near and all(shots[j, i] for i, j in line((marker.x, marker.y), end)))


def test_motifs_give_rooms_walls_pits_and_bridges() -> None:
    rooms = [furnished(usual(seed), seed, replace(SPEC, body=2)) for seed in range(80)]
    kinds = [{int(kind) for kind in np.unique(inside.terrain)} for inside in rooms]
    assert 0.25 < statistics.mean(PIT in found for found in kinds) < 0.7
    assert statistics.mean(BRIDGE in found for found in kinds) > 0.15
    inner = [label_of_inner_walls(inside) for inside in rooms]
    assert statistics.mean(count > 0 for count in inner) > 0.3


def label_of_inner_walls(inside: FurnishedRoom) -> int:
    """How many pieces of wall stand apart from the outermost ones."""
    solid = np.pad(np.isin(inside.terrain, (VOID, WALL, DOOR)), 1, constant_values=True)
    return int(ndimage.label(solid, ALL_EIGHT)[1]) - 1


@given(st.integers(0, 1 << 32), st.integers(2, 12))
def test_enemies_stand_as_far_apart_as_the_spec_says(seed: int, spacing: int) -> None:
    site = usual(seed, 100)
    check_enemies(site, furnished(site, seed, replace(SPEC, enemy_spacing=spacing)), spacing)


def shares(roughness: int) -> list[float]:
    """The floor's share of the inside, in many rooms."""
    spec, found = replace(SPEC, roughness=roughness), []
    for seed in range(150):
        site = usual(seed)
        floor = ragged_floor(site, Flood(spec.roughness), Stream(seed, "test.floor"))
        found.append(floor.bit_count() / ((site.width - 2) * (site.height - 2)))
    return found


@pytest.mark.parametrize("roughness", [25, 50, 100])
def test_a_floor_with_its_walls_is_as_large_as_asked(roughness: int) -> None:
    for seed in range(60):
        site = usual(seed)
        wide, high = site.width - seed % 4, site.height - seed % 3
        floor = ragged_floor(site, Flood(roughness), Stream(seed, "test.floor"), least=(wide, high))
        ys, xs = mask_of(floor, (site.height, site.width)).nonzero()
        ways = [tile for opening in site.openings for tile in opening.tiles]
        assert _length([*xs.tolist(), *(x for x, _ in ways)], site.width) >= wide
        assert _length([*ys.tolist(), *(y for _, y in ways)], site.height) >= high


def _length(places: list[int], side: int) -> int:
    """The tiles from the wall before the first of these places to the wall behind the last."""
    return min(max(places) + 1, side - 1) - max(min(places) - 1, 0) + 1


def test_roughness_eats_into_the_floor_but_leaves_room_to_fight() -> None:
    whole, some, usual_, more, most = (shares(roughness) for roughness in (0, 25, 50, 75, 100))
    assert set(whole) == {1.0}
    means = [statistics.mean(found) for found in (whole, some, usual_, more, most)]
    assert means == sorted(means, reverse=True)
    assert means[1] > 0.92
    assert 0.7 < means[2] < 0.86
    assert 0.5 < means[4] < 0.62
    assert min(usual_ + more + most) >= 0.45


def test_danger_brings_more_and_other_enemies() -> None:
    counts, roles, difficulties = [], [], []
    for danger in (0, 15, 35, 55, 75, 100):
        rooms = [furnished(usual(seed, danger), seed) for seed in range(120)]
        counts.append(statistics.mean(len(enemies(room)) for room in rooms))
        roles.append({str(marker.properties["role"]) for room in rooms for marker in enemies(room)})
        difficulties.append({room.difficulty for room in rooms})
    assert all(more > fewer - 0.2 for fewer, more in itertools.pairwise(counts[:5]))
    assert 2 <= counts[0] <= 4
    assert counts[4] >= 5
    assert roles[0] == {"walker"}
    assert roles[-1] == {"walker", "shooter", "flyer", "brute", "turret"}
    assert difficulties == [{1}, {1}, {5}, {5}, {10}, {10}]


def test_larger_floors_hold_more_enemies() -> None:
    row = enemy_row(100, shipped_kit())
    assert [row.crowd(8, floor) for floor in (20, 90, 180, 270, 360, 900)] == [4, 4, 8, 12, 16, 16]


def test_enemies_are_reported_like_those_of_layouts() -> None:
    rooms = [furnished(usual(seed, 100), seed) for seed in range(150)]
    found = [marker.properties for room in rooms for marker in enemies(room)]
    for properties in found:
        assert set(properties) == {"name", "role", "wave", "champion", "flies", "wakes_after"}
        assert properties["flies"] is (properties["role"] == "flyer")
    for room in rooms:
        assert any(marker.properties["wave"] == 1 for marker in enemies(room))
    champions = sum(bool(properties["champion"]) for properties in found)
    assert 0.2 < champions / len(found) < 0.3  # two and a half times the spec's
    late = sum(properties["wave"] == 2 for properties in found)
    assert 0.1 < late / len(found) < 0.3
    pickups = [marker for room in rooms for marker in room.markers if marker.kind == "pickup"]
    assert 0 < len(pickups) < 40


@pytest.mark.parametrize("percent", [0, 8, 50, 100])
def test_as_much_of_the_floor_is_broken_as_the_spec_says(percent: int) -> None:
    for seed in range(20):
        inside = furnished(usual(seed), seed, replace(SPEC, rubble=percent))
        floor = np.count_nonzero(floor_of(inside))
        assert np.count_nonzero(inside.terrain == RUBBLE) == floor * percent // 100


def test_rubble_lies_in_patches() -> None:
    sizes = []
    for seed in range(40):
        labels, count = ndimage.label(furnished(usual(seed), seed).terrain == RUBBLE)
        sizes.append(np.count_nonzero(labels) / count)
    assert statistics.mean(sizes) > 2


def test_a_room_is_made_by_its_stream_and_no_two_are_alike() -> None:
    site, seen = usual(5), set()
    for seed in range(50):
        first, second = furnished(site, seed), furnished(site, seed)
        for one, other in zip(first, second, strict=True):
            assert np.array_equal(one, other)
        seen.add(first.terrain.tobytes())
    assert len(seen) == 50


@pytest.mark.parametrize("door_width", [1, 2, 3, 4, 5])
def test_wide_doors_lead_to_wide_ways(door_width: int) -> None:
    """A body of 2×2 tiles gets from any door that it fits through to most of the floor, things aside."""
    body = min(2, door_width)
    for seed in range(60):
        site = site_of("normal", 16 + seed % 8, 14 + seed % 5, 3, door_width, seed)
        inside = furnished(site, seed, replace(SPEC, roughness=100))
        ground = np.pad(ground_of(inside) | (inside.terrain == DOOR), (0, 1))
        fits = (
            ground[:-1, :-1]
            if body == 1
            else ground[:-1, :-1] & ground[1:, :-1] & ground[:-1, 1:] & ground[1:, 1:]
        )
        for way in site.openings:
            x, y = way.tiles[0]
            start = min(x, site.width - body), min(y, site.height - body)
            assert fits[start[1], start[0]]
            assert len(reached(start, fits)) > 0.8 * np.count_nonzero(fits)


def test_nobody_waits_at_a_door_in_the_smallest_rooms() -> None:
    """With a door to each side everything lies near one; with one door somebody waits far from it."""
    for seed in range(100):
        assert not enemies(furnished(site_of("normal", 7, 7, 4, 5, seed, 0), seed))
        assert enemies(furnished(site_of("normal", 12, 12, 1, 2, seed, 0), seed))


def test_walls_are_walls_and_void_lies_outside() -> None:
    voids = [np.count_nonzero(furnished(usual(seed), seed).terrain == VOID) for seed in range(20)]
    walls = [np.count_nonzero(furnished(usual(seed), seed).terrain == WALL) for seed in range(20)]
    assert max(voids) > 10
    assert min(walls) > 40


def test_all_enemies_but_one_may_come_later() -> None:
    rooms = [enemies(furnished(usual(seed, 100), seed)) for seed in range(400)]
    at_once = [sum(marker.properties["wave"] == 1 for marker in room) for room in rooms if len(room) > 2]
    assert min(at_once) == 1
