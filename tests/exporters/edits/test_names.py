"""Levels whose names begin alike: what becomes of one never touches the files of another."""

from __future__ import annotations

from pathlib import Path

import pytest

import exporters
from exporters.exported import is_of_level
from exporters.writing import write
from tests.exporters.reading.exported import level_of
from tests.folders import files_in


@pytest.mark.parametrize("path", ["a.tmj", "a.level.json", "a_edit.tscn", "a/room3.tmj", "a.tiled-project"])
def test_a_file_is_of_the_level_that_it_is_named_after(path: str) -> None:
    assert is_of_level(path, "a") and is_of_level(f"deep/{path}", "deep/a")


@pytest.mark.parametrize(
    "path", ["a.1.tmj", "a.1.level.json", "ab.tmj", "a", "b.tmj", "a-1.ldtk", "a.1_edit.tscn"]
)
def test_a_file_of_another_level_is_not(path: str) -> None:
    assert not is_of_level(path, "a")


def test_a_changed_file_keeps_only_the_files_of_its_level(tmp_path: Path) -> None:
    level, other = level_of("isaac"), level_of("rebirth")
    for name in ("a", "a.1"):
        exporters.export(level, ["json", "tiled"], name=name).write(tmp_path)
    (tmp_path / "a.tmj").write_bytes((tmp_path / "a.tmj").read_bytes() + b" ")
    before = files_in(tmp_path)
    bundle = exporters.export(other, ["json", "tiled"], name="a")
    bundle.update(exporters.export(other, ["json", "tiled"], name="a.1"))
    (change,) = write(bundle, tmp_path).changes
    after = files_in(tmp_path)
    assert (change.what, change.level) == ("kept", "a")
    assert {path for path in before if after[path] != before[path]} == {"a.1.tmj", "a.1.level.json"}


def test_files_in_other_formats_that_show_another_level_are_told(tmp_path: Path) -> None:
    exporters.export(level_of("isaac"), ["json", "tiled", "ldtk"], name="a").write(tmp_path)
    again = write(exporters.export(level_of("isaac"), "tiled", name="a"), tmp_path)
    assert again.notes == []
    outcome = write(exporters.export(level_of("rebirth"), ["json", "tiled"], name="a"), tmp_path)
    stem = tmp_path / "a"
    assert outcome.notes == [
        f"{stem}: its files for ldtk still show the level before; write them too, or give --edits merge"
    ]
