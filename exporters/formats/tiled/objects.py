"""Rooms, hallways, doors and markers as objects.

    {"height":0, "id":7, "name":"ShopRoom_29_11", "polygon":[{"x":0,"y":0}, {"x":240,"y":0}, ...],
     "properties":[{"name":"door_0", "type":"object", "value":21},
      {"name":"kind", "propertytype":"RoomKind", "type":"string", "value":"shop"}, ...],
     "rotation":0, "type":"room", "visible":true, "width":0, "x":464, "y":176}

A reference is a property of the type `object`, whose value is the other object's id.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from exporters.formats.tiled.layers import FIRST_GID
from exporters.formats.tiled.names import written_name
from exporters.formats.tiled.part import Links, MapPart
from exporters.formats.tiled.polygons import joined
from exporters.formats.tiled.project import choice
from exporters.formats.tiled.syntax.text import EnumChoice, FileReference, PropertyValue, Ref, properties
from exporters.image import marker_icon
from exporters.shut_doors import keys_of_door, needs_text, shut_facts
from generator.algorithms.outline import outline, ring
from generator.geometry import Point, Rect
from generator.kinds import Kinds
from generator.level import Door, Marker, Room

Object = dict[str, object]


def room_objects(part: MapPart, links: Links) -> Iterator[Object]:
    """Yield the rooms as polygons with references to their doors."""
    for room in part.rooms:
        own: dict[str, PropertyValue | None] = {**room_facts(room, part.level.kinds)}
        for number, door in enumerate(links.doors_of_room.get(room.id, ())):
            own[f"door_{number}"] = Ref(part.door_id(door))
        rings = room.outline or (ring(room.bounds),)
        name = links.names.rooms[room.id]
        yield _polygon(part, part.room_id(room.id), name, "room", rings, properties(own))


def room_facts(room: Room, kinds: Kinds) -> dict[str, PropertyValue]:
    """Return the facts about a room, apart from its position."""
    return {
        "room_id": room.id,
        "kind": choice("RoomKind", room.kind, kinds),
        "shape": room.shape,
        "cells": json.dumps(room.cells, separators=(",", ":")),
        "bounds": json.dumps(room.bounds, separators=(",", ":")),
        "distance": -1 if room.distance is None else room.distance,
        "depth": room.depth,
        "difficulty": room.difficulty,
        "layout": room.layout,
        **({"zone": room.zone} if room.zone else {}),
    }


def hallway_objects(part: MapPart, links: Links) -> Iterator[Object]:
    """Yield the hallways as polygons, with references to their doors, and rooms or these rooms' maps."""
    for hallway in part.hallways:
        own: dict[str, PropertyValue | None] = {"hallway_id": hallway.id}
        for end, door in zip("ab", hallway.doors, strict=True):
            room = part.level.doors[door].rooms[0]
            if part.is_whole:
                own |= {f"door_{end}": Ref(part.door_id(door)), f"room_{end}": part.room_ref(room)}
            else:
                own |= {f"to_room_{end}": room, f"to_map_{end}": FileReference(part.maps[room])}
        rings = tile_rings(hallway.tiles)
        number, name = part.hallway_id(hallway.id), links.names.hallways[hallway.id]
        yield _polygon(part, number, name, "hallway", rings, properties(own))


def tile_rings(tiles: Sequence[Point]) -> Sequence[Sequence[Point]]:
    """Find the rings of the outline of some tiles."""
    if not tiles:
        return ()
    xs, ys = np.array(tiles).T
    left, top = int(xs.min()), int(ys.min())
    area = np.zeros((int(ys.max()) - top + 1, int(xs.max()) - left + 1), np.bool_)
    area[ys - top, xs - left] = True
    return outline(area, (left, top))


def door_objects(part: MapPart, links: Links) -> Iterator[Object]:
    """Yield the doors as rectangles.

    In the map of the whole level, they have references to both rooms, or to the room and the hallway. In the
    map of a room, they cover the room's own half and have the side as seen from it and the door's target.
    """
    kinds = part.level.kinds
    for door, tiles in part.doors:
        own: dict[str, PropertyValue | None] = {
            "door_id": door.id,
            "kind": choice("DoorKind", door.kind, kinds),
            **shut_facts(door, kinds),
            **_asked(part, links, door),
        }
        hallway = links.hallway_of_door.get(door.id)
        if part.is_whole:
            a, b = (part.room_ref(room) for room in door.rooms)
            own |= {"side": EnumChoice("Side", door.side), "room_a": a, "room_b": b}
            own |= {"hallway": part.hallway_ref(hallway)}
        else:
            own |= _way_out(part, links, door, hallway)
        rect = Rect.around(tiles)
        x, y = part.px((rect.x, rect.y))
        right, bottom = part.px((rect.right, rect.bottom))
        shape: Object = {"height": bottom - y, "width": right - x, "x": x, "y": y}
        yield _object(part.door_id(door.id), links.names.doors[door.id], "door", shape, properties(own))


