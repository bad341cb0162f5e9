"""Terrain and things that are not what they should be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from generator import Level
from generator.geometry import Point
from generator.kinds import DECOR_IDS

from .base import (
    Breakage,
    bare_floor,
    first,
    found,
    found_by,
    last,
    markers_of,
    name_at,
    rooms_of,
    tiles_of,
    with_decor,
    with_terrain,
)


def _corner_of(level: Level, room: int) -> Point:
    """The first tile of a room's wall, row by row."""
    return first(tiles_of(level, "wall", room=level.rooms[room]))


def _wall_beside_floor(level: Level) -> Point:
    """A tile of a room's north wall above floor, with walls on both sides."""
    return first(
        (x, y)
        for room in level.rooms
        for x, y in tiles_of(level, "wall", room=room)
        if name_at(level, (x, y + 1)) == "floor"
        and not level.covered[y + 1, x]
        and name_at(level, (x - 1, y)) == name_at(level, (x + 1, y)) == "wall"
    )


def terrain_in_the_margin(level: Level) -> Level:
    return with_terrain(level, {(0, 0): "wall"})


def terrain_without_a_kind(level: Level) -> Level:
    terrain = level.terrain.copy()
    terrain[5, 5] = len(level.terrain_kinds)
    return replace(level, terrain=terrain)


def decor_without_a_kind(level: Level) -> Level:
    decor = level.decor.copy()
    decor[5, 5] = len(level.decor_kinds)
    return replace(level, decor=decor)


def decor_of_another_size(level: Level) -> Level:
    return replace(level, decor=np.zeros((level.height, level.width - 1), np.uint8))


