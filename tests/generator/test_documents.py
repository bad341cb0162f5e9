"""The presets that follow one document: each test names the sentences that it holds.

`procedural` has its own file, `styles/gungeon/test_procedural.py`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from generator import generate, load_spec
from generator.styles.rebirth.growth import counts

SEEDS = range(200)
Cell = tuple[int, int]


def plans(**values: Any) -> list[Any]:
    return [generate("basement", seed, until="floorplan", **values) for seed in SEEDS]


def beside(cell: Cell) -> set[Cell]:
    x, y = cell
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def test_basement_has_the_articles_number_of_rooms() -> None:
    """ "random(2) + 5 + level * 2.6": 7 or 8 at first, 2 or 3 more each stage; the secret room is extra."""
    for stage, numbers in ((1, {7, 8}), (2, {10, 11}), (3, {12, 13})):
        found = {sum(room.kind != "secret" for room in plan.rooms) for plan in plans(stage=stage)}
        assert found == numbers


def test_basement_grows_from_the_start_without_loops() -> None:
    """ "Except for the secret room, there are no loops": the others are joined as a tree."""
    for plan in plans(stage=4):
        cells = {room.cells[0] for room in plan.rooms if room.kind not in ("secret", "super_secret")}
        assert plan.rooms[0].kind == "start" and plan.rooms[0].cells == ((5, 3),), "cell 35"
        joined = sum(len(beside(cell) & cells) for cell in cells) // 2
        assert joined == len(cells) - 1
        assert all(1 <= x <= 9 and 0 <= y < 8 for x, y in cells), "cells with an x of 0 are not used"


def test_basement_puts_the_boss_last_and_the_secret_room_away_from_it() -> None:
    """ "The boss room cannot be adjacent to the starting room"; the demo forbids the secret room only there."""
    touching: Counter[int] = Counter()
    for plan in plans():
        cells = {room.cells[0]: room.kind for room in plan.rooms}
        boss = next(cell for cell, kind in cells.items() if kind == "boss")
        secret = next(cell for cell, kind in cells.items() if kind == "secret")
        assert not {"start", "secret"} & {cells.get(cell) for cell in beside(boss)}
        touching[sum(cell in cells for cell in beside(secret))] += 1
    assert touching[1] == 0, "the demo finds two neighbours or more"


def test_rebirth_follows_the_wiki() -> None:
    """Where the programs say something else, the page decides; `counts` are its pseudo-code."""
    spec = load_spec("rebirth")
    assert (spec.reading, spec.stage, spec.edition) == ("wiki", 1, "repentance")
    assert {counts(spec, seed).rooms for seed in range(1, 60)} == {8, 9}
    assert {counts(spec, seed).dead_ends for seed in range(1, 60)} == {5}
    void = spec.replace({"stage": 12})
    assert {counts(void, seed).rooms for seed in range(1, 400)} == set(range(50, 60))
    for stage in range(2, 9):
        first = 3 * stage + stage // 3
        found = {counts(spec.replace({"stage": stage}), seed).rooms for seed in range(1, 30)}
        assert found <= {min(20, first + 5), min(20, first + 6)}
