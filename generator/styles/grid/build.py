"""Builds a level from a floorplan on a grid, the same way for all such styles."""

from __future__ import annotations

from generator.level import Level
from generator.styles.grid.assemble import assemble
from generator.styles.grid.carve import carve
from generator.styles.grid.floorplan import Floorplan
from generator.styles.grid.furnish import Chooser, furnish
from generator.styles.grid.spec import GridSpec


def build(spec: GridSpec, seed: int, seed_text: str | None, plan: Floorplan, choose: Chooser) -> Level:
    """Build the level of a floorplan. `choose` gives a room its layout. Raises SpecError and LayoutError."""
    furnished = furnish(spec, plan, seed, choose)
    carved = carve(plan, furnished.rooms, spec.room_size, spec.door_width)
    return assemble(spec, seed, seed_text, plan, furnished, carved)
