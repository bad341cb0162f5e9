"""The LDtk levels of a project: their rectangles and depths, and the owner of each tile.

    rooms    one LDtk level per room, including the tiles in the void above and below its walls. With
             hallways there is one more level, one depth further down and as large as everything. It
             contains everything between the rooms
    one      one LDtk level with everything in it

If another room is in the notch of an L, both rectangles cover it. The room in the notch is one depth higher,
and each level contains only its own tiles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from exporters.formats.ldtk.syntax import identifier
from exporters.merge.outcome import LOST_IN_LDTK as LOST
from exporters.objects import room_names
from exporters.owners import common
from generator.errors import BadInput
from generator.files import is_device
from generator.geometry import GridFrame, Rect
from generator.level import Level, Room
from generator.named_tuple import NamedTuple

AreaNumbers = npt.NDArray[np.int32]
"""[y, x]: the index of each tile's LDtk level, or NOBODY."""

NOBODY = -1
WHOLE, OUTSIDE = "Level", "Outside"
_MAX_LAYERS = 8  # limits memory: all rectangles together may cover the level this many times


class Area(NamedTuple):
    """One LDtk level, with `rect` in tiles of our level."""

    identifier: str
    rect: Rect
    room: Room | None
    depth: int


class AreaPlan(NamedTuple):
    """All LDtk levels. The world's origin is the tile `origin`. Without a `grid` its layout is free.

    `above` and `below` are tiles outside all rectangles, one row above and below the level that they belong
    to.
    """

    areas: list[Area]
    owners: AreaNumbers
    above: AreaNumbers
    below: AreaNumbers
    origin: tuple[int, int]
    grid: tuple[int, int] | None


def plan_of(
    level: Level, apart: bool, drawn: npt.NDArray[np.bool_], names: Sequence[str] | None = None
) -> AreaPlan:
    """Plan the LDtk levels, one per room if `apart`. `drawn` [y, x] masks tiles in any layer.

    `names` are the names of the rooms, if they have any.
    """
    owners, above, below = np.full((3, *level.terrain.shape), NOBODY, np.int32)
    if not apart or not level.rooms:
        owners[...] = 0
        everything = Area(WHOLE, Rect(0, 0, level.width, level.height), None, 0)
        return AreaPlan([everything], owners, above, below, (0, 0), None)
    parts = [level.room_rects(room) for room in level.rooms]
    for number, pieces in enumerate(parts):
        for part in pieces:
            owners[part.slices] = number
    rects = [_span(pieces) for pieces in parts]
    if sum(rect.width * rect.height for rect in rects) > _MAX_LAYERS * level.terrain.size:
        raise BadInput("ldtk.levels: some rooms overlap; give ldtk.levels=one")
    grid = level.grid if level.grid and _fit(rects, level.grid) else None
    taken: set[str] = set()
    called = names or [f"Room_{room.id}_{room.kind}" for room in level.rooms]
    usual = [identifier(name, taken) for name in called]
    identifiers = room_names(level.rooms, usual, _own_identifier, (OUTSIDE, WHOLE))
    areas = [
        Area(name, rect, room, depth)
        for name, room, rect, depth in zip(
            identifiers, level.rooms, rects, _depths(rects, owners), strict=True
        )
    ]
    if not level.hallways:
        _share_out(owners, above, below, drawn, rects)
    left = (owners == NOBODY) & (above == NOBODY) & (below == NOBODY)
    if (left & drawn).any():
        owners[left] = len(areas)
        areas.append(Area(OUTSIDE, _everything(level, grid), None, -1))
    if grid:
        return AreaPlan(areas, owners, above, below, grid.origin, grid.cell_size)
    return AreaPlan(areas, owners, above, below, (0, 0), None)


def _own_identifier(name: str) -> str:
    """Make an identifier of a room's name, empty if the name has neither letters nor digits of ASCII.

    It may be the name of a file, and lost edits are in levels of their own.
    """
    if not any(character.isascii() and character.isalnum() for character in name):
        return ""
    made = identifier(name)
    return f"Room_{made}" if made.startswith(LOST) or is_device(made) else made


def _span(parts: Sequence[Rect]) -> Rect:
    """Return the bounding rectangle of some rectangles."""
    x, y = min(part.x for part in parts), min(part.y for part in parts)
    right, bottom = max(part.right for part in parts), max(part.bottom for part in parts)
    return Rect(x, y, right - x, bottom - y)


def _fit(rects: Sequence[Rect], grid: GridFrame) -> bool:
    """Return whether all rectangles consist of whole cells."""
    (left, top), (width, height) = grid
    return not any(
        (rect.x - left) % width or rect.width % width or (rect.y - top) % height or rect.height % height
        for rect in rects
    )


