"""How large the parts of a pack may be. Writer and reader keep to the same limits, so that a small file
cannot ask a game for much work; `docs/pack.md` lists them."""

from __future__ import annotations

MOST_LEVELS = 100_000
MOST_INDEX_BYTES = 1 << 26  # unpacked
MOST_BLOCK_BYTES = 1 << 24  # unpacked
MOST_BLOCK_LEVELS = 1024
MOST_FORMS = 4096  # of a block
MOST_PALETTES = 1024  # of a block
MOST_LEVEL_BYTES = 15 << 16  # rows and cells; 16 levels leave a block room for its tables
MOST_ROWS = 8192  # nodes of a level, and its resources
MOST_VALUE_BYTES = 1 << 22  # of all values that the rows of a level name, each time they do
MOST_KEYS = 64  # of a form; it has no more groups either
MOST_NAME_NUMBERS = 8
MOST_NAME = 256  # characters of a form's name
