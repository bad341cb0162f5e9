"""Doors that are not what they should be."""

from __future__ import annotations

from dataclasses import replace

from generator import Door, Level
from generator.geometry import Point

from .base import (
    GRID,
    SIDES,
    Breakage,
    bare_floor,
    doors_of,
    first,
    found,
    found_by,
    inwards,
    last,
    name_at,
    own_half,
    rooms_of,
    with_decor,
    with_door,
    with_room,
    with_spec,
    with_terrain,
)


def long_side_against_a_room(level: Level) -> Level:
    """A room becomes a narrow one, and its doors above and below are gone."""
    room = first(
        room
        for room in rooms_of(level, "normal")
        if room.shape == "1x1" and any(door.side == "south" for door in doors_of(level, room))
    )
    gone = {door.id for door in doors_of(level, room) if door.side == "south"}
    doors = [door for door in level.doors if door.id not in gone]
    doors = [replace(door, id=number) for number, door in enumerate(doors)]
    return with_room(replace(level, doors=tuple(doors)), room.id, shape="IH")


def door_side_reversed(level: Level) -> Level:
    door = level.doors[0]
    return with_door(level, 0, side=SIDES[door.side].opposite.label)


def door_side_across(level: Level) -> Level:
    """North or south for east or west, or the other way round."""
    side = "east" if SIDES[level.doors[1].side].is_vertical_way else "south"
    return with_door(level, 1, side=side)


def door_kind_wrong(level: Level) -> Level:
    door = last(door for door in level.doors if door.kind == "open")
    return with_door(level, door.id, kind="challenge")


def boss_door_open(level: Level) -> Level:
    return with_door(level, first(door for door in level.doors if door.kind == "boss").id, kind="open")


def secret_door_open(level: Level) -> Level:
    return with_door(level, first(door for door in level.doors if door.kind == "secret").id, kind="open")


def stray_door_tile(level: Level) -> Level:
    """A tile of a room's wall is door, and belongs to none."""
    door = level.doors[0]
    (x, y), across = door.tiles[0], (1, 0) if SIDES[door.side].is_vertical_way else (0, 1)
    return with_terrain(level, {(x - across[0], y - across[1]): "door"})


def stray_door_in_a_room(level: Level) -> Level:
    return with_terrain(level, {first(bare_floor(level, level.rooms[0])): "door"})


def without_doors(level: Level, *doors: Door) -> Level:
    """Without some doors, whose tiles are wall then; ids count from 0 again."""
    kept = [door for door in level.doors if door not in doors]
    walled = with_terrain(level, {tile: "wall" for door in doors for tile in door.tiles})
    return replace(walled, doors=tuple(replace(door, id=number) for number, door in enumerate(kept)))


def door_missing(level: Level) -> Level:
    return without_doors(level, level.doors[-1])


def secret_door_missing(level: Level) -> Level:
    return without_doors(level, last(door for door in level.doors if door.kind == "secret"))


def door_not_listed(level: Level) -> Level:
    """Its tiles are there, the door is not."""
    doors = [replace(door, id=number) for number, door in enumerate(level.doors[:-1])]
    return replace(level, doors=tuple(doors))


def door_twice(level: Level) -> Level:
    return replace(level, doors=(*level.doors, replace(level.doors[0], id=len(level.doors))))


def door_tiles_reversed(level: Level) -> Level:
    door = first(door for door in level.doors if len(own_half(door)) > 1)
    half = len(own_half(door))
    tiles = (*door.tiles[:half][::-1], *door.tiles[half:][::-1])
    return with_door(level, door.id, tiles=tiles)


def door_halves_swapped(level: Level) -> Level:
    door, half = level.doors[0], len(own_half(level.doors[0]))
    return with_door(level, 0, tiles=(*door.tiles[half:], *door.tiles[:half]))


def door_halves_apart_sideways(level: Level) -> Level:
    return _halves_apart(level, is_vertical=True)


def door_halves_apart_upwards(level: Level) -> Level:
    return _halves_apart(level, is_vertical=False)


def _halves_apart(level: Level, *, is_vertical: bool) -> Level:
    """The second half of a door lies a tile further on in its own room's wall."""
    door = first(door for door in level.doors if SIDES[door.side].is_vertical_way == is_vertical)
    half = len(own_half(door))
    tiles = (*door.tiles[:half], *_moved(door, door.tiles[half:], 1))
    return with_door(with_terrain(level, dict.fromkeys(tiles, "door")), door.id, tiles=tiles)


def _moved(door: Door, tiles: tuple[Point, ...], by: int) -> tuple[Point, ...]:
    dx, dy = (by, 0) if SIDES[door.side].is_vertical_way else (0, by)
    return tuple((x + dx, y + dy) for x, y in tiles)


def door_with_a_gap(level: Level) -> Level:
    """The last tile of each half lies a tile further on; the terrain is as the door says."""
    door = first(door for door in level.doors if len(own_half(door)) > 1)
    half = len(own_half(door))
    parts = [door.tiles[:half], door.tiles[half:]]
    tiles = tuple(tile for part in parts for tile in (*part[:-1], *_moved(door, part[-1:], 1)))
    walled = with_terrain(level, dict.fromkeys(door.tiles, "wall"))
    return with_door(with_terrain(walled, dict.fromkeys(tiles, "door")), door.id, tiles=tiles)


def door_moved(level: Level) -> Level:
    """A door one tile further along its walls, terrain and all."""
    door = level.doors[0]
    tiles = _moved(door, door.tiles, 1)
    walled = with_terrain(level, dict.fromkeys(door.tiles, "wall"))
    return with_door(with_terrain(walled, dict.fromkeys(tiles, "door")), 0, tiles=tiles)


