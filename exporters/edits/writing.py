"""Write a bundle into a folder: open the store, make a plan, and commit it unless it is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from exporters.edits import EDITS
from exporters.edits.changes import EditedFile
from exporters.edits.commit import commit, flush_folders
from exporters.edits.plan import WritePlan
from exporters.edits.policy import Planner
from exporters.edits.store import WrittenStore, recorded_below
from generator.errors import BadInput, UndercroftError, shown

if TYPE_CHECKING:
    from exporters.bundle import Bundle


class WriteOutcome(NamedTuple):
    """What happened to a bundle's files.

    `paths` have the new contents. Starting points written earlier (`begun`) belong to people and were left
    alone, as were the other files in `stay`. `changes` lists the changed files that had a new version.
    `notes` come from the bundle and the store.
    """

    paths: list[Path]
    begun: list[Path]
    stay: list[Path]
    changes: list[EditedFile]
    notes: list[str]

    def joined(self, other: WriteOutcome) -> WriteOutcome:
        """This outcome combined with another one for the same folder."""
        return WriteOutcome(
            self.paths + other.paths,
            self.begun + other.begun,
            self.stay + other.stay,
            self.changes + other.changes,
            self.notes + other.notes,
        )

    @property
    def refused(self) -> bool:
        """Whether nothing was written, because a person changed a file."""
        return any(change.what == "refused" for change in self.changes)

    @property
    def kept(self) -> list[Path]:
        """All files that were left as a person changed them."""
        return self.begun + self.stay


def write(
    bundle: Bundle,
    folder: Path,
    edits: str | None = "keep",
    *,
    known: Callable[[str, Path], bool] = lambda path, file: False,
    inert: bool = False,
    theirs: Mapping[str, bytes] | None = None,
    record: bool = True,
    only_plan: bool = False,
) -> WriteOutcome:
    """Write a bundle below a folder; `Planner` explains `edits` and the other options.

    Without `record` the store is read but not changed, so the written files will count as a person's. With
    `only_plan` nothing is written. Raises UndercroftError if a file cannot be written,
    and BadInput if a guarded file would change.
    """
    if edits is not None and edits not in EDITS:
        raise BadInput(f"edits: {shown(edits)} is not one of {', '.join(EDITS)}")
    root, below = (folder, "") if edits is None else recorded_below(folder, bundle)
    with _store(root, edits) as store:
        planner = Planner(
            root,
            store,
            edits,
            guarded=bundle.guarded,
            known=lambda path, file: known(path.removeprefix(below), file),
            inert=inert,
            theirs={f"{below}{path}": data for path, data in (theirs or {}).items()},
        )
        try:
            every = [each._replace(path=f"{below}{each.path}") for each in bundle.wanted()]
            planner.prepare(every)
            for wanted in every:
                planner.add(wanted)
        except OSError as error:
            raise UndercroftError(f"{error.filename or folder}: cannot be read: {error.strerror}") from None
        plan = planner.done()
        outcome = _outcome(plan, store, bundle.notes, folder, below)
        if outcome.refused or only_plan:
            return outcome
        if record:
            flush_folders(commit(plan, store))
            _note(plan, store)
        else:
            flush_folders(commit(plan, WrittenStore(root, None)))
        return outcome


def _store(folder: Path, edits: str | None) -> WrittenStore:
    return WrittenStore(folder, None) if edits is None else WrittenStore.opened(folder)


def _outcome(
    plan: WritePlan, store: WrittenStore, notes: list[str], folder: Path, below: str
) -> WriteOutcome:
    paths, begun, stay = (
        [folder / path.removeprefix(below) for path in some]
        for some in ([] if plan.refused else plan.paths, plan.begun, plan.stay)
    )
    changes = [each.moved_to(folder, below) for each in plan.changes]
    return WriteOutcome(paths, begun, stay, changes, [*notes, store.note] if store.note else notes)


def _note(plan: WritePlan, store: WrittenStore) -> None:
    store.claim([*plan.settled, *plan.merged])
    store.prune()
