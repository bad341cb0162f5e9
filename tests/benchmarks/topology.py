"""Topologies of the remake a second, and whole floorplans of the same sizes, on one core.

    python tests/benchmarks/topology.py

At least 1,500 topologies a second of 15 rooms are asked for.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from generator.floorplans.rebirth import topology
from generator.floorplans.rebirth.floorplan import floorplan
from generator.rng import Stream
from generator.spec import RebirthSpec

ROUNDS, FLOORS = 7, 500
SIZES = ((8, 5, False, 1), (15, 6, False, 3), (20, 6, False, 6), (36, 7, True, 5), (50, 8, True, 12))


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


def main() -> None:
    for rooms, dead_ends, xl, stage in SIZES:
        spec = RebirthSpec(stage=stage, rooms=rooms, curse="labyrinth" if xl and stage < 12 else "none")
        grown = rate(lambda seed: topology(seed, rooms, dead_ends, xl=xl))  # noqa: B023  # called here only
        planned = rate(lambda seed: floorplan(spec, seed))  # noqa: B023
        print(f"{rooms} rooms: {grown:,.0f} topologies/s, {planned:,.0f} floorplans/s")


if __name__ == "__main__":
    main()
