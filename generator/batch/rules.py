"""Rules that documents state, as rows of a file: which levels they are for, and on how many they hold.

A row has a condition or names a check; `seeds.toml` says what its keys mean. Rows without either are only
held by their tests.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import sqrt
from typing import Any

from generator.batch.condition import parse_condition
from generator.batch.facts import Subject
from generator.batch.many_seeds import many_at_once
from generator.checks import CHECKS, name_of
from generator.errors import BadInput, GenerationFailed, hint, shown
from generator.named_tuple import NamedTuple
from generator.shipped_files import shipped_folder
from generator.spec import LevelSpec
from generator.styles.registry import style

RULE_SETS = ("seeds",)


class StatedRule(NamedTuple):
    """A row. `on` has, by key of the spec, the values that it applies to."""

    name: str
    text: str
    sources: tuple[str, ...]
    style: str
    on: Mapping[str, tuple[Any, ...]]
    holds: str
    check: str
    share: tuple[float, float]
    has_share: bool
    tests: tuple[str, ...]
    departs: str
    measured: str

    @property
    def is_measurable(self) -> bool:
        """Whether a level can show that it holds."""
        return bool(self.holds or self.check)

    def applies_to(self, spec: LevelSpec) -> bool:
        """Check whether levels of a spec are to keep it."""
        return self.style == spec.style and all(
            _value(spec, key) in values for key, values in self.on.items()
        )

    def is_broken(self, held: int, levels: int) -> bool:
        """Check whether it held for too few or too many levels, where a share may be off by four sigma."""
        if self.departs and not self.has_share:
            return False
        low, high = self.share
        slack = 2 / sqrt(levels) if self.has_share else 0.0
        return not low - slack <= held / levels <= high + slack


class KeptRules(NamedTuple):
    """For a block of seeds: by rule, how many levels keep it, and the first that does not, and why."""

    seeds: Sequence[int]
    counts: dict[str, int]
    broken_by: dict[str, tuple[int, str]]


@cache
def rules_of(name: str) -> tuple[StatedRule, ...]:
    """List the rows of a set. Raises BadInput for an unknown name."""
    if name not in RULE_SETS:
        raise BadInput(f"--rules: unknown rules {shown(name)}; {hint(name, RULE_SETS)}")
    rows = tomllib.loads((shipped_folder("generator.batch") / f"{name}.toml").read_text("utf-8"))["rule"]
    return tuple(map(_rule, rows))


def _rule(row: Mapping[str, Any]) -> StatedRule:
    on = {key: _values(value) for key, value in row.get("on", {}).items()}
    return StatedRule(
        name=row["name"],
        text=row["rule"],
        sources=tuple(row["from"]),
        style=row["style"],
        on=on,
        holds=row.get("holds", ""),
        check=row.get("check", ""),
        share=tuple(row.get("share", (1.0, 1.0))),
        has_share="share" in row,
        tests=tuple(row["tests"]),
        departs=row.get("departs", ""),
        measured=row.get("measured", ""),
    )


def _values(value: Any) -> tuple[Any, ...]:
    listed = value if isinstance(value, list) else [value]
    return tuple(tuple(each) if isinstance(each, list) else each for each in listed)


def _value(spec: LevelSpec, key: str) -> Any:
    value: Any = spec
    for part in key.split("."):
        value = getattr(value, part)
    return value


def held_block(task: tuple[LevelSpec, str, Sequence[int]]) -> KeptRules:
    """Try the rules of a set that a spec's levels are to keep on a block of seeds. Runs in a worker."""
    spec, name, seeds = task
    return hold(
        spec, [rule for rule in rules_of(name) if rule.is_measurable and rule.applies_to(spec)], seeds
    )


def hold(spec: LevelSpec, rules: Sequence[StatedRule], seeds: Sequence[int]) -> KeptRules:
    """Try rules on a block of seeds. Levels are made only as far as the rules look at them."""
    held = KeptRules(seeds, {rule.name: 0 for rule in rules}, {})
    plans = many_at_once(spec, seeds)
    tests = {}
    for rule in rules:
        condition = parse_condition(rule.holds, (spec.style,)) if rule.holds else None
        if plans is None or condition is None or condition.in_columns is None:
            tests[rule.name] = _test(rule, spec)
            continue
        keeps = condition.in_columns(plans) & plans.made
        held.counts[rule.name] = int(keeps.sum())
        if not keeps.all():
            held.broken_by[rule.name] = seeds[int(keeps.argmin())], f"{rule.holds} is false"
    for seed in seeds if tests else ():
        subject = Subject(spec, seed)
        for name, test in tests.items():
            try:
                why_not = test(subject)
            except GenerationFailed as error:
                why_not = str(error)
            if why_not:
                held.broken_by.setdefault(name, (seed, why_not))
            else:
                held.counts[name] += 1
    return held


def _test(rule: StatedRule, spec: LevelSpec) -> Callable[[Subject], str]:
    """Return what says why a level does not keep a rule, or nothing if it does."""
    if rule.holds:
        condition = parse_condition(rule.holds, (spec.style,))
        return lambda subject: "" if condition.holds(subject) else f"{rule.holds} is false"
    known = (*CHECKS, *style(spec.style).checks())
    (check,) = (check for check in known if name_of(check) == rule.check)
    return lambda subject: str(next(iter(check(subject.level)), ""))


def merged(blocks: Sequence[KeptRules]) -> tuple[dict[str, int], dict[str, tuple[int, str]]]:
    """Add up blocks of seeds in their order."""
    counts: dict[str, int] = {}
    broken_by: dict[str, tuple[int, str]] = {}
    for block in blocks:
        for name, count in block.counts.items():
            counts[name] = counts.get(name, 0) + count
        for name, first in block.broken_by.items():
            broken_by.setdefault(name, first)
    return counts, broken_by
