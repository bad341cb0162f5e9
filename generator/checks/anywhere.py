"""What holds for a level of any style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from generator.checks.base import Problem, check, connections, needs_no_way, problem
from generator.geometry import Point, Side
from generator.interiors.interior import ENEMY_KINDS, reached, too_near
from generator.kinds import SECRET_ROOM_KINDS
from generator.level import MARGIN, Door, Level

_SIDES = {side.label: side for side in Side}


@check
def void_margin(level: Level) -> Iterator[Problem]:
    """At least two tiles of void lie all round the level."""
    inner = np.zeros(level.terrain.shape, bool)
    inner[MARGIN:-MARGIN, MARGIN:-MARGIN] = True
    ys, xs = np.nonzero((level.terrain != 0) & ~inner)
    if len(xs):
        yield problem(
            void_margin, f"tile {xs[0]},{ys[0]}", f"is not void, though less than {MARGIN} from the edge"
        )


@check
def one_start(level: Level) -> Iterator[Problem]:
    """Room 0 is the only start, and holds the only player_start."""
    kinds = [room.kind for room in level.rooms]
    if not kinds or kinds[0] != "start" or kinds.count("start") != 1:
        yield problem(one_start, "rooms", "room 0 is not the one start room")
    starts = [marker for marker in level.markers if marker.kind == "player_start"]
    if len(starts) != 1 or starts[0].room != 0:
        yield problem(
            one_start, "markers", f"there are {len(starts)} player_start markers, not one in room 0"
        )


@check
def rooms_apart(level: Level) -> Iterator[Problem]:
    """No two rooms' bounds overlap; in a grid style, where bounds may, no cell belongs to two rooms."""
    if level.grid is not None:
        counts = Counter(cell for room in level.rooms for cell in room.cells)
        for cell, count in counts.items():
            if count > 1:
                yield problem(rooms_apart, f"cell {list(cell)}", f"belongs to {count} rooms")
        return
    owner = np.full(level.terrain.shape, -1, np.int32)
    for room in level.rooms:
        taken = owner[room.bounds.slices]
        if (taken >= 0).any():
            yield problem(rooms_apart, f"room {room.id}", f"overlaps room {int(taken.max())}")
        taken[:] = room.id


@check
def closed_walls(level: Level) -> Iterator[Problem]:
    """No tile that a body passes on foot or in flight touches void."""
    open_tiles = level.passable("fly") | level.passable("walk")
    padded = np.pad(level.terrain == 0, 1, constant_values=True)
    beside_void = padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
    for y, x in np.argwhere(open_tiles & beside_void)[:5].tolist():
        yield problem(closed_walls, f"tile {x},{y}", "opens onto void")


@check
def doors_two_sided(level: Level) -> Iterator[Problem]:
    """A door's tiles are door terrain and lie in its room's bounds.

    Between two rooms half lie in each, and the halves face each other over the door's side.
    """
    names = [kind.name for kind in level.terrain_kinds]
    for door in level.doors:
        place = f"door {door.id}"
        for x, y in door.tiles:
            if names[level.terrain[y, x]] != "door":
                yield problem(doors_two_sided, place, f"tile {x},{y} is {names[level.terrain[y, x]]}")
        first, second = _halves(door)
        for room, tiles in zip(door.rooms, (first, second), strict=True):
            if room is not None and not all(level.rooms[room].bounds.contains(*tile) for tile in tiles):
                yield problem(doors_two_sided, place, f"has tiles outside room {room}")
        if door.rooms[1] is not None:
            side = _SIDES[door.side]
            if [(x + side.dx, y + side.dy) for x, y in first] != list(second):
                yield problem(doors_two_sided, place, f"its halves do not meet over the {door.side} side")
            if level.grid is not None and not _touch(level, door.rooms[0], door.rooms[1], side):
                yield problem(doors_two_sided, place, f"rooms {list(door.rooms)} share no {door.side} side")


def _halves(door: Door) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """The tiles in the wall of each of its rooms; a hallway has no wall for a door to go through."""
    half = len(door.tiles) // (1 if door.rooms[1] is None else 2)
    return door.tiles[:half], door.tiles[half:]


