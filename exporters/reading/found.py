"""Which files of a folder are exports of which level. Nothing here takes long to import."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from exporters.base import MainFile, SeveralLevelsError
from exporters.edits.digests import is_as_written
from exporters.edits.places import is_aside
from exporters.edits.record import FolderRecord
from exporters.reading.forms import form_of, main_files, stem_of
from generator.errors import BadInput


def exports_in(
    record: FolderRecord, only: str = "", damaged: dict[str, BadInput] | None = None
) -> dict[str, list[Path]]:
    """Find the main files of exports in a folder, by level name. `only` limits them to one level.

    What is wrong with an export that cannot be read is put into `damaged`, by level name. Raises BadInput
    without that.
    """
    exports: dict[str, list[Path]] = {}
    folder = record.folder
    for path in sorted(folder.iterdir()):
        form = next((kind for kind in main_files() if path.name.endswith(kind.suffix)), None)
        if form is None or not path.is_file() or is_aside(path.name):
            continue
        try:
            if only in ("", stem_of(path)) and _is_export(path, form, record):
                exports.setdefault(stem_of(path), []).append(path)
        except BadInput as error:
            if damaged is None:
                raise
            damaged[stem_of(path)] = error
    return exports


def folder_with_exports_below(folder: Path) -> Path | None:
    """Find a folder in this one, not hidden, whose files are named like exports, as in a build's folder."""
    suffixes = tuple(form.suffix for form in main_files())
    for path in sorted(folder.glob("*/*")):
        if path.name.endswith(suffixes) and not path.parent.name.startswith("."):
            return path.parent
    return None


def _is_export(path: Path, form: MainFile, record: FolderRecord) -> bool:
    """Check whether a file shows a level of ours, if only at a glance where the record knows its export.

    Raises BadInput if unreadable while its level is here, or if it is known to the record; and
    SeveralLevelsError for the project of a run that somebody changed.
    """
    is_known = record.is_export(stem_of(path), form.format)
    if is_known and record.is_as_written(path.name):
        return True
    from exporters.reading.files import ExportFiles  # takes long to import

    files = ExportFiles(path.parent)
    try:
        if is_known and b"fingerprint" in files.read(path.name):
            return True
        return bool(form.identity(path.name, files).get("fingerprint"))
    except SeveralLevelsError:
        files_of_run = [file.relative_to(path.parent).as_posix() for file in files_of(path)]
        if all(map(record.is_as_written, files_of_run)) or is_as_written(path):
            return False
        raise
    except BadInput:
        if is_known or (path.parent / f"{stem_of(path)}.level.json").is_file():
            raise
        return False  # a scene of the game, or a map that somebody drew


def missing_rooms(path: Path) -> Iterator[Path]:
    """Yield the files of rooms that a level's main file names, but that somebody has deleted."""
    form, stem = form_of(path), stem_of(path)
    if form.room_suffixes:
        named = re.findall(rf'"{re.escape(stem)}/([^"/\\\\]{{1,200}})"'.encode(), path.read_bytes())
        for name in sorted({*named}):
            room = path.parent / stem / name.decode("utf-8", "replace")
            if form.is_room(room) and not os.path.lexists(room):
                yield room


def files_of(path: Path) -> list[Path]:
    """List a main file and the files of its rooms."""
    rooms = path.parent / stem_of(path)
    inside = sorted(rooms.iterdir()) if rooms.is_dir() else ()
    return [path, *(room for room in inside if not room.is_dir())]  # LDtk keeps its backups in a folder there
