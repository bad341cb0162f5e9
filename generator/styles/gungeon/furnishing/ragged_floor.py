"""The ragged floor of an enemy room: a lazy flood from its middle, smoothed, joined to every opening."""

from __future__ import annotations

import numpy as np

from generator.algorithms.bitboard import (
    Bitboard,
    below,
    component4,
    dice,
    dilate8,
    erode_square,
    mask_of,
    rectangle,
    square_hits,
)
from generator.algorithms.flood_fill import fading, fill_lone, lazy_flood, smooth, without_slivers
from generator.rng import Stream
from generator.styles.gungeon.furnishing.shell import doors_of, inside_of
from generator.styles.gungeon.furnishing.site import Opening, Site

_MIN_FLOOR = 45  # percent of the inside: less is too small to fight in
_FADE = 430  # 256ths that the chance to spread loses from the middle to the corners, at roughness 100
_FRINGE = 160  # 256ths of the tiles beside a path become floor too
_ROUNDS = 2  # of smoothing
_FULL_ROWS = 2  # of floor at the end of a path


def ragged_floor(
    site: Site, roughness: int, stream: Stream, body: int = 1, least: tuple[int, int] = (0, 0)
) -> Bitboard:
    """Make the floor of a site, without its openings: connected, and touching the tiles of every opening.

    A body `body` tiles wide, no wider than the openings, can walk on it from each of them to all others. A
    floor that is too small to fight in, or with its walls smaller than `least` tiles (width and height), is
    drawn again, less ragged. `roughness` 0 is the whole inside.
    """
    inside = inside_of(site)
    while roughness:
        floor = _one_floor(site, inside, roughness, stream)
        if body > 1:
            floor = _widened(floor, site, body)
        is_large = floor.bit_count() * 100 >= inside.bit_count() * _MIN_FLOOR
        if is_large and _has_extent(floor, site, least):
            return floor
        roughness = roughness * 4 // 5
    return inside


def _has_extent(floor: Bitboard, site: Site, least: tuple[int, int]) -> bool:
    """Check whether a floor and its walls are as wide and as high as `least`, or as the site allows."""
    taken = mask_of(floor | doors_of(site), (site.height, site.width))
    for axis, (length, side) in enumerate(zip(least, (site.width, site.height), strict=True)):
        (places,) = np.nonzero(taken.any(axis=axis))
        first, last = max(int(places[0]) - 1, 0), min(int(places[-1]) + 1, side - 1)
        if last - first + 1 < min(length, side):
            return False
    return True


def _one_floor(site: Site, inside: Bitboard, roughness: int, stream: Stream) -> Bitboard:
    """Flood, join, smooth. The paths that join the openings survive the smoothing."""
    stride, middle = site.width + 1, _middle(site)
    chances = fading(site.width // 2 + site.height // 2, 256 - _FADE * roughness // 100)
    flood = lazy_flood(inside, middle, stride, chances, stream)
    (fringe,) = below(dice(inside.bit_length(), stream), (_FRINGE,))
    ways = _ways(site, flood)
    floor = flood | ways | dilate8(ways, stride) & fringe & inside
    for _ in range(_ROUNDS):
        floor = smooth(floor, stride)
    floor = without_slivers(floor, inside, stride)
    # Smoothing may have removed the floor at the end of a path, which then goes on to what is left in the
    # middle.
    ways |= _ways(site, component4(middle, floor, stride))
    floor = fill_lone(floor | middle | ways, inside, stride)
    return component4(middle, floor, stride)


def _widened(floor: Bitboard, site: Site, body: int) -> Bitboard:
    """Add straight paths to the middle from the openings that were too narrow for a body."""
    stride = site.width + 1
    middle = rectangle((site.width - body) // 2, (site.height - body) // 2, body, body, stride)
    floor |= middle
    places = erode_square(floor | doors_of(site), body, stride)
    joined = component4(middle & -middle, places, stride)
    for opening in site.openings:
        tiles = sum(1 << x + y * stride for x, y in opening.tiles)
        if not square_hits(tiles, body, stride) & joined:
            floor |= _way(opening, site, 0)
    return fill_lone(floor, inside_of(site), stride)


def _middle(site: Site) -> Bitboard:
    """Return the tile in the middle, or the two or four there."""
    left, top = (site.width - 1) // 2, (site.height - 1) // 2
    return rectangle(left, top, 2 - site.width % 2, 2 - site.height % 2, site.width + 1)


def _ways(site: Site, floor: Bitboard) -> Bitboard:
    ways = 0
    for opening in site.openings:
        ways |= _way(opening, site, floor)
    return ways


def _way(opening: Opening, site: Site, floor: Bitboard) -> Bitboard:
    """Lay a path from an opening straight inwards, as wide as it is, until two rows of it lie on floor.

    If that does not happen by the middle of the room, the path turns there and goes to the middle.

        #DD###     #DD####
        #..###     #..####
        #....#     #..####
        #....#     #.....# <- the middle
    """
    stride, breadth = site.width + 1, len(opening.tiles)
    inwards = opening.side.opposite
    step = inwards.dx + inwards.dy * stride
    row = sum(1 << x + y * stride for x, y in opening.tiles)
    way = full_rows = 0
    for _ in range((site.height if inwards.is_vertical_way else site.width) // 2):
        row = row << step if step > 0 else row >> -step
        way |= row
        full_rows = 0 if row & ~floor else full_rows + 1
        if full_rows == _FULL_ROWS:
            return way
    (left, top), (right, bottom) = opening.tiles[0], opening.tiles[-1]
    x, y = (site.width - breadth) // 2, (site.height - breadth) // 2
    if inwards.is_vertical_way:
        left, right = min(left, x), max(right, x + breadth - 1)
        return way | rectangle(left, y, right - left + 1, breadth, stride)
    top, bottom = min(top, y), max(bottom, y + breadth - 1)
    return way | rectangle(x, top, breadth, bottom - top + 1, stride)
