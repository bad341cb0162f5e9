"""Files in memory, and how they get into a folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from exporters.base import late
from generator.errors import UndercroftError
from generator.pattern import pattern

if TYPE_CHECKING:
    from exporters.edits.plan import Wanted
    from exporters.exported import ExportedLevel
    from exporters.writing import WriteOutcome

_NOT_IN_PATHS = pattern(r"[\\:\x00-\x1f\x7f]")  # separators and drives on Windows, and control characters


class Bundle(Mapping[str, bytes]):
    """Relative POSIX paths and their bytes, in order.

    Some files are starting points for a person's work: they are written `once` and never again. Some are
    `edited`: they contain a person's changes to the level, which cannot be generated again.
    `notes` are lines to show to the user. `exported` says which levels the files show, by the stem of their
    names, and what they were exported with.
    """

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self._files: dict[str, bytes | Callable[[], bytes]] = {}
        self._guarded: list[Path] = []
        self._once: set[str] = set()
        self._edited: set[str] = set()
        self._moved: dict[str, Path] = {}
        self.notes: list[str] = []
        self.exported: dict[str, ExportedLevel] = {}
        for path, data in (files or {}).items():
            self.add(path, data)

    def add(self, path: str, data: bytes, *, once: bool = False) -> None:
        """Add a file. Raises ValueError if its path leaves the folder, or is there with other content."""
        _refuse_odd(path)
        if path in self._files and self[path] != data:
            raise ValueError(f"{path!r} is already in the bundle, with other content")
        self._files[path] = data
        if once:
            self._once.add(path)

    def add_made(self, path: str, make: Callable[[], bytes]) -> None:
        """Add a file that is made when it is read first: a theme's, which a folder mostly has already."""
        if path in self._files:
            self.add(path, make())
        else:
            _refuse_odd(path)
            self._files[path] = cache(make)

    def put(self, path: str, data: bytes) -> None:
        """Add a file or replace its content, even if it was added with `once`."""
        self._files[path] = data
        self._once.discard(path)

    def mark_edited(self, stem: str) -> None:
        """Mark the files of the level with this name as `edited`."""
        self._edited |= {
            path for path in self._files if path.startswith(tuple(f"{stem}{end}" for end in "._/"))
        }

    def move(self, path: str, source: Path) -> None:
        """Add a large file, ready at `source` on the same file system, to be moved. It is not an item."""
        _refuse_odd(path)
        self._moved[path] = source

    def update(self, files: Mapping[str, bytes]) -> None:
        """Add all files of another bundle."""
        once: set[str] = set()
        if isinstance(files, Bundle):
            once = files._once
            self._edited |= files._edited
            self._guarded += files._guarded
            self._moved |= files._moved
            self.notes += [note for note in files.notes if note not in self.notes]
            for stem, level in files.exported.items():
                known = self.exported.get(stem)
                self.exported[stem] = known.joined(level) if known else level
        for path, data in (files._files if isinstance(files, Bundle) else files).items():
            if callable(data):
                self.add_made(path, data)
            else:
                self.add(path, data, once=path in once)

    def only(self, keep: Callable[[str], bool]) -> Bundle:
        """Return the same bundle with only the files, by path, that `keep` accepts."""
        kept = Bundle()
        kept._files = {path: data for path, data in self._files.items() if keep(path)}
        kept._once, kept._edited = self._once & kept.keys(), self._edited & kept.keys()
        kept._guarded, kept.exported, kept.notes = self._guarded, self.exported, [*self.notes]
        kept._moved = {path: source for path, source in self._moved.items() if keep(path)}
        return kept

    def __getitem__(self, path: str) -> bytes:
        data = self._files[path]
        return data() if callable(data) else data

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def guard(self, paths: Iterable[Path]) -> None:
        """Add paths that must not be overwritten: the files that the bundle was made from."""
        self._guarded += [path.resolve() for path in paths]

    @property
    def guarded(self) -> list[Path]:
        """The files that must not be overwritten."""
        return list(self._guarded)

    def is_begun(self, path: str) -> bool:
        """Check whether a file is written `once` only."""
        return path in self._once

    def wanted(self) -> Iterator[Wanted]:
        """Yield all files for the plan of a write, moved ones first. Raises OSError for an unreadable one."""
        from exporters.edits.digests import digest_of_bytes, digest_of_ready
        from exporters.edits.plan import Wanted

        for path, source in self._moved.items():
            yield Wanted(path, digest_of_ready(source), None, source)
        for path, data in self.items():
            yield Wanted(path, digest_of_bytes(data), data, None, path in self._once, path in self._edited)

    def write(self, folder: str | os.PathLike[str], edits: str | None = "keep") -> list[Path]:
        """Write every file below `folder`, and return the paths of the files that now have the new contents.

        All are written beside their targets first, flushed to disk, and then renamed over them, so that no
        incomplete file is ever seen and a full disk loses nothing. A file that already has the same bytes
        is left untouched, so that programs which watch it do not import it again. If a path is a link, the
        file that it leads to is replaced, if that is also in `folder`.

        A file that somebody changed since it was written is not overwritten. With `edits` "keep" all files of
        its level stay, and of a file that levels share the new one is put beside it; "merge" brings the
        changes into the new level; "replace" keeps a copy of the old file; "fail" writes nothing. Each case
        gives a warning. None overwrites everything, and keeps no record in the folder's
        `.undercroft`.

        Raises UndercroftError if a file cannot be written, or with "fail", and BadInput if a file that
        `guard` names would change.
        """
        from warnings import warn

        outcome: WriteOutcome = late("exporters.writing", "write")(self, Path(folder), edits)
        lines = [*outcome.conflicts, *outcome.causes, *(change.message() for change in outcome.changes)]
        if outcome.refused:
            raise UndercroftError(lines[0] + (f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""))
        for line in (*outcome.notes, *lines):
            warn(line, stacklevel=2)
        return outcome.paths


def _refuse_odd(path: str) -> None:
    pure = PurePosixPath(path)
    plain = str(pure) == path and pure.name and not pure.is_absolute() and ".." not in pure.parts
    if not plain or _NOT_IN_PATHS.search(path):
        raise ValueError(f"{path!r} is not a path inside a folder")
