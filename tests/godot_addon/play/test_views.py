"""Signals, minimap and cameras while a body goes through all rooms of a level."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from generator.kinds import SHIPPED

from .conftest import Play, level
from .test_plan import neighbours

pytestmark = pytest.mark.xdist_group("play")

TILE = 16
MARGIN = 16


@pytest.fixture(scope="session", params=["rebirth", "gungeon"])
def walk(request: pytest.FixtureRequest, play: Play) -> tuple[str, Any]:
    """The level's name, and what was seen on the way."""
    return request.param, play.ask("views.gd", f"res://{request.param}.tscn")


def test_rooms_are_entered_left_and_cleared(walk: tuple[str, Any]) -> None:
    name, seen = walk
    ids = [room.id for room in level(name).rooms]
    expected = [["entered", 0], ["cleared", 0]]
    for before, now in pairwise(ids):
        expected += [["left", before], ["entered", now], ["cleared", now]]
    assert [step["in"] for step in seen["steps"]] == ids
    assert seen["events"] == expected


def test_the_map_shows_rooms_that_were_entered_and_those_beside_them(walk: tuple[str, Any]) -> None:
    name, seen = walk
    ways = neighbours(level(name), {"secret", "red"})
    secret = {room.id for room in level(name).rooms if room.kind in SHIPPED.secret_rooms}
    assert seen["before"] == []
    for count, step in enumerate(seen["steps"], 1):
        entered = set(range(count))
        beside = {there for here in entered for there in ways[here]} - secret
        assert step["shown"] == sorted(entered | beside)


def test_a_curse_hides_the_map(walk: tuple[str, Any]) -> None:
    assert (walk[1]["lost"], walk[1]["blind"]) == (True, False)


def test_the_camera_shows_the_room_and_scrolls_in_large_ones(walk: tuple[str, Any]) -> None:
    name, seen = walk
    for room, step in zip(level(name).rooms, seen["steps"], strict=True):
        bounds = room.bounds
        for axis, (start, length) in enumerate(((bounds.x, bounds.width), (bounds.y, bounds.height))):
            low, high = start * TILE - MARGIN, (start + length) * TILE + MARGIN
            expected = _within(step["at"][axis], low, high, seen["view"][axis])
            assert step["camera0"][axis] == pytest.approx(expected, abs=0.01)


def test_the_other_camera_stays_within_the_level(walk: tuple[str, Any]) -> None:
    name, seen = walk
    size = level(name).width, level(name).height
    for step in seen["steps"]:
        for axis in (0, 1):
            expected = _within(step["at"][axis], 0, size[axis] * TILE, seen["view"][axis])
            assert step["camera1"][axis] == pytest.approx(expected, abs=0.01)


def _within(place: float, low: float, high: float, view: float) -> float:
    """Where the middle of a view lies that follows a place and sees as little beyond a frame as it can."""
    if high - low <= view:
        return (low + high) / 2
    return min(max(place, low + view / 2), high - view / 2)
