"""Conditions on many floorplans at once: what `condition` reads, evaluated on arrays.

A condition with facts other than those of floorplans, or with numbers that arrays would round, is not
evaluated this way.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from generator.batch.column_facts import MAX, FactColumn, column
from generator.batch.fact_queries import Asked
from generator.styles.columns import PlanColumns

Find = Callable[[ast.expr], Asked]

_EXACT = 1 << 53  # whole numbers up to here are exact as floats
_ORDERS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}
_SUMS: dict[type, Callable[[Any, Any], Any]] = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply}


def bound(node: ast.expr) -> float:
    """Compute a bound for all numbers in an expression, its value included."""
    match node:
        case ast.Constant(int() | float() as number):
            return abs(number)
        case ast.Constant():
            return 0
        case ast.BinOp(left, sign, right):
            a, b = max(1, bound(left)), max(1, bound(right))
            return a * b if isinstance(sign, ast.Mult) else a + b
        case ast.UnaryOp(_, part):
            return bound(part)
        case ast.BoolOp(_, parts) | ast.List(parts) | ast.Tuple(parts) | ast.Compare(_, _, parts):
            first = [node.left] if isinstance(node, ast.Compare) else []
            return max(map(bound, [*first, *parts]), default=0)
    return MAX


def is_exact(tree: ast.expr) -> bool:
    """Check whether arrays hold all numbers of a condition exactly."""
    return bound(tree) < _EXACT


def holds(tree: ast.expr, find: Find, plans: PlanColumns) -> npt.NDArray[np.bool_]:
    """Return which floorplans meet a condition that `condition` has read. `find` gives the fact of a node."""
    match tree:
        case ast.BoolOp(op, parts):
            tests = [holds(part, find, plans) for part in parts]
            join = np.logical_and if isinstance(op, ast.And) else np.logical_or
            joined: npt.NDArray[np.bool_] = join.reduce(tests)
            return joined
        case ast.UnaryOp(ast.Not(), part):
            return ~holds(part, find, plans)
        case ast.Compare(left, operators, rights):
            values = [_value(part, find, plans) for part in (left, *rights)]
            pairs = zip(operators, values, values[1:], strict=False)
            chained: npt.NDArray[np.bool_] = np.logical_and.reduce(
                [_compared(op, a, b) for op, a, b in pairs]
            )
            return chained
    raise TypeError(f"{ast.dump(tree)} is not a condition")


def _value(node: ast.expr, find: Find, plans: PlanColumns) -> FactColumn | list[FactColumn]:
    """Compute a number or text for each level, or a list of them."""
    match node:
        case ast.Constant(constant):
            return FactColumn(np.full(len(plans), constant), np.ones(len(plans), bool))
        case ast.UnaryOp(_, part):
            operand = _single(part, find, plans)
            return operand._replace(values=-operand.values)
        case ast.BinOp(left, sign, right):
            a, b = _single(left, find, plans), _single(right, find, plans)
            return FactColumn(_SUMS[type(sign)](a.values, b.values), a.known & b.known)
        case ast.List(parts) | ast.Tuple(parts):
            return [_single(part, find, plans) for part in parts]
    return column(plans, find(node))


def _single(node: ast.expr, find: Find, plans: PlanColumns) -> FactColumn:
    value = _value(node, find, plans)
    assert isinstance(value, FactColumn)
    return value


def _compared(
    sign: ast.cmpop, left: FactColumn | list[FactColumn], right: FactColumn | list[FactColumn]
) -> npt.NDArray[np.bool_]:
    """Return where a comparison holds. It does not hold where one of the two values is unknown."""
    assert isinstance(left, FactColumn)
    if isinstance(right, list):
        inside = _is_in(left, right)
        return left.known & (inside if isinstance(sign, ast.In) else ~inside)
    both = left.known & right.known
    if isinstance(sign, ast.Eq | ast.NotEq):
        same = _same(left, right)
        return both & (same if isinstance(sign, ast.Eq) else ~same)
    result: npt.NDArray[np.bool_] = both & _ORDERS[type(sign)](left.values, right.values)
    return result


def _is_in(item: FactColumn, items: Sequence[FactColumn]) -> npt.NDArray[np.bool_]:
    inside = np.zeros(len(item.values), bool)
    for candidate in items:
        inside |= candidate.known & _same(item, candidate)
    return inside


def _same(left: FactColumn, right: FactColumn) -> npt.NDArray[np.bool_]:
    """Return where two values are equal. A text and a number never are."""
    if (left.values.dtype.kind == "U") != (right.values.dtype.kind == "U"):
        return np.zeros(len(left.values), bool)
    equal: npt.NDArray[np.bool_] = left.values == right.values
    return equal
