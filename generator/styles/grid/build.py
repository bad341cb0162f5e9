"""Builds a level from a floorplan on a grid: its tiles are carved, then everything becomes a frozen level."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import product
from operator import itemgetter

import numpy as np

from generator.algorithms.outline import Ring, outline, ring
from generator.errors import GenerationFailed
from generator.geometry import GridFrame, Point, Rect, Side
from generator.interiors.free_tiles import HeldTiles, tile_in_sight
from generator.interiors.interior import (
    TORCH,
    TORCH_LIGHT,
    FurnishedRoom,
    PlacedMarker,
    burning,
    covered_tiles,
    fire_markers,
    inside_tiles,
    torch_of,
)
from generator.kinds import DOOR, FLOOR, WALL, Kinds
from generator.level import (
    MARGIN,
    Door,
    Level,
    Marker,
    MarkerRow,
    Room,
    Tiles,
    new_door,
    new_room,
    numbered_markers,
)
from generator.named_tuple import NamedTuple
from generator.shapes import SHAPES
from generator.spec import LevelSpec
from generator.styles.gates import key_properties
from generator.styles.grid.costs import with_costs
from generator.styles.grid.floorplan import DoorGate, Floorplan, KeyPlace, PlannedDoor, PlannedRoom
from generator.styles.grid.furnish import Chooser, FurnishedLevel, furnish
from generator.styles.grid.spec import GridSpec

_NO_GATE = DoorGate()
_TORCH_INSET = 3  # tiles from a cell's outer edge to its torches
_RECTANGLES = frozenset(name for name, shape in SHAPES.items() if shape.is_rectangle)
_THICK = frozenset(name for name, shape in SHAPES.items() if Side.NORTH not in shape.sides)


class CutDoor(NamedTuple):
    """A door's tiles in the walls of its first and of its second room."""

    first: list[Point]
    second: list[Point]


class CarvedTiles(NamedTuple):
    """A level's arrays [y, x] while they are carved, and the kinds that their numbers stand for."""

    terrain: Tiles
    decor: Tiles
    kinds: Kinds


class Carved(NamedTuple):
    """A level's arrays [y, x], where its cells lie, and the tiles of its doors and torches."""

    terrain: Tiles
    decor: Tiles
    frame: GridFrame
    bounds: list[Rect]
    doors: list[CutDoor]
    torches: list[tuple[int, Point]]  # the room, and the tile of its north wall


def carve(plan: Floorplan, furnishings: Sequence[FurnishedRoom], pitch: Point, door_width: int) -> Carved:
    """Carve every room and cut every door. `pitch` is a cell's size in tiles, walls included."""
    frame, width, height = lay_out(plan, pitch)
    terrain = np.zeros((height, width), np.uint8)
    decor = np.zeros((height, width), np.uint8)
    bounds = []
    for room, furnishing in zip(plan.rooms, furnishings, strict=True):
        bounds.append(carve_room(room, furnishing, frame, terrain, decor))
    tiles = CarvedTiles(terrain, decor, plan.kinds)
    doors = [_cut(door, frame, door_width, tiles) for door in plan.doors]
    lit = [
        (number, room) for number, room in enumerate(plan.rooms) if room.kind not in plan.kinds.secret_rooms
    ]
    torches = hang_torches(lit, frame, tiles)  # secret rooms stay dark
    return Carved(terrain, decor, frame, bounds, doors, torches)


def carve_room(
    room: PlannedRoom, furnishing: FurnishedRoom, frame: GridFrame, terrain: Tiles, decor: Tiles
) -> Rect:
    """Carve one room, without doors and torches, and return its bounds."""
    x, y, width, height = rect = frame.bounds(room.cells)
    right, bottom = x + width, y + height
    within = slice(y + 1, bottom - 1), slice(x + 1, right - 1)
    if room.shape in _RECTANGLES:
        terrain[y:bottom, x:right] = WALL
        terrain[within] = furnishing.terrain
        decor[within] = furnishing.decor
        return rect
    cells = SHAPES[room.shape].cells
    inside = inside_tiles(cells, frame.cell_size)
    terrain[y:bottom, x:right][covered_tiles(cells, frame.cell_size)] = WALL
    terrain[within][inside] = furnishing.terrain[inside]
    decor[within][inside] = furnishing.decor[inside]
    return rect


def lay_out(plan: Floorplan, pitch: Point) -> tuple[GridFrame, int, int]:
    """Return the frame of the cells, and the level's width and height: just the rooms and the margin."""
    columns = [x for room in plan.rooms for x, _ in room.cells]
    rows = [y for room in plan.rooms for _, y in room.cells]
    left, top = min(columns), min(rows)
    frame = GridFrame((MARGIN - left * pitch[0], MARGIN - top * pitch[1]), pitch)
    width = (max(columns) - left + 1) * pitch[0] + 2 * MARGIN
    height = (max(rows) - top + 1) * pitch[1] + 2 * MARGIN
    return frame, width, height


