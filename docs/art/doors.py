"""Doors: eleven kinds, four sides of a room, open and shut, alone or part of a wide door.

All are put together from the same parts: a frame, a leaf, and an emblem that tells the kind. A kind is a row
of `LOOKS`. The tile north of a room is in the row of wall faces, so its door is seen from the front; the
others lie among wall tops and are seen from above.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from pixels import Picture, Tile, blank, dot, over, parse, rect
from sheet import Canvas, ThemeFile
from sprites import Sprites
from walls import PLAIN_FACE

PARTS = ("alone", "first", "middle", "last")


class DoorDrawing(NamedTuple):
    """How a kind looks: ramps from dark to light, and what the leaf is made of."""

    frame: str
    leaf: str
    made_of: str  # planks, plates, bars, or planks behind a beam
    emblem: str = ""


LOOKS: dict[str, DoorDrawing] = {
    "open": DoorDrawing("bcde", "bcde", "planks"),
    "locked": DoorDrawing("3567", "bcde", "planks", "locked"),
    "boss": DoorDrawing("lnop", "lmno", "plates", "boss"),
    "curse": DoorDrawing("rstu", "krst", "plates", "curse"),
    "treasure": DoorDrawing("ghij", "ghhi", "plates", "treasure"),
    "challenge": DoorDrawing("3678", "1234", "plates", "challenge"),
    "arcade": DoorDrawing("ABDE", "rstu", "plates", "arcade"),
    "one_way": DoorDrawing("2345", "3467", "bars", "one_way"),
    "barred": DoorDrawing("abcd", "abQc", "beam", "barred"),
}

# The way through a door that lets nobody back, as it is painted on the threshold north of a room.
_CHEVRON = parse(["J....J", "IJ..JI", ".IJJI.", "J.II.J", "IJ..JI", ".IJJI.", "..II.."])
_TURNS = {"north": 0, "west": 1, "south": 2, "east": 3}  # quarter turns against the clock


def _posts(part: str) -> tuple[bool, bool]:
    """Tell whether a part of a door has a post before and after it."""
    return part in ("alone", "first"), part in ("alone", "last")


def _leaf(look: DoorDrawing, width: int, height: int) -> Picture:
    """Return a leaf seen from the front."""
    dark, low, mid, high = tuple(look.leaf)
    leaf = blank(width, height, low)
    if look.made_of in ("planks", "beam"):
        for x in range(width):
            rect(leaf, x, 0, 1, height, (high, mid, mid, dark)[x % 4])
        if look.made_of == "beam":
            _lay_beam(leaf, height // 2 - 2)
        for y in (2, height - 3) if look.made_of == "planks" else ():
            rect(leaf, 0, y, width, 1, "5")
    elif look.made_of == "bars":
        rect(leaf, 0, 0, width, height, "k")
        for x in range(1, width, 3):
            rect(leaf, x, 0, 1, height, high)
            rect(leaf, x + 1, 0, 1, height, low)
        for y in (1, height - 4):
            rect(leaf, 0, y, width, 1, mid)
            rect(leaf, 0, y + 1, width, 1, dark)
    else:
        rect(leaf, 0, 0, width, height, mid)
        rect(leaf, 0, 0, width, 1, high)
        rect(leaf, 0, height - 1, width, 1, dark)
        rect(leaf, 0, height // 2, width, 1, dark)
        rect(leaf, 0, height // 2 + 1, width, 1, high)
        for x in (1, width - 2):
            for y in (2, height - 3):
                dot(leaf, x, y, high)
                dot(leaf, x + (1 if x == 1 else -1), y, dark)
    return leaf


def _lay_beam(leaf: Picture, y: int) -> None:
    """Paint a beam across a leaf, in place, and the irons that hold it."""
    width = leaf.shape[1]
    rect(leaf, 0, y, width, 5, "k")
    for row, letter in enumerate("fed", 1):
        rect(leaf, 0, y + row, width, 1, letter)
    for x in (2, width - 4):
        rect(leaf, x, y, 2, 5, "4")
        rect(leaf, x, y, 1, 5, "7")


def _sign(look: DoorDrawing, side: str, sprites: Sprites) -> Picture:
    """Return what a kind has on its lintel; an arrow points into the room."""
    if look.emblem == "one_way" and side in ("east", "west"):
        arrow = sprites["lintel_one_way_aside"][0]
        return arrow if side == "east" else arrow[:, ::-1]
    return sprites[f"lintel_{look.emblem}"][0]


def _threshold(look: DoorDrawing, side: str, x: int, y: int) -> Picture:
    """Return what is painted on the floor below an open door."""
    if look.emblem != "one_way":
        return blank()
    return over(blank(), np.rot90(_CHEVRON, _TURNS[side]), x, y)


def _centred(base: Picture, top_picture: Picture, y: int) -> Picture:
    return over(base, top_picture, (base.shape[1] - top_picture.shape[1]) // 2, y)


def _frame_front(look: DoorDrawing, part: str, sprites: Sprites) -> Picture:
    """Return posts and lintel seen from the front."""
    dark, low, mid, high = tuple(look.frame)
    out = blank()
    before, after = _posts(part)
    if before:
        rect(out, 0, 0, 4, 16, "k")
        rect(out, 0, 1, 1, 15, high)
        rect(out, 1, 1, 1, 15, mid)
        rect(out, 2, 1, 1, 15, low)
        for y in (8, 12):
            rect(out, 0, y, 3, 1, dark)
    if after:
        rect(out, 12, 0, 4, 16, "k")
        rect(out, 13, 1, 1, 15, mid)
        rect(out, 14, 1, 1, 15, low)
        rect(out, 15, 1, 1, 15, dark)
        for y in (8, 12):
            rect(out, 13, y, 3, 1, dark)
    return over(out, _lintel(look, part, sprites))


def _lintel(look: DoorDrawing, part: str, sprites: Sprites) -> Picture:
    """Return the lintel alone: what is drawn over bodies."""
    dark, low, mid, high = tuple(look.frame)
    out = blank()
    rect(out, 0, 0, 16, 6, "k")
    rect(out, 0, 0, 16, 1, high)
    rect(out, 0, 1, 16, 3, mid)
    rect(out, 0, 4, 16, 1, low)
    before, after = _posts(part)
    if before:
        rect(out, 0, 1, 1, 4, high)
    if after:
        rect(out, 15, 1, 1, 4, dark)
    if look.emblem:
        out = _centred(out, _sign(look, "north", sprites), 1)
    return out


def north(look: DoorDrawing, shut: bool, part: str, sprites: Sprites) -> Picture:
    """Return a door in a wall's face."""
    out = blank()
    before, after = _posts(part)
    x0, x1 = (4 if before else 0), (12 if after else 16)
    if shut:
        leaf = _leaf(look, 16, 10)
        out = over(out, leaf, 0, 6)
        rect(out, 0, 15, 16, 1, "1")
        if f"emblem_{look.emblem}" in sprites:
            out = _centred(out, sprites[f"emblem_{look.emblem}"][0], 6)
    else:
        rect(out, x0, 5, x1 - x0, 3, "k")
        for x in range(x0, x1):
            dot(out, x, 8, "0")
            if x % 2:
                dot(out, x, 9, "0")
        out = over(out, _threshold(look, "north", 5, 9))
        if look.made_of == "bars":  # it hangs above whoever goes through
            for x in range(x0 + 1, x1, 3):
                rect(out, x, 6, 1, 3, look.leaf[3])
                rect(out, x + 1, 6, 1, 2, look.leaf[1])
    return over(out, _frame_front(look, part, sprites))


