"""The weir: brick channels in the rain, algae at every foot, clear water in the pits; and foul gutters."""

from __future__ import annotations

import dataclasses

from floors import FloorDrawing
from look import LookDrawing
from masonry import Front, Hole, Roof, face, pit, top
from natural import grown
from palette import altered
from patterns import PLAIN, bridge, threshold
from pixels import TILE, Noise, Picture, blank, dot, recolour, rect

# Floors STUVW, water wxyz, algae GHIJK.
PALETTE = altered(
    ("0123456789", "0a1124 121c38 1a2a50 243a6a 315086 4468a4 6088bf 88abd6 b4d0ea e8f4fb"),
    ("STUVW", "16294e 1d3561 274578 33588f 5c8bb8"),
    ("wxyz", "0f4a58 1a6a74 2f949a a8ece4"),
    ("GHIJK", "12332a 1d4a38 2f6b48 58935a 9cc878"),
    ("abQcRdef", "191b1f 25282b 343632 46453c 5a5646 716a54 968b6c bfb28c"),
    (":;+", "2a3b5a 33466a 40567c"),
    ("[]{", "17506a 226c84 a8ece4"),
)
FOUL = altered(
    ("0123456789", "141206 201d0a 302b0e 423c12 5a5116 766a1c 95882c b8aa48 d8cb78 f6efbc"),
    ("STUVW", "282614 343118 413c1e 524b27 7b713f"),
    ("wxyz", "462e0c 6e4a14 9a7020 d8b450"),
    ("GHIJK", "27320f 394816 556722 7f8f34 b9c45c"),
    ("abQcRdef", "1c1410 2b1e16 3c2b1e 503a28 674c34 806042 a6825a d0ac7c"),
    (":;+", "3a341a 453f20 564e2a"),
    ("[]{", "4a3614 6b4e1c c8a850"),
)


def setts(i: int) -> Picture:
    """Draw wet bricks on edge; some shine, the rare ones lie under a film of water."""
    noise = Noise(7600 + i)
    picture = blank(letter="1")
    for row in range(4):
        for brick in range(-1, 3):
            x, y = brick * 8 + (0, 4)[row % 2], row * 4
            rect(picture, x, y, 7, 3, "2")
            if noise.chance(30):
                rect(picture, x, y, 4 + noise.below(3), 1, "3")
            if noise.chance(12):
                rect(picture, x + 2, y + 1, 3, 1, "4")
    if i % 4 == 3:
        x, y = 1 + noise.below(9), 3 + 4 * noise.below(3)
        rect(picture, x, y, 5, 1, "H")
        rect(picture, x + 1, y - 1, 2, 1, "I")
    if i >= PLAIN:
        x, y = 2 + noise.below(3), 4 + noise.below(4)
        for dy, (left, length) in enumerate(((2, 6), (0, 10), (1, 10), (0, 9), (3, 5))):
            rect(picture, x + left, y + dy, length, 1, "x")
        rect(picture, x + 3, y + 1, 4, 1, "y")
        dot(picture, x + 7, y + 3, "z")
    return picture


def channel(i: int) -> Picture:
    """Draw slabs with a runnel of water between them."""
    noise = Noise(7650 + i)
    picture = blank(letter="2")
    rect(picture, 0, 6, TILE, 4, "1")
    rect(picture, 0, 7, TILE, 2, "x")
    rect(picture, noise.below(10), 7, 3 + noise.below(4), 1, "y")
    for x in (4, 12):
        rect(picture, x, 0, 1, 6, "1")
        rect(picture, x, 10, 1, 6, "1")
    rect(picture, 0, 10, TILE, 1, "3")
    return picture


def _bricks(picture: Picture, noise: Noise) -> None:
    """Lay courses of brick, with streaks of wet down them and algae at their foot."""
    for row, y in enumerate(range(4, 15, 3)):
        for brick in range(-1, 3):
            x = brick * 8 + (0, 4)[row % 2]
            body = "5" if noise.chance(70) else "6"
            rect(picture, x, y, 7, 2, body)
            rect(picture, x, y, 7, 1, "6" if body == "5" else "7")
    for _ in range(2):
        x = noise.below(16)
        rect(picture, x, 5, 1, 4 + noise.below(6), "4")
    for x in range(TILE):
        height = (2, 3, 1, 1, 2, 4, 3, 1, 0, 1, 2, 2, 1, 3, 2, 1)[(x + noise.below(2)) % TILE]
        for y in range(height):
            dot(picture, x, 14 - y, "HHIJ"[min(y, 3)])


def _cap(picture: Picture, noise: Noise) -> None:
    for y in (3, 7, 11, 15):
        rect(picture, 0, y, TILE, 1, "0")
        rect(picture, (2, 10, 6, 14)[y // 4], y - 3, 1, 3, "0")
    for _ in range(2):
        rect(picture, noise.below(13), 4 * noise.below(4), 3, 1, "2")


def _water(picture: Picture, noise: Noise) -> None:
    """Let rain fall on the water: short waves, and a ring or two."""
    for _ in range(4):
        rect(picture, noise.below(12), noise.below(15), 2 + noise.below(4), 1, "w")
    for _ in range(2):
        rect(picture, noise.below(13), noise.below(15), 2, 1, "y")
    if noise.chance(45):
        x, y = 3 + noise.below(8), 11 + noise.below(2)
        for dx, dy in ((1, 0), (2, 0), (0, 1), (3, 1), (1, 2), (2, 2)):
            dot(picture, x + dx, y + dy, "z" if dy == 0 else "y")


FRONT = Front(_bricks, coping="9876", depths=(3,) * 16, shadow="3", foot="G", edges="37925")
ROOF = Roof(_cap, rim="850", east="740", depths=(3,) * 16)
BASIN = Hole(
    _water, ground="x", cliff="65443yz", lips="7757", shade="w", joints=(0, 8), depths=(0, 0, 1, 0) * 4
)
_WET = ("tinted_rock", "block", "grave", "statue", "boulder", "fountain", "coffin", "altar")
_COLOURS = {  # of things, instead of their own
    "cracks": ("14", "SV"),
    "bed": ("BCDEF", "GHIJK"),
}


def _decor(name: str, picture: Picture, number: int) -> Picture:
    if name in (*_WET, "barrel", "crate", "table"):
        return grown(picture, "JIH", number + len(name), 40)
    return recolour(picture, *_COLOURS.get(name, ("", "")))


LOOK = LookDrawing(
    name="weir",
    face=lambda mask, seed: face(FRONT, mask, seed),
    top=lambda mask, seed: top(ROOF, mask, seed),
    pit=lambda mask, seed: pit(BASIN, mask, seed),
    palette=PALETTE,
    floors={
        "default": FloorDrawing(setts, "STUVW", 8),
        "start": FloorDrawing(setts, "TUVWW", 8),
        "hallway": FloorDrawing(channel, "SSTUV"),
        "rubble": FloorDrawing(setts, "STUVW", 3),
        "door": FloorDrawing(threshold, "SSTUV", 2),
        "bridge": FloorDrawing(bridge, "xcRde", 2),
    },
    decor=_decor,
    torch_light="#d8e6ff",
    ambient_light="#50719c",
)
GUTTERS = dataclasses.replace(
    LOOK, name="gutters", like="weir", palette=FOUL, torch_light="#ffd98a", ambient_light="#7c7440"
)
