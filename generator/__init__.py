"""Undercroft's generator: from a seed and a short spec to a finished level, with no engine running.

import generator
level = generator.generate("isaac", seed=7, stage=3)
"""

from generator.errors import (
    BadInput,
    GenerationFailed,
    LayoutError,
    LevelError,
    SpecError,
    ThemeError,
    UndercroftError,
)
from generator.floorplans.floorplan import Floorplan
from generator.floorplans.gungeon.plan import HeapPlan
from generator.level import Door, Hallway, Level, Marker, Room
from generator.pipeline import generate
from generator.spec import GungeonSpec, IsaacSpec, LevelSpec, State, load_spec
from generator.version import VERSION as __version__

__all__ = [
    "BadInput",
    "Door",
    "Floorplan",
    "GenerationFailed",
    "GungeonSpec",
    "Hallway",
    "HeapPlan",
    "IsaacSpec",
    "LayoutError",
    "Level",
    "LevelError",
    "LevelSpec",
    "Marker",
    "Room",
    "SpecError",
    "State",
    "ThemeError",
    "UndercroftError",
    "__version__",
    "generate",
    "load_spec",
]
