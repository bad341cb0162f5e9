"""The `gungeon` style: rooms of many sizes in a heap, pushed apart and joined by hallways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from generator.styles.base import Style
from generator.styles.gungeon.spec import GungeonSpec

if TYPE_CHECKING:
    from generator.checks.base import Check
    from generator.json_schema import JsonSchema
    from generator.kinds import Kit
    from generator.level import Level
    from generator.rerolls.draft import LevelDraft, RoomRoller
    from generator.styles.columns import PlanColumns
    from generator.styles.gungeon.plan import HeapPlan


def _plan(spec: GungeonSpec, seed: int) -> HeapPlan:
    from generator.styles.gungeon.floorplan import floorplan

    return floorplan(spec, seed)


def _build(spec: GungeonSpec, seed: int, seed_text: str | None, plan: HeapPlan) -> Level:
    from generator.styles.gungeon.assemble import assemble_heap, sites_of
    from generator.styles.gungeon.districts import with_districts
    from generator.styles.gungeon.facing import facing_doors
    from generator.styles.gungeon.furnishing.furnishers import furnish_sites

    plan = with_districts(spec, plan, seed)
    sites = facing_doors(spec, sites_of(plan, spec.load_kit()), are_named="flow" in plan.facts)
    furnished = furnish_sites(spec, sites, seed)
    return assemble_heap(spec, seed, seed_text, plan, furnished)


def _plans(spec: GungeonSpec, seeds: int) -> Callable[[int], HeapPlan] | None:
    from generator.styles.gungeon.bulk import plans

    return plans(spec, seeds)


def _floorplans(spec: GungeonSpec, seeds: Sequence[int]) -> PlanColumns | None:
    from generator.styles.gungeon.bulk import floorplans

    return floorplans(spec, seeds)


def _checks() -> Sequence[Check]:
    from generator.styles.gungeon.checks import CHECKS

    return CHECKS


def _roller(draft: LevelDraft, spec: GungeonSpec, layouts: str | Path) -> RoomRoller:
    from generator.styles.gungeon.rerolls import GungeonRooms

    return GungeonRooms(draft, spec, layouts)


def _schemas(kit: Kit | None) -> Mapping[str, JsonSchema]:
    from generator.styles.gungeon.flows.flow_file import flow_schema

    return {"flow": flow_schema(kit)}


STYLE = Style(
    name=GungeonSpec.style,
    summary=GungeonSpec.summary,
    spec=GungeonSpec,
    plan=_plan,
    build=_build,
    checks=_checks,
    roller=_roller,
    floorplans=_floorplans,
    plans=_plans,
    schemas=_schemas,
)
