"""Builds a level from a floorplan on a grid. The last step: everything decided becomes one frozen level."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from generator.algorithms.outline import Ring, outline, ring
from generator.geometry import GridFrame, Point, Rect
from generator.interiors.footprint import covered_tiles
from generator.interiors.interior import PlacedMarker
from generator.interiors.lights import TORCH, TORCH_LIGHT, fire_markers, may_burn
from generator.kinds import Kinds
from generator.level import Door, Level, Marker, MarkerRow, Room, Tiles, numbered_markers
from generator.shapes import SHAPES
from generator.spec import LevelSpec
from generator.styles.grid.carve import Carved, carve
from generator.styles.grid.floorplan import Floorplan, PlannedRoom
from generator.styles.grid.furnish import Chooser, FurnishedLevel, furnish
from generator.styles.grid.spec import GridSpec

# The last step of a grid style: everything that was decided becomes one frozen level.


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
            Door(number, (door.a, door.b), (*tiles.first, *tiles.second), door.side.label, door.kind)
            for number, (door, tiles) in enumerate(zip(plan.doors, carved.doors, strict=True))
        ),
        markers=_markers(plan, furnished, carved),
        grid=carved.frame,
        facts={**plan.facts, "chapter": furnished.chapter},
        kinds=plan.kinds,
    )


def _rooms(plan: Floorplan, furnished: FurnishedLevel, carved: Carved) -> tuple[Room, ...]:
    return tuple(
        Room(
            id=number,
            kind=room.kind,
            shape=room.shape,
            cells=room.cells,
            bounds=bounds,
            outline=_outline(room, bounds, carved.frame),
            distance=room.distance,
            depth=room.depth,
            difficulty=furnishing.difficulty,
            layout=furnishing.layout,
        )
        for number, (room, furnishing, bounds) in enumerate(
            zip(plan.rooms, furnished.rooms, carved.bounds, strict=True)
        )
    )


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


def _markers(plan: Floorplan, furnished: FurnishedLevel, carved: Carved) -> tuple[Marker, ...]:
    """Collect the markers of the layouts, room by room, and then the lights."""
    rows: list[MarkerRow] = []
    fires_in: list[MarkerRow] = []
    for room, ((left, top, _, _), furnishing) in enumerate(zip(carved.bounds, furnished.rooms, strict=True)):
        for kind, x, y, properties in furnishing.markers:
            rows.append((kind, left + 1 + x, top + 1 + y, room, None, properties))
        if may_burn(furnishing.decor, plan.kinds):
            burning = fires(plan.rooms[room].cells, carved.frame, carved.decor, plan.kinds)
            fires_in += [(kind, x, y, room, None, properties) for kind, x, y, properties in burning]
    rows += [(TORCH, x, y, room, None, TORCH_LIGHT) for room, (x, y) in carved.torches]
    return numbered_markers(rows + fires_in)


def build_level(spec: GridSpec, seed: int, seed_text: str | None, plan: Floorplan, choose: Chooser) -> Level:
    """Build the level of a floorplan. `choose` gives a room its layout. Raises SpecError and LayoutError."""
    furnished = furnish(spec, plan, seed, choose)
    carved = carve(plan, furnished.rooms, spec.room_size, spec.door_width)
    return assemble(spec, seed, seed_text, plan, furnished, carved)
