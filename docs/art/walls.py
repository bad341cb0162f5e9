"""Walls: the 47 tiles of the set, and further looks of the ones that are seen most.

A tile with no wall to its south is the wall's face of bricks under a coping; every other is the wall's top,
dark and flat, with a bright rim wherever the top ends.
"""

from __future__ import annotations

from blob import MASKS, NE, NW, SE, SW, E, N, S, W
from pixels import Noise, Picture, Tile, blank, dot, over, rect
from sheet import Canvas, ThemeFile
from sprites import Sprites

COLUMNS = 16
PLAIN_FACE = N | NE | E | W | NW
COMMON_TOPS = (255, 124, 31, 241, 17)  # inside a mass, along a south ring, beside rooms, one tile wide


def _bricks(picture: Picture, noise: Noise) -> None:
    """Lay three courses of bricks below the coping, the lowest in shade, in place."""
    rect(picture, 0, 4, 16, 12, "3")
    for course, shift in enumerate((0, 4, -2)):
        y = 4 + course * 4
        for brick in range(-1, 3):
            x = brick * 8 + shift
            dull = noise.chance(17)
            body = "4" if dull or course == 2 else "5"
            rect(picture, x, y, 7, 3, body)
            rect(picture, x, y, 7, 1, body if dull else "5" if course == 2 else "6")
            rect(picture, x + 6, y + 1, 1, 2, "4")
    rect(picture, 0, 15, 16, 1, "1")


def face(mask: int, seed: int = 0) -> Picture:
    """Return the front of a wall."""
    noise = Noise(2000 + seed)
    picture = blank(letter="3")
    _bricks(picture, noise)
    for y, letter in enumerate("8762"):  # the coping, and the shadow under it
        rect(picture, 0, y, 16, 1, letter)
    for x in (7, 15):
        rect(picture, x, 1, 1, 2, "5")
    if not mask & W:
        rect(picture, 0, 3, 1, 13, "2")
        rect(picture, 1, 4, 1, 11, "6")
        rect(picture, 0, 1, 1, 2, "8")
    if not mask & E:
        rect(picture, 15, 3, 1, 13, "1")
        rect(picture, 14, 4, 1, 11, "4")
        rect(picture, 15, 1, 1, 2, "5")
    return picture


def top(mask: int, seed: int = 0) -> Picture:
    """Return the top of a wall."""
    noise = Noise(3000 + seed)
    picture = blank(letter="1")
    for _ in range(seed * 2):
        rect(picture, 2 + noise.below(11), 2 + noise.below(12), 1 + noise.below(3), 1, "02"[noise.below(2)])
    ends_east = not mask & E or not mask & SE
    ends_west = not mask & W or not mask & SW
    if ends_east:
        rect(picture, 13, 0, 1, 16, "0")
        rect(picture, 14, 0, 1, 16, "4")
        rect(picture, 15, 0, 1, 16, "6")
    if ends_west:
        rect(picture, 2, 0, 1, 16, "0")
        rect(picture, 1, 0, 1, 16, "4")
        rect(picture, 0, 0, 1, 16, "7")
    if not mask & N:
        rect(picture, 2 if ends_west else 0, 2, 16 - 2 * ends_west - 2 * ends_east, 1, "0")
        rect(picture, ends_west, 1, 16 - ends_west - ends_east, 1, "4")
        rect(picture, 0, 0, 16, 1, "7")
    if mask & N and mask & E and not mask & NE and not ends_east:
        rect(picture, 14, 0, 2, 2, "4")
        dot(picture, 15, 0, "7")
    if mask & N and mask & W and not mask & NW and not ends_west:
        rect(picture, 0, 0, 2, 2, "4")
        dot(picture, 0, 0, "7")
    return picture


def add(sheet: Canvas, theme: ThemeFile, sprites: Sprites, face: Tile, top: Tile) -> None:
    """Place the set and the further looks; `face` and `top` draw a tile of a mask and a seed."""

    def tile(mask: int) -> Picture:
        return top(mask, 0) if mask & S else face(mask, 0)

    column, row = sheet.add_block("wall", [tile(mask) for mask in MASKS], COLUMNS)
    theme.table("[wall]", set="blob47", first=[column, row], columns=COLUMNS)

    def looks(mask: int, pictures: list[Picture], weights: list[int]) -> None:
        at = MASKS.index(mask)
        position = [column + at % COLUMNS, row + at // COLUMNS]
        tiles = sheet.add_all(f"wall.{mask}.looks", pictures)
        theme.table("[[variant]]", of=position, tiles=tiles, weights=weights)

    plain = [face(PLAIN_FACE, seed) for seed in (1, 2)]
    worn = [over(face(PLAIN_FACE, i), picture) for i, picture in enumerate(sprites["face_wear"])]
    looks(PLAIN_FACE, plain + worn, [8, 8] + [1] * len(worn))
    for mask in COMMON_TOPS:
        pictures = [top(mask, seed) for seed in (1, 2, 3)]
        looks(mask, pictures, [5, 5, 2])
