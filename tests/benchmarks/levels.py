"""Whole levels of 15 rooms a second, alone and with their exports, and the memory they take.

python tests/benchmarks/levels.py
"""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable

import exporters
import generator

ROUNDS, LEVELS = 7, 20


def rate(make: Callable[[int], object]) -> float:
    """Median over rounds of how often a second `make` runs, each time with another seed."""
    make(10_000)  # pools, theme and tables are loaded
    rates = []
    for number in range(ROUNDS):
        start = time.perf_counter()
        for seed in range(LEVELS):
            make(number * LEVELS + seed)
        rates.append(LEVELS / (time.perf_counter() - start))
    return statistics.median(rates)


def level(seed: int) -> generator.Level:
    return generator.generate("isaac", seed, rooms=15)


def main() -> None:
    print(f"level:             {rate(level):7.0f}/s")
    for form in exporters.format_names():
        both = rate(lambda seed, form=form: exporters.export(level(seed), [form]))  # type: ignore[misc]
        print(f"level and {form:6}   {both:7.0f}/s")
    tracemalloc.start()
    exporters.export(level(1), ["godot"])
    most = tracemalloc.get_traced_memory()[1] / 1e6
    print(f"memory of a level with its Godot export: {most:.1f} MB at most")


if __name__ == "__main__":
    main()
