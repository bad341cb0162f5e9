"""Merge two people's versions of a file of a level, as git does with lines: `undercroft merge-driver`.

A level.json is merged by what it means:

    base ──── edits_between ────▶ ours        the edits of both sides, applied to the base; where one side
      └────── edits_between ────▶ theirs      made the level again, the other's are carried to that level

Where both sides changed the same, ours stays, and a line says so. Maps, projects and scenes are merged value
by value, as `--edits merge` does. If both sides synced, much in them follows from the level, such as
navigation; so both files are brought to the merged level first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from exporters.edits.merging import CannotMerge, Merged, merge
from exporters.exported import LEVEL, ExportedWith, Formats, formats_in_text, with_exported
from exporters.exporting import Before, Given
from exporters.reading.carried import carried, edits_between, is_edit_of
from exporters.reading.changes import conflicts, said
from exporters.reading.edited import broken, edited
from exporters.reading.exports import MadeExports, export_at
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of, main_file, stem_of
from exporters.reading.removed_rooms import RoomsOfEdits
from exporters.reading.seen import EditKey, Edits
from generator.checks.told import causes
from generator.errors import BadInput, LevelError
from generator.level import Level
from generator.level_file import level_from_bytes
from generator.serialise import dumps
from generator.things import called

FindLevel = Callable[[str, str], bytes | None]
"""Returns the level.json at a path that has a fingerprint, from the history. None if there is none."""


def merged_versions(path: str, base: bytes, ours: bytes, theirs: bytes, level_with: FindLevel) -> Merged:
    """Merge two versions of the file at `path`, whose last common version is `base`.

    Raises CannotMerge for a file that cannot be read, or of a type that cannot be merged.
    """
    if theirs in (base, ours):
        return Merged(ours)
    if ours == base:
        return Merged(theirs)
    if not base:
        raise CannotMerge("was added by both sides, so there is no common version")
    if path.lower().endswith(LEVEL):
        data, lines = _merged_levels(base, ours, theirs)
        return Merged(data, tuple(lines))
    name = PurePosixPath(path).name
    before, mine, other = (_fingerprint(name, data) for data in (base, ours, theirs))
    if mine != before == other:  # we wrote another level, they only edited the file
        return merge(name, base, theirs, ours)
    if mine != before != other:
        try:
            return _both_written(Path(path), (before, mine, other), ours, theirs, level_with)
        except _UnknownLevelError:
            pass
    return merge(name, base, ours, theirs)


# --- maps, projects and scenes -----------------------------------------------------------------------


class _UnknownLevelError(Exception):
    """The level that a file shows is not in the history, or cannot be exported as the file was."""


def _fingerprint(name: str, data: bytes) -> str:
    """Read which level a file shows. Empty if it does not say."""
    try:
        return form_of(Path(name)).identity(name, ExportFiles(Path(), {name: data})).get("fingerprint", "")
    except BadInput:
        return ""


def _both_written(
    path: Path, fingerprints: tuple[str, ...], ours: bytes, theirs: bytes, level_with: FindLevel
) -> Merged:
    """Merge two files that show different levels. Each is brought to the merged level first.

    Raises _UnknownLevelError.
    """
    main = main_file(path)
    saved = (main.parent / f"{stem_of(main)}{LEVEL}").as_posix()
    levels = [level_with(saved, fingerprint) for fingerprint in fingerprints]
    first, mine, other = (data or b"" for data in levels)
    if not all(levels):
        raise _UnknownLevelError
    new_level, _ = _merged_levels(first, mine, other)  # its level.json has the lines
    bases = [_exported(path, main, data) for data in (mine, other, new_level)]
    new = bases.pop()
    sides = [merge(path.name, *pair, new) for pair in zip(bases, (ours, theirs), strict=True)]
    merged = merge(path.name, new, sides[0].data, sides[1].data)
    conflicts = [*sides[0].conflicts, *sides[1].conflicts, *merged.conflicts]
    return Merged(merged.data, tuple(dict.fromkeys(conflicts)))


def _exported(path: Path, main: Path, level_json: bytes) -> bytes:
    """Export a level as the file was. Raises _UnknownLevelError."""
    level, name = _level(level_json, main.as_posix()), stem_of(main)
    try:
        before = Before(main.parent, name, _formats(level_json))
        export = export_at(main, ExportFiles(main.parent), Given(), before, MadeExports())
        bundle = export.of(level)
        if level.is_by_hand:
            bundle.mark_edited(name)
        return bundle[path.relative_to(main.parent).as_posix()]
    except (BadInput, KeyError):
        raise _UnknownLevelError from None


# --- level.json --------------------------------------------------------------------------------------


def _merged_levels(base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, list[str]]:
    sides = {"the common version": base, "ours": ours, "theirs": theirs}
    levels = [_level(data, side) for side, data in sides.items()]
    level, lines = _merged_level(*levels)
    formats, clashes = _merged_formats(*(_formats(data) for data in sides.values()))
    return with_exported(dumps(level), formats), [*lines, *clashes]


def _level(data: bytes, side: str) -> Level:
    try:
        return level_from_bytes(data, side)
    except (BadInput, LevelError) as error:
        raise CannotMerge(f"cannot be merged: {error}") from None


def _merged_level(base: Level, ours: Level, theirs: Level) -> tuple[Level, list[str]]:
    if is_edit_of(base, ours) and is_edit_of(base, theirs):
        mine, other = edits_between(base, ours), edits_between(base, theirs)
        other, lines = _without_lost_rooms(other, mine, base)
        clashes = conflicts(mine, other)
        level = edited(base, _without(other, clashes) | mine)
        lines += [f"both sides changed {said(key, base)}; ours stays" for key in clashes]
    elif is_edit_of(base, theirs):
        level, lines = _carried(base, theirs, ours)
    elif is_edit_of(base, ours):
        level, lines = _carried(base, ours, theirs)
    else:
        return ours, ["both sides made the level again; ours stays"]
    known = {*broken(base, ours), *broken(base, theirs)}
    return level, [*lines, *causes(line for line in broken(base, level) if line not in known)]


def _without_lost_rooms(theirs: Edits, ours: Edits, base: Level) -> tuple[Edits, list[str]]:
    """Return their edits without those about rooms that one side removes and the other works in."""
    rooms = RoomsOfEdits(base)
    taken, kept = [*rooms.lost(theirs, ours)], [*rooms.lost(ours, theirs)]
    lines = [
        f"{remover} removes {called(base, 'room', room)}, in which {other} changes {what}; ours stays"
        for remover, other, lost in (("ours", "theirs", taken), ("theirs", "ours", kept))
        for room, what in lost
    ]
    lost = {room for room, _ in (*taken, *kept)}
    return {key: value for key, value in theirs.items() if lost.isdisjoint(rooms.of(key))}, lines


def _without(edits: Edits, clashes: list[EditKey]) -> Edits:
    """Return edits without those that contradict others, such as the removal of what they changed."""
    gone = {key[:2] for key in clashes if key[0] in ("door", "marker")}
    return {
        key: value
        for key, value in edits.items()
        if key not in clashes and not (key[-1] == "gone" and key[:2] in gone)
    }


def _carried(base: Level, person: Level, new: Level) -> tuple[Level, list[str]]:
    """Carry what a person changed to the level that the other side made."""
    moved = carried(edits_between(base, person), base, new)
    return edited(new, moved.edits), list(moved.lost.values())


# --- what a level.json says of its files --------------------------------------------------------------


def _formats(level: bytes) -> dict[str, ExportedWith]:
    return formats_in_text(json.dumps(json.loads(level).get("exported", {})))


def _merged_formats(base: Formats, ours: Formats, theirs: Formats) -> tuple[Formats, list[str]]:
    merged, lines = dict(ours), []
    for name in sorted({*base, *ours, *theirs}):
        before, mine, other = (side.get(name) for side in (base, ours, theirs))
        if mine == before != other:
            merged.pop(name, None)
            merged |= {name: other} if other else {}
        elif other not in (before, mine):
            lines.append(f"both sides changed what {name} is exported with; ours stays")
    return merged, lines
