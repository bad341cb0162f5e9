"""Terrain and decor kinds: the terrain of tiles, and the things on them.

A level carries the rows it uses (see `level.json`), so a reader never needs this module to understand a
file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from generator.kinds.columns import Column, RowTable, flag, glyph, size


class TerrainKind(NamedTuple):
    """The terrain of a tile, and what can pass it.

    `walk`, `fly` and `shoot` say whether a walking body, a flying body or shots can pass; `hazard` says
    whether it hurts to stand there.
    """

    name: str
    walk: bool
    fly: bool
    shoot: bool
    hazard: bool = False


class DecorKind(NamedTuple):
    """A thing on a tile: like `TerrainKind`, plus its size in tiles."""

    name: str
    walk: bool
    fly: bool
    shoot: bool
    hazard: bool = False
    width: int = 1
    height: int = 1


# The numbers of the terrains that every kit has: a kind's index in its table is its number in the arrays.
VOID, FLOOR, WALL, PIT, BRIDGE, HALLWAY, DOOR, RUBBLE = range(8)

MAX_SIDE = 16  # tiles of a thing
HUNG = ("torch", "banner")  # decor that the generator hangs on walls; all other decor stands

_PASSES = {
    "walk": Column(flag, "`true` or `false`", "walking bodies can pass"),
    "fly": Column(flag, "`true` or `false`", "flying bodies can pass"),
    "shoot": Column(flag, "`true` or `false`", "shots can pass"),
    "hazard": Column(flag, "`true` or `false`", "it hurts to stand there", False),
    "glyph": Column(glyph, "a character", "its letter in layouts", ""),
}
TERRAIN = RowTable("terrain", "The terrain of a tile.", _PASSES)
DECOR = RowTable(
    "decor",
    "A thing on a tile.",
    {**_PASSES, "size": Column(size(MAX_SIDE), "`[width, height]`", "its size in tiles", (1, 1))},
)


def terrain_kind_of(name: str, row: dict[str, Any]) -> TerrainKind:
    """Build the kind that a row defines."""
    return TerrainKind(name, row["walk"], row["fly"], row["shoot"], row.get("hazard", False))


def decor_kind_of(name: str, row: dict[str, Any]) -> DecorKind:
    """Build the kind that a row defines."""
    width, height = row.get("size", (1, 1))
    return DecorKind(name, row["walk"], row["fly"], row["shoot"], row.get("hazard", False), width, height)
