"""A level as one Godot scene, or as one scene per room and a master scene that contains them.

    [node name="isaac-7" type="Node2D"]
    [node name="Ground" type="TileMapLayer" parent="."]               Walls, Doors, Decor, Overlay
    [node name="OpenDoor_40_22" type="StaticBody2D" parent="Doors"]   one body per door, off while it is open
    [node name="Rooms" type="Node2D" parent="."]                      one Area2D per room
    [node name="Hallways" type="Node2D" parent="."]                   one Area2D per hallway, if there are any
    [node name="Markers" type="Node2D" parent="."]                    one Marker2D per marker
    [node name="Navigation" type="NavigationRegion2D" parent="."]     where walkers and flyers can be
    [node name="NavigationFly" type="NavigationRegion2D" parent="."]  where only flyers can be
    [node name="Occluders" type="Node2D" parent="."]                  only with the option `lights`
    [node name="Ambient" type="CanvasModulate" parent="."]            only with the option `darkness`
    [node name="Player" parent="." instance=...]                      only with the option `player`

If split, each room's Area2D is a scene with its own layers, doors, markers and navigation, and the master
has an instance of it where the Area2D would be.

Bodies that a game adds to the root are y-sorted with the tiles of Decor. By their z index, the other layers
are drawn below them, and Overlay above.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from exporters.base import Job
from exporters.formats.godot.regions import PartRegions, regions
from exporters.formats.godot.setting import ScenePart, Setting, parts, setting_of, whole
from exporters.formats.godot.shapes import outlines_of_tiles
from exporters.formats.godot.syntax import DIALECTS
from exporters.formats.godot.syntax.document import Document
from exporters.formats.godot.syntax.literals import Call, typed_array, vector2, vector2i
from exporters.formats.godot.write_layers import LAYER_KINDS, TileSource, layer_nodes
from exporters.formats.godot.write_lights import LIT_QUADRANT, add_ambient, add_occluders, has_shadows
from exporters.formats.godot.write_nodes import (
    Stage,
    add_area,
    add_decor_scenes,
    add_door,
    add_markers,
    add_navigation,
)
from exporters.formats.godot.write_player import add_player
from generator.geometry import Point, Rect
from generator.kinds import SHIPPED
from generator.level import Hallway, Room

_PlacedScene = tuple[Room | Hallway, ScenePart, str]  # the path of a part's scene
_ROOT = {"y_sort_enabled": True, "texture_filter": 1}  # CanvasItem.TEXTURE_FILTER_NEAREST


def scenes(job: Job) -> dict[str, bytes]:
    """Write the scenes of a level that every export has, by path. The first is `NAME.tscn`."""
    setting = setting_of(job)
    if not setting.split:
        document = _document(setting)
        whole_scene(setting, document)
        return {f"{job.name}.tscn": document.encode()}
    placed = [
        (space, part, f"{job.name}/{'room' if isinstance(space, Room) else 'hallway'}{space.id}.tscn")
        for space, part in parts(job.level, setting.layers)
    ]
    theirs = _regions(setting, [part for _, part, _ in placed])
    files = {
        path: _part_scene(setting, space, part, part_regions)
        for (space, part, path), part_regions in zip(placed, theirs, strict=True)
    }
    return {f"{job.name}.tscn": _master_scene(setting, placed), **files}


def edit_scene(job: Job) -> bytes:
    """Write `NAME_edit.tscn`, which inherits the level's scene. Written once, it belongs to the person."""
    document = Document("gd_scene", DIALECTS[job.options["target"]])
    document.node(job.name, document.ext_resource("PackedScene", f"{job.name}.tscn"), None)
    return document.encode()


# --- the scenes --------------------------------------------------------------------------------------


def whole_scene(setting: Setting, document: Document) -> None:
    """Write the level as one scene."""
    part = whole(setting.job.level)
    (part_regions,) = _regions(setting, [part])
    stage = Stage(document, setting, part, part_regions)
    _add_root(document, setting)
    _add_content(stage, "", areas=True)
    _add_ambient(stage)
    _add_player(stage)


def _regions(setting: Setting, parts: Sequence[ScenePart]) -> list[PartRegions]:
    job = setting.job
    links = setting.dialect.has_links
    return regions(job.level, parts, job.theme.tile_size, setting.agent_radius, links)


def _part_scene(setting: Setting, space: Room | Hallway, part: ScenePart, part_regions: PartRegions) -> bytes:
    """Write the scene of a room or hallway. Its root is the area that detects bodies."""
    stage = Stage(_document(setting), setting, part, part_regions)
    name, further = _name(setting, space), {**_ROOT, "editor_description": _warning(setting)}
    if isinstance(space, Room):
        _add_room(stage, space, name, further)
    else:
        _add_hallway(stage, space, name, outlines_of_tiles([space.tiles])[0], further)
    _add_content(stage, "../", areas=False)
    return stage.document.encode()


def _add_content(stage: Stage, folder: str, *, areas: bool) -> None:
    """Add everything below the root, which is a room or has `areas` for all rooms. See `_add_layers`."""
    _add_layers(stage, folder)
    for door in stage.part.doors:
        add_door(stage, door)
    if areas:
        _add_areas(stage)
    add_decor_scenes(stage)
    add_markers(stage)
    add_navigation(stage)
    setting = stage.setting
    if _has_occluders(setting):
        add_occluders(stage.document, setting.job.level, stage.part, stage.tile_size)