def _asked(part: MapPart, links: Links, door: Door) -> dict[str, PropertyValue | None]:
    """Return what a door requires of the player, with references to keys on the same map."""
    own: dict[str, PropertyValue | None] = {}
    if door.needs:
        own["needs"] = needs_text(door.needs)
        local_keys = [marker for marker in keys_of_door(door, links.keys) if marker in part.markers]
        own |= {f"key_{number}": Ref(part.marker_id(key.id)) for number, key in enumerate(local_keys)}
    if door.one_way:
        own["one_way"] = True
    if door.opens_from is not None:
        own["opens_from"] = part.room_ref(door.opens_from)
    return own


def _way_out(part: MapPart, links: Links, door: Door, hallway: int | None) -> dict[str, PropertyValue | None]:
    """Return, for a door on its room's map: the room, the side, the room or hallway beyond, and its map."""
    room = part.rooms[0].id if part.rooms else door.rooms[0]
    neighbour = links.beyond(door, room)
    onwards = part.maps.get(neighbour) if neighbour is not None else None
    if hallway is not None:
        onwards = part.hallway_maps.get(hallway, onwards)
    return {
        "side": EnumChoice("Side", next(half.side for half in door.halves if half.room == room)),
        "room_a": part.room_ref(room),
        "to_room": -1 if neighbour is None else neighbour,
        "to_map": None if onwards is None else FileReference(onwards),
    }


def marker_objects(part: MapPart, links: Links, lights: bool) -> Iterator[Object]:
    """Yield the lights among the markers, or all others: tiles with icons, with the kind as their class."""
    kinds = part.level.kinds
    for marker in part.markers:
        if (marker.kind in kinds.light_markers) is lights:
            extra = {written_name(name, marker.kind): value for name, value in marker.properties.items()}
            own = _marker_facts(part, marker)
            if marker.kind == "enemy" and isinstance(marker.properties.get("name"), str):
                own["enemy_name"] = choice("EnemyKind", str(extra.pop("enemy_name")), kinds)
            number, name = part.marker_id(marker.id), links.names.markers[marker.id]
            yield _object(number, name, marker.kind, marker_shape(part, marker), properties(own, extra))


def marker_shape(part: MapPart, marker: Marker) -> Object:
    """Make a tile object with a marker's icon, or a point in its tile's centre if there is no icon."""
    size = part.tile_size
    (x, y), icon = part.px((marker.x, marker.y)), marker_icon(marker, part.theme, part.level.kinds)
    if icon is None:
        half = size / 2 if size % 2 else size // 2  # 8, not 8.0, as Tiled writes it
        return {"height": 0, "point": True, "width": 0, "x": x + half, "y": y + half}
    # The position of a tile object is its lower left corner.
    return {"gid": FIRST_GID + icon, "height": size, "width": size, "x": x, "y": y + size}


def _marker_facts(part: MapPart, marker: Marker) -> dict[str, PropertyValue | None]:
    return {
        "marker_id": marker.id,
        "kind": choice("MarkerKind", marker.kind, part.level.kinds),
        "room": part.room_ref(marker.room),
        "hallway": part.hallway_ref(marker.hallway),
    }


def _polygon(
    part: MapPart,
    number: int,
    name: str,
    class_: str,
    rings: Sequence[Sequence[Point]],
    listed: list[dict[str, object]],
) -> Object:
    """Make a polygon, positioned at its first corner or, without corners, a point at the map's corner."""
    corners = [part.px(corner) for corner in joined(rings)]
    shape: Object = {"height": 0, "point": True, "width": 0, "x": 0, "y": 0}
    if corners:
        x, y = corners[0]
        places = [{"x": cx - x, "y": cy - y} for cx, cy in corners]
        shape = {"height": 0, "polygon": places, "width": 0, "x": x, "y": y}
    return _object(number, name, class_, shape, listed)


def _object(number: int, name: str, class_: str, shape: Object, listed: list[dict[str, object]]) -> Object:
    out: Object = {"id": number, "name": name, "rotation": 0, "type": class_, "visible": True}
    out |= shape
    out["properties"] = listed
    return {key: out[key] for key in _in_order(tuple(out))}


@lru_cache(maxsize=64)
def _in_order(keys: tuple[str, ...]) -> list[str]:
    return sorted(keys)
