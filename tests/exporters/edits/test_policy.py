"""What becomes of files that a person changed, under each policy, whatever happens in between."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import exporters
from exporters import Bundle
from exporters.edits import policy
from exporters.edits.merging import CannotMerge, Merged
from exporters.edits.store import last_written
from exporters.writing import WriteOutcome, write
from generator import generate
from generator.errors import BadInput, UndercroftError
from tests.folders import files_in

A = {"a.tmj": b"first", "b.tsj": b"shared", "sub/c.ldtk": b"third"}


def gives(folder: Path, edits: str | None = "keep", **changed: bytes) -> WriteOutcome:
    """Write the three files, `a` and so on as they are given."""
    new = {path: changed.get(Path(path).stem, data) for path, data in A.items()}
    return write(Bundle(new), folder, edits)


def test_ours_is_written_over_without_a_word(tmp_path: Path) -> None:
    for data in (b"1", b"2", b"3"):
        outcome = gives(tmp_path, a=data)
        assert not outcome.changes and not outcome.notes
        assert files_in(tmp_path) == A | {"a.tmj": data}
        assert last_written(tmp_path / "a.tmj") == data
    assert last_written(tmp_path / "sub" / "c.ldtk") == b"third"
    assert last_written(tmp_path / "none.tmj") is None
    assert (tmp_path / ".undercroft" / ".gitignore").read_text("utf-8") == "*\n"


@pytest.mark.parametrize("name", A)
def test_keep(name: str, tmp_path: Path) -> None:
    """Theirs stays, the new one is beside it, and the base of a merge is still what they began with."""
    gives(tmp_path)
    mine, stem = tmp_path / name, Path(name).stem
    mine.write_bytes(b"mine")
    for data in (b"2", b"3"):  # what was offered is ours, and is replaced by what is offered next
        outcome = gives(tmp_path, **{stem: data})
        (change,) = outcome.changes
        beside = f"{name.rpartition('.')[0]}.new{mine.suffix}"
        assert files_in(tmp_path) == A | {name: b"mine", beside: data}
        assert (change.what, change.beside, outcome.kept) == ("kept", beside, [mine])
        assert tmp_path / beside in outcome.paths and mine not in outcome.paths
        assert change.message().startswith(
            f"{mine}: was changed by hand, so it stays; the new file is {stem}.new"
        )
        assert "--edits merge joins the two" in change.message()
        assert last_written(mine) == A[name]
    (tmp_path / beside).write_bytes(b"mine too")
    assert gives(tmp_path, **{stem: b"4"}).changes[0].beside == beside.replace(".new", ".new-2")
    assert files_in(tmp_path)[beside] == b"mine too"


def test_what_was_offered_and_is_taken_is_ours(tmp_path: Path) -> None:
    gives(tmp_path)
    (tmp_path / "a.tmj").write_bytes(b"mine")
    gives(tmp_path, a=b"2")
    (tmp_path / "a.new.tmj").replace(tmp_path / "a.tmj")
    assert not gives(tmp_path, a=b"3").changes
    assert files_in(tmp_path) == A | {"a.tmj": b"3"}


def test_nothing_is_offered_where_nothing_is_new(tmp_path: Path) -> None:
    """A scene that Godot saved stays without a word, until the generator gives something else."""
    gives(tmp_path)
    (tmp_path / "a.tmj").write_bytes(b"mine")
    for _ in range(2):
        outcome = gives(tmp_path)
        assert not outcome.changes and not outcome.notes
        assert outcome.kept == [tmp_path / "a.tmj"] and tmp_path / "a.tmj" not in outcome.paths
        assert files_in(tmp_path) == A | {"a.tmj": b"mine"}
    assert gives(tmp_path, a=b"2").changes
    assert not gives(tmp_path).changes
    assert files_in(tmp_path) == A | {"a.tmj": b"mine"}, "what was offered is needless again"
    assert gives(tmp_path, "fail").refused


def test_what_was_offered_and_changed_is_a_persons(tmp_path: Path) -> None:
    gives(tmp_path)
    (tmp_path / "a.tmj").write_bytes(b"mine")
    gives(tmp_path, a=b"2")
    (tmp_path / "a.new.tmj").write_bytes(b"mine too")
    assert not gives(tmp_path).changes
    assert files_in(tmp_path) == A | {"a.tmj": b"mine", "a.new.tmj": b"mine too"}


def test_an_offer_goes_once_ours_stands_in_its_place(tmp_path: Path) -> None:
    gives(tmp_path)
    (tmp_path / "a.tmj").write_bytes(b"mine")
    gives(tmp_path, a=b"2")
    (tmp_path / "a.tmj").unlink()
    assert not gives(tmp_path, a=b"3").changes
    assert files_in(tmp_path) == A | {"a.tmj": b"3"}


def test_replace(tmp_path: Path) -> None:
    """Theirs is kept aside, and never written over; the same bytes are kept once."""
    gives(tmp_path)
    kept = {}
    for number, name in enumerate(("a.mine.tmj", "a.mine-2.tmj", "a.mine-3.tmj")):
        (tmp_path / "a.tmj").write_bytes(b"mine %d" % number)
        (change,) = gives(tmp_path, "replace").changes
        kept[name] = b"mine %d" % number
        assert (change.what, change.beside) == ("replaced", name)
        assert change.message().endswith(
            f"a.tmj: was changed by hand and is replaced; the old file is now {name}"
        )
        assert files_in(tmp_path) == A | kept
    (tmp_path / "a.tmj").write_bytes(b"mine 1")
    assert gives(tmp_path, "replace").changes[0].beside == "a.mine-2.tmj"
    assert files_in(tmp_path) == A | kept
    assert not gives(tmp_path, "fail").changes


def test_what_godot_saved_is_kept_aside_where_godot_does_not_look(tmp_path: Path) -> None:
    """It has an id by then, and a second file with that id would take the place of the first."""
    write(Bundle({"x.tscn": b"1"}), tmp_path)
    (tmp_path / "x.tscn").write_bytes(b'[gd_scene uid="uid://c"]')
    assert write(Bundle({"x.tscn": b"1"}), tmp_path, "replace").changes[0].beside == "x.tscn.mine"


def test_fail(tmp_path: Path) -> None:
    gives(tmp_path)
    for name in ("a.tmj", "b.tsj"):
        (tmp_path / name).write_bytes(b"mine")
    before = files_in(tmp_path)
    outcome = gives(tmp_path, "fail", a=b"2", b=b"2", c=b"2")
    assert outcome.refused and not outcome.paths and files_in(tmp_path) == before
    assert [change.path for change in outcome.changes] == ["a.tmj", "b.tsj"]
    assert outcome.changes[0].message().endswith("give another name, or --edits keep, merge or replace")
    with pytest.raises(UndercroftError, match=r"a.tmj: was changed by hand, so nothing .* \(and 1 more\)"):
        Bundle(A).write(tmp_path, "fail")
    with pytest.raises(BadInput, match=r"edits: 'all' is not one of keep, merge, replace, fail"):
        Bundle(A).write(tmp_path, "all")


def test_without_a_policy_all_is_written_over(tmp_path: Path) -> None:
    gives(tmp_path)
    for mine in ("a.tmj", "b.tsj"):
        (tmp_path / mine).write_bytes(b"mine")
    outcome = gives(tmp_path, None, a=b"2")
    assert not outcome.changes and not outcome.kept
    assert files_in(tmp_path) == A | {"a.tmj": b"2"}


def test_a_library_is_warned(tmp_path: Path) -> None:
    Bundle(A).write(tmp_path)
    (tmp_path / "a.tmj").write_bytes(b"mine")
    with pytest.warns(
        UserWarning, match=r"a.tmj: was changed by hand, so it stays; the new file is a.new.tmj"
    ):
        assert tmp_path / "a.new.tmj" in Bundle(A | {"a.tmj": b"2"}).write(tmp_path)


# --- merges ------------------------------------------------------------------------------------------


def lines_merged(name: str, base: bytes, theirs: bytes, new: bytes, taken: object) -> Merged:
    """A merge of lines: theirs that are more than the base's go behind the new ones; `lost` has no place."""
    if name.endswith(".png"):
        raise CannotMerge("it is a picture")
    more = [line for line in theirs.split() if line not in base.split()]
    lost = tuple(f"line {line.decode()}" for line in more if line.startswith(b"lost"))
    return Merged(b" ".join([*new.split(), *(line for line in more if not line.startswith(b"lost"))]), lost)


