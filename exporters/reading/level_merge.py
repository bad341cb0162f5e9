"""The one merge of a level: what people changed in any of its files, on the level that is to be written.

    files of a folder ──▶ FolderLevel ──▶ edits ──┐
                                                  ├──▶ merged level ──▶ all files, in all their formats
    a new level, or the folder's own ─────────────┘

What a level cannot have, such as a layer of one's own, stays in its file: when the files are written, each is
merged with its new version, from which the edits that the level has now are taken out first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

from exporters.bundle import Bundle
from exporters.comparison.matched import matched
from exporters.edits.digests import as_committed
from exporters.edits.policy import WORKPLACE
from exporters.edits.record import FolderRecord
from exporters.exported import LEVEL, ExportedLevel, Formats, is_of_level
from exporters.exporting import Given
from exporters.merge.godot_taken import following
from exporters.merge.taken import Taken
from exporters.reading.carried import Carried, carried, edits_between
from exporters.reading.drawn_clashes import clashes_with_drawing
from exporters.reading.edited import broken, edited
from exporters.reading.exports import (
    files_as_exported,
    left_behind,
    other_formats,
    written_again,
)
from exporters.reading.folder_level import FolderLevel
from exporters.reading.found import exports_in, files_of
from exporters.reading.merged import MergedLevel, not_merged
from exporters.reading.seen import EditKey
from exporters.reading.taken import moves_in, node_paths, taken_out
from generator.checks import notes_on_edits
from generator.errors import BadInput, LevelError
from generator.level import Level
from generator.rerolls.record import EDITED
from generator.styles.registry import BUILT_IN, DRAWN


def merged_levels(bundle: Bundle, record: FolderRecord) -> list[MergedLevel]:
    """Merge what people changed in the files of a folder into the levels of a bundle to write there."""
    merges = []
    folder = record.folder
    for name, level in bundle.exported.items():
        try:
            paths = exports_in(record, name).get(name, []) if folder.is_dir() else []
            if paths or (folder / f"{name}{LEVEL}").is_file():
                files = FolderLevel(folder, name, paths, Given(), record, may_show=level.level)
                own = bundle.only(partial(is_of_level, stem=name))
                own.exported = {name: level}
                merges.append(merged_onto(files, level, own))
        except (BadInput, LevelError) as error:
            merges.append(not_merged(name, error))
    return merges


def with_merged(bundle: Bundle, merges: Sequence[MergedLevel]) -> Bundle:
    """Return a bundle with merged levels in place of their own files, and other files as they were."""
    if not merges:
        return bundle
    merged = Bundle()
    for merge in merges:
        merged.update(merge.bundle)
        merged.notes += [*merge.notes, *(f"{merge.name}: {line}" for line in merge.lost)]
    names = [merge.name for merge in merges]
    merged.update(
        bundle.only(lambda path: path not in merged and not any(is_of_level(path, name) for name in names))
    )
    merged.exported = bundle.exported | merged.exported
    return merged


def merged_in_place(files: FolderLevel) -> MergedLevel:
    """Merge the edits of all files into the folder's own level."""
    refusals = list(files.refusals(files.outdated))
    if refusals:
        return _refused(files, refusals)
    problems = files.named(_broken(files))
    if not (files.all_edits or files.missing) and files.is_shown_by_all():
        if files.saved_digest:
            files.record.note_accepted(files.name, files.saved_digest)
        result = MergedLevel(files.name, None, files.edits, Bundle(), set(), [], problems, [*files.notes()])
        return result._replace(told=files.told(), has_riders=files.has_riders)
    bundle = _again(files, files.edited)
    result = _written(files, files.edited, bundle, problems)
    return result._replace(notes=[*result.notes, *_of_deleted(files, bundle)])


