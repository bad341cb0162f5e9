"""Decide what to write, and what happens to files that a person has changed. Nothing is written here.

A file is ours, and is overwritten silently, if it contains what we wrote there last, what we put beside it
last, or its own correct digest. Any other file that differs from the new one is a person's.

A file that we wrote from an edited level contains a person's work. It counts as ours for the next export of
an edited level, and as a person's for anything that the generator makes. A `level.json` with edits is always
a person's, because no other file contains all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path, PurePosixPath
from typing import Any

from exporters.edits.changes import EditedFile, held_in
from exporters.edits.digests import (
    digest_among,
    digest_of_bytes,
    digest_of_file,
    is_a_persons,
    is_as_written,
    is_same_level,
)
from exporters.edits.former_files import former_files
from exporters.edits.merging import (
    MAX_BYTES,
    CannotMerge,
    Merged,
    MergedTogether,
    can_merge,
    check_type,
    is_changed,
    merge,
    standing,
)
from exporters.edits.other_levels import left_apart, other_levels
from exporters.edits.places import MINE, NEW, beside, names_beside, names_of_conflicts, target_of
from exporters.edits.plan import Seen, Wanted, WritePlan, WriteStep, seen
from exporters.edits.state import Ours, path_of
from exporters.edits.store import WrittenStore
from exporters.exported import LEVEL, is_of_level
from exporters.merge.taken import NOTHING, Taken
from exporters.registry import exporter, format_names
from generator.errors import BadInput, UndercroftError, one_line
from generator.files import why_not_read

WORKPLACE = "_edit.tscn"  # what the name of a Godot scene ends in that a person works in
_MAX_CONFLICTS = 10_000  # lines


def _overrides(path: Path) -> bool:
    """Check whether a scene to work in changes nodes or layers of the level, which a new one may not have."""
    data = standing(path.parent, path.name) if path.name.endswith(WORKPLACE) else None
    readers = [read for name in format_names() if (read := exporter(name).overrides)] if data else []
    try:
        return any(read(data or b"") for read in readers)
    except ValueError:  # too large to tell
        return True


class Planner:
    """Makes a plan, file by file."""

    def __init__(
        self,
        root: Path,
        store: WrittenStore,
        edits: str | None,
        *,
        guarded: Iterable[Path] = (),
        known: Callable[[str, Path], bool] = lambda path, file: False,
        inert: bool = False,
        taken: Mapping[str, Taken] | None = None,
        bases: Mapping[str, bytes] | None = None,
        levels: Mapping[str, str] | None = None,
        others: Mapping[str, Sequence[str]] | None = None,
        asides: Sequence[str] = (),
        lost: Mapping[str, Sequence[str]] | None = None,
        formats: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        """Begin an empty plan for a folder.

        `edits` is one of EDITS, or None to overwrite everything. `guarded` are files that must not change,
        because the new ones are made from them. `known(path, file)` says whether we wrote a file according to
        another record. `inert`: a file put beside another one must not be picked up by programs. `taken` has,
        by path, the part of a person's changes that the new files already contain; `bases` what a person's
        files were made from, where that is not what the store has, as in a clone without it or on another
        branch. `levels` has the fingerprints of the levels that the files
        show, by the paths of their level.json files, whether these are written or not. `others` has, by the
        same, the files of a level that show another one and are not to be written. Of the files in `asides`,
        a copy is kept. `lost` has, by the same, lines about edits that have no place in the new level.
        `formats` has the formats that levels are written in, by their stems; others of these are removed.
        """
        self.plan = WritePlan(root)
        self._root, self._store, self._edits = root, store, edits
        self._guarded, self._known, self._inert = set(guarded), known, inert
        self._taken, self._bases, self._levels = taken or {}, bases or {}, levels or {}
        self._others, self._asides, self._lost = others or {}, asides, lost or {}
        self._formats = formats or {}
        self._conflicts: dict[str, list[str]] = {}
        self._together = MergedTogether()
        self._merges: dict[str, Merged] = {}
        self._left: set[str] = set()
        self._refused: list[EditedFile] = []
        self._edited: set[str] = set()  # stems of levels with a person's edits
        self._has_own_digest = cache(is_as_written)  # large files are asked about more than once

    def prepare(self, files: Sequence[Wanted]) -> Container[str]:
        """Merge files that belong together before any is added, and return the paths of the results."""
        self._edited = {
            stem
            for stem in self._formats
            if any(file.edited and is_of_level(file.path, stem) for file in files)
        }
        if self._edits == "merge":
            from exporters.edits.together import together

            self._refused = [*other_levels(self._root, self._store, self._levels, files, self._is_ours)]
            new = {file.path: data for file in files if (data := self._new(file)) is not None}
            edited = any(file.edited for file in files)
            self._together = together(
                new,
                self._base,
                partial(standing, self._root),
                lambda path: self._is_edited(path, edited),
                self._taken,
            )
        return self._together.data

    def add(self, wanted: Wanted) -> None:
        """Plan one file. Raises UndercroftError, and BadInput if a guarded file would change."""
        path = self._root / wanted.path
        self.plan._wanted[wanted.path] = None
        is_replaced = self._edits == "replace" and _overrides(path)
        if wanted.once and not is_replaced and is_a_persons(path, wanted.digest):
            self.plan.begun.append(wanted.path)
            return
        target = target_of(self._root, wanted.path)
        self.plan.folders.add(target.parent)
        before = seen(target)
        try:
            self._decide(wanted, target, before)
        except OSError as error:
            raise UndercroftError(f"{path}: cannot be read: {why_not_read(error, path)}") from None

    def leave(self, path: str) -> None:
        """Count a file in that is there as it should be, so that nobody looks at it."""
        self._left.add(path)

    def _decide(self, wanted: Wanted, target: Path, before: Seen) -> None:
        """Decide about one file. Raises OSError if it exists and cannot be read."""
        path, ours = self._root / wanted.path, self._store.ours(wanted.path, edited=wanted.edited)
        known = {wanted.digest, *self._known_digests(wanted.path, wanted.edited)}
        digest = None if before == Seen() else digest_among(target, known)
        if wanted.path in self._together.data or wanted.path in self._together.lines:
            self._join(wanted, target, before)
        elif digest == wanted.digest:
            if ours[1:] != (before.size, before.mtime_ns, wanted.digest, None):
                self._note(self.plan.settled, wanted)
        elif target in self._guarded:
            problem = "is the file from which these files are made; give another folder or name"
            raise BadInput(f"{path}: would be replaced, but {problem}")
        elif digest is None or self._edits is None or self._may_replace(wanted, target, digest):
            self._write(wanted, target, before)
        elif self._edits == "keep" and ours.digest == wanted.digest:
            self.plan.stay.append(wanted.path)  # no new version: nothing to offer
            self.plan.same.append(wanted.path)
        elif (again := self._saved_again(wanted, target)) is not None:
            self._write_merged(wanted, target, before, again)
        elif self._change(wanted, target, before, ours).what in ("kept", "refused"):
            return
        if ours.pending is not None:
            self._find_stale(wanted.path, ours.pending)

    def done(self) -> WritePlan:
        """Return the plan, after all files were added."""
        told = self._remove_former()
        if self._edits == "merge" and not self._refused:
            self._refused = [*left_apart(self._root, self._levels, self.plan.changes)]
        if self._refused:
            return replace(self.plan, changes=self._refused)
        if self._edits in ("keep", "fail") and self._levels:
            kept = [self._keep_level(path.removesuffix(LEVEL)) for path in self._levels]
            if all(kept):  # theirs is the theme, too
                self._leave_as_is(lambda path: True)
        for path in self._together.lines.keys() - self.plan._wanted.keys() - told:
            self._tell(path)
        for path in self._asides:
            if all(step.aside_of != path for step in self.plan.steps):
                target = target_of(self._root, path)
                self._put_aside(path, target, seen(target))
        for path, data in self._together.data.items():
            if path not in self.plan._wanted and standing(self._root, path) != data:
                self._aside(path, data=data)
                self.plan.folders.add(self.plan.steps[-1].target.parent)
        for path, lines in self._lost.items():
            if lines:
                self.plan.listings.append(self._listed(path, lines)["listing"])
        for path, lines in self._conflicts.items():
            data = "".join(f"{one_line(line)}\n" for line in lines[:_MAX_CONFLICTS]).encode()
            self._aside(path, data=data)
        return self.plan

    def _is_ours(self, path: str, target: Path, digest: bytes, edited: bool) -> bool:
        known = self._known_digests(path, edited)
        return digest in known or self._known(path, target) or self._has_own_digest(target)

    def _known_digests(self, path: str, edited: bool) -> list[bytes | None]:
        """Return the digests of what we wrote to a file last, or put beside it."""
        return [
            kept for is_edited in {edited, False} for kept in self._store.ours(path, edited=is_edited)[3:]
        ]

    def _may_replace(self, wanted: Wanted, target: Path, digest: bytes) -> bool:
        return self._is_ours(wanted.path, target, digest, wanted.edited) or is_same_level(target, wanted.data)

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
        """Write another file beside the target, at `path`."""
        target = target_of(self._root, path)
        copied = (of.target, of.path) if of else (None, "")
        self.plan.steps.append(WriteStep(path, target, seen(target), data, *copied))

    # --- a person's file ---------------------------------------------------------------------------------

    def _saved_again(self, wanted: Wanted, target: Path) -> bytes | None:
        """Return the new version of a file that a program saved again and nobody changed, else None."""
        with suppress(CannotMerge):
            merged = self._merges[wanted.path] = self._merged(wanted, target)
            return merged.data if merged.only_saved else None
        return None

    def _change(self, wanted: Wanted, target: Path, before: Seen, ours: Ours) -> EditedFile:
        synced = self._store.ours(wanted.path, edited=True).digest
        holds = held_in(target, synced is not None and digest_of_file(target) == synced)
        is_known = self._is_known(wanted.path)
        change = EditedFile(self._root, wanted.path, "refused", is_known=is_known, holds=holds)
        if self._edits == "replace":
            change = self._replace(wanted, target, before, change)
        elif self._edits == "merge":
            change = self._merge(wanted, target, before, ours, change)
        elif self._edits == "keep":
            change = self._keep(wanted, ours, change)
        self.plan.changes.append(change)
        return change

    def _keep(self, wanted: Wanted, ours: Ours, change: EditedFile) -> EditedFile:
        offered = ours.pending, wanted.digest
        name = self._free(
            wanted.path, NEW, lambda file: (digest_of_file(self._root / file) or b"") in offered
        )
        target = target_of(self._root, name)
        if digest_of_file(target) != wanted.digest:
            self.plan.steps.append(WriteStep(name, target, seen(target), wanted.data, wanted.source))
        self.plan.stay.append(wanted.path)
        if wanted.key:
            self.plan.offered[wanted.key] = wanted.digest
        return change._replace(what="kept", beside=name)

    def _keep_level(self, stem: str) -> bool:
        """Leave all files of a level as they are if a person changed one of which there is a new version."""
        plan = self.plan
        changes = [change for change in plan.changes if is_of_level(change.path, stem)]
        path = f"{stem}{WORKPLACE}"
        if not changes and any(is_of_level(step.path, stem) for step in plan.steps):
            touched = [
                other for other in self._others.get(f"{stem}{LEVEL}", ()) if self._is_edited(other, False)
            ]
            touched += [path] if _overrides(self._root / path) else []
            what = "kept" if self._edits == "keep" else "refused"
            changes = [EditedFile(self._root, other, what, is_known=True) for other in touched]
            plan.changes += changes
        if not any(change.what == "kept" for change in changes):
            return False
        offered = {change.beside for change in changes}
        self._leave_as_is(lambda path: is_of_level(path, stem) or path in offered)
        plan.changes.append(changes[0]._replace(beside="", level=PurePosixPath(stem).name))
        return True

    def _leave_as_is(self, is_left: Callable[[str], bool]) -> None:
        """Take some files out of the plan."""
        plan = self.plan
        plan.stale[:] = [row for row in plan.stale if not is_left(row[0])]
        plan.former[:] = [path for path in plan.former if not is_left(path)]
        plan.changes[:] = [change for change in plan.changes if change.level or not is_left(change.path)]
        plan.steps[:] = [step for step in plan.steps if not is_left(step.path)]
        stays = [path for path in plan._wanted if is_left(path)]
        for path in stays:
            del plan._wanted[path]
        for left in (plan.begun, plan.stay, plan.same):
            left[:] = [path for path in left if not is_left(path)]
        plan.stay += [path for path in stays if os.path.lexists(self._root / path)]
        for table in (plan.settled, plan.merged, plan.offered, plan.bytes_of):
            for key in [key for key in table if is_left(path_of(key))]:
                del table[key]

    def _replace(self, wanted: Wanted, target: Path, before: Seen, change: EditedFile) -> EditedFile:
        beside = self._put_aside(wanted.path, target, before)
        self._write(wanted, target, before)
        return change._replace(what="replaced", beside=beside)

    def _remove_former(self) -> set[str]:
        """Plan to remove files that levels had before. Returns those that are told of."""
        removed: set[str] = set()
        for stem, formats in self._formats.items():
            own = (change.what for change in self.plan.changes if is_of_level(change.path, stem))
            if {"kept", "refused"}.isdisjoint(own):
                new = self.plan._wanted.keys() | self._left
                left = (path for path in sorted(self._together.left) if is_of_level(path, stem))
                for path in (*former_files(self._root, self._store, stem, formats, new), *left):
                    self._remove(path, stem)
                    removed.add(path)
        return removed

    def _remove(self, path: str, stem: str) -> None:
        """Plan to remove a file of a level that the new one does not have. A person's is put aside first."""
        target = target_of(self._root, path)
        digest = digest_of_file(target)
        if digest is None or path in self._together.data:
            return
        if path in self._together.lines:
            self._join_away(path, target)
        elif self._is_ours(path, target, digest, stem in self._edited):
            pass
        elif self._edits == "merge" and not self._has_more(path, self._taken.get(path, NOTHING)):
            if self._has_more(path):
                self.plan.changes.append(EditedFile(self._root, path, "merged"))
        else:
            what = {"keep": "kept", "fail": "refused"}.get(self._edits or "", "replaced")
            aside = self._put_aside(path, target, seen(target)) if what == "replaced" else ""
            synced = self._store.ours(path, edited=True).digest
            holds = held_in(target, digest == synced)
            self.plan.changes.append(EditedFile(self._root, path, what, holds=holds, beside=aside))
            if what != "replaced":
                return
        self.plan.stale.append((path, digest))
        self.plan.former.append(path)

    def _has_more(self, path: str, taken: Taken = NOTHING) -> bool:
        """Check whether a person changed a file, beyond what of it is `taken` into the level."""
        base, now = self._base(path), standing(self._root, path)
        return base is None or now is None or is_changed(path, base, now, taken)

    def _put_aside(self, path: str, target: Path, before: Seen) -> str:
        """Plan a copy of a person's file before it is replaced, unless there is one. Return its name."""
        digest = digest_of_file(target) or b""
        name = self._free(path, MINE, lambda file: digest_of_file(self._root / file) == digest)
        if not os.path.lexists(self._root / name):
            self._aside(name, of=WriteStep(path, target, before))
        return name

    def _free(self, path: str, word: str, may_be: Callable[[str], bool]) -> str:
        taken, inert = {step.path for step in self.plan.steps} | self.plan._wanted.keys(), self._inert
        return beside(self._root, path, word, lambda name: name not in taken and may_be(name), inert=inert)

    def _merge(
        self, wanted: Wanted, target: Path, before: Seen, ours: Ours, change: EditedFile
    ) -> EditedFile:
        try:
            merged = self._merges.pop(wanted.path, None) or self._merged(wanted, target)
        except CannotMerge as error:
            if wanted.path in self._bases and can_merge(wanted.path):  # it is damaged
                return change._replace(reason=str(error))
            if wanted.path in self._bases or self._is_of_merged(
                wanted.path
            ):  # all that was read is in the new file
                return self._replace(wanted, target, before, change)
            return self._keep(wanted, ours, change._replace(reason=str(error)))
        if merged.conflicts:
            change = change._replace(beside=self._put_aside(wanted.path, target, before))
        self._write_merged(wanted, target, before, merged.data)
        return change._replace(what="merged", **self._listed(wanted.path, merged.conflicts))

    def _is_of_merged(self, path: str) -> bool:
        """Return whether a file is that of a room in a level that is merged, if only left over there."""
        return any(
            f"{PurePosixPath(path).parent}{main}" in self._bases for main in (".ldtk", ".world", ".tscn")
        )

    def _write_merged(self, wanted: Wanted, target: Path, before: Seen, data: bytes) -> None:
        self._note(self.plan.merged, wanted._replace(data=self._new(wanted)))
        digest = wanted.digest if data is wanted.data else digest_of_bytes(data)
        if digest != digest_of_file(target):
            self._write(wanted, target, before, data)

    def _merged(self, wanted: Wanted, target: Path) -> Merged:
        """Merge the file that a person changed into the new one. Raises CannotMerge."""
        if reason := self._together.refused.get(wanted.path):
            raise CannotMerge(reason)
        check_type(wanted.path)
        if wanted.data is None or target.stat().st_size > MAX_BYTES:
            raise CannotMerge("it is too large")
        base = self._base(wanted.path)
        if base is None:
            raise CannotMerge("what was written last is not known")
        try:
            theirs = target.read_bytes()
        except OSError as error:
            raise CannotMerge(f"it cannot be read: {error.strerror}") from None
        return merge(wanted.path, base, theirs, wanted.data, self._taken.get(wanted.path, NOTHING))

    def _listed(self, path: str, conflicts: Sequence[str]) -> dict[str, Any]:
        """Write the conflicts to a list that a level's files share, and return facts for `EditedFile`."""
        if not conflicts:
            return {}
        for name in names_of_conflicts(path):
            if name in self._conflicts or not os.path.lexists(self._root / name):
                break
        self._conflicts.setdefault(name, []).extend(f"{Path(path).name}: {line}" for line in conflicts)
        return {"conflicts": len(conflicts), "listing": name}

    # --- files that are merged together ------------------------------------------------------------------

    def _join(self, wanted: Wanted, target: Path, before: Seen) -> None:
        """Plan a file that was merged together with others."""
        path = wanted.path
        if path in self._together.lines:
            self._join_away(path, target)
        data = self._together.data.get(path)
        if data is None:
            self._write(wanted, target, before)
        else:
            self._write_merged(wanted, target, before, data)

    def _join_away(self, path: str, target: Path) -> None:
        """Tell of a file whose changes are in others, and put it aside if not all of them are."""
        kept = path in self._together.replaced or self._together.lines[path]
        self._tell(path, self._put_aside(path, target, seen(target)) if kept else "")

    def _tell(self, path: str, aside: str = "") -> None:
        listed = self._listed(path, self._together.lines[path])
        self.plan.changes.append(EditedFile(self._root, path, "merged", beside=aside, **listed))

    def _new(self, wanted: Wanted) -> bytes | None:
        return (
            self._store.last_given(wanted.path, edited=wanted.edited) if wanted.data is None else wanted.data
        )

    def _base(self, path: str) -> bytes | None:
        return self._bases.get(path) or self._store.last_written(path)

    def _is_edited(self, path: str, edited: bool) -> bool:
        """Return whether a file that we wrote has changed since."""
        data = standing(self._root, path)
        if data is None or not self._is_known(path):
            return False
        target = target_of(self._root, path)
        digest = digest_among(target, self._known_digests(path, edited))
        return not self._is_ours(path, target, digest, edited)

    def _is_known(self, path: str) -> bool:
        return path in self._bases or any(
            self._store.ours(path, edited=is_edited).digest for is_edited in (True, False)
        )

    def _find_stale(self, path: str, offered: bytes) -> None:
        """Mark the version offered beside a person's file as no longer needed once ours is in its place."""
        for name in names_beside(path, NEW, inert=self._inert):
            if not os.path.lexists(self._root / name):
                return
            if digest_of_file(self._root / name) == offered:
                self.plan.stale.append((name, offered))
                return
