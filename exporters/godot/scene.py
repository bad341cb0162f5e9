"""A level as a Godot scene, or as a scene a room with a master that holds them.

    [node name="isaac-7" type="Node2D"]
    [node name="Ground" type="TileMapLayer" parent="."]           Walls, Doors, Decor, Overlay
    [node name="OpenDoor_40_22" type="StaticBody2D" parent="Doors"]  a body a door, its shape off while open
    [node name="Rooms" type="Node2D" parent="."]                  an Area2D a room
    [node name="Hallways" type="Node2D" parent="."]               an Area2D a hallway; only if there are any
    [node name="Markers" type="Node2D" parent="."]                a Marker2D a marker
    [node name="Navigation" type="NavigationRegion2D" parent="."]       where walkers and flyers may be
    [node name="NavigationFly" type="NavigationRegion2D" parent="."]    where only flyers may be
    [node name="Player" parent="." instance=...]                  only if one is asked for; see `player`

Split, each room's Area2D is a scene with layers, doors, markers and navigation of its own, and the master
has an instance of it where the Area2D would be.

Bodies that a game adds to the root sort by y with the tiles of Decor; the other layers lie below them by
their z index, and Overlay above.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from exporters.base import Job
from exporters.godot.dialects import DIALECTS
from exporters.godot.layers import LAYER_KINDS, TileSource, layer_nodes
from exporters.godot.navigation import tile_outlines
from exporters.godot.parts import Part, parts, whole
from exporters.godot.player import add_player
from exporters.godot.regions import PartRegions, regions
from exporters.godot.setting import Setting, setting_of
from exporters.godot.text import Call, Document, typed_array, vector2, vector2i
from exporters.godot.things import Stage, add_area, add_door, add_markers, add_navigation, add_things
from generator.geometry import Rect
from generator.level import Hallway, Room

_Placed = tuple[Room | Hallway, Part, str]  # a part's scene, by its path
_ROOT = {"y_sort_enabled": True, "texture_filter": 1}  # CanvasItem.TEXTURE_FILTER_NEAREST


def scenes(job: Job) -> dict[str, bytes]:
    """The scenes of a level that are made anew every time, by path; the first is `NAME.tscn`."""
    setting = setting_of(job)
    if not setting.split:
        return {f"{job.name}.tscn": whole_scene(setting).encode()}
    placed = [
        (place, part, f"{job.name}/{'room' if isinstance(place, Room) else 'hallway'}{place.id}.tscn")
        for place, part in parts(job.level, setting.layers)
    ]
    theirs = _regions(setting, [part for _, part, _ in placed])
    files = {
        path: _part_scene(setting, place, part, found)
        for (place, part, path), found in zip(placed, theirs, strict=True)
    }
    return {f"{job.name}.tscn": _master_scene(setting, placed), **files}


def edit_scene(job: Job) -> bytes:
    """`NAME_edit.tscn`: inherits the level's scene, and is a person's own from then on."""
    document = Document("gd_scene", DIALECTS[job.options["target"]])
    document.node(job.name, document.ext_resource("PackedScene", f"{job.name}.tscn"), None)
    return document.encode()


# --- the scenes --------------------------------------------------------------------------------------


def whole_scene(setting: Setting) -> Document:
    """The level as one scene, to be encoded; packs encode it in their own way."""
    part = whole(setting.job.level)
    (found,) = _regions(setting, [part])
    stage = Stage(_document(setting), setting, part, found)
    _add_root(stage.document, setting)
    _add_content(stage, "", areas=True)
    _add_player(stage)
    return stage.document


def _regions(setting: Setting, some: Sequence[Part]) -> list[PartRegions]:
    job = setting.job
    return regions(job.level, some, job.theme.tile_size, setting.agent_radius)


def _part_scene(setting: Setting, place: Room | Hallway, part: Part, found: PartRegions) -> bytes:
    """A room or hallway for itself; its root is what notices who walks in it."""
    stage = Stage(_document(setting), setting, part, found)
    _add_area(stage, place, _name(setting, place), {**_ROOT, "editor_description": _warning(setting)})
    _add_content(stage, "../", areas=False)
    return stage.document.encode()


def _add_content(stage: Stage, folder: str, *, areas: bool) -> None:
    """What lies below a root, which is a room itself or has `areas` for all of them; see `_add_layers`."""
    _add_layers(stage, folder)
    for door in stage.part.doors:
        add_door(stage, door)
    if areas:
        _add_areas(stage)
    add_things(stage)
    add_markers(stage)
    add_navigation(stage)


def _master_scene(setting: Setting, placed: Sequence[_Placed]) -> bytes:
    """All parts where they lie in the level, and the markers that are in none of them."""
    level, size = setting.job.level, setting.job.theme.tile_size
    document = _document(setting)
    _add_root(document, setting)
    for name, kind in (("Rooms", Room), ("Hallways", Hallway)):
        some = [each for each in placed if isinstance(each[0], kind)]
        if some:
            document.node(name, "Node2D", ".", {"y_sort_enabled": True})
        for place, part, path in some:
            position = vector2(part.origin[0] * size, part.origin[1] * size)
            scene = document.ext_resource("PackedScene", path)
            document.node(_name(setting, place), scene, name, {"position": position})
    alone = tuple(each for each in level.markers if each.room is None and each.hallway is None)
    stage = Stage(document, setting, whole(level)._replace(markers=alone), PartRegions((), {}))
    add_markers(stage)
    _add_player(stage)
    return document.encode()


def _add_player(stage: Stage) -> None:
    """On the marker where it starts, if one is wanted."""
    start = stage.setting.player_start
    if start is not None:
        middle = stage.middle(Rect(start.x, start.y, 1, 1))
        add_player(stage.document, middle, stage.setting.job.theme)


def _document(setting: Setting) -> Document:
    return Document("gd_scene", setting.dialect)


def _add_root(document: Document, setting: Setting) -> None:
    job = setting.job
    level = job.level
    document.node(
        job.name,
        "Node2D",
        None,
        {**_ROOT, "editor_description": _warning(setting)},
        ["undercroft_level"],
        {
            "style": level.style,
            "seed": str(level.seed),  # as text: an int of Godot is signed
            "fingerprint": level.fingerprint,
            "spec": json.dumps(level.spec.saved(), ensure_ascii=False),
            "facts": dict(level.facts),
            "tile_size": job.theme.tile_size,
            "agent_radius": setting.agent_radius,
            "size": vector2i(level.width, level.height),
        },
    )


def _warning(setting: Setting) -> str:
    """What the editor shows of a root."""
    return f"Undercroft makes this scene anew with every run. Work in {setting.job.name}_edit.tscn instead."


# --- what is in them ---------------------------------------------------------------------------------


def _add_layers(stage: Stage, folder: str) -> None:
    """The five tile layers; the TileSet lies in `folder`."""
    setting, part = stage.setting, stage.part
    theme = setting.job.theme
    path = setting.tile_set or f"{folder}{theme.name}.tres"
    tile_set = stage.document.ext_resource("TileSet", path)
    source = TileSource(theme, tile_set, setting.source, not setting.tile_set)
    for kind, layer in zip(LAYER_KINDS, setting.layers, strict=True):
        nodes = layer_nodes(kind, part.cut(layer), part.offset(), source, setting.dialect)
        for name, properties in nodes:
            stage.document.node(name, setting.dialect.layer, ".", properties)


def _add_areas(stage: Stage) -> None:
    level = stage.setting.job.level
    stage.document.node("Rooms", "Node2D", ".")
    for room in level.rooms:
        _add_area(stage, room, f"Rooms/{_name(stage.setting, room)}")
    if level.hallways:
        stage.document.node("Hallways", "Node2D", ".")
    for hallway in level.hallways:
        _add_area(stage, hallway, f"Hallways/{_name(stage.setting, hallway)}")


def _name(setting: Setting, place: Room | Hallway) -> str:
    names = setting.names
    return names.rooms[place.id] if isinstance(place, Room) else names.hallways[place.id]


def _add_area(
    stage: Stage, place: Room | Hallway, path: str, further: dict[str, object] | None = None
) -> None:
    """The area of a room or hallway with all that is known of it, in the level's tiles."""
    if isinstance(place, Room):
        groups, metadata = ["room", f"room_{place.kind}"], _room_metadata(place)
        add_area(stage, path, place.outline, groups, metadata, further)
    else:
        doors = stage.setting.job.level.doors
        metadata = {
            "id": place.id,
            "doors": list(place.doors),
            "rooms": [doors[door].rooms[0] for door in place.doors],
            "cells": typed_array("Vector2i", [vector2i(*tile) for tile in place.tiles]),
        }
        add_area(stage, path, tile_outlines(place.tiles), ["hallway"], metadata, further)


def _room_metadata(room: Room) -> dict[str, object]:
    return {
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
