"""generate(): the stages of a level, in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, overload

from generator.errors import SpecError, shown
from generator.floorplans.floorplan import Floorplan
from generator.level import Level
from generator.rng import seed_from_text
from generator.spec import IsaacSpec, LevelSpec, load_spec

MOST_SEED = (1 << 64) - 1
_MOST_SEED_TEXT = 256


@overload
def generate(
    spec: LevelSpec | str, seed: int | str = 0, *, until: Literal["floorplan"], **values: Any
) -> Floorplan: ...


@overload
def generate(spec: LevelSpec | str, seed: int | str = 0, *, until: None = None, **values: Any) -> Level: ...


def generate(
    spec: LevelSpec | str, seed: int | str = 0, *, until: Literal["floorplan"] | None = None, **values: Any
) -> Level | Floorplan:
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

    from generator.interiors.furnish import furnish
    from generator.tiles.assemble import assemble
    from generator.tiles.grid import carve

    furnished = furnish(spec, plan, seed)
    carved = carve(plan, furnished.rooms, spec.room_size, spec.door_width)
    return assemble(spec, seed, seed_text, plan, furnished, carved)


_PIPELINES: Mapping[type, Callable[[Any, int, str | None, bool], Level | Floorplan]] = {IsaacSpec: _isaac}


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
