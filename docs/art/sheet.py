"""The sheet that tiles are placed on, and the theme file that says where they went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from pixels import TILE, Picture, blank, over, to_rgba

Position = tuple[int, int]  # column, row

COLUMNS = 32


class Sheet:
    """Places pictures on a grid of tiles, first fit, row by row from where the current section starts."""

    def __init__(self) -> None:
        """Start empty."""
        self._placed: list[tuple[Position, Picture]] = []
        self._taken: set[Position] = set()
        self._known: dict[bytes, Position] = {}
        self._top = 0

    def section(self) -> None:
        """Start the next pictures on a row of their own."""
        self._top = 1 + max((row for _, row in self._taken), default=-1)

    def add(self, picture: Picture) -> Position:
        """Place a picture of whole tiles; one tile that is on the sheet already is not placed twice."""
        key = picture.tobytes()
        single = picture.shape == (TILE, TILE)
        if single and key in self._known:
            return self._known[key]
        columns, rows = picture.shape[1] // TILE, picture.shape[0] // TILE
        if picture.shape != (rows * TILE, columns * TILE):
            raise ValueError(f"a picture of {picture.shape[::-1]} px is not made of whole tiles")
        at = self._first_fit(columns, rows)
        self._placed.append((at, picture))
        self._taken.update((at[0] + c, at[1] + r) for c in range(columns) for r in range(rows))
        if single:
            self._known[key] = at
        return at

    def add_all(self, pictures: Iterable[Picture]) -> list[Position]:
        """Place several pictures, each on its own."""
        return [self.add(picture) for picture in pictures]

    def add_block(self, pictures: Sequence[Picture], columns: int) -> Position:
        """Place tiles side by side, so many a row, and return where the first one is."""
        rows = -(-len(pictures) // columns)
        block = blank(columns * TILE, rows * TILE)
        for i, picture in enumerate(pictures):
            block = over(block, picture, i % columns * TILE, i // columns * TILE)
        return self.add(block)

    def _first_fit(self, columns: int, rows: int) -> Position:
        row = self._top
        while True:
            for column in range(COLUMNS - columns + 1):
                cells = {(column + c, row + r) for c in range(columns) for r in range(rows)}
                if not cells & self._taken:
                    return column, row
            row += 1

    def rgba(self) -> npt.NDArray[np.uint8]:
        """Return the whole sheet as an image array."""
        rows = 1 + max(row for _, row in self._taken)
        whole = blank(COLUMNS * TILE, rows * TILE)
        for (column, row), picture in self._placed:
            whole = over(whole, picture, column * TILE, row * TILE)
        return to_rgba(whole)


class ThemeFile:
    """Collects the tables of the theme file in the order in which they are told."""

    def __init__(self, preamble: str) -> None:
        """Start with the lines that stand above all tables."""
        self._lines = [preamble.rstrip()]

    def table(self, header: str, **values: object) -> None:
        """Add a table; values that are None or empty are left out."""
        self._lines += ["", header]
        self._lines += [f"{key} = {_toml(value)}" for key, value in values.items() if value not in (None, [])]

    def text(self) -> str:
        """Return the file's text."""
        return "\n".join(self._lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return str(value)
