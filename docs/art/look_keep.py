"""The keep: a pale palace. Polished stone with inlays, plastered walls with a blue dado, gold, carpets."""

from __future__ import annotations

from floors import FloorDrawing
from look import LookDrawing
from masonry import Front, Hole, Roof, face, pit, top
from palette import altered
from patterns import PLAIN, bridge, threshold
from pixels import TILE, Noise, Picture, blank, dot, recolour, rect

# Floors STUVW, carpets wxyz, the plaster's gilding ghij.
PALETTE = altered(
    ("0123456789", "181a2c 23263d 363a55 4f5470 7a7a88 9d9a9c bdb6ab d9d0bd efe8d6 fffdf2"),
    ("STUVW", "6a604f 80745d 94886f a2967c b8ac91"),
    ("wxyz", "4a1a2e 6d2338 8a2f42 e0ac4a"),
    ("abQcRdef", "24120d 40201a 55291c 6a3521 7f4228 955233 bd7a4c e0aa74"),
    (":;+", "85765a 8b7b5c a08e6c"),
    ("$%&", "3d5190 485d9c 5f74b0"),
    ("<=>", "94763e b0904c d0b468"),
    ("[]{", "7f8a94 8a9cac d4e4ee"),
)


def polished(i: int) -> Picture:
    """Draw polished squares, every second one a little lighter; the rare ones have an inlaid star."""
    noise = Noise(7400 + i)
    picture = blank(letter="2")
    for x, y, light in ((0, 0, True), (8, 8, True), (8, 0, False), (0, 8, False)):
        rect(picture, x, y, 8, 8, "3" if light else "2")
        rect(picture, x, y + 7, 8, 1, "1")
        rect(picture, x + 7, y, 1, 8, "1")
        if noise.chance(50):  # a vein of the marble
            start = noise.below(4)
            for step in range(4):
                dot(picture, x + start + step // 2, y + 1 + step, "2" if light else "3")
        dot(picture, x, y, "4" if light else "3")
    if i >= PLAIN + 2:
        for y in range(TILE):
            for x in range(TILE):
                reach = abs(x - 7) + abs(y - 7)
                if reach <= 5:
                    dot(picture, x, y, "1" if reach == 5 else "h" if reach == 2 else "4" if reach else "g")
    elif i >= PLAIN:
        for x, y in ((3, 2), (4, 3), (4, 4), (5, 5), (5, 6)):
            dot(picture, x + 2 * (i - PLAIN), y + 3, "0")
    return picture


def runner(i: int) -> Picture:
    """Draw a woven carpet with a diamond."""
    picture = blank(letter="2")
    for y in range(TILE):
        for x in range(TILE):
            reach = abs(x - 7.5) + abs(y - 7.5)
            if (x + y) % 2 and reach > 8:
                dot(picture, x, y, "1")
            if 6.5 < reach < 8:
                dot(picture, x, y, "3")
            if reach < 2.5:
                dot(picture, x, y, "4" if i % 2 else "3")
    if i >= PLAIN:
        rect(picture, 4, 10, 3, 2, "0")
    return picture


def _plaster(picture: Picture, noise: Noise) -> None:
    """Smooth plaster above, a gilded moulding, and panels of blue wood below."""
    rect(picture, 0, 4, 16, 5, "7")
    rect(picture, 0, 4, 16, 1, "6")
    for _ in range(2):
        rect(picture, noise.below(13), 5 + noise.below(3), 2, 1, "8")
    rect(picture, 0, 9, 16, 1, "i")
    rect(picture, 0, 10, 16, 1, "g")
    rect(picture, 0, 11, 16, 4, "C")
    for x in (0, 8):
        rect(picture, x + 1, 12, 6, 2, "D")
        rect(picture, x + 1, 12, 6, 1, "E")
        rect(picture, x, 11, 1, 4, "B")
    rect(picture, 15, 4, 1, 5, "6")  # a pilaster at the joint of two tiles
    rect(picture, 0, 4, 2, 5, "8")
    dot(picture, 0, 4, "9")


def _leads(picture: Picture, noise: Noise) -> None:
    for y in (3, 7, 11, 15):
        rect(picture, 0, y, 16, 1, "0")
        for x in range(0, 16, 8):
            dot(picture, x + (y // 4 % 2) * 4, y - 1, "0")
            dot(picture, x + (y // 4 % 2) * 4, y - 2, "0")
    for _ in range(3):
        rect(picture, noise.below(14), 1 + 4 * noise.below(4), 2, 1, "2")


def _sky(picture: Picture, noise: Noise) -> None:
    for _ in range(2):
        x, y = 2 + noise.below(12), 9 + noise.below(6)
        dot(picture, x, y, "C" if noise.chance(60) else "D")


FRONT = Front(_plaster, coping="9987", depths=(4,) * 16, shadow="4", foot="A", edges="48959")
ROOF = Roof(_leads, rim="970", east="860", depths=(3,) * 16)
WELL = Hole(_sky, ground="A", cliff="87766554433BB", lips="9i9i", shade="B", joints=(0, 7, 8, 15))
_COLOURS = {  # of things, instead of their own
    "dais": ("2345", "4567"),
    "blood": ("lm", "mn"),
    "moss": ("HI", "IJ"),
    "cracks": ("14", "SV"),
    "bed": ("BCDEF", "lmnoo"),
}


def _decor(name: str, picture: Picture, number: int) -> Picture:
    if name in ("tinted_rock", "block", "statue", "statue_overlay", "fountain", "altar", "boulder", "pillar"):
        return recolour(picture, "432", "543")
    return recolour(picture, *_COLOURS.get(name, ("", "")))


LOOK = LookDrawing(
    name="keep",
    face=lambda mask, seed: face(FRONT, mask, seed),
    top=lambda mask, seed: top(ROOF, mask, seed),
    pit=lambda mask, seed: pit(WELL, mask, seed),
    palette=PALETTE,
    floors={
        "default": FloorDrawing(polished, "STUVW", 8),
        "start": FloorDrawing(runner, "ABCDh", 8),
        "hallway": FloorDrawing(runner, "wwxyz"),
        "rubble": FloorDrawing(polished, "STUVW", 3),
        "door": FloorDrawing(threshold, "STUVW", 2),
        "bridge": FloorDrawing(bridge, "AdefN", 2),
    },
    decor=_decor,
    torch_light="#ffe9b8",
    ambient_light="#b8b0a8",
)