def _everything(level: Level, grid: GridFrame | None) -> Rect:
    """Return the whole level, extended to whole cells."""
    if not grid:
        return Rect(0, 0, level.width, level.height)
    (left, top), (width, height) = grid
    x, y = -left // width, -top // height
    right, bottom = -((left - level.width) // width), -((top - level.height) // height)
    return Rect(left + x * width, top + y * height, (right - x) * width, (bottom - y) * height)


def _share_out(
    owners: AreaNumbers,
    above: AreaNumbers,
    below: AreaNumbers,
    drawn: npt.NDArray[np.bool_],
    rects: Sequence[Rect],
) -> None:
    """Give tiles outside all rooms to the room below them, or else to the one above.

    They lie above or below that room's level, or inside it, in the notch of an L.
    """
    ys, xs = np.nonzero(drawn & (owners == NOBODY))
    framed = np.pad(owners, 1, constant_values=NOBODY)
    under, over = framed[ys + 2, xs + 1], framed[ys, xs + 1]
    hosts = np.where(under != NOBODY, under, over)
    bounds = np.array(rects)[hosts]
    inside = (bounds[:, 0] <= xs) & (xs < bounds[:, 0] + bounds[:, 2])
    inside &= (bounds[:, 1] <= ys) & (ys < bounds[:, 1] + bounds[:, 3])
    for target, chosen in (
        (owners, inside),
        (above, ~inside & (under != NOBODY)),
        (below, ~inside & (under == NOBODY)),
    ):
        hosted = chosen & (hosts != NOBODY)
        target[ys[hosted], xs[hosted]] = hosts[hosted]


def _depths(rects: Sequence[Rect], owners: AreaNumbers) -> list[int]:
    """Return for each rectangle 0, or a greater depth than that of any rectangle whose room it cuts into.

    A A          A is an L; in its notch lies B: 1
    A B B        C and D both cover the empty cell between them, and neither lies in the other's
                 notch: the later one gets the higher depth
    """
    lower: list[list[int]] = [[] for _ in rects]
    for a, b in overlaps(rects):
        inner = owners[common(rects[a], rects[b]).slices]
        if (inner == b).any() or not (inner == a).any():
            lower[b].append(a)
        else:
            lower[a].append(b)
    depths: dict[int, int] = {}
    for start in range(len(rects)):
        _raise(start, lower, depths)
    return [depths[number] for number in range(len(rects))]


def _raise(start: int, lower: Sequence[Sequence[int]], depths: dict[int, int]) -> None:
    """Set the depth of `start` and of the rectangles that it must lie above. Cycles are broken."""
    stack, waiting = [start], set()
    while stack:
        number = stack[-1]
        todo = [under for under in lower[number] if under not in depths and under not in waiting]
        if number not in depths and todo:
            waiting.add(number)
            stack += todo
            continue
        stack.pop()
        waiting.discard(number)
        known = [depths[under] + 1 for under in lower[number] if under in depths]
        depths.setdefault(number, max(known, default=0))


# --- rectangles that overlap or touch, in time linear in their number --------------------------------

_MAX_BUCKETS = 256  # per rectangle


class PlacedLevel(NamedTuple):
    """A level in LDtk's world."""

    rect: Rect
    depth: int


class Neighbour(NamedTuple):
    """Another level, by its index, and its direction."""

    place: int
    direction: str


def overlaps(rects: Sequence[Rect]) -> Iterator[tuple[int, int]]:
    """Yield all pairs that overlap, as ascending indexes, the lower one first."""
    for a, near in enumerate(_near(rects)):
        yield from ((a, b) for b in near if a < b and _overlap(rects[a], rects[b]))


def neighbours_of(levels: Sequence[PlacedLevel]) -> list[list[Neighbour]]:
    """Return for each level its neighbours in LDtk's order, with LDtk's directions.

    First those that overlap: `o` at the same depth, `>` or `<` one depth higher or lower. Then those that
    touch at the same depth: `ne`, `nw`, `se`, `sw` only at a corner, or `n`, `e`, `s`, `w`.
    """
    neighbours = []
    for number, near in enumerate(_near([level.rect for level in levels])):
        own = levels[number]
        over, beside = [], []
        for index in near:
            level = levels[index]
            if _overlap(own.rect, level.rect):
                if abs(own.depth - level.depth) <= 1:
                    over.append(Neighbour(index, _over(own.depth, level.depth)))
            elif own.depth == level.depth and _touch(own.rect, level.rect):
                beside.append(Neighbour(index, _direction(own.rect, level.rect)))
        neighbours.append(over + beside)
    return neighbours


def _near(rects: Sequence[Rect]) -> Iterator[list[int]]:
    """Yield for each rectangle the others that may touch it, ascending.

    Each is put into the buckets that it covers. Buckets are as large as most rectangles; the few rectangles
    that would cover very many are compared with all others.
    """
    side = max(1, sum(rect.width + rect.height for rect in rects) // max(1, 2 * len(rects)))
    buckets: dict[tuple[int, int], list[int]] = defaultdict(list)
    large = []
    for number, rect in enumerate(rects):
        covered = _buckets(rect, side)
        if covered is None:
            large.append(number)
        for bucket in covered or ():
            buckets[bucket].append(number)
    for number, rect in enumerate(rects):
        covered = _buckets(rect, side)
        if covered is None:
            yield [candidate for candidate in range(len(rects)) if candidate != number]
        else:
            near = {candidate for bucket in covered for candidate in buckets[bucket]}
            near.update(large)
            near.discard(number)
            yield sorted(near)


def _buckets(rect: Rect, side: int) -> list[tuple[int, int]] | None:
    """Return the buckets of a rectangle and of its border outside, or None if there are too many."""
    columns = range((rect.x - 1) // side, (rect.right + 1) // side + 1)
    rows = range((rect.y - 1) // side, (rect.bottom + 1) // side + 1)
    if len(columns) * len(rows) > _MAX_BUCKETS:
        return None
    return [(x, y) for y in rows for x in columns]


def _overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _touch(a: Rect, b: Rect) -> bool:
    return a.x <= b.right and b.x <= a.right and a.y <= b.bottom and b.y <= a.bottom


def _over(first: int, second: int) -> str:
    return "o" if first == second else ">" if second > first else "<"


def _direction(first: Rect, second: Rect) -> str:
    """Return the direction from `first` to `second`, which touch, as a corner only if they share no edge."""
    vertical = "s" if second.y >= first.bottom else "n" if second.bottom <= first.y else ""
    horizontal = "e" if second.x >= first.right else "w" if second.right <= first.x else ""
    if vertical and horizontal:
        return vertical + horizontal
    return horizontal or vertical
