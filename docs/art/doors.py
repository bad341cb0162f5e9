"""Doors: eight kinds, four sides of a room, open and shut, alone or part of a wide door.

All are put together from the same parts: a frame, a leaf, and an emblem that tells the kind. A kind is a row
of `LOOKS`. The tile north of a room is in the row of wall faces, so its door is seen from the front; the
others lie among wall tops and are seen from above.
"""

from __future__ import annotations

from typing import NamedTuple

from pixels import Picture, blank, dot, over, rect
from sheet import Sheet, ThemeFile
from sprites import Sprites
from walls import PLAIN_FACE, face, top

PARTS = ("alone", "first", "middle", "last")


class Look(NamedTuple):
    """How a kind looks: ramps from dark to light, and what the leaf is made of."""

    frame: str
    leaf: str
    made_of: str  # planks or plates
    emblem: str = ""


LOOKS: dict[str, Look] = {
    "open": Look("bcde", "bcde", "planks"),
    "locked": Look("3567", "bcde", "planks", "locked"),
    "boss": Look("lnop", "lmno", "plates", "boss"),
    "curse": Look("rstu", "krst", "plates", "curse"),
    "treasure": Look("ghij", "ghhi", "plates", "treasure"),
    "challenge": Look("3678", "1234", "plates", "challenge"),
    "arcade": Look("ABDE", "rstu", "plates", "arcade"),
}


def _posts(part: str) -> tuple[bool, bool]:
    """Tell whether a part of a door has a post before and after it."""
    return part in ("alone", "first"), part in ("alone", "last")


def _leaf(look: Look, width: int, height: int) -> Picture:
    """Return a leaf seen from the front: planks or plates."""
    dark, low, mid, high = tuple(look.leaf)
    leaf = blank(width, height, low)
    if look.made_of == "planks":
        for x in range(width):
            rect(leaf, x, 0, 1, height, (high, mid, mid, dark)[x % 4])
        for y in (2, height - 3):
            rect(leaf, 0, y, width, 1, "5")
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


def _centred(base: Picture, top_picture: Picture, y: int) -> Picture:
    return over(base, top_picture, (base.shape[1] - top_picture.shape[1]) // 2, y)


def _frame_front(look: Look, part: str, sprites: Sprites) -> Picture:
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


def _lintel(look: Look, part: str, sprites: Sprites) -> Picture:
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
        out = _centred(out, sprites[f"lintel_{look.emblem}"][0], 1)
    return out


def north(look: Look, shut: bool, part: str, sprites: Sprites) -> Picture:
    """Return a door in a wall's face."""
    out = blank()
    before, after = _posts(part)
    x0, x1 = (4 if before else 0), (12 if after else 16)
    if shut:
        leaf = _leaf(look, 16, 10)
        out = over(out, leaf, 0, 6)
        rect(out, 0, 15, 16, 1, "1")
        if look.emblem:
            out = _centred(out, sprites[f"emblem_{look.emblem}"][0], 6)
    else:
        rect(out, x0, 5, x1 - x0, 3, "k")
        for x in range(x0, x1):
            dot(out, x, 8, "0")
            if x % 2:
                dot(out, x, 9, "0")
    return over(out, _frame_front(look, part, sprites))


def south(look: Look, shut: bool, part: str, sprites: Sprites) -> Picture:
    """Return a door in the wall south of a room, seen from above."""
    dark, low, mid, high = tuple(look.frame)
    out = blank()
    before, after = _posts(part)
    if shut:
        out = over(blank(letter="k"), _leaf(look, 16, 9), 0, 6)
        rect(out, 0, 2, 16, 3, look.leaf[2])
        rect(out, 0, 2, 16, 1, look.leaf[3])
        rect(out, 0, 15, 16, 1, "k")
        if look.emblem:
            out = _centred(out, sprites[f"emblem_{look.emblem}"][0], 6)
    else:
        for x in range(16):
            dot(out, x, 15, "1")
            dot(out, x, 14, "1" if x % 2 else ".")
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


def _jamb(look: Look, top_side: bool, sprites: Sprites) -> Picture:
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
        out = _centred(out, sprites[f"lintel_{look.emblem}"][0], 1)
    return out


def east(look: Look, shut: bool, part: str, sprites: Sprites) -> Picture:
    """Return a door in the wall east of a room, seen from above."""
    out = blank()
    before, after = _posts(part)
    if shut:
        out = blank(letter="1")
        rect(out, 4, 0, 9, 16, "k")
        out = over(out, _leaf(look, 16, 7).T.copy(), 5, 0)
        rect(out, 5, 0, 1, 16, look.leaf[3])
    elif before:
        rect(out, 0, 3, 16, 1, "0")
        for x in range(0, 16, 2):
            dot(out, x, 4, "0")
    if before:
        out = over(out, _jamb(look, True, sprites))
    if after:
        out = over(out, _jamb(look, False, sprites), 0, 11)
    return out


def west(look: Look, shut: bool, part: str, sprites: Sprites) -> Picture:
    """Return a door in the wall west of a room: the same from above as the east one."""
    return east(look, shut, part, sprites)


_SECRET_SHUT = {"north": face(PLAIN_FACE), "south": top(124), "east": top(31), "west": top(241)}


def secret(side: str, shut: bool, part: str, sprites: Sprites) -> Picture:
    """Return the door of a secret room: a wall with a crack, or the hole that was blasted into it."""
    if shut:
        return over(_SECRET_SHUT[side], sprites["secret_crack"][0])
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


def add(sheet: Sheet, theme: ThemeFile, sprites: Sprites) -> None:
    """Place all doors."""
    sheet.section()
    for side, draw in (("north", north), ("east", east), ("south", south), ("west", west)):
        for kind, look in LOOKS.items():
            overlay = [_lintel(look, part, sprites) for part in PARTS] if side == "north" else []
            theme.table(
                f"[door.{kind}.{side}]",
                open=sheet.add_all(draw(look, False, part, sprites) for part in PARTS),
                shut=sheet.add_all(draw(look, True, part, sprites) for part in PARTS),
                overlay=sheet.add_all(overlay),
            )
        theme.table(
            f"[door.secret.{side}]",
            open=sheet.add_all(secret(side, False, part, sprites) for part in PARTS),
            shut=sheet.add_all(secret(side, True, part, sprites) for part in PARTS),
        )
