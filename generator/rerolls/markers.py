"""Enemies, pickups and chests of a room in other places, its terrain and decor as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from generator.geometry import Point
from generator.interiors.interior import PlacedMarker, reached, too_near
from generator.interiors.passage import covered_from
from generator.interiors.procedural.battle_room import Arena, who_waits
from generator.interiors.procedural.boards import board_of, piece4
from generator.interiors.procedural.shell import doors_of, inside_of
from generator.interiors.procedural.site import Site
from generator.kinds import DECOR_KINDS, FLOOR, RUBBLE, WALL
from generator.level import Marker, Room, Tiles, passable, spread_decor
from generator.rerolls.draft import Draft
from generator.rerolls.record import NothingElseError, Rolls
from generator.rng import Stream
from generator.spec import GungeonSpec

MOVED = ("enemy", "pickup", "chest")
_MOST_TRIES = 8  # for places that are not those that there were
_APART = 3  # steps between two markers, where there is room for that
_WIDEST = 2  # tiles of a thing

Vary = Callable[[PlacedMarker, Stream], PlacedMarker]


def move_markers(draft: Draft, room: Room, rolls: Rolls, seed: int, vary: Vary) -> None:
    """Put what may be moved on other free tiles that one reaches safely; `vary` may change what it is.

    It keeps its id. Raises NothingElseError if nothing can change.
    """
    moved = to_move(draft, room)
    others = [marker for marker in draft.markers(room.id) if marker.kind not in MOVED]
    free = free_tiles(draft, room, others)
    for attempt in range(_MOST_TRIES):
        stream = Stream(seed, "reroll.markers", room.id, rolls.layout, rolls.markers, attempt)
        made = _placed(draft, room, moved, free, stream, vary)
        if made != moved:
            draft.put_markers(room.id, (), [*others, *made])
            return
    raise NothingElseError(f"room {room.id}: has no other free tile for what stands in it")


def to_move(draft: Draft, room: Room) -> list[Marker]:
    """A room's markers that may be moved. Raises NothingElseError if there are none."""
    moved = [marker for marker in draft.markers(room.id) if marker.kind in MOVED]
    if not moved:
        raise NothingElseError(
            f"room {room.id}: this {room.kind} room has no enemies, pickups or chests; roll its layout"
        )
    return moved


def free_tiles(draft: Draft, room: Room, others: Sequence[Marker]) -> list[Point]:
    """Bare floor, in rows, that one reaches from a door without a hazard, and where nothing stands."""
    bounds = room.bounds
    x0, y0 = bounds.x, bounds.y
    terrain, covered = _own_tiles(draft, room)
    hazard = np.array([kind.hazard for kind in DECOR_KINDS])[covered]
    ways = passable(terrain, covered, "walk") & ~hazard
    starts = [step for opening in draft.openings(room.id) for step in opening.steps]
    starts = starts or [(marker.x, marker.y) for marker in draft.markers(room.id)]  # an ultra secret room
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
    taken = {(marker.x, marker.y) for marker in others}
    places = sorted((y + y0, x + x0) for x, y in safe if bare[y, x])
    return [(x, y) for y, x in places if (x, y) not in taken]


def _own_tiles(draft: Draft, room: Room) -> tuple[Tiles, Tiles]:
    """Terrain, and what things cover, [y, x] over a room's bounds; tiles in another room's cells are wall."""
    height, width = room.bounds.height, room.bounds.width
    terrain = draft.terrain[room.bounds.slices].copy()
    if draft.level.grid is not None:
        own = np.zeros(terrain.shape, bool)
        for cell in room.cells:
            rect = draft.level.grid.cell_rect(cell)
            own[rect._replace(x=rect.x - room.bounds.x, y=rect.y - room.bounds.y).slices] = True
        terrain[~own] = WALL
    wide = np.pad(draft.decor[room.bounds.slices], (0, _WIDEST))  # a thing may reach out if a person put it
    return terrain, spread_decor(wide, DECOR_KINDS)[:height, :width]


def _placed(
    draft: Draft, room: Room, moved: Sequence[Marker], free: Sequence[Point], stream: Stream, vary: Vary
) -> list[Marker]:
    """Each on a tile of its own, enemies first, as far from each other as there is room for."""
    tiles = list(free)
    stream.shuffle(tiles)
    steps = {step for opening in draft.openings(room.id) for step in opening.steps}
    forbidden = {kind: {tile for tile in tiles if too_near(kind, tile, steps)} for kind in MOVED}
    for apart in range(_APART, 0, -1):
        left, places = tiles, dict[int, Point]()
        for marker in sorted(moved, key=lambda marker: MOVED.index(marker.kind)):
            place = next((tile for tile in left if tile not in forbidden[marker.kind]), None)
            if place is None:
                break
            places[marker.id] = x, y = place
            left = [tile for tile in left if abs(tile[0] - x) + abs(tile[1] - y) >= apart]
        else:
            return [_at(marker, places[marker.id], stream, vary) for marker in moved]
    raise NothingElseError(f"room {room.id}: has fewer free tiles than there are enemies, pickups and chests")


def _at(marker: Marker, place: Point, stream: Stream, vary: Vary) -> Marker:
    made = vary(PlacedMarker(marker.kind, *place, marker.properties), stream)
    return replace(marker, x=made.x, y=made.y, properties=made.properties)


# --- the gungeon style -------------------------------------------------------------------------------


def wait_anew(draft: Draft, room: Room, site: Site, spec: GungeonSpec, rolls: Rolls, seed: int) -> None:
    """Draw anew who waits in an enemy room, and where. Raises NothingElseError if nothing can change."""
    old = [marker for marker in draft.markers(room.id) if marker.kind in MOVED]
    kept = [marker for marker in draft.markers(room.id) if marker.kind not in MOVED]
    before = [(marker.kind, marker.x, marker.y, marker.properties) for marker in old]
    x, y = room.bounds.x, room.bounds.y
    arena = _arena(draft, room, site, [(marker.x - x, marker.y - y) for marker in kept])
    for attempt in range(_MOST_TRIES):
        stream = Stream(seed, "reroll.markers", room.id, rolls.layout, rolls.markers, attempt)
        placed = [
            marker._replace(x=x + marker.x, y=y + marker.y) for marker in who_waits(site, arena, spec, stream)
        ]
        if [tuple(marker) for marker in placed] != before:
            draft.put_markers(room.id, placed, kept)
            return
    raise NothingElseError(f"room {room.id}: has no other free tile for what stands in it")


def _arena(draft: Draft, room: Room, site: Site, taken: Sequence[Point]) -> Arena:
    """The room as boards: of its floor, what one reaches from its doors; the tiles `taken` are covered."""
    terrain, covered = _own_tiles(draft, room)
    stands = board_of(covered > 0)
    for x, y in taken:
        if 0 <= x < site.width and 0 <= y < site.height:
            stands |= 1 << x + y * (site.width + 1)
    floor = board_of((terrain == FLOOR) | (terrain == RUBBLE)) & inside_of(site)
    blocks = np.array([not kind.walk or kind.hazard for kind in DECOR_KINDS])[covered]
    doors = doors_of(site)
    walkable = (floor | doors) & ~board_of(blocks)
    if doors:
        walkable = piece4(doors, walkable, site.width + 1)
    return Arena(floor, doors, stands, walkable)
