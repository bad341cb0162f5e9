"""The invariants of the terrain and the things of a level of any style."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.arrays import around, beside
from generator.checks.base import Problem, hallway_tiles, owners, places, problem, terrain_number
from generator.kinds.kind_tables import HUNG
from generator.level import MARGIN, Level


def void_margin(level: Level) -> Iterator[Problem]:
    """Check that there are at least two tiles of void all around the level."""
    inner = np.zeros(level.terrain.shape, bool)
    inner[MARGIN:-MARGIN, MARGIN:-MARGIN] = True
    for x, y in places((level.terrain != 0) & ~inner, 1):
        message = f"is not void, but is less than {MARGIN} tiles from the edge"
        yield problem(void_margin, f"tile {x},{y}", message)


def closed_walls(level: Level) -> Iterator[Problem]:
    """Check that no tile that a walking or flying body can pass touches void."""
    open_tiles = level.passable("fly") | level.passable("walk")
    for x, y in places(open_tiles & beside(level.terrain == 0, edge=True)):
        yield problem(closed_walls, f"tile {x},{y}", "opens onto void")


def ground_in_rooms(level: Level) -> Iterator[Problem]:
    """Check that every tile but void belongs to a room or hallway, or is a wall that touches a hallway."""
    hallways = hallway_tiles(level)
    stray = (level.terrain != 0) & (owners(level) < 0) & ~hallways
    if stray.any():
        stray &= (level.terrain != terrain_number(level, "wall")) | ~around(hallways)
    for x, y in places(stray):
        name = level.terrain_kinds[level.terrain[y, x]].name
        yield problem(ground_in_rooms, f"tile {x},{y}", f"is {name} outside all rooms and hallways")


def walls_round_rooms(level: Level) -> Iterator[Problem]:
    """Check that a room's outermost tiles are wall or door, and no tile inside or by a hallway is void."""
    owner, terrain = owners(level), level.terrain
    wide = np.pad(owner, 1, constant_values=-1)
    height, width = owner.shape
    is_inside = np.ones(owner.shape, bool)
    for dy in range(3):
        for dx in range(3):
            if (dx, dy) != (1, 1):
                is_inside &= wide[dy : dy + height, dx : dx + width] == owner
    is_wall = (terrain == terrain_number(level, "wall")) | (terrain == terrain_number(level, "door"))
    for x, y in places((owner >= 0) & ~is_inside & ~is_wall):
        name = level.terrain_kinds[terrain[y, x]].name
        yield problem(walls_round_rooms, f"tile {x},{y}", f"is {name} in the wall of room {owner[y, x]}")
    for x, y in places((owner >= 0) & is_inside & (terrain == 0)):
        yield problem(walls_round_rooms, f"tile {x},{y}", f"is void inside room {owner[y, x]}")
    hallways = hallway_tiles(level)
    if level.hallways:
        for x, y in places(around(hallways) & (terrain == 0)):
            yield problem(walls_round_rooms, f"tile {x},{y}", "is void beside a hallway")


def things_apart(level: Level) -> Iterator[Problem]:
    """Check that no tile is covered by two pieces of decor."""
    covers = np.zeros(level.decor.shape, np.uint8)
    for number in np.unique(level.decor[level.decor > 0]).tolist():
        kind = level.decor_kinds[number]
        ys, xs = np.nonzero(level.decor == number)
        for dy in range(kind.height):
            for dx in range(kind.width):
                covers[ys + dy, xs + dx] += 1
    for x, y in places(covers > 1):
        yield problem(things_apart, f"tile {x},{y}", "is covered by two things")


def things_on_ground(level: Level) -> Iterator[Problem]:
    """Check that what hangs is on walls, other decor on walkable terrain except doors."""
    stands = [kind.walk and kind.name != "door" for kind in level.terrain_kinds]
    hangs = [kind.name == "wall" for kind in level.terrain_kinds]
    fits = np.array([hangs if kind.name in HUNG else stands for kind in level.decor_kinds])
    fits[0] = True
    for x, y in places(~fits[level.covered, level.terrain]):
        decor = level.decor_kinds[level.covered[y, x]].name
        message = f"there is a {decor} on {level.terrain_kinds[level.terrain[y, x]].name}"
        yield problem(things_on_ground, f"tile {x},{y}", message)
