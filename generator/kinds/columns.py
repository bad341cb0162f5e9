"""The columns of a kit's tables: declarations that also check the values they are given.

A column knows how its value is written, what it means and its default. Reading a kit, `undercroft kit keys`,
the JSON Schemas and `undercroft kit new` all follow from these declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from generator import errors
from generator.errors import KitError, shown
from generator.json_schema import TRUTH, fields, listed, matching, whole
from generator.named_tuple import NamedTuple
from generator.node import Node

T = TypeVar("T")
U = TypeVar("U")
MAX_TEXT = 200  # characters of a text in a row
NAME = "[a-z][a-z0-9_]{0,39}"

REQUIRED: Any = object()
"""The default of a required column."""


class KitNode(Node):
    """A value of a kit."""

    __slots__ = ()
    error = KitError


class ColumnReader(Generic[T]):
    """Turns a TOML value into a row's value or raises its error; `schema` describes what it takes.

    `form` shows people how to write it.

    The schema accepts everything that the reader accepts. What it cannot express, such as which of two
    numbers is larger, only the reader checks.
    """

    def __init__(self, read: Callable[[Node], T], schema: Mapping[str, Any], form: str = "") -> None:
        self._read = read
        self.schema = schema
        self.form = form

    def __call__(self, node: Node) -> T:
        """Convert a TOML value to the row's value."""
        return self._read(node)

    def into(self, make: Callable[[T], U]) -> ColumnReader[U]:
        """Return a reader of the same values that makes something of them."""
        return ColumnReader(lambda node: make(self._read(node)), self.schema, self.form)


def reads(schema: Mapping[str, Any], form: str = "") -> Callable[[Callable[[Node], T]], ColumnReader[T]]:
    """Turn a function into a ColumnReader."""
    return lambda read: ColumnReader(read, schema, form)


class Column(NamedTuple):
    """One column: `read` turns a TOML value into a row's value or raises an error.

    `form` is how to write it, if the reader's own form does not say enough. `names` is the table whose rows
    the value names, if any.
    """

    read: ColumnReader[Any]
    help: str
    default: Any = REQUIRED
    form: str = ""
    names: str = ""

    @property
    def written(self) -> str:
        """How to write the value, for people."""
        return self.form or self.read.form


class RowTable(NamedTuple):
    """A table of a kit: the key of its rows, the meaning of a row, and its columns."""

    key: str
    help: str
    columns: Mapping[str, Column]

    def rows(self, node: Node) -> Iterator[tuple[str, Node]]:
        """Yield the rows of the table by name, not yet read. Raises KitError."""
        for name in node.table(f"write [{self.key}.NAME]"):
            row = node[name]
            if not re.fullmatch(NAME, name):
                row.fail("use up to 40 of the characters a-z, 0-9 and _, a letter first")
            yield name, row

    def read(self, row: Node, names: Iterable[str] = ()) -> dict[str, Any]:
        """Read the values of a row by column, without defaults. Raises KitError with key and remedy.

        `names` are those of all rows, one of which may have been meant where a new one lacks a key.
        """
        if not isinstance(row.value, dict):
            row.table(f"write [{row.path}]")
        columns = row.only(self.columns).value
        for key, column in self.columns.items():
            if column.default is REQUIRED and key not in columns:
                row.needed(key, f"give {column.written}{self._or_another(row, names)}")
        return {key: self.columns[key].read(item) for key, item in row.values()}

    def _or_another(self, row: Node, names: Iterable[str]) -> str:
        """Ask whether a row with a name like this one's was meant. Empty without one."""
        own = row.path.rpartition(".")[2]
        near = errors.meant(own, [name for name in names if name != own])
        return f", or did you mean {self.key}.{near}?" if near else ""


def unknown(subject: str, name: str, known: Sequence[str], label: str) -> str:
    """Return the problem of a row that names another row which does not exist."""
    return f"{label}: {errors.unknown(subject, name, known)}"


def unknowns(subject: str, names: Iterable[str], known: Sequence[str], label: str) -> Iterator[str]:
    """Yield the problem of each name that stands for no row."""
    yield from (unknown(subject, name, known, label) for name in names if name not in known)


# --- readers of values -------------------------------------------------------------------------------


flag = ColumnReader(Node.truth, TRUTH, "`true` or `false`")
"""Read true or false."""


def matches(pattern: str, what: str, form: str = "") -> ColumnReader[str]:
    """Read a text that matches a pattern as a whole. `what` ends the message about any other."""
    return ColumnReader(lambda node: node.matching(pattern, what), matching(pattern), form)


