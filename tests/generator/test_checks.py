"""Every check finds what it is there to find, and nothing in a sound level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import Level, generate
from generator.checks import CHECKS, problems
from generator.kinds import DECOR_IDS, FLOOR, WALL

LEVEL = generate("isaac", 7)


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


def two_secrets() -> Level:
    door = LEVEL.doors[door_of("secret")]
    return with_room(
        next(room for room in door.rooms if room != room_of("secret") and room is not None), kind="secret"
    )


BROKEN: dict[str, Callable[[], Level]] = {
    "void-margin": lambda: with_terrain(lambda terrain: terrain.__setitem__((0, 0), WALL)),
    "one-start": lambda: with_room(0, kind="normal"),
    "rooms-apart": lambda: with_room(1, cells=LEVEL.rooms[2].cells),
    "closed-walls": lambda: with_terrain(lambda terrain: terrain.__setitem__((2, 20), FLOOR)),
    "doors-two-sided": lambda: with_door(0, tiles=LEVEL.doors[0].tiles[::-1]),
    "distances-walked": lambda: with_room(3, distance=9),
    "reached-on-foot": shut_in_boss,
    "markers-in-rooms": lambda: replace(LEVEL, markers=(*LEVEL.markers[:-1], replace(LEVEL.markers[-1], room=room_of("boss"), x=2, y=2))),
    "boss-is-far": door_beside_start,
    "special-rooms-are-dead-ends": lambda: with_room(1, kind="library"),
    "secret-rooms-away-from-dead-ends": two_secrets,
}  # fmt: skip


def test_a_sound_level_has_no_problems() -> None:
    assert problems(LEVEL) == []


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_finds_its_problem(name: str) -> None:
    found = [problem for problem in problems(BROKEN[name]()) if problem.check == name]
    assert found, name
    assert all(str(problem).endswith(f"[{name}]") and "\n" not in str(problem) for problem in found)


@given(
    st.integers(0, 2**64 - 1),
    st.integers(1, 10),
    st.sampled_from([1, 3, 5]),
    st.sampled_from(["none", "labyrinth"]),
)
@settings(max_examples=60, deadline=None)
def test_every_level_is_sound(seed: int, stage: int, door_width: int, curse: str) -> None:
    assert problems(generate("isaac", seed, stage=stage, door_width=door_width, curse=curse)) == []


def test_a_level_without_rooms_has_problems_and_no_traceback() -> None:
    bare = replace(LEVEL, rooms=(), doors=(), markers=())
    assert {problem.check for problem in problems(bare)} == {"one-start"}
