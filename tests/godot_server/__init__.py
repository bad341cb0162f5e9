"""A Godot that stays up and answers questions, for most of the time of a short one is Godot's start.

A question is a script of the project and its arguments. The script extends `probe.gd`, which is brought into the
project beside it, and ends with `quit()`. Each project has a process of its own, started by the first question.

    done = ask(godot(), project, "probes/dump.gd", "res://level.tscn", str(answer))

Between two questions all nodes, tweens and pressed actions of the first are gone, and the world is a new one. A new
process is started if a file of the project has changed since, so that nothing is read that Godot kept; and after a
question that said anything, failed or left something behind, so that none is blamed for another's doing. What the
process says at its end fails the test that ended it, with all that was asked. A question that was asked before, of
the same files, gets the same answer without an engine.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import shutil
import subprocess
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from tests.engines import HANG, Program

# Built within the frame that asks for it: no answer may depend on the machine's load. To turn it off later loses what
# is being built.
NAVIGATION = """
[navigation]

world/map_use_async_iterations=false
world/region_use_async_iterations=false
"""

SCRIPTS = Path(__file__).parent
MARK = "--- answered "
END = "\x04"
MAX = 2  # processes of a pytest process: each takes memory
# As fast as frames can be made, each of a sixtieth of a second.
OPTIONS = ("--fixed-fps", "60")

Line = tuple[str, str | None]  # "out" or "err", and nothing at its end
Content = dict[str, tuple[int, int]]  # a file's time of change and size

_running: dict[tuple[Path, bool], Server] = {}
_exchanged: set[str] = set()  # files that questions and answers stand in
_answers: dict[str, Answer] = {}  # by the digests of questions, with the state of the project
starts = 0  # how many processes this one has started


class Answer(NamedTuple):
    """What a question gave, for whoever asks it again: tests come in any order, and need no engine twice."""

    done: subprocess.CompletedProcess[str]
    files: dict[Path, bytes]  # compressed

    @classmethod
    def kept(cls, done: subprocess.CompletedProcess[str], args: Iterable[str]) -> Answer:
        """An answer, with the files that its arguments name."""
        return cls(done, {path: zlib.compress(path.read_bytes(), 1) for path in _files(args)})

    def again(self) -> subprocess.CompletedProcess[str]:
        """Give it as if the question had been asked."""
        for path, data in self.files.items():
            path.write_bytes(zlib.decompress(data))
        return self.done


class Server:
    """One process, and what it was asked."""

    def __init__(self, program: Program, folder: Path, display: bool) -> None:
        global starts  # noqa: PLW0603
        starts += 1
        self.content = content(folder)
        self.asked: list[str] = []
        self.said: list[Line] = []  # not yet given back
        self.is_clean = True
        self._has_ended = False
        screen = () if display else ("--headless",)
        args = (*screen, *OPTIONS, "--path", folder, "-s", "probes/server.gd")
        self.process = program.start(*args, display=display)
        self._lines: queue.Queue[Line] = queue.Queue()
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self._questions = self.process.stdin
        for name, stream in (("out", self.process.stdout), ("err", self.process.stderr)):
            threading.Thread(target=self._listen, args=(name, stream), daemon=True).start()
        self._until_marked()

    def _listen(self, name: str, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                self._lines.put((name, line))
        self._lines.put((name, None))

    def ask(self, script: str, *args: str) -> subprocess.CompletedProcess[str]:
        """What was said and the status, as of a process that the question had for itself."""
        self.asked.append(" ".join((script, *args)))
        before = len(self.said)
        with suppress(BrokenPipeError):  # it is dead, which is found when it is heard
            self._questions.write(json.dumps([f"res://{script}", *args]) + END + "\n")
            self._questions.flush()
        status, is_clean = self._until_marked()
        self.is_clean = is_clean and status == 0 and len(self.said) == before
        return self._told(status)

    def _until_marked(self) -> tuple[int, bool]:
        """Wait until both streams have said that the question is done; keep what they said before."""
        if self._has_ended:
            return self.process.wait() or 1, False
        marked: dict[str, tuple[int, bool]] = {}
        for name, line in self._heard():
            if line is None:  # the process ended, whatever it had to do
                self._rest(name)
                self._has_ended = True
                return self.process.wait() or 1, False
            if line.startswith(MARK):
                marked[name] = json.loads(line.removeprefix(MARK))
                if len(marked) == 2:
                    return marked["out"]
            else:
                self.said.append((name, line))
        raise AssertionError("a queue does not end")

    def _rest(self, *ended: str) -> None:
        """Keep what is said up to the end of the process."""
        left = {"out", "err"}.difference(ended)
        for name, line in self._heard() if left else ():
            if line is not None:
                self.said.append((name, line))
            else:
                left.discard(name)
            if not left:
                return

    def _heard(self) -> Iterator[Line]:
        while True:
            try:
                yield self._lines.get(timeout=HANG)
            except queue.Empty:
                self.process.kill()
                told = "".join(line or "" for _, line in self.said)
                last = self.asked[-1] if self.asked else "its start"
                raise AssertionError(f"Godot hung at {last}; until then it said:\n{told}") from None

    def _told(self, status: int) -> subprocess.CompletedProcess[str]:
        streams = {"out": "", "err": ""}
        for name, line in self.said:
            streams[name] += line or ""
        self.said = []
        return subprocess.CompletedProcess(self.asked, status, streams["out"], streams["err"])

    def stop(self) -> subprocess.CompletedProcess[str]:
        """End the process; what it said since the last question."""
        with suppress(BrokenPipeError):  # of a process that is dead already
            self._questions.close()
        if not self._has_ended:
            self._rest()
        return self._told(self.process.wait())


def ask(
    program: Program, folder: Path, script: str, *args: str, display: bool = False
) -> subprocess.CompletedProcess[str]:
    """Ask the process of a project, and start it if there is none: what it said, and the script's status."""
    _exchanged.update(str(Path(arg).absolute()) for arg in args if not arg.startswith("res://"))
    bring(folder)
    key, now = (folder, display), content(folder)
    digest = _digest(folder, now, script, args, display)
    if known := _answers.get(digest):
        return known.again()
    found = _running.pop(key, None)
    if found and found.content != now:
        _end(found)
        found = None
    while not found and len(_running) >= MAX:
        _end(_running.pop(next(iter(_running))))
    server = found or Server(program, folder, display)
    _running[key] = server  # the last one is that of the last question
    done = server.ask(script, *args)
    if not server.is_clean:
        del _running[key]
        last = server.stop()
        done.stdout += last.stdout
        done.stderr += last.stderr
        done.returncode = done.returncode or last.returncode
    _answers[digest] = Answer.kept(done, args)
    return done


