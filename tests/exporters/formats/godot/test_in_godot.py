"""What the real Godot makes of our scenes: everything is read back and looked at."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import shapely
from PIL import Image

from exporters.dress import EMPTY, dress
from exporters.formats.godot.write_tileset import EVERYONE, WALKERS
from exporters.objects import names_of
from generator.geometry import Point
from generator.kinds import DOOR_KINDS
from generator.level import Door
from tests import godot_server

from . import crypt_level
from .conftest import FOLDER, SCRIPTS, Case, Project

pytestmark = pytest.mark.xdist_group("godot")

LAYERS = ("Ground", "Walls", "Doors", "Decor", "Overlay")
STARTS_SHUT = {kind.name for kind in DOOR_KINDS if kind.starts_shut}
OPPOSITE = {"north": "south", "east": "west", "south": "north", "west": "east"}
TYPES = {bool: "bool", int: "int", float: "float", str: "String"}


def types(values: Any) -> dict[str, str]:
    return {key: TYPES[type(value)] for key, value in values.items()}


def test_the_root_tells_what_the_level_is(case: Case) -> None:
    meta, level = case.dump["meta"], case.level
    assert case.dump["name"] == case.name.replace(".", "_")
    assert case.dump["groups"] == ["undercroft_level"]
    if case.way.target != "3.6":
        assert case.dump["texture_filter"] == 1  # nearest: pixels stay crisp
    assert case.dump["y_sort"] is True
    assert meta["seed"] == str(level.seed)
    assert meta["fingerprint"] == level.fingerprint
    assert meta["style"] == level.style
    assert meta["facts"] == dict(level.facts)
    assert types(meta["facts"]) == types(level.facts)
    assert meta["size"] == [level.width, level.height]
    assert meta["tile_size"] == case.theme.tile_size
    assert json.loads(meta["spec"]) == json.loads(json.dumps(level.spec.saved()))
    assert case.dump["types"]["size"] == ("Vector2" if case.way.target == "3.6" else "Vector2i")
    assert case.dump["types"]["seed"] == "String"


def test_the_children_are_what_is_promised(case: Case) -> None:
    areas = ["Rooms", *(["Hallways"] if case.level.hallways else [])]
    if not case.way.split:
        navigation = ["Navigation", "NavigationFly"]
        assert without_further_maps(case.dump["children"]) == [*LAYERS, *areas, "Markers", *navigation]
        return
    assert case.dump["children"] == [*areas, "Markers"]
    for children in case.dump["part_children"]:
        own = [name for name in children if not name.startswith("Outline")]
        assert without_further_maps(own)[:7] == [*LAYERS, "Markers", "Navigation"]
        assert without_further_maps(own)[7:] in ([], ["NavigationFly"])


def without_further_maps(names: list[str]) -> list[str]:
    """In Godot 3 tiles that stop others than most of their layer have a TileMap of their own."""
    return [name for name in names if not re.fullmatch("(Ground|Walls|Decor)(Low|Middle|High)", name)]


def test_every_layer_holds_the_cells_of_the_dressed_level(case: Case) -> None:
    layers = dress(case.level, case.theme)
    for name, layer in zip(LAYERS, layers, strict=True):
        ys, xs = np.nonzero(layer != EMPTY)
        expected = [
            [x, y, *case.theme.at(int(layer[y, x]))] for y, x in zip(ys.tolist(), xs.tolist(), strict=True)
        ]
        assert case.dump["layers"][name]["cells"] == expected, name
        assert case.dump["layers"][name]["tile_set"] == f"res://{case.way.folder}/{case.theme.name}.tres"
        assert case.dump["layers"][name]["shared"] is True


def test_layers_do_only_what_they_are_for(case: Case) -> None:
    layers = case.dump["layers"]

    def which(what: str) -> set[str]:
        return {name for name in LAYERS if layers[name][what]}

    # doors have bodies; a TileMap cannot be told, and only the tiles that it has are looked at
    solid = {"Ground", "Walls", "Decor"}
    assert which("collision") == solid if case.way.target == "4.3" else which("collision") <= solid
    assert which("occlusion") == {"Walls"}  # or lights would stop at things
    assert which("navigation") == set()  # it would overlap the region's
    assert which("y_sort") == {"Decor"}
    assert case.dump.get("sorted", True) is True


def test_bodies_stand_between_decor_and_overlay(case: Case) -> None:
    order = [case.dump["layers"][name]["z_index"] for name in LAYERS]
    assert order == sorted(set(order))
    assert case.dump["layers"]["Decor"]["z_index"] == 0


def test_rooms(case: Case) -> None:
    for room, found in zip(case.level.rooms, case.dump["rooms"], strict=True):
        meta = found["meta"]
        assert found["name"] == names_of(case.level).rooms[room.id]
        zone = {f"zone_{room.zone}"} if room.zone else set()
        assert {"room", f"room_{room.kind}"} | zone == set(found["groups"])
        assert meta == {
            "id": room.id,
            "kind": room.kind,
            "shape": room.shape,
            "distance": -1 if room.distance is None else room.distance,
            "depth": room.depth,
            "difficulty": room.difficulty,
            "layout": room.layout,
            **({"zone": room.zone} if room.zone else {}),
            "cells": [list(cell) for cell in room.cells],
            "bounds": list(room.bounds),
        }
        assert found["types"]["bounds"] == ("Rect2" if case.way.target == "3.6" else "Rect2i")
        assert found["types"]["id"] == "int"
        assert (found["layer"], found["mask"], found["monitorable"]) == (0, WALKERS, False)


def test_rooms_cover_their_outlines_without_the_holes(case: Case) -> None:
    tile = case.theme.tile_size
    for room, found in zip(case.level.rooms, case.dump["rooms"], strict=True):
        outer, *holes = ([[x * tile, y * tile] for x, y in ring] for ring in room.outline)
        if holes:
            covered = sum(map(area, found["outlines"]))
            assert covered == area(outer) - sum(map(area, holes))
        else:
            assert found["outlines"] == [outer]


def test_doors(case: Case) -> None:
    tile = case.theme.tile_size
    cells = {(x, y): [column, row] for x, y, column, row in case.dump["layers"]["Doors"]["cells"]}
    names = names_of(case.level)
    for (door, side, tiles, leads_to), found in zip(*by_part(case), strict=True):
        meta = found["meta"]
        assert (found["name"], meta["id"], meta["kind"]) == (names.doors[door.id], door.id, door.kind)
        assert meta["side"] == side
        assert meta["rooms"] == [room for room in door.rooms if room is not None]
        assert meta.get("leads_to") == leads_to
        left, top = map(int, found["at"])
        assert sorted([x + left, y + top] for x, y in meta["cells"]) == sorted(map(list, tiles))
        assert {"door", f"door_{door.kind}"} == set(found["groups"])
        assert found["layer"] == EVERYONE
        assert found["disabled"] is (door.kind not in STARTS_SHUT)
        assert found["way"] is (door.kind in STARTS_SHUT)
        assert meta["starts_shut"] is (door.kind in STARTS_SHUT)
        assert meta["secret"] is (door.kind in ("secret", "red"))
        xs, ys = zip(*tiles, strict=True)
        width, height = (max(xs) - min(xs) + 1) * tile, (max(ys) - min(ys) + 1) * tile
        assert found["size"] == [width, height]
        assert found["position"] == [min(xs) * tile + width / 2, min(ys) * tile + height / 2]
        drawn = "shut_tiles" if door.kind in STARTS_SHUT else "open_tiles"
        assert [cells[x + left, y + top] for x, y in meta["cells"]] == meta[drawn]
        assert meta["open_tiles"] != meta["shut_tiles"]


def by_part(case: Case) -> tuple[list[tuple[Door, str, tuple[Point, ...], int | None]], list[dict[str, Any]]]:
    """Each door's side, tiles and where it leads, as a scene has it; and what Godot found in its place.

    Of a split level each room has what lies in its wall, and tells which room is behind it.
    """
    parts: list[tuple[str, Door, str, tuple[Point, ...], int | None]] = []
    rooms = names_of(case.level).rooms
    for door in case.level.doors:
        first, second = door.rooms
        half = len(door.tiles) // 2
        if not case.way.split:
            parts.append(("", door, door.side, door.tiles, None))
        elif second is None:
            parts.append((rooms[first], door, door.side, door.tiles, None))
        else:
            parts.append((rooms[first], door, door.side, door.tiles[:half], second))
            parts.append((rooms[second], door, OPPOSITE[door.side], door.tiles[half:], first))
    found = {
        (each["part"] if case.way.split else "", each["meta"]["id"]): each for each in case.dump["doors"]
    }
    assert len(found) == len(case.dump["doors"]) == len(parts)
    return [part[1:] for part in parts], [found[part[0], part[1].id] for part in parts]


def test_hallways(case: Case) -> None:
    doors, tile = case.level.doors, case.theme.tile_size
    for hallway, found in zip(case.level.hallways, case.dump["hallways"], strict=True):
        assert found["name"] == names_of(case.level).hallways[hallway.id]
        assert found["groups"] == ["hallway"]
        assert found["meta"] == {
            "id": hallway.id,
            "doors": list(hallway.doors),
            "rooms": [doors[door].rooms[0] for door in hallway.doors],
            "cells": [list(tile) for tile in hallway.tiles],
        }
        assert (found["layer"], found["mask"], found["monitorable"]) == (0, WALKERS, False)
        assert sum(map(area, found["outlines"])) == len(hallway.tiles) * tile * tile


def test_doors_know_their_hallway(case: Case) -> None:
    """One that joins two rooms has none."""
    hallways = {door: hallway.id for hallway in case.level.hallways for door in hallway.doors}
    for (door, *_), found in zip(*by_part(case), strict=True):
        assert found["meta"].get("hallway") == hallways.get(door.id)
        assert (len(found["meta"]["rooms"]) == 1) is ("hallway" in found["meta"])


def test_markers(case: Case) -> None:
    tile, names = case.theme.tile_size, names_of(case.level)
    for marker, found in zip(case.level.markers, case.dump["markers"], strict=True):
        assert found["position"] == [(marker.x + 0.5) * tile, (marker.y + 0.5) * tile]
        assert {"marker", f"marker_{marker.kind}"} == set(found["groups"])
        own = {"kind": marker.kind, "id": marker.id, "room": marker.room, "hallway": marker.hallway}
        expected: dict[str, Any] = {key: value for key, value in own.items() if value is not None}
        others = {
            key: value
            for key, value in marker.properties.items()
            if key in crypt_level.NO_METADATA_OF_THEIR_OWN
        }
        expected |= {key: value for key, value in marker.properties.items() if key not in others}
        expected |= {"properties": others} if others else {}
        assert found["meta"] == expected
        given = {key: value for key, value in expected.items() if key != "properties"}
        assert found["types"] == types(given) | ({"properties": "Dictionary"} if others else {})
        assert types(found["meta"].get("properties", {})) == types(others)
        assert found["class"] == "Marker2D"
        if case.way.split:  # in the scene of the room or hallway where it stands
            in_hallway = marker.room is None and marker.hallway is not None
            where = names.hallways[marker.hallway] if in_hallway else names.rooms[marker.room]
            assert found["part"] == where
    assert [found["name"] for found in case.dump["markers"]] == list(names.markers.values())


def open_tiles(case: Case, way: str) -> npt.NDArray[np.bool_]:
    """[y, x]: what a body passes while the doors are as they are at the start."""
    tiles = case.level.passable(way).copy()
    for door in case.level.doors:
        if door.kind in STARTS_SHUT:
            for x, y in door.tiles:
                tiles[y, x] = False
    return tiles


def test_navigation_keeps_its_distance_from_all_that_stops_a_body(case: Case) -> None:
    """Against shapely's buffer with sharp corners; the second region is what flyers have besides."""
    tile, radius = case.theme.tile_size, case.dump["meta"]["agent_radius"]
    assert radius == tile * 3 // 8
    spaces = {}
    for way in ("walk", "fly"):
        free = open_tiles(case, way)
        boxes = [shapely.box(x, y, x + 1, y + 1) for y, x in np.argwhere(free).tolist()]
        whole = shapely.transform(shapely.union_all(boxes), lambda points: points * tile)
        spaces[way] = whole.buffer(-radius, join_style="mitre")
    walkers = covered(case.dump["navigation"])
    assert np.isclose(walkers.symmetric_difference(spaces["walk"]).area, 0)
    flyers = spaces["fly"].difference(spaces["walk"])
    assert np.isclose(covered(case.dump["navigation_fly"]).symmetric_difference(flyers).area, 0)


