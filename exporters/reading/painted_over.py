"""Decor that a person painted over goes: the terrain is what the person wants, and none can stand on it."""

from __future__ import annotations

from exporters.reading.seen import Edits
from generator.level import Level

_MAX_PIECE = 8  # tiles; larger than any piece of decor


def painted_over(edits: Edits, level: Level) -> Edits:
    """Return the edits that take decor from where others paint a terrain that nobody can walk on.

    Decor that these edits put or take themselves is left out.
    """
    closed = {kind.name for kind in level.terrain_kinds if not kind.walk}
    return {
        key: ""
        for (subject, *tile), terrain in edits.items()
        if subject == "terrain" and terrain in closed
        for key in _pieces_on(level, *tile)
        if key not in edits
    }


def _pieces_on(level: Level, x: int, y: int) -> Edits:
    """Return the keys of the pieces of decor that cover a tile, each with its name."""
    return {
        ("decor", left, top): level.decor_kinds[number].name
        for top in range(max(0, y - _MAX_PIECE), y + 1)
        for left in range(max(0, x - _MAX_PIECE), x + 1)
        if (number := level.decor[top, left])
        and left + level.decor_kinds[number].width > x
        and top + level.decor_kinds[number].height > y
    }
