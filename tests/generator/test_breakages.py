"""Every breakage of the catalogue is found, in every style that it applies to; no sound level has a problem."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice
from typing import Any

import pytest

from generator import Level, generate
from generator.checks import CHECKS as COMMON
from generator.checks import checks_of, name_of, problems

from .breakages import crossing, doors, encounters, hallways, keys, markers, record, rooms, tiles
from .breakages.base import Breakage, Unfit

CATALOGUE: tuple[Breakage, ...] = (
    *rooms.BREAKAGES,
    *doors.BREAKAGES,
    *hallways.BREAKAGES,
    *markers.BREAKAGES,
    *encounters.BREAKAGES,
    *keys.BREAKAGES,
    *tiles.BREAKAGES,
    *crossing.BREAKAGES,
    *record.BREAKAGES,
)

# Sound levels of each style, small ones first: a breakage is tried in all of them that have what it breaks.
SPECS: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "isaac": [
        (7, {}),
        (3, {"stage": 4, "door_width": 3}),
        (1, {"curse": "labyrinth"}),
        (5, {"stage": 9, "door_width": 5, "hard": True}),
    ],
    "rebirth": [
        (5, {"stage": 2, "hard": True, "door_width": 3}),
        (7, {"stage": 4}),
        (7, {"stage": 3, "curse": "labyrinth"}),
        (748, {"stage": 7, "large_bosses": 100}),
        (9, {"stage": 11, "edition": "afterbirth_plus"}),
        (2, {"stage": 12}),
    ],
    "gungeon": [
        (12, {"rooms": 9, "hallway_width": 3, "loop_share": (100, 100), "loop_length": 200}),
        (7, {"flow": "random"}),
        (5, {"hallway_width": 1, "body": 1, "roughness": 100, "enemy_width": (30, 50)}),
    ],
}  # fmt: skip


@cache
def sound_levels(style: str) -> list[Level]:
    return [generate(style, seed, **values) for seed, values in SPECS[style]]


@pytest.mark.parametrize("style", SPECS)
def test_sound_levels_have_no_problems(style: str) -> None:
    for level in sound_levels(style):
        assert problems(level) == []


@pytest.mark.parametrize("most", [1, pytest.param(None, marks=pytest.mark.soak)], ids=["one", "all"])
@pytest.mark.parametrize("style", SPECS)
def test_every_breakage_is_found(style: str, most: int | None) -> None:
    """In the first level that has what it breaks, and in the soak run in all of them."""
    tried = [breakage for breakage in CATALOGUE if style in breakage.found_by]
    missed = {breakage.name: told for breakage in tried if (told := missed_by(breakage, style, most))}
    assert (len(tried) > 100, missed) == (True, {})


def missed_by(breakage: Breakage, style: str, most: int | None) -> list[str]:
    """What is wrong with what checks tell: each level by its own check, and the first that fits by all."""
    all_broken = ((level, broken_by(breakage, level)) for level in sound_levels(style))
    fitting = [*islice(((level, broken) for level, broken in all_broken if broken), most)]
    name = breakage.found_by[style]
    wrong = [] if fitting else ["no level has what this breaks"]
    for number, (level, broken) in enumerate(fitting):
        (check,) = (check for check in checks_of(level) if name_of(check) == name)
        told = [str(problem) for problem in (check(broken) if number else problems(broken))]
        if not any(line.endswith(f"[{name}]") for line in told):
            wrong.append(f"seed {level.seed}: not found, but {told}")
        wrong += [f"seed {level.seed}: {line!r} is not one line" for line in told if "\n" in line]
    return wrong


def broken_by(breakage: Breakage, level: Level) -> Level | None:
    """The broken level; None if it has nothing that could be broken so."""
    try:
        return breakage.make(level)
    except Unfit:
        return None


@pytest.mark.parametrize("style", SPECS)
def test_every_check_finds_a_breakage(style: str) -> None:
    for check in checks_of(sound_levels(style)[0]):
        styles = SPECS if check in COMMON else (style,)
        named = {breakage.found_by.get(one) for breakage in CATALOGUE for one in styles}
        assert name_of(check) in named, name_of(check)


def test_the_catalogue_is_large_and_names_are_told_apart() -> None:
    assert len(CATALOGUE) >= 94
    names = Counter(breakage.name for breakage in CATALOGUE)
    assert max(names.values()) == 1, names.most_common(3)
    assert all(check.__doc__ for check in COMMON)
