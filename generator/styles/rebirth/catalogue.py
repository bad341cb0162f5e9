"""The rooms that the game picks from: not layouts, but their shapes and doors, each with a weight.

The game picks from its own layouts. Here a kind's rooms are single cells, for some kinds also narrow, as its
row says (`[room.NAME.rebirth]` of a kit), and boss rooms may be large; all have doors wherever the shape may
have them. Their content is drawn later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from generator.kinds import SHIPPED, Kinds
from generator.shapes import LARGE_BOSSES, SHAPES
from generator.styles.rebirth.board import EVERY_DOOR

_WEIGHT = 10**7  # the usual weight of a room; the game's least is a ten-millionth of it
_ROOMS = 10  # rooms of each shape, so that picking one changes little
CLOSETS = ("IH", "IV")


class CatalogueRoom(NamedTuple):
    """A room that may be picked: its shape's id, the bits of its door slots, its weight."""

    shape: int
    doors: int
    weight: int


Catalogue = Mapping[str, Sequence[CatalogueRoom]]


@lru_cache(maxsize=64)
def catalogue_of(large_bosses: int, closets: int, kinds: Kinds = SHIPPED) -> Catalogue:
    """Make the style's catalogue, with these percentages of large boss rooms and of narrow special rooms."""
    narrow = closet_kinds(kinds)
    rooms = {kind: _rooms({"1x1": 1})[:1] for kind in kinds.rooms if kind not in narrow}  # one for all
    rooms |= {kind: _rooms(_shares(CLOSETS, closets)) for kind in narrow}
    return rooms | {"boss": _rooms(_shares(LARGE_BOSSES, large_bosses))}


@lru_cache(maxsize=64)
def closet_kinds(kinds: Kinds = SHIPPED) -> tuple[str, ...]:
    """List the kinds of room that may be narrow."""
    return tuple(name for name, row in kinds.rooms.items() if row.styles.get("rebirth", {}).get("narrow"))


def _shares(shapes: Sequence[str], percent: int) -> dict[str, int]:
    shares = {"1x1": len(shapes) * (100 - percent)} | dict.fromkeys(shapes, percent)
    return {shape: share for shape, share in shares.items() if share}


def _rooms(shares: Mapping[str, int]) -> tuple[CatalogueRoom, ...]:
    """List rooms of each shape in proportion to its share, most frequent first."""
    return tuple(
        CatalogueRoom(SHAPES[shape].id, EVERY_DOOR[SHAPES[shape].id], share * _WEIGHT)
        for shape, share in shares.items()
        for _ in range(_ROOMS)
    )
