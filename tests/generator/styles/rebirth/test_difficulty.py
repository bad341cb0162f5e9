"""Difficulty windows of the `rebirth` style: rebirth-wiki, "Normal Room layouts are chosen"."""

from __future__ import annotations

from collections import Counter

import pytest

from generator import RebirthSpec, generate
from generator.kinds import DIFFICULTIES
from generator.styles.rebirth.special_rooms import difficulties_of

EDITIONS = ("rebirth", "afterbirth", "afterbirth_plus", "repentance")
FIRST, SECOND = (1, 3, 5, 7), (2, 4, 6, 8)


def numbers(curse: str = "none", **values: object) -> set[int]:
    return {DIFFICULTIES[name] for name in difficulties_of(RebirthSpec(**values), curse)}  # type: ignore[arg-type]


@pytest.mark.parametrize("edition", EDITIONS)
def test_normal_mode(edition: str) -> None:
    for stage in FIRST:
        assert numbers(stage=stage, edition=edition) == {1, 5}
    for stage in SECOND:
        assert numbers(stage=stage, edition=edition) == {5, 10}


@pytest.mark.parametrize(
    ("edition", "first", "second"),
    [
        ("rebirth", {5}, {10}),
        ("afterbirth", {5}, {10}),
        ("afterbirth_plus", {5}, {10, 15}),
        ("repentance", {1, 5, 10}, {5, 10, 15}),
    ],
)
def test_hard_mode(edition: str, first: set[int], second: set[int]) -> None:
    for stage in FIRST:
        assert numbers(stage=stage, edition=edition, hard=True) == first
    for stage in SECOND:
        assert numbers(stage=stage, edition=edition, hard=True) == second


def test_what_is_less_common_in_repentance() -> None:
    """ "1 and 10 are less common", "5 is less common"; a labyrinth counts as both floors."""
    shares = [difficulties_of(RebirthSpec(stage=stage, hard=True), "none") for stage in (1, 2)]
    assert shares == [{"easy": 1, "medium": 2, "hard": 1}, {"medium": 1, "hard": 2, "brutal": 2}]
    both = {"easy": 1, "medium": 2, "hard": 2, "brutal": 2}
    assert difficulties_of(RebirthSpec(stage=1, hard=True), "labyrinth") == both


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_labyrinth_counts_as_the_first_floor_and_in_repentance_as_both(edition: str) -> None:
    both = edition == "repentance"
    assert numbers("labyrinth", stage=3, edition=edition) == ({1, 5, 10} if both else {1, 5})


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("stage", [9, 10, 11])
def test_late_chapters_count_as_the_first_floor_and_in_repentance_as_the_second(
    stage: int, edition: str
) -> None:
    assert numbers(stage=stage, edition=edition) == ({5, 10} if edition == "repentance" else {1, 5})


@pytest.mark.parametrize(
    ("edition", "normal", "hard"),
    [("afterbirth_plus", {5, 10}, {5, 10, 15}), ("repentance", {5, 10, 20}, {5, 10, 15, 20})],
)
def test_the_void(edition: str, normal: set[int], hard: set[int]) -> None:
    assert numbers(stage=12, edition=edition) == normal
    assert numbers(stage=12, edition=edition, hard=True) == hard


def test_each_difficulty_comes_as_often_as_its_share_says() -> None:
    """However many layouts it has: in the hard Void of Repentance, which has four alike."""
    found: Counter[int] = Counter()
    for seed in range(1, 16):
        level = generate("rebirth", seed, stage=12, hard=True)
        found.update(room.difficulty for room in level.rooms if (room.kind, room.shape) == ("normal", "1x1"))
    each = found.total() / 4
    assert set(found) == {5, 10, 15, 20}
    assert all(abs(count - each) < 4 * (each * 3 / 4) ** 0.5 for count in found.values()), found
