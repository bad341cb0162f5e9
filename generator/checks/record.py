"""The invariants of a level's own records: its numbers, its tables, its seed, and its rerolls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

import numpy as np

from generator.checks.base import Problem, is_as_generated, problem
from generator.checks.markers import wave_notes
from generator.errors import LevelError, SpecError, hint, shown
from generator.interiors.chapters import chapter_names
from generator.interiors.layouts import OWN
from generator.kinds import DIFFICULTIES, DecorKind, TerrainKind, shipped_kit
from generator.kinds.kind_tables import MANY
from generator.level import Level, Property
from generator.links import EXIT, last_room, leads_on, next_place
from generator.rerolls.record import EDITED, read_rows, rows_of
from generator.styles.registry import style


def tables_begin_with_nothing(level: Level) -> Iterator[Problem]:
    """Check that terrain 0 is void, which nothing can pass, decor 0 is none, and names are unique."""
    if level.terrain_kinds[:1] != (TerrainKind("void", False, False, False),):
        yield problem(tables_begin_with_nothing, "terrain_kinds", "does not begin with void")
    if level.decor_kinds[:1] != (DecorKind("none", True, True, True),):
        yield problem(tables_begin_with_nothing, "decor_kinds", "does not begin with none")
    for table, kinds in (("terrain_kinds", level.terrain_kinds), ("decor_kinds", level.decor_kinds)):
        names = [kind.name for kind in kinds]
        for name in {name for name in names if names.count(name) > 1}:
            yield problem(tables_begin_with_nothing, table, f"has two kinds named {name}")


def tables_are_of_the_kit(level: Level) -> Iterator[Problem]:
    """Check that terrain and decor can be passed, and are as large, as the rows of the kit say.

    A table can lack rows that came after it was saved.
    """
    for table, kinds, rows in (
        ("terrain_kinds", level.terrain_kinds, level.kinds.terrain),
        ("decor_kinds", level.decor_kinds, level.kinds.decor),
    ):
        known = {row.name: row for row in rows}
        for kind in kinds:
            row = known.get(kind.name)
            if row is None:
                message = f"has the kind {shown(kind.name)}, which its kit does not have"
                yield problem(tables_are_of_the_kit, table, message)
            elif kind != row:
                yield problem(tables_are_of_the_kit, table, f"its {kind.name} is not that of its kit")


def marker_ids_count_up(level: Level) -> Iterator[Problem]:
    """Check that ids of markers have gaps only where rooms were rolled again, or a person removed some.

    A level of a run has one exit to the next level. If its last room had none, the added one has a number
    after all others. Other rooms have lost theirs: an id may be missing where one of their markers is next.
    """
    if level.rerolls or not is_as_generated(level):
        return
    to = next_place(level.spec)
    is_added = bool(to) and any(marker.id >= level.terrain.size for marker in level.markers[-1:])
    counted = level.markers[:-1] if is_added and leads_on(level.markers[-1], to) else level.markers
    expected, before = 0, None
    for position, marker in enumerate(counted):
        missing = marker.id - expected
        if missing and (not to or missing > _exits_lost(level, {before, marker.room})):
            message = f"is at position {position}; ids count up from 0 where no room was rolled again"
            yield problem(marker_ids_count_up, f"marker {marker.id}", message)
            return
        expected, before = marker.id + 1, marker.room


def _exits_lost(level: Level, rooms: set[int | None]) -> int:
    """Return how many exits some rooms of a level of a run may have lost at most."""
    lost = 0
    for number in rooms - {None}:
        room = level.rooms[number or 0]
        if room.layout.startswith(OWN):
            lost += MANY
        elif number != last_room(level.rooms):
            lost += level.kinds.room(room.kind).markers.get(EXIT, (0, MANY))[1]
    return lost


def seed_is_its_texts(level: Level) -> Iterator[Problem]:
    """Check that a seed that was typed as text is the number of that text."""
    if level.seed_text is None:
        return
    try:
        number = style(level.style).read_seed(level.seed_text)[0]
    except SpecError as error:
        yield problem(seed_is_its_texts, "seed_text", str(error))
        return
    if number != level.seed:
        yield problem(
            seed_is_its_texts, "seed_text", f"gives the seed {number}, but the level's seed is {level.seed}"
        )


def rerolls_can_be_made_again(level: Level) -> Iterator[Problem]:
    """Check that `rerolls` has at most one row per room, in order, with the kind that it became."""
    try:
        rolls, is_edited = read_rows(level.rerolls, len(level.rooms))
    except LevelError as error:
        yield problem(rerolls_can_be_made_again, "rerolls", str(error))
        return
    if tuple(map(dict, level.rerolls)) != tuple(map(dict, rows_of(rolls, is_edited=is_edited))):
        yield problem(rerolls_can_be_made_again, "rerolls", "its rows are not sorted by room")
    for number, roll in rolls.items():
        if roll.kind is not None and roll.kind != level.rooms[number].kind:
            message = f"became a {roll.kind} room, but is a {level.rooms[number].kind} room"
            yield problem(rerolls_can_be_made_again, f"room {number}", message)


def wrong_difficulties(level: Level, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each normal room whose difficulty is not among `names`: its place, and what is wrong."""
    allowed = [DIFFICULTIES[name] for name in names]
    for room in level.rooms:
        if room.kind == "normal" and room.difficulty not in allowed:
            message = f"has difficulty {room.difficulty}, but normal rooms of this stage have {allowed}"
            yield f"room {room.id}", message