def bring(folder: Path) -> None:
    """Put what answers into a project, beside the probes that it runs."""
    for name in ("server.gd", "probe.gd"):
        if not (folder / "probes" / name).exists():
            shutil.copy(SCRIPTS / name, folder / "probes")


def stop(folder: Path | None = None) -> None:
    """End the processes of a project, or all."""
    for key in [key for key in _running if folder in (None, key[0])]:
        _end(_running.pop(key))


def _end(server: Server) -> None:
    last = server.stop()
    said = last.stderr + last.stdout
    asked = "\n".join(server.asked)
    assert not said.strip() and last.returncode == 0, (
        f"Godot ended with {last.returncode} and said:\n{said}\nIt had been asked:\n{asked}"
    )


def content(folder: Path) -> Content:
    """The files of a project, without those that questions and answers stand in."""
    found: Content = {}
    left = [str(folder)]
    while left:
        with os.scandir(left.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    left.append(entry.path)
                elif entry.path not in _exchanged:
                    facts = entry.stat()
                    found[entry.path] = (facts.st_mtime_ns, facts.st_size)
    for path in _exchanged & found.keys():
        del found[path]
    return found


def _digest(folder: Path, now: Content, script: str, args: tuple[str, ...], display: bool) -> str:
    """What tells a question from all others: its words, the project, and the files that it reads."""
    files = [path.read_bytes() for path in _files(args)]
    state = repr((str(folder), sorted(now.items()), script, args, files, display))
    return hashlib.sha256(state.encode()).hexdigest()


def _files(args: Iterable[str]) -> list[Path]:
    """The files among the arguments, outside of the project's own."""
    return [Path(arg) for arg in args if str(Path(arg).absolute()) in _exchanged and Path(arg).is_file()]
