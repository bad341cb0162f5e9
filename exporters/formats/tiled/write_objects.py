"""Rooms, hallways, doors and markers as objects.

    {"height":0, "id":7, "name":"ShopRoom_29_11", "polygon":[{"x":0,"y":0}, {"x":240,"y":0}, ...],
     "properties":[{"name":"door_0", "type":"object", "value":21},
      {"name":"kind", "type":"string", "value":"shop"}, ...],
     "rotation":0, "type":"room", "visible":true, "width":0, "x":464, "y":176}

A reference is a property of the type `object`, whose value is the other object's id. An object has the same
id in every map, because ids count through the whole level: rooms, then doors, hallways and markers. Marker
ids have gaps where rooms were rolled again.

Tiled draws the names of all objects over the map, so only rooms have one. What other formats call the others
is their property `unique_name`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from operator import itemgetter

from exporters.dress import Layers
from exporters.formats.tiled.names import written_name
from exporters.formats.tiled.syntax.text import (
    FileReference,
    Gap,
    ObjectText,
    PropertyValue,
    RawJson,
    Ref,
    named_values,
    object_form,
    quoted,
)
from exporters.formats.tiled.write_tileset import FIRST_GID
from exporters.image import marker_icon
from exporters.merge.tree import UNIQUE_NAME
from exporters.objects import (
    AlikeMarkers,
    Names,
    alike,
    keys_by_name,
    keys_of_door,
    names_of,
    needs_text,
    shut_facts,
)
from exporters.theme import Theme
from generator.algorithms.outline import ring, rings_through
from generator.geometry import Point, Rect
from generator.level import Door, Hallway, Level, Marker, Room

# --- the part of a level in a map --------------------------------------------------------------------


@dataclass(frozen=True)
class MapPart:
    """The part of a level in a map, and the targets of references between its objects.

    `area` is the map's rectangle of the level's tiles. A door has only its tiles in that area. `maps` is
    empty if one map shows everything; else it has the file of each room's map, and `hallway_maps` that of
    each hallway's, relative to this map's.
    """

    level: Level
    theme: Theme
    area: Rect
    layers: Layers
    rooms: tuple[Room, ...]
    doors: tuple[tuple[Door, tuple[Point, ...]], ...]
    hallways: tuple[Hallway, ...]
    markers: tuple[Marker, ...]
    maps: Mapping[int, str] = field(default_factory=dict)
    hallway_maps: Mapping[int, str] = field(default_factory=dict)

    @property
    def tile_size(self) -> int:
        """The side of a tile, px."""
        return self.theme.tile_size

    @property
    def is_whole(self) -> bool:
        """Whether this is the map of the whole level."""
        return not self.maps

    @property
    def next_id(self) -> int:
        """The first unused object id of the level."""
        markers = self.level.markers
        return self.marker_id(markers[-1].id + 1 if markers else 0)

    def room_id(self, room: int) -> int:
        """Return the object id of a room."""
        return 1 + room

    def door_id(self, door: int) -> int:
        """Return the object id of a door."""
        return self._first_ids[0] + door

    def hallway_id(self, hallway: int) -> int:
        """Return the object id of a hallway."""
        return self._first_ids[1] + hallway

    def marker_id(self, marker: int) -> int:
        """Return the object id of a marker."""
        return self._first_ids[2] + marker

    @cached_property
    def _first_ids(self) -> tuple[int, int, int]:
        """The ids of the first door, hallway and marker."""
        doors = 1 + len(self.level.rooms)
        hallways = doors + len(self.level.doors)
        return doors, hallways, hallways + len(self.level.hallways)

    def room_ref(self, room: int | None) -> Ref | None:
        """Return a reference to a room, if it is on this map."""
        return Ref(self.room_id(room)) if room is not None and room in self._room_ids else None

    def hallway_ref(self, hallway: int | None) -> Ref | None:
        """Return a reference to a hallway, if it is on this map."""
        is_here = hallway is not None and hallway in self._hallway_ids
        return Ref(self.hallway_id(hallway)) if hallway is not None and is_here else None

    @cached_property
    def _room_ids(self) -> frozenset[int]:
        return frozenset(room.id for room in self.rooms)

    @cached_property
    def _hallway_ids(self) -> frozenset[int]:
        return frozenset(hallway.id for hallway in self.hallways)

    def px(self, corner: Point) -> Point:
        """Convert a corner of the level's tiles to px of this map."""
        return (corner[0] - self.area.x) * self.tile_size, (corner[1] - self.area.y) * self.tile_size


