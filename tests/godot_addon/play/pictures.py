"""Takes docs/pictures/godot-demo.png again: `python -m tests.godot_addon.play.pictures`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image

from .conftest import Play

PICTURE = Path(__file__).parents[3] / "docs/pictures/godot-demo.png"
SHOTS = (("title", "isaac"), ("boss", "gungeon"))  # row by row
SIZE = (640, 360)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        play = Play(Path(folder) / "project")
        play.quiet("-s", "probes/shots.gd", "--", folder, display=True)
        sheet = Image.new("RGB", (SIZE[0] * 2, SIZE[1] * 2))
        for y, row in enumerate(SHOTS):
            for x, name in enumerate(row):
                with Image.open(Path(folder) / f"{name}.png") as shot:
                    part = shot.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
                sheet.paste(part, (x * SIZE[0], y * SIZE[1]))
    sheet.quantize(256, dither=Image.Dither.NONE).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
