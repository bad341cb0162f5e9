"""The store of an output folder: what commands wrote there last.

    OUT/.undercroft/state.db       which files are ours, by digest; for builds, what is done
    OUT/.undercroft/state.db-wal   its log, see `FolderState.close`
    OUT/.undercroft/last.db        the bytes of those files, compressed, for merges
    OUT/.undercroft/undo/          the files that the last writes replaced (`steps.py`)
    OUT/.undercroft/.gitignore     `*`: the store belongs to this folder on this machine

Builds keep more in it (`exporters/builder/store.py`). All of it can be deleted; then an existing file that
differs from the new one counts as a person's.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Self

from exporters.durable import flush_folders, make_folder, unwritable
from exporters.edits.contents import Contents, step_of
from exporters.edits.digests import digest_among, digest_of_bytes, digest_of_file
from exporters.edits.plan import seen
from exporters.edits.state import (
    DATABASES,
    BusyFolderError,
    FolderState,
    Ours,
    UnusableStoreError,
    key_of,
    path_of,
)
from exporters.edits.step_rows import GONE
from exporters.edits.steps import MOST_BYTES, FileChange, Steps, bring_back, keep
from exporters.exported import ExportedWith, Formats, formats_in_text, text_of
from generator.errors import UndercroftError, one_line
from generator.version import VERSION

if TYPE_CHECKING:
    from exporters.edits.dry_run import DryRun

HOME = ".undercroft"
_WAIT_S = 120  # wait this long for another run in the same folder
_REFUSED = {errno.EACCES, errno.EPERM, errno.EROFS}
_NOT_KNOWN = "there is no record of what was written here before"
_BASE, _TOLD = "base:", "told:"  # before a level's stem, among the contents; paths never contain a colon
_EDITED = "edited-level:"  # likewise, with a number and a colon
_BROKEN, _ACCEPTED = "broken:", "accepted:"  # likewise
_OF_STEMS = (_BASE, _TOLD, _EDITED, _BROKEN, _ACCEPTED)
_MAX_EDITED = 4  # levels of a stem
_MAX_ABOVE = 32  # parent folders searched for a file's store


def record_in(root: Path, dry_run: DryRun | None, *subfolders: str) -> Path:
    """Return the folder of the store's databases, made with its `subfolders`; a copy for a dry run.

    Raises UnusableStoreError for links, and OSError.
    """
    home = root / HOME
    for path in (home, *(home / name for name in (*subfolders, "undo", *DATABASES))):
        if path.is_symlink():
            raise UnusableStoreError(f"{path}: is a link; remove it")
    if dry_run:
        if home.exists() and not home.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(home))
        return dry_run.record_of(home)
    flush_folders(make_folder(root))
    for folder in (home, *(home / name for name in subfolders)):
        folder.mkdir(exist_ok=True)
    ignore = home / ".gitignore"
    if not os.path.lexists(ignore):
        ignore.write_text("*\n", "utf-8")
    return home


class WrittenStore:
    """The record of one folder. Without a state nothing is known, and nothing is recorded."""

    def __init__(
        self, root: Path, state: FolderState | None, note: str = "", home: Path | None = None
    ) -> None:
        """Use the record of a folder. `note` is a message for the user about the store itself.

        `home` is where the bytes are, if not in the folder's own store.
        """
        self.root, self.state, self.note = root, state, note
        self._contents = Contents((home or root / HOME) / "last.db")
        self.steps = Steps(root / HOME, state.steps) if state else None
        self.taken_back: list[Path] = []

    @classmethod
    def opened(cls, root: Path, dry_run: DryRun | None = None, *, takes_back: bool = True) -> Self:
        """Open the store of a folder, creating it if necessary, and lock it until it is closed.

        A write that was not finished is taken back, if `takes_back`. For a dry run, a copy is opened. If the
        store is damaged or unusable, `note` says so and nothing is known. Raises UndercroftError if the disk
        fails or another run does not end.
        """
        try:
            home = record_in(root, dry_run)
            state = FolderState(home / "state.db", _WAIT_S)
        except UnusableStoreError as error:
            return cls(root, None, f"{error}; {_NOT_KNOWN}")
        except OSError as error:
            where = error.filename or root / HOME
            if isinstance(error, (FileExistsError, NotADirectoryError)):
                return cls(root, None, f"{where}: is not a folder; remove it; {_NOT_KNOWN}")
            if error.errno in _REFUSED:
                return cls(root, None, f"{where}: cannot be used: {error.strerror}; {_NOT_KNOWN}")
            raise UndercroftError(f"{where}: cannot be written: {error.strerror}") from None
        problem = f"was damaged or of another version, so a new one is begun; {_NOT_KNOWN}"
        store = cls(root, state, f"{root / HOME / 'state.db'}: {problem}" if state.lost else "", home)
        if takes_back and not dry_run:
            store.take_back_at_start()
        return store

    def take_back_unfinished(self) -> list[Path]:
        """Take back a write that was not finished, as a whole. Returns the files that are as before it.

        So a level's files never show two levels, after a kill or if the disk fails. Files that somebody
        changed since stay, and so do all others then. Raises OSError and UndercroftError.
        """
        if not self.steps:
            return []
        with _reported_errors(self.root):
            moves = self.steps.unfinished_moves(self.root)
        if moves is None:
            return []
        for kept, target in moves:
            if kept:
                bring_back(kept, target)
            else:
                target.unlink()
        flush_folders({target.parent for _, target in moves})
        self.finish_write()
        return [target for _, target in moves]

    def take_back_at_start(self) -> None:
        """Take back what a killed run left. Raises UndercroftError, with the store closed."""
        try:
            self.taken_back = self.take_back_unfinished()
        except OSError as error:
            self.close()
            raise unwritable(error.filename or self.root, error) from None
        except UndercroftError:
            self.close()
            raise
        if self.taken_back:
            files = f"{len(self.taken_back)} files are"
            self.note = f"{self.root}: the last write was not finished; its {files} as before"

    def finish_write(self) -> None:
        """Record that the write under way has ended."""
        if self.steps:
            with self.transaction():
                self.steps.rows.finish_write()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *rest: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store, so that others can write."""
        self._contents.close()
        if self.state:
            self.state.close()

    # --- what is known -----------------------------------------------------------------------------------

    def ours(self, path: str, *, edited: bool = False) -> Ours:
        """Return the record of a file by its path in the folder, from the generator or an edited level."""
        key = key_of(path, edited)
        with _reported_errors(self.root):
            return self.state.ours(key) if self.state else Ours(key, 0, 0, None, None)

    def last_given(self, path: str, *, edited: bool = False) -> bytes | None:
        """Return the bytes of the file in the record `ours`, or None if they were not kept."""
        ours = self.ours(path, edited=edited)
        return self._kept(ours.path, ours.digest) if ours.digest else None

    def last_written(self, path: str) -> bytes | None:
        """Return what was written last to a file, by its path in the folder. None if not known."""
        is_edited = self.ours(path, edited=True).digest is not None
        return self.last_given(path, edited=is_edited)

    def is_as_written(self, path: str) -> bool:
        """Check whether a file contains what was written there last, perhaps with the line ends of git."""
        digest = self.ours(path, edited=True).digest or self.ours(path).digest
        file = self.root / path
        return digest is not None and file.is_file() and digest_among(file, {digest}) == digest

    def is_of_level(self, path: str, stem: str) -> bool:
        """Check whether a file was written, and not for another level than that of a build at `stem`."""
        if self.state is None or not any(self.ours(path, edited=each).digest for each in (False, True)):
            return False
        with _reported_errors(self.root):
            return not self.state.is_of_another(path, stem)

    def _kept(self, key: str, digest: bytes | None = None) -> bytes | None:
        """Return kept bytes. Nothing is opened without a state, whose lock covers them."""
        return self._contents.get(key, digest) if self.state else None

    def base(self, stem: str) -> bytes | None:
        """Return the level.json of the level that the files with this stem were made from, if kept."""
        return self._kept(f"{_BASE}{stem}")

    def edited(self, stem: str) -> list[bytes]:
        """Return the level.json files of the last edited levels with this stem, newest first."""
        kept = (self._kept(f"{_EDITED}{number}:{stem}") for number in range(_MAX_EDITED))
        return [level for level in kept if level is not None]

    def exported(self, path: str) -> tuple[dict[str, ExportedWith], dict[str, ExportedWith]]:
        """Return what a level's files were exported with, by their path without suffix.

        And what its level.json said of that when it was recorded.
        """
        with _reported_errors(self.root):
            texts = self.state.exported(path) if self.state else ("", "")
        formats, stated = map(formats_in_text, texts)
        return formats, stated

    # --- what is recorded --------------------------------------------------------------------------------

    def intend(self, files: Iterable[tuple[str, bytes]], changes: Iterable[FileChange] = ()) -> None:
        """Record files (path and digest) before they are written, and keep what `changes` will replace.

        The write is under way then, until its files are settled.
        """
        if self.state and self.steps:
            with _reported_errors(self.root), self.state.step():
                kept = self.steps.note(self._begun(changes))
                self.state.intend(files)
            keep(kept)

    def _begun(self, changes: Iterable[FileChange]) -> Iterator[FileChange]:
        """Yield changes, the first of which begins a write."""
        assert self.steps
        for number, change in enumerate(changes):
            if not number:
                self.steps.rows.begin_write()
            yield change

    def settle(
        self, written: Mapping[str, bytes], merged: Mapping[str, bytes], bytes_of: Mapping[str, bytes]
    ) -> None:
        """Record files as they were written, and our versions of merged files, by digest.

        All by their keys in the state; `bytes_of` has contents to keep for merges. The record of a file from
        an edited level is dropped once the generator's file has replaced it.
        """
        if not self.state:
            return
        with _reported_errors(self.root), self.state.step():
            for key, digest in written.items():
                now = (self.root / path_of(key)).stat()
                self.state.settle(key, now.st_size, now.st_mtime_ns, digest)
            for key, digest in merged.items():
                self.state.settle_merged(key, digest)
            for key in (*written, *merged):
                former = key_of(key, edited=True)
                if path_of(key) == key and self.state.ours(former).size:
                    self.state.drop(former)
            if self.steps and self.steps.current is not None:
                self.steps.rows.finish_write()
        for key, digest in (*written.items(), *merged.items()):
            if key in bytes_of:
                self._set_aside(key)
                self._contents.put(key, digest, bytes_of[key])

    def _set_aside(self, key: str) -> None:
        if self.steps and self.steps.current is not None:
            before = None  # what is kept for a stem is no file's
            if not key.startswith(_OF_STEMS):
                before = self.steps.rows.before(self.steps.current, path_of(key)) or b""
            self._contents.set_aside(key, self.steps.current, before)

    def claim(self, keys: Iterable[str]) -> None:
        """Record the keys of files that a command wrote, so that no build treats them as left over."""
        if self.state:
            with _reported_errors(self.root), self.state.step():
                self.state.claim_for_commands(keys)

    def note_base(self, stem: str, level: bytes) -> None:
        """Keep the level.json of a generated level whose files do not include it, or have edits in it."""
        if self.state:
            self._set_aside(f"{_BASE}{stem}")
            self._contents.put(f"{_BASE}{stem}", digest_of_bytes(level), level)

    def told(self, stem: str) -> frozenset[str]:
        """Return the lines that were told about the files with this stem, as `note_told` keeps them."""
        return frozenset((self._kept(f"{_TOLD}{stem}") or b"").decode("utf-8", "replace").splitlines())

    def note_told(self, stem: str, lines: Iterable[str]) -> None:
        """Keep the lines that were told about what a level cannot have in the files with this stem."""
        data = "".join(f"{one_line(line)}\n" for line in lines).encode()
        if self.state and (data or self.told(stem)):
            self._set_aside(f"{_TOLD}{stem}")
            self._contents.put(f"{_TOLD}{stem}", digest_of_bytes(data), data)

    def broken(self, stem: str, fingerprint: str) -> list[str] | None:
        """Return the rules that a level breaks, as `note_broken` keeps them. None if they are not known."""
        head, *lines = (self._kept(f"{_BROKEN}{stem}") or b"").decode("utf-8", "replace").split("\n")
        return lines[:-1] if head == f"{VERSION} {fingerprint}" else None

    def note_broken(self, stem: str, fingerprint: str, lines: Iterable[str]) -> None:
        """Keep one line for each rule that a person's edits break in a level, for this version's rules."""
        if self.state:
            data = "".join(f"{one_line(line)}\n" for line in (f"{VERSION} {fingerprint}", *lines)).encode()
            self._contents.put(f"{_BROKEN}{stem}", digest_of_bytes(data), data)

    def accepted(self, stem: str) -> bytes | None:
        """Return the digest of the level.json with this stem that was read or written last."""
        return self._kept(f"{_ACCEPTED}{stem}")

    def note_accepted(self, stem: str, digest: bytes) -> None:
        """Keep the digest of a level.json that has a person's edits, and is as a merge wrote it."""
        if self.state:
            self._contents.put(f"{_ACCEPTED}{stem}", digest_of_bytes(digest), digest)

    def note_edited(self, stem: str, level: bytes) -> None:
        """Keep the level.json of an edited level. Files may still show it after a sync or a re-roll."""
        if self.state:
            levels = [level, *(former for former in self.edited(stem) if former != level)]
            for number, former in enumerate(levels[:_MAX_EDITED]):
                self._set_aside(f"{_EDITED}{number}:{stem}")
                self._contents.put(f"{_EDITED}{number}:{stem}", digest_of_bytes(former), former)

    def note_exported(self, path: str, formats: Formats, stated: Formats) -> None:
        """Record what a level's files were exported with, and what its level.json says of that."""
        if self.state:
            with _reported_errors(self.root), self.state.step():
                self.state.note_exported(path, text_of(formats), text_of(stated))

    def drop(self, path: str) -> None:
        """Forget a file."""
        if self.state:
            with _reported_errors(self.root), self.state.step():
                self.state.drop(path)

    def note_removed(self, path: str, target: Path) -> None:
        """Keep a file that is about to be removed, for `undo`."""
        if self.steps:
            with self.transaction():
                kept = self.steps.note([FileChange(path, target, seen(target), GONE)])
            keep(kept)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a transaction of the state, if there is one."""
        with _reported_errors(self.root), self.state.step() if self.state else nullcontext():
            yield

    def restore_contents(self, step: int, keys: Iterable[str]) -> None:
        """Bring back the bytes for merges that a step replaced: what was set aside, and those of files."""
        self._contents.restore(step)
        for key in keys:
            path = self.root / path_of(key)
            digest = self.state.ours(key).digest if self.state else None
            if digest and digest_of_file(path) == digest and self._kept(key, digest) is None:
                self._contents.put(key, digest, path.read_bytes())

    def prune(self) -> None:
        """Forget files that are gone. For those of builds, drop only the bytes."""

        def is_gone(key: str) -> bool:
            if (step := step_of(key)) is not None:
                return step not in steps
            if key.startswith(_OF_STEMS):
                return self._has_no_file(key.rpartition(":")[2])
            return not os.path.lexists(self.root / path_of(key))

        if self.state and self.steps:
            with _reported_errors(self.root), self.state.step():
                forgotten = self.steps.rows.too_many(MOST_BYTES)
                self.steps.rows.forget(forgotten)
                steps = set(self.steps.rows.sizes())
                for path in self.state.by_commands():
                    if is_gone(path):
                        self.state.drop(path)
                self.state.drop_exported(self._has_no_file)
            self._contents.drop(is_gone)
            if forgotten:
                self.steps.remove_unknown()

    def _has_no_file(self, stem: str) -> bool:
        path = self.root / stem
        return not any(path.parent.glob(f"{escape(path.name)}.*"))


def stores_above(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the folders with a store, from this one upwards, and the ways from them to it, as in `a/b/`."""
    absolute = Path(os.path.abspath(folder))  # noqa: PTH100 - do not resolve links
    for root in (absolute, *list(absolute.parents)[:_MAX_ABOVE]):
        if (root / HOME / "state.db").is_file():
            below = "" if root == absolute else f"{absolute.relative_to(root).as_posix()}/"
            yield (root if below else folder), below


