"""LDtk projects to draw rooms in: one level per room, with an IntGrid for tiles and entities for markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from exporters.base import Job
from exporters.bundle import Bundle
from exporters.formats.ldtk.definitions import RoomWords
from exporters.formats.ldtk.write_project import project
from exporters.layouts.drawing import drawing_of, facts_of, varied_tiles
from exporters.theme import Theme
from generator.interiors.named import NamedLayout
from generator.level import Marker

_FIELDS = (
    ("kind", "RoomKind"),
    ("chapter", "String"),
    ("difficulty", "String"),
    ("shape", "String"),
    ("exits", "String"),
    ("weight", "Int"),
    ("mirror", "String"),
    ("turn", "String"),
    ("repeat", "String"),
    ("tags", "String"),
)
_MARKERS = {"one_of": {"of": "String"}, "group": {"many": "Int", "of": "String"}, "note": {}}


def ldtk_drawing(named: Sequence[NamedLayout], theme: Theme, name: str) -> Bundle:
    """Write `NAME.ldtk` with one level per layout, and the theme's image."""
    drawing = drawing_of(named, theme)
    markers = list(drawing.level.markers)
    for number, (entry, rect) in enumerate(zip(named, drawing.rects, strict=True)):
        for tile in varied_tiles(entry.layout, drawing.level.kinds):
            x, y = rect.x + 1 + tile.place[0], rect.y + 1 + tile.place[1]
            markers.append(Marker(len(markers), tile.kind, x, y, number, None, tile.properties))
    words = RoomWords(
        fields=_FIELDS,
        values=[facts_of(entry) for entry in named],
        names=[entry.layout.name for entry in named],
        markers=_MARKERS,
    )
    # Doors show as gaps in the wall. As entities, they would have to be moved together with the gaps.
    level = replace(drawing.level, markers=tuple(markers), doors=())
    options = {"levels": "rooms", "external": False, "compact": False}
    return project(Job(level, name, options, lambda: (drawing.theme, drawing.layers)), words)