@pytest.fixture
def merging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "merge", lines_merged)


@pytest.mark.usefixtures("merging")
def test_merge(tmp_path: Path) -> None:
    """Again and again: the base is always what the generator gave last, not what stands there."""
    gives(tmp_path, a=b"one")
    (tmp_path / "a.tmj").write_bytes(b"one mine")
    for data in (b"two", b"three", b"three"):
        outcome = gives(tmp_path, "merge", a=data)
        (change,) = outcome.changes
        assert (change.what, change.conflicts, change.beside) == ("merged", 0, "")
        assert (tmp_path / "a.tmj").read_bytes() == data + b" mine"
        assert last_written(tmp_path / "a.tmj") == data
        assert tmp_path / "a.tmj" in outcome.paths
    assert gives(tmp_path, "keep", a=b"four").changes[0].what == "kept", "it is a person's still"
    assert gives(tmp_path, "merge", a=b"five").changes[0].what == "merged"
    assert files_in(tmp_path) == A | {"a.tmj": b"five mine"}, "and what was offered is needless"


@pytest.mark.usefixtures("merging")
def test_edits_that_no_longer_fit_are_listed_and_kept(tmp_path: Path) -> None:
    gives(tmp_path, a=b"one")
    for listing, aside in (("a.conflicts.txt", "a.mine.tmj"), ("a.conflicts-2.txt", "a.mine-2.tmj")):
        theirs = (tmp_path / "a.tmj").read_bytes() + b" lost" + listing.encode()
        (tmp_path / "a.tmj").write_bytes(theirs)
        (change,) = gives(tmp_path, "merge", a=b"two").changes
        assert (change.conflicts, change.listing, change.beside) == (1, listing, aside)
        assert (tmp_path / listing).read_text("utf-8") == f"a.tmj: line lost{listing}\n"
        assert (tmp_path / aside).read_bytes() == theirs
        said = f"a.tmj: was changed by hand and is merged; 1 change has no place any more: see {listing}"
        assert said in change.message()


