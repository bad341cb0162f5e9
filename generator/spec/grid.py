"""What the specs of the grid styles share."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from generator.errors import SpecError
from generator.spec.base import LevelSpec, grouped
from generator.spec.state import State

of_level = grouped("Level")
of_rooms = grouped("Rooms")

CURSES = ("none", "labyrinth", "lost", "darkness", "unknown", "maze", "blind", "random")


@dataclass(frozen=True, kw_only=True)
class GridSpec(LevelSpec):
    """Levels on a grid of cells, the game's and its remake's; either declares `curse` and `rooms` anew."""

    stage: int = of_level(1, "how deep the level lies; two stages make a chapter", low=1, high=12)
    stage_variant: str = of_level(
        "random",
        "the chapter itself, its alternative, or either at random",
        choices=("main", "alternative", "random"),
    )
    curse: str = of_level(
        "none",
        "the level's curse; labyrinth makes it larger, the others are for the game to act on",
        choices=CURSES,
    )
    hard: bool = of_level(False, "hard mode: curses are likelier, champions twice as many")
    rooms: int = of_level(
        0, "how many; 0: as many as the stage and the curse ask for", low=0, high=63, unit="rooms"
    )
    room_size: tuple[int, int] = of_rooms(
        (15, 9),
        "width and height of a room, walls included; odd",
        low=9,
        high=63,
        unit="tiles",
        parts=("width", "height"),
    )
    door_width: int = of_rooms(1, "width of a door; odd", low=1, high=5, unit="tiles")
    champions: int = of_rooms(10, "how many enemies are champions", low=0, high=100, unit="percent")
    tinted_rocks: int = of_rooms(3, "how many rocks are tinted", low=0, high=100, unit="percent")
    red_fires: int = of_rooms(15, "how many fires are red", low=0, high=100, unit="percent")
    layouts: str = of_rooms(
        "", "a folder of the team's own layouts, used beside the shipped ones", form="folder"
    )
    state: State = dataclasses.field(default_factory=State)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, numbers in (("room_size", self.room_size), ("door_width", (self.door_width,))):
            if any(number % 2 == 0 for number in numbers):
                given = ", ".join(map(str, numbers))
                raise SpecError(f"{name}: {given}: give odd numbers, so that there is a middle")
        if self.door_width > min(self.room_size) - 4:
            raise SpecError(f"door_width: {self.door_width} does not fit into rooms of {self.room_size}")
        self._check_passage("door_width", self.body | 1)  # odd
