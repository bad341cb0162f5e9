"""Levels have no problems, whatever the spec; what cannot be a level has some, and no traceback.

What checks find stands in `test_breakages.py`.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator import GungeonSpec, LevelError, generate
from generator.checks import problems

from .test_level_file_hostile import change, signed


@given(
    st.integers(0, 2**64 - 1),
    st.integers(1, 10),
    st.sampled_from([1, 3, 5]),
    st.sampled_from(["none", "labyrinth"]),
)
@settings(max_examples=60)
def test_every_level_is_sound(seed: int, stage: int, door_width: int, curse: str) -> None:
    assert problems(generate("isaac", seed, stage=stage, door_width=door_width, curse=curse)) == []


@given(
    st.integers(1, 2**32 - 1),
    st.integers(1, 12),
    st.sampled_from([1, 3, 5]),
    st.sampled_from(["none", "labyrinth", "lost", "giant", "random"]),
    st.booleans(),
)
@settings(max_examples=60)
def test_every_level_of_the_remake_is_sound(
    seed: int, stage: int, door_width: int, curse: str, hard: bool
) -> None:
    level = generate(
        "rebirth", seed, stage=stage, door_width=door_width, curse=curse, hard=hard, large_bosses=50
    )
    assert problems(level) == []


@given(
    st.integers(0, 2**64 - 1),
    st.integers(1, 30),
    st.sampled_from([1, 2, 3, 5]),
    st.sampled_from(["strip", "square", "disc"]),
    st.integers(0, 100),
)
@settings(max_examples=60)
def test_every_heap_is_sound(seed: int, rooms: int, hallway_width: int, drop: str, roughness: int) -> None:
    level = generate(
        GungeonSpec(rooms=rooms, hallway_width=hallway_width, drop=drop, roughness=roughness), seed
    )
    assert problems(level) == []


@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_a_level_without_rooms_has_problems_and_no_traceback(style: str) -> None:
    bare = replace(generate(style, 7), rooms=(), doors=(), markers=(), hallways=())
    assert {"one-start", "ground-in-rooms"} <= {problem.check for problem in problems(bare)}


@given(st.data(), st.sampled_from(["isaac", "rebirth", "gungeon"]))
@settings(max_examples=300, suppress_health_check=[HealthCheck.data_too_large])
def test_what_was_changed_anywhere_is_reported_in_lines(data: st.DataObject, style: str) -> None:
    """Checks must also handle strange levels: everything that can be read gets an answer."""
    made = copy.deepcopy(table(style))
    for _ in range(data.draw(st.integers(1, 4))):
        change(data, made)
    try:
        level = signed(made)
    except LevelError:
        return
    assert all("\n" not in str(problem) for problem in problems(level))


def test_a_problem_is_reported_in_one_line_whatever_the_level_says() -> None:
    made = copy.deepcopy(table("isaac"))
    made["facts"]["curse"] = "\n"
    told = [str(problem) for problem in problems(signed(made))]
    assert any("facts: curse is \\n" in line for line in told)
    assert not any("\n" in line for line in told)


@cache
def table(style: str) -> dict[str, Any]:
    return generate(style, 7).to_dict()
