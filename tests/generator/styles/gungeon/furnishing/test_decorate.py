"""Decor: arrangements, patches of loose things and wear, which never cut anything off."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from generator.algorithms.bitboard import board_of
from generator.geometry import Side
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
from generator.kinds.decor_tables import ArrangementRow
from generator.level import Tiles, spread_decor
from generator.rng import Stream
from generator.styles.gungeon.furnishing.arrangements import arrangements_of, drawn_arrangement
from generator.styles.gungeon.furnishing.decorate import place_decor
from generator.styles.gungeon.furnishing.decorated_room import FULL, Grounds
from generator.styles.gungeon.furnishing.kit_tables import NORTH, decor_tables
from generator.styles.gungeon.furnishing.site import Opening, Site

KINDS = ("normal", "boss", "shop", "chest", "start")
WALKABLE = np.array([kind.walk for kind in TERRAIN_KINDS])
BLOCKS = np.array([not kind.walk or kind.hazard for kind in DECOR_KINDS])
WIDTH, HEIGHT = 25, 18
DOORS = (
    Opening(Side.NORTH, ((12, 0),)),
    Opening(Side.SOUTH, ((12, HEIGHT - 1),)),
    Opening(Side.WEST, ((0, 8), (0, 9))),
    Opening(Side.EAST, ((WIDTH - 1, 8), (WIDTH - 1, 9))),
)


def box(width: int = WIDTH, height: int = HEIGHT) -> Tiles:
    terrain = np.full((height, width), WALL, np.uint8)
    terrain[1:-1, 1:-1] = FLOOR
    return terrain


def hall() -> Tiles:
    """A room with a pit and a free-standing wall in each half, so that every anchor has a place."""
    terrain = box()
    terrain[3:5, 4:8] = terrain[3:5, 17:21] = PIT
    terrain[11:13, 4:7] = terrain[11:13, 18:21] = WALL
    return terrain


def decorated(
    terrain: Tiles,
    kind: str,
    stream: Stream,
    keep_clear: np.ndarray | None = None,
    openings: tuple[Opening, ...] = (),
    amount: int = FULL,
) -> Tiles:
    """The decor [y, x] that comes to stand on floor and rubble outside `keep_clear`."""
    height, width = terrain.shape
    site = Site(kind, width, height, openings, 0, 0)
    free = (terrain == FLOOR) | (terrain == RUBBLE)
    if keep_clear is not None:
        free &= ~keep_clear
    grounds = Grounds(
        board_of(WALKABLE[terrain]) | site.doors,
        board_of(free) & ~site.doorsteps(margin=1),
        board_of(terrain == WALL) & ~site.doors,
        board_of(terrain == PIT),
        amount,
    )
    return place_decor(site, grounds, None, stream).decor


def pieces(free: np.ndarray) -> list[set[int]]:
    """The tiles of each piece that four-neighbour steps join."""
    labels, count = ndimage.label(free)
    return [set(np.flatnonzero(labels == number).tolist()) for number in range(1, count + 1)]


@st.composite
def terrains(draw: st.DrawFn) -> Tiles:
    """Any terrain at all, from caves to noise."""
    height, width = draw(st.integers(3, 20)), draw(st.integers(3, 24))
    percent, seed = draw(st.integers(0, 100)), draw(st.integers(0, 1 << 32))
    rolls = Stream(seed, "test.terrain").below_block(100, height * width).reshape(height, width)
    others = np.array([WALL, WALL, WALL, PIT, BRIDGE, DOOR, RUBBLE, VOID], np.uint8)[rolls % 8]
    return np.where(rolls < percent, others, FLOOR).astype(np.uint8)


@given(terrains(), st.sampled_from(KINDS), st.integers(0, 1 << 32), st.integers(0, 100))
def test_things_lie_on_free_floor_and_cut_nothing_off(
    terrain: Tiles, kind: str, seed: int, clear: int
) -> None:
    stream = Stream(seed, "test.decor")
    keep_clear = stream.below_block(100, terrain.size).reshape(terrain.shape) < clear // 3
    decor = decorated(terrain, kind, stream, keep_clear)
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
def test_every_loose_thing_turns_up(kind: str) -> None:
    tables = decor_tables(kind, shipped_kit())
    seen: set[int] = set()
    for seed in range(60):
        seen.update(decorated(hall(), kind, Stream(seed, "x"), openings=DOORS).ravel().tolist())
    loose = tables.wall, tables.middle, tables.growth, tables.wear
    assert seen >= {thing for table in loose for pool in table.pools for thing in pool.things}


# --- arrangements ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """A drawing found in a room: its name, top left tile, size, as it lies there."""

    name: str
    x: int
    y: int
    width: int
    height: int


def found(decor: Tiles, kind: str) -> set[Found]:
    """Look for every drawing in the decor of a room, mirrored and turned, with none of the code under test."""
    hits = set()
    for name, drawing in drawings(kind):
        windows = np.lib.stride_tricks.sliding_window_view(decor, drawing.shape)
        same = ((windows == drawing) | (drawing < 0)).all(axis=(2, 3))
        height, width = drawing.shape
        hits.update(Found(name, x, y, width, height) for y, x in np.argwhere(same).tolist())
    return hits


@cache
def drawings(kind: str) -> list[tuple[str, np.ndarray]]:
    """All images of the drawings of four things or more that suit a kind."""
    return [
        (name, image)
        for name, row in shipped_kit().rules.arrangements.items()
        if kind in row.decor
        and not row.chapters
        and sum(sign not in ". " for sign in "".join(row.drawing)) > 3
        for image in turned(row)
    ]


def turned(row: ArrangementRow) -> list[np.ndarray]:
    """The images of a drawing: decor numbers [y, x], 0 for none, -1 for anything."""
    signs = {".": 0, " ": -1, **{sign: glyph.decor for sign, glyph in shipped_kit().kinds.glyphs.items()}}
    signs |= {".": 0, **{sign: DECOR_IDS[name] for sign, name in row.letters.items()}}
    numbers = np.array([[signs[sign] for sign in line] for line in row.drawing])
    if any(DECOR_KINDS[number].width > 1 for number in numbers[numbers > 0].tolist()):
        return [numbers]
    images = [numbers, numbers[:, ::-1], numbers[::-1], numbers[::-1, ::-1]]
    return [*images, *(image.T for image in images)]


def test_most_arrangements_stand_somewhere_as_they_are_drawn() -> None:
    seen = {
        hit.name
        for seed in range(50)
        for hit in found(decorated(hall(), "normal", Stream(seed, "x"), openings=DOORS), "normal")
    }
    drawn = {name for name, _ in drawings("normal")}
    assert len(shipped_kit().rules.arrangements) >= 60
    assert len(seen) >= len(drawn) * 7 // 10, drawn - seen


def test_arrangements_lean_on_their_anchors() -> None:
    """Nearly all that are found do; a few are a part of a larger drawing, or fell into place by chance."""
    rows = shipped_kit().rules.arrangements
    leaning = alone = 0
    terrain = hall()
    for seed in range(25):
        for hit in found(decorated(terrain, "normal", Stream(seed, "x"), openings=DOORS), "normal"):
            anchor = rows[hit.name].anchor
            around = terrain[hit.y - 1 : hit.y + hit.height + 1, hit.x - 1 : hit.x + hit.width + 1]
            sides = around[0], around[-1], around[:, 0], around[:, -1]
            walls = sum(bool((side[1:-1] == WALL).any()) for side in sides)
            pits = any(bool((side[1:-1] == PIT).any()) for side in sides)
            leans = {
                "corner": walls >= 2,
                "wall": walls >= 1,
                "pit": pits,
                "pillar": walls >= 1,
                "middle": not walls,
            }
            leaning += leans[anchor]
            alone += not leans[anchor]
    assert leaning > 60
    assert alone * 10 < leaning, (leaning, alone)


@pytest.mark.parametrize("kind", ["normal", "boss", "start"])
def test_a_symmetric_room_stays_symmetric(kind: str) -> None:
    things = 0
    for seed in range(15):
        decor = decorated(hall(), kind, Stream(seed, "x"), openings=DOORS)
        covered = spread_decor(decor, DECOR_KINDS)
        assert (covered == covered[:, ::-1]).all()
        things += np.count_nonzero(covered)
    assert things > 15 * 20


def test_a_room_that_is_not_symmetric_has_things_of_its_own_on_each_side() -> None:
    terrain = hall()
    terrain[15, 2] = WALL
    decor = spread_decor(decorated(terrain, "normal", Stream(3, "x"), openings=DOORS), DECOR_KINDS)
    assert (decor != decor[:, ::-1]).any()


def test_decor_lies_in_groups_and_not_evenly() -> None:
    """The share of things with another beside them is far above that of as many things strewn by chance."""
    beside = np.ones((3, 3), int)
    grouped = strewn = total = 0
    stream = Stream(1, "test.strewn")
    for seed in range(60):
        terrain = box()
        terrain[15, 2] = WALL  # or its two halves would be equal
        covered = decorated(terrain, "normal", Stream(seed, "x"), openings=DOORS) > 0
        floor = np.flatnonzero(terrain == FLOOR).tolist()
        stream.shuffle(floor)
        other = np.zeros(terrain.size, bool)
        other[floor[: np.count_nonzero(covered)]] = True
        total += np.count_nonzero(covered)
        for mask, is_ours in ((covered, True), (other.reshape(terrain.shape), False)):
            neighbours = ndimage.convolve(mask.astype(int), beside, mode="constant") - 1
            if is_ours:
                grouped += int(neighbours[mask].sum())
            else:
                strewn += int(neighbours[mask].sum())
    assert total > 2000
    assert grouped > 1.5 * strewn


def test_the_amount_scales_all_of_it() -> None:
    counts = [
        sum(
            np.count_nonzero(decorated(hall(), "normal", Stream(seed, "x"), amount=amount))
            for seed in range(30)
        )
        for amount in (0, 50, 100)
    ]
    assert counts[0] == 0
    assert 0 < counts[1] < counts[2]


def test_images_are_the_same_for_each_stride() -> None:
    kit = shipped_kit()
    for name in arrangements_of("normal", "none", kit).names:
        one, other = drawn_arrangement(name, kit, 20), drawn_arrangement(name, kit, 31)
        assert one.distinct == other.distinct
        for turn in one.drawings:
            image = one.image(turn)
            at = [(divmod(tile, 20), kind) for tile, kind in image.things if tile % 20 < image.width]
            assert at == [(divmod(tile, 31), kind) for tile, kind in other.image(turn).things]


def test_a_narrow_way_stays_open_and_takes_flat_things_only() -> None:
    terrain = np.full((5, 40), WALL, np.uint8)
    terrain[2, 1:-1] = FLOOR
    seen: set[int] = set()
    for seed in range(60):
        seen.update(decorated(terrain, "normal", Stream(seed, "x")).ravel().tolist())
    assert len(seen) > 2
    assert not BLOCKS[list(seen)].any()


def test_the_same_stream_gives_the_same_things() -> None:
    once, again = (decorated(hall(), "shop", Stream(7, "x"), openings=DOORS) for _ in range(2))
    assert once.tobytes() == again.tobytes()


def test_a_kind_without_a_table_has_no_decor() -> None:
    assert not decorated(box(9, 9), "dice", Stream(0, "x")).any()


def test_places_name_pools() -> None:
    normal = decor_tables("normal", shipped_kit()).wall
    assert DECOR_IDS["bookshelf"] in normal.pools[NORTH].things
    assert all(
        DECOR_IDS["bookshelf"] not in pool.things for pool in normal.pools if pool != normal.pools[NORTH]
    )
