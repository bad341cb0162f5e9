"""The pictures of a level that a notebook shows instead of its `repr`.

Only this module and the command line import `exporters`, this module only when it is called: a notebook asks
the level itself for its pictures, and only the exporters know how a level looks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from generator.errors import ThemeError

if TYPE_CHECKING:
    from generator.level import Level

T = TypeVar("T")

_MAX_TILES = 1 << 16  # 256 x 256: beyond that a picture is more than a page shows, and makes its file huge


def svg(level: Level) -> str | None:
    """Draw the level in the built-in theme with signs and a legend, as SVG.

    None for a level of over 65,536 tiles, or of kinds that the theme cannot draw.
    """
    from exporters import notebook_svg

    return _drawn(level, notebook_svg)


def png(level: Level) -> bytes | None:
    """Draw the level as a small map with a legend, as PNG. None as for `svg`."""
    from exporters import notebook_png

    return _drawn(level, notebook_png)


def _drawn(level: Level, draw: Callable[[Level], T]) -> T | None:
    if level.width * level.height > _MAX_TILES:
        return None
    try:
        return draw(level)
    except ThemeError:  # kinds of another package's style; a notebook shows the line instead
        return None