def _touch(level: Level, a: int, b: int, side: Side) -> bool:
    others = set(level.rooms[b].cells)
    return any((x + side.dx, y + side.dy) in others for x, y in level.rooms[a].cells)


@check
def distances_walked(level: Level) -> Iterator[Problem]:
    """A room's distance is the number of rooms walked from the start, without secret doors."""
    beside: dict[int, list[int]] = {room.id: [] for room in level.rooms}
    for a, b in connections(level):
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
            yield problem(distances_walked, f"room {one.id}", what)
        if distances.get(one.id) is None and one.kind not in SECRET_ROOM_KINDS:
            yield problem(distances_walked, f"room {one.id}", f"no way leads to this {one.kind} room")


@check
def reached_on_foot(level: Level) -> Iterator[Problem]:
    """On foot from the player's start every room's doors and markers can be reached.

    Secret doors count as open here: their rooms must be worth the bomb. Lights need not be reached, nor
    a boss that flies, nor what is in an ultra secret room: it has no door.
    """
    starts = [marker for marker in level.markers if marker.kind == "player_start"]
    if not starts:
        return
    on_foot = reached((starts[0].x, starts[0].y), level.passable("walk"))
    for door in level.doors:
        for x, y in door.tiles:
            if (x, y) not in on_foot:
                yield problem(reached_on_foot, f"door {door.id}", f"tile {x},{y} cannot be reached on foot")
    for marker in level.markers:
        if not needs_no_way(level, marker) and (marker.x, marker.y) not in on_foot:
            what = f"the {marker.kind} at {marker.x},{marker.y} cannot be reached on foot"
            yield problem(reached_on_foot, f"marker {marker.id}", what)


@check
def markers_in_rooms(level: Level) -> Iterator[Problem]:
    """A marker lies in the room that it names; in a grid style in one of its cells."""
    parts = [
        [level.grid.cell_rect(cell) for cell in room.cells] if level.grid else [room.bounds]
        for room in level.rooms
    ]
    for marker in level.markers:
        if marker.room is not None and not any(
            part.contains(marker.x, marker.y) for part in parts[marker.room]
        ):
            yield problem(markers_in_rooms, f"marker {marker.id}", f"lies outside its room {marker.room}")


@check
def things_apart(level: Level) -> Iterator[Problem]:
    """No tile is covered by two pieces of decor."""
    covers = np.zeros(level.decor.shape, np.uint8)
    for number, kind in enumerate(level.decor_kinds[1:], 1):
        ys, xs = np.nonzero(level.decor == number)
        for dy in range(kind.height):
            for dx in range(kind.width):
                covers[ys + dy, xs + dx] += 1
    for y, x in np.argwhere(covers > 1)[:5].tolist():
        yield problem(things_apart, f"tile {x},{y}", "is covered by two things")


@check
def enemies_away_from_doors(level: Level) -> Iterator[Problem]:
    """No enemy or boss starts within two steps of a tile that one steps on coming out of a door."""
    steps: dict[int | None, list[Point]] = {}
    for door in level.doors:
        side = _SIDES[door.side]
        ways_in = zip(door.rooms, _halves(door), (side.opposite, side), strict=True)
        for room, tiles, inwards in ways_in:
            steps.setdefault(room, []).extend((x + inwards.dx, y + inwards.dy) for x, y in tiles)
    for marker in level.markers:
        if marker.kind not in ENEMY_KINDS:
            continue
        if too_near(marker.kind, (marker.x, marker.y), steps.get(marker.room, ())):
            what = f"the {marker.kind} at {marker.x},{marker.y} is within two steps of a door"
            yield problem(enemies_away_from_doors, f"marker {marker.id}", what)


@check
def boss_is_far(level: Level) -> Iterator[Problem]:
    """No door joins the start room to a boss room."""
    for door in level.doors:
        kinds = {level.rooms[room].kind for room in door.rooms if room is not None}
        if kinds == {"start", "boss"}:
            yield problem(boss_is_far, f"door {door.id}", "joins the start to a boss room")
