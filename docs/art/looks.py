"""The looks of the later chapters, in the chapters' order; the first chapter has the plain look."""

from __future__ import annotations

import look_abyss
import look_caverns
import look_depths
import look_hollow
import look_keep
from look import LookDrawing

LOOKS: tuple[LookDrawing, ...] = (
    look_caverns.LOOK,
    look_depths.LOOK,
    look_hollow.LOOK,
    look_keep.LOOK,
    look_abyss.LOOK,
)
