"""What the walls and pits of all looks have in common: where a wall ends, and how deep its rim is there.

A rim is as deep as its profile says, which has a number for each of the 16 pixels of an edge. As it is the
same on every tile, ragged rims meet at the tiles' borders.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from blob import NE, NW, SE, SW, E, N, S, W
from pixels import TILE, Noise, Picture, blank, dot, rect

Fill = Callable[[Picture, Noise], None]  # paints a tile in place
EVEN = (2,) * TILE
RAGGED = (3, 3, 2, 2, 3, 4, 4, 3, 2, 2, 2, 3, 4, 5, 4, 3)


class Front(NamedTuple):
    """A wall's face: what it is made of, and its coping from the upper edge down."""

    fill: Fill
    coping: str = "876"
    depths: Sequence[int] = (3,) * TILE  # px of the coping
    shadow: str = "2"  # below it
    foot: str = "1"  # the lowest row
    edges: str = "26814"  # west: dark, bright, cap; east: dark, less bright


class Roof(NamedTuple):
    """A wall's top: its surface, and its rim from the outer edge in."""

    fill: Fill
    ground: str = "1"
    rim: str = "740"  # north and west: edge, inside, shadow
    east: str = "640"
    depths: Sequence[int] = EVEN  # px of the rim, without its shadow


def face(drawing: Front, mask: int, seed: int) -> Picture:
    """Return the front of a wall."""
    picture = blank(letter=drawing.shadow)
    drawing.fill(picture, Noise(2000 + seed))
    last = len(drawing.coping) - 1
    for x, depth in enumerate(drawing.depths):
        for y in range(depth):
            dot(picture, x, y, drawing.coping[min(y * (last + 1) // depth, last)])
        dot(picture, x, depth, drawing.shadow)
    rect(picture, 0, 15, TILE, 1, drawing.foot)
    dark, bright, cap, east_dark, east_bright = tuple(drawing.edges)
    if not mask & W:
        rect(picture, 0, 3, 1, 13, dark)
        rect(picture, 1, 5, 1, 10, bright)
        rect(picture, 0, 0, 1, 3, cap)
    if not mask & E:
        rect(picture, 15, 3, 1, 13, east_dark)
        rect(picture, 14, 5, 1, 10, east_bright)
    return picture


def top(drawing: Roof, mask: int, seed: int) -> Picture:
    """Return the top of a wall."""
    picture = blank(letter=drawing.ground)
    drawing.fill(picture, Noise(3000 + seed))
    ends_east = not mask & E or not mask & SE
    ends_west = not mask & W or not mask & SW
    for i, depth in enumerate(drawing.depths):
        if ends_east:
            _run(picture, i, depth, drawing.east, lambda at, along: (15 - at, along))
        if ends_west:
            _run(picture, i, depth, drawing.rim, lambda at, along: (at, along))
        if not mask & N:
            inside = (i >= 2 or not ends_west) and (i < 14 or not ends_east)
            _run(picture, i, depth if inside else 1, drawing.rim, lambda at, along: (along, at))
    edge, body, _ = tuple(drawing.rim)
    if mask & N and mask & E and not mask & NE and not ends_east:
        rect(picture, 14, 0, 2, 2, body)
        dot(picture, 15, 0, edge)
    if mask & N and mask & W and not mask & NW and not ends_west:
        rect(picture, 0, 0, 2, 2, body)
        dot(picture, 0, 0, edge)
    return picture


def _run(
    picture: Picture, along: int, depth: int, letters: str, place: Callable[[int, int], tuple[int, int]]
) -> None:
    """Paint one line of pixels of a rim, from the edge in, in place."""
    edge, body, shadow = tuple(letters)
    for at in range(depth + 1):
        x, y = place(at, along)
        dot(picture, x, y, edge if at == 0 else body if at < depth else shadow)


class Hole(NamedTuple):
    """A pit: what fills it, the cliff below its northern lip from above, and its lips."""

    fill: Fill
    ground: str = "k"
    cliff: str = "444332221"
    lips: str = "6545"  # north, below it, west, east and south
    shade: str = "1"  # just inside the other lips
    depths: Sequence[int] = (0,) * TILE  # px by which the cliff reaches further down
    joints: Sequence[int] = ()  # columns of it that are one letter darker


def pit(drawing: Hole, mask: int, seed: int) -> Picture:
    """Return the tile of a pit."""
    noise = Noise(4000 + mask + 300 * seed)
    picture = blank(letter=drawing.ground)
    drawing.fill(picture, noise)
    north, below, west, east = tuple(drawing.lips)
    if not mask & N:
        for x, more in enumerate(drawing.depths):
            for y in range(len(drawing.cliff) + more):
                step = max(0, y - more) + 2 * (x in drawing.joints)
                dot(picture, x, 2 + y, drawing.cliff[min(step, len(drawing.cliff) - 1)])
    if not mask & W:
        rect(picture, 0, 0, 1, TILE, west)
        rect(picture, 1, 0, 1, TILE, drawing.shade)
    if not mask & E:
        rect(picture, 15, 0, 1, TILE, east)
        rect(picture, 14, 0, 1, TILE, drawing.shade)
    if not mask & S:
        rect(picture, 0, 14, TILE, 1, drawing.shade)
        rect(picture, 0, 15, TILE, 1, east)
    if not mask & N:
        rect(picture, 0, 0, TILE, 1, north)
        rect(picture, 0, 1, TILE, 1, below)
    corners = ((NE, N | E, 15, 0), (NW, N | W, 0, 0), (SE, S | E, 15, 15), (SW, S | W, 0, 15))
    for corner, sides, x, y in corners:
        if mask & sides == sides and not mask & corner:
            dot(picture, x, y, east)
    return picture
