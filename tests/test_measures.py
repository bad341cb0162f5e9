"""The figures of `tests.measures` on a module that one can count by hand."""

from __future__ import annotations

import ast

import pytest

from tests.measures import Module, begins_with_a_verb, measures, modules

MAX_IN_A_RING = 5
MAX_PLACEHOLDERS = 3  # percent
MIN_VERBS = 45  # percent

TEXT = '''"""A module."""

from typing import TYPE_CHECKING

from generator import files as names
from generator.rng import Stream

if TYPE_CHECKING:
    from generator.level import Level


def first(given: int) -> int:
    """Return what was given; nothing else."""
    # Two lines of comments
    # and none of code.
    each = given  # this one is both

    return each


def late() -> None:
    import generator.spec
'''
TREE = ast.parse(TEXT)
MODULE = Module("generator.x", "generator", TEXT, TREE, [*ast.walk(TREE)])


def test_lines_bindings_docstrings_and_imports_are_counted() -> None:
    assert MODULE.lines() == (10, 2)
    assert sorted(MODULE.bindings()) == ["each", "given"]
    assert list(MODULE.docstrings()) == ["Return what was given; nothing else."]
    known = {"generator.files", "generator.rng", "generator.level", "generator.spec"}
    assert MODULE.imports(known) == known - {"generator.level"}


@pytest.mark.parametrize(
    ("line", "is_verb"),
    [
        ("Read a file.", True),
        ("Raises ValueError.", True),
        ("Write it; then stop.", True),
        ("The file.", False),
        ("Whether it is there.", False),
        ("[y, x]: the tiles.", False),
        ("Rooms by their ids.", False),
    ],
)
def test_what_begins_with_a_verb(line: str, is_verb: bool) -> None:
    assert begins_with_a_verb(line) is is_verb


def test_the_code_is_held_in_ones_head() -> None:
    figures = measures(modules())
    assert figures["ring"] <= MAX_IN_A_RING
    assert figures["placeholders"] <= MAX_PLACEHOLDERS
    assert figures["verbs"] >= MIN_VERBS
    assert figures["semicolons"] < 1
