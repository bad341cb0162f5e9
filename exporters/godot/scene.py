"""A level as a Godot scene.

    [node name="isaac-7" type="Node2D"]
    [node name="Ground" type="TileMapLayer" parent="."]           Walls, Doors, Decor, Overlay
    [node name="Door0" type="StaticBody2D" parent="Doors"]        a body a door, its shape off while open
    [node name="Rooms" type="Node2D" parent="."]                  an Area2D a room
    [node name="Hallways" type="Node2D" parent="."]               an Area2D a hallway; only if there are any
    [node name="Markers" type="Node2D" parent="."]                a Marker2D a marker
    [node name="Navigation" type="NavigationRegion2D" parent="."]

Bodies that a game adds to the root sort by y with the tiles of Decor; the other layers lie below them by
their z index, and Overlay above.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np

from exporters.base import Job
from exporters.dress import EMPTY, STARTS_SHUT, Layer, door_tiles
from exporters.godot.navigation import (
    door_polygon,
    door_rect,
    in_px,
    level_polygon,
    solids,
    tile_outlines,
)
from exporters.godot.text import (
    Call,
    Document,
    is_identifier,
    node_name,
    packed_bytes,
    packed_vector2,
    typed_array,
    vector2,
    vector2i,
)
from exporters.godot.tileset import EVERYONE, WALKERS
from generator.geometry import Point
from generator.level import Door, Property

_NEAREST = 1  # CanvasItem.TextureFilter
# Metadata of every marker, whether it has it or not: nobody must take a property for it.
_MARKERS_OWN = ("kind", "id", "room", "hallway", "properties")


def scene(job: Job) -> bytes:
    """`NAME.tscn`."""
    level = job.level
    document = Document("gd_scene")
    tile_set = document.ext_resource("TileSet", f"{job.theme.name}.tres")
    navigation = level_polygon(document, level, job.theme.tile_size)
    door_parts = [_door_parts(document, job, door) for door in level.doors]
    hallway_of = {door: hallway.id for hallway in level.hallways for door in hallway.doors}
    document.node(
        job.name,
        "Node2D",
        None,
        {"y_sort_enabled": True, "texture_filter": _NEAREST},
        ["undercroft_level"],
        {
            "style": level.style,
            "seed": str(level.seed),  # as text: an int of Godot is signed
            "fingerprint": level.fingerprint,
            "spec": json.dumps(level.spec.to_dict(), ensure_ascii=False),
            "facts": dict(level.facts),
            "tile_size": job.theme.tile_size,
            "size": vector2i(level.width, level.height),
        },
    )
    _tile_layers(document, job, tile_set)
    for door, (shape, region) in zip(level.doors, door_parts, strict=True):
        _door(document, job, door, hallway_of.get(door.id), shape, region)
    _rooms(document, job)
    _hallways(document, job)
    _markers(document, job)
    document.node("Navigation", "NavigationRegion2D", ".", {"navigation_polygon": navigation})
    return document.encode()


# --- tiles -------------------------------------------------------------------------------------------


def _tile_layers(document: Document, job: Job, tile_set: Call) -> None:
    """The five layers. Their own navigation is off, or it would overlap the region's."""
    layers = job.layers
    settings: tuple[tuple[str, Layer, dict[str, object]], ...] = (
        ("Ground", layers.ground, {"z_index": -3, "occlusion_enabled": False}),
        ("Walls", layers.walls, {"z_index": -2}),
        ("Doors", layers.doors, {"z_index": -1, "collision_enabled": False, "occlusion_enabled": False}),
        ("Decor", layers.decor, {"y_sort_enabled": True, "occlusion_enabled": False}),
        ("Overlay", layers.overlay, {"z_index": 1, "collision_enabled": False, "occlusion_enabled": False}),
    )
    for name, layer, properties in settings:
        data = tile_map_data(layer, job.theme.columns)
        cells: dict[str, object] = {"tile_map_data": packed_bytes(data)} if data else {}
        document.node(
            name,
            "TileMapLayer",
            ".",
            {**properties, **cells, "tile_set": tile_set, "navigation_enabled": False},
        )


_CELL = np.dtype(
    [("x", "<i2"), ("y", "<i2"), ("source", "<u2"), ("column", "<u2"), ("row", "<u2"), ("alt", "<u2")]
)


def tile_map_data(layer: Layer, columns: int) -> bytes:
    """A layer's cells, row by row: u16 format 0, then 12 bytes a cell (`tile_map_layer.cpp`).

    i16 x, i16 y, u16 source, u16 atlas column, u16 atlas row, u16 alternative; little endian. Nothing
    for an empty layer, which has no such property.
    """
    ys, xs = np.nonzero(layer != EMPTY)
    if not len(xs):
        return b""
    cells = np.zeros(len(xs), _CELL)
    cells["x"], cells["y"] = xs, ys
    cells["row"], cells["column"] = np.divmod(layer[ys, xs], columns)
    return b"\0\0" + cells.tobytes()


# --- doors -------------------------------------------------------------------------------------------


