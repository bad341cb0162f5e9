"""The rules of the documents: their rows, the page about them, and `audit --rules seeds`."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from generator import IsaacSpec, RebirthSpec, load_spec
from generator.batch import rules
from generator.batch.condition import parse_condition
from generator.batch.rules import StatedRule, hold, rules_of
from generator.checks import CHECKS, name_of
from generator.styles.registry import style
from tests import seed_rules
from tests.commands import undercroft

RULES = rules_of("seeds")
TESTS = Path(__file__).parents[1]


@cache
def functions(path: str) -> frozenset[str]:
    tree = ast.parse((TESTS / path).read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_the_page_is_up_to_date() -> None:
    assert seed_rules.PAGE.read_text("utf-8") == seed_rules.page(), "run python -m tests.seed_rules"


def test_every_rule_has_a_test_that_is_there() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.text and rule.sources and rule.tests
        for test in rule.tests:
            path, name = test.split("::")
            assert name in functions(path), test


def test_every_rule_applies_to_the_spec_it_is_measured_with_and_can_be_asked() -> None:
    for rule in RULES:
        spec = seed_rules.spec_of(rule)
        assert rule.applies_to(spec), rule.name
        assert not (rule.holds and rule.check)
        if rule.holds:
            parse_condition(rule.holds, (rule.style,))
        if rule.check:
            known = {name_of(check) for check in (*CHECKS, *style(rule.style).checks())}
            assert rule.check in known, rule.name


def test_a_row_speaks_of_each_value_of_the_preset_that_follows_the_last_document() -> None:
    """Either as what it applies to, or where it says what levels do by default."""
    row = tomllib.loads((files("generator") / "presets" / "procedural.toml").read_text("utf-8"))
    shares = {f"procedural.{kind}" for kind in row.pop("procedural")}
    rows = [rule for rule in RULES if rule.style == row["style"]]
    for key in ({*row} | shares) - {"style"}:
        assert any(key in rule.on or f"`{key} = " in rule.departs for rule in rows), key


def test_figures_are_as_the_documents_say() -> None:
    measured = 0
    for rule in RULES:
        if rule.measured:
            held, levels = (int(number.replace(",", "")) for number in rule.measured.split(" of "))
            assert not rule.is_broken(held, levels), rule
            measured += 1
    assert measured >= 40


def test_figures_can_be_had_again() -> None:
    """The same as in the rows, on few seeds of one spec."""
    chosen = [rule for rule in RULES if rule.name in ("boss-furthest", "boss-off-the-start")]
    assert hold(load_spec("isaac").replace({"stage": 3}), chosen, range(1, 31)).counts == {
        "boss-furthest": 30,
        "boss-off-the-start": 30,
    }


def test_audit_says_how_many_levels_keep_each_rule(tmp_path: Path) -> None:
    result = undercroft("audit", "isaac", "--seeds", "1:4", "--rules", "seeds", cwd=tmp_path)
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert "one-cell-each: 3 of 3" in lines and lines[-1].endswith(" rules, 0 broken")
    assert not any(line.startswith(("labyrinth-", "boss-furthest-of-many")) for line in lines)


def test_audit_fails_for_a_broken_rule(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Here one that no level keeps, one that too few keep, and one that they break on purpose."""
    of_old = next(rule for rule in RULES if rule.name == "boss-off-the-start")
    never = of_old._replace(name="never", holds="rooms < 0")
    rare = never._replace(name="rare", share=(0.99, 1.0), has_share=True, holds="tries > 1000")
    purpose = never._replace(name="purpose", departs="Because.")
    monkeypatch.setattr(rules, "rules_of", lambda _: (never, rare, purpose))
    result = undercroft("audit", "isaac", "--seeds", "1:31", "--rules", "seeds", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stdout.splitlines() == [
        "never: 0 of 30: broken, expected of all (article 43); seed 1: rooms < 0 is false",
        "rare: 0 of 30: broken, 99% to 100% expected (article 43); seed 1: tries > 1000 is false",
        "purpose: 0 of 30 (on purpose: Because.)",
        "30 levels, 3 rules, 2 broken",
    ]


def test_unknown_rules_are_refused(tmp_path: Path) -> None:
    result = undercroft("audit", "isaac", "--seeds", "1:4", "--rules", "seed", cwd=tmp_path)
    assert result.returncode == 2 and "--rules" in result.stderr and "seeds" in result.stderr


def test_a_share_may_be_off_by_chance() -> None:
    rule = StatedRule("", "", (), "isaac", {}, "rooms > 0", "", (0.3, 0.4), True, (), "", "")
    assert not rule.is_broken(20, 100) and rule.is_broken(9, 100) and rule.is_broken(5000, 10_000)


def test_a_level_with_a_number_of_rooms_of_its_own_is_not_held_to_its_stages() -> None:
    own = [
        IsaacSpec(stage=3, rooms=12),
        IsaacSpec(stage=3, rooms=12, curse="labyrinth"),
        RebirthSpec(stage=3, rooms=12, hard=True),
        RebirthSpec(stage=3, rooms=12, curse="labyrinth"),
        RebirthSpec(stage=3, rooms=12, curse="lost"),
        RebirthSpec(stage=12, rooms=12),
    ]
    checks = ("rooms-as-spec-says", "facts-follow-from-the-seed")
    held = {rule.name for rule in RULES for spec in own if rule.check in checks and rule.applies_to(spec)}
    assert held == {"tried-again"}  # whose too few rooms are fewer than were asked for


def test_the_void_came_with_afterbirth_plus() -> None:
    def void(edition: str) -> set[str]:
        spec = RebirthSpec(stage=12, edition=edition)
        return {rule.name for rule in RULES if "Void" in rule.text and rule.applies_to(spec)}

    assert {"void-rooms", "void-difficulties"} <= void("repentance")
    assert {"void-rooms", "void-difficulties"} <= void("afterbirth_plus")
    assert void("afterbirth") == void("rebirth") == set()
