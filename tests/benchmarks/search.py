"""Seeds searched a second on one core, by a fact of the floorplan, against making the floorplans alone.

python tests/benchmarks/search.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import generator
from generator.batch.search import Query, search_block

ROUNDS, SEEDS, ALONE = 5, 20_000, 1000
WHERE = 'rooms.boss.distance >= 9 and count("secret") == 1'


def rate(work: Callable[[range], object], seeds: int) -> float:
    """The median of seeds a second and core."""
    work(range(seeds))  # kernels are compiled and loaded
    found = []
    for number in range(1, ROUNDS + 1):
        start = time.process_time()
        work(range(number * seeds, (number + 1) * seeds))
        found.append(seeds / (time.process_time() - start))
    return statistics.median(found)


def rates(stage: int) -> dict[str, float]:
    """Seeds a second: of a search, and of making the floorplans one at a time."""
    spec = generator.IsaacSpec(stage=stage)

    def plans(seeds: range) -> None:
        for seed in seeds:
            generator.generate(spec, seed, until="floorplan")

    return {
        "search": rate(lambda seeds: search_block((Query(spec, WHERE), seeds)), SEEDS),
        "floorplans": rate(plans, ALONE),
    }


def main() -> None:
    for stage in (1, 3):
        told = rates(stage)
        print(
            f"stage {stage}: {told['search']:,.0f} seeds/s; floorplans one at a time {told['floorplans']:,.0f}/s"
        )


if __name__ == "__main__":
    main()
