"""What the kinds of rooms, terrain and markers are in LDtk: IntGrid values, enums and colours.

The numbers are a promise: a game may know them. New kinds are added at the end.
"""

from __future__ import annotations

from typing import NamedTuple

from generator.geometry import Side
from generator.kinds import DOOR_KINDS, MARKER_KINDS, ROOM_KINDS, TERRAIN_KINDS


class Group(NamedTuple):
    """A group of IntGrid values; a pattern of a rule can ask for any of it."""

    uid: int  # the layer's own count
    name: str
    color: str

    @property
    def pattern(self) -> int:
        """How a pattern says "one of the group"; negative: "none of it"."""
        return (self.uid + 1) * 1000


WALLS = Group(1, "Walls", "#8B8FB8")
FLOORS = Group(2, "Floors", "#A3785A")
PITS = Group(3, "Pits", "#3E4463")
GROUPS = (WALLS, FLOORS, PITS)


class GridValue(NamedTuple):
    """A value of the IntGrid."""

    value: int
    name: str
    group: Group
    color: str


# Void is 0, as everywhere in LDtk. A wall of a room's side may have an end: nothing of stone lies beyond
# the room there, which no rule could see. Stone is what of a wall rises and hangs into the void.
WALL, WEST_END, EAST_END, STONE, SECRET_DOOR, PIT, BRIDGE, HALLWAY, DOOR, RUBBLE, FLOOR = range(1, 12)


def _shade(color: str, step: int) -> str:
    """A colour apart from those of its neighbours in a list."""
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    moved = [(part + step * prime) % 160 + 64 for part, prime in zip(parts, (37, 61, 83), strict=True)]
    return "#" + "".join(f"{part:02X}" for part in moved)


ROOM_COLORS = {kind: _shade("#503C28", number) for number, kind in enumerate(ROOM_KINDS)}
DOOR_COLORS = {kind.name: _shade("#28503C", number) for number, kind in enumerate(DOOR_KINDS)}

GRID_VALUES: tuple[GridValue, ...] = (
    GridValue(WALL, "wall", WALLS, "#8B8FB8"),
    GridValue(WEST_END, "wall_west_end", WALLS, "#7478A6"),
    GridValue(EAST_END, "wall_east_end", WALLS, "#A3A7CC"),
    GridValue(STONE, "stone", WALLS, "#565A80"),
    GridValue(SECRET_DOOR, "door_secret", WALLS, "#C65BD6"),
    GridValue(PIT, "pit", PITS, "#1B1D33"),
    GridValue(BRIDGE, "bridge", PITS, "#8A5A2B"),
    GridValue(HALLWAY, "hallway", FLOORS, "#6F665C"),
    GridValue(DOOR, "door", FLOORS, "#E0A83C"),
    GridValue(RUBBLE, "rubble", FLOORS, "#8F8578"),
    GridValue(FLOOR, "floor", FLOORS, "#A3785A"),
    *(
        GridValue(FLOOR + 1 + number, f"floor_{kind}", FLOORS, ROOM_COLORS[kind])
        for number, kind in enumerate(ROOM_KINDS)
    ),
)

FLOOR_OF_ROOM = {kind: FLOOR + 1 + number for number, kind in enumerate(ROOM_KINDS)}

# The value of each terrain; floors and secret doors have more than one.
OF_TERRAIN = {
    "void": 0,
    "wall": WALL,
    "pit": PIT,
    "bridge": BRIDGE,
    "hallway": HALLWAY,
    "door": DOOR,
    "rubble": RUBBLE,
}

# The theme's floor that a value is drawn with.
FLOOR_NAMES: dict[int, str] = {
    SECRET_DOOR: "door",
    BRIDGE: "bridge",
    HALLWAY: "hallway",
    DOOR: "door",
    RUBBLE: "rubble",
    FLOOR: "default",
    **{value: kind for kind, value in FLOOR_OF_ROOM.items()},
}

ENUMS: dict[str, dict[str, str]] = {
    "RoomKind": ROOM_COLORS,
    "DoorKind": DOOR_COLORS,
    "Side": {side.label: _shade("#3C2850", number) for number, side in enumerate(Side)},
    "Terrain": {kind.name: _shade("#505028", number) for number, kind in enumerate(TERRAIN_KINDS)},
}
"""Each enum's values and their colours, in their order."""

MARKER_COLORS = {kind: _shade("#785014", number) for number, kind in enumerate(MARKER_KINDS)}

BACKGROUND = "#0D0B14"  # of levels and of the world round them; suits a void that is transparent

# Properties that the generator gives to markers: fields of each of these kinds, in every project alike.
MARKER_FIELDS: dict[str, dict[str, str]] = {
    "enemy": {"role": "String", "wave": "Int", "champion": "Bool", "flies": "Bool"},
    "boss": {"rank": "String", "flies": "Bool"},
    "chest": {"tier": "String"},
    "item": {"pool": "String"},
    "ware": {"item": "String"},
    "pickup": {"item": "String"},
    "machine": {"game": "String"},
    "exit": {"to": "String"},
    "torch": {"color": "String", "light_radius_tiles": "Int"},
    "fire": {"color": "String", "light_radius_tiles": "Int"},
}
