"""The words that a kit and its drawings give to properties of markers, as far as they are at hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from generator.files import is_digest
from generator.interiors.own_layouts import kit_layouts
from generator.kinds import Glyph, Kinds, Kit, shipped_kit
from generator.kinds.marker_properties import MARKER_PROPERTIES
from generator.level import Level, Property

KnownValues = Mapping[tuple[str, str], frozenset[Property]]
"""Values by marker kind and property."""


def values_of_own_layouts(level: Level) -> KnownValues | None:
    """Return the values that a team's drawings can give in a level. None if they are not at hand."""
    kit = level.spec.kit
    if is_digest(kit) or bool(getattr(level.spec, "layouts", "")):
        return None
    return _of_layouts(level.spec.load_kit() if kit else shipped_kit(), level.grid is not None)


@lru_cache(maxsize=64)
def values_of_letters(kinds: Kinds) -> KnownValues:
    """Return the values that the generator, and the letters of a kit, give."""
    return _words(kinds.glyphs.values())


@lru_cache(maxsize=64)
def _of_layouts(kit: Kit, on_grid: bool) -> KnownValues:
    drawn = [layout for pool in kit_layouts(kit, on_grid=on_grid).pools.values() for layout in pool]
    return _words(glyph for layout in drawn for glyph in layout.glyphs.values())


def _words(glyphs: Iterable[Glyph]) -> KnownValues:
    words: dict[tuple[str, str], set[Property]] = defaultdict(set)
    for kind, given in MARKER_PROPERTIES.items():
        for name, declared in given.items():
            words[kind, name] |= {*declared.usual}
    for glyph in glyphs:
        for name, value in glyph.properties.items():
            words[str(glyph.marker), name].add(value)
    return {key: frozenset(values) for key, values in words.items()}
