"""The invariants of the encounters in styles whose enemies come from the roster."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from generator.algorithms.bitboard import board_of
from generator.checks.base import Check, Problem, doorsteps, is_as_generated, problem
from generator.checks.drawn import drawing_of, has_places_only
from generator.checks.words import KnownValues, own_drawings, values_of_letters, values_of_own_layouts
from generator.encounters.encounter import Battleground, stands_near, waits
from generator.errors import meant, shown
from generator.geometry import Point
from generator.interiors.interior import FIGHTERS, PlacedMarker
from generator.interiors.layouts import OWN
from generator.kinds import SHIPPED, Kinds
from generator.kinds.chapters import INJECTED
from generator.kinds.kind_tables import ROLES
from generator.level import Level, Marker, Property, Room
from generator.rerolls.record import EDITED


def fair_at_the_door(level: Level) -> Iterator[Problem]:
    """Check that enemies and bosses keep over three steps from doors, and that shooters in sight wait.

    If no tile of its room is far enough from all doors, a boss may be, and enemies where the room needs some.
    """
    steps = doorsteps(level)
    shots = board_of(level.passable("shoot"))
    for marker in level.markers:
        if marker.kind not in FIGHTERS or marker.room is None:
            continue
        if stands_near((marker.x, marker.y), steps[marker.room]):
            room = level.rooms[marker.room]
            needed = marker.kind == "boss" or level.kinds.room(room.kind).needs("enemy")
            if needed and not _has_fair_place(level, room, steps[room.id]):
                continue
            message = f"the {marker.kind} at {marker.x},{marker.y} is within three steps of a door"
            yield problem(fair_at_the_door, f"marker {marker.id}", message)
        elif marker.kind == "enemy" and not marker.properties.get("wakes_after"):
            around = tuple(steps[marker.room])
            ground = Battleground(level.width, level.height, 0, shots, around, level.kinds)
            if waits(ground, PlacedMarker(marker.kind, marker.x, marker.y, marker.properties)):
                message = f"the enemy at {marker.x},{marker.y} sees a door and shoots, but does not wait"
                yield problem(fair_at_the_door, f"marker {marker.id}", message)


def _has_fair_place(level: Level, room: Room, steps: Sequence[Point]) -> bool:
    """Check whether a room has a fair tile for a fighter: free floor without a marker."""
    taken = {(marker.x, marker.y) for marker in level.markers if marker.room == room.id}
    x0, y0 = room.bounds.x, room.bounds.y
    free = level.passable("walk")[room.bounds.slices] & (level.covered[room.bounds.slices] == 0)
    tiles = ((x0 + x, y0 + y) for y, x in np.argwhere(free).tolist())
    return any(tile not in taken and not stands_near(tile, steps) for tile in tiles)


def roster_problems(check: Check, level: Level, chapters: Sequence[tuple[int, str]]) -> Iterator[Problem]:
    """Report enemies with a name that the roster does not have, or that do not fit their row.

    `chapters` has the number, 1 to 6, and the name of each room's chapter, empty if unknown. An enemy must be
    where its row allows, unless a person put it there. A team's own layouts may name enemies of their own.
    """
    is_edited, drawn = EDITED in level.rerolls, values_of_own_layouts(level)
    for marker in level.markers:
        room = None if marker.room is None else level.rooms[marker.room]
        if marker.kind != "enemy" or room is None:
            continue
        if room.layout.startswith(OWN):
            message = "" if is_edited or drawn is None else _stranger(marker, level.kinds, drawn)
        else:
            message = _misfit(marker, level.kinds, chapters[room.id], is_edited=is_edited)
        if message:
            yield problem(check, f"marker {marker.id}", message)


def _stranger(marker: Marker, kinds: Kinds, drawn: KnownValues) -> str:
    """Return what is wrong with an enemy that neither the roster nor a drawing of the team's kit names."""
    name = marker.properties.get("name")
    if name is None or str(name) in kinds.enemies or name in drawn.get(("enemy", "name"), ()):
        return ""
    return f"no enemy kind, and no layout of the kit, has the name {shown(name)}"


