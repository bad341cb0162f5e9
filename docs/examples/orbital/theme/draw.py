"""Draws the theme of the kit `orbital`: `orbital.png`, and `orbital.toml`, which says what lies where.

    python docs/examples/orbital/theme/draw.py

Each run writes the same bytes. A game needs neither this script nor Python: the two files are the theme.
"""

from __future__ import annotations

from pathlib import Path

from decks import add_floors, add_walls
from pixels import TILE, DeckSheet
from things import add_doors, add_things

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Draw everything and write both files."""
    sheet = DeckSheet()
    sheet.lines += [
        "# Written by draw.py: change the drawing there.",
        "",
        'name = "orbital"',
        'kit = "orbital"  # whose kinds it draws',
        'image = "orbital.png"',
        f"tile_size = {TILE}",
        'ambient_light = "#39465e"',
    ]
    for add in (add_floors, add_walls, add_doors, add_things):
        add(sheet)
    sheet.image().save(HERE / "orbital.png", optimize=True)
    (HERE / "orbital.toml").write_text("\n".join(sheet.lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
