"""Take the last write into a folder back: its files, and the rows of the folder's record.

    checked    each file holds what the write put there, or already what was there before; else it is refused
    marked     the step is being taken back, and the old files are known to be ours, if they were
    moved      old files over the new ones, new ones removed; folders flushed
    restored   the rows of the record, and the step is forgotten

After a kill between any two of these, the next undo goes on where this one stopped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from exporters import durable
from exporters.edits.commit import flush_folders
from exporters.edits.digests import digest_of_file
from exporters.edits.merging import is_changed, standing
from exporters.edits.places import MINE, beside, target_of
from exporters.edits.plan import Seen, seen
from exporters.edits.state import key_of
from exporters.edits.step_rows import StepFile
from exporters.edits.steps import bring_back, remove_folder
from exporters.edits.store import WrittenStore, stores_above
from generator.errors import BadInput, UndercroftError
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from exporters.edits.dry_run import DryRun


class Undone(NamedTuple):
    """What an undo did: files brought back and removed, and a person's files, by their new names."""

    restored: list[Path]
    removed: list[Path]
    aside: dict[Path, Path]


class _Move(NamedTuple):
    """A file to bring back, or to remove if nothing is `kept`. A person's is moved `aside` first."""

    file: StepFile
    target: Path
    now: Seen
    kept: Path | None
    aside: str = ""


def undo(folder: Path, edits: str = "fail", dry_run: DryRun | None = None) -> Undone:
    """Take back the last write into a folder, as its record or that of a folder above it has it.

    With `edits` "replace", files that a person changed since are put aside. Raises UndercroftError if one was
    changed, if what was there before was not kept, and if there is nothing to take back; then no file is
    touched.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: there is no such folder; give one that levels were written to")
    for root, below in stores_above(folder):
        with WrittenStore.opened(root, dry_run) as store:
            if store.state is None or store.state.lost:
                raise UndercroftError(store.note)
            if store.taken_back:
                return Undone(store.taken_back, [], {})
            undone = _Undo(root, below, store, edits, dry_run).last()
        if undone:
            restored, removed, aside = undone

            def seen_from_here(path: str, below: str = below) -> Path:
                return folder / path.removeprefix(below)

            return Undone(
                [*map(seen_from_here, restored)],
                [*map(seen_from_here, removed)],
                {seen_from_here(path): seen_from_here(name) for path, name in aside.items()},
            )
    raise UndercroftError(f"{folder}: there is nothing to take back")


class _Undo:
    """An undo in the folder of a record. `below` is the way to the folder that it is asked for."""

    def __init__(
        self, root: Path, below: str, store: WrittenStore, edits: str, dry_run: DryRun | None
    ) -> None:
        assert store.state and store.steps
        self._root, self._below, self._store = root, below, store
        self._edits, self._dry_run = edits, dry_run
        self._state, self._steps, self._rows = store.state, store.steps, store.steps.rows

    def last(self) -> tuple[list[str], list[str], dict[str, str]] | None:
        """Take back the last step that changed a file. Returns None if there is none."""
        while last := self._rows.last():
            step, is_begun = last
            files = self._rows.files(step)
            if self._below:
                self._refuse_others(files)
            moves = list(self._moves(step, files))
            if moves and self._dry_run:
                self._dry_run.has_begun = True
                self._dry_run.count_in(self._root / move.file.path for move in moves)
            elif moves:
                self._mark(step, moves)
                self._move(moves)
            self._restore(step, files)
            if moves or is_begun:
                done = files if is_begun else [move.file for move in moves]
                return (
                    [file.path for file in done if file.before is not None],
                    [file.path for file in done if file.before is None],
                    {move.file.path: move.aside for move in moves if move.aside},
                )
        return None

    def _refuse_others(self, files: list[StepFile]) -> None:
        """Refuse a step that changed files outside the folder, because it is taken back as a whole."""
        for file in files:
            if not file.path.startswith(self._below):
                other = self._root / file.path
                raise UndercroftError(
                    f"{self._root / self._below}: the last write into {self._root} also changed {other}; "
                    f"use undercroft undo {self._root}"
                )

    def _moves(self, step: int, files: list[StepFile]) -> Iterator[_Move]:
        """Yield what is to be done. Raises UndercroftError for a file that cannot be taken back."""
        for file in files:
            path = self._root / file.path
            target = target_of(self._root, file.path)
            now = seen(target)
            digest = digest_of_file(target) if now != Seen() else None
            if digest == file.before and (now == Seen()) == (file.before is None):
                continue
            kept = self._steps.kept(step, file.number) if file.before is not None else None
            if kept and (not file.before or digest_of_file(kept) != file.before):
                raise UndercroftError(f"{path}: what was there before was not kept, so nothing is taken back")
            is_a_persons = now != Seen() and digest not in file.given and self._is_changed(file.path)
            if is_a_persons and self._edits != "replace":
                raise UndercroftError(
                    f"{path}: was changed since it was written, so nothing is taken back; "
                    "--edits replace puts it aside"
                )
            yield _Move(file, target, now, kept, self._aside(file.path, digest) if is_a_persons else "")

    def _is_changed(self, path: str) -> bool:
        """Check whether a person changed a file, and not only a program saved it again in its own way."""
        written, now = self._store.last_written(path), standing(self._root, path)
        return written is None or now is None or is_changed(path, written, now)

    def _aside(self, path: str, digest: bytes | None) -> str:
        return beside(self._root, path, MINE, lambda name: digest_of_file(self._root / name) == digest)

    def _mark(self, step: int, moves: list[_Move]) -> None:
        """Record that the step is being taken back, and that the old files are ours where they were."""
        ours = [
            (key, before)
            for file in (move.file for move in moves)
            if (before := file.before)
            for key in _keys(file.path)
            if before in self._rows.former_digests(step, key)
        ]
        with self._store.transaction():
            self._rows.mark(step)
            self._state.intend(ours)

    def _move(self, moves: list[_Move]) -> None:
        """Move the files. Raises UndercroftError."""
        folders: set[Path] = set()
        for move in sorted(moves, key=lambda move: move.kept is None):  # nothing is removed before
            path = self._root / move.file.path
            try:
                if seen(move.target) != move.now:
                    raise UndercroftError(f"{path}: was changed during this run; run this again")
                folders.update(durable.make_folder(move.target.parent))
                if move.aside:
                    move.target.replace(self._root / move.aside)
                if move.kept:
                    bring_back(move.kept, move.target)
                elif move.now != Seen() and not move.aside:
                    move.target.unlink()
                folders.add(move.target.parent)
            except OSError as error:
                raise durable.unwritable(path, error) from None
        for move in moves:
            if move.kept is None:
                self._remove_empty(move.target.parent)
        flush_folders({folder for folder in folders if folder.is_dir()})

    def _remove_empty(self, folder: Path) -> None:
        root = Path(os.path.realpath(self._root))
        with suppress(OSError):  # not empty
            while folder != root and root in folder.parents:
                folder.rmdir()
                folder = folder.parent

    def _restore(self, step: int, files: list[StepFile]) -> None:
        with self._store.transaction():
            self._rows.restore(step)
        if self._dry_run:
            return
        self._store.restore_contents(step, (key for file in files if file.before for key in _keys(file.path)))
        remove_folder(self._steps.kept(step, 0).parent)


def _keys(path: str) -> Iterator[str]:
    """Yield the keys under which a file may be recorded."""
    yield from (key_of(path, edited) for edited in (False, True))
