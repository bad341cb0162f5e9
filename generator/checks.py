"""The invariants of a level, by name. `problems` runs them all and says what does not hold, and where.

Each check is a generator of `Problem`s over any level that could be read, however odd.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from generator.geometry import Side
from generator.interiors.layouts import reached
from generator.kinds import SECRET_ROOM_KINDS
from generator.level import MARGIN, Level

_WALL_MARKERS = ("torch",)  # they hang on walls


class Problem(NamedTuple):
    """What does not hold: the check's name, the place, and the finding."""

    check: str
    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what} [{self.check}]"


Check = Callable[[Level], Iterator[Problem]]
CHECKS: dict[str, Check] = {}


def _check(check: Check) -> Check:
    CHECKS[check.__name__.replace("_", "-")] = check
    return check


def problems(level: Level) -> list[Problem]:
    """Everything that does not hold; an empty list for a sound level."""
    return [problem for check in CHECKS.values() for problem in check(level)]


def _problem(check: Check, place: str, what: str) -> Problem:
    return Problem(check.__name__.replace("_", "-"), place, what)


@_check
def void_margin(level: Level) -> Iterator[Problem]:
    """At least two tiles of void lie all round the level."""
    inner = np.zeros(level.terrain.shape, bool)
    inner[MARGIN:-MARGIN, MARGIN:-MARGIN] = True
    ys, xs = np.nonzero((level.terrain != 0) & ~inner)
    if len(xs):
        yield _problem(
            void_margin, f"tile {xs[0]},{ys[0]}", f"is not void, though less than {MARGIN} from the edge"
        )


@_check
def one_start(level: Level) -> Iterator[Problem]:
    """Room 0 is the only start, and holds the only player_start."""
    kinds = [room.kind for room in level.rooms]
    if not kinds or kinds[0] != "start" or kinds.count("start") != 1:
        yield _problem(one_start, "rooms", "room 0 is not the one start room")
    starts = [marker for marker in level.markers if marker.kind == "player_start"]
    if len(starts) != 1 or starts[0].room != 0:
        yield _problem(
            one_start, "markers", f"there are {len(starts)} player_start markers, not one in room 0"
        )


@_check
def rooms_apart(level: Level) -> Iterator[Problem]:
    """No tile lies within the outlines of two rooms (whose cells differ, in a grid style)."""
    if level.grid is not None:
        counts = Counter(cell for room in level.rooms for cell in room.cells)
        for cell, count in counts.items():
            if count > 1:
                yield _problem(rooms_apart, f"cell {list(cell)}", f"belongs to {count} rooms")
        return
    owner = np.full(level.terrain.shape, -1, np.int32)
    for room in level.rooms:
        taken = owner[room.bounds.slices]
        if (taken >= 0).any():
            yield _problem(rooms_apart, f"room {room.id}", f"overlaps room {int(taken.max())}")
        taken[:] = room.id


@_check
def closed_walls(level: Level) -> Iterator[Problem]:
    """No tile that a body passes on foot or in flight touches void."""
    open_tiles = level.passable("fly") | level.passable("walk")
    padded = np.pad(level.terrain == 0, 1, constant_values=True)
    beside_void = padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
    for y, x in np.argwhere(open_tiles & beside_void)[:5].tolist():
        yield _problem(closed_walls, f"tile {x},{y}", "opens onto void")


@_check
def doors_two_sided(level: Level) -> Iterator[Problem]:
    """A door's tiles are door terrain; half lie in each room, and face each other over its side."""
    names = [kind.name for kind in level.terrain_kinds]
    sides = {side.label: side for side in Side}
    for door in level.doors:
        place = f"door {door.id}"
        for x, y in door.tiles:
            if names[level.terrain[y, x]] != "door":
                yield _problem(doors_two_sided, place, f"tile {x},{y} is {names[level.terrain[y, x]]}")
        half = len(door.tiles) // (1 if door.rooms[1] is None else 2)
        for room, tiles in zip(door.rooms, (door.tiles[:half], door.tiles[half:]), strict=True):
            if room is not None and not all(level.rooms[room].bounds.contains(*tile) for tile in tiles):
                yield _problem(doors_two_sided, place, f"has tiles outside room {room}")
        if door.rooms[1] is not None:
            side = sides[door.side]
            facing = [(x + side.dx, y + side.dy) for x, y in door.tiles[:half]]
            if facing != list(door.tiles[half:]):
                yield _problem(doors_two_sided, place, f"its halves do not meet over the {door.side} side")
            if level.grid is not None and not _touch(level, door.rooms[0], door.rooms[1], side):
                yield _problem(doors_two_sided, place, f"rooms {list(door.rooms)} share no {door.side} side")


def _touch(level: Level, a: int, b: int, side: Side) -> bool:
    others = set(level.rooms[b].cells)
    return any((x + side.dx, y + side.dy) in others for x, y in level.rooms[a].cells)


