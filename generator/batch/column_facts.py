"""Facts of many floorplans at once, read from arrays, and conditions on them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from generator.batch.facts import FACTS, Answer, Asked
from generator.named_tuple import NamedTuple
from generator.styles.columns import PlanColumns

MAX = 1 << 20  # every fact of a floorplan is smaller


class FactColumn(NamedTuple):
    """A fact of each level. `known` is False where a level does not have it, as without a shop."""

    values: npt.NDArray[Any]
    known: npt.NDArray[np.bool_]

    def answers(self) -> list[Answer]:
        """Return the facts in the form of single levels' answers."""
        values, known = self.values.tolist(), self.known.tolist()
        return [value if is_known else None for value, is_known in zip(values, known, strict=True)]


def is_columnar(question: Asked) -> bool:
    """Check whether a fact can be read from arrays, as those of every floorplan can."""
    name = question.fact.name
    return name in _COLUMNS and FACTS[name].get is question.fact.get


def column(plans: PlanColumns, question: Asked) -> FactColumn:
    """Compute the fact of each level."""
    return _COLUMNS[question.fact.name](plans, question.word)


def _number(values: npt.NDArray[Any]) -> FactColumn:
    return FactColumn(values.astype(np.int64), np.ones(len(values), bool))


def _count(plans: PlanColumns, kind: str) -> FactColumn:
    return _number(_of_kind(plans, kind).sum(axis=1))


def _of_kind(plans: PlanColumns, kind: str) -> npt.NDArray[np.bool_]:
    """Return whether each room [n, r] is of a kind."""
    if kind not in plans.kinds:
        return np.zeros(plans.kind.shape, bool)
    matches: npt.NDArray[np.bool_] = plans.kind == plans.kinds.index(kind)
    return matches


def _shapes(plans: PlanColumns, shape: str) -> FactColumn:
    if shape not in plans.shapes:
        return _number(np.zeros(len(plans)))
    return _number((plans.shape == plans.shapes.index(shape)).sum(axis=1))


def _least(values: npt.NDArray[Any], mask: npt.NDArray[np.bool_]) -> FactColumn:
    """Return the least of each level's values at `mask`."""
    beyond = np.iinfo(values.dtype).max
    least = np.where(mask, values, beyond).min(axis=1, initial=beyond)
    return FactColumn(least.astype(np.int64), least < beyond)


def _distance(plans: PlanColumns, kind: str) -> FactColumn:
    return _least(plans.distance, _of_kind(plans, kind) & (plans.distance >= 0))


def _depth(plans: PlanColumns, kind: str) -> FactColumn:
    return _least(plans.depth, _of_kind(plans, kind))


def _longest(plans: PlanColumns, _: str) -> FactColumn:
    most = plans.distance.max(axis=1, initial=-1)
    return FactColumn(most.astype(np.int64), most >= 0)


def _ways(plans: PlanColumns) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return each room's connections [n, r], and their number [n]. Secret and red doors do not count."""
    doors = plans.doors
    is_way = np.array([kind not in plans.secret_doors for kind in doors.kinds] + [False])[doors.kind]
    level, door = np.nonzero(is_way)
    rooms, width = doors.rooms[level, door].astype(np.int64), plans.kind.shape[1]
    ends = np.bincount((level[:, None] * width + rooms).ravel(), minlength=len(plans) * width)
    return ends.reshape(len(plans), width), is_way.sum(axis=1)


def _dead_ends(plans: PlanColumns, _: str) -> FactColumn:
    return _number((_ways(plans)[0] == 1).sum(axis=1))


def _share(part: npt.NDArray[Any], plans: PlanColumns, known: npt.NDArray[np.bool_]) -> FactColumn:
    """Return what share of its rooms a part of each level is, to thousandths, in whole numbers as `share`."""
    whole = np.maximum(plans.rooms.astype(np.int64), 1)
    return FactColumn((2_000 * part.astype(np.int64) + whole) // (2 * whole) / 1_000, known)


def _linearity(plans: PlanColumns, _: str) -> FactColumn:
    furthest = np.where(_of_kind(plans, "boss"), plans.distance, -1).max(axis=1, initial=-1)
    return _share(furthest + 1, plans, furthest >= 0)


def _dead_end_share(plans: PlanColumns, _: str) -> FactColumn:
    return _share(_dead_ends(plans, "").values, plans, plans.rooms > 0)


def _loops(plans: PlanColumns, _: str) -> FactColumn:
    ends, connections = _ways(plans)
    joined = (ends > 0).sum(axis=1)
    return _number(np.where(joined > 0, connections - joined + 1, 0))


def _recorded(name: str, is_text: bool) -> Callable[[PlanColumns, str], FactColumn]:
    def recorded(plans: PlanColumns, _: str) -> FactColumn:
        nothing = np.full(len(plans), "" if is_text else 0)
        values = plans.facts.get(name, nothing)
        return FactColumn(values, values != "") if is_text else _number(np.maximum(values, 0))

    return recorded


_COLUMNS: dict[str, Callable[[PlanColumns, str], FactColumn]] = {
    "rooms": lambda plans, _: _number(plans.rooms),
    "count": _count,
    "shapes": _shapes,
    "rooms.KIND.distance": _distance,
    "rooms.KIND.depth": _depth,
    "longest": _longest,
    "dead_ends": _dead_ends,
    "dead_end_share": _dead_end_share,
    "linearity": _linearity,
    "loops": _loops,
    "keys": _recorded("keys", False),
    "locks": _recorded("locks", False),
    "one_ways": _recorded("one_ways", False),
    "shortcuts": _recorded("shortcuts", False),
    "unmet": _recorded("unmet", False),
    "unmet_rules": _recorded("unmet_rules", True),
    "not_led": _recorded("not_led", True),
    "set_pieces": _recorded("set_pieces", True),
    "columns": lambda plans, _: _number(plans.extent[:, 0]),
    "rows": lambda plans, _: _number(plans.extent[:, 1]),
    "curse": _recorded("curse", True),
    "tries": lambda plans, _: _number(plans.tries),
}


# --- conditions --------------------------------------------------------------------------------------

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
