"""Draws the theme of the kit `highnoon`: `highnoon.png`, and `highnoon.toml`, which says what lies where.

    python docs/examples/highnoon/theme/draw.py

Each run writes the same bytes. A game needs neither this script nor Python: the two files are the theme.
"""

from __future__ import annotations

from pathlib import Path

from fronts import add_floors, add_walls
from goods import add_doors, add_goods
from paint import TILE, TownSheet

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Draw everything and write both files."""
    sheet = TownSheet()
    sheet.lines += [
        "# Written by draw.py: change the drawing there.",
        "",
        'name = "highnoon"',
        'kit = "highnoon"  # whose kinds it draws',
        'image = "highnoon.png"',
        f"tile_size = {TILE}",
        'ambient_light = "#fff1d6"',
    ]
    for add in (add_floors, add_walls, add_doors, add_goods):
        add(sheet)
    sheet.image().save(HERE / "highnoon.png", optimize=True)
    (HERE / "highnoon.toml").write_text("\n".join(sheet.lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
