"""A level with rooms, a door and markers of kinds that we do not know, as another style or a team has them."""

from __future__ import annotations

from dataclasses import replace

import generator
from generator.level import Level

ROOM, OTHER_ROOM, DOOR, MARKER = "crypt_chapel", "bone_pit", "portcullis", "grave_robber"
KINDS = {ROOM, OTHER_ROOM, DOOR, MARKER}


def level(style: str = "isaac", seed: int = 7) -> Level:
    """A level of a style, some of whose rooms, doors and markers become others."""
    made = generator.generate(style, seed)
    rooms = list(made.rooms)
    for kind, room in zip(
        (ROOM, OTHER_ROOM), (room for room in made.rooms if room.kind == "normal"), strict=False
    ):
        rooms[room.id] = replace(room, kind=kind)
    doors = [replace(door, kind=DOOR) if door.id in (0, 1) else door for door in made.doors]
    markers = list(made.markers)
    place, marker = next((i, one) for i, one in enumerate(markers) if one.kind == "enemy")
    markers[place] = replace(marker, kind=MARKER, properties={"loot": 3, "name": "Old Tom"})
    return replace(made, rooms=tuple(rooms), doors=tuple(doors), markers=tuple(markers))
