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
MAX_TEXT = 200  # characters of a text in a row
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

    def __call__(self, value: Any) -> T:
        """Convert a TOML value to the row's value."""
        return self._read(value)


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
        label = f"{where}: {self.key}.{shown(name)[1:-1]}"
        if not re.fullmatch(NAME, name):
            raise KitError(f"{label}: use up to 40 of the characters a-z, 0-9 and _, a letter first")
        if not isinstance(row, Mapping):
            raise KitError(f"{label}: {shown(row)} is not a table; write [{self.key}.{name}]")
        values = {}
        for key, value in row.items():
            if key not in self.columns:
                remedy = hint(key, list(self.columns))
                raise KitError(f"{label}.{shown(key)[1:-1]}: unknown key; {remedy}")
            values[key] = self.value(key, value, f"{label}.{key}")
        for key, column in self.columns.items():
            if column.default is REQUIRED and key not in values:
                raise KitError(f"{label}.{key}: is missing; give {column.form}")
        return values

    def value(self, key: str, raw: object, label: str) -> Any:
        """Read the value of one column. Raises KitError, which begins with `label`."""
        try:
            return self.columns[key].read(raw)
        except WrongValueError as error:
            raise KitError(f"{label}: {remedied(str(error))}") from None


def unknown(subject: str, name: str, known: Sequence[str], label: str) -> KitError:
    """Return the error for a row that names another row which does not exist."""
    return KitError(f"{label}: {errors.unknown(subject, name, known)}")


# --- readers of values -------------------------------------------------------------------------------


@reads(TRUTH)
def flag(value: object) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise WrongValueError(f"{shown(value)} is not true or false")
    return value


@reads({"type": "string", "maxLength": MAX_TEXT})
def text(value: object) -> str:
    """Read a text of one line."""
    if not isinstance(value, str) or len(value) > MAX_TEXT or not value.isprintable():
        raise WrongValueError(f"{shown(value)} is not text of one line with up to {MAX_TEXT} characters")
    return value


@reads(matching(NAME))
def name(value: object) -> str:
    """Read the name of a row."""
    if not isinstance(value, str) or not re.fullmatch(NAME, value):
        raise WrongValueError(f"{shown(value)} is not a name; use a-z, 0-9 and _, a letter first")
    return value


@reads(matching("[!-~]"))
def glyph(value: object) -> str:
    """Read a single character."""
    if not isinstance(value, str) or len(value) != 1 or not "!" <= value <= "~":
        raise WrongValueError(f"{shown(value)} is not a single character from ! to ~")
    return value


@reads(matching(_COLOUR))
def colour(value: object) -> str:
    """Read a colour as in HTML."""
    if not isinstance(value, str) or not re.fullmatch(_COLOUR, value):
        raise WrongValueError(f"{shown(value)} is not a colour such as #7bd389")
    return value


def number(low: int, high: int) -> ColumnReader[int]:
    """Make a reader of whole numbers in a range."""

    @reads(whole(low, high))
    def read(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise WrongValueError(f"{shown(value)} is not a whole number from {low} to {high}")
        return value

    return read


def span(low: int, high: int) -> ColumnReader[tuple[int, int]]:
    """Make a reader of pairs of a least and a greatest number."""
    reader = number(low, high)

    @reads(listed(reader.schema, 2))
    def read(value: object) -> tuple[int, int]:
        if not isinstance(value, list) or len(value) != 2:
            raise WrongValueError(f"{shown(value)} is not a list of two whole numbers, [least, most]")
        least, most = reader(value[0]), reader(value[1])
        if least > most:
            raise WrongValueError(f"{shown(value)} is out of order; give the smaller number first")
        return least, most

    return read


def size(most: int) -> ColumnReader[tuple[int, int]]:
    """Make a reader of pairs of width and height."""
    reader = number(1, most)

    @reads(listed(reader.schema, 2))
    def read(value: object) -> tuple[int, int]:
        if not isinstance(value, list) or len(value) != 2:
            raise WrongValueError(f"{shown(value)} is not a list of two whole numbers, [width, height]")
        return reader(value[0]), reader(value[1])

    return read


def choice(*words: str) -> ColumnReader[str]:
    """Make a reader that accepts only the given words."""

    @reads({"type": "string", "enum": list(words)})
    def read(value: object) -> str:
        if value not in words:
            raise WrongValueError(errors.unknown("word", value, words))
        return str(value)

    return read


def many(reader: ColumnReader[T], most: int = 100) -> ColumnReader[tuple[T, ...]]:
    """Make a reader of lists of values of one sort."""

    @reads(listed(reader.schema, 0, most))
    def read(value: object) -> tuple[T, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise WrongValueError(f"{shown(value)} is not a list of up to {most}")
        return tuple(reader(item) for item in value)

    return read


def table(reader: ColumnReader[T], most: int = 100, names: Sequence[str] = ()) -> ColumnReader[dict[str, T]]:
    """Make a reader of tables of names with values of one sort. Only `names` are allowed, if given."""
    known = choice(*names) if names else name

    @reads(
        {
            "type": "object",
            "propertyNames": known.schema,
            "additionalProperties": reader.schema,
            "maxProperties": most,
        }
    )
    def read(value: object) -> dict[str, T]:
        if not isinstance(value, Mapping) or len(value) > most:
            raise WrongValueError(f"{shown(value)} is not a table of up to {most} keys")
        return {known(name(key)): reader(item) for key, item in value.items()}

    return read


@reads(matching(_FRACTION))
def fraction(value: object) -> str:
    """Read a chance such as `1/7`, or `fact/100`."""
    if not isinstance(value, str) or not re.fullmatch(_FRACTION, value) or not int(value.split("/")[1]):
        raise WrongValueError(f"{shown(value)} is not a chance such as 1/3")
    first, second = value.split("/")
    if first.isdigit() and int(first) > int(second):
        raise WrongValueError(f"{shown(value)} is more than 1; give a chance such as 1/3")
    return value


@reads(matching(_COUNT))
def count(value: object) -> str:
    """Read a count: `2`, `0..1` or `1..`."""
    if not isinstance(value, str) or not re.fullmatch(_COUNT, value):
        raise WrongValueError(f'{shown(value)} is not a number such as "2", "0..1" or "1.."')
    least, _, most = value.partition("..")
    if most and int(least) > int(most):
        raise WrongValueError(f"{shown(value)} is out of order; give the smaller number first")
    return value
