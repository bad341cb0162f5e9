"""generate(): the stages of a level, in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, overload

from generator.errors import SpecError, shown
from generator.floorplans.floorplan import Floorplan
from generator.floorplans.gungeon.plan import HeapPlan
from generator.level import Level
from generator.rng import seed_from_text
from generator.spec import GungeonSpec, IsaacSpec, LevelSpec, load_spec

AnyPlan: TypeAlias = Floorplan | HeapPlan

MOST_SEED = (1 << 64) - 1
_MOST_SEED_TEXT = 256


@overload
def generate(
    spec: LevelSpec | str, seed: int | str = 0, *, until: Literal["floorplan"], **values: Any
) -> AnyPlan: ...


@overload
def generate(spec: LevelSpec | str, seed: int | str = 0, *, until: None = None, **values: Any) -> Level: ...


def generate(
    spec: LevelSpec | str, seed: int | str = 0, *, until: Literal["floorplan"] | None = None, **values: Any
) -> Level | AnyPlan:
    """The level of a spec and a seed: the same for the same, on every machine.

    `spec` is a `LevelSpec`, a preset's name or a TOML file's path; `values` change some of its values.
    `seed` is an unsigned 64-bit number, or a text that stands for one. With `until="floorplan"` nothing
    later is computed or imported.

    Raises SpecError for a bad spec or seed, LayoutError for a team's bad layout, and GenerationFailed if
    no level was found within a counted number of tries.
    """
    if not isinstance(spec, LevelSpec):
        spec = load_spec(spec)
    if values:
        spec = spec.replace(values)
    if until not in (None, "floorplan"):
        raise ValueError(f"until: {until!r} is no stage to stop after; give 'floorplan'")
    number, text = as_seed(seed)
    return _PIPELINES[type(spec)](spec, number, text, until == "floorplan")


def _isaac(spec: IsaacSpec, seed: int, seed_text: str | None, plan_only: bool) -> Level | Floorplan:
    from generator.floorplans.isaac import floorplan

    plan = floorplan(spec, seed)
    if plan_only:
        return plan

    from generator.interiors.dealing import deal_layouts
    from generator.interiors.furnish import furnish
    from generator.tiles.assemble import assemble
    from generator.tiles.grid import carve

    furnished = furnish(spec, plan, seed, deal_layouts)
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
    GungeonSpec: _gungeon,
}


def as_seed(seed: int | str) -> tuple[int, str | None]:
    """A seed's number, and the text that it was typed as unless that was a number.

    Raises SpecError if it is out of range, empty, too long, or holds control characters.
    """
    if isinstance(seed, str):
        if not seed.strip() or len(seed) > _MOST_SEED_TEXT or not seed.isprintable():
            raise SpecError(
                f"seed: {shown(seed)} is none; give 0 to {MOST_SEED}, or a text of 1 to 256 characters"
            )
        if not (seed.isascii() and seed.removeprefix("-").isdigit()):
            return seed_from_text(seed), seed
        seed = int(seed)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MOST_SEED:
        raise SpecError(f"seed: {shown(seed)} is out of range; give 0 to {MOST_SEED}, or a text")
    return seed, None
