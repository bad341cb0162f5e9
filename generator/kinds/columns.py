"""The columns of a kit's tables: declarations that also check the values they are given.

A column knows how its value is written, what it means and its default. Reading a kit, `docs/kits.md`, the
JSON Schemas and `undercroft kit new` all follow from these declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from generator import errors
from generator.errors import KitError, hint, remedied, shown
from generator.json_schema import TRUTH, listed, matching, whole

T = TypeVar("T")
MOST_TEXT = 200  # characters of a text in a row
NAME = "[a-z][a-z0-9_]{0,39}"
_COLOUR = "#[0-9a-fA-F]{6}"
_COUNT = r"[0-9]{1,4}(\.\.([0-9]{1,4})?)?"
_FRACTION = f"([0-9]{{1,4}}|{NAME})/[0-9]{{1,4}}"

REQUIRED: Any = object()
"""The default of a required column."""


class WrongValueError(Exception):
    """What is wrong with a value of a row, and what to give instead. The row's reader adds the place."""


class ColumnReader(Generic[T]):
    """Turns a TOML value into a row's value or raises WrongValueError. `schema` describes valid values.

    The schema accepts everything that the reader accepts. What it cannot express, such as which of two
    numbers is larger, only the reader checks.
    """

    def __init__(self, read: Callable[[Any], T], schema: Mapping[str, Any]) -> None:
        self._read = read
        self.schema = schema

    def __call__(self, given: Any) -> T:
        """Convert a TOML value to the row's value."""
        return self._read(given)


def reads(schema: Mapping[str, Any]) -> Callable[[Callable[[Any], T]], ColumnReader[T]]:
    """Turn a function into a ColumnReader."""
    return lambda read: ColumnReader(read, schema)


class Column(NamedTuple):
    """One column: `read` turns a TOML value into a row's value or raises WrongValueError.

    `form` shows people how to write it. `names` is the table whose rows the value names, if any.
    """

    read: ColumnReader[Any]
    form: str
    help: str
    default: Any = REQUIRED
    names: str = ""


class RowTable(NamedTuple):
    """A table of a kit: the key of its rows, the meaning of a row, and its columns."""

    key: str
    help: str
    columns: Mapping[str, Column]

    def read(self, name: str, row: object, where: str) -> dict[str, Any]:
        """Read the values of a row by column, without defaults. Raises KitError with key and remedy."""
        place = f"{where}: {self.key}.{shown(name)[1:-1]}"
        if not re.fullmatch(NAME, name):
            raise KitError(f"{place}: use up to 40 of the characters a-z, 0-9 and _, a letter first")
        if not isinstance(row, Mapping):
            raise KitError(f"{place}: {shown(row)} is not a table; write [{self.key}.{name}]")
        found = {}
        for key, given in row.items():
            if key not in self.columns:
                remedy = hint(key, list(self.columns))
                raise KitError(f"{place}.{shown(key)[1:-1]}: unknown key; {remedy}")
            found[key] = self.value(key, given, f"{place}.{key}")
        for key, column in self.columns.items():
            if column.default is REQUIRED and key not in found:
                raise KitError(f"{place}.{key}: is missing; give {column.form}")
        return found

    def value(self, key: str, given: object, place: str) -> Any:
        """Read the value of one column. Raises KitError, which begins with `place`."""
        try:
            return self.columns[key].read(given)
        except WrongValueError as error:
            raise KitError(f"{place}: {remedied(str(error))}") from None


def unknown(what: str, name: str, known: Sequence[str], place: str) -> KitError:
    """Return the error for a row that names another row which does not exist."""
    return KitError(f"{place}: {errors.unknown(what, name, known)}")


# --- readers of values -------------------------------------------------------------------------------


@reads(TRUTH)
def flag(given: object) -> bool:
    """Read true or false."""
    if not isinstance(given, bool):
        raise WrongValueError(f"{shown(given)} is not true or false")
    return given


@reads({"type": "string", "maxLength": MOST_TEXT})
def text(given: object) -> str:
    """Read a text of one line."""
    if not isinstance(given, str) or len(given) > MOST_TEXT or not given.isprintable():
        raise WrongValueError(f"{shown(given)} is not text of one line with up to {MOST_TEXT} characters")
    return given


@reads(matching(NAME))
def name(given: object) -> str:
    """Read the name of a row."""
    if not isinstance(given, str) or not re.fullmatch(NAME, given):
        raise WrongValueError(f"{shown(given)} is not a name; use a-z, 0-9 and _, a letter first")
    return given


