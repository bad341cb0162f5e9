"""The formats that can be read back: how to recognise a file, and what it was exported with."""

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
    """One kind of main file: its format, and how to read it.

    `identity` returns the facts about its level in the file (style, seed, spec, fingerprint, if present), and
    `options` the exporter's options that are visible in it, for a file that nothing else is known of.
    """

    format: str
    suffix: str
    read: Callable[[str, ExportFiles, Theme, Level], ShownLevel]
    identity: Callable[[str, ExportFiles], Mapping[str, str]]
    options: Callable[[str, ExportFiles], Mapping[str, object]]

    def is_made_with(self, options: Mapping[str, object]) -> bool:
        """Check whether an export with these options, without the format's prefix, has such a main file."""
        if self.format != "tiled":
            return True
        is_split = options.get("split", "none") == "rooms"
        return self.suffix == (".world" if is_split else f".{options.get('format', 'tmj')}")


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


def _tiled_identity(path: str, files: ExportFiles) -> Mapping[str, str]:
    from exporters.reading.tiled import identity, identity_in_world

    return identity_in_world(path, files) if path.endswith(".world") else identity(path, files)


def _ldtk_identity(path: str, files: ExportFiles) -> Mapping[str, str]:
    from exporters.reading.ldtk import identity

    return identity(path, files)


def _godot_identity(path: str, files: ExportFiles) -> Mapping[str, str]:
    from exporters.reading.godot import identity

    return identity(path, files)


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
    FileForm("tiled", ".tmj", _tiled_map, _tiled_identity, _map_options),
    FileForm("tiled", ".tmx", _tiled_map, _tiled_identity, _map_options),
    FileForm("tiled", ".world", _tiled_world, _tiled_identity, _world_options),
    FileForm("ldtk", ".ldtk", _ldtk, _ldtk_identity, _ldtk_options),
    FileForm("godot", ".tscn", _godot, _godot_identity, _godot_options),
)

# The file of a room, and its level's main file, which lies beside the folder.
_PARTS = {".tmj": ".world", ".tmx": ".world", ".tscn": ".tscn", ".ldtkl": ".ldtk"}


def form_of(path: Path) -> FileForm:
    """Find the form of a main file. Raises BadInput for other files."""
    for form in FORMS:
        if path.name.lower().endswith(form.suffix):
            return form
    endings = ", ".join(form.suffix for form in FORMS)
    raise BadInput(f"{path}: cannot be read back; give a file that ends in {endings}")


def main_file(path: Path) -> Path:
    """Find the main file of a level, also for the file of one of its rooms."""
    main = path.parent.parent / f"{path.parent.name}{_PARTS.get(path.suffix.lower(), '')}"
    is_part = path.suffix.lower() in _PARTS and path.stem.startswith(
        ("room", "hallway", "Room", "Outside", "Level")
    )
    return main if is_part and main.is_file() else path


def stem_of(path: Path) -> str:
    """Return the level's name: the file's name without its suffix and the `_edit` of a scene to work in."""
    stem = path.name[: -len(form_of(path).suffix)]
    return stem.removesuffix("_edit") if form_of(path).format == "godot" else stem
