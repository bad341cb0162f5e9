"""The variant of its chapter that a stage is. Both floorplans and layouts depend on it."""

from __future__ import annotations

from generator.interiors.chapters import VARIANTS
from generator.styles.grid.spec import GridSpec

__all__ = ["VARIANTS", "stage_variant"]


def stage_variant(spec: GridSpec, seed: int) -> str:
    """Return one of `VARIANTS`: the spec's, or one drawn by the style."""
    return spec.random_variant(seed) if spec.stage_variant == "random" else spec.stage_variant
