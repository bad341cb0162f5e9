"""Every value of every style's spec, as `undercroft describe` tells it."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from website import markdown

_TYPES = {"boolean": "true or false", "integer": "a whole number", "string": "a text",
          "integers": "whole numbers", "texts": "a table of texts"}  # fmt: skip
_LIMITS = {"low": "at least", "high": "at most"}


def every_value() -> str:
    """A section for each style, with a table for each group of its values."""
    from generator.spec import describe
    from generator.styles.registry import BUILT_IN, style

    parts = []
    for name in BUILT_IN:
        found = style(name)
        parts.append(f"## {name}\n\n{markdown.sentence(found.summary)}\n\n")
        rows = sorted(describe(found.spec), key=_group)  # stable: else in the order of the declarations
        for group, values in groupby(rows, key=_group):
            parts.append(f"### {name}: {group.lower()}\n\n{rows_of(values, name)}")
    return "".join(parts)


def _group(row: dict[str, Any]) -> str:
    found: str = row.get("group", "")
    return found or "Others"


def rows_of(rows: Any, where: str) -> str:
    """A table of declared values, each with an anchor `WHERE-KEY`."""
    return markdown.values(
        ("key", "value", "meaning"),
        (
            (
                markdown.anchored(f"{where}-{row['key']}", markdown.code(row["key"])),
                _value(row),
                _meaning(row),
            )
            for row in rows
        ),
    )


def _value(row: dict[str, Any]) -> str:
    """What may be given, and what it is otherwise."""
    given = _TYPES[row["type"]]
    if row["type"] == "integers":
        given = f"{len(row['default'])} whole numbers"
    if "choices" in row:
        given = "one of " + markdown.codes(row["choices"])
    elif "sizes" in row:
        given = "one of " + markdown.codes(row["sizes"])
    elif "form" in row:
        given = f"a {row['form']}"
    if "low" in row:
        given += f", {row['low']} to {row['high']}"
    if "step" in row:
        given += f" in steps of {row['step']}"
    if "off" in row:
        given += f", or {row['off']}"
    if row["unit"]:
        given += f"; unit: {row['unit']}"
    return f"{given}; default {markdown.code(toml(row['default'])) or 'none'}"


def _meaning(row: dict[str, Any]) -> str:
    said = markdown.plain(row["help"][:1].upper() + row["help"][1:])
    if row.get("parts"):
        said += f" ({', '.join(row['parts'])})"
    if row.get("ordered"):
        said += "; each is at least as large as the one before it"
    for rule in row.get("when", ()):
        values = markdown.codes(rule["values"])
        limits = [f"{said} {rule[name]}" for name, said in _LIMITS.items() if name in rule]
        limits += [f"only {markdown.codes(rule[name])}" for name in ("choices", "sizes") if name in rule]
        said += f". While `{rule['key']}` is {values}: {', '.join(limits)}"
    return said


def toml(given: Any) -> str:
    """A default as a person writes it in TOML; empty for an empty text or table."""
    if isinstance(given, bool):
        return str(given).lower()
    if given in ("", {}):
        return ""
    return f'"{given}"' if isinstance(given, str) else str(given)
