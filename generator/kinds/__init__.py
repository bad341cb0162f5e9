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
TERRAIN_IDS, DECOR_IDS = SHIPPED.terrain_ids, SHIPPED.decor_ids
SECRET_ROOM_KINDS, SECRET_DOOR_KINDS = SHIPPED.secret_rooms, SHIPPED.secret_doors
LIGHT_MARKER_KINDS = SHIPPED.light_markers
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
    "LIGHT_MARKER_KINDS",
    "MARKER_KINDS",
    "PIT",
    "ROOM_KINDS",
    "ROSTER",
    "RUBBLE",
    "SECRET_DOOR_KINDS",
    "SECRET_ROOM_KINDS",
    "SHIPPED",
    "TERRAIN_IDS",
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
