"""The style's facts about room kinds: the `[room.NAME.gungeon]` tables of a kit.

`generator/kinds/style_rows.py` explains the keys. Layouts lie in `layouts/garden/`; the share of enemy rooms
without one is in the spec. A room off the way weighs 1 by default, any other 0. The furnisher `quiet` puts a
centrepiece from `furnishing/layouts/garden/` in the middle.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from generator.kinds import SHIPPED, Kinds
from generator.kinds.columns import KitNode
from generator.kinds.style_rows import GUNGEON_ROOMS

START, BOSS, NORMAL = "start", "boss", "normal"

Range = tuple[int, int]


class GungeonRoomKind(NamedTuple):
    """A room kind that the style places. `style_rows.py` explains the fields."""

    name: str
    rooms: Range = (0, 0)
    width: Range = (9, 13)
    height: Range = (8, 11)
    decor: str = ""
    furnisher: str = "quiet"
    least_side: int = 7
    procedural_share: int = 100
    weight: int = 0
    spec: str = ""


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
