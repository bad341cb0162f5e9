"""The ossuary: violet stone and walls of skulls, wax and small flames; the furnace is what burns below it."""

from __future__ import annotations

import dataclasses

from floors import FloorDrawing
from look import LookDrawing
from masonry import Front, Hole, Roof, face, pit, top
from natural import crack, cracked
from palette import altered
from patterns import PLAIN, bridge, threshold
from pixels import TILE, Noise, Picture, blank, dot, recolour, rect

# Floors STUVW, bones LMNO, depths wxyz, wax and flames XYZ.
PALETTE = altered(
    ("0123456789", "0e0915 190f24 251834 342347 47325d 5e4577 7d6296 a286b6 c9b1d6 f4e8fa"),
    ("STUVW", "30122e 411a3c 53244a 67325a 92618a"),
    ("LMNO", "7a6488 b09cc0 dccce8 fff8ff"),
    ("wxyz", "120a1e 1d1030 321c4c 563577"),
    ("XYZ", "b8742a f4bc58 fff4c0"),
    ("abQcRdef", "1a0f1c 2b1a2a 3c2638 503449 66455a 80596e a67c8a cfa8b0"),
    (":;+", "46203f 542a4c 6a3a60"),
    ("$%&", "5a1838 742248 963660"),
    ("[]{", "2a1c48 3a2860 9a80c8"),
)
FIERY = altered(
    ("0123456789", "120708 200b0c 311113 46191a 5f2624 7d3a33 a05a4c c58672 e4b8a0 ffeede"),
    ("STUVW", "270d0e 351314 451a1a 582524 7e3c36"),
    ("LMNO", "6a4a48 b09088 e0c4b8 fff4ec"),
    ("wxyz", "8c1c0a d0480e f58a20 ffe070"),
    ("XYZ", "c43c10 ff8a24 ffe890"),
    ("abQcRdef", "170b0b 281211 391a18 4d2521 66332c 82473c ad6c5a d8a08a"),
    (":;+", "3e1a19 4c2220 622f2b"),
    ("$%&", "5a0c10 7a141a a42428"),
    ("<=>", "52302a 6e4a34 8c6844"),
    ("[]{", "4a1410 661c14 e06a28"),
)


def tombstones(i: int) -> Picture:
    """Draw slabs over graves, a cross cut into some; the rare ones are sunk, or have wax on them."""
    noise = Noise(7800 + i)
    picture = blank(letter="2")
    for x in (0, 8):
        rect(picture, x, 0, 8, TILE, "2")
        rect(picture, x, 0, 7, 1, "3")
        rect(picture, x, 0, 1, 15, "3")
        rect(picture, x + 7, 0, 1, TILE, "0")
        rect(picture, x, 15, 8, 1, "0")
        rect(picture, x + 1, 14, 6, 1, "1")
    if i in (1, 3):
        x = 3 + 8 * (i == 3)
        rect(picture, x, 4, 1, 7, "1")
        rect(picture, x - 1, 6, 3, 1, "1")
    for _ in range(3):
        dot(picture, noise.below(16), noise.below(15), "13"[noise.below(2)])
    if i in (PLAIN, PLAIN + 1):
        crack(picture, noise, "0", (3 + noise.below(8), 1), 15)
    if i >= PLAIN + 2:
        x, y = 4 + noise.below(6), 5 + noise.below(5)
        rect(picture, x, y, 4, 2, "N")
        rect(picture, x + 1, y + 2, 3, 1, "M")
        dot(picture, x + 1, y, "O")
    return picture


def bones(i: int) -> Picture:
    """Draw a floor laid of long bones, side by side."""
    noise = Noise(7850 + i)
    picture = blank(letter="0")
    for row in range(4):
        y, shift = row * 4, noise.below(8)
        rect(picture, 0, y, TILE, 3, "2")
        rect(picture, 0, y, TILE, 1, "3")
        rect(picture, shift, y, 2, 3, "4")
        rect(picture, shift + 8, y, 1, 3, "1")
    return picture


