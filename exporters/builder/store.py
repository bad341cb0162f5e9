"""The folder of a build: its files, and the outputs that are done.

    OUT/.undercroft/state.db       what was written; `exporters/edits` keeps the same for all commands
    OUT/.undercroft/levels/        saved levels, which can be exported again without being generated
    OUT/.undercroft/begun/         temporary files; emptied when a build begins

All of it can be deleted without losing anything.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Self

from exporters.builder.inputs import BY_HAND, MISSING, NEW, UNFINISHED, reasons
from exporters.builder.plan import Output
from exporters.builder.state import BuildState, Numbers, WrittenFile
from exporters.builder.work import BuiltFile, Made, Saved, Task, level_of
from exporters.durable import TemporaryFiles, clear_folders, remove_begun, unwritable
from exporters.edits.changes import EditedFile
from exporters.edits.commit import commit, flush_folders
from exporters.edits.digests import (
    digest_among,
    digest_of_bytes,
    digest_of_file,
    is_as_written,
    level_as_written,
)
from exporters.edits.dry_run import REMOVED, DryRun
from exporters.edits.former_files import lines_about
from exporters.edits.plan import LISTS, Wanted, WritePlan
from exporters.edits.policy import Planner
from exporters.edits.state import Ours, key_of, path_of
from exporters.edits.store import HOME, WrittenStore, record_in
from exporters.exported import LEVEL, is_of_level, said_in
from exporters.stale_files import StaleFile, stale_files
from exporters.writing import check_unchanged, note_merge
from generator.errors import BadInput, UndercroftError
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from exporters.builder.merged import MergedOutput


class Stored(NamedTuple):
    """What became of a level's files.

    The fingerprint of the level that they showed before, if known. The files written now, and those removed
    because they are no longer needed. Those that people changed, those of them without a new version, and
    people's own files that no longer fit. `notes` are about edits that a level cannot have, `problems` rules
    that edits break.
    """

    former: str
    written: list[str]
    removed: list[str]
    changes: list[EditedFile]
    kept: list[str]
    stale_files: list[StaleFile]
    notes: list[str]
    problems: list[str]


class MissingBytesError(Exception):
    """A shared file is not on disk, and its bytes were not returned."""


class Store:
    """One folder during one build."""

    def __init__(
        self,
        root: Path,
        guarded: Sequence[Path] = (),
        edits: str = "keep",
        dry_run: DryRun | None = None,
    ) -> None:
        """Open the folder, and remove what a killed build left. Raises UndercroftError.

        A dry run changes only a copy of the state.
        """
        self.root = root
        self._guarded, self._edits, self._dry_run = guarded, edits, dry_run
        self._home = root / HOME
        self._temporary = dry_run.folder if dry_run else self._home / "begun"
        try:
            record = record_in(root, dry_run, "levels", "begun")
            self.state = BuildState(record / "state.db")
            if not dry_run:
                if self.state.is_new:  # nothing is known about those
                    shutil.rmtree(self._home / "levels")
                    (self._home / "levels").mkdir()
                remove_begun(self._temporary)
        except OSError as error:
            raise UndercroftError(f"{error.filename or root}: cannot be used: {error.strerror}") from None
        self._written = WrittenStore(root, self.state, home=record)
        if not dry_run:
            self._written.take_back_at_start()
        self._folders: set[Path] = set()  # not yet flushed
        self._seen, self._current = Numbers(), Numbers()
        self._coming: set[tuple[str, bytes | None]] = set()
        self._with_edits: dict[str, list[str]] = {}  # what stays, by the paths of outputs

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *rest: object) -> None:
        """Close the store. A folder that somebody removed has nothing to flush."""
        try:
            self._written.prune()
            flush_folders({folder for folder in self._folders if folder.is_dir()})
        finally:
            self._written.close()

    # --- what is there -------------------------------------------------------------------------------------

    def why_to_make(self, output: Output) -> list[str]:
        """Say why an output has to be made, in a few words each. Nothing if it is as it should be.

        A missing shared file makes only one level out of date, which brings it back.
        """
        known = self.state.output(output)
        if not known:
            return [NEW]
        number, key = known
        self._seen.add(number)
        if key != output.key:
            return reasons(self.state.made(number)[0], output.parts) if key else [UNFINISHED]
        files = self.state.files_of(number)
        gone = [file for file in files if not self._serves(file)]
        edited = {file for file in gone if self._stays(file)}
        gone = [file for file in gone if file not in edited and (file.path, file.wanted) not in self._coming]
        self._coming |= {(file.path, file.wanted) for file in gone if not is_of_level(file.path, output.path)}
        if gone or not files:
            return [*dict.fromkeys(map(self._why_gone, gone))] or [UNFINISHED]
        self._clear(file.path for file in files)
        self._current.add(number)
        if own := [file.path for file in edited if is_of_level(file.path, output.path)]:
            self._with_edits.setdefault(output.path, []).extend(own)  # of several formats
        return []

    def staying(self, outputs: Iterable[Output]) -> list[str]:
        """Return the files of these outputs that are not as wanted, because of a person's edits."""
        return sorted({path for output in outputs for path in self._with_edits.get(output.path, ())})

    def _why_gone(self, file: WrittenFile) -> str:
        if not os.path.lexists(self.root / file.path):
            return MISSING
        return UNFINISHED if self._stands(*file[:4]) else BY_HAND

    def _serves(self, file: WrittenFile) -> bool:
        if file.once:
            is_merged = self._edits == "merge" and self.state.stay(file.path)
            return not is_merged and os.path.lexists(self.root / file.path)
        as_wanted = file.wanted == file.digest and file.pending is None
        return as_wanted and self._stands(file.path, file.size, file.mtime_ns, file.digest)

    def _stays(self, file: WrittenFile) -> bool:
        """Return whether a file is still what the last build left because of a person's edits."""
        wanted, digest, is_merged = self.state.stay(file.path) or (None, None, False)
        is_asked = self._edits == "keep" or (self._edits == "merge" and is_merged)
        return is_asked and wanted == file.wanted and self.digest_of(file.path) == digest

    def _stands(self, path: str, size: int, mtime_ns: int, wanted: bytes | None) -> bool:
        """Return whether a file is as written. Its bytes are read only if size or time has changed."""
        try:
            status = (self.root / path).stat()
        except (OSError, ValueError):  # ValueError: a bad path in a damaged state
            return False
        if not stat.S_ISREG(status.st_mode) or status.st_size != size or wanted is None:
            return False
        if status.st_mtime_ns == mtime_ns:
            return True
        if self.digest_of(path) != wanted:
            return False
        self.state.settle(path, size, status.st_mtime_ns, wanted)
        return True

    def digest_of(self, path: str | Path) -> bytes | None:
        """Compute the digest of a regular file's content, or None if the file is missing."""
        return digest_of_file(self.root / path)

    def merged(self, task: Task, result: Made) -> list[MergedOutput]:
        """Merge what people changed in the files of a level into it, if this is asked for."""
        paths = {output.path for output in result.files}
        if self._edits != "merge" or not any(map(self._is_touched, paths)):
            return []
        from exporters.builder.merged import merged_outputs

        return list(merged_outputs(task, level_of(task, result), result.files, self._written))

    def _is_touched(self, path: str) -> bool:
        """Check whether a file of a level is not as a build wrote it, or has a person's edits."""
        place = self.root / path
        if not place.parent.is_dir():
            return False
        name = escape(place.name)
        files = (*place.parent.glob(f"{name}.*"), *place.parent.glob(f"{name}_edit.*"), *place.glob("*"))
        known = [file.relative_to(self.root).as_posix() for file in files if file.is_file()]
        return any(
            self.state.ours(key_of(file, edited=True)).digest
            or self.digest_of(file) not in self.state.ours(file)[3:]
            for file in known
        )

    def changed_by_hand(self, outputs: Iterable[Output]) -> Iterator[EditedFile]:
        """Yield the files of some outputs that people have changed since a build wrote them."""
        by_path = {ours.path: ours for output in outputs for ours in self.state.compared(output)}
        for path, ours in by_path.items():
            if not os.path.lexists(self.root / path) or self._stands(*ours[:4]):
                continue
            if not self._is_ours(self.root / path, ours):
                yield EditedFile(Path(), path, "refused")

    def _is_ours(self, file: Path, ours: Ours) -> bool:
        known = {ours.digest, ours.pending}
        return file.is_file() and (digest_among(file, known) in known or is_as_written(file))

    # --- saved levels --------------------------------------------------------------------------------------

    def saved(self, key: bytes) -> Saved | None:
        """Return a level that was made before."""
        known = self.state.level(key)
        return Saved(self._level_path(key), known) if known else None

    def all_saved(self) -> Iterator[Saved]:
        """Yield all saved levels, those of other versions among them."""
        return (saved for key in self.state.levels() if (saved := self.saved(key)))

    def save_level(self, key: bytes, packed: bytes) -> None:
        """Save a level, so that it can be exported again. Raises UndercroftError if it cannot be written."""
        if self._dry_run:
            return
        path, temporary = self._level_path(key), self.begun()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(packed)  # no flush: it can be made again
            temporary.replace(path)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            raise unwritable(path, error) from None
        self.state.keep_level(key, digest_of_bytes(packed))

    def _level_path(self, key: bytes) -> Path:
        return self._home / "levels" / key[:1].hex() / f"{key.hex()}.json.gz"

    # --- writing -------------------------------------------------------------------------------------------

    def begun(self) -> Path:
        """Return a path for a temporary file. The next build removes it if it is still there."""
        return TemporaryFiles(self._temporary).path(self._home)

    def _clear(self, paths: Iterable[str]) -> None:
        if not self._dry_run:
            clear_folders(self.root, paths)

    def store(
        self,
        files: Mapping[Output, Sequence[BuiltFile]],
        moved: Mapping[str, Path] | None = None,
        fingerprint: str = "",
        merged: Sequence[MergedOutput] = (),
    ) -> Stored:
        """Write the files of outputs, and record that they are done. `moved`: files ready to be moved.

        `fingerprint` is that of their level. `merged` has the levels with what people changed in them, whose
        files are written instead of the outputs' own.

        Raises MissingBytesError, BadInput if another level has a file of that name with other content, and
        UndercroftError if a file cannot be written, or a person's changes forbid it. Then nothing is
        recorded.
        """
        by_path = {file.path: file for batch in files.values() for file in batch}
        self._clear(by_path)
        self._refuse_rivals(files, by_path.values())
        conflicts = [line for item in merged for line in item.merge.conflicts]
        if conflicts:
            raise UndercroftError(conflicts[0])
        stems = {item.stem for item in merged}
        levels = {
            f"{output.path}{LEVEL}": fingerprint
            for output in files
            if fingerprint and output.path not in stems
        }
        formats: dict[str, set[str]] = {}
        for output in files:
            formats.setdefault(output.path, set()).add(output.format)
        planner = Planner(
            self.root,
            self._written,
            self._edits,
            guarded=self._guarded,
            levels=levels,
            asides=[f"{item.below}{path}" for item in merged for path in item.merge.asides],
            lost={f"{item.stem}{LEVEL}": item.merge.lost for item in merged},
            known=lambda path, file: any(item.merge.is_ours(path, file) for item in merged),
            taken={path: each for item in merged for path, each in item.placed(item.merge.taken).items()},
            bases={path: data for item in merged for path, data in item.placed(item.merge.bases).items()},
            formats=formats,
        )
        with_edits = {wanted.path: wanted for item in merged for wanted in item.wanted()}
        wanted = [
            Wanted(built.path, built.digest, built.data, None, built.once)
            for built in by_path.values()
            if built.path not in with_edits
        ]
        joined = planner.prepare([*wanted, *with_edits.values()])
        for file_with_edits in with_edits.values():
            planner.add(file_with_edits)
        for file in by_path.values():
            if file.path in with_edits:
                continue
            may_go = file.once and self._edits == "replace"
            if self._is_there(file) and file.path not in joined and not may_go:
                planner.leave(file.path)
                continue
            source = (moved or {}).get(file.path)
            if file.data is None and source is None:
                raise MissingBytesError(file.path)
            planner.add(Wanted(file.path, file.digest, file.data, source, file.once))
        plan = planner.done()
        check_unchanged(item.merge for item in merged)
        if plan.refused:
            raise UndercroftError(plan.refused[0]._replace(root=Path()).message())
        former = next(filter(None, map(self._former, files)), "")

        def note() -> None:
            if self._dry_run is None:
                for item in merged:
                    note_merge(self._written, item.stem, item.merge)
            if self._dry_run is None and not any(item.merge.problems for item in merged):
                self._note_stays([file for path, file in by_path.items() if path not in plan.settled])
            self._note(files, by_path, plan, fingerprint)

        plan = self._committed(plan, note)
        changes = [change._replace(root=Path()) for change in plan.changes]
        said = [line for item in merged for line in (*item.merge.notes, *item.merge.lost)]
        said += [f"{path}: {LISTS}" for path in plan.listings]
        said += lines_about(plan.former, formats)
        problems = [line for item in merged for line in item.merge.problems]
        stays = [change.path for change in plan.changes if change.level]
        kept = [stem for stem in formats if any(is_of_level(path, stem) for path in stays)]
        left = {*plan.written, *(path for path in by_path if any(is_of_level(path, each) for each in kept))}
        stale = self._stale_files(by_path, left)
        return Stored(former, plan.written, plan.removed, changes, plan.stay, stale, said, problems)

    def _note(
        self,
        outputs: Mapping[Output, Sequence[BuiltFile]],
        by_path: Mapping[str, BuiltFile],
        plan: WritePlan,
        fingerprint: str,
    ) -> None:
        """Record that outputs are done."""
        self.state.intend((path, file.digest) for path, file in by_path.items() if file.once)
        for output, needs in outputs.items():
            claims = [(built.path, built.digest, built.once) for built in needs]
            own = (change for change in plan.changes if is_of_level(change.path, output.path))
            stays = any(change.level for change in own)
            number = self.state.finish(output, claims, fingerprint, self._used(output) if stays else ())
            self._seen.add(number)
            self._current.add(number)
            path = f"{output.path}{LEVEL}"
            is_theirs = path in plan.stay or path not in by_path
            if not stays:
                self.state.note_output(output, said_in(self.root / path) if is_theirs else None)

    def _used(self, output: Output) -> list[str]:
        """List the existing files of an output, which a level that stays goes on using."""
        known = self.state.output(output)
        files = self.state.files_of(known[0]) if known else []
        return [file.path for file in files if os.path.lexists(self.root / file.path)]

    def _note_stays(self, files: Sequence[BuiltFile]) -> None:
        """Record what stands in place of files because of a person's edits."""
        is_merged = self._edits == "merge"
        left = [file for file in files if not file.once and not self._is_there(file)]
        for file in [*left, *(file for file in files if file.once and left and is_merged)]:
            self.state.note_stay(file.path, file.digest, self.digest_of(file.path), is_merged=is_merged)

    def _former(self, output: Output) -> str:
        """Return the fingerprint of the level that an output showed. Empty if not known."""
        known = self.state.output(output)
        if not known or (fingerprint := self.state.made(known[0])[1]):
            return fingerprint if known else ""
        path = f"{output.path}{LEVEL}"  # an older version recorded none
        digest = self.state.ours(path).digest
        level = level_as_written(self.root / path) if digest and self.digest_of(path) == digest else None
        return level.fingerprint if level else ""

    def _committed(self, plan: WritePlan, note: Callable[[], None]) -> WritePlan:
        """Do what is planned, `note` it, and return what was done; in a dry run, only in the copy."""
        if self._dry_run is None:
            self._folders |= commit(plan, self._written, self._temporary, also=note)
            return plan
        plan = self._dry_run.remaining(plan)
        with self.state.step():
            self._written.intend([*plan.offered.items(), *plan.merged.items(), *plan.settled.items()])
            note()
        return plan

    def _stale_files(self, by_path: Mapping[str, BuiltFile], left: Container[str]) -> list[StaleFile]:
        begun = [path for path, file in by_path.items() if file.once and path not in left]
        if not begun:
            return []
        new = {path: file.data for path, file in by_path.items() if file.data is not None}
        as_begun = {path for path in begun if self.digest_of(path) == by_path[path].digest}
        return list(stale_files(self.root, [path for path in begun if path not in as_begun], new))

    def _is_there(self, file: BuiltFile) -> bool:
        """Return whether a file is known to be on disk already."""
        if self._dry_run and self._dry_run.has(self.root / file.path, file.digest):
            return True
        if file.once:
            return os.path.lexists(self.root / file.path)
        ours = self.state.ours(file.path)
        return ours.digest == file.digest and ours.pending is None and self._stands(*ours[:4])

    def _refuse_rivals(self, outputs: Iterable[Output], files: Iterable[BuiltFile]) -> None:
        own = {row[0] for row in map(self.state.output, outputs) if row}
        for file in files:
            for number, path, wanted in self.state.rivals(file.path):
                if number in own or number not in self._current or wanted is None:
                    continue
                if path != file.path or wanted != file.digest:
                    owner = self.state.name_of(number)
                    problem = f"belongs to {owner} too, with other content; give the two different folders"
                    raise BadInput(f"{file.path} {problem}")

    # --- files that the manifest no longer asks for ------------------------------------------------------

    def leftovers(self) -> list[Ours]:
        """List the existing files of outputs that the finished build did not include."""
        self.state.forget(self._seen)
        left = []
        with self.state.step():
            for ours in self.state.unclaimed():
                if path_of(ours.path) != ours.path:  # of an edited level; no output claims those
                    continue
                is_removed = self._dry_run and self._dry_run.has(self.root / ours.path, REMOVED)
                gone = is_removed or not os.path.lexists(self.root / ours.path)
                if gone or (ours.digest is None and self.digest_of(ours.path) != ours.pending):
                    self.state.drop(ours.path)  # or never written, because a person's file was there
                else:
                    left.append(ours)
        return left

    def is_unmerged(self, path: str) -> bool:
        """Check whether a leftover has a person's changes that a merge was to take over, but did not."""
        if self._edits != "merge" or self._written.is_as_written(path):
            return False
        from exporters.edits.merging import is_changed

        written = self._written.last_written(path)
        return written is None or is_changed(path, written, (self.root / path).read_bytes())

    def prune(self, ours: Ours) -> None:
        """Remove a leftover that `can_prune` allows, and then its folder too, if that is empty."""
        path = self.root / ours.path
        if self._dry_run:
            self._dry_run.count_in([path])
            return
        self._written.note_removed(ours.path, path)
        try:
            path.unlink()
        except OSError as error:
            raise UndercroftError(f"{path}: cannot be removed: {error.strerror}") from None
        self.state.drop(ours.path)
        for folder in path.relative_to(self.root).parents[:-1]:
            try:
                (self.root / folder).rmdir()
            except OSError:  # not empty
                break

    def prune_levels(self, wanted: Container[bytes]) -> None:
        """Remove saved levels whose keys are not in `wanted`."""
        if self._dry_run:
            return
        for key in self.state.levels():
            if key not in wanted:
                self._level_path(key).unlink(missing_ok=True)
                self.state.drop_level(key)
