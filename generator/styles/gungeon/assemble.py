"""Turns the plan into tiles: the rooms, the hallways between them, walls, keys and torches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from generator.algorithms.graph import neighbours_of
from generator.algorithms.outline import Ring, close_pinches, outline, ring
from generator.geometry import Point, Rect, Side
from generator.interiors.free_tiles import HeldTiles
from generator.interiors.interior import (
    FurnishedRoom,
    PlacedMarker,
    fires_on,
)
from generator.interiors.pools import SHIPPED_KIT
from generator.kinds import HALLWAY, VOID, WALL, Kinds, Kit
from generator.kinds.decor_tables import BORDER
from generator.level import Door, Hallway, Level, Marker, Room, Tiles, new_door, new_room
from generator.rng import Stream
from generator.styles.gates import gate_kind
from generator.styles.gungeon.costs import door_kind
from generator.styles.gungeon.furnishing.arrangements import DEALS, HANDS
from generator.styles.gungeon.furnishing.faces import bare_faces
from generator.styles.gungeon.furnishing.kit_tables import danger_of, torches_of
from generator.styles.gungeon.furnishing.site import Opening, Site, stages_of
from generator.styles.gungeon.hallways import FurnishedHallway, furnish_hallways
from generator.styles.gungeon.keys import key_markers
from generator.styles.gungeon.plan import GungeonRoom, HeapPlan, PlannedGate, PlannedHallway, edges_of
from generator.styles.gungeon.spec import GungeonSpec, stage_seed
from generator.styles.gungeon.torches import (
    RoomToLight,
    hallway_torches,
    room_lights,
    torch_streams,
)


def sites_of(plan: HeapPlan, kit: Kit = SHIPPED_KIT) -> list[Site]:
    """List the sites of a floorplan's rooms, in their order."""
    openings: list[list[Opening]] = [[] for _ in plan.rooms]
    for number, hallway in enumerate(plan.hallways):
        kinds = _kinds_of_doors(plan, number, kit.kinds)
        border = _entered_at_border(plan, hallway)
        for i, end in enumerate(hallway.ends):
            bounds = plan.rooms[end.room].bounds
            tiles = tuple((x - bounds.x, y - bounds.y) for x, y in end.tiles)
            kind = BORDER if i == border and kinds[i] == "open" else kinds[i]
            openings[end.room].append(Opening(end.side, tiles, kind))
    hands = hands_of(len(plan.rooms), edges_of(plan.hallways), plan.size)
    furthest = max(room.distance for room in plan.rooms) or 1
    return [
        Site(
            kind=room.kind,
            width=room.bounds.width,
            height=room.bounds.height,
            openings=tuple(ways),
            distance=0 if room.is_hidden else room.distance,
            danger=danger_of(0 if room.is_hidden else 100 * room.distance // furthest, room.difficulty, kit),
            layout=room.layout,
            is_quiet=room.is_quiet,
            stages=stages_of(room.chapter, kit),
            kit=kit,
            gives=room.gives,
            hand=hand,
            turn=sum(plan.size) + number,
        )
        for number, (room, ways, hand) in enumerate(zip(plan.rooms, openings, hands, strict=True))
    ]


def hands_of(rooms: int, edges: Sequence[tuple[int, int]], size: Point) -> list[int]:
    """Deal arrangements to the rooms of a level: neighbours have different hands, if there are enough."""
    beside = neighbours_of(range(rooms), edges)
    deal, first = divmod(sum(size), HANDS)
    hands: list[int] = []
    for room in range(rooms):
        near = [hands[other] for other in beside[room] if other < room]
        hands.append(min(range(HANDS), key=lambda hand: (near.count(hand), (hand - first - room) % HANDS)))
    return [deal % DEALS * HANDS + hand for hand in hands]


def _entered_at_border(plan: HeapPlan, hallway: PlannedHallway) -> int | None:
    """Return the end of a hallway that lies in another district: a hallway looks like the room before it."""
    first, last = (plan.rooms[end.room] for end in hallway.ends)
    if first.zone == last.zone:
        return None
    order = [(room.distance, end.room) for room, end in zip((first, last), hallway.ends, strict=True)]
    return order.index(max(order))


def assemble_heap(
    spec: GungeonSpec, seed: int, seed_text: str | None, plan: HeapPlan, insides: Sequence[FurnishedRoom]
) -> Level:
    """Carve rooms and hallways, hang torches, number everything, and return the level.

    `insides` are the furnished rooms, in the plan's order. The level's spec names a team's own layouts by
    their digest.
    """
    (width, height), kinds, rolls = plan.size, spec.load_kit().kinds, stage_seed(spec, seed)
    terrain = np.full((height, width), VOID, np.uint8)
    decor = np.zeros((height, width), np.uint8)
    for room, inside in zip(plan.rooms, insides, strict=True):
        terrain[room.bounds.slices] = inside.terrain
        decor[room.bounds.slices] = inside.decor
    close_pinches(terrain, VOID, WALL)
    _carve_hallways(plan.hallways, terrain)
    hallways = furnish_hallways(spec, rolls, plan, terrain, decor)
    markers = list(_room_markers(plan.rooms, insides))
    if plan.keys:
        taken = [(marker.x, marker.y) for marker, _, _ in markers]
        markers += key_markers(spec, plan, rolls, HeldTiles(terrain, decor, kinds), taken)
    markers += _lights(plan, rolls, terrain, decor, markers, hallways, spec)
    return Level(
        seed=seed,
        seed_text=seed_text,
        spec=spec.sealed(),
        terrain=terrain,
        decor=decor,
        rooms=tuple(
            finished_room(number, room, inside, terrain)
            for number, (room, inside) in enumerate(zip(plan.rooms, insides, strict=True))
        ),
        doors=tuple(_doors(plan, kinds)),
        hallways=tuple(
            Hallway(number, (2 * number, 2 * number + 1), way.tiles) for number, way in enumerate(hallways)
        ),
        markers=tuple(
            [
                Marker(number, kind, x, y, room, hallway, properties)
                for number, ((kind, x, y, properties), room, hallway) in enumerate(markers)
            ]
        ),
        facts=plan.facts if spec.chapter == "none" else {**plan.facts, "chapter": spec.chapter},
        kinds=kinds,
    )


def _lights(
    plan: HeapPlan,
    seed: int,
    terrain: Tiles,
    decor: Tiles,
    markers: Sequence[tuple[PlacedMarker, int | None, int | None]],
    hallways: Sequence[FurnishedHallway],
    spec: GungeonSpec,
) -> list[tuple[PlacedMarker, int | None, int | None]]:
    """Hang the torches of rooms and hallways, and return all lights: each with its room or hallway."""
    kit, chapter = spec.load_kit(), spec.chapter
    kinds, faces = kit.kinds, bare_faces(terrain, decor, kit)
    doors: list[list[tuple[Side, tuple[Point, ...]]]] = [[] for _ in plan.rooms]
    for end in (end for hallway in plan.hallways for end in hallway.ends):
        doors[end.room].append((end.side, end.tiles))
    held: list[list[PlacedMarker]] = [[] for _ in plan.rooms]
    for marker, number, _ in markers:
        if number is not None:
            held[number].append(marker)
    lights: list[tuple[PlacedMarker, int | None, int | None]] = []
    for number, (room, stream) in enumerate(
        zip(plan.rooms, torch_streams(seed, len(plan.rooms)), strict=True)
    ):
        look = str(plan.facts.get(f"zone.{room.zone}.look", "")) or room.chapter or chapter
        lit = RoomToLight(room.bounds, doors[number], held[number], torches_of(room.kind, look, kit))
        lights += [(light, number, None) for light in room_lights(lit, faces, decor, kinds, stream)]
    streams = Stream.numbered(len(hallways), seed, "gungeon.hallway_torches")
    for number, (way, stream) in enumerate(zip(plan.hallways, streams, strict=True)):
        hung = hallway_torches(way, hallways[number], terrain, decor, kit, stream, spec.hallway_torches)
        fires = fires_on(hallways[number].things, decor, kinds)
        lights += [(light, None, number) for light in (*hung, *fires)]
    return lights


def _doors(plan: HeapPlan, kinds: Kinds) -> Iterator[Door]:
    """Yield the doors at both ends of each hallway, which are of the same kind."""
    for number, hallway in enumerate(plan.hallways):
        kinds_of_ends = _kinds_of_doors(plan, number, kinds)
        gate = plan.gates[number] if plan.gates else PlannedGate()
        for i, end in enumerate(hallway.ends):
            needs = gate.needs if i == gate.lock_end else ()
            one_way = gate.one_way and i == 1
            opens_from = end.room if gate.opens_end == i else None
            asks = kinds_of_ends[i]
            tiles, side = end.tiles, end.side.label
            pair = end.room, None
            yield new_door(2 * number + i, pair, tiles, side, asks, needs, one_way, opens_from, end.joins)


def _kinds_of_doors(plan: HeapPlan, number: int, kinds: Kinds) -> tuple[str, str]:
    """Return the kinds of the doors at both ends of a hallway."""
    first, last = (plan.rooms[end.room].kind for end in plan.hallways[number].ends)
    kind = door_kind((first, last), kinds)
    if not plan.gates:
        return kind, kind
    gate = plan.gates[number]
    is_plain = not _kind_of_gate(gate._replace(needs=()), gate.lock_end)
    if is_plain and gate.needs and kinds.costs.get(kind) == gate.needs:  # it is what doors of the kind cost
        gate = gate._replace(needs=())
    return _kind_of_gate(gate, 0) or kind, _kind_of_gate(gate, 1) or kind


def _kind_of_gate(gate: PlannedGate, end: int) -> str:
    """Return the kind of the gate's door at this end of its hallway. Empty if it needs nothing there."""
    if gate.is_secret:
        return "secret"
    return gate_kind(
        needs=bool(gate.needs) and gate.lock_end == end,
        one_way=gate.one_way and end == 1,
        opens=gate.opens_end == end,
    )


def finished_room(number: int, room: GungeonRoom, inside: FurnishedRoom, terrain: Tiles) -> Room:
    """Return the room of the level, once all walls stand, including those added beside hallways.

    Its bounds are the smallest rectangle round its tiles, which is smaller than the plan's where a ragged
    floor leaves whole rows or columns empty.
    """
    bounds, is_rectangle = room.bounds, VOID not in terrain[room.bounds.slices].tobytes()
    rings: tuple[Ring, ...]
    if is_rectangle:
        rings = (ring(bounds),)
    else:
        bounds = _tight(bounds, terrain)
        rings = outline(terrain[bounds.slices] != VOID, (bounds.x, bounds.y))
        is_rectangle = len(rings) == 1 and len(rings[0]) == 4
    return new_room(
        id=number,
        kind=room.kind,
        shape="rectangle" if is_rectangle else "ragged",
        cells=(),
        bounds=bounds,
        outline=rings,
        distance=None if room.is_hidden else room.distance,
        depth=room.depth,
        difficulty=inside.difficulty,
        layout=inside.layout,
        zone=room.zone,
        name=room.name,
    )


def _tight(rect: Rect, terrain: Tiles) -> Rect:
    """Trim a rectangle's outer rows and columns of void."""
    taken = terrain[rect.slices] != VOID
    if taken[0].any() and taken[-1].any() and taken[:, 0].any() and taken[:, -1].any():
        return rect
    columns, rows = (np.flatnonzero(taken.any(axis=axis)).tolist() for axis in (0, 1))
    x, y = columns[0], rows[0]
    return Rect(rect.x + x, rect.y + y, columns[-1] + 1 - x, rows[-1] + 1 - y)


def _carve_hallways(hallways: Sequence[PlannedHallway], terrain: Tiles) -> None:
    """Lay the floors of all hallways, and walls on every free tile round them, diagonals included."""
    if not hallways:
        return
    stride, flat = terrain.shape[1], terrain.reshape(-1)
    floor = np.array([y * stride + x for hallway in hallways for x, y in hallway.tiles])
    around = np.zeros(len(flat), bool)
    for row in (floor - stride, floor, floor + stride):
        for step in (-1, 0, 1):
            around[row + step] = True
    around &= flat == VOID
    flat[around] = WALL
    flat[floor] = HALLWAY


def _room_markers(
    rooms: Sequence[GungeonRoom], insides: Sequence[FurnishedRoom]
) -> Iterator[tuple[PlacedMarker, int | None, int | None]]:
    """Yield the markers in the rooms, room by room: the marker, its room, and None for its hallway."""
    for number, (room, inside) in enumerate(zip(rooms, insides, strict=True)):
        left, top = room.bounds.x, room.bounds.y
        for marker in inside.markers:
            kind, x, y, properties = marker
            yield PlacedMarker(kind, left + x, top + y, properties), number, None
