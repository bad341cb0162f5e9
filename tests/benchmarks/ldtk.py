"""Tiles a second into an LDtk project, and memory above the level's against the largest file.

python tests/benchmarks/ldtk.py
"""

from __future__ import annotations

import time
import tracemalloc

import exporters
import generator


def main() -> None:
    for rooms in (250, 500, 1000):
        level = generator.generate("gungeon", 7, rooms=rooms)
        tiles = level.width * level.height
        for levels in ("one", "rooms"):
            options = {"ldtk.levels": levels}
            exporters.export(generator.generate("gungeon", 7, rooms=3), "ldtk", options)  # all is loaded
            start = time.process_time()
            bundle = exporters.export(level, "ldtk", options)
            seconds = time.process_time() - start
            largest = max(map(len, bundle.values()))
            del bundle
            tracemalloc.start()
            exporters.export(level, "ldtk", options)
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            print(
                f"{rooms:5} rooms, levels={levels:5} {tiles / seconds:9,.0f} tiles/s, "
                f"{largest / 1e6:5.1f} MB, memory {most / largest:.1f} times that"
            )


if __name__ == "__main__":
    main()
