"""Undercroft: 2D dungeon levels from a seed, and files of them for Godot, Tiled, LDtk and others.

    import undercroft
    level = undercroft.generate("isaac", seed=7, stage=3)
    undercroft.export(level, ["godot", "png"]).write("build")

Everything public of the packages `generator` (levels) and `exporters` (files) under one name. Importing
this package is cheap: what it offers, and numpy, is imported when it is asked for.

If Python finds another distribution's `generator` or `exporters` first, asking for any name raises
ImportError, which says where that one lies and what to do.
"""

from typing import TYPE_CHECKING

from undercroft.packages import own_packages

if TYPE_CHECKING:
    from exporters import (
        BroughtBack,
        Bundle,
        Exporter,
        Job,
        Layers,
        OptionValue,
        Theme,
        bring_back,
        check_theme,
        describe_format,
        export,
        exporter,
        format_names,
        load_options,
        load_theme,
    )
    from generator import (
        DECOR_KINDS,
        DOOR_KINDS,
        MARKER_KINDS,
        ROOM_KINDS,
        TERRAIN_KINDS,
        BadInput,
        DecorKind,
        Door,
        DoorKind,
        Floorplan,
        GenerationFailed,
        GridFrame,
        GungeonSpec,
        Hallway,
        HeapPlan,
        Hit,
        IsaacSpec,
        LayoutError,
        Level,
        LevelError,
        LevelSpec,
        Marker,
        Memory,
        Plan,
        PlanColumns,
        PlanRoom,
        Problem,
        RebirthSpec,
        RebirthState,
        Rect,
        RerollError,
        Room,
        RoomKind,
        Run,
        RunRules,
        RunStage,
        SpecError,
        State,
        Stats,
        Stream,
        Style,
        TerrainKind,
        ThemeError,
        UndercroftError,
        Value,
        When,
        __version__,
        floorplans,
        generate,
        generate_many,
        level_from_dict,
        load_level,
        load_spec,
        parse_spec,
        preset_names,
        preset_text,
        problems,
        reroll,
        room_kind,
        run,
        search,
        spec_from_dict,
        stats,
        style,
        style_names,
    )

__all__ = [
    "DECOR_KINDS",
    "DOOR_KINDS",
    "MARKER_KINDS",
    "ROOM_KINDS",
    "TERRAIN_KINDS",
    "BadInput",
    "BroughtBack",
    "Bundle",
    "DecorKind",
    "Door",
    "DoorKind",
    "Exporter",
    "Floorplan",
    "GenerationFailed",
    "GridFrame",
    "GungeonSpec",
    "Hallway",
    "HeapPlan",
    "Hit",
    "IsaacSpec",
    "Job",
    "Layers",
    "LayoutError",
    "Level",
    "LevelError",
    "LevelSpec",
    "Marker",
    "Memory",
    "OptionValue",
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
    "State",
    "Stats",
    "Stream",
    "Style",
    "TerrainKind",
    "Theme",
    "ThemeError",
    "UndercroftError",
    "Value",
    "When",
    "__version__",
    "bring_back",
    "check_theme",
    "describe_format",
    "export",
    "exporter",
    "floorplans",
    "format_names",
    "generate",
    "generate_many",
    "level_from_dict",
    "load_level",
    "load_options",
    "load_spec",
    "load_theme",
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


if not TYPE_CHECKING:  # a type checker knows the names above, and finds a slip in any other

    def __getattr__(name: str) -> object:
        """Import what is asked for. Raises ImportError if another package is in the way."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        generator, exporters = own_packages()
        return getattr(generator if name in generator.__all__ else exporters, name)


def __dir__() -> list[str]:
    return __all__