def recorded_below(folder: Path, paths: Iterable[str], dry_run: DryRun | None = None) -> tuple[Path, str]:
    """Return where the files of a folder are recorded: the store's folder, and the way from it, as in `a/b/`.

    That is the folder itself, or one above it whose store knows some of `paths` while its own does not: a
    build keeps one store for all of its folders. A store that cannot be used knows nothing. Raises
    BusyFolderError if another process is using one.
    """
    existing = [path for path in paths if os.path.lexists(folder / path)]
    stores = list(stores_above(folder)) if existing else []
    if not any(below for _, below in stores):
        return folder, ""
    for root, below in stores:
        try:
            with WrittenStore.opened(root, dry_run, takes_back=False) as store:  # whoever uses it tells of it
                known = (
                    store.ours(f"{below}{path}", edited=is_edited)
                    for path in existing
                    for is_edited in (False, True)
                )
                if any(file.size for file in known):
                    return root, below
        except BusyFolderError:
            raise
        except UndercroftError:  # the disk fails; if it is the folder's own store, the write reports it
            continue
    return folder, ""


def last_written(path: str | os.PathLike[str]) -> bytes | None:
    """Return what was written last to a file, or None if no store in a folder above knows it.

    The differences between this and the file are a person's changes. Raises UndercroftError if another
    process is using the folder.
    """
    file = Path(path)
    for root, below in stores_above(file.parent):
        with WrittenStore.opened(root) as store:
            data = store.last_written(f"{below}{file.name}")
        if data is not None:
            return data
    return None


@contextmanager
def _reported_errors(root: Path) -> Iterator[None]:
    """Turn errors of the state into messages of one line."""
    try:
        yield
    except sqlite3.Error as error:
        raise UndercroftError(f"{root / HOME / 'state.db'}: cannot be written: {error}") from None
