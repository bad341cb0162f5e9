"""`undercroft sync`: copy changes made in one export of a level to its other exports.

Every export of a level in the folder is compared with a fresh export of the level; all differences are
combined, and all exports are written again from the edited level. Nothing is written if two exports
contradict each other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from exporters.bundle import Bundle
from exporters.edits.record import FolderRecord
from exporters.exported import LEVEL
from exporters.exporting import Before, Given
from exporters.reading.back import compared, generated_before, onto
from exporters.reading.changes import PersonsEdits, conflicts, said
from exporters.reading.edited import broken, edited
from exporters.reading.exports import (
    export_at,
    exports_in,
    files_as_exported,
    files_of,
    folder_with_exports_below,
    left_behind,
    written_again,
)
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of, main_file, stem_of
from exporters.reading.original import original
from exporters.reading.seen import Edits
from exporters.reading.taken import taken_out, without_taken
from exporters.registry import format_names
from exporters.theme import Theme
from generator.errors import BadInput, LevelError
from generator.level import Level
from generator.level_file import level_from_dict, load_level
from generator.stages import enter_stage

_EDIT = "_edit.tscn"  # a Godot scene that a person works in
_MAX_TOLD = 5  # conflicts reported per pair of files


class Synced(NamedTuple):
    """The result for one level: the edits by file, the new files, and the files that nobody changed.

    `level` is None if there was nothing to do, or if it was impossible; then `conflicts` says why. `problems`
    are rules that the edits break, `notes` edits that a level cannot have; one line each.
    """

    name: str
    level: Level | None
    edits: Mapping[Path, PersonsEdits]
    bundle: Bundle
    unchanged: set[Path]
    conflicts: list[str]
    problems: list[str]
    notes: list[str]
    theirs: Mapping[str, bytes] = MappingProxyType({})
    bases: Mapping[str, bytes] = MappingProxyType({})

    def is_ours(self, _: str, file: Path) -> bool:
        """Check whether a file can be overwritten because nobody edited it."""
        return file.resolve() in {path.resolve() for path in self.unchanged}


def synced(
    path: Path,
    *,
    theme: Theme | str | os.PathLike[str] | None = None,
    options: Mapping[str, object] | None = None,
    record: FolderRecord | None = None,
) -> list[Synced]:
    """Sync a folder. Return the files to write for each level, or for the one level that a file shows.

    `theme` and `options` take precedence over those that the levels were exported with, which the folder's
    `record` and the level.json files know. Files that nobody changed are not read. Raises BadInput for a
    folder without exports, and for a file that cannot be read.
    """
    folder, only = folder_of(path)
    by_level = exports_in(folder, only)
    if not by_level:
        raise BadInput(_without_exports(folder, only))
    chosen = Given(theme, options or {})
    chosen.check(format_names())
    return [
        _LevelSync(folder, name, paths, chosen, record or FolderRecord(folder)).done()
        for name, paths in by_level.items()
    ]


def folder_of(path: Path) -> tuple[Path, str]:
    """Return the folder of the levels to sync, and the name of the only one if `path` is a file of it.

    Raises BadInput if there is no such file or folder.
    """
    if path.is_dir():
        return path, ""
    if not path.is_file():
        raise BadInput(f"{path}: there is no such file or folder; give one that levels were exported to")
    if path.name.endswith(LEVEL):
        return path.parent, path.name.removesuffix(LEVEL)
    main = main_file(path)
    return main.parent, stem_of(main)


def _without_exports(folder: Path, only: str) -> str:
    if only:
        return f"{folder / only}: has no export that can be read back; export it again"
    below = folder_with_exports_below(folder)
    remedy = f"a folder in it, such as {below}" if below else "the folder that levels were exported to"
    return f"{folder}: contains no exported level; give {remedy}"


class _LevelSync:
    """The sync of one level."""

    def __init__(
        self, folder: Path, name: str, paths: list[Path], chosen: Given, record: FolderRecord
    ) -> None:
        enter_stage(name)
        self._folder, self._name, self._paths = folder, name, paths
        self._given, self._record = chosen, record
        self._before = Before(folder, name, record.exported(name))
        self._saved = folder / f"{name}{LEVEL}"
        files = ExportFiles(folder)
        self._shows = {path: form_of(path).identity(path.name, files) for path in paths}
        is_saved = self._saved.is_file()
        first = paths[0]
        self._level = (
            load_level(self._saved)
            if is_saved
            else original(first, self._shows[first], self._saved, None).level
        )
        self._source = self._saved if is_saved else first
        self._bases_before: dict[str, bytes] = {}  # of files that show the level before its first edit
        self._export = cache(lambda path: export_at(path, chosen, self._before))  # reads a missing theme late

    def done(self) -> Synced:
        """Return the files to write, or why there are none."""
        level, name = self._level, self._name
        edits, foreign = self._edits()
        if foreign:
            problem = f"shows another level than {self._source}; export it again, or move it away"
            return _refused(name, [f"{path}: {problem}" for path in foreign])
        notes = [f"{path}: {line}" for path, difference in edits.items() for line in difference.notes]
        clashes = list(_clashes(edits))
        if clashes:
            return _refused(name, clashes, edits)
        together: Edits = {
            key: value for difference in edits.values() for key, value in difference.edits.items()
        }
        before = generated_before(self._record, name, level)
        after = edited(level, together)
        problems = broken(before, after)
        if not together and all(shows["fingerprint"] == level.fingerprint for shows in self._shows.values()):
            return Synced(name, None, edits, Bundle(), set(), [], problems, notes)
        notes += left_behind(self._folder, name, level)
        bundle, exported = self._again(after), self._again(level)
        ours, bases = files_as_exported(self._folder, exported), {**exported, **self._bases_before}
        ours |= {file for path in self._paths if path not in edits for file in files_of(path)}
        for path, change in edits.items():
            less = taken_out(self._export(path), after, change) if path.name.endswith(_EDIT) else None
            if less is not None:
                bundle.put(path.name, less)
                ours.add(path)
            elif path.name.endswith(_EDIT) and change.added:
                notes.append(f"{path}: has new markers that are now also in {name}.tscn; delete them here")
        theirs = {
            name: less
            for path, change in edits.items()
            for name, less in self._without_taken(files_of(path), change, bases, bundle)
        }
        return Synced(name, after, edits, bundle, ours | {self._saved}, [], problems, notes, theirs, bases)

    def _without_taken(
        self, files: Iterable[Path], change: PersonsEdits, bases: Mapping[str, bytes], new: Bundle
    ) -> Iterable[tuple[str, bytes]]:
        """Yield files, by their paths in the folder, without edits that the new files already have."""
        for file in files:
            path = file.relative_to(self._folder).as_posix()
            base = self._record.last_written(path) or bases.get(path)
            less = without_taken(file, change, base, new.get(path))
            if less is not None:
                yield path, less

    def _again(self, level: Level) -> Bundle:
        exports = map(self._export, self._paths)
        return written_again(level, exports, self._before, self._given)

    def _edits(self) -> tuple[dict[Path, PersonsEdits], list[Path]]:
        """Find the person's edits of each file, and the files that show another level."""
        edits: dict[Path, PersonsEdits] = {}
        foreign = []
        for path in self._paths:
            is_current = self._shows[path]["fingerprint"] == self._level.fingerprint
            if (is_current or self._level.edited) and _is_as_written(path, self._record):
                continue
            if is_current:
                difference: PersonsEdits | None = compared(self._level, self._export(path))
            else:
                difference = self._edits_of_the_level_before(path)
            if difference is None:
                foreign.append(path)
            elif difference.edits or difference.notes:
                edits[path] = difference
        return edits, foreign

    def _edits_of_the_level_before(self, path: Path) -> PersonsEdits | None:
        """Find the edits of a file that was exported from the level before its first edit.

        None if that level cannot be found, or is unrelated to the saved one.
        """
        before = _generated(self._name, self._shows[path], path, self._record)
        if before is None or self._level.edited.get("base") != before.fingerprint:
            return None
        difference = compared(before, self._export(path))
        ahead = compared(before, self._export(path), now_of=self._level)
        self._bases_before.update(self._export(path).of(before))
        return onto(self._level, before, difference, ahead)


