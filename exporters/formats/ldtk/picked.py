"""The enums of properties with a few usual values, such as ChestTier, which LDtk offers in a list.

A level may have other values, which are added to the list. Kits with rows of their own for a marker kind have
other values, of which nothing is known: their properties are texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from generator.kinds import SHIPPED, Kinds
from generator.kinds.marker_properties import MARKER_PROPERTIES
from generator.level import Level, Property

PICKED = {
    f"{kind.title()}{name.title()}": (kind, name)
    for kind, own in MARKER_PROPERTIES.items()
    for name, row in own.items()
    if isinstance(row.default, str) and len(row.usual) > 1 and kind != "fire"
}
"""By enum: the marker kind and the property."""

FoundValues = tuple[tuple[str, tuple[str, ...]], ...]
"""Values of levels that are not usual, by enum."""


def picked_values(kinds: Kinds, found: FoundValues) -> dict[str, Mapping[str, None]]:
    """Return the values of each enum of a kit: the usual ones, then those that were found."""
    more = dict(found)
    return {
        enum: dict.fromkeys((*map(str, MARKER_PROPERTIES[kind][name].usual), *more.get(enum, ())))
        for enum, (kind, name) in PICKED.items()
        if _is_shipped(kind, kinds)
    }


def found_values(levels: Sequence[Level]) -> FoundValues:
    """Return what the levels have beside the usual values."""
    found = {
        enum: tuple(
            dict.fromkeys(
                str(value)
                for level in levels
                for value in property_values(level, kind, name)
                if is_value(value) and value not in MARKER_PROPERTIES[kind][name].usual
            )
        )
        for enum, (kind, name) in PICKED.items()
    }
    return tuple((enum, values) for enum, values in found.items() if values)


def has_usual_form(enum: str, level: Level) -> bool:
    """Return whether an enum can hold all values of a level."""
    kind, name = PICKED[enum]
    return _is_shipped(kind, level.kinds) and all(map(is_value, property_values(level, kind, name)))


def is_value(name: object) -> bool:
    """Return whether something can be a value of an enum."""
    return isinstance(name, str) and re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name) is not None


def property_values(level: Level, kind: str, name: str) -> dict[Property, None]:
    """Return the distinct values of a property of markers: these are thousands, the values few."""
    markers = (marker for marker in level.markers if marker.kind == kind)
    return dict.fromkeys(marker.properties[name] for marker in markers if name in marker.properties)


def _is_shipped(kind: str, kinds: Kinds) -> bool:
    """Return whether a kit's markers of a kind are the shipped ones."""
    return kind in SHIPPED.markers and kinds.markers.get(kind) == SHIPPED.markers[kind]