def covered(found: dict[str, Any]) -> shapely.Geometry:
    """The union of polygons, none of which overlap."""
    polygons = [shapely.Polygon([found["vertices"][i] for i in polygon]) for polygon in found["polygons"]]
    union = shapely.union_all(polygons)
    assert np.isclose(union.area, sum(polygon.area for polygon in polygons))
    return union


def test_who_may_use_which_navigation(case: Case) -> None:
    assert set(case.dump["navigation"]["layers"]) == {1 | 2}
    assert set(case.dump["navigation_fly"]["layers"]) <= {2}


def test_navigation_baked_again_is_the_same(case_4: Case) -> None:
    """Its outlines are what bodies cover, and Godot takes the radius off."""
    for name in ("navigation", "navigation_fly"):
        again = {"vertices": [], "polygons": []} | case_4.dump[name]["baked"]
        difference = covered(again).symmetric_difference(covered(case_4.dump[name]))
        assert np.isclose(difference.area, 0, atol=1), name


def test_outlines_are_the_border_of_what_bodies_cover(case: Case) -> None:
    if not case.way.split:
        walkable, tile = open_tiles(case, "walk"), case.theme.tile_size
        found = case.dump["navigation"]["outlines"]
        assert np.array_equal(enclosed(found, walkable.shape, tile), walkable)


