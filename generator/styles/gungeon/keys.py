"""Puts the keys of a level into its rooms: on raised floor between candles, and levers beside doors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from generator.errors import GenerationFailed
from generator.geometry import Point
from generator.interiors.free_tiles import HeldTiles, tile_at_wall, tile_in_sight
from generator.interiors.interior import PlacedMarker
from generator.rng import Stream
from generator.styles.gates import key_properties
from generator.styles.gungeon.furnishing.focal import set_round_later
from generator.styles.gungeon.furnishing.site import Opening, Site
from generator.styles.gungeon.plan import GungeonRoom, HeapPlan, PlannedKey
from generator.styles.gungeon.spec import GungeonSpec


def key_markers(
    spec: GungeonSpec, plan: HeapPlan, seed: int, held: HeldTiles, taken: Collection[Point]
) -> Iterator[tuple[PlacedMarker, int | None, int | None]]:
    """Yield the keys of a level: each a marker and its room. `taken` are the occupied tiles.

    Raises GenerationFailed if a room has no tile for its key.
    """
    occupied = set(taken)
    for number, key in enumerate(plan.keys):
        room = plan.rooms[key.room]
        tile = _lever_place(spec, plan, key, held, occupied) if key.is_lever else None
        tile = tile or tile_in_sight(room.bounds, held, occupied, spec.body, _doorsteps(plan, key.room))
        if tile is None:
            reason = f"room {key.place} is too full for {key.name}; give the room fewer keys, or another size"
            raise GenerationFailed("place for a key", 1, reason, seed)
        if not key.is_lever:
            _raise(spec, room, tile, held, occupied, Stream(seed, "gungeon.keys", number))
        occupied.add(tile)
        more = {"lever": True} if key.is_lever else {}
        more |= {"must": True} if key.must else {}
        marker = PlacedMarker("key", *tile, key_properties(key.name, consumed=key.consumed) | more)
        yield marker, key.room, None


def _doorsteps(plan: HeapPlan, room: int) -> list[Point]:
    ends = (end for hallway in plan.hallways for end in hallway.ends if end.room == room)
    return [Opening(end.side, end.tiles).doorstep for end in ends]


def _lever_place(
    spec: GungeonSpec, plan: HeapPlan, key: PlannedKey, held: HeldTiles, taken: Collection[Point]
) -> Point | None:
    """Find the place of a lever: at a wall beside the door that it opens, or beside another of its room."""
    doors: list[tuple[bool, Sequence[Point]]] = [
        (key.name not in gate.needs, end.tiles)
        for gate, hallway in zip(plan.gates, plan.hallways, strict=True)
        for end in hallway.ends
        if end.room == key.room
    ]
    if not doors:
        return None
    return tile_at_wall(plan.rooms[key.room].bounds, held, taken, spec.body, min(doors)[1])


def _raise(
    spec: GungeonSpec,
    room: GungeonRoom,
    tile: Point,
    held: HeldTiles,
    taken: Collection[Point],
    stream: Stream,
) -> None:
    """Put a key on what the kit has for keys, as far as the floor is free."""
    x, y, width, height = bounds = room.bounds
    site = Site(room.kind, width, height, (), 0, 0, kit=spec.load_kit())
    occupied = [(i - x, j - y) for i, j in taken if bounds.contains(i, j)]
    inside = HeldTiles(held.terrain[bounds.slices], held.decor[bounds.slices], held.kinds)
    key = "key", (tile[0] - x, tile[1] - y)
    inside.decor[:] = set_round_later(site, inside, key, occupied, spec.chapter, stream)
