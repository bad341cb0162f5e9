"""Boss rooms: the furthest dead end, large ones and what they replace, two in a labyrinth, several in the Void."""

from __future__ import annotations

from collections import Counter

import pytest

from generator import RebirthSpec
from generator.styles.rebirth import Topology
from generator.styles.rebirth.floorplan import floorplan

from .drafts import DrawnFloor, assign
from .oracle import LARGE, NAMES, SHAPES, WAYS, Cell, anchors, cells_of, plus

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


def boss_of(one: DrawnFloor) -> tuple[int, str, Cell]:
    number = one.placed[0][1]
    room = one.draft.rooms[number]
    return number, room.shape.name, room.anchor


def test_the_boss_takes_the_furthest_dead_end_that_is_not_beside_the_start() -> None:
    for stage in (1, 4):
        for seed in range(1, 150):
            one = assign(RebirthSpec(stage=stage, large_bosses=0), seed)
            far = [number for number in one.grown.dead_ends if one.grown.distances[number] > 1]
            assert boss_of(one) == (far[0], "1x1", one.grown.entries[far[0]])


def test_a_large_boss_room_takes_the_first_dead_end_that_has_the_place() -> None:
    """The furthest first, whatever the distance, by the first template that leaves it a dead end."""
    seen: Counter[str] = Counter()
    for seed in range(1, 250):
        one = assign(RebirthSpec(stage=3, large_bosses=100), seed)
        number, shape, anchor = boss_of(one)
        far = [each for each in one.grown.dead_ends if one.grown.distances[each] > 1]
        places = {each: large_place(one.grown, each, shape) for each in far[: far.index(number) + 1]}
        assert {each: place for each, place in places.items() if place is not None} == {number: anchor}
        seen[shape] += 1
    assert min(seen[shape] for shape in ("2x1", "1x2", "2x2")) >= 40


def test_large_boss_rooms_come_as_often_as_asked_for() -> None:
    found = [boss_of(assign(RebirthSpec(stage=6, large_bosses=20), seed))[1] for seed in range(1, 601)]
    assert 80 < sum(shape != "1x1" for shape in found) < 160  # 120 expected, 10 a sigma


@pytest.mark.parametrize("edition", ["afterbirth_plus", "repentance"])
def test_a_labyrinths_second_boss_stands_behind_the_first_or_aside(edition: str) -> None:
    """A new room, one deeper, that touches the first alone; a quarter or so is not straight on."""
    aside = 0
    for seed in range(1, 120):
        one = assign(RebirthSpec(stage=5, curse="labyrinth", large_bosses=0, edition=edition), seed)
        first, second = (number for kind, number in one.placed if kind == "boss")
        assert one.placed[1] == ("boss", second) and second == len(one.grown.rooms)
        rooms = one.draft.rooms
        assert rooms[second].depth == rooms[first].depth + 1
        around = {plus(cell, way) for cell in rooms[second].cells() for way in WAYS}
        secret = {n for n, room in enumerate(rooms) if room.kind in ("secret", "super_secret")}
        assert {one.draft.owners[cell] for cell in around & one.draft.owners.keys()} - {second} - secret == {
            first
        }
        aside += rooms[second].entry != plus(rooms[first].entry, WAYS[way_into(one.grown, first)])
    assert 12 <= aside <= 60


def test_before_repentance_a_labyrinths_first_boss_has_three_free_cells_behind_it() -> None:
    spec = RebirthSpec(stage=5, curse="labyrinth", large_bosses=0, edition="afterbirth_plus")
    for seed in range(1, 120):
        one = assign(spec, seed)
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
