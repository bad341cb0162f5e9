"""A build in memory, held against what stands in a folder: for machines that trust no state and write nothing."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path

from exporters.build.compare import same_content
from exporters.build.plan import Plan
from exporters.build.run import Event, Sharing
from exporters.build.work import File, Task, is_own, lost, make
from generator.batch.run import in_order
from generator.errors import BadInput
from generator.files import read_bytes


class Check:
    """One check of a folder against a plan. Iterate `events`; the counts are of levels, by group."""

    def __init__(self, plan: Plan, root: Path) -> None:
        self._plan, self._root = plan, root
        self._sharing = Sharing()
        self._shared: dict[int, bytes] = {}  # a hash of a shared file's path: its digest
        self.counts: dict[str, Counter[str]] = {group.name: Counter() for group in plan.manifest.groups}
        self.on_level: Callable[[], None] = lambda: None

    def events(self, executor: Executor | None, jobs: int) -> Iterator[Event]:
        """Make every level anew, and tell what differs: missing, differs, or failed."""
        tasks = (Task(planned, None, self._sharing.bears(planned)) for planned in self._plan)
        for task, made in in_order(make, tasks, executor, jobs, lost):
            planned, count = task.planned, self.counts[task.planned.group.name]
            if not made.error and any(self._is_unknown(file) for some in made.files.values() for file in some):
                made = make(task._replace(bears=frozenset(planned.outputs)))  # who was to bring it failed
            found = []
            for output, files in made.files.items():
                found += [row for file in files for row in self._compared(file, output.path)]
            facts = {"group": planned.group.name, "level": planned.label}
            if made.error:
                yield Event("failed", {**facts, "reason": made.error})
            for what, path in found:
                yield Event(what, {**facts, "file": path})
            count["failed" if made.error else "differs" if found else "same"] += 1
            self.on_level()

    def _is_unknown(self, file: File) -> bool:
        return file.data is None and hash(file.path) not in self._shared

    def _compared(self, file: File, output: str) -> Iterator[tuple[str, str]]:
        """What is wrong with a file: at most one row."""
        path = self._root / file.path
        if not is_own(file.path, output):
            met = self._shared.get(hash(file.path))
            if met is not None:  # told before
                if met != file.digest:
                    yield "clashes", file.path
                return
            self._shared[hash(file.path)] = file.digest
        if not os.path.lexists(path):
            yield "missing", file.path
        elif file.data is not None and not file.once and not _holds(path, file.data):
            yield "differs", file.path


def _holds(path: Path, data: bytes) -> bool:
    try:
        theirs = read_bytes(path, 2 * len(data) + (1 << 16), BadInput)
    except BadInput:  # no file, or far too large
        return False
    return same_content(path.name, data, theirs)
