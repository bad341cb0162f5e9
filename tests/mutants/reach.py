"""Which tests reach which functions: each function of the list writes down the test that it runs in.

A copy of the project is changed for that, so this module is imported where `NOTES` names a file to append to.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable

from generator.compiled.loader import is_kernel
from tests.mutants.operators import functions_of

_GROUP = re.compile(r"@[^\]]*$")  # pytest-xdist adds the group's name to the test's
NOTES = "UNDERCROFT_MUTANTS_REACHED"
# Kept from before any test replaces them.
_write, _environ = os.write, os.environ
_file = os.open(os.environ[NOTES], os.O_WRONLY | os.O_APPEND | os.O_CREAT) if NOTES in os.environ else -1
_known: set[tuple[str, str]] = set()


def note(function: str) -> None:
    """Write down that the current test, or a program that it started, has called a function."""
    test = _environ.get("PYTEST_CURRENT_TEST", "")
    if _file >= 0 and (function, test) not in _known:
        _known.add((function, test))
        _write(_file, f"{function}\t{test}\n".encode())


def is_compiled(module: str) -> bool:
    """Whether a module is compiled as a whole, which nothing may be added to."""
    return is_kernel(module.removesuffix(".py").replace("/", "."))


def with_notes(source: str, module: str, functions: Iterable[str]) -> str:
    """A module whose functions of these names call `note` first."""
    lines = source.split("\n")
    known = dict(functions_of(ast.parse(source)))
    first = {_first_row(known[name]): name for name in functions if name in known}
    for row in sorted(first, reverse=True):
        indent = lines[row][: len(lines[row]) - len(lines[row].lstrip())]
        call = f"from tests.mutants.reach import note; note({f'{module}:{first[row]}'!r})"
        lines.insert(row, indent + call)
    return "\n".join(lines)


def _first_row(function: ast.FunctionDef) -> int:
    """The row of a function's first statement after its docstring, counted from 0."""
    has_more = ast.get_docstring(function) is not None and len(function.body) > 1
    statement = function.body[1 if has_more else 0]
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(each.lineno for each in decorators)]) - 1


def reached(notes: str) -> dict[str, list[str]]:
    """The tests that reached each function, in order; a whole file where a fixture did, which its tests share."""
    tests: dict[str, dict[str, None]] = {}
    for line in notes.splitlines():
        function, _, test = line.partition("\t")
        name, _, phase = test.rpartition(" ")
        if name:
            name = _GROUP.sub("", name)
            found = name if phase == "(call)" else name.partition("::")[0]
            tests.setdefault(function, {})[found] = None
    return {function: [*found] for function, found in tests.items()}
