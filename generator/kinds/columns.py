"""What the rows of a kit's tables consist of: declared columns that check what they are given.

A column knows how its value is written, what it means and what it is by default. Reading a kit,
`docs/kits.md` and `undercroft kit new` all follow from these declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from generator.errors import KitError, hint, shown

MOST_TEXT = 200  # characters of a text in a row
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")
_COUNT = re.compile(r"[0-9]{1,4}(\.\.([0-9]{1,4})?)?\Z")
_FRACTION = re.compile(r"([0-9]{1,4}|[a-z][a-z0-9_]{0,39})/[0-9]{1,4}\Z")

REQUIRED: Any = object()
"""The default of a column that every row must have."""


class WrongValueError(Exception):
    """What is wrong with a value of a row, and what to give instead; whoever reads the row adds the place."""


class Column(NamedTuple):
    """One column: `read` turns a TOML value into the row's or raises WrongValueError.

    `form` is how it is written, for people. `names` is the table whose rows the value names, if it names any.
    """

    read: Callable[[Any], Any]
    form: str
    help: str
    default: Any = REQUIRED
    names: str = ""


class RowTable(NamedTuple):
    """A table of a kit: the key that its rows stand under, what a row is, and its columns."""

    key: str
    help: str
    columns: Mapping[str, Column]

    def read(self, name: str, row: object, where: str) -> dict[str, Any]:
        """The values of a row by their columns, defaults left out. Raises KitError with key and remedy."""
        place = f"{where}: {self.key}.{shown(name)[1:-1]}"
        if not _NAME.match(name):
            raise KitError(f"{place}: use up to 40 of the characters a-z, 0-9 and _, a letter first")
        if not isinstance(row, Mapping):
            raise KitError(f"{place}: {shown(row)} is not a table; write [{self.key}.{name}]")
        found = {}
        for key, given in row.items():
            if key not in self.columns:
                known = hint(key, list(self.columns))
                raise KitError(f"{place}.{shown(key)[1:-1]}: unknown key; {known}")
            found[key] = self.value(key, given, f"{place}.{key}")
        for key, column in self.columns.items():
            if column.default is REQUIRED and key not in found:
                raise KitError(f"{place}.{key}: is missing; give {column.form}")
        return found

    def value(self, key: str, given: object, place: str) -> Any:
        """The value of one column. Raises KitError, which begins with `place`."""
        try:
            return self.columns[key].read(given)
        except WrongValueError as error:
            raise KitError(f"{place}: {error}") from None


def unknown(what: str, name: str, known: Sequence[str], place: str) -> KitError:
    """The error of a row that names another one that there is not."""
    return KitError(f"{place}: unknown {what} {shown(name)}; {hint(name, known)}")


# --- what columns hold -------------------------------------------------------------------------------


def flag(given: object) -> bool:
    """true or false."""
    if not isinstance(given, bool):
        raise WrongValueError(f"{shown(given)} is not true or false")
    return given


def text(given: object) -> str:
    """A text of one line."""
    if not isinstance(given, str) or len(given) > MOST_TEXT or not given.isprintable():
        raise WrongValueError(f"{shown(given)} is not a text of one line with up to {MOST_TEXT} characters")
    return given


def name(given: object) -> str:
    """The name of a row."""
    if not isinstance(given, str) or not _NAME.match(given):
        raise WrongValueError(f"{shown(given)} is not a name; use a-z, 0-9 and _, a letter first")
    return given


def glyph(given: object) -> str:
    """A single letter."""
    if not isinstance(given, str) or len(given) != 1 or not "!" <= given <= "~":
        raise WrongValueError(f"{shown(given)} is not a single character from ! to ~")
    return given


def colour(given: object) -> str:
    """A colour as in HTML."""
    if not isinstance(given, str) or not _COLOUR.match(given):
        raise WrongValueError(f"{shown(given)} is not a colour such as #7bd389")
    return given


def number(low: int, high: int) -> Callable[[object], int]:
    """A whole number in a range."""

    def read(given: object) -> int:
        if type(given) is not int or not low <= given <= high:
            raise WrongValueError(f"{shown(given)} is not a whole number from {low} to {high}")
        return given

    return read


def span(low: int, high: int) -> Callable[[object], tuple[int, int]]:
    """A least and a most number."""
    one = number(low, high)

    def read(given: object) -> tuple[int, int]:
        if not isinstance(given, list) or len(given) != 2:
            raise WrongValueError(f"{shown(given)} is not a list of two whole numbers, [least, most]")
        least, most = one(given[0]), one(given[1])
        if least > most:
            raise WrongValueError(f"{shown(given)} runs backwards; give the least, then the most")
        return least, most

    return read


def size(most: int) -> Callable[[object], tuple[int, int]]:
    """Width and height."""
    one = number(1, most)

    def read(given: object) -> tuple[int, int]:
        if not isinstance(given, list) or len(given) != 2:
            raise WrongValueError(f"{shown(given)} is not a list of two whole numbers, [width, height]")
        return one(given[0]), one(given[1])

    return read


def choice(*words: str) -> Callable[[object], str]:
    """One of some words."""

    def read(given: object) -> str:
        if given not in words:
            remedy = hint(given, words) if isinstance(given, str) else f"give one of {', '.join(words)}"
            raise WrongValueError(f"unknown word {shown(given)}; {remedy}")
        return str(given)

    return read


def many(one: Callable[[object], Any], most: int = 100) -> Callable[[object], tuple[Any, ...]]:
    """A list of values of one sort."""

    def read(given: object) -> tuple[Any, ...]:
        if not isinstance(given, list) or len(given) > most:
            raise WrongValueError(f"{shown(given)} is not a list of up to {most}")
        return tuple(one(item) for item in given)

    return read


def table(one: Callable[[object], Any], most: int = 100) -> Callable[[object], dict[str, Any]]:
    """A table of names with values of one sort."""

    def read(given: object) -> dict[str, Any]:
        if not isinstance(given, Mapping) or len(given) > most:
            raise WrongValueError(f"{shown(given)} is not a table of up to {most} keys")
        return {name(key): one(item) for key, item in given.items()}

    return read


def fraction(given: object) -> str:
    """A chance such as `1/7`, or `fact/100`."""
    if not isinstance(given, str) or not _FRACTION.match(given) or not int(given.split("/")[1]):
        raise WrongValueError(f"{shown(given)} is not a chance such as 1/3")
    first, second = given.split("/")
    if first.isdigit() and int(first) > int(second):
        raise WrongValueError(f"{shown(given)} is more than 1; give a chance such as 1/3")
    return given


def count(given: object) -> str:
    """How many: `2`, `0..1` or `1..`."""
    if not isinstance(given, str) or not _COUNT.match(given):
        raise WrongValueError(f'{shown(given)} is not a number such as "2", "0..1" or "1.."')
    least, _, most = given.partition("..")
    if most and int(least) > int(most):
        raise WrongValueError(f"{shown(given)} runs backwards; give the least, then the most")
    return given
