"""The record of a style on a grid: what is in its folder, and what all such styles share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.spec.game import Memory
from generator.styles.base import RunRules, RunTables, Style
from generator.styles.grid.spec import GridSpec

if TYPE_CHECKING:  # listing styles must not import numpy
    from generator.level import Level
    from generator.rerolls.draft import LevelDraft, RoomRoller
    from generator.styles.grid.floorplan import Floorplan

_LAST_STAGE = 12


def grid_style(spec_class: type[GridSpec], **others: Any) -> Style:
    """Return the record of a style. Its folder has these, each imported when it is first used.

    `floorplan.floorplan` and `bulk.floorplans` make floorplans; `dealing.choose_layouts` gives rooms their
    layouts; `checks.CHECKS` are the checks; `special_rooms.REROLLS` the rules for rerolls.
    """

    @cache
    def own(module: str, name: str) -> Any:
        return getattr(import_module(f"generator.styles.{spec_class.style}.{module}"), name)

    def late(module: str, name: str) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            return own(module, name)(*args)

        return call

    def build(spec: GridSpec, seed: int, seed_text: str | None, plan: Floorplan) -> Level:
        from generator.styles.grid.build import build_level

        return build_level(spec, seed, seed_text, plan, own("dealing", "choose_layouts"))

    def roller(draft: LevelDraft, spec: GridSpec, layouts: str | Path) -> RoomRoller:
        from generator.styles.grid.rerolls import GridRooms

        return GridRooms(draft, spec, layouts, own("special_rooms", "REROLLS"))

    def carry(spec: GridSpec, seed: int, plan: Floorplan) -> RunTables:
        from generator.styles.grid.carry import memory_after, state_of_grid

        memory = memory_after(spec, seed, plan, own("dealing", "choose_layouts"))
        return {"memory": memory, "state": state_of_grid(spec, seed, plan)}

    return Style(
        name=spec_class.style,
        summary=spec_class.summary,
        spec=spec_class,
        plan=late("floorplan", "floorplan"),
        build=build,
        checks=lambda: own("checks", "CHECKS"),
        roller=roller,
        run_rules=RunRules(_stages, _begin, carry),
        floorplans=late("bulk", "floorplans"),
        **others,
    )


def _stages(spec: GridSpec) -> Sequence[GridSpec]:
    """List the specs of a run from a spec's stage to the last."""
    return [spec.on_stage(stage) for stage in range(spec.stage, _LAST_STAGE + 1)]


def _begin(spec: GridSpec) -> RunTables:
    """Return the memory of a run's first level. A level that already belongs to a run keeps its own."""
    return {"memory": spec.memory if spec.memory.place else Memory(place=1)}
