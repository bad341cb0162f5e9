"""Whole levels a second of both styles on a grid, alone and with their exports, and the memory they take.

python tests/benchmarks/levels.py
"""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator

import exporters
import generator

ROUNDS, LEVELS = 7, 100


def rate(make: Callable[[int], object]) -> float:
    """How often a second of the processor's time `make` runs, each time with another seed: the middle round."""
    make(10_000)  # pools, theme and tables are loaded
    rates = []
    for number in range(ROUNDS):
        start = time.process_time()
        for seed in range(1, LEVELS + 1):
            make(number * LEVELS + seed)
        rates.append(LEVELS / (time.process_time() - start))
    return statistics.median(rates)


def level(seed: int) -> generator.Level:
    return generator.generate("isaac", seed, rooms=15)


def table() -> Iterator[tuple[str, float]]:
    """What is made, and how often a second: levels of both styles, as they come and with 15 rooms."""
    for style in ("isaac", "rebirth"):
        yield style, rate(lambda seed, style=style: generator.generate(style, seed))  # type: ignore[misc]
        yield (
            f"{style}, 15 rooms",
            rate(
                lambda seed, style=style: generator.generate(style, seed, rooms=15)  # type: ignore[misc]
            ),
        )


def main() -> None:
    for what, found in table():
        print(f"{what:19}{found:7.0f}/s")
    for form in exporters.format_names():
        both = rate(lambda seed, form=form: exporters.export(level(seed), [form]))  # type: ignore[misc]
        print(f"level and {form:6}   {both:7.0f}/s")
    tracemalloc.start()
    exporters.export(level(1), ["godot"])
    most = tracemalloc.get_traced_memory()[1] / 1e6
    print(f"memory of a level with its Godot export: {most:.1f} MB at most")


if __name__ == "__main__":
    main()
