"""Finds misspelled words of markers: names and values close to known ones.

A game can give its markers its own properties and roles, so words that are merely unknown are accepted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from generator import suggestions
from generator.errors import shown
from generator.kinds import Kinds
from generator.kinds.kind_tables import ROLES
from generator.level import Property

_CLOSED = ("role", "tier")  # their values are words, and most games use those of the kit
_ALSO = {"enemy": ("role", "wave", "name", "champion", "flies", "wakes_after"), "boss": ("rank", "name")}
_ALIKE = 0.8  # of difflib's ratio: `rol` and `role` have 0.86, `walker` and `stalker` 0.77


def slip_of(kind: str, properties: Mapping[str, Property], kinds: Kinds) -> str:
    """Return a likely slip in the properties of a marker, with a remedy, or an empty text."""
    keys, words = _known(kind, kinds)
    for key, value in properties.items():
        near = nearest(key, keys)
        if near:
            return f"{shown(key)} is not a property of {kind}; did you mean {near}?"
        if key not in _CLOSED or not words.get(key):
            continue
        if not isinstance(value, str):
            return f"{key}={said_value(value)}: is not a word; give one such as {', '.join(words[key])}"
        near = nearest(value, words[key])
        if near:
            return f"{key}={value}: unknown {key}; did you mean {near}?"
    return ""


def said_value(value: Property) -> str:
    """Write a property's value as a layout's header has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def nearest(word: str, known: Collection[str]) -> str:
    """Find the known word that an unknown one nearly matches. Empty if none does, or if it is known.

    Words that differ only in digits do not match.
    """
    if word in known:
        return ""
    near = suggestions.nearest(word, sorted(known), _ALIKE)
    return near if near and _bare(near) != _bare(word) else ""


def _bare(word: str) -> str:
    return word.rstrip("0123456789_-")


@lru_cache(maxsize=256)
def _known(kind: str, kinds: Kinds) -> tuple[frozenset[str], Mapping[str, tuple[str, ...]]]:
    """Return the known properties of a marker kind, and the known values of some of them."""
    drawn = [glyph.properties for glyph in kinds.glyphs.values() if glyph.marker == kind]
    keys = {
        *_ALSO.get(kind, ()),
        *kinds.markers[kind].properties,
        *(key for values in drawn for key in values),
    }
    words = {key: dict.fromkeys(str(values[key]) for values in drawn if key in values) for key in _CLOSED}
    if "role" in keys:
        words["role"] |= dict.fromkeys(ROLES)
    return frozenset(keys), {key: tuple(values) for key, values in words.items()}
