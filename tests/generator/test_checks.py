"""Every check finds what it is there to find, and nothing in a sound level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import GungeonSpec, Level, generate
from generator.checks import CHECKS, problems
from generator.kinds import DECOR_IDS, FLOOR, WALL

from . import broken_rebirth

LEVEL = generate("isaac", 7)
HEAP = generate("gungeon", 7)


def with_terrain(change: Callable[[np.ndarray[tuple[int, int], np.dtype[np.uint8]]], object]) -> Level:
    terrain = LEVEL.terrain.copy()
    change(terrain)
    return replace(LEVEL, terrain=terrain)


def with_room(number: int, **values: object) -> Level:
    rooms = [replace(room, **values) if room.id == number else room for room in LEVEL.rooms]  # type: ignore[arg-type]
    return replace(LEVEL, rooms=tuple(rooms))


def with_door(number: int, **values: object) -> Level:
    doors = [replace(door, **values) if door.id == number else door for door in LEVEL.doors]  # type: ignore[arg-type]
    return replace(LEVEL, doors=tuple(doors))


def room_of(kind: str) -> int:
    return next(room.id for room in LEVEL.rooms if room.kind == kind)


def door_of(kind: str) -> int:
    return next(door.id for door in LEVEL.doors if door.kind == kind)


def shut_in_boss() -> Level:
    door = LEVEL.doors[door_of("boss")]
    decor = LEVEL.decor.copy()
    for x, y in door.tiles:
        decor[y, x] = DECOR_IDS["rock"]
    return replace(LEVEL, decor=decor)


def door_beside_start() -> Level:
    return with_room(next(door.rooms[1] for door in LEVEL.doors if door.rooms[0] == 0) or 1, kind="boss")


def enemy_at_door() -> Level:
    """One step to the side of the tile in front of a door of room 0."""
    side, (x, y) = LEVEL.doors[0].side, LEVEL.doors[0].tiles[0]
    dx, dy = {"east": (-1, 1), "south": (1, -1)}[side]
    enemy = replace(LEVEL.markers[0], id=len(LEVEL.markers), kind="enemy", x=x + dx, y=y + dy, room=0)
    return replace(LEVEL, markers=(*LEVEL.markers, enemy))


def two_secrets() -> Level:
    door = LEVEL.doors[door_of("secret")]
    return with_room(
        next(room for room in door.rooms if room != room_of("secret") and room is not None), kind="secret"
    )


def with_hallway(number: int, **values: object) -> Level:
    ways = [replace(way, **values) if way.id == number else way for way in HEAP.hallways]  # type: ignore[arg-type]
    return replace(HEAP, hallways=tuple(ways))


def a_door_too_narrow() -> Level:
    """A hallway's door with a rock on one of its two tiles."""
    level = generate(GungeonSpec(body=2), 7)
    decor = level.decor.copy()
    x, y = level.doors[0].tiles[0]
    decor[y, x] = DECOR_IDS["rock"]
    return replace(level, decor=decor)


def way_through_the_boss() -> Level:
    """A second hallway that ends at the boss room's door."""
    room = next(room.id for room in HEAP.rooms if room.kind == "boss")
    door = next(door.id for door in HEAP.doors if room in door.rooms)
    way = replace(HEAP.hallways[0], id=len(HEAP.hallways), doors=(0, door))
    return replace(HEAP, hallways=(*HEAP.hallways, way))


def two_enemies_in_one_place() -> Level:
    enemy = next(marker for marker in HEAP.markers if marker.kind == "enemy")
    return replace(HEAP, markers=(*HEAP.markers, replace(enemy, id=len(HEAP.markers))))


def barrel_under_a_rug() -> Level:
    decor = HEAP.decor.copy()
    x, y = HEAP.rooms[0].bounds[:2]
    decor[y + 2, x + 2], decor[y + 3, x + 3] = DECOR_IDS["rug"], DECOR_IDS["barrel"]
    return replace(HEAP, decor=decor)


