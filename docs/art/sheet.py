"""The sheet that pictures are painted on, and the theme file that says where they lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from palette import PALETTE, RGB
from pixels import TILE, Picture, blank, over, to_rgba
from places import COLUMNS, Places, Position

LIT = ("marker.torch.icon", "marker.fire.icon")  # these icons stand for things, and look like them


class Canvas:
    """Pictures on a grid of tiles, each at the place that `places` lists for its name."""

    def __init__(self, places: Places) -> None:
        """Start empty."""
        self._places = places
        self._painted: dict[Position, Picture] = {}
        self._known: dict[tuple[tuple[int, ...], bytes], Position] = {}
        self._icons: set[Position] = set()

    def add(self, name: str, picture: Picture, number: int = 0) -> Position:
        """Paint a picture of whole tiles: the one of that number among a name's.

        Pictures that are the same may share a place. One that is no longer the same as the first at its place
        gets another, which leaves all others where they are.
        """
        columns, rows = picture.shape[1] // TILE, picture.shape[0] // TILE
        if picture.shape != (rows * TILE, columns * TILE):
            raise ValueError(f"{name}: a picture of {picture.shape[::-1]} px is not made of whole tiles")
        key = (picture.shape, picture.tobytes())
        at = self._places.of(name, number, (columns, rows))
        if at is None or not np.array_equal(self._painted.get(at, picture), picture):
            at = self._known.get(key) or self._places.free((columns, rows))
        self._places.keep(name, number, (columns, rows), at)
        self._painted[at] = picture
        self._known.setdefault(key, at)
        self._note(name, at)
        return at

    def _note(self, name: str, at: Position) -> None:
        if name.startswith("marker.") and name not in LIT:
            self._icons.add(at)

    def add_all(self, name: str, pictures: Iterable[Picture]) -> list[Position]:
        """Paint a name's pictures, each at its own place."""
        return [self.add(name, picture, number) for number, picture in enumerate(pictures)]

    def add_block(self, name: str, pictures: Sequence[Picture], columns: int) -> Position:
        """Paint tiles side by side, so many in a row, and return where the first one is."""
        rows = -(-len(pictures) // columns)
        block = blank(columns * TILE, rows * TILE)
        for i, picture in enumerate(pictures):
            block = over(block, picture, i % columns * TILE, i // columns * TILE)
        return self.add(name, block)

    def rgba(self, palette: Mapping[str, RGB] = PALETTE) -> npt.NDArray[np.uint8]:
        """Return the whole sheet as an image array; icons keep the palette's own colours."""
        rows = max(row + picture.shape[0] // TILE for (_, row), picture in self._painted.items())
        whole = np.zeros((rows * TILE, COLUMNS * TILE, 4), np.uint8)
        for (column, row), picture in self._painted.items():
            y, x = row * TILE, column * TILE
            colours = PALETTE if (column, row) in self._icons else palette
            whole[y : y + picture.shape[0], x : x + picture.shape[1]] = to_rgba(picture, colours)
        return whole


class LookCanvas(Canvas):
    """A further sheet: each picture lies where the first sheet has it, whose `places` stay as they are."""

    def add(self, name: str, picture: Picture, number: int = 0) -> Position:
        """Paint a picture at its place. Of pictures that share one, all must be the same in every look."""
        columns, rows = picture.shape[1] // TILE, picture.shape[0] // TILE
        at = self._places.of(name, number, (columns, rows))
        if at is None:
            raise ValueError(f"{name}: the first sheet has no picture {number} of {columns} x {rows} tiles")
        if not np.array_equal(self._painted.setdefault(at, picture), picture):
            raise ValueError(f"{name}: picture {number} shares its place {at} with one that differs here")
        self._note(name, at)
        return at


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
