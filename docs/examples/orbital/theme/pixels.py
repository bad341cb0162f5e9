"""Colours, shapes and the sheet: what the pictures of the theme are made with."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

Picture = npt.NDArray[np.uint8]  # [y, x, 4]: RGBA
TILE = 16
COLUMNS = 16

_RAMPS = {
    "0123456789": "0a0d14 131923 1c2532 283546 37485c 4d6277 6b8296 93a9b8 c3d2da eef6f7",  # steel
    "abcd": "4a2418 8a4a24 d07f33 f7c163",  # rust and warning colours
    "rstu": "451424 8f2438 d9484a ff9a7c",  # red
    "klmn": "0d3440 177280 35c4c0 b4fff0",  # cyan
    "ghij": "17392e 2f7a4d 6cc76a cff79a",  # green
    "vwxy": "2a1a4d 5b359a a36be6 e2c2ff",  # violet
}
COLOURS = {
    letter: (*bytes.fromhex(value), 255)
    for letters, values in _RAMPS.items()
    for letter, value in zip(letters, values.split(), strict=True)
} | {".": (0, 0, 0, 0)}


def blank(colour: str = ".", width: int = 1, height: int = 1) -> Picture:
    """A picture of one colour, of so many tiles."""
    picture = np.empty((height * TILE, width * TILE, 4), np.uint8)
    picture[...] = COLOURS[colour]
    return picture


def rect(picture: Picture, x: int, y: int, width: int, height: int, colour: str) -> None:
    """Fill a rectangle, px."""
    picture[max(y, 0) : y + height, max(x, 0) : x + width] = COLOURS[colour]


def dots(picture: Picture, colour: str, *places: tuple[int, int]) -> None:
    """Set pixels."""
    for x, y in places:
        picture[y, x] = COLOURS[colour]


def disc(picture: Picture, x: float, y: float, width: float, height: float, colour: str) -> None:
    """Fill an ellipse round a point, px."""
    ys, xs = np.mgrid[: len(picture), : picture.shape[1]]
    picture[((xs - x) / width) ** 2 + ((ys - y) / height) ** 2 <= 1] = COLOURS[colour]


def box(picture: Picture, x: int, y: int, width: int, height: int, top: int, ramp: str) -> None:
    """A thing with a lid of `top` px and a front below it; the ramp has outline, front, lid, edge."""
    rect(picture, x, y, width, height, "0")
    rect(picture, x + 1, y + 1, width - 2, top, ramp[2])
    rect(picture, x + 1, y + 1, width - 2, 1, ramp[3])
    rect(picture, x + 1, y + 1 + top, width - 2, height - top - 2, ramp[1])
    rect(picture, x + 1, y + height - 2, width - 2, 1, ramp[0])


class DeckNoise:
    """Numbers that are the same everywhere."""

    def __init__(self, seed: int) -> None:
        self._state = seed * 2654435761 + 97 & 0xFFFFFFFF

    def below(self, most: int) -> int:
        """A number from 0 to most - 1."""
        self._state = self._state * 1664525 + 1013904223 & 0xFFFFFFFF
        return (self._state >> 16) * most >> 16


class DeckSheet:
    """The sheet, on which pictures find their places one after the other, and the theme's lines."""

    def __init__(self) -> None:
        self._rows: list[Picture] = []
        self._column = COLUMNS
        self.lines: list[str] = []

    def put(self, picture: Picture) -> str:
        """The place of a picture's top left tile, as themes have it."""
        height, width = (side // TILE for side in picture.shape[:2])
        if height > 1 or self._column + width > COLUMNS:
            self._rows += [blank(width=COLUMNS) for _ in range(height)]
            self._column = 0
        row, column = len(self._rows) - height, self._column
        for dy in range(height):
            target = self._rows[row + dy]
            target[:, column * TILE : (column + width) * TILE] = picture[dy * TILE : (dy + 1) * TILE]
        self._column = COLUMNS if height > 1 else column + width
        return f"[{column}, {row}]"

    def table(self, name: str, **values: str) -> None:
        """A table of the theme."""
        self.lines += ["", f"[{name}]", *(f"{key} = {value}" for key, value in values.items())]

    def image(self) -> Image.Image:
        """The whole sheet."""
        return Image.fromarray(np.concatenate(self._rows), "RGBA")
