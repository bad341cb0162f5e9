"""Small parts from which JSON Schemas are built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
