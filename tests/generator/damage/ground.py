"""Damage of tiles, doors, hallways and outlines."""

from __future__ import annotations

from collections import Counter
from typing import Any

from generator.geometry import Point, Side
from tests.generator.breakages.base import Unfit

from .draft import Damage, Draft, Row, beyond

_BESIDE = ((0, -1), (1, 0), (0, 1), (-1, 0))


# --- rooms that cannot be crossed ----------------------------------------------------------------------


def pits_across_a_fight(draft: Draft) -> None:
    """One column of a room between its doors, as on a loop of the floorplan."""
    column = _across(draft, 0)
    draft.paint(column, "pit")
    draft.paint(column, "none", "decor")


def rocks_across_a_fight(draft: Draft) -> None:
    """One row of a room between its doors."""
    draft.paint(_across(draft, 1), "rock", "decor")


def _across(draft: Draft, axis: int) -> list[Point]:
    """The ground of a room on one line, with a door or what is to be found there on both sides of it."""
    taken = {(row["x"], row["y"]) for row in draft.markers()}
    lines = []
    for room in draft.rooms("normal"):
        ground = draft.ground(room)
        walked = [tile for tile in ground if draft.name(tile) != "pit" and draft.is_free(tile)]
        ends = [tile[axis] for door in draft.doors(room) for tile in door["tiles"]]
        for at in range(min(ends, default=0) + 1, max(ends, default=0)):
            line = [tile for tile in ground if tile[axis] == at]
            sides = {tile[axis] < at for tile in walked if tile[axis] != at}
            if at not in ends and len(sides) == 2 and line and taken.isdisjoint(line):
                lines.append(line)
    found: list[Point] = draft.one(lines)
    return found


def pits_before_a_door(draft: Draft) -> None:
    draft.paint(beyond(draft.door()), "pit")


def rocks_before_a_door(draft: Draft) -> None:
    draft.paint(beyond(draft.door()), "rock", "decor")