def south(look: DoorDrawing, shut: bool, part: str, sprites: Sprites) -> Picture:
    """Return a door in the wall south of a room, seen from above."""
    dark, low, mid, high = tuple(look.frame)
    out = blank()
    before, after = _posts(part)
    if shut:
        out = over(blank(letter="k"), _leaf(look, 16, 9), 0, 6)
        rect(out, 0, 2, 16, 3, look.leaf[2])
        rect(out, 0, 2, 16, 1, look.leaf[3])
        rect(out, 0, 15, 16, 1, "k")
        if f"emblem_{look.emblem}" in sprites:
            out = _centred(out, sprites[f"emblem_{look.emblem}"][0], 6)
    else:
        for x in range(16):
            dot(out, x, 15, "1")
            dot(out, x, 14, "1" if x % 2 else ".")
        out = over(out, _threshold(look, "south", 5, 5))
    if before:
        rect(out, 0, 0, 4, 16, "k")
        rect(out, 0, 0, 3, 15, low)
        rect(out, 0, 0, 3, 1, high)
        rect(out, 0, 0, 1, 15, high)
        rect(out, 2, 1, 1, 14, dark)
    if after:
        rect(out, 12, 0, 4, 16, "k")
        rect(out, 13, 0, 3, 15, low)
        rect(out, 13, 0, 3, 1, high)
        rect(out, 13, 1, 1, 14, mid)
        rect(out, 15, 1, 1, 14, dark)
    return out


def _jamb(look: DoorDrawing, top_side: bool, sprites: Sprites, side: str) -> Picture:
    """Return the end of a wall beside a door in it, as wide as the wall."""
    _, low, mid, high = tuple(look.frame)
    out = blank(16, 3 if top_side else 5, "k")
    if top_side:  # the foot of the wall's face, which is the tile above
        rect(out, 0, 0, 16, 1, mid)
        rect(out, 0, 1, 16, 1, low)
        return out
    rect(out, 0, 1, 16, 1, high)
    rect(out, 0, 2, 16, 3, mid)
    rect(out, 0, 2, 1, 3, high)
    rect(out, 15, 2, 1, 3, low)
    if look.emblem:
        out = _centred(out, _sign(look, side, sprites), 1)
    return out