def wrong_facts(level: Level, expected: Mapping[str, Property | None]) -> Iterator[str]:
    """Yield the problem of each fact that is not as expected. An edited level can have additional facts."""
    names = {*expected} if EDITED in level.rerolls else {*expected, *level.facts}
    for name in sorted(names):
        actual, wanted = level.facts.get(name), expected.get(name)
        if actual is None and wanted is not None:
            yield f"{name} is missing; it should be {wanted}"
        elif actual != wanted:
            yield f"{name} is {actual}; it should " + ("not be there" if wanted is None else f"be {wanted}")


def notes(level: Level) -> Iterator[str]:
    """Yield what a level lacks although no rule of it is broken, and looks that nobody knows."""
    if reason := level.facts.get("not_led"):
        yield f"it is not led, but connected at random: {reason}"
    if unmet := level.facts.get("unmet"):
        yield f"{unmet} of its rooms lie where no rule of their kind asks: {level.facts.get('unmet_rules')}"
    yield from wave_notes(level)
    if (rules := level.spec.rules_at_hand()) is None:
        return
    known = [*dict.fromkeys((*rules.chapters, *chapter_names(shipped_kit())))]
    for zone in sorted({room.zone for room in level.rooms} - {""}):
        if (look := level.look_of_zone(zone)) and look not in known:
            yield f"zone.{zone}.look: unknown chapter {shown(look)}; {hint(look, known)}"


# --- what all other checks rely on: valid numbers and references -------------------------------------


def numbers_stand_for_something(level: Level) -> Iterator[Problem]:
    """Check that ids are indexes, references lead somewhere, and tiles and things are in their tables.

    Ids of markers are in ascending order. No thing extends beyond the level's edge, and no tile of a room,
    a door, a hallway or a marker is outside the level.
    """
    yield from _ids(level)
    yield from _references(level)
    yield from _arrays(level)
    yield from _places(level)


_wrong = partial(problem, numbers_stand_for_something)


def _ids(level: Level) -> Iterator[Problem]:
    for name, ids in (
        ("room", [room.id for room in level.rooms]),
        ("door", [door.id for door in level.doors]),
        ("hallway", [hallway.id for hallway in level.hallways]),
    ):
        for number, id_ in enumerate(ids):
            if id_ != number:
                yield _wrong(f"{name} {id_}", f"is at position {number}; ids count up from 0")
    last = -1
    for marker in level.markers:
        if marker.id <= last:
            yield _wrong(f"marker {marker.id}", f"comes after marker {last}")
        last = marker.id


def _references(level: Level) -> Iterator[Problem]:
    rooms, doors, hallways = (range(len(parts)) for parts in (level.rooms, level.doors, level.hallways))
    for door in level.doors:
        for room in door.rooms:
            if room is not None and room not in rooms:
                yield _wrong(f"door {door.id}", f"names room {room}, which does not exist")
    for hallway in level.hallways:
        for number in hallway.doors:
            if number not in doors:
                yield _wrong(f"hallway {hallway.id}", f"names door {number}, which does not exist")
    for marker in level.markers:
        for name, index, known in (("room", marker.room, rooms), ("hallway", marker.hallway, hallways)):
            if index is not None and index not in known:
                yield _wrong(f"marker {marker.id}", f"names {name} {index}, which does not exist")


def _arrays(level: Level) -> Iterator[Problem]:
    if level.decor.shape != level.terrain.shape:
        yield _wrong("decor", "does not have the size of the terrain")
        return
    for name, array, kinds in (
        ("terrain", level.terrain, len(level.terrain_kinds)),
        ("decor", level.decor, len(level.decor_kinds)),
    ):
        most = int(array.max(initial=0))
        if most >= kinds:
            yield _wrong(name, f"contains {most}, but its table ends with {kinds - 1}")
            return
    for number in np.flatnonzero(np.bincount(level.decor.ravel())).tolist():
        kind = level.decor_kinds[number]
        if kind.width * kind.height > 1:
            ys, xs = np.nonzero(level.decor == number)
            if int(xs.max()) + kind.width > level.width or int(ys.max()) + kind.height > level.height:
                yield _wrong("decor", f"a {kind.name} extends beyond the level's edge")


def _places(level: Level) -> Iterator[Problem]:
    width, height = level.width, level.height
    for room in level.rooms:
        x, y, right, bottom = room.bounds.x, room.bounds.y, room.bounds.right, room.bounds.bottom
        if not (0 <= x < right <= width and 0 <= y < bottom <= height):
            yield _wrong(f"room {room.id}", f"its bounds {list(room.bounds)} are not in the level")
        for rect in [level.grid.cell_rect(cell) for cell in room.cells] if level.grid else []:
            if not (rect.x >= 0 and rect.y >= 0 and rect.right <= width and rect.bottom <= height):
                yield _wrong(f"room {room.id}", "has a cell outside the level")
    for name, parts in (("door", level.doors), ("hallway", level.hallways)):
        for part in parts:
            if not all(0 <= x < width and 0 <= y < height for x, y in part.tiles):
                yield _wrong(f"{name} {part.id}", "has a tile outside the level")
    for marker in level.markers:
        if not (0 <= marker.x < width and 0 <= marker.y < height):
            yield _wrong(f"marker {marker.id}", "is outside the level")
