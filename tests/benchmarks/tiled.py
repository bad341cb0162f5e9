"""Tiles a second into maps of Tiled, and the memory above the level's, for a level of 500 rooms.

python tests/benchmarks/tiled.py [ROOMS]
"""

from __future__ import annotations

import sys
import time
import tracemalloc

import generator
from exporters.base import Job
from exporters.dress import dress
from exporters.formats.tiled import ENCODINGS
from exporters.formats.tiled.write_map import maps
from exporters.theme.loader import load_theme

ROUNDS = 5


def main(rooms: int) -> None:
    level, theme = generator.generate("gungeon", 7, rooms=rooms), load_theme()
    layers = dress(level, theme)
    tiles = level.width * level.height
    print(f"{rooms} rooms, {level.width} x {level.height} = {tiles} tiles, {len(level.markers)} markers")
    for split in ("none", "rooms"):
        for encoding in ENCODINGS:
            job = Job(level, "bench", {"encoding": encoding, "split": split}, lambda: (theme, layers))
            best = min(timed(job) for _ in range(ROUNDS))
            tracemalloc.start()
            files = maps(job)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            size = sum(map(len, files.values()))
            print(
                f"{split:5} {encoding:6} {tiles / best / 1e6:5.2f} million tiles/s, {len(files):4} files of "
                f"{size / 1e6:5.1f} MB, memory {peak / size:.1f} times that"
            )


def timed(job: Job) -> float:
    start = time.process_time()
    maps(job)
    return time.process_time() - start


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
