"""The spec of the `isaac` style."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from generator.errors import SpecError
from generator.spec.grid import GridSpec, of_level

# A start, a way, and three end rooms for boss, shop and treasure; and what nearly every seed can reach: a
# floorplan of 43 rooms, of 61 in a labyrinth, takes more tries than are made.
_ROOMS = 5, 40
_ROOMS_OF_LABYRINTH = 10, 59


@dataclass(frozen=True, kw_only=True)
class IsaacSpec(GridSpec):
    """The 2011 game's levels: square rooms on a grid of 9 x 8 cells, without loops."""

    style: ClassVar[str] = "isaac"
    summary: ClassVar[str] = "the 2011 game's floorplans: square rooms on a 9 x 8 grid, no loops"

    rooms: int = of_level(
        0,
        "the number of rooms, secret rooms not counted: up to 40, under the curse of the labyrinth 10 to 59; "
        "0: as many as the stage and the curse ask for",
        low=0,
        high=59,
        unit="rooms",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        least, most = _ROOMS_OF_LABYRINTH if self.curse == "labyrinth" else _ROOMS
        if self.rooms and not least <= self.rooms <= most:
            raise SpecError(
                f"rooms: {self.rooms} do not make a level with this curse; give {least} to {most}, "
                "or 0 for the stage's"
            )
