"""Labelled tiles, drawn for a kit's kinds without a picture in the theme.

A label has the size of the thing. It shows the letters of its name in black on a bright colour, in a striped
frame, so that nobody overlooks it:

    name "slime_pool"      SLI
                           MEP      as many letters as fit, in lines
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_INK = (12, 10, 16, 255)
_LETTER_PX = 4, 6  # including the gap
# Three by five pixels: one digit per row, whose bits are the pixels.
_LETTERS = """
A25755 B65656 C34443 D65556 E74647 F74644 G34553 H55755 I72227 J11152 K55655 L44447 M57755
N65555 O25552 P65644 Q25563 R65655 S34216 T72222 U55557 V55552 W55775 X55255 Y55222 Z71247
075557 126227 261247 361216 455711 574616 634757 771222 875757 975716
"""
_FONT: dict[str, npt.NDArray[np.bool_]] = {
    word[0]: np.array([[int(row) >> bit & 1 for bit in (2, 1, 0)] for row in word[1:]], np.bool_)
    for word in _LETTERS.split()
}


class NameTile(NamedTuple):
    """A tile of a label: the text, whether the background is filled, the size in tiles, the tile's place."""

    text: str
    filled: bool = True
    width: int = 1
    height: int = 1
    x: int = 0
    y: int = 0

    def drawn(self, size: int) -> npt.NDArray[np.uint8]:
        """Draw the tile's pixels, [size, size, 4]."""
        label = _block(self.text, self.filled, self.width * size, self.height * size)
        return label[self.y * size : (self.y + 1) * size, self.x * size : (self.x + 1) * size]


def _block(text: str, filled: bool, width: int, height: int) -> npt.NDArray[np.uint8]:
    """Draw the whole label, [height, width, 4]."""
    colour = _colour(text)
    pixels = np.empty((height, width, 4), np.uint8)
    pixels[...] = colour if filled else (*(part // 3 for part in colour[:3]), 255)
    stripes = (np.add.outer(np.arange(height), np.arange(width)) // 2 % 2).astype(bool)
    frame = np.ones((height, width), bool)
    frame[1:-1, 1:-1] = False
    pixels[frame & stripes] = _INK
    pixels[frame & ~stripes] = (255, 236, 0, 255)
    _write(pixels, text, _INK if filled else colour)
    return pixels


def _colour(text: str) -> tuple[int, int, int, int]:
    """Choose a bright colour that depends on the name."""
    digest = zlib.crc32(text.encode())
    parts = [255, 110 + digest % 128, 100 + (digest >> 8) % 64]
    red, green, blue = (parts[(channel + (digest >> 16)) % 3] for channel in range(3))
    return red, green, blue, 255


def _write(pixels: npt.NDArray[np.uint8], text: str, ink: tuple[int, int, int, int]) -> None:
    """Write as many letters as fit inside the frame, centred."""
    height, width = pixels.shape[:2]
    columns, lines = (
        max(1, (side - 2) // letter) for side, letter in zip((width, height), _LETTER_PX, strict=True)
    )
    letters = [letter for letter in text.upper() if letter in _FONT][: columns * lines]
    rows = [letters[start : start + columns] for start in range(0, len(letters), columns)]
    top = (height - len(rows) * _LETTER_PX[1] + 1) // 2
    for number, row in enumerate(rows):
        left = (width - len(row) * _LETTER_PX[0] + 1) // 2
        for column, letter in enumerate(row):
            y, x = max(0, top + number * _LETTER_PX[1]), max(0, left + column * _LETTER_PX[0])
            pixels[y : y + 5, x : x + 3][_FONT[letter]] = ink
