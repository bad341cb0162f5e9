"""Tiles of the heap: rooms set where the plan has them, hallways between them, walls and torches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from generator.floorplans.gungeon.plan import HeapPlan, HeapRoom, PlannedHallway
from generator.geometry import Rect
from generator.interiors.interior import PlacedMarker
from generator.interiors.lights import fire_markers, torch_marker
from generator.interiors.procedural.site import Inside
from generator.kinds import DECOR_IDS, FLOOR, HALLWAY, PIT, RUBBLE, VOID, WALL
from generator.level import Door, Hallway, Level, Marker, Room, Tiles
from generator.spec import GungeonSpec
from generator.tiles.outline import outline, ring

_TORCH_STEP = 3  # tiles of a hallway from torch to torch (Boyd van Nobelen: "each third tile")
_ROOM_TORCH_STEP = 6  # tiles of a room's north wall
_BELOW_TORCHES = np.isin(np.arange(256), (FLOOR, RUBBLE, PIT))


def assemble_heap(
    spec: GungeonSpec, seed: int, seed_text: str | None, plan: HeapPlan, insides: Sequence[Inside]
) -> Level:
    """Carve rooms and hallways, hang torches, number everything: the level, in the plan's tiles.

    `insides` are those of the plan's rooms, in their order.
    """
    width, height = plan.size
    terrain = np.full((height, width), VOID, np.uint8)
    decor = np.zeros((height, width), np.uint8)
    for room, inside in zip(plan.rooms, insides, strict=True):
        terrain[room.bounds.slices] = inside.terrain
        decor[room.bounds.slices] = inside.decor
    close_pinches(terrain)
    _carve_hallways(plan.hallways, terrain)
    markers = list(_room_markers(plan.rooms, insides))
    for number, room in enumerate(plan.rooms):
        markers += [(light, number, None) for light in room_lights(room.bounds, terrain, decor)]
    for number, hallway in enumerate(plan.hallways):
        markers += [(light, None, number) for light in _hallway_torches(hallway, terrain, decor)]
    return Level(
        seed=seed,
        seed_text=seed_text,
        spec=spec,
        terrain=terrain,
        decor=decor,
        rooms=tuple(
            finished_room(number, room, inside, terrain)
            for number, (room, inside) in enumerate(zip(plan.rooms, insides, strict=True))
        ),
        doors=tuple(_doors(plan)),
        hallways=tuple(
            Hallway(number, (2 * number, 2 * number + 1), way.tiles)
            for number, way in enumerate(plan.hallways)
        ),
        markers=tuple(
            Marker(number, marker.kind, marker.x, marker.y, room, way, marker.properties)
            for number, (marker, room, way) in enumerate(markers)
        ),
        facts=plan.facts,
    )


def _doors(plan: HeapPlan) -> Iterator[Door]:
    """Both ends of each hallway; those of the hallway to a boss tell of him."""
    for number, hallway in enumerate(plan.hallways):
        to_boss = any(plan.rooms[end.room].kind == "boss" for end in hallway.ends)
        for i, end in enumerate(hallway.ends):
            kind = "boss" if to_boss else "open"
            yield Door(2 * number + i, (end.room, None), end.tiles, end.side.label, kind)


def close_pinches(terrain: Tiles) -> None:
    """Put a wall where two tiles of a room touched by a corner alone: outlines are rings without knots."""
    while True:
        void = terrain == VOID
        a, b, c, d = void[:-1, :-1], void[:-1, 1:], void[1:, :-1], void[1:, 1:]
        falling, rising = a & d & ~b & ~c, b & c & ~a & ~d
        if not (falling.any() or rising.any()):
            return
        terrain[:-1, :-1][falling] = WALL
        terrain[:-1, 1:][rising] = WALL


def finished_room(number: int, room: HeapRoom, inside: Inside, terrain: Tiles) -> Room:
    """A room whose walls stand, also those that a hallway gave it."""
    bounds = room.bounds
    area = terrain[bounds.slices] != VOID
    is_rectangle = bool(area.all())
    return Room(
        id=number,
        kind=room.kind,
        shape="rectangle" if is_rectangle else "ragged",
        cells=(),
        bounds=bounds,
        outline=(ring(bounds),) if is_rectangle else outline(area, (bounds.x, bounds.y)),
        distance=room.distance,
        depth=room.depth,
        difficulty=inside.difficulty,
        layout=inside.layout,
    )


def _carve_hallways(hallways: Sequence[PlannedHallway], terrain: Tiles) -> None:
    """Lay the floors of all hallways, and walls on every free tile that touches them, corners too."""
    if not hallways:
        return
    xs, ys = np.array([tile for hallway in hallways for tile in hallway.tiles]).T
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            beside = terrain[ys + dy, xs + dx]
            terrain[ys + dy, xs + dx] = np.where(beside == VOID, WALL, beside)
    terrain[ys, xs] = HALLWAY


def _room_markers(
    rooms: Sequence[HeapRoom], insides: Sequence[Inside]
) -> Iterator[tuple[PlacedMarker, int | None, int | None]]:
    """What stands in the rooms, room by room: the marker, its room, and no hallway."""
    for number, (room, inside) in enumerate(zip(rooms, insides, strict=True)):
        for marker in inside.markers:
            yield marker._replace(x=room.bounds.x + marker.x, y=room.bounds.y + marker.y), number, None


def room_lights(bounds: Rect, terrain: Tiles, decor: Tiles) -> Iterator[PlacedMarker]:
    """Hang torches on those faces of a room's walls that look south over floor; its fires are lights too."""
    inside = terrain[bounds.slices]
    faces = (inside[:-1] == WALL) & _BELOW_TORCHES[inside[1:]]
    last = -_ROOM_TORCH_STEP
    for x, y in np.argwhere(faces.T).tolist():  # from left to right
        if x - last >= _ROOM_TORCH_STEP and 1 < x < bounds.width - 2:
            last = x
            yield _hung(bounds.x + x, bounds.y + y, decor)
    yield from fire_markers(decor[bounds.slices], (bounds.x, bounds.y))


def _hallway_torches(hallway: PlannedHallway, terrain: Tiles, decor: Tiles) -> Iterator[PlacedMarker]:
    """A torch beside each third tile of the way: on the wall north of it, or to both sides by turns."""
    width = len(hallway.ends[0].tiles)
    steps = zip(hallway.path, hallway.path[1:], strict=False)
    for number, ((x, y), (_, next_y)) in enumerate(islice(steps, 1, None, _TORCH_STEP)):
        side = x - 1 if number % 2 else x + width
        place = (x, y - 1) if y == next_y else (side, y)
        if terrain[place[1], place[0]] == WALL and not decor[place[1], place[0]]:  # not so at some bends
            yield _hung(*place, decor)


def _hung(x: int, y: int, decor: Tiles) -> PlacedMarker:
    decor[y, x] = DECOR_IDS["torch"]
    return torch_marker((x, y))
