"""Red rooms: the way to an ultra secret room, over the cells between it and the rooms about it."""

from __future__ import annotations

from collections import Counter

import pytest

from generator import Level, RebirthSpec, generate
from generator.checks import problems
from generator.interiors.interior import reached
from generator.shapes import SHAPES as GAME_SHAPES

from .drafts import FloorDraft, add_red_rooms, assign
from .oracle import SHAPES, WAYS, Cell, plus


def drafts() -> list[FloorDraft]:
    return [assign(RebirthSpec(stage=stage), seed).draft for stage in (2, 5, 8) for seed in range(1, 40)]


def cells_between(draft: FloorDraft) -> set[Cell]:
    """The cells beside the ultra secret room that touch another one, if slots of all these lead there."""
    ultra = next((room.entry for room in draft.rooms if room.kind == "ultra_secret"), None)
    if ultra is None:
        return set()
    found = set()
    slots = {
        plus(room.anchor, to)
        for room in draft.rooms
        if room.kind != "red"
        for to in SHAPES[room.shape.id][1].values()
    }
    for way in WAYS:
        cell = plus(ultra, way)
        touched = {plus(cell, other) for other in WAYS} & draft.owners.keys() - {ultra}
        if touched and cell in slots:
            found.add(cell)
    return found


def test_every_cell_between_becomes_a_red_room() -> None:
    number: Counter[int] = Counter()
    for draft in drafts():
        expected, before = cells_between(draft), len(draft.rooms)
        add_red_rooms(draft)
        assert {room.entry for room in draft.rooms[before:]} == expected
        assert all(room.kind == "red" and room.shape.name == "1x1" for room in draft.rooms[before:])
        number[len(expected)] += 1
    assert number[1] and number[2] and number[3] and not number[0]


def test_a_red_room_is_one_deeper_than_the_least_deep_room_beside_it() -> None:
    for draft in drafts():
        before = len(draft.rooms)
        add_red_rooms(draft)
        for room in draft.rooms[before:]:
            beside = (draft.rooms[other] for _, other in draft.beside(room.entry))
            assert room.depth == 1 + min(other.depth for other in beside if other.kind != "ultra_secret")


def test_a_room_that_offers_no_door_keeps_its_neighbour_solid() -> None:
    """A narrow room lies along the cell between."""
    spec = RebirthSpec(stage=3)
    for seed in range(1, 40):
        draft = assign(spec, seed).draft
        cell = min(cells_between(draft), default=None)
        for _, number in draft.beside(cell) if cell else ():
            room = draft.rooms[number]
            if room.kind != "ultra_secret" and room.shape.name == "1x1":
                narrow = "IH" if room.entry[0] == cell[0] else "IV"
                draft.reshape(number, GAME_SHAPES[narrow], room.entry)
                add_red_rooms(draft)
                assert cell not in {one.entry for one in draft.rooms if one.kind == "red"}
                return
    raise AssertionError("no such floor")


@pytest.fixture(scope="module")
def levels() -> list[Level]:
    return [generate("rebirth", seed, stage=stage) for stage in (2, 7) for seed in range(1, 12)]


def test_one_walks_through_red_doors_to_what_is_secret(levels: list[Level]) -> None:
    """Shut, the doors keep everybody out; open, they lead to every ultra secret room's markers."""
    for level in levels:
        start = next((marker.x, marker.y) for marker in level.markers if marker.kind == "player_start")
        ways = level.passable("walk").copy()
        opened = reached(start, ways)
        for door in level.doors:
            for x, y in door.tiles if door.kind == "red" else ():
                ways[y, x] = False
        shut = reached(start, ways)
        for room in level.rooms:
            if room.kind in ("red", "ultra_secret"):
                x, y, width, _ = room.bounds
                middle = x + width // 2, y + 2  # before its northern wall
                assert middle not in shut
                tiles = {(m.x, m.y) for m in level.markers if m.room == room.id and m.kind == "item"}
                assert tiles <= opened and not tiles & shut
                assert room.distance is None


def test_red_rooms_are_empty_and_have_red_doors_alone(levels: list[Level]) -> None:
    layouts: Counter[str] = Counter()
    for level in levels:
        red = {room.id for room in level.rooms if room.kind == "red"}
        assert red and all(marker.room not in red or marker.kind == "fire" for marker in level.markers)
        assert all((door.kind == "red") == bool(red & set(door.rooms)) for door in level.doors)
        layouts.update(level.rooms[room].layout.partition("+")[0] for room in red)
    assert len(layouts) >= 4


def test_levels_with_red_rooms_are_sound_for_wide_doors_and_bodies() -> None:
    for seed in range(1, 6):
        assert problems(generate("rebirth", seed, stage=4, door_width=3, body=3)) == []
