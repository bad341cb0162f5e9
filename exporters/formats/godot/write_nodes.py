"""The nodes of a scene other than tile layers: doors, areas, markers, decor with scenes, navigation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import numpy as np

from exporters.dress import door_tiles
from exporters.formats.godot.regions import EVERYONE as EVERYONE_WALKS
from exporters.formats.godot.regions import SUFFIXES, PartRegions, Region
from exporters.formats.godot.setting import (
    DoorPart,
    ScenePart,
    Setting,
    decor_facts,
    decor_subjects,
    door_facts,
    door_subjects,
)
from exporters.formats.godot.shapes import in_px, solids
from exporters.formats.godot.syntax import DIALECTS
from exporters.formats.godot.syntax.document import Document, NodeForm
from exporters.formats.godot.syntax.literals import (
    Blank,
    Packed,
    Reference,
    TypedArray,
    is_identifier,
    packed_vector2,
    typed_array,
    vector2,
    vector2i,
)
from exporters.formats.godot.write_lights import Shine, add_light, energy_of, light_texture, stone_of
from exporters.formats.godot.write_tileset import EVERYONE, WALKERS
from exporters.objects import AlikeMarkers, alike, object_name, shut_facts, starts_shut
from generator.geometry import Point, Rect, Side
from generator.kinds import Kinds
from generator.level import Marker, Property
from generator.named_tuple import NamedTuple

# Metadata names reserved on every marker: a property must not use them.
_MARKERS_OWN = ("kind", "id", "room", "hallway", "properties")


class Stage(NamedTuple):
    """A scene that is being written, and the part of the level in it."""

    document: Document
    setting: Setting
    part: ScenePart
    regions: PartRegions

    @property
    def tile_size(self) -> int:
        """In px."""
        return self.setting.job.theme.tile_size

    @property
    def kinds(self) -> Kinds:
        """The rows of the level's kit."""
        return self.setting.job.level.kinds

    def middle(self, rect: Rect) -> tuple[float, float]:
        """Return the centre of some tiles of the level, in px of the scene."""
        (left, top), size = self.part.origin, self.tile_size
        return (rect.x + rect.width / 2 - left) * size, (rect.y + rect.height / 2 - top) * size

    def type_of(
        self, usual: str, subjects: Sequence[str], facts: Mapping[str, object]
    ) -> tuple[str | Reference, dict[str, object]]:
        """Return a node's type: the usual class, or the game's own scene with its properties."""
        table = self.setting.table
        path = table.scene(subjects, facts)
        if path is None:
            return usual, {}
        return self.document.ext_resource("PackedScene", path), table.properties(subjects, facts)


# --- doors -------------------------------------------------------------------------------------------


def add_door(stage: Stage, part: DoorPart) -> None:
    """Add a body whose shape is disabled while the door is open, or the game's own door scene."""
    document, door, rect = stage.document, part.door, part.rect
    name, middle = stage.setting.names.doors[door.id], stage.middle(rect)
    path = f"Doors/{name}"
    type_: str | Reference = "StaticBody2D"
    properties: dict[str, object] = {"collision_layer": EVERYONE, "collision_mask": 0}
    if stage.setting.table.wishes:
        type_, own = stage.type_of("StaticBody2D", door_subjects(door.kind), door_facts(part))
        properties = properties if isinstance(type_, str) else own
    document.node(
        name,
        type_,
        "Doors",
        {"position": vector2(*middle), **properties},
        ["door", f"door_{door.kind}", *(["lock"] if door.needs else [])],
        _door_metadata(stage, part),
    )
    if isinstance(type_, str):
        size = stage.tile_size
        shape = _rectangle(document, rect.width * size, rect.height * size)
        form = _door_shape(document.dialect.version, starts_shut(door, stage.kinds))
        document.fill(form, "Shape", {"path": path, "shape": shape})
    for region in stage.regions.behind.get(door.id, ()):
        # The vertices are in scene coordinates.
        _add_region(
            stage, "Way", path, region, {"position": vector2(-middle[0], -middle[1]), "enabled": False}
        )
    if door.one_way and stage.setting.dialect.has_links:
        _add_link(stage, path, part)


@cache
def _door_shape(version: str, is_shut: bool) -> NodeForm:
    off = {} if is_shut else {"disabled": True}
    return NodeForm.of(DIALECTS[version], "CollisionShape2D", Blank("path"), {"shape": Blank("shape"), **off})


def _rectangle(document: Document, width: float, height: float) -> Reference:
    if document.dialect.version == "3.6":  # half the size
        return document.sub_resource("RectangleShape2D", {"extents": vector2(width / 2, height / 2)})
    return document.sub_resource("RectangleShape2D", {"size": vector2(width, height)})


