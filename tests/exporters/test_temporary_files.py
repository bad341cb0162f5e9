"""What a killed run leaves is gone after the next run; what a run that is alive has begun stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from exporters import Bundle
from exporters.durable import TemporaryFiles
from tests.engines import HANG
from tests.exporters.builder.games import Game

# Installs the addon, and ends by SIGKILL right before it touches a file in PROJECT for the Nth time.
KILLED = """
import os, sys
root, left = sys.argv[1], int(sys.argv[2])
def watch(event, args):
    global left
    path = str(args[0]) if args else ""
    if event in ("open", "os.rename", "os.remove") and path.startswith(root) and ".undercroft-" in path:
        left -= 1
        if not left:
            os.kill(os.getpid(), 9)
sys.addaudithook(watch)
from generator.cli import main
main(["addon", "install", root])
"""
# Begins a file in FOLDER, says so, and waits to be killed or let go on.
ALIVE = """
import sys
from pathlib import Path
from exporters.durable import TemporaryFiles
with TemporaryFiles() as begun:
    path = begun.path(Path(sys.argv[1]))
    path.write_bytes(b"begun")
    print(path, flush=True)
    sys.stdin.read()
    path.replace(path.parent / "finished")
"""
# Writes a file into FOLDER.
WRITE = "import sys; from exporters import Bundle; Bundle({'a.txt': b'a'}).write(sys.argv[1], edits=None)"

_FOLDERS = """
out = "levels"
[group.a]
spec = "isaac"
seeds = [3]
formats = ["json", "godot"]
options.godot.split = "rooms"
path = "deep/down/{seed}"
"""


def write(folder: Path) -> None:
    subprocess.run([sys.executable, "-c", WRITE, str(folder)], check=True, timeout=HANG)


def left_in(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob(".undercroft-*")}


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_killed_at_many_moments(tmp_path: Path) -> None:
    (tmp_path / "project.godot").write_text("config_version=5\n", "utf-8")
    most = 0
    for moment in (1, 2, 3, 10, 40, 90, 140, 200):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(tmp_path), str(moment)],
            capture_output=True,
            check=False,
            timeout=HANG,
        )
        assert done.returncode == -9 and not done.stderr
        most = max(most, len(left_in(tmp_path)))
        assert most < 250, "they pile up"
    assert most > 20
    done = subprocess.run(
        [sys.executable, "-m", "generator.cli", "addon", "install", str(tmp_path)], check=False, timeout=HANG
    )
    assert done.returncode == 0 and not left_in(tmp_path)
    installed = json.loads((tmp_path / "addons" / "undercroft" / ".installed.json").read_bytes())["files"]
    assert all((tmp_path / "addons" / "undercroft" / name).is_file() for name in installed)


@pytest.mark.parametrize("words", [(), ("--force",)])
def test_a_build_removes_them_too(words: tuple[str, ...], tmp_path: Path) -> None:
    """From the output folder and all folders below it, whether their files are written again or not."""
    game = Game(tmp_path / "game", _FOLDERS)
    game.build()
    expected = game.files()
    folders = [game.levels, *(path for path in game.levels.rglob("*/") if ".undercroft" not in path.parts)]
    assert {path.name for path in folders} == {"levels", "deep", "down", "3"}
    for folder in folders:
        (folder / ".undercroft-0123456789abcdef.lock").touch()
        (folder / ".undercroft-0123456789abcdef-0.tmp").touch()
    (game.levels / "deep" / "down" / "3.tscn").unlink()
    with TemporaryFiles() as alive:
        begun = alive.path(game.levels)
        begun.touch()
        command = [sys.executable, "-m", "generator.cli", "build", str(game.folder), "--jobs", "1", "--quiet"]
        subprocess.run([*command, *words], check=True, timeout=HANG)
        assert begun.exists() and len(left_in(game.levels)) == 2
    assert not left_in(game.levels) and game.files() == expected


def test_two_runs_side_by_side(tmp_path: Path) -> None:
    """The second one leaves what the first has begun. Killed, the first leaves it; the third removes it."""
    one, other = (
        subprocess.Popen(
            [sys.executable, "-c", ALIVE, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    )
    assert one.stdin and one.stdout and other.stdin and other.stdout
    begun = [Path(process.stdout.readline().strip()) for process in (one, other) if process.stdout]
    write(tmp_path)
    assert [path.read_bytes() for path in begun] == [b"begun"] * 2 and len(left_in(tmp_path)) == 4
    one.kill()
    one.communicate()
    assert len(left_in(tmp_path)) == 4
    write(tmp_path)  # nothing is to be written any more
    assert not begun[0].exists() and begun[1].exists() and len(left_in(tmp_path)) == 2
    other.communicate("go on", timeout=HANG)
    assert (tmp_path / "finished").read_bytes() == b"begun"
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "finished"}


def test_runs_in_one_process(tmp_path: Path) -> None:
    with TemporaryFiles() as one, TemporaryFiles() as other:
        begun = [one.path(tmp_path), other.path(tmp_path), one.path(tmp_path)]
        for path in begun:
            path.write_bytes(b"")
        Bundle({"a.txt": b"a"}).write(tmp_path, edits=None)
        assert all(path.exists() for path in begun)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_peoples_files_stay(tmp_path: Path) -> None:
    """Only what is called as we call ours is removed, and files without their lock are nobody's."""
    run = "0123456789abcdef"
    kept = [".undercroft.tmp", f".undercroft-{run}.tmp", f".undercroft-{run}-0.tmp.bak", ".tmp", f"{run}.tmp"]
    for name in (*kept, f".undercroft-{run}-7.tmp"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / f".undercroft-{run[::-1]}.lock").write_bytes(b"")
    (tmp_path / "below").mkdir()
    Bundle({"below/a.txt": b"a"}).write(tmp_path, edits=None)
    assert f".undercroft-{run}-7.tmp" in left_in(tmp_path)  # nothing was written there
    Bundle({"a.txt": b"a"}).write(tmp_path, edits=None)
    assert {path.name for path in tmp_path.iterdir()} == {*kept, "a.txt", "below"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other locks")
def test_without_locks_nothing_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some network file systems have none: files are written all the same."""
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    name = ".undercroft-0123456789abcdef.lock"
    (tmp_path / name).write_bytes(b"")
    monkeypatch.setattr(fcntl, "flock", refuse)
    Bundle({"a.txt": b"a"}).write(tmp_path, edits=None)
    assert {path.name for path in tmp_path.iterdir()} == {name, "a.txt"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other locks")
def test_a_lock_that_another_run_takes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It took us for dead, in the moment before we had locked; so we begin again under another name."""
    import fcntl

    taken, locks = fcntl.flock, []

    def late(file: object, how: int) -> None:
        if not locks:
            (path,) = tmp_path.iterdir()
            path.unlink()
        locks.append(file)
        taken(file, how)  # type: ignore[arg-type]

    monkeypatch.setattr(fcntl, "flock", late)
    with TemporaryFiles() as begun:
        begun.path(tmp_path).write_bytes(b"")
        assert len(locks) == 2 and len(list(tmp_path.iterdir())) == 2
