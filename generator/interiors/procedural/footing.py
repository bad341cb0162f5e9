"""Where a body of several tiles walks in a room that is furnished by procedure.

A body is a square that moves by steps to its four neighbours. A place is the tile of its top left corner:

    tiles  .....     places of a body of 2  xx.x.
           .....                            x....
           ..#..                            x....
           .....                            .....
"""

from __future__ import annotations

from collections.abc import Iterable

from generator.interiors.interior import PlacedMarker
from generator.interiors.procedural.boards import (
    Board,
    piece4,
    places_of,
    places_on,
    spread4,
    squares,
    without,
)
from generator.interiors.procedural.shell import doors_of
from generator.interiors.procedural.site import Site


class Footing:
    """The places of a body that walks from door to door, while things are put into the room."""

    __slots__ = ("_body", "_needs", "_places", "_stride")

    def __init__(self, body: int, stride: int, places: Board, needs: list[Board]) -> None:
        """`places` are joined; of each of the `needs` at least one of them has to stay."""
        self._body = body
        self._stride = stride
        self._places = places
        self._needs = needs

    def give_way(self, area: Board) -> bool:
        """Make tiles impassable, if the body still gets everywhere; else leave everything as it was."""
        lost = places_on(area, self._body, self._stride) & self._places
        left = without(self._places, lost, self._stride)
        if left is None or not all(need & left for need in self._needs):
            return False
        self._places = left
        return True


def footing(walkable: Board, site: Site, body: int, markers: Iterable[PlacedMarker] = ()) -> Footing | None:
    """Where a body walks from door to door and to the markers; None if it does not get to one of them.

    It gets to a marker if its square covers the tile or one beside it; it starts on that of the player.
    """
    stride = site.width + 1
    needs = [sum(1 << x + y * stride for x, y in opening.tiles) for opening in site.openings]
    for marker in markers:
        tile = 1 << marker.x + marker.y * stride
        needs.append(tile if marker.kind == "player_start" else spread4(tile, stride))
    places = places_of(walkable, body, stride)
    needs = [places_on(need, body, stride) & places for need in needs]
    if needs:
        places = piece4(needs[0] & -needs[0], places, stride)
    return Footing(body, stride, places, needs) if all(need & places for need in needs) else None


def reach(walkable: Board, site: Site, body: int) -> Board:
    """The tiles that a body covers somewhere on its ways from the doors."""
    if body == 1:
        return walkable
    stride = site.width + 1
    places = places_of(walkable, body, stride)
    return squares(piece4(places_on(doors_of(site), body, stride), places, stride), body, stride)
