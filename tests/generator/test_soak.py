"""Long sweeps: `pytest -m soak`."""

from __future__ import annotations

import pytest

from generator import GungeonSpec, IsaacSpec
from generator.checks import problems
from generator.pipeline import generate
from generator.styles.isaac.floorplan import floorplan

from .styles.isaac import oracle

SEEDS = 5000


@pytest.mark.soak
@pytest.mark.parametrize("curse", ["none", "labyrinth"])
@pytest.mark.parametrize("stage", range(1, 13))
def test_every_rule_holds_over_many_seeds(stage: int, curse: str) -> None:
    """5,000 seeds over all stages, with and without the curse: floorplans by the oracle, levels by the checks."""
    spec = IsaacSpec(stage=stage, curse=curse)
    for seed in range(stage, SEEDS, 12):
        assert (
            oracle.broken_rules(floorplan(spec, seed), stage=stage, labyrinth=curse == "labyrinth") == []
        ), seed
        assert problems(generate(spec, seed)) == [], seed


@pytest.mark.soak
@pytest.mark.parametrize("drop", ["strip", "square", "disc"])
@pytest.mark.parametrize("hallway_width", [1, 2, 3, 5])
def test_every_heap_is_sound_over_many_seeds_and_sizes(hallway_width: int, drop: str) -> None:
    """10,000 levels of 1 to 200 rooms, most of them small."""
    spec = GungeonSpec(hallway_width=hallway_width, drop=drop)
    for seed in range(840):
        rooms = 1 + seed % 30 if seed % 40 else (50, 100, 200)[seed // 40 % 3]
        level = generate(spec, seed, rooms=rooms, roughness=seed * 7 % 101)
        assert problems(level) == [], (seed, rooms)
