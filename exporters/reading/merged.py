"""The result of a merge of one level, and the result for a level of which no file was touched."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from exporters.bundle import Bundle
from exporters.edits.digests import digest_of_file
from exporters.edits.policy import WORKPLACE
from exporters.edits.record import FolderRecord
from exporters.exported import LEVEL, fingerprint_in
from exporters.reading.found import files_of, missing_rooms
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from exporters.merge.taken import Taken
    from exporters.reading.changes import PersonsEdits
    from generator.level import Level


class MergedLevel(NamedTuple):
    """The result for one level: the edits by file, the new files, and those that nobody changed (real paths).

    `level` is None if there was nothing to do, or if it was impossible; then `conflicts` says why. `problems`
    are rules that the edits break, `notes` edits that a level cannot have; one line each. `told` are these
    notes with those of earlier merges that still stand, None if the level was refused; `has_riders` says
    whether a file has such edits, noted or not. `generated` is the level without any edits, if it is known.
    `lost` has one line for each edit that has no place now, `digests` are those of the files that were read,
    and `asides` files of which a copy must be kept, by their paths in the folder, as `taken` has what of a
    person's files is in the level.
    """

    name: str
    level: Level | None
    edits: Mapping[Path, PersonsEdits]
    bundle: Bundle
    unchanged: Collection[Path]
    conflicts: list[str]
    problems: list[str]
    notes: list[str]
    taken: Mapping[str, Taken] = MappingProxyType({})
    bases: Mapping[str, bytes] = MappingProxyType({})
    generated: Level | None = None
    lost: tuple[str, ...] = ()
    digests: Mapping[Path, bytes | None] = MappingProxyType({})
    asides: Sequence[str] = ()
    told: list[str] | None = None
    has_riders: bool = False

    def is_ours(self, _: str, file: Path) -> bool:
        """Check whether a file can be overwritten because nobody edited it."""
        return file.resolve() in self.unchanged


def not_merged(name: str, error: Exception) -> MergedLevel:
    """Return the result for a level whose files cannot be read."""
    return MergedLevel(name, None, {}, Bundle(), set(), [str(error)], [], [])


def not_read(name: str, why: Exception) -> MergedLevel:
    """Return the result for a file that is no level's, as a note."""
    return MergedLevel(name, None, {}, Bundle(), set(), [], [], [str(why)])


def untouched(name: str, paths: Sequence[Path], record: FolderRecord) -> MergedLevel | None:
    """Return the result for a level of whose files nobody touched any since a merge or an export wrote them.

    The files are only compared with their digests. None if one has to be read.
    """
    saved = record.folder / f"{name}{LEVEL}"
    fingerprint = fingerprint_in(saved) if saved.is_file() else ""
    problems = _known_problems(saved, name, fingerprint, record)
    files = (file.relative_to(record.folder).as_posix() for path in paths for file in files_of(path))
    if problems is None or not all(map(record.is_as_written, files)):
        return None
    if not all(_shows(path, fingerprint, paths) for path in paths) or any(
        room for path in paths for room in missing_rooms(path)
    ):
        return None
    return MergedLevel(name, None, {}, Bundle(), set(), [], problems, [], told=[])


def _known_problems(saved: Path, name: str, fingerprint: str, record: FolderRecord) -> list[str] | None:
    """Return the rules that a level is known to break, None if its level.json must be read to know them."""
    if not fingerprint:
        return None
    if record.is_as_written(saved.name):
        return []  # by the generator
    is_known = record.accepted(name) == digest_of_file(saved)
    return record.broken(name, fingerprint) if is_known else None


def _shows(path: Path, fingerprint: str, paths: Sequence[Path]) -> bool:
    """Check whether a main file shows a level, as a scene to work in shows that which it inherits."""
    if path.name.endswith(WORKPLACE):
        return path.with_name(path.name.replace(WORKPLACE, ".tscn")) in paths
    return fingerprint.encode() in path.read_bytes()
