"""A level as the files of a folder show it: what was written, and what people changed in any of the files.

Every main file of the level that changed since it was written is compared with a fresh export of the level
that it shows; the edits of all files together give the edited level.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache, cached_property
from pathlib import Path

from exporters.edits.digests import as_committed, digest_of_file
from exporters.edits.merging import is_changed
from exporters.edits.policy import WORKPLACE
from exporters.edits.record import FolderRecord
from exporters.exported import LEVEL
from exporters.exporting import Before, Given
from exporters.reading.carried import carried, edits_between, is_edit_of
from exporters.reading.changes import PersonsEdits, conflicts, said
from exporters.reading.compared import compared
from exporters.reading.edited import edited
from exporters.reading.exports import (
    Export,
    MadeExports,
    export_at,
    other_formats,
    own_files,
)
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of
from exporters.reading.found import files_of, missing_rooms
from exporters.reading.original import Original, generated_before, original, recorded
from exporters.reading.removed_rooms import RoomsOfEdits
from exporters.reading.seen import EditKey, Edits
from generator.errors import BadInput, LevelError, one_line
from generator.level import Level
from generator.level_file import load_level
from generator.stages import enter_stage
from generator.styles.registry import DRAWN
from generator.things import MARKER, called

_MAX_CLASHES = 5  # reported per pair of files


class MainFileState(Enum):
    """What a main file of a level is, by who changed it last and which level it shows."""

    WRITTEN = "as it was written, from the level"
    OUTDATED = "as it was written, from another level"
    CHANGED = "changed by a person, and made from the level"
    BEHIND = "changed by a person, and made from an earlier state of the level"
    FOREIGN = "changed by a person, and made from a level of which nothing is known"


class FolderLevel:
    """The level of one name in a folder. `edits` has what people changed, by main file,
    and `has_riders` says whether any of these has something that a level cannot have.

    `foreign` and `outdated` are the main files of these states. `bases` has the bytes of files that were made
    from an older level.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        paths: list[Path],
        chosen: Given,
        record: FolderRecord,
        source: Original | None = None,
        may_show: Level | None = None,
    ) -> None:
        """Read the files. `source` is the level that they show, if that is known already.

        `may_show` is one that they show if its fingerprint says so.

        Raises BadInput for a file that cannot be read, or without its level.
        """
        enter_stage(name)
        self.folder, self.name, self.paths = folder, name, paths
        self.chosen, self.record = chosen, record
        self.before = Before(folder, name, record.exported(name))
        self.saved = folder / f"{name}{LEVEL}"
        made = MadeExports()
        self._files = cache(lambda path: ExportFiles(folder))
        self.last_written = cache(record.last_written)
        self.export = cache(  # only if it is needed: the theme may be gone
            lambda path: export_at(path, self._files(path), chosen, self.before, made)
        )
        self.saved_digest = digest_of_file(self.saved)
        self.digests = {file: digest_of_file(file) for path in paths for file in files_of(path)}
        self.as_written = {*self._as_written()}
        self.shows = cache(self._identity)
        self._is_given = source is not None
        self.level, self.source = (source.level, source.source) if source else self._known_level(may_show)
        self.paths = [path for path in paths if self._is_given or self.shows(path).get("fingerprint")]
        self.bases: dict[str, bytes] = {}
        self.edits: dict[Path, PersonsEdits] = {}
        self.recorded: set[Path] = set()  # files that were compared with what the record has of them
        self._behind: list[str] = []  # one line for each edit of an older level that contradicts the level
        self._elsewhere: set[str] = set()  # files whose last version the record does not know
        self.has_riders = False
        self._made_from = cache(self._level_of)
        states = {path: self._read(path) for path in self.paths}
        self.foreign = [path for path, state in states.items() if state is MainFileState.FOREIGN]
        self.outdated = [path for path, state in states.items() if state is MainFileState.OUTDATED]

    def _as_written(self) -> Iterator[Path]:
        """Yield main files, with those of their rooms, and pictures that are as they were written last."""
        groups = [*(files_of(path) for path in self.paths), *other_formats(self.folder, self.name).values()]
        for group in groups:
            if all(self.record.is_as_written(file.relative_to(self.folder).as_posix()) for file in group):
                yield from group

    def _identity(self, path: Path) -> Mapping[str, str]:
        """Return the facts about its level in a file. Not read if it is as written, and from this level."""
        main = path.with_name(path.name.replace(WORKPLACE, ".tscn"))
        if main != path and main in self.paths and path in self.as_written:
            return self.shows(main)  # which it inherits
        fingerprint = self.level.fingerprint if self.saved.is_file() else ""
        if fingerprint and path in self.as_written and fingerprint.encode() in path.read_bytes():
            return {"fingerprint": fingerprint}
        return form_of(path).identity(path.name, self._files(path))

    def _known_level(self, may_show: Level | None) -> tuple[Level, str | Path]:
        if self.saved.is_file():
            return load_level(self.saved), self.saved
        first = self.paths[0]
        wanted = self.shows(first).get("fingerprint", "")
        if may_show and may_show.is_named(wanted):
            return may_show, first
        known = recorded(self.record, self.name, wanted)
        try:
            return known or original(first, self.shows(first), self.saved, None).level, first
        except BadInput:
            if may_show is None or may_show.style != DRAWN:
                raise
            problem = f"shows another level than the drawing, and {self.saved} is missing"
            remedy = "put that back, or import the drawing as it was then"
            raise BadInput(f"{first}: {problem}; {remedy}, or give --edits replace") from None

    def state_of(self, path: Path) -> MainFileState:
        """Return the state of a main file."""
        is_current = self._is_given or self.level.is_named(self.shows(path)["fingerprint"])
        if path in self.as_written and not self._is_given:
            is_known = is_current or self.level.edited  # the merge writes all files of an edited level
            return MainFileState.WRITTEN if is_known else MainFileState.OUTDATED
        if is_current:
            return MainFileState.CHANGED
        return MainFileState.BEHIND if self._made_from(path) else MainFileState.FOREIGN

    def _read(self, path: Path) -> MainFileState:
        """Find the edits of one file, and return its state."""
        state = self.state_of(path)
        if state not in (MainFileState.WRITTEN, MainFileState.OUTDATED) and not self._is_recorded(path):
            self._elsewhere |= {file.relative_to(self.folder).as_posix() for file in files_of(path)}
        if state in (MainFileState.CHANGED, MainFileState.BEHIND):
            is_current = state is MainFileState.CHANGED
            found = self._edits_of(path) if is_current else self._edits_behind(path)
            if (found.edits or found.notes) and not self._is_inherited(path, found):
                self.edits[path] = found
            if is_current and not found.edits and not self.has_riders:
                self.has_riders = self._has_riders(path)
        self._files(path).forget()
        return state

    def _is_inherited(self, path: Path, found: PersonsEdits) -> bool:
        """Check whether a scene to work in, as it was made, only shows the edits in the level's scene."""
        main = self.edits.get(path.with_name(f"{self.name}.tscn"))
        if main is None or not path.name.endswith(WORKPLACE):
            return False
        as_made = self.last_written(path.name), self.export(path).of(self.level).get(path.name)
        is_same = all(main.edits.get(key) == value for key, value in found.edits.items())
        return is_same and {*found.notes} <= {*main.notes} and as_committed(path.read_bytes()) in as_made

    def _edits_of(self, path: Path) -> PersonsEdits:
        """Compare a file that shows the level with what the record has of it, or else with its export."""
        export = self.export(path)
        last = export.recorded(self.level, self.last_written) if self.chosen == Given() else None
        if last is not None:
            self.recorded.add(path)
            self.bases |= last
        return compared(self.level, export, exported=last)

    def _has_riders(self, path: Path) -> bool:
        """Check whether a person changed something in a file, or in those of its rooms."""
        exported = self.export(path).of(self.level)
        files = {file.relative_to(self.folder).as_posix(): file for file in files_of(path)}
        return any(
            is_changed(within, exported[within], as_committed(file.read_bytes()))
            for within, file in files.items()
            if within in exported
        )

    def _is_recorded(self, path: Path) -> bool:
        """Check whether a file was made from what the record has of it, and not from another branch's."""
        names = [file.relative_to(self.folder).as_posix() for file in files_of(path)]
        held = {name: data for name in names if (data := self.last_written(name)) is not None}
        fingerprint = self.shows(path).get("fingerprint", "").encode()
        return path.name in held and any(fingerprint in data for data in held.values())

    def with_recorded(self, bases: Mapping[str, bytes]) -> dict[str, bytes]:
        """Put what was written last in place of exports from which the files seem to be made."""
        recorded = {path: self.last_written(path) for path in bases if path not in self._elsewhere}
        return {**bases, **{path: data for path, data in recorded.items() if data is not None}}

    def _level_of(self, path: Path) -> Level | None:
        """Return the level that a file shows, which is not the folder's. None if nothing is known of it."""
        identity = self.shows(path)
        level = recorded(self.record, self.name, identity["fingerprint"])
        try:
            return level or original(path, identity, path.parent / "", None).level
        except (BadInput, LevelError):
            return None

    def _edits_behind(self, path: Path) -> PersonsEdits:
        """Find the edits of a file that shows an earlier state of the level, in terms of the level."""
        before, export = self._made_from(path), self.export(path)
        assert before
        difference = compared(before, export)
        self.bases |= own_files(export.of(before), self.name)
        if is_edit_of(before, self.level):
            known = PersonsEdits(edits_between(before, self.level), [])
            self._behind += _clashes({path: difference, self.saved: known}, before)
        moved = carried(difference.edits, before, self.level)
        less = difference.without(moved.lost)
        return less._replace(edits=moved.edits, names={}, notes=[*difference.notes, *moved.lost.values()])

    @cached_property
    def missing(self) -> list[Path]:
        """The files of rooms that somebody has deleted, though the level has these rooms."""
        return [*dict.fromkeys(room for path in self.paths for room in missing_rooms(path))]

    @cached_property
    def all_edits(self) -> Edits:
        """The edits of all files together."""
        return {key: value for difference in self.edits.values() for key, value in difference.edits.items()}

    @cached_property
    def edited(self) -> Level:
        """The level with the edits of all files."""
        return edited(self.level, self.all_edits)

    @cached_property
    def generated(self) -> Level | None:
        """The level before its first edit, as the generator made it. None if it cannot be had."""
        return generated_before(self.record, self.name, self.level)

    def named(self, problems: Iterable[str]) -> list[str]:
        """Add what the files call the markers that people changed or added to lines about these."""
        places = {(marker.kind, marker.x, marker.y): marker.id for marker in self.edited.markers}
        names = {
            places.get(key[1:]) if key[0] == "new marker" else key[1]: f"{name} in {path.name}"
            for path, found in self.edits.items()
            for key, name in found.names.items()
        }

        def with_name(line: str) -> str:
            found = MARKER.match(line)
            name = names.get(int(found[1])) if found else None
            return f"{found[0]}, {name}{line[found.end() :]}" if found and name else line

        return [*map(with_name, problems)]

    def is_shown_by_all(self) -> bool:
        """Check whether every main file shows the level as it is."""
        shown = (self.shows(path)["fingerprint"] for path in self.paths)
        return self._is_given or all(map(self.level.is_named, shown))

    def notes(self) -> Iterator[str]:
        """Yield one line for each edit that a level cannot have, unless an earlier merge told it."""
        told = self.record.told(self.name)
        return (f"{self.folder / line}" for line in self.told() if one_line(line) not in told)

    def told(self) -> list[str]:
        """Return all lines about edits that a level cannot have. Each begins with the name of a file."""
        return [f"{path.name}: {line}" for path, found in self.edits.items() for line in found.notes]

    def refusals(self, others: Iterable[Path]) -> Iterator[str]:
        """Yield one line for each reason why the files cannot be put together, such as one of `others`."""
        is_drawn = self.level.style == DRAWN and not self.saved.is_file()
        again = "import the drawing" if is_drawn else "export it"
        problem = f"shows another level than {self.source}; {again} again, or move it away"
        foreign = [*self.foreign, *others]
        if len(foreign) > 1 and len(foreign) == len(self.paths) and self.saved.is_file():
            names = ", ".join(path.name for path in foreign)
            remedy = "put back the one that was written with them, or export this one again"
            yield f"{self.saved}: is another level than {names} show; {remedy}"
            return
        yield from (f"{path}: {problem}" for path in foreign)
        if not foreign:
            yield from self._behind or _clashes(self.edits, self.level)

    def exports(self) -> Iterator[Export]:
        """Yield what each main file was exported with."""
        return map(self.export, self.paths)


