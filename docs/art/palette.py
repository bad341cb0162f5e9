"""The palette: every colour of the theme has one letter, in ramps from dark to light.

Text grids, ramps and code all name colours by these letters; `.` is transparent.
"""

from __future__ import annotations

from collections.abc import Iterable

RGB = tuple[int, int, int]

INK = "k"

# Darker stone leans to violet and lighter stone to blue, so that light looks cool and shadow deep.
RAMPS: tuple[tuple[str, str], ...] = (
    ("k", "0b0a12"),  # outlines, darkness
    ("0123456789", "14111f 1d1a2d 28253d 35314e 433f60 565577 6f7393 929ab3 bcc6d3 eef3f0"),  # stone
    ("abQcRdef", "231519 3a2222 482a26 573329 683e2d 7c4c31 a56d3f cf9c5c"),  # wood
    ("ghij", "6b3f1d a9681f e3a833 fbe27a"),  # gold
    ("lmnopq", "220f1c 3a1729 571f33 8c2b3a c8443f f08a4b"),  # red, to the orange of flames
    ("rstuv", "1c1029 2f1a44 4a2a66 7a469a b983d0"),  # violet
    ("ABCDEF", "10182c 1a2947 25406a 3568a0 5ba3d4 a9e0ee"),  # blue
    ("GHIJK", "14231f 20382b 335a37 5b8740 9dbb55"),  # green
    ("LMNO", "5d4a48 8f7a6a c6b596 efe6c9"),  # bone
    (":;+", "332b42 3f3448 4a3f4f"),  # dust, as dark as the floor under it
    ("$%&", "431a31 54223a 652d44"),  # carpets
    ("<=>", "4a3a38 6e5540 93774a"),  # straw
    ("[]{", "222544 27305a 4a6a9a"),  # puddles
)


def _rgb(text: str) -> RGB:
    return int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16)


def _colours(ramps: Iterable[tuple[str, str]]) -> dict[str, RGB]:
    return {
        letter: _rgb(value)
        for letters, values in ramps
        for letter, value in zip(letters, values.split(), strict=True)
    }


PALETTE: dict[str, RGB] = _colours(RAMPS)


def altered(*ramps: tuple[str, str]) -> dict[str, RGB]:
    """The palette with some ramps in other colours, or with further letters."""
    return PALETTE | _colours(ramps)