def start_on_an_island(draft: Draft) -> None:
    start = draft.marker("player_start")
    ring = [(start["x"] + dx, start["y"] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    draft.paint(ring, "pit")
    draft.paint(ring, "none", "decor")


def boss_room_of_pits(draft: Draft) -> None:
    room = draft.room("boss")
    draft.paint([tile for tile in draft.floor(room) if tile not in _doorsteps(draft, room)], "pit")


def _doorsteps(draft: Draft, room: Row) -> list[Point]:
    tiles = [tile for door in draft.doors(room) for tile in door["tiles"]]
    return [(x + dx, y + dy) for x, y in tiles for dx, dy in _BESIDE]


# --- tiles -----------------------------------------------------------------------------------------------


def bridge_in_the_floor(draft: Draft) -> None:
    room = draft.one(row for row in draft.rooms() if not draft.tiles("pit", "bridge", room=row))
    draft.paint([draft.one(draft.floor(room, away=2))], "bridge")


def hole_in_a_wall(draft: Draft) -> None:
    draft.paint([draft.one(draft.walls())], "floor")


def gap_in_a_wall(draft: Draft) -> None:
    draft.paint([draft.one(draft.walls())], "void")


def pit_in_a_wall(draft: Draft) -> None:
    draft.paint([draft.one(draft.walls())], "pit")


def void_in_the_floor(draft: Draft) -> None:
    draft.paint([draft.one(draft.floor())], "void")


def door_in_the_floor(draft: Draft) -> None:
    draft.paint([draft.one(draft.floor(away=2))], "door")


def hallway_in_the_floor(draft: Draft) -> None:
    draft.paint([draft.one(draft.floor())], "hallway")


def door_of_floor(draft: Draft) -> None:
    draft.paint(draft.door()["tiles"], "floor")


def door_walled_up(draft: Draft) -> None:
    draft.paint(draft.door()["tiles"], "wall")


def door_of_pits(draft: Draft) -> None:
    draft.paint(draft.door()["tiles"], "pit")


def floor_in_the_void(draft: Draft) -> None:
    draft.paint([draft.one(tile for tile in draft.tiles("void") if 2 < tile[0] < draft.width - 2)], "floor")


def wall_at_the_edge(draft: Draft) -> None:
    draft.paint([(0, 0)], "wall")


def terrain_a_column_off(draft: Draft) -> None:
    draft.table["terrain"] = draft.table["terrain"][-1:] + draft.table["terrain"][:-1]


def terrain_a_row_short(draft: Draft) -> None:
    draft.table["terrain"] = draft.table["terrain"][: -draft.width]


def decor_a_column_off(draft: Draft) -> None:
    draft.table["decor"] = draft.table["decor"][-1:] + draft.table["decor"][:-1]


def decor_on_void(draft: Draft) -> None:
    draft.paint(
        [draft.one(tile for tile in draft.tiles("void") if tile[0] < draft.width - 3)], "rock", "decor"
    )


def decor_on_a_wall(draft: Draft) -> None:
    draft.paint([draft.one(draft.tiles("wall"))], "rock", "decor")


def decor_in_a_door(draft: Draft) -> None:
    draft.paint([draft.one(draft.door()["tiles"])], draft.thing(), "decor")


def decor_on_a_pit(draft: Draft) -> None:
    tile = draft.one(draft.floor(away=2))
    draft.paint([tile], "pit")
    draft.paint([tile], draft.thing(), "decor")


def banner_on_the_floor(draft: Draft) -> None:
    draft.paint([draft.one(draft.floor())], "banner", "decor")


def torch_without_a_marker(draft: Draft) -> None:
    tiles = [(x, y) for x, y in draft.walls() if not draft.covered[y, x]]
    draft.paint([draft.one(tiles)], "torch", "decor")


def fire_without_a_marker(draft: Draft) -> None:
    draft.paint([draft.one(draft.floor(away=3))], "fire", "decor")


def light_in_a_bare_wall(draft: Draft) -> None:
    x, y = draft.one((x, y) for x, y in draft.walls() if not draft.covered[y, x])
    draft.add("torch", (x, y), int(draft.owner[y, x]))


def two_things_on_one_tile(draft: Draft) -> None:
    """A thing of several tiles over what is there already."""
    kinds = draft.table["decor_kinds"]
    wide = draft.one(row["name"] for row in kinds if row["size"][0] > 1 and row["size"][1] == 1)
    width = draft.level.width
    tiles = [(x - 1, y) for y in range(1, draft.level.height) for x in range(2, width) if draft.covered[y, x]]
    floor = [(x, y) for x, y in tiles if not draft.covered[y, x] and draft.name((x, y)) == "floor"]
    draft.paint([draft.one(floor)], wide, "decor")


def thing_half_in_a_wall(draft: Draft) -> None:
    kinds = draft.table["decor_kinds"]
    wide = draft.one(row["name"] for row in kinds if row["size"][0] > 1)
    tiles = [(x, y) for x, y in draft.floor() if draft.name((x + 1, y)) == "wall"]
    draft.paint([draft.one(tiles)], wide, "decor")


# --- outlines and bounds -------------------------------------------------------------------------------

OUTLINES: dict[str, tuple[str, Any]] = {
    "outline_a_tile_off": ("outline", lambda rings: [[[x + 1, y] for x, y in ring] for ring in rings]),
    "outline_a_tile_wider": (
        "outline",
        lambda rings: [[[x + (x == max(x for x, _ in ring)), y] for x, y in ring] for ring in rings],
    ),
    "outline_backwards": ("outline", lambda rings: [ring[::-1] for ring in rings]),
    "outline_without_a_corner": ("outline", lambda rings: [ring[:-1] for ring in rings]),
    "outline_from_another_corner": ("outline", lambda rings: [ring[1:] + ring[:1] for ring in rings]),
    "no_outline": ("outline", lambda _: []),
    "bounds_a_tile_off": ("bounds", lambda box: [box[0] + 1, *box[1:]]),
    "bounds_a_tile_wider": ("bounds", lambda box: [*box[:2], box[2] + 1, box[3]]),
    "cells_a_cell_off": ("cells", lambda cells: [[x + 1, y] for x, y in cells]),
    "one_cell_too_many": (
        "cells",
        lambda cells: [*cells, [cells[-1][0], cells[-1][1] + 1]] if cells else cells,
    ),
}


def _outline(field: str, change: Any) -> Damage:
    def damage(draft: Draft) -> None:
        room = draft.room()
        room[field] = change(room[field])

    return damage


def room_in_a_room(draft: Draft) -> None:
    """Of the same place."""
    one, other = draft.table["rooms"][1], draft.table["rooms"][-1]
    for field in ("bounds", "outline", "cells"):
        one[field] = other[field]


# --- doors -----------------------------------------------------------------------------------------------


def door_to_nowhere(draft: Draft) -> None:
    """A new opening in the wall of a room; beyond it there is nothing."""
    x, y = draft.one(draft.walls())
    room = int(draft.owner[y, x])
    draft.paint([(x, y)], "door")
    row = {"id": len(draft.table["doors"]), "rooms": [room, None], "tiles": [[x, y]], "side": "north"}
    draft.table["doors"].append({**row, "kind": "open"})


def door_gone(draft: Draft) -> None:
    """With its tiles; the others are numbered anew."""
    gone = draft.one(row for row in draft.table["doors"] if row["rooms"][1] is not None)
    draft.paint(gone["tiles"], "wall")
    draft.table["doors"] = [row for row in draft.table["doors"] if row is not gone]
    for number, row in enumerate(draft.table["doors"]):
        row["id"] = number


def door_twice(draft: Draft) -> None:
    draft.table["doors"].append({**draft.door(), "id": len(draft.table["doors"])})


def door_a_tile_off(draft: Draft) -> None:
    door = draft.door()
    door["tiles"] = [[x + 1, y] for x, y in door["tiles"]]


def door_a_tile_short(draft: Draft) -> None:
    door = draft.door()
    door["tiles"] = door["tiles"][1:]


def door_on_the_other_side(draft: Draft) -> None:
    door = draft.door()
    door["side"] = Side.named(door["side"]).opposite.label


def door_of_another_room(draft: Draft) -> None:
    door = draft.door()
    door["rooms"][0] = draft.one(row["id"] for row in draft.rooms() if row["id"] not in door["rooms"])


def door_called_unicorn(draft: Draft) -> None:
    draft.door()["kind"] = "unicorn"


def door_locked_without_a_lock(draft: Draft) -> None:
    draft.door("open")["kind"] = "locked"


def secret_door_plainly_open(draft: Draft) -> None:
    draft.door("secret")["kind"] = "open"


def boss_door_plainly_open(draft: Draft) -> None:
    draft.door("boss")["kind"] = "open"


def open_door_made_secret(draft: Draft) -> None:
    draft.door("open")["kind"] = "secret"


def secret_room_with_three_doors(draft: Draft) -> None:
    """A room amid others that only secret doors lead to."""
    ends = Counter(room for row in draft.table["doors"] for room in row["rooms"])
    room = draft.one(row for row in draft.rooms("normal") if ends[row["id"]] > 2)
    room["kind"] = "secret"
    for door in draft.doors(room):
        door["kind"] = "secret"


def lock_without_a_key(draft: Draft) -> None:
    draft.door()["needs"] = ["no_such_key"]


def one_way_without_a_way_back(draft: Draft) -> None:
    door = draft.one(row for row in draft.table["doors"] if not row.get("one_way"))
    door["one_way"] = True


def shortcut_that_nobody_can_open(draft: Draft) -> None:
    door = draft.one(row for row in draft.table["doors"] if row.get("opens_from") is None)
    door["opens_from"] = door["rooms"][0]


def key_behind_its_own_lock(draft: Draft) -> None:
    """The key is where the lock leads, in the room that is furthest."""
    key = draft.marker("key")
    locked = [row for row in draft.table["doors"] if key["properties"]["opens"] in row.get("needs", ())]
    door = draft.one(locked)
    room = max(
        (draft.table["rooms"][number] for number in _joined(draft, door)),
        key=lambda row: row["distance"] or 0,
    )
    x, y = draft.one(draft.floor(room, away=2))
    key |= {"x": x, "y": y, "room": room["id"]}


def _joined(draft: Draft, door: Row) -> list[int]:
    """The rooms that a door or its hallway joins."""
    ways = [row["doors"] for row in draft.table["hallways"] if door["id"] in row["doors"]]
    ends = [number for number in door["rooms"] if number is not None]
    return ends + [draft.table["doors"][number]["rooms"][0] for way in ways for number in way]


def exits_of_another_class(draft: Draft) -> None:
    draft.hallway()
    draft.door()["joins"] = "sewer"


# --- hallways --------------------------------------------------------------------------------------------


def wall_in_a_hallway(draft: Draft) -> None:
    way = draft.hallway()
    draft.paint([draft.one(way["tiles"])], "wall")


def hallway_walled_up(draft: Draft) -> None:
    """All of its tiles, which it still names."""
    draft.paint(draft.hallway()["tiles"], "wall")


def hallway_of_pits(draft: Draft) -> None:
    draft.paint(draft.hallway()["tiles"], "pit")


def hallway_without_a_tile(draft: Draft) -> None:
    way = draft.hallway()
    way["tiles"].remove(draft.one(way["tiles"]))


def hallway_gone(draft: Draft) -> None:
    """From the list; the others are numbered anew."""
    gone = draft.hallway()
    draft.table["hallways"] = [row for row in draft.table["hallways"] if row is not gone]
    for number, row in enumerate(draft.table["hallways"]):
        row["id"] = number


def hallways_that_change_doors(draft: Draft) -> None:
    if len(draft.table["hallways"]) < 2:
        raise Unfit
    one, other = draft.dice.sample(draft.table["hallways"], 2)
    one["doors"][1], other["doors"][1] = other["doors"][1], one["doors"][1]


def hallway_back_to_its_door(draft: Draft) -> None:
    way = draft.hallway()
    way["doors"][1] = way["doors"][0]


def hallway_through_a_room(draft: Draft) -> None:
    draft.hallway()["tiles"].append(list(draft.one(draft.floor())))


def hallway_that_opens_onto_void(draft: Draft) -> None:
    tiles = [tuple(tile) for row in draft.table["hallways"] for tile in row["tiles"]]
    around = [(x + dx, y + dy) for x, y in tiles for dx, dy in _BESIDE]
    draft.paint([draft.one(tile for tile in around if draft.name(tile) == "wall")], "void")


GROUND: dict[str, Damage] = {
    **{name: _outline(*row) for name, row in OUTLINES.items()},
    **{
        damage.__name__: damage
        for damage in (
            pits_across_a_fight,
            rocks_across_a_fight,
            pits_before_a_door,
            rocks_before_a_door,
            start_on_an_island,
            boss_room_of_pits,
            bridge_in_the_floor,
            hole_in_a_wall,
            gap_in_a_wall,
            pit_in_a_wall,
            void_in_the_floor,
            door_in_the_floor,
            hallway_in_the_floor,
            door_of_floor,
            door_walled_up,
            door_of_pits,
            floor_in_the_void,
            wall_at_the_edge,
            terrain_a_column_off,
            terrain_a_row_short,
            decor_a_column_off,
            decor_on_void,
            decor_on_a_wall,
            decor_in_a_door,
            decor_on_a_pit,
            banner_on_the_floor,
            torch_without_a_marker,
            fire_without_a_marker,
            light_in_a_bare_wall,
            two_things_on_one_tile,
            thing_half_in_a_wall,
            room_in_a_room,
            door_to_nowhere,
            door_gone,
            door_twice,
            door_a_tile_off,
            door_a_tile_short,
            door_on_the_other_side,
            door_of_another_room,
            door_called_unicorn,
            door_locked_without_a_lock,
            secret_door_plainly_open,
            boss_door_plainly_open,
            open_door_made_secret,
            secret_room_with_three_doors,
            lock_without_a_key,
            one_way_without_a_way_back,
            shortcut_that_nobody_can_open,
            key_behind_its_own_lock,
            exits_of_another_class,
            wall_in_a_hallway,
            hallway_walled_up,
            hallway_of_pits,
            hallway_without_a_tile,
            hallway_gone,
            hallways_that_change_doors,
            hallway_back_to_its_door,
            hallway_through_a_room,
            hallway_that_opens_onto_void,
        )
    },
}
