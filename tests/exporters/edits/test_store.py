"""The store: what it knows, its bounds, damage, hostile files, and two processes in one folder."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

from exporters import Bundle
from exporters.edits.contents import Contents
from exporters.edits.digests import digest_of_bytes
from exporters.edits.state import FolderState
from exporters.edits.store import WrittenStore, last_written
from exporters.writing import write
from generator.errors import UndercroftError
from tests.engines import HANG
from tests.folders import files_in

FILES = {"a.tmj": b"first", "b.tsj": b"shared"}
NEW = {"a.tmj": b"2", "b.tsj": b"2"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The store's folder, after one write."""
    write(Bundle(FILES), tmp_path)
    return tmp_path / ".undercroft"


def test_files_that_are_gone_are_forgotten(home: Path) -> None:
    folder = home.parent
    (folder / "a.tmj").unlink()
    write(Bundle({"b.tsj": b"2"}), folder)
    with (
        closing(sqlite3.connect(home / "state.db")) as state,
        closing(sqlite3.connect(home / "last.db")) as last,
    ):
        assert [row[0] for row in state.execute("SELECT path FROM file")] == ["b.tsj"]
        assert [row[0] for row in last.execute("SELECT path FROM content")] == ["b.tsj"]


def test_contents_are_bounded(tmp_path: Path) -> None:
    """The oldest go first, by number and by size; pictures are not kept."""
    contents = Contents(tmp_path / "last.db", most_files=20)
    data = {f"{number}.tmj": os.urandom(4000) for number in range(50)}
    for path, each in data.items():
        contents.put(path, digest_of_bytes(each), each)
    contents.put("0.tmj", digest_of_bytes(b"new"), b"new")
    contents.put("x.png", digest_of_bytes(b"picture"), b"picture")
    contents.drop(lambda path: path == "49.tmj")
    known = {path for path, each in data.items() if contents.get(path, digest_of_bytes(each)) == each}
    assert known == {f"{number}.tmj" for number in range(30, 49)}
    assert contents.get("0.tmj", digest_of_bytes(b"new")) == b"new"
    assert contents.get("x.png", digest_of_bytes(b"picture")) is None
    contents.close()
    small = Contents(tmp_path / "last.db", most_bytes=40_000)
    small.drop(lambda path: False)
    assert small.get("0.tmj", digest_of_bytes(b"new")) == b"new"
    assert 1 <= sum(small.get(path, digest_of_bytes(each)) is not None for path, each in data.items()) <= 10
    small.close()


def test_a_record_that_a_power_cut_left_behind_is_completed_from_its_log(home: Path) -> None:
    """The log stays beside the closed database, which is not waited for. An older log never comes back."""
    (state, log, kept), folder = (home / f"state.db{end}" for end in ("", "-wal", "-kept")), home.parent
    first = state.read_bytes(), log.read_bytes()
    write(Bundle(NEW), folder)
    assert last_written(folder / "a.tmj") == b"2" and not kept.exists()
    second = state.read_bytes()
    state.write_bytes(first[0])  # nothing of the second write had come to the disk
    assert last_written(folder / "a.tmj") == b"2"
    log.unlink()
    assert state.read_bytes() == second  # and it was completed at once
    kept.write_bytes(first[1])  # a run was killed while it closed the database
    assert last_written(folder / "a.tmj") == b"2" and not kept.exists()


def damaged(path: Path, how: str) -> None:
    if how == "link":
        path.rename(path.with_name("elsewhere"))
        path.symlink_to("elsewhere")
    elif how == "folder":
        path.unlink()
        path.mkdir()
    elif how == "schema":
        with closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE more(x)")
    elif how == "middle":
        data = bytearray(path.read_bytes())
        data[4096:] = os.urandom(len(data) - 4096)
        path.write_bytes(data)
    else:
        path.write_bytes(b"" if how == "empty" else b"not a database" * 999)


@pytest.mark.parametrize("how", ["empty", "no database", "middle", "schema", "link", "folder"])
@pytest.mark.parametrize("name", ["state.db", "last.db"])
def test_a_damaged_store_costs_no_file(name: str, how: str, home: Path) -> None:
    """One line at most; a person's file stays, and ours is at worst taken for one."""
    folder = home.parent
    (folder / "a.tmj").write_bytes(b"mine")
    damaged(home / name, how)
    for edits in ("keep", "merge", "replace"):
        outcome = write(Bundle(NEW), folder, edits)
        assert len(outcome.notes) <= 1
        assert all("\n" not in note and name in note for note in outcome.notes)
        assert b"mine" in files_in(folder).values() and b"2" in files_in(folder).values()
    assert (folder / "a.tmj").read_bytes() == b"2" and (folder / "a.mine.tmj").read_bytes() == b"mine"


