"""Tables of rows: in columns for people, as CSV (RFC 4180) for spreadsheets and data frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from generator.cli import common, progress
from generator.errors import BadInput
from generator.value_words import toml

csv_option = common.flag("--csv", "Print one table as CSV, for spreadsheets and data frames.", "as_csv")

_RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r")


def refuse_both(as_csv: bool, as_json: bool) -> None:
    """Raise BadInput if both forms are asked for."""
    if as_csv and as_json:
        raise BadInput("--csv: does not go with --json; leave one out")


def print_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table row by row, as the rows come.

    Numbers stay numbers and None is an empty cell. Text that a spreadsheet would run as a formula gets an
    apostrophe in front, as spreadsheets mark text.
    """
    import csv

    writer = csv.writer(_CsvLines())
    writer.writerow(header)
    for row in rows:
        writer.writerow([_cell(value) for value in row])


class _CsvLines:
    """A file for `csv` that prints each line as it is written, with the same line ends on all systems."""

    def write(self, line: str) -> None:
        with progress.printing():
            click.echo(line.encode(), nl=False)


def _cell(value: object) -> object:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    text = value if isinstance(value, str) else toml(value)
    return f"'{text}" if text.startswith(_RUN_BY_SPREADSHEETS) else text


def columns(rows: Sequence[Sequence[str]], sides: str = "<>") -> list[str]:
    """Line up cells, to the left or the right: one of `sides` for each column, the last for all after it."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = sides.ljust(len(widths), sides[-1])[: len(widths)]
    return [
        "  ".join(
            f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
