"""Specs from TOML: presets, a team's files, and tables of any source."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from generator.errors import SpecError, hint, shown
from generator.files import read_text
from generator.spec.base import LevelSpec, all_keys, unknown_key
from generator.spec.gungeon import GungeonSpec
from generator.spec.isaac import IsaacSpec
from generator.spec.rebirth import RebirthSpec
from generator.spec.state import State

STYLES: dict[str, type[LevelSpec]] = {style.style: style for style in (IsaacSpec, RebirthSpec, GungeonSpec)}

_MOST_BYTES = 1 << 20  # a spec is a page of text; anything larger is not one


def spec_from_dict(table: Mapping[str, Any], where: str = "") -> LevelSpec:
    """The spec that a table (of TOML or JSON) describes.

    `where` names the source in messages. Raises SpecError for an unknown style or key, or a value of a
    wrong type or out of range.
    """
    where = f"{where}: " if where else ""
    given = dict(table)
    name = given.pop("style", None)
    if name is None:
        raise SpecError(f"{where}style: is missing; give one of {', '.join(STYLES)}")
    if not isinstance(name, str) or name not in STYLES:
        raise SpecError(f"{where}style: {shown(name)} is none of {', '.join(STYLES)}")
    style = STYLES[name]
    known = list(all_keys(style))
    fields = {field.name for field in dataclasses.fields(style)}
    for key in given:
        if key not in fields:
            raise unknown_key(where, key, known)
    try:
        if "state" in given:
            given["state"] = _state_from(given["state"], style, known)
        return style(**given)
    except SpecError as error:
        raise SpecError(f"{where}{error}") from None


def _state_from(table: object, style: type[LevelSpec], known: list[str]) -> State:
    """A style's own kind of state, from a table or from another kind."""
    if isinstance(table, State):
        table = dataclasses.asdict(table)
    if not isinstance(table, Mapping):
        raise SpecError(f"state: {shown(table)} is not a table")
    for key in table:
        if f"state.{key}" not in known:
            raise unknown_key("", f"state.{key}", known)
    kind = next(field.default_factory for field in dataclasses.fields(style) if field.name == "state")
    state: State = kind(**table)  # type: ignore[operator]
    return state


@cache
def preset_names() -> tuple[str, ...]:
    """The presets that ship with the package, sorted."""
    folder = resources.files("generator") / "presets"
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def preset_text(name: str) -> str:
    """A preset's TOML. Raises SpecError if there is none of that name."""
    if name not in preset_names():
        remedy = hint(name, preset_names(), "presets are")
        raise SpecError(f"{shown(name)} is neither a preset nor a TOML file; {remedy}")
    return (resources.files("generator") / "presets" / f"{name}.toml").read_text("utf-8")


def load_spec(name: str | Path) -> LevelSpec:
    """The spec of a preset's name or a TOML file's path; a folder that it names counts from the file's.

    Raises SpecError if there is no such preset or file, or if it is no spec.
    """
    path = Path(name)
    if path.suffix.lower() != ".toml":
        return parse_spec(preset_text(str(name)), str(name))
    spec = parse_spec(read_text(path, _MOST_BYTES, SpecError), str(path))
    layouts = getattr(spec, "layouts", "")
    return spec.replace({"layouts": str(path.parent / layouts)}) if layouts else spec


def parse_spec(text: str, where: str = "") -> LevelSpec:
    """The spec that a TOML text describes; `where` names it in messages. Raises SpecError."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: bad TOML, or a number of 5000 digits
        raise SpecError(f"{where}: is not TOML: {str(error).splitlines()[0]}") from None
    return spec_from_dict(table, where)