def _master_scene(setting: Setting, placed: Sequence[_PlacedScene]) -> bytes:
    """Write instances of all parts at their places, and the markers that are in none of them."""
    level, size = setting.job.level, setting.job.theme.tile_size
    document = _document(setting)
    _add_root(document, setting)
    for name, kind in (("Rooms", Room), ("Hallways", Hallway)):
        of_kind = [item for item in placed if isinstance(item[0], kind)]
        if of_kind:
            document.node(name, "Node2D", ".", {"y_sort_enabled": True})
        for space, part, path in of_kind:
            position = vector2(part.origin[0] * size, part.origin[1] * size)
            scene = document.ext_resource("PackedScene", path)
            document.node(_name(setting, space), scene, name, {"position": position})
    alone = tuple(marker for marker in level.markers if marker.room is None and marker.hallway is None)
    stage = Stage(document, setting, whole(level)._replace(markers=alone), PartRegions((), {}))
    add_markers(stage)
    _add_ambient(stage)
    _add_player(stage)
    return document.encode()


def _add_ambient(stage: Stage) -> None:
    if stage.setting.job.options["darkness"]:
        add_ambient(stage.document, stage.setting.job.theme)


def _add_player(stage: Stage) -> None:
    """Add the player at its start marker, if wanted."""
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
            "seed": str(level.seed),  # as text: Godot's int is signed
            "fingerprint": level.fingerprint,
            "spec": json.dumps(level.spec.saved(), ensure_ascii=False),
            "facts": dict(level.facts),
            "tile_size": job.theme.tile_size,
            "agent_radius": setting.agent_radius,
            "size": vector2i(level.width, level.height),
        },
    )


def _warning(setting: Setting) -> str:
    """Return the warning that the editor shows at the root."""
    return f"Undercroft writes this scene on every export. Work in {setting.job.name}_edit.tscn instead."


# --- their content -----------------------------------------------------------------------------------


def _add_layers(stage: Stage, folder: str) -> None:
    """Add the five tile layers. The TileSet is in `folder`."""
    setting, part = stage.setting, stage.part
    theme = setting.job.theme
    path = setting.tile_set or f"{folder}{theme.name}.tres"
    tile_set = stage.document.ext_resource("TileSet", path)
    source = TileSource(theme, tile_set, setting.source, not setting.tile_set)
    for kind, layer in zip(LAYER_KINDS, setting.layers, strict=True):
        own = kind._replace(shades=False) if _has_occluders(setting) else kind
        further = {"rendering_quadrant_size": LIT_QUADRANT} if _has_occluders(setting) else {}
        nodes = layer_nodes(own, part.cut(layer), part.offset(), source, setting.dialect)
        for name, properties in nodes:
            stage.document.node(name, setting.dialect.layer, ".", {**properties, **further})


def _has_occluders(setting: Setting) -> bool:
    return bool(setting.job.options["lights"]) and has_shadows(setting.dialect)


def _add_areas(stage: Stage) -> None:
    level = stage.setting.job.level
    stage.document.node("Rooms", "Node2D", ".")
    for room in level.rooms:
        _add_room(stage, room, f"Rooms/{_name(stage.setting, room)}")
    if level.hallways:
        stage.document.node("Hallways", "Node2D", ".")
    outlines = outlines_of_tiles([hallway.tiles for hallway in level.hallways])
    for hallway, rings in zip(level.hallways, outlines, strict=True):
        _add_hallway(stage, hallway, f"Hallways/{_name(stage.setting, hallway)}", rings)


def _name(setting: Setting, space: Room | Hallway) -> str:
    names = setting.names
    return names.rooms[space.id] if isinstance(space, Room) else names.hallways[space.id]


def _add_room(stage: Stage, room: Room, path: str, further: dict[str, object] | None = None) -> None:
    """Add the area of a room with its facts, in level coordinates."""
    groups = ["room", f"room_{room.kind}", *([f"zone_{room.zone}"] if room.zone else [])]
    metadata = _room_metadata(room) | _own_icon(room, stage.setting.job)
    add_area(stage, path, room.outline, groups, metadata, further)


def _add_hallway(
    stage: Stage,
    hallway: Hallway,
    path: str,
    rings: Sequence[Sequence[Point]],
    further: dict[str, object] | None = None,
) -> None:
    """Add the area of a hallway. `rings` are the outlines of its tiles."""
    doors = stage.setting.job.level.doors
    metadata = {
        "id": hallway.id,
        "doors": list(hallway.doors),
        "rooms": [doors[door].rooms[0] for door in hallway.doors],
        "cells": typed_array("Vector2i", hallway.tiles),
    }
    add_area(stage, path, rings, ["hallway"], metadata, further)


def _own_icon(room: Room, job: Job) -> dict[str, object]:
    """Return the minimap icon of a kit's room kind: its name or letter, colour, and tile in the theme."""
    row = job.level.kinds.rooms.get(room.kind)
    shipped = SHIPPED.rooms.get(room.kind)
    if row is None or (shipped and (shipped.icon, shipped.color) == (row.icon, row.color)):
        return {}
    tile = job.theme.map_icons.get(row.icon)
    return {
        "icon": row.icon,
        "color": row.color,
        **({} if tile is None else {"icon_tile": vector2i(*job.theme.at(tile))}),
    }


def _room_metadata(room: Room) -> dict[str, object]:
    return {
        "id": room.id,
        "kind": room.kind,
        "shape": room.shape,
        "distance": -1 if room.distance is None else room.distance,
        "depth": room.depth,
        "difficulty": room.difficulty,
        "layout": room.layout,
        **({"zone": room.zone} if room.zone else {}),
        **({"name": room.name} if room.name else {}),
        "cells": typed_array("Vector2i", room.cells),
        "bounds": Call("Rect2i", tuple(room.bounds)),
    }
