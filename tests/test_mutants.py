"""The list of known faults that the tests are tried against stays usable."""

from __future__ import annotations

import pytest

from tests.changed import ROOT
from tests.mutants.__main__ import Mutant, mutants, nearest_files, with_fault
from tests.mutants.operators import Change, changes_of

SOURCE = """
def first(a, b):
    if not a:
        return b + 1
    return a < b and b in (1, True)

class Second:
    def third(self):
        return [f"{1 + 2}", 'x']
"""


def test_the_operators_change_one_thing_at_a_time() -> None:
    assert sorted(changes_of(SOURCE)) == [
        Change("first", "if not a:", "if a:"),
        Change("first", "return a < b and b in (1, True)", "return a < b and b in (1, False)"),
        Change("first", "return a < b and b in (1, True)", "return a < b and b in (2, True)"),
        Change("first", "return a < b and b in (1, True)", "return a < b and b not in (1, True)"),
        Change("first", "return a < b and b in (1, True)", "return a < b or b in (1, True)"),
        Change("first", "return a < b and b in (1, True)", "return a <= b and b in (1, True)"),
        Change("first", "return b + 1", "return b + 2"),
        Change("first", "return b + 1", "return b - 1"),
    ]


def test_a_fault_is_found_again_where_code_has_moved() -> None:
    mutant = Mutant("x.py", "first", "return b + 1", "return b - 1")
    moved = "import ast\n\n" + SOURCE.replace("    ", "  ")
    assert with_fault(moved, mutant) == moved.replace("b + 1", "b - 1")
    assert with_fault(SOURCE.replace("b + 1", "b + 3"), mutant) is None
    assert with_fault(SOURCE.replace("first", "last"), mutant) is None


def test_the_list_fits_the_code() -> None:
    """A line that is gone has to be replaced by another one of the list's kind."""
    known = mutants()
    assert len(known) == 150 and len({each.module for each in known}) > 80
    sources = {each.module: (ROOT / each.module).read_text("utf-8") for each in known}
    assert [each for each in known if with_fault(sources[each.module], each) is None] == []


@pytest.mark.xdist_group("test_changed")  # which has read all modules too
def test_the_nearest_tests_come_first() -> None:
    assert nearest_files("generator/rng.py")[0] == "tests/generator/test_rng.py"
    assert nearest_files("exporters/tiled/wangsets.py")[0] == "tests/exporters/tiled/test_wangsets.py"
