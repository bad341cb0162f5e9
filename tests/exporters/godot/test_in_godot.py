"""What the real Godot makes of our scenes: everything is read back, walked on and looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from exporters.blob import MASKS, masks_of
from exporters.dress import EMPTY, dress
from exporters.godot.tileset import EVERYONE, FLYERS, SHOTS, WALKERS
from exporters.theme_loader import load_theme
from generator.interiors.layouts import doorsteps, reached
from generator.kinds import DECOR_IDS, DECOR_KINDS, DOOR_KINDS, TERRAIN_IDS, TERRAIN_KINDS, WALL
from generator.level import Level

from .conftest import FOLDER, Case, Project

pytestmark = pytest.mark.xdist_group("godot")

THEME = load_theme()
TILE = THEME.tile_size
STARTS_SHUT = {kind.name for kind in DOOR_KINDS if kind.starts_shut}


# --- the scene, read back ----------------------------------------------------------------------------


def test_the_root_tells_what_the_level_is(case: Case) -> None:
    meta = case.dump["meta"]
    level = case.level
    assert meta["seed"] == str(level.seed)
    assert meta["fingerprint"] == level.fingerprint
    assert meta["style"] == "isaac"
    assert meta["facts"] == dict(level.facts)
    assert meta["size"] == [level.width, level.height]
    assert case.dump["name"] == case.name
    assert case.dump["texture_filter"] == 1  # nearest: pixels stay crisp
    assert case.dump["y_sort"] is True


def test_every_layer_holds_the_cells_of_the_dressed_level(case: Case) -> None:
    layers = dress(case.level, THEME)
    for name, layer in zip(("Ground", "Walls", "Doors", "Decor", "Overlay"), layers, strict=True):
        ys, xs = np.nonzero(layer != EMPTY)
        expected = [
            [x, y, *THEME.at(int(layer[y, x]))] for y, x in zip(ys.tolist(), xs.tolist(), strict=True)
        ]
        assert case.dump["layers"][name]["cells"] == expected, name
        assert case.dump["layers"][name]["navigation"] is False
        assert case.dump["layers"][name]["tile_set"] == f"res://{FOLDER}/undercroft.tres"


def test_bodies_stand_between_decor_and_overlay(case: Case) -> None:
    layers = case.dump["layers"]
    order = [layers[name]["z_index"] for name in ("Ground", "Walls", "Doors", "Decor", "Overlay")]
    assert order == sorted(order)
    assert layers["Decor"]["z_index"] == 0 < layers["Overlay"]["z_index"]
    assert layers["Decor"]["y_sort"] is True


def test_rooms(case: Case) -> None:
    for room, found in zip(case.level.rooms, case.dump["rooms"], strict=True):
        meta = found["meta"]
        assert (meta["id"], meta["kind"], meta["shape"]) == (room.id, room.kind, room.shape)
        assert meta["distance"] == (-1 if room.distance is None else room.distance)
        assert (meta["depth"], meta["difficulty"], meta["layout"]) == (
            room.depth,
            room.difficulty,
            room.layout,
        )
        assert meta["bounds"] == list(room.bounds)
        assert meta["cells"] == [list(cell) for cell in room.cells]
        assert {"room", f"room_{room.kind}"} <= set(found["groups"])
        assert found["outline"] == [[x * TILE, y * TILE] for x, y in room.outline[0]]


def test_doors(case: Case) -> None:
    for door, found in zip(case.level.doors, case.dump["doors"], strict=True):
        meta = found["meta"]
        assert (meta["id"], meta["kind"], meta["side"]) == (door.id, door.kind, door.side)
        assert meta["rooms"] == list(door.rooms)
        assert sorted(meta["cells"]) == sorted(map(list, door.tiles))
        assert {"door", f"door_{door.kind}"} <= set(found["groups"])
        assert found["layer"] == EVERYONE
        assert found["disabled"] is (door.kind not in STARTS_SHUT)
        assert found["way"] is (door.kind == "secret")
        xs, ys = zip(*door.tiles, strict=True)
        width, height = (max(xs) - min(xs) + 1) * TILE, (max(ys) - min(ys) + 1) * TILE
        assert found["size"] == [width, height]
        assert found["position"] == [min(xs) * TILE + width / 2, min(ys) * TILE + height / 2]
        drawn = "shut_tiles" if door.kind in STARTS_SHUT else "open_tiles"
        cells = {(x, y): [column, row] for x, y, column, row in case.dump["layers"]["Doors"]["cells"]}
        assert [cells[tuple(cell)] for cell in meta["cells"]] == meta[drawn]
        assert meta["open_tiles"] != meta["shut_tiles"]


def test_markers(case: Case) -> None:
    for marker, found in zip(case.level.markers, case.dump["markers"], strict=True):
        assert found["position"] == [(marker.x + 0.5) * TILE, (marker.y + 0.5) * TILE]
        assert {"marker", f"marker_{marker.kind}"} <= set(found["groups"])
        assert found["meta"] == {
            **marker.properties,
            "kind": marker.kind,
            "id": marker.id,
            "room": marker.room,
        }
    names = [found["name"] for found in case.dump["markers"]]
    assert len(set(names)) == len(names)


# --- the TileSet -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tileset(project: Project) -> dict[str, Any]:
    return dict(project.ask("dump.gd", "isaac-7.tscn")["tileset"])


def stops(kind: Any) -> int:
    return WALKERS * (not kind.walk) | FLYERS * (not kind.fly) | SHOTS * (not kind.shoot)


def tile(tileset: dict[str, Any], index: int) -> dict[str, Any]:
    column, row = THEME.at(index)
    return dict(tileset["tiles"][f"{column},{row}"])


def test_the_tileset_declares_its_layers(tileset: dict[str, Any]) -> None:
    assert tileset["tile_size"] == [TILE, TILE]
    assert tileset["custom_data"] == ["terrain", "decor", "walk", "fly", "shoot", "hazard"]
    assert (tileset["occlusion"], tileset["navigation"]) == (1, 1)
    kinds = [*TERRAIN_KINDS[1:], *DECOR_KINDS[1:]]
    assert set(tileset["physics"]) == {stops(kind) for kind in kinds} - {0}
    assert [terrain["mode"] for terrain in tileset["terrains"]] == [0, 0, 2]
    assert tileset["terrains"][2]["names"] == list(THEME.floors)


def test_walls_stop_everyone_and_light(tileset: dict[str, Any]) -> None:
    for mask in MASKS:
        for index in THEME.walls[mask].tiles:
            found = tile(tileset, index)
            assert found["stopped"] == EVERYONE
            assert found["occluders"] == 1
            assert (found["terrain_set"], found["terrain"], found["bits"]) == (0, 0, mask)
            assert found["data"]["terrain"] == "wall"
            assert found["navigation"] == 0


def test_pits_stop_only_who_walks(tileset: dict[str, Any]) -> None:
    for mask in MASKS:
        for index in THEME.pits[mask].tiles:
            found = tile(tileset, index)
            assert found["stopped"] == WALKERS
            assert (found["terrain_set"], found["bits"]) == (1, mask)
            assert found["data"] == {
                **found["data"],
                "terrain": "pit",
                "walk": False,
                "fly": True,
                "shoot": True,
            }


def test_floors_can_be_walked_and_navigated(tileset: dict[str, Any]) -> None:
    for name, floor in THEME.floors.items():
        for index in (*floor.plain.tiles, *floor.shaded.tiles):
            found = tile(tileset, index)
            assert found["stopped"] == 0
            assert found["navigation"] == 1
            assert found["data"]["terrain"] == (name if name in TERRAIN_IDS else "floor")
            assert found["data"]["walk"] is True


def test_decor_stops_what_its_kind_stops(tileset: dict[str, Any]) -> None:
    for name, look in THEME.decor.items():
        kind = DECOR_KINDS[DECOR_IDS[name]]
        for index in look.variants.tiles:
            found = tile(tileset, index)
            assert found["stopped"] == stops(kind), name
            assert found["data"]["decor"] == name
            assert found["data"]["hazard"] is kind.hazard
            # what stands sorts by its lower edge, what lies by the upper one
            assert found["y_sort_origin"] == (-TILE // 2 if kind.walk else kind.height * TILE - TILE // 2)


def test_animations_have_their_frames(tileset: dict[str, Any]) -> None:
    assert THEME.animations
    for index, animation in THEME.animations.items():
        found = tile(tileset, index)
        assert found["frames"] == animation.frames
        assert found["frame_seconds"] == pytest.approx(animation.frame_ms / 1000)


def test_the_terrain_brush_paints_what_the_generator_draws(project: Project) -> None:
    """A wall with a nook and a pit with a bay get the tiles of their masks, a floor one of its variants."""
    shape = np.zeros((9, 12), bool)
    shape[2:7, 2:10] = True
    shape[4:7, 5] = False
    cells = np.argwhere(shape)[:, ::-1].tolist()
    floor = list(THEME.floors).index("shop")
    orders = [(0, 0), (1, 0), (2, floor)]
    painted = project.ask(
        "paint.gd", "undercroft.tres", [{"cells": cells, "terrain_set": s, "terrain": t} for s, t in orders]
    )
    masks = masks_of(shape)
    for answer, looks in zip(painted, (THEME.walls, THEME.pits), strict=False):
        assert sorted(cell for cell, _ in answer) == sorted(cells)
        for (x, y), (column, row) in answer:
            assert row * THEME.columns + column in looks[int(masks[y, x])].tiles, (x, y)
    shop = THEME.floors["shop"].plain.tiles
    assert {row * THEME.columns + column for _, (column, row) in painted[2]} <= set(shop)


# --- walking -----------------------------------------------------------------------------------------


def _steps(level: Level, way: str) -> list[tuple[int, int, int, int, bool]]:
    """[x, y, dx, dy] from every tile that `way` passes to each of its neighbours, and whether it may."""
    free = level.passable(way)
    return [
        (x, y, dx, dy, bool(free[y + dy, x + dx]))
        for y, x in np.argwhere(free).tolist()
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]


@pytest.fixture(scope="session")
def walked(case: Case, project: Project) -> dict[str, Any]:
    """Questions put to the running level and their answers."""
    level = case.level
    rays, expected = [], []
    for way, mask in (("walk", WALKERS), ("fly", FLYERS), ("shoot", SHOTS)):
        for x, y, dx, dy, free in _steps(level, way):
            rays.append([x, y, dx, dy, mask])
            expected.append(free)
    steps = [step for step in _steps(level, "walk") if not step[4]]
    start = next(marker for marker in level.markers if marker.kind == "player_start")
    questions = {
        "rays": rays,
        "steps": [step[:4] for step in steps],
        "start": [start.x, start.y],
        "targets": [_target(level, room.id) for room in level.rooms],
    }
    return {"rays": rays, "free": expected, **{f"got_{k}": v for k, v in project.ask(
        "walk.gd", f"{case.name}.tscn", questions).items()}}  # fmt: skip


def _target(level: Level, room: int) -> list[int]:
    """A tile in front of one of a room's doors."""
    bounds = level.rooms[room].bounds
    width, height = bounds.width - 2, bounds.height - 2
    inside = [(bounds.x + 1 + x, bounds.y + 1 + y) for x, y in doorsteps((width, height))]
    tiles = {tile for door in level.doors if room in door.rooms for tile in door.tiles}
    return next([x, y] for x, y in inside if {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & tiles)


def _door_tiles(level: Level, kinds: set[str] | None = None) -> set[tuple[int, int]]:
    return {tile for door in level.doors if kinds is None or door.kind in kinds for tile in door.tiles}


def _between_passable(walked: dict[str, Any], case: Case, answer: str, shut: set[tuple[int, int]]) -> None:
    """A ray is stopped exactly where the level says, and where it enters or leaves a shut door."""
    for (x, y, dx, dy, mask), free, hit in zip(walked["rays"], walked["free"], walked[answer], strict=True):
        if (x, y) in shut:
            continue  # it begins inside the door's body, of which rays take no notice
        assert hit is (not free or (x + dx, y + dy) in shut), (x, y, dx, dy, mask)


def test_what_stops_walkers_flyers_and_shots(case: Case, walked: dict[str, Any]) -> None:
    _between_passable(walked, case, "got_rays", _door_tiles(case.level, STARTS_SHUT))


def test_shut_doors_stop_everyone(case: Case, walked: dict[str, Any]) -> None:
    _between_passable(walked, case, "got_rays_shut", _door_tiles(case.level))


def test_open_doors_stop_nobody(case: Case, walked: dict[str, Any]) -> None:
    _between_passable(walked, case, "got_rays_open", set())


def test_no_body_leaves_a_room_through_a_wall(walked: dict[str, Any]) -> None:
    assert len(walked["got_stuck"]) > 500
    assert all(walked["got_stuck"])


def test_a_way_leads_to_every_room_but_the_secret_ones(case: Case, walked: dict[str, Any]) -> None:
    for room, rest in zip(case.level.rooms, walked["got_paths"], strict=True):
        assert (rest < 1) is (room.kind != "secret"), room


def test_an_opened_secret_door_joins_its_room(walked: dict[str, Any]) -> None:
    assert max(walked["got_paths_open"]) < 1


def test_navigation_covers_what_can_be_walked(case: Case) -> None:
    """The polygons' area is that of the walkable tiles, and so is the outlines'."""
    walkable = case.level.passable("walk").copy()
    for x, y in _door_tiles(case.level, {"secret"}):
        walkable[y, x] = False
    found = case.dump["navigation"]
    area = sum(_area([found["vertices"][i] for i in polygon]) for polygon in found["polygons"])
    assert area == walkable.sum() * TILE * TILE


def _area(points: list[list[float]]) -> float:
    """By the shoelace formula."""
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs)) / 2


