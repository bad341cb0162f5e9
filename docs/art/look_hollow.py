"""The hollow: inside of something alive. Flesh underfoot, ribs and roots for walls, bile in the pits."""

from __future__ import annotations

from math import pi, sin

from floors import FloorDrawing
from look import LookDrawing
from masonry import RAGGED, Front, Hole, Roof, face, pit, top
from natural import crack, cracked, grown, waves
from palette import altered
from patterns import PLAIN, bridge
from pixels import TILE, Noise, Picture, blank, dot, recolour, rect

# Flesh STUVW, roots P, bile wxyz, pus XYZ.
PALETTE = altered(
    ("0123456789", "16070c 220b12 34121b 4a1c26 662a33 863c40 a85752 c67f70 e0ae98 fff0de"),
    ("STUVW", "35121b 4a1a25 61252f 74313a 8f4548"),
    ("P", "7d5a3c"),
    ("wxyz", "2a2c0d 454716 6f7020 b8b23c"),
    ("XYZ", "96702a d9b84a fff2a6"),
    ("abQcRdef", "1c0d0c 321713 44221a 562d21 6a3a29 7d4a34 a1674a c98f68"),
    ("GHIJK", "2a1a10 4a2a16 7a4a20 a8702c d8a448"),
    (":;+", "4a221f 5a2f25 704034"),
    ("$%&", "4a1238 5c1a44 742a56"),
    ("<=>", "5a3526 7d5a3c a8804e"),
    ("[]{", "3c2c14 584a1a 9a8a34"),
)


def flesh(i: int) -> Picture:
    """Draw tissue in folds, with now and then an eye, a mouth or a sore."""
    noise = Noise(7300 + i)
    picture = blank(letter="2")
    for row, (middle, shift) in enumerate(((2, 0.0), (6, 2.1), (10, 4.4), (14, 1.2))):
        start, length = noise.below(16), 7 + noise.below(6)
        for x in range(TILE):
            y = middle + round(1.3 * sin(2 * pi * x / TILE + shift))
            if (x - start) % TILE < length:
                dot(picture, x, y, "1")
                dot(picture, x, y - 1, "3")
            elif (x + row) % 3 == 0:
                dot(picture, x, y, "1")
    for _ in range(4):
        dot(picture, noise.below(16), noise.below(16), "13"[noise.below(2)])
    if i == PLAIN:
        _sore(picture, 6, 6, "X")
        _sore(picture, 11, 11, "X")
    if i in (PLAIN + 1, PLAIN + 3):
        crack(picture, noise, "0", (4 + noise.below(8), 1), 16)
    if i == PLAIN + 2:
        for x, y, length in ((4, 7, 8), (5, 6, 6), (5, 8, 6), (6, 9, 4)):
            rect(picture, x, y, length, 1, "0" if y in (7, 8) else "3")
        for x in (5, 7, 9, 11):
            dot(picture, x, 7, "N")
    return picture


def _sore(picture: Picture, x: int, y: int, letter: str) -> None:
    rect(picture, x - 1, y - 1, 3, 3, "1")
    rect(picture, x - 1, y - 1, 2, 2, "3")
    dot(picture, x, y, letter)


def gut(i: int) -> Picture:
    """Draw rings of muscle across the way."""
    noise = Noise(7350 + i)
    picture = blank(letter="2")
    for y in range(TILE):
        bend = (0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 0, 0)
        for x in range(TILE):
            step = (y + bend[x]) % 4
            dot(picture, x, y, "3213"[step] if step != 3 else "2")
    for _ in range(4):
        dot(picture, noise.below(16), noise.below(16), "1")
    return picture


_LIMBS = "3567765432456653"  # across a face: two ribs or roots, light from the west


def _ribs(picture: Picture, noise: Noise) -> None:
    """Let limbs hang side by side, each winding a little."""
    for y in range(4, TILE):
        sway = (0, 0, 1, 1, 1, 0, 0, -1, -1, -1, 0, 0)[(y - 4) % 12]
        for x in range(TILE):
            dot(picture, x, y, _LIMBS[(x + sway) % 16])
    for y in (7, 11):
        for x in (3, 11):
            if noise.chance(60):
                rect(picture, x, y + noise.below(3), 3, 1, "4")
    rect(picture, 0, 14, 16, 1, "3")


def _hide(picture: Picture, noise: Noise) -> None:
    for y in range(TILE):
        for x in range(TILE):
            if waves(x, y, 2.6, 2, 0.6) > 0.9:
                dot(picture, x, y, "2")
    for _ in range(3):
        dot(picture, noise.below(16), noise.below(16), "0")


def _bile(picture: Picture, noise: Noise) -> None:
    for _ in range(3):
        rect(picture, noise.below(13), noise.below(15), 2 + noise.below(4), 1, "y")
    for _ in range(3):
        rect(picture, noise.below(13), noise.below(15), 3, 1, "w")
    if noise.chance(45):
        x, y = 3 + noise.below(9), 11 + noise.below(2)
        for dx, dy in ((1, 0), (0, 1), (2, 1), (1, 2)):
            dot(picture, x + dx, y + dy, "z")


FRONT = Front(_ribs, coping="8765", depths=RAGGED, shadow="3", edges="26814")
ROOF = Roof(_hide, rim="740", east="640", depths=RAGGED)
STOMACH = Hole(
    _bile, ground="x", cliff="66554433z", lips="8747", shade="w", depths=(0, 1, 2, 3, 2, 1, 0, 0) * 2
)
_STONE = ("tinted_rock", "block", "grave", "statue", "fountain", "altar", "coffin", "bookshelf", "pillar")
_COLOURS = {  # of things, instead of their own
    "torch": ("M", "X"),
    "candle": ("M", "X"),
    "mushroom": ("qpoEDC", "ZYXOMV"),
    "cracks": ("14", "SV"),
    "bed": ("BCDEF", "rstuv"),
    "crystal": ("BCDEF", "SgXYZ"),
}


def _decor(name: str, picture: Picture, number: int) -> Picture:
    if name in _STONE:
        return cracked(picture, "3", number + len(name), 3)
    if name in ("table", "bookshelf_overlay"):
        return grown(picture, "WVU", number + len(name), 50)
    return recolour(picture, *_COLOURS.get(name, ("", "")))


LOOK = LookDrawing(
    name="hollow",
    face=lambda mask, seed: face(FRONT, mask, seed),
    top=lambda mask, seed: top(ROOF, mask, seed),
    pit=lambda mask, seed: pit(STOMACH, mask, seed),
    palette=PALETTE,
    floors={
        "default": FloorDrawing(flesh, "STUVW", 8),
        "start": FloorDrawing(flesh, "TUVWW", 8),
        "hallway": FloorDrawing(gut, "SSTUV"),
        "rubble": FloorDrawing(flesh, "STUVW", 3),
        "bridge": FloorDrawing(bridge, "xMMNN", 2),
        "boss": FloorDrawing(flesh, "abQcR", 8),
        "mini_boss": FloorDrawing(flesh, "lSTUV", 8),
    },
    decor=_decor,
    torch_light="#ff9a6a",
    ambient_light="#8a4048",
)
