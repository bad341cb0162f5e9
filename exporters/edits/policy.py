"""What is to be written, and what becomes of the files that a person has changed; nothing is written here.

A file is ours, and is written over without a word, if it holds what we wrote there last, what we offered
beside it last, or the digest of itself. Every other file that differs from the new one is a person's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Sequence
from pathlib import Path
from typing import Any

from exporters.edits.changes import EditedFile
from exporters.edits.digests import digest_of_bytes, digest_of_file, digest_of_ready, is_as_written
from exporters.edits.merging import CannotMerge, Merged, merge
from exporters.edits.places import MINE, NEW, beside, names_beside, names_of_conflicts, target_of
from exporters.edits.plan import Seen, Wanted, WritePlan, WriteStep, seen
from exporters.edits.state import Ours
from exporters.edits.store import WrittenStore
from exporters.edits.together import MergedTogether, together
from generator.errors import BadInput, UndercroftError, one_line

EDITS = ("keep", "merge", "replace", "fail")
_MOST_MERGED = 1 << 28  # bytes of a person's file
_MOST_CONFLICTS = 10_000  # lines


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
    ) -> None:
        """`edits` is one of EDITS, or None to write over everything.

        `guarded` are files that must not change: what the new ones are made from. `known` tells of a path
        and the file there whether we wrote it, where somebody else keeps a record of that. `inert`: nothing
        that is put beside a file may be read in its place.
        """
        self.plan = WritePlan(root)
        self._root, self._store, self._edits = root, store, edits
        self._guarded, self._known, self._inert = set(guarded), known, inert
        self._conflicts: dict[str, list[str]] = {}
        self._together = MergedTogether()

    def prepare(self, files: Iterable[Wanted]) -> Container[str]:
        """Merge those files that belong together, before any is added; the paths of what they become."""
        if self._edits == "merge":
            new = {each.path: data for each in files if (data := self._new(each)) is not None}
            self._together = together(new, self._store.last_written, self._theirs, self._is_edited)
        return self._together.data

    def add(self, wanted: Wanted) -> None:
        """Plan for one file. Raises UndercroftError, BadInput if what is guarded would change."""
        path = self._root / wanted.path
        self.plan._wanted[wanted.path] = None
        if wanted.once and _is_a_persons(path, wanted.digest):
            self.plan.kept.append(wanted.path)
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
        path, ours = self._root / wanted.path, self._store.ours(wanted.path)
        found = None if before == Seen() else digest_of_ready(target)
        if wanted.path in self._together.data or wanted.path in self._together.lines:
            self._join(wanted, target, before)
        elif found == wanted.digest:
            if ours[1:] != (before.size, before.mtime_ns, wanted.digest, None):
                self._settle(wanted)
        elif target in self._guarded:
            what = "is what these files are made from; give another folder or name"
            raise BadInput(f"{path}: would be replaced, but {what}")
        elif found is None or self._edits is None or self._is_ours(wanted.path, target, found, ours):
            self._write(wanted, target, before)
        elif self._change(wanted, target, before, ours).what in ("kept", "refused"):
            return
        if ours.pending is not None:
            self._find_stale(wanted.path, ours.pending)

    def done(self) -> WritePlan:
        """The plan, when all files are added."""
        for path in self._together.lines.keys() - self.plan._wanted.keys():
            self._tell(path)
        for path, data in self._together.data.items():
            if path not in self.plan._wanted and self._theirs(path) != data:
                self._aside(path, data=data)
                self.plan.folders.add(self.plan.steps[-1].target.parent)
        for path, lines in self._conflicts.items():
            data = "".join(f"{one_line(line)}\n" for line in lines[:_MOST_CONFLICTS]).encode()
            self._aside(path, data=data)
        return self.plan

    def _is_ours(self, path: str, target: Path, found: bytes, ours: Ours) -> bool:
        return found in (ours.digest, ours.pending) or self._known(path, target) or is_as_written(target)

    def _settle(self, wanted: Wanted) -> None:
        self.plan.settled[wanted.path] = wanted.digest
        if wanted.data is not None:
            self.plan.bytes_of[wanted.path] = wanted.data

    def _write(self, wanted: Wanted, target: Path, before: Seen, data: bytes | None = None) -> None:
        step = WriteStep(wanted.path, target, before, wanted.data if data is None else data, wanted.source)
        self.plan.steps.append(step)
        if data is None:
            self._settle(wanted)

    def _aside(self, path: str, *, data: bytes | None = None, of: WriteStep | None = None) -> None:
        """Put a file beside, under a name that was found for it."""
        target = target_of(self._root, path)
        copied = (of.target, of.path) if of else (None, "")
        self.plan.steps.append(WriteStep(path, target, seen(target), data, *copied))

    # --- a person's file ---------------------------------------------------------------------------------

    def _change(self, wanted: Wanted, target: Path, before: Seen, ours: Ours) -> EditedFile:
        change = EditedFile(self._root, wanted.path, "refused", is_known=ours.digest is not None)
        if self._edits == "replace":
            change = change._replace(what="replaced", beside=self._put_aside(wanted.path, target, before))
            self._write(wanted, target, before)
        elif self._edits == "merge":
            change = self._merge(wanted, target, before, change)
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
        self.plan.offered[wanted.path] = wanted.digest
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

    def _merge(self, wanted: Wanted, target: Path, before: Seen, change: EditedFile) -> EditedFile:
        try:
            merged = self._merged(wanted, target)
        except CannotMerge as error:
            return self._keep(wanted, self._store.ours(wanted.path), change._replace(reason=str(error)))
        if merged.conflicts:
            change = change._replace(beside=self._put_aside(wanted.path, target, before))
        self._write_merged(wanted, target, before, merged.data)
        return change._replace(what="merged", **self._listed(wanted.path, merged.conflicts))

    def _write_merged(self, wanted: Wanted, target: Path, before: Seen, data: bytes) -> None:
        self.plan.merged[wanted.path] = wanted.digest
        if (new := self._new(wanted)) is not None:
            self.plan.bytes_of[wanted.path] = new
        if digest_of_bytes(data) != digest_of_file(target):
            self._write(wanted, target, before, data)

    def _merged(self, wanted: Wanted, target: Path) -> Merged:
        """Raises CannotMerge."""
        if reason := self._together.refused.get(wanted.path):
            raise CannotMerge(reason)
        if wanted.data is None or target.stat().st_size > _MOST_MERGED:
            raise CannotMerge("it is too large")
        base = self._store.last_written(wanted.path)
        if base is None:
            raise CannotMerge("what was written last is not known")
        try:
            theirs = target.read_bytes()
        except OSError as error:
            raise CannotMerge(f"it cannot be read: {error.strerror}") from None
        return merge(wanted.path, base, theirs, wanted.data)

    def _listed(self, path: str, conflicts: Sequence[str]) -> dict[str, Any]:
        """Have conflicts listed; what a change tells of that. The files of a level share a list."""
        if not conflicts:
            return {}
        for name in names_of_conflicts(path):
            if name in self._conflicts or not os.path.lexists(self._root / name):
                break
        self._conflicts.setdefault(name, []).extend(f"{Path(path).name}: {each}" for each in conflicts)
        return {"conflicts": len(conflicts), "listing": name}

    # --- files that are merged together ------------------------------------------------------------------

    def _join(self, wanted: Wanted, target: Path, before: Seen) -> None:
        """Plan for a file that was merged together with others."""
        path = wanted.path
        if path in self._together.lines:
            kept = path in self._together.replaced or self._together.lines[path]
            self._tell(path, self._put_aside(path, target, before) if kept else "")
        data = self._together.data.get(path)
        if data is None:
            self._write(wanted, target, before)
        else:
            self._write_merged(wanted, target, before, data)

    def _tell(self, path: str, aside: str = "") -> None:
        listed = self._listed(path, self._together.lines[path])
        self.plan.changes.append(EditedFile(self._root, path, "merged", beside=aside, **listed))

    def _new(self, wanted: Wanted) -> bytes | None:
        return self._store.last_written(wanted.path) if wanted.data is None else wanted.data

    def _theirs(self, path: str) -> bytes | None:
        """What stands at a path in the folder; None for nothing, or what cannot be merged."""
        try:
            target = target_of(self._root, path)
            return target.read_bytes() if target.stat().st_size <= _MOST_MERGED else None
        except (OSError, UndercroftError):
            return None

    def _is_edited(self, path: str) -> bool:
        """Whether a file that we wrote is another by now."""
        ours, data = self._store.ours(path), self._theirs(path)
        if ours.digest is None or data is None:
            return False
        return not self._is_ours(path, target_of(self._root, path), digest_of_bytes(data), ours)

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
