"""Draws a run of `gungeon`: writes `docs/pictures/run-gungeon.png`, or prints what many runs are like.

    python docs/art/run_gungeon.py          the picture
    python docs/art/run_gungeon.py 60       the table of difficulties in docs/runs.md, of so many runs

The levels are what the exporter `png` writes, side by side at a sixth of their size.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image

import exporters
from generator import Level, run

PICTURE = Path(__file__).resolve().parents[1] / "pictures" / "run-gungeon.png"
SEED = 11
SMALLER, GAP, COLUMNS = 6, 10, 3
BACKGROUND = "#0d0b14"
COLOURS = 128


def floors() -> Iterator[Image.Image]:
    """Yield a picture of each level of the run."""
    for level in run("gungeon", SEED):
        options = {"png.markers": True, "png.background": BACKGROUND}
        bundle = exporters.export(level, "png", name="floor", options=options)
        drawn = Image.open(BytesIO(bundle["floor.png"])).convert("RGB")
        yield drawn.resize((drawn.width // SMALLER, drawn.height // SMALLER), Image.Resampling.LANCZOS)


def picture() -> Image.Image:
    """Draw all levels in rows, in the order of the chapters."""
    drawn = list(floors())
    rows = [drawn[first : first + COLUMNS] for first in range(0, len(drawn), COLUMNS)]
    width = max(sum(floor.width + GAP for floor in row) for row in rows) - GAP
    height = sum(max(floor.height for floor in row) + GAP for row in rows) - GAP
    whole = Image.new("RGB", (width, height), BACKGROUND)
    top = 0
    for row in rows:
        left = (width - sum(floor.width + GAP for floor in row) + GAP) // 2
        tallest = max(floor.height for floor in row)
        for floor in row:
            whole.paste(floor, (left, top + (tallest - floor.height) // 2))
            left += floor.width + GAP
        top += tallest + GAP
    return whole


def table(levels: Iterable[Level]) -> Iterator[str]:
    """Yield a row for each chapter: rooms, and enemies, their cost and champions per fight."""
    sums: dict[str, Counter[str]] = {}
    for level in levels:
        enemies = [marker for marker in level.markers if marker.kind == "enemy"]
        roster = level.kinds.enemies
        chapter = sums.setdefault(str(level.facts["chapter"]), Counter())
        chapter["levels"] += 1
        chapter["rooms"] += len(level.rooms)
        chapter["fights"] += len({marker.room for marker in enemies})
        chapter["enemies"] += len(enemies)
        chapter["cost"] += sum(roster[str(marker.properties["name"])].cost for marker in enemies)
        chapter["champions"] += sum(marker.properties.get("champion", False) is True for marker in enemies)
    for name, of in sums.items():
        fights = of["fights"]
        shares = f"{of['enemies'] / fights:.1f} | {of['cost'] / fights:.1f} | {of['champions'] / fights:.1f}"
        yield f"| {name} | {of['rooms'] / of['levels']:.0f} | {shares} | {'█' * round(of['cost'] / fights)} |"


def main() -> None:
    """Write the picture, or print the table."""
    if len(sys.argv) > 1:
        print("\n".join(table(level for seed in range(int(sys.argv[1])) for level in run("gungeon", seed))))
        return
    picture().quantize(COLOURS).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
