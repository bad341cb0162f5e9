"""The positions of LDtk levels and entities, which are stored in several keys that change together."""

from __future__ import annotations

from typing import Any

from exporters.merge.ldtk_ids import tables
from exporters.merge.matching import Moves, RoomFact, RoomPair
from generator.geometry import Point, Rect


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


def move_level(level: dict[str, Any], way: Point) -> None:
    """Move a level and everything in it by a distance in world px, in place."""
    level["worldX"] += way[0]
    level["worldY"] += way[1]
    for layer in tables(level.get("layerInstances")):
        for entity in tables(layer.get("entityInstances")):
            _add(entity, ("__worldX", "__worldY"), way)


def move_entities(level: dict[str, Any], moves: Moves, size: int) -> None:
    """Move the entities of a level with their rooms, in place."""
    for layer in tables(level.get("layerInstances")):
        for entity in tables(layer.get("entityInstances")):
            dx, dy = moves.shift_at(*tile_of(entity, size))
            if dx or dy:
                entity["px"] = [entity["px"][0] + dx * size, entity["px"][1] + dy * size]
                if isinstance(entity.get("__grid"), list) and len(entity["__grid"]) == 2:
                    entity["__grid"] = [entity["__grid"][0] + dx, entity["__grid"][1] + dy]
                _add(entity, ("__worldX", "__worldY"), (dx * size, dy * size))


def tile_of(entity: dict[str, Any], size: int) -> Point:
    """Return the tile of an entity, relative to its level."""
    return int(entity["px"][0]) // size, int(entity["px"][1]) // size


def _add(entity: dict[str, Any], keys: tuple[str, str], way: Point) -> None:
    for key, step in zip(keys, way, strict=True):
        if isinstance(entity.get(key), (int, float)):
            entity[key] += step
