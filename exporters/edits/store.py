"""The store of a folder that is written into: what was written there last, by every command.

    OUT/.undercroft/state.db       which files are ours, by digest; of builds, what is done
    OUT/.undercroft/last.db        the bytes of those files, packed, for merges
    OUT/.undercroft/.gitignore     `*`: it belongs to this folder on this machine

Builds keep more beside it (`exporters/builder/store.py`). All of it can be lost: then a file that is there
and is not what would be written counts as a person's.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from exporters.edits.contents import Contents
from exporters.edits.state import FolderState, Ours, UnusableStoreError, key_of, path_of
from generator.errors import UndercroftError

HOME = ".undercroft"
_WAIT_S = 120  # for a run that writes into the same folder
_REFUSED = {errno.EACCES, errno.EPERM, errno.EROFS}
_NOT_KNOWN = "what was written here before is not known"
_MOST_ABOVE = 32  # folders above a file in which its store is looked for


def made_home(root: Path, *more: str) -> Path:
    """The store's folder, with some folders in it; made if missing. Raises UndercroftError for links."""
    home = root / HOME
    for folder in (home, *(home / name for name in more)):
        if folder.is_symlink():
            raise UnusableStoreError(f"{folder}: is a link; remove it")
        folder.mkdir(parents=True, exist_ok=True)
    for name in ("state.db", "last.db"):
        if (home / name).is_symlink():
            raise UnusableStoreError(f"{home / name}: is a link; remove it")
    ignore = home / ".gitignore"
    if not os.path.lexists(ignore):
        ignore.write_text("*\n", "utf-8")
    return home


class WrittenStore:
    """What was written into one folder. Without a state nothing is known, and nothing is noted."""

    def __init__(self, root: Path, state: FolderState | None, note: str = "") -> None:
        """`note` is what a person is to be told of the store itself."""
        self.root, self.state, self.note = root, state, note
        self._contents = Contents(root / HOME / "last.db")

    @classmethod
    def opened(cls, root: Path) -> Self:
        """The store of a folder, made if it is missing, and nobody else's until it is closed.

        One that is damaged or may not be used is told in `note`: then nothing is known. Raises
        UndercroftError if the disk fails, or another run does not end.
        """
        try:
            state = FolderState(made_home(root) / "state.db", _WAIT_S)
        except UnusableStoreError as error:
            return cls(root, None, f"{error}; {_NOT_KNOWN}")
        except OSError as error:
            where = error.filename or root / HOME
            if isinstance(error, (FileExistsError, NotADirectoryError)):
                return cls(root, None, f"{where}: is not a folder; remove it; {_NOT_KNOWN}")
            if error.errno in _REFUSED:
                return cls(root, None, f"{where}: cannot be used: {error.strerror}; {_NOT_KNOWN}")
            raise UndercroftError(f"{where}: cannot be written: {error.strerror}") from None
        what = f"was damaged or of another version and is begun anew; {_NOT_KNOWN}"
        return cls(root, state, f"{root / HOME / 'state.db'}: {what}" if state.lost else "")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *rest: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others write here."""
        self._contents.close()
        if self.state:
            self.state.close()

    # --- what is known -----------------------------------------------------------------------------------

    def ours(self, path: str, *, edited: bool = False) -> Ours:
        """What is known of a file by its path in the folder, from the generator or from an edited level."""
        key = key_of(path, edited)
        with _told(self.root):
            return self.state.ours(key) if self.state else Ours(key, 0, 0, None, None)

    def last_given(self, path: str, *, edited: bool = False) -> bytes | None:
        """The bytes of what `ours` knows; None if they are not kept."""
        ours = self.ours(path, edited=edited)
        return self._contents.get(ours.path, ours.digest) if ours.digest else None

    def last_written(self, path: str) -> bytes | None:
        """What was written last to a file, by its path in the folder; None if that is not known."""
        is_edited = self.ours(path, edited=True).digest is not None
        return self.last_given(path, edited=is_edited)

    # --- what is noted -----------------------------------------------------------------------------------

    def intend(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Note what is going to be written: path and digest."""
        if self.state:
            with _told(self.root), self.state.step():
                self.state.intend(files)

    def settle(
        self, written: Mapping[str, bytes], merged: Mapping[str, bytes], bytes_of: Mapping[str, bytes]
    ) -> None:
        """Note files that stand as they were written, and what was merged into a person's, by digest.

        All by their keys in the state; `bytes_of` has what can be kept for a merge. What was written from an
        edited level before is forgotten once the generator's stands there.
        """
        if not self.state:
            return
        with _told(self.root), self.state.step():
            for key, digest in written.items():
                now = (self.root / path_of(key)).stat()
                self.state.settle(key, now.st_size, now.st_mtime_ns, digest)
            for key, digest in merged.items():
                self.state.settle_merged(key, digest)
            for key in (*written, *merged):
                former = key_of(key, edited=True)
                if path_of(key) == key and self.state.ours(former).size:
                    self.state.drop(former)
        for key, digest in (*written.items(), *merged.items()):
            if key in bytes_of:
                self._contents.put(key, digest, bytes_of[key])

    def claim(self, keys: Iterable[str]) -> None:
        """Note that a command has written files, by their keys, so that no build takes them for left over."""
        if self.state:
            with _told(self.root), self.state.step():
                self.state.claim_for_commands(keys)

    def drop(self, path: str) -> None:
        """Forget a file."""
        if self.state:
            with _told(self.root), self.state.step():
                self.state.drop(path)

    def prune(self) -> None:
        """Forget files that are gone; of builds, only their bytes."""

        def is_gone(key: str) -> bool:
            return not os.path.lexists(self.root / path_of(key))

        if self.state:
            with _told(self.root), self.state.step():
                for path in self.state.by_commands():
                    if is_gone(path):
                        self.state.drop(path)
            self._contents.drop(is_gone)


def last_written(path: str | os.PathLike[str]) -> bytes | None:
    """What was written last to a file; None if no store of a folder above knows it.

    A person's changes to the file are those between this and what the file holds. Raises UndercroftError if
    somebody else is at work in the folder.
    """
    place = Path(os.path.abspath(path))  # noqa: PTH100 - a link in the folder stands for itself
    for root in list(place.parents)[:_MOST_ABOVE]:
        if (root / HOME / "state.db").is_file():
            with WrittenStore.opened(root) as store:
                found = store.last_written(place.relative_to(root).as_posix())
            if found is not None:
                return found
    return None


@contextmanager
def _told(root: Path) -> Iterator[None]:
    """Errors of the state as lines."""
    try:
        yield
    except sqlite3.Error as error:
        raise UndercroftError(f"{root / HOME / 'state.db'}: cannot be written: {error}") from None
