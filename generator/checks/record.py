"""The invariants of a level's own records: its tables, its seed, and its rerolls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from generator.checks.base import Problem, problem
from generator.errors import LevelError, SpecError
from generator.kinds import DIFFICULTIES, DecorKind, TerrainKind
from generator.level import Level, Property
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
