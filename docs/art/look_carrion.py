"""The carrion: inside of something long dead. Grey-green flesh, bare ribs, maggots and pus."""

from __future__ import annotations

from math import pi, sin

from floors import FloorDrawing
from look import LookDrawing
from masonry import RAGGED, Front, Hole, Roof, face, pit, top
from natural import cracked, grown, waves
from palette import altered
from patterns import PLAIN, bridge
from pixels import TILE, Noise, Picture, blank, dot, recolour, rect

# Rotten flesh STUVW, bruises P and XYZ, pus wxyz.
PALETTE = altered(
    ("0123456789", "0e110c 181d14 242b1d 333c29 465138 5f6b4a 7d8961 a2ad80 c9d1a6 f2f5d8"),
    ("STUVW", "28301f 343e29 414c33 515d3f 7c895e"),
    ("P", "7a4a5c"),
    ("XYZ", "5a2c44 8c4a60 c98a90"),
    ("wxyz", "4c4a12 757020 a89f34 e8e084"),
    ("LMNO", "6a6244 a29870 d2c99c f6f1d0"),
    ("abQcRdef", "15120e 241f17 342c20 463c2b 5a4e38 746648 9a8a64 c6b68a"),
    ("GHIJK", "1a2416 2b3a20 40552c 66803e a4b860"),
    (":;+", "38402a 444e33 566041"),
    ("$%&", "4a2038 5e2c48 7c4460"),
    ("<=>", "4e4a2c 706a40 9c9460"),
    ("[]{", "4a4a1a 646428 c8c468"),
)


def meat(i: int) -> Picture:
    """Draw slack folds, with bruises; the rare ones have maggots, or a bone that comes through."""
    noise = Noise(7900 + i)
    picture = blank(letter="2")
    for row, (middle, shift) in enumerate(((3, 0.4), (8, 3.0), (13, 5.1))):
        for x in range(TILE):
            y = middle + round(1.6 * sin(2 * pi * x / TILE + shift))
            if (x + 5 * row) % 16 < 11:
                dot(picture, x, y, "1")
                dot(picture, x, y + 1, "3")
    for _ in range(5):
        dot(picture, noise.below(16), noise.below(16), "13"[noise.below(2)])
    if i % 4 == 3:
        x, y = 3 + noise.below(7), 4 + noise.below(6)
        for dx, dy, length in ((1, 0, 3), (0, 1, 5), (1, 2, 4)):
            rect(picture, x + dx, y + dy, length, 1, "X")
        dot(picture, x + 2, y + 1, "Y")
    if i in (PLAIN, PLAIN + 1):
        for _ in range(4):
            x, y = 2 + noise.below(11), 2 + noise.below(11)
            rect(picture, x, y, 2, 1, "N")
            dot(picture, x + 2, y, "M")
    if i >= PLAIN + 2:
        rect(picture, 3, 7, 9, 2, "M")
        rect(picture, 3, 7, 9, 1, "N")
        for x, y in ((2, 6), (2, 9), (12, 6), (12, 9)):
            rect(picture, x, y, 2, 1, "N")
        rect(picture, 2, 10, 11, 1, "0")
    return picture


def sinew(i: int) -> Picture:
    """Draw strands that run along the way."""
    noise = Noise(7950 + i)
    picture = blank(letter="1")
    for y in (0, 4, 8, 12):
        rect(picture, 0, y, TILE, 3, "2")
        rect(picture, 0, y, TILE, 1, "3")
        rect(picture, noise.below(10), y + 1, 4, 1, "1")
    if i >= PLAIN:
        rect(picture, 4 + noise.below(6), 5, 3, 2, "X")
    return picture


_RIBS = "234OMM43234OMM43"  # across a face: two ribs, light from the west


def _ribs(picture: Picture, noise: Noise) -> None:
    """Let ribs stand out of slack skin, which hangs in tatters between them."""
    for y in range(4, TILE):
        sway = (0, 0, 0, 1, 1, 1, 1, 0, 0, 0, -1, -1)[(y - 4) % 12]
        for x in range(TILE):
            dot(picture, x, y, _RIBS[(x + sway) % TILE])
    for left in (0, 8):
        length = 2 + noise.below(5)
        rect(picture, left, 5, 2, length, "5")
        rect(picture, left, 5 + length, 1, 1, "6")
        if noise.chance(35):
            dot(picture, left + 1, 6 + noise.below(6), "Y")
    rect(picture, 0, 14, TILE, 1, "2")


def _skin(picture: Picture, noise: Noise) -> None:
    for y in range(TILE):
        for x in range(TILE):
            if waves(x, y, 2.2, 2, 1.4) > 0.88:
                dot(picture, x, y, "2")
    for _ in range(3):
        dot(picture, noise.below(16), noise.below(16), "0X"[noise.below(2)])


def _pus(picture: Picture, noise: Noise) -> None:
    for _ in range(4):
        rect(picture, noise.below(13), noise.below(15), 2 + noise.below(4), 1, "w")
    for _ in range(2):
        rect(picture, noise.below(13), noise.below(15), 2 + noise.below(3), 1, "y")
    if noise.chance(50):
        x, y = 3 + noise.below(9), 10 + noise.below(3)
        rect(picture, x, y, 3, 2, "y")
        dot(picture, x, y, "z")
        dot(picture, x + 2, y + 2, "w")


FRONT = Front(_ribs, coping="8765", depths=RAGGED, shadow="2", edges="26814")
ROOF = Roof(_skin, rim="740", east="640", depths=RAGGED)
ULCER = Hole(_pus, ground="x", cliff="ZYYXX3w", lips="8647", shade="w", depths=(0, 1, 2, 2, 1, 0, 1, 0) * 2)
_COLOURS = {  # of things, instead of their own
    "mushroom": ("qpoEDC", "zyxZYX"),
    "cracks": ("14", "SX"),
    "torch": ("jiqpM", "zzyxL"),
    "candle": ("jiqpM", "zzyxN"),
    "blood": ("lm", "XY"),
    "bed": ("BCDEF", "rstuv"),
}


def _decor(name: str, picture: Picture, number: int) -> Picture:
    if name in ("block", "grave", "statue", "altar", "coffin", "pillar", "fountain"):
        return cracked(picture, "X", number + len(name), 2)
    if name in ("boulder", "crate", "barrel", "table"):
        return grown(picture, "zyx", number + len(name), 35)
    return recolour(picture, *_COLOURS.get(name, ("", "")))


LOOK = LookDrawing(
    name="carrion",
    face=lambda mask, seed: face(FRONT, mask, seed),
    top=lambda mask, seed: top(ROOF, mask, seed),
    pit=lambda mask, seed: pit(ULCER, mask, seed),
    palette=PALETTE,
    floors={
        "default": FloorDrawing(meat, "STUVW", 8),
        "start": FloorDrawing(meat, "TUVWW", 8),
        "hallway": FloorDrawing(sinew, "SSTUV"),
        "rubble": FloorDrawing(meat, "STUVW", 3),
        "bridge": FloorDrawing(bridge, "wLLMN", 2),
        "boss": FloorDrawing(meat, "lSTUV", 8),
    },
    decor=_decor,
    torch_light="#e8f08a",
    ambient_light="#6a7a4c",
)
