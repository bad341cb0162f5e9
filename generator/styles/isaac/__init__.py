"""The `isaac` style: the floorplans of the 2011 game."""

from __future__ import annotations

from generator.styles.grid.style import grid_style
from generator.styles.isaac.spec import IsaacSpec

STYLE = grid_style(IsaacSpec)
