"""What a look is: everything that a chapter's sheet draws in a way of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from floors import FloorDrawing
from palette import PALETTE, RGB
from pixels import Change, Picture, Tile


def unchanged(name: str, picture: Picture, number: int) -> Picture:
    """Leave a picture as it is."""
    return picture


@dataclass(frozen=True)
class LookDrawing:
    """One look. `floors` are those that differ from the plain ones; `decor` changes each thing's picture.

    Sprites of a look lie in `sprites/NAME/`, with the name of the look that it is `like`, if any.
    `torch_light` and `ambient_light` are `#rrggbb`.
    """

    name: str
    face: Tile
    top: Tile
    pit: Tile
    palette: Mapping[str, RGB] = field(default_factory=lambda: PALETTE)
    floors: Mapping[str, FloorDrawing] = field(default_factory=dict)
    decor: Change = unchanged
    like: str = ""
    torch_light: str = "#ffb45a"
    ambient_light: str = "#7a7392"
