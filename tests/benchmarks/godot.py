"""Godot scenes: tiles a second, milliseconds for a level of 15 rooms, and growth; memory of exports by format.

python tests/benchmarks/godot.py                 CPU time, levels in memory, themes loaded
python tests/benchmarks/godot.py memory          the most memory that a process takes, by format
python tests/benchmarks/godot.py growth          from 500 to 10,000 rooms
"""

from __future__ import annotations

import subprocess
import sys
import time

import generator
from exporters.base import Job
from exporters.dress import dressed
from exporters.formats.godot.write_scene import scenes
from exporters.registry import exporter, format_names, options_of
from exporters.theme.loader import load_theme
from generator.level import Level

ROUNDS = 5
LARGE = 500  # rooms
GROWTH = (500, 2500, 10_000)
_EXPORT = """
import resource, sys, generator, exporters
level = generator.generate("gungeon", 7, rooms=int(sys.argv[1]))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
bundle = exporters.export(level, sys.argv[2])
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(after / 1024, (after - before) / 1024)
"""


def measure() -> dict[str, float]:
    """`tiles_per_second` at 500 rooms, and milliseconds for a level of 15 rooms by style; CPU time."""
    large = generator.generate("gungeon", 7, rooms=LARGE)
    found = {"tiles_per_second": large.width * large.height / seconds(large)}
    small = {"isaac": {}, "rebirth": {}, "gungeon": {"rooms": 15}}
    for style, values in small.items():
        found[style] = seconds(generator.generate(style, 7, **values), 4 * ROUNDS) * 1000
    return found


def measure_memory(rooms: int = LARGE) -> dict[str, tuple[float, float]]:
    """By format, MB: the most memory of a process that makes and exports a level, and what the export added."""
    return {name: _memory(rooms, name) for name in format_names()}


def _memory(rooms: int, name: str) -> tuple[float, float]:
    arguments = [sys.executable, "-c", _EXPORT, str(rooms), name]
    printed = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    most, added = map(float, printed.split())
    return most, added


def seconds(level: Level, rounds: int = ROUNDS) -> float:
    """The least CPU time that the scenes of a level take."""
    dressed_level = dressed(level, load_theme(None, level.kinds))
    godot = exporter("godot")
    job = Job(level, "bench", options_of([godot], {})["godot"], lambda: dressed_level)
    times = []
    for _ in range(rounds):
        start = time.process_time()
        scenes(job)
        times.append(time.process_time() - start)
    return min(times)


def main(what: str) -> None:
    if what == "memory":
        for name, (most, added) in measure_memory().items():
            print(f"{name:6} {most:5.0f} MB at most, {added:5.0f} MB more than the level's own")
    elif what == "growth":
        for rooms in GROWTH:
            level = generator.generate("gungeon", 7, rooms=rooms)
            tiles = level.width * level.height
            _, added = _memory(rooms, "godot")
            print(f"{rooms:6} rooms {tiles / seconds(level, 1) / 1e6:.2f} million tiles/s, {added:.0f} MB")
    else:
        for name, figure in measure().items():
            print(f"{name:16} {figure:,.1f}")


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
