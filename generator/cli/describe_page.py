"""`undercroft describe` for people: tables of values and options, as wide as the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click
from click.formatting import HelpFormatter

from generator.value_words import said_range, said_rules, toml

_WIDEST = 110  # longer lines are hard to read
_GAP = 2


class DescribePage:
    """Lines for people, with colours if asked for."""

    def __init__(self, width: int, coloured: bool) -> None:
        self._width = max(40, min(width, _WIDEST))
        self._coloured = coloured
        self._lines: list[str] = []

    def text(self) -> str:
        """Return the page, with a newline at its end."""
        return "\n".join(self._lines) + "\n"

    def title(self, name: str, summary: str) -> None:
        """Add what the page is about."""
        self._wrapped(f"{name}: {summary}", {name: self._styled(name, bold=True)})

    def note(self, text: str) -> None:
        """Add a paragraph between empty lines."""
        self._lines.append("")
        self._wrapped(text)

    def values(self, rows: Sequence[Mapping[str, Any]], chosen: Mapping[str, Any] | None = None) -> None:
        """Add a table under each heading: key, what may be given, default, and help.

        `chosen` are the values of a spec by their keys; those that are not the default are told.
        """
        by_key = {row["key"]: row for row in rows}
        column = max(len(key) for key in by_key) + _GAP
        groups: dict[str, list[Mapping[str, Any]]] = {}
        for row in rows:
            groups.setdefault(row.get("group", "Options"), []).append(row)
        for heading, section in groups.items():
            self._lines += ["", self._styled(heading, bold=True)]
            for row in section:
                self._value(row, by_key, column, chosen)

    def _value(
        self,
        row: Mapping[str, Any],
        rows: Mapping[str, Mapping[str, Any]],
        column: int,
        chosen: Mapping[str, Any] | None,
    ) -> None:
        default = toml(row["default"])
        description = f"{said_range(row)}; default {default}"
        current = toml(chosen[row["key"]]) if chosen and row["key"] in chosen else default
        key = self._styled(row["key"], fg="cyan") + " " * (column - len(row["key"]))
        lines = [*self._parts(description, column), *self._parts(row["help"], column)]
        if current != default:
            lines.insert(0, self._styled(f"here {current}", bold=True))
        for rule in said_rules(row, rows):
            lines += [self._styled(line, dim=True) for line in self._parts(rule, column)]
        for index, line in enumerate(lines):
            self._lines.append(f"  {' ' * column if index else key}{line}")

    def _parts(self, text: str, column: int) -> list[str]:
        return textwrap.wrap(text, max(20, self._width - column - _GAP), break_on_hyphens=False)

    def names(self, heading: str, rows: Iterable[tuple[str, str]]) -> None:
        """Add a heading, and names with what each is."""
        formatter = HelpFormatter(width=self._width)
        formatter.indent()
        formatter.write_dl([*rows])
        lines = formatter.getvalue().rstrip("\n").split("\n")
        self._lines += ["", self._styled(heading, bold=True), *lines]

    def _wrapped(self, text: str, styled: Mapping[str, str] | None = None) -> None:
        lines = textwrap.wrap(text, self._width, break_on_hyphens=False)
        for plain, painted in (styled or {}).items():
            lines[0] = lines[0].replace(plain, painted, 1)
        self._lines += lines

    def _styled(self, text: str, **style: Any) -> str:
        return click.style(text, **style) if self._coloured else text


def flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flatten a spec's values to dotted keys."""
    flattened: dict[str, Any] = {}
    for key, value in table.items():
        flattened |= (
            flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value}
        )
    return flattened