@dataclass(frozen=True)
class Links:
    """The connections in a level: doors by room, hallways by door, keys by the name that locks use.

    Also the names of all objects.
    """

    level: Level
    doors_of_room: Mapping[int, list[int]]
    hallway_of_door: Mapping[int, int]
    names: Names
    keys: Mapping[str, list[Marker]]

    @classmethod
    def of(cls, level: Level) -> Links:
        """Build the links of a level."""
        doors: dict[int, list[int]] = {}
        for door in level.doors:
            for room in dict.fromkeys(door.rooms):
                if room is not None:
                    doors.setdefault(room, []).append(door.id)
        hallways = {door: way.id for way in level.hallways for door in way.doors}
        return cls(level, doors, hallways, names_of(level), keys_by_name(level))

    def beyond(self, door: Door, room: int) -> int | None:
        """Return the room that a door of `room` leads to, also through a hallway, or None."""
        if door.rooms[1] is not None:
            return door.rooms[1] if room == door.rooms[0] else door.rooms[0]
        hallway = self.hallway_of_door.get(door.id)
        if hallway is None:
            return None
        a, b = self.level.hallways[hallway].doors
        return self.level.doors[b if a == door.id else a].rooms[0]


# --- the objects -------------------------------------------------------------------------------------

Object = dict[str, object]


def room_objects(part: MapPart, links: Links) -> Iterator[ObjectText]:
    """Yield the rooms as polygons with references to their doors."""
    for room in part.rooms:
        own: dict[str, PropertyValue | None] = {**room_facts(room)}
        for number, door in enumerate(links.doors_of_room.get(room.id, ())):
            own[f"door_{number}"] = Ref(part.door_id(door))
        rings = room.outline or (ring(room.bounds),)
        name = room.name or links.names.rooms[room.id]
        yield _polygon(part, part.room_id(room.id), name, "room", rings, own)


def room_facts(room: Room) -> dict[str, PropertyValue]:
    """Return the facts about a room, apart from its position."""
    return {
        "room_id": room.id,
        "kind": room.kind,
        "shape": room.shape,
        "cells": json.dumps(room.cells, separators=(",", ":")),
        "bounds": json.dumps(room.bounds, separators=(",", ":")),
        "distance": -1 if room.distance is None else room.distance,
        "depth": room.depth,
        "difficulty": room.difficulty,
        "layout": room.layout,
        **({"zone": room.zone} if room.zone else {}),
        **({written_name("name", "room"): room.name} if room.name else {}),
    }


def hallway_objects(part: MapPart, links: Links) -> Iterator[ObjectText]:
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
        own[UNIQUE_NAME] = links.names.hallways[hallway.id]
        yield _polygon(part, part.hallway_id(hallway.id), "", "hallway", rings, own)


def tile_rings(tiles: Iterable[Point]) -> Sequence[Sequence[Point]]:
    """Find the rings of the outline of some tiles. Where two touch at a corner only, it takes in a third."""
    area = set(tiles)
    while third := set(_missing_thirds(area)):
        area |= third
    corners: set[Point] = set()  # those of an odd number of tiles
    for x, y in area:
        corners ^= {(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)}
    return rings_through(sorted(corners, key=itemgetter(1, 0)))


def _missing_thirds(area: Set[Point]) -> Iterator[Point]:
    """Yield the upper of the two tiles that lie between others which touch at a corner only."""
    for x, y in area:
        if (x, y + 1) not in area:
            for side in (x - 1, x + 1):
                if (side, y + 1) in area and (side, y) not in area:
                    yield side, y


