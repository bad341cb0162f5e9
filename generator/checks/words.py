"""The words that a kit and its drawings give to properties of markers, as far as they are at hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from generator.files import is_digest
from generator.interiors.layouts import Layout
from generator.interiors.own_layouts import kit_layouts
from generator.kinds import SHIPPED, Glyph, Kinds, Kit, shipped_kit
from generator.kinds.marker_properties import MARKER_PROPERTIES
from generator.level import Level, Property

KnownValues = Mapping[tuple[str, str], frozenset[Property]]
"""Values by marker kind and property."""


def values_of_own_layouts(level: Level) -> KnownValues | None:
    """Return the values that a team's drawings can give in a level. None if they are not at hand."""
    kit = _kit_of_drawings(level)
    return None if kit is None else _of_layouts(kit, level.grid is not None)


def given_by_own_layouts(level: Level) -> Mapping[str, frozenset[str]]:
    """Return the properties that each marker of a kind has in a team's drawings, as far as at hand."""
    kit = _kit_of_drawings(level)
    return {} if kit is None else _given_by_layouts(kit, level.grid is not None)


def own_drawings(level: Level) -> Mapping[str, Layout]:
    """Return the drawings of a level's kit by pool and name, `shop/cave`, as far as they are at hand."""
    kit = _kit_of_drawings(level)
    return {} if kit is None else _drawings(kit, level.grid is not None)


def _kit_of_drawings(level: Level) -> Kit | None:
    """Return the kit that all drawings of a level come from. None if it is not at hand."""
    kit = level.spec.kit
    if is_digest(kit) or bool(getattr(level.spec, "layouts", "")):
        return None
    return level.spec.load_kit() if kit else shipped_kit()


@lru_cache(maxsize=64)
def values_of_letters(kinds: Kinds) -> KnownValues:
    """Return the values that the generator, and the letters of a kit, give."""
    return _words(kinds.glyphs.values())


@lru_cache(maxsize=64)
def has_shipped_letters(kinds: Kinds, marker: str) -> bool:
    """Check whether a kit's letters of a marker kind are the shipped ones, and give it what those do."""
    own, shipped = (
        [glyph for glyph in letters.values() if glyph.marker == marker]
        for letters in (kinds.glyphs, SHIPPED.glyphs)
    )
    return own == shipped


@lru_cache(maxsize=64)
def _given_by_layouts(kit: Kit, on_grid: bool) -> Mapping[str, frozenset[str]]:
    return _given(glyph for layout in _drawings(kit, on_grid).values() for glyph in layout.glyphs.values())


def _given(glyphs: Iterable[Glyph]) -> Mapping[str, frozenset[str]]:
    given: dict[str, frozenset[str]] = {}
    for glyph in glyphs:
        if glyph.marker:
            names = frozenset(glyph.properties)
            given[glyph.marker] = given.get(glyph.marker, names) & names
    return given


@lru_cache(maxsize=64)
def _of_layouts(kit: Kit, on_grid: bool) -> KnownValues:
    return _words(glyph for layout in _drawings(kit, on_grid).values() for glyph in layout.glyphs.values())


@lru_cache(maxsize=64)
def _drawings(kit: Kit, on_grid: bool) -> Mapping[str, Layout]:
    pools = kit_layouts(kit, on_grid=on_grid).pools
    return {f"{pool}/{layout.name}": layout for pool, layouts in pools.items() for layout in layouts}


def _words(glyphs: Iterable[Glyph]) -> KnownValues:
    words: dict[tuple[str, str], set[Property]] = defaultdict(set)
    for kind, given in MARKER_PROPERTIES.items():
        for name, declared in given.items():
            words[kind, name] |= {*declared.usual}
    for glyph in glyphs:
        for name, value in glyph.properties.items():
            words[str(glyph.marker), name].add(value)
    return {key: frozenset(values) for key, values in words.items()}
