"""A bundle is written whole, inside its folder, and without harm to what was there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.bundle import Bundle
from exporters.writing import write
from generator.errors import UndercroftError

PARTS = st.sampled_from(["..", ".", "", "a", "b.png", "/", "\\", "C:", "~", "a b", "ä"])


def test_files_keep_their_order_and_bytes(tmp_path: Path) -> None:
    """What was put in first is written first, folders are made on the way."""
    bundle = Bundle({"b.txt": b"2", "a/deep/c.txt": b"3"})
    bundle.update({"a.txt": b"1"})
    assert list(bundle) == ["b.txt", "a/deep/c.txt", "a.txt"]
    written = bundle.write(tmp_path, edits=None)
    assert [path.relative_to(tmp_path).as_posix() for path in written] == list(bundle)
    assert {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in written} == dict(bundle)


def test_one_file_can_be_added_twice_but_not_with_other_content() -> None:
    """Two formats may both bring the theme's image; they may not disagree on it."""
    bundle = Bundle({"theme.png": b"x"})
    bundle.add("theme.png", b"x")
    with pytest.raises(ValueError, match=r"other content"):
        bundle.add("theme.png", b"y")
    assert bundle["theme.png"] == b"x"


def test_a_note_of_two_formats_is_one_line() -> None:
    first, second = Bundle({"a.tmj": b"1"}), Bundle({"a.ldtk": b"2"})
    first.notes.append("a: a look is left out")
    second.notes += ["a: a look is left out", "a: another line"]
    first.update(second.only(lambda path: True))
    first.update(second)
    assert first.notes == ["a: a look is left out", "a: another line"]


@given(st.lists(PARTS, max_size=5).map("/".join))
def test_no_path_leaves_the_folder(path: str) -> None:
    """Either a path is refused, or it lies inside whatever folder is chosen."""
    try:
        bundle = Bundle({path: b""})
    except ValueError:
        return
    inside = os.path.normpath(os.path.join("/some/folder", next(iter(bundle))))  # noqa: PTH118
    assert inside.startswith("/some/folder/")


@pytest.mark.parametrize(
    "path", ["../a", "/a", "a/../../b", "a\\b", "", "..", "a//b", "./a", "a/", "C:a", "a\0b", "a\nb"]
)
def test_these_paths_are_refused(path: str) -> None:
    """Absolute ones, ones that climb or only Windows takes for a climb, two ways to say one, and none."""
    with pytest.raises(ValueError, match=r"not a path inside"):
        Bundle({path: b""})


def test_a_failure_keeps_the_old_file_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full at the worst moment: what was there is there still, and nothing else."""
    (tmp_path / "level.json").write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(UndercroftError, match=r"level.json: cannot be written: No space left on device"):
        Bundle({"level.json": b"new"}).write(tmp_path, edits=None)
    assert [path.name for path in tmp_path.iterdir()] == ["level.json"]
    assert (tmp_path / "level.json").read_bytes() == b"old"


def test_a_file_in_the_folders_place_is_reported(tmp_path: Path) -> None:
    """One line that names the file, no traceback of the system's."""
    (tmp_path / "out").write_bytes(b"")
    with pytest.raises(UndercroftError, match=r"cannot be written"):
        Bundle({"a.txt": b""}).write(tmp_path / "out", edits=None)


