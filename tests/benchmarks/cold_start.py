"""From a cold start to a Godot scene, against `python -c "import numpy"`: CPU time of whole processes.

    python tests/benchmarks/cold_start.py            all styles
    python tests/benchmarks/cold_start.py gungeon    some of them

The processes take turns. Modules are compiled beforehand, as installers do, in a folder of this benchmark's own.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence

STYLES = ("isaac", "rebirth", "gungeon")
ROUNDS = 15


def measure(styles: Sequence[str] = STYLES, rounds: int = ROUNDS) -> dict[str, float]:
    """CPU time by name: `numpy` in seconds, and each style as a multiple of it. Medians over some rounds."""
    with tempfile.TemporaryDirectory() as folder:
        commands = {"numpy": ["-c", "import numpy"]}
        for style in styles:
            out = ["--to", "godot", "--out", f"{folder}/levels"]
            commands[style] = ["-m", "generator.cli", "generate", style, *out]
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        for number in range(rounds + 1):
            for name, arguments in commands.items():
                took = cpu_seconds(arguments, f"{folder}/compiled")
                if number:  # the first round compiles the modules
                    seconds[name].append(took)
    numpy = seconds.pop("numpy")
    ratios = {
        style: statistics.median(our / their for our, their in zip(ours, numpy, strict=True))
        for style, ours in seconds.items()
    }
    return {"numpy": statistics.median(numpy), **ratios}


def cpu_seconds(arguments: Sequence[str], compiled: str) -> float:
    """What a Python and all of its processes take of the CPU; `compiled` is a folder for their bytecode."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(styles: Sequence[str]) -> None:
    found = measure(styles)
    print(f"import numpy {found.pop('numpy') * 1000:.0f} ms of CPU time")
    for style, ratio in found.items():
        print(f"{style:8} {ratio:.2f} times that")


if __name__ == "__main__":
    main(sys.argv[1:] or STYLES)
