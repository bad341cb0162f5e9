"""The spec of the `isaac` style."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

from generator.styles.grid.spec import CURSES, GatePlan, GridSpec, of_level
from generator.values import When

# The least: a start, a path, and three end rooms for boss, shop and treasure. The most: what nearly every
# seed can reach; a floorplan of 43 rooms, or 61 in a labyrinth, needs more tries than are made.
_MIN, _MAX = 5, 40
_MIN_OF_LABYRINTH, _MAX_OF_LABYRINTH = 10, 59
_LABYRINTH = ("labyrinth",)
_OTHERS = tuple(curse for curse in CURSES if curse not in _LABYRINTH)


@dataclass(frozen=True, kw_only=True)
class IsaacSpec(GridSpec):
    """The 2011 game's levels: square rooms on a grid of 9 x 8 cells, without loops."""

    style: ClassVar[str] = "isaac"
    summary: ClassVar[str] = "the 2011 game's floorplans: square rooms on a 9 x 8 grid, no loops"
    few: ClassVar[int] = 10_000

    rooms: int = of_level(
        0,
        "the number of rooms without secret rooms: up to 40, or 10 to 59 under the curse of the labyrinth; "
        "0: the stage and the curse decide",
        low=_MIN,
        high=_MAX_OF_LABYRINTH,
        off=0,
        unit="rooms",
        when=(
            When("curse", _LABYRINTH, {"low": _MIN_OF_LABYRINTH}, "another curse"),
            When("curse", _OTHERS, {"high": _MAX}, "the curse labyrinth"),
        ),
    )
    secret_room: str = of_level(
        "article",
        "where a secret room may be; article: beside no dead end; demo: beside any room but the boss's, on "
        "floors grown as the article's demo grows them: on seven rows, and never again from the start",
        choices=("article", "demo"),
        is_late=True,
    )
    plan: GatePlan = dataclasses.field(default_factory=GatePlan)
