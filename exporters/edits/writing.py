"""A bundle into a folder: the store is opened, the plan is made, and unless it is refused, committed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from exporters.edits.changes import EditedFile
from exporters.edits.commit import commit, flush_folders
from exporters.edits.plan import WritePlan
from exporters.edits.policy import EDITS, Planner
from exporters.edits.store import WrittenStore
from generator.errors import BadInput, UndercroftError, shown

if TYPE_CHECKING:
    from exporters.bundle import Bundle


class WriteOutcome(NamedTuple):
    """What became of a bundle's files.

    `paths` stand with what is new, people's own that were `begun` once were left alone, and `changes` tells
    of the others that people changed. `notes` are those of the bundle, and about the store.
    """

    paths: list[Path]
    begun: list[Path]
    changes: list[EditedFile]
    notes: list[str]

    @property
    def refused(self) -> bool:
        """Whether nothing was written, because a person changed a file."""
        return any(change.what == "refused" for change in self.changes)

    @property
    def kept(self) -> list[Path]:
        """All files that were left as a person made them."""
        return self.begun + [change.file for change in self.changes if change.what == "kept"]


def write(
    bundle: Bundle,
    folder: Path,
    edits: str | None = "keep",
    *,
    known: Callable[[str, Path], bool] = lambda path, file: False,
    inert: bool = False,
    record: bool = True,
    only_plan: bool = False,
) -> WriteOutcome:
    """Write a bundle below a folder; what `edits` and the other options mean stands at `Planner`.

    Without `record` the store is asked what is ours, but takes no note: what is written is a person's from
    then on. With `only_plan` nothing is written. Raises UndercroftError if anything cannot be written,
    BadInput if what is guarded would change.
    """
    if edits is not None and edits not in EDITS:
        raise BadInput(f"edits: {shown(edits)} is none of {', '.join(EDITS)}")
    with _store(folder, edits) as store:
        planner = Planner(folder, store, edits, guarded=bundle.guarded, known=known, inert=inert)
        try:
            every = list(bundle.wanted())
            planner.prepare(every)
            for wanted in every:
                planner.add(wanted)
        except OSError as error:
            raise UndercroftError(f"{error.filename or folder}: cannot be read: {error.strerror}") from None
        plan = planner.done()
        outcome = _outcome(plan, store, bundle.notes)
        if outcome.refused or only_plan:
            return outcome
        if record:
            flush_folders(commit(plan, store))
            _note(plan, store)
        else:
            flush_folders(commit(plan, WrittenStore(folder, None)))
        return outcome


def _store(folder: Path, edits: str | None) -> WrittenStore:
    return WrittenStore(folder, None) if edits is None else WrittenStore.opened(folder)


def _outcome(plan: WritePlan, store: WrittenStore, notes: list[str]) -> WriteOutcome:
    begun = [plan.root / path for path in plan.kept]
    paths = [] if plan.refused else [plan.root / path for path in plan.paths]
    return WriteOutcome(paths, begun, plan.changes, [*notes, store.note] if store.note else notes)


def _note(plan: WritePlan, store: WrittenStore) -> None:
    store.claim([*plan.settled, *plan.merged])
    store.prune()