name = matches(NAME, "a name; use a-z, 0-9 and _, a letter first")
glyph = matches("[!-~]", "a single character from ! to ~", "a character")
colour = matches("#[0-9a-fA-F]{6}", "a colour such as #7bd389", '`"#7bd389"`')
_count = matches(r"[0-9]{1,4}(\.\.([0-9]{1,4})?)?", 'a number such as "2", "0..1" or "1.."')
_fraction = matches(f"([0-9]{{1,4}}|{NAME})/[0-9]{{1,4}}", "a chance such as 1/3")


text = ColumnReader(lambda node: node.line(MAX_TEXT), {"type": "string", "maxLength": MAX_TEXT}, "a text")
"""Read a text of one line."""


def number(low: int, high: int, form: str = "") -> ColumnReader[int]:
    """Make a reader of whole numbers in a range."""
    return ColumnReader(lambda node: node.number(low, high), whole(low, high), form or f"{low} to {high}")


percent = number(0, 100, "percent")
"""Read a number of percent."""


def numbers(count: int, low: int, high: int) -> ColumnReader[tuple[int, ...]]:
    """Read so many whole numbers in a range."""
    schema = listed(whole(low, high), count)
    return ColumnReader(lambda node: node.numbers(count, low, high), schema, f"{count} numbers")


def span(low: int, high: int) -> ColumnReader[tuple[int, int]]:
    """Make a reader of pairs of a least and a greatest number."""

    @reads(listed(whole(low, high), 2), "`[least, most]`")
    def read(node: Node) -> tuple[int, int]:
        least, most = node.pair(low, high)
        if least > most:
            node.fail(f"{shown(node.value)} is out of order; give the smaller number first")
        return least, most

    return read


def choice(*words: str) -> ColumnReader[str]:
    """Make a reader that accepts only the given words."""
    return ColumnReader(lambda node: node.known(words, "word"), {"type": "string", "enum": list(words)})


def many(reader: ColumnReader[T], most: int = 100) -> ColumnReader[tuple[T, ...]]:
    """Make a reader of lists of values of one sort."""
    return ColumnReader(lambda node: tuple(map(reader, node.items(most))), listed(reader.schema, 0, most))


def one_or_list(one: ColumnReader[T], several: ColumnReader[T]) -> ColumnReader[T]:
    """Read a list by one reader, and any other value by another."""
    return ColumnReader(
        lambda node: (several if isinstance(node.value, list) else one)(node),
        {"anyOf": [one.schema, several.schema]},
    )


def pair(one: ColumnReader[T]) -> ColumnReader[tuple[T, T]]:
    """Read a list of two values of one sort."""

    @reads(listed(one.schema, 2))
    def read(node: Node) -> tuple[T, T]:
        first, second = map(one, node.exactly(2))
        return first, second

    return read


def table(
    reader: ColumnReader[T], most: int = 100, keys: ColumnReader[str] = name
) -> ColumnReader[dict[str, T]]:
    """Make a reader of tables with values of one sort."""
    schema = {"type": "object", "propertyNames": keys.schema, "additionalProperties": reader.schema}

    @reads({**schema, "maxProperties": most})
    def read(node: Node) -> dict[str, T]:
        return {keys(type(node)(key, key, node)): reader(item) for key, item in node.pairs(most)}

    return read


def record(
    readers: Mapping[str, ColumnReader[Any]], needed: Sequence[str] = ()
) -> ColumnReader[dict[str, Any]]:
    """Read a table with these keys, of which some are needed."""

    @reads(fields({key: reader.schema for key, reader in readers.items()}, needed))
    def read(node: Node) -> dict[str, Any]:
        return {key: readers[key](node[key]) for key in node.only(readers, needed).table()}

    return read


ONE_IN = Column(
    number(1, 50),
    "of so many rooms that follow each other by their ids, it may be in one",
    1,
    form="a number of rooms",
)
"""The column of rows that come in at most one of so many rooms."""

WEIGHT = Column(number(1, 100), "how often it appears, compared with the others", 10, form="a weight")
"""The column of rows of which one is drawn."""

IN_CHAPTERS = Column(
    many(name), "the chapters in which it appears", "all", form="a list of chapters", names="chapter"
)
"""The column of rows for some chapters only."""


@reads(_fraction.schema, '`"1/3"`')
def fraction(node: Node) -> str:
    """Read a chance such as `1/7`, or `fact/100`."""
    first, second = _fraction(node).split("/")
    if not int(second):
        node.fail(f"{shown(node.value)} is not a chance such as 1/3")
    if first.isdigit() and int(first) > int(second):
        node.fail(f"{shown(node.value)} is more than 1; give a chance such as 1/3")
    return f"{first}/{second}"


@reads(_count.schema)
def count(node: Node) -> str:
    """Read a count: `2`, `0..1` or `1..`."""
    least, dots, most = _count(node).partition("..")
    if most and int(least) > int(most):
        node.fail(f"{shown(node.value)} is out of order; give the smaller number first")
    return least + dots + most
