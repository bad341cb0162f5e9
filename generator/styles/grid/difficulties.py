"""The difficulties that normal rooms are drawn from: the `[[difficulty.STYLE]]` rows of a kit."""

from __future__ import annotations

from collections.abc import Mapping

from generator.kinds import DIFFICULTIES
from generator.kinds.conditions import Facts, hold
from generator.kinds.rules import Rules


def shares_of(rules: Rules, style: str, facts: Facts) -> Mapping[str, int]:
    """Return the share of each difficulty by name, easiest first, from the first row whose conditions hold.

    Without such a row all are equally likely.
    """
    for row in rules.difficulties.get(style, ()):
        if hold(row.only, facts):
            return row.shares
    return dict.fromkeys(DIFFICULTIES, 1)
