"""What is known of the files in a folder, from its store or one above it, and from level.json."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.edits.store import HOME, WrittenStore, recorded_below
from exporters.exported import LEVEL, ExportedWith, exported_in, fingerprint_in, with_files

if TYPE_CHECKING:
    from exporters.edits.dry_run import DryRun


class FolderRecord:
    """The record of one folder, empty without a store."""

    def __init__(self, folder: Path, store: WrittenStore | None = None, below: str = "") -> None:
        """Set the folder. `below` is the way from the store's folder to this one, as in `a/b/`."""
        self.folder, self._store, self._below = folder, store or WrittenStore(folder, None), below

    def last_written(self, path: str) -> bytes | None:
        """Return what was written last to a file, by its path in the folder. None if not known."""
        return self._store.last_written(f"{self._below}{path}")

    def is_as_written(self, path: str) -> bool:
        """Check whether a file, by its path in the folder, is what was written there last."""
        return self._store.is_as_written(f"{self._below}{path}")

    def levels(self, name: str) -> Iterator[bytes]:
        """Yield the known level.json files of a name: as the generator gave them, and with edits."""
        stem, store = f"{self._below}{name}", self._store
        for data in (store.base(stem), store.last_given(f"{stem}{LEVEL}"), *store.edited(stem)):
            if data is not None:
                yield data

    def fingerprint(self, name: str) -> str:
        """Return the fingerprint of the level that the files of a name show, empty if it is not known."""
        path = self.folder / f"{name}{LEVEL}"
        return fingerprint_in(path if path.is_file() else next(self.levels(name), b""))

    def told(self, name: str) -> frozenset[str]:
        """Return the lines that were told about what a level cannot have in the files of a name."""
        return self._store.told(f"{self._below}{name}")

    def note_told(self, name: str, lines: Iterable[str]) -> None:
        """Keep these lines, so that they are not told again while they stand."""
        self._store.note_told(f"{self._below}{name}", lines)

    def broken(self, name: str, fingerprint: str) -> list[str] | None:
        """Return the rules that the level of a name breaks, if that was found out before, else None."""
        return self._store.broken(f"{self._below}{name}", fingerprint)

    def note_broken(self, name: str, fingerprint: str, lines: Iterable[str]) -> None:
        """Keep the rules that a level breaks, so that they are not looked for again while it stays."""
        self._store.note_broken(f"{self._below}{name}", fingerprint, lines)

    def accepted(self, name: str) -> bytes | None:
        """Return the digest of the level.json of a name that was read or written last, if it has edits."""
        return self._store.accepted(f"{self._below}{name}")

    def note_accepted(self, name: str, digest: bytes) -> None:
        """Keep the digest of a level.json that was read, so that it need not be read again."""
        self._store.note_accepted(f"{self._below}{name}", digest)

    def is_export(self, name: str, format_: str) -> bool:
        """Check whether a level with this name was exported in a format."""
        return format_ in self._store.exported(f"{self._below}{name}")[0]

    def deleted(self, name: str) -> list[str]:
        """Return the files of a level that were written and are gone, of formats that have no others.

        They are known until something else is written.
        """
        from exporters.registry import exporter, format_names

        gone: list[str] = []
        for format_ in format_names():
            paths = [f"{name}{suffix}" for suffix in exporter(format_).suffixes]
            if format_ != "json" and not any(os.path.lexists(self.folder / path) for path in paths):
                ours = [
                    path
                    for path in paths
                    for edited in (False, True)
                    if self._store.ours(f"{self._below}{path}", edited=edited).digest
                ]
                gone += dict.fromkeys(ours)
        return gone

    def exported(self, name: str) -> dict[str, ExportedWith]:
        """Return what the files of a level in the folder were exported with, by format.

        A level.json that has changed since, for example because somebody pulled it, knows better than the
        store. Raises BadInput if the level.json says something that cannot be.
        """
        level = self.folder / f"{name}{LEVEL}"
        says = exported_in(level)
        known, stated = self._store.exported(f"{self._below}{name}")
        if says != stated and level.exists():
            known = {format_: options for format_, options in known.items() if format_ not in stated} | says
        return with_files({**says, **known}, self.folder / name)


@contextmanager
def folder_record(
    folder: Path,
    name: str = "",
    dry_run: DryRun | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> Iterator[FolderRecord]:
    """Read the record of a folder, at least of the files that begin with `name`. None is begun.

    If a write that was not finished is taken back first, `tell` gets the line that says so.
    Raises UndercroftError if another run does not end.
    """
    files = folder.iterdir() if folder.is_dir() else ()
    names = [path.name for path in files if path.name.startswith(name)]
    root, below = recorded_below(folder, names, dry_run)
    if not (root / HOME).is_dir():
        yield FolderRecord(folder)
        return
    with WrittenStore.opened(root, dry_run) as store:
        if store.taken_back:
            tell(store.note)
        yield FolderRecord(folder, store, below)


def exported_before(
    folder: Path, name: str, dry_run: DryRun | None = None, tell: Callable[[str], None] = lambda line: None
) -> dict[str, ExportedWith]:
    """Return what a level's files in a folder were exported with, like `FolderRecord.exported`.

    `tell` is for `folder_record`.
    """
    with folder_record(folder, name, dry_run, tell) as record:
        return record.exported(name)
