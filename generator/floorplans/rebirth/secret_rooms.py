"""Where secret rooms go: cells with many doors round them, weighed with noise (isaac-facts 4.6, 4.7)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from generator.floorplans.rebirth.draft import ACROSS, Draft
from generator.floorplans.rebirth.growth import SIZE
from generator.floorplans.rebirth.templates import WAYS
from generator.geometry import Point
from generator.rng import Stream

_SHUN = frozenset({"boss", "secret", "super_secret"})  # nobody's neighbours
_ALL = frozenset((x, y) for y in range(SIZE) for x in range(SIZE))
_WEIGHT, _NOISE = 10, 5
_LESS = (0, 6, 3, 0)  # by the number of neighbours, three or more
_NEVER = -100  # a neighbour that rules a cell out, whatever the others are
# The cells two steps away, and the ways to the gaps between.
_GAPS = tuple(
    ((dx, dy), tuple(side for side in WAYS if dx * side.dx + dy * side.dy > 0)) for dx, dy in ACROSS
)
_NO_START_STAGE = 11  # there not even the start is a secret room's neighbour


def forbidden_cells(draft: Draft, stage: int, shun: Collection[str] = _SHUN) -> set[Point]:
    """Cells where no secret room may be: beside boss and secret rooms, and late in the game the start."""
    kinds = {*shun, "start"} if stage == _NO_START_STAGE else shun
    return {
        (x + side.dx, y + side.dy)
        for room in draft.rooms
        if room.kind in kinds
        for x, y in room.cells()
        for side in WAYS
    }


def find_secret_cell(draft: Draft, stage: int, stream: Stream) -> Point | None:
    """The cell for a secret room: the best, or one of the best; None if there is no place.

    A cell weighs 10 and 0 to 4 more, 3 less with two neighbours, 6 less with one. Each neighbour must have
    doors on that side. A word a cell of the grid, and one more.
    """
    neighbours = _neighbours(draft)
    for cell in forbidden_cells(draft, stage):
        neighbours.pop(cell, None)
    return _best(neighbours, stream)


def find_ultra_secret_cell(draft: Draft, stage: int, stream: Stream) -> Point | None:
    """The cell for an ultra secret room, which touches no room but has some two steps away.

    All of those must face the gap between with a side that has doors, and the gap must be no cell where
    secret rooms may not be, or beside a curse room. Weighed as secret rooms are, by those rooms.
    """
    taken = forbidden_cells(draft, stage, _SHUN | {"curse"}) | draft.blocked
    return _best(_rooms_across(draft, taken), stream)


def _neighbours(draft: Draft) -> dict[Point, int]:
    """The free cells beside rooms and how many there are; below 0 where one has no doors on that side."""
    free = _ALL.difference(draft.owners, draft.blocked)
    found: dict[Point, int] = {}
    for room in draft.rooms:
        doors = room.shape.sides
        for x, y in room.cells():
            for side in WAYS:
                cell = (x + side.dx, y + side.dy)
                if cell in free:
                    found[cell] = found.get(cell, 0) + (1 if side in doors else _NEVER)
    return found


def _rooms_across(draft: Draft, taken: Collection[Point]) -> dict[Point, int]:
    """The free cells that touch no room and how many are two steps away; below 0 where a gap is closed.

    Closed is a gap that is taken, or that a room turns a side without doors to.
    """
    free = _ALL.difference(draft.owners, draft.blocked, _neighbours(draft))
    found: dict[Point, int] = {}
    for room in draft.rooms:
        doors = room.shape.sides
        for x, y in room.cells():
            for (dx, dy), ways in _GAPS:
                cell = (x + dx, y + dy)
                if cell in free:
                    is_open = all(side in doors and (x + side.dx, y + side.dy) not in taken for side in ways)
                    found[cell] = found.get(cell, 0) + (1 if is_open else _NEVER)
    return found


def _best(neighbours: Mapping[Point, int], stream: Stream) -> Point | None:
    """One of the heaviest cells by their number of neighbours; a word a cell of the grid, and one more."""
    noise = stream.below_block(_NOISE, SIZE * SIZE).tolist()
    weights = {
        (x, y): _WEIGHT + noise[y * SIZE + x] - _LESS[min(count, 3)]
        for (x, y), count in neighbours.items()
        if count > 0
    }
    most = max(weights.values(), default=0)
    best = sorted((y, x) for (x, y), weight in weights.items() if weight == most)
    place = stream.below(max(1, len(best)))
    return (best[place][1], best[place][0]) if best else None
