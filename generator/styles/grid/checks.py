"""The invariants of levels of both grid styles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from generator.checks.base import (
    Check,
    Problem,
    connections,
    halves,
    is_as_generated,
    owners,
    problem,
    terrain_number,
    wrong_rooms,
)
from generator.checks.encounters import (
    bosses_are_of_the_kit,
    budget_problems,
    fair_at_the_door,
    fights_have_enemies,
    roster_problems,
)
from generator.checks.markers import markers_are_known, markers_suit_rooms
from generator.checks.record import wrong_difficulties
from generator.encounters.budget import budget_of
from generator.errors import shown
from generator.geometry import Point, Side
from generator.interiors.layouts import OWN, Layout
from generator.interiors.pools import Form, shipped
from generator.kinds import BRIDGE, DIFFICULTIES, Kinds
from generator.kinds.chapters import Chapter, chapter_of_stage
from generator.level import MARGIN, Door, Level, Property, Room
from generator.shapes import SHAPES, Slot
from generator.styles.gates import gate_facts, gate_of, is_paid
from generator.styles.grid.furnish import room_places
from generator.styles.grid.gates import PlanDice
from generator.styles.grid.pools import chapter_of
from generator.styles.grid.spec import GatePlan, GridSpec
from generator.styles.grid.special_rooms import SpecialRoom, door_kinds

# The cells and sides of a grid level's doors, for checks.


CellSide = tuple[Point, Side]


def plus(a: Point, b: Point) -> Point:
    """Add two points."""
    return a[0] + b[0], a[1] + b[1]


def over(cell: Point, side: Side) -> Point:
    """Return the cell beyond a side."""
    return cell[0] + side.dx, cell[1] + side.dy


def anchor(room: Room) -> Point:
    """Return the top left cell of the shape's bounding box, or any point for a room without cells."""
    shape = SHAPES.get(room.shape)
    if not room.cells or shape is None:
        return 0, 0
    (x, y), (dx, dy) = room.cells[0], shape.cells[0]
    return x - dx, y - dy


def openings_of(room: Room) -> list[CellSide]:
    """List the cells and sides where a room may have doors."""
    if room.shape not in SHAPES:
        return []
    return [(plus(anchor(room), cell), side) for cell, side in SHAPES[room.shape].slots.values()]


