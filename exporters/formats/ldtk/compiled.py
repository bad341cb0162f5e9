"""The parts that all projects of a theme share, made once and kept for the next level."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from exporters.formats.ldtk.collect import LevelWords, definitions, words_of
from exporters.formats.ldtk.defs import definitions_json
from exporters.formats.ldtk.entities import EntityWriter
from exporters.formats.ldtk.json_text import Rendered, pretty
from exporters.formats.ldtk.layers import LayerWriter, TileNumbering
from exporters.formats.ldtk.model import Definitions, RoomWords
from exporters.formats.ldtk.rules import Drawing, drawing_of
from exporters.formats.ldtk.tileset import columns_of
from exporters.theme import Theme
from generator.level import Level

MAX_KEPT = 8  # sets of shared parts; about 1 MB each


class Compiled(NamedTuple):
    """The definitions, their text (`defs`), and the drawing and writers that use them."""

    definitions: Definitions
    text: Rendered
    drawing: Drawing
    layers: LayerWriter
    entities: EntityWriter


def compiled(level: Level, theme: Theme, indent: int, words: RoomWords | None = None) -> Compiled:
    """Return the shared parts for a level's project. The keys of its levels are indented by `indent` tabs.

    Kept for other levels with the same facts (most have the same), except for projects to draw rooms in.
    """
    own = words_of(level)
    return _made(own, theme, indent, words) if words else _kept(own, theme, indent)


@lru_cache(maxsize=MAX_KEPT)
def _kept(own: LevelWords, theme: Theme, indent: int) -> Compiled:
    return _made(own, theme, indent, None)


def _made(own: LevelWords, theme: Theme, indent: int, words: RoomWords | None) -> Compiled:
    drawing = drawing_of(theme)
    known = definitions(own, theme, drawing.rules, words)
    sheet = TileNumbering(theme, columns_of(theme))
    text = Rendered(pretty(definitions_json(known, sheet), 1))
    layers = LayerWriter(known, sheet, indent + 2)
    return Compiled(known, text, drawing, layers, EntityWriter(known, theme, indent + 3))


def forget() -> None:
    """Clear the cache."""
    _kept.cache_clear()
    drawing_of.cache_clear()


def kept() -> int:
    """Count the entries in the cache."""
    return _kept.cache_info().currsize
