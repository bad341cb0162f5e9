"""Where a boss stands in a drawn room: on the axis of its hall, far from the door by which it is entered."""

from __future__ import annotations

from itertools import product

from generator.algorithms.bitboard import Bitboard, dilate8, erode8, rectangle, tiles_in
from generator.algorithms.board_drawing import sight_line
from generator.geometry import Point
from generator.styles.gungeon.furnishing.site import Opening, Site

_SEATS = (2, 50), (1, 50), (1, 30)  # tiles of floor round a boss, and how far down its hall it is in percent
_ASIDE = (1, 15)  # the same for a boss that is far to one side instead
_ELSEWHERE = (*((seat, -1, False) for seat in _SEATS), (_ASIDE, -1, True))  # off the axes: within all tiles
_LEAST = 5  # tiles between a boss and the door
_TRIED = 600  # seats, before a boss gets less space
_OFF_AXIS = 3  # how much a tile off the axis counts, in tiles nearer to the door


def seat_of_boss(
    site: Site, floor: Bitboard, reached: Bitboard, shots: Bitboard, kept: Bitboard, axes: Bitboard
) -> Point | None:
    """Return the seat of a boss as far from a door as the hall is long, in sight of it.

    It has floor all round that bodies reach, away from doors and what is `kept`; on the `axes` of a symmetric
    hall, if one can be there. None if there is no such place, where the boss then stays.
    """
    stride = site.stride
    away_from = kept | site.doorsteps(depth=1)
    ground = floor & reached & ~dilate8(dilate8(away_from, stride), stride)
    on_axis = product(_SEATS, (axes,), (True,)) if axes else ()
    for (space, least), within, is_aside in (*on_axis, *_ELSEWHERE):
        board = ground
        for _ in range(space):
            board = erode8(board, stride)
        for door in site.openings:
            places = tiles_in(board & within)
            seats = sorted((_rank(site, door, tile, is_aside=is_aside), tile) for tile in places)
            views = _views(door) if within == axes else (door.doorstep,)
            for (_, away), tile in seats[:_TRIED]:
                place = tile % stride, tile // stride
                if away < _LEAST or away * 100 < _depth(site, door) * least:
                    continue
                if any(not sight_line(view, place, stride) & ~shots for view in views):
                    return place
    return None


def _views(door: Opening) -> tuple[Point, ...]:
    """Return the tiles just inside a door."""
    return tuple((x - door.side.dx, y - door.side.dy) for x, y in door.tiles)


def axes_of(site: Site, mirrors_x: bool, mirrors_y: bool) -> Bitboard:
    """Return the tiles on the axis of symmetry of a hall, or beside one between two tiles."""
    wide, high = 2 - site.width % 2, 2 - site.height % 2
    axes = rectangle((site.width - wide) // 2, 0, wide, site.height, site.stride) if mirrors_x else 0
    if mirrors_y:
        axes |= rectangle(0, (site.height - high) // 2, site.width, high, site.stride)
    return axes


def _depth(site: Site, door: Opening) -> int:
    return site.height if door.side.is_vertical_way else site.width


def _rank(site: Site, door: Opening, tile: int, *, is_aside: bool) -> tuple[int, int]:
    """Rank a tile, the best first: far from the door and near the axis. Also returns how far it is.

    With `is_aside`, the axis does not matter, and tiles to the side are as far as those straight on.
    """
    y, x = divmod(tile, site.stride)
    (door_x, door_y), is_upright = door.tiles[0], door.side.is_vertical_way
    if is_aside:
        away = max(abs(x - door_x), abs(y - door_y))
        return -away, away
    away = abs(y - door_y) if is_upright else abs(x - door_x)
    off = abs(2 * x + 1 - site.width) if is_upright else abs(2 * y + 1 - site.height)
    return _OFF_AXIS * off // 2 - away, away