def door_too_wide(level: Level) -> Level:
    door, half = level.doors[0], len(own_half(level.doors[0]))
    parts = [part for part in (door.tiles[:half], door.tiles[half:]) if part]
    tiles = tuple(tile for part in parts for tile in (*part, *_moved(door, part[-1:], 1)))
    return with_door(with_terrain(level, dict.fromkeys(tiles, "door")), 0, tiles=tiles)


def door_too_narrow(level: Level) -> Level:
    door = first(door for door in level.doors if len(own_half(door)) > 1)
    half = len(own_half(door))
    tiles = (*door.tiles[: half - 1], *door.tiles[half:-1])
    gone = dict.fromkeys(set(door.tiles) - set(tiles), "wall")
    return with_door(with_terrain(level, gone), door.id, tiles=tiles)


def door_of_another_width_in_the_spec(level: Level) -> Level:
    key = "door_width" if level.grid else "hallway_width"
    return with_spec(level, **{key: 5 if getattr(level.spec, key) < 5 else 3})


def door_without_tiles(level: Level) -> Level:
    return with_door(level, 0, tiles=())


def door_tile_outside_of_the_level(level: Level) -> Level:
    return with_door(level, 0, tiles=((-1, 5), *level.doors[0].tiles[1:]))


def door_of_wall(level: Level) -> Level:
    return with_terrain(level, dict.fromkeys(level.doors[0].tiles, "wall"))


def door_elsewhere(level: Level) -> Level:
    return with_door(level, 0, tiles=level.doors[1].tiles)


def door_of_another_room(level: Level) -> Level:
    door = level.doors[0]
    other = last(room.id for room in level.rooms if room.id not in door.rooms)
    return with_door(level, 0, rooms=(other, door.rooms[1]))


def door_to_an_unknown_room(level: Level) -> Level:
    return with_door(level, 0, rooms=(len(level.rooms), level.doors[0].rooms[1]))


def door_to_nowhere(level: Level) -> Level:
    return with_door(level, 0, rooms=(level.doors[0].rooms[0], None))


def door_of_a_heap_between_two_rooms(level: Level) -> Level:
    return with_door(level, 0, rooms=(level.doors[0].rooms[0], level.doors[1].rooms[0]))


def door_ids_doubled(level: Level) -> Level:
    return with_door(level, 1, id=0)


def pit_before_a_door(level: Level) -> Level:
    door, side = level.doors[0], inwards(level.doors[0])
    return with_terrain(level, {(x + side.dx, y + side.dy): "pit" for x, y in own_half(door)})


def wall_before_a_door(level: Level) -> Level:
    door, side = level.doors[0], inwards(level.doors[0])
    return with_terrain(level, {(x + side.dx, y + side.dy): "wall" for x, y in own_half(door)})


def rock_in_a_door(level: Level) -> Level:
    return with_decor(level, dict.fromkeys(level.doors[0].tiles, "rock"))


def rocks_before_the_boss(level: Level) -> Level:
    """The tiles before all doors of a boss room are covered, so that nobody gets to what it holds."""
    room = first(rooms_of(level, "boss"))
    rocks = {}
    for door in doors_of(level, room):
        side = inwards(door) if door.rooms[0] == room.id else inwards(door).opposite
        tiles = own_half(door) if door.rooms[0] == room.id else door.tiles[len(own_half(door)) :]
        rocks |= {(x + side.dx, y + side.dy): "rock" for x, y in tiles}
    assert all(name_at(level, tile) != "wall" for tile in rocks)
    return with_decor(level, rocks)


BREAKAGES: tuple[Breakage, ...] = (
    found_by(door_side_reversed, grid="rooms-joined-by-doors", gungeon="doors-lead-out"),
    *found("doors-lead-out", door_side_across),
    *(
        found_by(make, grid="doors-tell-of-rooms", gungeon="doors-of-hallways")
        for make in (door_kind_wrong, boss_door_open)
    ),
    *found("doors-tell-of-rooms", secret_door_open, styles=GRID),
    *found("door-tiles-once", stray_door_tile, stray_door_in_a_room, door_twice, door_elsewhere),
    *found("door-tiles-once", door_not_listed, styles=GRID),
    *found("doors-where-slots-meet", door_missing, secret_door_missing, styles=GRID),
    *found("rooms-that-touch-share-a-door", long_side_against_a_room, styles=GRID),
    found_by(door_of_another_room, grid="doors-where-slots-meet", gungeon="doors-lead-out"),
    *found("doors-in-line", door_tiles_reversed, door_without_tiles),
    *found("doors-in-line", door_with_a_gap, styles=("isaac", "gungeon")),
    *found("doors-two-sided", door_halves_swapped, styles=GRID),
    *found("doors-two-sided", door_halves_apart_sideways, door_halves_apart_upwards, styles=GRID),
    *(
        found_by(make, grid="doors-in-the-middle", gungeon="doors-of-hallways")
        for make in (door_too_wide, door_too_narrow, door_of_another_width_in_the_spec)
    ),
    found_by(door_moved, grid="doors-in-the-middle", gungeon="doors-lead-out"),
    *found("doors-two-sided", door_of_wall),
    *found(
        "numbers-stand-for-something",
        door_tile_outside_of_the_level,
        door_to_an_unknown_room,
        door_ids_doubled,
    ),
    *found("rooms-joined-by-doors", door_to_nowhere, styles=GRID),
    *found("doors-of-hallways", door_of_a_heap_between_two_rooms, styles=("gungeon",)),
    *found("doors-lead-out", pit_before_a_door, wall_before_a_door),
    *found("things-on-ground", rock_in_a_door),
    *found("reached-on-foot", rocks_before_the_boss),
)
