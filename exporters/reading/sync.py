"""`undercroft sync`: what somebody painted in one export of a level goes into its other exports.

Every export of a level in the folder is compared with what the level gives; what differs in any of them is
put together, and all of them are written anew from the edited level. Nothing is written if two exports say
different things of one place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import exporters
from exporters.bundle import Bundle
from exporters.reading.back import compared
from exporters.reading.changes import PersonsEdits, conflicts, said
from exporters.reading.edited import broken, edited
from exporters.reading.files import ExportFiles
from exporters.reading.forms import FORMS, FileForm, stem_of
from exporters.reading.original import original
from exporters.reading.seen import Edits
from exporters.registry import exporter, format_names
from exporters.theme import Theme
from generator.errors import BadInput, one_line
from generator.level import Level
from generator.level_file import load_level

LastWritten = Callable[[str], bytes | None]
"""What was written last to a path of the folder, if anybody knows."""

_MOST_ASIDE = 99
_MOST_TOLD = 5  # conflicts of one level


class Export(NamedTuple):
    """A file of a level in the folder, and the options that it was exported with."""

    path: Path
    form: FileForm
    options: Mapping[str, object]


class Synced(NamedTuple):
    """What became of one level: the edits by file, the new files, people's own that were put aside.

    `level` is None if nothing was to be done, or nothing could be: `conflicts` says why. `problems` are rules
    that the edits broke, `notes` what a level has no place for; a line each.
    """

    name: str
    level: Level | None
    edits: Mapping[Path, PersonsEdits]
    bundle: Bundle
    aside: Mapping[Path, Path]
    conflicts: list[str]
    problems: list[str]
    notes: list[str]


def synced(
    folder: Path,
    *,
    theme: Theme | str | os.PathLike[str] | None = None,
    options: Mapping[str, object] | None = None,
    last_written: LastWritten = lambda _: None,
) -> list[Synced]:
    """What is to be written for each level of a folder; `write` writes it.

    `theme` and `options` are those that the levels were exported with. A file that is as it was written last
    is not read. Raises BadInput for a folder without exports, and for a file that cannot be read.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: is no folder; give the one that levels were exported to")
    given = options or {}
    found: dict[str, list[Export]] = {}
    for path in sorted(folder.iterdir()):
        form = next((each for each in FORMS if path.name.endswith(each.suffix)), None)
        if form is None or form.suffix == ".tmx" or not path.is_file():
            continue
        files = ExportFiles(folder)
        if _is_export(path, form, files):
            found.setdefault(stem_of(path), []).append(
                Export(path, form, {**form.options(path.name, files), **given})
            )
    if not found:
        raise BadInput(f"{folder}: holds no exported level; give the folder that levels were exported to")
    return [_level(folder, name, some, theme, given, last_written) for name, some in found.items()]


def _is_export(path: Path, form: FileForm, files: ExportFiles) -> bool:
    """Whether a file shows a level of ours. Raises BadInput if it cannot be read, and its level is here."""
    try:
        return bool(form.told(path.name, files).get("fingerprint"))
    except BadInput:
        if (path.parent / f"{stem_of(path)}.level.json").is_file():
            raise
        return False  # a scene of the game's, or a map that somebody drew


def _level(
    folder: Path,
    name: str,
    some: list[Export],
    theme: Theme | str | os.PathLike[str] | None,
    given: Mapping[str, object],
    last_written: LastWritten,
) -> Synced:
    saved = folder / f"{name}.level.json"
    tells = [each.form.told(each.path.name, ExportFiles(folder)) for each in some]
    is_saved = saved.is_file()
    level = load_level(saved) if is_saved else original(some[0].path, tells[0], saved, None).level
    what = f"shows another level than {saved if is_saved else some[0].path}; export it again, or move it away"
    told = [told["fingerprint"] for told in tells]
    others = [each.path for each, mark in zip(some, told, strict=True) if mark != level.fingerprint]
    if others:
        return _refused(name, [f"{path}: {what}" for path in others])
    edits: dict[Path, PersonsEdits] = {}
    for each in some:
        if len(_files_of(each.path)) == 1 and last_written(each.path.name) == each.path.read_bytes():
            continue
        found = compared(level, each.path, name, each.form, theme, each.options)
        if found.edits or found.notes:
            edits[each.path] = found
    notes = [f"{path}: {line}" for path, found in edits.items() for line in found.notes]
    clashes = list(_clashes(edits))
    if clashes:
        return _refused(name, clashes, edits)
    together: Edits = {key: value for found in edits.values() for key, value in found.edits.items()}
    if not together:
        return Synced(name, None, edits, Bundle(), {}, [], [], notes)
    after = edited(level, together)
    bundle = _bundle(folder, after, name, some, theme, given)
    aside = {path: _aside(path) for path, found in edits.items() if found.edits and path.name in bundle}
    aside = {path: other for path, other in aside.items() if not bundle.is_begun(path.name)}
    return Synced(name, after, edits, bundle, aside, [], broken(level, after), notes)