def _cut(door: PlannedDoor, frame: GridFrame, width: int, tiles: CarvedTiles) -> CutDoor:
    """Open both walls of a door."""
    first, second = frame.door_tiles(door.cell, door.side, width)
    open_wall(first, door.side.opposite, tiles)
    open_wall(second, door.side, tiles)
    return CutDoor(first, second)


def open_wall(opening: Sequence[Point], inwards: Side, tiles: CarvedTiles) -> None:
    """Make a door of an opening in one room's wall. `inwards` is the side on which the room lies.

    If the door is wider than the layout allows for, what stands in front of it is cleared away.
    """
    for x, y in opening:
        tiles.terrain[y, x] = DOOR
        if len(opening) > 1:
            _clear_doorstep(x + inwards.dx, y + inwards.dy, tiles)


def _clear_doorstep(x: int, y: int, tiles: CarvedTiles) -> None:
    """Make a tile safe to step on: fill a pit, and remove a thing that blocks or hurts."""
    terrain, decor, kinds = tiles
    ground = kinds.terrain[terrain[y, x]]
    if not ground.walk or ground.hazard:
        terrain[y, x] = FLOOR
    for number, kind in enumerate(kinds.decor):
        if kind.walk and not kind.hazard:
            continue
        area = decor[
            max(0, y - kind.height + 1) : y + 1, max(0, x - kind.width + 1) : x + 1
        ]  # where its top left may be
        area[area == number] = 0


def hang_torches(
    rooms: Iterable[tuple[int, PlannedRoom]], frame: GridFrame, tiles: CarvedTiles
) -> list[tuple[int, Point]]:
    """Hang two torches on the face of each cell's north wall, unless there is a door or no floor below.

    A narrow room's wall is as thick as its layout draws it. A kit may have no torches. Returns the torches:
    the number of the room, and the tile.
    """
    torch = torch_of(tiles.kinds)
    if not torch:
        return []
    stride = tiles.terrain.shape[1]
    terrain = tiles.terrain.tobytes()
    torches = [
        (number, tile) for number, room in rooms for tile in _torch_places(room, frame, terrain, stride)
    ]
    for _, (x, y) in torches:
        tiles.decor[y, x] = torch
    return torches


def _torch_places(room: PlannedRoom, frame: GridFrame, terrain: bytes, stride: int) -> Iterator[Point]:
    """Find the tiles for a room's torches. `terrain` has rows of `stride` tiles."""
    (left, top), (width, height) = frame
    thick = room.shape in _THICK
    for cell in room.cells:
        if len(room.cells) > 1 and (cell[0], cell[1] - 1) in room.cells:
            continue
        first = left + cell[0] * width
        for x in (first + _TORCH_INSET, first + width - 1 - _TORCH_INSET):
            y = top + cell[1] * height
            lowest = y + height - 2
            at = y * stride + x
            while thick and y < lowest and terrain[at + stride] == WALL:
                y, at = y + 1, at + stride
            if terrain[at] == WALL and terrain[at + stride] != WALL:
                yield x, y


# --- the level -----------------------------------------------------------------------------------------


def assemble(
    spec: LevelSpec,
    seed: int,
    seed_text: str | None,
    plan: Floorplan,
    furnished: FurnishedLevel,
    carved: Carved,
) -> Level:
    """Number rooms, doors and markers, in absolute tiles.

    The level's spec names a team's own layouts and kit by their digests: their folders are different on every
    machine, but the level must not be.
    """
    return Level(
        seed=seed,
        seed_text=seed_text,
        spec=spec.sealed(furnished.own_layouts),
        terrain=carved.terrain,
        decor=carved.decor,
        rooms=_rooms(plan, furnished, carved),
        doors=tuple(
            _door(number, door, tiles, plan.gate(door))
            for number, (door, tiles) in enumerate(zip(plan.doors, carved.doors, strict=True))
        ),
        markers=_markers(plan, furnished, carved, partial(_key_tile, spec.body, seed, plan, carved)),
        grid=carved.frame,
        facts={**plan.facts, "chapter": furnished.chapter},
        kinds=plan.kinds,
    )


def _door(number: int, door: PlannedDoor, cut: CutDoor, gate: DoorGate | None) -> Door:
    a, b, _, side, kind = door
    needs, into, opens_from, _ = gate or _NO_GATE
    return new_door(
        number, (a, b), (*cut.first, *cut.second), side.label, kind, needs, into is not None, opens_from
    )


def _rooms(plan: Floorplan, furnished: FurnishedLevel, carved: Carved) -> tuple[Room, ...]:
    rooms: list[Room] = []
    for room, furnishing, bounds in zip(plan.rooms, furnished.rooms, carved.bounds, strict=True):
        kind, shape, cells, distance, depth = room
        outline = _outline(room, bounds, carved.frame)
        layout, difficulty = furnishing.layout, furnishing.difficulty
        rooms.append(
            new_room(len(rooms), kind, shape, cells, bounds, outline, distance, depth, difficulty, layout)
        )
    return tuple(rooms)


