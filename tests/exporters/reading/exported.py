"""Levels of every style, exported in every form that can be read back."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import exporters
import generator
from generator.level import Level

VALUES: dict[str, dict[str, Any]] = {
    "isaac": {"seed": 1, "rooms": 6},
    "rebirth": {"seed": 7},
    "gungeon": {"seed": 3, "rooms": 7, "flow": "random"},
}


class ExportForm(NamedTuple):
    """A main file's suffix, and the options that an export of it needs."""

    suffix: str
    options: dict[str, object]


FORMS = {
    "map": ExportForm(".tmj", {}),
    "packed": ExportForm(".tmj", {"tiled.encoding": "zlib"}),
    "world": ExportForm(".world", {"tiled.split": "rooms"}),
    "ldtk": ExportForm(".ldtk", {"ldtk.levels": "rooms"}),
    "ldtk-one": ExportForm(".ldtk", {"ldtk.levels": "one"}),
    "ldtk-files": ExportForm(".ldtk", {"ldtk.external": True}),
    "scene": ExportForm(".tscn", {}),
    "scenes": ExportForm(".tscn", {"godot.split": "rooms"}),
    "scene-4.2": ExportForm(".tscn", {"godot.target": "4.2"}),
    "scene-3.6": ExportForm(".tscn", {"godot.target": "3.6"}),
}


@cache
def level_of(preset: str) -> Level:
    """A small level of a preset."""
    return generator.generate(preset, **VALUES.get(preset, {}))


def exported(level: Level, form: str, folder: Path, *, name: str = "cellar", json: bool = True) -> Path:
    """Write a level in a form, with its level.json, and return the main file."""
    suffix, options = FORMS[form]
    formats = {".tmj": "tiled", ".world": "tiled", ".ldtk": "ldtk", ".tscn": "godot"}
    chosen = [formats[suffix], *(["json"] if json else [])]
    exporters.export(level, chosen, options=options, name=name).write(folder)
    return folder / f"{name}{suffix}"
