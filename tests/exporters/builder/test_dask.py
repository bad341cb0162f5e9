"""A build over a real Dask cluster: a scheduler and workers in processes of their own, one of them killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from generator.batch import cluster as clusters
from generator.installed import install_command
from tests.engines import HANG
from tests.exporters.builder.games import Game, files_of, started
from tests.waiting import until

ROOT = Path(__file__).parent.parent.parent.parent

# The command line, which on a busy machine waits for a scheduler and its workers.
PATIENT = f"""
import sys
from generator.batch import cluster
cluster._PATIENCE = cluster._ALONE = {HANG}
"""
RUN = "from generator.cli import main\nmain(sys.argv[1:])\n"


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask's, killed in the end."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        [sys.executable, "-m", "dask", *words], cwd=ROOT, stdout=quiet, stderr=quiet
    ) as process:
        try:
            yield process
        finally:
            process.kill()


class Cluster:
    """A scheduler, and workers that may be killed."""

    def __init__(self, folder: Path, programs: ExitStack) -> None:
        file = folder / "scheduler.json"
        self._programs = programs
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        self.scheduler = programs.enter_context(running("scheduler", *words))
        until(lambda: file.exists() and file.read_text("utf-8").endswith("}"), "the scheduler did not start")
        self.address = str(json.loads(file.read_text("utf-8"))["address"])
        self.workers = [self.begin_worker() for _ in range(2)]

    def begin_worker(self) -> subprocess.Popen[bytes]:
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        return self._programs.enter_context(running("worker", self.address, *words))

    def replace_workers(self) -> None:
        """Begin a worker in place of each that has ended."""
        self.workers = [one if one.poll() is None else self.begin_worker() for one in self.workers]

    def command(self, game: Game, out: Path, changes: str = "") -> list[str]:
        """A build here, with changes to the program before it runs."""
        where = ("--executor", "dask", "--scheduler", self.address)
        words = ("build", str(game.folder), "--out", str(out), "--json", *where)
        return [sys.executable, "-c", PATIENT + changes + RUN, *words]


@pytest.fixture(scope="module")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with ExitStack() as programs:
        yield Cluster(tmp_path_factory.mktemp("dask"), programs)


@pytest.fixture
def cluster(shared_cluster: Cluster) -> Cluster:
    """With two workers, whatever became of those that were there."""
    shared_cluster.replace_workers()
    return shared_cluster


@pytest.mark.xdist_group("dask")
def test_a_worker_killed_in_the_middle_costs_nothing(tmp_path: Path, cluster: Cluster) -> None:
    game = Game(tmp_path / "game")
    game.change("3:6", "0:24")
    game.build()
    out = tmp_path / "out"
    events = []
    with subprocess.Popen(
        cluster.command(game, out), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout and process.stderr
        for line in process.stdout:
            events.append(json.loads(line))
            if len(events) == 5:
                os.kill(cluster.workers[0].pid, signal.SIGKILL)
        said = process.stderr.read().decode()
    assert process.returncode == 0, said
    built = [event["level"] for event in events if event["event"] == "built"]
    assert len(built) == len(set(built)) == 26
    assert events[-1]["groups"] == {
        "cellars": {"built": 24, "generated": 24},
        "descent": {"built": 2, "generated": 2},
    }
    assert files_of(out) == game.files()
    written = [path for event in events for path in event.get("files", [])]
    assert sorted(written) == sorted(game.files())  # each of them once


@pytest.mark.xdist_group("dask")
def test_a_worker_that_lacks_a_theme_says_so(tmp_path: Path, cluster: Cluster) -> None:
    """The same path is another file there, or was changed: nothing is built from it."""
    import shutil

    import exporters

    game = Game(tmp_path / "game")
    look = tmp_path / "game" / "look"
    shutil.copytree(Path(exporters.__file__).parent / "themes", look)
    toml = look / "undercroft.toml"
    toml.write_text(toml.read_text("utf-8").replace('name = "undercroft"', 'name = "crypt"'), "utf-8")
    game.change('out = "levels"', 'out = "levels"\ntheme = "look/undercroft.toml"')
    swap = f"""
