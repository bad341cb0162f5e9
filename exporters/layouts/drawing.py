"""What all files to draw in share: the rooms, their tiles, and their properties.

Tiles in the void (tops of walls, outer faces) are left out: a drawing has only the room.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from exporters.dress import EMPTY, Layers, dress
from exporters.layouts.rooms import rooms_level, walled_size
from exporters.theme import Theme
from exporters.theme.loader import fitted
from generator.geometry import Point, Rect
from generator.interiors.layouts import Layout
from generator.interiors.named import NamedLayout
from generator.interiors.variations import Variation
from generator.kinds import DIFFICULTIES, FLOOR, VOID, Glyph, Kinds
from generator.level import MARGIN, Level, Property

_GAP = 4  # tiles between rooms
_NARROW = ("IH", "IV", "IIH", "IIV")  # shapes that a map's size does not reveal


class RoomDrawing(NamedTuple):
    """A level with the rooms side by side, and its dressed layers. `rects` are the rooms, walls included."""

    level: Level
    theme: Theme
    layers: Layers
    rects: tuple[Rect, ...]


class VariedTile(NamedTuple):
    """A tile that chance decides: its class as an object, its properties, and its place inside the room."""

    kind: str
    properties: Mapping[str, Property]
    place: Point


def drawing_of(named: Sequence[NamedLayout], theme: Theme) -> RoomDrawing:
    """Draw the rooms of some layouts in a row. Raises ThemeError."""
    x, rects = MARGIN, []
    for entry in named:
        rects.append(Rect(x, MARGIN, *walled_size(entry.layout)))
        x = rects[-1].right + _GAP
    size = x - _GAP + MARGIN, max(rect.bottom for rect in rects) + MARGIN
    level = rooms_level(named, [(rect.x, rect.y) for rect in rects], size)
    theme = fitted(theme, level.kinds)
    layers = dress(level, theme)
    return RoomDrawing(
        level,
        theme,
        Layers(*(np.where(level.terrain == VOID, EMPTY, layer) for layer in layers)),
        tuple(rects),
    )


def facts_of(named: NamedLayout) -> dict[str, Property]:
    """Return the properties of a room's map or level, named as in a layout's header, and its pool."""
    layout, folders = named.layout, named.name.split("/")[:-1]
    facts: dict[str, Property] = {"kind": named.kind}
    if layout.exits:
        places = [exit_ for exit_ in layout.exits if exit_.is_any]
        facts["exits"] = ", ".join(["gaps", *map(str, places)])
        names = {number: name for name, number in DIFFICULTIES.items()}
        facts["difficulty"] = names.get(layout.difficulty, "")
        facts["turn"] = "quarter" if any("r" in image for image in layout.mirrors) else "no"
    elif named.kind == "normal":
        facts["chapter"], facts["difficulty"] = folders[-2:] if len(folders) > 1 else ("any", "easy")
    if layout.shape.name in _NARROW:
        facts["shape"] = layout.shape.name
    mirrors = "".join(image for image in layout.mirrors if image in ("h", "v"))
    facts |= {"weight": layout.weight, "mirror": mirrors or "none", "repeat": layout.repeat}
    return facts | {"tags": " ".join(sorted(layout.tags))}


def varied_tiles(layout: Layout, kinds: Kinds) -> Iterator[VariedTile]:
    """Yield each tile whose letter has a variation."""
    for letter, variation in layout.variations.items():
        properties = _variation(variation, layout.glyphs, kinds)
        for y, row in enumerate(layout.rows):
            for x, glyph in enumerate(row):
                if glyph == letter:
                    yield VariedTile("group" if variation.many else "one_of", properties, (x, y))


def _variation(variation: Variation, glyphs: Mapping[str, Glyph], kinds: Kinds) -> dict[str, Property]:
    if variation.many:
        return {"many": variation.many, "of": _said(glyphs[variation.signs[0]], kinds)}
    return {"of": " ".join(_said(glyphs[sign], kinds) for sign in variation.signs)}


def _said(glyph: Glyph, kinds: Kinds) -> str:
    """Describe a glyph's meaning in the words of a layout's header."""
    if glyph.marker:
        ground = {} if glyph.terrain == FLOOR else {"on": kinds.terrain[glyph.terrain].name}
        pairs = [f"{key}={_plain(value)}" for key, value in {**glyph.properties, **ground}.items()]
        return " ".join([glyph.marker, *pairs])
    return kinds.decor[glyph.decor].name if glyph.decor else kinds.terrain[glyph.terrain].name


def _plain(value: Property) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
