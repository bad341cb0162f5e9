"""Classes of doors: every export has them, and what a person makes of them comes back."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from exporters import export
from exporters.comparison.differences import compared
from exporters.comparison.lines import lines
from exporters.reading.back import bring_back
from generator.checks import problems
from generator.level import Level
from generator.things import called
from tests.exporters.reading.exported import exported, level_of

FORMS = ("map", "ldtk", "scene", "scenes")


def with_classes(level: Level, *doors: int, joins: str) -> Level:
    return replace(
        level,
        doors=tuple(replace(door, joins=joins) if door.id in doors else door for door in level.doors),
    )


@cache
def classed() -> Level:
    """A level of a heap whose first hallway joins wide exits."""
    level = level_of("gungeon")
    return with_classes(level, *level.hallways[0].doors, joins="wide")


@pytest.mark.parametrize("form", FORMS)
def test_a_changed_class_comes_back(form: str, tmp_path: Path) -> None:
    level = classed()
    main = exported(level, form, tmp_path)
    assert bring_back(main).level.fingerprint == level.fingerprint
    for file in tmp_path.rglob(f"*{main.suffix}"):
        file.write_text(file.read_text("utf-8").replace('"wide"', '"low"'), "utf-8")
    back = bring_back(main)
    assert back.notes == back.problems == []
    expected = with_classes(level, *level.hallways[0].doors, joins="low")
    assert back.level.doors == expected.doors and back.level.edited["doors"] == 2
    said = list(lines(compared(level, back.level)))
    assert len(said) == 2 and all(line.endswith(": joins: wide became low") for line in said)


def test_a_level_without_classes_says_nothing_of_them() -> None:
    bundle = export(level_of("gungeon"), ["json", "tiled", "ldtk", "godot"], name="plain")
    said = [path for path, data in bundle.items() if b"joins" in data]
    assert said == [], said


def test_a_hallway_of_two_classes_is_a_problem(tmp_path: Path) -> None:
    level = classed()
    main = exported(level, "map", tmp_path)
    text = main.read_text("utf-8")
    main.write_text(text.replace('"wide"', '"low"', 1), "utf-8")
    back = bring_back(main)
    (problem,) = back.problems
    place = called(level, "hallway", 0)
    assert problem == f"{place}: joins low at one end and wide at the other [hallways-join-one-class]"
    assert not list(problems(level))


def test_what_is_no_class_is_told_and_left_out(tmp_path: Path) -> None:
    main = exported(classed(), "map", tmp_path)
    main.write_text(main.read_text("utf-8").replace('"wide"', '"very wide"'), "utf-8")
    back = bring_back(main)
    assert len(back.notes) == 2 and "'very wide' is not a class of exits; use up to 64" in back.notes[0]
    assert not any(door.joins for door in back.level.doors)
