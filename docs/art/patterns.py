"""The patterns that floors are made of, in five levels of brightness.

Level 0 is the deepest joint, 2 the plain surface, 4 the brightest speck. Floors stay low in contrast, so that
what stands on them reads at once. Each pattern takes the number of the look: those below `PLAIN` are plain,
the others are worn and rare.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from pixels import TILE, Noise, Picture, blank, dot, rect

Pattern = Callable[[int], Picture]

PLAIN = 4


def _specks(picture: Picture, noise: Noise, count: int, letters: str = "13") -> None:
    """Scatter single pixels of wear on the plain surface, in place."""
    for _ in range(count):
        x, y = noise.below(14) + 1, noise.below(14) + 1
        if picture[y, x] == ord("2"):
            dot(picture, x, y, letters[noise.below(len(letters))])


def _slab(picture: Picture, x: int, y: int, width: int, height: int, noise: Noise) -> None:
    """Paint one stone slab: joints at its right and bottom, worn light at its top and left."""
    rect(picture, x, y, width, height, "2")
    rect(picture, x + width - 1, y, 1, height, "1")
    rect(picture, x, y + height - 1, width, 1, "1")
    dot(picture, x + width - 1, y + height - 1, "0")
    for i in range(width - 1):
        if noise.chance(60):
            dot(picture, x + i, y, "3")
    for i in range(height - 1):
        if noise.chance(35):
            dot(picture, x, y + i, "3")


def _crack(picture: Picture, noise: Noise) -> None:
    """Let a crack run down the tile, in place."""
    x = 4 + noise.below(8)
    for y in range(1 + noise.below(3), 15):
        dot(picture, x, y, "0")
        if noise.chance(50):
            dot(picture, x + 1, y, "3")
        x += noise.below(3) - 1
        x = min(max(x, 1), 13)


_SLABS: tuple[tuple[tuple[int, int, int, int], ...], ...] = (
    ((0, 0, 16, 16),),
    ((0, 0, 16, 16),),
    ((0, 0, 16, 8), (0, 8, 16, 8)),
    ((0, 0, 8, 16), (8, 0, 8, 16)),
    ((0, 0, 16, 16),),
    ((0, 0, 8, 8), (8, 0, 8, 8), (0, 8, 16, 8)),
    ((0, 0, 16, 16),),
    ((0, 0, 16, 8), (0, 8, 8, 8), (8, 8, 8, 8)),
)


def flagstones(i: int) -> Picture:
    """Draw large slabs, some of them split, the rare ones cracked."""
    noise = Noise(100 + i)
    picture = blank(letter="2")
    for x, y, width, height in _SLABS[i % len(_SLABS)]:
        _slab(picture, x, y, width, height, noise)
    _specks(picture, noise, 5)
    if i in (4, 6):
        _crack(picture, noise)
    return picture


def setts(i: int) -> Picture:
    """Draw small stones in offset rows of four pixels."""
    noise = Noise(200 + i)
    picture = blank(letter="1")
    for row in range(4):
        for stone in range(-1, 3):
            x, y = stone * 8 + (0, 5, 2, 6)[row], row * 4
            level = "2" if noise.chance(80) else "3"
            rect(picture, x, y, 7, 3, level)
            rect(picture, x, y, 2, 1, "3")
    if i >= PLAIN:
        _crack(picture, noise)
    return picture


@cache
def _centres() -> list[tuple[int, int]]:
    place = Noise(250)
    cells = [(x, y) for y in range(4) for x in range(4) if (x + y * 3) % 5]
    return [(x * 4 + place.below(4), y * 4 + place.below(4)) for x, y in cells]


@cache
def _stone(x: int, y: int) -> int:
    """Return the number of the centre that is nearest to a pixel."""

    def distance(centre: tuple[int, int]) -> int:
        dx, dy = abs(centre[0] - x % TILE), abs(centre[1] - y % TILE)
        dx, dy = min(dx, TILE - dx), min(dy, TILE - dy)
        return dx * dx + dy * dy

    centres = _centres()
    return min(range(len(centres)), key=lambda n: distance(centres[n]))


def cobbles(i: int) -> Picture:
    """Draw uneven stones: each pixel belongs to the nearest of some centres, the same in all variants."""
    centres = _centres()
    noise = Noise(260 + i)
    tone = ["3" if noise.chance(15) else "2" for _ in centres]
    picture = blank(letter="1")
    for y in range(TILE):
        for x in range(TILE):
            own = _stone(x, y)
            if own == _stone(x + 1, y) and own == _stone(x, y + 1):
                lit = own != _stone(x - 1, y - 1) and own != _stone(x, y - 1)
                dot(picture, x, y, "3" if lit and tone[own] == "2" else tone[own])
    if i >= PLAIN:
        _crack(picture, noise)
    return picture


def planks(i: int) -> Picture:
    """Draw boards from left to right, four to the tile."""
    noise = Noise(300 + i)
    picture = blank(letter="2")
    for row in range(4):
        y = row * 4
        rect(picture, 0, y + 3, TILE, 1, "1")
        if noise.chance(60):
            rect(picture, noise.below(12), y + 1, 2 + noise.below(4), 1, "1")
        if noise.chance(40):
            rect(picture, noise.below(12), y, 3 + noise.below(5), 1, "3")
        if (row + i) % 3 == 0:
            x = (3, 11, 7, 14)[(row + i) % 4]
            rect(picture, x, y, 1, 4, "0")
            dot(picture, x - 2, y + 1, "1")
            dot(picture, x + 1, y, "3")
    if i >= PLAIN:
        rect(picture, 5 + noise.below(5), 4 * noise.below(4) + 1, 2, 1, "0")
    return picture


def parquet(i: int) -> Picture:
    """Draw blocks of short boards, turned by turns."""
    noise = Noise(400 + i)
    picture = blank(letter="2")
    for block in range(4):
        x, y = block % 2 * 8, block // 2 * 8
        for strip in range(4):
            level = "2" if noise.chance(70) else "3"
            if block in (0, 3):
                rect(picture, x, y + strip * 2, 8, 2, level)
                rect(picture, x, y + strip * 2 + 1, 8, 1, "1" if strip % 2 else level)
            else:
                rect(picture, x + strip * 2, y, 2, 8, level)
                rect(picture, x + strip * 2 + 1, y, 1, 8, "1" if strip % 2 else level)
        rect(picture, x, y + 7, 8, 1, "1")
        rect(picture, x + 7, y, 1, 8, "1")
    return picture


def trimmed(i: int) -> Picture:
    """Draw a dressed slab whose cut corners form inlaid diamonds with its neighbours'."""
    noise = Noise(500 + i)
    picture = blank(letter="2")
    rect(picture, 15, 0, 1, 16, "1")
    rect(picture, 0, 15, 16, 1, "1")
    rect(picture, 3, 1, 9, 1, "3")
    rect(picture, 1, 3, 1, 9, "3")
    for y in range(TILE):
        for x in range(TILE):
            # the four corners of the slab lie between pixels 15 and 0, so that diamonds close across tiles
            reach = min(x + 1, TILE - 1 - x) + min(y + 1, TILE - 1 - y)
            if reach <= 3:
                dot(picture, x, y, "4" if reach in (0, 3) else "1")
    if i == 5:
        for d in range(3):
            for x, y in ((7 - d, 5 + d), (7 + d, 5 + d), (7 - d, 9 - d), (7 + d, 9 - d)):
                dot(picture, x, y, "4")
    _specks(picture, noise, 4)
    return picture


