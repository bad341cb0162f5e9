"""Terrain and decor kinds: what a tile is, and what stands on it.

A level carries the rows it uses (see `level.json`), so a reader never needs this module to understand a
file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from generator.kinds.columns import Column, RowTable, flag, glyph, size


class TerrainKind(NamedTuple):
    """What a tile is, and what may pass over it.

    `walk`, `fly` and `shoot` say whether a walking body, a flying body or a shot passes; `hazard` says
    whether standing there hurts.
    """

    name: str
    walk: bool
    fly: bool
    shoot: bool
    hazard: bool = False


class DecorKind(NamedTuple):
    """What stands on a tile; as `TerrainKind`, and its size in tiles."""

    name: str
    walk: bool
    fly: bool
    shoot: bool
    hazard: bool = False
    width: int = 1
    height: int = 1


# The numbers of the terrains that every kit has: a kind's place in its table is its number in the arrays.
VOID, FLOOR, WALL, PIT, BRIDGE, HALLWAY, DOOR, RUBBLE = range(8)

MOST_SIDE = 16  # tiles of a thing

_PASSES = {
    "walk": Column(flag, "`true` or `false`", "a walking body passes"),
    "fly": Column(flag, "`true` or `false`", "a flying body passes"),
    "shoot": Column(flag, "`true` or `false`", "a shot passes"),
    "hazard": Column(flag, "`true` or `false`", "standing there hurts", False),
    "glyph": Column(glyph, "a character", "its letter in layouts", ""),
}
TERRAIN = RowTable("terrain", "What a tile is.", _PASSES)
DECOR = RowTable(
    "decor",
    "What stands on a tile.",
    {**_PASSES, "size": Column(size(MOST_SIDE), "`[width, height]`", "its size in tiles", (1, 1))},
)


def terrain_kind_of(name: str, row: dict[str, Any]) -> TerrainKind:
    """The kind of a row that was read."""
    return TerrainKind(name, row["walk"], row["fly"], row["shoot"], row.get("hazard", False))


def decor_kind_of(name: str, row: dict[str, Any]) -> DecorKind:
    """The kind of a row that was read."""
    width, height = row.get("size", (1, 1))
    return DecorKind(name, row["walk"], row["fly"], row["shoot"], row.get("hazard", False), width, height)
