"""Builds that are killed: no half file is ever seen, and the next build finishes the work, byte by byte."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.combinations import usually
from tests.engines import HANG
from tests.exporters.builder.games import Game, files_of, started
from tests.interrupts import ctrl_c_is_heard
from tests.waiting import is_alive, until

# Runs the command line, and ends by SIGKILL right before it touches a file below ROOT for the Nth time.
KILLER = """
import os, sys
root, left = sys.argv[1], int(sys.argv[2])
def watch(event, args):
    global left
    if event in ("open", "os.rename", "os.remove", "os.mkdir") and str(args[0]).startswith(root):
        left -= 1
        if not left:
            os.kill(os.getpid(), 9)
sys.addaudithook(watch)
from generator.cli import main
main(sys.argv[3:])
"""
# Files are touched in this order: those of its own folders, the first level's, those of later ones. Each build
# goes on where the one before it was killed.
MOMENTS = (1, 4, 9, 14, 18, 23, 27)


def killed_build(game: Game, moment: int, *words: str) -> bool:
    """Whether it was killed before it had finished."""
    command = [sys.executable, "-c", KILLER, str(game.levels), str(moment)]
    command += ["build", str(game.folder), "--jobs", "1", "--quiet", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANG)
    assert (done.returncode, done.stderr) in ((-9, ""), (0, ""))
    return done.returncode == -9


def temporary(folder: Path) -> list[Path]:
    return list(folder.rglob("*.tmp"))


def test_killed_at_many_moments(tmp_path: Path) -> None:
    calm, game = Game(tmp_path / "calm"), Game(tmp_path / "killed")
    calm.build()
    expected = calm.files()
    for moment in MOMENTS:
        assert killed_build(game, moment)
        found = game.files() if game.levels.exists() else {}
        assert {name: expected[name] for name in found} == found, f"a half file, killed at {moment}"
        assert all(path.parent.name == "begun" for path in temporary(game.levels))
    assert 0 < len(found) < len(expected)
    told = game.build()
    assert game.files() == expected and not temporary(game.levels)
    assert not told.of("replaced") and not told.of("leftover")
    assert game.build().counts == {"unchanged": 5}


def test_what_a_killed_build_wrote_is_known_as_ours(tmp_path: Path) -> None:
    """It was at work on other options: its files are neither taken for a person's, nor left behind."""
    calm, game = Game(tmp_path / "calm"), Game(tmp_path / "killed")
    calm.build()
    game.build()
    game.change('out = "levels"', 'out = "levels"\noptions.godot.target = "4.2"')
    game.change("3:6", "2:5")
    assert killed_build(game, 30)
    changed = {name for name, data in game.files().items() if calm.files().get(name) != data}
    assert changed
    game.change('options.godot.target = "4.2"\n', "")
    game.change("2:5", "3:6")
    told = game.build("--prune")
    assert game.files() == calm.files()
    assert not told.of("replaced") and not told.of("kept")


def large(folder: Path) -> Game:
    """A build of 42 levels."""
    game = Game(folder)
    game.change("3:6", "0:40")
    return game


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the large build, if nobody disturbs it."""
    game = large(tmp_path_factory.mktemp("calm") / "game")
    game.build(jobs="2")
    return game.files()


def command_of(game: Game) -> list[str]:
    return [sys.executable, "-m", "generator.cli", "build", str(game.folder), "--json", "--jobs", "2"]


def workers_of(process: subprocess.Popen[bytes]) -> list[int]:
    return [
        int(word) for word in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    ]


def test_no_worker_outlives_its_build(tmp_path: Path, calm: dict[str, bytes]) -> None:
    game = large(tmp_path / "killed")
    process = started(command_of(game))
    workers = workers_of(process)
    assert len(workers) >= 2
    process.kill()
    process.communicate()
    until(
        lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers),
        "workers go on without anybody to work for",
    )
    assert len(list(game.levels.glob("cellars/*.tscn"))) < 36
    game.build(jobs="2")
    assert game.files() == calm and not temporary(game.levels)


@pytest.mark.parametrize("number", usually([signal.SIGTERM], [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
def test_interrupted(number: signal.Signals, tmp_path: Path) -> None:
    game = large(tmp_path / "game")
    with ctrl_c_is_heard():
        process = started(command_of(game))
    workers = workers_of(process)
    if number == signal.SIGTERM:
        process.terminate()  # and then again, to all, as `timeout` does
    os.killpg(process.pid, number)  # as a terminal does: workers hear it too
    _, said = process.communicate(timeout=HANG)
    told = b"undercroft: interrupted; what is built stays, and the next build continues there\n"
    assert (process.returncode, said) == (128 + number, told)
    assert not temporary(game.levels)
    until(lambda: not any(map(is_alive, workers)), "a worker goes on")
    counts = game.build(jobs="2").counts
    assert 0 < counts["unchanged"] < 42 and counts["unchanged"] + counts["built"] == 42


def test_a_killed_worker_costs_nothing(tmp_path: Path, calm: dict[str, bytes]) -> None:
    game = large(tmp_path / "killed")
    process = started(command_of(game))
    (*_, victim) = [
        pid for pid in workers_of(process) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    os.kill(victim, signal.SIGKILL)
    out, said = process.communicate(timeout=HANG)
    assert (process.returncode, said) == (0, b"")
    built = [event["level"] for event in map(json.loads, out.splitlines()) if event["event"] == "built"]
    assert len(built) == len(set(built)) == 41  # and the one that `started` has read
    assert game.files() == calm


def test_standard_output_is_closed(tmp_path: Path) -> None:
    """Who reads the events may go away, as `head` does."""
    game = Game(tmp_path / "game")
    with subprocess.Popen(
        command_of(game), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        process.stdout.close()
        process.wait(timeout=HANG)
        assert process.stderr and process.stderr.read() == ""
    assert process.returncode == 141
    assert not temporary(game.levels)
    game.build()
    assert len(files_of(game.levels)) == 21
