"""Conditions of rules: NAME, not NAME, or NAME OP INTEGER. They are read, never evaluated as code."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from generator.errors import shown
from generator.json_schema import matching
from generator.kinds.columns import NAME, reads
from generator.node import Node

Facts = Mapping[str, int]

OPERATORS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}
_CONDITION = f"(?:(not) )?({NAME})|({NAME}) (>=|<=|>|<|==|!=) (-?[0-9]{{1,9}})"


class FactCondition(NamedTuple):
    """A fact compared with a number: `coins >= 10`. `NAME` is `NAME != 0`, and `not NAME` is `NAME == 0`."""

    fact: str
    comparison: str
    number: int

    def holds(self, facts: Facts) -> bool:
        """Return whether the condition holds for these facts, which must include its fact."""
        return OPERATORS[self.comparison](facts[self.fact], self.number)


@reads(matching(_CONDITION))
def condition(node: Node) -> FactCondition:
    """The condition in a text. Raises KitError."""
    match = re.fullmatch(_CONDITION, node.value) if isinstance(node.value, str) else None
    if not match:
        node.fail(
            f"{shown(node.value)} is not a condition; write NAME, not NAME, or NAME OP INTEGER, such as "
            '"coins >= 10"'
        )
    negated, name, compared, comparison, number = match.groups()
    if compared:
        return FactCondition(compared, comparison, int(number))
    return FactCondition(name, "==" if negated else "!=", 0)


def hold(conditions: Iterable[FactCondition], facts: Facts) -> bool:
    """Return whether all conditions hold."""
    return all(condition.holds(facts) for condition in conditions)
