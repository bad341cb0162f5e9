"""JSON Schemas: small parts from which they are built, and the schema of a declared value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from generator.node import MAX_TEXT
from generator.values import MAX_TEXTS, Value, When

JsonSchema = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"  # the newest one that TOML editors know
TRUTH: JsonSchema = {"type": "boolean"}


def matching(pattern: str) -> JsonSchema:
    """Describe a text that matches a pattern as a whole."""
    return {"type": "string", "pattern": f"^(?:{pattern})$"}


def whole(low: int, high: int) -> JsonSchema:
    """Describe a whole number in a range."""
    return {"type": "integer", "minimum": low, "maximum": high}


def listed(item: Mapping[str, Any], least: int, most: int | None = None) -> JsonSchema:
    """Describe a list of `least` to `most` values of one sort, or exactly `least` if `most` is None."""
    return {"type": "array", "items": item, "minItems": least, "maxItems": least if most is None else most}


def fields(schemas: Mapping[str, Mapping[str, Any]], needed: Sequence[str] = ()) -> JsonSchema:
    """Describe a table with these keys and no others."""
    schema: JsonSchema = {"type": "object", "properties": dict(schemas), "additionalProperties": False}
    return schema | {"required": list(needed)} if needed else schema


def documented(description: str, schema: Mapping[str, Any]) -> JsonSchema:
    """Return a schema with the description that editors show for the key."""
    return {**schema, "description": description}


def value_schema(value: Value) -> JsonSchema:
    """Describe what `Value.checked` accepts: a value's type, range, choices, default and help.

    `when_schemas` adds limits from other values.

    Two rules are left to the reader, since no schema can express them: that numbers are in ascending order,
    and that `1.0` is not a whole number.
    """
    schema: JsonSchema = {"description": described(value.help, value.unit)}
    default = value.default
    if isinstance(default, tuple):
        several, one = listed(_number(value), len(default)), _number(value)
        schema |= {"anyOf": [several, one]} if value.takes_one else several
        if value.parts:
            schema["description"] += f": {', '.join(value.parts)}"
        if value.sizes:
            schema["enum"] = [list(size) for size in value.sizes]
    elif isinstance(default, dict):
        schema |= {"type": "object", "additionalProperties": _text(), "propertyNames": _text()}
        schema["maxProperties"] = MAX_TEXTS
    elif isinstance(default, str):
        schema |= _text(value.choices)
    else:
        schema |= _number(value) if type(default) is int else TRUTH
    schema["default"] = list(default) if isinstance(default, tuple) else default
    return schema


def described(help: str, unit: str) -> str:
    """Return a help text with its unit, if there is one."""
    return f"{help} [{unit}]" if unit else help


def _text(choices: tuple[Any, ...] = ()) -> JsonSchema:
    return {"type": "string", "enum": list(choices)} if choices else {"type": "string", "maxLength": MAX_TEXT}


def _number(value: Value) -> JsonSchema:
    if value.choices:
        return {"type": "integer", "enum": list(value.choices)}
    if value.low is None or value.high is None:
        return {"type": "integer"}
    if value.step != 1:  # steps in JSON Schema always begin at 0
        off = [] if value.off is None else [value.off]
        return {"type": "integer", "enum": [*off, *range(value.low, value.high + 1, value.step)]}
    schema = whole(value.low, value.high)
    if value.off is None or value.low <= value.off <= value.high:
        return schema
    if value.off == value.low - 1:
        return schema | {"minimum": value.off}
    return {"anyOf": [schema, {"type": "integer", "const": value.off}]}


def when_schemas(values: Mapping[str, Value]) -> list[JsonSchema]:
    """Describe how values of one table limit each other: an `if` and a `then` for each `When`."""
    return [
        {
            "if": _holds(condition, values[condition.key]),
            "then": {"properties": {key: narrowed(value, condition)}} | _must_be_there(key, value, condition),
        }
        for key, value in values.items()
        for condition in value.when
    ]


def _must_be_there(key: str, value: Value, when: When) -> JsonSchema:
    """Require a value whose default is not among those that remain, unless it is off by default."""
    least, most = when.limits.get("low"), when.limits.get("high")
    is_out = (
        isinstance(value.default, int)
        and value.default != value.off
        and (
            (isinstance(least, int) and value.default < least)
            or (isinstance(most, int) and value.default > most)
        )
    )
    return {"required": [key]} if is_out else {}


def narrowed(value: Value, when: When) -> JsonSchema:
    """Describe the remaining range or choices, without type and help."""
    schema = value_schema(value._replace(**when.limits))
    kept = ("items", "enum", "minimum", "maximum", "anyOf")
    return {key: schema[key] for key in kept if key in schema}


def _holds(when: When, value: Value) -> JsonSchema:
    """Describe a table whose other value is one of `when.values`, by default or explicitly."""
    schema: JsonSchema = {"properties": {when.key: {"enum": list(when.values)}}}
    return schema if value.default in when.values else schema | {"required": [when.key]}
