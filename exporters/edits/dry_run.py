"""A dry run: writes are planned as always, with copies of the folders' records, and nothing is written."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from exporters import durable
from exporters.edits.digests import digest_of_bytes, digest_of_ready
from exporters.edits.plan import WritePlan, WriteStep, seen
from exporters.edits.state import DATABASES, path_of
from generator.errors import UndercroftError

REMOVED = b""  # in place of a digest


class DryRun:
    """The dry run of one command, which may plan several writes.

    What an earlier plan would have written already is not planned again.
    """

    def __init__(self) -> None:
        self._temporary: TemporaryDirectory[str] | None = None
        self._records: dict[Path, Path] = {}  # a store's folder, and its copy
        self._planned: dict[int, bytes] = {}  # digests, by the hash of a file's path
        self._changed: set[int] = set()
        self.has_begun = False  # whether a command came so far that it would write

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *rest: object) -> None:
        if self._temporary:
            self._temporary.cleanup()

    @property
    def folder(self) -> Path:
        """A folder for temporary files, made when first asked for. Raises UndercroftError."""
        if self._temporary is None:
            try:
                self._temporary = TemporaryDirectory(prefix="undercroft-")
            except OSError as error:
                raise UndercroftError(f"no temporary folder can be made: {error.strerror}") from None
        return Path(self._temporary.name)

    @property
    def count(self) -> int:
        """The number of files that would be written or removed."""
        return len(self._changed)

    def record_of(self, home: Path) -> Path:
        """Return a folder with copies of the databases in a store's folder. Raises OSError."""
        self.has_begun = True
        if home not in self._records:
            copy = self.folder / str(len(self._records))
            copy.mkdir()
            _copy_databases(home, copy)
            self._records[home] = copy
        return self._records[home]

    def has(self, path: Path, digest: bytes) -> bool:
        """Return whether a file would have this digest by now, according to an earlier plan."""
        return self._planned.get(hash(path)) == digest

    def remaining(self, plan: WritePlan) -> WritePlan:
        """Return a plan without what earlier ones do, and count it in from now on.

        Raises UndercroftError if a file is in the place of a folder.
        """
        self.has_begun = True
        if plan.refused:
            return plan
        for step in plan.steps:
            _refuse_below_file(plan.root / step.path, step.target.parent)
        changes = [each for each in plan.changes if each.what != "replaced" or not self._is_known(each.file)]
        steps = [step for step in plan.steps if not self._is_planned(plan.root / step.path, _digest(step))]
        stale = [row for row in plan.stale if not self._is_planned(plan.root / row[0], REMOVED)]
        self.count_in(plan.root / path for path in (*(step.path for step in steps), *dict(stale)))
        self._planned |= {hash(plan.root / path_of(key)): digest for key, digest in plan.settled.items()}
        return replace(plan, steps=steps, stale=stale, changes=changes)

    def count_in(self, paths: Iterable[Path]) -> None:
        """Count files that would be written or removed."""
        self._changed.update(map(hash, paths))

    def _is_known(self, path: Path) -> bool:
        return hash(path) in self._planned

    def _is_planned(self, path: Path, digest: bytes) -> bool:
        is_planned = self.has(path, digest)
        self._planned[hash(path)] = digest
        return is_planned


def _digest(step: WriteStep) -> bytes:
    if step.source:
        return digest_of_ready(step.source)
    assert step.data is not None
    return digest_of_bytes(step.data)


def _copy_databases(home: Path, copy: Path) -> None:
    """Copy the databases with their logs, again if another run wrote to one meanwhile. Raises OSError."""
    databases = [home / name for name in DATABASES]
    while True:
        before = [seen(file) for file in databases]
        for file in databases:
            for part in (file, file.with_name(f"{file.name}-wal")):
                (copy / part.name).unlink(missing_ok=True)
                with suppress(FileNotFoundError):
                    shutil.copyfile(part, copy / part.name)
        if before == [seen(file) for file in databases]:
            return


def _refuse_below_file(path: Path, folder: Path) -> None:
    """Raise UndercroftError if a file's folder is a file, or would be made in one."""
    while not os.path.lexists(folder):
        folder = folder.parent
    if not folder.is_dir():
        raise durable.unwritable(path, OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)))
