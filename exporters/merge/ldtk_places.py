"""The positions of LDtk levels and entities, which are stored in several keys that change together."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from exporters.formats.ldtk.areas import PlacedLevel, neighbours_of
from exporters.merge.cells import paste
from exporters.merge.ldtk_cells import AUTO, GRID, INTS, Piles, cells_of, put_cells
from exporters.merge.ldtk_ids import tables
from exporters.merge.matching import Moves, RoomFact, RoomPair, step_of_world
from exporters.merge.taken import Taken
from generator.geometry import Point, Rect

_SIZE = ("pxWid", "pxHei")
_GEOMETRY = ("worldX", "worldY", *_SIZE)


def corner(level: dict[str, Any], size: int) -> Point:
    """Return the top left tile of a level in the world."""
    return int(level["worldX"]) // size, int(level["worldY"]) // size


def local_moves(moves: Moves, old: dict[str, Any], new: dict[str, Any], pair_key: str, size: int) -> Moves:
    """Find the moves inside a level that both sides have: of its only room, or of the rooms in it."""
    own = [pair for pair in moves.pairs if pair.old.key == pair_key]
    before, after = corner(old, size), corner(new, size)
    pairs = tuple(
        RoomPair(_by(pair.old, before), _by(pair.new, after), pair.same) for pair in own or moves.pairs
    )
    if own:
        return Moves(pairs, (), (0, 0))
    shift = moves.shift[0] + before[0] - after[0], moves.shift[1] + before[1] - after[1]
    return Moves(pairs, tuple(_by(room, before) for room in moves.gone), shift)


def _by(room: RoomFact, away: Point) -> RoomFact:
    x, y, width, height = room.rect
    return room._replace(rect=Rect(x - away[0], y - away[1], width, height))


def set_neighbours(project: dict[str, Any]) -> None:
    """List the neighbours of each level as LDtk does, in place."""
    levels = project["levels"]
    placed = [
        PlacedLevel(Rect(*(int(level[key]) for key in _GEOMETRY)), int(level.get("worldDepth", 0)))
        for level in levels
    ]
    is_free = project.get("worldLayout") in ("Free", "GridVania")
    for level, near in zip(levels, neighbours_of(placed) if is_free else [[]] * len(levels), strict=True):
        level["__neighbours"] = [
            {"levelIid": levels[entry.place]["iid"], "dir": entry.direction} for entry in near
        ]


def set_world_places(project: dict[str, Any]) -> None:
    """Give each entity its place in the world, which follows from those of its level and in it, in place."""
    if project.get("worldLayout") not in ("Free", "GridVania"):
        return
    for level in project["levels"]:
        for layer in tables(level.get("layerInstances")):
            for entity in tables(layer.get("entityInstances")):
                for number, axis in enumerate("XY"):
                    if f"__world{axis}" in entity:
                        entity[f"__world{axis}"] = level[f"world{axis}"] + entity["px"][number]


def move_level(level: dict[str, Any], way: Point) -> None:
    """Move a level by a distance in world px, in place."""
    level["worldX"] += way[0]
    level["worldY"] += way[1]


def world_step(old: dict[str, Any], now: dict[str, Any]) -> Point:
    """Return by how many px a person moved the whole world of a project."""
    before = {level["iid"]: level for level in old["levels"]}
    return step_of_world(
        (level["worldX"] - was["worldX"], level["worldY"] - was["worldY"])
        for level in now["levels"]
        if (was := before.get(level["iid"])) and all(level[key] == was[key] for key in _SIZE)
    )


def moved_levels(old: dict[str, Any], now: dict[str, Any], taken: Taken) -> list[str]:
    """Name the levels that were moved or resized by a person, which is not `taken`."""
    before = {level["iid"]: level for level in old["levels"]}
    return [
        str(level["identifier"])
        for level in now["levels"]
        if level["iid"] not in taken.changed
        and (was := before.get(level["iid"]))
        and any(level.get(key) != was.get(key) for key in _GEOMETRY)
    ]


def move_world(project: dict[str, Any], way: Point) -> None:
    """Move all levels of a project by a distance in px, in place."""
    if way != (0, 0):
        for level in project["levels"]:
            move_level(level, way)
        set_world_places(project)


def in_place(mine: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    """Return a person's version of a level with the place and size that it had, which are the room's.

    What was at another place because the level grew to the left or top is where it was. Tiles outside are
    left out.
    """
    if all(mine.get(key) == old.get(key) for key in _GEOMETRY):
        return mine
    piles = Piles()
    cells = cells_of(mine, piles)
    is_resized = any(mine[key] != old[key] for key in _SIZE)
    way = old["worldX"] - mine["worldX"], old["worldY"] - mine["worldY"]
    step = way if is_resized else (0, 0)
    layers = []
    for layer in copy.deepcopy(tables(mine.get("layerInstances"))):
        fit_layer(layer, old)
        left, top = (number // layer["__gridSize"] for number in step)
        for key in (INTS, GRID, AUTO):
            found = cells.get((layer["layerDefUid"], key))
            if found is not None and is_resized:
                frame = np.zeros((layer["__cHei"], layer["__cWid"]), found.dtype)
                paste(frame, found, (0, 0, found.shape[1], found.shape[0]), (-left, -top))
                put_cells(layer, key, frame, piles)
        for entity in tables(layer.get("entityInstances")):
            entity["px"] = [entity["px"][0] - step[0], entity["px"][1] - step[1]]
            if isinstance(entity.get("__grid"), list) and len(entity["__grid"]) == 2:
                entity["__grid"] = [entity["__grid"][0] - left, entity["__grid"][1] - top]
        layers.append(layer)
    geometry = {key: old[key] for key in _GEOMETRY if key in old}
    return {**mine, **geometry, "layerInstances": layers}


def fit_layer(layer: dict[str, Any], level: dict[str, Any]) -> None:
    """Give a layer the size of its level."""
    layer["__cWid"], layer["__cHei"] = (-(-level[key] // layer["__gridSize"]) for key in ("pxWid", "pxHei"))


def move_entities(level: dict[str, Any], moves: Moves, size: int) -> None:
    """Move the entities of a level with their rooms, in place."""
    for layer in tables(level.get("layerInstances")):
        for entity in tables(layer.get("entityInstances")):
            dx, dy = moves.shift_at(*tile_of(entity, size))
            if dx or dy:
                entity["px"] = [entity["px"][0] + dx * size, entity["px"][1] + dy * size]
                if isinstance(entity.get("__grid"), list) and len(entity["__grid"]) == 2:
                    entity["__grid"] = [entity["__grid"][0] + dx, entity["__grid"][1] + dy]


def tile_of(entity: dict[str, Any], size: int) -> Point:
    """Return the tile of an entity, relative to its level."""
    return int(entity["px"][0]) // size, int(entity["px"][1]) // size
