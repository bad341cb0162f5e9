"""No file may grow beyond a size: commands that write fail in one line, and leave the folder as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import main
from tests.engines import HANG

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a limit of the size of files")
GENERATE = "generate isaac --name x --out ."
# What is there first, the command that fails, and the largest size of a file, in blocks of 512 bytes.
WRITERS = {
    "generate": (f"{GENERATE} --seed 1", f"{GENERATE} --seed 2", 8),
    "export": ("generate isaac --to json --name x --out .", "export x.level.json --out out", 144),
    "reroll": ("generate isaac --to json --name x --out .", "reroll x.level.json --room 2", 8),
    "gallery": ("gallery isaac --seeds 0:2", "gallery isaac --seeds 2:4", 8),
    "pack": ("pack isaac --seeds 0:2 --out x.ucpack", "pack isaac --seeds 5:90 --jobs 1 --out x.ucpack", 8),
    "theme": ("generate isaac --to tiled --out .", "theme new undercroft.png --tile-size 16 --name mine", 2),
    "addon": ("addon install game", "addon install game --force", 8),
}


def undercroft(command: str, folder: Path, most: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f'ulimit -f {most}; exec "$0" -B -m generator.cli {command}', sys.executable],
        cwd=folder, capture_output=True, text=True, check=False, timeout=HANG,
    )  # fmt: skip


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", WRITERS)
def test_what_was_there_stays(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, command, most = WRITERS[name]
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "project.godot").write_text("config_version=5\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, first.split()).exit_code == 0
    for path in (tmp_path / "game").rglob("*.gd"):
        path.write_text("mine", "utf-8")
    before = files(tmp_path)
    done = undercroft(command, tmp_path, most)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert done.stderr.startswith("undercroft: ") and done.stderr.count("\n") == 1
    assert done.stderr.endswith(": cannot be written: File too large\n")
    after = files(tmp_path)
    new = {path for path in after if path not in before}  # a folder that was written into first has a store
    assert all(path.parent == tmp_path / "out" / ".undercroft" for path in new)
    assert {path: data for path, data in after.items() if path not in new} == before
