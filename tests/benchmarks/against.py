"""Other revisions of the project beside this one: the same works in each, in turns, and what became slower.

A revision is a folder of its files on PYTHONPATH. Nothing is installed, so all revisions share the libraries
of the Python that runs this.
"""

from __future__ import annotations

import io
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.commands import COMMANDS, Command
from tests.benchmarks.measure import ROUNDS
from tests.benchmarks.works import WORKS

ROOT = Path(__file__).parents[2]
RELEASE = "b2bdd3f"  # 0.2.0, which has no tag; what `release` means until a later one has
BATCHES = 4  # in the same process, one after the other
MIN = 0.9  # of another revision's speed, before a row counts as slower
GROUPS = (*WORKS, "commands")
FIGURES = ("cold", "warm", "memory")


class UnknownRevisionError(Exception):
    """A revision that the repository does not have."""


class Side(NamedTuple):
    """A revision: its name, the folder with its files, and a folder for what it writes."""

    name: str
    files: Path
    own: Path

    @property
    def environment(self) -> dict[str, str]:
        """For its processes: its modules come first, and are compiled beforehand, as installers do."""
        given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        compiled = str(self.own / "compiled")
        return {
            **given,
            "PYTHONPATH": str(self.files),
            "PYTHONSAFEPATH": "1",
            "PYTHONPYCACHEPREFIX": compiled,
        }


class Taken(NamedTuple):
    """What a work took: seconds of processor time for each unit done, and the most memory in MiB.

    `warm` is None for a command, which is always a process of its own.
    """

    cold: float
    warm: float | None
    memory: float


class Compared(NamedTuple):
    """A work here and in another revision: how many times as fast it is here, and the memory it takes here.

    `memory` is the ratio too: below 1 it takes less here. None: not measured, as the other revision lacks the
    work, or as it fails here.
    """

    work: str
    revision: str
    cold: float | None
    warm: float | None
    memory: float | None
    fails_here: bool = False

    def shown(self) -> tuple[str, ...]:
        """The cells of its figures, as `FIGURES` names them."""
        figures = (self.cold, self.warm, self.memory)
        return tuple("–" if figure is None else f"{figure:.2f}" for figure in figures)

    def slower(self) -> list[str]:
        """A line for each figure below `MIN`, or for a work that fails here."""
        if self.fails_here:
            return [f"{self.work}: fails here"]
        figures = (("cold", self.cold), ("warm", self.warm))
        return [
            f"{self.work}, {when}: {ratio:.2f} of the speed of {self.revision}"
            for when, ratio in figures
            if ratio is not None and ratio < MIN
        ]


Measure = Callable[[Sequence[Side]], list[Taken | None]]
"""Do a work once in each revision, in turns; None where the revision does not have it."""


def sides(revisions: Sequence[str], folder: Path) -> list[Side]:
    """This revision, with all that is not committed yet, and others of the repository.

    `release` is the last release. Raises UnknownRevisionError.
    """
    found = [Side("here", ROOT, folder / "here")]
    for number, asked in enumerate(revisions):
        revision = last_release() if asked == "release" else asked
        packed = _git("archive", revision)
        if packed.returncode:
            said = packed.stderr.decode().strip().splitlines()[:1]
            raise UnknownRevisionError(
                f"{revision}: git does not give this revision; fetch it, or give another ({' '.join(said)})"
            )
        files = folder / f"revision-{number}"
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
            archive.extractall(files, filter="data")
        found.append(Side(revision, files, folder / f"of-revision-{number}"))
    for side in found:
        side.own.mkdir()
    return found


def last_release() -> str:
    """The nearest tag of a version behind this revision; `RELEASE` if there is none."""
    described = _git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*")
    return RELEASE if described.returncode else described.stdout.decode().strip()


def _git(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, check=False)


def compared(
    where: Sequence[Side], groups: Sequence[str] = GROUPS, rounds: int = ROUNDS
) -> Iterator[list[Compared]]:
    """For each work, a comparison with each other revision."""
    for group in groups:
        for work in COMMANDS if group == "commands" else WORKS[group]:
            measure = measured_command(work, where) if group == "commands" else measured_work(work)
            yield _medians(work, where, measure, rounds)


