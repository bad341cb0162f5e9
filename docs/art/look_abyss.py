"""The abyss: black glass, broken, with a fire below it that glows through every crack."""

from __future__ import annotations

from floors import FloorDrawing
from look import LookDrawing
from masonry import Front, Hole, Roof, face, pit, top
from natural import crack, cracked, stones
from palette import altered
from patterns import PLAIN, bridge
from pixels import TILE, Noise, Picture, blank, dot, recolour, rect

# Floors STUVW, glow XYZ, lava wxyz.
PALETTE = altered(
    ("0123456789", "08060b 100c15 191421 251e31 362c47 4d4064 6d5d88 9787b0 c4b8d6 f3ecff"),
    ("STUVW", "0d0a0c 1c1517 2c2325 3e3133 574447"),
    ("XYZ", "8c2410 e8601c ffc84a"),
    ("wxyz", "7a1c0c c43a10 f07a1e ffd45e"),
    ("abQcRdef", "0e0a0c 1c1316 261a1c 302223 3d2b2b 4c3836 6c5450 94807a"),
    ("GHIJK", "120e16 241a2c 3e2a4c 64407a 9a68b0"),
    ("L", "3d3548"),
    (":;+", "241d22 352a2c 45393a"),
    ("$%&", "2a1440 381c52 4e2c6c"),
    ("<=>", "2e2422 54423a 7c6450"),
    ("[]{", "100c18 1a1626 5c4f7c"),
)
_PLATES = ((2, 3), (9, 2), (14, 7), (6, 9), (1, 13), (11, 13))
_BROKEN = (2, 4, 3, 3, 5, 4, 2, 2, 3, 5, 4, 4, 3, 2, 3, 3)


def glass(i: int) -> Picture:
    """Draw plates of black glass; the rare ones have a glowing crack."""
    noise = Noise(7500 + i)
    picture = blank(letter="2")
    stones(picture, _PLATES, "2212", "0", bright="3343")
    if i == 3:
        crack(picture, noise, "X", (3 + noise.below(8), 2 + noise.below(4)), 7)
    if i >= PLAIN:
        crack(picture, noise, "YX", (3 + noise.below(9), 1), 15)
        crack(picture, noise, "ZX" if i % 2 else "YX", (6 + noise.below(6), 7), 7)
    return picture


def shards(i: int) -> Picture:
    """Draw splinters that lie across the way."""
    noise = Noise(7550 + i)
    picture = blank(letter="2")
    for y in range(TILE):
        for x in range(TILE):
            place = (x + 2 * y) % 8
            dot(picture, x, y, "0" if place == 0 else "3" if place == 1 else "2")
    if i % 3 == 1 or i >= PLAIN:
        crack(picture, noise, "YX" if i >= PLAIN else "X", (2 + noise.below(10), 2), 9)
    return picture


_COLUMN = "26543326554332654"  # light on the left edge of each column


def _columns(picture: Picture, noise: Noise) -> None:
    """Set columns of basalt side by side, and let the glow shine up their feet."""
    for x in range(TILE):
        for y in range(4, TILE):
            dot(picture, x, y, _COLUMN[x])
    for left in (0, 6, 11):
        y = 6 + noise.below(6)
        rect(picture, left + 1, y, 4, 1, "2")
        rect(picture, left + 1, y + 1, 3, 1, "6")
    for x in (0, 6, 11):
        for y in range(11 + noise.below(3), 15):
            dot(picture, x, y, "X" if y < 13 else "Y")
    rect(picture, 0, 14, 16, 1, "X")
    for x in (2, 3, 8, 13):
        dot(picture, x, 14, "Y")


def _glaze(picture: Picture, noise: Noise) -> None:
    for _ in range(3):
        x, y = noise.below(13), noise.below(13)
        for step in range(3):
            dot(picture, x + step, y + step, "2")
    if noise.chance(8):
        crack(picture, noise, "X", (4 + noise.below(8), 3), 6)


def _lava(picture: Picture, noise: Noise) -> None:
    for _ in range(4):
        rect(picture, noise.below(12), noise.below(15), 2 + noise.below(5), 1, "y")
    for _ in range(3):
        rect(picture, noise.below(12), noise.below(15), 2 + noise.below(4), 1, "w")
    for _ in range(2):
        if noise.chance(50):
            rect(picture, 2 + noise.below(11), 10 + noise.below(5), 1 + noise.below(2), 1, "z")


FRONT = Front(_columns, coping="764", depths=_BROKEN, shadow="1", foot="X", edges="16714")
ROOF = Roof(_glaze, ground="0", rim="630", east="530", depths=_BROKEN)
LAVA = Hole(_lava, ground="x", cliff="443321wyz", lips="6545", shade="w", depths=(0, 1, 1, 0, 2, 1, 0, 0) * 2)
_GLOWING = ("block", "grave", "statue", "boulder", "altar", "coffin", "table", "bookshelf_overlay")
_COLOURS = {  # of things, instead of their own
    "fountain": ("CDEF", "wxyz"),
    "torch": ("jiqpM", "Fuvt3"),
    "candle": ("jiqpM", "Fuvt3"),
    "mushroom": ("qpoEDC", "ZYXvut"),
    "cracks": ("14", "SX"),
    "roots": ("bQR", "Rde"),
    "bed": ("BCDEF", "rrstu"),
    "blood": ("lm", "mn"),
    "crystal": ("BCDEF", "rtuv9"),
}


def _decor(name: str, picture: Picture, number: int) -> Picture:
    if name in _GLOWING:
        return cracked(picture, "YX", number + len(name), 3 if name == "boulder" else 1)
    return recolour(picture, *_COLOURS.get(name, ("", "")))


LOOK = LookDrawing(
    name="abyss",
    face=lambda mask, seed: face(FRONT, mask, seed),
    top=lambda mask, seed: top(ROOF, mask, seed),
    pit=lambda mask, seed: pit(LAVA, mask, seed),
    palette=PALETTE,
    floors={
        "default": FloorDrawing(glass, "STUVW", 8),
        "start": FloorDrawing(glass, "TUVWW", 8),
        "hallway": FloorDrawing(shards, "STUVW"),
        "rubble": FloorDrawing(glass, "STUVW", 3),
        "bridge": FloorDrawing(bridge, "x3546", 2),
        "boss": FloorDrawing(glass, "lmnoo", 8),
    },
    decor=_decor,
    torch_light="#c99cff",
    ambient_light="#5a4478",
)
