"""`undercroft merge-driver`: git merges two branches' edits of a level, in all its files."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exporters.edits.store import HOME
from generator.checks.base import owners
from generator.cli import main
from generator.geometry import Point
from generator.level import Level
from generator.level_file import load_level
from generator.things import called
from tests.combinations import usually
from tests.engines import HANG
from tests.exporters.reading.chain_edits import free_tiles
from tests.exporters.reading.editors import editor_of
from tests.exporters.reading.structure_edits import drop_room

FORMATS = ("json", "tiled", "ldtk", "godot")
FILES = ("c.level.json", "c.tmj", "c.ldtk", "c.tscn")


def run(*words: str | Path) -> Result:
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, timeout=HANG, check=False
    )


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in git with one level in all formats, the driver installed."""
    assert git(tmp_path, "init", "--initial-branch", "main").returncode == 0
    git(tmp_path, "config", "user.name", "Ann")
    git(tmp_path, "config", "user.email", "ann@example.org")
    git(tmp_path, "config", "commit.gpgsign", "false")
    assert run("init", tmp_path, "--ci", "none", "--commit-levels").exit_code == 0
    monkeypatch.chdir(tmp_path)
    assert run("merge-driver", "--install").exit_code == 0
    generate(tmp_path)
    commit(tmp_path, "A level")
    return tmp_path


def generate(folder: Path, *words: str) -> None:
    formats = [word for name in FORMATS for word in ("--to", name)]
    done = run(
        "generate", "isaac", "--seed", "7", "--name", "c", *formats, "--out", folder / "levels", *words
    )
    assert done.exit_code == 0, done.stderr


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "--all")
    assert git(folder, "commit", "--message", message).returncode == 0


def level(folder: Path) -> Level:
    return load_level(folder / "levels" / "c.level.json")


def tile_of(level: Level, room: int) -> Point:
    return next(tile for tile in free_tiles(level) if owners(level)[tile[1], tile[0]] == room)


def rooms(level: Level) -> list[int]:
    """The rooms with free tiles."""
    return sorted({int(owners(level)[y, x]) for x, y in free_tiles(level)})


def painted(folder: Path, file: str, tile: Point, terrain: str) -> None:
    edit = editor_of(folder / "levels" / file, level(folder))
    edit.paint(tile, terrain)
    edit.save()


def synced(folder: Path) -> Result:
    done = run("sync", folder / "levels")
    assert done.exit_code == 0, done.stderr
    return done


def branches(folder: Path, first: Callable[[], None], second: Callable[[], None]) -> None:
    """Two branches, each with work of its own, the first checked out."""
    git(folder, "checkout", "-b", "other")
    second()
    commit(folder, "Second")
    git(folder, "checkout", "main")
    first()
    commit(folder, "First")


def terrain(level: Level, tile: Point) -> str:
    return level.terrain_kinds[level.terrain[tile[1], tile[0]]].name


