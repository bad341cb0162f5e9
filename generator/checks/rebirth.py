"""What holds for levels of the `rebirth` style: the rules of rebirth-wiki and isaac-facts, by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.checks.base import Problem, check, problem
from generator.floorplans.rebirth.counts import counts
from generator.floorplans.rebirth.growth import SIZE, START
from generator.floorplans.rebirth.seeds import code_of, start_seed_of
from generator.floorplans.rebirth.special_rooms import kinds_allowed
from generator.geometry import Point, Side
from generator.level import Door, Level, Room
from generator.shapes import SHAPES
from generator.spec import RebirthSpec

_BOSS_SHAPES = frozenset({"1x1", "2x1", "1x2", "2x2"})
_SHUNNED = frozenset({"boss", "secret", "super_secret"})  # no secret room's neighbours
_NO_START_STAGE = 11  # nor is the start here, and nothing is above it
_SIDES = {side.label: side for side in Side}

Opening = tuple[Point, Side]


@check
def cells_fit_shapes(level: Level) -> Iterator[Problem]:
    """A room's cells are those of its shape, in its order, on the grid; the start is in the middle."""
    if not isinstance(level.spec, RebirthSpec):
        return
    for room in level.rooms:
        place, shape = f"room {room.id}", SHAPES.get(room.shape)
        if shape is None:
            yield problem(cells_fit_shapes, place, f"is of no shape that there is: {room.shape}")
        elif list(room.cells) != [_plus(_anchor(room), cell) for cell in shape.cells]:
            yield problem(cells_fit_shapes, place, f"its cells {list(room.cells)} are no {room.shape}")
        if not all(0 <= x < SIZE and 0 <= y < SIZE for x, y in room.cells):
            yield problem(cells_fit_shapes, place, f"lies off the grid of {SIZE} x {SIZE} cells")
        if room.kind == "start" and room.cells != (START,):
            yield problem(cells_fit_shapes, place, f"the start is not on cell {list(START)}")
        if level.spec.stage == _NO_START_STAGE and (START[0], START[1] - 1) in room.cells:
            yield problem(cells_fit_shapes, place, "stands above the start, where the game has a door")


@check
def doors_where_slots_meet(level: Level) -> Iterator[Problem]:
    """A door is wherever door slots of two rooms meet, and nowhere else: not at a narrow room's long side."""
    if not isinstance(level.spec, RebirthSpec) or level.grid is None:
        return
    owners = _owners(level)
    openings = {opening: room.id for room in level.rooms for opening in _openings(room)}
    expected = {
        (cell, side): (room, owners[there])
        for (cell, side), room in openings.items()
        if (there := _over(cell, side)) in owners and (there, side.opposite) in openings
    }
    found = set()
    for door in level.doors:
        opening = _opening_of(level, door)
        if expected.get(opening) != door.rooms:
            what = f"joins rooms {list(door.rooms)} where no slots of theirs meet"
            yield problem(doors_where_slots_meet, f"door {door.id}", what)
        found |= {opening, (_over(*opening), opening[1].opposite)}
    for cell, side in expected.keys() - found:
        if side in (Side.EAST, Side.SOUTH):  # each is there twice
            what = f"rooms {list(expected[cell, side])} meet over its {side.label} side without a door"
            yield problem(doors_where_slots_meet, f"cell {list(cell)}", what)


@check
def special_rooms_are_single_cells(level: Level) -> Iterator[Problem]:
    """A special room is a single cell; boss rooms may be 2x1, 1x2 or 2x2, normal ones of any shape."""
    if not isinstance(level.spec, RebirthSpec):
        return
    for room in level.rooms:
        allowed = _BOSS_SHAPES if room.kind == "boss" else {"1x1"}
        if room.kind != "normal" and room.shape not in allowed:
            what = f"the {room.kind} room is a {room.shape}"
            yield problem(special_rooms_are_single_cells, f"room {room.id}", what)


@check
def bosses_are_deep(level: Level) -> Iterator[Problem]:
    """A boss room is more than one room deep in the tree; a labyrinth's two share a door."""
    if not isinstance(level.spec, RebirthSpec):
        return
    for room in level.rooms:
        if room.kind == "boss" and room.depth < 2:
            yield problem(bosses_are_deep, f"room {room.id}", f"is a boss room of depth {room.depth}")
    if level.facts.get("curse") == "labyrinth" and not any(
        all(room is not None and level.rooms[room].kind == "boss" for room in door.rooms)
        for door in level.doors
    ):
        yield problem(bosses_are_deep, "rooms", "no two boss rooms of the labyrinth share a door")


