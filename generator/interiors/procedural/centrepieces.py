"""Centrepieces: what stands in the middle of a shop, a chest room or a start room of the `gungeon` style.

They are files drawn as layouts are (`docs/layouts.md`), of any size: a room takes one that fits, and there
is one of a single tile for each kind of room.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from generator.geometry import Point
from generator.interiors.interior import Interior
from generator.interiors.layout_file import parse_layout
from generator.kinds import DECOR_KINDS, FLOOR
from generator.level import passable, spread_decor
from generator.rng import Stream

Mask = npt.NDArray[np.bool_]

_BESIDE = 1  # tiles that stay free all round


class Centrepiece(NamedTuple):
    """A centrepiece, one of its mirror images: its inside, tiles that are not bare floor, and walkable ones.

    `weight` says how often it is taken against others, all images of a file together as the file says.
    """

    name: str
    weight: int
    interior: Interior
    taken: Mask
    walkable: Mask

    @property
    def size(self) -> Point:
        """Width and height in tiles."""
        height, width = self.taken.shape
        return width, height


@cache
def centrepieces(room_kind: str) -> tuple[Centrepiece, ...]:
    """Those that are shipped for a room kind, the largest first."""
    folder = resources.files("generator") / "interiors" / "procedural" / "layouts" / room_kind
    pieces: list[Centrepiece] = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".txt"):
            layout = parse_layout(file.read_text("utf-8"), Path(str(file)), check=False)
            weight = layout.weight * 4 // len(layout.mirrors)
            pieces += (
                _centrepiece(layout.name, weight, layout.interior(mirror)) for mirror in layout.mirrors
            )
    return tuple(sorted(pieces, key=lambda piece: -piece.taken.size))


def _centrepiece(name: str, weight: int, interior: Interior) -> Centrepiece:
    covered = spread_decor(interior.decor, DECOR_KINDS)
    taken = (interior.terrain != FLOOR) | (covered > 0)
    for marker in interior.markers:
        taken[marker.y, marker.x] = True
    hazards = np.array([kind.hazard for kind in DECOR_KINDS])[covered]
    return Centrepiece(name, weight, interior, taken, passable(interior.terrain, covered, "walk") & ~hazards)


class Placed(NamedTuple):
    """A centrepiece and the tile of the room that its top left comes to lie on."""

    piece: Centrepiece
    x: int
    y: int


def choose(
    room_kind: str, room: Point, clear: Mask, stream: Stream, suits: Callable[[Placed], bool] | None = None
) -> Placed:
    """One that fits into the middle of a room of that size, walls included, off the tiles `clear` [y, x].

    Only those take part that are at least half as large as the largest that fits, and `suits` if it is
    given, which must be true of a centrepiece of a single tile. One word.
    """
    fitting: list[Placed] = []
    for piece in centrepieces(room_kind):
        if fitting and 2 * piece.taken.size < fitting[0].piece.taken.size:
            break
        placed = _placed(piece, room, clear)
        if placed and (suits is None or suits(placed)):
            fitting.append(placed)
    return stream.weighted(fitting, [placed.piece.weight for placed in fitting])


def _placed(piece: Centrepiece, room: Point, clear: Mask) -> Placed | None:
    """In the middle; where there is no exact one, the tile above or left of it, or else the next."""
    (width, height), border = piece.size, 2 * (1 + _BESIDE)
    if width > room[0] - border or height > room[1] - border:
        return None
    for y in _middles(room[1] - height):
        for x in _middles(room[0] - width):
            if not (piece.taken & clear[y : y + height, x : x + width]).any():
                return Placed(piece, x, y)
    return None


def _middles(spare: int) -> tuple[int, ...]:
    return (spare // 2,) if spare % 2 == 0 else (spare // 2, spare // 2 + 1)
