"""`undercroft sync`: copy changes made in one export of a level to its other exports.

Every export of a level in the folder is compared with a fresh export of the level; all differences are
combined, and all exports are written again from the edited level. Nothing is written if two exports
contradict each other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from exporters.bundle import Bundle
from exporters.reading.back import compared, onto
from exporters.reading.changes import PersonsEdits, conflicts, said
from exporters.reading.edited import broken, edited
from exporters.reading.exports import (
    Export,
    exported_again,
    exports_in,
    files_as_exported,
    files_of,
    folder_with_exports_below,
    left_behind,
)
from exporters.reading.files import ExportFiles
from exporters.reading.original import original
from exporters.reading.seen import Edits
from exporters.reading.taken import taken_out, without_added
from exporters.theme import Theme
from generator.errors import BadInput, LevelError
from generator.level import Level
from generator.level_file import level_from_dict, load_level
from generator.stages import enter_stage

LastWritten = Callable[[str], bytes | None]
"""Returns what was written last to a path of the folder; None if not known."""

_EDIT = "_edit.tscn"  # a Godot scene that a person works in
_WITH_MARKERS = (".tmj", ".ldtk", ".ldtkl", ".tscn")
_MOST_TOLD = 5  # conflicts reported per pair of files


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

    def is_ours(self, _: str, file: Path) -> bool:
        """Whether a file can be overwritten because nobody edited it."""
        return file.resolve() in {each.resolve() for each in self.unchanged}


def synced(
    folder: Path,
    *,
    theme: Theme | str | os.PathLike[str] | None = None,
    options: Mapping[str, object] | None = None,
    last_written: LastWritten = lambda _: None,
) -> list[Synced]:
    """The files to write for each level of a folder.

    `theme` and `options` are those that the levels were exported with. Files that nobody changed are not
    read. Raises BadInput for a folder without exports, and for a file that cannot be read.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: is not a folder; give the one that levels were exported to")
    given = options or {}
    found = exports_in(folder, given)
    if not found:
        below = folder_with_exports_below(folder)
        remedy = (
            f"give a folder in it, such as {below}"
            if below
            else "give the folder that levels were exported to"
        )
        raise BadInput(f"{folder}: contains no exported level; {remedy}")
    return [_level(folder, name, some, theme, given, last_written) for name, some in found.items()]


def _level(
    folder: Path,
    name: str,
    some: list[Export],
    theme: Theme | str | os.PathLike[str] | None,
    given: Mapping[str, object],
    last_written: LastWritten,
) -> Synced:
    enter_stage(name)
    saved = folder / f"{name}.level.json"
    tells = [each.form.identity(each.path.name, ExportFiles(folder)) for each in some]
    is_saved = saved.is_file()
    level = load_level(saved) if is_saved else original(some[0].path, tells[0], saved, None).level
    edits, others = _edits_of(level, name, some, tells, theme, last_written)
    if others:
        what = f"shows another level than {saved if is_saved else some[0].path}"
        return _refused(name, [f"{path}: {what}; export it again, or move it away" for path in others])
    notes = [f"{path}: {line}" for path, found in edits.items() for line in found.notes]
    clashes = list(_clashes(edits))
    if clashes:
        return _refused(name, clashes, edits)
    together: Edits = {key: value for found in edits.values() for key, value in found.edits.items()}
    if not together and all(identity["fingerprint"] == level.fingerprint for identity in tells):
        return Synced(name, None, edits, Bundle(), set(), [], [], notes)
    after = edited(level, together)
    notes += left_behind(folder, name, level)
    bundle = exported_again(folder, after, name, some, theme, given)
    ours = {file for each in some if each.path not in edits for file in files_of(each.path)}
    ours |= files_as_exported(folder, level, name, some, theme, given)
    for path, made in edits.items():
        options = next(each.options for each in some if each.path == path)
        less = taken_out(path, after, name, made, theme, options) if path.name.endswith(_EDIT) else None
        if less is not None:
            bundle.put(path.name, less)
            ours.add(path)
        elif path.name.endswith(_EDIT) and made.added:
            notes.append(f"{path}: has new markers that are now also in {name}.tscn; delete them here")
    theirs = {
        file.relative_to(folder).as_posix(): without_added(file, file.read_bytes(), made.added)
        for path, made in edits.items()
        for file in files_of(path)
        if made.added and file.suffix in _WITH_MARKERS
    }
    return Synced(name, after, edits, bundle, ours | {saved}, [], broken(level, after), notes, theirs)


def _edits_of(
    level: Level,
    name: str,
    some: list[Export],
    tells: list[Mapping[str, str]],
    theme: Theme | str | os.PathLike[str] | None,
    last_written: LastWritten,
) -> tuple[dict[Path, PersonsEdits], list[Path]]:
    """The person's edits of each file, and the files that show another level."""
    edits: dict[Path, PersonsEdits] = {}
    others = []
    for each, identity in zip(some, tells, strict=True):
        is_current = identity["fingerprint"] == level.fingerprint
        if (is_current or level.edited) and _is_as_written(each.path, last_written):
            continue
        if is_current:
            found: PersonsEdits | None = compared(level, each.path, name, each.form, theme, each.options)
        else:
            found = _of_the_level_before(level, each, identity, name, theme, last_written)
        if found is None:
            others.append(each.path)
        elif found.edits or found.notes:
            edits[each.path] = found
    return edits, others


def _is_as_written(path: Path, last_written: LastWritten) -> bool:
    """Whether nobody changed a file, and those of its rooms, since we wrote them."""
    files = {file: file.relative_to(path.parent).as_posix() for file in files_of(path) if file.is_file()}
    return all(last_written(name) == file.read_bytes() for file, name in files.items())


def _of_the_level_before(
    level: Level,
    export: Export,
    identity: Mapping[str, str],
    name: str,
    theme: Theme | str | os.PathLike[str] | None,
    last_written: LastWritten,
) -> PersonsEdits | None:
    """The edits of a file that was exported from the level before its first edit.

    None if that level cannot be found, or is unrelated to the saved one.
    """
    before = _generated(name, identity, export.path, last_written)
    if before is None or level.edited.get("base") != before.fingerprint:
        return None
    found = compared(before, export.path, name, export.form, theme, export.options)
    ahead = compared(before, export.path, name, export.form, theme, export.options, now_of=level)
    return onto(level, before, found, ahead)


def _generated(name: str, identity: Mapping[str, str], path: Path, last_written: LastWritten) -> Level | None:
    """The level with a file's fingerprint: as saved before its edits, or generated again."""
    data = last_written(f"{name}.level.json")
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
    """The contradictions between files, one line each."""
    paths = list(edits)
    for i, path in enumerate(paths):
        for other in paths[i + 1 :]:
            found = conflicts(edits[path].edits, edits[other].edits)
            for key in found[:_MOST_TOLD]:
                yield f"{path} and {other} differ about {said(key)}; undo the change in one of them"
            if len(found) > _MOST_TOLD:
                yield f"{path} and {other} differ about {len(found) - _MOST_TOLD} more"
