"""A value and its place in the file; each problem with it becomes a line of the report.

Unlike the readers of our own files, a check continues after an error. Each wrong value is reported once and
then ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from generator.errors import shown
from generator.geometry import Rect
from generator.named_tuple import NamedTuple
from generator.pattern import pattern

MAX_PROBLEMS = 500
_COLOR = pattern("#[0-9A-Fa-f]{6}")
_IDENTIFIER = pattern("[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_MAX_NUMBER = (1 << 31) - 1
_MAX_EXACT = 1 << 53  # LDtk reads every number as a double
_MAX_RECKONED = 1e100  # sums and products of such numbers are finite
MISSING = object()


class Enough(Exception):  # noqa: N818 - not an error
    """There are too many problems to list."""


class Report:
    """The problems, one line each, at most `MAX_PROBLEMS`."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, place: str, problem: str) -> None:
        """Add a problem. Raises Enough if there are too many."""
        if len(self.lines) == MAX_PROBLEMS:
            self.lines.append(f"has more than {MAX_PROBLEMS} problems; the others are left out")
            raise Enough
        self.lines.append(f"{place}: {problem}" if place else problem)


class Spot:
    """A value and its place."""

    __slots__ = ("place", "report", "value")

    def __init__(self, value: Any, place: str, report: Report) -> None:
        self.value = value
        self.place = place
        self.report = report

    def fail(self, problem: str) -> None:
        """Report a problem with this value."""
        self.report.add(self.place, problem)

    def __getitem__(self, key: str) -> Spot:
        """Return the value of a key. A missing key is reported when its value is used."""
        value = self.value.get(key, MISSING) if isinstance(self.value, dict) else MISSING
        return Spot(value, f"{self.place}.{key}" if self.place else key, self.report)

    @property
    def there(self) -> bool:
        """Whether there is a value that is not null."""
        return self.value is not MISSING and self.value is not None

    def _is(self, fits: bool, problem: str) -> bool:
        if self.value is MISSING:
            self.fail("is missing")
        elif not fits:
            self.fail(f"{shown(self.value)} is {problem}")
        return fits

    def tables(self) -> Iterator[Spot]:
        """Yield the tables of a list."""
        for item in self.items():
            if isinstance(item.value, dict):
                yield item
            else:
                item.fail(f"{shown(item.value)} is not a table")

    def items(self) -> list[Spot]:
        """Return the values of a list, or none if it is not a list."""
        if not self._is(isinstance(self.value, list), "not a list"):
            return []
        return [Spot(item, f"{self.place}[{i}]", self.report) for i, item in enumerate(self.value)]

    def raw_list(self) -> list[Any]:
        """Return the list itself, or an empty one if it is not a list."""
        return self.value if self._is(isinstance(self.value, list), "not a list") else []

    def whole(self, low: int = -_MAX_NUMBER, high: int = _MAX_NUMBER, null: bool = False) -> int | None:
        """Check and return a whole number. None for anything else, and for null if that is allowed."""
        if null and self.value in (None, MISSING):
            return None
        fits = is_whole(self.value) and low <= self.value <= high
        bounds = "" if (low, high) == (-_MAX_NUMBER, _MAX_NUMBER) else f" from {low} to {high}"
        return int(self.value) if self._is(fits, f"not a whole number{bounds}") else None

    def text(self, null: bool = False) -> str | None:
        """Check and return a text."""
        if null and self.value in (None, MISSING):
            return None
        return str(self.value) if self._is(isinstance(self.value, str), "not text") else None

    def truth(self) -> bool:
        """Check and return true or false, false if it is neither."""
        return bool(self.value) if self._is(isinstance(self.value, bool), "neither true nor false") else False

    def one_of(self, names: tuple[str, ...]) -> str | None:
        """Check and return one of some names."""
        fits = isinstance(self.value, str) and self.value in names
        return str(self.value) if self._is(fits, f"not one of {', '.join(names)}") else None

    def color(self) -> None:
        """Check that the value is a colour."""
        fits = isinstance(self.value, str) and bool(_COLOR.fullmatch(self.value))
        self._is(fits, "not a colour; LDtk writes #RRGGBB")

    def identifier(self) -> str | None:
        """Check and return an identifier that LDtk leaves as it is."""
        fits = isinstance(self.value, str) and bool(_IDENTIFIER.fullmatch(self.value))
        is_valid = self._is(fits, "not an identifier; LDtk would change it to letters, digits and _")
        return str(self.value) if is_valid else None

    def same(self, wanted: object, remedy: str = "LDtk keeps a stale value") -> None:
        """Check a value that must agree with the rest of the file."""
        if self.value != wanted or isinstance(self.value, bool) != isinstance(wanted, bool):
            if self.value is MISSING:
                self.fail("is missing")
            else:
                self.fail(f"{shown(self.value)} should be {shown(wanted)}; {remedy}")


