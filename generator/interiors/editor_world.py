"""Drawings that are together one level: the levels of an LDtk project, the maps of a Tiled world.

Each is a room, if no room is drawn in any of them as an object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from generator.algorithms.outline import outline
from generator.arrays import Mask
from generator.geometry import Point, Rect
from generator.interiors.drawings import DrawnFiles
from generator.interiors.editor_room import DrawnObject, EditorRoom
from generator.kinds import VOID, WALL
from generator.level import Property
from generator.named_tuple import NamedTuple
from generator.node import LayoutNode
from generator.pattern import pattern

_NUMBERED = pattern(r"(level|room)_?\d+(_.*)?", re.IGNORECASE)  # names that nobody gave


class PlacedRoom(NamedTuple):
    """A drawing, its first tile in the world, and the name of the room that it may be."""

    room: EditorRoom
    at: Point
    name: str


def combined(path: Path, placed: Sequence[PlacedRoom], files: DrawnFiles, node: LayoutNode) -> EditorRoom:
    """Return the drawings of the file at `path` as one. LayoutError at `node` if they cover too much."""
    left, top = (min(each.at[axis] for each in placed) for axis in (0, 1))
    width, height = (
        max(each.at[axis] - start + each.room.terrain.shape[1 - axis] for each in placed)
        for axis, start in ((0, left), (1, top))
    )
    if max(width, height) > files.most_side:
        node.fail(f"cover {width} x {height} tiles; each side can be at most {files.most_side}")
    files.spend(width * height, node)
    terrain, decor = np.zeros((2, height, width), np.uint8)
    objects: list[DrawnObject] = []
    has_rooms = any(item.kind == "room" for each in placed for item in each.room.objects)
    for each in placed:
        room, x, y = each.room, each.at[0] - left, each.at[1] - top
        shape = room.terrain.shape
        part = slice(y, y + shape[0]), slice(x, x + shape[1])
        is_new = (room.terrain > 0) & ((terrain[part] == VOID) | (room.terrain != WALL))
        terrain[part][is_new], decor[part][is_new] = room.terrain[is_new], room.decor[is_new]
        objects += [
            item._replace(
                tiles=item.tiles._replace(x=item.tiles.x + x, y=item.tiles.y + y),
                corners=tuple((at[0] + x, at[1] + y) for at in item.corners),
            )
            for item in (*room.objects, *(() if has_rooms else _as_room(each)))
        ]
    facts = _facts(placed, files) if has_rooms else {}
    drawn = (left, top), terrain, decor, tuple(objects), facts
    return EditorRoom(path.stem, path, str(path), *drawn, files.kit)


def _facts(placed: Sequence[PlacedRoom], files: DrawnFiles) -> dict[str, Property]:
    """Return the properties of all drawings, of which none is a room. The first of a name counts."""
    facts: dict[str, Property] = {}
    for key, value in (pair for each in placed for pair in each.room.header.items()):
        if facts.setdefault(key, value) != value:
            files.lost.add("differing map value", f"{key}={value}")
    return facts


def _as_room(placed: PlacedRoom) -> Iterator[DrawnObject]:
    """Yield the room that a drawing is, if it has floor that is no hallway."""
    room = placed.room
    kinds = room.kinds.terrain
    if np.array([kind.walk and kind.name != "hallway" for kind in kinds])[room.terrain].any():
        area = room.terrain > 0
        height, width = area.shape
        ring = () if area.all() else outline(area, (0, 0))[0]
        name = "" if _NUMBERED.fullmatch(placed.name) else placed.name.replace("_", " ")
        yield DrawnObject("room", Rect(0, 0, width, height), room.header, room.place, name, ring)


def in_a_line(rooms: Sequence[EditorRoom], axis: int) -> list[Point]:
    """Return places one after the other from left to right, or with `axis` 1 from top to bottom.

    Each drawing is moved so that the gap in its wall meets that in the wall of the one before.
    """
    ahead, aside = 0, 0
    places = [(0, 0)]
    for before, room in pairwise(rooms):
        ahead += before.terrain.shape[1 - axis]
        gaps = [
            np.flatnonzero(_walks(each).take(line, axis=1 - axis)) for each, line in ((before, -1), (room, 0))
        ]
        if all(len(gap) for gap in gaps):
            aside += int(gaps[0][0]) - int(gaps[1][0])
        places.append((ahead, aside) if axis == 0 else (aside, ahead))
    return places


def _walks(room: EditorRoom) -> Mask:
    walks: Mask = np.array([kind.walk for kind in room.kinds.terrain])[room.terrain]
    return walks
