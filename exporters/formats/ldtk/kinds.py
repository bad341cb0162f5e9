"""Kinds of rooms, terrain and markers in LDtk: IntGrid values, enums and colours.

The numbers must not change, because games may use them. New kinds are added at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from exporters.formats.ldtk.ids import identifier
from exporters.theme.parts import floor_of_room, own_terrain
from generator.geometry import Side
from generator.kinds import SHIPPED, Kinds
from generator.level import Level


class GridGroup(NamedTuple):
    """A group of IntGrid values. A rule's pattern can require any value of the group."""

    uid: int  # counted per layer
    name: str
    color: str

    @property
    def pattern(self) -> int:
        """The pattern value for "in this group". Negated, it means "not in it"."""
        return (self.uid + 1) * 1000


WALLS = GridGroup(1, "Walls", "#8B8FB8")
FLOORS = GridGroup(2, "Floors", "#A3785A")
PITS = GridGroup(3, "Pits", "#3E4463")
GROUPS = (WALLS, FLOORS, PITS)


class GridValue(NamedTuple):
    """A value of the IntGrid."""

    value: int
    name: str
    group: GridGroup
    color: str


# Void is 0, as everywhere in LDtk. A wall at a room's side may be an end: there is no stone beyond the room
# there, which rules could not detect. Stone is the part of a wall that rises or hangs into the void.
WALL, WEST_END, EAST_END, STONE, SECRET_DOOR, PIT, BRIDGE, HALLWAY, DOOR, RUBBLE, FLOOR = range(1, 12)


def _shade(color: str, step: int) -> str:
    """Return a colour that differs from those of its neighbours in a list."""
    parts = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    moved = [(part + step * prime) % 160 + 64 for part, prime in zip(parts, (37, 61, 83), strict=True)]
    return "#" + "".join(f"{part:02X}" for part in moved)


_ROOM_COLOR, _DOOR_COLOR, _ENEMY_COLOR = "#503C28", "#28503C", "#5A2828"


def _colors(kinds: Iterable[str], color: str) -> dict[str, str]:
    return {kind: _shade(color, number) for number, kind in enumerate(kinds)}


USUAL_VALUES: tuple[GridValue, ...] = (
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
)

# The value of each terrain that all kits have; floors and secret doors have several.
_OF_TERRAIN = {
    "void": 0,
    "wall": WALL,
    "pit": PIT,
    "bridge": BRIDGE,
    "hallway": HALLWAY,
    "door": DOOR,
    "rubble": RUBBLE,
}
_USUAL_FLOORS = {
    SECRET_DOOR: "door",
    BRIDGE: "bridge",
    HALLWAY: "hallway",
    DOOR: "door",
    RUBBLE: "rubble",
    FLOOR: "default",
}
_MAX_VALUE = 255  # the limit of the arrays


class GridWords(NamedTuple):
    """The IntGrid of a kit: its values and their meaning.

    `of_room` is by room kind; rooms of other kinds have the plain floor. `of_terrain` is by terrain. `floors`
    is the theme's floor for each value.
    """

    values: tuple[GridValue, ...]
    of_room: Mapping[str, int]
    of_terrain: Mapping[str, int]
    floors: Mapping[int, str]


@lru_cache(maxsize=16)
def grid_words(kinds: Kinds) -> GridWords:
    """Build the IntGrid of a kit's levels. Shipped room kinds have the same values in all kits."""
    rooms = _colors(kinds.rooms, _ROOM_COLOR)
    shipped = {kind: FLOOR + 1 + number for number, kind in enumerate(SHIPPED.rooms)}
    free = range(FLOOR + 1 + len(shipped), _MAX_VALUE + 1)
    terrains = dict(zip(own_terrain(kinds), free, strict=False))
    new_kinds = [kind for kind in rooms if kind not in shipped]
    own = dict(zip(new_kinds, free[len(terrains) :], strict=False))
    of_room = {kind: value for kind, value in (shipped | own).items() if kind in rooms}
    names = {grid_value.name for grid_value in USUAL_VALUES}
    values = [GridValue(value, f"floor_{kind}", FLOORS, rooms[kind]) for kind, value in of_room.items()]
    names |= {grid_value.name for grid_value in values}
    for number, (kind, value) in enumerate(terrains.items()):
        values.append(GridValue(value, identifier(kind, names), FLOORS, _shade("#505028", number)))
    floors = {value: floor_of_room(kinds, kind) for kind, value in of_room.items()}
    floors |= {value: kind for kind, value in terrains.items()}
    return GridWords((*USUAL_VALUES, *values), of_room, _OF_TERRAIN | terrains, _USUAL_FLOORS | floors)


