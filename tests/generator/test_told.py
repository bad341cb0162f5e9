"""Broken rules as people read them: what is where, and only the cause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from generator import Level, generate
from generator.checks import problems
from generator.checks.told import causes, told
from generator.errors import shown
from generator.geometry import Point
from generator.level import Marker
from generator.things import all_called, called, the_marker

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
    lines = told(problems(level), level)
    assert [said for said in causes(lines) if said.startswith("marker")] == [line]
    named = [said.replace("),", "), Grub in a.tmj,").replace("): ", "), Grub in a.tmj: ") for said in lines]
    assert causes(f"a.tmj: {said}" for said in named)[0].startswith("a.tmj: marker 1 (enemy at ")
    assert len(causes(named)) == len(causes(lines))


def test_a_level_without_a_start_does_not_list_all_that_nobody_reaches() -> None:
    level = _with_marker(_made(), 0, x=7, y=0, room=None)
    assert sum(problem.check == "reached-on-foot" for problem in problems(level)) > 20
    lines = causes(told(problems(level), level))
    assert lines[0] == (
        "markers: there are 1 player_start markers, not one in room 0 (start at 32,11) [one-start]"
    )
    assert not any("[reached-on-foot]" in line for line in lines)
    other = "b: marker 1 (enemy at 1,2): cannot be reached [reached-on-foot]"
    assert causes([*(f"a: {line}" for line in lines), other])[-1] == other


def test_what_does_not_follow_from_anything_is_told() -> None:
    level = _with_marker(_made(), 1, x=17, y=13)
    other = _with_marker(level, 2, properties={**level.markers[2].properties, "wave": 0})
    new = {*causes(told(problems(other), other))} - {*causes(told(problems(level), level))}
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


def test_what_people_wrote_is_not_named() -> None:
    level = _made()
    name = all_called(level)
    assert (
        name("room 0: is beside room 1")
        == f"{called(level, 'room', 0)}: is beside {called(level, 'room', 1)}"
    )
    for text in ("no room 3", "it's door 1", "marker 5 …", 'the "door 2', "\\ room 1"):
        quoted = shown(text)
        assert name(f"room 0: has {quoted}, not room 1") == (
            f"{called(level, 'room', 0)}: has {quoted}, not {called(level, 'room', 1)}"
        )
    assert name(f"has {shown('room 1, ' * 9)}") == f"has {shown('room 1, ' * 9)}"
    assert name("the rooms' door 0 isn't room 99999999999").startswith("the rooms' door 0 (")


def test_a_marker_is_found_without_a_look_at_all() -> None:
    class Unscanned(tuple[Marker, ...]):
        def __iter__(self) -> Iterator[Marker]:
            raise AssertionError

    level = replace(_made(), markers=Unscanned(_made().markers))
    for marker in _made().markers:
        place = f"{marker.kind} at {marker.x},{marker.y}"
        assert called(level, "marker", marker.id) == f"marker {marker.id} ({place})"
        assert the_marker(level, marker.id) == f"the {place}"
