"""If only markers were edited, only rules about markers are looked at, and the same ones are found to be broken."""

from __future__ import annotations

import random
from typing import cast

import pytest

from exporters.reading.edited import edited
from exporters.reading.seen import Edits
from generator import generate
from generator.checks import WITHOUT_MARKERS, checks_of, problems
from generator.checks.base import OF_STYLES_WITHOUT_MARKERS
from generator.level import Level


class WithoutMarkers:
    """A level that does not tell its markers."""

    def __init__(self, level: Level) -> None:
        self._level = level

    def __getattr__(self, name: str) -> object:
        assert name != "markers"
        return getattr(self._level, name)


LEVELS = [
    ("isaac", {"rooms": 10}),
    ("gungeon", {"rooms": 8, "body": 2}),
    ("gungeon", {"flow": "lock_and_key"}),
]


@pytest.mark.parametrize(("style", "values"), LEVELS)
def test_rules_that_are_not_about_markers_see_none(style: str, values: dict[str, object]) -> None:
    level = generate(style, 3, **values)
    shy = cast("Level", WithoutMarkers(level))
    blind = [*WITHOUT_MARKERS, *OF_STYLES_WITHOUT_MARKERS.intersection(checks_of(level))]
    assert [list(check(shy)) for check in blind] == [[]] * len(blind)


@pytest.mark.parametrize(("style", "values"), LEVELS)
def test_moved_and_new_markers_break_the_same_rules(style: str, values: dict[str, object]) -> None:
    level = generate(style, 3, **values)
    assert not problems(level)
    chance, broken = random.Random(1), 0
    for number in range(9):
        tile = chance.randrange(2, level.width - 2), chance.randrange(2, level.height - 2)
        marker = chance.choice(level.markers)
        edits: Edits = {("marker", marker.id, "at"): tile}
        if number % 3 == 1:
            edits = {("new marker", "chest", *tile): {}}
        elif number % 3 == 2:
            edits = {("marker", marker.id, "gone"): True}
        after = edited(level, edits)
        all_problems = sorted(map(str, problems(after)))
        assert sorted(map(str, problems(after, level))) == all_problems, edits
        broken += bool(all_problems)
    assert broken > 2


def test_other_edits_are_looked_at_with_all_rules() -> None:
    level = generate("isaac", 3, rooms=6)
    room = level.rooms[0].bounds
    after = edited(level, {("terrain", room.x, room.y): "floor"})
    assert problems(after, level) == problems(after) != []