@check
def secret_rooms_away_from_bosses(level: Level) -> Iterator[Problem]:
    """A secret room is beside no boss, secret or super secret room, nor beside the start of stage 11.

    It has a door to every room that it touches. A super secret room touches one room alone.
    """
    if not isinstance(level.spec, RebirthSpec):
        return
    shunned = _SHUNNED | {"start"} if level.spec.stage == _NO_START_STAGE else _SHUNNED
    owners, joined = _owners(level), {frozenset(door.rooms) for door in level.doors}
    for room in level.rooms:
        place, others = f"room {room.id}", _touching(level, room, owners)
        for other in others if room.kind == "secret" else ():
            if other.kind in shunned:
                what = f"is a secret room beside the {other.kind} room {other.id}"
                yield problem(secret_rooms_away_from_bosses, place, what)
            elif frozenset((room.id, other.id)) not in joined:
                what = f"is a secret room without a door to room {other.id}, which it touches"
                yield problem(secret_rooms_away_from_bosses, place, what)
        if room.kind == "super_secret" and len(others) != 1:
            what = f"is a super secret room beside {len(others)} rooms"
            yield problem(secret_rooms_away_from_bosses, place, what)


@check
def ultra_secret_rooms_alone(level: Level) -> Iterator[Problem]:
    """An ultra secret room touches no room and has no door; a room is two steps away."""
    if not isinstance(level.spec, RebirthSpec):
        return
    owners, joined = _owners(level), {room for door in level.doors for room in door.rooms}
    for room in level.rooms:
        if room.kind != "ultra_secret":
            continue
        touching = [other.id for other in _touching(level, room, owners)]
        if touching or room.id in joined:
            what = f"is an ultra secret room that touches or joins another: {touching}"
            yield problem(ultra_secret_rooms_alone, f"room {room.id}", what)
        near = (_over(_over(cell, one), other) for cell in room.cells for one in Side for other in Side)
        if not any(owners.get(cell, room.id) != room.id for cell in near):
            what = "is an ultra secret room with no room two steps away"
            yield problem(ultra_secret_rooms_alone, f"room {room.id}", what)


@check
def rooms_as_rules_allow(level: Level) -> Iterator[Problem]:
    """There are as many rooms of each kind as stage, edition, curse and state allow, and all that must be."""
    if not isinstance(level.spec, RebirthSpec):
        return
    labyrinth = level.facts.get("curse") == "labyrinth"
    allowed = kinds_allowed(level.spec, labyrinth, level.seed)
    found = Counter(room.kind for room in level.rooms if room.kind not in ("start", "normal"))
    for kind in sorted({*found, *allowed}):
        least, most = allowed.get(kind, (0, 0))
        if not least <= found[kind] <= most:
            what = f"there are {found[kind]} rooms of the kind {kind}, not {least} to {most}"
            yield problem(rooms_as_rules_allow, "rooms", what)


@check
def facts_follow_from_the_seed(level: Level) -> Iterator[Problem]:
    """Curse, seed code, generator seed and number of rooms are those that the game draws from the seed."""
    if not isinstance(level.spec, RebirthSpec):
        return
    start_seed = start_seed_of(level.seed)
    if not start_seed:
        yield problem(facts_follow_from_the_seed, "seed", "has no low 32 bits, which the game starts from")
        return
    numbers = counts(level.spec, start_seed)
    expected = {
        "curse": numbers.curse,
        "edition": level.spec.edition,
        "seed_code": code_of(start_seed),
        "generator_seed": numbers.generator_seed,
        "target_rooms": numbers.rooms,
    }
    for name, one in expected.items():
        if level.facts.get(name) != one:
            what = f"{name} is {level.facts.get(name)}, the seed gives {one}"
            yield problem(facts_follow_from_the_seed, "facts", what)
    grown = sum(room.kind not in ("secret", "ultra_secret") for room in level.rooms)
    if grown <= numbers.rooms:
        what = f"{grown} rooms grew, not {numbers.rooms} and the start"
        yield problem(facts_follow_from_the_seed, "rooms", what)


# --- what they look at ---------------------------------------------------------------------------------


def _plus(a: Point, b: Point) -> Point:
    return a[0] + b[0], a[1] + b[1]


def _over(cell: Point, side: Side) -> Point:
    return cell[0] + side.dx, cell[1] + side.dy


def _anchor(room: Room) -> Point:
    """The top left cell of the shape's bounding box; any point for a room without cells."""
    if not room.cells:
        return 0, 0
    (x, y), (dx, dy) = room.cells[0], SHAPES[room.shape].cells[0]
    return x - dx, y - dy


def _openings(room: Room) -> list[Opening]:
    """The cells and sides where a room may have doors."""
    if room.shape not in SHAPES:
        return []
    return [(_plus(_anchor(room), cell), side) for cell, side in SHAPES[room.shape].slots.values()]


def _opening_of(level: Level, door: Door) -> Opening:
    """The cell of a door's first room, by the tile where the door begins, and its side."""
    assert level.grid is not None
    (x, y), (left, top), (width, height) = door.tiles[0], level.grid.origin, level.grid.cell_size
    return ((x - left) // width, (y - top) // height), _SIDES[door.side]


def _owners(level: Level) -> dict[Point, int]:
    return {cell: room.id for room in level.rooms for cell in room.cells}


def _touching(level: Level, room: Room, owners: dict[Point, int]) -> list[Room]:
    """The rooms that share a side with one, in the order of their numbers."""
    around = {_over(cell, side) for cell in room.cells for side in Side}
    return [
        level.rooms[other] for other in sorted({owners[cell] for cell in around & owners.keys()} - {room.id})
    ]
