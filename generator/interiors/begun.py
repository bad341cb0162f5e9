"""A layout to begin with: an empty room with its doors or exits, and the markers that it must have."""

from __future__ import annotations

import numpy as np

from generator.geometry import Point
from generator.interiors.interior import inside_tiles
from generator.kinds import Kinds
from generator.shapes import SHAPES

_ACROSS = 1  # tiles on either side of the middle of a narrow room
_PLAYED_BY = {"boss": {"mini_boss": "M"}}  # a marker's glyph in kinds that do not use the first one


def new_layout_text(
    kind: str, shape: str, size: Point, *, free: bool, difficulty: str | None, kinds: Kinds
) -> str:
    """Write a layout to start from: with cells of `size` tiles, or, if `free`, an inside of `size`.

    Markers that the room kind needs are in the middle. A `difficulty` is for rooms that are free.
    """
    if free:
        rows = [["."] * size[0] for _ in range(size[1])]
        across, down = _span(size[0]), _span(size[1])
        exits = f"exits: N {across}, E {down}, S {across}, W {down}"
        header = [exits, *([f"difficulty: {difficulty}"] if difficulty else []), "weight: 1", "mirror: hv"]
    else:
        rows = _grid_rows(shape, size)
        header = [*([f"shape: {shape}"] if shape != "1x1" else []), "weight: 1", "mirror: hv"]
    own = _put_needed(kind, rows, kinds)
    lines = ["// What is this room about?", *header, *own, "", "map:", *map("".join, rows), ""]
    return "\n".join(lines)


def _span(length: int) -> str:
    """Return the middle of a side, two tiles wide, or three if it has a middle tile."""
    middle = (length + 1) // 2
    return f"{middle - 1}-{middle + 1}" if length % 2 else f"{middle}-{middle + 1}"


def _grid_rows(shape: str, size: Point) -> list[list[str]]:
    """Draw the inside of a shape, with `#` in its notch and beside a narrow room."""
    known = SHAPES[shape]
    inside = inside_tiles(known.cells, size).copy()
    height, width = inside.shape
    if not known.slots.keys() - {"W", "E"}:
        inside[: height // 2 - _ACROSS] = inside[height // 2 + _ACROSS + 1 :] = False
    elif not known.slots.keys() - {"N", "S"}:
        inside[:, : width // 2 - _ACROSS] = inside[:, width // 2 + _ACROSS + 1 :] = False
    return [["." if is_inside else "#" for is_inside in row] for row in np.asarray(inside).tolist()]


def _put_needed(kind: str, rows: list[list[str]], kinds: Kinds) -> list[str]:
    """Put the markers that the kind's rooms must hold on the free tiles next to the middle.

    Those without a glyph get a letter, defined by the header lines that it returns.
    """
    letters = iter("ZYQJHLUDNO456789")
    lines = []
    middle = len(rows[0]) // 2, len(rows) // 2
    free = [(x, y) for y, row in enumerate(rows) for x, glyph in enumerate(row) if glyph == "."]
    free.sort(key=lambda tile: (abs(tile[0] - middle[0]) + abs(tile[1] - middle[1]), tile[1], tile[0]))
    for marker, (least, _) in kinds.room(kind).markers.items():
        first = next((sign for sign, glyph in kinds.glyphs.items() if glyph.marker == marker), "")
        if least and not first:
            first = next(letter for letter in letters if letter not in kinds.glyphs)
            lines.append(f"{first} = {marker}")
        for _ in range(min(least, len(free))):
            x, y = free.pop(0)
            rows[y][x] = _PLAYED_BY.get(marker, {}).get(kind, first)
    return lines
