"""A spec as TOML with every value of its style: what it is now, what it means, and what may be given."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from generator.value_words import said_range, said_rules, toml

if TYPE_CHECKING:
    from generator.spec import LevelSpec

_WIDTH = 100


def full_toml(spec: LevelSpec, summary: str) -> str:
    """Write the text of a spec's file, which reads as the same spec. Each value has its help as a comment."""
    from generator.spec import describe

    rows = describe(type(spec), spec.load_kit())
    by_key = {row["key"]: row for row in rows}
    table = spec.to_dict()
    style = table.pop("style")
    lines = [*_comment(summary), f"style = {toml(style)}"]
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if "." not in row["key"]:
            groups.setdefault(row.get("group", "Values"), []).append(row)
    for group, members in groups.items():
        lines += ["", f"# --- {group} ---"]
        for row in members:
            lines += _entry(row, row["key"], table[row["key"]], by_key)
    for name, values in _tables(table, by_key):
        lines += ["", f"[{name}]"]
        for key, value in values.items():
            lines += _entry(by_key.get(f"{name}.{key}", {}), key, value, by_key)
    return "\n".join(lines) + "\n"


def _tables(table: Mapping[str, Any], rows: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the tables for people, and those that a program filled in, such as what a run remembers."""
    for name, values in table.items():
        if isinstance(values, Mapping) and (
            any(f"{name}.{key}" in rows for key in values) or any(values.values())
        ):
            yield name, values


def _entry(row: Mapping[str, Any], key: str, value: object, rows: Mapping[str, Any]) -> Sequence[str]:
    """Return the lines of a value below its comment."""
    if not row:
        return [f"{key} = {toml(value)}"]
    description = f"{said_range(row)}; default {toml(row['default'])}"
    rules = [line for rule in said_rules(row, rows) for line in _comment(rule)]
    return ["", *_comment(row["help"]), *_comment(description), *rules, f"{key} = {toml(value)}"]


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, _WIDTH - 2, break_on_hyphens=False)]
