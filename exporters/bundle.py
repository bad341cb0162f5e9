"""Files in memory, and how they get into a folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from generator.errors import UndercroftError

if TYPE_CHECKING:
    from exporters.edits.plan import Wanted

_NOT_IN_PATHS = re.compile(r"[\\:\x00-\x1f\x7f]")  # Windows' folders and drives; nobody's file names


class Bundle(Mapping[str, bytes]):
    """Relative POSIX paths and their bytes, in order.

    Some files are only begun here, for a person to go on with: they are written `once`, and never again.
    `notes` are lines for whoever asked for the files.
    """

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self._files: dict[str, bytes] = {}
        self._guarded: list[Path] = []
        self._once: set[str] = set()
        self._moved: dict[str, Path] = {}
        self.notes: list[str] = []
        for path, data in (files or {}).items():
            self.add(path, data)

    def add(self, path: str, data: bytes, *, once: bool = False) -> None:
        """Add a file. ValueError if its path leaves the folder, or another content has it already."""
        _refuse_odd(path)
        if self._files.setdefault(path, data) != data:
            raise ValueError(f"{path!r} is in the bundle already, with other content")
        if once:
            self._once.add(path)

    def move(self, path: str, source: Path) -> None:
        """Have a large file moved here that lies ready in the same file system. It is no item."""
        _refuse_odd(path)
        self._moved[path] = source

    def update(self, other: Mapping[str, bytes]) -> None:
        """Add all files of another bundle."""
        once = other._once if isinstance(other, Bundle) else ()
        self.notes += other.notes if isinstance(other, Bundle) else ()
        for path, data in other.items():
            self.add(path, data, once=path in once)

    def __getitem__(self, path: str) -> bytes:
        return self._files[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def guard(self, paths: Iterable[Path]) -> None:
        """Name files that must not be changed: what the bundle was made from."""
        self._guarded += [path.resolve() for path in paths]

    @property
    def guarded(self) -> list[Path]:
        """The files that must not be changed."""
        return list(self._guarded)

    def is_begun(self, path: str) -> bool:
        """Whether a file is written `once` only."""
        return path in self._once

    def wanted(self) -> Iterator[Wanted]:
        """All files as the plan of a write takes them, those that are moved first. OSError for such a one."""
        from exporters.edits.digests import digest_of_bytes, digest_of_ready
        from exporters.edits.plan import Wanted

        for path, source in self._moved.items():
            yield Wanted(path, digest_of_ready(source), None, source)
        for path, data in self._files.items():
            yield Wanted(path, digest_of_bytes(data), data, once=path in self._once)

    def write(self, folder: str | os.PathLike[str], edits: str | None = "keep") -> list[Path]:
        """Write every file below `folder`, and return the paths that stand there with what is new.

        All are written beside their targets first, flushed to disk, and then renamed over them, so that no
        half file is ever seen and a full disk keeps what was there. A file that holds the same bytes already
        is left untouched, so that programs which watch it do not import it again. Of a link it is the file
        that it leads to that is replaced, if that lies in `folder` too.

        A file that somebody changed since it was written is not written over. With `edits` "keep" the new one
        is put beside it; "merge" joins the two; "replace" puts theirs aside; "fail" writes nothing. A warning
        tells it. None writes over everything, and keeps no record in the folder's `.undercroft`.

        Raises UndercroftError if anything cannot be written, or with "fail", and BadInput if what `guard`
        names would change.
        """
        from warnings import warn

        from exporters.edits.writing import write

        outcome = write(self, Path(folder), edits)
        lines = [change.said() for change in outcome.changes]
        if outcome.refused:
            raise UndercroftError(lines[0] + (f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""))
        for line in (*outcome.notes, *lines):
            warn(line, stacklevel=2)
        return outcome.paths


def _refuse_odd(path: str) -> None:
    pure = PurePosixPath(path)
    plain = str(pure) == path and pure.name and not pure.is_absolute() and ".." not in pure.parts
    if not plain or _NOT_IN_PATHS.search(path):
        raise ValueError(f"{path!r} is no path inside a folder")
