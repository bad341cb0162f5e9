"""Floorplans a second and core, against a plain Python port of the article's demo in the same run.

    python tests/benchmarks/floorplans.py

The peer does less: four special rooms, no doors, no distances, no table of chances. CPU time, in turns.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import demo_port

from generator import floorplans
from generator.styles.isaac.floorplan import floorplan
from generator.styles.isaac.spec import IsaacSpec

ROUNDS, PLANS, BULK = 7, 1000, 50_000


def rates(rooms: int = 15, rounds: int = ROUNDS) -> dict[str, float]:
    """The median of floorplans a second, by what made them."""
    spec, chance = IsaacSpec(rooms=rooms), random.Random(1)
    works: dict[str, tuple[int, Callable[[], object]]] = {
        "demo port": (PLANS, lambda: [demo_port.floorplan(rooms, chance) for _ in range(PLANS)]),
        "ours": (PLANS, lambda: [floorplan(spec, seed) for seed in range(PLANS)]),
        "ours with doors": (PLANS, lambda: [floorplan(spec, seed).doors for seed in range(PLANS)]),
        "ours in bulk": (BULK, lambda: floorplans(spec, range(BULK))),
        "ours in bulk with doors": (BULK, lambda: floorplans(spec, range(BULK)).doors),
    }
    found: dict[str, list[float]] = {name: [] for name in works}
    floorplans(spec, range(BULK))  # kernels are compiled and loaded
    for _ in range(rounds):
        for name, (number, work) in works.items():
            start = time.process_time()
            work()
            found[name].append(number / (time.process_time() - start))
    return {name: statistics.median(each) for name, each in found.items()}


def main() -> None:
    for rooms in (10, 15, 20):
        told = rates(rooms)
        peer = told["demo port"]
        for name, rate in told.items():
            print(f"{rooms} rooms, {name:24}{rate:10,.0f}/s {rate / peer:6.2f} of the demo port")


if __name__ == "__main__":
    main()