@lru_cache(maxsize=16)
def enums_of_kinds(kinds: Kinds) -> Mapping[str, Mapping[str, str]]:
    """Return the values of each enum and their colours, in order."""
    return {
        "RoomKind": _colors(kinds.rooms, _ROOM_COLOR),
        "DoorKind": _colors(kinds.doors, _DOOR_COLOR),
        "Side": _colors((side.label for side in Side), "#3C2850"),
        "Terrain": _colors((kind.name for kind in kinds.terrain), "#505028"),
        "EnemyKind": _colors(kinds.enemies, _ENEMY_COLOR),
        "FireColor": FIRES,
    }


def enums_with(
    kinds: Kinds, rooms: Iterable[str] = (), doors: Iterable[str] = (), enemies: Iterable[str] = ()
) -> dict[str, Mapping[str, str]]:
    """Extend the enums of a kit by kinds of rooms, doors and enemies that only the level has."""
    return {
        **enums_of_kinds(kinds),
        "RoomKind": _colors(dict.fromkeys((*kinds.rooms, *rooms)), _ROOM_COLOR),
        "DoorKind": _colors(dict.fromkeys((*kinds.doors, *doors)), _DOOR_COLOR),
        "EnemyKind": _colors(dict.fromkeys((*kinds.enemies, *enemies)), _ENEMY_COLOR),
    }


SHOWN_BY = ("EnemyKind", "FireColor")  # enums whose icon the entity shows
FIRES = {"orange": "#FF7828", "red": "#E61E3C"}
FIRE_DECOR = {"orange": "fire", "red": "red_fire"}  # decor that looks like the fire


def enemy_names(level: Level) -> list[str]:
    """Return the names of a level's enemies, or none if one of them cannot be an enum value."""
    names = [
        marker.properties["name"]
        for marker in level.markers
        if marker.kind == "enemy" and "name" in marker.properties
    ]
    return [str(name) for name in names] if all(map(_is_value, names)) else []


def enums_that_fit(level: Level) -> tuple[str, ...]:
    """Return the enums that can hold all names of a level's enemies, and all colours of its fires."""
    named = [marker for marker in level.markers if marker.kind == "enemy" and "name" in marker.properties]
    fires = [marker.properties for marker in level.markers if marker.kind == "fire"]
    fits = {
        "EnemyKind": bool(enemy_names(level)) or not named,
        "FireColor": all(fire.get("color", "red") in FIRES for fire in fires),
    }
    return tuple(name for name, holds in fits.items() if holds)


def _is_value(name: object) -> bool:
    return isinstance(name, str) and re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name) is not None


BACKGROUND = "#0D0B14"  # of levels and the world around them; fits a transparent void

# The properties that the generator gives to markers, as fields by kind, the same in every project.
MARKER_FIELDS: dict[str, dict[str, str]] = {
    "enemy": {
        "name": "EnemyKind",
        "role": "String",
        "wave": "Int",
        "champion": "Bool",
        "flies": "Bool",
        "wakes_after": "Float",
    },
    "boss": {"rank": "String", "flies": "Bool", "name": "String", "wakes_after": "Float"},
    "chest": {"tier": "String"},
    "item": {"pool": "String"},
    "key": {"opens": "String", "consumed": "Bool", "lever": "Bool"},
    "ware": {"item": "String"},
    "pickup": {"item": "String"},
    "machine": {"game": "String"},
    "exit": {"to": "String"},
    "torch": {"color": "String", "light_radius_tiles": "Int"},
    "fire": {"color": "FireColor", "light_radius_tiles": "Int"},
}


_DECLARED = {"text": "String", "number": "Int", "truth": "Bool"}


def marker_fields(kind: str, kinds: Kinds) -> dict[str, str]:
    """Return the fields of a marker kind: those from the generator, and those that its kit declares."""
    row = kinds.markers.get(kind)
    declared = row.properties if row else {}
    return {name: _DECLARED[form] for name, form in declared.items()} | MARKER_FIELDS.get(kind, {})