def _misfit(marker: Marker, kinds: Kinds, chapter: tuple[int, str], *, is_edited: bool) -> str:
    """Return what is wrong with an enemy, or an empty string if nothing is."""
    name, role = marker.properties.get("name"), marker.properties.get("role")
    kind = kinds.enemies.get(str(name))
    if kind is None:
        if name is None and (is_edited or role not in ROLES):
            return ""
        near = meant(str(name), kinds.enemies)
        also = f"; did you mean {near}?" if near else ""
        return f"no enemy kind is called {name}{also}" if name else f"this {role} has no name"
    if role != kind.role or bool(marker.properties.get("flies")) != kind.flies:
        return f"a {kind.name} is a {kind.role}, not a {role}, and {'flies' if kind.flies else 'walks'}"
    if chapter[0] < kind.chapter and not is_edited:
        return f"a {kind.name} is met from chapter {kind.chapter} on, this is {chapter[0]}"
    if chapter[1] and not kind.is_met_in(*chapter) and not is_edited:
        return f"a {kind.name} is met in {' and '.join(kind.chapters)}, this is {chapter[1]}"
    return ""


def bosses_are_of_the_kit(level: Level) -> Iterator[Problem]:
    """Check that chapters, letters or drawings of the kit name the bosses that have a name.

    A person may call them as they please, and so may a team's drawings that are not at hand.
    """
    rules = level.spec.rules_at_hand()
    if rules is None or not is_as_generated(level):
        return
    rows = rules.chapters.values()
    known: set[Property] = {name for row in rows for name in (*row.bosses, *row.mini_bosses, row.last_boss)}
    known |= values_of_letters(level.kinds).get(("boss", "name"), frozenset())
    drawn = values_of_own_layouts(level)
    for marker in level.markers:
        name = marker.properties.get("name")
        if marker.kind != "boss" or name is None or name in known or INJECTED in marker.properties:
            continue
        is_own = marker.room is not None and level.rooms[marker.room].layout.startswith(OWN)
        if not is_own or (drawn is not None and name not in drawn.get(("boss", "name"), ())):
            message = f"no chapter of the kit has a boss called {shown(name)}"
            yield problem(bosses_are_of_the_kit, f"marker {marker.id}", message)


_MANY = 4  # rooms; so many by chance without an enemy do not come


def fights_have_enemies(level: Level) -> Iterator[Problem]:
    """Check that a level with many rooms to fight in has enemies, if they are those of the shipped kit.

    Of another kit, some enemy must be met everywhere, and each crowd must have one. Drawings of a team count
    if they have places for enemies. A person may take all out.
    """
    if not is_as_generated(level) or not _has_enemies_everywhere(level):
        return
    drawings = own_drawings(level)
    fights = [
        room.id
        for room in level.rooms
        if room.kind == "normal"
        and room.difficulty
        and (not room.layout.startswith(OWN) or has_places_only(drawing_of(room, drawings)))
    ]
    if len(fights) >= _MANY and not any(marker.kind == "enemy" for marker in level.markers):
        message = f"there are none, though {len(fights)} rooms are for fights"
        yield problem(fights_have_enemies, "enemies", message)


def _has_enemies_everywhere(level: Level) -> bool:
    """Check whether a level's roster is sure to have an enemy for each of its fights."""
    if level.kinds.enemies == SHIPPED.enemies:
        return True
    rules = level.spec.rules_at_hand()
    kinds = level.kinds.enemies.values()
    usual = any(kind.chapter <= 1 and not kind.chapters and kind.one_in == 1 for kind in kinds)
    return rules is not None and usual and all(row.enemies[0] for row in rules.crowds)


def budget_problems(check: Check, level: Level, budgets: Sequence[int]) -> Iterator[Problem]:
    """Report rooms of several enemies that cost more than the budget, unless a person put them there.

    So may a team's drawing that calls enemies by their names, or that is not at hand.
    """
    if EDITED in level.rerolls:
        return
    costs: dict[int, list[int]] = defaultdict(list)
    for marker in level.markers:
        kind = level.kinds.enemies.get(str(marker.properties.get("name")))
        if marker.kind == "enemy" and marker.room is not None and kind:
            costs[marker.room].append(kind.cost)
    drawings = own_drawings(level)
    for number, prices in costs.items():
        room = level.rooms[number]
        is_free = room.layout.startswith(OWN) and not has_places_only(drawing_of(room, drawings))
        if sum(prices) > budgets[number] and len(prices) > 1 and not is_free:
            message = (
                f"its {len(prices)} enemies cost {sum(prices)}, more than the {budgets[number]} of its budget"
            )
            yield problem(check, f"room {number}", message)
