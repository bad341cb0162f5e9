"""The signs of maps: what stands for a room, a key, a lock, a door. `signs.toml` has them all.

A sign is a drawing of nine by nine dots in one colour, with a dark edge around it, so that it can be seen on
anything. A key has the colour and the shape of its place among the level's keys, and so have its locks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from generator.kinds.kind_tables import RoomKind
from generator.named_tuple import NamedTuple
from generator.shipped_files import shipped_folder

SIGN_DOTS = 9  # the side of a drawing
EDGE_CONTRAST = 9  # of a sign's dots with its edge
_STRETCHED = ((0, 0, 1, 1, 2, 2), (0, 0, 1, 1, 2, 3, 3, 4, 4))  # a letter's columns and rows, in a drawing

Dots = tuple[str, ...]
"""A drawing, row by row: `#` is a dot."""


class Sign(NamedTuple):
    """A drawing and its colour, as `#rrggbb`."""

    dots: Dots
    color: str

    @property
    def ink(self) -> str:
        """The colour that its dots are drawn in: its own, or a lighter one.

        Whatever it lies on, its dots or its edge have a contrast of at least 3 with that, because between the
        two it is 9.
        """
        own = bytes.fromhex(self.color[1:])
        lighter = (tuple(round(part + (255 - part) * step / 20) for part in own) for step in range(21))
        edge = sign_table().edge
        inks = (f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in lighter)
        return next(ink for ink in inks if contrast(ink, edge) >= EDGE_CONTRAST)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21, as WCAG 2.2 defines it."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [part / 255 for part in bytes.fromhex(colour[1:])]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


class SignTable(NamedTuple):
    """What `signs.toml` holds."""

    edge: str
    plain: str
    zones: Sequence[str]
    keys: Mapping[str, Sequence[str]]
    shapes: Sequence[Dots]
    signs: Mapping[str, Dots]
    letters: Mapping[str, Dots]

    def named(self, icon: str) -> Dots:
        """Return the drawing for an icon in a row: the sign of that name, or its first letter, or `dot`."""
        if icon in self.signs:
            return self.signs[icon]
        letter = self.letters.get(icon[:1].upper())
        if letter is None:
            return self.signs["dot"]
        columns, rows = _STRETCHED
        drawn = ("".join(letter[row][column] for column in columns) for row in rows)
        return tuple(row.center(SIGN_DOTS, ".") for row in drawn)

    def of_room(self, kind: RoomKind) -> Sign | None:
        """Return the sign of a room kind. Plain rooms have none."""
        return Sign(self.named(kind.icon), kind.color) if kind.icon else None

    def of_key(self, sign: str, number: int) -> Sign:
        """Return the `key`, `lock` or `lever` for the key with this number, from 0."""
        shape = self.shapes[number % len(self.shapes)]
        dots = self.signs[sign]
        top = next(y for y, row in enumerate(dots) if set(row) & set("xo"))
        left = next(x for x, dot in enumerate(dots[top]) if dot in "xo")

        def dot_at(x: int, y: int, dot: str) -> str:
            if dot not in "xo":
                return dot
            return "#" if (shape[y - top][x - left] == "#") == (dot == "x") else "."

        drawn = tuple("".join(dot_at(x, y, dot) for x, dot in enumerate(row)) for y, row in enumerate(dots))
        colours = self.keys["colours"]
        return Sign(drawn, colours[number % len(colours)])

    def of_way(self, kind: str, dx: int, dy: int) -> Sign:
        """Return the sign of a `one_way` or `barred` door, pointing where it lets through."""
        dots = self.signs["arrow" if kind == "one_way" else "bar"]
        if dx < 0:
            dots = tuple(row[::-1] for row in dots)
        if dy:
            columns = tuple("".join(column) for column in zip(*dots, strict=True))
            dots = columns if dy > 0 else columns[::-1]
        return Sign(dots, self.plain)


@cache
def sign_table() -> SignTable:
    """Read the table of signs."""
    import tomllib  # slow to import, and few levels show a sign

    text = (shipped_folder("generator.kinds") / "signs.toml").read_text("utf-8")
    table = tomllib.loads(text)
    signs = {name: tuple(rows) for name, rows in table["signs"].items()}
    letters = {letter: tuple(map(_row_of, rows)) for letter, rows in table["letters"].items()}
    shapes = [tuple(rows) for rows in table["keys"]["shapes"]]
    return SignTable(table["edge"], table["plain"], table["zones"], table["keys"], shapes, signs, letters)


def _row_of(digit: str) -> str:
    """Return the row of a letter whose dots are the bits of a digit."""
    return "".join("#" if int(digit) >> bit & 1 else "." for bit in (2, 1, 0))


def keys_in_words(needs: Iterable[str]) -> list[str]:
    """Say which keys a lock needs, each name once: `5 coins` if it needs five of them."""
    return [name if count == 1 else f"{count} {name}" for name, count in Counter(needs).items()]


def numbered_keys(locks: Iterable[Iterable[str]], keys: Iterable[str]) -> dict[str, int]:
    """Number the names of keys: first in the order in which locks name them, then in that of the keys."""
    names = [*(name for needs in locks for name in needs), *keys]
    return {name: number for number, name in enumerate(dict.fromkeys(names))}
