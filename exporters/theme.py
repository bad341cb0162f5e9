"""Themes: which atlas tile stands for which terrain and neighbourhood, read from TOML and an image.

`docs/themes.md` describes the format. An atlas index is row * columns + column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

AtlasIndex = int


class Variants(NamedTuple):
    """Tiles that may stand for one another, and how often each does against the others."""

    tiles: tuple[AtlasIndex, ...]
    weights: tuple[int, ...]


class Floor(NamedTuple):
    """A floor, and the same where a wall stands to the north (the floor itself if there is none)."""

    plain: Variants
    shaded: Variants


class DoorLook(NamedTuple):
    """A door's tiles in one side's wall: four each (alone, first, middle, last), or an empty overlay."""

    open: tuple[AtlasIndex, ...]
    shut: tuple[AtlasIndex, ...]
    overlay: tuple[AtlasIndex, ...]


class Animation(NamedTuple):
    """Frames that follow to the right of a tile."""

    frames: int
    frame_ms: int


class DecorLook(NamedTuple):
    """A thing's top left tiles, a choice of them, and the tiles of its top one row higher (or none)."""

    variants: Variants
    overlay: tuple[AtlasIndex, ...]


@dataclass(frozen=True)
class Theme:
    """A theme whose every tile lies in its image.

    `floors` by room kind or terrain name, with `default`; `walls` and `pits` by the reduced mask of a
    tile's neighbours; `doors` by kind and side; `icons` by marker kind or `KIND_VARIANT`.
    """

    name: str
    image: bytes  # the PNG file as it is
    tile_size: int  # px
    margin: int  # px
    spacing: int  # px
    columns: int
    rows: int
    floors: Mapping[str, Floor]
    walls: Mapping[int, Variants]
    pits: Mapping[int, Variants]
    doors: Mapping[tuple[str, str], DoorLook]
    decor: Mapping[str, DecorLook]
    icons: Mapping[str, AtlasIndex]
    animations: Mapping[AtlasIndex, Animation] = field(default_factory=dict)
    path: Path | None = None

    def at(self, index: AtlasIndex) -> tuple[int, int]:
        """Column and row of an atlas index."""
        return index % self.columns, index // self.columns


def load_theme(path: Path | None = None) -> Theme:
    """The theme of a TOML file, or the built-in one. Raises ThemeError."""
    raise NotImplementedError
