"""Where the keys of a level lie: near the middle of their rooms, on floor reachable from every door."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from generator.algorithms.bitboard import Bitboard, board_of, component4, erode_square, mask_of
from generator.errors import GenerationFailed
from generator.geometry import Point, Rect
from generator.interiors.interior import PlacedMarker
from generator.kinds import DOOR, FLOOR, RUBBLE, Kinds
from generator.level import Room, Tiles, passable, spread_decor
from generator.rerolls.draft import LevelDraft
from generator.rerolls.record import NothingElseError
from generator.styles.gungeon.plan import HeapPlan, PlannedKey
from generator.styles.gungeon.spec import GungeonSpec


def key_markers(
    spec: GungeonSpec, plan: HeapPlan, seed: int, terrain: Tiles, decor: Tiles, taken: Collection[Point]
) -> Iterator[tuple[PlacedMarker, int | None, int | None]]:
    """Yield the keys of a level: each a marker and its room. `taken` are the occupied tiles.

    Raises GenerationFailed if a room has no tile for its key.
    """
    occupied, kinds = set(taken), spec.load_kit().kinds
    for key in plan.keys:
        bounds = plan.rooms[key.room].bounds
        tile = tile_near_middle(bounds, HeldTiles(terrain, decor, kinds), occupied, spec.body)
        if tile is None:
            reason = f"room {key.place} is too full for {key.name}; give the room fewer keys, or another size"
            raise GenerationFailed("place for a key", 1, reason, seed)
        occupied.add(tile)
        yield key_marker(key, tile), key.room, None


def key_marker(key: PlannedKey, tile: Point) -> PlacedMarker:
    """Make the marker of a key that lies on a tile."""
    lever = {"lever": True} if key.is_lever else {}
    return PlacedMarker("key", *tile, {"opens": key.name, "consumed": key.consumed, **lever})


class HeldTiles(NamedTuple):
    """A level's arrays [y, x], and the kinds that their numbers stand for."""

    terrain: Tiles
    decor: Tiles
    kinds: Kinds


def tile_near_middle(bounds: Rect, held: HeldTiles, taken: Collection[Point], body: int) -> Point | None:
    """Find the free tile nearest to the middle of a room that a body can cover. None if there is none."""
    inside, kinds = held.terrain[bounds.slices], held.kinds
    decor = spread_decor(held.decor[bounds.slices], kinds.decor)
    free = ((inside == FLOOR) | (inside == RUBBLE)) & (decor == 0)
    free &= mask_of(_covered(inside, decor, kinds, body), inside.shape)
    for x, y in taken:
        if bounds.contains(x, y):
            free[y - bounds.y, x - bounds.x] = False
    ys, xs = np.nonzero(free)
    if not len(xs):
        return None
    apart = (2 * xs + 1 - bounds.width) ** 2 + (2 * ys + 1 - bounds.height) ** 2
    near = int(apart.argmin())
    return bounds.x + int(xs[near]), bounds.y + int(ys[near])


def _covered(inside: Tiles, decor: Tiles, kinds: Kinds, body: int) -> Bitboard:
    """Return the tiles that a body can cover on paths from the doors that avoid every hazard."""
    stride = inside.shape[1] + 1
    safe = board_of(passable(inside, decor, "walk", kinds) & ~kinds.decor_where("hazard")[decor])
    doors = board_of(inside == DOOR)
    if body == 1:
        return component4(doors, safe, stride)
    places = erode_square(safe, body, stride)
    left, piece = places, 0
    while left:  # the largest component leads to every door
        component = component4(left & -left, left, stride)
        left &= ~component
        piece = max(piece, component, key=int.bit_count)
    for _ in range(body - 1):
        piece |= piece << 1
    for _ in range(body - 1):
        piece |= piece << stride
    return piece


def keys_again(
    draft: LevelDraft, room: Room, placed: Iterable[PlacedMarker], body: int
) -> Iterator[PlacedMarker]:
    """Yield the keys of a room that was made anew, each on a tile where nothing was `placed`.

    Raises NothingElseError if no tile is free.
    """
    occupied = {(marker.x, marker.y) for marker in placed}
    for key in draft.markers(room.id):
        if key.kind == "key":
            held = HeldTiles(draft.terrain, draft.decor, draft.level.kinds)
            tile = tile_near_middle(room.bounds, held, occupied, body)
            if tile is None:
                raise NothingElseError(f"room {room.id}: has no free tile for its key")
            occupied.add(tile)
            yield PlacedMarker("key", *tile, key.properties)