def _medians(work: str, where: Sequence[Side], measure: Measure, rounds: int) -> list[Compared]:
    """The medians of the ratios of all rounds but the first, which compiles the modules."""
    turns = []
    for turn in range(rounds + 1):
        order = list(where) if turn % 2 else list(where)[::-1]  # nobody is always first
        taken = dict(zip(order, measure(order), strict=True))
        if taken[where[0]] is None:
            return [Compared(work, side.name, None, None, None, fails_here=True) for side in where[1:]]
        turns.append([taken[side] for side in where])
    lines = []
    for number, side in enumerate(where[1:], 1):
        pairs = [(turn[0], turn[number]) for turn in turns[1:]]
        both = [(ours, theirs) for ours, theirs in pairs if ours and theirs]
        lines.append(
            Compared(
                work,
                side.name,
                _median([theirs.cold / ours.cold for ours, theirs in both]),
                _median([theirs.warm / ours.warm for ours, theirs in both if theirs.warm and ours.warm]),
                _median([ours.memory / theirs.memory for ours, theirs in both]),
            )
        )
    return lines


def _median(ratios: list[float]) -> float | None:
    return statistics.median(ratios) if ratios else None


# --- works in a process, and commands ---------------------------------------------------------------


class _Worker:
    """A process of a revision that does a work."""

    def __init__(self, work: str, side: Side) -> None:
        program = [sys.executable, str(Path(__file__).with_name("works.py")), work]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            program,
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
            text=True,
            env=side.environment,
            cwd=side.own,
        )

    def did(self) -> tuple[float, int] | None:
        """The seconds that the last took and how much was done; None if the process has ended."""
        assert self._process.stdout
        words = self._process.stdout.readline().split()
        return (float(words[0]), int(words[1])) if words else None

    def go(self) -> tuple[float, int] | None:
        """Do it again."""
        assert self._process.stdin
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return self.did()

    def end(self) -> float:
        """End the process; the most memory that it took, in MiB."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.stdout.close()
        return waited(self._process).memory


def waited(process: subprocess.Popen[str]) -> Taken:
    """What a process took, from its start to its end."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Taken(usage.ru_utime + usage.ru_stime, None, usage.ru_maxrss / 1024)


def measured_work(work: str) -> Measure:
    """What measures a work: once in a fresh process, and then in batches, one revision after the other."""

    def measure(where: Sequence[Side]) -> list[Taken | None]:
        workers, firsts = [], []
        for side in where:
            workers.append(_Worker(work, side))
            firsts.append(workers[-1].did())
        batches = [
            [worker.go() if first else None for worker, first in zip(workers, firsts, strict=True)]
            for _ in range(BATCHES)
        ]
        taken: list[Taken | None] = []
        for number, (worker, first) in enumerate(zip(workers, firsts, strict=True)):
            memory = worker.end()
            did = [done for batch in batches if (done := batch[number])]
            if first is None or len(did) < BATCHES:
                taken.append(None)
            else:
                warm = sum(seconds for seconds, _ in did) / sum(done for _, done in did)
                taken.append(Taken(first[0] / first[1], warm, memory))
        return taken

    return measure


def measured_command(name: str, where: Sequence[Side]) -> Measure:
    """What measures a command in a folder of each revision, prepared by the revision itself."""
    command = COMMANDS[name]
    able = {side: _prepare(command, side) for side in where}

    def measure(where: Sequence[Side]) -> list[Taken | None]:
        return [_run(command.words, side) if able[side] else None for side in where]

    return measure


def _prepare(command: Command, side: Side) -> bool:
    """Make the files that a command works on; False if the revision cannot, or cannot run the command."""
    for path, text in command.files.items():
        (side.own / path).write_text(text, "utf-8")
    return all(_run(words, side) is not None for words in (*command.before, command.words))


def _run(words: str, side: Side) -> Taken | None:
    """What a command line took; None if it failed, and what it said goes to standard error."""
    line = [sys.executable, "-m", "generator.cli", *words.split()]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            line, stdout=subprocess.DEVNULL, stderr=said, text=True, env=side.environment, cwd=side.own
        )
        taken = waited(process)
        if not process.returncode:
            return taken
        said.seek(0)
        print(f"{side.name}: {words}: {said.read().decode().strip()}", file=sys.stderr)
    return None