def _door_metadata(stage: Stage, part: DoorPart) -> dict[str, object]:
    door, theme = part.door, stage.setting.job.theme
    hallway = stage.setting.hallway_of.get(door.id)
    steps = stage.setting.look_steps
    tiles = [tile for tile in door_tiles(door, theme, steps) if (tile.x, tile.y) in part.tiles]
    cells = stage.part.here([(tile.x, tile.y) for tile in tiles])
    metadata: dict[str, object] = {
        "id": door.id,
        "kind": door.kind,
        **shut_facts(door, stage.kinds),
        "side": part.side,
        "rooms": [room for room in door.rooms if room is not None],
        **({} if hallway is None else {"hallway": hallway}),
        "cells": typed_array("Vector2i", cells),
        "open_tiles": typed_array("Vector2i", [theme.at(tile.open) for tile in tiles]),
        "shut_tiles": typed_array("Vector2i", [theme.at(tile.shut) for tile in tiles]),
        **({"needs": list(door.needs)} if door.needs else {}),
        **({"one_way": True} if door.one_way else {}),
        **({} if door.opens_from is None else {"opens_from": door.opens_from}),
        **({"joins": door.joins} if door.joins else {}),
    }
    if stage.setting.split and door.rooms[1] is not None:
        metadata["leads_to"] = door.rooms[1] if part.side == door.side else door.rooms[0]
    return metadata


# --- areas -------------------------------------------------------------------------------------------


def add_area(
    stage: Stage,
    path: str,
    rings: Sequence[Sequence[Point]],
    groups: Sequence[str],
    metadata: Mapping[str, object],
    further: Mapping[str, object] | None = None,
) -> None:
    """Add an area that detects bodies inside an outline. It is the scene's root if the path has no parent."""
    document = stage.document
    parent, slash, name = path.rpartition("/")
    properties = {**(further or {}), "collision_layer": 0, "collision_mask": WALKERS, "monitorable": False}
    document.node(name, "Area2D", parent if slash else None, properties, groups, metadata)
    for number, ring in enumerate(solids(rings)):
        polygon = packed_vector2(in_px(stage.part.here(ring), stage.tile_size))
        values = {"path": path if slash else ".", "polygon": polygon}
        document.fill(_outline(document.dialect.version), f"Outline{number or ''}", values)


@cache
def _outline(version: str) -> NodeForm:
    """Return the form of an area's shape: hidden, or the editor would cover every room in red."""
    shape = {"visible": False, "polygon": Blank("polygon")}
    return NodeForm.of(DIALECTS[version], "CollisionPolygon2D", Blank("path"), shape)


# --- markers and decor -------------------------------------------------------------------------------


def add_markers(stage: Stage) -> None:
    """Add one Marker2D per marker, or the game's own scene, which is y-sorted with its neighbours."""
    stage.document.node("Markers", "Node2D", ".", {"y_sort_enabled": True})
    (left, top), size, names = stage.part.origin, stage.tile_size, stage.setting.names.markers
    lights = stage.kinds.light_markers if stage.setting.job.options["lights"] else frozenset()
    is_lit = any(marker.kind in lights for marker in stage.part.markers)
    level, theme, version = stage.setting.job.level, stage.setting.job.theme, stage.setting.dialect.version
    texture = light_texture(stage.document) if is_lit else None
    shine = Shine(texture, energy_of(theme), size, stone_of(level)) if texture else None
    for marker in stage.part.markers:
        name = names[marker.id]
        middle = vector2((marker.x + 0.5 - left) * size, (marker.y + 0.5 - top) * size)
        type_, properties = _marker_type(stage, marker)
        if isinstance(type_, str):
            room, hallway = marker.room, marker.hallway
            form = _marker_form(version, alike(marker), room is not None, hallway is not None)
            values = {"position": middle, "id": marker.id, "room": room or 0, "hallway": hallway or 0}
            stage.document.fill(form, name, values)
        else:
            own = {"position": middle, **properties}
            stage.document.node(name, type_, "Markers", own, _groups(marker.kind), _marker_metadata(marker))
        if shine and marker.kind in lights and isinstance(type_, str):
            add_light(stage.document, marker, name, shine, stage.setting.light_colour(marker))


def _groups(kind: str) -> list[str]:
    return ["marker", f"marker_{kind}"]


@lru_cache(maxsize=1024)
def _marker_form(version: str, markers: AlikeMarkers, has_room: bool, has_hallway: bool) -> NodeForm:
    """Return the form of some markers."""
    kind, names, values, _ = markers
    own: dict[str, object] = {"kind": kind, "id": Blank("id")}
    own |= {"room": Blank("room")} if has_room else {}
    own |= {"hallway": Blank("hallway")} if has_hallway else {}
    metadata = _with_properties(own, dict(zip(names, values, strict=True)))
    position = {"position": Blank("position")}
    return NodeForm.of(DIALECTS[version], "Marker2D", "Markers", position, _groups(kind), metadata)


