"""Move enemies, pickups and chests of a room; its terrain and decor stay the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np

from generator.algorithms.bitboard import board_of
from generator.encounters.encounter import Battleground, stands_near, waits
from generator.geometry import Point
from generator.interiors.free_tiles import HeldTiles, tile_near_middle
from generator.interiors.interior import PlacedMarker, reached, too_near
from generator.interiors.passage import covered_from
from generator.kinds import FLOOR, RUBBLE, WALL
from generator.level import Marker, Room, Tiles, passable, spread_decor
from generator.rerolls.draft import LevelDraft
from generator.rerolls.record import NothingElseError, Rolls
from generator.rng import Stream

MOVED = ("enemy", "pickup", "chest")
MAX_TRIES = 8  # to find places that differ from the present ones
_APART = 3  # steps between two markers, if there is space

Vary = Callable[[PlacedMarker, Stream], PlacedMarker]


def move_markers(draft: LevelDraft, room: Room, rolls: Rolls, seed: int, vary: Vary) -> None:
    """Put the movable markers on other free tiles that can be reached safely. `vary` can change them.

    They keep their ids. Raises NothingElseError if nothing can change.
    """
    moved = to_move(draft, room)
    fixed = [marker for marker in draft.markers(room.id) if marker.kind not in MOVED]
    free = free_tiles(draft, room, fixed)
    for attempt in range(MAX_TRIES):
        stream = Stream(seed, "reroll.markers", room.id, rolls.layout, rolls.markers, attempt)
        placed = _placed(draft, room, moved, free, stream, vary)
        if placed != moved:
            draft.put_markers(room.id, (), [*fixed, *placed])
            return
    raise NothingElseError(f"room {room.id}: has no other free tile for its enemies, pickups and chests")


def to_move(draft: LevelDraft, room: Room) -> list[Marker]:
    """Return the movable markers of a room. Raises NothingElseError if there are none."""
    moved = [marker for marker in draft.markers(room.id) if marker.kind in MOVED]
    if not moved:
        raise NothingElseError(
            f"room {room.id}: this {room.kind} room has no enemies, pickups or chests; roll its layout "
            "instead"
        )
    return moved


def free_tiles(draft: LevelDraft, room: Room, fixed: Sequence[Marker]) -> list[Point]:
    """Empty floor, in rows, that can be reached from a door without a hazard."""
    bounds = room.bounds
    x0, y0 = bounds.x, bounds.y
    terrain, covered = own_tiles(draft, room)
    kinds = draft.level.kinds
    hazard = kinds.decor_where("hazard")[covered] | kinds.terrain_where("hazard")[terrain]
    ways = passable(terrain, covered, "walk", kinds) & ~hazard
    starts = [step for opening in draft.openings(room.id) for step in opening.steps]
    starts = starts or [(marker.x, marker.y) for marker in draft.markers(room.id)]  # for a room without doors
    safe: set[Point] = set()
    for x, y in starts:
        start = x - x0, y - y0
        if start not in safe and bounds.contains(x, y) and ways[start[1], start[0]]:
            safe |= reached(start, ways)
    body = draft.level.spec.body
    if body > 1:
        doors = [(x - x0, y - y0) for opening in draft.openings(room.id) for x, y in opening.tiles]
        safe &= covered_from(doors, ways, body) if doors else safe
    bare = ((terrain == FLOOR) | (terrain == RUBBLE)) & (covered == 0)
    taken = {(marker.x, marker.y) for marker in fixed}
    places = sorted((y + y0, x + x0) for x, y in safe if bare[y, x])
    return [(x, y) for y, x in places if (x, y) not in taken]


def own_tiles(draft: LevelDraft, room: Room) -> tuple[Tiles, Tiles]:
    """Return terrain and covered decor, [y, x] in a room's bounds. Tiles in other rooms' cells are wall."""
    height, width = room.bounds.height, room.bounds.width
    terrain = draft.terrain[room.bounds.slices].copy()
    if draft.level.grid is not None:
        own = np.zeros(terrain.shape, bool)
        for cell in room.cells:
            rect = draft.level.grid.cell_rect(cell)
            own[rect._replace(x=rect.x - room.bounds.x, y=rect.y - room.bounds.y).slices] = True
        terrain[~own] = WALL
    kinds = draft.level.kinds.decor
    widest = max(max(kind.width, kind.height) for kind in kinds)
    wide = np.pad(
        draft.decor[room.bounds.slices], (0, widest)
    )  # a thing that a person put there may stick out
    return terrain, spread_decor(wide, kinds)[:height, :width]


def keys_again(
    draft: LevelDraft,
    room: Room,
    placed: Iterable[PlacedMarker],
    body: int,
    elsewhere: Iterable[Point] = (),
) -> list[PlacedMarker]:
    """Place the keys of a room that was made anew, each on a tile where nothing was `placed`.

    `elsewhere` are tiles of its bounds that are not the room's. Raises NothingElseError if no tile is free.
    """
    held = HeldTiles(draft.terrain, draft.decor, draft.level.kinds)
    occupied = {(marker.x, marker.y) for marker in placed}
    occupied.update(elsewhere)
    keys = []
    for key in draft.markers(room.id):
        if key.kind == "key":
            tile = tile_near_middle(room.bounds, held, occupied, body)
            if tile is None:
                raise NothingElseError(f"room {room.id}: has no free tile for its key")
            occupied.add(tile)
            keys.append(PlacedMarker("key", *tile, key.properties))
    return keys


def another_enemy(
    draft: LevelDraft, room: Room, champions: int
) -> Callable[[PlacedMarker, Stream], PlacedMarker]:
    """Make a function that adapts an enemy to another tile: a champion or not, and how long it waits there.

    `champions` is in percent. It takes a word for each marker.
    """
    x0, y0 = room.bounds.x, room.bounds.y
    terrain, covered = own_tiles(draft, room)
    ways_in = tuple((x - x0, y - y0) for opening in draft.openings(room.id) for x, y in opening.steps)
    kinds = draft.level.kinds
    shots = board_of(passable(terrain, covered, "shoot", kinds))
    ground = Battleground(room.bounds.width, room.bounds.height, 0, shots, ways_in, kinds)

    def vary(marker: PlacedMarker, stream: Stream) -> PlacedMarker:
        champion = stream.chance(champions, 100)
        if marker.kind != "enemy":
            return marker
        delay = waits(ground, marker._replace(x=marker.x - x0, y=marker.y - y0))
        properties = {**marker.properties, "champion": champion, "wakes_after": delay}
        return marker._replace(properties=properties)

    return vary


def _placed(
    draft: LevelDraft, room: Room, moved: Sequence[Marker], free: Sequence[Point], stream: Stream, vary: Vary
) -> list[Marker]:
    """Place the markers on different tiles, enemies first, as far apart as space allows."""
    tiles = list(free)
    stream.shuffle(tiles)
    steps = {step for opening in draft.openings(room.id) for step in opening.steps}
    forbidden = {kind: {tile for tile in tiles if _is_forbidden(kind, tile, steps)} for kind in MOVED}
    for apart in range(_APART, 0, -1):
        left, places = tiles, dict[int, Point]()
        for marker in sorted(moved, key=lambda marker: MOVED.index(marker.kind)):
            spot = next((tile for tile in left if tile not in forbidden[marker.kind]), None)
            if spot is None:
                break
            places[marker.id] = x, y = spot
            left = [tile for tile in left if abs(tile[0] - x) + abs(tile[1] - y) >= apart]
        else:
            return [_at(marker, places[marker.id], stream, vary) for marker in moved]
    raise NothingElseError(f"room {room.id}: has fewer free tiles than there are enemies, pickups and chests")


def _is_forbidden(kind: str, tile: Point, steps: Collection[Point]) -> bool:
    return too_near(kind, tile, steps) or (kind == "enemy" and stands_near(tile, steps))


def _at(marker: Marker, tile: Point, stream: Stream, vary: Vary) -> Marker:
    varied = vary(PlacedMarker(marker.kind, *tile, marker.properties), stream)
    return replace(marker, x=varied.x, y=varied.y, properties=varied.properties)
