"""Small changes to Python code that a test should notice."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

_SWAPPED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: (" in ", " not in "),
    ast.NotIn: (" not in ", " in "),
    ast.Is: (" is ", " is not "),
    ast.IsNot: (" is not ", " is "),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.And: (" and ", " or "),
    ast.Or: (" or ", " and "),
}


class Change(NamedTuple):
    """A line of a function, without its indentation, and what it becomes."""

    function: str
    before: str
    after: str


def changes_of(source: str) -> Iterator[Change]:
    """Every change to a line that stands only once in its function."""
    lines = source.split("\n")
    for name, function in functions_of(ast.parse(source)):
        own = [line.strip() for line in lines[function.lineno - 1 : function.end_lineno]]
        for row, left, right, text in _edits(function, lines):
            line = lines[row]
            # ast counts columns in bytes of UTF-8.
            if line.isascii() and own.count(line.strip()) == 1:
                yield Change(name, line.strip(), (line[:left] + text + line[right:]).strip())


def functions_of(tree: ast.AST, above: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """All functions and methods with their dotted names."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            name = f"{above}{node.name}"
            if isinstance(node, ast.FunctionDef):
                yield name, node
            yield from functions_of(node, f"{name}.")


def _edits(function: ast.FunctionDef, lines: list[str]) -> Iterator[tuple[int, int, int, str]]:
    """Row, first column, end and new text of each change in a function, without those of functions within it."""
    left: list[ast.AST] = [*function.body]
    while left:
        node = left.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.JoinedStr):
            continue
        left += ast.iter_child_nodes(node)
        if isinstance(node, ast.Constant) and node.lineno == node.end_lineno and node.end_col_offset:
            text = _other_constant(node.value)
            if text is not None:
                yield node.lineno - 1, node.col_offset, node.end_col_offset, text
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node.lineno - 1, node.col_offset, node.col_offset + len("not "), ""
        elif isinstance(node, ast.Compare):
            yield from _swapped(node.ops[0], node.left, node.comparators[0], lines)
        elif isinstance(node, ast.BinOp):
            yield from _swapped(node.op, node.left, node.right, lines)
        elif isinstance(node, ast.BoolOp):
            yield from _swapped(node.op, node.values[0], node.values[1], lines)


def _other_constant(value: object) -> str | None:
    if isinstance(value, bool):
        return str(not value)
    return str(value + 1) if isinstance(value, int) else None


def _swapped(
    operator: ast.AST, left: ast.expr, right: ast.expr, lines: list[str]
) -> Iterator[tuple[int, int, int, str]]:
    """The operator between two operands of one line, as another one."""
    if type(operator) not in _SWAPPED or left.end_lineno != right.lineno or left.end_col_offset is None:
        return
    old, new = _SWAPPED[type(operator)]
    row, start = right.lineno - 1, left.end_col_offset
    between = lines[row][start : right.col_offset]
    if between.count(old) == 1:
        at = start + between.index(old)
        yield row, at, at + len(old), new
