"""The spec of the `gungeon` style."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

from generator.errors import SpecError
from generator.spec.base import LevelSpec, grouped

_of_level = grouped("Level")
_of_sizes = grouped("Room sizes")
_of_floorplan = grouped("Floorplan")
_of_rooms = grouped("Rooms")


_RANGE = ("least", "most")


def _number(least: int, most: int, help: str) -> Any:
    """A range of how many rooms of a kind there are."""
    return _of_level((least, most), help, low=0, high=9_000, unit="rooms", parts=_RANGE)


def _tiles(least: int, most: int, help: str, low: int = 7) -> Any:
    """A range of a room's width or height, walls included."""
    return _of_sizes((least, most), f"{help}, walls included", low=low, high=63, unit="tiles", parts=_RANGE)


@dataclass(frozen=True, kw_only=True)
class GungeonSpec(LevelSpec):
    """Rooms of many sizes, dropped in a heap, pushed apart and joined by hallways, with some loops.

    Every range is the least and the most, both included.
    """

    style: ClassVar[str] = "gungeon"
    summary: ClassVar[str] = "rooms of many sizes in a heap, joined by hallways, with some loops"

    rooms: int = _of_level(
        0,
        "the exact number of rooms: the start, then as many bosses as are drawn, and the ranges of the other "
        "kinds tell how the rest is shared; 0: as many as all ranges give",
        low=0,
        high=10_000,
        unit="rooms",
    )
    enemy_rooms: tuple[int, int] = _number(11, 15, "how many enemy rooms")
    chest_rooms: tuple[int, int] = _number(1, 3, "how many chest rooms")
    shop_rooms: tuple[int, int] = _number(1, 1, "how many shops")
    boss_rooms: tuple[int, int] = _number(1, 1, "how many boss rooms")
    enemy_width: tuple[int, int] = _tiles(14, 26, "width of enemy rooms")
    enemy_height: tuple[int, int] = _tiles(12, 20, "height of enemy rooms")
    chest_width: tuple[int, int] = _tiles(9, 13, "width of chest rooms")
    chest_height: tuple[int, int] = _tiles(8, 11, "height of chest rooms")
    shop_width: tuple[int, int] = _tiles(13, 17, "width of shops")
    shop_height: tuple[int, int] = _tiles(10, 13, "height of shops")
    boss_width: tuple[int, int] = _tiles(28, 34, "width of boss rooms", low=15)
    boss_height: tuple[int, int] = _tiles(22, 27, "height of boss rooms", low=15)
    start_width: tuple[int, int] = _tiles(11, 15, "width of the start room")
    start_height: tuple[int, int] = _tiles(9, 12, "height of the start room")
    drop: str = _of_floorplan(
        "strip",
        "the shape that rooms are dropped in before they are pushed apart; a strip is wider than high, "
        "which makes up for their being pushed apart more up and down than sideways",
        choices=("strip", "square", "disc"),
    )
    hallway_width: int = _of_floorplan(2, "width of hallways and doors", low=1, high=5, unit="tiles")
    loop_share: tuple[int, int] = _of_floorplan(
        (6, 14),
        "how many of the connections left over between near rooms on the way become loops, rounded up; a "
        "loop that would be a long walk is left out",
        low=0,
        high=100,
        unit="percent",
        parts=_RANGE,
    )
    loop_length: int = _of_floorplan(
        44, "how far apart the middles of rooms on a loop may be at most", low=0, high=1_000, unit="tiles"
    )
    roughness: int = _of_rooms(
        50, "how ragged the floors of enemy rooms are; 0: rectangles", low=0, high=100, unit="percent"
    )
    enemy_spacing: int = _of_rooms(
        3,
        "how far apart enemies stand at least when the level starts; far apart, fewer find a place",
        low=2,
        high=12,
        unit="tiles",
    )
    champions: int = _of_rooms(10, "how many enemies are champions", low=0, high=100, unit="percent")
    rubble: int = _of_rooms(8, "how much of an enemy room's floor is broken", low=0, high=100, unit="percent")

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in dataclasses.fields(self):
            given = getattr(self, field.name)
            if isinstance(given, tuple) and given[0] > given[1]:
                raise SpecError(f"{field.name}: {list(given)} runs backwards; give the least, then the most")
        self._check_passage("hallway_width", self.body)