def test_the_start_is_on_foot_with_every_doorstep(case: Case) -> None:
    """The questions above are fair: what they ask for can be walked in the level itself."""
    start = next(marker for marker in case.level.markers if marker.kind == "player_start")
    on_foot = reached((start.x, start.y), case.level.passable("walk"))
    assert all(tuple(_target(case.level, room.id)) in on_foot for room in case.level.rooms)
    assert (case.level.terrain == WALL).any()


# --- looking -----------------------------------------------------------------------------------------


def test_godot_draws_the_same_pixels_as_our_picture(case: Case, project: Project) -> None:
    shot = project.ask("shot.gd", f"{case.name}.tscn", display=True)
    drawn = np.asarray(Image.open(shot).convert("RGBA"))
    ours = np.asarray(Image.open(project.folder / FOLDER / f"{case.name}.png").convert("RGBA"))
    assert drawn.shape == ours.shape
    visible = ours[..., 3] > 0
    assert np.array_equal(drawn[..., 3] > 0, visible)
    assert np.array_equal(drawn[visible], ours[visible])


# --- the folder --------------------------------------------------------------------------------------


def test_a_first_start_of_the_editor_says_nothing(tmp_path: Path, project: Project) -> None:
    """No import cache, no global classes, the scene as the main scene: no error, no warning."""
    fresh = Project(tmp_path)
    text = f'config_version=5\n\n[application]\n\nrun/main_scene="res://{FOLDER}/isaac-7.tscn"\n'
    (tmp_path / "project.godot").write_text(text, "utf-8")
    (tmp_path / FOLDER).mkdir()
    for name in ("isaac-7.tscn", "undercroft.tres", "undercroft.png"):
        (tmp_path / FOLDER / name).write_bytes((project.folder / FOLDER / name).read_bytes())
    fresh.run("--headless", "--editor", "--quit")
    fresh.run("--headless", "--quit-after", "3")
