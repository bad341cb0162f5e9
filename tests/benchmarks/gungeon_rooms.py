"""How varied the rooms of `gungeon` levels are, and how they play: layouts, cover, lines of sight, silhouettes.

python tests/benchmarks/gungeon_rooms.py [LEVELS]
"""

from __future__ import annotations

import itertools
import statistics
import sys
from collections import Counter, defaultdict

import numpy as np
import numpy.typing as npt

from generator import generate
from generator.algorithms.board_drawing import line
from generator.geometry import Side
from generator.kinds import BRIDGE, DECOR_KINDS, DOOR, FLOOR, PIT, RUBBLE, VOID, WALL
from generator.level import Level, Room, passable, spread_decor
from generator.rng import Stream

PAIRS = 300  # of tiles a room, of which one sees the other or not
SIGHT, ELBOW = 7, 4  # tiles from an entrance: no shooter in sight, nobody at all
AFAR = ("shooter", "turret")

Mask = npt.NDArray[np.bool_]


def main(levels: int) -> None:
    """Print all figures over that many default levels."""
    made = [generate("gungeon", seed=seed) for seed in range(levels)]
    fights = [(level, room) for level in made for room in level.rooms if room.kind == "normal"]
    bosses = [(level, room) for level in made for room in level.rooms if room.kind == "boss"]
    names = Counter(room.layout.partition("+")[0] for level in made for room in level.rooms)
    print(f"{levels} levels, {len(fights)} fights")
    print(f"layouts seen: {len(names)}, drawn ones {sum('/' in name for name in names)}")
    print(f"share of fights by procedure: {share('/' not in room.layout for _, room in fights):.2f}")
    print(f"layouts within two rooms of themselves: {sum(map(near_repeats, made))}")
    sights = [clear_shots(level, room, number) for number, (level, room) in enumerate(fights)]
    print(f"clear shots: {statistics.mean(sights):.3f} of pairs of tiles")
    for name, which in (("drawn", True), ("procedure", False)):
        some = [
            sight for sight, (_, room) in zip(sights, fights, strict=True) if ("/" in room.layout) is which
        ]
        print(f"  {name}: {statistics.mean(some):.3f}" if some else f"  {name}: -")
    print(f"fights with pits or inner walls: {share(has_pit_or_wall(*fight) for fight in fights):.3f}")
    print(f"floor covered: {statistics.mean(covered(*fight) for fight in fights):.3f}")
    print(f"nobody in it: {share(not enemies(*fight) for fight in fights):.3f} of fights")
    print(
        f"somebody within {ELBOW} tiles of an entrance: {sum(crowded(*each) for each in fights + bosses)} rooms"
    )
    print(f"a shooter in sight of an entrance within {SIGHT}: {sum(shot_at(*each) for each in fights)} rooms")
    print(f"silhouettes of bosses overlap: {boss_overlap(bosses):.3f}")


def share(some: object) -> float:
    """How many of some truths are true."""
    return statistics.mean(map(bool, some))  # type: ignore[call-overload, no-any-return]


def near_repeats(level: Level) -> int:
    """Pairs of rooms with the same drawn layout at most two hallways apart."""
    beside: dict[int, set[int]] = defaultdict(set)
    for way in level.hallways:
        a, b = (level.doors[door].rooms[0] for door in way.doors)
        assert a is not None and b is not None
        beside[a].add(b)
        beside[b].add(a)
    files = [room.layout.partition("+")[0] for room in level.rooms]
    pairs = set()
    for room in range(len(level.rooms)):
        near = beside[room] | {other for each in beside[room] for other in beside[each]}
        pairs |= {(room, other) for other in near if room < other and files[room] == files[other]}
    return sum("/" in files[a] for a, _ in pairs)


def inside(level: Level, room: Room) -> tuple[Mask, npt.NDArray[np.uint8]]:
    """[y, x]: where a room has floor, pit or the like, and its terrain."""
    terrain = level.terrain[room.bounds.slices]
    return ~np.isin(terrain, (VOID, WALL, DOOR)), terrain


