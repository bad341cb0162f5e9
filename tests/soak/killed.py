"""A command that is killed at some call to the disk, then run again: no file is half-written.

The process ends inside the n-th call below the folder, as it does by `kill -9`: nothing is flushed, and nobody
clears up. So the moment is a number, and a case can be repeated.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

from exporters.edits.store import WrittenStore
from tests.exporters.edits.faults import FailingDisk
from tests.exporters.edits.test_faults import (
    PERSONS,
    STORIES,
    Story,
    _change,
    is_before_or_after,
    prepare,
    run,
)
from tests.folders import files_in

_DIED = 9


class DeadlyDisk(FailingDisk):
    """Ends the process in the n-th call."""

    def meet(self, what: str, path: object) -> None:
        try:
            super().meet(what, path)
        except (OSError, sqlite3.Error):
            os._exit(_DIED)


def in_another_process(work: Callable[..., None], *more: object) -> int | None:
    """Do it in a fresh process, because a fork would inherit locks of threads; its exit status."""
    process = get_context("spawn").Process(target=work, args=more)
    process.start()
    process.join()
    return process.exitcode


def run_and_die(story: Story, folder: Path, moment: int) -> None:
    """Run it until the process ends in a call."""
    with DeadlyDisk(folder, moment).at_work():
        run(story.command, folder)


def run_again(story: Story, folder: Path) -> None:
    """Run it to its end; the exit status of the process is the command's."""
    done = run(story.command, folder)
    sys.stderr.write(done.stderr if done.exit_code else "")
    sys.exit(done.exit_code)


def case(seed: int, folder: Path) -> None:
    """Any story, killed anywhere."""
    chance = random.Random(seed)
    story = STORIES[chance.choice(sorted(STORIES))]
    prepared = prepare(folder / "prepared")
    assert run(story.before, prepared).exit_code == 0
    if story.changed:
        _change(prepared / story.changed)
    calm, tried = folder / "calm", folder / "tried"
    shutil.copytree(prepared, calm)
    disk = FailingDisk(calm)
    with disk.at_work():
        assert run(story.command, calm).exit_code == 0
    shutil.copytree(prepared, tried)
    moment = chance.randrange(len(disk.calls))
    killed_and_finished(story, tried, moment, files_in(prepared), files_in(calm))


def killed_and_finished(
    story: Story, folder: Path, moment: int, before: dict[str, bytes], wanted: dict[str, bytes]
) -> None:
    """Each file is the old or the new one, a person's work is there, and a second run finishes."""

    where = f"{story.command}, killed in call {moment}"
    assert in_another_process(run_and_die, story, folder, moment) in (0, _DIED), where
    found = files_in(folder)
    for name, data in found.items():
        aside = ".undercroft" in name  # the record, and files that were not renamed yet
        assert aside or data in {before.get(name), wanted.get(name)}, f"{name}: {where}"
    assert not [name for name in before if name not in found and ".undercroft" not in name], where
    if story.changed:
        assert any(PERSONS in data for data in found.values()), where
    with WrittenStore.opened(folder):
        assert is_before_or_after(files_in(folder), before, wanted), where
    finished = in_another_process(run_again, story, folder)
    assert finished == 0, f"{where}: cannot be finished"
    after = files_in(folder)
    beside = {name for name in after if ".new" in name or ".mine" in name}
    half = [name for name in after if name not in wanted and name not in beside]
    assert not half, f"{half}: {where}"
    for name, data in wanted.items():
        assert after.get(name) == data or ".undercroft" in name, f"{name}: {where}"
