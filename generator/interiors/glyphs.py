"""What a glyph of a layout means; `docs/layouts.md` shows the table to designers."""

from __future__ import annotations

from generator.kinds import SHIPPED, Glyph

__all__ = ["GLYPHS", "Glyph"]

GLYPHS = SHIPPED.glyphs
