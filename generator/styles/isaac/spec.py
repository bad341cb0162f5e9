"""The spec of the `isaac` style."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from generator.styles.grid.spec import CURSES, GridSpec, of_level
from generator.values import When

# A start, a way, and three end rooms for boss, shop and treasure; and what nearly every seed can reach: a
# floorplan of 43 rooms, of 61 in a labyrinth, takes more tries than are made.
_LEAST, _MOST = 5, 40
_LEAST_OF_LABYRINTH, _MOST_OF_LABYRINTH = 10, 59
_LABYRINTH = ("labyrinth",)
_OTHERS = tuple(curse for curse in CURSES if curse not in _LABYRINTH)


@dataclass(frozen=True, kw_only=True)
class IsaacSpec(GridSpec):
    """The 2011 game's levels: square rooms on a grid of 9 x 8 cells, without loops."""

    style: ClassVar[str] = "isaac"
    summary: ClassVar[str] = "the 2011 game's floorplans: square rooms on a 9 x 8 grid, no loops"

    rooms: int = of_level(
        0,
        "the number of rooms, secret rooms not counted: up to 40, under the curse of the labyrinth 10 to 59; "
        "0: as many as the stage and the curse ask for",
        low=_LEAST,
        high=_MOST_OF_LABYRINTH,
        off=0,
        unit="rooms",
        when=(
            When("curse", _LABYRINTH, {"low": _LEAST_OF_LABYRINTH}, "another curse"),
            When("curse", _OTHERS, {"high": _MOST}, "the curse labyrinth"),
        ),
    )
