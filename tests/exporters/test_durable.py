from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

import pytest

from exporters import durable
from exporters.durable import flush, flush_folders
from tests.commands import undercroft
from tests.engines import HANG


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


def files_in(folder: Path) -> Sequence[Path]:
    files = [folder / name for name in "ab"]
    for file in files:
        file.write_bytes(b"")
    return files


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked there")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_flushes_with_threads_of_its_own(tmp_path: Path) -> None:
    files = files_in(tmp_path)
    flush(files)
    child = multiprocessing.get_context("fork").Process(target=flush, args=(files,))
    child.start()
    child.join(HANG)
    is_done = child.exitcode == 0
    child.kill()
    assert is_done


def test_a_thread_that_cannot_be_started_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    flushed: list[int] = []
    monkeypatch.setattr(durable, "_THREADS", [])
    monkeypatch.setattr(os, "fsync", flushed.append)
    monkeypatch.setattr(Thread, "start", refuse)
    flush(files_in(tmp_path))
    assert len(flushed) == 2
    assert durable._THREADS == []
