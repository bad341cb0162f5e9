"""A build: workers make what is out of date, and this process stores it in the plan's order, as events."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from exporters.builder.inputs import FORCED, is_of_other_version, joined
from exporters.builder.kept import KeptLevels
from exporters.builder.leftovers import BY_HAND, can_prune, said_of, used_files
from exporters.builder.plan import BuildPlan, Output, Planned, PlannedPack
from exporters.builder.run_files import RunTask, make_run, run_files
from exporters.builder.run_files import lost as lost_run
from exporters.builder.store import MissingBytesError, Store, Stored
from exporters.builder.work import BuiltFile, Made, Task, lost, make
from exporters.durable import FullDiskError
from exporters.edits.state import Ours
from exporters.registry import exporter
from generator.batch.run import in_order
from generator.errors import BadInput, UndercroftError
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from exporters.builder.packs import MadePack


class Event(NamedTuple):
    """One step of a build, and its facts.

    `what` is built, packed, failed, refused, edited, stays, note, problem, misfit, leftover, removed or kept.
    """

    what: str
    facts: dict[str, object]


class Sharing:
    """Decides which task returns the bytes of shared files: the first with a recipe in a folder.

    Nearly all levels of a group look alike, but other groups may show other chapters.
    """

    def __init__(self) -> None:
        self._met: set[int] = set()

    def first_outputs(self, planned: Planned) -> frozenset[Output]:
        """Return the outputs of a level whose shared files no other task returns."""
        outputs = []
        group = planned.group
        for output in planned.outputs:
            number = hash((PurePosixPath(output.path).parent, output.recipe, group.name, group.stage_name))
            if number not in self._met:
                self._met.add(number)
                outputs.append(output)
        return frozenset(outputs)


class Build:
    """One build of a plan in a folder. Iterate `events`. `counts` are numbers of levels by group."""

    def __init__(
        self,
        plan: BuildPlan,
        store: Store,
        *,
        force: bool = False,
        prune: bool = False,
        refuses: bool = False,
        keep_levels: bool = False,
    ) -> None:
        """Prepare the build. With `refuses`, a file of an earlier build that a person changed stops it.

        With `keep_levels`, levels that were built before are not generated again.
        """
        self._kept = KeptLevels(store.root, store.all_saved()) if keep_levels else None
        self._refuses = refuses
        self._plan, self._store = plan, store
        self._force, self._prune = force, prune
        self._sharing = Sharing()
        self._staying: list[Event] = []
        self._made: dict[bytes, bool] = {}  # whether stages of campaigns could be made now, by their keys
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in plan.groups()}
        self.on_level: Callable[[], None] = lambda: None

    def events(self, executor: Executor | None, jobs: int) -> Iterator[Event]:
        """Build, and yield what was done.

        Raises UndercroftError if the disk is full or the state becomes unusable.
        """
        try:
            if self._refuses:
                refused = list(self._store.changed_by_hand(self._outputs()))
                yield from (
                    Event("refused", {**edited.facts(), "said": edited.message()}) for edited in refused
                )
                if refused:
                    return
            for task, result in in_order(make, self._tasks(), executor, jobs, lost):
                yield from self._stored(task, result)
                self.on_level()
            yield from self._staying
            yield from self._missing()
            yield from (Event("note", doubt) for doubt in (self._kept.doubts() if self._kept else ()))
            yield from self._run_files(executor, jobs)
            yield from self._packs(executor, jobs)
            yield from self._leftovers()
        except sqlite3.Error as error:
            raise UndercroftError(f"{self._store.root}: its state cannot be written: {error}") from None
        except OSError as error:
            raise UndercroftError(f"{error.filename}: {error.strerror}") from None

    def _outputs(self) -> Iterator[Output]:
        for planned in self._plan:
            yield from planned.outputs
        yield from (file.output for file in run_files(self._plan.stages()) if not file.hindrance)
        yield from (pack.output for pack in self._plan.packs)

    def _tasks(self) -> Iterator[Task]:
        for planned in self._plan:
            reasons = [self._why(output) for output in planned.outputs]
            if any(reasons):
                todo = zip(planned.outputs, reasons, strict=True)
                left = planned._replace(outputs=tuple(output for output, why in todo if why))
                saved = None if self._force else self._store.saved(planned.key)
                kept = self._kept.of(planned) if self._kept and not saved else None
                yield Task(left, saved, self._sharing.first_outputs(left), joined(reasons), kept)
            else:
                staying = self._store.staying(planned.outputs)
                self._count(planned, "unchanged", *["edited"] * bool(staying))
                if staying:
                    facts = {"group": planned.group.name, "level": planned.label}
                    self._staying.append(Event("stays", {**facts, "files": staying}))
                self.on_level()

    def _why(self, output: Output) -> list[str]:
        """Say why an output has to be made. Called for all, which marks them as seen."""
        return self._store.why_to_make(output) or ([FORCED] if self._force else [])

    def _count(self, planned: Planned, *results: str) -> None:
        self.counts[planned.group.name].update(results)

    def _missing(self) -> Iterator[Event]:
        """Yield a note for each of the game's own files that a group's options name and the game lacks."""
        groups = {planned.group.name: planned.group for planned in self._plan}
        for name, group in groups.items():
            for form, options in group.options.items():
                if missing := exporter(form).missing:
                    lines = missing(options, self._store.root)
                    yield from (Event("note", {"group": name, "level": name, "said": line}) for line in lines)

    def _stored(self, task: Task, result: Made) -> Iterator[Event]:
        planned = task.planned
        facts: dict[str, object] = {"group": planned.group.name, "level": planned.label}
        refused: list[str] = []
        with _refusals_to(refused):
            if not result.error:
                merged = self._store.merged(task, result)
                try:
                    stored = self._store.store(result.files, fingerprint=result.fingerprint, merged=merged)
                except MissingBytesError:  # the task that had them failed
                    result = make(task._replace(with_shared=frozenset(planned.outputs)))
                    stored = self._store.store(result.files, fingerprint=result.fingerprint, merged=merged)
                if result.level is not None:
                    self._store.save_level(planned.key, result.level)
        error = "".join(refused) or result.error
        if planned.group.run:
            self._made[planned.key] = not error
        if error:
            self._count(planned, "failed")
            yield Event("failed", {**facts, "reason": error})
            return
        self._count(planned, "built", *(["generated"] if result.generated else []))
        facts |= {"generated": result.generated, "why": task.why}
        if stored.former:
            facts["same_level"] = stored.former == result.fingerprint
        yield Event("built", {**facts, **_files(stored)})
        yield from _edited(stored)
        for what, lines in (("note", stored.notes), ("problem", stored.problems)):
            yield from (Event(what, {**facts, "said": line}) for line in lines)
        for stale in stored.stale_files:
            yield Event("misfit", {**stale.facts(), "said": stale.message()})

    def _run_files(self, executor: Executor | None, jobs: int) -> Iterator[Event]:
        """Make the files that show all levels of a campaign, from the levels that are now saved.

        If a level could not be made, its files stay as they are, and the next build tries again.
        """
        reasons: dict[Output, str] = {}
        todo = []
        for file in run_files(self._plan.stages()):
            made = {self._made.get(stage.key) for stage in file.stages}
            if file.hindrance and True in made:
                yield Event("note", {**file.facts(), "said": file.hindrance})
            elif not file.hindrance and (why := self._why(file.output)) and False not in made:
                reasons[file.output] = joined([why])
                todo.append(RunTask(file, tuple(map(self._saved, file.stages))))
        for task, result in in_order(make_run, todo, executor, jobs, lost_run):
            facts, refused = task.file.facts(), list[str]()
            with _refusals_to(refused):
                if not result.error:
                    stored = self._store.store(result.files)
            if error := "".join(refused) or result.error:
                yield Event("failed", {**facts, "reason": error})
                continue
            own = {"generated": False, "why": reasons[task.file.output]}
            yield Event("built", {**facts, **own, **_files(stored)})
            yield from (Event("note", {**facts, "said": line}) for line in result.notes)
            yield from _edited(stored)

    def _saved(self, planned: Planned) -> Task:
        return Task(planned, self._store.saved(planned.key))

    def _packs(self, executor: Executor | None, jobs: int) -> Iterator[Event]:
        todo, reasons = [], {}
        for pack in self._plan.packs:
            why = self._why(pack.output)
            is_kept = self._kept and all(map(is_of_other_version, why))
            if not why or is_kept:
                self.counts[pack.label]["unchanged"] += pack.levels
                for _ in range(pack.levels):
                    self.on_level()
            else:
                todo.append(pack)
                reasons[pack.label] = joined([why])
        if todo:
            from exporters.builder.packs import made_packs

            for pack, path, result in made_packs(todo, self._store.begun, self.on_level, executor, jobs):
                try:
                    yield from self._stored_pack(pack, path, result, reasons[pack.label])
                finally:
                    path.unlink(missing_ok=True)

    def _stored_pack(self, pack: PlannedPack, path: Path, result: MadePack, why: str) -> Iterator[Event]:
        """Store a pack. If levels are missing, it does not count as done, and the next build tries again."""
        facts: dict[str, object] = {"group": pack.name}
        counts, refused = self.counts[pack.label], list[str]()
        for missing in result.missing:
            yield Event("failed", {**facts, "level": missing.level, "reason": missing.reason})
        compared: dict[str, object] = {}
        if not result.error:
            compared = self._compared(pack, path, why)
            wanted = self._store.digest_of(path)
            assert wanted
            file = BuiltFile(pack.label, wanted, None, once=False)
            output = pack.output._replace(key=b"") if result.missing else pack.output
            with _refusals_to(refused):
                stored = self._store.store({output: [file, *result.beside]}, {pack.label: path})
        if error := "".join(refused) or result.error:
            counts["failed"] += pack.levels
            yield Event("failed", {**facts, "level": pack.label, "reason": error})
            return
        counts["built"] += result.levels
        if not pack.parts[0].source.file:
            counts["generated"] += result.levels
        if result.missing:
            counts["failed"] += len(result.missing)
        facts |= {"levels": result.levels, "why": why, **compared}
        yield Event("packed", {**facts, **_files(stored)})
        yield from _edited(stored)

    def _compared(self, pack: PlannedPack, path: Path, why: str) -> dict[str, object]:
        """Say which levels of a pack that another version made are other ones now, if that can be read."""
        if not is_of_other_version(why):
            return {}
        from exporters.formats.pack.reader import other_levels

        try:
            others, same = other_levels(path, self._store.root / pack.label)
        except BadInput:
            return {}
        return {"other_levels": others, "same_levels": same}

    def _leftovers(self) -> Iterator[Event]:
        leftovers = self._store.leftovers()
        if not self._prune:
            for left in leftovers:
                yield Event("leftover", {"file": left.path, "said": self._left(left)})
            return
        ours = {left.path: left for left in leftovers if can_prune(self._store.root, left)}
        used = used_files(self._store.root, [left.path for left in leftovers if left.path not in ours], ours)
        for left in leftovers:
            if left.path not in ours:
                yield Event("kept", {"file": left.path, "said": BY_HAND})
            elif user := used.get(left.path):
                yield Event("kept", {"file": left.path, "said": f"{user} uses it, which stays"})
            else:
                self._store.prune(left)
                yield Event("removed", {"file": left.path})
        self._store.prune_levels({planned.key for planned in self._plan})

    def _left(self, left: Ours) -> str:
        """Say what to do with a file that stays though the manifest no longer asks for it."""
        if self._store.is_unmerged(left.path):
            return "was changed by hand, but the manifest no longer asks for it; --force merges the changes"
        return said_of(self._store.root, left)


@contextmanager
def _refusals_to(refused: list[str]) -> Iterator[None]:
    """Add the reason why one output is not stored. Raises FullDiskError, as all others would fail too."""
    try:
        yield
    except FullDiskError:
        raise
    except UndercroftError as error:
        refused.append(str(error))
    except OSError as error:  # another program is changing the folder
        refused.append(f"{error.filename}: {error.strerror}")


def _files(stored: Stored) -> dict[str, object]:
    return {"files": stored.written, "removed": stored.removed, "kept": stored.kept}


def _edited(stored: Stored) -> Iterator[Event]:
    for change in stored.changes:
        yield Event("edited", {**change.facts(), "said": change.message()})