def test_the_same_bytes_are_not_written_again(tmp_path: Path) -> None:
    """Editors that watch the folder see no change where there is none."""
    path = tmp_path / "a.txt"
    Bundle({"a.txt": b"same"}).write(tmp_path, edits=None)
    os.utime(path, ns=(1, 1))
    Bundle({"a.txt": b"same"}).write(tmp_path, edits=None)
    assert path.stat().st_mtime_ns == 1
    Bundle({"a.txt": b"more"}).write(tmp_path, edits=None)
    assert path.read_bytes() == b"more"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_files_have_the_rights_that_new_files_have(tmp_path: Path) -> None:
    """A temporary file is private; the finished one is not."""
    (tmp_path / "usual").write_bytes(b"")
    Bundle({"a.txt": b""}).write(tmp_path, edits=None)
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_nothing_is_replaced_before_everything_is_written(tmp_path: Path) -> None:
    """The second file cannot be written; the first keeps what it held."""
    (tmp_path / "a.txt").write_bytes(b"old")
    (tmp_path / "b.txt").mkdir()
    with pytest.raises(UndercroftError, match=r"b\.txt: cannot be written: is not a file; remove it"):
        Bundle({"a.txt": b"new", "b.txt": b"new"}).write(tmp_path, edits=None)
    assert (tmp_path / "a.txt").read_bytes() == b"old"
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "b.txt"}


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_no_temporary_file_stays(
    failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever file it fails at."""
    opened = Path.open

    def fails_at_third(path: Path, mode: str) -> object:
        if mode == "xb" and len(list(tmp_path.iterdir())) == 3:  # with the lock
            raise failure
        return opened(path, mode)

    monkeypatch.setattr(Path, "open", fails_at_third)
    with pytest.raises((UndercroftError, KeyboardInterrupt)):
        Bundle({"a": b"1", "b": b"2", "c": b"3"}).write(tmp_path, edits=None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows seldom lets one make links")
def test_a_link_in_the_folder_stays_and_leads_to_the_new_bytes(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "a.txt").symlink_to("shared/real.txt")
    for data in (b"first", b"second"):  # where there is no file yet, and where there is
        assert Bundle({"a.txt": data}).write(tmp_path, edits=None) == [tmp_path / "a.txt"]
        assert (tmp_path / "a.txt").is_symlink()
        assert (tmp_path / "shared" / "real.txt").read_bytes() == data


@pytest.mark.skipif(os.name == "nt", reason="Windows seldom lets one make links")
def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside.txt"
    out.mkdir()
    outside.write_bytes(b"old")
    (out / "a.txt").symlink_to(outside)
    (out / "folder").symlink_to(tmp_path)
    for name in ("a.txt", "folder/outside.txt"):
        with pytest.raises(
            UndercroftError, match=r"is a link to .*outside.txt, outside the folder; remove it"
        ):
            Bundle({name: b"new"}).write(out, edits=None)
    assert outside.read_bytes() == b"old"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_rights_follow_the_mask_of_the_moment(tmp_path: Path) -> None:
    """And the mask, which is the whole process's, is not touched."""
    before = os.umask(0o027)
    try:
        Bundle({"a.txt": b""}).write(tmp_path, edits=None)
    finally:
        assert os.umask(before) == 0o027
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640


def test_a_starting_point_belongs_to_the_person_once_written(tmp_path: Path) -> None:
    """It is written if it is missing, and reported if it was changed; the rest is written again."""
    bundle = Bundle({"a.txt": b"1"})
    other = Bundle()
    other.add("mine.txt", b"begin", once=True)
    bundle.update(other)
    mine = tmp_path / "mine.txt"
    for _ in range(2):  # the second time nobody has touched it
        outcome = write(bundle, tmp_path)
        assert (outcome.paths, outcome.begun) == ([tmp_path / "a.txt", mine], [])
    mine.write_bytes(b"go on")
    for edits in ("keep", "replace", "merge", "fail", None):
        outcome = write(bundle, tmp_path, edits)
        assert (outcome.paths, outcome.begun, outcome.changes) == ([tmp_path / "a.txt"], [mine], [])
    assert mine.read_bytes() == b"go on"


def test_a_persons_file_may_be_a_link_out_of_the_folder(tmp_path: Path) -> None:
    """It is not followed, because it is not written."""
    (tmp_path / "elsewhere.txt").write_bytes(b"begin")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "mine.txt").symlink_to(tmp_path / "elsewhere.txt")
    bundle = Bundle()
    bundle.add("mine.txt", b"begin", once=True)
    assert bundle.write(tmp_path / "in") == []
    assert (tmp_path / "in" / "mine.txt").is_symlink()


def test_what_cannot_be_read_is_a_persons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Path.open

    def refuse(self: Path, mode: str = "r") -> object:
        if self.name == "mine.txt":
            raise PermissionError(13, "Permission denied")
        return opened(self, mode)

    (tmp_path / "mine.txt").write_bytes(b"begin")
    bundle = Bundle()
    bundle.add("mine.txt", b"begin", once=True)
    assert write(bundle, tmp_path).begun == []
    monkeypatch.setattr(Path, "open", refuse)
    assert write(bundle, tmp_path).begun == [tmp_path / "mine.txt"]
    with pytest.raises(UndercroftError, match=r"mine.txt: cannot be read: Permission denied"):
        write(Bundle({"mine.txt": b"new"}), tmp_path)