@pytest.mark.usefixtures("merging")
def test_the_files_of_a_level_share_a_list(tmp_path: Path) -> None:
    files = {"x.tmj": b"1", "x.ldtk": b"1", "x.tscn": b"1"}
    write(Bundle(files), tmp_path)
    for name in files:
        (tmp_path / name).write_bytes(b"1 lost")
    changes = write(Bundle(dict.fromkeys(files, b"2")), tmp_path, "merge").changes
    assert {change.listing for change in changes} == {"x.conflicts.txt"}
    lines = (tmp_path / "x.conflicts.txt").read_text("utf-8").splitlines()
    assert lines == [f"{name}: line lost" for name in files]


@pytest.mark.usefixtures("merging")
def test_what_cannot_be_merged_stays(tmp_path: Path) -> None:
    files = {"x.png": b"1", "y.tmj": b"1"}
    write(Bundle(files), tmp_path)
    (tmp_path / ".undercroft" / "last.db").unlink()
    for name in files:
        (tmp_path / name).write_bytes(b"mine")
    changes = write(Bundle(dict.fromkeys(files, b"2")), tmp_path, "merge").changes
    assert [(change.what, change.reason) for change in changes] == [
        ("kept", "there is no merge for .png files"),
        ("kept", "what was written last is not known"),
    ]
    told = "so it stays; it cannot be merged (what was written last is not known); the new file is y.new.tmj"
    assert told in changes[1].message()


# --- files that the store does not know --------------------------------------------------------------


