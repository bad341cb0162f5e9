"""The inside of a room, however it was made: its tiles, markers and lights, and what is reached on foot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from operator import itemgetter
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from generator.arrays import Mask
from generator.geometry import GridFrame, Point
from generator.kinds import SHIPPED, Kinds
from generator.level import Property, Tiles, passable, spread_decor
from generator.named_tuple import NamedTuple
from generator.shapes import Slot

FIGHTERS = ("enemy", "boss")  # the markers that fight
STANDS_ON = ("player_start", "boss")  # the markers whose tile a body must cover; touching others is enough


class PlacedMarker(NamedTuple):
    """A marker of a room, in tiles of the room's inside."""

    kind: str
    x: int
    y: int
    properties: Mapping[str, Property]


class Interior(NamedTuple):
    """The inside of a room: arrays [y, x], decor at top left tiles. Numbers are those of `kinds`."""

    terrain: Tiles
    decor: Tiles
    markers: tuple[PlacedMarker, ...]
    kinds: Kinds = SHIPPED

    @property
    def covered(self) -> Tiles:
        """[y, x]: the number of the thing on each tile that it covers."""
        return spread_decor(self.decor, self.kinds.decor)

    def safe(self) -> Mask:
        """Return where a body can walk without touching a hazard [y, x]."""
        return passable(self.terrain, self.covered, "safe", self.kinds)


class FurnishedRoom(NamedTuple):
    """A finished inside, and what it was made from: arrays [y, x], and markers in their tiles.

    On a grid the arrays cover the room's inside, in the `gungeon` style its whole bounds, walls included;
    there, terrain is void outside the room's shape, and the tiles of its openings are `door`. `layout` names
    the layout or the procedure, `difficulty` is 0 without a fight.
    """

    layout: str
    difficulty: int
    terrain: Tiles
    decor: Tiles
    markers: tuple[PlacedMarker, ...]


def too_near(kind: str, tile: Point, steps: Iterable[Point]) -> bool:
    """Check whether a marker of a kind may not be at a tile: on a doorstep, or an enemy within two steps."""
    least = 3 if kind in FIGHTERS else 1
    return any(abs(tile[0] - x) + abs(tile[1] - y) < least for x, y in steps)


def reached(start: Point, free: npt.NDArray[np.bool_]) -> set[Point]:
    """Return the tiles of `free` [y, x] that can be reached from `start` in four directions."""
    height, width = free.shape
    open_tiles = free.tolist()
    seen = {start}
    todo = [start]
    for x, y in todo:
        for tile in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            tx, ty = tile
            if 0 <= tx < width and 0 <= ty < height and open_tiles[ty][tx] and tile not in seen:
                seen.add(tile)
                todo.append(tile)
    return seen


def joined(home: set[Point], free: set[Point]) -> set[Point]:
    """Return the tiles of `free` that can be reached from those of `home` in it, in four directions."""
    seen = home & free
    todo = list(seen)
    for x, y in todo:
        for tile in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if tile in free and tile not in seen:
                seen.add(tile)
                todo.append(tile)
    return seen


# The tiles of a room shape: what it covers, what is inside its walls, and where its doors lead.
#
# Tiles of a room's inside are counted from the corner of its bounding box, without the wall. The `pitch` is a
# cell's width and height in tiles, walls included.


@lru_cache(maxsize=64)
def covered_tiles(cells: tuple[Point, ...], pitch: Point) -> Mask:
    """Return the tiles of a shape's cells, [y, x] over their bounding box."""
    frame = GridFrame((0, 0), pitch)
    width, height = (max(at) + 1 for at in zip(*cells, strict=True))
    mask = np.zeros((height * pitch[1], width * pitch[0]), bool)
    for cell in cells:
        mask[frame.cell_rect(cell).slices] = True
    mask.setflags(write=False)
    return mask


@lru_cache(maxsize=64)
def inside_tiles(cells: tuple[Point, ...], pitch: Point) -> Mask:
    """Return the tiles inside the ring of walls round a shape's cells, [y, x] over the box's inside."""
    covered = covered_tiles(cells, pitch)
    inside = np.asarray(sliding_window_view(covered, (3, 3)).all(axis=(2, 3)))
    inside.setflags(write=False)
    return inside


def doorsteps(pitch: Point, slots: Iterable[Slot], door_width: int = 1) -> list[Point]:
    """Return the tiles inside a room in front of its doors, `door_width` per door."""
    frame = GridFrame((-1, -1), pitch)
    return [
        (x - side.dx, y - side.dy)
        for cell, side in slots
        for x, y in frame.door_tiles(cell, side, door_width)[0]
    ]


# --- lights: a marker for each torch and fire --------------------------------------------------------

TORCH_RADIUS = 3  # tiles
_COLORS = {"fire": "orange", "red_fire": "red", "brazier": "orange"}
TORCH = "torch"
BURNS: Mapping[str, tuple[str, ...]] = {TORCH: ("torch",), "fire": ("fire", "red_fire", "brazier")}
"""The things that the light markers belong to, which the generator places."""
TORCH_LIGHT: Mapping[str, Property] = MappingProxyType(
    {"color": "orange", "light_radius_tiles": TORCH_RADIUS}
)  # all torches share it


def torch_of(kinds: Kinds) -> int:
    """Return the number of the torch, 0 in a kit without torches."""
    return kinds.decor_ids.get(TORCH, 0) if TORCH in kinds.markers else 0


def torch_marker(tile: Point) -> PlacedMarker:
    """Create the light of a torch on a wall tile."""
    return PlacedMarker(TORCH, *tile, TORCH_LIGHT)


@lru_cache(maxsize=64)
def _fires(kinds: Kinds) -> Mapping[int, Mapping[str, Property]]:
    """Return the light of each thing that burns, by its number."""
    known = _COLORS if "fire" in kinds.markers else {}
    return {
        kinds.decor_ids[name]: MappingProxyType({"color": color, "light_radius_tiles": TORCH_RADIUS})
        for name, color in known.items()
        if name in kinds.decor_ids
    }


def places_of(number: int, tiles: bytes) -> Iterator[int]:
    """Yield the indices of a number in the bytes of an array."""
    index = tiles.find(number)
    while index >= 0:
        yield index
        index = tiles.find(number, index + 1)


def burning(decor: Tiles, kinds: Kinds) -> Iterator[tuple[int, int, Mapping[str, Property]]]:
    """Yield y and x of each fire in `decor` [y, x], and its light. Those of one kind come together."""
    tiles, stride = decor.tobytes(), decor.shape[1]
    for number, light in _fires(kinds).items():
        for index in places_of(number, tiles):
            yield *divmod(index, stride), light


def fire_markers(decor: Tiles, origin: Point, kinds: Kinds) -> list[PlacedMarker]:
    """Create the lights of the fires in `decor` [y, x], whose top left tile is `origin`, row by row."""
    return [
        PlacedMarker("fire", origin[0] + x, origin[1] + y, light)
        for y, x, light in sorted(burning(decor, kinds), key=itemgetter(0, 1))
    ]


def fires_on(tiles: Iterable[Point], decor: Tiles, kinds: Kinds) -> list[PlacedMarker]:
    """Create the lights of the fires on some tiles of `decor` [y, x]."""
    fires = _fires(kinds)
    lights = ((tile, fires.get(int(decor[tile[1], tile[0]]))) for tile in tiles)
    return [PlacedMarker("fire", *tile, light) for tile, light in lights if light]
