"""The invariants of a level, by name. `problems` runs them all and reports what does not hold, and where.

Each check is a generator of `Problem`s over any level that could be read, however odd. `CHECKS` hold for
levels of any style; a style's own are the `checks` of its record.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from generator.checks import rooms
from generator.checks.base import NO_ROOMS, OF_STYLES_WITHOUT_MARKERS, Check, Problem, name_of
from generator.checks.body import body_gets_everywhere
from generator.checks.crossing import (
    are_judged_by_place,
    new_markers,
    new_markers_can_be_reached,
    rooms_can_be_crossed,
)
from generator.checks.crossing_tiles import are_surely_crossed
from generator.checks.made import as_judged, refuse_broken
from generator.checks.markers import wave_notes
from generator.checks.rules import CHECKS, FIRST, OF_ROWS, REQUIRED, WITHOUT_MARKERS
from generator.kinds.kit import kits_stay
from generator.level import Level
from generator.styles.registry import style, usable_styles

if TYPE_CHECKING:
    from generator.spec import LevelSpec

__all__ = [
    "CHECKS",
    "REQUIRED",
    "WITHOUT_MARKERS",
    "Check",
    "Problem",
    "check_made",
    "check_rows",
    "checks_of",
    "lacking_rooms",
    "name_of",
    "notes_on_edits",
    "problems",
    "rules_to_allow",
]


def rules_to_allow() -> list[str]:
    """List the names of all rules, of every style, that a level may break on purpose."""
    of_styles = [check for style in usable_styles() for check in style.checks()]
    return sorted({name_of(check) for check in (*CHECKS, *of_styles) if check not in REQUIRED})


def checks_of(level: Level) -> Sequence[Check]:
    """Return the checks for any style, then those of the level's own style."""
    return (*CHECKS, *style(level.style).checks())


def problems(level: Level, since: Level | None = None, rules: Collection[str] | None = None) -> list[Problem]:
    """List all problems of a level, or those of some rules. The list is empty for a valid level.

    Those that another level `since` has, too, may be left out: if only the markers differ, rules that are not
    about markers are not looked at.
    """
    first = [problem for check in FIRST for problem in check(level)]
    if first:
        return first
    checks = [check for check in checks_of(level) if check not in FIRST]
    if rules is not None:
        checks = [check for check in checks if name_of(check) in rules]
    if since is not None and _differ_only_in_markers(level, since):
        checks = _of_new_markers(checks, level, since)
    with kits_stay():
        found = [problem for check in checks for problem in check(level)]
    return [problem for problem in found if not _is_by_hand(problem, level)] if level.edited else found


def _of_new_markers(checks: Sequence[Check], level: Level, since: Level) -> list[Check]:
    """Return what to look at in a level that differs from another one only in its markers.

    If that one is as it was generated, one gets from its start to every door. So a new marker that can be
    reached from the doors of its room can be reached from the start, and nobody walks there again.
    """
    unreached = list(new_markers_can_be_reached(level, since))
    known = {rooms_can_be_crossed, *WITHOUT_MARKERS, *OF_STYLES_WITHOUT_MARKERS}
    new = new_markers(level, since)
    if not unreached and not since.is_by_hand and are_judged_by_place(new, level, since):
        known |= _WALKED
    return [*(check for check in checks if check not in known), lambda _: iter(unreached)]


_WALKED = {rooms.reached_on_foot, body_gets_everywhere}


def _differ_only_in_markers(level: Level, since: Level) -> bool:
    """Check whether all that rules look at is equal in two levels, except markers and a person's record."""
    parts = ("spec", "facts", "grid", "kinds", "terrain_kinds", "decor_kinds", "rooms", "doors", "hallways")
    return all(getattr(level, part) == getattr(since, part) for part in parts) and all(
        np.array_equal(*arrays) for arrays in ((level.terrain, since.terrain), (level.decor, since.decor))
    )


# What only a generated level owes its spec: a person decides which rooms there are, and draws them.
_OF_THE_SPEC = ("rooms-as-spec-says", "sizes-as-spec-says", "cells-lie-in-frame")
_OF_THE_LAYOUTS = ("layouts-are-known", "difficulties-of-the-stage")


def _is_by_hand(problem: Problem, level: Level) -> bool:
    """Check whether a problem says only that a person added, removed or drew rooms."""
    if problem.check in _OF_THE_SPEC:
        return not level.edited.keys().isdisjoint(("rooms_added", "rooms_moved", "rooms_removed"))
    kind, _, number = problem.place.partition(" ")
    return problem.check in _OF_THE_LAYOUTS and kind == "room" and not level.rooms[int(number)].layout


def lacking_rooms(level: Level) -> list[str]:
    """List the kinds of rooms that the level's spec asks for, and of which a person has left none."""
    if "rooms_removed" not in level.edited:
        return []
    checks = [check for check in style(level.style).checks() if name_of(check) in _OF_THE_SPEC]
    with kits_stay():
        found = [problem for check in checks for problem in check(level)]
    return [f"{each.what}, since rooms were removed" for each in found if each.what.startswith(NO_ROOMS)]


def notes_on_edits(level: Level) -> list[str]:
    """List what a person may do, but should know of: waves with gaps, and kinds of rooms that are gone."""
    return [*wave_notes(level), *lacking_rooms(level)]


def check_rows(level: Level, spec: LevelSpec) -> None:
    """Refuse a level of a kit whose rows ask for what its rooms could not keep.

    Raises GenerationFailed with the problems, and the rows of the kit that they come from.
    """
    checks = (*OF_ROWS, *style(level.style).checks())
    refuse_broken(chain.from_iterable(check(level) for check in checks), level, spec)


def check_made(level: Level, spec: LevelSpec, allowed: Collection[str] = ()) -> None:
    """Refuse a new level of a team's own kit, layouts or flow that breaks any rule but those `allowed`.

    Raises GenerationFailed with the problems, and the rows that they come from.
    """
    if not spec.is_of_own_files:
        return
    with kits_stay():
        judged = as_judged(level, spec)
        found = problems(judged, rules={name_of(check) for check in checks_of(judged)} - _surely_kept(judged))
        refuse_broken(found, level, spec, allowed)


def _surely_kept(level: Level) -> set[str]:
    """Return slow rules of which a quick proof shows that a new level keeps them."""
    return {name_of(rooms_can_be_crossed)} if are_surely_crossed(level) else set()
