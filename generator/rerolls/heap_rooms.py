"""Another inside for a room of the `gungeon` style: furnished by the same procedure, from another stream."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from generator.errors import LevelError
from generator.floorplans.gungeon.plan import HeapRoom
from generator.geometry import Rect, Side
from generator.interiors.interior import PlacedMarker
from generator.interiors.procedural.quiet_rooms import chest_tier
from generator.interiors.procedural.rooms import ROOMS, furnish_site
from generator.interiors.procedural.site import Inside, Opening, Site
from generator.kinds import DECOR_IDS, HALLWAY, VOID, WALL
from generator.level import Room, Tiles
from generator.rerolls import draft as drafts
from generator.rerolls.draft import Draft
from generator.rerolls.markers import move_markers, wait_anew
from generator.rerolls.record import NothingElseError, Rolls
from generator.rng import Stream
from generator.spec import GungeonSpec
from generator.tiles.heap import close_pinches, finished_room, room_lights

_MOST_TRIES = 8  # for an inside that is not what was there
_LEAST, _LEAST_OF_BOSSES, _MOST = 7, 15, 63  # tiles of a room's side, as the spec has them


class HeapRooms:
    """Makes rooms of a level of the `gungeon` style."""

    def __init__(self, draft: Draft, spec: GungeonSpec) -> None:
        self._draft = draft
        self._spec = spec
        self._furthest = max(room.distance or 0 for room in draft.rooms) or 1
        self._hallway_torches = np.zeros(draft.terrain.shape, bool)  # some hang in walls of rooms
        for marker in draft.level.markers:
            if marker.kind == "torch" and marker.room is None:
                self._hallway_torches[marker.y, marker.x] = True

    def make(self, number: int, rolls: Rolls, seed: int) -> None:
        """Make the inside of a room anew. Raises NothingElseError if there is no other one."""
        draft, room = self._draft, self._draft.rooms[number]
        site, area = self._site(room), room.bounds.slices
        before = None if rolls.is_first_of_its_own else (draft.terrain[area].copy(), draft.decor[area].copy())
        markers = draft.markers(number)
        for attempt in range(_MOST_TRIES):
            stream = Stream(seed, "reroll.furnish", number, rolls.layout, attempt)
            self._put(room, furnish_site(site, self._spec, stream))
            if before is None or not all(
                map(np.array_equal, before, (draft.terrain[area], draft.decor[area]))
            ):
                return
        draft.rooms[number] = room
        draft.put_markers(number, (), markers)
        raise NothingElseError(
            f"room {number}: a {room.kind} room of its size looks like this however it is rolled"
        )

    def _put(self, room: Room, inside: Inside) -> None:
        """Set a room's inside into the level, as `assemble_heap` does for all rooms."""
        draft, bounds = self._draft, room.bounds
        terrain, decor = draft.terrain[bounds.slices], draft.decor[bounds.slices]
        terrain[:], decor[:] = inside.terrain, inside.decor
        close_pinches(terrain)
        _wall_beside_hallways(bounds, draft.terrain)
        markers = [marker._replace(x=bounds.x + marker.x, y=bounds.y + marker.y) for marker in inside.markers]
        markers += room_lights(bounds, draft.terrain, draft.decor)
        draft.put_markers(room.id, markers)
        decor[self._hallway_torches[bounds.slices]] = DECOR_IDS["torch"]
        planned = HeapRoom(room.kind, bounds, room.distance or 0, room.depth)
        finished = finished_room(room.id, planned, inside, draft.terrain)
        draft.rooms[room.id] = replace(finished, distance=room.distance)

    def move(self, number: int, rolls: Rolls, seed: int) -> None:
        """Place enemies, pickups and chests anew. Raises NothingElseError if there is nothing or no place."""
        room = self._draft.rooms[number]
        site = self._site(room)
        if room.kind == "normal":
            wait_anew(self._draft, room, site, self._spec, rolls, seed)
        else:
            move_markers(self._draft, room, rolls, seed, partial(_vary, site))

    def _site(self, room: Room) -> Site:
        """The room as its furnishing sees it. Raises LevelError if there can be no such room."""
        bounds, least = room.bounds, _LEAST_OF_BOSSES if room.kind == "boss" else _LEAST
        height, width = self._draft.terrain.shape
        if bounds.x < 1 or bounds.y < 1 or bounds.right >= width or bounds.bottom >= height:
            raise LevelError(f"rooms[{room.id}].bounds: {list(bounds)} lies at the level's edge")
        if room.kind not in ROOMS or not all(least <= side <= _MOST for side in bounds[2:]):
            width, height = bounds[2:]
            raise LevelError(
                f"rooms[{room.id}]: there is no {room.kind} room of {width} x {height} tiles in this style"
            )
        openings = self._draft.openings(room.id)
        if len(openings) > 2 * sum(bounds[2:]):
            raise LevelError(f"doors: room {room.id} has {len(openings)}, more than its wall has tiles")
        return Site(
            kind=room.kind,
            width=bounds.width,
            height=bounds.height,
            openings=tuple(self._opening(room, each) for each in openings),
            distance=room.distance or 0,
            danger=100 * (room.distance or 0) // self._furthest,
        )

    def _opening(self, room: Room, opening: drafts.Opening) -> Opening:
        """A door in tiles of the room. Raises LevelError unless it lies in that side of its wall."""
        bounds, side = room.bounds, opening.side
        tiles = tuple((x - bounds.x, y - bounds.y) for x, y in opening.tiles)
        if tiles != _door_at(tiles[0] if tiles else (0, 0), side, self._spec.hallway_width, bounds):
            raise LevelError(
                f"doors[{opening.door}]: its tiles are not in the {side.label} wall of room {room.id}; "
                "see `undercroft check`"
            )
        return Opening(side, tiles)


def _vary(site: Site, marker: PlacedMarker, stream: Stream) -> PlacedMarker:
    """A chest may turn out another; one word."""
    tier = chest_tier(site.danger, stream)
    return (
        marker._replace(properties={**marker.properties, "tier": tier}) if marker.kind == "chest" else marker
    )


def _door_at(first: tuple[int, int], side: Side, width: int, bounds: Rect) -> tuple[tuple[int, int], ...]:
    """The tiles of a door of that width in a side of a room, none in a corner; nothing if it does not fit."""
    along = int(not side.is_vertical_way)  # the axis that it runs along
    start, length = first[along], bounds[2 + along]
    if not 1 <= start <= length - 1 - width:
        return ()
    edge = 0 if side in (Side.NORTH, Side.WEST) else bounds[3 - along] - 1
    run = range(start, start + width)
    return tuple((edge, i) if along else (i, edge) for i in run)


def _wall_beside_hallways(bounds: Rect, terrain: Tiles) -> None:
    """Put walls on a room's empty tiles that touch a hallway, corners too."""
    around = terrain[bounds.shrunk(-1).slices] == HALLWAY
    touched = np.zeros((bounds.height, bounds.width), bool)
    for dy in range(3):
        for dx in range(3):
            touched |= around[dy : dy + bounds.height, dx : dx + bounds.width]
    inside = terrain[bounds.slices]
    inside[touched & (inside == VOID)] = WALL
