"""The looks of the later chapters, and of the alternate path; the first chapter has the plain look."""

from __future__ import annotations

import look_abyss
import look_carrion
import look_caverns
import look_depths
import look_diggings
import look_hollow
import look_keep
import look_ossuary
import look_weir
from look import LookDrawing

LOOKS: tuple[LookDrawing, ...] = (
    look_caverns.LOOK,
    look_depths.LOOK,
    look_hollow.LOOK,
    look_keep.LOOK,
    look_abyss.LOOK,
    look_weir.LOOK,
    look_weir.GUTTERS,
    look_diggings.LOOK,
    look_diggings.ASHWORKS,
    look_ossuary.LOOK,
    look_ossuary.FURNACE,
    look_carrion.LOOK,
)
