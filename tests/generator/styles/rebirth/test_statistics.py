"""What many floors look like, against the shares that others counted on 3,000 seeds of the same rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import mean, stdev
from typing import NamedTuple

import pytest

from generator.rng import Stream
from generator.styles.rebirth import Topology, topology

from .oracle import NAMES, SHAPES, WAYS, cells_of, plus

SEEDS, THEIR_SEEDS = 2000, 3000
SIGMAS = 4.5  # both samples are random; the seeds are fixed


class Column(NamedTuple):
    """A column of the reference: means, and shares in percent."""

    target: int
    ends_required: int
    xl: bool
    rooms: float
    cells: float
    ends: float
    forced: float
    loops: float
    with_loop: float
    shapes: tuple[float, ...]  # 1x1; 2x2; 2x1 and 1x2; four L's; narrow ones
    start_degrees: tuple[float, ...]  # 2, 3, 4
    boss_mode: tuple[int, ...]


COLUMNS = (
    Column(8, 5, False, 10.19, 12.89, 5.00, 68.6, 0.37, 27, (83.7, 3.3, 4.2, 5.5, 3.4), (21, 66, 13), (4,)),
    Column(15, 6, False, 16.25, 20.98, 6.58, 17.6, 0.82, 46, (81.9, 3.6, 4.7, 6.0, 3.8), (39, 57, 5), (6, 7)),
    Column(20, 6, False, 21.01, 26.86, 8.18, 0.5, 1.10, 55, (82.7, 3.5, 4.6, 5.5, 3.7), (1, 26, 73), (7, 8)),
    Column(36, 7, True, 37.05, 46.74, 10.33, 2.7, 5.8, 98.5, (83.6, 3.1, 4.5, 5.4, 3.4), (0.5, 20, 79), (9, 10)),
)  # fmt: skip


GROUPS = ({"1x1"}, {"2x2"}, {"2x1", "1x2"}, {"LTL", "LTR", "LBL", "LBR"}, {"IH", "IV", "IIH", "IIV"})


class Floor(NamedTuple):
    """What is counted of a floor; `loops` are ways between rooms beyond those of a tree."""

    rooms: int
    cells: int
    ends: int
    forced: bool
    loops: int
    with_loop: bool
    start_degree: int
    boss_distance: int
    shapes: tuple[int, ...]  # by group


def joined(grown: Topology) -> set[tuple[int, int]]:
    """The pairs of rooms that a door joins, before secret rooms: where slots of both meet."""
    owners = {
        cell: number for number, (x, y, shape) in enumerate(grown.rooms) for cell in cells_of(shape, (x, y))
    }
    faced = set()
    for number, (x, y, shape) in enumerate(grown.rooms):
        for slot, target in SHAPES[shape][1].items():
            there = plus((x, y), target)
            faced.add((number, plus(there, WAYS[slot % 4], -1), there))
    pairs = {
        (number, owners.get(there, -1))
        for number, here, there in faced
        if (owners.get(there), there, here) in faced
    }
    return {pair for pair in pairs if pair[0] < pair[1]}


def floor(grown: Topology, target: int) -> Floor:
    pairs, number = joined(grown), len(grown.rooms)
    names = [NAMES[shape] for _, _, shape in grown.rooms]
    return Floor(
        rooms=number,
        cells=sum(len(SHAPES[shape][0]) for _, _, shape in grown.rooms),
        ends=len(grown.dead_ends),
        forced=number > target + 1,
        loops=len(pairs) - number + 1,
        with_loop=len(pairs) >= number,
        start_degree=sum(0 in pair for pair in pairs),
        boss_distance=grown.distances[grown.dead_ends[0]],
        shapes=tuple(sum(name in group for name in names) for group in GROUPS),
    )


def assert_near(values: Sequence[float], expected: float, rounding: float) -> None:
    """A mean is the reference's: each is of a sample, and the reference is rounded."""
    error = stdev(values) * (1 / len(values) + 1 / THEIR_SEEDS) ** 0.5
    assert abs(mean(values) - expected) <= SIGMAS * error + rounding, (mean(values), expected, error)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: f"{column.target} rooms")
def test_floors_are_those_of_the_reference(column: Column) -> None:
    stream = Stream(1, "statistics", column.target)
    seeds = [1 + stream.below(2**32 - 1) for _ in range(SEEDS)]
    floors = [
        floor(topology(seed, column.target, column.ends_required, xl=column.xl), column.target)
        for seed in seeds
    ]
    assert_near([one.rooms for one in floors], column.rooms, 0.005)
    assert_near([one.cells for one in floors], column.cells, 0.005)
    assert_near([one.ends for one in floors], column.ends, 0.005)
    assert_near([100 * one.forced for one in floors], column.forced, 0.05)
    assert_near([one.loops for one in floors], column.loops, 0.05)
    assert_near([100 * one.with_loop for one in floors], column.with_loop, 0.5)
    for group, share in enumerate(column.shapes):  # of all rooms, so that a floor counts by its size
        rooms = mean([one.rooms for one in floors])
        assert_near([100 * one.shapes[group] / rooms for one in floors], share, 0.1)
    for degree, share in zip((2, 3, 4), column.start_degrees, strict=True):
        assert_near([100 * (one.start_degree == degree) for one in floors], share, 0.5)
    assert Counter(one.boss_distance for one in floors).most_common(1)[0][0] in column.boss_mode
