"""What one of our files shows of a level, in any format: tiles by part, rooms, doors and markers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY
from generator.geometry import Point, Rect
from generator.level import Property
from generator.named_tuple import NamedTuple

ShownCells = npt.NDArray[np.int32]
"""[y, x]: atlas indexes, EMPTY or FOREIGN; for the layer `terrain`, IntGrid values."""

FOREIGN = -2
"""A tile of a tileset that is not the theme's."""

TURNED = 1 << 24
"""Added to the atlas index of a tile that is flipped or rotated."""

LAYERS = ("ground", "walls", "doors", "decor", "overlay")
MAX_TILES = 1 << 25  # all layers of a file: five of the largest level, for which a reader needs 128 MB


EditKey = tuple[Any, ...]
Edits = dict[EditKey, Any]
"""What a person changed; `changes` lists the keys."""


class SeenPart(NamedTuple):
    """A map, a scene or an LDtk level: the place of its first tile in the level, and its tiles by layer.

    `anchor` is the part's place in the program's world, `size` its size there, both in tiles. A part with the
    same size but another anchor was moved as a whole.
    """

    x: int
    y: int
    layers: Mapping[str, ShownCells]
    name: str  # for messages
    anchor: Point = (0, 0)
    size: Point = (0, 0)


class SeenThing(NamedTuple):
    """A room, door, marker, or piece of decor that is not a tile.

    `key` is its key in the program, `number` our id, or -1 without an id. `tiles` are the level's tiles that
    it covers. `name` is for messages; `title` is what the program calls a room.
    """

    key: str
    number: int
    kind: str
    tiles: Rect
    properties: Mapping[str, Property]
    name: str
    part: str = ""  # the key of its part
    title: str = ""


@dataclass
class ShownLevel:
    """Everything that a file shows. `facts` are the level's. `notes` list what a level cannot have.

    `is_incomplete` says that a room that is not shown was perhaps not removed, but its file is missing.
    """

    fingerprint: str = ""
    parts: dict[str, SeenPart] = field(default_factory=dict)
    rooms: list[SeenThing] = field(default_factory=list)
    doors: list[SeenThing] = field(default_factory=list)
    markers: list[SeenThing] = field(default_factory=list)
    things: list[SeenThing] = field(default_factory=list)  # decor that is not a tile
    facts: dict[str, Property] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    is_incomplete: bool = False


class CellChange(NamedTuple):
    """A changed tile of a layer: its place in the level, and its value before and now."""

    layer: str
    tile: Point
    old: int
    new: int


def changed_cells(before: SeenPart, now: SeenPart) -> Iterator[CellChange]:
    """Yield the tiles that differ between two states of a part, even if only one of them covers the tile."""
    for name in dict.fromkeys((*before.layers, *now.layers)):
        if name not in now.layers or name not in before.layers:
            continue  # the file's reader reports missing and new layers
        old, new = before.layers[name], now.layers[name]
        left, top = min(before.x, now.x), min(before.y, now.y)
        right = max(before.x + old.shape[1], now.x + new.shape[1])
        bottom = max(before.y + old.shape[0], now.y + new.shape[0])
        if (before.x, before.y, old.shape) != (now.x, now.y, new.shape):
            nothing = 0 if name == "terrain" else EMPTY
            frame = np.full((2, bottom - top, right - left), nothing, np.int32)
            for side, (part, cells) in enumerate(((before, old), (now, new))):
                y, x = part.y - top, part.x - left
                frame[side, y : y + cells.shape[0], x : x + cells.shape[1]] = cells
            old, new = frame
        for y, x in np.argwhere(old != new).tolist():
            yield CellChange(name, (left + x, top + y), int(old[y, x]), int(new[y, x]))
