"""A map: `NAME.tmj`, or the map of a room.

    {"height":40, "infinite":false, "layers":[
      {"name":"Ground", "type":"tilelayer", "data":[...], ...},     Walls, Doors, Decor, Overlay
      {"name":"Rooms", "type":"objectgroup", "objects":[...], ...}, Hallways, DoorObjects, Markers, Lights
     ], "nextlayerid":11, "nextobjectid":99, "orientation":"orthogonal", "type":"map", "version":"1.10",
     "tilesets":[{"firstgid":1, "source":"undercroft.tsj"}], ...}

Keys have the order in which Tiled writes them, so that a map saved by Tiled differs little from ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from exporters import digest
from exporters.base import Job
from exporters.dress import EMPTY, Layers, TileLayer
from exporters.formats.tiled.names import written_name
from exporters.formats.tiled.syntax import data as tiled_data
from exporters.formats.tiled.syntax.formats import FORMATS, written_map_file
from exporters.formats.tiled.syntax.text import (
    TILED_VERSION,
    VERSION,
    Lines,
    ObjectText,
    PropertyValue,
    document,
    properties,
)
from exporters.formats.tiled.write_objects import (
    Links,
    MapPart,
    Object,
    door_objects,
    hallway_objects,
    marker_objects,
    room_facts,
    room_objects,
)
from exporters.formats.tiled.write_tileset import FIRST_GID, tileset_table
from exporters.owners import NOBODY, Owners, extents, halves_by_room, owners
from exporters.theme import Theme
from generator.errors import BadInput
from generator.geometry import Rect
from generator.level import Level, Marker, Property
from generator.named_tuple import NamedTuple

_COLORS = {
    "Rooms": "#8c8cbf",
    "Hallways": "#996633",
    "DoorObjects": "#d0a040",
    "Markers": "#e05050",
    "Lights": "#ffb84d",
    "Exits": "#50b050",
}
LIGHTS = "Lights"  # hidden at first: there are many lights, and burning things are drawn anyway


class Target(NamedTuple):
    """The file of a map: its name and format.

    `up` leads from its folder to that of the tileset and the image.
    """

    name: str
    encoding: str = "csv"
    format: str = "tmj"
    embedded: bool = False
    up: str = ""


class MapFacts(NamedTuple):
    """The class of a map, its own properties, and a level's facts, whose names come from outside."""

    class_: str
    own: Mapping[str, PropertyValue | None]
    facts: Mapping[str, Property] = {}


def map_file(part: MapPart, links: Links, target: Target, facts: MapFacts) -> bytes:
    """Write the map of a part."""
    groups: tuple[tuple[str, Iterable[Object | ObjectText]], ...] = (
        ("Rooms", room_objects(part, links)),
        ("Hallways", hallway_objects(part, links)),
        ("DoorObjects", door_objects(part, links)),
        ("Markers", marker_objects(part, links, lights=False)),
        (LIGHTS, marker_objects(part, links, lights=True)),
    )
    return written_map(part, groups, target, facts, part.next_id)


def written_map(
    part: MapPart,
    groups: Iterable[tuple[str, Iterable[Object | ObjectText]]],
    target: Target,
    facts: MapFacts,
    next_id: int,
) -> bytes:
    """Write a map like `map_file`, with the given object layers, whose ids are below `next_id`."""
    layers = [
        _tile_layer(number, name.capitalize(), encoded(layer, target.encoding), part)
        for number, (name, layer) in enumerate(part.layers._asdict().items(), 1)
    ]
    layers += [
        _object_layer(number, name, objects) for number, (name, objects) in enumerate(groups, len(layers) + 1)
    ]
    class_, own, outside = facts
    named = {written_name(name, class_): value for name, value in outside.items()}
    return written_map_file(
        {
            "class": class_,
            "compressionlevel": -1,
            **digest.header(part.level.is_by_hand),
            "height": part.area.height,
            "infinite": False,
            "layers": Lines(layers),
            "nextlayerid": len(layers) + 1,
            "nextobjectid": next_id,
            "orientation": "orthogonal",
            "properties": Lines(properties(own, named)),
            "renderorder": "right-down",
            "tiledversion": TILED_VERSION,
            "tileheight": part.tile_size,
            "tilesets": Lines([_tileset(part.theme, target)]),
            "tilewidth": part.tile_size,
            "type": "map",
            "version": VERSION,
            "width": part.area.width,
        },
        target.format,
        target.name,
    )