def earth(i: int) -> Picture:
    """Draw trodden soil without joints."""
    noise = Noise(600 + i)
    picture = blank(letter="2")
    for _ in range(7 + i % 3 * 2):
        x, y = noise.below(14), noise.below(15)
        rect(picture, x, y, 1 + noise.below(3), 1, "1" if noise.chance(60) else "3")
    if i >= PLAIN:
        for _ in range(3):
            x, y = 2 + noise.below(11), 2 + noise.below(11)
            rect(picture, x, y, 3, 2, "0")
            rect(picture, x, y - 1, 2, 2, "4" if noise.chance(50) else "3")
    return picture


def checker(i: int) -> Picture:
    """Draw two light and two dark squares."""
    noise = Noise(700 + i)
    picture = blank(letter="2")
    for x, y, level, edge in ((0, 0, "3", "4"), (8, 8, "3", "4"), (8, 0, "1", "2"), (0, 8, "1", "2")):
        rect(picture, x, y, 8, 8, level)
        if noise.chance(60):
            rect(picture, x, y, 3 + noise.below(3), 1, edge)
        rect(picture, x, y + 7, 8, 1, "0" if level == "1" else "2")
    if i >= PLAIN:
        _crack(picture, noise)
    return picture


def carpet(i: int) -> Picture:
    """Draw woven cloth with a small repeat."""
    picture = blank(letter="2")
    for y in range(TILE):
        for x in range(TILE):
            if (x + y) % 8 == 0 or (x - y) % 8 == 0:
                dot(picture, x, y, "1")
    for x, y in ((4, 4), (12, 4), (4, 12), (12, 12)) if i % 2 else ((4, 4), (12, 12)):
        dot(picture, x, y, "3")
    return picture


def stars(i: int) -> Picture:
    """Draw a polished night sky."""
    noise = Noise(800 + i)
    picture = blank(letter="2")
    rect(picture, 0, 15, 16, 1, "1")
    rect(picture, 15, 0, 1, 16, "1")
    for _ in range(2 + i):
        x, y = 1 + noise.below(13), 1 + noise.below(13)
        dot(picture, x, y, "3" if noise.chance(60) else "4")
    if i >= PLAIN:
        x, y = 5 + noise.below(5), 5 + noise.below(5)
        for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
            dot(picture, x + dx, y + dy, "3")
        dot(picture, x, y, "4")
    return picture


def bridge(i: int) -> Picture:
    """Draw boards laid over nothing, with gaps between them."""
    noise = Noise(900 + i)
    picture = blank(letter="0")
    for row in range(4):
        y = row * 4
        rect(picture, 0, y, 16, 3, "3")
        rect(picture, 0, y, 16, 1, "4")
        rect(picture, 0, y + 2, 16, 1, "2")
        for _ in range(2):
            rect(picture, noise.below(13), y + 1, 3, 1, "2")
        for x in (1, 14):
            dot(picture, x, y + 1, "1")
    if i == 1:
        rect(picture, 9, 4, 2, 2, "0")
    return picture


def threshold(i: int) -> Picture:
    """Draw the worn sill in a doorway."""
    noise = Noise(1100 + i)
    picture = blank(letter="1")
    for x in (0, 8):
        _slab(picture, x, 0, 8, 8, noise)
        _slab(picture, x, 8, 8, 8, noise)
    _specks(picture, noise, 4)
    return picture
