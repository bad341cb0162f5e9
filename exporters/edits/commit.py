"""The one place that writes files: beside their targets first, then flushed to disk, then renamed.

So no incomplete file is ever visible, a full disk loses nothing, and after a power cut each file is either
the old or the new one. The next run removes what a killed run left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from exporters import durable
from exporters.durable import TemporaryFiles, clear
from exporters.edits.digests import digest_of_bytes, digest_of_file, digest_of_ready
from exporters.edits.places import target_of
from exporters.edits.plan import WritePlan, WriteStep, seen
from exporters.edits.state import path_of
from exporters.edits.step_rows import GONE
from exporters.edits.steps import FileChange
from exporters.edits.store import WrittenStore
from generator.errors import UndercroftError


def commit(
    plan: WritePlan,
    store: WrittenStore,
    temporary_folder: Path | None = None,
    *,
    record: bool = True,
    also: Callable[[], None] = lambda: None,
) -> set[Path]:
    """Write what is planned and record it. Returns the folders that still have to be flushed to disk.

    What is replaced or removed is kept for `undo`. Without `record`, nothing else is recorded. `also` records
    what else there is to record, in the same transaction.

    Temporary files lie beside their targets, or all in `temporary_folder` on the same file system, which the
    caller clears.

    Raises UndercroftError if a file cannot be written. Then all files are as they were before, if the disk
    lets them be brought back; else each is either the old or the new one, and the store knows which.
    """
    done: list[WriteStep] = []
    try:
        folders = _written(plan, store, temporary_folder, done, record)
        _remove_stale(plan)
        if record:
            with store.transaction():
                _note(plan, store, set())
                also()
        elif plan.steps:
            store.finish_write()
    except BaseException:
        with suppress(UndercroftError, OSError):
            if store.take_back_unfinished():
                done = []
        _undo_copies(done)
        if record:
            with suppress(UndercroftError, OSError):
                _note(plan, store, {step.path for step in plan.steps} - {step.path for step in done})
        raise
    return folders


def flush_folders(folders: set[Path]) -> None:
    """Flush the entries of some folders to disk. Raises UndercroftError."""
    try:
        durable.flush_folders(sorted(folders))
    except OSError as error:
        raise durable.unwritable(error.filename, error) from None


def _written(
    plan: WritePlan,
    store: WrittenStore,
    temporary_folder: Path | None,
    done: list[WriteStep],
    record: bool,
) -> set[Path]:
    folders: set[Path] = set()
    at = plan.root  # for messages
    names: dict[str, Path] = {}
    with TemporaryFiles(temporary_folder) as begun:
        try:
            ready = []
            for folder in plan.folders:
                clear(folder)
            for step in plan.steps:
                at = plan.root / step.path
                folders.update(durable.make_folder(step.target.parent))
                ready.append(_begin(step, begun))
                names[str(ready[-1])] = at
            durable.flush(ready)
            written = {step.path for step in plan.steps}
            settled = ((key, digest) for key, digest in plan.settled.items() if path_of(key) in written)
            intended = [*plan.offered.items(), *plan.merged.items(), *settled] if record else []
            store.intend(intended, _changes(plan))
            for step, temporary in zip(plan.steps, ready, strict=True):
                at = plan.root / step.path
                if seen(step.target) != step.before:
                    raise UndercroftError(f"{at}: was changed during this run; run this again")
                temporary.replace(step.target)
                done.append(step)
                folders.add(step.target.parent)
        except OSError as error:
            at = names.get(str(error.filename), at)
            raise durable.unwritable(at, error) from None
    return folders


def _changes(plan: WritePlan) -> Iterator[FileChange]:
    for step in plan.steps:
        digest = plan.digest_of(step)
        if digest is None and step.source:
            digest = digest_of_ready(step.source)
        elif digest is None:
            assert step.data is not None
            digest = digest_of_bytes(step.data)
        yield FileChange(step.path, step.target, step.before, digest)
    for path, _ in plan.stale:
        target = target_of(plan.root, path)
        yield FileChange(path, target, seen(target), GONE)


def _begin(step: WriteStep, begun: TemporaryFiles) -> Path:
    """Write a file beside its target, or leave one to be moved, and return its path. Raises OSError."""
    if step.source and not step.aside_of:
        return step.source
    temporary = begun.path(step.target.parent)
    if step.source:
        import shutil  # takes long to import, and few files are copied

        shutil.copyfile(step.source, temporary)
        shutil.copystat(step.source, temporary)
    else:
        assert step.data is not None
        with temporary.open("xb") as file:  # with the usual permissions of a new file
            file.write(step.data)
    return temporary


def _undo_copies(done: list[WriteStep]) -> None:
    """Remove the copies of files that were not replaced after all."""
    replaced = {step.path for step in done}
    for step in done:
        if step.aside_of and step.aside_of not in replaced:
            with suppress(OSError):
                step.target.unlink()


def _note(plan: WritePlan, store: WrittenStore, failed: set[str]) -> None:
    settled, merged = (
        {key: digest for key, digest in digests.items() if path_of(key) not in failed}
        for digests in (plan.settled, plan.merged)
    )
    store.settle(settled, merged, plan.bytes_of)


def _remove_stale(plan: WritePlan) -> None:
    for name, digest in plan.stale:
        if digest_of_file(plan.root / name) == digest:
            with suppress(OSError):  # harmless if it stays
                (plan.root / name).unlink()
                if name in plan.former and "/" in name:
                    (plan.root / name).parent.rmdir()  # the last file of rooms takes their folder along
