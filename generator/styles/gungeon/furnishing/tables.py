"""What stands in a room of the `gungeon` style, and who waits there: `gungeon.toml` of a kit.

Functions take the kit, or else go by the shipped one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from generator.kinds import Kinds, Kit, shipped_kit
from generator.kinds.settings import SPOTS

# Where beside a wall a thing stands: anywhere, with its back to a wall above it, in a corner.
PLACES = SPOTS
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
    """What stands beside a room's walls, in its middle, and by turns in rows round a centrepiece."""

    wall: DecorTable
    middle: DecorTable
    rows: tuple[tuple[str, str], ...]


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


def decor_tables(name: str, kit: Kit | None = None) -> DecorTables:
    """The tables of that name, empty ones for no name; KeyError if there are none."""
    return _decor_tables(name, kit or shipped_kit())


@lru_cache(maxsize=256)
def _decor_tables(name: str, kit: Kit) -> DecorTables:
    tables = kit.rules.decor_tables[name] if name else {}
    places = {thing: PLACES.index(place) for thing, place in kit.rules.numbers["decor_place"].items()}
    return DecorTables(
        _decor_table(tables.get("wall", {}), places, kit.kinds),
        _decor_table(tables.get("middle", {}), {}, kit.kinds),
        tables.get("rows", ()),
    )


def _decor_table(table: Mapping[str, Any], places: Mapping[str, int], kinds: Kinds) -> DecorTable:
    pools = []
    for place in (ANY, NORTH, CORNER):
        fitting = {
            thing: weight
            for thing, weight in table.get("things", {}).items()
            if places.get(thing, ANY) in (ANY, place)
        }
        things = tuple(kinds.decor_ids[thing] for thing, weight in fitting.items() for _ in range(weight))
        pools.append(Pool(things, tuple(thing for thing in things if kinds.decor[thing].walk)))
    chance = table.get("chance", 0) * 256 // 100 if all(pool.things for pool in pools) else 0
    return DecorTable(chance, table.get("more", 0), (pools[0], pools[1], pools[2]))


def motif_weights(kit: Kit | None = None) -> Mapping[str, int]:
    """How often each motif comes in enemy rooms without a layout; `none` is one of them."""
    return (kit or shipped_kit()).rules.numbers["motif"]


def symmetry(kit: Kit | None = None) -> int:
    """Percent of the enemy rooms without a layout whose floor is the same on both sides."""
    return (kit or shipped_kit()).rules.gungeon["symmetry"]


def enemy_row(danger: int, kit: Kit | None = None) -> EnemyRow:
    """The last row of the table of enemies that a danger reaches, or else the first."""
    return _enemy_row(danger, kit or shipped_kit())


@lru_cache(maxsize=1024)
def _enemy_row(danger: int, kit: Kit) -> EnemyRow:
    rows = kit.rules.crowds
    row = next((row for row in reversed(rows) if row.danger <= danger), rows[0])
    return EnemyRow(
        danger=row.danger,
        difficulty=row.difficulty,
        enemies=row.enemies,
        floor=kit.rules.gungeon["floor"],
        second_wave=row.second_wave,
        pickup=row.pickup,
        roles=tuple(role for role, weight in row.roles.items() for _ in range(weight)),
    )


def danger_of(danger: int, difficulty: int, kit: Kit | None = None) -> int:
    """The danger nearest to one, in percent, whose row has a difficulty; itself if no row has that."""
    rows = (kit or shipped_kit()).rules.crowds
    fitting = [row.danger for row in rows if row.difficulty == difficulty]
    if not fitting:
        return danger
    above = [row.danger for row in rows if row.danger > fitting[-1]]
    return min(max(danger, fitting[0]), above[0] - 1 if above else 100)
