"""The one merge of a level: what people changed in any of its files, on the level that is to be written.

    files of a folder ──▶ FolderLevel ──▶ edits ──┐
                                                  ├──▶ merged level ──▶ all files, in all their formats
    a new level, or the folder's own ─────────────┘

What a level cannot have, such as a layer of one's own, stays in its file: when the files are written, each is
merged with its new version, from which the edits that the level has now are taken out first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from exporters.bundle import Bundle
from exporters.edits.policy import WORKPLACE
from exporters.edits.record import FolderRecord
from exporters.exported import LEVEL, ExportedLevel
from exporters.exporting import Given
from exporters.reading.carried import Carried, carried, edits_between
from exporters.reading.changes import PersonsEdits
from exporters.reading.edited import broken, edited
from exporters.reading.exports import exports_in, files_as_exported, files_of, left_behind, written_again
from exporters.reading.folder_level import FolderLevel
from exporters.reading.taken import taken_out, without_taken
from generator.errors import BadInput, LevelError
from generator.level import Level
from generator.rerolls.record import EDITED


class MergedLevel(NamedTuple):
    """The result for one level: the edits by file, the new files, and the files that nobody changed.

    `level` is None if there was nothing to do, or if it was impossible; then `conflicts` says why. `problems`
    are rules that the edits break, `notes` edits that a level cannot have; one line each. `generated` is the
    level without any edits, if it is known. `lost` has one line for each edit of an earlier merge that has no
    place now.
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
    generated: Level | None = None
    lost: tuple[str, ...] = ()

    def is_ours(self, _: str, file: Path) -> bool:
        """Check whether a file can be overwritten because nobody edited it."""
        return file.resolve() in {path.resolve() for path in self.unchanged}


def merged_levels(bundle: Bundle, record: FolderRecord) -> list[MergedLevel]:
    """Merge what people changed in the files of a folder into the levels of a bundle to write there."""
    merges = []
    folder = record.folder
    for name, level in bundle.exported.items():
        try:
            paths = exports_in(folder, name).get(name, []) if folder.is_dir() else []
            if paths or (folder / f"{name}{LEVEL}").is_file():
                files = FolderLevel(folder, name, paths, Given(), record)
                merges.append(merged_onto(files, level, bundle.only(partial(_is_of, name))))
        except (BadInput, LevelError) as error:
            merges.append(MergedLevel(name, None, {}, Bundle(), set(), [str(error)], [], []))
    return merges


def with_merged(bundle: Bundle, merges: Iterable[MergedLevel]) -> Bundle:
    """Return a bundle with merged levels in place of their own files, and other files as they were."""
    merged = Bundle()
    for merge in merges:
        merged.update(merge.bundle)
        merged.notes += [*merge.notes, *(f"{merge.name}: {line}" for line in merge.lost)]
    names = [merge.name for merge in merges]
    merged.update(
        bundle.only(lambda path: path not in merged and not any(_is_of(name, path) for name in names))
    )
    merged.exported = bundle.exported | merged.exported
    return merged


def _is_of(name: str, path: str) -> bool:
    """Check whether a file is one of the level with this name."""
    return path.startswith((f"{name}.", f"{name}_edit.", f"{name}/"))


def merged_in_place(files: FolderLevel) -> MergedLevel:
    """Merge the edits of all files into the folder's own level."""
    refusals = list(files.refusals(files.outdated))
    if refusals:
        return _refused(files, refusals)
    problems = broken(files.generated, files.edited)
    if not files.all_edits and files.is_shown_by_all():
        return MergedLevel(files.name, None, files.edits, Bundle(), set(), [], problems, [*files.notes()])
    return _written(files, files.edited, _again(files, files.edited), problems)


