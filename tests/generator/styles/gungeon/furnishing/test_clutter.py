"""Clutter: things beside walls and in the middle, that never cut anything off."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from generator.algorithms.bitboard import board_of
from generator.kinds import (
    BRIDGE,
    DECOR_IDS,
    DECOR_KINDS,
    DOOR,
    FLOOR,
    PIT,
    RUBBLE,
    TERRAIN_KINDS,
    VOID,
    WALL,
    shipped_kit,
)
from generator.level import Tiles, spread_decor
from generator.rng import Stream
from generator.styles.gungeon.furnishing.clutter import Grounds, place_decor
from generator.styles.gungeon.furnishing.kit_tables import NORTH, decor_tables
from generator.styles.gungeon.furnishing.site import Site

KINDS = ("normal", "boss", "shop", "chest", "start")
WALKABLE = np.array([kind.walk for kind in TERRAIN_KINDS])
BLOCKS = np.array([not kind.walk or kind.hazard for kind in DECOR_KINDS])


def box(width: int, height: int) -> Tiles:
    terrain = np.full((height, width), WALL, np.uint8)
    terrain[1:-1, 1:-1] = FLOOR
    return terrain


def clutter(terrain: Tiles, keep_clear: np.ndarray, room_kind: str, stream: Stream) -> Tiles:
    """The decor [y, x] that comes to stand on floor and rubble outside `keep_clear`."""
    grounds = Grounds(
        board_of(WALKABLE[terrain]),
        board_of(((terrain == FLOOR) | (terrain == RUBBLE)) & ~keep_clear),
        board_of(terrain == WALL),
    )
    height, width = terrain.shape
    return place_decor(Site(room_kind, width, height, (), 0, 0), grounds, None, stream).decor


def nothing(terrain: Tiles) -> np.ndarray:
    return np.zeros(terrain.shape, bool)


def pieces(free: np.ndarray) -> list[set[int]]:
    """The tiles of each piece that four-neighbour steps join."""
    labels, count = ndimage.label(free)
    return [set(np.flatnonzero(labels == number).tolist()) for number in range(1, count + 1)]


@st.composite
def terrains(draw: st.DrawFn) -> Tiles:
    """Any terrain at all, from caves to noise."""
    height, width = draw(st.integers(1, 20)), draw(st.integers(1, 24))
    percent, seed = draw(st.integers(0, 100)), draw(st.integers(0, 1 << 32))
    rolls = Stream(seed, "test.terrain").below_block(100, height * width).reshape(height, width)
    others = np.array([WALL, WALL, WALL, PIT, BRIDGE, DOOR, RUBBLE, VOID], np.uint8)[rolls % 8]
    return np.where(rolls < percent, others, FLOOR).astype(np.uint8)


@given(terrains(), st.sampled_from(KINDS), st.integers(0, 1 << 32), st.integers(0, 100))
def test_things_lie_on_free_floor_and_cut_nothing_off(
    terrain: Tiles, kind: str, seed: int, clear: int
) -> None:
    stream = Stream(seed, "test.clutter")
    keep_clear = stream.below_block(100, terrain.size).reshape(terrain.shape) < clear // 3
    decor = clutter(terrain, keep_clear, kind, stream)
    assert decor.shape == terrain.shape
    assert decor.dtype == np.uint8
    taken = np.zeros(terrain.shape, int)
    for y, x in np.argwhere(decor).tolist():
        thing = DECOR_KINDS[decor[y, x]]
        assert y + thing.height <= terrain.shape[0]
        assert x + thing.width <= terrain.shape[1]
        taken[y : y + thing.height, x : x + thing.width] += 1
    assert taken.max() <= 1
    assert np.isin(terrain[taken > 0], (FLOOR, RUBBLE)).all()
    assert not (keep_clear & (taken > 0)).any()
    blocked = BLOCKS[spread_decor(decor, DECOR_KINDS)]
    before, after = pieces(WALKABLE[terrain]), pieces(WALKABLE[terrain] & ~blocked)
    for piece in before:
        assert sum(bool(piece & part) for part in after) <= 1


@pytest.mark.parametrize("kind", KINDS)
def test_things_in_the_middle_keep_their_5_by_5(kind: str) -> None:
    seen = 0
    for seed in range(40):
        terrain = box(24, 18)
        decor = clutter(terrain, nothing(terrain), kind, Stream(seed, "x"))
        near_wall = ndimage.binary_dilation(terrain == WALL, np.ones((3, 3)))
        covered = spread_decor(decor, DECOR_KINDS)
        middle = [tiles_of(decor, y, x) for y, x in np.argwhere(decor * ~near_wall).tolist()]
        seen += len(middle)
        for one, other in itertools.combinations(middle, 2):
            assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) >= 3 for a in one for b in other)
        for tiles in middle:
            for y, x in tiles:
                assert not near_wall[y, x]
                if BLOCKS[covered[y, x]]:
                    around = covered[y - 1 : y + 2, x - 1 : x + 2]
                    assert not (BLOCKS[around] & (around != covered[y, x])).any()
    assert seen > 40


def tiles_of(decor: Tiles, y: int, x: int) -> list[tuple[int, int]]:
    thing = DECOR_KINDS[decor[y, x]]
    return [(y + dy, x + dx) for dy in range(thing.height) for dx in range(thing.width)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_thing_of_the_tables_turns_up_in_its_place(kind: str) -> None:
    seen: set[int] = set()
    north = {DECOR_IDS[name] for name in ("bookshelf", "coffin", "table", "altar")}
    for seed in range(400):
        terrain = box(24, 18)
        decor = clutter(terrain, nothing(terrain), kind, Stream(seed, "x"))
        seen.update(decor[decor > 0].tolist())
        near_wall = ndimage.binary_dilation(terrain == WALL, np.ones((3, 3)))
        for y, x in np.argwhere(near_wall & np.isin(decor, [*north, DECOR_IDS["web"]])).tolist():
            if decor[y, x] in north:
                assert y == 1
            else:
                assert (x in (1, 22)) and (y in (1, 16))
    tables = decor_tables(kind, shipped_kit())
    assert seen == {
        thing for table in (tables.wall, tables.middle) for pool in table.pools for thing in pool.things
    }


def test_a_narrow_way_stays_open_and_takes_flat_things_only() -> None:
    terrain = np.full((5, 40), WALL, np.uint8)
    terrain[2, 1:-1] = FLOOR
    found: set[int] = set()
    for seed in range(60):
        found.update(clutter(terrain, nothing(terrain), "normal", Stream(seed, "x")).ravel().tolist())
    assert len(found) > 2
    assert not BLOCKS[list(found)].any()


def test_the_same_stream_gives_the_same_things() -> None:
    terrain = box(20, 16)
    once, again = (clutter(terrain, nothing(terrain), "shop", Stream(7, "x")) for _ in range(2))
    assert once.tobytes() == again.tobytes()


def test_a_kind_without_a_table_has_no_decor() -> None:
    terrain = box(9, 9)
    assert not clutter(terrain, nothing(terrain), "dice", Stream(0, "x")).any()


def test_places_name_pools() -> None:
    normal = decor_tables("normal", shipped_kit()).wall
    assert DECOR_IDS["bookshelf"] in normal.pools[NORTH].things
    assert all(
        DECOR_IDS["bookshelf"] not in pool.things for pool in normal.pools if pool != normal.pools[NORTH]
    )