@reads(matching("[!-~]"))
def glyph(given: object) -> str:
    """Read a single character."""
    if not isinstance(given, str) or len(given) != 1 or not "!" <= given <= "~":
        raise WrongValueError(f"{shown(given)} is not a single character from ! to ~")
    return given


@reads(matching(_COLOUR))
def colour(given: object) -> str:
    """Read a colour as in HTML."""
    if not isinstance(given, str) or not re.fullmatch(_COLOUR, given):
        raise WrongValueError(f"{shown(given)} is not a colour such as #7bd389")
    return given


def number(low: int, high: int) -> ColumnReader[int]:
    """Make a reader of whole numbers in a range."""

    @reads(whole(low, high))
    def read(given: object) -> int:
        if type(given) is not int or not low <= given <= high:
            raise WrongValueError(f"{shown(given)} is not a whole number from {low} to {high}")
        return given

    return read


def span(low: int, high: int) -> ColumnReader[tuple[int, int]]:
    """Make a reader of pairs of a least and a greatest number."""
    one = number(low, high)

    @reads(listed(one.schema, 2))
    def read(given: object) -> tuple[int, int]:
        if not isinstance(given, list) or len(given) != 2:
            raise WrongValueError(f"{shown(given)} is not a list of two whole numbers, [least, most]")
        least, most = one(given[0]), one(given[1])
        if least > most:
            raise WrongValueError(f"{shown(given)} is out of order; give the smaller number first")
        return least, most

    return read


def size(most: int) -> ColumnReader[tuple[int, int]]:
    """Make a reader of pairs of width and height."""
    one = number(1, most)

    @reads(listed(one.schema, 2))
    def read(given: object) -> tuple[int, int]:
        if not isinstance(given, list) or len(given) != 2:
            raise WrongValueError(f"{shown(given)} is not a list of two whole numbers, [width, height]")
        return one(given[0]), one(given[1])

    return read


def choice(*words: str) -> ColumnReader[str]:
    """Make a reader that accepts only the given words."""

    @reads({"type": "string", "enum": list(words)})
    def read(given: object) -> str:
        if given not in words:
            raise WrongValueError(errors.unknown("word", given, words))
        return str(given)

    return read


def many(one: ColumnReader[T], most: int = 100) -> ColumnReader[tuple[T, ...]]:
    """Make a reader of lists of values of one sort."""

    @reads(listed(one.schema, 0, most))
    def read(given: object) -> tuple[T, ...]:
        if not isinstance(given, list) or len(given) > most:
            raise WrongValueError(f"{shown(given)} is not a list of up to {most}")
        return tuple(one(item) for item in given)

    return read


def table(one: ColumnReader[T], most: int = 100, names: Sequence[str] = ()) -> ColumnReader[dict[str, T]]:
    """Make a reader of tables of names with values of one sort. Only `names` are allowed, if given."""
    known = choice(*names) if names else name

    @reads(
        {
            "type": "object",
            "propertyNames": known.schema,
            "additionalProperties": one.schema,
            "maxProperties": most,
        }
    )
    def read(given: object) -> dict[str, T]:
        if not isinstance(given, Mapping) or len(given) > most:
            raise WrongValueError(f"{shown(given)} is not a table of up to {most} keys")
        return {known(name(key)): one(item) for key, item in given.items()}

    return read


@reads(matching(_FRACTION))
def fraction(given: object) -> str:
    """Read a chance such as `1/7`, or `fact/100`."""
    if not isinstance(given, str) or not re.fullmatch(_FRACTION, given) or not int(given.split("/")[1]):
        raise WrongValueError(f"{shown(given)} is not a chance such as 1/3")
    first, second = given.split("/")
    if first.isdigit() and int(first) > int(second):
        raise WrongValueError(f"{shown(given)} is more than 1; give a chance such as 1/3")
    return given


@reads(matching(_COUNT))
def count(given: object) -> str:
    """Read a count: `2`, `0..1` or `1..`."""
    if not isinstance(given, str) or not re.fullmatch(_COUNT, given):
        raise WrongValueError(f'{shown(given)} is not a number such as "2", "0..1" or "1.."')
    least, _, most = given.partition("..")
    if most and int(least) > int(most):
        raise WrongValueError(f"{shown(given)} is out of order; give the smaller number first")
    return given
