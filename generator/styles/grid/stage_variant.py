"""Which variant of its chapter a stage is: floorplans and layouts both depend on it."""

from __future__ import annotations

from generator.interiors.chapters import VARIANTS
from generator.styles.grid.spec import GridSpec

__all__ = ["VARIANTS", "stage_variant"]


def stage_variant(spec: GridSpec, seed: int) -> str:
    """One of `VARIANTS`, as the spec says or as the style's chance decides."""
    return spec.random_variant(seed) if spec.stage_variant == "random" else spec.stage_variant