def floor_outside_of_all_rooms(level: Level) -> Level:
    """A tile of floor amid walls, where there was nothing."""
    x, y = first(
        (x, y)
        for y in range(3, level.height - 3)
        for x in range(3, level.width - 3)
        if not level.terrain[y - 1 : y + 2, x - 1 : x + 2].any()
    )
    walls = {(x + dx, y + dy): "wall" for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return with_terrain(level, {**walls, (x, y): "floor"})


def wall_outside_of_all_rooms(level: Level) -> Level:
    return with_terrain(
        level,
        {
            first(
                (x, y)
                for y in range(3, level.height - 3)
                for x in range(3, level.width - 3)
                if not level.terrain[y - 2 : y + 3, x - 2 : x + 3].any()
            ): "wall"
        },
    )


def wall_of_floor(level: Level) -> Level:
    return with_terrain(level, {_wall_beside_floor(level): "floor"})


def wall_of_pit(level: Level) -> Level:
    return with_terrain(level, {_corner_of(level, 2): "pit"})


def wall_gone(level: Level) -> Level:
    return with_terrain(level, {_wall_beside_floor(level): "void"})


def wall_gone_in_a_corner(level: Level) -> Level:
    return with_terrain(level, {_corner_of(level, 1): "void"})


def floor_gone(level: Level) -> Level:
    return with_terrain(level, {first(bare_floor(level, level.rooms[0])): "void"})


def floor_gone_amid_walls(level: Level) -> Level:
    """Nothing opens onto it."""
    x, y = first(
        (x, y)
        for x, y in bare_floor(level, level.rooms[0])
        if (level.terrain[y - 1 : y + 2, x - 1 : x + 2] == 1).all()
        and not level.decor[y - 1 : y + 2, x - 1 : x + 2].any()
    )
    walls = {(x + dx, y + dy): "wall" for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return with_terrain(level, {**walls, (x, y): "void"})


def hallway_terrain_in_a_room(level: Level) -> Level:
    return with_terrain(level, {first(bare_floor(level, level.rooms[0])): "hallway"})


def pits_round_a_marker(level: Level) -> Level:
    """Nobody gets on foot to what the boss leaves."""
    marker = first(markers_of(level, "exit"))
    pits = {
        (marker.x + dx, marker.y + dy): "pit"
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx or dy) and level.passable("walk")[marker.y + dy, marker.x + dx]
    }
    return with_terrain(level, pits)


def bridge_over_nothing(level: Level) -> Level:
    """In the middle of a floor without water: of the start, or of a room by procedure."""
    room = first(
        room
        for room in (level.rooms[:1] if level.grid else level.rooms)
        if (level.grid or room.layout == "lazy-flood") and not tiles_of(level, "pit", "bridge", room=room)
    )
    return with_terrain(level, {first(bare_floor(level, room)): "bridge"})


def bridges_fallen(level: Level) -> Level:
    """All bridges of a boss room are pits."""
    room = first(room for room in rooms_of(level, "boss") if tiles_of(level, "bridge", room=room))
    return with_terrain(level, dict.fromkeys(tiles_of(level, "bridge", room=room), "pit"))


def rock_on_void(level: Level) -> Level:
    return with_decor(level, {(1, 1): "rock"})


def grass_on_void(level: Level) -> Level:
    return with_decor(level, {(1, 1): "grass"})


def rock_on_wall(level: Level) -> Level:
    return with_decor(level, {_corner_of(level, 1): "rock"})


def bones_in_a_door(level: Level) -> Level:
    return with_decor(level, {level.doors[0].tiles[0]: "bones"})


def barrel_on_a_pit(level: Level) -> Level:
    tile = first(bare_floor(level, level.rooms[0]))
    return with_decor(with_terrain(level, {tile: "pit"}), {tile: "barrel"})


def banner_on_floor(level: Level) -> Level:
    return with_decor(level, {first(bare_floor(level, level.rooms[0])): "banner"})


def torch_on_floor(level: Level) -> Level:
    """With its marker."""
    torch = first(marker for marker in markers_of(level, "torch") if marker.room == 0)
    x, y = first(bare_floor(level, level.rooms[0]))
    moved = with_decor(level, {(torch.x, torch.y): "none", (x, y): "torch"})
    markers = [replace(each, x=x, y=y) if each is torch else each for each in moved.markers]
    return replace(moved, markers=tuple(markers))


def table_half_in_the_wall(level: Level) -> Level:
    """A thing two tiles wide on the last tile before a wall."""
    x, y = first(
        (x, y)
        for room in level.rooms
        for x, y in tiles_of(level, "floor", room=room)
        if name_at(level, (x + 1, y)) == "wall" and not level.covered[y, x] and not level.covered[y, x + 1]
    )
    return with_decor(level, {(x, y): "table"})


def table_over_the_edge(level: Level) -> Level:
    return with_decor(level, {(level.width - 1, 5): "table"})


def barrel_under_a_rug(level: Level) -> Level:
    x, y = first(
        (x, y)
        for room in level.rooms
        for x, y in bare_floor(level, room)
        if (level.terrain[y : y + 2, x : x + 2] == 1).all() and not level.covered[y : y + 2, x : x + 2].any()
    )
    return with_decor(level, {(x, y): "rug", (x + 1, y + 1): "barrel"})


def decor_shifted(level: Level) -> Level:
    return replace(level, decor=np.roll(level.decor, 1, axis=1))


def decor_of_another_level(level: Level) -> Level:
    return replace(level, decor=np.ascontiguousarray(level.decor[:, ::-1]))


def chasm_before_the_boss(level: Level) -> Level:
    """The ground of the boss room is pit, but where it holds something."""
    room = last(rooms_of(level, "boss"))
    kept = {(marker.x, marker.y) for marker in level.markers}
    ground = tiles_of(level, "floor", "rubble", "bridge", room=room)
    doors = {tile for door in level.doors for tile in door.tiles}
    near = {(x + dx, y + dy) for x, y in doors for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    pits = dict.fromkeys((tile for tile in ground if tile not in kept | near), "pit")
    decor = level.decor.copy()
    for x, y in pits:
        if decor[y, x] not in (DECOR_IDS["fire"], DECOR_IDS["red_fire"]):
            decor[y, x] = 0
    return replace(with_terrain(level, pits), decor=decor)


BREAKAGES: tuple[Breakage, ...] = (
    *found("void-margin", terrain_in_the_margin),
    *found(
        "numbers-stand-for-something",
        terrain_without_a_kind,
        decor_without_a_kind,
        decor_of_another_size,
        table_over_the_edge,
    ),
    *found("ground-in-rooms", floor_outside_of_all_rooms, wall_outside_of_all_rooms),
    *found("walls-round-rooms", wall_of_floor, wall_of_pit, floor_gone_amid_walls),
    found_by(wall_gone_in_a_corner, grid="walls-round-rooms", gungeon="outlines-round-rooms"),
    *found("closed-walls", wall_gone, floor_gone),
    *found("hallway-tiles-once", hallway_terrain_in_a_room),
    *found("reached-on-foot", pits_round_a_marker, chasm_before_the_boss),
    found_by(bridge_over_nothing, grid="bridges-are-drawn", gungeon="bridges-lead-over-pits"),
    *found("reached-on-foot", bridges_fallen, styles=("gungeon",)),
    *found(
        "things-on-ground",
        rock_on_void,
        grass_on_void,
        rock_on_wall,
        bones_in_a_door,
        barrel_on_a_pit,
        banner_on_floor,
        torch_on_floor,
        table_half_in_the_wall,
        decor_shifted,
        decor_of_another_level,
    ),
    *found("things-apart", barrel_under_a_rug),
)
