"""One polygon for an outline with holes: it covers what the rings enclose."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from exporters.formats.tiled.write_objects import joined
from generator.algorithms.outline import outline
from generator.geometry import Point

BLOCK: tuple[Point, ...] = ((0, 0), (5, 0), (5, 4), (0, 4))


def area(ring: list[Point]) -> float:
    """Twice-signed halves: positive if it runs clockwise with y downwards."""
    pairs = zip(ring, [*ring[1:], ring[0]], strict=True)
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs) / 2


def covered(ring: list[Point], shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """[y, x]: the tiles inside, by the even-odd rule, as Tiled fills them."""
    inside = np.zeros(shape, np.bool_)
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if ax == bx:
            inside[min(ay, by) : max(ay, by), ax:] ^= True
    return inside


def test_an_outline_without_holes_stays_as_it_is() -> None:
    assert joined([BLOCK]) == list(BLOCK)
    assert joined([]) == []


def test_a_slit_leads_to_a_hole() -> None:
    """See the picture in the module."""
    hole: tuple[Point, ...] = ((2, 1), (3, 1), (3, 3), (2, 3))
    outer: tuple[Point, ...] = ((0, 0), (5, 0), (5, 4), (0, 4))
    assert joined([outer, hole]) == [
        *outer, (0, 1), (2, 1), (2, 3), (3, 3), (3, 1), (2, 1), (0, 1),
    ]  # fmt: skip


def test_a_part_that_is_not_a_hole_is_joined_too() -> None:
    apart: tuple[Point, ...] = ((7, 1), (9, 1), (9, 2), (7, 2))
    for rings in ([BLOCK, apart], [apart, BLOCK]):
        ring = joined(rings)
        assert area(ring) == 20 + 2
        assert covered(ring, (5, 10)).sum() == 22


@given(st.lists(st.lists(st.booleans(), min_size=9, max_size=9), min_size=2, max_size=9))
def test_it_covers_the_area_and_nothing_else(rows: list[list[bool]]) -> None:
    """By the even-odd rule and by its signed area, whatever holes there are."""
    tiles = np.array(rows).repeat(2, axis=0).repeat(2, axis=1)
    tiles = ndimage.binary_closing(np.pad(tiles, 2), np.ones((2, 2)))  # no two tiles touch by a corner alone
    labels, _ = ndimage.label(tiles)
    tiles = labels == 1
    if not tiles.any() or pinched(tiles):
        return
    rings = outline(tiles, (0, 0))
    ring = joined(rings)
    assert np.array_equal(covered(ring, tiles.shape), tiles)
    assert area(ring) == tiles.sum()
    assert all(ax == bx or ay == by for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True))


def pinched(tiles: npt.NDArray[np.bool_]) -> bool:
    """Whether two tiles touch by a corner alone."""
    a, b, c, d = tiles[:-1, :-1], tiles[:-1, 1:], tiles[1:, :-1], tiles[1:, 1:]
    return bool(((a == d) & (b == c) & (a != b)).any())
