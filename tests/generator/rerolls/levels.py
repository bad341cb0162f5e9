"""Levels of every style to roll rooms of, and what must be the same in two of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from generator import Level, Room, generate

GRID_SPECS: list[dict[str, Any]] = [
    {},
    {"stage": 4, "door_width": 3},
    {"curse": "labyrinth"},
    {"stage": 5, "hard": True, "tinted_rocks": 50, "red_fires": 50},
    {"stage": 8, "state": {"coins": 20, "keys": 3}, "door_width": 5},
]
REBIRTH_SPECS: list[dict[str, Any]] = [
    *GRID_SPECS,
    {"stage": 7, "large_bosses": 100},
    {"stage": 2, "edition": "rebirth", "state": {"red_hearts": 1}},
    {"curse": "giant", "stage": 3},
    {"stage": 12},
    {"stage": 11},
]
GUNGEON_SPECS: list[dict[str, Any]] = [
    {},
    {"rooms": 1},
    {"rooms": 5, "hallway_width": 1, "body": 1, "roughness": 100},
    {"hallway_width": 4, "shop_rooms": [0, 3], "chest_rooms": [2, 9], "enemy_rooms": [2, 6]},
    {
        "enemy_width": [7, 9], "enemy_height": [7, 9], "chest_width": [7, 7], "chest_height": [7, 7],
        "enemy_spacing": 2, "champions": 50,
    },
]  # fmt: skip
SPECS = [
    *(("isaac", values) for values in GRID_SPECS),
    *(("rebirth", values) for values in REBIRTH_SPECS),
    *(("gungeon", values) for values in GUNGEON_SPECS),
]


class Given(NamedTuple):
    """A level by what it is made of, which is short enough to be told, and a room of it."""

    style: str
    values: dict[str, Any]
    seed: int
    place: int

    @property
    def level(self) -> Level:
        return generate(self.style, self.seed, **self.values)

    @property
    def room(self) -> int:
        return self.place % len(self.level.rooms)


@st.composite
def levels(draw: st.DrawFn) -> Given:
    style, values = draw(st.sampled_from(SPECS))
    return Given(style, values, draw(st.integers(1, 2**32 - 1)), draw(st.integers(0, 10**6)))


def tiles_of(level: Level, room: Room) -> npt.NDArray[np.bool_]:
    """[y, x]: the room's own tiles: its cells, not its bounds."""
    mask = np.zeros(level.terrain.shape, bool)
    parts = [level.grid.cell_rect(cell) for cell in room.cells] if level.grid else [room.bounds]
    for part in parts:
        mask[part.slices] = True
    return mask


def assert_same_outside(old: Level, new: Level, rooms: set[int], *, door_kinds: bool = False) -> None:
    """Nothing differs but the tiles, markers and fields of some rooms, the rerolls and the fingerprint."""
    inside = np.zeros(old.terrain.shape, bool)
    for number in rooms:
        inside |= tiles_of(old, old.rooms[number]) | tiles_of(new, new.rooms[number])
    for before, after in ((old.terrain, new.terrain), (old.decor, new.decor)):
        assert np.array_equal(np.where(inside, 0, before), np.where(inside, 0, after))
    tables = [old.to_dict(), new.to_dict()]
    for table in tables:
        for key in ("fingerprint", "rerolls", "terrain", "decor"):
            del table[key]
        table["markers"] = [marker for marker in table["markers"] if marker["room"] not in rooms]
        for room in table["rooms"]:
            if room["id"] in rooms:
                for key in ("layout", "difficulty", *(() if old.grid else ("outline", "shape", "bounds"))):
                    del room[key]
                if door_kinds:
                    del room["kind"]
        for door in table["doors"]:
            if door_kinds and rooms & set(door["rooms"]):
                del door["kind"]
    assert tables[0] == tables[1]
