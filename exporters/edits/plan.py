"""The parts of a write's plan: the wanted files, the files found, the steps, and what is recorded."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from exporters.edits.changes import EditedFile
from exporters.edits.digests import digest_of_bytes
from exporters.edits.state import key_of, path_of
from exporters.exported import LEVEL
from generator.named_tuple import NamedTuple

LISTS = "lists what has no place in the new level"  # said of such a file, after its name


class Wanted(NamedTuple):
    """A file that the folder should contain: its bytes, or a large file that is ready to be moved there.

    A file written `once` belongs to the person from then on. `edited`: it comes from a level that a person
    has edited.
    """

    path: str
    digest: bytes
    data: bytes | None
    source: Path | None = None
    once: bool = False
    edited: bool = False

    @property
    def key(self) -> str:
        """The file's key in the store, empty if it is not recorded."""
        return "" if self.edited and self.path.endswith(LEVEL) else key_of(self.path, self.edited)

    def with_data(self, data: bytes) -> Self:
        """Return the same file with other content."""
        return self._replace(data=data, digest=digest_of_bytes(data))


class Seen(NamedTuple):
    """A file as it was when the plan was made, all zero if it did not exist."""

    mtime_ns: int = 0
    size: int = 0
    inode: int = 0


class WriteStep(NamedTuple):
    """One file to write: from bytes, by a move, or as a copy kept aside."""

    path: str
    target: Path
    before: Seen
    data: bytes | None = None
    source: Path | None = None
    aside_of: str = ""  # the file that this is a copy of, made before it is replaced


@dataclass
class WritePlan:
    """What a commit does. Paths are relative to the folder `root`. Digests and bytes have store keys."""

    root: Path
    steps: list[WriteStep] = field(default_factory=list)
    settled: dict[str, bytes] = field(default_factory=dict)  # ours afterwards, by digest
    merged: dict[str, bytes] = field(default_factory=dict)  # this version with a person's changes merged in
    offered: dict[str, bytes] = field(default_factory=dict)  # put beside a person's file, which stays
    bytes_of: dict[str, bytes] = field(default_factory=dict)  # of all three
    changes: list[EditedFile] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)  # starting points written earlier, now a person's
    stay: list[str] = field(default_factory=list)  # other files of a person, left as they are
    same: list[str] = field(default_factory=list)  # those of them of which there is no new version
    stale: list[tuple[str, bytes]] = field(default_factory=list)  # offered earlier, no longer needed
    former: list[str] = field(default_factory=list)  # stale ones that an earlier export of a level had
    folders: set[Path] = field(default_factory=set)
    listings: list[str] = field(default_factory=list)  # files that list edits without a place in the level

    def digest_of(self, step: WriteStep) -> bytes | None:
        """Return the digest of what a step writes, if it was computed before."""
        for key in (key_of(step.path, edited=False), key_of(step.path, edited=True)):
            digest = self.settled.get(key) or self.merged.get(key)
            if digest and self.bytes_of.get(key) is step.data and not step.source:
                return digest
        return self.settled.get(step.path)

    def take_no_note_of(self, paths: Collection[str]) -> None:
        """Have some files count as a person's after they are written."""
        for noted in (self.settled, self.merged, self.offered):
            for key in [key for key in noted if path_of(key) in paths]:
                del noted[key]

    @property
    def refused(self) -> list[EditedFile]:
        """The changed files that prevent the write."""
        return [change for change in self.changes if change.what == "refused"]

    @property
    def paths(self) -> list[str]:
        """The files that have the new contents afterwards, wanted files first."""
        left = {*self.begun, *self.stay}
        return [path for path in self._wanted if path not in left] + [
            step.path for step in self.steps if step.path not in self._wanted
        ]

    @property
    def written(self) -> list[str]:
        """The files that the steps write, each once."""
        return [*dict.fromkeys(step.path for step in self.steps)]

    @property
    def removed(self) -> list[str]:
        """The files that are no longer needed."""
        return [path for path, _ in self.stale]

    _wanted: dict[str, None] = field(default_factory=dict)


def seen(target: Path) -> Seen:
    """Return a file as it is now."""
    try:
        status = target.stat()
    except (FileNotFoundError, NotADirectoryError):
        return Seen()
    return Seen(status.st_mtime_ns, status.st_size, status.st_ino)
