"""Motifs: shapes in the middle of the floor of enemy rooms without a layout.

    pillars           strip             split             ring              mound          island

    .............     .............     ......#......     ...##...##...     .............  .............
    ..##..##..##.     ..~~~~==~~~~.     ......#......     ...#.......#.     ....#####....  ...~~~==~~~..
    ..##..##..##.     ..~~~~==~~~~.     .............     .............     ...#######...  ...~.....~~..
    .............     .............     ......#......     ...#.......#.     ....#####....  ...==....==..
    ..##..##..##.     ..~~~~==~~~~.     ......#......     ...##...##...     .............  ...~~~==~~~..

A lane of two tiles stays free along all walls, so that no motif divides a room. A room kind's row gives their
weights, or else `gungeon.toml` of the kit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isqrt

import numpy as np

from generator.algorithms.bitboard import (
    Bitboard,
    component4,
    dilate4,
    erode8,
    erode_square,
    mask_of,
    rectangle,
)
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.styles.gungeon.furnishing.site import Site

_LANE = 2  # tiles of floor beside walls
_GAP = 2  # tiles of a gap and of a bridge; more for a larger body
_THICK = 2  # tiles of a pillar
_MIN_CORE = 5, 4  # tiles that a motif needs, across and down


class Motif(NamedTuple):
    """What a motif turns floor into: walls, pits, and bridges over pits."""

    walls: Bitboard = 0
    pits: Bitboard = 0
    bridges: Bitboard = 0

    @property
    def solid(self) -> Bitboard:
        """The tiles that are not walkable."""
        return self.walls | self.pits


class _Core(NamedTuple):
    """Where motifs stand: a rectangle in tiles, the stride of boards, and the width of gaps."""

    x: int
    y: int
    width: int
    height: int
    stride: int
    gap: int

    def box(self, x: int, y: int, width: int, height: int) -> Bitboard:
        """Return a rectangle counted from the core's corner, clipped to the core."""
        left, top = max(x, 0), max(y, 0)
        right, bottom = min(x + width, self.width), min(y + height, self.height)
        if right <= left or bottom <= top:
            return 0
        return rectangle(self.x + left, self.y + top, right - left, bottom - top, self.stride)

    def disc(self, inset: int) -> Bitboard:
        """Return the ellipse in the core, `inset` tiles away from its edges."""
        wide, high = self.width - 2 * inset, self.height - 2 * inset
        board = 0
        for row in range(max(high, 0)):
            distance = abs(2 * row + 1 - high)
            half = (
                (isqrt((high * high - distance * distance) * wide * wide) // high + 1) // 2 if wide > 0 else 0
            )
            board |= self.box(self.width // 2 - half, row + inset, 2 * half + self.width % 2, 1)
        return board

    @property
    def across(self) -> Bitboard:
        """A gap through the middle, from left to right."""
        return self.box(0, (self.height - self.gap) // 2, self.width, self.gap)

    @property
    def down(self) -> Bitboard:
        """A gap through the middle, from top to bottom."""
        return self.box((self.width - self.gap) // 2, 0, self.gap, self.height)


def _pillars(core: _Core, stream: Stream) -> Motif:
    step = _THICK + core.gap + stream.below(2)
    walls = 0
    for y in range((core.height - _THICK) % step // 2, core.height - 1, step):
        for x in range((core.width - _THICK) % step // 2, core.width - 1, step):
            walls |= core.box(x, y, _THICK, _THICK)
    return Motif(walls)


def _strip(core: _Core, stream: Stream) -> Motif:
    thick = 2 + stream.below(2)
    if stream.chance(core.width, core.width + core.height):
        area, gap = core.box(0, (core.height - thick) // 2, core.width, thick), core.down
    else:
        area, gap = core.box((core.width - thick) // 2, 0, thick, core.height), core.across
    return Motif(pits=area & ~gap, bridges=area & gap)


def _split(core: _Core, stream: Stream) -> Motif:
    shift = stream.below(3) - 1
    if stream.chance(core.width, core.width + core.height):
        wall = core.box(core.width // 2 + shift, 0, 2, core.height)
        return Motif(wall & ~core.across)
    wall = core.box(0, core.height // 2 + shift - 1, core.width, 2)
    return Motif(wall & ~core.down)


def _ring(core: _Core, stream: Stream) -> Motif:
    is_pit = stream.chance(1, 2)
    ring = core.box(0, 0, core.width, core.height) & ~core.box(1, 1, core.width - 2, core.height - 2)
    if is_pit:
        return Motif(pits=ring & ~(core.across | core.down))
    corners = core.box(2, 0, core.width - 4, core.height) | core.box(0, 2, core.width, core.height - 4)
    broken = stream.chance(1, 2)
    return Motif(
        ring & ~(corners if broken and min(core.width, core.height) > 6 else core.across | core.down)
    )


def _mound(core: _Core, stream: Stream) -> Motif:
    return Motif(core.disc(stream.below(2)))


def _island(core: _Core, stream: Stream) -> Motif:
    disc, island = core.disc(0), core.disc(2)
    moat = disc & ~island
    bridges = core.across & moat
    if stream.chance(1, 2) or not island:
        bridges |= core.down & moat
    return Motif(pits=moat & ~bridges, bridges=bridges)


_MOTIFS: Mapping[str, Callable[[_Core, Stream], Motif]] = {
    "pillars": _pillars,
    "strip": _strip,
    "split": _split,
    "ring": _ring,
    "mound": _mound,
    "island": _island,
}


def draw_motif(site: Site, floor: Bitboard, doors: Bitboard, body: int, stream: Stream) -> Motif:
    """Draw a motif for a floor. Empty if chance says so, or if the room is too small.

    A body still gets to all of the remaining floor and through all doors.
    """
    weights = site.row.motifs or site.kit.rules.numbers["motif"]
    name = stream.weighted(list(weights), list(weights.values()))
    core = _core(site, floor, max(_GAP, body))
    if name not in _MOTIFS or core is None:
        return Motif()
    motif = _MOTIFS[name](core, stream)
    kept = _kept(site, floor)
    kept &= ~_lone(motif.solid & kept, core.stride)
    walls, pits, bridges = (board & kept for board in motif)
    motif = Motif(walls, pits, component4(dilate4(pits, core.stride), bridges, core.stride))
    return motif if _is_joined(floor | doors, motif, doors, body, core.stride) else Motif()


def _core(site: Site, floor: Bitboard, gap: int) -> _Core | None:
    """Find the rectangle round the tiles away from all walls. None if it is too small."""
    ys, xs = np.nonzero(mask_of(_kept(site, floor), site.shape))
    if not len(xs):
        return None
    left, top = int(xs.min()), int(ys.min())
    width, height = int(xs.max()) + 1 - left, int(ys.max()) + 1 - top
    if width < _MIN_CORE[0] or height < _MIN_CORE[1]:
        return None
    return _Core(left, top, width, height, site.stride, gap)


def _kept(site: Site, floor: Bitboard) -> Bitboard:
    """Return the floor away from walls and from the tiles behind doors."""
    board = floor
    for _ in range(_LANE):
        board = erode8(board, site.stride)
    return board & ~site.doorsteps(margin=1, depth=_LANE + 1)


def _lone(board: Bitboard, stride: int) -> Bitboard:
    """Find the tiles that touch no other one on a side, which would only get in the way."""
    return board & ~(board << 1 | board >> 1 | board << stride | board >> stride)


def _is_joined(floor: Bitboard, motif: Motif, doors: Bitboard, body: int, stride: int) -> bool:
    """Check whether a body gets from each door to all others, and a walker to all of the remaining floor."""
    left = floor & ~motif.solid
    if component4(left & -left, left, stride) != left:
        return False
    before, after = erode_square(floor, body, stride), erode_square(left, body, stride)
    start = after & -after
    reached = component4(start, after, stride) if start else 0
    return bool(start) and reached == after and not (before & ~after & doors)
