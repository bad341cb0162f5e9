"""`secret_room = "demo"`: floorplans beside those of the article's demo, ported from its own source.

The port mends one slip. The demo compares the function that counts neighbours, and not its result, with 2 and
with 1, so that its later tries never find a cell. As it runs, it only keeps floors that have a cell beside
three rooms: at stage 1, one in four.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from typing import NamedTuple

import pytest

from generator import IsaacSpec, PlanColumns, floorplans, generate, load_spec, problems
from tests.benchmarks import demo_port

STAGES = range(1, 13)
START = 45  # the demo's numbers of cells; its first row is the article's row 0
STEPS = (-1, 1, -10, 10)


class Floor(NamedTuple):
    """What is compared of a floor."""

    boss_depth: int
    end_rooms: int
    beside_secret: int
    start_doors: int
    secret_row: int


def floor_of(kinds: dict[int, str]) -> Floor:
    """Look at a floor, given the kinds of its rooms by cell."""
    secret, boss = (next(cell for cell, kind in kinds.items() if kind == name) for name in ("secret", "boss"))
    walked = kinds.keys() - {secret}
    doors = {cell: sum(cell + step in walked for step in STEPS) for cell in kinds}
    depths, queue = {START: 0}, [START]
    for cell in queue:
        for near in {cell + step for step in STEPS} & walked - depths.keys():
            depths[near] = depths[cell] + 1
            queue.append(near)
    ends = sum(doors[cell] == 1 for cell in walked - {START})
    return Floor(depths[boss], ends, doors[secret], doors[START], secret // 10)


def demos(stage: int, number: int) -> list[Floor]:
    chance = random.Random(1_000 + stage)
    least = 5 + stage * 26 // 10
    return [floor_of(demo_port.floorplan(least + chance.randrange(2), chance)[0]) for _ in range(number)]


def ours(stage: int, first: int, number: int) -> list[Floor]:
    plans = floorplans("isaac", range(first, first + number), stage=stage, secret_room="demo")
    assert plans.made.all()
    return [_floor_of_row(plans, row) for row in range(number)]


def _floor_of_row(plans: PlanColumns, row: int) -> Floor:
    rooms = plans.rooms[row]
    cells = plans.cells[row, :rooms].tolist()  # of one room each
    return floor_of(
        {
            10 * (y + 1) + x: plans.kinds[kind]
            for (x, y), kind in zip(cells, plans.kind[row, :rooms], strict=True)
        }
    )


def chances(first: list[Floor], second: list[Floor]) -> dict[str, float]:
    """How likely each figure differs as much as it does, if both are floors of one kind (chi-squared)."""
    columns = zip(zip(*first, strict=True), zip(*second, strict=True), strict=True)
    return {
        name: _chance(Counter(a), Counter(b)) for name, (a, b) in zip(Floor._fields, columns, strict=True)
    }


def _chance(first: Counter[int], second: Counter[int]) -> float:
    """Compare two counts. Values that are rarer than 1 in 100 or so are counted with their neighbours."""
    from scipy.stats import chi2_contingency  # slow to import

    least = (first.total() + second.total()) / 100
    table: list[list[int]] = []
    for value in sorted(first | second):
        if not table or sum(table[-1]) >= least:
            table.append([0, 0])
        table[-1][0] += first[value]
        table[-1][1] += second[value]
    if len(table) > 1 and sum(table[-1]) < least:
        last = table.pop()
        table[-1] = [a + b for a, b in zip(table[-1], last, strict=True)]
    return float(chi2_contingency(table).pvalue) if len(table) > 1 else 1.0


@pytest.mark.parametrize("stage", [1, 6])
def test_floors_are_those_of_the_demo(stage: int) -> None:
    found = chances(ours(stage, 0, 600), demos(stage, 600))
    assert min(found.values()) > 0.01 / len(found), found


def test_floors_by_the_articles_words_are_not() -> None:
    """So the comparison can fail."""
    plans = floorplans("isaac", range(300), stage=1)
    found = chances([_floor_of_row(plans, row) for row in range(300)], demos(1, 300))
    assert found["beside_secret"] < 1e-9


@pytest.mark.soak
def test_floors_of_all_stages_are_those_of_the_demo() -> None:
    """5,000 floors each; Holm's correction over all figures of all stages (of the last ones, fewer: they take long)."""
    found = {}
    for stage in STAGES:
        number = 5000 if stage < 11 else 1000
        both = ours(stage, 7_000_000, number), demos(stage, number)
        found |= {(stage, name): chance for name, chance in chances(*both).items()}
    ordered = sorted(found, key=found.__getitem__)
    too_unlikely = [key for i, key in enumerate(ordered) if found[key] < 0.01 / (len(ordered) - i)]
    assert too_unlikely == [], found


@pytest.mark.parametrize("curse", ["none", "labyrinth"])
def test_levels_pass_all_checks(curse: str) -> None:
    for seed in range(2):
        level = generate(
            "isaac", seed, stage=1 + seed * 5, curse=curse, secret_room="demo", state={"coins": 9}
        )
        assert problems(level) == []


def test_a_secret_room_beside_a_dead_end_is_the_demos_and_beside_the_boss_nobodys() -> None:
    name = "secret-rooms-away-from-dead-ends"
    level = generate("isaac", 2, secret_room="demo")
    as_article = dataclasses.replace(level, spec=level.spec.replace({"secret_room": "article"}))
    assert name in {problem.check for problem in problems(as_article)}
    boss = next(room.id for room in level.rooms if room.kind == "boss")
    beside = next(door.rooms for door in level.doors if boss in door.rooms)
    room = next(room for room in beside if room not in (boss, None))
    hidden = dataclasses.replace(
        level,
        rooms=tuple(
            dataclasses.replace(each, kind="secret") if each.id == room else each for each in level.rooms
        ),
        doors=tuple(
            dataclasses.replace(door, kind="secret") if room in door.rooms else door for door in level.doors
        ),
    )
    found = [problem for problem in problems(hidden) if problem.check == name]
    assert any(f"to boss room {boss}" in str(problem) for problem in found)


def test_levels_that_were_saved_without_the_value_have_the_articles() -> None:
    saved = generate("isaac", 1, until="floorplan")
    assert saved == generate("isaac", 1, until="floorplan", secret_room="article")
    assert "secret_room" not in load_spec("isaac").saved()
    assert IsaacSpec(secret_room="demo").saved()["secret_room"] == "demo"
