"""A map a room: every tile lies on one map, and on the right one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytiled_parser

import exporters
from exporters.dress import EMPTY
from exporters.owners import owners
from generator.errors import BadInput
from generator.geometry import Rect, Side
from generator.kinds import VOID
from generator.level import Door, Hallway
from tests.exporters.small_level import GRID, drawn

from .conftest import Case, called, layer, properties, read

LAYERS = ("Ground", "Walls", "Doors", "Decor", "Overlay")


def maps(case: Case) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Every map of the world by its file's stem, with its entry in the world."""
    return {
        Path(entry["fileName"]).stem: (entry, read(case.world.parent / entry["fileName"]))
        for entry in read(case.world)["maps"]
    }


def test_a_world_has_a_map_for_each_room_and_hallway(case: Case) -> None:
    level = case.level
    rooms = [f"room{room.id}" for room in level.rooms]
    hallways = [f"hallway{hallway.id}" for hallway in level.hallways if hallway.tiles]
    assert list(maps(case)) == [*rooms, *hallways]
    assert not (case.world.parent / f"{case.name}.tmj").exists()
    for entry, found in maps(case).values():
        size = case.theme.tile_size
        assert (entry["width"], entry["height"]) == (found["width"] * size, found["height"] * size)
        assert found["tilesets"] == [{"firstgid": 1, "source": f"../{case.theme.name}.tsj"}]
        left, top = entry["x"] // size, entry["y"] // size
        said = properties(found)
        assert (said["left"], said["top"], said["level"]) == (left, top, case.name)


def test_each_tile_is_on_one_map_and_all_of_them_are_the_level(case: Case) -> None:
    """Where one map has anything, no other has: nothing is drawn twice, though rectangles overlap."""
    size = case.theme.tile_size
    together = np.zeros((len(LAYERS), case.level.height, case.level.width), np.int32)
    owned = np.zeros((case.level.height, case.level.width), np.int32)
    for entry, found in maps(case).values():
        x, y = entry["x"] // size, entry["y"] // size
        shape = found["height"], found["width"]
        there = np.s_[y : y + shape[0], x : x + shape[1]]
        gids = np.array([layer(found, name)["data"] for name in LAYERS]).reshape(len(LAYERS), *shape)
        together[:, there[0], there[1]] += gids
        owned[there] += gids.any(axis=0)
    assert owned.max() == 1
    assert np.array_equal(together, np.stack(case.layers) + 1)


def test_a_room_has_all_of_its_tiles(case: Case) -> None:
    """What its walls enclose, and the tops and faces of these walls in the void."""
    owner = owners(case.level, case.layers)
    for room in case.level.rooms:
        if case.level.grid:
            for cell in room.cells:
                assert (owner[case.level.grid.cell_rect(cell).slices] == room.id).all()
    for hallway in case.level.hallways:
        assert {int(owner[y, x]) for x, y in hallway.tiles} == {len(case.level.rooms) + hallway.id}
    drawn_tiles = np.logical_or.reduce([layer != EMPTY for layer in case.layers])
    assert (owner[drawn_tiles] >= 0).all()
    tops = drawn_tiles & (case.level.terrain == VOID)
    tops[-1] = False
    below = np.roll(owner, -1, axis=0)
    stone = np.roll(case.level.terrain != VOID, -1, axis=0)
    assert (owner[tops & stone] == below[tops & stone]).all()


def test_rectangles_overlap_at_the_notch_alone(cases: dict[str, Case]) -> None:
    """The room in the notch has its tiles for itself; the L's map is as large as its bounds, and empty there."""
    case = cases["notch"]
    owner = owners(case.level, case.layers)
    notch = GRID.cell_rect((0, 0))
    assert (owner[notch.slices] == 1).all()
    assert {int(number) for number in np.unique(owner[case.level.rooms[0].bounds.slices])} == {0, 1}
    entry, found = maps(case)["room0"]
    assert (entry["width"], entry["height"]) == (30 * 16, (18 + 2) * 16)  # a top above, a face below
    for name in LAYERS:
        data = np.array(layer(found, name)["data"]).reshape(found["height"], found["width"])
        assert not data[: 1 + notch.height, : notch.width].any() and (name == "Doors" or data.any())


