"""`undercroft generate isaac --to godot` from a cold start, against `python -c "import numpy"`.

python tests/benchmarks/cold_start.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 15


def seconds(*args: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        ours = ("-m", "generator.cli", "generate", "isaac", "--to", "godot", "--out", folder)
        for number in range(ROUNDS + 1):
            pair = seconds("-c", "import numpy"), seconds(*ours)
            if number:  # the first round warms the disk's cache
                pairs.append(pair)
    numpy, undercroft = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(our / their for their, our in pairs)
    print(f"import numpy {numpy * 1000:.0f} ms, undercroft {undercroft * 1000:.0f} ms, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