def merged_onto(files: FolderLevel, new: ExportedLevel, exported: Bundle) -> MergedLevel:
    """Merge the edits of all files, and those of earlier merges, into a new level of the same name.

    All files of the folder's level are written, also those in other formats than the new one's, which is
    `exported` already.
    """
    refusals = list(files.refusals(()))
    if refusals:
        return _refused(files, refusals)
    has_all = _is_made_from(new.level, files.level)
    before = files.level if has_all else files.generated
    remedy = "so nothing was written; give another name, or --edits keep or replace"
    if before is None:
        why = "has edits, and the level before them is not known"
        return _refused(files, [f"{files.source}: {why}, {remedy}"])
    if not has_all and any(row != EDITED for row in files.level.rerolls):
        return _refused(files, [f"{files.source}: has rooms that were rolled again, {remedy}"])
    edits = edits_between(before, files.edited)
    moved = carried(edits, before, new.level)
    level = edited(new.level, moved.edits)
    bundle = Bundle()
    bundle.update(exported if level is new.level else new.exported(level))
    others = _again(files, level, formats_done=new.formats)
    bundle.update(others.only(lambda path: path not in bundle))
    problems = [f"{files.name}: {line}" for line in broken(new.level, level)]
    result = _written(files, level, bundle, problems, moved)
    generated = None if new.level.edited else new.level
    return result._replace(generated=generated, lost=tuple(_lost_before(files, edits, moved)))


def _is_made_from(new: Level, old: Level) -> bool:
    """Check whether a level has all that a person did to an older state of it."""
    if new.fingerprint == old.fingerprint:
        return True
    is_same = new.seed == old.seed and new.spec.saved() == old.spec.saved()
    return is_same and bool(new.edited or new.rerolls)


def _lost_before(files: FolderLevel, edits: Iterable[tuple[object, ...]], moved: Carried) -> Iterator[str]:
    """Yield the lines about edits that have no place, and that no file has: those of earlier merges."""
    return (line for key, line in moved.lost.items() if key not in files.all_edits)


def _written(
    files: FolderLevel, level: Level, bundle: Bundle, problems: list[str], moved: Carried | None = None
) -> MergedLevel:
    """Return all that the write of a merged level needs."""
    folder, name = files.folder, files.name
    lost = moved.lost if moved else {}
    notes = [*files.notes(), *left_behind(folder, name, files.level)]
    exported = _again(files, files.level)
    ours = files_as_exported(folder, exported)
    bases = {path: files.record.last_written(path) or data for path, data in exported.items()} | files.bases
    theirs: dict[str, bytes] = {}
    for path, found in files.edits.items():
        change = found.without(lost)
        if path.name.endswith(WORKPLACE):
            less = taken_out(files.export(path), files.edited, found)
            if less is not None:
                bundle.put(path.name, less)
                ours.add(path)
            elif change.added:
                notes.append(f"{path}: has new markers that are now also in {name}.tscn; delete them here")
        theirs |= _without_taken(files, path, change, bases, bundle)
    if any(key not in files.all_edits for key in lost):
        ours.discard(files.saved)  # no other file has them
    elif files.level.edited or not moved:
        ours.add(files.saved)
    return MergedLevel(
        name, level, files.edits, bundle, ours, [], problems, notes, theirs, bases, files.generated
    )


def _without_taken(
    files: FolderLevel, path: Path, change: PersonsEdits, bases: Mapping[str, bytes], new: Bundle
) -> dict[str, bytes]:
    """Return the files of a main file, by their paths in the folder, without edits that the level has now."""
    theirs = {}
    for file in files_of(path):
        within = file.relative_to(files.folder).as_posix()
        less = without_taken(file, change, bases.get(within), new.get(within))
        if less is not None:
            theirs[within] = less
    return theirs


def _again(files: FolderLevel, level: Level, formats_done: Iterable[str] = ()) -> Bundle:
    """Write the level's files again, as they were exported, in all formats but those that are done."""
    return written_again(level, files.exports(), files.before, files.chosen, formats_done)


def _refused(files: FolderLevel, lines: list[str]) -> MergedLevel:
    return MergedLevel(files.name, None, files.edits, Bundle(), set(), lines, [], [])
