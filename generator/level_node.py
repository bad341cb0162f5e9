"""A value of a level.json: the types that only levels have."""

from __future__ import annotations

import re

from generator.errors import LevelError, shown
from generator.geometry import Point
from generator.node import Node
from generator.seeds import MAX_SEED

MAX_KINDS = 256  # of terrain or decor, whose numbers are bytes
FAR = 1 << 30  # a bound for coordinates that are checked further elsewhere
_KIND = re.compile(r"[a-z][a-z0-9_]{0,63}")


class LevelNode(Node):
    """A value of a level.json."""

    __slots__ = ()
    error = LevelError

    def maybe(self, low: int, high: int) -> int | None:
        """Return a number like `number`, or None for null. It must be null if `high` is less than `low`."""
        if self.value is None:
            return None
        if high < low:
            self.fail(f"{shown(self.value)} does not exist in this level; give null")
        return self.number(low, high)

    def seed(self) -> int:
        """Return a 64-bit number given as text, since JSON readers lose digits of large ones."""
        text = self.text()
        if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) <= MAX_SEED):
            self.fail(f"{shown(text)} is not a number from 0 to {MAX_SEED}, as text")
        return int(text)

    def kind(self) -> str:
        """Return the name of a kind: of a room, a door or a marker."""
        if not _KIND.fullmatch(self.text()):
            self.fail(f"{shown(self.value)} is not the name of a kind; use up to 64 of a-z, 0-9 and _")
        return str(self.value)

    def point(self, width: int, height: int) -> Point:
        """Return a tile inside the level."""
        x, y = self.pair(-FAR, FAR)
        if not (0 <= x < width and 0 <= y < height):
            self.fail(f"[{x}, {y}] is outside the level of {width} x {height} tiles; give one inside")
        return x, y

    def tiles(self, width: int, height: int) -> tuple[Point, ...]:
        """Return a list of tiles inside the level."""
        return tuple(item.point(width, height) for item in self.items())