def _outline(room: PlannedRoom, bounds: Rect, frame: GridFrame) -> tuple[Ring, ...]:
    x, y, width, height = bounds
    if len(room.cells) * frame.cell_size[0] * frame.cell_size[1] == width * height:
        return (ring(bounds),)
    rings = _rings_of(room.shape, frame.cell_size)
    return tuple([tuple([(x + across, y + down) for across, down in corners]) for corners in rings])


@lru_cache(maxsize=64)
def _rings_of(shape: str, pitch: Point) -> tuple[Ring, ...]:
    """Trace the outline of a shape with its corner at (0, 0)."""
    return outline(covered_tiles(SHAPES[shape].cells, pitch), (0, 0))


def fires(cells: Iterable[Point], frame: GridFrame, decor: Tiles, kinds: Kinds) -> list[PlacedMarker]:
    """List the lights of the fires in a room's cells. The notch of an L may hold another room's fires."""
    rects = [frame.cell_rect(cell) for cell in cells]
    return [fire for rect in rects for fire in fire_markers(decor[rect.slices], (rect.x, rect.y), kinds)]


def _key_tile(
    body: int, seed: int, plan: Floorplan, carved: Carved, key: KeyPlace, taken: Collection[Point]
) -> Point:
    """Find the tile for a key: free, off what is `taken`, and in sight of a door if there is such a one.

    Raises GenerationFailed if the room is full.
    """
    room, bounds = plan.rooms[key.room], carved.bounds[key.room]
    held = HeldTiles(carved.terrain, carved.decor, plan.kinds)
    steps = [(x - side.dx, y - side.dy) for side, (x, y) in _ways_out(plan, carved, key.room)]
    tile = tile_in_sight(bounds, held, [*taken, *beside_room(room.cells, bounds, carved.frame)], body, steps)
    if tile is None:
        reason = f"room {key.room} is too full for {key.name}; draw a layout with a free tile for it"
        raise GenerationFailed("place for a key", 1, f"the {room.kind} {reason}", seed)
    return tile


def beside_room(cells: Sequence[Point], bounds: Rect, frame: GridFrame) -> list[Point]:
    """List the tiles of a room's bounds that are not in its cells: the notch of an L."""
    rects = [frame.cell_rect(cell) for cell in cells]
    if sum(rect.width * rect.height for rect in rects) == bounds.width * bounds.height:
        return []
    tiles = product(range(bounds.x, bounds.right), range(bounds.y, bounds.bottom))
    return [(x, y) for x, y in tiles if not any(rect.contains(x, y) for rect in rects)]


def _ways_out(plan: Floorplan, carved: Carved, room: int) -> Iterator[tuple[Side, Point]]:
    """Yield the side and the middle tile of each of a room's doors."""
    for door, cut in zip(plan.doors, carved.doors, strict=True):
        for number, side, tiles in ((door.a, door.side, cut.first), (door.b, door.side.opposite, cut.second)):
            if number == room:
                yield side, tiles[len(tiles) // 2]


def _markers(
    plan: Floorplan,
    furnished: FurnishedLevel,
    carved: Carved,
    key_tile: Callable[[KeyPlace, Collection[Point]], Point],
) -> tuple[Marker, ...]:
    """Collect the markers of the layouts, room by room, then the keys, and then the lights."""
    rows: list[MarkerRow] = []
    for room, ((left, top, _, _), furnishing) in enumerate(zip(carved.bounds, furnished.rooms, strict=True)):
        for kind, x, y, properties in furnishing.markers:
            rows.append((kind, left + 1 + x, top + 1 + y, room, None, properties))
    for key in plan.keys:
        x, y = key_tile(key, {(x, y) for _, x, y, _, _, _ in rows})
        rows.append(("key", x, y, key.room, None, key_properties(key.name, consumed=key.consumed)))
    rows += [(TORCH, x, y, room, None, TORCH_LIGHT) for room, (x, y) in carved.torches]
    return numbered_markers(rows + _fires_in_rooms(plan, carved))


def _fires_in_rooms(plan: Floorplan, carved: Carved) -> list[MarkerRow]:
    """List the lights of all fires: by room, by cell, and row by row."""
    (left, top), (width, height) = carved.frame
    places = {
        cell: (number, turn) for number, room in enumerate(plan.rooms) for turn, cell in enumerate(room.cells)
    }
    fires = [
        (*places[(x - left) // width, (y - top) // height], y, x, light)
        for y, x, light in burning(carved.decor, plan.kinds)
    ]
    fires.sort(key=itemgetter(0, 1, 2, 3))
    return [("fire", x, y, room, None, light) for room, _, y, x, light in fires]


def build_level(spec: GridSpec, seed: int, seed_text: str | None, plan: Floorplan, choose: Chooser) -> Level:
    """Build the level of a floorplan. `choose` gives a room its layout. Raises SpecError and LayoutError."""
    plan = with_costs(plan, seed, spec.stage)
    furnished = furnish(spec, plan, seed, choose)
    carved = carve(plan, furnished.rooms, spec.room_size, spec.door_width)
    return assemble(spec, seed, seed_text, plan, furnished, carved)
