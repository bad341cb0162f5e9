"""Patterns that no mason laid: stones grown together, veins, cracks, growth. All repeat from tile to tile."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import pi, sin

import numpy as np
from pixels import CLEAR, TILE, Noise, Picture, dot

Points = tuple[tuple[int, int], ...]


@lru_cache(maxsize=64)
def _nearest(centres: Points, height: int) -> tuple[tuple[int, ...], ...]:
    """[y][x]: the number of the nearest centre; tiles repeat to the sides and, if 16 high, up and down."""

    def own(x: int, y: int) -> int:
        def distance(centre: tuple[int, int]) -> int:
            dx, dy = abs(centre[0] - x) % TILE, abs(centre[1] - y)
            dx, dy = min(dx, TILE - dx), min(dy, TILE - dy) if height == TILE else dy
            return dx * dx + dy * dy

        return min(range(len(centres)), key=lambda n: distance(centres[n]))

    return tuple(tuple(own(x, y) for x in range(TILE)) for y in range(height))


def stones(
    picture: Picture, centres: Points, tones: Sequence[str], joint: str, top: int = 0, bright: str = ""
) -> None:
    """Paint stones round some centres, from row `top` on, in place.

    Each has a tone, a joint at its right and lower edge, and light at its upper left one if `bright` is
    given.
    """
    height = TILE - top
    cells = _nearest(centres, height)
    for y in range(height):
        for x in range(TILE):
            own = cells[y][x]
            below = cells[(y + 1) % TILE][x] if top == 0 else cells[min(y + 1, height - 1)][x]
            above = cells[y - 1][x] if y or top == 0 else own
            if own != cells[y][(x + 1) % TILE] or own != below:
                dot(picture, x, top + y, joint)
            elif bright and (own != above or own != cells[y][x - 1]):
                dot(picture, x, top + y, bright[own % len(bright)])
            else:
                dot(picture, x, top + y, tones[own % len(tones)])


def waves(x: int, y: int, bends: float = 3.0, stripes: int = 2, shift: float = 0.0) -> float:
    """Return the height, -1 to 1, of a field of winding ridges that repeats with the tile."""
    turn = 2 * pi / TILE
    return sin(turn * stripes * (x + bends * sin(turn * y + shift)) / 1.0 + shift)


def crack(picture: Picture, noise: Noise, letters: str, start: tuple[int, int], length: int) -> None:
    """Let a crack wander from a place, in place: its core in the first letter, a glow beside it."""
    x, y = start
    step = (1, 1) if noise.chance(50) else (-1, 1)
    for _ in range(length):
        if len(letters) > 1:
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                at_x, at_y = x + dx, y + dy
                inside = 0 <= at_x < picture.shape[1] and 0 <= at_y < picture.shape[0]
                if inside and picture[at_y, at_x] not in (ord(letters[0]), CLEAR, ord("k")):
                    dot(picture, at_x, at_y, letters[1])
        if 0 <= x < picture.shape[1] and 0 <= y < picture.shape[0] and picture[y, x] not in (CLEAR, ord("k")):
            dot(picture, x, y, letters[0])
        if noise.chance(30):
            step = (-step[0], step[1])
        if noise.chance(65):
            y += step[1]
        if noise.chance(60):
            x += step[0]


def grown(picture: Picture, letters: str, seed: int, share: int = 60) -> Picture:
    """Return a thing with growth on what of it looks up: just below its outline, in `letters` from above."""
    noise, out = Noise(5000 + seed), picture.copy()
    solid = (picture != CLEAR) & (picture != ord("k")) & (picture != ord("1"))
    for x in range(picture.shape[1]):
        rows = np.flatnonzero(solid[:, x])
        if not len(rows) or not noise.chance(share):
            continue
        for i in range(1 + noise.below(3)):
            y = int(rows[0]) + i
            if y < picture.shape[0] and solid[y, x]:
                dot(out, x, y, letters[min(i, len(letters) - 1)])
    return out


def cracked(picture: Picture, letters: str, seed: int, count: int = 2) -> Picture:
    """Return a thing with cracks in its body."""
    noise, out = Noise(6000 + seed), picture.copy()
    body = np.argwhere((picture != CLEAR) & (picture != ord("k")) & (picture != ord("1")))
    for _ in range(count if len(body) else 0):
        y, x = body[noise.below(len(body) * 2 // 3)].tolist()
        crack(out, noise, letters, (x, y), 5 + noise.below(5))
    return out
