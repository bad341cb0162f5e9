"""Every breakage of the catalogue is found, in every style that it applies to; no sound level has a problem."""

from __future__ import annotations

from collections import Counter
from functools import cache
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

# Sound levels of each style, a breakage is tried in all of them that have what it breaks.
SPECS: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "isaac": [
        (7, {}),
        (3, {"stage": 4, "door_width": 3}),
        (1, {"curse": "labyrinth"}),
        (5, {"stage": 9, "door_width": 5, "hard": True}),
    ],
    "rebirth": [
        (7, {"stage": 4}),
        (5, {"stage": 2, "hard": True, "door_width": 3}),
        (7, {"stage": 3, "curse": "labyrinth"}),
        (748, {"stage": 7, "large_bosses": 100}),
        (9, {"stage": 11, "edition": "afterbirth_plus"}),
        (2, {"stage": 12}),
    ],
    "gungeon": [
        (7, {}),
        (4, {"hallway_width": 1, "body": 1, "roughness": 100, "enemy_width": (30, 50)}),
        (11, {"rooms": 9, "hallway_width": 3, "loop_share": (100, 100), "loop_length": 200}),
    ],
}  # fmt: skip


@cache
def sound_levels(style: str) -> list[Level]:
    return [generate(style, seed, **values) for seed, values in SPECS[style]]


@pytest.mark.parametrize("style", SPECS)
def test_sound_levels_have_no_problems(style: str) -> None:
    for level in sound_levels(style):
        assert problems(level) == []


@pytest.mark.parametrize(
    ("breakage", "style"),
    [
        pytest.param(breakage, style, id=f"{breakage.name}-{style}")
        for breakage in CATALOGUE
        for style in breakage.found_by
    ],
)
def test_every_breakage_is_found(breakage: Breakage, style: str) -> None:
    """By its check in every level, and in the first one that has what it breaks, by all checks."""
    tried = 0
    for level in sound_levels(style):
        try:
            broken = breakage.make(level)
        except Unfit:
            continue
        tried += 1
        (check,) = (check for check in checks_of(level) if name_of(check) == breakage.found_by[style])
        told = [str(problem) for problem in (problems(broken) if tried == 1 else check(broken))]
        assert any(line.endswith(f"[{breakage.found_by[style]}]") for line in told), told
        assert not any("\n" in line for line in told)
    assert tried, "no level has what this breaks"


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