def test_the_way_of_a_shut_door_shares_vertices_with_the_rest(case: Case) -> None:
    """Godot joins polygons that share whole edges; it joins others too, but only guesses where."""
    tile, radius = case.theme.tile_size, case.dump["meta"]["agent_radius"]
    ways = 0
    for (door, side, tiles, _), found in zip(*by_part(case), strict=True):
        if door.kind in STARTS_SHUT:
            xs, ys = zip(*tiles, strict=True)
            left, right, top, bottom = (tile * end for end in (min(xs), max(xs) + 1, min(ys), max(ys) + 1))
            # Narrower than the door, and as far into the rooms as a shut door keeps bodies off.
            across, along = (radius, -radius) if side in ("north", "south") else (-radius, radius)
            corners = [[x, y] for x in (left + across, right - across) for y in (top + along, bottom - along)]
            if case.way.split and door.rooms[1] is not None:  # what is beyond is the other half's
                corners = [
                    [x, y]
                    for x, y in corners
                    if not {"north": y < top, "south": y > bottom, "west": x < left, "east": x > right}[side]
                ]
            assert all(corner in found["way_vertices"] for corner in corners)
            assert all(corner in case.dump["navigation"]["vertices"] for corner in corners)
            ways += 1
    assert ways or case.name == "gungeon"  # where all doors are open