class Once:
    """Names that must be unique."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._seen: dict[object, str] = {}

    def take(self, spot: Spot, name: object) -> None:
        """Claim a name, and report it if it is already in use."""
        if name is None:
            return
        first = self._seen.setdefault(name, spot.place)
        if first != spot.place:
            spot.fail(f"{shown(name)} is also the {self._label} of {first}")


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number that LDtk reads exactly. It accepts 3.0 as 3."""
    if type(value) is float:
        return value.is_integer() and abs(value) <= _MAX_EXACT
    return type(value) is int and -_MAX_EXACT <= value <= _MAX_EXACT


def is_number(value: object) -> bool:
    """Return whether a value is a usable number: neither NaN nor huge."""
    return type(value) in (int, float) and -_MAX_RECKONED < value < _MAX_RECKONED  # type: ignore[operator]


# --- a project's definitions, for look-ups by the checks of its levels -------------------------------


class Tileset(NamedTuple):
    """A tileset: the path of its image, and the grid of its tiles."""

    uid: int
    path: str | None
    columns: int
    rows: int
    size: int
    pitch: int
    padding: int

    def place(self, tile: int) -> list[int]:
        """Left and top edge of a tile in the image, px."""
        row, column = divmod(tile, self.columns)
        return [self.padding + column * self.pitch, self.padding + row * self.pitch]


class Field(NamedTuple):
    """A field: `kind` is F_Int and so on, `values` those of its enum."""

    uid: int
    name: str
    kind: str
    type_name: str
    array: bool
    null: bool
    values: frozenset[str] | None
    symmetrical: bool


class Entity(NamedTuple):
    """A kind of entity."""

    uid: int
    name: str
    fields: dict[int, Field]
    pivot: tuple[float, float]
    tags: list[object]
    strays: bool  # whether it may be outside its level


@dataclass
class Layer:
    """A layer. If it has rules, their tiles by rule uid."""

    uid: int
    name: str
    kind: str
    grid: int
    offset: tuple[int, int]
    opacity: float
    tileset: int | None
    killer: int | None
    values: dict[int, int] = field(default_factory=dict)  # IntGrid values and their groups
    rules: dict[int, frozenset[int]] = field(default_factory=dict)
    moved: bool = False  # whether a rule draws tiles at an offset


@dataclass
class Known:
    """All definitions by uid."""

    layers: dict[int, Layer] = field(default_factory=dict)
    entities: dict[int, Entity] = field(default_factory=dict)
    tilesets: dict[int, Tileset] = field(default_factory=dict)
    enums: dict[int, tuple[str, frozenset[str]]] = field(default_factory=dict)
    level_fields: dict[int, Field] = field(default_factory=dict)
    uids: dict[int, str] = field(default_factory=dict)  # with their places

    def claim(self, spot: Spot) -> int:
        """Return the uid at a place, which must be unique."""
        uid = spot.whole(0)
        if uid is None:
            return -1
        first = self.uids.setdefault(uid, spot.place)
        if first != spot.place:
            spot.fail(f"{uid} is also the uid of {first}; LDtk would confuse them")
        return uid


@dataclass
class World:
    """The settings of one world that its levels must fit."""

    layout: str
    grid: tuple[int, int] | None
    iid: object
    pattern: str = ""  # for the names of levels
    name: str = "World"
    levels: list[tuple[Spot, Rect, int]] = field(default_factory=list)
