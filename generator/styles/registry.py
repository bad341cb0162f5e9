"""The list of styles. A style's folder is imported when it is first used.

Other packages add theirs through the entry-point group `undercroft.styles`: an entry's name is the style's
name, and its object a `Style` of that name. See docs/write-a-style.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache, partial, wraps
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from generator import plugins
from generator.errors import BadInput, SpecError, hint, shown
from generator.pattern import pattern
from generator.seeds import MAX_SEED, Seed
from generator.styles.base import RunRules, RunTables, Style

if TYPE_CHECKING:  # listing styles must not import numpy
    from generator.checks.base import Check
    from generator.spec.base import LevelSpec
    from generator.styles.base import Plan

GROUP = "undercroft.styles"

_KIND = pattern(r"[a-z][a-z0-9_]{0,63}")  # as level.schema.json has it

BUILT_IN: tuple[str, ...] = ("isaac", "rebirth", "gungeon")  # folders beside this module
DRAWN = "drawn"  # the style of levels that are imported, beside them; nothing generates it, so no list has it


def style_names(*, others: bool = True) -> tuple[str, ...]:
    """List the built-in styles, followed by those of other packages unless `others` is False."""
    return BUILT_IN + plugins.names(GROUP, BUILT_IN) if others else BUILT_IN


def style(name: object) -> Style:
    """Return the style of this name. Raises SpecError if it is unknown or broken."""
    if name in (*BUILT_IN, DRAWN):
        record = import_module(f"generator.styles.{name}").STYLE
        assert isinstance(record, Style)
        return record
    if not isinstance(name, str):
        raise SpecError(
            f"style: {shown(name)} is not of type string; choose one of {', '.join(style_names())}"
        )
    return _other(name)


def usable_styles(tell: Callable[[str], object] = lambda _: None) -> tuple[Style, ...]:
    """List every installed style. Those that cannot be used are left out, and `tell` gets a line for each."""
    return (*map(style, BUILT_IN), *plugins.usable(GROUP, BUILT_IN, style, tell))


def _whole_plan(record: Style, spec: LevelSpec, seed: int) -> Plan:
    """Make another package's floorplan, and check all that a `Plan` promises except its picture."""
    plan = record.plan(spec, seed)
    rooms = [(room.kind, room.distance, room.depth) for room in plan.rooms]
    if any(not 0 <= room < len(rooms) for pair in plan.connections for room in pair):
        raise ValueError("connections: a room is not one of the plan's rooms")
    _width, _height = plan.extent
    dict(plan.facts)
    int(plan.tries)
    return plan


def _whole_seed(record: Style, typed: Seed) -> tuple[int, str | None]:
    """Read a typed seed as another package's style does. Returns a number, and the text to keep."""
    number, text = record.read_seed(typed)
    if type(number) is not int or not 0 <= number <= MAX_SEED or not isinstance(text, str | None):
        raise ValueError(f"it returns {shown((number, text))}, not a seed's number and its text or None")
    return number, text


def _guarded_roller(record: Style, *args: Any) -> SimpleNamespace:
    """Make the roller of another package's style, whose mistakes become one-line messages."""
    assert record.roller
    whose = f"style {record.name}: its roller"
    roller = plugins.guarded(whose, record.roller)(*args)

    def part(name: str) -> Callable[..., Any]:
        def call(*args: Any) -> Any:  # looked up late, as it may be missing
            return getattr(roller, name)(*args)

        return plugins.guarded(whose, call)

    return SimpleNamespace(**{name: part(name) for name in ("make", "move", "other_kinds", "change_doors")})


def _slip(record: Style) -> str:
    """Describe what is wrong with the record of another package's style. Empty if nothing is."""
    if not isinstance(record.summary, str) or not record.summary.isprintable():
        return "its summary must be one line of text"
    if not isinstance(record.run_rules, RunRules | None):
        return "its run_rules must be RunRules, or None"
    for key in ("room_kinds", "door_kinds", "marker_kinds"):
        kinds = getattr(record, key)
        if not isinstance(kinds, tuple) or not all(isinstance(k, str) and _KIND.fullmatch(k) for k in kinds):
            return f"its {key} must be a tuple of names; a name is up to 64 of a-z, 0-9 and _"
    return ""


def _guarded_check(name: str, check: Check) -> Check:
    """Wrap a check of another package. Its problems are collected before the first is yielded."""
    own = getattr(check, "__name__", type(check).__name__)
    gather = plugins.guarded(f"style {name}: its check {own}", lambda level: list(check(level)))
    return wraps(check)(lambda level: iter(gather(level)))


def _guarded_rules(name: str, rules: RunRules) -> RunRules:
    """Wrap the rules for runs of another package's style, so that its mistakes become one-line messages."""
    from generator.spec.base import LevelSpec, Values

    def stages(spec: LevelSpec) -> list[LevelSpec]:
        result = list(rules.stages(spec))
        if not result or not all(isinstance(value, LevelSpec) for value in result):
            raise TypeError("it returns no specs")
        return result

    def tables(call: Callable[..., RunTables], *args: Any) -> RunTables:
        result = dict(call(*args))
        if not all(isinstance(key, str) and isinstance(value, Values) for key, value in result.items()):
            raise TypeError("it does not return the tables of a spec by key")
        return result

    def guarded(part: str, call: Callable[..., Any]) -> Callable[..., Any]:
        return plugins.guarded(f"style {name}: its {part}", call)

    return RunRules(
        stages=guarded("stages", stages),
        begin=guarded("begin", partial(tables, rules.begin)),
        carry=guarded("carry", partial(tables, rules.carry)),
    )


@cache  # it is called for every level, and reading entry points takes a while
def _other(name: str) -> Style:
    """Load a style of another package. Its mistakes become one-line messages; `built` guards its build."""
    try:
        loaded = plugins.load(GROUP, name)
    except BadInput as error:
        raise SpecError(f"style: {error}") from error
    if loaded is None:
        from generator.spec import preset_names  # it imports this module

        if name in preset_names():
            remedy = f"use its name in place of a file, or change what `undercroft presets {name}` prints"
            raise SpecError(f"style: {shown(name)} is a preset, not a style; {remedy}")
        known = f"install the package that adds it, or choose one of {', '.join(style_names())}"
        near = hint(name, style_names())
        raise SpecError(f"style: {shown(name)} is not installed; {near if near.endswith('?') else known}")
    record, value = loaded
    if not isinstance(record, Style) or not record.name == _style_of(record.spec) == name:
        raise SpecError(f"style: {shown(name)}: {value} is not a style of that name")
    slip = _slip(record)
    if slip:
        raise SpecError(f"style: {shown(name)}: {value}: {slip}")
    return record._replace(
        plan=plugins.guarded(f"style {name}: its plan", partial(_whole_plan, record)),
        read_seed=plugins.guarded(f"style {name}: its read_seed", partial(_whole_seed, record)),
        checks=plugins.guarded(
            f"style {name}: its checks", lambda: [_guarded_check(name, check) for check in record.checks()]
        ),
        facts=plugins.guarded(f"style {name}: its facts", lambda: tuple(record.facts())),
        roller=record.roller and partial(_guarded_roller, record),
        run_rules=record.run_rules and _guarded_rules(record.name, record.run_rules),
        plans=None,  # its `plan` is guarded
    )


def _style_of(spec: object) -> object:
    """Return the style that a spec class names, or None for anything else."""
    return getattr(spec, "style", None) if is_dataclass(spec) else None
