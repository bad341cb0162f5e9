"""Shipped layouts with the kinds of a kit, which may have other glyphs or lack some of the kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from generator.errors import LayoutError
from generator.interiors.layout_file import parse_layout
from generator.interiors.layout_rules import check_map, check_rules
from generator.interiors.layouts import Layout
from generator.interiors.pool_rules import check_markers
from generator.kinds import SHIPPED, Glyph, Kinds


def shipped_texts(texts: Iterable[tuple[Path, str]], kind: str, kinds: Kinds) -> tuple[Layout, ...]:
    """Parse the layouts of shipped files for rooms of a kind, each a path and its text.

    A drawn thing or marker that a kit lacks becomes floor. Layouts that then break a rule are left out. With
    the shipped kinds, and kits that only add to them, the tests have checked them all.
    """
    same_rules = kinds.room(kind).markers == SHIPPED.room(kind).markers
    if _adds_to_shipped(kinds) and same_rules:
        return tuple(_read(text, path, kinds) for path, text in texts)
    layouts = []
    for layout in kept_texts(texts, kinds):
        try:
            check_map(layout)
            check_rules(layout)
            check_markers(layout, kind)
        except LayoutError:
            continue
        layouts.append(layout)
    return tuple(layouts)


def kept_texts(texts: Iterable[tuple[Path, str]], kinds: Kinds) -> Iterator[Layout]:
    """Parse the layouts of shipped files, whether or not they would do as rooms.

    Those whose headers name a kind that a kit lacks are left out.
    """
    for path, text in texts:
        try:
            yield _read(text, path, kinds)
        except LayoutError:
            if kinds == SHIPPED:
                raise


def _read(text: str, path: Path, kinds: Kinds) -> Layout:
    return parse_layout(text, path, kinds, check=False, glyphs=_glyphs(kinds))


@lru_cache(maxsize=64)
def _glyphs(kinds: Kinds) -> Mapping[str, Glyph]:
    """Return the meanings of the shipped kit's glyphs, with the numbers of another kit."""
    if kinds == SHIPPED:
        return SHIPPED.glyphs
    glyphs = {}
    for sign, glyph in SHIPPED.glyphs.items():
        decor = kinds.decor_ids.get(SHIPPED.decor[glyph.decor].name, 0)
        marker = glyph.marker if glyph.marker in kinds.markers else None
        glyphs[sign] = Glyph(glyph.terrain, decor, marker, glyph.properties if marker else {})
    return glyphs


@lru_cache(maxsize=64)
def _adds_to_shipped(kinds: Kinds) -> bool:
    """Check whether these kinds contain the shipped ones unchanged."""
    return kinds == SHIPPED or (
        kinds.decor[: len(SHIPPED.decor)] == SHIPPED.decor
        and all(kinds.markers.get(name) == row for name, row in SHIPPED.markers.items())
    )
