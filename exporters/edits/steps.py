"""What a write replaces or removes is kept in the record first, so that it can be taken back.

    OUT/.undercroft/undo/12/345    what was at the place of file 345 of step 12: a second name of the old file

A write puts a new file in the place of the old one and never writes into it, so a second name keeps what was
there, with its time and its mode. It takes no time and no space until the old file is replaced. On a file
system without such names, the file is copied. If either fails, the write goes on: undo then says that it
cannot bring this file back.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from exporters.durable import TemporaryFiles, flush
from exporters.edits.digests import digest_of_file
from exporters.edits.places import target_of
from exporters.edits.plan import Seen
from exporters.edits.step_rows import StepRows
from generator.named_tuple import NamedTuple

MOST_BYTES = 1 << 28  # kept by all steps together
_COMMAND: ContextVar[bytes | None] = ContextVar("command", default=None)


class FileChange(NamedTuple):
    """A file that is about to be written or removed, and the digest of what will be there."""

    path: str
    target: Path
    before: Seen
    after: bytes


@contextmanager
def one_step() -> Iterator[None]:
    """Make all writes into one folder a single step, which is taken back as a whole."""
    mark = _COMMAND.set(_COMMAND.get() or os.urandom(8))
    try:
        yield
    finally:
        _COMMAND.reset(mark)


class Steps:
    """The steps of a folder. A connection to its state makes at most one."""

    def __init__(self, home: Path, rows: StepRows) -> None:
        self.rows, self._folder = rows, home / "undo"
        self.current: int | None = None
        self._room = MOST_BYTES

    def note(self, changes: Iterable[FileChange]) -> list[tuple[Path, Path]]:
        """Record changes in the current step, which begins with the first. Returns what is to be kept, where.

        Runs in a transaction of the state.
        """
        kept = []
        for change in changes:
            if self.current is None:
                self.current, is_new = self.rows.begin(_COMMAND.get() or os.urandom(8))
                if is_new:
                    remove_folder(self._folder / str(self.current))
                else:
                    self._room -= self.rows.sizes()[self.current]
            size, before = change.before.size, None
            if change.before != Seen():
                before = (digest_of_file(change.target) if size <= self._room else None) or b""
            number = self.rows.note(self.current, change.path, before, change.after, size if before else 0)
            if before and number is not None:
                self._room -= size
                kept.append((change.target, self.kept(self.current, number)))
        return kept

    def unfinished_moves(self, root: Path) -> list[tuple[Path | None, Path]] | None:
        """List what takes back a write that was not finished: kept files and their places.

        A new file has None in place of a kept one. Empty if somebody changed a file since, or if one was not
        kept. None if there is no such write.
        """
        unfinished = self.rows.unfinished()
        if unfinished is None:
            return None
        step, files = unfinished
        moves: list[tuple[Path | None, Path]] = []
        for file in files:
            target = target_of(root, file.path)
            digest = digest_of_file(target)
            if digest == file.before:
                continue
            kept = self.kept(step, file.number) if file.before is not None else None
            if digest not in file.given or (kept and digest_of_file(kept) != file.before):
                return []
            moves.append((kept, target))
        return moves

    def kept(self, step: int, number: int) -> Path:
        """Return the path at which a file of a step is kept."""
        return self._folder / str(step) / str(number)

    def remove_unknown(self) -> None:
        """Remove what is kept for steps that were forgotten. What cannot be removed stays."""
        known = {str(step) for step in self.rows.sizes()}
        with suppress(OSError):
            for folder in list(self._folder.iterdir()):
                if folder.name not in known:
                    remove_folder(folder)


def remove_folder(folder: Path) -> None:
    """Remove what is kept for a step. What cannot be removed stays."""
    with suppress(OSError):
        for path in list(folder.iterdir()):
            path.unlink()
        folder.rmdir()


def bring_back(kept: Path, target: Path) -> None:
    """Move a kept file to its place, or copy it from another file system. Raises OSError."""
    try:
        kept.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        import shutil  # takes long to import, and few files are copied

        with TemporaryFiles() as begun:
            temporary = begun.path(target.parent)
            shutil.copyfile(kept, temporary)
            shutil.copystat(kept, temporary)
            flush([temporary])
            temporary.replace(target)


def keep(files: Iterable[tuple[Path, Path]]) -> None:
    """Give files a second name, or copy them."""
    for target, kept in files:
        with suppress(OSError):
            kept.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(target, kept)
            except OSError:
                import shutil  # takes long to import, and few files are copied

                shutil.copyfile(target, kept)
                shutil.copystat(target, kept)
