"""What is known of the files in a folder, from its store or one above it, and from level.json."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.edits.store import HOME, WrittenStore, recorded_below
from exporters.exported import LEVEL, ExportedWith, exported_in, with_files

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

    def levels(self, name: str) -> Iterator[bytes]:
        """Yield the known level.json files of a name: as the generator gave them, and with edits."""
        stem, store = f"{self._below}{name}", self._store
        for data in (store.base(stem), store.last_given(f"{stem}{LEVEL}"), *store.edited(stem)):
            if data is not None:
                yield data

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
def folder_record(folder: Path, name: str = "", dry_run: DryRun | None = None) -> Iterator[FolderRecord]:
    """Read the record of a folder, at least of the files that begin with `name`. None is begun.

    Raises UndercroftError if another run does not end.
    """
    files = folder.iterdir() if folder.is_dir() else ()
    names = [path.name for path in files if path.name.startswith(name)]
    root, below = recorded_below(folder, names, dry_run)
    if not (root / HOME).is_dir():
        yield FolderRecord(folder)
        return
    with WrittenStore.opened(root, dry_run) as store:
        yield FolderRecord(folder, store, below)


def exported_before(folder: Path, name: str, dry_run: DryRun | None = None) -> dict[str, ExportedWith]:
    """Return what a level's files in a folder were exported with, like `FolderRecord.exported`."""
    with folder_record(folder, name, dry_run) as record:
        return record.exported(name)
