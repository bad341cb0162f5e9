"""Long sweeps: `pytest -m soak`."""

from __future__ import annotations

import pytest

from generator import IsaacSpec
from generator.checks import problems
from generator.floorplans.isaac import floorplan
from generator.pipeline import generate

from .floorplans import oracle

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
