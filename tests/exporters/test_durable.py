from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from exporters.durable import flush_folders
from tests.commands import undercroft


@pytest.mark.parametrize(("platform", "is_flushed"), [("linux", True), ("darwin", True), ("win32", False)])
def test_the_names_of_files_are_flushed_with_their_folder(
    platform: str, is_flushed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows cannot open a folder, and flushes names by itself."""
    flushed: list[int] = []
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(os, "fsync", lambda opened: flushed.append(os.fstat(opened).st_ino))
    (other := tmp_path / "other").mkdir()
    flush_folders([tmp_path, other])
    assert flushed == ([tmp_path.stat().st_ino, other.stat().st_ino] if is_flushed else [])


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not flushed there")
def test_a_write_flushes_each_file_once_and_the_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda opened: flushed.append(os.fstat(opened).st_ino))
    words = ("generate", "isaac", "--to", "json", "--to", "tiled", "--name", "a", "--out", "levels")
    levels = tmp_path / "levels"
    record = levels / ".undercroft" / "state.db"
    for seed in "123":
        flushed.clear()
        undercroft(*words, "--seed", seed, cwd=tmp_path)
        own = [levels / "a.level.json", levels / "a.tmj", levels, record.with_name("state.db-wal")]
        if seed == "1":  # the folder is new, and so are the theme's files
            own += [tmp_path, *levels.glob("undercroft.*"), record]
        assert sorted(flushed) == sorted(path.stat().st_ino for path in own)