def _marker_type(stage: Stage, marker: Marker) -> tuple[str | Reference, dict[str, object]]:
    if not stage.setting.table.wishes:  # a level has thousands of markers
        return "Marker2D", {}
    facts = {"kind": marker.kind, "id": marker.id, "room": marker.room, **marker.properties}
    return stage.type_of("Marker2D", (marker.kind,), facts)


def _marker_metadata(marker: Marker) -> dict[str, object]:
    own: dict[str, object] = {"kind": marker.kind, "id": marker.id}
    if marker.room is not None:
        own["room"] = marker.room
    if marker.hallway is not None:
        own["hallway"] = marker.hallway
    return _with_properties(own, marker.properties)


def _with_properties(own: dict[str, object], properties: Mapping[str, Property]) -> dict[str, object]:
    """Add each property by its own name, or in `properties` if that is taken or not valid for metadata."""
    rest = {}
    for key, value in properties.items():
        if key not in _MARKERS_OWN and is_identifier(key):
            own[key] = value
        else:
            rest[key] = value
    return {**own, "properties": rest} if rest else own


def add_decor_scenes(stage: Stage) -> None:
    """Decor with the game's own scenes."""
    rect, own = stage.part.rect, stage.part.own
    inside = [
        piece
        for piece in stage.setting.decor_scenes
        if rect.x <= piece.x < rect.right
        and rect.y <= piece.y < rect.bottom
        and own[piece.y - rect.y, piece.x - rect.x]
    ]
    if not inside:
        return
    stage.document.node("Things", "Node2D", ".", {"y_sort_enabled": True})
    for kind, x, y, path in inside:
        facts = decor_facts(kind)
        properties = stage.setting.table.properties(decor_subjects(kind), facts)
        stage.document.node(
            object_name(kind.name, x, y),
            stage.document.ext_resource("PackedScene", path),
            "Things",
            {"position": vector2(*stage.middle(Rect(x, y, kind.width, kind.height))), **properties},
            ["decor", f"decor_{kind.name}"],
            {**facts, "size": vector2i(kind.width, kind.height)},
        )


# --- navigation --------------------------------------------------------------------------------------


def add_navigation(stage: Stage) -> None:
    """Add the regions of the level with its doors as they are when it starts."""
    for region in stage.regions.always:
        _add_region(stage, "Navigation", ".", region)


def _add_link(stage: Stage, path: str, part: DoorPart) -> None:
    """Add a link through a one-way door into its first room, across the gap in the navigation.

    While the door is locked, it is off.
    """
    size, side = stage.tile_size, Side.named(part.door.side)
    deep = (part.rect.height if side.is_vertical_way else part.rect.width) * size
    away = deep / 2 + stage.setting.agent_radius + 1  # one pixel inside the region there
    properties: dict[str, object] = {
        "visible": False,
        **({"enabled": False} if starts_shut(part.door, stage.kinds) else {}),
        "navigation_layers": EVERYONE_WALKS,
        "bidirectional": False,
        "start_position": vector2(side.dx * away, side.dy * away),
        "end_position": vector2(-side.dx * away, -side.dy * away),
    }
    stage.document.node("Link", "NavigationLink2D", path, properties)


def _add_region(
    stage: Stage, name: str, parent: str, region: Region, further: Mapping[str, object] | None = None
) -> None:
    """Add a NavigationRegion2D, hidden, or the editor would draw it over the level."""
    layers = {} if region.layers == WALKERS else {"navigation_layers": region.layers}
    polygon = {"navigation_polygon": _navigation_polygon(stage, region)}
    properties = {"visible": False, **(further or {}), **polygon, **layers}
    stage.document.node(name + SUFFIXES[region.layers], "NavigationRegion2D", parent, properties)


def _navigation_polygon(stage: Stage, region: Region) -> Reference:
    (left, top), size = stage.part.origin, stage.tile_size
    away = np.array([left * size, top * size])
    mesh, rings = region.mesh, region.outlines
    outlines = (rings.points - away).ravel()
    return stage.document.sub_resource(
        "NavigationPolygon",
        {
            "vertices": Packed("PackedVector2Array", (mesh.vertices - away).ravel()),
            "polygons": TypedArray("PackedInt32Array", mesh.rings, np.diff(mesh.starts).tolist()),
            "outlines": TypedArray("PackedVector2Array", outlines, [2 * count for count in rings.counts]),
            "agent_radius": float(region.agent_radius),
        },
    )