from exporters.builder.plan import BuildPlan
made = BuildPlan.__init__
def init(self, manifest):
    made(self, manifest)
    with open({str(toml)!r}, "a") as file:
        file.write("# changed meanwhile\\n")
BuildPlan.__init__ = init
"""
    command = cluster.command(game, tmp_path / "out", swap)
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANG)
    reasons = {json.loads(line).get("reason") for line in done.stdout.splitlines()} - {None}
    assert done.returncode == 1
    assert reasons == {f"{toml}: was changed during the build; build again"}


@pytest.mark.xdist_group("dask")
def test_no_worker_is_left(tmp_path: Path, cluster: Cluster) -> None:
    """Nothing waits for one for ever; the next build goes on."""
    game = Game(tmp_path / "game")
    game.change("3:6", "0:40")
    impatient = "\ncluster._ALONE = 0\n"
    command = cluster.command(game, game.levels, impatient)
    process = started(command)
    for worker in cluster.workers:
        worker.kill()
    told, said = process.communicate(timeout=HANG)
    assert process.returncode == 1
    alone = f"--scheduler: '{cluster.address}' lost all of its workers; start some and run this again"
    assert said.decode() == f"undercroft: {alone}\n"
    assert json.loads(told.splitlines()[-1])["message"] == alone


@pytest.mark.soak
def test_a_scheduler_that_goes_away(tmp_path: Path) -> None:
    """What it had done stays, and the next build, here, does the rest."""
    game = Game(tmp_path / "game")
    game.change("3:6", "0:40")
    # Once it has found its scheduler, it soon gives up looking for it again.
    impatient = """
begin = cluster._Cluster.__init__
def init(self, client, name):
    client._timeout = 1
    begin(self, client, name)
cluster._Cluster.__init__ = init
"""
    with ExitStack() as programs:
        cluster = Cluster(tmp_path, programs)
        command = cluster.command(game, game.levels, impatient)
        process = started(command)
        cluster.scheduler.kill()
        _, said = process.communicate(timeout=HANG)
    assert process.returncode == 1
    lost = f"undercroft: --scheduler: '{cluster.address}' was lost; go on when it is back: what is done stays"
    assert said.decode().splitlines()[-1] == lost and b"Traceback" not in said
    told = game.build(jobs="2")
    assert told.counts["unchanged"] > 0 and told.counts["unchanged"] + told.counts["built"] == 42


def test_without_dask_there_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = Game(tmp_path).run("--executor", "dask", "--scheduler", "tcp://127.0.0.1:1")
    assert (done.exit_code, done.stdout) == (2, "")
    command = install_command("dask")
    assert done.stderr == f"undercroft: --executor dask: Dask is not installed; run {command}\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--executor", "dask"), "--executor dask and --scheduler ADDRESS go together"),
        (("--scheduler", "tcp://a:1"), "--executor dask and --scheduler ADDRESS go together"),
        (
            ("--executor", "dask", "--scheduler", "hello world"),
            "'hello world' is not an address; give one like tcp://",
        ),
        (("--executor", "ray"), "--executor: unknown executor 'ray'; give processes, dask, or MODULE:NAME"),
        (
            ("--executor", "no.such:thing"),
            "--executor: 'no.such:thing': there is no module 'no'; install its package, or",
        ),
        (
            ("--executor", "builtins:dict"),
            "--executor: 'builtins:dict' is not an executor of concurrent.futures",
        ),
    ],
)
def test_wrong_executors(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    done = Game(tmp_path).run(*words)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("undercroft: ") and says in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["undercroft.toml"]


def test_a_silent_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_PATIENCE", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        done = Game(tmp_path).run("--executor", "dask", "--scheduler", address)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"undercroft: --scheduler: '{address}' does not answer: ")
