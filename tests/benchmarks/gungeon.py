"""Levels of the `gungeon` style a second, each stage's time, growth, memory, and a plain baseline.

python tests/benchmarks/gungeon.py
"""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import heap_port
import numpy as np

import generator
from generator.interiors.interior import FurnishedRoom
from generator.kinds import DOOR, FLOOR, WALL
from generator.styles.gungeon import floorplan as stages
from generator.styles.gungeon.assemble import assemble_heap, sites_of
from generator.styles.gungeon.furnishing.furnishers import furnish_sites
from generator.styles.gungeon.furnishing.site import Site, paint
from generator.styles.gungeon.spec import GungeonSpec

ROUNDS = 5
SIZES = {18: 20, 50: 10, 500: 2, 5000: 1}  # rooms, and levels a round
STAGES = (
    "scatter",
    "separate_rooms",
    "connect",
    "route",
    "finished_plan",
)  # of the floorplan; connect triangulates too


def seconds(make: Callable[[int], object], levels: int) -> float:
    """Median over rounds of the time that one level takes, each with another seed."""
    make(10_000)
    times = []
    for number in range(ROUNDS):
        start = time.process_time()
        for seed in range(levels):
            make(number * levels + seed)
        times.append((time.process_time() - start) / levels)
    return statistics.median(times)


def all_but_furnishing(rooms: int, levels: int) -> Callable[[int], object]:
    """A level from its floorplan to its last tile, with bare rooms that were made before."""
    spec = GungeonSpec(rooms=rooms)
    insides = {
        seed: [bare(site) for site in sites_of(stages.floorplan(spec, seed))]
        for seed in [10_000, *range(ROUNDS * levels)]
    }
    return lambda seed: assemble_heap(spec, seed, None, stages.floorplan(spec, seed), insides[seed])


def bare(site: Site) -> FurnishedRoom:
    """Walls, floor and doors."""
    terrain = paint(site, ((WALL, site.ring), (FLOOR, site.inside), (DOOR, site.doors)))
    return FurnishedRoom("bare", 0, terrain, np.zeros_like(terrain), ())


def timed_stages(rooms: int, levels: int) -> dict[str, float]:
    """Milliseconds a level that each stage takes."""
    spent = dict.fromkeys([*STAGES, "furnish", "carve"], 0.0)

    def timed(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: object, **more: object) -> object:
            start = time.process_time()
            try:
                return work(*args, **more)
            finally:
                spent[name] += (time.process_time() - start) * 1000 / levels

        return run

    kept = {name: getattr(stages, name) for name in STAGES}
    for name, work in kept.items():
        setattr(stages, name, timed(name, work))
    spec = GungeonSpec(rooms=rooms)
    for seed in range(levels):
        plan = stages.floorplan(spec, seed)
        insides = timed("furnish", furnish_sites)(spec, sites_of(plan), seed)
        timed("carve", assemble_heap)(spec, seed, None, plan, insides)
    for name, work in kept.items():
        setattr(stages, name, work)
    return spent


def main() -> None:
    furnished: dict[int, float] = {}
    for rooms, levels in SIZES.items():
        floorplan = seconds(lambda seed, n=rooms: stages.floorplan(GungeonSpec(rooms=n), seed), levels)  # type: ignore[misc]
        bare = seconds(all_but_furnishing(rooms, levels), levels)
        furnished[rooms] = seconds(lambda seed, n=rooms: generator.generate("gungeon", seed, rooms=n), levels)  # type: ignore[misc]
        print(
            f"{rooms:5} rooms: floorplan {1 / floorplan:7.2f}/s, all but furnishing {1 / bare:7.2f}/s, "
            f"whole level {1 / furnished[rooms]:7.2f}/s"
        )
        parts = timed_stages(rooms, levels * 3).items()
        print("             ms: " + ", ".join(f"{name.strip('_')} {spent:.2f}" for name, spent in parts))
        if rooms <= 50:
            port = seconds(lambda seed, n=rooms: heap_port.dungeon(n, seed), levels)  # type: ignore[misc]
            print(
                f"             plain port {1 / port:.2f}/s; our floorplan is {port / floorplan:.1f} times as fast"
            )
    growth = math.log10(furnished[5000] / furnished[500])
    print(f"from 500 to 5,000 rooms the time grows as n^{growth:.2f}")
    code = "import generator, resource; generator.generate('gungeon', 1, rooms=5000); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    most = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    print(f"a process that makes a level of 5,000 rooms takes {int(most.stdout) / 1024:.0f} MiB at most")


if __name__ == "__main__":
    main()
