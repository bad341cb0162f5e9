"""The level: chambers set where the plan has them, tunnels between them, everything numbered."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from caves.chambers import Inside, furnish
from caves.plan import CavesPlan, Chamber
from caves.spec import CavesSpec
from caves.tunnels import End
from generator.algorithms.outline import outline
from generator.geometry import Rect
from generator.kinds import HALLWAY, VOID, WALL
from generator.level import Door, Hallway, Level, Marker, Room, Tiles
from generator.rng import Stream


def assemble(spec: CavesSpec, seed: int, seed_text: str | None, plan: CavesPlan) -> Level:
    """The level of a floorplan."""
    width, height = plan.extent
    terrain, decor = np.full((height, width), VOID, np.uint8), np.zeros((height, width), np.uint8)
    rooms: list[Room] = []
    markers: list[Marker] = []
    for number in range(len(plan.rooms)):
        inside = inside_of(spec, plan, number, Stream(seed, "caves.furnish", number))
        bounds = plan.rooms[number].bounds
        terrain[bounds.slices], decor[bounds.slices] = inside.terrain, inside.decor
        rooms.append(finished_room(number, plan.rooms[number], inside))
        for each in inside.markers:
            x, y = bounds.x + each.x, bounds.y + each.y
            markers.append(Marker(len(markers), each.kind, x, y, number, properties=each.properties))
    for tunnel in plan.tunnels:
        _carve(np.array(tunnel.tiles), terrain)
    hallways = (Hallway(i, (2 * i, 2 * i + 1), tunnel.tiles) for i, tunnel in enumerate(plan.tunnels))
    return Level(
        seed=seed,
        seed_text=seed_text,
        spec=spec,
        terrain=terrain,
        decor=decor,
        rooms=tuple(rooms),
        doors=tuple(_doors(plan)),
        hallways=tuple(hallways),
        markers=tuple(markers),
        facts=plan.facts,
    )


def inside_of(spec: CavesSpec, plan: CavesPlan, number: int, stream: Stream, kind: str = "") -> Inside:
    """The inside of a room of the plan, as its own kind or another."""
    room = plan.rooms[number]
    x, y, width, height = room.bounds
    ends = [
        end
        for tunnel in plan.tunnels
        for own, end in zip(tunnel.rooms, tunnel.ends, strict=True)
        if own == number
    ]
    doors = [End(end.side, tuple((i - x, j - y) for i, j in end.tiles)) for end in ends]
    danger = 100 * room.distance // max(each.distance for each in plan.rooms)
    return furnish(spec, kind or room.kind, (width, height), doors, danger, stream)


def finished_room(number: int, room: Chamber, inside: Inside) -> Room:
    """A room whose walls stand. Its bounds are those of its own tiles, not all that it may take up."""
    area = inside.terrain != VOID
    rows, columns = np.flatnonzero(area.any(axis=1)), np.flatnonzero(area.any(axis=0))
    left, top, right, bottom = map(int, (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1))
    bounds = Rect(room.bounds.x + left, room.bounds.y + top, right - left, bottom - top)
    return Room(
        id=number,
        kind=room.kind,
        shape=room.shape,
        cells=(),
        bounds=bounds,
        outline=outline(area[top:bottom, left:right], (bounds.x, bounds.y)),
        distance=room.distance,
        depth=room.depth,
        difficulty=inside.difficulty,
        layout="cellular",
    )


def _doors(plan: CavesPlan) -> Iterator[Door]:
    """Both ends of each tunnel; those of the tunnel to the boss tell of it."""
    for number, tunnel in enumerate(plan.tunnels):
        kind = "boss" if any(plan.rooms[room].kind == "boss" for room in tunnel.rooms) else "open"
        for i, (room, end) in enumerate(zip(tunnel.rooms, tunnel.ends, strict=True)):
            yield Door(2 * number + i, (room, None), end.tiles, end.side.label, kind)


def _carve(tiles: np.ndarray[tuple[int, int], np.dtype[np.int64]], terrain: Tiles) -> None:
    """Lay a tunnel's floor, and walls on every free tile that touches it, corners too."""
    xs, ys = tiles.T
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            beside = terrain[ys + dy, xs + dx]
            terrain[ys + dy, xs + dx] = np.where(beside == VOID, WALL, beside)
    terrain[ys, xs] = HALLWAY
