"""The invariants of levels of the `rebirth` style: the rules of rebirth-wiki and isaac-facts, by name."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from generator.checks.base import Check, Problem, problem
from generator.checks.record import wrong_facts
from generator.geometry import Point, Side
from generator.level import Level, Property, Room
from generator.shapes import SHAPES
from generator.styles.grid.checks import CHECKS as GRID_CHECKS
from generator.styles.grid.checks import (
    chapter_name,
    count_problems,
    depth_problems,
    difficulties_check,
    over,
    owners_of,
    with_own_rules,
)
from generator.styles.rebirth.growth import SIZE, START, counts
from generator.styles.rebirth.seeds import code_of, start_seed_of
from generator.styles.rebirth.spec import RebirthSpec
from generator.styles.rebirth.special_rooms import (
    CLOSETS,
    closet_kinds,
    difficulties_of,
    kinds_allowed,
    own_rules,
)

_BOSS_SHAPES = frozenset({"1x1", "2x1", "1x2", "2x2"})
_SHUNNED = frozenset({"boss", "secret", "super_secret"})  # never beside a secret room
_ON_TOP = frozenset({"secret", "ultra_secret", "red"})  # added to the rooms that grew
_NOT_BESIDE_RED = _SHUNNED | {"curse"}
_NO_START_STAGE = 11  # here the start is not beside a secret room either, and nothing is above it


def rooms_on_the_grid(level: Level) -> Iterator[Problem]:
    """Check that rooms lie on 13 x 13 cells, the start in the middle, and nothing above it on stage 11."""
    assert isinstance(level.spec, RebirthSpec)
    for room in level.rooms:
        subject = f"room {room.id}"
        if not all(0 <= x < SIZE and 0 <= y < SIZE for x, y in room.cells):
            yield problem(rooms_on_the_grid, subject, f"is off the grid of {SIZE} x {SIZE} cells")
        if room.kind == "start" and room.cells != (START,):
            yield problem(rooms_on_the_grid, subject, f"the start is not on cell {list(START)}")
        if level.spec.stage == _NO_START_STAGE and (START[0], START[1] - 1) in room.cells:
            yield problem(rooms_on_the_grid, subject, "is above the start, where the game has a door")


def special_rooms_are_single_cells(level: Level) -> Iterator[Problem]:
    """Check that special rooms are single cells. Some kinds may be narrow, and boss rooms may be large.

    A kit's special rooms may have any shape that their row allows.
    """
    for room in level.rooms:
        allowed = _BOSS_SHAPES if room.kind == "boss" else {"1x1"}
        if room.kind in closet_kinds(level.kinds):
            allowed = {"1x1", *CLOSETS}
        elif room.kind != "boss" and level.kinds.room(room.kind).has_shapes:
            allowed = set(SHAPES)
        if room.kind != "normal" and room.shape not in allowed:
            message = f"the {room.kind} room is a {room.shape}"
            yield problem(special_rooms_are_single_cells, f"room {room.id}", message)


def bosses_are_deep(level: Level) -> Iterator[Problem]:
    """Check that boss rooms are more than one room deep, and that a labyrinth's two share a door."""
    for room in level.rooms:
        if room.kind == "boss" and room.depth < 2:
            yield problem(bosses_are_deep, f"room {room.id}", f"is a boss room of depth {room.depth}")
    if level.facts.get("curse") == "labyrinth" and not any(
        all(room is not None and level.rooms[room].kind == "boss" for room in door.rooms)
        for door in level.doors
    ):
        yield problem(bosses_are_deep, "rooms", "the two boss rooms of the labyrinth do not share a door")


def secret_rooms_away_from_bosses(level: Level) -> Iterator[Problem]:
    """Check that no secret room is beside a boss, secret or super secret room, or stage 11's start.

    It has a door to every room that it touches. A super secret room touches exactly one room.
    """
    assert isinstance(level.spec, RebirthSpec)
    shunned = _SHUNNED | {"start"} if level.spec.stage == _NO_START_STAGE else _SHUNNED
    owners, joined = owners_of(level), {frozenset(door.rooms) for door in level.doors}
    for room in level.rooms:
        subject, neighbours = f"room {room.id}", _touching(level, room, owners)
        if room.kind == "secret":
            for message in _beside(room, neighbours, shunned, joined):
                yield problem(secret_rooms_away_from_bosses, subject, message)
        if room.kind == "super_secret" and len(neighbours) != 1:
            message = f"is a super secret room beside {len(neighbours)} rooms"
            yield problem(secret_rooms_away_from_bosses, subject, message)


def ultra_secret_rooms_alone(level: Level) -> Iterator[Problem]:
    """Check that an ultra secret room touches only red rooms, at least one."""
    owners = owners_of(level)
    for room in level.rooms:
        touching = [neighbour.kind for neighbour in _touching(level, room, owners)]
        if room.kind == "ultra_secret" and set(touching) != {"red"}:
            message = f"is an ultra secret room beside {' and '.join(touching) or 'no'} rooms, not red ones"
            yield problem(ultra_secret_rooms_alone, f"room {room.id}", message)