def test_branches_that_merged_before_and_a_commit_without_a_branch_are_merged(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The level of the last merge is in no other commit, and a pulled one is in no branch here."""
    for path in (*repository.glob("levels/*.tscn"), repository / "levels" / "c.ldtk"):
        path.unlink()
    commit(repository, "Only Tiled")
    before = level(repository)
    one, two, three, four = (tile_of(before, room) for room in rooms(before)[:4])

    def paint(folder: Path, tile: Point) -> None:
        painted(folder, "c.tmj", tile, "pit")
        synced(folder)

    branches(repository, lambda: paint(repository, one), lambda: paint(repository, two))
    assert git(repository, "merge", "--no-edit", "other").returncode == 0
    theirs = tmp_path_factory.mktemp("theirs") / "clone"
    assert git(repository, "clone", str(repository), str(theirs)).returncode == 0
    for setting in ("user.name=Bob", "user.email=bob@example.org", "commit.gpgsign=false"):
        git(theirs, "config", *setting.split("="))
    paint(repository, three)
    commit(repository, "Third")
    paint(theirs, four)
    commit(theirs, "Fourth")
    done = git(repository, "pull", "--no-edit", "--no-rebase", str(theirs), "main")
    assert done.returncode == 0, done.stdout + done.stderr
    merged = level(repository)
    assert [terrain(merged, tile) for tile in (one, two, three, four)] == ["pit"] * 4
    assert merged.fingerprint in (repository / "levels" / "c.tmj").read_text("utf-8")
    assert "nothing was edited" in synced(repository).stderr


def test_two_branches_that_paint_different_rooms_are_merged(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Here, and in a clone, which has no record of what was written."""
    before = level(repository)
    one, *_, other = (tile_of(before, room) for room in rooms(before))

    def first() -> None:
        painted(repository, "c.tmj", one, "wall")
        synced(repository)

    def second() -> None:
        painted(repository, "c.ldtk", other, "pit")
        synced(repository)

    branches(repository, first, second)
    merge = git(repository, "merge", "other")
    assert merge.returncode == 0, (merge.stdout, merge.stderr)
    clone = tmp_path_factory.mktemp("clone")
    shutil.copytree(repository / "levels", clone / "levels", ignore=shutil.ignore_patterns(HOME))
    for folder in (repository, clone):
        after = level(folder)
        assert (terrain(after, one), terrain(after, other)) == ("wall", "pit")
        assert after.edited == {"base": before.fingerprint, "ids": before.fingerprint, "terrain": 2}
        done = synced(folder)
        assert "conflict" not in done.stderr and level(folder) == after, done.stderr
        assert not [*(folder / "levels").glob("*.conflicts.txt"), *(folder / "levels").glob("*.mine*")]
        assert synced(folder).stderr == "undercroft: c: nothing was edited\n"
        for file in FILES:
            assert after.fingerprint in (folder / "levels" / file).read_text("utf-8"), file


def test_where_both_changed_the_same_ours_stays_and_git_stops(repository: Path) -> None:
    before = level(repository)
    (x, y), other = tile_of(before, rooms(before)[0]), tile_of(before, rooms(before)[-1])

    def first() -> None:
        painted(repository, "c.tmj", (x, y), "wall")
        synced(repository)

    def second() -> None:
        painted(repository, "c.ldtk", (x, y), "pit")
        synced(repository)
        painted(repository, "c.tmj", other, "pit")
        synced(repository)

    branches(repository, first, second)
    merge = git(repository, "merge", "other")
    assert merge.returncode == 1, (merge.stdout, merge.stderr)
    said = f"undercroft: levels/c.level.json: both sides changed the terrain at {x},{y}; ours stays"
    assert [line for line in merge.stderr.splitlines() if "level.json" in line] == [said]
    unmerged = git(repository, "diff", "--name-only", "--diff-filter=U").stdout.splitlines()
    assert unmerged == ["levels/c.level.json"]
    after = level(repository)
    assert (terrain(after, (x, y)), terrain(after, other)) == ("wall", "pit")
    synced(repository)
    assert level(repository) == after


@pytest.mark.parametrize(
    "is_ours", usually([True], [True, False]), ids=["ours works in it", "theirs works in it"]
)
def test_a_room_that_one_side_removes_and_the_other_works_in(repository: Path, is_ours: bool) -> None:
    before = level(repository)
    room = rooms(before)[-1]
    x, y = tile_of(before, room)

    def works() -> None:
        painted(repository, "c.tmj", (x, y), "pit")
        synced(repository)

    def removes() -> None:
        edit = editor_of(repository / "levels" / "c.ldtk", before)
        drop_room(edit, room)
        edit.save()
        assert run("sync", repository / "levels").exit_code < 2

    branches(repository, *((works, removes) if is_ours else (removes, works)))
    merge = git(repository, "merge", "other")
    remover, other = ("theirs", "ours") if is_ours else ("ours", "theirs")
    said = f"{remover} removes {called(before, 'room', room)}, in which {other} changes the terrain at {x},{y}; ours stays"
    told = [line for line in merge.stderr.splitlines() if "c.level.json" in line]
    assert merge.returncode == 1 and told[0] == f"undercroft: levels/c.level.json: {said}", merge.stderr
    after = level(repository)
    assert len(after.rooms) == len(before.rooms) - (not is_ours)
    assert terrain(after, (x, y)) == ("pit" if is_ours else "void")


def test_edits_that_nobody_brought_back_are_merged_in_their_files(repository: Path) -> None:
    before = level(repository)
    first, *_, second = (tile_of(before, room) for room in rooms(before))
    branches(
        repository,
        lambda: painted(repository, "c.ldtk", first, "wall"),
        lambda: painted(repository, "c.ldtk", second, "pit"),
    )
    merge = git(repository, "merge", "other")
    assert merge.returncode == 0, merge.stderr
    synced(repository)
    after = level(repository)
    assert (terrain(after, first), terrain(after, second)) == ("wall", "pit")


@pytest.mark.parametrize("is_ours", usually([True], [True, False]), ids=["ours", "theirs"])
def test_edits_go_to_the_level_that_the_other_side_made_again(repository: Path, is_ours: bool) -> None:
    before = level(repository)
    tile = tile_of(before, rooms(before)[0])

    def edits() -> None:
        painted(repository, "c.tmj", tile, "wall")
        synced(repository)

    def makes() -> None:
        generate(repository, "--set", "hard=true", "--edits", "replace")

    branches(repository, *((makes, edits) if is_ours else (edits, makes)))
    new = json.loads(git(repository, "show", f"{'main' if is_ours else 'other'}:levels/c.level.json").stdout)
    merge = git(repository, "merge", "other")
    assert merge.returncode == 0, (merge.stdout, merge.stderr)
    after = level(repository)
    assert after.edited["base"] == new["fingerprint"] and terrain(after, tile) == "wall"
    synced(repository)
    assert level(repository) == after
    for file in FILES:
        assert after.fingerprint in (repository / "levels" / file).read_text("utf-8"), file


def test_git_starts_the_command_and_not_the_packages_of_a_branch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "--initial-branch", "main")
    for setting in ("user.name=Ann", "user.email=ann@example.org", "commit.gpgsign=false"):
        git(tmp_path, "config", *setting.split("="))
    git(tmp_path, "config", "merge.undercroft.driver", "python3 -m undercroft merge-driver")  # as it was
    assert run("merge-driver", "--install").exit_code == 0
    (tmp_path / ".gitattributes").write_text("*.txt merge=undercroft\n", "utf-8")
    for package in ("generator", "exporters", "undercroft"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("open('ran', 'w').close()\n", "utf-8")

    def write(text: str) -> None:
        (tmp_path / "note.txt").write_text(text, "utf-8")

    write("0")
    commit(tmp_path, "A note")
    branches(tmp_path, lambda: write("1"), lambda: write("2"))
    merge = git(tmp_path, "merge", "other")
    assert merge.returncode == 1 and "undercroft: note.txt: " in merge.stderr, merge
    assert "ours stays" in merge.stderr and not (tmp_path / "ran").exists()


def test_a_file_that_cannot_be_read_leaves_ours(tmp_path: Path) -> None:
    level_json = tmp_path / "c.level.json"
    assert run("generate", "isaac", "--to", "json", "--name", "c", "--out", tmp_path).exit_code == 0
    good = level_json.read_bytes()
    for path in ("c.level.json", "c.tmj", "c.ldtk", "c.tscn", "c.txt"):
        for damaged in (b"", b"{", b"\xff\x00", b'{"format": "undercroft-level"}', b"[" * 100_000):
            versions = [tmp_path / name for name in ("base", "ours", "theirs")]
            for version, data in zip(versions, (good, good + b"\n", damaged), strict=True):
                version.write_bytes(data)
            done = run("merge-driver", *versions, "--path", path)
            assert done.exit_code == 1, (path, damaged[:20], done.stderr)
            assert done.stderr.startswith(f"undercroft: {path}: ") and done.stderr.count("\n") == 1
            assert versions[1].read_bytes() == good + b"\n"
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith(".")} == {".undercroft"}


def test_installing_says_which_attributes_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("merge-driver", "--install")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1) and "not a git repository" in done.stderr
    assert git(tmp_path, "init").returncode == 0
    done = run("merge-driver", "--install")
    assert done.exit_code == 0 and "*.level.json merge=undercroft, *.tmj" in done.stderr
    assert "merge-driver %O %A %B --path %P" in git(tmp_path, "config", "merge.undercroft.driver").stdout
    assert run("init", tmp_path).exit_code == 0
    assert run("merge-driver", "--install").stderr == ""
