"""The one place that writes files: all beside their targets, flushed to disk, and then renamed over them.

So no half file is ever seen, a full disk keeps what was there, and after a power cut each file is the old or
the new one. What a killed run left is cleared away by the next one.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from exporters import durable
from exporters.begun import Begun
from exporters.edits.digests import digest_of_file
from exporters.edits.plan import WritePlan, WriteStep, seen
from exporters.edits.store import WrittenStore
from generator.errors import UndercroftError


def commit(plan: WritePlan, store: WrittenStore, begun_in: Path | None = None) -> set[Path]:
    """Write what is planned and note it. The folders whose names are still to be flushed to disk.

    Files on their way are begun beside their targets, or all in the folder `begun_in` of the same file
    system, which is its owner's to clear.

    Raises UndercroftError if anything cannot be written. Then every file is the old one or the new one, and
    the store knows which.
    """
    done: list[WriteStep] = []
    try:
        folders = _written(plan, store, begun_in, done)
    except BaseException:
        _undo_copies(done)
        with suppress(UndercroftError, OSError):
            _note(plan, store, {step.path for step in plan.steps} - {step.path for step in done})
        raise
    _note(plan, store, set())
    _remove_stale(plan)
    return folders


def flush_folders(folders: set[Path]) -> None:
    """Have the disk take the names in some folders. Raises UndercroftError."""
    try:
        durable.flush_folders(sorted(folders))
    except OSError as error:
        raise UndercroftError(f"{error.filename}: cannot be written: {error.strerror}") from None


def _written(plan: WritePlan, store: WrittenStore, begun_in: Path | None, done: list[WriteStep]) -> set[Path]:
    folders: set[Path] = set()
    at = plan.root  # what a message is about
    names: dict[str, Path] = {}
    with Begun(begun_in) as begun:
        try:
            ready = []
            for folder in plan.folders:
                begun.clear(folder)
            for step in plan.steps:
                at = plan.root / step.path
                folders.update(durable.make_folder(step.target.parent))
                ready.append(_begin(step, begun))
                names[str(ready[-1])] = at
            durable.flush(ready)
            store.intend(
                [
                    *plan.offered.items(),
                    *plan.merged.items(),
                    *(
                        (step.path, plan.settled[step.path])
                        for step in plan.steps
                        if step.path in plan.settled
                    ),
                ]
            )
            for step, temporary in zip(plan.steps, ready, strict=True):
                at = plan.root / step.path
                if seen(step.target) != step.before:
                    raise UndercroftError(f"{at}: was changed by somebody just now; run this again")
                temporary.replace(step.target)
                done.append(step)
                folders.add(step.target.parent)
        except OSError as error:
            at = names.get(str(error.filename), at)
            raise UndercroftError(f"{at}: cannot be written: {error.strerror}") from None
    return folders


def _begin(step: WriteStep, begun: Begun) -> Path:
    """Write a file beside its target; where. One that lies ready stays where it is. Raises OSError."""
    if step.source and not step.aside_of:
        return step.source
    temporary = begun.path(step.target.parent)
    if step.source:
        shutil.copyfile(step.source, temporary)
        shutil.copystat(step.source, temporary)
    else:
        assert step.data is not None
        with temporary.open("xb") as file:  # its rights are those of any new file
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
        {path: digest for path, digest in some.items() if path not in failed}
        for some in (plan.settled, plan.merged)
    )
    if settled or merged:
        store.settle(settled, merged, plan.bytes_of)


def _remove_stale(plan: WritePlan) -> None:
    for name, digest in plan.stale:
        if digest_of_file(plan.root / name) == digest:
            with suppress(OSError):  # it is only needless
                (plan.root / name).unlink()
