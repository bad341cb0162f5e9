"""The depths: a prison of grey cut stone, laid by masons, hung with iron and chains."""

from __future__ import annotations

from floors import FloorDrawing
from look import LookDrawing
from masonry import Front, Hole, Roof, face, pit, top
from natural import crack
from palette import altered
from patterns import PLAIN, bridge, threshold
from pits import DEEP, mist
from pixels import Noise, Picture, blank, dot, recolour, rect

# Floors have STUVW, rust XYZ.
PALETTE = altered(
    ("0123456789", "0b0d10 14171b 1f2328 2c3138 40464e 5a626b 7a838c 9ca5ac c3cacd f0f3f1"),
    ("STUVW", "2f3337 3e4347 51565b 5e6469 737a7f"),
    ("XYZ", "54301f 8a4a26 c07a3c"),
    ("abQcRdef", "17120f 2a211b 382b22 463629 544132 644e3b 8a7156 b39a78"),
    (":;+", "443f39 534b43 655c52"),
    ("$%&", "3a2426 4a2c2c 5c3a38"),
    ("<=>", "4a4335 6e6147 94835a"),
    ("[]{", "34424c 3e4f5b 8ea4b0"),
)


def _flag(picture: Picture, x: int, y: int, size: int, noise: Noise) -> None:
    """Lay one square flag with a bevel, in place."""
    rect(picture, x, y, size, size, "2")
    rect(picture, x, y, size - 1, 1, "3")
    rect(picture, x, y, 1, size - 1, "3")
    rect(picture, x, y + size - 1, size, 1, "1")
    rect(picture, x + size - 1, y, 1, size, "1")
    dot(picture, x + size - 1, y + size - 1, "0")
    for _ in range(size // 4):
        dot(picture, x + 2 + noise.below(size - 4), y + 2 + noise.below(size - 4), "13"[noise.below(2)])


def _grate(picture: Picture) -> None:
    """Let an iron grate into the floor, in place."""
    rect(picture, 3, 3, 10, 10, "4")
    rect(picture, 4, 4, 9, 9, "1")
    rect(picture, 4, 4, 8, 8, "k")
    for at in (5, 8, 11):
        rect(picture, at, 4, 1, 8, "5")
        dot(picture, at, 4, "7")


def flags(i: int) -> Picture:
    """Draw large square flags, exactly laid; the rare ones are split, cracked, or have a grate."""
    noise = Noise(7200 + i)
    picture = blank(letter="1")
    if i in (1, 3):
        for x, y in ((0, 0), (8, 0), (0, 8), (8, 8)):
            _flag(picture, x, y, 8, noise)
    else:
        _flag(picture, 0, 0, 16, noise)
        rect(picture, 2, 13, 12, 1, "1" if i == 2 else "2")
        rect(picture, 2, 2, 12, 1, "1" if i == 2 else "2")
        rect(picture, 2, 2, 1, 12, "1" if i == 2 else "2")
        rect(picture, 13, 2, 1, 12, "1" if i == 2 else "2")
    if i in (PLAIN, PLAIN + 1):
        crack(picture, noise, "0", (5 + noise.below(6), 1), 14)
    if i == PLAIN + 2:
        _grate(picture)
    if i == PLAIN + 3:
        for x, y in ((5, 6), (7, 8), (6, 10), (9, 9), (10, 5)):
            rect(picture, x, y, 2, 1, "X")
    return picture


def slots(i: int) -> Picture:
    """Draw long slabs across the way, worn in their middle."""
    noise = Noise(7250 + i)
    picture = blank(letter="2")
    for y in (0, 8):
        rect(picture, 0, y, 16, 1, "3")
        rect(picture, 0, y + 7, 16, 1, "0")
        rect(picture, (5, 12)[y // 8], y, 1, 8, "1")
    for _ in range(4):
        rect(picture, noise.below(12), 2 + noise.below(12), 3, 1, "1")
    if i >= PLAIN:
        crack(picture, noise, "0", (4 + noise.below(8), 0), 12)
    return picture


def _ashlar(picture: Picture, noise: Noise) -> None:
    """Lay two courses of great blocks, each with a bevel."""
    for y, shift in ((4, 0), (10, -8)):
        for block in range(2 if not shift else 3):
            x, dull = block * 16 + shift, noise.chance(25)
            body = "5" if dull else "6"
            rect(picture, x, y, 15, 5, body)
            rect(picture, x, y, 15, 1, "6" if dull else "7")
            rect(picture, x, y, 1, 5, "6" if dull else "7")
            rect(picture, x, y + 4, 15, 1, "4")
            rect(picture, x + 14, y + 1, 1, 4, "4")
    for _ in range(3):
        dot(picture, noise.below(16), 5 + noise.below(9), "5")


def _slate(picture: Picture, noise: Noise) -> None:
    rect(picture, 0, 7, 16, 1, "0")
    rect(picture, (3, 11, 7)[noise.below(3)], 0, 1, 7, "0")
    rect(picture, (13, 5, 9)[noise.below(3)], 8, 1, 8, "0")
    for _ in range(2):
        rect(picture, noise.below(13), noise.below(15), 3, 1, "2")


FRONT = Front(_ashlar, coping="9876", depths=(4,) * 16, edges="27915")
ROOF = Roof(_slate, ground="1", rim="850", east="740", depths=(3,) * 16)
SHAFT = Hole(mist, ground=DEEP, cliff="566655544332210", lips="9848", shade="0", joints=(3, 4, 11, 12))
_COLOURS = {  # of things, instead of their own
    "spikes": ("4", "3"),
    "mushroom": ("HIJKpqo", "2456678"),
    "grass": ("HIJKpqo", "2456678"),
    "cracks": ("14", "SV"),
    "bed": ("BCDEF", "34567"),
    "dais": ("2345", "4567"),
}


def _decor(name: str, picture: Picture, number: int) -> Picture:
    return recolour(picture, *_COLOURS.get(name, ("", "")))


LOOK = LookDrawing(
    name="depths",
    face=lambda mask, seed: face(FRONT, mask, seed),
    top=lambda mask, seed: top(ROOF, mask, seed),
    pit=lambda mask, seed: pit(SHAFT, mask, seed),
    palette=PALETTE,
    floors={
        "default": FloorDrawing(flags, "STUVW", 8),
        "start": FloorDrawing(flags, "TUVWW", 8),
        "hallway": FloorDrawing(slots, "STTUV"),
        "rubble": FloorDrawing(flags, "STUVW", 3),
        "door": FloorDrawing(threshold, "SSTUV", 2),
        "bridge": FloorDrawing(bridge, "k4576", 2),
    },
    decor=_decor,
    torch_light="#ffd9a0",
    ambient_light="#767f8a",
)