def _of_deleted(files: FolderLevel, bundle: Bundle) -> Iterator[str]:
    """Yield one line for each deleted file: those of rooms are written again, whole formats are not."""
    for path in files.missing:
        if path.relative_to(files.folder).as_posix() in bundle:
            yield f"{path}: was deleted, and is written again, because the level has its room"
    for name in files.record.deleted(files.name):
        yield f"{files.folder / name}: was deleted, and is not written again; to have it, export the level"


def _broken(files: FolderLevel) -> list[str]:
    """List the rules that the edits break. To look for them takes as long as to export a level."""
    level, is_known = files.edited, files.edited.style in BUILT_IN  # the rules of other packages may change
    lines = files.record.broken(files.name, level.fingerprint) if is_known else None
    if lines is None:
        lines = broken(files.generated, level)
        if is_known and level.edited:
            files.record.note_broken(files.name, level.fingerprint, lines)
    return lines


def merged_onto(files: FolderLevel, new: ExportedLevel, exported: Bundle) -> MergedLevel:
    """Merge the edits of all files, and those of earlier merges, into a new level of the same name.

    All files of the folder's level are written, also those in other formats than the new one's, which is
    `exported` already.
    """
    refusals = list(files.refusals(()))
    if refusals:
        return _refused(files, refusals)
    is_same = new.level.fingerprint == files.level.fingerprint
    before = files.level if is_same else files.generated
    if before is None and new.level.is_named(str(files.level.edited.get("base"))):
        before = new.level
    remedy = "so nothing was written; give another name, or --edits keep or replace"
    if DRAWN in (files.level.style, new.level.style) and files.level.style != new.level.style:
        why = "was drawn by hand, and the new one is not"
        if new.level.style == DRAWN:
            why = "is not a level drawn by hand, as the new one is"
        return _refused(files, [f"{files.source}: {why}, {remedy}"])
    if before is None:
        why = "has edits, and the level before them is not known"
        if new.level.style == DRAWN:
            remedy = f"{remedy}, or import the drawing as it was before it was changed first"
        return _refused(files, [f"{files.source}: {why}, {remedy}"])
    if not _rolled_rooms(files.level) <= _rolled_rooms(new.level):
        return _refused(files, [f"{files.source}: has rooms that were rolled again, {remedy}"])
    edits = edits_between(before, files.edited)
    if new.level.style == DRAWN and (clashes := [*clashes_with_drawing(files, edits, before, new.level)]):
        return _refused(files, clashes)
    moved = carried(edits, before, new.level)
    level = edited(new.level, moved.edits)
    bundle = Bundle()
    bundle.update(exported if level is new.level else new.exported(level))
    others = _again(files, level, new.formats)
    bundle.update(others.only(lambda path: path not in bundle))
    known = bundle.exported[files.name]
    bundle.exported[files.name] = known._replace(formats={**known.formats, **new.formats})
    problems = [f"{files.name}: {line}" for line in broken(new.level, level)]
    result = _written(files, level, bundle, problems, moved)
    generated = None if new.level.edited else new.level
    return result._replace(generated=generated, lost=tuple(dict.fromkeys(moved.lost.values())))


def _rolled_rooms(level: Level) -> set[object]:
    """Return the ids of the rooms that were rolled; a level that is rolled further keeps them all."""
    return {row["room"] for row in level.rerolls if row != EDITED}


def _lost_keys(files: FolderLevel, moved: Carried) -> set[EditKey]:
    """Return the keys of lost edits, also as the files have them: they know an older new marker by its id."""
    places = {(marker.kind, marker.x, marker.y): marker.id for marker in files.edited.markers}
    numbers = {places.get(key[1:]) for key in moved.lost if key[0] == "new marker"}
    return {*moved.lost, *(key for key in files.all_edits if key[0] == "marker" and key[1] in numbers)}


