"""Draws a run of `gungeon`: writes `docs/pictures/run-gungeon.png`, or shows what many runs are like.

    python docs/art/run_gungeon.py          the picture
    python docs/art/run_gungeon.py 60       the averages of so many runs as a table, and as
                                            docs/pictures/run-gungeon-curve.svg

The levels are what the exporter `png` writes, side by side at a sixth of their size.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image

import exporters
from exporters.pages.run_curve import FightAverage, curve
from generator import run
from generator.runs import run_summary

PICTURES = Path(__file__).resolve().parents[1] / "pictures"
PICTURE, CURVE = PICTURES / "run-gungeon.png", PICTURES / "run-gungeon-curve.svg"
AVERAGED = ("cost", "enemies", "champions")
SEED = 11
SMALLER, GAP, COLUMNS = 6, 10, 3
BACKGROUND, INK = "#0d0b14", "#d9d4e6"
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


def averages(runs: int) -> Iterator[tuple[int, FightAverage]]:
    """Yield for each chapter the average number of rooms, and what waits in a fight."""
    sums: dict[str, Counter[str]] = {}
    for seed in range(runs):
        for stage in run_summary(run("gungeon", seed)).stages:
            chapter = sums.setdefault(stage.chapter, Counter())
            chapter.update({key: getattr(stage, key) for key in ("rooms", "fights", *AVERAGED)})
    for number, (name, of) in enumerate(sums.items(), 1):
        yield (
            round(of["rooms"] / runs),
            FightAverage(str(number), name, *(of[key] / of["fights"] for key in AVERAGED)),
        )


def curve_file(points: Sequence[FightAverage]) -> str:
    """Draw the curve with a background and colours of its own."""
    return curve(points).replace('class="curve"', f'style="background:{BACKGROUND};color:{INK}"') + "\n"


def main() -> None:
    """Write the picture, or print the table."""
    if len(sys.argv) > 1:
        rows = list(averages(int(sys.argv[1])))
        for rooms, (_, name, cost, enemies, champions) in rows:
            print(f"| {name} | {rooms} | {enemies:.1f} | {cost:.1f} | {champions:.1f} |")
        CURVE.write_text(curve_file([point for _, point in rows]), encoding="utf-8")
        return
    picture().quantize(COLOURS).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