def _skull(picture: Picture, x: int, y: int, dull: bool) -> None:
    """Paint one skull, four pixels wide, in place."""
    bone = "M" if dull else "N"
    rect(picture, x, y, 4, 3, bone)
    rect(picture, x + 1, y, 2, 1, "N" if dull else "O")
    dot(picture, x, y, "M")
    dot(picture, x + 1, y + 1, "1")
    dot(picture, x + 3, y + 1, "1")
    rect(picture, x + 1, y + 3, 3, 1, "L")


def _skulls(picture: Picture, noise: Noise) -> None:
    """Stack skulls in two rows on a ledge, and the ends of long bones below."""
    rect(picture, 0, 4, TILE, 11, "2")
    for row, y in enumerate((5, 9)):
        for place in range(-1, 4):
            _skull(picture, place * 4 + (0, 2)[row], y, noise.chance(45))
    rect(picture, 0, 13, TILE, 1, "5")
    rect(picture, 0, 14, TILE, 1, "3")
    if noise.chance(40):
        x = 3 + noise.below(9)
        rect(picture, x, 11, 2, 2, "O")
        dot(picture, x, 10, "Y")
        dot(picture, x, 9, "Z")


def _vault(picture: Picture, noise: Noise) -> None:
    rect(picture, 0, 7, TILE, 1, "0")
    rect(picture, 0, 15, TILE, 1, "0")
    for y, x in ((0, 5), (8, 12)):
        rect(picture, x, y, 1, 7, "0")
    for _ in range(2):
        rect(picture, noise.below(13), noise.below(15), 2, 1, "2")


def _depth(picture: Picture, noise: Noise) -> None:
    for _ in range(4):
        rect(picture, noise.below(12), noise.below(15), 3 + noise.below(4), 1, "y")
    for _ in range(2):
        rect(picture, noise.below(12), noise.below(15), 2 + noise.below(3), 1, "w")
    if noise.chance(25):
        dot(picture, 3 + noise.below(10), 10 + noise.below(4), "z")


FRONT = Front(_skulls, coping="9865", depths=(4,) * 16, shadow="1", edges="37925")
ROOF = Roof(_vault, rim="850", east="740", depths=(3,) * 16)
DEPTH = Hole(_depth, ground="x", cliff="6655443322y", lips="8748", shade="w", joints=(3, 4, 11, 12))
_BONY = ("boulder", "pot")
_COLOURS = {  # of things, instead of their own
    "cracks": ("14", "SV"),
    "candle": ("M", "Y"),
    "mushroom": ("qpoEDC", "ZYXONM"),
}


def _decor(name: str, picture: Picture, number: int) -> Picture:
    if name in _BONY:
        return recolour(picture, "345678", "LLMMNO")
    return recolour(picture, *_COLOURS.get(name, ("", "")))


def _fiery(name: str, picture: Picture, number: int) -> Picture:
    """Let fire show through the cracks of stone."""
    if name in ("block", "grave", "statue", "altar", "coffin", "pillar"):
        return cracked(picture, "YX", number + len(name), 1)
    return _decor(name, picture, number)


LOOK = LookDrawing(
    name="ossuary",
    face=lambda mask, seed: face(FRONT, mask, seed),
    top=lambda mask, seed: top(ROOF, mask, seed),
    pit=lambda mask, seed: pit(DEPTH, mask, seed),
    palette=PALETTE,
    floors={
        "default": FloorDrawing(tombstones, "STUVW", 8),
        "start": FloorDrawing(tombstones, "TUVWW", 8),
        "hallway": FloorDrawing(bones, "SSTUV"),
        "rubble": FloorDrawing(tombstones, "STUVW", 3),
        "door": FloorDrawing(threshold, "SSTUV", 2),
        "bridge": FloorDrawing(bridge, "wLLMN", 2),
    },
    decor=_decor,
    torch_light="#ffd27a",
    ambient_light="#6c5690",
)
FURNACE = dataclasses.replace(
    LOOK,
    like="ossuary",
    name="furnace",
    palette=FIERY,
    decor=_fiery,
    torch_light="#ff8a4a",
    ambient_light="#94463c",
)
