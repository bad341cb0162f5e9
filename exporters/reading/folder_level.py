"""A level as the files of a folder show it: what was written, and what people changed in any of the files.

Every main file of the level that changed since it was written is compared with a fresh export of the level
that it shows; the edits of all files together give the edited level.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path

from exporters.edits.record import FolderRecord
from exporters.exported import LEVEL
from exporters.exporting import Before, Given
from exporters.reading.back import compared, onto
from exporters.reading.carried import carried
from exporters.reading.changes import PersonsEdits, conflicts, said
from exporters.reading.edited import edited
from exporters.reading.exports import Export, export_at, files_of
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of
from exporters.reading.original import generated_before, original, recorded
from exporters.reading.seen import Edits
from generator.errors import BadInput, LevelError
from generator.level import Level
from generator.level_file import load_level
from generator.stages import enter_stage

_MAX_CLASHES = 5  # reported per pair of files


class FolderLevel:
    """The level of one name in a folder. `edits` has what people changed, by main file.

    `foreign` are changed files that show a level of which nothing is known, `outdated` files that nobody
    changed and that show another level. `bases` has the bytes of files that were made from an older level.
    """

    def __init__(
        self, folder: Path, name: str, paths: list[Path], chosen: Given, record: FolderRecord
    ) -> None:
        """Read the files. Raises BadInput for one that cannot be read, or without its level."""
        enter_stage(name)
        self.folder, self.name, self.paths = folder, name, paths
        self.chosen, self.record = chosen, record
        self.before = Before(folder, name, record.exported(name))
        self.saved = folder / f"{name}{LEVEL}"
        self.export = cache(lambda path: export_at(path, chosen, self.before))  # reads a missing theme late
        files = ExportFiles(folder)
        self.shows = {path: form_of(path).identity(path.name, files) for path in paths}
        self.level, self.source = self._known_level()
        self.bases: dict[str, bytes] = {}
        self.edits: dict[Path, PersonsEdits] = {}
        self.foreign: list[Path] = []
        self.outdated: list[Path] = []
        for path in paths:
            self._read(path)

    def _known_level(self) -> tuple[Level, Path]:
        if self.saved.is_file():
            return load_level(self.saved), self.saved
        first = self.paths[0]
        wanted = self.shows[first].get("fingerprint", "")
        known = recorded(self.record, self.name, wanted)
        return known or original(first, self.shows[first], self.saved, None).level, first

    def _read(self, path: Path) -> None:
        """Find the edits of one file."""
        is_current = self.shows[path]["fingerprint"] == self.level.fingerprint
        if is_as_written(path, self.record):
            self.outdated += [] if is_current or self.level.edited else [path]
            return
        if is_current:
            difference: PersonsEdits | None = compared(self.level, self.export(path))
        else:
            difference = self._edits_of_another(path)
        if difference is None:
            self.foreign.append(path)
        elif difference.edits or difference.notes:
            self.edits[path] = difference

    def _edits_of_another(self, path: Path) -> PersonsEdits | None:
        """Find the edits of a file that shows an earlier state of the level, in terms of the level.

        None if that state is not known, or if both changed the same.
        """
        identity = self.shows[path]
        before = recorded(self.record, self.name, identity["fingerprint"])
        try:
            before = before or original(path, identity, path.parent / "", None).level
        except (BadInput, LevelError):
            return None
        export = self.export(path)
        difference = compared(before, export)
        own = (f"{self.name}.", f"{self.name}/")
        self.bases |= export.of(before).only(lambda file: file.startswith(own))
        if self.level.edited.get("base") == before.fingerprint:
            return onto(self.level, before, difference, compared(before, export, now_of=self.level))
        moved = carried(difference.edits, before, self.level)
        less = difference.without(moved.lost)
        return less._replace(edits=moved.edits, notes=[*difference.notes, *moved.lost.values()])

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

    def is_shown_by_all(self) -> bool:
        """Check whether every main file shows the level as it is."""
        return all(shows["fingerprint"] == self.level.fingerprint for shows in self.shows.values())

    def notes(self) -> Iterator[str]:
        """Yield one line for each edit that a level cannot have."""
        for path, difference in self.edits.items():
            yield from (f"{path}: {line}" for line in difference.notes)

    def refusals(self, others: Iterable[Path]) -> Iterator[str]:
        """Yield one line for each reason why the files cannot be put together, such as one of `others`."""
        problem = f"shows another level than {self.source}; export it again, or move it away"
        foreign = [*self.foreign, *others]
        yield from (f"{path}: {problem}" for path in foreign)
        if not foreign:
            yield from _clashes(self.edits)

    def exports(self) -> Iterator[Export]:
        """Yield what each main file was exported with."""
        return map(self.export, self.paths)


def is_as_written(path: Path, record: FolderRecord) -> bool:
    """Check whether nobody changed a file, and those of its rooms, since we wrote them."""
    files = {file: file.relative_to(path.parent).as_posix() for file in files_of(path) if file.is_file()}
    return all(record.last_written(name) == file.read_bytes() for file, name in files.items())


def _clashes(edits: Mapping[Path, PersonsEdits]) -> Iterator[str]:
    """Report the contradictions between files, one line each."""
    paths = list(edits)
    for i, path in enumerate(paths):
        for second in paths[i + 1 :]:
            keys = conflicts(edits[path].edits, edits[second].edits)
            for key in keys[:_MAX_CLASHES]:
                yield f"{path} and {second} differ about {said(key)}; undo the change in one of them"
            if len(keys) > _MAX_CLASHES:
                yield f"{path} and {second} differ about {len(keys) - _MAX_CLASHES} more"
