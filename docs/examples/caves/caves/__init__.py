"""Caves: a style for Undercroft, in a package of its own. `STYLE` is all that Undercroft asks for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from caves.spec import CavesSpec
from generator.styles.base import Style

if TYPE_CHECKING:
    from caves.plan import CavesPlan
    from generator.batch.facts import Fact
    from generator.checks.base import Check
    from generator.level import Level
    from generator.rerolls.draft import LevelDraft, RoomRoller


def _plan(spec: CavesSpec, seed: int) -> CavesPlan:
    from caves.plan import plan

    return plan(spec, seed)


def _build(spec: CavesSpec, seed: int, seed_text: str | None, plan: CavesPlan) -> Level:
    from caves.assemble import assemble

    return assemble(spec, seed, seed_text, plan)


def _checks() -> Sequence[Check]:
    from caves.checks import CHECKS

    return CHECKS


def _facts() -> Sequence[Fact]:
    from caves.checks import FACTS

    return FACTS


def _roller(draft: LevelDraft, spec: CavesSpec, layouts: str | Path) -> RoomRoller:
    from caves.rerolls import CavesRooms

    return CavesRooms(draft, spec)


STYLE = Style(
    name=CavesSpec.style,
    summary=CavesSpec.summary,
    spec=CavesSpec,
    plan=_plan,
    build=_build,
    checks=_checks,
    facts=_facts,
    room_kinds=("grotto",),
    roller=_roller,
)
