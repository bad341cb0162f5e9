"""A value of a level.json, or of a drawing of one: the types that only these have."""

from __future__ import annotations

from generator.errors import LayoutError, LevelError, shown
from generator.geometry import Point
from generator.node import Node

MAX_KINDS = 256  # of terrain or decor, whose numbers are bytes
FAR = 1 << 30  # a bound for coordinates that are checked further elsewhere
KIND = "[a-z][a-z0-9_]{0,63}"


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

    def kind(self) -> str:
        """Return the name of a kind: of a room, a door or a marker."""
        return self.matching(KIND, "the name of a kind; use up to 64 of a-z, 0-9 and _")

    def point(self, width: int, height: int) -> Point:
        """Return a tile inside the level."""
        x, y = self.pair(-FAR, FAR)
        if not (0 <= x < width and 0 <= y < height):
            self.fail(f"[{x}, {y}] is outside the level of {width} x {height} tiles; give one inside")
        return x, y

    def tiles(self, width: int, height: int) -> tuple[Point, ...]:
        """Return a list of tiles inside the level."""
        return tuple(item.point(width, height) for item in self.items())


class LayoutNode(Node):
    """A value of a Tiled or LDtk file. Its methods raise LayoutError if it is not of the type asked for."""

    __slots__ = ()
    error = LayoutError

    def at(self, key: str, default: object) -> LayoutNode:
        """Return the value of a key, or the default if the key is missing or null."""
        node = super().at(key, default)
        return node if node.value is not None else node.instead(default)

    def get(self, key: str) -> LayoutNode | None:
        """Return the value of a key in a table, or None if it is missing or null."""
        node = self.at(key, None)
        return None if node.value is None else node

    def word(self, key: str, default: str = "") -> str:
        """Return the text of a key, or the default if the key is missing."""
        return self.at(key, default).text()

    def whole(self, key: str, low: int, high: int, default: int) -> int:
        """Return a whole number under a key, or the default."""
        node = self.get(key)
        return default if node is None else node.number(low, high)

    def real(self, key: str, default: float = 0.0) -> float:
        """Return a number below 100 million under a key, or the default."""
        node = self.at(key, default)
        if type(node.value) not in (int, float) or not abs(node.value) < 1e8:
            node.fail(f"{shown(node.value)} is not a number below 100 million")
        return float(node.value)

    def list(self, key: str, most: int) -> list[LayoutNode]:
        """Return the values of a list under a key, or no values if the key is missing."""
        return self.at(key, []).items(most)