def _tileset(theme: Theme, target: Target) -> dict[str, object] | Lines:
    """Return the map's tileset: a reference to its file, or its content."""
    if not target.embedded:
        source = f"{target.up}{theme.name}.{FORMATS[target.format].tileset}"
        return {"firstgid": FIRST_GID, "source": source}
    table = {**tileset_table(theme), "firstgid": FIRST_GID}
    return Lines(dict(sorted({**table, "image": f"{target.up}{table['image']}"}.items())))


def level_facts(level: Level) -> dict[str, PropertyValue | None]:
    """Return a level's properties except its facts. The seed is text, as Tiled's int has 32 bits."""
    return {
        "style": level.style,
        "seed": str(level.seed),
        "fingerprint": level.fingerprint,
        "spec": json.dumps(level.spec.saved(), ensure_ascii=False),
    }


def _tile_layer(number: int, name: str, data: Mapping[str, object], part: MapPart) -> Lines:
    keys: dict[str, object] = {
        **data,
        "height": part.area.height,
        "id": number,
        "name": name,
        "opacity": 1,
        "type": "tilelayer",
        "visible": True,
        "width": part.area.width,
        "x": 0,
        "y": 0,
    }
    return Lines(dict(sorted(keys.items())))


def _object_layer(number: int, name: str, objects: Iterable[Object | ObjectText]) -> Lines:
    return Lines(
        {
            "color": _COLORS[name],
            "draworder": "topdown",
            "id": number,
            "name": name,
            "objects": Lines(objects),
            "opacity": 1,
            "type": "objectgroup",
            "visible": name != LIGHTS,
            "x": 0,
            "y": 0,
        }
    )


# --- tile layers -------------------------------------------------------------------------------------


def encoded(layer: TileLayer, encoding: str) -> dict[str, object]:
    """Return the keys of a layer that hold its tiles. BadInput if this machine cannot write the encoding.

    A tile is 0 for no tile, else 1 + its atlas index, because the map has one tileset with the first gid 1.
    No atlas has so many tiles that a number would rotate or flip its tile.
    """
    gids = (layer - EMPTY).astype("u4")
    if encoding == "csv":
        return {"data": tiled_data.encoded(gids, "csv", "")}
    compression = "" if encoding == "base64" else encoding
    try:
        data = tiled_data.encoded(gids, "base64", compression)
    except tiled_data.TileDataError as error:
        raise BadInput(f"tiled.encoding: {error}") from None
    return {"compression": compression, "data": data, "encoding": "base64"}


# --- one map per room and hallway, and the world that lays them out: `tiled.split=rooms` --------------
#
#     {"maps":[{"fileName":"isaac-7/room0.tmj", "height":144, "width":240, "x":464, "y":176}, ...],
#      "onlyShowAdjacentMaps":false, "type":"world"}
#
# Every tile belongs to one map only (`exporters.dress`). A map's rectangle covers all of its tiles, so
# rectangles overlap where rooms are not rectangular. Where one map has a tile, the others are empty. So
# nothing is drawn twice, and all maps together make up the level.
#
#     +--------+---------+
#     | notch: |         |     an L and the room in its notch: the L's rectangle covers both, but its map
#     | other  |    L    |     is empty in the notch
#     +--------+         |
#     |                  |
#     +------------------+


class MapPlace(NamedTuple):
    """A map of the world: its number, its file, and its rectangle of tiles."""

    number: int
    path: str
    area: Rect


def places(level: Level, name: str, owner: Owners, ending: str = "tmj") -> list[MapPlace]:
    """List all maps of the world, each large enough for its own tiles and its room's bounds.

    A hallway without tiles has no map. Raises BadInput for a level without rooms.
    """
    if not level.rooms:
        raise BadInput("tiled.split: the level has no rooms, so it cannot be split; leave the option out")
    rooms = len(level.rooms)
    bounds = np.array([room.bounds for room in level.rooms])
    low = np.full((rooms + len(level.hallways), 2), max(owner.shape))
    high = np.zeros_like(low)
    low[:rooms], high[:rooms] = bounds[:, :2], bounds[:, :2] + bounds[:, 2:]
    map_places = []
    for number, area in enumerate(extents(owner, low, high)):
        if area.width:
            stem = f"room{number}" if number < rooms else f"hallway{number - rooms}"
            map_places.append(MapPlace(number, f"{name}/{stem}.{ending}", area))
    return map_places