def door_objects(part: MapPart, links: Links) -> Iterator[ObjectText]:
    """Yield the doors as rectangles.

    In the map of the whole level, they have references to both rooms, or to the room and the hallway. In the
    map of a room, they cover the room's own half and have the side as seen from it and the door's target.
    """
    kinds = part.level.kinds
    for door, tiles in part.doors:
        own: dict[str, PropertyValue | None] = {
            "door_id": door.id,
            "kind": door.kind,
            UNIQUE_NAME: links.names.doors[door.id],
            **shut_facts(door, kinds),
            **_asked(part, links, door),
        }
        hallway = links.hallway_of_door.get(door.id)
        if part.is_whole:
            a, b = (part.room_ref(room) for room in door.rooms)
            own |= {"side": door.side, "room_a": a, "room_b": b}
            own |= {"hallway": part.hallway_ref(hallway)}
        else:
            own |= _way_out(part, links, door, hallway)
        rect = Rect.around(tiles)
        x, y = part.px((rect.x, rect.y))
        right, bottom = part.px((rect.right, rect.bottom))
        shape: Object = {"height": bottom - y, "width": right - x, "x": x, "y": y}
        yield _object(part.door_id(door.id), "", "door", shape, own)


def _asked(part: MapPart, links: Links, door: Door) -> dict[str, PropertyValue | None]:
    """Return what a door requires of the player, with references to keys on the same map, and its class."""
    own: dict[str, PropertyValue | None] = {}
    if door.needs:
        own["needs"] = needs_text(door.needs)
        local_keys = [marker for marker in keys_of_door(door, links.keys) if marker in part.markers]
        own |= {f"key_{number}": Ref(part.marker_id(key.id)) for number, key in enumerate(local_keys)}
    if door.one_way:
        own["one_way"] = True
    if door.opens_from is not None:
        own["opens_from"] = part.room_ref(door.opens_from)
    if door.joins:
        own["joins"] = door.joins
    return own


def _way_out(part: MapPart, links: Links, door: Door, hallway: int | None) -> dict[str, PropertyValue | None]:
    """Return, for a door on its room's map: the room, the side, the room or hallway beyond, and its map."""
    room = part.rooms[0].id if part.rooms else door.rooms[0]
    neighbour = links.beyond(door, room)
    onwards = part.maps.get(neighbour) if neighbour is not None else None
    if hallway is not None:
        onwards = part.hallway_maps.get(hallway, onwards)
    return {
        "side": next(half.side for half in door.halves if half.room == room),
        "room_a": part.room_ref(room),
        "to_room": -1 if neighbour is None else neighbour,
        "to_map": None if onwards is None else FileReference(onwards),
    }


def marker_objects(part: MapPart, links: Links, lights: bool) -> Iterator[ObjectText]:
    """Yield the lights among the markers, or all others: tiles with icons, with the kind as their class."""
    light_kinds, names = part.level.kinds.light_markers, links.names.markers
    shapes: dict[AlikeMarkers, dict[str, float]] = {}
    for marker in part.markers:
        if (marker.kind in light_kinds) is not lights:
            continue
        markers = alike(marker)
        if markers not in shapes:
            shapes[markers] = marker_shape(part, replace(marker, x=part.area.x, y=part.area.y))
        shape = shapes[markers]
        room, hallway = part.room_ref(marker.room), part.hallway_ref(marker.hallway)
        form = _marker_form(markers, tuple(shape.items()), room is not None, hallway is not None)
        x, y = part.px((marker.x, marker.y))
        filling = {
            "id": part.marker_id(marker.id),
            "marker_id": marker.id,
            "room": room,
            "hallway": hallway,
            "unique_name": quoted(names[marker.id]),
            "x": x + shape["x"],
            "y": y + shape["y"],
        }
        yield ObjectText(form % filling)


