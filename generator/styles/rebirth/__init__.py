"""The `rebirth` style: the remake's floorplans, draw for draw, with special rooms in the wiki's order."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from generator.seeds import Seed
from generator.styles.base import RunRules, RunTables, Style
from generator.styles.grid.run_rules import begin, carry, stages
from generator.styles.rebirth.spec import LAST_ALTERNATE, RebirthSpec

if TYPE_CHECKING:
    from generator.checks.base import Check
    from generator.level import Level
    from generator.rerolls.draft import LevelDraft, RoomRoller
    from generator.styles.columns import PlanColumns
    from generator.styles.grid.floorplan import Floorplan
    from generator.styles.rebirth.growth import Topology, topology

__all__ = ["STYLE", "Topology", "topology"]


def _plan(spec: RebirthSpec, seed: int) -> Floorplan:
    from generator.styles.rebirth.floorplan import floorplan

    spec.load_kit().need(spec.style, ("start", "normal", "boss"))
    return floorplan(spec, seed)


def _floorplans(spec: RebirthSpec, seeds: Sequence[int]) -> PlanColumns | None:
    from generator.styles.rebirth.bulk import floorplans

    return floorplans(spec, seeds)


def _build(spec: RebirthSpec, seed: int, seed_text: str | None, plan: Floorplan) -> Level:
    from generator.styles.grid.build import build
    from generator.styles.rebirth.dealing import draw_layouts

    return build(spec, seed, seed_text, plan, draw_layouts)


def _stages(spec: RebirthSpec) -> Sequence[RebirthSpec]:
    """List the stages of a run. Where the alternate path ends, the run continues on the main one."""
    ahead = stages(dataclasses.replace(spec, alternate_path=False))
    return [
        dataclasses.replace(stage_spec, alternate_path=True)
        if spec.alternate_path and stage_spec.stage <= LAST_ALTERNATE
        else stage_spec
        for stage_spec in ahead
    ]


def _carry(spec: RebirthSpec, seed: int, plan: Floorplan) -> RunTables:
    from generator.styles.rebirth.dealing import draw_layouts

    return carry(spec, seed, plan, draw_layouts)


def _checks() -> Sequence[Check]:
    from generator.styles.rebirth.checks import CHECKS

    return CHECKS


def _roller(draft: LevelDraft, spec: RebirthSpec, layouts: str | Path) -> RoomRoller:
    from generator.styles.rebirth.rerolls import RebirthRooms

    return RebirthRooms(draft, spec, layouts)


def _read_seed(seed: Seed) -> tuple[int, str | None]:
    from generator.styles.rebirth.seeds import read_run_seed

    return read_run_seed(seed)


STYLE = Style(
    name=RebirthSpec.style,
    summary=RebirthSpec.summary,
    spec=RebirthSpec,
    plan=_plan,
    build=_build,
    checks=_checks,
    roller=_roller,
    read_seed=_read_seed,
    one_seed_per_run=True,
    run_rules=RunRules(_stages, begin, _carry),
    floorplans=_floorplans,
)


def __getattr__(name: str) -> object:
    """Import the topology when it is first used."""
    if name in ("Topology", "topology"):
        from generator.styles.rebirth import growth

        return getattr(growth, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
