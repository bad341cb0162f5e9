"""A value of a file that was read from outside, and its place there: read by type and within bounds.

Every reader of JSON, TOML and requests uses it: a node leads to the nodes inside of it, and whatever is wrong
gets one line with the file, the key, the value and the remedy.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, NoReturn, Self

from generator.errors import BadInput, LayoutError, LevelError, hint, is_unicode, remedied, shown, unknown
from generator.geometry import Point
from generator.seeds import MAX_SEED

MAX_ITEMS = 1 << 20  # of a list
MAX_KEYS = 256  # of a table
MAX_TEXT = 4096  # characters


class Node:
    """A value and its place, as `FILE: KEY`. Raises `error` if the value is not of the requested type."""

    __slots__ = ("_above", "_is_file", "_key", "value")
    error: ClassVar[type[BadInput]] = BadInput

    def __init__(
        self, value: Any, key: str | int, above: Node | None = None, *, is_file: bool = False
    ) -> None:
        """Hold a value. `key` leads to it in the node `above`. Without one it is the place.

        `is_file`: the value is the whole content of a file, and `key` is the file's name.
        """
        self.value = value
        self._key = key
        self._above = above
        self._is_file = is_file

    @property
    def path(self) -> str:
        """Join the keys that lead to it from the top, such as `rooms[3].bounds`. Empty for the top itself."""
        if self._above is None:
            return ""
        above = self._above.path
        if isinstance(self._key, int):
            return f"{above}[{self._key}]"
        plain = self._key.isidentifier() and self._key.isascii() and len(self._key) < 50
        key = self._key if plain else shown(self._key)[1:-1]  # most are plain, and there are many
        return f"{above}.{key}" if above else key

    @property
    def place(self) -> str:
        """Join the file and the keys, with which messages begin."""
        top: Node = self
        while top._above is not None:
            top = top._above
        path = self.path
        if not path:
            return str(top._key)
        joint = ": " if top._is_file else "" if path.startswith("[") else "."
        return f"{top._key}{joint}{path}"

    def fail(self, what: str) -> NoReturn:
        """Raise the error: the value's place, what is wrong, and a remedy if that has none."""
        raise self.error(f"{self.place}: {remedied(what)}")

    def instead(self, value: object) -> Self:
        """Return another value at the same place."""
        return type(self)(value, self._key, self._above, is_file=self._is_file)

    @contextmanager
    def named(self) -> Iterator[None]:
        """Put the place of this value before the errors of a block."""
        try:
            yield
        except BadInput as error:
            raise self.error(f"{self.place}: {error}") from None

    # --- tables ------------------------------------------------------------------------------------------

    def table(self, remedy: str = "give one") -> dict[str, Any]:
        """Return the table itself."""
        if not isinstance(self.value, dict):
            self.fail(f"{shown(self.value)} is not a table; {remedy}")
        return self.value

    def has(self, key: str) -> bool:
        """Check whether a table has a key."""
        return key in self.table()

    def __getitem__(self, key: str) -> Self:
        return self.needed(key)

    def needed(self, key: str, remedy: str = "add it") -> Self:
        """Return the value of a key, which must be there."""
        if not self.has(key):
            type(self)(None, key, self).fail(f"is missing; {remedy}")
        return type(self)(self.value[key], key, self)

    def at(self, key: str, default: object) -> Self:
        """Return the value of a key, or the default, as if it stood there, if the key is missing."""
        return type(self)(self.value[key] if self.has(key) else default, key, self)

    def only(self, known: Collection[str], needed: Collection[str] = ()) -> Self:
        """Return this table if all its keys are known and none that it needs is missing."""
        for key in needed:
            self.needed(key, "give it")
        for key in self.table():
            if key not in known:
                type(self)(None, key, self).fail(f"unknown key; {hint(str(key), tuple(known))}")
        return self

    def pairs(self, most: int = MAX_KEYS) -> Iterator[tuple[str, Self]]:
        """Yield a table's keys and values."""
        if len(self.table()) > most:
            self.fail(f"has {len(self.value)} keys; at most {most} are allowed")
        for key, item in self.value.items():
            yield type(self)(key, key, self).text(), type(self)(item, key, self)

    def values(self) -> Iterator[tuple[str, Self]]:
        """Yield the keys and values of a table whose keys are known."""
        make = type(self)
        for key, item in self.table().items():
            yield key, make(item, key, self)

    # --- lists -------------------------------------------------------------------------------------------

    def items(self, most: int = MAX_ITEMS, least: int = 0, remedy: str = "give one") -> list[Self]:
        """Return a list's values. It must have `least` to `most`."""
        if not isinstance(self.value, list):
            self.fail(f"{shown(self.value)} is not a list; {remedy}")
        if len(self.value) > most:
            self.fail(f"has {len(self.value)} entries; at most {most} are allowed")
        if len(self.value) < least:
            self.fail("is empty; give at least one")
        return [type(self)(item, i, self) for i, item in enumerate(self.value)]

    def exactly(self, count: int) -> list[Self]:
        """Return the values of a list of `count` values."""
        items = self.items()
        if len(items) != count:
            self.fail(f"has {len(items)} entries, not {count}; give {count}")
        return items

    # --- values ------------------------------------------------------------------------------------------

    def number(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        if type(self.value) is not int or not low <= self.value <= high:
            self.fail(f"{shown(self.value)} is not a whole number from {low} to {high}")
        return self.value

    def truth(self) -> bool:
        """Return true or false."""
        if type(self.value) is not bool:
            self.fail(f"{shown(self.value)} is neither true nor false; give one of them")
        return self.value

    def text(self, most: int = MAX_TEXT) -> str:
        """Return a text of valid Unicode."""
        if not isinstance(self.value, str):
            self.fail(f"{shown(self.value)} is not text; give one in quotes")
        if len(self.value) > most:
            self.fail(f"{shown(self.value)} is longer than {most} characters; shorten it")
        if not is_unicode(self.value):
            self.fail(f"{shown(self.value)} is not valid Unicode; type it again")
        return self.value

    def line(self, most: int = MAX_TEXT, least: int = 0) -> str:
        """Return a text that can be printed in messages and pictures, of `least` to `most` characters."""
        if not self.text(most).isprintable():
            self.fail(f"{shown(self.value)} contains characters that cannot be printed; leave them out")
        if len(self.value) < least:
            self.fail("is empty; give a text")
        return str(self.value)

    def matching(self, pattern: str, what: str) -> str:
        """Return a text that matches a pattern as a whole. `what` ends the message about any other."""
        if not isinstance(self.value, str) or not re.fullmatch(pattern, self.value):
            self.fail(f"{shown(self.value)} is not {what}")
        return self.value

    def joins(self) -> str:
        """Return a class of exits."""
        return self.matching(KIND, "a class of exits; use up to 64 of a-z, 0-9 and _")

    def known(self, names: Collection[str], what: str) -> str:
        """Read one of some names. Otherwise the message has the nearest one."""
        if self.text() not in names:
            self.fail(unknown(what, self.value, tuple(names)))
        return str(self.value)

    def one_of(self, names: Collection[str]) -> str:
        """Return one of some names."""
        if self.text() not in names:
            self.fail(f"{shown(self.value)} is not one of {', '.join(names)}; choose one")
        return str(self.value)

    def numbers(self, count: int, low: int, high: int) -> tuple[int, ...]:
        """Return a list of `count` whole numbers."""
        items = self.value if type(self.value) is list and len(self.value) == count else ()
        if items and all(type(item) is int and low <= item <= high for item in items):
            return tuple(items)  # without a node for each
        return tuple(item.number(low, high) for item in self.exactly(count))

    def pair(self, low: int, high: int) -> tuple[int, int]:
        """Return a list of two whole numbers."""
        a, b = self.numbers(2, low, high)
        return a, b

    def seed(self) -> int:
        """Return a 64-bit number given as text, since JSON readers lose digits of large ones."""
        text = self.text()
        if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) <= MAX_SEED):
            self.fail(f"{shown(text)} is not a number from 0 to {MAX_SEED}, as text")
        return int(text)


