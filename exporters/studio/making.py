"""Floorplans and levels, made in a worker and told as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporters.studio.places import check_texts, inside
from exporters.studio.replies import Reply, packed
from exporters.studio.requests import LevelRequest, RollRequest
from generator.errors import BadInput, shown
from generator.pipeline import generate
from generator.spec import LevelSpec, load_spec, preset_names
from generator.styles.registry import style, style_names

if TYPE_CHECKING:
    from exporters.theme import Theme
    from generator.level import Level


def warm() -> Reply:
    """Import what most levels need, and make one."""
    from exporters.studio.telling import level_data

    request = LevelRequest(preset_names()[0], {}, None, "", ())
    level_data(made_level(request), theme_of(request), frozenset())
    return Reply(200, b"{}")


def spec_asked(request: LevelRequest) -> LevelSpec:
    """Return the requested spec. Raises BadInput."""
    name = request.name
    if Path(name).suffix.lower() == ".toml":
        inside(name, "spec")
    elif name not in (*preset_names(), *style_names(others=False)) and name not in style_names():
        raise BadInput(f"spec: {shown(name)} is neither a preset nor a TOML file; choose one of the list")
    check_texts(request.values, "")
    spec = load_spec(name)
    return spec.replace(request.values) if request.values else spec


def made_level(request: LevelRequest) -> Level:
    """Generate the requested level with its re-rolls. Raises BadInput, GenerationFailed."""
    return generate(spec_asked(request), request.seed, rerolls=request.rerolls)


def theme_of(request: LevelRequest) -> Theme:
    """Return the requested theme, which is cached as long as its files stay the same."""
    from exporters.studio.themes import theme_at

    return theme_at(inside(request.theme, "theme") if request.theme else "")


def floorplan(request: LevelRequest) -> Reply:
    """Return the floorplan alone."""
    from exporters.studio.plans import plan_data

    spec = spec_asked(request)
    number, text = style(spec.style).read_seed(request.seed)
    plan = generate(spec, request.seed, until="floorplan")
    data: dict[str, Any] = {"seed": str(number), "seed_text": text, "style": spec.style}
    return Reply(200, packed(data | plan_data(plan, spec.load_kit().kinds)))


def level(request: LevelRequest, known: frozenset[str]) -> Reply:
    """Return the whole level, dressed. `known` are the pictures that need not be sent."""
    from exporters.studio.telling import level_data

    data, pictures = level_data(made_level(request), theme_of(request), known)
    return Reply(200, packed(data), tuple(pictures.items()))


def reroll(request: LevelRequest, roll: RollRequest, known: frozenset[str]) -> Reply:
    """Return the level with some rooms rolled again. Its rows are in `rerolls`."""
    from exporters.studio.telling import level_data
    from generator.rerolls.reroll import reroll as rolled

    spec = spec_asked(request)
    before = generate(spec, request.seed, rerolls=request.rerolls)
    after = rolled(
        before,
        room=roll.room,
        pin=roll.pin,
        what=roll.what,
        times=roll.times,
        seed=roll.seed,
        layouts=getattr(spec, "layouts", ""),
        kit=spec.kit,
    )
    data, pictures = level_data(after, theme_of(request), known)
    data["changed"] = [room.id for room in after.rooms if _row(after, room.id) != _row(before, room.id)]
    return Reply(200, packed(data), tuple(pictures.items()))


def _row(level: Level, room: int) -> dict[str, Any] | None:
    return next((dict(row) for row in level.rerolls if row.get("room") == room), None)
