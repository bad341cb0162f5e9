"""Topologies of the remake a second, and whole floorplans of the same sizes, on one core.

    python tests/benchmarks/topology.py

One by one, and 20,000 at once: compiled if numba is installed, which takes its time the first time. At least
1,500 topologies of 15 rooms a second are asked for one by one, and 52,000 at once, twice as many as the port
in C# makes (26,200); of whole floorplans 30,000 at once.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from generator.batch.many_seeds import floorplans
from generator.compiled.loader import bulk
from generator.rng import Stream
from generator.styles.rebirth import growth_kernel, topology
from generator.styles.rebirth.board import new_floor
from generator.styles.rebirth.floorplan import floorplan
from generator.styles.rebirth.growth import ALL_SHAPES, MAX_TRIES
from generator.styles.rebirth.spec import RebirthSpec

ROUNDS, FLOORS, MANY = 7, 500, 20_000
SIZES = ((8, 5, False, 1), (15, 6, False, 3), (20, 6, False, 6), (36, 7, True, 5), (50, 8, True, 12))


class Rates(NamedTuple):
    """Floors per second of processor time, for floors with this many rooms."""

    rooms: int
    topologies: float
    topologies_at_once: float
    floorplans: float
    floorplans_at_once: float


def rate(make: Callable[[int], object]) -> float:
    """Calls a second of the processor's time, with one seed after another; the middle of some rounds."""
    rates = []
    for number in range(ROUNDS):
        stream = Stream(number, "benchmark")
        seeds = [1 + stream.below(2**32 - 1) for _ in range(FLOORS)]
        start = time.process_time()
        for seed in seeds:
            make(seed)
        rates.append(FLOORS / (time.process_time() - start))
    return statistics.median(rates)


def rate_at_once(make: Callable[[list[int]], object]) -> float:
    """Seeds a second of the processor's time, of many in one call; the middle of some rounds."""
    rates = []
    for number in range(-1, ROUNDS):
        stream = Stream(number & 0xFF, "benchmark")
        seeds = [1 + stream.below(2**32 - 1) for _ in range(MANY)]
        start = time.process_time()
        make(seeds)
        rates.append(MANY / (time.process_time() - start))
    return statistics.median(rates[1:])  # the first time it may be compiled


def table() -> Iterator[Rates]:
    """The rates of each size."""
    kernel, floor = bulk(growth_kernel, "rebirth", pays=True), new_floor()
    for rooms, ends, xl, stage in SIZES:
        spec = RebirthSpec(stage=stage, rooms=rooms, curse="labyrinth" if xl and stage < 12 else "none")

        def grow(seeds: list[int], rooms: int = rooms, ends: int = ends, xl: bool = xl) -> None:
            for seed in seeds:
                kernel.grow_floor(floor, seed, rooms, ends, ALL_SHAPES, xl, True, 0, MAX_TRIES)

        yield Rates(
            rooms,
            rate(lambda seed: topology(seed, rooms, ends, xl=xl)),  # noqa: B023  # called here only
            rate_at_once(grow),
            rate(lambda seed: floorplan(spec, seed)),  # noqa: B023
            rate_at_once(lambda seeds: floorplans(spec, seeds)),  # noqa: B023
        )


def main() -> None:
    for row in table():
        print(
            f"{row.rooms} rooms: {row.topologies:,.0f} topologies/s, {row.topologies_at_once:,.0f} at once; "
            f"{row.floorplans:,.0f} floorplans/s, {row.floorplans_at_once:,.0f} at once"
        )


if __name__ == "__main__":
    main()