def _refused(name: str, lines: list[str], edits: Mapping[Path, PersonsEdits] | None = None) -> Synced:
    return Synced(name, None, edits or {}, Bundle(), {}, lines, [], [])


def _clashes(edits: Mapping[Path, PersonsEdits]) -> Iterable[str]:
    """What two files say differently, a line each."""
    paths = list(edits)
    for i, path in enumerate(paths):
        for other in paths[i + 1 :]:
            found = conflicts(edits[path].edits, edits[other].edits)
            for key in found[:_MOST_TOLD]:
                yield f"{path} and {other} differ about {said(key)}; undo it in one of them"
            if len(found) > _MOST_TOLD:
                yield f"{path} and {other} differ about {len(found) - _MOST_TOLD} more"


def _bundle(
    folder: Path,
    level: Level,
    name: str,
    some: list[Export],
    theme: Theme | str | os.PathLike[str] | None,
    given: Mapping[str, object],
) -> Bundle:
    """The level's files in every format that the folder has, and the theme's that are missing there."""
    forms = {form.format for form in FORMS}
    wanted = [(each.form.format, each.options) for each in some]
    for format_ in format_names():
        own = exporter(format_)
        if format_ == "json" or (
            format_ not in forms and any((folder / f"{name}{suffix}").is_file() for suffix in own.suffixes)
        ):
            wanted.append((format_, given))
    bundle = Bundle()
    for format_, options in wanted:
        mine = {key: value for key, value in options.items() if key.partition(".")[0] == format_}
        made = exporters.export(level, format_, mine, theme, name)
        for path, data in made.items():
            is_level = path.startswith((f"{name}.", f"{name}/"))
            if is_level or not os.path.lexists(folder / path):
                bundle.add(path, data, once=made.is_begun(path))
    return bundle


def _files_of(path: Path) -> list[Path]:
    """A main file, and those of its rooms."""
    rooms = path.parent / path.name.partition(".")[0]
    return [path, *(sorted(rooms.iterdir()) if rooms.is_dir() else ())]


def _aside(path: Path) -> Path:
    """A free name for a person's file that is about to be written anew."""
    for number in range(1, _MOST_ASIDE + 1):
        word = "mine" if number == 1 else f"mine-{number}"
        other = path.with_name(f"{path.name}.{word}")
        if not os.path.lexists(other):
            return other
    raise BadInput(f"{path}: has {_MOST_ASIDE} files of its name that end in .mine; remove some")


def write(folder: Path, one: Synced) -> list[Path]:
    """Keep people's files aside, then write the level's; returns the files that were written.

    Of a level of several files those of its rooms are kept in a folder of that name. Raises UndercroftError.
    """
    kept = Bundle()
    for path, other in one.aside.items():
        files = [each for each in _files_of(path) if each.suffix in (path.suffix, f"{path.suffix}l", ".tmj")]
        for each in files:
            inside = "" if len(files) == 1 else f"/{each.relative_to(path.parent).as_posix()}"
            kept.add(f"{other.name}{inside}", each.read_bytes())
    kept.write(folder)
    return one.bundle.write(folder)


def lines(one: Synced) -> list[str]:
    """What there is to tell of a level, apart from the files that were written."""
    told = [*one.conflicts, *one.notes, *(f"{one.name}: {line}" for line in one.problems)]
    told += [f"{path}: was written anew; it is kept as {other.name}" for path, other in one.aside.items()]
    return [one_line(line) for line in told]
