"""generate(): the stages of a level, in their order."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, overload

from generator.level import Level, RerollRow
from generator.seeds import Seed
from generator.spec import LevelSpec, spec_of
from generator.styles.base import Plan
from generator.styles.registry import style


@overload
def generate(
    spec: LevelSpec | str | Path, seed: Seed = None, *, until: Literal["floorplan"], **values: Any
) -> Plan: ...


@overload
def generate(
    spec: LevelSpec | str | Path,
    seed: Seed = None,
    *,
    until: None = None,
    rerolls: Iterable[RerollRow] = (),
    **values: Any,
) -> Level: ...


def generate(
    spec: LevelSpec | str | Path,
    seed: Seed = None,
    *,
    until: Literal["floorplan"] | None = None,
    rerolls: Iterable[RerollRow] = (),
    **values: Any,
) -> Level | Plan:
    """The level of a spec and a seed: the same for the same, on every machine.

    `spec` is a `LevelSpec`, a preset's name or a TOML file's path; `values` change some of its values.
    `seed` is an unsigned 64-bit number, or a text that stands for one (`seeds.read_seed`). With
    `until="floorplan"` nothing later is computed or imported.

    `generate(level.spec, level.seed, rerolls=level.rerolls)` gives a level again. For one with layouts of a
    team's own, or with a kit, of which it keeps digests, give their folders too, as `layouts` and `kit`. If
    the seed was typed as a text, give that, `level.seed_text`.

    Raises SpecError for a bad spec or seed, LayoutError for a team's bad layout, LevelError for rerolls that
    are none, and GenerationFailed if no level was found within a counted number of tries.
    """
    spec = spec_of(spec, values)
    if until not in (None, "floorplan"):
        raise ValueError(f"until: {until!r} is no stage to stop after; give 'floorplan'")
    rows = tuple(rerolls)
    if rows and until:
        raise ValueError("rerolls: a floorplan has none; leave out until, or rerolls")
    chosen = style(spec.style)
    number, text = chosen.read_seed(seed)
    plan = chosen.plan(spec, number)
    if until:
        return plan
    level = chosen.build(spec, number, text, plan)
    if not rows:
        return level

    from generator.rerolls.reroll import rolled_again

    return rolled_again(level, rows, getattr(spec, "layouts", ""), spec.kit)