def enclosed(rings: list[list[list[float]]], shape: tuple[int, ...], tile: int) -> npt.NDArray[np.bool_]:
    """[y, x]: the tiles inside of an odd number of rings."""
    inside = np.zeros(shape, bool)
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
            if ax == bx:
                inside[round(min(ay, by) / tile) : round(max(ay, by) / tile), round(ax / tile) :] ^= True
    return inside


def area(points: list[list[float]]) -> float:
    """By the shoelace formula."""
    return abs(shoelace(points))


def shoelace(points: list[list[float]]) -> float:
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs) / 2


def test_godot_draws_the_same_pixels_as_our_picture(case_4: Case, project: Project) -> None:
    """In every way: that of the rooms apart is the same as that of the level in one piece."""
    drawn = np.asarray(Image.open(project.shot(case_4.scene)).convert("RGBA"))
    ours = np.asarray(Image.open(project.folder / FOLDER / f"{case_4.name}.png").convert("RGBA"))
    assert drawn.shape == ours.shape
    visible = ours[..., 3] > 0
    assert visible.any()
    assert np.array_equal(drawn[..., 3] > 0, visible)
    assert np.array_equal(drawn[visible], ours[visible])


def test_a_first_start_of_the_editor_says_nothing(tmp_path: Path, project: Project) -> None:
    """No import cache, no global classes, the scene as the main scene: no error, no warning."""
    fresh = Project(tmp_path, f'\n[application]\n\nrun/main_scene="res://{FOLDER}/isaac-7_edit.tscn"\n')
    (tmp_path / FOLDER).mkdir()
    for name in ("isaac-7_edit.tscn", "isaac-7.tscn", "undercroft.tres", "undercroft.png"):
        (tmp_path / FOLDER / name).write_bytes((project.folder / FOLDER / name).read_bytes())
    fresh.run("--headless", "--editor", "--quit")
    fresh.run("--headless", "--quit-after", "3")


def test_the_probes_are_typed(tmp_path: Path) -> None:
    """Godot's own warning of declarations without a type, as an error."""
    strict = Project(tmp_path, "\n[debug]\n\ngdscript/warnings/untyped_declaration=2\n")
    scripts = sorted([*SCRIPTS.glob("*.gd"), *godot_server.SCRIPTS.glob("*.gd")])
    for script in scripts:
        (tmp_path / script.name).write_bytes(script.read_bytes())
    loads = "".join(f'\tload("res://{script.name}")\n' for script in scripts)
    (tmp_path / "all.gd").write_text(f"extends SceneTree\nfunc _initialize() -> void:\n{loads}\tquit()\n")
    strict.run("--headless", "-s", "all.gd")


def test_the_level_by_hand_has_what_the_generated_ones_lack() -> None:
    made = crypt_level.level()
    assert made.hallways and any(len(room.outline) > 1 for room in made.rooms)
    assert set(map(type, crypt_level.PROPERTIES.values())) == set(TYPES)
