"""The caverns: grown rock, wet and mossy, crystals in the walls, water in the pits."""

from __future__ import annotations

from floors import FloorDrawing
from look import LookDrawing
from masonry import RAGGED, Front, Hole, Roof, face, pit, top
from natural import grown, stones
from palette import altered
from patterns import PLAIN, bridge, setts
from pixels import Noise, Picture, blank, dot, recolour, rect

# Floors have STUVW, water wxyz, moss GHIJK, crystals XYZ.
PALETTE = altered(
    ("0123456789", "0a1518 0e1e22 172c31 22393d 30494b 445e5d 617c76 86a096 b0c4b2 e6f1e0"),
    ("STUVW", "0f2830 14333d 1b424c 224e58 32646a"),
    ("wxyz", "0b2350 12387a 1f5aa6 62b8e0"),
    ("XYZ", "4a8f3c 9bd86a e6ffc0"),
    ("abQcRdef", "1a1a17 2a2a22 3a372b 474232 58503a 6a6045 8f8358 b9ad78"),
    ("GHIJK", "12291f 1c3f2a 2f6a38 58973f a0c95a"),
    (":;+", "1c3436 26403c 36504a"),
    ("$%&", "173a52 1f4a62 2f6078"),
    ("<=>", "2c3a2c 56593a 827a48"),
    ("[]{", "0f2f5c 15437a 62b8e0"),
)

_SLABS = ((3, 3), (11, 1), (6, 9), (13, 8), (1, 13), (10, 14))
_BOULDERS = ((3, 2), (10, 1), (15, 5), (6, 6), (1, 10), (11, 10))


def ground(i: int) -> Picture:
    """Draw rock worn smooth by water, with moss in its joints and now and then a puddle."""
    noise = Noise(7100 + i)
    picture = blank(letter="2")
    stones(picture, _SLABS, "2232", "1", bright="3")
    for _ in range(5):
        dot(picture, noise.below(16), noise.below(16), "13"[noise.below(2)])
    if i % 4 in (1, 3):
        x, y = 2 + noise.below(9), 3 + noise.below(8)
        for dx, dy, length in ((1, 0, 3), (0, 1, 5), (1, 2, 3)):
            rect(picture, x + dx, y + dy, length, 1, "H")
        dot(picture, x + 2, y + 1, "I")
        dot(picture, x + 1, y, "I")
    if i >= PLAIN:
        x, y = 2 + noise.below(4), 4 + noise.below(5)
        for dy, (left, length) in enumerate(((2, 5), (1, 8), (0, 10), (1, 8), (3, 4))):
            rect(picture, x + left, y + dy, length, 1, "x")
        rect(picture, x + 2, y, 5, 1, "0")
        rect(picture, x + 3, y + 2, 3, 1, "y")
        dot(picture, x + 7, y + 3, "z")
    return picture


def _rock_face(picture: Picture, noise: Noise) -> None:
    stones(picture, _BOULDERS, "4555", "3", top=4, bright="6565")
    rect(picture, 0, 14, 16, 1, "3")
    for _ in range(4):
        dot(picture, noise.below(16), 5 + noise.below(9), "36"[noise.below(2)])
    for x in range(16):  # moss hangs down from the ledge
        length = (2, 4, 3, 0, 0, 1, 3, 5, 2, 0, 0, 1, 2, 0, 0, 1)[(x + noise.below(2)) % 16]
        for y in range(length):
            dot(picture, x, 5 + y, "JIHHH"[y])


def _rock_top(picture: Picture, noise: Noise) -> None:
    for _ in range(5):
        rect(picture, noise.below(14), noise.below(15), 1 + noise.below(3), 1, "02"[noise.below(2)])
    if noise.chance(50):
        dot(picture, 4 + noise.below(8), 4 + noise.below(8), "H")


def _water(picture: Picture, noise: Noise) -> None:
    for _ in range(3):
        x, y = noise.below(12), noise.below(15)
        rect(picture, x, y, 2 + noise.below(4), 1, "y")
    for _ in range(3):
        rect(picture, noise.below(13), noise.below(15), 2 + noise.below(3), 1, "w")
    if noise.chance(35):
        dot(picture, 3 + noise.below(10), 11 + noise.below(3), "z")


FRONT = Front(_rock_face, coping="KJI4", depths=RAGGED)
ROOF = Roof(_rock_top, rim="JH0", east="IH0", depths=RAGGED)
WATER = Hole(_water, ground="x", cliff="5432yz", lips="7646", shade="w", depths=(0, 0, 1, 1, 0, 1, 2, 1) * 2)
_MOSSY = (
    "rock",
    "tinted_rock",
    "block",
    "grave",
    "statue",
    "boulder",
    "fountain",
    "coffin",
    "altar",
    "pillar_overlay",
)
_COLOURS = {  # of things, instead of their own
    "torch": ("jiqpM", "ZZYXI"),
    "candle": ("jiqpM", "ZZYXI"),
    "mushroom": ("qpofed", "FEDYXI"),
    "cracks": ("14", "0W"),
}


def _decor(name: str, picture: Picture, number: int) -> Picture:
    if name in _MOSSY:
        return grown(picture, "KJI", number + len(name))
    if name in ("barrel", "crate", "table", "bookshelf_overlay"):
        return grown(picture, "JIH", number + len(name), 45)
    return recolour(picture, *_COLOURS.get(name, ("", "")))


LOOK = LookDrawing(
    name="caverns",
    face=lambda mask, seed: face(FRONT, mask, seed),
    top=lambda mask, seed: top(ROOF, mask, seed),
    pit=lambda mask, seed: pit(WATER, mask, seed),
    palette=PALETTE,
    floors={
        "default": FloorDrawing(ground, "STUVW", 8),
        "start": FloorDrawing(ground, "TUVWW", 8),
        "hallway": FloorDrawing(setts, "SSTUV"),
        "rubble": FloorDrawing(ground, "STUVW", 3),
        "bridge": FloorDrawing(bridge, "xbcRd", 2),
    },
    decor=_decor,
    torch_light="#a8f07a",
    ambient_light="#3f828a",
)