def east(look: DoorDrawing, shut: bool, part: str, sprites: Sprites, side: str = "east") -> Picture:
    """Return a door in the wall east of a room, seen from above."""
    out = blank()
    before, after = _posts(part)
    if shut:
        out = blank(letter="1")
        rect(out, 4, 0, 9, 16, "k")
        out = over(out, _leaf(look, 16, 7).T.copy(), 5, 0)
        rect(out, 5, 0, 1, 16, look.leaf[3])
    else:
        if before:
            rect(out, 0, 3, 16, 1, "0")
            for x in range(0, 16, 2):
                dot(out, x, 4, "0")
        out = over(out, _threshold(look, side, 4, 5))
    if before:
        out = over(out, _jamb(look, True, sprites, side))
    if after:
        out = over(out, _jamb(look, False, sprites, side), 0, 11)
    return out


def west(look: DoorDrawing, shut: bool, part: str, sprites: Sprites) -> Picture:
    """Return a door in the wall west of a room: from above as the east one, but for the way in."""
    return east(look, shut, part, sprites, "west")


_BESIDE = {"south": 124, "east": 31, "west": 241}  # the masks of walls on these sides of a room


def secret(side: str, shut: bool, part: str, sprites: Sprites, wall: Picture) -> Picture:
    """Return the door of a secret room: a wall with a crack, or the hole that was blasted into it."""
    if shut:
        return over(wall, sprites["secret_crack"][0])
    hole = sprites["secret_hole" if side == "north" else "secret_gap"][0]
    before, after = _posts(part)
    if side in ("east", "west"):
        hole = hole.T.copy()
    out = hole.copy()
    if side in ("east", "west"):
        if not before:
            out[:8] = hole[7:8]
        if not after:
            out[8:] = hole[7:8]
    else:
        if not before:
            out[:, :8] = hole[:, 7:8]
        if not after:
            out[:, 8:] = hole[:, 7:8]
    return out


_RED = DoorDrawing("lmno", "klmn", "plates", "red")


def red(side: str, shut: bool, part: str, sprites: Sprites, wall: Picture) -> Picture:
    """Return the door of a red room: a wall with the glowing outline of a door, or a frame of flesh."""
    if not shut:
        draw = {"north": north, "east": east, "south": south, "west": west}[side]
        return draw(_RED, False, part, sprites)
    before, after = _posts(part)
    glow = blank()
    rect(glow, 3 if before else 0, 4, 13 - 3 * before - 3 * after + 3, 1, "n")
    for x, is_end in ((3, before), (12, after)):
        if is_end:
            rect(glow, x, 4, 1, 12, "n")
            for y in range(5, 16, 2):
                dot(glow, x + (1 if x == 3 else -1), y, "m")
    for x in range(4 if before else 0, 12 if after else 16, 2):
        dot(glow, x + 1, 5, "m")
    if part not in ("first", "last"):
        for x, y, letter in ((7, 8, "o"), (8, 8, "o"), (7, 9, "o"), (8, 9, "n"), (7, 10, "n"), (8, 10, "n"),
                             (7, 11, "m"), (8, 11, "m")):  # fmt: skip
            dot(glow, x, y, letter)
    turned = {"north": glow, "south": glow[::-1], "east": glow.T[:, ::-1], "west": glow.T}[side]
    return over(wall, turned.copy())


def add(sheet: Canvas, theme: ThemeFile, sprites: Sprites, face: Tile, top: Tile) -> None:
    """Place all doors; `face` and `top` draw the wall of a mask and a seed."""
    walls = {side: top(mask, 0) for side, mask in _BESIDE.items()} | {"north": face(PLAIN_FACE, 0)}
    for side, draw in (("north", north), ("east", east), ("south", south), ("west", west)):
        for kind, look in LOOKS.items():
            overlay = [_lintel(look, part, sprites) for part in PARTS] if side == "north" else []
            name = f"door.{kind}.{side}"
            theme.table(
                f"[{name}]",
                open=sheet.add_all(f"{name}.open", (draw(look, False, part, sprites) for part in PARTS)),
                shut=sheet.add_all(f"{name}.shut", (draw(look, True, part, sprites) for part in PARTS)),
                overlay=sheet.add_all(f"{name}.overlay", overlay),
            )
        for kind, hidden in (("secret", secret), ("red", red)):
            name = f"door.{kind}.{side}"
            theme.table(
                f"[{name}]",
                open=sheet.add_all(
                    f"{name}.open", (hidden(side, False, part, sprites, walls[side]) for part in PARTS)
                ),
                shut=sheet.add_all(
                    f"{name}.shut", (hidden(side, True, part, sprites, walls[side]) for part in PARTS)
                ),
            )
