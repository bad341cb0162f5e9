"""Broken rules as people read them: what is where, and only the cause."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from generator import Level, generate
from generator.checks import problems
from generator.checks.told import told
from generator.geometry import Point
from generator.things import called

_made = partial(generate, "isaac", 7)


def _with_marker(level: Level, number: int, **values: object) -> Level:
    markers = (replace(marker, **values) if marker.id == number else marker for marker in level.markers)
    return replace(level, markers=tuple(markers))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tile", "room", "line"),
    [
        ((17, 13), 1, "marker 1 (enemy at 17,13): is on wall [markers-on-ground]"),
        ((24, 2), 4, "marker 1 (enemy at 24,2): is on wall [markers-on-ground]"),
        ((7, 0), None, "marker 1 (enemy at 7,0): is in no room and no hallway [markers-in-rooms]"),
        (
            (52, 15),
            1,
            "marker 1 (enemy at 52,15): is outside its room 1 (normal at 17,11) [markers-in-rooms]",
        ),
    ],
)
def test_a_misplaced_enemy_is_one_line(tile: Point, room: int | None, line: str) -> None:
    level = _with_marker(_made(), 1, x=tile[0], y=tile[1], room=room)
    assert len(problems(level)) > 1 or room == 1
    assert [said for said in told(problems(level), level) if said.startswith("marker")] == [line]


def test_a_level_without_a_start_does_not_list_all_that_nobody_reaches() -> None:
    level = _with_marker(_made(), 0, x=7, y=0, room=None)
    assert sum(problem.check == "reached-on-foot" for problem in problems(level)) > 20
    lines = told(problems(level), level)
    assert lines[0] == (
        "markers: there are 1 player_start markers, not one in room 0 (start at 32,11) [one-start]"
    )
    assert not any("[reached-on-foot]" in line for line in lines)


def test_what_does_not_follow_from_anything_is_told() -> None:
    level = _with_marker(_made(), 1, x=17, y=13)
    other = _with_marker(level, 2, properties={**level.markers[2].properties, "wave": 0})
    new = {*told(problems(other), other)} - {*told(problems(level), level)}
    assert any(line.startswith("marker 2 (enemy at 23,15): is in the wave 0") for line in new)


def test_things_are_called_by_kind_and_tile() -> None:
    level = generate("gungeon", 3)
    hallway = level.hallways[0]
    x, y = min(hallway.tiles, key=lambda tile: (tile[1], tile[0]))
    assert called(level, "hallway", 0) == f"hallway 0 (at {x},{y})"
    named = replace(level, rooms=(replace(level.rooms[0], name="Cellar"), *level.rooms[1:]))
    assert called(named, "room", 0).startswith("room 0 (Cellar, start at ")
    assert called(level, "door", 9999) == "door 9999"
    assert called(level, "marker", 9999) == "marker 9999"
