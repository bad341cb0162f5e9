"""Packs: many levels in one file, `NAME.ucpack`, for a game to build scenes from while it runs.

    spec, seed --generate--> Level --dress--> layers --godot.scene--> Document --rows--> Block --file--> pack

A pack contains the nodes of the scenes that the format `godot` writes, not the levels, so a reader
needs to know nothing about themes or rooms. `format.md` describes every byte.
"""

from __future__ import annotations

# How large the parts of a pack may be. Writer and reader use the same limits, so that a small file
# cannot cause a lot of work in a game; `format.md` lists them.

MAX_LEVELS = 100_000
MAX_INDEX_BYTES = 1 << 26  # unpacked
MAX_BLOCK_BYTES = 1 << 24  # unpacked
MAX_BLOCK_LEVELS = 1024
MAX_FORMS = 4096  # per block
MAX_PALETTES = 1024  # per block
MAX_LEVEL_BYTES = 15 << 16  # rows and cells; 16 levels leave room for a block's tables
MAX_ROWS = 8192  # nodes and resources of a level
MAX_VALUE_BYTES = 1 << 22  # all values that the rows of a level refer to, counted for each reference
MAX_KEYS = 64  # per form; the same limit applies to groups
MAX_NAME_NUMBERS = 8
MAX_NAME = 256  # characters of a form's name
