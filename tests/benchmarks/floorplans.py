"""Floorplans a second, against a plain Python port of the article's demo in the same run.

    python tests/benchmarks/floorplans.py

The peer does less: four special rooms, no doors, no distances, no table of chances.
"""

from __future__ import annotations

import random
import statistics
import time

import demo_port

from generator.floorplans.isaac import floorplan
from generator.spec import IsaacSpec

ROUNDS, PLANS = 7, 2000


def main() -> None:
    for rooms in (10, 15, 20):
        spec = IsaacSpec(rooms=rooms)
        chance = random.Random(1)
        rates: list[tuple[float, float]] = []
        for _ in range(ROUNDS):  # in turns, so that both see the machine's moods
            start = time.perf_counter()
            for _ in range(PLANS):
                demo_port.floorplan(rooms, chance)
            middle = time.perf_counter()
            for seed in range(PLANS):
                floorplan(spec, seed)
            end = time.perf_counter()
            rates.append((PLANS / (middle - start), PLANS / (end - middle)))
        theirs, ours = (statistics.median(column) for column in zip(*rates, strict=True))
        ratio = statistics.median(our / their for their, our in rates)
        print(f"{rooms} rooms: demo port {theirs:,.0f}/s, ours {ours:,.0f}/s, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
