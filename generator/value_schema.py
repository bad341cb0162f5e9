"""The JSON Schema of a declared value: what `Value.checked` accepts, for editors and other programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.json_schema import TRUTH, JsonSchema, whole
from generator.node import MOST_TEXT
from generator.values import MOST_TEXTS, Value, When


def value_schema(value: Value) -> JsonSchema:
    """Type, range, choices, default and help of a value; `when_schemas` adds limits from other values.

    Two rules are left to the reader, since no schema can express them: that numbers are in ascending order,
    and that `1.0` is not a whole number.
    """
    found: JsonSchema = {"description": described(value.help, value.unit)}
    default = value.default
    if isinstance(default, tuple):
        found |= {
            "type": "array",
            "items": _number(value),
            "minItems": len(default),
            "maxItems": len(default),
        }
        if value.parts:
            found["description"] += f": {', '.join(value.parts)}"
        if value.sizes:
            found["enum"] = [list(size) for size in value.sizes]
    elif isinstance(default, dict):
        found |= {"type": "object", "additionalProperties": _text(), "propertyNames": _text()}
        found["maxProperties"] = MOST_TEXTS
    elif isinstance(default, str):
        found |= _text(value.choices)
    else:
        found |= _number(value) if type(default) is int else TRUTH
    found["default"] = list(default) if isinstance(default, tuple) else default
    return found


def described(help: str, unit: str) -> str:
    """A help text with its unit, if there is one."""
    return f"{help} [{unit}]" if unit else help


def _text(choices: tuple[Any, ...] = ()) -> JsonSchema:
    return (
        {"type": "string", "enum": list(choices)} if choices else {"type": "string", "maxLength": MOST_TEXT}
    )


def _number(value: Value) -> JsonSchema:
    if value.choices:
        return {"type": "integer", "enum": list(value.choices)}
    if value.low is None or value.high is None:
        return {"type": "integer"}
    if value.step != 1:  # steps in JSON Schema always begin at 0
        off = [] if value.off is None else [value.off]
        return {"type": "integer", "enum": [*off, *range(value.low, value.high + 1, value.step)]}
    given = whole(value.low, value.high)
    if value.off is None or value.low <= value.off <= value.high:
        return given
    if value.off == value.low - 1:
        return given | {"minimum": value.off}
    return {"anyOf": [given, {"type": "integer", "const": value.off}]}


def when_schemas(values: Mapping[str, Value]) -> list[JsonSchema]:
    """How values of one table limit each other: an `if` and a `then` for each `When`."""
    return [
        {"if": _holds(one, values[one.key]), "then": {"properties": {key: narrowed(value, one)}}}
        for key, value in values.items()
        for one in value.when
    ]


def narrowed(value: Value, when: When) -> JsonSchema:
    """The remaining range or choices, without type and help."""
    found = value_schema(value._replace(**when.limits))
    kept = ("items", "enum", "minimum", "maximum", "anyOf")
    return {key: found[key] for key in kept if key in found}


def _holds(when: When, other: Value) -> JsonSchema:
    """The schema of a table whose other value is one of `when.values`, by default or explicitly."""
    found: JsonSchema = {"properties": {when.key: {"enum": list(when.values)}}}
    return found if other.default in when.values else found | {"required": [when.key]}
