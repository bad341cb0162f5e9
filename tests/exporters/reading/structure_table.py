"""The table of what people do to rooms, doors, hallways, markers and lights, and where each must be in the level.

An edit is found again by its place, so all edits of a level can be made together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from exporters.reading.edited import edited
from generator.geometry import Point, Rect
from generator.level import Door, Hallway, Level, Marker, Room

from .chain_structure import close, ends, gaps, places_for_doors
from .editors import Editor, GodotEditor, LdtkEditor, TiledEditor
from .structure_edits import (
    dig,
    door_rect,
    draw_door,
    draw_room,
    drop_room,
    free_rect,
    hallway_place,
    move_room,
    widen_room,
)


def as_it_is(level: Level) -> Level:
    return level


class TableRow(NamedTuple):
    """An edit, a check of the level before and after it, the styles that it is for, and the level that it needs."""

    do: Callable[[Editor], None]
    is_done: Callable[[Level, Level], bool]
    styles: tuple[str, ...] = ("isaac", "rebirth", "gungeon")
    start: Callable[[Level], Level] = as_it_is


def room_at(level: Level, bounds: Rect) -> Room | None:
    return next((room for room in level.rooms if room.bounds == bounds), None)


def terrain_at(level: Level, tile: Point) -> str:
    return level.terrain_kinds[level.terrain[tile[1], tile[0]]].name


# --- rooms -------------------------------------------------------------------------------------------


def name_room(edit: Editor) -> None:
    edit.rename_room(0, "Hall")


def has_name(before: Level, after: Level) -> bool:
    room = room_at(after, before.rooms[0].bounds)
    return room is not None and room.name == "Hall"


def around(door: Rect) -> Rect:
    return Rect(door.x - 5, door.y - 5, door.width + 10, door.height + 10)


def drop_enemies_near(edit: Editor, door: Rect) -> None:
    """Nobody may stand near a door."""
    near = around(door)
    for marker in edit.level.markers:
        if marker.kind == "enemy" and near.contains(marker.x, marker.y):
            with suppress(ValueError):  # it is gone already
                edit.drop_marker(marker.id)


def add_room(edit: Editor) -> None:
    rect = free_rect(edit.level)
    draw_room(edit, rect)
    if edit.level.grid is not None:
        door = door_rect(edit.level, rect)
        draw_door(edit, door)
        drop_enemies_near(edit, door)
        return
    x, top, bottom = hallway_place(edit.level, rect)
    drop_enemies_near(edit, Rect(x, top - 1, 2, 1))
    dig(edit, x, top, bottom)
    draw_door(edit, Rect(x, top - 1, 2, 1))
    draw_door(edit, Rect(x, bottom + 1, 2, 1))


def has_added_room(before: Level, after: Level) -> bool:
    room = room_at(after, free_rect(before))
    return (
        room is not None
        and room.distance is not None
        and any(room.id in door.rooms for door in after.doors)
        and len(room.outline[0]) == 4
    )


def remove_room(edit: Editor) -> None:
    drop_room(edit, ends(edit.level)[0].id)


def has_removed_room(before: Level, after: Level) -> bool:
    bounds = ends(before)[0].bounds
    return (
        room_at(after, bounds) is None
        and not after.terrain[bounds.shrunk(1).slices].any()
        and not any(bounds.contains(marker.x, marker.y) for marker in after.markers)
    )


def move_a_room(edit: Editor) -> None:
    """To another place with a door, in a grid style; else by a tile."""
    level, room = edit.level, movable(edit.level)
    step = _step(level)
    move_room(edit, room.id, step)
    if level.grid:
        door = door_rect(level, Rect(room.bounds.x + step[0], room.bounds.y + step[1], *room.bounds[2:]))
        draw_door(edit, door)
        drop_enemies_near(edit, door)


def movable(level: Level) -> Room:
    """The last of the rooms at an end that are no secret."""
    return [room for room in ends(level) if room.distance is not None][-1]


def _step(level: Level) -> Point:
    here = movable(level).bounds
    there = free_rect(level)
    return (there.x - here.x, there.y - here.y) if level.grid else (0, 1)


def has_moved_room(before: Level, after: Level) -> bool:
    old, (dx, dy) = movable(before), _step(before)
    room = room_at(after, old.bounds._replace(x=old.bounds.x + dx, y=old.bounds.y + dy))
    places = {(marker.kind, marker.x, marker.y) for marker in after.markers}
    return (
        room is not None
        and (room.kind, room.layout) == (old.kind, old.layout)
        and room.distance is not None
        and any(room.id in door.rooms for door in after.doors)
        and all(
            (marker.kind, marker.x + dx, marker.y + dy) in places
            for marker in before.markers
            if marker.room == old.id
        )
    )


def resizable(level: Level) -> Room:
    """A room with void right of it."""
    return next(
        room
        for room in level.rooms
        if not level.terrain[room.bounds.y - 1 : room.bounds.bottom + 1, room.bounds.right :][:, :3].any()
        and room.bounds.right + 3 < level.width
        and room.shape == "rectangle"
        and room not in ends(level)
    )


def resize_room(edit: Editor) -> None:
    widen_room(edit, resizable(edit.level).id)


def has_resized_room(before: Level, after: Level) -> bool:
    bounds = resizable(before).bounds
    room = room_at(after, bounds._replace(width=bounds.width + 1))
    return room is not None and terrain_at(after, (bounds.right, bounds.y + 1)) == "wall"


# --- doors and hallways ------------------------------------------------------------------------------


def spare_door(level: Level) -> Door:
    return next(door for door in level.doors if door.kind == "secret")


def remove_door(edit: Editor) -> None:
    """From one side, where the sides are two."""
    remove_half(edit, spare_door(edit.level).id)


def remove_half(edit: Editor, number: int) -> None:
    """Remove the side of a door in one of its rooms."""
    if isinstance(edit, GodotEditor):
        some, at = edit._sections("Doors", number)[0]
        del some[at]
        return
    assert isinstance(edit, (TiledEditor, LdtkEditor))
    found = (
        edit._objects("door", number) if isinstance(edit, TiledEditor) else edit._entities(number, doors=True)
    )
    holder, door = found[0]
    holder.remove(door)


def has_no_door(before: Level, after: Level) -> bool:
    return {terrain_at(after, tile) for tile in spare_door(before).tiles} == {"wall"} and not any(
        spare_door(before).tiles == door.tiles for door in after.doors
    )


def without_a_door(level: Level) -> Level:
    """The level without a door between two rooms with others: in grid styles, all neighbours are joined."""
    away = {room.id for room in ends(level)}
    found = [door for door in level.doors if door.kind == "open" and away.isdisjoint(door.rooms)]
    less = (edited(level, {("door", door.id, "gone"): True}) for door in reversed(found))
    return next(each for each in less if {room.id for room in ends(each)} == away)


def add_door(edit: Editor) -> None:
    """Between two rooms that have none."""
    place = next(places_for_doors(edit.level))
    draw_door(edit, place)
    drop_enemies_near(edit, place)


def has_added_door(before: Level, after: Level) -> bool:
    place = next(places_for_doors(before))
    added = [door for door in after.doors if all(place.contains(*tile) for tile in door.tiles)]
    return len(added) == 1 and None not in added[0].rooms and len(added[0].tiles) == 2


def open_door(level: Level) -> Door:
    return next(door for door in level.doors if door.kind == "open" and 0 in door.rooms)


def change_door(edit: Editor) -> None:
    edit.set_door(open_door(edit.level).id, "locked")


def has_other_door(before: Level, after: Level) -> bool:
    return any(door.tiles == open_door(before).tiles and door.kind == "locked" for door in after.doors)


def dig_hallway(edit: Editor) -> None:
    """Between two rooms, with doors in their walls."""
    x, top, bottom = next(gaps(edit.level))
    dig(edit, x, top, bottom)
    for y in (top - 1, bottom + 1):
        draw_door(edit, Rect(x, y, 2, 1))
        drop_enemies_near(edit, Rect(x, y, 2, 1))


def has_hallway(before: Level, after: Level) -> bool:
    x, top, bottom = next(gaps(before))
    found = [way for way in after.hallways if {(x, top), (x + 1, bottom)} <= {*way.tiles}]
    return len(found) == 1 and all(after.doors[door].rooms[1] is None for door in found[0].doors)


def closable(level: Level) -> Hallway:
    """The hallway to a room that can be reached in no other way."""
    doors = [door.id for door in level.doors if ends(level)[0].id in door.rooms]
    return next(way for way in level.hallways if doors[0] in way.doors)


def close_hallway(edit: Editor) -> None:
    """One row of wall in it is enough."""
    close(edit, closable(edit.level))


def has_closed_hallway(before: Level, after: Level) -> bool:
    tiles = {*closable(before).tiles}
    return all(tiles.isdisjoint(way.tiles) for way in after.hallways) and not any(
        after.passable("walk")[y, x] for x, y in tiles
    )


# --- markers and lights ------------------------------------------------------------------------------


def plain_tiles(level: Level) -> list[Point]:
    """Floor with nothing on it or beside it, away from walls, doors and markers."""
    floor = level.terrain == [kind.name for kind in level.terrain_kinds].index("floor")
    floor &= level.covered == 0
    for marker in level.markers:
        floor[marker.y, marker.x] = False
    for door in level.doors:
        for x, y in door.tiles:
            floor[max(y - 3, 0) : y + 4, max(x - 3, 0) : x + 4] = False
    around = floor.copy()
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            around &= np.roll(floor, (dy, dx), (0, 1))
    return [(x, y) for y, x in np.argwhere(around).tolist()]


def _tiles_in_kept_rooms(edit_level: Level) -> list[Point]:
    """Plain tiles of rooms that no edit of the table removes or moves."""
    away = {room.id for room in ends(edit_level)}
    kept = [room.bounds for room in edit_level.rooms if room.id not in away]
    return [tile for tile in plain_tiles(edit_level) if any(rect.contains(*tile) for rect in kept)]


def enemies(level: Level) -> list[Marker]:
    """In rooms that stay, and away from where doors are added."""
    away = {room.id for room in ends(level)}
    drawn = [*places_for_doors(level), door_rect(level, free_rect(level))] if level.grid else []
    doors = [around(place) for place in drawn]
    return [
        marker
        for marker in level.markers
        if marker.kind == "enemy" and marker.room not in away
        if not any(near.contains(marker.x, marker.y) for near in doors)
    ]


def change_markers(edit: Editor) -> None:
    """One is added, one moved to another room, one removed, one given properties."""
    moved, gone, told = enemies(edit.level)[:3]
    edit.add_marker("chest", _tiles_in_kept_rooms(edit.level)[0], {"tier": "gold"})
    edit.move_marker(moved.id, _other_room(edit.level, moved))
    edit.drop_marker(gone.id)
    edit.set_property(told.id, "wave", 4)


def _other_room(level: Level, marker: Marker) -> Point:
    here = level.rooms[marker.room or 0].bounds
    return next(tile for tile in _tiles_in_kept_rooms(level)[3:] if not here.contains(*tile))


def has_markers(before: Level, after: Level) -> bool:
    moved, gone, told = enemies(before)[:3]
    places = {(marker.kind, marker.x, marker.y): marker for marker in after.markers}
    x, y = _other_room(before, moved)
    there = places.get(("enemy", x, y))
    return (
        places["chest", *_tiles_in_kept_rooms(before)[0]].properties["tier"] == "gold"
        and there is not None
        and there.room is not None
        and after.rooms[there.room].bounds.contains(x, y)
        and ("enemy", gone.x, gone.y) not in places
        and places["enemy", told.x, told.y].properties["wave"] == 4
    )


def torches(level: Level) -> list[Marker]:
    """In the upper walls of rooms that stay."""
    away = {room.id for room in ends(level)}
    return [
        marker
        for marker in level.markers
        if marker.kind == "torch"
        and marker.room is not None
        and marker.room not in away
        and level.rooms[marker.room].bounds.y == marker.y
    ]


def wall_beside(level: Level, marker: Marker) -> Point:
    """A tile of the same wall without a torch, door or banner."""
    bounds = level.rooms[marker.room or 0].bounds
    return next(
        (x, marker.y)
        for x in range(bounds.x + 2, bounds.right - 2)
        if terrain_at(level, (x, marker.y)) == "wall"
        and not level.covered[marker.y, x]
        and level.passable("walk")[marker.y + 1, x]
    )


def move_lights(edit: Editor) -> None:
    """A torch goes by its marker, another one by its tile; a marker is removed alone, and so is a tile."""
    first, second, third, fourth = torches_of_walls(edit.level)
    edit.move_marker(first.id, wall_beside(edit.level, first))
    edit.take((second.x, second.y))
    edit.put(wall_beside(edit.level, second), "torch")
    edit.drop_marker(third.id)
    edit.take((fourth.x, fourth.y))


def torches_of_walls(level: Level) -> list[Marker]:
    """Four torches, the first two in different walls."""
    found = torches(level)
    rooms = dict.fromkeys(marker.room for marker in found)
    first, second = (next(marker for marker in found if marker.room == room) for room in [*rooms][:2])
    rest = [marker for marker in found if marker not in (first, second)]
    return [first, second, *rest[:2]]


def has_lights(before: Level, after: Level) -> bool:
    first, second, third, fourth = torches_of_walls(before)
    lights = {(marker.x, marker.y) for marker in after.markers if marker.kind == "torch"}
    number = [kind.name for kind in after.decor_kinds].index("torch")
    things = {(x, y) for y, x in np.argwhere(after.decor == number).tolist()}
    gone = {(marker.x, marker.y) for marker in (first, second, third, fourth)}
    new = {wall_beside(before, first), wall_beside(before, second)}
    return lights == things and new <= lights and lights.isdisjoint(gone)


ROWS: Mapping[str, TableRow] = {
    "name a room": TableRow(name_room, has_name),
    "add a room": TableRow(add_room, has_added_room),
    "remove a room": TableRow(remove_room, has_removed_room),
    "move a room": TableRow(move_a_room, has_moved_room, ("isaac", "gungeon")),
    "resize a room": TableRow(resize_room, has_resized_room, ("gungeon",)),
    "remove a door": TableRow(remove_door, has_no_door, ("isaac", "rebirth")),
    "add a door": TableRow(add_door, has_added_door, ("isaac", "rebirth"), without_a_door),
    "change a door": TableRow(change_door, has_other_door),
    "dig a hallway": TableRow(dig_hallway, has_hallway, ("gungeon",)),
    "close a hallway": TableRow(close_hallway, has_closed_hallway, ("gungeon",)),
    "markers": TableRow(change_markers, has_markers),
    "lights": TableRow(move_lights, has_lights),
}
