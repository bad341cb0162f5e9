"""The exports of the levels in a folder: which files show which level, and how to write them again."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import exporters
from exporters.bundle import Bundle
from exporters.edits.places import MINE, NEW
from exporters.reading.files import ExportFiles
from exporters.reading.forms import FORMS, FileForm, stem_of
from exporters.registry import exporter, format_names
from exporters.theme import Theme
from generator.errors import BadInput
from generator.level import Level

_ASIDE = re.compile(rf"\.({MINE}|{NEW})(-[0-9]+)?$")  # a file that a write put beside another


class Export(NamedTuple):
    """A file of a level in the folder, and the options that it was exported with."""

    path: Path
    form: FileForm
    options: Mapping[str, object]


def exports_in(folder: Path, given: Mapping[str, object]) -> dict[str, list[Export]]:
    """The exports in a folder, by the name of their level; `given` options override those in the files.

    Raises BadInput for an export that cannot be read.
    """
    found: dict[str, list[Export]] = {}
    for path in sorted(folder.iterdir()):
        form = next((each for each in FORMS if path.name.endswith(each.suffix)), None)
        if form is None or not path.is_file() or _ASIDE.search(path.stem):
            continue
        files = ExportFiles(folder)
        if _is_export(path, form, files):
            found.setdefault(stem_of(path), []).append(
                Export(path, form, {**form.options(path.name, files), **given})
            )
    return found


def folder_with_exports_below(folder: Path) -> Path | None:
    """A folder in this one whose files have the names of exports, as in the folder of a build; not hidden."""
    suffixes = tuple(form.suffix for form in FORMS)
    for path in sorted(folder.glob("*/*")):
        if path.name.endswith(suffixes) and not path.parent.name.startswith("."):
            return path.parent
    return None


def _is_export(path: Path, form: FileForm, files: ExportFiles) -> bool:
    """Whether a file shows one of our levels. Raises BadInput if it is unreadable and its level is here."""
    try:
        return bool(form.identity(path.name, files).get("fingerprint"))
    except BadInput:
        if (path.parent / f"{stem_of(path)}.level.json").is_file():
            raise
        return False  # a scene of the game, or a map that somebody drew


def left_behind(folder: Path, name: str, level: Level) -> Iterable[str]:
    """A line for each file of the level that cannot be read back, such as a map in Lua."""
    read = {form.suffix for form in FORMS}
    suffixes = {suffix for form in FORMS for suffix in exporter(form.format).suffixes}
    files = ExportFiles(folder)
    for path in (f"{name}{suffix}" for suffix in sorted(suffixes - read)):
        if files.has(path) and level.fingerprint.encode() in files.read(path):
            yield f"{folder / path}: is not read back, so it shows the level as it was; export it again"


def exported_again(
    folder: Path,
    level: Level,
    name: str,
    some: list[Export],
    theme: Theme | str | os.PathLike[str] | None,
    given: Mapping[str, object],
) -> Bundle:
    """The level's files in every format that the folder has, and the theme's that are missing there."""
    forms = {form.format for form in FORMS}
    wanted = [(each.form.format, _written_as(each)) for each in some]
    for format_ in format_names():
        own = exporter(format_)
        if format_ == "json" or (
            format_ not in forms and any((folder / f"{name}{suffix}").is_file() for suffix in own.suffixes)
        ):
            wanted.append((format_, given))
    bundle = Bundle()
    for format_, options in wanted:
        mine = {key: value for key, value in options.items() if key.partition(".")[0] == format_}
        made = exporters.export(level, format_, options=mine, theme=theme, name=name)
        for path, data in made.items():
            is_level = path.startswith((f"{name}.", f"{name}/"))
            if is_level or not os.path.lexists(folder / path):
                bundle.add(path, data, once=made.is_begun(path))
    if level.edited:
        bundle.mark_edited(name)
    return bundle


def _written_as(export: Export) -> Mapping[str, object]:
    """The options that reproduce a file with the same suffix."""
    is_xml = export.form.suffix == ".tmx"
    return {**export.options, "tiled.format": "tmx"} if is_xml else export.options


def files_as_exported(
    folder: Path,
    level: Level,
    name: str,
    some: list[Export],
    theme: Theme | str | os.PathLike[str] | None,
    given: Mapping[str, object],
) -> set[Path]:
    """The level's files that are as exported, including pictures, which are not read back."""
    bundle = exported_again(folder, level, name, some, theme, given)
    files = {folder / path: data for path, data in bundle.items()}
    return {path for path, data in files.items() if path.is_file() and path.read_bytes() == data}


def files_of(path: Path) -> list[Path]:
    """A main file and the files of its rooms."""
    rooms = path.parent / path.name.partition(".")[0]
    return [path, *(sorted(rooms.iterdir()) if rooms.is_dir() else ())]
