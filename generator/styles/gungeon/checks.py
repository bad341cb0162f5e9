"""The invariants of levels of the `gungeon` style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from generator.arrays import around, beside
from generator.checks.base import (
    Check,
    Problem,
    body_places,
    connections,
    is_as_generated,
    looks_at_no_marker,
    owners,
    places,
    problem,
    wrong_rooms,
)
from generator.checks.base import mask_of as tiles_mask
from generator.checks.encounters import (
    bosses_are_of_the_kit,
    budget_problems,
    fair_at_the_door,
    fights_have_enemies,
    roster_problems,
)
from generator.checks.markers import markers_are_known, markers_suit_rooms
from generator.encounters.budget import stage_of_danger, threat_of_crowd
from generator.geometry import Side
from generator.interiors.chapters import main_name
from generator.interiors.layouts import OWN
from generator.kinds import BRIDGE, DIFFICULTIES, FLOOR, PIT, RUBBLE, Kinds
from generator.kinds.chapters import INJECTED, STAGES, InjectionRow, chapter_of_stage
from generator.level import Door, Level, Room
from generator.styles.gungeon.facts_checks import (
    gate_kinds,
    has_flow,
    is_led,
    kit_at_hand,
    loops_as_facts_say,
    zones_are_of_rooms,
)
from generator.styles.gungeon.floorplan import own_rules
from generator.styles.gungeon.furnishing.gungeon_layouts import shipped_layouts
from generator.styles.gungeon.furnishing.kit_tables import (
    BOSS,
    NORMAL,
    START,
    danger_of,
    enemy_row,
    gungeon_kind,
    gungeon_kinds,
    off_the_way,
)
from generator.styles.gungeon.furnishing.quiet_rooms import centrepieces
from generator.styles.gungeon.furnishing.site import stages_of
from generator.styles.gungeon.injections import FACT
from generator.styles.gungeon.led import rows_of_kind
from generator.styles.gungeon.piece_drawing import SET_PIECE
from generator.styles.gungeon.plan import keeps_off_the_way, length_for
from generator.styles.gungeon.set_pieces import layout_of, piece_of
from generator.styles.gungeon.spec import SHORTEST, GungeonSpec

# The invariants of the enemies in levels of the `gungeon` style.


def enemies_apart(level: Level) -> Iterator[Problem]:
    """Check that enemies of one room stand at least the spec's spacing apart."""
    assert isinstance(level.spec, GungeonSpec)
    least = level.spec.enemy_spacing
    by_room: dict[int | None, list[tuple[int, int]]] = {}
    for marker in level.markers:
        if marker.kind == "enemy":
            enemies = by_room.setdefault(marker.room, [])
            if any((marker.x - x) ** 2 + (marker.y - y) ** 2 < least**2 for x, y in enemies):
                message = f"the enemy at {marker.x},{marker.y} is less than {least} tiles from another"
                yield problem(enemies_apart, f"marker {marker.id}", message)
            enemies.append((marker.x, marker.y))


def enemies_of_the_roster(level: Level) -> Iterator[Problem]:
    """Check that enemies are in the roster, and of a chapter that suits the room's distance."""
    assert isinstance(level.spec, GungeonSpec)
    numbers, name = map(chapter_of_stage, _stages(level)), level.spec.chapter
    if name == "none" and level.spec.rules_at_hand() is None:
        name = ""  # unknown
    kit = kit_at_hand(level)
    chapters = [(number, main_name(number, kit) if name == "none" else name) for number in numbers]
    yield from roster_problems(enemies_of_the_roster, level, chapters)


def encounters_within_budget(level: Level) -> Iterator[Problem]:
    """Check that the enemies of a room cost no more than the table of enemies allows."""
    rules = level.spec.rules_at_hand()
    if rules is None:
        return
    budgets = []
    for room, danger, stage in zip(level.rooms, _dangers(level), _stages(level), strict=True):
        row, terrain = enemy_row(danger, level.spec.load_kit()), level.terrain[room.bounds.slices]
        floor = int(np.count_nonzero((terrain == FLOOR) | (terrain == RUBBLE)))
        crowd = row.crowd(row.enemies[1], floor)
        budgets.append(threat_of_crowd(crowd, stage, 0, rules).budget)
    yield from budget_problems(encounters_within_budget, level, budgets)


