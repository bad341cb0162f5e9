"""A level is a value: frozen all through, also after it was copied or came back from a worker."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from functools import cache

import numpy as np
import pytest

from generator import Level, generate
from generator.geometry import Side


@cache
def made() -> Level:
    return replace(generate("isaac", 7), rerolls=({"room": 3},))


WAYS: dict[str, Callable[[Level], Level]] = {
    "made": lambda level: level,
    "pickled": lambda level: pickle.loads(pickle.dumps(level)),
    "deep copy": copy.deepcopy,
    "copy": copy.copy,
    "replaced": lambda level: replace(level, seed_text=None),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_nothing_in_a_level_can_be_changed(way: Callable[[Level], Level]) -> None:
    level = made()
    assert level.covered.any() and level.fingerprint  # caches are filled before the level is sent
    level = way(level)
    for array in (level.terrain, level.decor, level.covered):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    marker = next(marker for marker in level.markers if marker.properties)
    for table in (level.facts, marker.properties, *level.rerolls):
        with pytest.raises(TypeError):
            table["curse"] = "lost"  # type: ignore[index]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_copy_is_the_same_level(way: Callable[[Level], Level]) -> None:
    level = way(made())
    assert level == made() and hash(level) == hash(made())
    assert level.to_dict() == made().to_dict()
    assert level.markers == made().markers and level.facts == made().facts


def test_a_level_keeps_no_hold_of_the_tables_that_it_was_made_of() -> None:
    facts: dict[str, bool | int | float | str] = {"curse": "none"}
    level = replace(made(), facts=facts)
    facts["curse"] = "lost"
    assert level.facts == {"curse": "none"}


@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_the_rectangles_of_rooms_share_no_tile_and_hold_their_halves_of_doors(style: str) -> None:
    level = generate(style, 3)
    rects = {room.id: level.room_rects(room) for room in level.rooms}
    covered = np.zeros(level.terrain.shape, int)
    for some in rects.values():
        for rect in some:
            covered[rect.slices] += 1
    assert covered.max() == 1
    for door in level.doors:
        assert [half.room for half in door.halves] == [room for room in door.rooms if room is not None]
        assert sum((half.tiles for half in door.halves), ()) == door.tiles
        for half in door.halves:
            assert all(any(rect.contains(*tile) for rect in rects[half.room]) for tile in half.tiles)
            dx, dy = next((side.dx, side.dy) for side in Side if side.label == half.side)
            for x, y in half.tiles:
                assert not any(rect.contains(x + dx, y + dy) for rect in rects[half.room])


def test_a_door_of_one_tile_lies_in_both_walls() -> None:
    door = replace(made().doors[0], tiles=((4, 5),), side="east")
    assert [(half.room, half.side, half.tiles) for half in door.halves] == [
        (door.rooms[0], "east", ((4, 5),)),
        (door.rooms[1], "west", ((4, 5),)),
    ]


def test_a_room_without_cells_is_its_bounds() -> None:
    room = replace(made().rooms[0], cells=())
    assert made().room_rects(room) == (room.bounds,)


@pytest.mark.parametrize("style", ["isaac", "gungeon"])
def test_generated_rooms_and_doors_are_whole_and_frozen(style: str) -> None:
    """They are made without the slow steps of a frozen class."""
    level = generate(style, 7)
    for each in (*level.rooms, *level.doors):
        assert replace(each) == each == pickle.loads(pickle.dumps(each))
        with pytest.raises(FrozenInstanceError):
            each.id = 1  # type: ignore[misc]