def _written(
    files: FolderLevel, level: Level, bundle: Bundle, problems: list[str], moved: Carried | None = None
) -> MergedLevel:
    """Return all that the write of a merged level needs."""
    folder, name = files.folder, files.name
    lost = _lost_keys(files, moved) if moved else set()
    notes = [*files.notes(), *left_behind(folder, name, files.level, bundle)]
    notes += [f"{name}: {note}" for note in notes_on_edits(level)]
    exported = _as_before(files)
    ours = files.as_written | files_as_exported(folder, exported)
    bases = {**files.with_recorded(exported), **files.bases}
    taken: dict[str, Taken] = {}
    asides: list[str] = []
    for path, found in files.edits.items():
        changed = _changed(files, path, bases)
        taken |= {within: found.taken.of_file(file, path) for within, file in changed.items()}
        if found.without(lost).edits != found.edits:  # the level does not have all of it
            asides += changed or [path.name]
        if path.name.endswith(WORKPLACE):
            less = taken_out(files.export(path), files.level, files.edited, found)
            if less is not None:
                bundle.put(path.name, less)
                ours.add(path)
            elif found.taken.added:
                notes.append(f"{path}: has new markers that are now also in {name}.tscn; delete them here")
    ours |= set(_following(files, level, bundle, ours))
    if any(key not in files.all_edits for key in lost):
        ours.discard(files.saved)  # no other file has them
    elif files.level.is_by_hand or not moved:
        ours.add(files.saved)
    return MergedLevel(
        name,
        level,
        files.edits,
        bundle,
        {path.resolve() for path in ours},
        [],
        problems,
        notes,
        taken,
        bases,
        files.generated,
        digests=files.digests,
        asides=asides,
        told=files.told(),
    )


def _following(files: FolderLevel, level: Level, bundle: Bundle, ours: set[Path]) -> Iterator[Path]:
    """Let a person's nodes in the scene to work in follow rooms and markers that are elsewhere now.

    A scene in the bundle has the names of the markers in the edited level already.
    """
    scene = files.folder / f"{files.name}{WORKPLACE}"
    is_new = scene.name in bundle and not bundle.is_begun(scene.name)
    data = bundle[scene.name] if is_new else scene.read_bytes() if scene.is_file() else b""
    if b'parent="' in data:
        same = matched(files.edited if is_new else files.level, level)
        size = files.export(scene).theme_for(level).tile_size
        less = following(data, node_paths(same), moves_in(same), size)
        if less != data:
            bundle.put(scene.name, less)
            yield scene


def _changed(files: FolderLevel, path: Path, bases: Mapping[str, bytes]) -> dict[str, Path]:
    """Return the files of a main file that differ from what they were made from, by their paths."""
    changed = {}
    for file in files_of(path):
        within = file.relative_to(files.folder).as_posix()
        base = bases.get(within) or files.last_written(within)
        if base is not None and as_committed(file.read_bytes()) != base:
            changed[within] = file
    return changed


def _again(files: FolderLevel, level: Level, done: Formats = MappingProxyType({})) -> Bundle:
    """Write the level's files again, as they were exported, in all formats but those that are done.

    A form that none of a format's exports makes is a person's, and is written, too.
    """
    exports = [
        export
        for export in files.exports()
        if export.form.format not in done or (export.is_twin(done) and export.is_twin(files.before.formats))
    ]
    others = [name for name in ("json", *other_formats(files.folder, files.name)) if name not in done]
    return written_again(level, exports, others, files.before, files.chosen)


def _as_before(files: FolderLevel) -> Bundle:
    """Export the level as it was, in the formats that have files of which this is not known."""
    known = files.as_written | files.recorded
    exports = [export for export in files.exports() if export.path not in known]
    others = [
        name
        for name, of_it in other_formats(files.folder, files.name).items()
        if not files.as_written.issuperset(of_it)
    ]
    if not files.record.is_as_written(files.saved.name):
        others.append("json")
    return written_again(files.level, exports, others, files.before, files.chosen)


def _refused(files: FolderLevel, lines: list[str]) -> MergedLevel:
    return MergedLevel(files.name, None, files.edits, Bundle(), set(), lines, [], [])
