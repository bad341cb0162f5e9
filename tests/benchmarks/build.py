"""`undercroft build`: a second build of 1,000 levels, two jobs against one, and the parent's memory.

python tests/benchmarks/build.py                  about three minutes
python tests/benchmarks/build.py memory 100000    the memory alone, over so many levels
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

UNCHANGED, ROUNDS = 1000, 7
LEVELS = 500


def build(folder: Path, *words: str) -> tuple[float, float, dict[str, int]]:
    """Seconds, the most memory of the process itself in MB, and what became of the levels."""
    command = [sys.executable, "-m", "generator.cli", "build", str(folder), "--json", *words]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        last = "{}"
        assert process.stdout
        for line in process.stdout:
            last = line
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    assert process.returncode == 0
    counts: dict[str, int] = json.loads(last)["groups"]["levels"]
    return seconds, usage.ru_maxrss / 1024, counts


def manifest(folder: Path, levels: int, formats: str) -> None:
    text = f"formats = {formats}\n[group.levels]\nspec = 'isaac'\nseeds = '0:{levels}'\n"
    (folder / "undercroft.toml").write_text(text, "utf-8")


def unchanged(folder: Path) -> None:
    manifest(folder, UNCHANGED, '["json", "godot", "tiled", "ldtk", "png"]')
    build(folder)
    seconds = []
    for _ in range(ROUNDS):
        took, _, counts = build(folder)
        assert counts == {"unchanged": UNCHANGED}, counts
        seconds.append(took)
    print(f"{UNCHANGED} unchanged levels in five formats: {statistics.median(seconds):.2f} s, none generated")


def jobs(folder: Path) -> None:
    for formats in ('["json", "godot", "tiled", "ldtk", "png"]', '["godot"]'):
        manifest(folder, LEVELS, formats)
        seconds = {}
        for number in ("1", "2"):
            took = [
                build(folder, "--force", "--jobs", number, "--out", str(folder / number))[0] for _ in range(3)
            ]
            seconds[number] = statistics.median(took)
        one, two = seconds["1"], seconds["2"]
        print(
            f"{LEVELS} levels as {formats}: {one:.1f} s with a job, {two:.1f} s with two, {one / two:.2f} times"
        )


def memory(folder: Path, most: int) -> None:
    for levels in (most // 10, most):
        manifest(folder, levels, '["json"]')
        out = ("--out", str(folder / str(levels)), "--jobs", "2")
        for when in ("first", "second"):
            seconds, megabytes, _ = build(folder, *out)
            print(
                f"{levels} levels, {when} build: {seconds:.0f} s, the parent takes {megabytes:.0f} MB at most"
            )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1:2] == ["memory"]:
            memory(Path(folder), int(sys.argv[2]))
            return
        jobs(Path(folder))
        unchanged(Path(folder))
        memory(Path(folder), 10_000)


if __name__ == "__main__":
    main()
