"""Which formats are read back, how a file of each is known, and what it was exported with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from exporters.reading.files import ExportFiles
from exporters.reading.seen import ShownLevel
from exporters.theme import Theme
from generator.errors import BadInput
from generator.level import Level


@dataclass(frozen=True)
class FileForm:
    """One kind of main file: its format and how it is read.

    `told` gives what it says of its level (style, seed, spec, fingerprint; what it does not say is missing),
    and `options` what of the exporter's options can be seen of it. `main` is the name of the file that an
    export writes in this form for a level's name.
    """

    format: str
    suffix: str
    read: Callable[[str, ExportFiles, Theme, Level], ShownLevel]
    told: Callable[[str, ExportFiles], Mapping[str, str]]
    options: Callable[[str, ExportFiles], Mapping[str, object]]


def _tiled_map(path: str, files: ExportFiles, theme: Theme, _: Level) -> ShownLevel:
    from exporters.reading.tiled import read_map

    return read_map(path, files, theme)


def _tiled_world(path: str, files: ExportFiles, theme: Theme, _: Level) -> ShownLevel:
    from exporters.reading.tiled import read_world

    return read_world(path, files, theme)


def _ldtk(path: str, files: ExportFiles, theme: Theme, level: Level) -> ShownLevel:
    from exporters.reading.ldtk import read_project

    return read_project(path, files, theme, level)


def _godot(path: str, files: ExportFiles, theme: Theme, level: Level) -> ShownLevel:
    from exporters.reading.godot import read_scene

    return read_scene(path, files, theme, level)


def _told_by_tiled(path: str, files: ExportFiles) -> Mapping[str, str]:
    from exporters.reading.tiled import told, told_by_world

    return told_by_world(path, files) if path.endswith(".world") else told(path, files)


def _told_by_ldtk(path: str, files: ExportFiles) -> Mapping[str, str]:
    from exporters.reading.ldtk import told

    return told(path, files)


def _told_by_godot(path: str, files: ExportFiles) -> Mapping[str, str]:
    from exporters.reading.godot import told

    return told(path, files)


def _map_options(path: str, files: ExportFiles) -> Mapping[str, object]:
    from exporters.reading.tiled import options

    return {"tiled.split": "none", **options(path, files)}


def _world_options(path: str, files: ExportFiles) -> Mapping[str, object]:
    return {**_map_options(path, files), "tiled.split": "rooms"}


def _ldtk_options(path: str, files: ExportFiles) -> Mapping[str, object]:
    from exporters.reading.ldtk import options

    return options(path, files)


def _godot_options(path: str, files: ExportFiles) -> Mapping[str, object]:
    from exporters.reading.godot import options

    return options(path, files)


FORMS = (
    FileForm("tiled", ".tmj", _tiled_map, _told_by_tiled, _map_options),
    FileForm("tiled", ".tmx", _tiled_map, _told_by_tiled, _map_options),
    FileForm("tiled", ".world", _tiled_world, _told_by_tiled, _world_options),
    FileForm("ldtk", ".ldtk", _ldtk, _told_by_ldtk, _ldtk_options),
    FileForm("godot", ".tscn", _godot, _told_by_godot, _godot_options),
)

# A file of a room, and the main file of its level, which lies beside the folder.
_PARTS = {".tmj": ".world", ".tmx": ".world", ".tscn": ".tscn", ".ldtkl": ".ldtk"}


def form_of(path: Path) -> FileForm:
    """The form of a main file. Raises BadInput for another."""
    for form in FORMS:
        if path.name.lower().endswith(form.suffix):
            return form
    endings = ", ".join(form.suffix for form in FORMS)
    raise BadInput(f"{path}: cannot be read back; give a file that ends in {endings}")


def main_file(path: Path) -> Path:
    """The main file of a level, if a file of one of its rooms is given."""
    main = path.parent.parent / f"{path.parent.name}{_PARTS.get(path.suffix.lower(), '')}"
    is_part = path.suffix.lower() in _PARTS and path.stem.startswith(
        ("room", "hallway", "Room", "Outside", "Level")
    )
    return main if is_part and main.is_file() else path


def stem_of(path: Path) -> str:
    """The level's name: that of its file, without what a scene to work in adds."""
    stem = path.name[: -len(form_of(path).suffix)]
    return stem.removesuffix("_edit") if form_of(path).format == "godot" else stem
