"""Objects are named by what they are and where they stand, each once, and by nothing that counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

import generator
from exporters.objects import names_of, object_name
from generator.geometry import Point
from generator.level import Level, Marker


def level() -> Level:
    return generator.generate("isaac", 7)


@pytest.mark.parametrize(
    ("preset", "seed"), [("isaac", 7), ("labyrinth", 5), ("rebirth", 10), ("gungeon", 12)]
)
def test_every_object_has_a_name_of_its_own(preset: str, seed: int) -> None:
    made = generator.generate(preset, seed)
    names = names_of(made)
    assert len(names.rooms) == len(made.rooms) and set(names.markers) == {each.id for each in made.markers}
    for some in (names.rooms, names.hallways, names.doors, list(names.markers.values())):
        assert len(set(some)) == len(some)
        assert all(name.isidentifier() for name in some)


def test_names_tell_kind_and_tile() -> None:
    made = level()
    names = names_of(made)
    shop = next(room for room in made.rooms if room.kind == "shop")
    assert names.rooms[shop.id] == f"ShopRoom_{shop.bounds.x}_{shop.bounds.y}"
    enemy = next(marker for marker in made.markers if marker.kind == "enemy")
    assert names.markers[enemy.id] == f"Enemy_{enemy.x}_{enemy.y}"
    door = made.doors[0]
    assert names.doors[0] == f"OpenDoor_{min(x for x, _ in door.tiles)}_{min(y for _, y in door.tiles)}"
    assert "PlayerStart" in names.markers.values()
    assert object_name("tall_lamp", 3, 4) == "TallLamp_3_4"


def test_a_room_with_a_notch_is_named_after_a_tile_of_its_own() -> None:
    made = generator.generate("rebirth", 4, stage=3)
    notched = [room for room in made.rooms if (room.bounds.x, room.bounds.y) not in room.outline[0]]
    assert notched
    for room in notched:
        left, top = map(int, names_of(made).rooms[room.id].split("_")[1:3])
        assert (left, top) in room.outline[0]


def test_names_stay_when_others_go() -> None:
    made = level()
    fewer = tuple(replace(each, id=i) for i, each in enumerate(made.markers[::2]))
    before, after = names_of(made), names_of(replace(made, markers=fewer))
    assert [after.markers[i] for i in range(len(fewer))] == [
        before.markers[each.id] for each in made.markers[::2]
    ]


def test_two_of_a_kind_on_a_tile_are_numbered() -> None:
    made = level()
    last = len(made.markers)
    further = tuple(Marker(last + i, "a/b:.", 3, 4, None) for i in range(3))
    names = names_of(replace(made, markers=(*made.markers, *further)))
    assert [names.markers[last + i] for i in range(3)] == ["AB_3_4", "AB_3_4_2", "AB_3_4_3"]


def test_an_object_without_tiles_has_a_name_too() -> None:
    made = level()
    nowhere: tuple[Point, ...] = ()
    doors = tuple(replace(door, tiles=nowhere) for door in made.doors)
    assert len(set(names_of(replace(made, doors=doors)).doors)) == len(doors)
