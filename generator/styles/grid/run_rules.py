"""Runs of the styles on a grid: their stages, how a run begins, and what one stage hands to the next."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from generator.styles.base import RunTables
from generator.styles.grid.spec import GridSpec, Memory

if TYPE_CHECKING:  # listing styles must not import numpy
    from generator.styles.grid.floorplan import Floorplan
    from generator.styles.grid.furnish import Chooser

S = TypeVar("S", bound=GridSpec)

_LAST_STAGE = 12


def stages(spec: S) -> Sequence[S]:
    """List the specs of a run from a spec's stage to the last."""
    return [dataclasses.replace(spec, stage=stage) for stage in range(spec.stage, _LAST_STAGE + 1)]


def begin(spec: GridSpec) -> RunTables:
    """Return the memory of a run's first level. A level that already belongs to a run keeps its own."""
    return {"memory": spec.memory if spec.memory.place else Memory(place=1)}


def carry(spec: GridSpec, seed: int, plan: Floorplan, choose: Chooser) -> RunTables:
    """Return what the player has met and is likely to have now. Raises SpecError and LayoutError."""
    from generator.styles.grid.carry import memory_after, state_after

    return {"memory": memory_after(spec, seed, plan, choose), "state": state_after(spec, seed, plan)}