@_check
def distances_walked(level: Level) -> Iterator[Problem]:
    """A room's distance is the number of rooms walked from the start, without secret doors."""
    beside: dict[int, list[int]] = {room.id: [] for room in level.rooms}
    for a, b in _connections(level):
        beside[a].append(b)
        beside[b].append(a)
    distances = {0: 0} if level.rooms else {}
    queue = list(distances)
    for room in queue:
        for other in beside[room]:
            if other not in distances:
                distances[other] = distances[room] + 1
                queue.append(other)
    for one in level.rooms:
        if one.distance != distances.get(one.id):
            what = f"says distance {one.distance}, the way there is {distances.get(one.id)}"
            yield _problem(distances_walked, f"room {one.id}", what)
        if distances.get(one.id) is None and one.kind not in SECRET_ROOM_KINDS:
            yield _problem(distances_walked, f"room {one.id}", f"no way leads to this {one.kind} room")


def _connections(level: Level) -> Iterator[tuple[int, int]]:
    """Pairs of rooms that a body walks between without a secret door."""
    for door in level.doors:
        if door.rooms[1] is not None and door.kind != "secret":
            yield door.rooms[0], door.rooms[1]
    for hallway in level.hallways:
        first, second = (level.doors[door] for door in hallway.doors)
        if "secret" not in (first.kind, second.kind):
            yield first.rooms[0], second.rooms[0]


@_check
def reached_on_foot(level: Level) -> Iterator[Problem]:
    """On foot from the player's start every room's doors and markers can be reached.

    Secret doors count as open here: their rooms must be worth the bomb. Markers on walls only need floor
    below them.
    """
    starts = [marker for marker in level.markers if marker.kind == "player_start"]
    if not starts:
        return
    on_foot = reached((starts[0].x, starts[0].y), level.passable("walk"))
    for door in level.doors:
        for x, y in door.tiles:
            if (x, y) not in on_foot:
                yield _problem(reached_on_foot, f"door {door.id}", f"tile {x},{y} cannot be reached on foot")
    for marker in level.markers:
        if marker.kind not in (*_WALL_MARKERS, "fire") and (marker.x, marker.y) not in on_foot:
            what = f"the {marker.kind} at {marker.x},{marker.y} cannot be reached on foot"
            yield _problem(reached_on_foot, f"marker {marker.id}", what)


@_check
def markers_in_rooms(level: Level) -> Iterator[Problem]:
    """A marker lies in the room that it names."""
    for marker in level.markers:
        if marker.room is not None and not level.rooms[marker.room].bounds.contains(marker.x, marker.y):
            yield _problem(markers_in_rooms, f"marker {marker.id}", f"lies outside its room {marker.room}")


@_check
def boss_is_far(level: Level) -> Iterator[Problem]:
    """No boss room is beside the start, and only other boss rooms lie behind one."""
    for door in level.doors:
        kinds = {level.rooms[room].kind for room in door.rooms if room is not None}
        if kinds == {"start", "boss"}:
            yield _problem(boss_is_far, f"door {door.id}", "joins the start to a boss room")


@_check
def special_rooms_are_dead_ends(level: Level) -> Iterator[Problem]:
    """In the `isaac` style a special room has one door, but for secret ones and a pair of boss rooms."""
    if level.style != "isaac":
        return
    neighbours: dict[int, list[str]] = {room.id: [] for room in level.rooms}
    for a, b in _connections(level):
        neighbours[a].append(level.rooms[b].kind)
        neighbours[b].append(level.rooms[a].kind)
    for room in level.rooms:
        if room.kind in ("start", "normal") or room.kind in SECRET_ROOM_KINDS:
            continue
        ways = [kind for kind in neighbours[room.id] if not (kind == room.kind == "boss")]
        if len(ways) > 1:
            what = f"the {room.kind} room has {len(ways)} doors"
            yield _problem(special_rooms_are_dead_ends, f"room {room.id}", what)


@_check
def secret_rooms_away_from_dead_ends(level: Level) -> Iterator[Problem]:
    """In the `isaac` style no secret room is beside a room with a single door, nor beside another one."""
    if level.style != "isaac":
        return
    doors = Counter(room for pair in _connections(level) for room in pair)
    for door in level.doors:
        a, b = door.rooms
        if door.kind != "secret" or b is None:
            continue
        kinds = level.rooms[a].kind, level.rooms[b].kind
        if set(kinds) <= SECRET_ROOM_KINDS:
            yield _problem(secret_rooms_away_from_dead_ends, f"door {door.id}", "joins two secret rooms")
        for room in (a, b):
            if level.rooms[room].kind not in SECRET_ROOM_KINDS and doors[room] == 1:
                what = f"leads from a secret room to room {room}, a dead end"
                yield _problem(secret_rooms_away_from_dead_ends, f"door {door.id}", what)
