"""Draws the built-in theme into `exporters/themes`: its TOML file, its sheet, and one for each look.

    python docs/art/draw.py

Each run writes the same bytes. To add a sprite, draw it in a file of `sprites/` and, if its name is that of a
new piece of decor or a new icon, add the name to the list in `things.py`. Add further looks of a thing behind
those that it has. `places.txt` says where each picture lies on the sheet; a run adds the new ones to its end.

A chapter's look is a module `look_CHAPTER.py`; it draws the same things at the same places. Its own sprites
lie in `sprites/CHAPTER/`.
"""

from __future__ import annotations

from pathlib import Path

import doors
import enemies
import floors
import pits
import sprites
import things
import walls
from look import LookDrawing
from looks import LOOKS
from PIL import Image
from places import Places
from sheet import Canvas, LookCanvas, ThemeFile

THEMES = Path(__file__).resolve().parents[2] / "exporters" / "themes"
PLACES = Path(__file__).parent / "places.txt"

PREAMBLE = """\
# Written by docs/art/draw.py: change the drawing there.

name = "undercroft"
image = "undercroft.png"
tile_size = 16
margin = 0
spacing = 0
torch_light = "#ffb45a"
ambient_light = "#7a7392"
"""


PLAIN = LookDrawing("", walls.face, walls.top, pits.tile)


def draw(sheet: Canvas, look: LookDrawing = PLAIN) -> ThemeFile:
    """Paint everything as a look has it, and return the theme file that says where it lies."""
    theme, drawn = ThemeFile(PREAMBLE), sprites.of_look(look.like or look.name)
    for each in LOOKS:
        theme.table(
            f"[look.{each.name}]",
            image=f"undercroft-{each.name}.png",
            torch_light=each.torch_light,
            ambient_light=each.ambient_light,
        )
    floors.add(sheet, theme, drawn, look.floors)
    walls.add(sheet, theme, drawn, look.face, look.top)
    pits.add(sheet, theme, look.pit)
    doors.add(sheet, theme, drawn, look.face, look.top)
    things.add_decor(sheet, theme, drawn, look.decor)
    things.add_icons(sheet, theme, drawn, look.decor)
    enemies.add_enemies(sheet, theme, drawn)
    return theme


def main() -> None:
    """Draw everything and write the files."""
    places = Places(PLACES.read_text(encoding="utf-8"))
    sheet = Canvas(places)
    theme = draw(sheet)
    Image.fromarray(sheet.rgba()).save(THEMES / "undercroft.png", optimize=True)
    for look in LOOKS:
        canvas = LookCanvas(places)
        draw(canvas, look)
        image = Image.fromarray(canvas.rgba(look.palette))
        image.save(THEMES / f"undercroft-{look.name}.png", optimize=True)
    (THEMES / "undercroft.toml").write_text(theme.text(), encoding="utf-8", newline="\n")
    PLACES.write_text(places.text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