def parts(
    level: Level, layers: Layers, owner: Owners, map_places: list[MapPlace], theme: Theme
) -> Iterator[MapPart]:
    """Yield the part of the level in each map."""
    rooms = len(level.rooms)
    files = {map_place.number: map_place.path.rpartition("/")[2] for map_place in map_places}
    room_files = {number: path for number, path in files.items() if number < rooms}
    hallway_files = {number - rooms: path for number, path in files.items() if number >= rooms}
    markers, doors = _markers_by_map(level, owner), halves_by_room(level)
    for map_place in map_places:
        mine = owner[map_place.area.slices] == map_place.number
        is_room = map_place.number < rooms
        yield MapPart(
            level,
            theme,
            map_place.area,
            layers=Layers(*(np.where(mine, layer[map_place.area.slices], EMPTY) for layer in layers)),
            rooms=(level.rooms[map_place.number],) if is_room else (),
            doors=tuple((door, half.tiles) for door, half in doors.get(map_place.number, ())),
            hallways=() if is_room else (level.hallways[map_place.number - rooms],),
            markers=tuple(markers.get(map_place.number, ())),
            maps=room_files,
            hallway_maps=hallway_files,
        )


def _markers_by_map(level: Level, owner: Owners) -> dict[int, list[Marker]]:
    """Sort markers by map. One on an unowned tile goes to its room's map, or to the first."""
    by_map: dict[int, list[Marker]] = {}
    for marker in level.markers:
        number = int(owner[marker.y, marker.x])
        by_map.setdefault((marker.room or 0) if number == NOBODY else number, []).append(marker)
    return by_map


def world_file(map_places: list[MapPlace], tile_size: int) -> bytes:
    """Write `NAME.world`."""
    maps = [
        {
            "fileName": map_place.path,
            "height": map_place.area.height * tile_size,
            "width": map_place.area.width * tile_size,
            "x": map_place.area.x * tile_size,
            "y": map_place.area.y * tile_size,
        }
        for map_place in map_places
    ]
    return document({"maps": Lines(maps), "onlyShowAdjacentMaps": False, "type": "world"})


_APART = 4  # tiles between two levels of a run


def world_of_run(levels: Mapping[str, Level], ending: str, tile_size: int) -> bytes:
    """Write a world with the maps of whole levels side by side, in their order."""
    map_places, left = [], 0
    for number, (name, level) in enumerate(levels.items()):
        area = Rect(left, 0, level.width, level.height)
        map_places.append(MapPlace(number, f"{name}.{ending}", area))
        left = area.right + _APART
    return world_file(map_places, tile_size)


# --- the maps of a job: one of the whole level, or one per room and hallway, with a world -------------


def maps(job: Job) -> dict[str, bytes]:
    """Write the files named after the level, by path."""
    return _rooms(job) if job.options["split"] == "rooms" else _whole(job)


def _whole(job: Job) -> dict[str, bytes]:
    level = job.level
    part = MapPart(
        level,
        job.theme,
        Rect(0, 0, level.width, level.height),
        layers=job.layers,
        rooms=level.rooms,
        doors=tuple((door, door.tiles) for door in level.doors),
        hallways=level.hallways,
        markers=level.markers,
    )
    target = _target(job, job.name)
    facts = MapFacts("level", level_facts(level), level.facts)
    data = map_file(part, Links.of(level), target, facts)
    return {f"{job.name}.{target.format}": data}


def _target(job: Job, name: str, up: str = "") -> Target:
    options = job.options
    return Target(
        name, str(options["encoding"]), str(options["format"]), options["tileset"] == "embedded", up
    )


def _rooms(job: Job) -> dict[str, bytes]:
    level, layers, size = job.level, job.layers, job.theme.tile_size
    owner = owners(level, layers)
    links, ending = Links.of(level), str(job.options["format"])
    map_places = places(level, job.name, owner, ending)
    files = {f"{job.name}.world": world_file(map_places, size)}
    for map_place, part in zip(map_places, parts(level, layers, owner, map_places, job.theme), strict=True):
        own: dict[str, PropertyValue | None] = {"hallway_id": map_place.number - len(level.rooms)}
        class_ = "hallway"
        for room in part.rooms:
            own, class_ = {**room_facts(room)}, "room"
        own |= {"level": job.name, "fingerprint": level.fingerprint}
        own |= {"left": map_place.area.x, "top": map_place.area.y}
        stem = map_place.path.rpartition("/")[2].removesuffix(f".{ending}")
        files[map_place.path] = map_file(part, links, _target(job, stem, "../"), MapFacts(class_, own))
    return files
