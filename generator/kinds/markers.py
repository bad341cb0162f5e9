"""Marker kinds: the rows `[marker.NAME]` of a kit."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from generator.errors import shown
from generator.kinds.columns import (
    Column,
    RowTable,
    WrongValueError,
    choice,
    flag,
    glyph,
    many,
    name,
    table,
    text,
)

PropertyForms = Mapping[str, str]
PROPERTY_FORMS = ("text", "number", "truth")


class MarkerKind(NamedTuple):
    """What is known of a marker kind.

    `is_light` is true for what hangs on a wall or burns: nobody has to get there, and its decor shows it.
    `stands_on` are the terrains that it may stand on; empty: any that one can walk on. `properties` has the
    form of each property that its rows declare.
    """

    name: str
    is_light: bool = False
    stands_on: tuple[str, ...] = ()
    properties: PropertyForms = MappingProxyType({})


def _glyphs(given: object) -> dict[str, dict[str, Any]]:
    if not isinstance(given, Mapping) or len(given) > 50:
        raise WrongValueError(f"{shown(given)} is not a table of characters, each with its properties")
    found: dict[str, dict[str, Any]] = {}
    for letter, properties in given.items():
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
        found[glyph(letter)] = dict(properties)
    return found


MARKERS = RowTable(
    "marker",
    "A named point: what a game puts there.",
    {
        "glyph": Column(glyph, "a character", "its letter in layouts", ""),
        "glyphs": Column(_glyphs, '`{ E = { role = "walker" } }`', "letters that give it properties too", {}),
        "light": Column(
            flag, "`true` or `false`", "it hangs on a wall or burns; nobody has to get there", False
        ),
        "stands_on": Column(many(name), "a list of terrains", "what it may stand on", (), names="terrain"),
        "properties": Column(
            table(choice(*PROPERTY_FORMS)),
            '`{ opens = "text" }`',
            f"what else is told of it: {', '.join(PROPERTY_FORMS)}",
            {},
        ),
    },
)


def marker_kind_of(kind: str, row: dict[str, Any]) -> MarkerKind:
    """The kind of a row that was read."""
    properties = MappingProxyType(dict(row.get("properties", {})))
    return MarkerKind(kind, row.get("light", False), row.get("stands_on", ()), properties)
