"""The kinds of tiles, decor, rooms, doors, markers and enemies: the rows of a kit.

Variety is in these rows, not in classes. `SHIPPED` are the kinds of the shipped kit; a level has its
own kinds.
"""

from __future__ import annotations

from generator.kinds.kind_tables import (
    BRIDGE,
    DIFFICULTIES,
    DOOR,
    FLOOR,
    HALLWAY,
    PIT,
    RUBBLE,
    VOID,
    WALL,
    DecorKind,
    DoorKind,
    EnemyKind,
    MarkerKind,
    RoomKind,
    TerrainKind,
)
from generator.kinds.kinds import Glyph, Kinds, without_signs
from generator.kinds.kit import Kit, late_rows, read_kit, shipped_kit

SHIPPED: Kinds = shipped_kit().kinds

# Names for the shipped kinds, for code that needs no other kit.
ROOM_KINDS: tuple[str, ...] = tuple(SHIPPED.rooms)
DOOR_KINDS: tuple[DoorKind, ...] = tuple(SHIPPED.doors.values())
MARKER_KINDS: tuple[str, ...] = tuple(SHIPPED.markers)
TERRAIN_KINDS, DECOR_KINDS = SHIPPED.terrain, SHIPPED.decor
DECOR_IDS = SHIPPED.decor_ids
ROSTER = SHIPPED.enemies
room_kind = SHIPPED.room

__all__ = [
    "BRIDGE",
    "DECOR_IDS",
    "DECOR_KINDS",
    "DIFFICULTIES",
    "DOOR",
    "DOOR_KINDS",
    "FLOOR",
    "HALLWAY",
    "MARKER_KINDS",
    "PIT",
    "ROOM_KINDS",
    "ROSTER",
    "RUBBLE",
    "SHIPPED",
    "TERRAIN_KINDS",
    "VOID",
    "WALL",
    "DecorKind",
    "DoorKind",
    "EnemyKind",
    "Glyph",
    "Kinds",
    "Kit",
    "MarkerKind",
    "RoomKind",
    "TerrainKind",
    "late_rows",
    "read_kit",
    "room_kind",
    "shipped_kit",
    "without_signs",
]