@lru_cache(maxsize=1024)
def _marker_form(
    markers: AlikeMarkers, shape: tuple[tuple[str, float], ...], has_room: bool, has_hallway: bool
) -> str:
    """Return the form of some markers whose shapes, at the corner of the map, are equal."""
    kind, names, values, _ = markers
    own: dict[str, PropertyValue | None] = {
        "marker_id": Gap("marker_id", "int"),
        "kind": kind,
        "room": Gap("room", "object") if has_room else None,
        "hallway": Gap("hallway", "object") if has_hallway else None,
        UNIQUE_NAME: Gap("unique_name", "string"),
    }
    extra = {written_name(name, kind): value for name, value in zip(names, values, strict=True)}
    fields = {"id": Gap("id"), "name": "", "rotation": 0, "type": kind, "visible": True, **dict(shape)}
    return object_form({**fields, "x": Gap("x"), "y": Gap("y")}, named_values(own, extra))


def marker_shape(part: MapPart, marker: Marker) -> dict[str, float]:
    """Make a tile object with a marker's icon, or a point in its tile's centre if there is no icon."""
    size = part.tile_size
    (x, y), icon = part.px((marker.x, marker.y)), marker_icon(marker, part.theme, part.level.kinds)
    if icon is None:
        half = size / 2 if size % 2 else size // 2  # 8, not 8.0, as Tiled writes it
        return {"height": 0, "point": True, "width": 0, "x": x + half, "y": y + half}
    # The position of a tile object is its lower left corner.
    return {"gid": FIRST_GID + icon, "height": size, "width": size, "x": x, "y": y + size}


def _polygon(
    part: MapPart,
    number: int,
    name: str,
    class_: str,
    rings: Sequence[Sequence[Point]],
    own: Mapping[str, PropertyValue | None],
) -> ObjectText:
    """Make a polygon, positioned at its first corner or, without corners, a point at the map's corner."""
    corners = [part.px(corner) for corner in joined(rings)]
    shape: Object = {"height": 0, "point": True, "width": 0, "x": 0, "y": 0}
    if corners:
        x, y = corners[0]
        places = ",".join([f'{{"x":{cx - x},"y":{cy - y}}}' for cx, cy in corners])
        shape = {"height": 0, "polygon": RawJson(f"[{places}]"), "width": 0, "x": x, "y": y}
    return _object(number, name, class_, shape, own)


def _object(
    number: int, name: str, class_: str, shape: Object, own: Mapping[str, PropertyValue | None]
) -> ObjectText:
    fields = {"id": number, "name": name, "rotation": 0, "type": class_, "visible": True, **shape}
    return ObjectText.of(fields, own)


# --- rings joined into one polygon, because Tiled's polygons cannot have holes -----------------------


def joined(rings: Sequence[Sequence[Point]]) -> list[Point]:
    """Join an outer ring and its holes, all with horizontal and vertical edges, to a single ring.

    From each hole, a slit of zero width leads to the ring west of it, and back:

        a-------b        a b c d e f g h i f e: from e on the outer ring to f on the hole, around it
        |       |        in the other direction, and back
        e-f-i   |
        | | |   |
        | g-h   |
        d-------c

    A ring that is not a hole (in a region with several parts) is joined by a slit from its start.
    """
    if not rings:
        return []
    merged = list(rings[0])
    for inner in sorted(rings[1:], key=min):
        start = inner.index(min(inner))
        hole = [*inner[start:], *inner[:start]]
        at, corner, inside = _west_of(merged, hole[0])
        way = [hole[0], *hole[:0:-1]] if inside else hole
        merged[at + 1 : at + 1] = [corner, *way, hole[0], corner]
    return merged


def _west_of(ring: Sequence[Point], point: Point) -> tuple[int, Point, bool]:
    """Find the first edge west of a point: its number, the position where it is hit, and if it is inside.

    The ring's first corner if there is no edge to the west.
    """
    x, y = point
    best: tuple[int, int] | None = None  # column, edge
    crossings = 0
    for i, (ax, ay) in enumerate(ring):
        bx, by = ring[(i + 1) % len(ring)]
        low, high = min(ay, by), max(ay, by)
        if ax == bx and ax < x and low <= y <= high:
            crossings += low <= y < high  # half-open: a corner is not counted twice
            if best is None or ax > best[0]:
                best = ax, i
    if best is None:
        return 0, ring[0], False
    return best[1], (best[0], y), crossings % 2 == 1