def test_contents_that_lie_are_not_believed(home: Path) -> None:
    """Other bytes under a digest, a size that is none, a bomb."""
    bomb = zlib.compress(bytes(1 << 24))
    for size, packed in ((5, zlib.compress(b"other")), (-1, b"x"), (1 << 40, bomb), (5, bomb), (5, b"x")):
        with closing(sqlite3.connect(home / "last.db")) as db:
            db.execute("UPDATE content SET size = ?, packed = ? WHERE path = 'a.tmj'", (size, packed))
            db.commit()
        assert last_written(home.parent / "a.tmj") is None
    assert last_written(home.parent / "b.tsj") == b"shared"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_without_the_right_to_write(home: Path) -> None:
    home.chmod(0o500)
    (home / "state.db").chmod(0o400)
    outcome = write(Bundle(NEW), home.parent)
    assert len(outcome.notes) == 1 and len(outcome.changes) == 2


def test_a_store_that_is_read_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite calls that an error of the disk; for root nothing is read-only, so it is played."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_LOCK

    def refused(state: FolderState) -> NoReturn:
        raise error

    monkeypatch.setattr(FolderState, "_open", refused)
    with pytest.raises(UndercroftError, match="cannot be used: disk I/O error"):
        write(Bundle(NEW), home.parent)
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).startswith(str(home)))
    (note,) = write(Bundle(NEW), home.parent).notes
    assert "state.db: is read-only; there is no record of what was written here before" in note


def test_a_store_above_that_cannot_be_used_knows_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails further up, such as that of another project, keeps nobody from writing here."""
    write(Bundle(NEW), tmp_path)
    folder = tmp_path / "levels"
    folder.mkdir()
    (folder / "a.tmj").write_bytes(b"mine")
    opened = FolderState._open

    def refused(state: FolderState) -> sqlite3.Connection:
        if state._file.is_relative_to(tmp_path / ".undercroft"):
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_LOCK
            raise error
        return opened(state)

    monkeypatch.setattr(FolderState, "_open", refused)
    outcome = write(Bundle(NEW), folder)
    assert outcome.notes == [] and (folder / "a.tmj").read_bytes() == b"mine"


@pytest.mark.parametrize("what", ["file", "link"])
def test_something_else_of_that_name(what: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    home = tmp_path / "out" / ".undercroft"
    home.write_bytes(b"mine") if what == "file" else home.symlink_to(tmp_path)
    (tmp_path / "out" / "a.tmj").write_bytes(b"mine")
    outcome = write(Bundle(NEW), tmp_path / "out")
    (note,) = outcome.notes
    assert note.startswith(
        f"{home}: is {'not a folder' if what == 'file' else 'a link'}; remove it; there is no"
    )
    assert (tmp_path / "out" / "a.tmj").read_bytes() == b"mine" and not (tmp_path / "state.db").exists()


WRITER = """
import sys
from pathlib import Path
from exporters import Bundle
from exporters.writing import write
for number in range(12):
    name = f"{sys.argv[2]}-{number % 4}.tmj"
    told = write(Bundle({name: b"%d" % number, "shared.tsj": b"the same"}), Path(sys.argv[1]))
    assert not told.changes and not told.notes, told
"""


def test_two_processes_write_into_one_folder(tmp_path: Path) -> None:
    """They take turns; the store knows all that both have written, and no temporary file stays."""
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    runs = [subprocess.Popen([*command, name], stderr=subprocess.PIPE, text=True) for name in "abc"]
    for each in runs:
        assert each.communicate(timeout=HANG)[1] == "" and each.returncode == 0
    found = files_in(tmp_path)
    assert len(found) == 13 and not [name for name in found if name.startswith(".")]
    with WrittenStore.opened(tmp_path) as store:
        assert {path: store.last_written(path) for path in found} == found


def test_a_folder_where_somebody_is_at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exporters.edits.store._WAIT_S", 0)
    with WrittenStore.opened(tmp_path), pytest.raises(UndercroftError, match=r"another run of undercroft"):
        write(Bundle(FILES), tmp_path)
    assert files_in(tmp_path) == {}
