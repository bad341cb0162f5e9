"""Marker kinds: the `[marker.NAME]` rows of a kit."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from generator.errors import shown
from generator.json_schema import whole
from generator.kinds.columns import (
    Column,
    RowTable,
    WrongValueError,
    choice,
    flag,
    glyph,
    many,
    name,
    reads,
    table,
    text,
)

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


_NUMBER = whole(-(1 << 31), 1 << 31)
_PROPERTIES = {
    "type": "object",
    "propertyNames": name.schema,
    "additionalProperties": {"anyOf": [flag.schema, _NUMBER, text.schema]},
    "maxProperties": 20,
}


@reads(
    {
        "type": "object",
        "propertyNames": glyph.schema,
        "additionalProperties": _PROPERTIES,
        "maxProperties": 50,
    }
)
def _glyphs(table: object) -> dict[str, dict[str, Any]]:
    if not isinstance(table, Mapping) or len(table) > 50:
        raise WrongValueError(f"{shown(table)} is not a table of characters, each with its properties")
    glyphs: dict[str, dict[str, Any]] = {}
    for letter, properties in table.items():
        if not isinstance(properties, Mapping) or len(properties) > 20:
            raise WrongValueError(
                f'{shown(properties)} is not a table of properties such as {{ role = "walker" }}'
            )
        for key, value in properties.items():
            name(key)
            if not isinstance(value, (bool, int, str)) or (isinstance(value, int) and abs(value) > 1 << 31):
                raise WrongValueError(f"{key}: {shown(value)} is not a text, a whole number, true or false")
            if isinstance(value, str):
                text(value)
        glyphs[glyph(letter)] = dict(properties)
    return glyphs


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
