"""Milliseconds for a level of 15 rooms by format, and tiles a second for one of 500 rooms; CPU time, warm.

python tests/benchmarks/exports.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import exporters
import generator
from exporters.registry import format_names
from generator.level import Level

ROUNDS = 5


def measure() -> dict[str, float]:
    """`NAME ms` for the small level, `NAME tiles/s` for the large one, by format; `all ms` for five at once."""
    small = generator.generate("isaac", 3, stage=3)
    large = generator.generate("gungeon", 7, rooms=500)
    found = {f"{name} ms": 1000 * seconds(small, [name]) for name in format_names()}
    found["all ms"] = 1000 * seconds(small, list(format_names()))
    tiles = large.width * large.height
    found |= {f"{name} tiles/s": tiles / seconds(large, [name]) for name in format_names()}
    return found


def seconds(level: Level, formats: list[str]) -> float:
    """The least CPU time of one core that an export takes when what belongs to the theme is made already."""
    exporters.export(level, formats)
    return min(timed(lambda: exporters.export(level, formats)) for _ in range(ROUNDS))


def timed(work: Callable[[], object]) -> float:
    """Seconds of CPU time."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    for name, value in measure().items():
        print(f"{name:14} {value:12,.1f}")


if __name__ == "__main__":
    main()