def red_rooms_lead_on(level: Level) -> Iterator[Problem]:
    """Check that a red room joins an ultra secret room to others, and has a door to each room it touches.

    None of these is a boss, curse, secret or super secret room. Wherever a single cell would join such rooms,
    there is a red room.
    """
    owners, joined = owners_of(level), {frozenset(door.rooms) for door in level.doors}
    ultra = {cell for room in level.rooms if room.kind == "ultra_secret" for cell in room.cells}
    for room in level.rooms:
        subject, neighbours = f"room {room.id}", _touching(level, room, owners)
        kinds = [neighbour.kind for neighbour in neighbours]
        if room.kind == "red" and not ("ultra_secret" in kinds and len(kinds) > 1):
            message = f"is a red room beside {' and '.join(kinds) or 'no'} rooms, and joins nothing"
            yield problem(red_rooms_lead_on, subject, message)
        if room.kind == "red":
            for message in _beside(room, neighbours, _NOT_BESIDE_RED, joined):
                yield problem(red_rooms_lead_on, subject, message)
        if room.kind == "ultra_secret":
            for cell in [over(own_cell, side) for own_cell in room.cells for side in Side]:
                if cell not in owners and any(over(cell, side) in owners.keys() - ultra for side in Side):
                    message = f"there is no red room on {list(cell)}, which is between it and another room"
                    yield problem(red_rooms_lead_on, subject, message)


def rooms_as_rules_allow(level: Level) -> Iterator[Problem]:
    """There are as many rooms of each kind as stage, edition, curse and state allow and demand."""
    assert isinstance(level.spec, RebirthSpec)
    if level.spec.rules_at_hand() is None:
        return
    labyrinth = level.facts.get("curse") == "labyrinth"
    allowed = kinds_allowed(level.spec, labyrinth, level.seed)
    rules = own_rules(level.spec, labyrinth, level.seed)
    yield from count_problems(rooms_as_rules_allow, level, with_own_rules(allowed, rules))


def facts_follow_from_the_seed(level: Level) -> Iterator[Problem]:
    """Curse, seed code, generator seed, chapter and number of rooms follow from the seed."""
    assert isinstance(level.spec, RebirthSpec)
    start_seed = start_seed_of(level.seed)
    if not start_seed:
        yield problem(
            facts_follow_from_the_seed, "seed", "the low 32 bits, which the game starts from, are 0"
        )
        return
    numbers = counts(level.spec, start_seed)
    expected: dict[str, Property | None] = {
        "curse": numbers.curse,
        "edition": level.spec.edition,
        "seed_code": code_of(start_seed),
        "generator_seed": numbers.generator_seed,
        "target_rooms": numbers.rooms,
        "chapter": chapter_name(level),
    }
    for message in wrong_facts(level, expected):
        yield problem(facts_follow_from_the_seed, "facts", message)
    grown = sum(room.kind not in level.kinds.secret_rooms - {"super_secret"} for room in level.rooms)
    if grown <= numbers.rooms:
        message = f"{grown} rooms grew, not {numbers.rooms} and the start"
        yield problem(facts_follow_from_the_seed, "rooms", message)


def _beside(
    room: Room, neighbours: Iterable[Room], shunned: Container[str], joined: Container[frozenset[int | None]]
) -> Iterator[str]:
    """Say which of the rooms beside a room are of a kind that it avoids, or have no door to it."""
    for neighbour in neighbours:
        if neighbour.kind in shunned:
            yield f"is a {room.kind} room beside the {neighbour.kind} room {neighbour.id}"
        elif frozenset((room.id, neighbour.id)) not in joined:
            yield f"is a {room.kind} room without a door to room {neighbour.id}, which it touches"


def _touching(level: Level, room: Room, owners: dict[Point, int]) -> list[Room]:
    """List the rooms that share a side with one, in the order of their numbers."""
    around = {over(cell, side) for cell in room.cells for side in Side}
    return [
        level.rooms[number]
        for number in sorted({owners[cell] for cell in around & owners.keys()} - {room.id})
    ]


def depths_grow(level: Level) -> Iterator[Problem]:
    """Check that a room is one deeper than a room beside it that was placed before it.

    For a secret room it is the least deep one, and so for a red room, the ultra secret room aside; for an
    ultra secret room it is the least deep one two steps away.
    """

    def parents(room: Room, beside: list[Room]) -> list[Room]:
        if room.kind == "ultra_secret":
            beside = [neighbour for neighbour in level.rooms[: room.id] if _is_across(neighbour, room)]
        beside = [neighbour for neighbour in beside if neighbour.kind != "ultra_secret"]
        return (
            [min(beside, key=lambda neighbour: neighbour.depth)]
            if room.kind in _ON_TOP and beside
            else beside
        )

    yield from depth_problems(depths_grow, level, parents)


def _is_across(room: Room, neighbour: Room) -> bool:
    return any(abs(x - a) + abs(y - b) == 2 for x, y in room.cells for a, b in neighbour.cells)


CHECKS: tuple[Check, ...] = (
    *GRID_CHECKS,
    rooms_on_the_grid,
    special_rooms_are_single_cells,
    bosses_are_deep,
    secret_rooms_away_from_bosses,
    ultra_secret_rooms_alone,
    red_rooms_lead_on,
    rooms_as_rules_allow,
    facts_follow_from_the_seed,
    difficulties_check(difficulties_of),
    depths_grow,
)
