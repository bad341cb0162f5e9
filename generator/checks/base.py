"""What a check is, and helpers that several of them use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from generator.algorithms.outline import Ring
from generator.arrays import Ints, Mask
from generator.errors import one_line
from generator.geometry import Point, Side
from generator.level import Door, Level, Marker
from generator.named_tuple import NamedTuple
from generator.rerolls.record import EDITED

RoomNumbers = npt.NDArray[np.int32]
Tiled = TypeVar("Tiled", bound=npt.NDArray[Any])


class Problem(NamedTuple):
    """A broken invariant: the check's name, the place, and the finding."""

    check: str
    place: str
    what: str

    def __str__(self) -> str:
        return one_line(f"{self.place}: {self.what} [{self.check}]")


Check = Callable[[Level], Iterator[Problem]]

OF_STYLES_WITHOUT_MARKERS: set[Check] = set()
"""The slow checks of styles that look at no marker."""


def looks_at_no_marker(check: Check) -> Check:
    """Mark a check of a style that can be left out where only the markers of a level differ."""
    OF_STYLES_WITHOUT_MARKERS.add(check)
    return check


def problem(check: Check, subject: str, message: str) -> Problem:
    """Create a problem that a check found."""
    return Problem(name_of(check), subject, message)


NO_ROOMS = "there are 0 "


def wrong_rooms(check: Check, count: int, kind: str, least: int, most: int) -> Problem:
    """Create the problem of too few or too many rooms of a kind."""
    wanted = f"{least}" if least == most else f"{least} to {most}"
    return problem(check, "rooms", f"there are {count} {kind} rooms, not {wanted}")


def name_of(check: Check) -> str:
    """Return a check's name: its function's name, with dashes."""
    return check.__name__.replace("_", "-")


def connections(level: Level) -> Iterator[tuple[int, int]]:
    """Yield pairs of rooms that a body can walk between without a secret or a red door."""
    for door in level.doors:
        if door.rooms[1] is not None and door.kind not in level.kinds.secret_doors:
            yield door.rooms[0], door.rooms[1]
    for hallway in level.hallways:
        first, second = (level.doors[door] for door in hallway.doors)
        if level.kinds.secret_doors.isdisjoint((first.kind, second.kind)):
            yield first.rooms[0], second.rooms[0]


def steps(level: Level) -> Iterator[tuple[int, int]]:
    """Yield pairs of rooms where the player can walk from first to second on a first visit, with every key.

    Secret doors are not used; doors that fall shut or open from one side lead only one way.
    """
    for door in level.doors:
        a, b = door.rooms
        if b is not None and door.kind not in level.kinds.secret_doors:
            if not door.one_way and door.opens_from in (None, a):
                yield a, b
            if door.opens_from in (None, b):
                yield b, a
    for hallway in level.hallways:
        first, last = (level.doors[door] for door in hallway.doors)
        for out, into in ((first, last), (last, first)):
            shut = out.one_way or into.opens_from is not None
            if not shut and level.kinds.secret_doors.isdisjoint((out.kind, into.kind)):
                yield out.rooms[0], into.rooms[0]


def needs_no_way(level: Level, marker: Marker) -> bool:
    """Check whether a marker need not be reachable on foot: lights, a flying boss, things in water."""
    if marker.kind in level.kinds.light_markers:
        return True
    if marker.kind == "boss" and marker.properties.get("flies"):
        return True
    row, ground = level.kinds.markers.get(marker.kind), level.terrain_kinds[level.terrain[marker.y, marker.x]]
    return row is not None and not ground.walk and ground.name in row.stands_on


def hazards(level: Level) -> Mask:
    """Return a mask [y, x] of where something hurts."""
    terrain = np.array([kind.hazard for kind in level.terrain_kinds])
    decor = np.array([kind.hazard for kind in level.decor_kinds])
    hurts: Mask = terrain[level.terrain] | decor[level.covered]
    return hurts


def halves(door: Door) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """Return a door's tiles in the wall of each of its rooms. A hallway has no wall of its own for a door."""
    half = len(door.tiles) // (1 if door.rooms[1] is None else 2)
    return door.tiles[:half], door.tiles[half:]


def is_as_generated(level: Level) -> bool:
    """Check whether a level is as the generator made it: nobody drew it, or edited it since."""
    return not level.is_by_hand and EDITED not in level.rerolls


def terrain_number(level: Level, name: str) -> int:
    """Return the number of a terrain kind in the level's arrays, or -1 if the level does not have it."""
    return next((number for number, kind in enumerate(level.terrain_kinds) if kind.name == name), -1)


