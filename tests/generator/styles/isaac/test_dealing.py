"""Dealing layouts in the `isaac` style: each difficulty by its share, and no layout twice while others are left."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from generator import IsaacSpec
from generator.interiors.pools import Choice
from generator.interiors.team_layouts import NO_OWN
from generator.kinds import read_kit
from generator.styles.grid.floorplan import Floorplan, PlannedRoom
from generator.styles.grid.pools import LevelPools, chapter_of
from generator.styles.isaac.dealing import choose_layouts
from tests.generator.kits.base import write_kit


def deadly_of(pools: LevelPools) -> list[str]:
    """The deadly layouts: a few, where there are many easy ones."""
    return sorted(choice.name for choice in pools.choices("normal", ("deadly",)))


def pools_with(shares: str, folder: Path) -> LevelPools:
    """The shipped layouts, with these shares of difficulties."""
    kit = read_kit(write_kit(folder, f"[[difficulty.isaac]]\nshares = {{ {shares} }}"))
    spec = IsaacSpec(kit=str(kit.folder))
    return LevelPools(chapter_of(spec, 1), spec.room_size, NO_OWN, kit=kit)


def dealt(pools: LevelPools, rooms: int, seed: int, seen: tuple[str, ...] = ()) -> list[Choice]:
    """The layouts of so many normal rooms."""
    plan = Floorplan(
        tuple(PlannedRoom("normal", "1x1", ((2 * i, 0),), 0, 0) for i in range(rooms)), {}, {"curse": "none"}
    )
    spec = IsaacSpec(kit=str(pools.kit.folder)).replace({"memory": {"place": 2, "layouts": list(seen)}})
    return choose_layouts(spec, plan, pools, [frozenset()] * rooms, seed)


@pytest.mark.parametrize("easy", [1, 3])
def test_each_difficulty_comes_as_often_as_its_share_says(easy: int, tmp_path: Path) -> None:
    """However many layouts it has: ten times as many are easy as are deadly."""
    pools, found = pools_with(f"easy = {easy}, deadly = 1", tmp_path), Counter[int]()
    for seed in range(100):
        found.update(choice.difficulty for choice in dealt(pools, 6, seed))
    number, share = found.total(), 1 / (easy + 1)
    assert set(found) == {1, 20}
    assert abs(found[20] / number - share) < 4 * (share * (1 - share) / number) ** 0.5


def test_a_layout_comes_twice_only_after_all_others(tmp_path: Path) -> None:
    """A difficulty whose layouts are used up makes room for the others."""
    pools = pools_with("easy = 1, deadly = 9", tmp_path / "both")
    number = len(deadly_of(pools))
    hand = dealt(pools, 3 * number, 1)
    assert len({choice.name for choice in hand}) == 3 * number
    assert sum(choice.difficulty == 20 for choice in hand) == number
    hand = dealt(pools_with("deadly = 1", tmp_path / "one"), 2 * number, 1)
    assert {len({choice.name for choice in half}) for half in (hand[:number], hand[number:])} == {number}


def test_a_run_shows_what_it_has_shown_least_of_each_difficulty(tmp_path: Path) -> None:
    """That half of the deadly layouts were seen makes no room less deadly."""
    pools = pools_with("easy = 1, deadly = 1", tmp_path)
    names = deadly_of(pools)
    seen = tuple(names[: len(names) // 2])
    for seed in range(20):
        fresh, later = dealt(pools, 6, seed), dealt(pools, 6, seed, seen)
        assert [choice.difficulty for choice in fresh] == [choice.difficulty for choice in later]
        deadly = [choice.name for choice in later if choice.difficulty == 20]
        assert set(deadly[: len(names) - len(seen)]).isdisjoint(seen)
