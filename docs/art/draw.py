"""Draws the built-in theme: writes `undercroft.png` and `undercroft.toml` into `exporters/themes`.

    python docs/art/draw.py

Each run writes the same bytes. To add a sprite, draw it in a file of `sprites/` and, if its name is that of a
new piece of decor or a new icon, add the name to the list in `things.py`.
"""

from __future__ import annotations

from pathlib import Path

import doors
import floors
import pits
import sprites
import things
import walls
from PIL import Image
from sheet import Sheet, ThemeFile

THEMES = Path(__file__).resolve().parents[2] / "exporters" / "themes"

PREAMBLE = """\
# Written by docs/art/draw.py: change the drawing there.

name = "undercroft"
image = "undercroft.png"
tile_size = 16
margin = 0
spacing = 0
"""


def main() -> None:
    """Draw everything and write both files."""
    sheet, theme, drawn = Sheet(), ThemeFile(PREAMBLE), sprites.load()
    floors.add(sheet, theme, drawn)
    walls.add(sheet, theme, drawn)
    pits.add(sheet, theme)
    doors.add(sheet, theme, drawn)
    things.add_decor(sheet, theme, drawn)
    things.add_icons(sheet, theme, drawn)
    Image.fromarray(sheet.rgba()).save(THEMES / "undercroft.png", optimize=True)
    (THEMES / "undercroft.toml").write_text(theme.text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