def opening_of(level: Level, door: Door) -> CellSide | None:
    """Return the cell of a door's first room, by the tile where the door begins, and its side."""
    if level.grid is None or not door.tiles:
        return None
    (x, y), (left, top), (width, height) = door.tiles[0], level.grid.origin, level.grid.cell_size
    return ((x - left) // width, (y - top) // height), Side.named(door.side)


def owners_of(level: Level) -> dict[Point, int]:
    """Map each cell to the room on it."""
    return {cell: room.id for room in level.rooms for cell in room.cells}


def slots_of(level: Level) -> list[frozenset[Slot]]:
    """Return each room's doors: cells, counted from the corner of its bounding box, and their sides."""
    slots: list[set[Slot]] = [set() for _ in level.rooms]
    for door in level.doors:
        opening = opening_of(level, door)
        if opening is not None and door.rooms[1] is not None:
            cell, side = opening
            for room, (x, y), out in (
                (door.rooms[0], cell, side),
                (door.rooms[1], over(cell, side), side.opposite),
            ):
                left, top = anchor(level.rooms[room])
                slots[room].add(((x - left, y - top), out))
    return [frozenset(room_slots) for room_slots in slots]


# The invariants of the enemies in levels on a grid.


def chapter_at_hand(level: Level) -> Chapter | None:
    """Return the level's chapter, or None if the level has only the digest of the kit that it belongs to."""
    assert isinstance(level.spec, GridSpec)
    return chapter_of(level.spec, level.seed) if level.spec.rules_at_hand() else None


def chapter_name(level: Level) -> str:
    """Return the name of the level's chapter, or what the level says if the rules are not at hand."""
    chapter = chapter_at_hand(level)
    return chapter.name if chapter else str(level.facts.get("chapter"))


def enemies_of_the_roster(level: Level) -> Iterator[Problem]:
    """Check that enemies are in the roster, and belong to the stage's chapter or an earlier one."""
    assert isinstance(level.spec, GridSpec)
    current = chapter_of_stage(level.spec.stage), chapter_name(level)
    yield from roster_problems(enemies_of_the_roster, level, [current] * len(level.rooms))


def encounters_within_budget(level: Level) -> Iterator[Problem]:
    """Check that the enemies of a room cost no more than its budget."""
    assert isinstance(level.spec, GridSpec)
    rules = level.spec.rules_at_hand()
    if rules is None:
        return
    ways = room_places([(room.kind, room.distance) for room in level.rooms], "")
    walked = level.passable("walk") & (owners(level) >= 0)
    budgets = []
    for room, room_place in zip(level.rooms, ways, strict=True):
        floor = int(np.count_nonzero(walked[room.bounds.slices]))
        budgets.append(budget_of(room.kind, level.spec.stage, room.difficulty, room_place.way, floor, rules))
    yield from budget_problems(encounters_within_budget, level, budgets)


def special_rooms_are_dead_ends(level: Level) -> Iterator[Problem]:
    """Check that a special room has one door, except for secret doors and a pair of boss rooms."""
    neighbours: dict[int, list[str]] = {room.id: [] for room in level.rooms}
    for a, b in connections(level):
        neighbours[a].append(level.rooms[b].kind)
        neighbours[b].append(level.rooms[a].kind)
    for room in level.rooms:
        row = level.kinds.rooms.get(room.kind)
        if room.kind in ("start", "normal") or (
            row and not row.off_the_way
        ):  # secret rooms are not off the way
            continue
        ways = [kind for kind in neighbours[room.id] if not (kind == room.kind == "boss")]
        if len(ways) > 1:
            message = f"the {room.kind} room has {len(ways)} doors"
            yield problem(special_rooms_are_dead_ends, f"room {room.id}", message)


def cells_fit_shapes(level: Level) -> Iterator[Problem]:
    """Check that a room's cells are those of its shape, in its order, and that its bounds enclose them."""
    for room in level.rooms:
        subject, shape = f"room {room.id}", SHAPES.get(room.shape)
        if shape is None:
            yield problem(cells_fit_shapes, subject, f"has an unknown shape: {room.shape}")
        elif list(room.cells) != [plus(anchor(room), cell) for cell in shape.cells]:
            yield problem(
                cells_fit_shapes, subject, f"its cells {list(room.cells)} do not form the shape {room.shape}"
            )
        if level.grid is not None and room.cells and level.grid.bounds(room.cells) != room.bounds:
            yield problem(
                cells_fit_shapes, subject, f"its bounds {list(room.bounds)} are not those of its cells"
            )


def cells_lie_in_frame(level: Level) -> Iterator[Problem]:
    """Check that cells have the spec's size, and that the level is what they cover plus a margin."""
    assert isinstance(level.spec, GridSpec)
    cells = [cell for room in level.rooms for cell in room.cells]
    if level.grid is None or level.grid.cell_size != level.spec.room_size:
        yield problem(cells_lie_in_frame, "grid", f"its cells are not of {list(level.spec.room_size)} tiles")
    elif cells:
        covered = level.grid.bounds(cells)
        if covered.shrunk(-MARGIN) != (0, 0, level.width, level.height):
            message = f"its cells cover {list(covered)} of {level.width} x {level.height} tiles"
            yield problem(cells_lie_in_frame, "grid", message)


def rooms_have_no_zone(level: Level) -> Iterator[Problem]:
    """Check that no room has a zone, unless a person gave it one."""
    for room in level.rooms if is_as_generated(level) else ():
        if room.zone:
            message = f"is in the zone {shown(room.zone)}, but levels of this style have none"
            yield problem(rooms_have_no_zone, f"room {room.id}", message)


def rooms_joined_by_doors(level: Level) -> Iterator[Problem]:
    """Check that each door joins two rooms, on the first one's east or south side, without hallways.

    A one-way door or a shortcut begins at a certain one of its rooms, on any side.
    """
    for door in level.doors:
        if door.rooms[1] is None or door.rooms[0] == door.rooms[1]:
            yield problem(rooms_joined_by_doors, f"door {door.id}", "does not join two rooms")
        if door.side not in ("east", "south") and not (door.one_way or door.opens_from is not None):
            yield problem(rooms_joined_by_doors, f"door {door.id}", f"its side is {door.side}")
    for hallway in level.hallways:
        yield problem(
            rooms_joined_by_doors,
            f"hallway {hallway.id}",
            "is in a level of a grid style, which has no hallways",
        )


def doors_where_slots_meet(level: Level) -> Iterator[Problem]:
    """Check that doors are exactly where door slots of two rooms meet. Narrow rooms' long sides have none."""
    if level.grid is None:
        return
    owners = owners_of(level)
    openings = {opening: room.id for room in level.rooms for opening in openings_of(room)}
    expected = {
        (cell, side): (room, owners[beyond])
        for (cell, side), room in openings.items()
        if (beyond := over(cell, side)) in owners and (beyond, side.opposite) in openings
    }
    seen = set()
    for door in level.doors:
        opening = opening_of(level, door)
        if opening is None or expected.get(opening) != door.rooms:
            message = f"joins rooms {list(door.rooms)} where they do not meet"
            yield problem(doors_where_slots_meet, f"door {door.id}", message)
            continue
        if opening in seen:
            yield problem(doors_where_slots_meet, f"door {door.id}", "is in the same place as another door")
        seen |= {opening, (over(*opening), opening[1].opposite)}
    for cell, side in expected.keys() - seen:
        if side in (Side.EAST, Side.SOUTH):  # each pair is there twice
            message = f"rooms {list(expected[cell, side])} meet over its {side.label} side without a door"
            yield problem(doors_where_slots_meet, f"cell {list(cell)}", message)


def rooms_that_touch_share_a_door(level: Level) -> Iterator[Problem]:
    """Check that two rooms side by side share a door, so that no room touches a narrow room's long side."""
    owners, joined = owners_of(level), {frozenset(door.rooms) for door in level.doors}
    touching = {
        frozenset((room, neighbour))
        for cell, room in owners.items()
        for side in (Side.EAST, Side.SOUTH)
        if (neighbour := owners.get(over(cell, side), room)) != room
    }
    for pair in sorted(sorted(rooms) for rooms in touching - joined):
        message = f"touches room {pair[1]}, but there is no door between them"
        yield problem(rooms_that_touch_share_a_door, f"room {pair[0]}", message)


def doors_in_the_middle(level: Level) -> Iterator[Problem]:
    """Check that a door is as wide as the spec says, in the middle of a cell's side."""
    assert isinstance(level.spec, GridSpec)
    (columns, rows), wide = level.spec.room_size, level.spec.door_width
    for door in level.doors:
        tiles, is_level = halves(door)[0], Side.named(door.side).is_vertical_way
        if level.grid is None or not tiles:
            continue
        (left, top), (x, y) = level.grid.origin, tiles[0]
        start = (x - left) % columns if is_level else (y - top) % rows
        if len(tiles) != wide or start != ((columns if is_level else rows) - wide) // 2:
            message = f"is not {wide} tiles wide in the middle of its cell's {door.side} side"
            yield problem(doors_in_the_middle, f"door {door.id}", message)


def doors_tell_of_rooms(level: Level) -> Iterator[Problem]:
    """Check that a door's kind follows from the special room that it leads to.

    Any door of a red room is red; any other door of a secret room is what the room's row says, or secret.
    What a door asks of the player comes first.
    """
    assert isinstance(level.spec, GridSpec)
    kinds = door_kinds(level.spec.stage, level.kinds)
    for door in level.doors:
        rooms = [level.rooms[room].kind for room in door.rooms if room is not None]
        hidden = [room for room in rooms if room in level.kinds.secret_rooms]
        usual = "secret" if hidden else "open"
        expected = next((kinds[room] for room in hidden or rooms if room in kinds), usual)
        if "red" in rooms:
            expected = "red"
        expected = gate_of(door, level.kinds) or expected
        if door.kind != expected:
            message = f"is {door.kind} between {' and '.join(rooms)}, not {expected}"
            yield problem(doors_tell_of_rooms, f"door {door.id}", message)


def gates_as_plan_says(level: Level) -> Iterator[Problem]:
    """Check that there are the locks, one-way doors and shortcuts that the spec and the seed give.

    Keys are either all alike, and used up, or each has a lock of its own. A person may change all that.
    """
    if level.is_by_hand:
        return
    counts = {
        "locks": sum(bool(door.needs) and not is_paid(door, level.kinds) for door in level.doors),
        "one_way": len({door.rooms[1] for door in level.doors if door.one_way}),
        "shortcuts": len({door.opens_from for door in level.doors} - {None}),
    }
    for (name, count), wanted in zip(counts.items(), _wanted(level), strict=True):
        if count != wanted:
            yield problem(gates_as_plan_says, f"plan.{name}", f"there are {count}, not {wanted}")
    alike = _rules(level).keys == "alike"
    paid = {name for needs in level.kinds.costs.values() for name in needs}
    keys = [
        marker
        for marker in level.markers
        if marker.kind == "key" and marker.properties.get("opens") not in paid
    ]
    for key in keys:
        if key.properties.get("consumed") is not alike:
            message = "is used up" if not alike else "is not used up"
            yield problem(gates_as_plan_says, f"marker {key.id}", f"this key {message}")
    if not alike and len({key.properties.get("opens") for key in keys}) < len(keys):
        yield problem(gates_as_plan_says, "plan.keys", "two keys open the same lock")


def _rules(level: Level) -> GatePlan:
    rules: GatePlan = getattr(level.spec, "plan", GatePlan())
    return rules


def _wanted(level: Level) -> tuple[int, int, int]:
    assert isinstance(level.spec, GridSpec)
    return PlanDice(level.seed, level.spec.stage, 0).counts(_rules(level))


def added_rooms(level: Level) -> int:
    """Count the rooms that one-way doors and shortcuts were given."""
    return sum(_wanted(level)[1:])


def ways_back(level: Level) -> int:
    """Count the doors of these rooms that lead to nearer rooms."""
    return sum(count for name in _WAYS_BACK if type(count := level.facts.get(name)) is int)


_WAYS_BACK = "one_ways", "shortcuts"


def plan_facts(level: Level) -> dict[str, Property]:
    """Return the facts of a level whose spec has a plan for its locks; none without one.

    What a person changed since is not counted.
    """
    if not _rules(level).asks:
        return {}
    counted: dict[str, Property] = {"shortcuts": 0, **gate_facts(level)}
    return {name: level.facts.get(name, 0) for name in counted} if level.is_by_hand else counted


def depth_problems(
    check: Check, level: Level, parents: Callable[[Room, list[Room]], list[Room]]
) -> Iterator[Problem]:
    """Report rooms whose depth is not one more than that of a possible parent. The start has depth 0.

    `parents` selects these, given a room and the rooms beside it that were placed before it, in their order.
    """
    beside: list[set[int]] = [set() for _ in level.rooms]
    for door in level.doors:
        a, b = door.rooms
        if b is not None:
            beside[max(a, b)].add(min(a, b))
    for room in level.rooms:
        before = [level.rooms[neighbour] for neighbour in sorted(beside[room.id])]
        allowed = {parent.depth + 1 for parent in parents(room, before)} if room.id else {0}
        if room.depth not in allowed:
            message = f"has depth {room.depth}, but its neighbours allow {sorted(allowed)}"
            yield problem(check, f"room {room.id}", message)


def count_problems(check: Check, level: Level, allowed: Mapping[str, tuple[int, int]]) -> Iterator[Problem]:
    """Report special kinds of which there are fewer or more rooms than `allowed`. No others may come."""
    present = Counter(room.kind for room in level.rooms if room.kind not in ("start", "normal"))
    for kind in sorted({*present, *allowed}):
        least, most = allowed.get(kind, (0, 0))
        if not least <= present[kind] <= most:
            yield wrong_rooms(check, present[kind], kind, least, most)


def with_own_rules(
    allowed: Mapping[str, tuple[int, int]], rules: Iterable[SpecialRoom]
) -> dict[str, tuple[int, int]]:
    """Add the rooms that a team's own rules may bring, and must, to the counts of each kind."""
    counts = dict(allowed)
    for rule in rules:
        for kind in rule.kinds():
            least, most = counts.get(kind, (0, 0))
            counts[kind] = least + (rule.must and len(rule.kinds()) == 1), most + 1
    return counts


def difficulties_check(difficulties_of: Callable[[Any, str], Iterable[str]]) -> Check:
    """Make the check of a style, given its function from a spec and a curse to the names of difficulties."""

    def difficulties_of_the_stage(level: Level) -> Iterator[Problem]:
        """Normal rooms have the difficulties that the kit allows for the spec and the curse."""
        if level.spec.rules_at_hand() is not None:
            for subject, message in wrong_difficulties(
                level, difficulties_of(level.spec, str(level.facts.get("curse")))
            ):
                yield problem(difficulties_of_the_stage, subject, message)

    return difficulties_of_the_stage


def layouts_are_known(level: Level) -> Iterator[Problem]:
    """Check that a shipped layout suits the room's kind, shape, size and doors, and the level's chapter.

    A normal room's layout has the room's difficulty; other rooms have none. `own/` begins the name of a
    team's own layout, which the level does not contain.
    """
    assert isinstance(level.spec, GridSpec)
    chapter = chapter_at_hand(level)
    slots = slots_of(level)
    for room in level.rooms:
        subject, name = f"room {room.id}", room.layout.partition("+")[0].removeprefix(OWN)
        kind, _, rest = name.partition("/")
        difficulty = DIFFICULTIES.get(rest.split("/")[-2], -1) if room.kind == "normal" and "/" in rest else 0
        if kind != room.kind or difficulty != room.difficulty:
            message = (
                f"the layout {room.layout} is not for a {room.kind} room of difficulty {room.difficulty}"
            )
            yield problem(layouts_are_known, subject, message)
        elif room.layout.startswith(OWN):
            if not level.spec.layouts and not level.spec.kit:
                yield problem(layouts_are_known, subject, f"has {room.layout}, but there are no own layouts")
        elif not _is_shipped(
            room.layout, Form(room.shape, slots[room.id]), level.spec.room_size, chapter, level.kinds
        ):
            suited = f"for a {room.shape} with its doors in {level.facts.get('chapter')}"
            message = f"there is no shipped layout {room.layout} {suited}"
            yield problem(layouts_are_known, subject, message)


def bridges_are_drawn(level: Level) -> Iterator[Problem]:
    """Check that a room by a shipped layout has bridges only if it draws some or a body needs them."""
    owner, bridge = owners(level), level.terrain == terrain_number(level, "bridge")
    is_as_drawn = is_as_generated(level) and level.spec.body == 1
    for number in np.unique(owner[bridge]).tolist() if is_as_drawn else ():
        room = level.rooms[number]
        if number >= 0 and not room.layout.startswith(OWN) and not _draws_bridges(room.layout, level.kinds):
            message = f"has a bridge, but the layout {room.layout} draws none"
            yield problem(bridges_are_drawn, f"room {room.id}", message)


@lru_cache(maxsize=1024)
def _draws_bridges(name: str, kinds: Kinds) -> bool:
    layout = _shipped_layout(name, kinds)
    if layout is None:
        return True  # another check reports that
    return any(glyph.terrain == BRIDGE for glyph in layout.used_glyphs)


def _shipped_layout(name: str, kinds: Kinds) -> Layout | None:
    pool, _, stem = name.partition("+")[0].rpartition("/")
    return next((candidate for candidate in shipped(pool, kinds) if candidate.name == stem), None)


@lru_cache(maxsize=4096)
def _is_shipped(name: str, form: Form, pitch: Point, chapter: Chapter | None, kinds: Kinds) -> bool:
    path, _, mirror = name.partition("+")
    pool, _, stem = path.rpartition("/")
    layout = _shipped_layout(name, kinds)
    if layout is None or layout.pitch != pitch or mirror not in layout.mirrors:
        return False
    parts = pool.split("/")
    if (
        chapter
        and parts[0] == "normal"
        and (parts[1] not in (*chapter.pools, chapter.name, "any") or stem in chapter.without)
    ):
        return False
    return layout.shape.mirrored(mirror).name == form.shape and form.doors <= layout.slots(mirror)


CHECKS: tuple[Check, ...] = (
    special_rooms_are_dead_ends,
    cells_fit_shapes,
    cells_lie_in_frame,
    rooms_have_no_zone,
    rooms_joined_by_doors,
    doors_where_slots_meet,
    rooms_that_touch_share_a_door,
    doors_in_the_middle,
    doors_tell_of_rooms,
    gates_as_plan_says,
    layouts_are_known,
    bridges_are_drawn,
    markers_are_known,
    markers_suit_rooms,
    fair_at_the_door,
    enemies_of_the_roster,
    bosses_are_of_the_kit,
    fights_have_enemies,
    encounters_within_budget,
)
