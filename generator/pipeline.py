"""generate(): the stages of a level, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from generator import plugins
from generator.errors import LevelError, UndercroftError
from generator.garbage import no_collections
from generator.kinds.kit import kits_stay
from generator.links import next_place
from generator.seeds import Seed
from generator.spec import LevelSpec, spec_of
from generator.stages import enter_stage
from generator.styles.base import Plan, Style
from generator.styles.registry import BUILT_IN, style

if TYPE_CHECKING:  # a floorplan needs no numpy
    from generator.keywords import SpecKeywords
    from generator.level import Level, RerollRow

PlanMaker = Callable[[Any, int], Plan]
"""Makes the floorplan of a spec and a number, as `Style.plan` does."""


@overload
def generate(
    spec: LevelSpec | str | Path,
    seed: Seed = None,
    *,
    until: Literal["floorplan"],
    **values: Unpack[SpecKeywords],
) -> Plan: ...


@overload
def generate(
    spec: LevelSpec | str | Path,
    seed: Seed = None,
    *,
    until: None = None,
    rerolls: Iterable[RerollRow] = (),
    **values: Unpack[SpecKeywords],
) -> Level: ...


def generate(
    spec: LevelSpec | str | Path,
    seed: Seed = None,
    *,
    until: Literal["floorplan"] | None = None,
    rerolls: Iterable[RerollRow] = (),
    **values: Unpack[SpecKeywords],
) -> Level | Plan:
    """Generate the level of a spec and a seed: always the same level, on every machine.

    `spec` is a `LevelSpec`, the name of a preset or the path of a TOML file; `values` change some of its
    values. `seed` is an unsigned 64-bit number, or a text that stands for one (`seeds.read_seed`). With
    `until="floorplan"` nothing after the floorplan is computed or imported.

    `generate(level.spec, level.seed, rerolls=level.rerolls)` generates a level again. A level keeps only
    digests of your own layouts and kit, so give their folders too, as `layouts` and `kit`. If
    the seed was typed as text, give that text, `level.seed_text`.

    Raises SpecError for a bad spec or seed, LayoutError for a bad layout of your own, LevelError for bad
    rerolls, and GenerationFailed if no level was found within a fixed number of tries.
    """
    spec = spec_of(spec, values)
    if until not in (None, "floorplan"):
        raise ValueError(f"until: {until!r} is not a stage to stop after; give 'floorplan'")
    rows = tuple(rerolls)
    if rows and until:
        raise ValueError("rerolls: a floorplan cannot have rerolls; leave out until, or rerolls")
    if until:
        return floorplan_of(spec, seed, style(spec.style).plan)
    level = level_of(spec, seed, style(spec.style).plan)
    if not rows:
        return level

    from generator.rerolls.reroll import rolled_again

    return rolled_again(level, rows, getattr(spec, "layouts", ""), spec.kit)


def floorplan_of(spec: LevelSpec, seed: Seed, plan: PlanMaker) -> Plan:
    """Make a floorplan with a function of its style."""
    number, _ = style(spec.style).read_seed(seed)
    with no_collections(), kits_stay():
        enter_stage("floorplan")
        return plan(spec, number)


def level_of(spec: LevelSpec, seed: Seed, plan: PlanMaker) -> Level:
    """Make a level with a function of its style that makes its floorplan."""
    chosen = style(spec.style)
    number, text = chosen.read_seed(seed)
    with no_collections(), kits_stay():
        enter_stage("floorplan")
        return _checked(chosen, spec, number, text, plan(spec, number))


def _checked(chosen: Style, spec: LevelSpec, seed: int, seed_text: str | None, plan: Any) -> Level:
    """Build the level of a floorplan, and hold it against the rows of its kit."""
    enter_stage("rooms")
    level = built(chosen, spec, seed, seed_text, plan)
    if spec.kit:
        from generator.checks import check_rows

        check_rows(level, spec)
    return level


def built(chosen: Style, spec: LevelSpec, seed: int, seed_text: str | None, plan: Any) -> Level:
    """Build the level of a floorplan. In a run it gets its exit.

    Mistakes of another package's style raise UndercroftError.
    """
    if chosen.name in BUILT_IN:
        level = chosen.build(spec, seed, seed_text, plan)
    else:
        build = plugins.guarded(f"style {chosen.name}: its build", _whole_level)
        level = build(chosen, spec, seed, seed_text, plan)
    if not next_place(spec):
        return level

    from generator.rerolls.exits import with_exit

    return with_exit(level)


def _whole_level(chosen: Style, spec: LevelSpec, seed: int, seed_text: str | None, plan: Any) -> Level:
    """Build a level and prove that it survives writing and reading: exporters rely on that."""
    import json

    from generator.level import Level
    from generator.level_file import level_from_dict
    from generator.serialise import dumps

    level = chosen.build(spec, seed, seed_text, plan)
    if not isinstance(level, Level):
        raise TypeError(f"it returns {type(level).__name__}, not a Level")
    table = json.loads(dumps(level))
    try:
        level_from_dict(table)
    except LevelError as error:
        raise UndercroftError(
            f"style {chosen.name}: its build made a level that cannot be read: {error}; report this to its "
            "authors"
        ) from error
    return level
