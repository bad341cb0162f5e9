"""The icons of the roster: half pictures, mirrored, their right halves a shade darker."""

from __future__ import annotations

import numpy as np
from palette import RAMPS
from pixels import TILE, Picture, blank, over, recolour
from sheet import Canvas, ThemeFile
from sprites import Sprites

_HALF = "half_"


def _darker() -> tuple[str, str]:
    """Each colour but a ramp's darkest and the shadow's, and the one that is darker by a step."""
    pairs = [
        pair for letters, _ in RAMPS for pair in zip(letters[1:], letters, strict=False) if "1" not in pair
    ]
    return "".join(light for light, _ in pairs), "".join(dark for _, dark in pairs)


def whole(half: Picture) -> Picture:
    """A whole icon of the left half of it, which stands on the tile's lower edge."""
    right = recolour(half[:, ::-1], *_darker())
    picture = np.hstack([half, right])
    return over(blank(TILE, TILE), picture, 0, TILE - len(picture))


def add_enemies(sheet: Canvas, theme: ThemeFile, sprites: Sprites) -> None:
    """Place the icon of each enemy kind."""
    for name, pictures in sprites.items():
        if name.startswith(_HALF):
            kind = f"enemy_{name.removeprefix(_HALF)}"
            theme.table(f"[marker.{kind}]", icon=sheet.add(f"marker.{kind}.icon", whole(pictures[0])))