# --- a level.json, and a drawing of a room -----------------------------------------------------------

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
        tiles = self.value if type(self.value) is list and len(self.value) <= MAX_ITEMS else ()
        if tiles and all(_is_tile(tile, width, height) for tile in tiles):
            return tuple(map(tuple, tiles))  # without a node for each
        return tuple(item.point(width, height) for item in self.items())


def _is_tile(tile: Any, width: int, height: int) -> bool:
    """Check whether a value is a list with the two numbers of a tile inside the level."""
    if type(tile) is not list or len(tile) != 2:
        return False
    x, y = tile
    return type(x) is int is type(y) and 0 <= x < width and 0 <= y < height


class LayoutNode(Node):
    """A value of a Tiled or LDtk file. Its methods raise LayoutError if it is not of the type asked for."""

    __slots__ = ()
    error = LayoutError

    def __getitem__(self, key: str) -> LayoutNode:
        table = self.value
        if type(table) is dict and key in table:  # in half of the time of `needed`
            return LayoutNode(table[key], key, self)
        return self.needed(key)

    def at(self, key: str, default: object) -> LayoutNode:
        """Return the value of a key, or the default if the key is missing or null."""
        value = self.table().get(key)
        return LayoutNode(default if value is None else value, key, self)

    def get(self, key: str) -> LayoutNode | None:
        """Return the value of a key in a table, or None if it is missing or null."""
        value = self.table().get(key)
        return None if value is None else LayoutNode(value, key, self)

    def word(self, key: str, default: str = "") -> str:
        """Return the text of a key, or the default if the key is missing."""
        value = self.value.get(key) if type(self.value) is dict else None
        if type(value) is str and len(value) <= MAX_TEXT and value.isascii():
            return value  # without a node for it
        return self.at(key, default).text()

    def text_at(self, key: str) -> str:
        """Return the text of a key, which must be there."""
        value = self.value.get(key) if type(self.value) is dict else None
        if type(value) is str and len(value) <= MAX_TEXT and value.isascii():
            return value  # likewise
        return self[key].text()

    def line_at(self, key: str) -> str:
        """Return the text of a key, which must be there and can be printed."""
        value = self.text_at(key)
        return value if value.isprintable() else self[key].line()

    def whole(self, key: str, low: int, high: int, default: int) -> int:
        """Return a whole number under a key, or the default."""
        value = self.value.get(key) if type(self.value) is dict else None
        if type(value) is int and low <= value <= high:
            return value
        node = self.get(key)
        return default if node is None else node.number(low, high)

    def real(self, key: str) -> float:
        """Return a number below 100 million under a key, or 0 if the key is missing."""
        value = self.value.get(key) if type(self.value) is dict else None
        if (type(value) is float or type(value) is int) and abs(value) < 1e8:
            return float(value)
        node = self.at(key, 0.0)
        if type(node.value) not in (int, float) or not abs(node.value) < 1e8:
            node.fail(f"{shown(node.value)} is not a number below 100 million")
        return float(node.value)

    def list(self, key: str, most: int) -> list[LayoutNode]:
        """Return the values of a list under a key, or no values if the key is missing."""
        return self.at(key, []).items(most)
