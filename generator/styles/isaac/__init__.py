"""The `isaac` style: the floorplans of the 2011 game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from generator.styles.base import RunRules, RunTables, Style
from generator.styles.grid.run_rules import begin, carry, stages
from generator.styles.isaac.spec import IsaacSpec

if TYPE_CHECKING:
    from generator.checks.base import Check
    from generator.level import Level
    from generator.rerolls.draft import LevelDraft, RoomRoller
    from generator.styles.columns import PlanColumns
    from generator.styles.grid.floorplan import Floorplan


def _plan(spec: IsaacSpec, seed: int) -> Floorplan:
    from generator.styles.isaac.floorplan import floorplan

    spec.load_kit().need(spec.style, ("start", "normal", "boss"))
    return floorplan(spec, seed)


def _floorplans(spec: IsaacSpec, seeds: Sequence[int]) -> PlanColumns | None:
    from generator.styles.isaac.bulk import floorplans

    return floorplans(spec, seeds)


def _build(spec: IsaacSpec, seed: int, seed_text: str | None, plan: Floorplan) -> Level:
    from generator.styles.grid.build import build
    from generator.styles.isaac.dealing import deal_layouts

    return build(spec, seed, seed_text, plan, deal_layouts)


def _carry(spec: IsaacSpec, seed: int, plan: Floorplan) -> RunTables:
    from generator.styles.isaac.dealing import deal_layouts

    return carry(spec, seed, plan, deal_layouts)


def _checks() -> Sequence[Check]:
    from generator.styles.isaac.checks import CHECKS

    return CHECKS


def _roller(draft: LevelDraft, spec: IsaacSpec, layouts: str | Path) -> RoomRoller:
    from generator.styles.isaac.rerolls import IsaacRooms

    return IsaacRooms(draft, spec, layouts)


STYLE = Style(
    name=IsaacSpec.style,
    summary=IsaacSpec.summary,
    spec=IsaacSpec,
    plan=_plan,
    build=_build,
    checks=_checks,
    roller=_roller,
    run_rules=RunRules(stages, begin, _carry),
    floorplans=_floorplans,
)