def owners(level: Level) -> RoomNumbers:
    """Return the room [y, x] that each tile belongs to, by its cells or its outline, or -1 for none."""
    owner = np.full(level.terrain.shape, -1, np.int32)
    for room in level.rooms:
        if level.grid is not None:
            for cell in room.cells:
                owner[level.grid.cell_rect(cell).slices] = room.id
        elif len(room.outline) == 1 and len(room.outline[0]) == 4:
            owner[room.bounds.slices] = room.id
        else:
            part = owner[room.bounds.slices]
            mask = area_of(room.outline, room.bounds[:2], room.bounds[2:])
            part[mask] = room.id
    return owner


@lru_cache(maxsize=512)
def area_of(rings: tuple[Ring, ...], corner: Point, size: Point) -> Mask:
    """Return the tiles [y, x] of a rectangle at `corner` that lie within an odd number of the rings."""
    (left, top), (width, height) = corner, size
    crossed = np.zeros((height, width + 1), bool)
    for ring in rings:
        for (x, y), (other_x, other_y) in pairwise((*ring, ring[0])):
            if x == other_x:
                column = min(max(x - left, 0), width)
                crossed[max(min(y, other_y) - top, 0) : max(max(y, other_y) - top, 0), column] ^= True
    area: Mask = np.logical_xor.accumulate(crossed, axis=1)[:, :-1]
    area.setflags(write=False)
    return area


def doorsteps(level: Level) -> dict[int, list[Point]]:
    """Return, for each room with a door, the tiles in front of its doors."""
    found: dict[int, list[Point]] = defaultdict(list)
    for door in level.doors:
        for room, tiles in steps_of(door):
            found[room] += tiles
    return found


def steps_of(door: Door) -> Iterator[tuple[int, list[Point]]]:
    """Yield each room of a door with the tiles in front of the door in it, which may be outside the level."""
    side = Side.named(door.side)
    for room, tiles, inwards in zip(door.rooms, halves(door), (side.opposite, side), strict=True):
        if room is not None:
            yield room, [(x + inwards.dx, y + inwards.dy) for x, y in tiles]


def body_places(free: Mask, side: int) -> Mask:
    """Return where the top left tile of a square body can be [y, x], so that all of it is on free tiles."""
    from scipy import ndimage  # slow to load, and most levels need it for no check

    eroded = ndimage.binary_erosion(free, np.ones((side, side), bool))  # by the body's middle tile
    places, back = np.zeros_like(free), side // 2
    places[: free.shape[0] - back, : free.shape[1] - back] = eroded[back:, back:]
    return places


def covered_by(places: Tiled, side: int) -> Tiled:
    """Spread values [y, x] over the tiles that a body covers whose top left is there; the greatest wins."""
    covered = places.copy()
    height, width = places.shape
    for dy in range(side):
        for dx in range(side):
            under = covered[dy:, dx:]
            np.maximum(under, places[: height - dy, : width - dx], out=under)
    return covered


def pieces_of(free: Mask, side: int) -> Ints:
    """Return the piece [y, x] of the free tiles that a square body can cover each tile in, 0 for none.

    Larger pieces have larger numbers. Of the pieces from which a body covers a tile, the largest counts;
    others are pockets.
    """
    from scipy import ndimage

    pieces, _ = ndimage.label(free if side == 1 else body_places(free, side))
    sizes = np.bincount(pieces.ravel())
    sizes[0] = 0
    by_size = np.empty(len(sizes), np.int64)
    by_size[np.argsort(sizes, kind="stable")] = np.arange(len(sizes))
    return covered_by(by_size[pieces], side)


def body_of(side: int) -> str:
    """Name a body of so many tiles."""
    return "one" if side == 1 else f"a body of {side} x {side} tiles"


def hallway_tiles(level: Level) -> Mask:
    """Return a mask [y, x] of the tiles of all hallways."""
    return mask_of(level, [tile for hallway in level.hallways for tile in hallway.tiles])


def mask_of(level: Level, tiles: list[Point]) -> Mask:
    """Return a mask [y, x] of these tiles."""
    mask = np.zeros(level.terrain.shape, bool)
    if tiles:
        xs, ys = np.array(tiles, np.intp).T
        mask[ys, xs] = True
    return mask


def places(mask: Mask, most: int = 5) -> Iterator[Point]:
    """Yield the first tiles of a mask, row by row."""
    if mask.any():
        for y, x in np.argwhere(mask)[:most].tolist():
            yield x, y
