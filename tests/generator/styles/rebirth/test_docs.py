"""`docs/rebirth.md` is true: every test and check that it names is there, and no check goes unnamed."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from generator.checks import name_of
from generator.spec import all_keys
from generator.styles.rebirth.checks import CHECKS
from generator.styles.rebirth.spec import RebirthSpec
from tests.cases import for_each

TESTS = Path(__file__).parents[2]
TEXT = (TESTS.parents[1] / "docs" / "rebirth.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in TEXT.splitlines()
    if line.startswith("| ") and "::" in line
]
NAMED = sorted({name for row in ROWS for name in re.findall(r"`([^`]+::[^`]+)`", row[-1])})


def test_every_rule_names_a_test() -> None:
    assert len(ROWS) >= 15
    for rule, tests in ROWS:
        assert rule and re.fullmatch(r"`[^`]+\.py::test_\w+`(, `[^`]+\.py::test_\w+`)*", tests), rule


@for_each(name=NAMED)
def test_every_test_that_it_names_is_there(name: str) -> None:
    path, function = name.split("::")
    tree = ast.parse((TESTS / path).read_text("utf-8"))
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_check_of_the_style_is_named_and_no_other() -> None:
    named = set(re.findall(r"^\| `([a-z-]+)` \|", TEXT, re.MULTILINE))
    assert named == {name_of(check) for check in CHECKS}


def test_the_choices_are_values_of_the_spec() -> None:
    choices = re.findall(r"^- `(\w+)`:", TEXT, re.MULTILINE)
    assert len(choices) >= 4 and set(choices) <= set(all_keys(RebirthSpec))
