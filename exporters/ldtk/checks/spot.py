"""A value of a file and its place there; what is wrong with it becomes a line of the report.

Unlike the readers of our own files, a check goes on behind a mistake: whatever is not as it should be is
told once, and stands for nothing from then on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from generator.errors import shown

MOST_PROBLEMS = 500
_COLOR = re.compile("#[0-9A-Fa-f]{6}")
_IDENTIFIER = re.compile("[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_MOST_NUMBER = (1 << 31) - 1
_MOST_EXACT = 1 << 53  # LDtk reads every number as a double
_MOST_RECKONED = 1e100  # whose sums and products are still finite
MISSING = object()


class Enough(Exception):  # noqa: N818 - nothing went wrong
    """There are so many problems that nobody reads more."""


class Report:
    """Lines, one a problem, and no more than `MOST_PROBLEMS` of them."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, place: str, what: str) -> None:
        """One more problem. Raises Enough when there are too many."""
        if len(self.lines) == MOST_PROBLEMS:
            self.lines.append(f"has more than {MOST_PROBLEMS} problems; the others are left out")
            raise Enough
        self.lines.append(f"{place}: {what}" if place else what)


class Spot:
    """A value and its place."""

    __slots__ = ("place", "report", "value")

    def __init__(self, value: Any, place: str, report: Report) -> None:
        self.value = value
        self.place = place
        self.report = report

    def fail(self, what: str) -> None:
        """Tell a problem of this value."""
        self.report.add(self.place, what)

    def __getitem__(self, key: str) -> Spot:
        """A key's value; its lack is told when it is asked for what it is."""
        value = self.value.get(key, MISSING) if isinstance(self.value, dict) else MISSING
        return Spot(value, f"{self.place}.{key}" if self.place else key, self.report)

    @property
    def there(self) -> bool:
        """Whether there is a value that is not null."""
        return self.value is not MISSING and self.value is not None

    def _is(self, fits: bool, what: str) -> bool:
        if self.value is MISSING:
            self.fail("is missing")
        elif not fits:
            self.fail(f"{shown(self.value)} is {what}")
        return fits

    def tables(self) -> Iterator[Spot]:
        """The tables of a list."""
        for item in self.items():
            if isinstance(item.value, dict):
                yield item
            else:
                item.fail(f"{shown(item.value)} is no table")

    def items(self) -> list[Spot]:
        """The values of a list; nothing if it is not a list."""
        if not self._is(isinstance(self.value, list), "no list"):
            return []
        return [Spot(item, f"{self.place}[{i}]", self.report) for i, item in enumerate(self.value)]

    def raw_list(self) -> list[Any]:
        """A list as it is; an empty one if it is not a list."""
        return self.value if self._is(isinstance(self.value, list), "no list") else []

    def whole(self, low: int = -_MOST_NUMBER, high: int = _MOST_NUMBER, null: bool = False) -> int | None:
        """A whole number; None for anything else, and for null where that is allowed."""
        if null and self.value in (None, MISSING):
            return None
        fits = is_whole(self.value) and low <= self.value <= high
        bounds = "" if (low, high) == (-_MOST_NUMBER, _MOST_NUMBER) else f" from {low} to {high}"
        return int(self.value) if self._is(fits, f"no whole number{bounds}") else None

    def text(self, null: bool = False) -> str | None:
        """A text."""
        if null and self.value in (None, MISSING):
            return None
        return str(self.value) if self._is(isinstance(self.value, str), "no text") else None

    def truth(self) -> bool:
        """True or false; false if it is neither."""
        return bool(self.value) if self._is(isinstance(self.value, bool), "neither true nor false") else False

    def one_of(self, names: tuple[str, ...]) -> str | None:
        """One of some names."""
        fits = isinstance(self.value, str) and self.value in names
        return str(self.value) if self._is(fits, f"none of {', '.join(names)}") else None

    def color(self) -> None:
        """A colour."""
        fits = isinstance(self.value, str) and bool(_COLOR.fullmatch(self.value))
        self._is(fits, "no colour; LDtk writes #RRGGBB")

    def identifier(self) -> str | None:
        """An identifier that LDtk leaves as it is."""
        fits = isinstance(self.value, str) and bool(_IDENTIFIER.fullmatch(self.value))
        found = self._is(fits, "no identifier; LDtk would change it to one of letters, digits and _")
        return str(self.value) if found else None

    def same(self, wanted: object, remedy: str = "LDtk keeps a stale value") -> None:
        """What can be told from the rest of the file, and must agree with it."""
        if self.value != wanted or isinstance(self.value, bool) != isinstance(wanted, bool):
            if self.value is MISSING:
                self.fail("is missing")
            else:
                self.fail(f"{shown(self.value)} should be {shown(wanted)}; {remedy}")


class Once:
    """Names that nothing else may have."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._seen: dict[object, str] = {}

    def take(self, spot: Spot, name: object) -> None:
        """A name that is used at a place."""
        if name is None:
            return
        first = self._seen.setdefault(name, spot.place)
        if first != spot.place:
            spot.fail(f"{shown(name)} is the {self._what} of {first} too")


def is_whole(value: object) -> bool:
    """Whether a value is a whole number that LDtk reads as it stands. It takes 3.0 for 3."""
    if type(value) is float:
        return value.is_integer() and abs(value) <= _MOST_EXACT
    return type(value) is int and -_MOST_EXACT <= value <= _MOST_EXACT


def is_number(value: object) -> bool:
    """Whether a value is a number that can be reckoned with: neither NaN nor huge."""
    return type(value) in (int, float) and -_MOST_RECKONED < value < _MOST_RECKONED  # type: ignore[operator]
