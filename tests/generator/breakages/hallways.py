"""Hallways that are not what they should be."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from generator import Hallway, Level
from generator.geometry import Point

from .base import (
    GRID,
    Breakage,
    Unfit,
    ends_of,
    first,
    found,
    name_at,
    tiles_of,
    with_door,
    with_hallway,
    with_terrain,
)

STYLES = ("gungeon",)


def longest(level: Level) -> Hallway:
    return max(level.hallways, key=lambda hallway: len(hallway.tiles))


def hallway_shifted(level: Level) -> Level:
    return with_hallway(level, 0, tiles=tuple((x + 1, y + 1) for x, y in level.hallways[0].tiles))


def hallway_of_another_ones_tiles(level: Level) -> Level:
    return with_hallway(level, 0, tiles=level.hallways[1].tiles)


def hallway_parted(level: Level) -> Level:
    """Across the middle of its longest straight part it is wall."""
    way = longest(level)
    (axis, at), count = Counter((axis, tile[axis]) for tile in way.tiles for axis in (0, 1)).most_common(1)[0]
    run = sorted(tile[1 - axis] for tile in way.tiles if tile[axis] == at)
    cut = run[count // 2]
    gone = [tile for tile in way.tiles if tile[1 - axis] == cut]
    walled = with_terrain(level, dict.fromkeys(gone, "wall"))
    return with_hallway(walled, way.id, tiles=tuple(tile for tile in way.tiles if tile not in gone))


def _beside(level: Level, way: Hallway) -> Point:
    """A wall beside a hallway, between two more of its walls that are not a room's."""
    tiles = {tile for hallway in level.hallways for tile in hallway.tiles}
    rooms = {
        (x, y)
        for room in level.rooms
        for x in range(room.bounds.x - 1, room.bounds.right + 1)
        for y in range(room.bounds.y - 1, room.bounds.bottom + 1)
    }
    return first(
        (x - 1, y)
        for x, y in way.tiles
        if all(tile not in rooms | tiles for tile in ((x - 1, y - 1), (x - 1, y), (x - 1, y + 1)))
        and {(x, y - 1), (x, y + 1)} <= tiles
    )


def hallway_with_a_dead_tile(level: Level) -> Level:
    """A wall beside it is of its terrain, and belongs to no hallway."""
    return with_terrain(level, {_beside(level, longest(level)): "hallway"})


def hallway_narrower(level: Level) -> Level:
    """A tile at its side is wall."""
    if level.spec.to_dict()["hallway_width"] == 1:
        raise Unfit
    way = longest(level)
    x, y = _beside(level, way)
    kept = tuple(tile for tile in way.tiles if tile != (x + 1, y))
    return with_hallway(with_terrain(level, {(x + 1, y): "wall"}), way.id, tiles=kept)