def _is_as_written(path: Path, record: FolderRecord) -> bool:
    """Check whether nobody changed a file, and those of its rooms, since we wrote them."""
    files = {file: file.relative_to(path.parent).as_posix() for file in files_of(path) if file.is_file()}
    return all(record.last_written(name) == file.read_bytes() for file, name in files.items())


def _generated(name: str, identity: Mapping[str, str], path: Path, record: FolderRecord) -> Level | None:
    """Find the level with a file's fingerprint: as saved before its edits, or generated again."""
    data = record.last_written(f"{name}{LEVEL}")
    try:
        level = level_from_dict(json.loads(data)) if data else None
        if level is None or level.fingerprint != identity["fingerprint"]:
            level = original(path, identity, path.parent / "", None).level
    except (BadInput, LevelError, ValueError):
        return None
    return level


def _refused(name: str, lines: list[str], edits: Mapping[Path, PersonsEdits] | None = None) -> Synced:
    return Synced(name, None, edits or {}, Bundle(), set(), lines, [], [])


def _clashes(edits: Mapping[Path, PersonsEdits]) -> Iterable[str]:
    """Report the contradictions between files, one line each."""
    paths = list(edits)
    for i, path in enumerate(paths):
        for second in paths[i + 1 :]:
            keys = conflicts(edits[path].edits, edits[second].edits)
            for key in keys[:_MAX_TOLD]:
                yield f"{path} and {second} differ about {said(key)}; undo the change in one of them"
            if len(keys) > _MAX_TOLD:
                yield f"{path} and {second} differ about {len(keys) - _MAX_TOLD} more"