def test_another_program_reads_the_world(case: Case) -> None:
    """pytiled-parser: the maps laid over one another are the level, and none covers another."""
    size = case.theme.tile_size
    together = np.full((5, case.level.height, case.level.width), EMPTY)
    for one in pytiled_parser.parse_world(case.world).maps:
        found = pytiled_parser.parse_map(one.map_file)
        x, y = (int(place) // size for place in one.coordinates)
        for i, tiles in enumerate(found.layers[:5]):
            data = np.array(tiles.data) - 1
            there = together[i, y : y + data.shape[0], x : x + data.shape[1]]
            assert (there[data != EMPTY] == EMPTY).all()
            there[data != EMPTY] = data[data != EMPTY]
    assert np.array_equal(together, np.stack(case.layers))


def test_a_rooms_map_has_the_room_and_what_is_in_it(case: Case) -> None:
    """With the same object ids as the map of the whole level."""
    whole = read(case.whole)
    ids = {
        called(one): one["id"]
        for name in ("Rooms", "Hallways", "DoorObjects", "Markers", "Lights")
        for one in layer(whole, name)["objects"]
    }
    markers = 0
    for stem, (entry, found) in maps(case).items():
        things = {name: layer(found, name)["objects"] for name in ("Rooms", "Hallways", "DoorObjects")}
        named = {called(one): one["id"] for some in things.values() for one in some}
        points = [one for name in ("Markers", "Lights") for one in layer(found, name)["objects"]]
        named |= {called(one): one["id"] for one in points}
        assert named.items() <= ids.items()
        assert max(named.values()) < found["nextobjectid"]
        (place,) = (*things["Rooms"], *things["Hallways"])
        assert f"{place['type']}{properties(place)[place['type'] + '_id']}" == stem
        assert found["class"] == ("room" if stem.startswith("room") else "hallway")
        for one in points:
            above = one.get("height", 0)  # the place of a tile is that of its lower left corner
            assert 0 <= one["x"] < entry["width"] and 0 <= one["y"] - above < entry["height"]
        markers += len(points)
    assert markers == len(case.level.markers)


def test_doors_lead_to_the_map_of_the_other_room(case: Case) -> None:
    """Each room has its own half of a door, and the two halves lead to each other."""
    level, found = case.level, maps(case)
    halves: dict[int, list[tuple[int, dict[str, Any]]]] = {}
    for room in level.rooms:
        _, one = found[f"room{room.id}"]
        (itself,) = layer(one, "Rooms")["objects"]
        for door in layer(one, "DoorObjects")["objects"]:
            said = properties(door)
            assert said["room_a"] == itself["id"]
            halves.setdefault(said["door_id"], []).append((room.id, said))
    ways = {door: hallway for hallway in level.hallways for door in hallway.doors}
    opposite = {side.label: side.opposite.label for side in Side}
    assert sorted(halves) == list(range(len(level.doors)))
    for door in level.doors:
        seen = halves[door.id]
        if door.rooms[1] is not None:
            (a, one), (b, other) = sorted(seen, key=lambda half: half[0] != door.rooms[0])
            assert (a, b) == door.rooms
            assert (one["to_room"], one["to_map"]) == (b, f"room{b}.tmj")
            assert (other["to_room"], other["to_map"]) == (a, f"room{a}.tmj")
            assert (one["side"], other["side"]) == (door.side, opposite[door.side])
        else:
            ((a, one),) = seen
            hallway = ways[door.id]
            (far,) = set(hallway.doors) - {door.id}
            assert one["to_room"] == level.doors[far].rooms[0]
            assert one["to_map"] == f"hallway{hallway.id}.tmj"
            assert (a, one["side"]) == (door.rooms[0], door.side)


def test_hallways_lead_to_the_maps_of_both_rooms(case: Case) -> None:
    for hallway in case.level.hallways:
        _, found = maps(case)[f"hallway{hallway.id}"]
        (one,) = layer(found, "Hallways")["objects"]
        said = properties(one)
        ends = [case.level.doors[door].rooms[0] for door in hallway.doors]
        assert [said["to_room_a"], said["to_room_b"]] == ends
        assert [said["to_map_a"], said["to_map_b"]] == [f"room{room}.tmj" for room in ends]


def test_a_level_without_rooms_cannot_be_split() -> None:
    level = replace(drawn("###\n#.#\n###"), rooms=())
    with pytest.raises(
        BadInput, match=r"tiled.split: the level has no rooms, so it cannot be split; leave the option out"
    ):
        exporters.export(level, "tiled", {"tiled.split": "rooms"})


def test_tiles_far_from_any_room_are_still_on_one_map() -> None:
    """A level by hand may have walls anywhere."""
    level = drawn("####        ###\n#..#        #.#\n####        ###")
    room = replace(level.rooms[0], bounds=level.rooms[0].bounds._replace(width=4))
    level = replace(level, rooms=(room,))
    found = json.loads(exporters.export(level, "tiled", {"tiled.split": "rooms"}, name="a")["a/room0.tmj"])
    whole = json.loads(exporters.export(level, "tiled", name="a")["a.tmj"])
    for name in LAYERS:
        assert layer(found, name)["data"] == layer(whole, name)["data"]


def test_a_room_whose_tiles_are_anothers_has_a_map_too() -> None:
    """A level by hand may have rooms in rooms, and a door of a single tile."""
    level = drawn("######\n#....#\n#....D\n######")
    inner = replace(level.rooms[0], id=1, bounds=Rect(0, 0, 6, 4))
    door = Door(0, (0, 1), ((5, 2),), "east", "open")
    hallway = Hallway(0, (0, 0), ())
    level = replace(level, rooms=(level.rooms[0], inner), doors=(door,), hallways=(hallway,))
    made = exporters.export(level, "tiled", {"tiled.split": "rooms"}, name="a")
    for room in (0, 1):
        found = json.loads(made[f"a/room{room}.tmj"])
        assert [one["name"] for one in layer(found, "Rooms")["objects"]] == [
            ("NormalRoom_0_0", "NormalRoom_0_0_2")[room]
        ]
        (one,) = layer(found, "DoorObjects")["objects"]
        assert properties(one)["to_map"] == f"room{1 - room}.tmj"
    assert "a/hallway0.tmj" not in made
    (way,) = layer(json.loads(exporters.export(level, "tiled", name="a")["a.tmj"]), "Hallways")["objects"]
    assert way["point"] is True
