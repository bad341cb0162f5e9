"""The screenshot of Tiled in the docs: a level at 53 %, as somebody sees it who opens its map.

python -m tests.exporters.formats.tiled.pictures [FOLDER]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageGrab

import exporters
import generator
from tests.engines import screen
from tests.waiting import until

from .editor import editor

_PART = (0, 0, 1200, 700)  # px: Tiled's window
_COLORS = 256
_FEWER = 4096  # colours of the window without the map


def screenshot(map_: Path, zoom: float, home: Path) -> Image.Image:
    """Show a map in Tiled's editor, from its middle."""
    script = f"""
        const view = tiled.mapEditor.currentMapView;
        view.scale = {zoom};
        view.centerOn(map.width * map.tileWidth / 2, map.height * map.tileHeight / 2);
    """
    with editor(script, map_, home=home, display=True):
        until(lambda: _grabbed().getcolors(_FEWER) is None, "the map is drawn")
        return _grabbed()


def _grabbed() -> Image.Image:
    return ImageGrab.grab(xdisplay=screen()).crop(_PART).convert("RGB")


def main(folder: Path) -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as work:
        exporters.export(generator.generate("isaac", 7), "tiled", name="isaac-7").write(work)
        shown = screenshot(Path(work) / "isaac-7.tmj", 0.53, Path(work) / "home")
        shown.quantize(_COLORS).save(folder / "tiled.png", optimize=True)


if __name__ == "__main__":
    main(Path(*sys.argv[1:] or ("docs/pictures",)))