def _ways(level: Level) -> list[int]:
    """Return each room's distance from the start, in percent of the greatest."""
    furthest = max((room.distance or 0 for room in level.rooms), default=0) or 1
    return [100 * (room.distance or 0) // furthest for room in level.rooms]


def _dangers(level: Level) -> list[int]:
    """Return each room's danger: how far it is, moved only as its difficulty demands."""
    if level.spec.rules_at_hand() is None:  # only the kit's crowds give the difficulty of a danger
        return _ways(level)
    kit = level.spec.load_kit()
    return [danger_of(way, room.difficulty, kit) for way, room in zip(_ways(level), level.rooms, strict=True)]


def _stages(level: Level) -> list[int]:
    """Return the stage whose enemies suit each room: that of its zone's chapter, if it has one.

    Only the kit knows what a difficulty and a chapter of a flow mean. Without it, the last stage counts.
    """
    assert isinstance(level.spec, GungeonSpec)
    if "flow" in level.facts and level.spec.rules_at_hand() is None:
        last = level.spec.enemy_stages[1]
        return [STAGES if f"zone.{room.zone}" in level.facts else last for room in level.rooms]
    stages, kit = [], kit_at_hand(level)
    for room, danger in zip(level.rooms, _dangers(level), strict=True):
        chapter = str(level.facts.get(f"zone.{room.zone}", "")) if room.zone else ""
        of_zone = stages_of(chapter, kit)
        stages.append(stage_of_danger(danger, of_zone or level.spec.enemy_stages))
    return stages


_LAYOUTS = {"battle": frozenset({"lazy-flood"}), "boss": frozenset({"four-islands", "fallen-bridge"})}


def bridges_lead_over_pits(level: Level) -> Iterator[Problem]:
    """Check that each bridge in rooms furnished by procedure, all of its tiles together, is beside a pit."""
    names = frozenset[str]().union(*_LAYOUTS.values())
    rooms = [room.id for room in level.rooms if room.layout in names]
    bridge = (level.terrain == BRIDGE) & np.isin(owners(level), rooms)
    if not bridge.any() or not is_as_generated(level):
        return
    joined = bridge & around(level.terrain == PIT)
    while not np.array_equal(joined, grown := bridge & (joined | beside(joined))):
        joined = grown
    for x, y in places(bridge & ~joined):
        yield problem(bridges_lead_over_pits, f"tile {x},{y}", "is a bridge, but there is no pit beside it")


def rooms_off_the_way(level: Level) -> Iterator[Problem]:
    """Check that no path leads through rooms off the way, such as boss rooms: they have one door each.

    Paths may where half of all rooms or more are off the way, in a flow, and with the shortest tree. In a led
    level, rooms whose kind has a place on a loop may have two.
    """
    if has_flow(level) or level.spec.to_dict().get("tree") == SHORTEST:
        return
    if not keeps_off_the_way([room.kind for room in level.rooms], level.kinds):
        return
    aside = off_the_way(level.kinds)
    doors = Counter(room for pair in connections(level) for room in pair)
    for room in level.rooms:
        if room.kind in aside and doors[room.id] > 1 + _may_be_on_a_loop(level, room.kind):
            message = f"the {room.kind} room has {doors[room.id]} doors"
            yield problem(rooms_off_the_way, f"room {room.id}", message)


def _may_be_on_a_loop(level: Level, kind: str) -> bool:
    """Check whether rooms of a kind may lie on a loop, as far as the kit of a led level is at hand."""
    if not is_led(level) or "not_led" in level.facts:
        return False
    return level.spec.rules_at_hand() is None or any(
        row.place == "on_a_loop" for row in rows_of_kind(level.spec.load_kit(), kind)
    )


def depths_follow_the_tree(level: Level) -> Iterator[Problem]:
    """Check that a spanning tree's hallways come before the loops, and that depths count along the tree."""
    depths = {0: 0} if level.rooms else {}
    left = [
        tuple(level.doors[door].rooms[0] for door in hallway.doors)
        for hallway in level.hallways[: len(level.rooms) - 1]
    ]
    for _ in level.rooms:
        for pair in [pair for pair in left if not depths.keys().isdisjoint(pair)]:
            left.remove(pair)
            a, b = pair if pair[0] in depths else pair[::-1]
            depths.setdefault(b, depths[a] + 1)
    for room in level.rooms:
        if room.depth != depths.get(room.id):
            message = f"has depth {room.depth}, but the hallways of the tree give {depths.get(room.id)}"
            yield problem(depths_follow_the_tree, f"room {room.id}", message)


def rooms_as_spec_says(level: Level) -> Iterator[Problem]:
    """Check that the number of rooms of each kind, and of all rooms, is what the spec asks for.

    A flow brings its own rooms.
    """
    if has_flow(level):
        return
    spec = level.spec
    assert isinstance(spec, GungeonSpec)
    if spec.rules_at_hand() is None:
        return
    present = Counter(room.kind for room in level.rooms)
    all_ranges = {name: spec.range_of(kind, "rooms") for name, kind in gungeon_kinds(level.kinds).items()}
    bosses = all_ranges[BOSS]
    ranges = {name: numbers for name, numbers in all_ranges.items() if name not in (START, BOSS)}
    if spec.rooms:
        bosses = min(bosses[0], spec.rooms - 1), min(bosses[1], spec.rooms - 1)
        ranges = _shares(
            ranges, spec.rooms - 1 - present[BOSS], is_exact=not _new_kinds(level) and not own_rules(spec)
        )
        if len(level.rooms) != spec.rooms:
            message = f"there are {len(level.rooms)}, but the spec asks for {spec.rooms}"
            yield problem(rooms_as_spec_says, "rooms", message)
    ranges |= {START: (1, 1), BOSS: bosses}
    if not spec.rooms:
        for kind in (row.kind for row in injected_rows(level) if row.room):
            ranges[kind] = ranges.get(kind, (0, 0))[0], ranges.get(kind, (0, 0))[1] + 1
    for kind in (kind for rule in own_rules(spec) for kind in rule.kinds()):
        ranges[kind] = ranges.get(kind, (0, 0))[0], ranges.get(kind, (0, 0))[1] + 1
    for kind in sorted({*present, *ranges}):
        least, most = ranges.get(kind, (0, 0))
        if not least <= present[kind] <= most:
            yield wrong_rooms(rooms_as_spec_says, present[kind], kind, least, most)


def injected_rows(level: Level) -> list[InjectionRow]:
    """Return the rows of a level's injections, as far as its kit is at hand."""
    rules = level.spec.rules_at_hand()
    names = str(level.facts.get(FACT, "")).split(", ")
    return [row for row in rules.injections if row.name in names] if rules else []


def injections_as_facts_say(level: Level) -> Iterator[Problem]:
    """Check that the fact `injections` names those whose markers the level has, each once."""
    if level.edited:
        return
    present = Counter(
        str(marker.properties[INJECTED]) for marker in level.markers if INJECTED in marker.properties
    )
    known = level.spec.rules_at_hand() is not None
    told_ones = {row.name for row in injected_rows(level) if row.marker}
    for name in sorted({*present, *told_ones} if known else ()):
        if present[name] != (name in told_ones):
            message = f"{name} has {present[name]} markers, not {int(name in told_ones)}"
            yield problem(injections_as_facts_say, "facts.injections", message)


def _shares(ranges: dict[str, tuple[int, int]], seats: int, *, is_exact: bool) -> dict[str, tuple[int, int]]:
    """Bound the rooms of each kind when this many seats are shared in proportion to the ranges.

    `is_exact` is False if rooms were rolled again as another kind: then the limits are wider.
    """
    leasts, mosts = (sum(numbers) for numbers in zip(*ranges.values(), strict=True))
    shares = {}
    for kind, (least, most) in ranges.items():
        lower = seats * least // (least + mosts - most) if least else 0
        upper = -(-seats * most // (most + leasts - least)) if most else 0
        shares[kind] = (lower, upper) if is_exact else (0, seats if most else 0)
    if not leasts:  # every range may give 0: then all are enemy rooms
        shares[NORMAL] = (0, seats)
    return shares


def _new_kinds(level: Level) -> set[object]:
    """Return the rooms that were rolled again as another kind."""
    return {row["room"] for row in level.rerolls if "kind" in row and "room" in row}


def sizes_as_spec_says(level: Level) -> Iterator[Problem]:
    """Check that a room's size is in the spec's range for its kind.

    A connector may be smaller, and so may a drawn room or an enemy room: one by procedure can be in a
    connector's place, and in version 0.2.0 all of them could. A team's own layouts have the size they were
    drawn in. A room that was rolled again as another kind has kept its size. A room with two doors on a side
    is as long there as they need.
    """
    spec = level.spec
    assert isinstance(spec, GungeonSpec)
    ranges = {name: spec.sizes_of(kind) for name, kind in gungeon_kinds(level.kinds).items()}
    changed = _new_kinds(level)
    doors = Counter((door.rooms[0], door.side) for door in level.doors)
    needed = Counter[tuple[int, bool]]()
    for (room_id, side), count in doors.items():
        across = room_id, side in ("north", "south")
        needed[across] = max(needed[across], length_for(count, spec.hallway_width) if count > 1 else 0)
    for room in level.rooms:
        if room.kind not in ranges or room.id in changed or room.layout.startswith((OWN, SET_PIECE)):
            continue
        for name, size, (least, most) in zip(
            ("wide", "high"), room.bounds[2:], ranges[room.kind], strict=True
        ):
            may_be_smaller = _furnisher(level, room.kind) == "battle" or "/" in room.layout
            if size > max(most, needed[room.id, name == "wide"]) or (size < least and not may_be_smaller):
                message = f"the {room.kind} room is {size} tiles {name}, not {least} to {most}"
                yield problem(sizes_as_spec_says, f"room {room.id}", message)


def rooms_have_no_cells(level: Level) -> Iterator[Problem]:
    """There is no grid, rooms have no cells, and a room's shape says whether its outline is a rectangle."""
    if level.grid is not None:
        yield problem(rooms_have_no_cells, "grid", "has cells, but the level has none")
    for room in level.rooms:
        is_rectangle = len(room.outline) == 1 and len(room.outline[0]) == 4
        if room.cells or room.shape != ("rectangle" if is_rectangle else "ragged"):
            message = (
                f"is a {room.shape} of {len(room.cells)} cells and {sum(map(len, room.outline))} corners"
            )
            yield problem(rooms_have_no_cells, f"room {room.id}", message)


@looks_at_no_marker
def layouts_are_known(level: Level) -> Iterator[Problem]:
    """Check that a room's layout belongs to its kind, and that its difficulty follows from its distance.

    A flow may give a room another difficulty, or 0 if nobody fights there.
    """
    assert isinstance(level.spec, GungeonSpec)
    for room, way in zip(level.rooms, _ways(level), strict=True):
        if room.layout.startswith(OWN):
            if not level.spec.layouts and not level.spec.kit:
                message = f"has {room.layout}, but there are no own layouts"
                yield problem(layouts_are_known, f"room {room.id}", message)
        elif name := piece_of(room.layout):
            kit = level.spec.load_kit() if level.spec.rules_at_hand() is not None else None
            drawn = layout_of(kit, room.layout) if kit else None
            if kit and (not drawn or drawn.title != room.name) and not level.edited:
                message = f"{room.name or room.kind} is no room of the set piece {name}: {room.layout}"
                yield problem(layouts_are_known, f"room {room.id}", message)
        elif room.layout not in _layouts(room.kind, _furnisher(level, room.kind), level.kinds):
            message = f"no {room.kind} room has the layout {room.layout}"
            yield problem(layouts_are_known, f"room {room.id}", message)
        difficulty = _difficulty(level, room, way)
        if room.difficulty != difficulty and not (
            (is_led(level) or has_flow(level) or piece_of(room.layout))
            and _may_have_own_difficulty(level, room)
        ):
            message = f"the {room.kind} room has difficulty {room.difficulty}, not {difficulty}"
            yield problem(layouts_are_known, f"room {room.id}", message)


@lru_cache(maxsize=1024)
def _layouts(kind: str, furnisher: str, kinds: Kinds) -> frozenset[str]:
    if not furnisher:
        return frozenset()
    drawn = frozenset(layout.name for layout in shipped_layouts(kinds).get(kind, ()))
    by_procedure = _LAYOUTS.get(furnisher) or frozenset(piece.name for piece in centrepieces(kind, kinds))
    return drawn | by_procedure


def _furnisher(level: Level, kind: str) -> str:
    """Return the furnisher of rooms of a kind. Empty for a kind that the level does not have."""
    return gungeon_kind(level.kinds, kind).furnisher if kind in level.kinds.rooms else ""


def _difficulty(level: Level, room: Room, way: int) -> int:
    """Rate a room: bosses are hard, enemy rooms get harder with distance, and all others are 0."""
    furnisher = _furnisher(level, room.kind)
    if furnisher == "battle":
        if level.spec.rules_at_hand() is None:  # then the difficulty is unknown
            return room.difficulty
        return enemy_row(way, level.spec.load_kit()).difficulty
    return DIFFICULTIES["hard"] if furnisher == "boss" else 0


def _may_have_own_difficulty(level: Level, room: Room) -> bool:
    """Check whether a flow may have set a room's difficulty. It may for enemy rooms only, to 0 if led."""
    known = (0, *DIFFICULTIES.values()) if has_flow(level) else (0,)
    return _furnisher(level, room.kind) == "battle" and room.difficulty in known


def fights_have_a_difficulty(level: Level) -> Iterator[Problem]:
    """Check that a room with enemies has a difficulty, unless a person edited the level."""
    fights = {marker.room for marker in level.markers if marker.kind == "enemy"}
    for room in level.rooms if is_as_generated(level) else ():
        if room.id in fights and not room.difficulty and _furnisher(level, room.kind) == "battle":
            yield problem(fights_have_a_difficulty, f"room {room.id}", "has enemies, but difficulty 0")


def doors_of_hallways(level: Level) -> Iterator[Problem]:
    """Check that a door leads to a hallway, has the spec's width, and shows which room lies ahead."""
    assert isinstance(level.spec, GungeonSpec)
    expected = [{"open"} for _ in level.doors]
    for hallway in level.hallways:
        kinds = {level.rooms[level.doors[door].rooms[0]].kind for door in hallway.doors}
        rows = map(level.kinds.room, {BOSS} & kinds or kinds)
        special = {row.door[0] for row in rows if row.door} - {"open"}
        for door in hallway.doors:
            expected[door] = special or {"open"}
    for level_door, kinds in zip(level.doors, expected, strict=True):
        asks = gate_kinds(level, level_door)
        if level_door.kind not in (asks or kinds):
            message = f"is {level_door.kind}, not {' or '.join(sorted(asks or kinds))}"
            yield problem(doors_of_hallways, f"door {level_door.id}", message)
        if len(level_door.tiles) != level.spec.hallway_width or level_door.rooms[1] is not None:
            message = f"is not the end of a hallway {level.spec.hallway_width} tiles wide"
            yield problem(doors_of_hallways, f"door {level_door.id}", message)


@looks_at_no_marker
def hallways_as_wide_as_spec_says(level: Level) -> Iterator[Problem]:
    """Check that a square as wide as the spec says can move along each hallway, from door to door."""
    assert isinstance(level.spec, GungeonSpec)
    from scipy import ndimage  # slow to load, and most levels need it for no check

    width, walk = level.spec.hallway_width, np.array([kind.walk for kind in level.terrain_kinds])
    floor = tiles_mask(level, [tile for hallway in level.hallways for tile in hallway.tiles])
    pieces, _ = ndimage.label(body_places(floor & walk[level.terrain], width))
    for hallway in level.hallways:
        first, last = (pieces[_behind(level.doors[door], width)] for door in hallway.doors)
        if not first or first != last:
            message = f"is less than {width} tiles wide somewhere between its doors"
            yield problem(hallways_as_wide_as_spec_says, f"hallway {hallway.id}", message)


def _behind(door: Door, width: int) -> tuple[int, int]:
    """Return the row and column of the top left of the square of this width behind a door, in its hallway."""
    side, (x, y) = Side.named(door.side), min(door.tiles, default=(0, 0))
    return y + side.dy * (width if side.dy < 0 else 1), x + side.dx * (width if side.dx < 0 else 1)


CHECKS: tuple[Check, ...] = (
    bridges_lead_over_pits,
    rooms_off_the_way,
    loops_as_facts_say,
    zones_are_of_rooms,
    depths_follow_the_tree,
    rooms_as_spec_says,
    injections_as_facts_say,
    sizes_as_spec_says,
    rooms_have_no_cells,
    layouts_are_known,
    fights_have_a_difficulty,
    doors_of_hallways,
    hallways_as_wide_as_spec_says,
    enemies_apart,
    markers_are_known,
    markers_suit_rooms,
    fair_at_the_door,
    enemies_of_the_roster,
    bosses_are_of_the_kit,
    fights_have_enemies,
    encounters_within_budget,
)
