"""Colours, a brush and the sheet: what the pictures of the theme are made with."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

TILE = 16
COLUMNS = 16
_RAMPS = {  # each from dark to light
    "sand": "8a6740 ad8352 c79d66 d6b07a e6c793",
    "wood": "24160f 452b1c 64402a 85593a a5784e c49a6c",
    "roof": "2a1c1a 43302b 5b443b 745a4c",
    "red": "561c18 8a2f27 b8493b",
    "white": "8f8270 b9ab92 d8ccb2 f2ead6",
    "iron": "15171b 2c3036 4f565e 7f888f b4bbbf",
    "green": "2c4527 49693a 76954c",
    "gold": "8f6420 d6a83e ffe58a",
    "water": "285264 417f91 86bfc4",
    "rock": "2b1612 4a2a20 6e4231 8f5d44",
    "fire": "c9501b f59a2c ffe07a",
    "blue": "24354f 3f5c85 6f93b8",
}
COLOURS = {
    f"{ramp}{number}": (*bytes.fromhex(value), 255)
    for ramp, values in _RAMPS.items()
    for number, value in enumerate(values.split())
}


class TownPicture:
    """A picture of some tiles, transparent at first, and the ways to paint on it, px."""

    def __init__(self, fill: str = "", width: int = 1, height: int = 1) -> None:
        self.pixels: npt.NDArray[np.uint8] = np.zeros((height * TILE, width * TILE, 4), np.uint8)
        if fill:
            self.pixels[...] = COLOURS[fill]

    def rect(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        """Fill a rectangle."""
        self.pixels[max(y, 0) : y + height, max(x, 0) : x + width] = COLOURS[colour]

    def dots(self, colour: str, *places: tuple[int, int]) -> None:
        """Set pixels."""
        for x, y in places:
            self.pixels[y % len(self.pixels), x % self.pixels.shape[1]] = COLOURS[colour]

    def disc(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Fill an ellipse round a point."""
        ys, xs = np.mgrid[: len(self.pixels), : self.pixels.shape[1]]
        self.pixels[((xs - x) / width) ** 2 + ((ys - y) / height) ** 2 <= 1] = COLOURS[colour]

    def shade(self, y: int, percent: int) -> None:
        """Darken a row."""
        row = self.pixels[y, :, :3]
        row[...] = (row.astype(np.uint16) * percent // 100).astype(np.uint8)


class TownNoise:
    """Numbers that are the same everywhere."""

    def __init__(self, seed: int) -> None:
        self._state = seed * 2654435761 + 41 & 0xFFFFFFFF

    def below(self, most: int) -> int:
        """A number from 0 to most - 1."""
        self._state = self._state * 1664525 + 1013904223 & 0xFFFFFFFF
        return (self._state >> 16) * most >> 16


class TownSheet:
    """The sheet, on which pictures find their places one after the other, and the theme's lines."""

    def __init__(self) -> None:
        self._rows: list[npt.NDArray[np.uint8]] = []
        self._column = COLUMNS
        self.lines: list[str] = []

    def put(self, *frames: TownPicture) -> str:
        """The place of a picture, or of the first of several side by side, as themes have it."""
        pixels = np.concatenate([frame.pixels for frame in frames], axis=1)
        height, width = (side // TILE for side in pixels.shape[:2])
        if height > 1 or self._column + width > COLUMNS:
            self._rows += [np.zeros((TILE, COLUMNS * TILE, 4), np.uint8) for _ in range(height)]
            self._column = 0
        row, column = len(self._rows) - height, self._column
        for dy in range(height):
            part = pixels[dy * TILE : (dy + 1) * TILE]
            self._rows[row + dy][:, column * TILE : (column + width) * TILE] = part
        self._column = COLUMNS if height > 1 else column + width
        return f"[{column}, {row}]"

    def table(self, name: str, **values: str) -> None:
        """A table of the theme."""
        self.lines += ["", f"[{name}]", *(f"{key} = {value}" for key, value in values.items())]

    def image(self) -> Image.Image:
        """The whole sheet."""
        return Image.fromarray(np.concatenate(self._rows), "RGBA")
