"""What a plan of a write is made of: what is wanted, what was seen, the steps, and what becomes known."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from exporters.edits.changes import EditedFile


class Wanted(NamedTuple):
    """A file that is to stand in the folder: its bytes, or a large file that lies ready to be moved there.

    One that is written `once` is a person's from then on, whatever it holds.
    """

    path: str
    digest: bytes
    data: bytes | None
    source: Path | None = None
    once: bool = False


class Seen(NamedTuple):
    """A file as it was when the plan was made; all zero if there was none."""

    mtime_ns: int = 0
    size: int = 0
    inode: int = 0


class WriteStep(NamedTuple):
    """One file that is written: some bytes, or a file that is moved, or copied to be kept aside."""

    path: str
    target: Path
    before: Seen
    data: bytes | None = None
    source: Path | None = None
    aside_of: str = ""  # it is a copy of this file, made before that is replaced


@dataclass
class WritePlan:
    """What a commit does. Paths are relative to the folder `root`."""

    root: Path
    steps: list[WriteStep] = field(default_factory=list)
    settled: dict[str, bytes] = field(default_factory=dict)  # stand as ours afterwards, by digest
    merged: dict[str, bytes] = field(default_factory=dict)  # stand with a person's changes to this
    offered: dict[str, bytes] = field(default_factory=dict)  # a person's stays, and this was put beside it
    bytes_of: dict[str, bytes] = field(default_factory=dict)  # of all three
    changes: list[EditedFile] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # begun once, and a person's by now
    stale: list[tuple[str, bytes]] = field(default_factory=list)  # offered before, and needless now
    folders: set[Path] = field(default_factory=set)

    @property
    def refused(self) -> list[EditedFile]:
        """The changes for which nothing may be written."""
        return [change for change in self.changes if change.what == "refused"]

    @property
    def paths(self) -> list[str]:
        """The files that stand with what is new when it is done: the wanted ones first."""
        return [each for each in self._wanted if each not in self.offered and each not in self.kept] + [
            step.path for step in self.steps if step.path not in self._wanted
        ]

    _wanted: dict[str, None] = field(default_factory=dict)


def seen(target: Path) -> Seen:
    """A file as it is now."""
    try:
        found = target.stat()
    except (FileNotFoundError, NotADirectoryError):
        return Seen()
    return Seen(found.st_mtime_ns, found.st_size, found.st_ino)
