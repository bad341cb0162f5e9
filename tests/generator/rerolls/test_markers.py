"""Enemies, pickups and chests in other places: terrain and decor stay, and so does all else."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import RerollError, generate, reroll
from generator.checks import problems
from generator.interiors.interior import reached
from generator.rerolls.record import NothingElseError
from tests.generator.rerolls.levels import Given, levels, tiles_of

MOVED = ("enemy", "pickup", "chest")


@given(levels(), st.integers(1, 3))
@settings(max_examples=120)
def test_only_they_move(where: Given, times: int) -> None:
    level, room = where.level, where.room
    try:
        rolled = reroll(level, room=room, what="markers", times=times)
    except NothingElseError:
        return
    assert rolled.terrain.tobytes() == level.terrain.tobytes()
    assert rolled.decor.tobytes() == level.decor.tobytes()
    assert (rolled.rooms, rolled.doors) == (level.rooms, level.doors)
    kept = [[m for m in one.markers if m.room != room or m.kind not in MOVED] for one in (level, rolled)]
    assert kept[0] == kept[1]
    assert problems(rolled) == []
    moved = [m for m in rolled.markers if m.room == room and m.kind in MOVED]
    own = tiles_of(level, level.rooms[room])
    taken = [(m.x, m.y) for m in rolled.markers if m.room == room]
    for marker in moved:
        assert own[marker.y, marker.x] and not level.covered[marker.y, marker.x]
        assert taken.count((marker.x, marker.y)) == 1
    if level.grid:
        before = [m for m in level.markers if m.room == room and m.kind in MOVED]
        assert [m.id for m in moved] == [m.id for m in before]
        assert Counter(
            (m.kind, m.properties.get("role"), m.properties.get("wave")) for m in moved
        ) == Counter((m.kind, m.properties.get("role"), m.properties.get("wave")) for m in before)


@pytest.mark.parametrize("style", ["isaac", "rebirth"])
def test_they_stand_where_one_gets_without_a_hazard(style: str) -> None:
    hazards = {"spikes", "fire", "red_fire"}
    for seed in range(1, 30):
        level = reroll(generate(style, seed, stage=4), pin=0, what="markers")
        names = np.array([kind.name in hazards for kind in level.decor_kinds])
        (start,) = (m for m in level.markers if m.kind == "player_start")
        safe = reached((start.x, start.y), level.passable("walk") & ~names[level.covered])
        for marker in level.markers:
            if marker.kind in MOVED:
                assert (marker.x, marker.y) in safe


def test_the_shots_of_chance_are_even() -> None:
    """Every free tile is somebody's place at last, and no place is anybody's more often than it should."""
    level = generate("isaac", 7)
    fights = Counter(m.room for m in level.markers if m.kind == "enemy")
    room = max(range(len(level.rooms)), key=lambda room: fights[room])
    found: Counter[tuple[int, int]] = Counter()
    for _ in range(150):
        level = reroll(level, room=room, what="markers")
        found.update((m.x, m.y) for m in level.markers if m.room == room and m.kind in MOVED)
    assert len(found) > 15  # those that are not near a door
    assert max(found.values()) < 8 * sum(found.values()) / len(found)


def test_a_chest_of_the_heap_may_turn_out_another() -> None:
    level = generate("gungeon", 7)
    room = next(room.id for room in level.rooms if room.kind == "chest")
    tiers = set()
    for _ in range(20):
        level = reroll(level, room=room, what="markers")
        (chest,) = (m for m in level.markers if m.room == room and m.kind == "chest")
        tiers.add(chest.properties["tier"])
    assert len(tiers) > 1


def test_a_room_without_any_says_so() -> None:
    level = generate("gungeon", 7)
    for room in level.rooms:
        if room.kind in ("start", "boss", "shop"):
            with pytest.raises(RerollError, match=rf"room {room.id}: this {room.kind} room has no enemies, "):
                reroll(level, room=room.id, what="markers")
