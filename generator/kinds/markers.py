"""Marker kinds: the `[marker.NAME]` rows of a kit."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from generator.kinds.columns import (
    Column,
    RowTable,
    choice,
    flag,
    glyph,
    many,
    name,
    number,
    reads,
    table,
    text,
)
from generator.node import Node

PropertyForms = Mapping[str, str]
PROPERTY_FORMS = ("text", "number", "truth")


class MarkerKind(NamedTuple):
    """A marker kind.

    `is_light` is true for things that hang on a wall or burn: they need not be reachable, and their decor
    shows them. `stands_on` are the terrains that it can be on; empty: all that can be walked on.
    `properties` has the form of each property that its rows declare.
    """

    name: str
    is_light: bool = False
    stands_on: tuple[str, ...] = ()
    properties: PropertyForms = MappingProxyType({})


_number = number(-(1 << 31), 1 << 31)


@reads({"anyOf": [flag.schema, _number.schema, text.schema]})
def _property(node: Node) -> bool | int | str:
    if isinstance(node.value, bool):
        return node.value
    return text(node) if isinstance(node.value, str) else _number(node)


_properties = table(_property, 20)


@reads(
    {
        "type": "object",
        "propertyNames": glyph.schema,
        "additionalProperties": _properties.schema,
        "maxProperties": 50,
    }
)
def _glyphs(node: Node) -> dict[str, dict[str, Any]]:
    return {glyph(type(node)(letter, letter, node)): _properties(item) for letter, item in node.pairs(50)}


MARKERS = RowTable(
    "marker",
    "A named point where a game puts something.",
    {
        "glyph": Column(glyph, "a character", "its letter in layouts", ""),
        "glyphs": Column(
            _glyphs,
            '`{ E = { role = "walker" } }`',
            "letters in layouts, each of which also sets its properties",
            {},
        ),
        "light": Column(
            flag, "`true` or `false`", "it hangs on a wall or burns, so it need not be reachable", False
        ),
        "stands_on": Column(
            many(name), "a list of terrains", "the terrain that it can be on", (), names="terrain"
        ),
        "properties": Column(
            table(choice(*PROPERTY_FORMS)),
            '`{ opens = "text" }`',
            f"its other properties: {', '.join(PROPERTY_FORMS)}",
            {},
        ),
    },
)


def marker_kind_of(kind: str, row: dict[str, Any]) -> MarkerKind:
    """Build the kind that a row defines."""
    properties = MappingProxyType(dict(row.get("properties", {})))
    return MarkerKind(kind, row.get("light", False), row.get("stands_on", ()), properties)
