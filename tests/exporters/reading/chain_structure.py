"""Random edits of a level's structure for chains, and looks: what was done, and how many rooms and hallways follow."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from generator.checks.base import owners
from generator.geometry import Point, Rect
from generator.level import Hallway, Level, Room

from .editors import Editor
from .structure_edits import (
    dig,
    door_rect,
    draw_door,
    draw_room,
    drop_room,
    free_rect,
    hallway_place,
    move_room,
)

STRUCTURE = ("draw", "drop", "move", "dig", "close", "link")


class Told(NamedTuple):
    """An edit: what kind it is, what it made, where it was made, and in which room."""

    kind: str
    value: str
    tile: Point
    corner: Point
    room: tuple[object, ...]


def facts(level: Level, room: Room) -> tuple[object, ...]:
    """What makes a room the same in another level."""
    return room.kind, room.shape, room.layout, room.bounds[2:]


def told_at(kind: str, value: str, tile: Point, level: Level) -> Told:
    room = level.rooms[int(owners(level)[tile[1], tile[0]])]
    return Told(kind, value, tile, room.bounds[:2], facts(level, room))


def step_of(told: Told) -> Point:
    """How far a room was moved."""
    x, y = told.value.split(",")
    return int(x), int(y)


def effect(told: Told, level: Level) -> tuple[int, int]:
    """How many rooms and hallways more there are in the level after an edit."""
    ways = int(level.grid is None)
    return {"draw": (1, ways), "drop": (-1, -ways), "dig": (0, 1), "close": (0, -1)}.get(told.kind, (0, 0))


def change_structure(
    edit: Editor, level: Level, kind: str, chance: random.Random, taken: set[object]
) -> Told | None:
    """Change the structure of the level in some way, once between two syncs. None if it cannot be."""
    if "structure" in taken or is_split(edit):
        return None
    told = {
        "draw": _drawn, "drop": _dropped, "move": _moved, "dig": _dug, "close": _closed, "link": _linked,
    }[kind](edit, level, chance, taken)  # fmt: skip
    if told:
        taken.add("structure")
    return told


def is_split(edit: Editor) -> bool:
    """Whether rooms have files of their own."""
    parts = edit.main.with_suffix("")
    return edit.main.suffix == ".world" or any(parts.glob(f"*{edit.main.suffix}*"))


def _drawn(edit: Editor, level: Level, _: random.Random, taken: set[object]) -> Told | None:
    """Draw a room with its door, and a hallway to it, where there is nothing."""
    if "draw" in taken:
        return None
    try:
        rect = free_rect(level)
        x, top, bottom = (0, 0, 0) if level.grid else hallway_place(level, rect)
    except (AssertionError, IndexError):
        return None
    way = rect if level.grid else Rect(x - 2, top, 6, bottom - top + 1)
    is_inside = rect.right <= level.width - 2 and rect.bottom <= level.height - 2
    if not is_inside or level.terrain[rect.slices].any() or level.terrain[way.slices][2:].any():
        return None
    taken.add("draw")
    draw_room(edit, rect)
    if level.grid:
        draw_door(edit, door_rect(level, rect))
    else:
        dig(edit, x, top, bottom)
        draw_door(edit, Rect(x, top - 1, 2, 1))
        draw_door(edit, Rect(x, bottom + 1, 2, 1))
    room = ("normal", "", "", rect[2:])
    return Told("draw", "normal", rect[:2], rect[:2], room)


def ends(level: Level) -> list[Room]:
    """Rooms with one way to them, without which all others can be reached."""
    found = [room for door in level.doors for room in door.rooms if room is not None]
    return [room for room in level.rooms if found.count(room.id) == 1 and room.kind not in ("start", "boss")]


def _take_room(level: Level, room: Room, taken: set[object]) -> None:
    """Nobody edits anything in the room until the next sync."""
    rect = room.bounds
    taken |= {(x, y) for y in range(rect.y, rect.bottom) for x in range(rect.x, rect.right)}
    taken |= {("marker", marker.id) for marker in level.markers if marker.room == room.id}
    taken |= {("door", door.id) for door in level.doors if room.id in door.rooms} | {("room", room.id)}


def _is_untouched(level: Level, room: Room, taken: set[object]) -> bool:
    """Whether nobody edited the room since the last sync."""
    others = set[object]()
    _take_room(level, room, others)
    return taken.isdisjoint(others)


def _dropped(edit: Editor, level: Level, chance: random.Random, taken: set[object]) -> Told | None:
    rooms = [room for room in ends(level) if _is_untouched(level, room, taken)]
    if not rooms:
        return None
    room = chance.choice(rooms)
    _take_room(level, room, taken)
    drop_room(edit, room.id)
    return Told("drop", room.kind, room.bounds[:2], room.bounds[:2], facts(level, room))


def _moved(edit: Editor, level: Level, chance: random.Random, taken: set[object]) -> Told | None:
    """Move a room of one cell beside another one, with a new door; or by one tile, where the cells are free."""
    rooms = [room for room in ends(level) if _is_untouched(level, room, taken)]
    if not rooms:
        return None
    room = chance.choice(rooms)
    step = (0, 1)
    if level.grid:
        try:
            rect = free_rect(level)
        except AssertionError:
            return None
        step = rect.x - room.bounds.x, rect.y - room.bounds.y
        beside = next(r for r in level.rooms if r.bounds.contains(*_outer(level, door_rect(level, rect))))
        if room.bounds[2:] != rect[2:] or room.shape != "1x1" or beside.id == room.id:
            return None
    below = room.bounds._replace(y=room.bounds.bottom, height=2)
    is_free = below.bottom <= level.height - 2 and not level.terrain[below.slices].any()
    if level.grid is None and not is_free:
        return None
    _take_room(level, room, taken)
    move_room(edit, room.id, step)
    if level.grid:
        draw_door(edit, door_rect(level, rect))
    x, y = room.bounds.x + step[0], room.bounds.y + step[1]
    return Told("move", f"{step[0]},{step[1]}", (x, y), (x, y), facts(level, room))


def _outer(level: Level, door: Rect) -> Point:
    """The tile of a door that is in a room of the level."""
    return next(
        (x, y)
        for y in range(door.y, door.bottom)
        for x in range(door.x, door.right)
        if owners(level)[y, x] >= 0
    )


def gaps(level: Level) -> Iterator[tuple[int, int, int]]:
    """Yield columns, with first and last row, of straight hallways that can be dug between two rooms."""
    owner, free = owners(level), level.passable("walk")
    for upper in level.rooms:
        for lower in level.rooms:
            top, bottom = upper.bounds.bottom, lower.bounds.y - 1
            for x in range(max(upper.bounds.x, lower.bounds.x) + 2, upper.bounds.right - 4):
                way = slice(top, bottom + 1), slice(x - 1, x + 3)
                if not 2 <= bottom - top + 1 <= 20 or x > lower.bounds.right - 5:
                    continue
                is_clear = not level.terrain[way].any() and (owner[way] == -1).all()
                has_floor = (
                    free[top - 3 : top - 1, x : x + 2].all()
                    and free[bottom + 2 : bottom + 4, x : x + 2].all()
                )
                walls = [(owner[top - 1, x], upper.id), (owner[bottom + 1, x + 1], lower.id)]
                if is_clear and has_floor and all(one == other for one, other in walls):
                    yield x, top, bottom


def _dug(edit: Editor, level: Level, chance: random.Random, _: set[object]) -> Told | None:
    found = [] if level.grid else [*gaps(level)]
    if not found:
        return None
    x, top, bottom = chance.choice(found)
    dig(edit, x, top, bottom)
    draw_door(edit, Rect(x, top - 1, 2, 1))
    draw_door(edit, Rect(x, bottom + 1, 2, 1))
    return Told("dig", "", (x, top), (0, 0), ())


def close(edit: Editor, way: Hallway) -> Point:
    """Paint walls through the middle of a hallway; a tile of them."""
    x, y = way.tiles[len(way.tiles) // 2]
    for tile in way.tiles:
        if tile[1] == y or tile[0] == x:
            edit.paint(tile, "wall")
    return x, y


def _closed(edit: Editor, level: Level, chance: random.Random, taken: set[object]) -> Told | None:
    ways = [way for way in level.hallways if taken.isdisjoint(way.tiles)]
    if not ways:
        return None
    way = chance.choice(ways)
    taken |= {*way.tiles, *(("door", door) for door in way.doors)}
    return Told("close", "", close(edit, way), (0, 0), ())


def places_for_doors(level: Level) -> Iterator[Rect]:
    """Yield where a door can be between two rooms of a grid style that have none."""
    assert level.grid
    cells = {cell: room.id for room in level.rooms for cell in room.cells}
    joined = {frozenset(door.rooms) for door in level.doors}
    free, wall = level.passable("walk"), [kind.name for kind in level.terrain_kinds].index("wall")
    for (x, y), room in cells.items():
        rect = level.grid.cell_rect((x, y))
        middle_x, middle_y = rect.x + rect.width // 2, rect.y + rect.height // 2
        for other, place, step in (
            ((x + 1, y), Rect(rect.right - 1, middle_y, 2, 1), (1, 0)),
            ((x, y + 1), Rect(middle_x, rect.bottom - 1, 1, 2), (0, 1)),
        ):
            pair = frozenset((room, cells.get(other, room)))
            before, behind = (
                (place.x - step[0], place.y - step[1]),
                (place.x + 2 * step[0], place.y + 2 * step[1]),
            )
            is_wall = (level.terrain[place.slices] == wall).all()
            if (
                len(pair) == 2
                and pair not in joined
                and is_wall
                and free[before[::-1]]
                and free[behind[::-1]]
            ):
                yield place


def _linked(edit: Editor, level: Level, chance: random.Random, taken: set[object]) -> Told | None:
    """Put a door between two rooms."""
    places = [*places_for_doors(level)] if level.grid else []
    places = [place for place in places if taken.isdisjoint({place[:2]})]
    if not places:
        return None
    place = chance.choice(places)
    draw_door(edit, place)
    return told_at("link", "", place[:2], level)


def paint_look(
    edit: Editor, level: Level, tiles: list[Point], chance: random.Random, taken: set[object]
) -> Told | None:
    """Paint the floor of a boss's room where the rules draw another one."""
    floors = edit.theme.floors
    usual = {*floors["default"].plain.tiles, *floors["default"].shaded.tiles}
    others = [tile for tile in floors["boss"].plain.tiles if tile not in usual] if "boss" in floors else []
    found = [told_at("look", str(others[0]), tile, level) for tile in tiles] if others else []
    found = [told for told in found if told.room[0] == "normal" and told.tile[1] > told.corner[1] + 3]
    if edit.theme.given_name != "undercroft" or not found:
        return None
    told = chance.choice(found)
    taken.add(told.tile)
    layer = "terrain_fixed" if edit.main.suffix == ".ldtk" else "ground"
    edit.set_tile(layer, told.tile, int(told.value))
    return told
