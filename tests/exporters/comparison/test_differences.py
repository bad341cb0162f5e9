"""What differs between two levels is found, and nothing else; in whichever order they are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from exporters.comparison.differences import Difference, compared
from generator import generate, reroll
from generator.geometry import GridFrame
from generator.level import Level, Room
from tests.exporters.comparison.edits import Edits, seen
from tests.exporters.reading.exported import level_of

STYLES = ("isaac", "rebirth", "gungeon")
SEEDS = [range(6), pytest.param(range(6, 200), marks=pytest.mark.soak)]


def differences(before: Level, after: Level) -> tuple[Difference, ...]:
    return compared(before, after).differences


@pytest.mark.parametrize("style", STYLES)
def test_a_level_does_not_differ_from_itself(style: str) -> None:
    level = level_of(style)
    assert differences(level, level) == ()
    assert differences(level, replace(level, rerolls=({"edited": True},))) == ()  # how it came to be


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
@pytest.mark.parametrize("style", STYLES)
def test_each_edit_is_found_and_nothing_else(style: str, seeds: range) -> None:
    for seed in seeds:
        edits = Edits(level_of(style), seed)
        after = edits.some(12)
        assert Counter(seen(differences(level_of(style), after))) == Counter(edits.expected), seed


def test_a_torch_and_its_light_are_one_difference() -> None:
    level = level_of("gungeon")
    names = [kind.name for kind in level.decor_kinds]
    light = next(each for each in level.markers if names[level.decor[each.y, each.x]] == each.kind == "torch")
    decor = level.decor.copy()
    decor[light.y, light.x] = 0
    dark = tuple(each for each in level.markers if each is not light)
    for markers in (level.markers, dark):  # without the torch, its light may stay
        (found,) = differences(level, replace(level, decor=decor, markers=markers))
        assert (found.subject, found.action, found.tiles) == ("decor", "removed", ((light.x, light.y),))
    (found,) = differences(level, replace(level, markers=dark))
    assert (found.subject, found.action, found.ids) == ("marker", "removed", (light.id, None))


def pairs() -> list[tuple[Level, Level]]:
    """Levels that have more or less in common."""
    cases = []
    for style in STYLES:
        level, other = level_of(style), generate(style, 11)
        cases += [(level, Edits(level, 1).some(12)), (level, other), (level, reroll(level, pin=0))]
    grown = generate("isaac", 7, rooms=10)
    return [
        *cases,
        (generate("isaac", 7), grown),
        (level_of("isaac"), level_of("gungeon")),
        (grown, framed(grown)),
    ]


def test_the_same_differs_in_both_directions() -> None:
    other_way = {"added": "removed", "removed": "added"}
    for before, after in pairs():
        there = [
            (each.subject, each.action, each.key, str(each.old), str(each.new))
            for each in differences(before, after)
        ]
        back = [
            (each.subject, other_way.get(each.action, each.action), each.key, str(each.new), str(each.old))
            for each in differences(after, before)
        ]
        places = ("place", "path")  # counted in the second level's tiles
        assert Counter(each[:3] for each in there) == Counter(each[:3] for each in back)
        kept = (
            Counter(each for each in side if each[2] not in places and each[0] == "level")
            for side in (there, back)
        )
        assert next(kept) == next(kept)


def renumbered(level: Level, order: Sequence[int]) -> Level:
    """The same level with its rooms in another order, and other numbers for all markers."""
    new = {old: number for number, old in enumerate(order)}
    doors = [
        replace(door, rooms=(new[door.rooms[0]], None if door.rooms[1] is None else new[door.rooms[1]]))
        for door in level.doors
    ]
    markers = [
        replace(each, id=2 * each.id + 5, room=None if each.room is None else new[each.room])
        for each in level.markers
    ]
    rooms = tuple(replace(level.rooms[old], id=number) for number, old in enumerate(order))
    doors = [replace(d, opens_from=None if d.opens_from is None else new[d.opens_from]) for d in doors]
    return replace(level, rooms=rooms, doors=tuple(doors), markers=tuple(markers))


@pytest.mark.parametrize("style", STYLES)
def test_numbers_are_no_difference(style: str) -> None:
    level = level_of(style)
    order = list(range(len(level.rooms)))
    Random(3).shuffle(order)
    assert differences(level, renumbered(level, order)) == ()


def framed(level: Level, dx: int = 15, dy: int = 9) -> Level:
    """The same level with void at its left and top."""

    def moved(room: Room) -> Room:
        bounds = room.bounds._replace(x=room.bounds.x + dx, y=room.bounds.y + dy)
        return replace(
            room,
            bounds=bounds,
            outline=tuple(tuple((x + dx, y + dy) for x, y in ring) for ring in room.outline),
        )

    def tiles(thing: object) -> tuple[tuple[int, int], ...]:
        return tuple((x + dx, y + dy) for x, y in thing.tiles)  # type: ignore[attr-defined]

    origin = level.grid and (level.grid.origin[0] + dx, level.grid.origin[1] + dy)
    return replace(
        level,
        terrain=np.pad(level.terrain, ((dy, 0), (dx, 0))),
        decor=np.pad(level.decor, ((dy, 0), (dx, 0))),
        rooms=tuple(map(moved, level.rooms)),
        doors=tuple(replace(door, tiles=tiles(door)) for door in level.doors),
        hallways=tuple(replace(hallway, tiles=tiles(hallway)) for hallway in level.hallways),
        markers=tuple(replace(each, x=each.x + dx, y=each.y + dy) for each in level.markers),
        grid=GridFrame(origin, level.grid.cell_size) if level.grid and origin else None,
    )


@pytest.mark.parametrize("style", STYLES)
def test_a_level_in_a_larger_frame_was_moved_as_a_whole(style: str) -> None:
    level = level_of(style)
    found = [(each.subject, each.action, each.name) for each in differences(level, framed(level))]
    assert found == [("level", "moved", ""), ("level", "changed", "size")]


def without_last_room(level: Level) -> Level:
    """The level without its last room, whose tiles become void, and without the doors and hallways to it."""
    gone = level.rooms[-1]
    doors = [door for door in level.doors if gone.id not in door.rooms]
    terrain, decor = level.terrain.copy(), level.decor.copy()
    names = [kind.name for kind in level.terrain_kinds]
    for door in level.doors:
        if gone.id in door.rooms:
            for x, y in door.tiles:
                terrain[y, x] = names.index("wall")
    for rect in level.room_rects(gone):
        terrain[rect.slices] = decor[rect.slices] = 0
    return replace(
        level,
        terrain=terrain,
        decor=decor,
        rooms=level.rooms[:-1],
        doors=tuple(replace(door, id=number) for number, door in enumerate(doors)),
        markers=tuple(each for each in level.markers if each.room != gone.id),
    )


def test_what_was_in_a_removed_room_is_removed_with_it() -> None:
    level = level_of("isaac")
    gone = level.rooms[-1]
    (found,) = differences(level, without_last_room(level))
    assert found[:4] == ("room", "removed", (gone.id, None), (gone.id, None))
    (found,) = differences(without_last_room(level), level)
    assert found[:4] == ("room", "added", (None, gone.id), (None, gone.id))
    assert found.new == list(gone.bounds)


def test_a_room_moves_with_what_is_in_it() -> None:
    """A spec of more rooms sends the shop elsewhere; what is in it is compared there."""
    before, after = generate("isaac", 7), generate("isaac", 7, rooms=10)
    shops = [next(room for room in level.rooms if room.kind == "shop") for level in (before, after)]
    assert shops[0].bounds[:2] != shops[1].bounds[:2]
    found = [each for each in differences(before, after) if each.rooms == (shops[0].id, shops[1].id)]
    assert [(each.subject, each.action, each.key) for each in found] == [
        ("room", "moved", "place"),
        ("room", "changed", "distance"),
    ]


def test_a_room_that_grew_is_the_same_room() -> None:
    level = level_of("gungeon")
    room = next(room for room in level.rooms if len(room.outline) == 1 and len(room.outline[0]) == 4)
    x, y, width, height = room.bounds
    ring = ((x, y), (x + width, y), (x + width, y + height - 2), (x, y + height - 2))
    smaller = replace(room, bounds=room.bounds._replace(height=height - 2), outline=(ring,))
    rooms = tuple(smaller if each.id == room.id else each for each in level.rooms)
    found = differences(replace(level, rooms=rooms), level)
    assert ("room", "changed", "size", [width, height - 2], [width, height]) in [
        (each.subject, each.action, each.key, each.old, each.new) for each in found
    ]
    assert not [each for each in found if each.subject == "room" and each.action in ("added", "removed")]


def test_hallways_that_go_elsewhere() -> None:
    level = level_of("gungeon")
    way = level.hallways[0]
    other = replace(way, tiles=way.tiles[:-1])
    (found,) = differences(level, replace(level, hallways=(other, *level.hallways[1:])))
    assert found[:4] == ("hallway", "changed", (None, None), (0, 0))
    assert (found.old, found.new) == (len(way.tiles), len(way.tiles) - 1)
    fewer = tuple(replace(each, id=each.id - 1) for each in level.hallways[1:])
    markers = [
        replace(each, hallway=None if each.hallway is None else each.hallway - 1)
        for each in level.markers
        if each.hallway != 0
    ]
    (found,) = (
        each
        for each in differences(level, replace(level, hallways=fewer, markers=tuple(markers)))
        if each.subject != "door"  # those lead nowhere now
    )
    assert found[:2] == ("hallway", "removed") and found.tiles == way.tiles


def test_a_hallway_goes_with_its_rooms() -> None:
    """A larger spec pushes the start and its neighbour down, with what joins them."""
    before, after = (generate("gungeon", 5, rooms=rooms, flow="random") for rooms in (12, 14))
    found = differences(before, after)
    moved = {
        each.rooms: (each.old, each.new)
        for each in found
        if each.subject == "room" and each.action == "moved"
    }
    assert moved[0, 0] == ([2, 29], [2, 34]) and moved[4, 5] == ([19, 25], [19, 30])
    joined = [
        each for each in after.hallways if {after.doors[door].rooms[0] for door in each.doors} == {0, 5}
    ]
    assert joined and not [
        each for each in found if each.subject == "hallway" and each.name == "from room 0 to room 5"
    ]


def test_a_roll_of_a_room_touches_no_other() -> None:
    for style in STYLES:
        level = level_of(style)
        found = differences(level, reroll(level, room=1))
        assert found and {each.rooms for each in found} == {(1, 1)}
