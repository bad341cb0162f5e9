"""Where secret rooms go: cells with many doors round them, weighed with noise (isaac-facts 4.6, 4.7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from generator.floorplans.rebirth.draft import ACROSS, Draft
from generator.floorplans.rebirth.growth import SIZE
from generator.floorplans.rebirth.templates import WAYS
from generator.geometry import Point
from generator.rng import Stream

_SHUN = frozenset({"boss", "secret", "super_secret"})  # nobody's neighbours
_GRID = [(x, y) for y in range(SIZE) for x in range(SIZE)]
_WEIGHT, _NOISE = 10, 5
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
    forbidden = forbidden_cells(draft, stage)
    noise = stream.below_block(_NOISE, len(_GRID)).tolist()
    weights = {}
    for cell, more in zip(_GRID, noise, strict=True):
        if not draft.is_free(cell) or cell in forbidden:
            continue
        neighbours = list(draft.beside(cell))
        if neighbours and all(draft.offers_door(room, side.opposite) for side, room in neighbours):
            weights[cell] = _WEIGHT + more - 3 * (len(neighbours) < 3) - 3 * (len(neighbours) < 2)
    return _best(weights, stream)


def find_ultra_secret_cell(draft: Draft, stage: int, stream: Stream) -> Point | None:
    """The cell for an ultra secret room, which touches no room but has some two steps away.

    All of those must face the gap between with a side that has doors, and the gap must be no cell where
    secret rooms may not be, or beside a curse room. Weighed as secret rooms are, by those rooms.
    """
    forbidden = forbidden_cells(draft, stage, _SHUN | {"curse"})
    noise = stream.below_block(_NOISE, len(_GRID)).tolist()
    weights = {}
    for cell, more in zip(_GRID, noise, strict=True):
        if not draft.is_free(cell) or any(draft.beside(cell)):
            continue
        across = list(_faced(draft, cell, forbidden))
        if across and all(across):
            weights[cell] = _WEIGHT + more - 3 * (len(across) < 3) - 3 * (len(across) < 2)
    return _best(weights, stream)


def _faced(draft: Draft, cell: Point, forbidden: Collection[Point]) -> Iterator[bool]:
    """For each room two steps from a cell, whether it has doors to all cells between."""
    x, y = cell
    for dx, dy in ACROSS:
        room = draft.owners.get((x + dx, y + dy))
        if room is not None:
            yield all(
                draft.offers_door(room, side) and between not in forbidden and between not in draft.blocked
                for side in WAYS
                if abs((between := (x + dx + side.dx, y + dy + side.dy))[0] - x) + abs(between[1] - y) == 1
            )


def _best(weights: dict[Point, int], stream: Stream) -> Point | None:
    """One of the heaviest; a word whether there are any or not."""
    most = max(weights.values(), default=0)
    best = [cell for cell, weight in weights.items() if weight == most]
    place = stream.below(max(1, len(best)))
    return best[place] if best else None