def _clashes(edits: Mapping[Path, PersonsEdits], level: Level) -> Iterator[str]:
    """Report the contradictions between files, one line each."""
    paths = list(edits)
    rooms = RoomsOfEdits(level)
    for i, path in enumerate(paths):
        for second in paths[i + 1 :]:
            both = edits[path].edits, edits[second].edits
            lines = [*dict.fromkeys(_clash(key, (path, second), both, level) for key in conflicts(*both))]
            for remover, other in ((path, second), (second, path)):
                lines += (
                    f"{remover} removes {called(level, 'room', room)}, in which {other} changes {what}; "
                    "undo one of them"
                    for room, what in rooms.lost(edits[other].edits, edits[remover].edits)
                )
            yield from lines[:_MAX_CLASHES]
            if len(lines) > _MAX_CLASHES:
                yield f"{path} and {second} differ about {len(lines) - _MAX_CLASHES} more"


def _clash(key: EditKey, paths: tuple[Path, Path], both: tuple[Edits, Edits], level: Level) -> str:
    """Say how two files contradict each other."""
    gone = (*key[:2], "gone")
    if gone in both[0] or gone in both[1]:
        remover, other = paths if gone in both[0] else paths[::-1]
        return f"{remover} removes {said(gone, level)}, which {other} changes; undo one of these changes"
    return f"{paths[0]} and {paths[1]} differ about {said(key, level)}; undo the change in one of them"
