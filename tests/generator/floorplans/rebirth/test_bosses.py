"""Boss rooms: the furthest dead end, large ones and what they replace, two in a labyrinth, several in the Void."""

from __future__ import annotations

from collections import Counter

import pytest

from generator import RebirthSpec
from generator.floorplans.rebirth import Topology
from generator.floorplans.rebirth.floorplan import floorplan
from generator.rng import Stream

from .oracle import LARGE, NAMES, SHAPES, WAYS, Cell, anchors, cells_of, plus
from .test_special_rooms import Assigned, assign

IDS = {name: number for number, name in NAMES.items()}


def owners_of(grown: Topology) -> dict[Cell, int]:
    return {
        cell: number for number, (x, y, shape) in enumerate(grown.rooms) for cell in cells_of(shape, (x, y))
    }


def way_into(grown: Topology, number: int) -> int:
    x, y, shape = grown.rooms[grown.parents[number]]
    return next(
        slot % 4 for slot, to in SHAPES[shape][1].items() if plus((x, y), to) == grown.entries[number]
    )


def large_place(grown: Topology, number: int, name: str) -> Cell | None:
    """The anchor of the first template by which a dead end may become a large room and stay one."""
    owners, entry, way = owners_of(grown), grown.entries[number], way_into(grown, number)
    for one, anchor in zip(LARGE[way].split(), anchors(entry, way), strict=True):
        cells = cells_of(IDS[one], anchor)
        free = all(0 <= x < 13 and 0 <= y < 13 and owners.get((x, y), number) == number for x, y in cells)
        doors = [owners.get(plus(anchor, to), number) for to in SHAPES[IDS[one]][1].values()]
        if one == name and free and len([owner for owner in doors if owner != number]) == 1:
            return anchor
    return None


def drawn_shape(seed: int, percent: int) -> str:
    """What chance wants of the boss room on the first floor."""
    stream = Stream(seed, "rebirth.boss", 0)
    comes, shape = stream.below(100) < percent, ("2x1", "1x2", "2x2")[stream.below(3)]
    return shape if comes else "1x1"


def boss_of(one: Assigned) -> tuple[int, str, Cell]:
    number = one.placed[0][1]
    room = one.draft.rooms[number]
    return number, room.shape.name, room.anchor


def test_the_boss_takes_the_furthest_dead_end_that_is_not_beside_the_start() -> None:
    for stage in (1, 4):
        for seed in range(1, 150):
            one = assign(RebirthSpec(stage=stage, large_bosses=0), seed)
            far = [number for number in one.grown.dead_ends if one.grown.distances[number] > 1]
            assert boss_of(one) == (far[0], "1x1", one.grown.entries[far[0]])


@pytest.mark.parametrize("percent", [20, 100])
def test_a_large_boss_room_replaces_the_furthest_dead_end_that_has_the_place(percent: int) -> None:
    """All of the greatest distance are tried, in order; if none has place, the room stays a single cell."""
    seen: Counter[str] = Counter()
    for seed in range(1, 250):
        one = assign(RebirthSpec(stage=3, large_bosses=percent), seed)
        far = [
            n
            for n in one.grown.dead_ends
            if one.grown.distances[n] == one.grown.distances[one.grown.dead_ends[0]]
        ]
        wanted = drawn_shape(seed, percent)
        expected: tuple[int, str, Cell] = (far[0], "1x1", one.grown.entries[far[0]])
        if wanted != "1x1":
            for number in far:
                place = large_place(one.grown, number, wanted)
                if place is not None:
                    expected = (number, wanted, place)
                    break
        assert boss_of(one) == expected
        seen[expected[1]] += 1
    assert min(seen[shape] for shape in ("2x1", "1x2", "2x2")) >= (5 if percent == 20 else 40)


def test_large_boss_rooms_come_as_often_as_asked_for() -> None:
    wanted = [drawn_shape(seed, 20) != "1x1" for seed in range(1, 2001)]
    assert 320 < sum(wanted) < 480  # 400 expected, 18 a sigma


def test_a_labyrinths_second_boss_stands_behind_the_first() -> None:
    """A new room, one deeper, that touches the first alone; straight on wherever the first is a single cell."""
    for seed in range(1, 120):
        one = assign(RebirthSpec(stage=5, curse="labyrinth"), seed)
        first, second = (number for kind, number in one.placed if kind == "boss")
        assert one.placed[1] == ("boss", second) and second == len(one.grown.rooms)
        rooms = one.draft.rooms
        assert rooms[second].depth == rooms[first].depth + 1
        around = {plus(cell, way) for cell in rooms[second].cells() for way in WAYS}
        secret = {n for n, room in enumerate(rooms) if room.kind in ("secret", "super_secret")}
        assert {one.draft.owners[cell] for cell in around & one.draft.owners.keys()} - {second} - secret == {
            first
        }
        if rooms[first].shape.name == "1x1":
            assert rooms[second].entry == plus(rooms[first].entry, WAYS[way_into(one.grown, first)])


def test_a_labyrinths_first_boss_has_three_free_cells_behind_it() -> None:
    for seed in range(1, 120):
        one = assign(RebirthSpec(stage=5, curse="labyrinth", large_bosses=0), seed)
        number = one.placed[0][1]
        owners, way = owners_of(one.grown), WAYS[way_into(one.grown, number)]
        for steps in (1, 2, 3):
            cell = plus(one.grown.entries[number], way, steps)
            assert 0 <= cell[0] < 13 and 0 <= cell[1] < 13
            assert owners.get(cell, number) == number
            assert {owners.get(plus(cell, side), number) for side in WAYS} == {number}


@pytest.mark.parametrize("bosses", [1, 2, 6, 7])
def test_the_void_has_several_boss_rooms(bosses: int) -> None:
    for seed in range(1, 12):
        plan = floorplan(RebirthSpec(stage=12, void_bosses=bosses), seed)
        assert sum(room.kind == "boss" for room in plan.rooms) == bosses


def test_only_the_void_and_labyrinths_have_more_than_one() -> None:
    for stage in (1, 6, 11):
        for seed in range(1, 12):
            plan = floorplan(RebirthSpec(stage=stage), seed)
            assert sum(room.kind == "boss" for room in plan.rooms) == 1
    before = floorplan(RebirthSpec(stage=12, edition="afterbirth"), 3)  # there was no Void yet
    assert sum(room.kind == "boss" for room in before.rooms) == 1
