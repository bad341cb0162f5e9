"""A small level with everything that a kit can add: a room, a door, terrain, decor, a marker, an enemy."""

from __future__ import annotations

import tomllib
from dataclasses import replace

from generator.geometry import Side
from generator.kinds import SHIPPED, Kinds
from generator.level import Level, Marker

from .small_level import GRID, Way, built

ROWS = """
kit = "our kit"
[room.garden]
glyph = "&"
door = "hedge"
icon = "g"
[door.hedge]
starts_shut = true
[decor.fern]
walk = true
fly = true
shoot = true
[decor.old_oak]
walk = false
fly = true
shoot = false
size = [2, 2]
[terrain.water]
glyph = "w"
walk = false
fly = true
shoot = true
[marker.lever]
properties = { opens = "text", turns = "number" }
[enemy.slug]
cost = 2
role = "walker"
"""
KINDS = Kinds(
    {
        key: {**SHIPPED.tables.get(key, {}), **rows} if isinstance(rows, dict) else rows
        for key, rows in (dict(SHIPPED.tables) | tomllib.loads(ROWS)).items()
    }
)
WATER, FERN, OAK = (18, 5), (20, 5), (22, 5)  # tiles


def level() -> Level:
    """The start, and east of it the garden behind its hedge."""
    way = Way(0, 1, (0, 0), Side.EAST, "hedge")
    markers = (
        Marker(0, "player_start", 5, 5, 0),
        Marker(1, "lever", 24, 8, 1, None, {"opens": "gate", "turns": 3}),
        Marker(2, "enemy", 26, 8, 1, None, {"name": "slug", "role": "walker"}),
    )
    made = built([("start", [(0, 0)]), ("garden", [(1, 0)])], [way], markers=markers)
    assert made.grid == GRID
    terrain, decor = made.terrain.copy(), made.decor.copy()
    terrain[WATER[1], WATER[0]] = KINDS.terrain_ids["water"]
    decor[FERN[1], FERN[0]], decor[OAK[1], OAK[0]] = KINDS.decor_ids["fern"], KINDS.decor_ids["old_oak"]
    return replace(made, terrain=terrain, decor=decor, kinds=KINDS, terrain_kinds=(), decor_kinds=())
