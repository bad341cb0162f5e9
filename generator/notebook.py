"""What a notebook shows of a level instead of its `repr`.

Only this module and the command line import `exporters`, this module only when it is called: a notebook asks
the level itself for its picture, and only the exporters know how a level looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.errors import ThemeError

if TYPE_CHECKING:
    from generator.level import Level

_MAX_TILES = 1 << 16  # 256 x 256: beyond that a picture is more than a page shows, and makes its file huge


def pictures(level: Level) -> dict[str, bytes | str]:
    """Draw the level in the built-in theme with signs and a legend: as SVG, and small as PNG.

    Nothing for a level of over 65,536 tiles, or of kinds that the theme cannot draw.
    """
    from exporters.notebook import notebook_picture

    if level.width * level.height > _MAX_TILES:
        return {}
    try:
        png, svg = notebook_picture(level)
    except ThemeError:  # kinds of another package's style; a notebook shows the line instead
        return {}
    return {"image/png": png, "image/svg+xml": svg}
