"""Undercroft's generator: from a seed and a short spec to a finished level, with no engine running.

import generator
level = generator.generate("isaac", seed=7, stage=3)

Importing this package is cheap: what it offers, and numpy, is imported on first use. `undercroft` offers the
same, and the exporters, under one name.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from generator.version import VERSION as __version__

if TYPE_CHECKING:
    from generator.batch.many import generate_many, levels, search, stats
    from generator.batch.many_seeds import floorplans
    from generator.batch.search import Hit
    from generator.batch.stats import Stats
    from generator.checks import Problem, problems
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
    from generator.geometry import GridFrame, Rect
    from generator.keywords import SpecKeywords
    from generator.kinds import (
        DECOR_KINDS,
        DOOR_KINDS,
        MARKER_KINDS,
        ROOM_KINDS,
        TERRAIN_KINDS,
        DecorKind,
        DoorKind,
        RoomKind,
        TerrainKind,
        room_kind,
    )
    from generator.level import Door, Hallway, Level, Marker, Room
    from generator.level_file import level_from_dict, load_level
    from generator.pipeline import generate
    from generator.rerolls.reroll import reroll
    from generator.rng import Stream
    from generator.runs import Run, RunStage, run
    from generator.spec import LevelSpec, load_spec, parse_spec, preset_names, preset_text, spec_from_dict
    from generator.spec.game import Memory, State
    from generator.styles.base import Plan, PlanRoom, RunRules, Style
    from generator.styles.columns import PlanColumns
    from generator.styles.grid.floorplan import Floorplan
    from generator.styles.gungeon.plan import HeapPlan
    from generator.styles.gungeon.spec import GungeonSpec
    from generator.styles.isaac.spec import IsaacSpec
    from generator.styles.rebirth.spec import RebirthSpec, RebirthState
    from generator.styles.registry import style, style_names
    from generator.values import Value, When

__all__ = [
    "DECOR_KINDS",
    "DOOR_KINDS",
    "MARKER_KINDS",
    "ROOM_KINDS",
    "TERRAIN_KINDS",
    "BadInput",
    "DecorKind",
    "Door",
    "DoorKind",
    "Floorplan",
    "GenerationFailed",
    "GridFrame",
    "GungeonSpec",
    "Hallway",
    "HeapPlan",
    "Hit",
    "IsaacSpec",
    "LayoutError",
    "Level",
    "LevelError",
    "LevelSpec",
    "Marker",
    "Memory",
    "Plan",
    "PlanColumns",
    "PlanRoom",
    "Problem",
    "RebirthSpec",
    "RebirthState",
    "Rect",
    "RerollError",
    "Room",
    "RoomKind",
    "Run",
    "RunRules",
    "RunStage",
    "SpecError",
    "SpecKeywords",
    "State",
    "Stats",
    "Stream",
    "Style",
    "TerrainKind",
    "ThemeError",
    "UndercroftError",
    "Value",
    "When",
    "__version__",
    "floorplans",
    "generate",
    "generate_many",
    "level_from_dict",
    "levels",
    "load_level",
    "load_spec",
    "parse_spec",
    "preset_names",
    "preset_text",
    "problems",
    "reroll",
    "room_kind",
    "run",
    "search",
    "spec_from_dict",
    "stats",
    "style",
    "style_names",
]

_HOME = {
    "batch.many": ("generate_many", "levels", "search", "stats"),
    "batch.many_seeds": ("floorplans",),
    "batch.search": ("Hit",),
    "batch.stats": ("Stats",),
    "checks": ("Problem", "problems"),
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
    "geometry": ("GridFrame", "Rect"),
    "keywords": ("SpecKeywords",),
    "kinds": (
        "DECOR_KINDS",
        "DOOR_KINDS",
        "MARKER_KINDS",
        "ROOM_KINDS",
        "TERRAIN_KINDS",
        "DecorKind",
        "DoorKind",
        "RoomKind",
        "TerrainKind",
        "room_kind",
    ),
    "level": ("Door", "Hallway", "Level", "Marker", "Room"),
    "level_file": ("level_from_dict", "load_level"),
    "pipeline": ("generate",),
    "rerolls.reroll": ("reroll",),
    "rng": ("Stream",),
    "runs": ("Run", "RunStage", "run"),
    "spec": ("LevelSpec", "load_spec", "parse_spec", "preset_names", "preset_text", "spec_from_dict"),
    "styles.base": ("Plan", "PlanRoom", "RunRules", "Style"),
    "styles.columns": ("PlanColumns",),
    "styles.grid.floorplan": ("Floorplan",),
    "spec.game": ("Memory", "State"),
    "styles.gungeon.plan": ("HeapPlan",),
    "styles.gungeon.spec": ("GungeonSpec",),
    "styles.isaac.spec": ("IsaacSpec",),
    "styles.rebirth.spec": ("RebirthSpec", "RebirthState"),
    "styles.registry": ("style", "style_names"),
    "values": ("Value", "When"),
}

__distribution__ = "undercroft"  # distinguishes this package from others of its name


if not TYPE_CHECKING:  # type checkers know the names above, and report any other

    def __getattr__(name: str) -> object:
        """Import a name from the module that defines it."""
        for module, names in _HOME.items():
            if name in names:
                value = globals()[name] = getattr(import_module(f"generator.{module}"), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
