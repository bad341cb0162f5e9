"""Whether a stage is its chapter's own or the alternative: floorplans and layouts both depend on it."""

from __future__ import annotations

from generator.rng import Stream
from generator.spec import GridSpec


def stage_variant(spec: GridSpec, seed: int) -> str:
    """`main` or `alternative`, as the spec says or chance decides."""
    if spec.stage_variant != "random":
        return spec.stage_variant
    return Stream(seed, "isaac.chapter").pick(("main", "alternative"))
