"""Draws one room in the look of each chapter: `docs/pictures/chapters.png`, and those of the alternate path.

    python docs/art/chapters.py

The room is drawn by hand below, so that the picture changes with the looks alone.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from exporters.dress import dress
from exporters.formats.png.syntax import png_bytes
from exporters.image import composed, icon_layer
from exporters.theme.loader import all_looks, load_theme
from generator.geometry import Rect
from generator.kinds import BRIDGE, DECOR_IDS, FLOOR, PIT, RUBBLE, WALL
from generator.level import MARGIN, Level, Marker, Room
from generator.spec import load_spec

_FOLDER = Path(__file__).resolve().parents[1] / "pictures"
_MAIN = 6  # the looks of the main path come first
PICTURES = {  # each with the looks that it shows
    _FOLDER / "chapters.png": slice(_MAIN),
    _FOLDER / "chapters-alternate.png": slice(_MAIN, None),
}
ROOM = """
###t##n####t#####t####n##t###
#pp.......g......r.......B.b#
#...R.....~~~~~~~~..s....cbb#
#.........~~~~~=~~~~....,,.r#
#.w..s....~~~~~=~~~~......,.#
#......m.y~~~~~=~~~......,..#
#............~~=~..s..O.....#
#r..xx....m.............gw,r#
#rr.xx.S......k........,,rrr#
#############...#############
"""
TERRAIN = {"#": WALL, "~": PIT, "=": BRIDGE, ",": RUBBLE, "t": WALL, "n": WALL}
DECOR = {
    "t": "torch",
    "n": "banner",
    "p": "pot",
    "g": "grass",
    "r": "rock",
    "B": "bookshelf",
    "b": "barrel",
    "c": "crate",
    "R": "rug",
    "m": "mushroom",
    "O": "boulder",
    "x": "spikes",
    "S": "statue",
    "k": "coffin",
}
ENEMIES = {"w": "walker", "s": "shooter", "y": "flyer"}
BACKGROUND = (13, 11, 20, 255)
COLUMNS, GAP = 2, 8  # pictures a row, px between them


def room() -> Level:
    """The room as a level."""
    rows = ROOM.split()
    if len({len(row) for row in rows}) > 1:
        raise ValueError("the rows of the room differ in length")
    height, width = len(rows), len(rows[0])
    terrain = np.zeros((height + 2 * MARGIN, width + 2 * MARGIN), np.uint8)
    decor = np.zeros_like(terrain)
    markers: list[Marker] = []
    for y, row in enumerate(rows, MARGIN):
        for x, letter in enumerate(row, MARGIN):
            terrain[y, x] = TERRAIN.get(letter, FLOOR)
            decor[y, x] = DECOR_IDS[DECOR[letter]] if letter in DECOR else 0
            if letter in ENEMIES:
                markers.append(Marker(len(markers), "enemy", x, y, 0, properties={"role": ENEMIES[letter]}))
    bounds = Rect(MARGIN, MARGIN, width, height)
    only = Room(0, "normal", "1x1", ((0, 0),), bounds, (), 0, 0, 1, "")
    return Level(7, load_spec("isaac"), terrain, decor, (only,), (), tuple(markers))


def picture(looks: slice) -> npt.NDArray[np.uint8]:
    """[y, x, 4]: the room in some of the looks, in their order."""
    level = room()
    tiles = []
    for theme in all_looks(load_theme())[looks]:
        layers = [layer[1:-1, 1:-1] for layer in (*dress(level, theme), icon_layer(level, theme))]
        tiles.append(np.concatenate(list(composed(layers, theme, BACKGROUND))))
    height, width = tiles[0].shape[:2]
    rows = -(-len(tiles) // COLUMNS)
    whole = np.full((rows * (height + GAP) - GAP, COLUMNS * (width + GAP) - GAP, 4), BACKGROUND, np.uint8)
    for i, tile in enumerate(tiles):
        y, x = i // COLUMNS * (height + GAP), i % COLUMNS * (width + GAP)
        whole[y : y + height, x : x + width] = tile
    return whole


def main() -> None:
    """Write the pictures."""
    for path, looks in PICTURES.items():
        drawn = picture(looks)
        path.write_bytes(png_bytes(drawn.shape[1], drawn.shape[0], iter([drawn])))


if __name__ == "__main__":
    main()
