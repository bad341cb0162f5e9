"""generate(): the stages of a level, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from generator.floorplans.floorplan import Floorplan
from generator.floorplans.gungeon.plan import HeapPlan
from generator.level import Level, Property
from generator.seeds import as_seed
from generator.spec import GridSpec, GungeonSpec, IsaacSpec, LevelSpec, RebirthSpec, load_spec

if TYPE_CHECKING:
    from generator.interiors.furnish import Chooser

AnyPlan: TypeAlias = Floorplan | HeapPlan
Seed: TypeAlias = int | str | None
Row: TypeAlias = Mapping[str, Property]  # of a level's rerolls


@overload
def generate(
    spec: LevelSpec | str, seed: Seed = None, *, until: Literal["floorplan"], **values: Any
) -> AnyPlan: ...


@overload
def generate(
    spec: LevelSpec | str,
    seed: Seed = None,
    *,
    until: None = None,
    rerolls: Iterable[Row] = (),
    **values: Any,
) -> Level: ...


def generate(
    spec: LevelSpec | str,
    seed: Seed = None,
    *,
    until: Literal["floorplan"] | None = None,
    rerolls: Iterable[Row] = (),
    **values: Any,
) -> Level | AnyPlan:
    """The level of a spec and a seed: the same for the same, on every machine.

    `spec` is a `LevelSpec`, a preset's name or a TOML file's path; `values` change some of its values.
    `seed` is an unsigned 64-bit number, or a text that stands for one (`seeds.as_seed`). With
    `until="floorplan"` nothing later is computed or imported. `rerolls` are those of a level that rooms were
    rolled again in: with them it is made anew.

    Raises SpecError for a bad spec or seed, LayoutError for a team's bad layout, LevelError for rerolls that
    are none, and GenerationFailed if no level was found within a counted number of tries.
    """
    if not isinstance(spec, LevelSpec):
        spec = load_spec(spec)
    if values:
        spec = spec.replace(values)
    if until not in (None, "floorplan"):
        raise ValueError(f"until: {until!r} is no stage to stop after; give 'floorplan'")
    number, text = as_seed(seed, spec.style)
    made = _PIPELINES[type(spec)](spec, number, text, until == "floorplan")
    rows = tuple(rerolls)
    if not rows:
        return made
    if not isinstance(made, Level):
        raise ValueError("rerolls: a floorplan has none; leave out until, or rerolls")

    from generator.rerolls.reroll import rolled_again

    return rolled_again(made, rows, getattr(spec, "layouts", ""))


def _isaac(spec: IsaacSpec, seed: int, seed_text: str | None, plan_only: bool) -> Level | Floorplan:
    from generator.floorplans.isaac import floorplan

    plan = floorplan(spec, seed)
    if plan_only:
        return plan

    from generator.interiors.dealing import deal_layouts

    return _on_grid(spec, seed, seed_text, plan, deal_layouts)


def _rebirth(spec: RebirthSpec, seed: int, seed_text: str | None, plan_only: bool) -> Level | Floorplan:
    from generator.floorplans.rebirth.floorplan import floorplan

    plan = floorplan(spec, seed)
    if plan_only:
        return plan

    from generator.interiors.dealing import draw_layouts

    return _on_grid(spec, seed, seed_text, plan, draw_layouts)


def _on_grid(spec: GridSpec, seed: int, seed_text: str | None, plan: Floorplan, choose: Chooser) -> Level:
    """What is the same for all grid styles: `choose` gives each room its layout."""
    from generator.interiors.furnish import furnish
    from generator.tiles.assemble import assemble
    from generator.tiles.grid import carve

    furnished = furnish(spec, plan, seed, choose)
    carved = carve(plan, furnished.rooms, spec.room_size, spec.door_width)
    return assemble(spec, seed, seed_text, plan, furnished, carved)


def _gungeon(spec: GungeonSpec, seed: int, seed_text: str | None, plan_only: bool) -> Level | HeapPlan:
    from generator.floorplans.gungeon.floorplan import floorplan

    plan = floorplan(spec, seed)
    if plan_only:
        return plan

    from generator.interiors.procedural.rooms import furnish_sites
    from generator.interiors.procedural.site import sites_of
    from generator.tiles.heap import assemble_heap

    insides = furnish_sites(spec, sites_of(plan), seed)
    return assemble_heap(spec, seed, seed_text, plan, insides)


_PIPELINES: Mapping[type, Callable[[Any, int, str | None, bool], Level | AnyPlan]] = {
    IsaacSpec: _isaac,
    RebirthSpec: _rebirth,
    GungeonSpec: _gungeon,
}
