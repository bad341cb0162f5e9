"""Where a body of several tiles can walk in a room that is furnished by procedure.

A body is a square that moves by steps to its four neighbours. A place is the tile of its top left corner:

    tiles  .....     places of a body of 2  xx.x.
           .....                            x....
           ..#..                            x....
           .....                            .....
"""

from __future__ import annotations

from collections.abc import Iterable

from generator.algorithms.bitboard import (
    Bitboard,
    component4,
    dilate4,
    dilate_square,
    erode_square,
    rectangle,
    square_hits,
    without,
)
from generator.interiors.interior import STANDS_ON, PlacedMarker
from generator.styles.gungeon.furnishing.shell import doors_of
from generator.styles.gungeon.furnishing.site import Opening, Site


class Footing:
    """The places of a body that walks between the doors, while things are put into the room."""

    __slots__ = ("_body", "_needs", "_stride", "places")

    def __init__(self, body: int, stride: int, places: Bitboard, needs: list[Bitboard]) -> None:
        """Keep at least one of each of the `needs` among `places`, which are connected."""
        self._body = body
        self._stride = stride
        self.places = places
        self._needs = needs

    def give_way(self, area: Bitboard) -> bool:
        """Make tiles impassable if the body still gets everywhere. Otherwise change nothing."""
        lost = square_hits(area, self._body, self._stride) & self.places
        if not lost:
            return True
        left = without(self.places, lost, self._stride)
        if left is None:
            return False
        for need in self._needs:
            if not need & left:
                return False
        self.places = left
        return True


def footing(
    walkable: Bitboard, site: Site, body: int, markers: Iterable[PlacedMarker] = ()
) -> Footing | None:
    """Return the footing of a body that enters by every door and reaches the markers. None if it cannot.

    It gets to a marker if its square covers the tile or one beside it. It must cover the player's own tile,
    and that of a boss that walks.
    """
    stride = site.width + 1
    places = erode_square(walkable, body, stride)
    needs = [_behind(opening, site, body) for opening in site.openings]
    for marker in markers:
        tile = 1 << marker.x + marker.y * stride
        walks = marker.kind in STANDS_ON and tile & walkable and not marker.properties.get("flies")
        near = tile if walks else dilate4(tile, stride)
        needs.append(square_hits(near, body, stride))
    untried = (needs[0] if needs else 0) & places
    while untried:
        piece = component4(untried & -untried, places, stride)
        if all(need & piece for need in needs):
            return Footing(body, stride, piece, needs)
        untried &= ~piece
    return None if needs else Footing(body, stride, places, needs)


def _behind(opening: Opening, site: Site, body: int) -> Bitboard:
    """Return the places wholly inside the room that a body enters straight from an opening.

    #DDD#     for a body of 2: the places x; on the door tiles it would not yet be inside
    .xx..
    .....
    """
    (left, top), (right, bottom) = opening.tiles[0], opening.tiles[-1]
    if opening.side.is_vertical_way:
        y = min(max(top, 1), site.height - 1 - body)
        return rectangle(left, y, right - left + 2 - body, 1, site.width + 1)
    x = min(max(left, 1), site.width - 1 - body)
    return rectangle(x, top, 1, bottom - top + 2 - body, site.width + 1)


def reach(walkable: Bitboard, site: Site, body: int, joined: Bitboard = 0) -> Bitboard:
    """Return the tiles that a body can cover on paths from the doors.

    `joined` are places known to be connected, which saves a search if doors lead to them.
    """
    if body == 1:
        return walkable
    stride = site.width + 1
    places = erode_square(walkable, body, stride)
    start = square_hits(doors_of(site), body, stride) & places
    if start & joined:
        start |= joined
    return dilate_square(component4(start, places, stride), body, stride)
