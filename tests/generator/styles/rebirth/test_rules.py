"""Every rule holds, over many seeds, stages, modes and editions."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import RebirthSpec, generate
from generator.checks import problems
from generator.rng import Stream
from generator.styles.grid.floorplan import Floorplan
from generator.styles.rebirth.floorplan import floorplan
from generator.styles.rebirth.spec import RebirthState

from .rules import broken_rules

SOAK = 5000
STATES = st.builds(
    RebirthState,
    red_hearts=st.integers(0, 12),
    heart_containers=st.integers(0, 12),
    soul_hearts=st.integers(0, 6),
    bone_hearts=st.integers(0, 3),
    keys=st.integers(0, 3),
    coins=st.integers(0, 9),
    treasure_rooms_skipped=st.integers(0, 5),
    victory_lap=st.integers(0, 4),
    character=st.sampled_from(["any", "the_lost", "blue_baby", "the_soul"]),
    devil_room_visited=st.booleans(),
    book_picked_up=st.booleans(),
    mini_boss_met=st.booleans(),
    silver_dollar=st.booleans(),
    bloody_crown=st.booleans(),
    fragmented_card=st.booleans(),
    luna=st.booleans(),
    voodoo_head=st.booleans(),
)
MODES = [
    ("none", False),
    ("none", True),
    ("lost", True),
    ("labyrinth", False),
    ("labyrinth", True),
    ("giant", False),
]


def sweep(spec: RebirthSpec, count: int, number: int) -> None:
    stream = Stream(2, "sweep", spec.stage, number)
    for _ in range(count):
        seed = 1 + stream.below(2**32 - 1)
        plan = floorplan(spec, seed)
        assert broken_rules(plan, spec) == [], seed


@pytest.mark.parametrize("stage", range(1, 13))
def test_every_rule_holds_on_every_stage_and_in_every_mode(stage: int) -> None:
    for number, (curse, hard) in enumerate(MODES):
        sweep(RebirthSpec(stage=stage, curse=curse, hard=hard), 6, number)


@pytest.mark.parametrize("edition", ["rebirth", "afterbirth", "afterbirth_plus"])
def test_every_rule_holds_in_every_edition(edition: str) -> None:
    for stage, curse in product(range(1, 13), ("none", "labyrinth", "lost")):
        sweep(RebirthSpec(stage=stage, curse=curse, edition=edition), 2, 7)


@given(
    st.integers(1, 2**64 - 1).filter(lambda seed: seed % 2**32 > 0),
    st.integers(1, 12),
    st.sampled_from(["none", "random", "labyrinth", "lost"]),
    st.booleans(),
    st.sampled_from(["rebirth", "afterbirth", "afterbirth_plus", "repentance"]),
    st.sampled_from(["game", "wiki"]),
    st.integers(0, 100),
    STATES,
)
@settings(max_examples=100)
def test_every_rule_holds_whatever_is_asked_for(
    seed: int, stage: int, curse: str, hard: bool, edition: str, late: str, large: int, state: RebirthState
) -> None:
    spec = RebirthSpec(
        stage=stage,
        curse=curse,
        hard=hard,
        edition=edition,
        late_special_rooms=late,
        large_bosses=large,
        state=state,
    )
    plan = floorplan(spec, seed)
    assert broken_rules(plan, spec) == []
    assert isinstance(plan, Floorplan) and floorplan(spec, seed) == plan


@given(st.integers(1, 2**32 - 1), st.integers(4, 63), st.booleans(), st.integers(1, 7))
@settings(max_examples=20)
def test_every_rule_holds_for_any_number_of_rooms(
    seed: int, rooms: int, labyrinth: bool, bosses: int
) -> None:
    for stage in (1, 11, 12):
        spec = RebirthSpec(
            stage=stage, rooms=rooms, curse="labyrinth" if labyrinth else "none", void_bosses=bosses
        )
        assert broken_rules(floorplan(spec, seed), spec) == []


@pytest.mark.soak
@pytest.mark.parametrize("mode", range(len(MODES)))
@pytest.mark.parametrize("stage", range(1, 13))
def test_every_rule_holds_over_many_seeds(stage: int, mode: int) -> None:
    """5,000 seeds a stage and mode."""
    curse, hard = MODES[mode]
    sweep(RebirthSpec(stage=stage, curse=curse, hard=hard), SOAK, 100 + mode)


@pytest.mark.soak
@pytest.mark.parametrize("edition", ["rebirth", "afterbirth", "afterbirth_plus"])
def test_every_rule_holds_in_every_edition_over_many_seeds(edition: str) -> None:
    for stage, curse in product(range(1, 13), ("none", "labyrinth", "random")):
        sweep(RebirthSpec(stage=stage, curse=curse, edition=edition), 300, 200)


def test_the_rules_find_what_is_broken() -> None:
    """The checks work: each change to a valid floorplan breaks the expected rule."""
    spec = RebirthSpec(stage=4)
    plan = floorplan(spec, 7)
    number = {room.kind: place for place, room in enumerate(plan.rooms)}

    def broken_by(which: str, **values: object) -> list[str]:
        rooms = list(plan.rooms)
        rooms[number[which]] = rooms[number[which]]._replace(**values)
        return broken_rules(replace(plan, rooms=tuple(rooms)), spec)

    far = plan.rooms[number["ultra_secret"]].cells
    assert "1 to 1 rooms of kind shop" in broken_by("shop", kind="normal")
    assert "a boss is more than one step deep" in broken_by("boss", depth=1)
    assert "distances are walked" in broken_by("treasure", distance=0)
    assert "every room is reached, but the secret ones" in broken_by("shop", cells=far)
    assert "no cell is used twice" in broken_by("shop", cells=((6, 6),))
    assert "cells are those of the shape" in broken_by("shop", shape="2x1")
    assert "an ultra secret room touches red rooms alone" in broken_by("ultra_secret", cells=((5, 6),))
    reds = "red rooms are the cells beside an ultra secret room that touch a room"
    assert reds in broken_by("red", kind="normal")
    assert "super secret rooms touch one room" in broken_by("super_secret", cells=((0, 0),))
    assert "special rooms are dead ends, but a pair of bosses" in broken_by("normal", kind="library")
    assert "special rooms are single cells, but bosses" in broken_by("shop", shape="IH")


@pytest.mark.soak
@pytest.mark.parametrize("stage", range(1, 13))
def test_every_level_passes_every_check_over_many_seeds(stage: int) -> None:
    stream = Stream(3, "sweep", stage)
    for number in range(400):
        curse, hard = MODES[number % len(MODES)]
        seed = 1 + stream.below(2**32 - 1)
        assert problems(generate("rebirth", seed, stage=stage, curse=curse, hard=hard)) == [], (
            seed,
            curse,
            hard,
        )
