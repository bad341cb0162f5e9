"""Colours of a level as text: what is alike has one colour, which is legible on light and dark terminals."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

import click

from generator.kinds import Kinds

# Of the 256 colours that terminals share: each has a contrast of at least 3.5 with black and with white.
GREY, BLUE, BROWN, TEAL, PURPLE, RED, GREEN = 244, 33, 130, 30, 163, 196, 28
_PLAIN: Mapping[str, Any] = {}


class GlyphColours:
    """The colour of each glyph of a picture, by what the legend says that it is."""

    def __init__(self, legend: Mapping[str, str], kinds: Kinds, *, of_rooms: bool) -> None:
        style_of = _style_of_room if of_rooms else _style_of_thing
        self._styles = {glyph: style_of(name.split("/")[0], kinds) for glyph, name in legend.items()}

    def painted(self, text: str) -> str:
        """Colour a row of glyphs. It ends as plain as it began."""
        runs = groupby(text, key=lambda glyph: self._styles.get(glyph, _PLAIN))
        return "".join(click.style("".join(run), **style) if style else "".join(run) for style, run in runs)


def _style_of_thing(name: str, kinds: Kinds) -> Mapping[str, Any]:
    """Return the style of a terrain, a piece of decor, a door or a marker, as a legend names it."""
    kind = name.split(maxsplit=1)[0]
    if name == "door" or name.endswith(" door"):
        return {"fg": PURPLE if name.endswith(" door") else TEAL, "bold": True}
    if kind in kinds.markers and kind not in kinds.light_markers:
        return _style_of_marker(kind)
    terrain = {row.name: row for row in kinds.terrain}
    decor = {row.name: row for row in kinds.decor}
    ground = terrain.get(kind) or decor.get(kind)
    if ground is None:
        return _PLAIN
    if ground.hazard or ground.walk:
        return {"fg": BROWN if ground.hazard else GREY}
    return {"fg": BLUE} if kind in terrain and ground.fly else _PLAIN


def _style_of_marker(kind: str) -> Mapping[str, Any]:
    if kind in ("boss", "enemy"):
        return {"fg": RED, "bold": kind == "boss"}
    return {"fg": GREEN, "bold": kind in ("player_start", "exit")}


def _style_of_room(name: str, kinds: Kinds) -> Mapping[str, Any]:
    """Return the style of a room kind, or of what else a floorplan holds."""
    if name not in kinds.rooms:
        return {"fg": TEAL, "bold": True} if name == "door" else {"fg": GREY} if name == "hallway" else _PLAIN
    kind = kinds.rooms[name]
    for marker in ("player_start", "boss"):
        if kind.needs(marker):
            return _style_of_marker(marker)
    if kind.secret:
        return {"fg": PURPLE}
    return {"fg": GREY} if name == "normal" else {"fg": TEAL, "bold": True}
