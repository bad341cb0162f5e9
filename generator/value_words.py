"""Values in words and as TOML: counts, and what a declaration allows, from the rows that `describe` makes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_FORMS = {
    "boolean": "true or false",
    "texts": "a table of texts",
    "folder": "a folder",
    "resource": "a res:// path",
    "colour": "a colour such as #1a1c2c",
}
_FEW = 3  # values that a rule names one by one


def said_range(row: Mapping[str, Any]) -> str:
    """Write the allowed values: `1 to 12`, `[width, height], each 9 to 63 tiles, odd`, `main or random`."""
    if row.get("choices"):
        return either([plain_text(choice) for choice in row["choices"]])
    if row.get("sizes"):
        return either([toml(choice) for choice in row["sizes"]])
    if row["type"] in ("integer", "integers"):
        numbers = _numbers(row)
        return f"[{', '.join(row['parts'])}], each {numbers}" if row.get("parts") else numbers
    return _FORMS.get(row.get("form", row["type"]), "a text")


def _numbers(row: Mapping[str, Any]) -> str:
    unit = f" {row['unit']}" if row["unit"] else ""
    if "low" not in row:
        return f"a whole number{unit and ' of'}{unit}"
    text = f"{row['low']} to {row['high']}{unit}"
    if row.get("step", 1) == 2:
        text += ", odd" if row["low"] % 2 else ", even"
    elif "step" in row:
        text += f" in steps of {row['step']}"
    return f"{row['off']}, or {text}" if "off" in row else text


def range_and_default(row: Mapping[str, Any]) -> str:
    """Write the allowed values and the default: `1 to 12; default 1`."""
    return f"{said_range(row)}; default {toml(row['default'])}"


def by_group(rows: Iterable[Mapping[str, Any]], other: str) -> dict[str, list[Mapping[str, Any]]]:
    """Sort rows under the headings of their groups. `other` is the heading of those without one."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row.get("group", other), []).append(row)
    return groups


def said_rules(row: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Describe narrower ranges that depend on other values: `if curse is labyrinth: 10 to 59 rooms`."""
    table = row["key"].rpartition(".")[0]
    lines = []
    for rule in row.get("when", ()):
        other_key = f"{table}.{rule['key']}" if table else rule["key"]
        limits = {key: limit for key, limit in rule.items() if key not in ("key", "values")}
        lines.append(
            f"{_when(rule['values'], other_key, rows.get(other_key, {}))}: {said_range({**row, **limits})}"
        )
    return lines


def _when(values: Sequence[Any], key: str, row: Mapping[str, Any]) -> str:
    rest = [choice for choice in row.get("choices", ()) if choice not in values]
    if len(values) > _FEW and 0 < len(rest) <= _FEW:
        return f"unless {key} is {either([plain_text(choice) for choice in rest])}"
    if list(values) == [""]:
        return f"without {key}"
    if len(values) > _FEW and list(values) == list(range(values[0], values[-1] + 1)):
        return f"if {key} is {values[0]} to {values[-1]}"
    return f"if {key} is {either([plain_text(choice) for choice in values])}"


def how_many(count: int, noun: str) -> str:
    """Format a count: `1 level`, `2 levels`, `1,200 levels`. For nouns whose plural ends in a plain `s`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def either(words: Sequence[str]) -> str:
    """Join words as `a`, `a or b`, `a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def plain_text(value: object) -> str:
    """Format a value as it may be typed after `KEY=`: a text without its quotes."""
    return value if isinstance(value, str) and value else toml(value)


def toml(value: object) -> str:
    """Write a value on one line, as after a key: a text in quotes, a number, `true`, a list, an inline table.

    JSON's escapes are valid TOML too, except for DEL, which JSON does not escape.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(toml(item) for item in value)}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{toml(key)} = {toml(item)}' for key, item in value.items())}}}"
    return str(value)
