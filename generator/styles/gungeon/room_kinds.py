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
from generator.kinds.style_rows import HEAP_ROOMS

START, BOSS, NORMAL = "start", "boss", "normal"

Range = tuple[int, int]


class HeapKind(NamedTuple):
    """A room kind that the style places; `style_rows.py` explains the fields."""

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
def heap_kind(kinds: Kinds, name: str) -> HeapKind:
    """A room kind, whether or not it has a table of the style."""
    row = kinds.room(name)
    given = HEAP_ROOMS.read(KitNode(row.styles.get("gungeon", {}), f"kit: room.{name}.gungeon"))
    return HeapKind(**{"name": name, "weight": int(row.off_the_way), **given})


@lru_cache(maxsize=64)
def heap_kinds(kinds: Kinds) -> Mapping[str, HeapKind]:
    """The kinds whose numbers are drawn, in this order: the start, then the heaviest."""
    found = [heap_kind(kinds, name) for name, row in kinds.rooms.items() if "gungeon" in row.styles]
    found.sort(key=lambda kind: (kind.name != START, -kind.weight))
    return MappingProxyType({kind.name: kind for kind in found})


@lru_cache(maxsize=64)
def off_the_way(kinds: Kinds) -> frozenset[str]:
    """The room kinds that no path leads through."""
    return frozenset(row.name for row in kinds.rooms.values() if row.off_the_way)


HEAP_KINDS = heap_kinds(SHIPPED)