def test_a_strangers_file_stays(tmp_path: Path) -> None:
    (tmp_path / "a.tmj").write_bytes(b"a stranger's")
    (tmp_path / "b.tsj").write_bytes(A["b.tsj"])
    (change,) = gives(tmp_path).changes
    assert "already exists, and nothing says that Undercroft wrote it, so it stays" in change.message()
    assert "--edits merge" not in change.message(), "there is no base to merge with"
    (refused,), (replaced,) = gives(tmp_path, "fail").changes, gives(tmp_path, "replace").changes
    assert refused.message().endswith("so nothing was written; give another name, or --edits keep or replace")
    assert replaced.message().endswith(
        "that Undercroft wrote it, and is replaced; the old file is now a.mine.tmj"
    )
    assert not gives(tmp_path, b=b"new").changes[1:], "what is the same byte by byte is ours from then on"


def test_a_file_that_carries_its_digest_is_ours(tmp_path: Path) -> None:
    """From a version without a store, or another machine; Git may have changed the line ends."""
    one, other, third = (
        exporters.export(generate("isaac", seed), ["tiled", "ldtk", "json"], name="x") for seed in (1, 2, 3)
    )
    write(one, tmp_path / "elsewhere")
    for path, data in one.items():
        lines = data.replace(b"\n", b"\r\n") if path.endswith((".tmj", ".tsj", ".level.json")) else data
        (tmp_path / path).write_bytes(lines)
    assert not write(other, tmp_path).changes
    edited = one["x.tmj"].replace(b'"visible":true', b'"visible":false', 1)
    assert edited != one["x.tmj"]
    (tmp_path / "x.tmj").write_bytes(edited)
    assert [change.path for change in write(third, tmp_path).changes] == ["x.tmj"]


@pytest.mark.parametrize("change", [{"seed": "5"}, {"mine": 1}, {"rerolls": [{"room": 1, "layout": 1}]}])
def test_a_level_file_that_somebody_changed_is_not_vouched_for(
    change: dict[str, object], tmp_path: Path
) -> None:
    one, other = (exporters.export(generate("isaac", seed), "json", name="x") for seed in (1, 2))
    (tmp_path / "x.level.json").write_text(json.dumps({**json.loads(one["x.level.json"]), **change}))
    assert [each.what for each in write(other, tmp_path).changes] == ["kept"]
    (tmp_path / "x.level.json").write_bytes(b"[" * 99999)
    assert [each.what for each in write(one, tmp_path).changes] == ["kept"]


def test_a_file_that_is_saved_while_it_is_about_to_be_replaced_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gives(tmp_path)
    flush = exporters.durable.flush  # type: ignore[attr-defined]

    def saved_meanwhile(paths: list[Path]) -> None:
        flush(paths)
        (tmp_path / "a.tmj").write_bytes(b"saved just now")

    monkeypatch.setattr("exporters.durable.flush", saved_meanwhile)
    with pytest.raises(UndercroftError, match=r"a.tmj: was changed during this run; run this again"):
        gives(tmp_path, a=b"2")
    assert files_in(tmp_path) == A | {"a.tmj": b"saved just now"}


@pytest.mark.skipif(os.name == "nt", reason="Windows seldom lets one make links")
def test_links_stay(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "a.tmj").symlink_to("real/a.tmj")
    gives(tmp_path)
    (tmp_path / "real" / "a.tmj").write_bytes(b"mine")
    gives(tmp_path, a=b"2")
    assert (tmp_path / "a.tmj").is_symlink() and (tmp_path / "real" / "a.tmj").read_bytes() == b"mine"
    assert (tmp_path / "a.new.tmj").read_bytes() == b"2"


def test_names_of_other_levels_are_left_to_them(tmp_path: Path) -> None:
    """A level may be called `a.new`."""
    files = {"a.tmj": b"1", "a.new.tmj": b"another level"}
    write(Bundle(files), tmp_path)
    (tmp_path / "a.tmj").write_bytes(b"mine")
    assert write(Bundle(files | {"a.tmj": b"3"}), tmp_path).changes[0].beside == "a.new-2.tmj"
    assert write(Bundle({"a.tmj": b"2"}), tmp_path).changes[0].beside == "a.new-2.tmj"
    assert (tmp_path / "a.new.tmj").read_bytes() == b"another level"
