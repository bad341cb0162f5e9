"""Executors of a team's own, for every command over many seeds, and workers that are killed in them."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Generator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from generator.batch.cluster import _hand_over
from generator.cli import main

MODULE = """
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from distributed.scheduler import KilledWorker

made = []

def executor():
    made.append(ThreadPoolExecutor(2))
    return made[-1]

class Dying(Executor):
    error = None

    def submit(self, work, *args):
        done = Future()
        done.set_exception(self.error)
        return done

class Pool(Dying):
    error = BrokenProcessPool("a child process terminated abruptly")

class Cluster(Dying):
    error = KilledWorker("task-1", None, 3)

class Dead(Dying):
    def submit(self, work, *args):
        raise BrokenProcessPool("the pool is not usable any more")
"""
COMMANDS = {
    "search": ("isaac", "--where", "loops == 0", "--seeds", "0:40"),
    "stats": ("isaac", "--fact", "rooms", "--seeds", "0:40"),
    "audit": ("isaac", "--seeds", "0:2"),
    "gallery": ("isaac", "--seeds", "0:30", "--where", "loops == 0", "--out", "g.html"),
    "pack": ("isaac", "--seeds", "0:2", "--out", "x.ucpack"),
    "build": (),
    "layouts stats": ("isaac", "--seeds", "0:2"),
}


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module beside the manifest, where somebody is at work."""
    (tmp_path / "my_cluster.py").write_text(MODULE, "utf-8")
    manifest = '[group.a]\nspec = "isaac"\nseeds = "0:2"\nformats = ["json"]\n'
    (tmp_path / "undercroft.toml").write_text(manifest, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "my_cluster", raising=False)
    return tmp_path


def run(command: str, executor: str, *more: str) -> Result:
    words = (*command.split(), *COMMANDS[command], "--executor", executor, *more)
    return CliRunner().invoke(main, words)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_module_in_the_current_folder_does_the_work(command: str, team: Path) -> None:
    done = run(command, "my_cluster:executor")
    assert done.exit_code == 0, done.output
    assert len(sys.modules["my_cluster"].made) == 1
    assert sys.modules["my_cluster"].__file__ == str(team / "my_cluster.py")


@pytest.mark.parametrize(
    ("command", "executor"),
    [(command, "Pool") for command in ("search", "stats", "gallery", "pack", "build")]
    + [(command, executor) for command in ("audit", "build") for executor in ("Cluster", "Dead")],
)
def test_a_killed_worker_is_one_line(command: str, executor: str, team: Path) -> None:
    done = run(command, f"my_cluster:{executor}")
    lines = done.stderr.splitlines()
    assert done.exit_code == 1 and lines and all(line.startswith("undercroft: ") for line in lines)
    assert "was killed" in lines[0] and "; give fewer " in lines[0]
    assert len(lines) == (
        2 if (command, executor) == ("build", "Cluster") else 1
    )  # of each level that it took


def test_json_has_it_too(team: Path) -> None:
    done = run("audit", "my_cluster:Dead", "--json")
    told = json.loads(done.stdout)
    assert (told["event"], told["status"], told["option"]) == ("error", 1, "--executor")
    assert done.stderr == f"undercroft: {told['message']}\n"


class Fetched:
    """A task of Dask's whose worker died as its result came."""

    status = "lost"

    def __await__(self) -> Generator[Any, None, tuple[int, int, int, int]]:
        yield from ()
        return 1, 2, 3, 4


def test_a_result_counts_although_its_worker_died_meanwhile() -> None:
    future: Future[Any] = Future()
    asyncio.run(_hand_over(Fetched(), future))
    assert future.done() and future.result() == (1, 2, 3, 4)