def hallway_tile_of_floor(level: Level) -> Level:
    way = longest(level)
    return with_terrain(level, {way.tiles[len(way.tiles) // 2]: "floor"})


def hallway_tile_not_listed(level: Level) -> Level:
    way = longest(level)
    return with_hallway(level, way.id, tiles=way.tiles[:-1])


def hallway_tile_twice(level: Level) -> Level:
    way = level.hallways[0]
    return with_hallway(level, 0, tiles=(*way.tiles, way.tiles[-1]))


def hallway_without_tiles(level: Level) -> Level:
    return with_hallway(level, 0, tiles=())


def hallway_into_a_room(level: Level) -> Level:
    way = level.hallways[0]
    room = level.rooms[ends_of(level, way)[0]]
    tile = first(tiles_of(level, "floor", room=room))
    return with_hallway(with_terrain(level, {tile: "hallway"}), 0, tiles=(*way.tiles, tile))


def hallways_that_touch(level: Level) -> Level:
    """The walls between two hallways are the floor of one."""
    one, other = level.hallways[0], level.hallways[1]
    gap = [(x, y) for x, y in other.tiles if (x, y) not in one.tiles][:1]
    return with_hallway(level, 0, tiles=(*one.tiles, *gap))


def hallway_from_a_room_to_itself(level: Level) -> Level:
    way = level.hallways[0]
    return with_door(level, way.doors[1], rooms=(level.doors[way.doors[0]].rooms[0], None))


def hallway_of_two_classes(level: Level) -> Level:
    return with_door(level, level.hallways[0].doors[1], joins="wide")


def hallway_of_other_doors(level: Level) -> Level:
    return with_hallway(level, 0, doors=level.hallways[1].doors)


def hallway_of_a_door_that_is_not_there(level: Level) -> Level:
    return with_hallway(level, 0, doors=(0, len(level.doors)))


def hallway_ids_doubled(level: Level) -> Level:
    return with_hallway(level, 1, id=0)


def hallway_missing(level: Level) -> Level:
    """The last one, of a loop, with its doors; nothing tells of it but the facts."""
    way = level.hallways[-1]
    doors = [door for door in level.doors if door.id not in way.doors]
    gone = {tile: "wall" for number in way.doors for tile in level.doors[number].tiles}
    gone |= dict.fromkeys(way.tiles, "wall")
    kept = tuple(marker for marker in level.markers if marker.hallway != way.id)
    return replace(
        with_terrain(level, gone),
        hallways=level.hallways[:-1],
        doors=tuple(replace(door, id=number) for number, door in enumerate(doors)),
        markers=kept,
    )


def hallways_in_another_order(level: Level) -> Level:
    """One of a loop stands where one of the tree should."""
    if len(level.hallways) < len(level.rooms):
        raise AssertionError("this level has no loop")
    ways = [level.hallways[-1], *level.hallways[1:-1], level.hallways[0]]
    return replace(level, hallways=tuple(replace(way, id=number) for number, way in enumerate(ways)))


def hallway_without_a_wall(level: Level) -> Level:
    x, y = _beside(level, longest(level))
    return with_terrain(level, {(x, y): "void"})


def hallway_without_a_corner(level: Level) -> Level:
    """A wall that touches it by a corner alone is void."""
    tiles = {tile for hallway in level.hallways for tile in hallway.tiles}
    corners = [
        (x - 1, y - 1)
        for x, y in sorted(tiles)
        if tiles.isdisjoint([(x - 1, y), (x, y - 1), (x - 2, y - 1), (x - 1, y - 2)])
        and name_at(level, (x - 1, y - 1)) == "wall"
        and not any(room.bounds.contains(x - 1, y - 1) for room in level.rooms)
    ]
    return with_terrain(level, {first(corners): "void"})


def hallway_on_a_grid(level: Level) -> Level:
    return replace(level, hallways=(Hallway(0, (0, 1), level.doors[0].tiles),))


BREAKAGES: tuple[Breakage, ...] = (
    *found("hallways-join-one-class", hallway_of_two_classes, styles=STYLES),
    *found("hallways-apart", hallway_shifted, hallway_of_another_ones_tiles, styles=STYLES),
    *found("hallways-apart", hallway_tile_of_floor, hallway_into_a_room, styles=STYLES),
    *found("hallways-apart", hallways_that_touch, styles=STYLES),
    *found(
        "hallways-join-doors",
        hallway_parted,
        hallway_without_tiles,
        hallway_from_a_room_to_itself,
        hallway_of_other_doors,
        styles=STYLES,
    ),
    *found(
        "hallway-tiles-once",
        hallway_with_a_dead_tile,
        hallway_tile_not_listed,
        hallway_tile_twice,
        styles=STYLES,
    ),
    *found(
        "hallways-as-wide-as-spec-says",
        hallway_narrower,
        styles=STYLES,
    ),
    *found(
        "numbers-stand-for-something",
        hallway_of_a_door_that_is_not_there,
        hallway_ids_doubled,
        styles=STYLES,
    ),
    *found("loops-as-facts-say", hallway_missing, styles=STYLES),
    *found("depths-follow-the-tree", hallways_in_another_order, styles=STYLES),
    *found("closed-walls", hallway_without_a_wall, styles=STYLES),
    *found("walls-round-rooms", hallway_without_a_corner, styles=STYLES),
    *found("rooms-joined-by-doors", hallway_on_a_grid, styles=GRID),
)
