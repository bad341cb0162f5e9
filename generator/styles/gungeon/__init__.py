"""The `gungeon` style: rooms of many sizes in a heap, pushed apart and joined by hallways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import GenerationFailed
from generator.styles.base import RunRules, RunTables, Style
from generator.styles.gungeon.spec import GungeonMemory, GungeonSpec, stage_seed

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

    if not spec.memory.place:
        return floorplan(spec, seed)
    from generator.styles.gungeon.injections import with_injections

    rolls = stage_seed(spec, seed)
    with told_of(seed):
        return with_injections(spec, floorplan(spec, rolls), rolls)


def _build(spec: GungeonSpec, seed: int, seed_text: str | None, plan: HeapPlan) -> Level:
    from generator.styles.gungeon.assemble import assemble_heap, sites_of
    from generator.styles.gungeon.costs import with_costs
    from generator.styles.gungeon.districts import with_districts
    from generator.styles.gungeon.facing import facing_doors
    from generator.styles.gungeon.furnishing.furnishers import furnish_sites

    rolls = stage_seed(spec, seed)
    plan = with_costs(with_districts(spec, plan, rolls), spec.load_kit().kinds, rolls)
    sites = facing_doors(spec, sites_of(plan, spec.load_kit()))
    furnished = furnish_sites(spec, sites, rolls)
    with told_of(seed):
        if spec.memory.place:
            from generator.styles.gungeon.injections import with_run_markers

            furnished = with_run_markers(spec, plan, sites, furnished, rolls)
        return assemble_heap(spec, seed, seed_text, plan, furnished)


@contextmanager
def told_of(seed: int) -> Iterator[None]:
    """Name the seed that was typed if no level can be made, not the one that a level of a run has instead."""
    try:
        yield
    except GenerationFailed as error:
        raise GenerationFailed(error.stage, error.attempts, error.reason, seed) from None


def _plans(spec: GungeonSpec) -> Callable[[int], HeapPlan] | None:
    from generator.styles.gungeon.bulk import plans

    return plans(spec)


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


def _stages(spec: GungeonSpec) -> Sequence[GungeonSpec]:
    from generator.styles.gungeon.runs import stages

    return stages(spec)


def _begin(spec: GungeonSpec) -> RunTables:
    return {"memory": spec.memory if spec.memory.place else GungeonMemory(place=1)}


def _carry(spec: GungeonSpec, seed: int, plan: HeapPlan) -> RunTables:
    from generator.styles.gungeon.runs import carry

    return carry(spec, seed, plan)


STYLE = Style(
    name=GungeonSpec.style,
    summary=GungeonSpec.summary,
    spec=GungeonSpec,
    plan=_plan,
    build=_build,
    checks=_checks,
    roller=_roller,
    run_rules=RunRules(_stages, _begin, _carry),
    floorplans=_floorplans,
    plans=_plans,
    schemas=_schemas,
)
