"""Pits: a lip all round, and below the north one the cliff that drops into blue mist.

The mist is lighter than what lies outside of a level, so that a pit is not taken for that, from afar either.
"""

from __future__ import annotations

from blob import MASKS, NE, NW, SE, SW, E, N, S, W
from pixels import Noise, Picture, Tile, blank, dot, rect
from sheet import Canvas, ThemeFile

COLUMNS = 16
DEEP, MIST = "BA"
MIDDLE = 255  # the mask of a tile with pits all round
_CORNERS = ((NE, N | E, 15, 0), (NW, N | W, 0, 0), (SE, S | E, 15, 15), (SW, S | W, 0, 15))


def mist(picture: Picture, noise: Noise) -> None:
    """Paint drifts of mist, in place."""
    for _ in range(18):
        rect(picture, noise.below(12), noise.below(16), 5 + noise.below(6), 1, MIST)


def _cliff(picture: Picture, noise: Noise) -> None:
    """Paint the face under the north lip, in place: stone that sinks into darkness."""
    rect(picture, 0, 2, 16, 3, "4")
    rect(picture, 0, 5, 16, 2, "3")
    rect(picture, 0, 7, 16, 2, "2")
    for x in (2, 6, 7, 11, 14):
        rect(picture, x + noise.below(2), 2, 1, 5 + noise.below(3), "2")
    rect(picture, 0, 9, 16, 1, "1")
    for x in range(0, 16, 2):
        dot(picture, x, 10, "1")


def tile(mask: int, seed: int) -> Picture:
    """Return the tile of a mask."""
    noise = Noise(4000 + mask + 300 * seed)
    picture = blank(letter=DEEP)
    mist(picture, noise)
    if not mask & N:
        _cliff(picture, noise)
    if not mask & W:
        rect(picture, 0, 0, 1, 16, "4")
        rect(picture, 1, 0, 1, 16, "1")
    if not mask & E:
        rect(picture, 15, 0, 1, 16, "5")
        rect(picture, 14, 0, 1, 16, "1")
    if not mask & S:
        rect(picture, 0, 14, 16, 1, "1")
        rect(picture, 0, 15, 16, 1, "5")
    if not mask & N:
        rect(picture, 0, 0, 16, 1, "6")
        rect(picture, 0, 1, 16, 1, "5")
    for corner, sides, x, y in _CORNERS:
        if mask & sides == sides and not mask & corner:
            dot(picture, x, y, "5")
    return picture


def add(sheet: Canvas, theme: ThemeFile, tile: Tile) -> None:
    """Place the set, and further looks of its middle; `tile` draws the one of a mask and a seed."""
    column, row = sheet.add_block("pit", [tile(mask, 0) for mask in MASKS], COLUMNS)
    theme.table("[pit]", set="blob47", first=[column, row], columns=COLUMNS)
    at = MASKS.index(MIDDLE)
    theme.table(
        "[[variant]]",
        of=[column + at % COLUMNS, row + at // COLUMNS],
        tiles=sheet.add_all(f"pit.{MIDDLE}.looks", [tile(MIDDLE, seed) for seed in (1, 2, 3)]),
        weights=[10, 10, 10],
    )