def clear_shots(level: Level, room: Room, number: int) -> float:
    """How many pairs of floor tiles see each other."""
    covered = spread_decor(level.decor, DECOR_KINDS)[room.bounds.slices]
    terrain = level.terrain[room.bounds.slices]
    shots = passable(terrain, covered, "shoot").tolist()
    stands = passable(terrain, covered, "walk") & (terrain != DOOR)
    places = [(int(x), int(y)) for y, x in np.argwhere(stands)]
    stream = Stream(number, "pairs")
    clear = 0
    for _ in range(PAIRS):
        a, b = stream.pick(places), stream.pick(places)
        clear += all(shots[y][x] for x, y in line(a, b))
    return clear / PAIRS


def has_pit_or_wall(level: Level, room: Room) -> bool:
    """Whether there are pits, or walls that the outline does not touch, in a room."""
    _, terrain = inside(level, room)
    if (terrain == PIT).any():
        return True
    return bool(inner_walls(terrain).any())


def inner_walls(terrain: npt.NDArray[np.uint8]) -> Mask:
    """[y, x]: walls that are not joined to the outermost ones."""
    from scipy.ndimage import label

    solid = np.pad(np.isin(terrain, (VOID, WALL, DOOR)), 1, constant_values=True)
    pieces, _ = label(solid)
    return (solid & (pieces != pieces[0, 0]))[1:-1, 1:-1]


def covered(level: Level, room: Room) -> float:
    """How much of the floor has something on it."""
    _, terrain = inside(level, room)
    things = spread_decor(level.decor, DECOR_KINDS)[room.bounds.slices]
    floor = np.isin(terrain, (FLOOR, RUBBLE, BRIDGE))
    return float((things[floor] > 0).mean())


def enemies(level: Level, room: Room) -> list[tuple[int, int, str]]:
    """Where they stand, and their roles."""
    return [
        (marker.x, marker.y, str(marker.properties.get("role", marker.kind)))
        for marker in level.markers
        if marker.room == room.id and marker.kind in ("enemy", "boss")
    ]


def entrances(level: Level, room: Room) -> list[tuple[int, int]]:
    """The tiles inside of a room's doors."""
    found = []
    for door in level.doors:
        if door.rooms[0] == room.id:
            side = Side.named(door.side)
            found += [(x - side.dx, y - side.dy) for x, y in door.tiles]
    return found


def crowded(level: Level, room: Room) -> bool:
    """Whether somebody stands within four tiles of a tile inside of a door."""
    ways = entrances(level, room)
    return any(abs(x - i) + abs(y - j) <= ELBOW for x, y, _ in enemies(level, room) for i, j in ways)


def shot_at(level: Level, room: Room) -> bool:
    """Whether a shooter sees a tile inside of a door, near by."""
    shots = passable(level.terrain, spread_decor(level.decor, DECOR_KINDS), "shoot")
    for x, y, role in enemies(level, room):
        if role not in AFAR:
            continue
        for place in entrances(level, room):
            if max(abs(x - place[0]), abs(y - place[1])) <= SIGHT and all(
                shots[j, i] for i, j in line((x, y), place)
            ):
                return True
    return False


def boss_overlap(bosses: list[tuple[Level, Room]]) -> float:
    """The mean of intersection by union of two rooms' insides, laid middle on middle; of all pairs."""
    size = 80
    pictures = []
    for level, room in bosses[:60]:
        mask, _ = inside(level, room)
        picture = np.zeros((size, size), bool)
        y, x = (size - mask.shape[0]) // 2, (size - mask.shape[1]) // 2
        picture[y : y + mask.shape[0], x : x + mask.shape[1]] = mask
        pictures.append(picture)
    return statistics.mean((a & b).sum() / (a | b).sum() for a, b in itertools.combinations(pictures, 2))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
