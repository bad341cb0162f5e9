"""The diggings: earth and ore held up by timber, a black shaft for pits; in the ashworks it all has burnt."""

from __future__ import annotations

import dataclasses

from floors import FloorDrawing
from look import LookDrawing
from masonry import RAGGED, Front, Hole, Roof, face, pit, top
from natural import crack, cracked, stones
from palette import altered
from patterns import PLAIN, bridge
from pixels import TILE, Noise, Picture, blank, dot, recolour, rect

# Floors STUVW, shaft wxyz, ore XYZ, timber abQcRdef.
PALETTE = altered(
    ("0123456789", "140d0a 211711 31231a 4a3726 664c30 8a6a42 b08a58 cfa974 e6c99a f9edd4"),
    ("STUVW", "3a2b1c 483622 574129 674d31 8a6a44"),
    ("wxyz", "120c0a 1c130f 2a1c15 3d2a1e"),
    ("XYZ", "9a6a1e e0a83a fff0a8"),
    ("abQcRdef", "24140c 3a2012 4f2d18 683c20 83502b a06a3c c38f58 e2ba82"),
    (":;+", "4a3723 58422b 6c5236"),
    ("$%&", "43505a 5c6c78 8fa3ae"),
    ("<=>", "6a5228 8f7238 b89a54"),
    ("[]{", "3a2c20 4c3a2a 8a7256"),
)
BURNT = altered(
    ("0123456789", "0d0c0c 1a1615 2a2321 40352c 5c4c3e 7c6854 9a8672 ad9b90 cdbfb4 f2ece4"),
    ("STUVW", "56524f 666160 77716f 8a8380 b0a8a2"),
    ("wxyz", "2a0e08 5a1a0a a8380f ff9a3c"),
    ("XYZ", "a83a12 f07a24 ffd870"),
    ("abQcRdef", "100e0e 1c1918 292523 383331 4a4441 605955 857c76 aea49c"),
    (":;+", "5e5a57 6c6664 7f7976"),
    ("$%&", "4a2a22 6e3a2a a0583a"),
    ("<=>", "4a4440 6a625c 8c837a"),
    ("[]{", "2c2828 3a3534 6c6460"),
)
_LUMPS = ((2, 3), (9, 2), (14, 8), (6, 9), (1, 13), (11, 13))


def earth(i: int) -> Picture:
    """Draw trodden earth with pebbles; the rare ones have a vein of ore."""
    noise = Noise(7700 + i)
    picture = blank(letter="2")
    for _ in range(9):
        rect(
            picture, noise.below(14), noise.below(16), 1 + noise.below(3), 1, "1" if noise.chance(60) else "3"
        )
    for _ in range(2):
        x, y = 1 + noise.below(12), 1 + noise.below(12)
        rect(picture, x, y, 3, 2, "3")
        rect(picture, x, y + 1, 3, 1, "0")
        dot(picture, x, y, "4")
    if i >= PLAIN:
        x, y = 3 + noise.below(6), 3 + noise.below(6)
        for dx, dy in ((0, 0), (1, 1), (3, 1), (4, 3), (2, 4), (6, 4)):
            rect(picture, x + dx, y + dy, 2, 1, "X")
            dot(picture, x + dx, y + dy, "Y")
        dot(picture, x + 3, y + 1, "Z")
    return picture


def boards(i: int) -> Picture:
    """Draw planks across the way, muddy, with gaps."""
    noise = Noise(7750 + i)
    picture = blank(letter="1")
    for x in (0, 4, 8, 12):
        rect(picture, x, 0, 3, TILE, "c")
        rect(picture, x, 0, 1, TILE, "R")
        rect(picture, x, noise.below(12), 3, 1, "Q")
        dot(picture, x + 1, 1, "a")
        dot(picture, x + 1, 14, "a")
    for _ in range(6):
        rect(picture, noise.below(13), noise.below(15), 3, 1, "2")
    return picture


def _rock(picture: Picture, noise: Noise) -> None:
    """Draw rough rock between two posts and a beam; ore glints in it."""
    stones(picture, _LUMPS, "4545", "3", top=4, bright="6565")
    for _ in range(2):
        x, y = 4 + noise.below(8), 8 + noise.below(5)
        dot(picture, x, y, "Y")
        dot(picture, x + 1, y, "X")
    rect(picture, 0, 5, TILE, 2, "c")
    rect(picture, 0, 5, TILE, 1, "d")
    rect(picture, 0, 7, TILE, 1, "1")
    for x in (0, 14):
        rect(picture, x, 5, 2, 10, "c")
        rect(picture, x, 5, 1, 10, "d")
        rect(picture, x + 1, 7, 1, 8, "Q")
    for x in (1, 14):
        dot(picture, x, 6, "a")


def _crust(picture: Picture, noise: Noise) -> None:
    for _ in range(6):
        rect(picture, noise.below(14), noise.below(15), 1 + noise.below(3), 1, "02"[noise.below(2)])
    if noise.chance(20):
        crack(picture, noise, "0", (4 + noise.below(8), 3), 6)


def _shaft(picture: Picture, noise: Noise) -> None:
    for _ in range(4):
        rect(picture, noise.below(12), noise.below(15), 3 + noise.below(4), 1, "x")
    if noise.chance(35):
        dot(picture, 3 + noise.below(10), 9 + noise.below(6), "z")


FRONT = Front(_rock, coping="8765", depths=RAGGED, shadow="3", edges="27915")
ROOF = Roof(_crust, rim="740", east="640", depths=RAGGED)
SHAFT = Hole(
    _shaft, ground="w", cliff="6554433zyyx", lips="8647", shade="w", depths=(0, 1, 2, 1, 0, 0, 1, 0) * 2
)
_COLOURS = {  # of things, instead of their own
    "cracks": ("14", "SV"),
    "crystal": ("BCDEF", "QXYZ9"),
}


def _decor(name: str, picture: Picture, number: int) -> Picture:
    return recolour(picture, *_COLOURS.get(name, ("", "")))


def _burnt(name: str, picture: Picture, number: int) -> Picture:
    """Let embers glow in what stands there."""
    if name in ("rock", "boulder", "block", "crate", "barrel", "table", "coffin"):
        return cracked(picture, "YX", number + len(name), 1)
    return _decor(name, picture, number)


LOOK = LookDrawing(
    name="diggings",
    face=lambda mask, seed: face(FRONT, mask, seed),
    top=lambda mask, seed: top(ROOF, mask, seed),
    pit=lambda mask, seed: pit(SHAFT, mask, seed),
    palette=PALETTE,
    floors={
        "default": FloorDrawing(earth, "STUVW", 8),
        "start": FloorDrawing(earth, "TUVWW", 8),
        "hallway": FloorDrawing(boards, "SSTUV"),
        "rubble": FloorDrawing(earth, "STUVW", 3),
        "bridge": FloorDrawing(bridge, "wQcRd", 2),
    },
    decor=_decor,
    torch_light="#ffc46a",
    ambient_light="#8c6c4c",
)
ASHWORKS = dataclasses.replace(
    LOOK,
    like="diggings",
    name="ashworks",
    palette=BURNT,
    decor=_burnt,
    torch_light="#ff9a50",
    ambient_light="#74706e",
)
