"""A map's facts, as another program reads them: pytiled-parser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import pytiled_parser
from pytiled_parser.tiled_object import Point, Polygon, Rectangle, Tile, TiledObject

import exporters
from exporters.formats.tiled.names import plain_name
from exporters.formats.tiled.syntax.text import text
from exporters.image import marker_icon
from exporters.objects import names_of
from generator.geometry import Point as Corner
from generator.kinds import SHIPPED
from tests.exporters import locked_level
from tests.exporters.small_level import drawn

from .conftest import HOSTILE, Case, layer, properties, read

LAYERS = ("Ground", "Walls", "Doors", "Decor", "Overlay")
GROUPS = ("Rooms", "Hallways", "DoorObjects", "Markers", "Lights")


@pytest.fixture
def parsed(case: Case) -> Any:
    return pytiled_parser.parse_map(case.whole)


def objects(parsed: Any, name: str) -> list[TiledObject]:
    (found,) = (one for one in parsed.layers if one.name == name)
    return list(found.tiled_objects)


def called(found: TiledObject) -> str:
    """Only rooms have names that Tiled draws."""
    assert bool(found.name) is (found.class_ == "room")
    return str(found.name or found.properties["unique_name"])


def area(points: Sequence[Any]) -> float:
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    return sum(a.x * b.y - b.x * a.y for a, b in pairs) / 2


def rings_area(rings: Sequence[Sequence[Corner]]) -> float:
    outer, *holes = (
        sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True)) / 2
        for ring in rings
    )
    return outer - sum(holes)


def test_the_map_is_the_level(case: Case, parsed: Any) -> None:
    level = case.level
    assert parsed.version == "1.10"
    assert tuple(parsed.map_size) == (level.width, level.height)
    assert tuple(parsed.tile_size) == (case.theme.tile_size,) * 2
    assert (parsed.orientation, parsed.infinite, parsed.class_) == ("orthogonal", False, "level")
    assert [one.name for one in parsed.layers] == [*LAYERS, *GROUPS]
    assert [one.id for one in parsed.layers] == list(range(1, 11))
    assert parsed.next_layer_id == 11
    said = parsed.properties
    assert (said["style"], said["seed"]) == (level.style, str(level.seed))
    assert said["fingerprint"] == level.fingerprint
    assert json.loads(said["spec"]) == json.loads(json.dumps(level.spec.saved()))
    if case.name != "by.hand":
        wide = {
            name: str(fact) for name, fact in level.facts.items() if type(fact) is int and fact >= 1 << 31
        }
        facts = {**level.facts, **wide}  # Tiled's int cannot hold them
        assert {name: said[name] for name in facts} == facts


def test_the_tileset_lies_beside_the_map(case: Case, parsed: Any) -> None:
    assert list(parsed.tilesets) == [1]
    found = parsed.tilesets[1]
    assert (found.name, found.columns) == (case.theme.name, case.theme.columns)
    assert found.image.parent == case.whole.parent and found.image.is_file()


def test_layers_hold_the_dressed_level(case: Case, parsed: Any) -> None:
    for found, tiles in zip(parsed.layers, case.layers, strict=False):
        assert np.array_equal(np.array(found.data), tiles + 1)
        assert (found.opacity, found.visible) == (1, True)


def test_object_ids_are_unique_and_below_the_next(case: Case, parsed: Any) -> None:
    numbers = [one.id for name in GROUPS for one in objects(parsed, name)]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert parsed.next_object_id == len(numbers) + 1
    names = [called(one) for name in GROUPS for one in objects(parsed, name)]
    assert len(set(names)) == len(names)


def test_rooms(case: Case, parsed: Any) -> None:
    size, level = case.theme.tile_size, case.level
    doors = {one.id: one for one in objects(parsed, "DoorObjects")}
    for room, found in zip(level.rooms, objects(parsed, "Rooms"), strict=True):
        assert isinstance(found, Polygon)
        assert (found.name, found.class_) == (names_of(level).rooms[room.id], "room")
        said = dict(found.properties)
        refs = {said.pop(name) for name in list(said) if name.startswith("door_")}
        assert json.loads(said.pop("cells")) == [list(cell) for cell in room.cells]
        assert json.loads(said.pop("bounds")) == list(room.bounds)
        assert said == {
            "room_id": room.id,
            "kind": room.kind,
            "shape": room.shape,
            "distance": -1 if room.distance is None else room.distance,
            "depth": room.depth,
            "difficulty": room.difficulty,
            "layout": room.layout,
            **({"zone": room.zone} if room.zone else {}),
        }
        assert area(found.points) == rings_area(room.outline) * size * size
        corners = {(found.coordinates.x + x, found.coordinates.y + y) for x, y in found.points}
        assert {(x * size, y * size) for ring in room.outline for x, y in ring} <= corners
        own = {door.id for door in level.doors if room.id in door.rooms}
        assert {doors[ref].properties["door_id"] for ref in refs} == own


def test_doors(case: Case, parsed: Any) -> None:
    size = case.theme.tile_size
    rooms = {one.id: one.properties["room_id"] for one in objects(parsed, "Rooms")}
    hallways = {one.id: one.properties["hallway_id"] for one in objects(parsed, "Hallways")}
    ways = {door: hallway.id for hallway in case.level.hallways for door in hallway.doors}
    for door, found in zip(case.level.doors, objects(parsed, "DoorObjects"), strict=True):
        assert isinstance(found, Rectangle)
        assert (called(found), found.class_) == (names_of(case.level).doors[door.id], "door")
        said = found.properties
        assert (said["door_id"], said["kind"], said["side"]) == (door.id, door.kind, door.side)
        assert said["starts_shut"] is (door.kind in SHIPPED.doors_that_start_shut)
        assert said["secret"] is (door.kind in SHIPPED.secret_doors)
        ends = [rooms[said[name]] for name in ("room_a", "room_b") if name in said]
        assert ends == [room for room in door.rooms if room is not None]
        assert hallways.get(said.get("hallway")) == ways.get(door.id)
        xs, ys = zip(*door.tiles, strict=True)
        assert tuple(found.coordinates) == (min(xs) * size, min(ys) * size)
        assert found.size.width * found.size.height == len(door.tiles) * size * size


def test_hallways(case: Case, parsed: Any) -> None:
    size = case.theme.tile_size
    doors = {one.id: one.properties["door_id"] for one in objects(parsed, "DoorObjects")}
    rooms = {one.id: one.properties["room_id"] for one in objects(parsed, "Rooms")}
    for hallway, found in zip(case.level.hallways, objects(parsed, "Hallways"), strict=True):
        assert isinstance(found, Polygon)
        said = found.properties
        assert (called(found), found.class_, said["hallway_id"]) == (
            names_of(case.level).hallways[hallway.id],
            "hallway",
            hallway.id,
        )
        assert (doors[said["door_a"]], doors[said["door_b"]]) == hallway.doors
        ends = [rooms[said["room_a"]], rooms[said["room_b"]]]
        assert ends == [case.level.doors[door].rooms[0] for door in hallway.doors]
        assert area(found.points) == len(hallway.tiles) * size * size


def test_markers(case: Case, parsed: Any) -> None:
    size = case.theme.tile_size
    rooms = {one.id: one.properties["room_id"] for one in objects(parsed, "Rooms")}
    hallways = {one.id: one.properties["hallway_id"] for one in objects(parsed, "Hallways")}
    shown = {one.id: one for name in ("Markers", "Lights") for one in objects(parsed, name)}
    first = parsed.next_object_id - len(case.level.markers)
    for number, marker in enumerate(case.level.markers, first):
        found, icon = shown.pop(number), marker_icon(marker, case.theme, case.level.kinds)
        assert found.class_ == marker.kind
        if icon is None:
            assert isinstance(found, Point)
            assert tuple(found.coordinates) == ((marker.x + 0.5) * size, (marker.y + 0.5) * size)
        else:  # its place is that of the lower left corner
            assert isinstance(found, Tile) and found.gid == 1 + icon
            assert tuple(found.coordinates) == (marker.x * size, (marker.y + 1) * size)
            assert tuple(found.size) == (size, size)
        said = {plain_name(name, marker.kind): value for name, value in found.properties.items()}
        assert (said.pop("marker_id"), said.pop("kind")) == (marker.id, marker.kind)
        assert rooms.get(said.pop("room", None)) == marker.room
        assert hallways.get(said.pop("hallway", None)) == marker.hallway
        assert said.pop("unique_name") == called(found)
        if case.name != "by.hand":
            assert said == dict(marker.properties)
            assert {name: type(value) for name, value in said.items()} == {
                name: type(value) for name, value in marker.properties.items()
            }
    assert not shown


def test_lights_start_hidden_in_a_layer_of_their_own(case: Case, parsed: Any) -> None:
    kinds = case.level.kinds
    lights = {marker.kind for marker in case.level.markers if marker.kind in kinds.light_markers}
    assert {one.class_ for one in objects(parsed, "Lights")} == lights
    assert not lights & {one.class_ for one in objects(parsed, "Markers")}
    assert {one.name: one.visible for one in parsed.layers if not one.visible} == {"Lights": False}


def test_what_a_door_asks_of_the_player(cases: dict[str, Case]) -> None:
    """A lock refers to its keys, on the map of everything; a shortcut to the room that it opens from."""
    case = cases["hallways"]
    parsed = pytiled_parser.parse_map(case.whole)
    doors = {door.properties["door_id"]: door.properties for door in objects(parsed, "DoorObjects")}
    numbers = {one.id: called(one) for group in ("Rooms", "Markers") for one in objects(parsed, group)}
    names = names_of(case.level)
    lock = doors[locked_level.LOCKED]
    assert lock["needs"] == "gold_key, silver_key"
    assert [numbers[lock[f"key_{i}"]] for i in (0, 1)] == [names.markers[6], names.markers[5]]
    assert "key_2" not in lock
    assert doors[locked_level.ONE_WAY]["one_way"] is True
    assert numbers[doors[locked_level.BARRED]["opens_from"]] == names.rooms[1]
    assert not {"needs", "one_way", "opens_from", "key_0"} & doors[0].keys()
    assert [door.get("joins", "") for _, door in sorted(doors.items())] == ["wide"] * 2 + [""] * 6
    keys = [one.properties for one in objects(parsed, "Markers") if one.class_ == "key"]
    told = [(key["opens"], key["consumed"], key.get("lever")) for key in keys]
    assert told == [("silver_key", False, None), ("gold_key", True, None), ("gate", False, True)]


def test_hostile_properties_all_arrive(cases: dict[str, Case]) -> None:
    """Each under a name of its own, with its value or, for numbers that do not fit, its digits."""
    case = cases["by.hand"]
    (enemy,) = (one for one in layer(read(case.whole), "Markers")["objects"] if one["type"] == "enemy")
    said = properties(enemy)
    own = {"marker_id", "kind", "room", "unique_name"}
    assert len(said) == len(HOSTILE) + len(own)
    assert said["kind"] == "enemy" and said["enemy_kind"] == "dragon"
    assert said["enemy_id"] == 7 and said["enemy_enemy_id"] == "taken too"
    assert said["enemy_"] == "no name"
    assert said["wide"] == str((1 << 53) - 1) and said["just not"] == str(1 << 31)
    assert said["just fits"] == -(1 << 31) and said["huge"] == 1e300 and said["true"] is True
    for name, value in HOSTILE.items():
        if isinstance(value, str) and name and name not in ("kind", "room", "enemy_id"):
            assert said[text(name)] == text(value)
    facts = properties(read(case.whole))
    assert facts["level_style"] == "another" and facts["style"] == case.level.style
    assert facts["level_seed"] == str(1 << 63)


def test_a_room_without_an_outline_is_its_bounds() -> None:
    level = drawn("####\n#..#\n####")
    made = json.loads(exporters.export(level, "tiled", name="a")["a.tmj"])
    (room,) = layer(made, "Rooms")["objects"]
    assert [(one["x"], one["y"]) for one in room["polygon"]] == [(0, 0), (64, 0), (64, 48), (0, 48)]


def test_a_row_of_tiles_is_a_line_of_the_file(case: Case) -> None:
    """So that a diff shows where a level changed; and an object is one."""
    lines = case.whole.read_text("utf-8").split("\n")
    rows = [line for line in lines if line[:1].isdigit()]
    assert len(rows) == 5 * case.level.height
    found = [json.loads(line.rstrip(",")) for line in lines if line.startswith(('{"height"', '{"gid"'))]
    assert found == [one for name in GROUPS for one in layer(read(case.whole), name)["objects"]]


def test_the_same_level_gives_the_same_bytes(case: Case) -> None:
    made = exporters.export(case.level, "tiled", theme=case.theme, name=case.name)
    assert made[f"{case.name}.tmj"] == case.whole.read_bytes()