def _door_parts(document: Document, job: Job, door: Door) -> tuple[Call, Call | None]:
    """The door's shape; and for a secret one the way through it, to be joined to the rest when it opens."""
    rect, size = door_rect(door), job.theme.tile_size
    extent = vector2(rect.width * size, rect.height * size)
    shape = document.sub_resource("RectangleShape2D", {"size": extent})
    return shape, door_polygon(document, door, size) if door.kind == "secret" else None


def _door(
    document: Document, job: Job, door: Door, hallway: int | None, shape: Call, region: Call | None
) -> None:
    rect, size = door_rect(door), job.theme.tile_size
    middle = (rect.x + rect.width / 2) * size, (rect.y + rect.height / 2) * size
    tiles = list(door_tiles(door, job.theme))
    path = f"Doors/Door{door.id}"
    document.node(
        f"Door{door.id}",
        "StaticBody2D",
        "Doors",
        {
            "position": vector2(*middle),
            "collision_layer": EVERYONE,
            "collision_mask": 0,
        },
        ["door", f"door_{door.kind}"],
        {
            "id": door.id,
            "kind": door.kind,
            "side": door.side,
            "rooms": [room for room in door.rooms if room is not None],
            **({} if hallway is None else {"hallway": hallway}),
            "cells": typed_array("Vector2i", [vector2i(tile.x, tile.y) for tile in tiles]),
            "open_tiles": typed_array("Vector2i", [vector2i(*job.theme.at(tile.open)) for tile in tiles]),
            "shut_tiles": typed_array("Vector2i", [vector2i(*job.theme.at(tile.shut)) for tile in tiles]),
        },
    )
    properties = {"shape": shape} if door.kind in STARTS_SHUT else {"shape": shape, "disabled": True}
    document.node("Shape", "CollisionShape2D", path, properties)
    if region:
        place = vector2(-middle[0], -middle[1])  # its vertices are the level's
        document.node(
            "Way",
            "NavigationRegion2D",
            path,
            {"position": place, "navigation_polygon": region, "enabled": False},
        )


# --- rooms, hallways, markers ------------------------------------------------------------------------


def _rooms(document: Document, job: Job) -> None:
    document.node("Rooms", "Node2D", ".")
    for room in job.level.rooms:
        metadata = {
            "id": room.id,
            "kind": room.kind,
            "shape": room.shape,
            "distance": -1 if room.distance is None else room.distance,
            "depth": room.depth,
            "difficulty": room.difficulty,
            "layout": room.layout,
            "cells": typed_array("Vector2i", [vector2i(*cell) for cell in room.cells]),
            "bounds": Call("Rect2i", tuple(room.bounds)),
        }
        path = f"Rooms/Room{room.id}"
        _area(document, job, path, room.outline, ["room", f"room_{room.kind}"], metadata)


def _hallways(document: Document, job: Job) -> None:
    if not job.level.hallways:
        return
    document.node("Hallways", "Node2D", ".")
    for hallway in job.level.hallways:
        metadata = {
            "id": hallway.id,
            "doors": list(hallway.doors),
            "rooms": [job.level.doors[door].rooms[0] for door in hallway.doors],
            "cells": typed_array("Vector2i", [vector2i(*tile) for tile in hallway.tiles]),
        }
        path = f"Hallways/Hallway{hallway.id}"
        _area(document, job, path, tile_outlines(hallway.tiles), ["hallway"], metadata)


def _area(
    document: Document,
    job: Job,
    path: str,
    rings: Sequence[Sequence[Point]],
    groups: Sequence[str],
    metadata: Mapping[str, object],
) -> None:
    """An area that notices who walks inside of an outline."""
    parent, name = path.split("/")
    properties = {"collision_layer": 0, "collision_mask": WALKERS, "monitorable": False}
    document.node(name, "Area2D", parent, properties, groups, metadata)
    for number, ring in enumerate(solids(rings)):
        polygon = packed_vector2(in_px(ring, job.theme.tile_size))
        document.node(f"Outline{number or ''}", "CollisionPolygon2D", path, {"polygon": polygon})


def _markers(document: Document, job: Job) -> None:
    size = job.theme.tile_size
    document.node("Markers", "Node2D", ".")
    for marker in job.level.markers:
        own: dict[str, object] = {"kind": marker.kind, "id": marker.id}
        if marker.room is not None:
            own["room"] = marker.room
        if marker.hallway is not None:
            own["hallway"] = marker.hallway
        document.node(
            f"{node_name(marker.kind).title().replace('_', '')}{marker.id}",
            "Marker2D",
            "Markers",
            {"position": vector2((marker.x + 0.5) * size, (marker.y + 0.5) * size)},
            ["marker", f"marker_{marker.kind}"],
            {**own, **_marker_metadata(marker.properties)},
        )


def _marker_metadata(properties: Mapping[str, Property]) -> dict[str, object]:
    """Each property under its own name, or, where that is taken or none for metadata, in `properties`."""
    fits = {
        name: given for name, given in properties.items() if is_identifier(name) and name not in _MARKERS_OWN
    }
    others = {name: given for name, given in properties.items() if name not in fits}
    return {**fits, **({"properties": others} if others else {})}
