"""What a kit says about rooms of the `gungeon` style: their kinds, their decor and their enemies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from generator.kinds import SHIPPED, Kinds, Kit
from generator.kinds.columns import KitNode
from generator.kinds.decor_tables import DECOR_TABLES
from generator.kinds.settings import GUNGEON_ROOMS, SPOTS
from generator.named_tuple import NamedTuple

# The room kinds: the `[room.NAME.gungeon]` tables of a kit.
#
# `generator/kinds/settings.py` explains the keys. Layouts lie in `layouts/garden/`; the share of enemy
# rooms without one is in the spec. A room off the way weighs 1 by default, any other 0. The furnisher
# `quiet` puts a centrepiece from `furnishing/layouts/garden/` in the middle.

START, BOSS, NORMAL = "start", "boss", "normal"

Range = tuple[int, int]


class GungeonRoomKind(NamedTuple):
    """A room kind that the style places. `settings.py` explains the fields."""

    name: str
    rooms: Range = (0, 0)
    width: Range = (9, 13)
    height: Range = (8, 11)
    decor: str = ""
    furnisher: str = "quiet"
    motifs: Mapping[str, int] = MappingProxyType({})
    least_side: int = 7
    procedural_share: int = 100
    weight: int = 0
    spec: str = ""

    @property
    def has_fights(self) -> bool:
        """Whether enemies fight in such rooms."""
        return self.furnisher == "battle"


@lru_cache(maxsize=4096)
def gungeon_kind(kinds: Kinds, name: str) -> GungeonRoomKind:
    """Return a room kind, whether or not it has a table of the style."""
    row = kinds.room(name)
    values = GUNGEON_ROOMS.read(KitNode(row.styles.get("gungeon", {}), f"kit: room.{name}.gungeon"))
    return GungeonRoomKind(**{"name": name, "weight": int(row.off_the_way), **values})


@lru_cache(maxsize=64)
def gungeon_kinds(kinds: Kinds) -> Mapping[str, GungeonRoomKind]:
    """Return the kinds whose numbers are drawn, in this order: the start, then the heaviest."""
    placed = [gungeon_kind(kinds, name) for name, row in kinds.rooms.items() if "gungeon" in row.styles]
    placed.sort(key=lambda kind: (kind.name != START, -kind.weight))
    return MappingProxyType({kind.name: kind for kind in placed})


@lru_cache(maxsize=64)
def off_the_way(kinds: Kinds) -> frozenset[str]:
    """Return the room kinds that no path leads through."""
    return frozenset(row.name for row in kinds.rooms.values() if row.off_the_way)


GUNGEON_KINDS = gungeon_kinds(SHIPPED)


# The decor and the enemies: `gungeon.toml` of a kit.

# Where decor stands beside a wall: anywhere, with its back to a wall above it, in a corner.
ANY, NORTH, CORNER = range(3)


class Pool(NamedTuple):
    """Decor numbers, each repeated by its weight, and those of them that are flat."""

    things: tuple[int, ...]
    flat: tuple[int, ...]


class LooseDecor(NamedTuple):
    """Loose decor in patches on `chance` percent of some tiles. Each place beside a wall has a pool."""

    chance: int
    pools: tuple[Pool, Pool, Pool]


class DecorTables(NamedTuple):
    """The decor of a room: arrangements on `share` percent of its floor, loose things, and rows.

    `wall`, `middle`, `growth` and `wear` are loose; `rows` stand round a centrepiece; `banners` are so
    many tiles apart, 0 for none.
    """

    share: int
    wall: LooseDecor
    middle: LooseDecor
    growth: LooseDecor
    wear: LooseDecor
    rows: tuple[tuple[str, str], ...]
    banners: int


class EnemyRow(NamedTuple):
    """The enemies of a room: least and most on `floor` tiles, chances in percent, roles by weight."""

    danger: int
    difficulty: int
    enemies: tuple[int, int]
    floor: int
    second_wave: int
    pickup: int
    roles: tuple[str, ...]

    def crowd(self, enemies: int, floor: int) -> int:
        """Scale `enemies` from the table's number of tiles to `floor` tiles. At least two wait there."""
        floor = min(max(floor, self.floor // 2), self.floor * 2)
        return max(2, (enemies * floor + self.floor // 2) // self.floor)


@lru_cache(maxsize=256)
def decor_tables(name: str, kit: Kit) -> DecorTables:
    """Return the tables of this name, or empty ones for an empty name. Raises KeyError if there are none."""
    tables = kit.rules.decor_tables[name] if name else {}
    places = {decor: SPOTS.index(place) for decor, place in kit.rules.numbers["decor_place"].items()}
    wall, growth = (_loose(tables.get(key, {}), places, kit.kinds) for key in ("wall", "growth"))
    middle, wear = (_loose(tables.get(key, {}), {}, kit.kinds) for key in ("middle", "wear"))
    share, rows, banners = tables.get("share", 0), tables.get("rows", ()), tables.get("banners", 0)
    return DecorTables(share, wall, middle, growth, wear, rows, banners)


class Torches(NamedTuple):
    """The torches along the walls of a room: tiles from one to the next, how far they shine, percent dark.

    `places` says where those of a marker hang, if not beside it.
    """

    every: Range
    radius: int
    dark: int
    places: Mapping[str, str] = MappingProxyType({})


@lru_cache(maxsize=1024)
def torches_of(kind: str, chapter: str, kit: Kit) -> Torches:
    """Return the torches of rooms of a kind, in the look of a chapter."""
    table = gungeon_kind(kit.kinds, kind).decor
    rows = kit.rules.decor_tables[table] if table else {}
    row = rows.get("torches", DECOR_TABLES.columns["torches"].default)
    gloom = kit.rules.chapters[chapter].dark if chapter in kit.rules.chapters else 0
    dark = max(row["dark"], gloom) if row["dark"] else 0
    return Torches(row["every"], row["radius"], dark, kit.rules.numbers["marker_torches"])


def _loose(table: Mapping[str, Any], places: Mapping[str, int], kinds: Kinds) -> LooseDecor:
    pools = []
    for place in (ANY, NORTH, CORNER):
        weighted = tuple(
            kinds.decor_ids[decor]
            for decor, weight in table.get("things", {}).items()
            if places.get(decor, ANY) in (ANY, place)
            for _ in range(weight)
        )
        pools.append(Pool(weighted, tuple(decor for decor in weighted if kinds.decor[decor].walk)))
    chance = table.get("chance", 0) if any(pool.things for pool in pools) else 0
    return LooseDecor(chance, (pools[0], pools[1], pools[2]))


@lru_cache(maxsize=16)
def tall_decor(kit: Kit) -> tuple[int, ...]:
    """Return how many tiles each kind of decor hides behind itself, by its number."""
    named = kit.rules.numbers["decor_tall"]
    return tuple(kind.width if named.get(kind.name) else 0 for kind in kit.kinds.decor)


@lru_cache(maxsize=1024)
def enemy_row(danger: int, kit: Kit) -> EnemyRow:
    """Return the last row of the table of enemies that a danger reaches, or else the first."""
    rows = kit.rules.crowds
    row = next((row for row in reversed(rows) if row.danger <= danger), rows[0])
    roles = tuple(role for role, weight in row.roles.items() for _ in range(weight))
    return EnemyRow(**{**row._asdict(), "floor": kit.rules.gungeon["floor"], "roles": roles})


def danger_of(danger: int, difficulty: int, kit: Kit) -> int:
    """Return the danger nearest to `danger`, in percent, whose row has this difficulty, or else `danger`."""
    rows = kit.rules.crowds
    fitting = [row.danger for row in rows if row.difficulty == difficulty]
    if not fitting:
        return danger
    above = [row.danger for row in rows if row.danger > fitting[-1]]
    return min(max(danger, fitting[0]), above[0] - 1 if above else 100)
