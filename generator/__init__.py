"""Undercroft's generator: from a seed and a short spec to a finished level, with no engine running.

import generator
level = generator.generate("isaac", seed=7, stage=3)

Importing this package is cheap: what it offers, and numpy, is imported when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from generator.version import VERSION as __version__

if TYPE_CHECKING:
    from generator.errors import (
        BadInput,
        GenerationFailed,
        LayoutError,
        LevelError,
        RerollError,
        SpecError,
        ThemeError,
        UndercroftError,
    )
    from generator.floorplans.floorplan import Floorplan
    from generator.floorplans.gungeon.plan import HeapPlan
    from generator.level import Door, Hallway, Level, Marker, Room
    from generator.pipeline import generate
    from generator.rerolls.reroll import reroll
    from generator.spec import GungeonSpec, IsaacSpec, LevelSpec, RebirthSpec, RebirthState, State, load_spec

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
    "RebirthSpec",
    "RebirthState",
    "RerollError",
    "Room",
    "SpecError",
    "State",
    "ThemeError",
    "UndercroftError",
    "__version__",
    "generate",
    "load_spec",
    "reroll",
]

_HOME = {
    "errors": (
        "BadInput",
        "GenerationFailed",
        "LayoutError",
        "LevelError",
        "RerollError",
        "SpecError",
        "ThemeError",
        "UndercroftError",
    ),
    "floorplans.floorplan": ("Floorplan",),
    "floorplans.gungeon.plan": ("HeapPlan",),
    "level": (
        "Door",
        "Hallway",
        "Level",
        "Marker",
        "Room",
    ),
    "pipeline": ("generate",),
    "rerolls.reroll": ("reroll",),
    "spec": (
        "GungeonSpec",
        "IsaacSpec",
        "LevelSpec",
        "RebirthSpec",
        "RebirthState",
        "State",
        "load_spec",
    ),
}


def __getattr__(name: str) -> object:
    """Import what is asked for from the module where it lives."""
    for module, names in _HOME.items():
        if name in names:
            return getattr(import_module(f"generator.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
