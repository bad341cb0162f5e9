"""The picture of a level that a notebook shows instead of its `repr`.

Only this module and the command line import `exporters`, this module only when it is called: a notebook asks
the level itself for its picture, and only the exporters know how a level looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.errors import ThemeError

if TYPE_CHECKING:
    from generator.level import Level

_MAX_TILES = 1 << 16  # 256 x 256: beyond that a picture is more than a page shows, and makes its file huge


def picture(level: Level) -> bytes | None:
    """Draw the level as a PNG in the built-in theme. None for over 65,536 tiles, or what it cannot draw."""
    from exporters import export

    if level.width * level.height > _MAX_TILES:
        return None
    try:
        return export(level, "png", name="level")["level.png"]
    except ThemeError:  # kinds of another package's style; a notebook shows the line instead
        return None
