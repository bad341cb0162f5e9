"""Finds free tiles of a furnished room: near its middle, in sight of its doors, or at a wall."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from generator.algorithms.bitboard import (
    Bitboard,
    board_of,
    component4,
    dilate_square,
    erode8,
    erode_square,
    largest4,
    mask_of,
    square_hits,
)
from generator.algorithms.board_drawing import sight_line
from generator.arrays import Ints, Mask
from generator.geometry import Point, Rect
from generator.kinds import DOOR, FLOOR, RUBBLE, WALL, Kinds
from generator.level import Tiles, passable, spread_decor
from generator.named_tuple import NamedTuple


class HeldTiles(NamedTuple):
    """A level's arrays [y, x], and the kinds that their numbers stand for."""

    terrain: Tiles
    decor: Tiles
    kinds: Kinds


def tile_near_middle(bounds: Rect, held: HeldTiles, taken: Collection[Point], body: int) -> Point | None:
    """Find the free tile nearest to the middle of a room that a body can cover. None if there is none."""
    free = _free_tiles(bounds, held, taken, body)
    return _nearest(free, bounds, (bounds.width, bounds.height))


def tile_in_sight(
    bounds: Rect, held: HeldTiles, taken: Collection[Point], body: int, doorsteps: Iterable[Point]
) -> Point | None:
    """Find the free tile nearest to the middle of a room that is seen from a doorstep, with space round it.

    In a symmetric room it is on the axis, if one there is free. If there is none with space, it has none; if
    none is seen, it is any free one. None if none is free.
    """
    free = _free_tiles(bounds, held, taken, body)
    roomy = mask_of(erode8(board_of(free), free.shape[1] + 1), free.shape)
    ys, xs = np.nonzero(free)
    apart = (2 * xs + 1 - bounds.width) ** 2 + (2 * ys + 1 - bounds.height) ** 2
    order = np.lexsort((apart, _off_axis(held.terrain[bounds.slices], xs, ys), ~roomy[ys, xs]))
    tiles = zip(xs[order].tolist(), ys[order].tolist(), strict=True)
    part = bounds.slices
    shots = passable(
        held.terrain[part], spread_decor(held.decor[part], held.kinds.decor), "shoot", held.kinds
    )
    clear, stride = board_of(shots), bounds.width + 1
    steps = [(x - bounds.x, y - bounds.y) for x, y in doorsteps]
    for tile in tiles:
        if any(not sight_line(step, tile, stride) & ~clear for step in steps):
            return bounds.x + tile[0], bounds.y + tile[1]
    return (bounds.x + int(xs[order[0]]), bounds.y + int(ys[order[0]])) if len(order) else None


def _off_axis(inside: Tiles, xs: Ints, ys: Ints) -> Ints:
    """Return how far tiles are from a room's axis, in half tiles. Without symmetry, all are 0."""
    height, width = inside.shape
    floor = (inside == FLOOR) | (inside == RUBBLE)
    if (floor == floor[:, ::-1]).all():
        off: Ints = np.abs(2 * xs + 1 - width)
    else:
        off = np.abs(2 * ys + 1 - height) if (floor == floor[::-1]).all() else np.zeros_like(xs)
    return off


def tile_at_wall(
    bounds: Rect, held: HeldTiles, taken: Collection[Point], body: int, door: Sequence[Point]
) -> Point | None:
    """Find the free tile at a wall that is nearest to a door, off the way in. None if none is free."""
    free = _free_tiles(bounds, held, taken, body)
    solid = held.terrain[bounds.slices] == WALL
    at_wall = np.zeros_like(free)
    at_wall[1:-1, 1:-1] = solid[:-2, 1:-1] | solid[2:, 1:-1] | solid[1:-1, :-2] | solid[1:-1, 2:]
    (left, top), (right, bottom) = door[0], door[-1]
    at_wall[:, left - bounds.x : right - bounds.x + 1] &= top != bottom
    at_wall[top - bounds.y : bottom - bounds.y + 1] &= left != right
    middle = left + right + 1 - 2 * bounds.x, top + bottom + 1 - 2 * bounds.y
    return _nearest(free & at_wall, bounds, middle)


def _nearest(free: Mask, bounds: Rect, point: Point) -> Point | None:
    """Return the first of the tiles nearest to a point, which counts half tiles from the bounds' corner."""
    ys, xs = np.nonzero(free)
    if not len(xs):
        return None
    apart = (2 * xs + 1 - point[0]) ** 2 + (2 * ys + 1 - point[1]) ** 2
    near = int(apart.argmin())
    return bounds.x + int(xs[near]), bounds.y + int(ys[near])


def _free_tiles(bounds: Rect, held: HeldTiles, taken: Collection[Point], body: int) -> Mask:
    inside, kinds = held.terrain[bounds.slices], held.kinds
    decor = spread_decor(held.decor[bounds.slices], kinds.decor)
    free: Mask = ((inside == FLOOR) | (inside == RUBBLE)) & (decor == 0)
    free &= mask_of(_covered(inside, decor, kinds, body), inside.shape)
    for x, y in taken:
        if bounds.contains(x, y):
            free[y - bounds.y, x - bounds.x] = False
    return free


def _covered(inside: Tiles, decor: Tiles, kinds: Kinds, body: int) -> Bitboard:
    """Return the tiles that a body can cover on paths from the doors that avoid every hazard.

    Of several parts with doors, the largest counts: it leads to all of them.
    """
    stride = inside.shape[1] + 1
    safe = board_of(passable(inside, decor, "walk", kinds) & ~kinds.decor_where("hazard")[decor])
    places, doors = erode_square(safe, body, stride), board_of(inside == DOOR)
    if doors:
        places = component4(square_hits(doors, body, stride), places, stride)
    return dilate_square(largest4(places, stride), body, stride)
