"""Draws the shipped flows, each beside a level that follows it: writes `docs/pictures/flows.png`.

    python docs/art/flows.py

The graph is what `undercroft flow show NAME --seed 3 --svg` prints, and the level has the same seed.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from exporters import export
from generator import generate
from generator.kinds import shipped_kit
from generator.styles.gungeon.flows.library import chosen_flow
from generator.styles.gungeon.flows.pictures import png, svg
from generator.styles.gungeon.flows.records import shipped_flows

PICTURE = Path(__file__).resolve().parents[1] / "pictures" / "flows.png"
SEED = 3
BACKGROUND = "#14111c"
BOX = 460, 400  # px that a graph or a level gets
COLUMNS, GAP = 2, 16  # flows a row, px between pictures


def graph(name: str) -> Image.Image:
    """The graph of a flow."""
    flow = chosen_flow(name, SEED, shipped_kit())
    if flow is None:
        raise ValueError(f"{name} has no plan")
    return Image.open(io.BytesIO(png(svg(flow)))).convert("RGB")


def level(name: str) -> Image.Image:
    """A level that follows a flow."""
    made = generate("gungeon", SEED, flow=name)
    bundle = export(made, ["png"], {"png.markers": True, "png.background": BACKGROUND}, name="level")
    with Image.open(io.BytesIO(bundle["level.png"])) as picture:
        return picture.convert("RGB")


def sheet() -> Image.Image:
    """All shipped flows, graph and level side by side."""
    names = shipped_flows()
    width, height = 2 * BOX[0] + 2 * GAP, BOX[1] + 3 * GAP
    whole = Image.new("RGB", (COLUMNS * width, -(-len(names) // COLUMNS) * height), BACKGROUND)
    pencil = ImageDraw.Draw(whole)
    for place, name in enumerate(names):
        left, top = place % COLUMNS * width + GAP, place // COLUMNS * height + 2 * GAP
        pencil.text((left, top - GAP // 2), name, "#f2eefc", ImageFont.load_default(18), "ls")
        for column, picture in enumerate((graph(name), level(name))):
            picture.thumbnail(BOX, Image.Resampling.LANCZOS)
            x = left + column * (BOX[0] + GAP) + (BOX[0] - picture.width) // 2
            whole.paste(picture, (x, top + (BOX[1] - picture.height) // 2))
    return whole


if __name__ == "__main__":
    sheet().quantize(128).save(PICTURE, optimize=True)
