"""Which difficulties normal rooms are drawn from: the rows `[[difficulty.STYLE]]` of a kit."""

from __future__ import annotations

from collections.abc import Mapping

from generator.kinds import DIFFICULTIES
from generator.kinds.conditions import Facts, hold
from generator.kinds.rules import Rules


def shares_of(rules: Rules, style: str, facts: Facts) -> Mapping[str, int]:
    """The share of each difficulty by its name, the easiest first: those of the first row that holds.

    Without such a row all are as likely.
    """
    for row in rules.difficulties.get(style, ()):
        if hold(row.only, facts):
            return row.shares
    return dict.fromkeys(DIFFICULTIES, 1)
