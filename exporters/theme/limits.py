"""Limits for the numbers of a theme, shared by its reader and its JSON Schema."""

from __future__ import annotations

TILE_SIZE = (8, 64)  # px
SPACING = (0, 64)  # px
SOURCE = (0, 65535)  # in a Godot TileSet
FRAMES = (1, 64)
FRAME_MS = (10, 60_000)
WEIGHT = (1, 10_000)
MAX_TILES = 256  # per list
NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
COLOUR = "#[0-9a-fA-F]{6}"
OUTSIDES = ("open", "solid")
