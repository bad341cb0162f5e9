"""What is to be written, and what becomes of the files that a person has changed; nothing is written here.

A file is ours, and is written over without a word, if it holds what we wrote there last, what we offered
beside it last, or the digest of itself. Every other file that differs from the new one is a person's.

What we wrote from a level that a person has edited holds that person's work: it is ours for the next export
of an edited level, and a person's for all that the generator gives. A `level.json` with edits is always a
person's, since it alone has them all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from exporters.edits.changes import EditedFile
from exporters.edits.digests import digest_of_bytes, digest_of_file, digest_of_ready, is_as_written
from exporters.edits.merging import CannotMerge, Merged, merge
from exporters.edits.places import MINE, NEW, beside, names_beside, names_of_conflicts, target_of
from exporters.edits.state import Ours, key_of
from exporters.edits.store import WrittenStore
from generator.errors import BadInput, UndercroftError, one_line

EDITS = ("keep", "merge", "replace", "fail")
_LEVEL = ".level.json"
_MOST_MERGED = 1 << 28  # bytes of a person's file
_MOST_CONFLICTS = 10_000  # lines


class Wanted(NamedTuple):
    """A file that is to stand in the folder: its bytes, or a large file that lies ready to be moved there.

    One that is written `once` is a person's from then on, whatever it holds. `edited`: it is of a level that
    a person has edited.
    """

    path: str
    digest: bytes
    data: bytes | None
    source: Path | None = None
    once: bool = False
    edited: bool = False

    @property
    def key(self) -> str:
        """Where the store notes it; empty if it is not to be noted."""
        return "" if self.edited and self.path.endswith(_LEVEL) else key_of(self.path, self.edited)


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
    """What a commit does. Paths are relative to the folder `root`; digests and bytes have store keys."""

    root: Path
    steps: list[WriteStep] = field(default_factory=list)
    settled: dict[str, bytes] = field(default_factory=dict)  # stand as ours afterwards, by digest
    merged: dict[str, bytes] = field(default_factory=dict)  # stand with a person's changes to this
    offered: dict[str, bytes] = field(default_factory=dict)  # a person's stays, and this was put beside it
    bytes_of: dict[str, bytes] = field(default_factory=dict)  # of all three
    changes: list[EditedFile] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)  # once, and a person's by now
    stay: list[str] = field(default_factory=list)  # other files of a person's that are left as they are
    stale: list[tuple[str, bytes]] = field(default_factory=list)  # offered before, and needless now
    folders: set[Path] = field(default_factory=set)

    @property
    def refused(self) -> list[EditedFile]:
        """The changes for which nothing may be written."""
        return [change for change in self.changes if change.what == "refused"]

    @property
    def paths(self) -> list[str]:
        """The files that stand with what is new when it is done: the wanted ones first."""
        left = {*self.begun, *self.stay}
        return [each for each in self._wanted if each not in left] + [
            step.path for step in self.steps if step.path not in self._wanted
        ]

    _wanted: dict[str, None] = field(default_factory=dict)


class Planner:
    """Makes one plan, file by file."""

    def __init__(
        self,
        root: Path,
        store: WrittenStore,
        edits: str | None,
        *,
        guarded: Iterable[Path] = (),
        known: Callable[[str, Path], bool] = lambda path, file: False,
        inert: bool = False,
        theirs: Mapping[str, bytes] | None = None,
    ) -> None:
        """`edits` is one of EDITS, or None to write over everything.

        `guarded` are files that must not change: what the new ones are made from. `known` tells of a path
        and the file there whether we wrote it, where somebody else keeps a record of that. `inert`: nothing
        that is put beside a file may be read in its place. `theirs` is what of a person's files is merged,
        where the new ones have a part of it already.
        """
        self.plan = WritePlan(root)
        self._root, self._store, self._edits = root, store, edits
        self._guarded, self._known, self._inert = set(guarded), known, inert
        self._theirs = theirs or {}
        self._conflicts: dict[str, list[str]] = {}

    def add(self, wanted: Wanted) -> None:
        """Plan for one file. Raises UndercroftError, BadInput if what is guarded would change."""
        path = self._root / wanted.path
        self.plan._wanted[wanted.path] = None
        if wanted.once and _is_a_persons(path, wanted.digest):
            self.plan.begun.append(wanted.path)
            return
        target = target_of(self._root, wanted.path)
        self.plan.folders.add(target.parent)
        before = seen(target)
        try:
            self._decide(wanted, target, before)
        except OSError as error:
            raise UndercroftError(f"{path}: cannot be read: {error.strerror}") from None

    def _decide(self, wanted: Wanted, target: Path, before: Seen) -> None:
        """What becomes of one file. Raises OSError if it is there and cannot be read."""
        path, ours = self._root / wanted.path, self._store.ours(wanted.path, edited=wanted.edited)
        found = None if before == Seen() else digest_of_ready(target)
        if found == wanted.digest:
            if ours[1:] != (before.size, before.mtime_ns, wanted.digest, None):
                self._note(self.plan.settled, wanted)
        elif target in self._guarded:
            what = "is what these files are made from; give another folder or name"
            raise BadInput(f"{path}: would be replaced, but {what}")
        elif found is None or self._edits is None or self._is_ours(wanted, target, found, ours):
            self._write(wanted, target, before)
        elif self._edits == "keep" and ours.digest == wanted.digest:
            self.plan.stay.append(wanted.path)  # the new one is the last one: nothing is told, or offered
        elif self._change(wanted, target, before, ours).what in ("kept", "refused"):
            return
        if ours.pending is not None:
            self._find_stale(wanted.path, ours.pending)

    def done(self) -> WritePlan:
        """The plan, when all files are added."""
        for path, lines in self._conflicts.items():
            data = "".join(f"{one_line(line)}\n" for line in lines[:_MOST_CONFLICTS]).encode()
            self._aside(path, data=data)
        return self.plan

    def _is_ours(self, wanted: Wanted, target: Path, found: bytes, ours: Ours) -> bool:
        known = [*ours[3:], *(self._store.ours(wanted.path)[3:] if wanted.edited else ())]
        return found in known or self._known(wanted.path, target) or is_as_written(target)

    def _note(self, digests: dict[str, bytes], wanted: Wanted) -> None:
        if wanted.key:
            digests[wanted.key] = wanted.digest
            if wanted.data is not None:
                self.plan.bytes_of[wanted.key] = wanted.data

    def _write(self, wanted: Wanted, target: Path, before: Seen, data: bytes | None = None) -> None:
        step = WriteStep(wanted.path, target, before, wanted.data if data is None else data, wanted.source)
        self.plan.steps.append(step)
        if data is None:
            self._note(self.plan.settled, wanted)

    def _aside(self, path: str, *, data: bytes | None = None, of: WriteStep | None = None) -> None:
        """Put a file beside, under a name that was found for it."""
        target = target_of(self._root, path)
        copied = (of.target, of.path) if of else (None, "")
        self.plan.steps.append(WriteStep(path, target, seen(target), data, *copied))

    # --- a person's file ---------------------------------------------------------------------------------

    def _change(self, wanted: Wanted, target: Path, before: Seen, ours: Ours) -> EditedFile:
        is_known = any(each.digest is not None for each in (ours, self._store.ours(wanted.path)))
        change = EditedFile(self._root, wanted.path, "refused", is_known=is_known)
        if self._edits == "replace":
            change = change._replace(what="replaced", beside=self._put_aside(wanted.path, target, before))
            self._write(wanted, target, before)
        elif self._edits == "merge":
            change = self._merge(wanted, target, before, ours, change)
        elif self._edits == "keep":
            change = self._keep(wanted, ours, change)
        self.plan.changes.append(change)
        return change

    def _keep(self, wanted: Wanted, ours: Ours, change: EditedFile) -> EditedFile:
        def may_be(name: str) -> bool:
            found = digest_of_file(self._root / name)
            return found is not None and found in (ours.pending, wanted.digest)

        name = self._free(wanted.path, NEW, may_be)
        target = target_of(self._root, name)
        if digest_of_file(target) != wanted.digest:
            self.plan.steps.append(WriteStep(name, target, seen(target), wanted.data, wanted.source))
        self.plan.stay.append(wanted.path)
        if wanted.key:
            self.plan.offered[wanted.key] = wanted.digest
        return change._replace(what="kept", beside=name)

    def _put_aside(self, path: str, target: Path, before: Seen) -> str:
        """Have a person's file copied before it is replaced; its name. The same bytes need no second copy."""
        digest = digest_of_file(target)
        name = self._free(
            path, MINE, lambda one: digest is not None and digest_of_file(self._root / one) == digest
        )
        if not os.path.lexists(self._root / name):
            self._aside(name, of=WriteStep(path, target, before))
        return name

    def _free(self, path: str, word: str, may_be: Callable[[str], bool]) -> str:
        taken = {step.path for step in self.plan.steps} | self.plan._wanted.keys()

        def is_free(name: str) -> bool:
            return name not in taken and may_be(name)

        return beside(self._root, path, word, is_free, inert=self._inert)

    def _merge(
        self, wanted: Wanted, target: Path, before: Seen, ours: Ours, change: EditedFile
    ) -> EditedFile:
        try:
            merged = self._merged(wanted, target)
        except CannotMerge as error:
            return self._keep(wanted, ours, change._replace(reason=str(error)))
        self._note(self.plan.merged, wanted)
        aside = listing = ""
        if merged.conflicts:
            aside = self._put_aside(wanted.path, target, before)
            listing = self._listed(wanted.path, merged.conflicts)
        if digest_of_bytes(merged.data) != digest_of_file(target):
            self._write(wanted, target, before, merged.data)
        return change._replace(what="merged", beside=aside, conflicts=len(merged.conflicts), listing=listing)

    def _merged(self, wanted: Wanted, target: Path) -> Merged:
        """Raises CannotMerge."""
        if wanted.data is None or target.stat().st_size > _MOST_MERGED:
            raise CannotMerge("it is too large")
        known = self._store.last_written if wanted.edited else self._store.last_given
        base = known(wanted.path)
        if base is None:
            raise CannotMerge("what was written last is not known")
        try:
            theirs = self._theirs.get(wanted.path) or target.read_bytes()
        except OSError as error:
            raise CannotMerge(f"it cannot be read: {error.strerror}") from None
        return merge(wanted.path, base, theirs, wanted.data)

    def _listed(self, path: str, conflicts: Iterable[str]) -> str:
        """Have conflicts listed; the list's name. The files of a level share a list."""
        for name in names_of_conflicts(path):
            if name in self._conflicts or not os.path.lexists(self._root / name):
                break
        self._conflicts.setdefault(name, []).extend(f"{Path(path).name}: {each}" for each in conflicts)
        return name

    def _find_stale(self, path: str, offered: bytes) -> None:
        """What was offered beside a person's file is needless once ours stands in its place."""
        for name in names_beside(path, NEW, inert=self._inert):
            if not os.path.lexists(self._root / name):
                return
            if digest_of_file(self._root / name) == offered:
                self.plan.stale.append((name, offered))
                return


def _is_a_persons(path: Path, begun: bytes) -> bool:
    """Whether a file that was begun once is another by now; a link or one that cannot be read is."""
    return os.path.lexists(path) and (path.is_symlink() or digest_of_file(path) != begun)


def seen(target: Path) -> Seen:
    """A file as it is now."""
    try:
        found = target.stat()
    except (FileNotFoundError, NotADirectoryError):
        return Seen()
    return Seen(found.st_mtime_ns, found.st_size, found.st_ino)
