"""The tables of `tables.toml`: what stands in a room of the `gungeon` style, and who waits there."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from generator.kinds import DECOR_IDS, DECOR_KINDS

# Where beside a wall a thing stands: anywhere, with its back to a wall above it, in a corner.
PLACES = ("any", "north", "corner")
ANY, NORTH, CORNER = range(3)


class Pool(NamedTuple):
    """Numbers of decor, each as often as its weight says, and those of them that are flat."""

    things: tuple[int, ...]
    flat: tuple[int, ...]


class DecorTable(NamedTuple):
    """One table of decor: chances of a tile in 256ths and of another thing in percent; a pool a place."""

    chance: int
    more: int
    pools: tuple[Pool, Pool, Pool]


class DecorTables(NamedTuple):
    """What stands beside a room's walls, and in its middle."""

    wall: DecorTable
    middle: DecorTable


class EnemyRow(NamedTuple):
    """Who waits in a room: least and most enemies on `floor` tiles; chances in percent; roles by weight."""

    danger: int
    difficulty: int
    enemies: tuple[int, int]
    floor: int
    second_wave: int
    pickup: int
    roles: tuple[str, ...]

    def crowd(self, enemies: int, floor: int) -> int:
        """How many wait on `floor` tiles if on as many as in the table `enemies` do; two at least."""
        floor = min(max(floor, self.floor // 2), self.floor * 2)
        return max(2, (enemies * floor + self.floor // 2) // self.floor)


@cache
def _file() -> dict[str, Any]:
    text = (resources.files("generator") / "interiors" / "procedural" / "tables.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def decor_tables(room_kind: str) -> DecorTables:
    """The tables of a room kind; KeyError if it has none."""
    tables = _file()["decor"][room_kind]
    places = {thing: PLACES.index(place) for thing, place in _file()["place"].items()}
    return DecorTables(_decor_table(tables["wall"], places), _decor_table(tables["middle"], {}))


def _decor_table(table: Mapping[str, Any], places: Mapping[str, int]) -> DecorTable:
    pools = []
    for place in (ANY, NORTH, CORNER):
        fitting = {
            thing: weight
            for thing, weight in table["things"].items()
            if places.get(thing, ANY) in (ANY, place)
        }
        things = tuple(DECOR_IDS[thing] for thing, weight in fitting.items() for _ in range(weight))
        pools.append(Pool(things, tuple(thing for thing in things if DECOR_KINDS[thing].walk)))
    return DecorTable(table["chance"] * 256 // 100, table.get("more", 0), (pools[0], pools[1], pools[2]))


@cache
def enemy_row(danger: int) -> EnemyRow:
    """The last row of the table of enemies that a danger reaches."""
    row = [row for row in _file()["enemies"] if row["danger"] <= danger][-1]
    least, most = row["enemies"]
    return EnemyRow(
        danger=row["danger"],
        difficulty=row["difficulty"],
        enemies=(least, most),
        floor=_file()["crowd"]["floor"],
        second_wave=row["second_wave"],
        pickup=row["pickup"],
        roles=tuple(role for role, weight in row["roles"].items() for _ in range(weight)),
    )
