"""Find the room in a separate file, and where that room is in the new level.

    old  NAME/room3.tmj  a shop       new  NAME/room3.tmj  a treasure room
                                           NAME/room5.tmj  the shop: changes to it belong here

Room numbers change with each new level, so a file's name does not identify the room in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporters.formats.godot.syntax.sections import TextSection, numbers
from exporters.merge.godot_tree import parsed
from exporters.merge.matching import RoomFact, moves_of
from exporters.merge.outcome import CannotMerge
from exporters.merge.taken import MAPS
from exporters.merge.tiled_files import notation_of
from generator.geometry import Rect
from generator.pattern import pattern

_CELL = pattern(r"Vector2i\((-?\d{1,6}), (-?\d{1,6})\)")
_HALLWAY = "hallway"


def rooms_between(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> dict[str, str]:
    """Find the new path of the room in each old file, if the new level has that room.

    Rooms are matched as in a whole level. A hallway counts as the same only if its place among the rooms is.
    """
    before, after = (list(filter(None, map(_fact, side, side.values()))) for side in (old, new))
    moves = moves_of(before, after)
    return {
        str(pair.old.key): str(pair.new.key)
        for pair in moves.pairs
        if pair.old.features[0] != _HALLWAY or pair.shift == moves.shift
    }


def _fact(path: str, data: bytes) -> RoomFact | None:
    """Read the room or hallway from one of our files. Return None for other files."""
    try:
        if path.endswith(".tscn"):
            return _of_scene(path, parsed(data))
        return _of_map(path, notation_of(data).read(data)) if path.endswith(MAPS) else None
    except CannotMerge:
        return None


def _of_map(path: str, map_: dict[str, Any]) -> RoomFact | None:
    facts = {property_["name"]: property_["value"] for property_ in map_.get("properties", ())}
    if not {"left", "top"} <= facts.keys():
        return None
    rect = Rect(facts["left"], facts["top"], map_["width"], map_["height"])
    if "hallway_id" in facts:
        return RoomFact(path, rect, (_HALLWAY, None, None))
    return RoomFact(path, rect, tuple(facts.get(key) for key in ("kind", "shape", "layout")))


def _of_scene(path: str, parts: list[TextSection]) -> RoomFact | None:
    root = next((part.properties for part in parts if part.kind == "node"), {})
    bounds = numbers(root.get("metadata/bounds"), "Rect2i")
    if len(bounds) == 4:
        features = tuple(root.get(f"metadata/{key}") for key in ("kind", "shape", "layout"))
        return RoomFact(path, Rect(*map(int, bounds)), features)
    cells = [(int(x), int(y)) for x, y in _CELL.findall(root.get("metadata/cells", ""))]
    return RoomFact(path, Rect.around(cells), (_HALLWAY, None, None)) if cells else None
