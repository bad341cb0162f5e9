"""The stages of a run are independent: what chance decides on one says nothing about another.

A `rebirth` run has one seed for all of its stages, and people try an `isaac` seed on several.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from math import sqrt

import pytest

from generator import Level, generate
from generator.styles.grid.floorplan import Floorplan
from generator.styles.isaac.spec import IsaacSpec

SEEDS = range(1, 151)  # enough to notice that one in three runs repeats itself
SIGMAS = 4.5


@cache
def plan(style: str, seed: int, stage: int) -> Floorplan:
    made = generate(style, seed, stage=stage, curse="random", until="floorplan")
    assert isinstance(made, Floorplan)
    return made


@cache
def level(style: str, seed: int, stage: int) -> Level:
    return generate(style, seed, stage=stage)


def kind_comes(kind: str) -> Callable[[str, int, int], bool]:
    return lambda style, seed, stage: any(room.kind == kind for room in plan(style, seed, stage).rooms)


def where(kind: str) -> Callable[[str, int, int], object]:
    """The place of the first room of a kind among the rooms, from the last: what dice could decide alike."""

    def place(style: str, seed: int, stage: int) -> object:
        kinds = [room.kind for room in plan(style, seed, stage).rooms]
        return kinds[::-1].index(kind) if kind in kinds else None

    return place


def curse(style: str, seed: int, stage: int) -> object:
    return plan(style, seed, stage).facts["curse"]


def cells(style: str, seed: int, stage: int) -> object:
    """Whether each cell about the start is a room's."""
    taken = {cell for room in plan(style, seed, stage).rooms for cell in room.cells}
    x, y = plan(style, seed, stage).rooms[0].cells[0]
    return tuple((x + dx, y + dy) in taken for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def start_layout(style: str, seed: int, stage: int) -> object:
    return level(style, seed, stage).rooms[0].layout.partition("+")[0]


def start_mirror(style: str, seed: int, stage: int) -> object:
    return level(style, seed, stage).rooms[0].layout.partition("+")[2]


def agreement(first: Sequence[object], second: Sequence[object]) -> tuple[float, float]:
    """How often two stages of one run agree, and how often those of different runs do."""
    same = sum(a == b for a, b in zip(first, second, strict=True)) / len(first)
    shares: list[Hashable] = sorted({*first, *second}, key=str)
    by_chance = sum(first.count(each) * second.count(each) for each in shares) / len(first) ** 2
    return same, by_chance


@pytest.mark.parametrize("stages", [(2, 4), (3, 5), (5, 6)])
@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(kind_comes("library"), id="library"),
        pytest.param(kind_comes("curse"), id="curse-room"),
        pytest.param(kind_comes("mini_boss"), id="mini-boss"),
        pytest.param(where("secret"), id="secret"),
        pytest.param(where("boss"), id="boss"),
        pytest.param(curse, id="curse"),
        pytest.param(cells, id="cells"),
    ],
)
@pytest.mark.parametrize("style", ["isaac", "rebirth"])
def test_floorplans_of_two_stages_agree_as_often_as_those_of_two_runs(
    style: str, rule: Callable[[str, int, int], object], stages: tuple[int, int]
) -> None:
    first, second = ([rule(style, seed, stage) for seed in SEEDS] for stage in stages)
    same, by_chance = agreement(first, second)
    assert abs(same - by_chance) < SIGMAS * sqrt(max(by_chance * (1 - by_chance), 0.01) / len(SEEDS))


@pytest.mark.parametrize("rule", [start_layout, start_mirror])
@pytest.mark.parametrize("style", ["isaac", "rebirth"])
def test_layouts_of_two_stages_agree_as_often_as_those_of_two_runs(
    style: str, rule: Callable[[str, int, int], object]
) -> None:
    seeds = SEEDS[:60]
    first, second = ([rule(style, seed, stage) for seed in seeds] for stage in (1, 3))
    same, by_chance = agreement(first, second)
    assert abs(same - by_chance) < SIGMAS * sqrt(by_chance * (1 - by_chance) / len(seeds))


def test_both_stages_of_a_chapter_have_its_variant_and_chapters_differ() -> None:
    variants = [[IsaacSpec(stage=stage).variant(seed) for stage in range(1, 13)] for seed in SEEDS]
    for run in variants:
        assert run[0::2] == run[1::2]
    same, by_chance = agreement([run[0] for run in variants], [run[2] for run in variants])
    assert abs(same - by_chance) < SIGMAS * sqrt(by_chance * (1 - by_chance) / len(SEEDS))