BROKEN: dict[str, Callable[[], Level]] = {
    "void-margin": lambda: with_terrain(lambda terrain: terrain.__setitem__((0, 0), WALL)),
    "one-start": lambda: with_room(0, kind="normal"),
    "rooms-apart": lambda: with_room(1, cells=LEVEL.rooms[2].cells),
    "closed-walls": lambda: with_terrain(lambda terrain: terrain.__setitem__((2, 20), FLOOR)),
    "doors-two-sided": lambda: with_door(0, tiles=LEVEL.doors[0].tiles[::-1]),
    "distances-walked": lambda: with_room(3, distance=9),
    "reached-on-foot": shut_in_boss,
    "markers-in-rooms": lambda: replace(LEVEL, markers=(*LEVEL.markers[:-1], replace(LEVEL.markers[-1], room=room_of("boss"), x=2, y=2))),
    "things-apart": barrel_under_a_rug,
    "enemies-away-from-doors": enemy_at_door,
    "boss-is-far": door_beside_start,
    "special-rooms-are-dead-ends": lambda: with_room(1, kind="library"),
    "secret-rooms-away-from-dead-ends": two_secrets,
    "hallways-apart": lambda: with_hallway(0, tiles=HEAP.hallways[1].tiles),
    "hallways-join-doors": lambda: with_hallway(0, tiles=HEAP.hallways[0].tiles[:3]),
    "body-gets-everywhere": a_door_too_narrow,
    "rooms-off-the-way": way_through_the_boss,
    "loops-as-facts-say": lambda: replace(HEAP, hallways=HEAP.hallways[:-1]),
    "enemies-apart": two_enemies_in_one_place,
}  # fmt: skip


def test_a_sound_level_has_no_problems() -> None:
    assert problems(LEVEL) == problems(HEAP) == problems(broken_rebirth.level()) == []


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_finds_its_problem(name: str) -> None:
    for broken in broken_rebirth.BROKEN.get(name) or (BROKEN[name],):
        found = [problem for problem in problems(broken()) if problem.check == name]
        assert found, name
        assert all(str(problem).endswith(f"[{name}]") and "\n" not in str(problem) for problem in found)


@given(
    st.integers(0, 2**64 - 1),
    st.integers(1, 10),
    st.sampled_from([1, 3, 5]),
    st.sampled_from(["none", "labyrinth"]),
)
@settings(max_examples=60)
def test_every_level_is_sound(seed: int, stage: int, door_width: int, curse: str) -> None:
    assert problems(generate("isaac", seed, stage=stage, door_width=door_width, curse=curse)) == []


@given(
    st.integers(1, 2**32 - 1),
    st.integers(1, 12),
    st.sampled_from([1, 3, 5]),
    st.sampled_from(["none", "labyrinth", "lost", "giant", "random"]),
    st.booleans(),
)
@settings(max_examples=60)
def test_every_level_of_the_remake_is_sound(
    seed: int, stage: int, door_width: int, curse: str, hard: bool
) -> None:
    level = generate(
        "rebirth", seed, stage=stage, door_width=door_width, curse=curse, hard=hard, large_bosses=50
    )
    assert problems(level) == []


@given(
    st.integers(0, 2**64 - 1),
    st.integers(1, 30),
    st.sampled_from([1, 2, 3, 5]),
    st.sampled_from(["strip", "square", "disc"]),
    st.integers(0, 100),
)
@settings(max_examples=60)
def test_every_heap_is_sound(seed: int, rooms: int, hallway_width: int, drop: str, roughness: int) -> None:
    level = generate(
        GungeonSpec(rooms=rooms, hallway_width=hallway_width, drop=drop, roughness=roughness), seed
    )
    assert problems(level) == []


def test_a_level_without_rooms_has_problems_and_no_traceback() -> None:
    bare = replace(LEVEL, rooms=(), doors=(), markers=())
    assert {problem.check for problem in problems(bare)} == {"one-start"}
