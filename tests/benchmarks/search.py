"""Seeds searched a second on one core, by a fact of the floorplan, against making the floorplans alone.

python tests/benchmarks/search.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import generator
from generator.batch.search import Query, search_block

ROUNDS, SEEDS = 5, 2000
WHERE = 'rooms.boss.distance >= 9 and count("secret") == 1'


def seconds(work: Callable[[range], object], number: int) -> float:
    start = time.perf_counter()
    work(range(number * SEEDS, (number + 1) * SEEDS))
    return time.perf_counter() - start


def main() -> None:
    for stage in (1, 3):
        spec = generator.IsaacSpec(stage=stage)
        query = Query(spec, WHERE)

        def plans(seeds: range, spec: generator.IsaacSpec = spec) -> None:
            for seed in seeds:
                generator.generate(spec, seed, until="floorplan")

        def search(seeds: range, query: Query = query) -> None:
            search_block((query, seeds))

        rates = {
            name: SEEDS / statistics.median(seconds(work, number) for number in range(ROUNDS))
            for name, work in (("floorplans", plans), ("search", search))
        }
        ratio = rates["search"] / rates["floorplans"]
        print(
            f"stage {stage}: {rates['search']:6.0f} seeds/s, {ratio:.2f} of the floorplans' own {rates['floorplans']:.0f}/s"
        )


if __name__ == "__main__":
    main()
