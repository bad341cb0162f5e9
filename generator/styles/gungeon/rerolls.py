"""Rerolls the inside of a room of the `gungeon` style: another layout that fits, or one by procedure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from generator.algorithms.bitboard import board_of, component4, dilate8, mask_of
from generator.algorithms.outline import close_pinches
from generator.errors import GenerationFailed, LevelError, SpecError
from generator.geometry import Point, Rect, Side
from generator.interiors.interior import FurnishedRoom, PlacedMarker, torch_of
from generator.kinds import FLOOR, HALLWAY, RUBBLE, VOID, WALL
from generator.kinds.chapters import INJECTED
from generator.kinds.decor_tables import BORDER
from generator.level import Property, Room, Tiles, passable
from generator.rerolls import draft as drafts
from generator.rerolls.draft import LevelDraft, stays
from generator.rerolls.markers import MAX_TRIES, MOVED, keys_again, move_markers, own_tiles
from generator.rerolls.record import NothingElseError, Rolls
from generator.rerolls.reroll import layouts_again
from generator.rng import Stream
from generator.styles.costs import costly_rooms
from generator.styles.gungeon.assemble import finished_room, hands_of
from generator.styles.gungeon.checks import injected_rows
from generator.styles.gungeon.costs import door_kind
from generator.styles.gungeon.dealing import door_of, fitting
from generator.styles.gungeon.facing import facing
from generator.styles.gungeon.facts_checks import has_flow, is_led
from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.flows.records import WITHOUT_PLAN
from generator.styles.gungeon.furnishing.battle_room import Arena, place_enemies
from generator.styles.gungeon.furnishing.faces import bare_faces
from generator.styles.gungeon.furnishing.furnishers import furnish_site
from generator.styles.gungeon.furnishing.gungeon_layouts import GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import (
    danger_of,
    gungeon_kind,
    gungeon_kinds,
    off_the_way,
    torches_of,
)
from generator.styles.gungeon.furnishing.quiet_rooms import chest_tier
from generator.styles.gungeon.furnishing.site import Opening, Site, stages_of
from generator.styles.gungeon.led import prize_of
from generator.styles.gungeon.plan import GungeonRoom, keeps_off_the_way
from generator.styles.gungeon.set_pieces import layout_of, piece_of
from generator.styles.gungeon.spec import MAX_DRAWN, GungeonSpec, stage_seed
from generator.styles.gungeon.torches import RoomToLight, room_lights, torch_streams

_MAX_TRIES = 8  # to get an inside that differs from the present one
_MIN_SIDE = 3  # tiles, walls included


class GungeonRooms:
    """Makes rooms of a level of the `gungeon` style, each in the rectangle that the floorplan gave it.

    `layouts` is the folder of the team's own layouts, if the level has any.
    """

    def __init__(self, draft: LevelDraft, spec: GungeonSpec, layouts: str | Path) -> None:
        self._draft = draft
        self._spec = spec
        self._layouts = layouts
        self._kinds = draft.level.kinds
        self._furthest = max(room.distance or 0 for room in draft.rooms) or 1
        self._hallway_torches = np.zeros(draft.terrain.shape, bool)  # some hang on the walls of rooms
        for marker in draft.level.markers:
            if marker.kind == "torch" and marker.room is None:
                self._hallway_torches[marker.y, marker.x] = True

    def make(self, number: int, rolls: Rolls, seed: int) -> None:
        """Make the inside of a room anew. Raises NothingElseError if there is no other."""
        draft, old, spec = self._draft, self._draft.rooms[number], self._spec_with_layouts
        room = self._on_its_site(old)
        site, area = self._site(room), room.bounds.slices
        before = None if rolls.is_first_of_its_own else (draft.terrain[area].copy(), draft.decor[area].copy())
        markers = draft.markers(number)
        options = self._options(number, site, "" if rolls.is_first_of_its_own else old.layout)
        for attempt in range(_MAX_TRIES if options else 0):
            stream = Stream(seed, "reroll.furnish", number, rolls.layout, attempt)
            layout = stream.weighted(*zip(*options, strict=True))
            self._put(room, furnish_site(facing(spec, site._replace(layout=layout)), self._spec, stream))
            if before is None or not all(
                map(np.array_equal, before, (draft.terrain[area], draft.decor[area]))
            ):
                return
        draft.rooms[number] = old
        draft.put_markers(number, (), markers)
        raise NothingElseError(
            f"room {number}: a {room.kind} room of its size looks like this however it is rolled"
        )

    def _options(self, room: int, site: Site, present: str) -> list[tuple[GungeonLayout | None, int]]:
        """List the room's other layouts (None: by procedure), each with its weight.

        They have its size and can have its doors. A room of a set piece keeps its own.
        """
        kind, spec = gungeon_kind(self._kinds, site.kind), self._spec_with_layouts
        if own := layout_of(spec.load_kit(), self._draft.rooms[room].layout):
            return [(own, 1)]
        doors = [
            door_of(opening.side, opening.tiles[0], self._draft.doors[door.door].joins)
            for opening, door in zip(site.openings, self._draft.openings(room), strict=True)
        ]
        options: list[tuple[GungeonLayout | None, int]] = [
            (layout, layout.weight)
            for layout in fitting(spec, site.kind, (site.width, site.height), doors)
            if layout.name != present
        ]
        percent = spec.share_by_procedure(kind)
        weight = sum(weight for _, weight in options) * percent // max(1, 100 - percent)
        if min(site.width, site.height) >= kind.least_side and (weight or not options):
            options.append((None, weight or 1))
        return options

    @cached_property
    def _spec_with_layouts(self) -> GungeonSpec:
        """The spec with the folder of the team's own layouts, which the level names by their digest."""
        layouts_again(self._draft.level.spec, self._layouts, None, self._spec.load_kit())
        return replace(self._spec, layouts=str(self._layouts))

    def _put(self, room: Room, inside: FurnishedRoom) -> None:
        """Put a room's inside in its place, as `assemble_heap` does for all rooms."""
        draft, bounds = self._draft, room.bounds
        terrain, decor = draft.terrain[bounds.slices], draft.decor[bounds.slices]
        terrain[:], decor[:] = inside.terrain, inside.decor
        close_pinches(terrain, VOID, WALL)
        _wall_beside_hallways(bounds, draft.terrain)
        markers = [marker._replace(x=bounds.x + marker.x, y=bounds.y + marker.y) for marker in inside.markers]
        markers += keys_again(draft, room, markers, self._spec.body, also=INJECTED)
        names = {marker.kind: marker.properties for marker in draft.markers(room.id) if marker.kind == "boss"}
        markers = [
            marker._replace(properties={**marker.properties, **_name_of(names[marker.kind])})
            if marker.kind in names
            else marker
            for marker in markers
        ]
        doors = [(opening.side, opening.tiles) for opening in draft.openings(room.id)]
        stream = torch_streams(stage_seed(self._spec, draft.level.seed), len(draft.rooms))[room.id]
        facts, kit = draft.level.facts, self._spec.load_kit()
        look = str(facts.get(f"zone.{room.zone}.look", "") or facts.get(f"zone.{room.zone}", ""))
        lit = RoomToLight(bounds, doors, markers, torches_of(room.kind, look or self._spec.chapter, kit))
        decor[self._hallway_torches[bounds.slices]] = torch_of(self._kinds)
        faces = bare_faces(draft.terrain, draft.decor, kit)
        markers += room_lights(lit, faces, draft.decor, self._kinds, stream)
        draft.put_markers(room.id, markers)
        planned = GungeonRoom(room.kind, bounds, room.distance or 0, room.depth)
        finished = finished_room(room.id, planned, inside, draft.terrain)
        draft.rooms[room.id] = replace(finished, distance=room.distance, zone=room.zone, name=room.name)

    def move(self, number: int, rolls: Rolls, seed: int) -> None:
        """Place enemies, pickups and chests anew. Raises NothingElseError if nothing or nowhere is left."""
        room = self._on_its_site(self._draft.rooms[number])
        site = self._site(room)
        if gungeon_kind(self._kinds, room.kind).has_fights and not site.is_quiet:
            self._place_enemies(room, site, rolls, seed)
        else:
            move_markers(self._draft, room, rolls, seed, partial(_vary, site))

    def _place_enemies(self, room: Room, site: Site, rolls: Rolls, seed: int) -> None:
        """Draw a room's enemies and their places again. Raises NothingElseError if nothing can change."""
        draft = self._draft
        moved = {kind for kind in MOVED if kind != site.gives}
        present = draft.markers(room.id)
        old = [marker for marker in present if marker.kind in moved and INJECTED not in marker.properties]
        kept = [marker for marker in present if marker not in old]
        before = [(marker.kind, marker.x, marker.y, marker.properties) for marker in old]
        x, y = room.bounds.x, room.bounds.y
        arena = _arena(draft, room, site, [(marker.x - x, marker.y - y) for marker in kept])
        for attempt in range(MAX_TRIES):
            stream = Stream(seed, "reroll.markers", room.id, rolls.layout, rolls.markers, attempt)
            placed = [
                marker._replace(x=x + marker.x, y=y + marker.y)
                for marker in place_enemies(site, arena, self._spec, stream)
            ]
            if [tuple(marker) for marker in placed] != before:
                draft.put_markers(room.id, placed, kept)
                return
        raise NothingElseError(f"room {room.id}: has no other free tile for its enemies, pickups and chests")

    def other_kinds(self, room: Room) -> set[str]:
        """See `RoomRoller.other_kinds`. They are those, except start and boss, that the spec's ranges allow.

        If the spec fixes the total, its ranges are shares: the last room of a kind that it asks for stays,
        and no kind is added that it does not ask for. The room keeps its size: the furniture of every kind
        fits any size.
        """
        if piece := piece_of(room.layout):
            raise stays(room, f"it belongs to the set piece {piece}")
        room, spec = self._on_its_site(room), self._spec
        kinds_at_hand = spec.load_kit().kinds
        aside = off_the_way(kinds_at_hand)
        ranges = {
            name: spec.range_of(kind, "rooms")
            for name, kind in gungeon_kinds(kinds_at_hand).items()
            if not kinds_at_hand.room(name).stays and min(room.bounds[2:]) >= kind.least_side
        }
        if spec.rooms:
            ranges = {
                kind: (min(1, least), spec.rooms * min(1, most)) for kind, (least, most) in ranges.items()
            }
        if spec.kit and room.kind in kinds_at_hand.rooms and room.kind not in gungeon_kinds(kinds_at_hand):
            raise stays(room, "a rule of its kit has placed it")
        costly = costly_rooms(kinds_at_hand)
        if room.kind in costly:
            raise stays(room, "its doors cost keys, which lie elsewhere in the level")
        if room.kind not in ranges:
            raise LevelError(f"rooms[{room.id}]: there are no {room.kind} rooms in this style")
        present = [level_room.kind for level_room in self._draft.rooms]
        doors = len(self._draft.openings(room.id))
        candidates = ranges.keys() - {room.kind} - costly
        if doors != 1:  # no path may lead through a room off the way
            candidates -= candidates if room.kind in aside else aside
        if not candidates:
            kinds = " and ".join(sorted(aside & ranges.keys()))
            raise stays(room, f"it has {doors} doors, but {kinds} rooms have one")
        if present.count(room.kind) <= ranges[room.kind][0]:
            raise stays(room, f"the spec asks for no fewer than there are ({present.count(room.kind)})")
        allowed = set()
        for kind in sorted(candidates):
            changed = [*present[: room.id], kind, *present[room.id + 1 :]]
            least, most = ranges[kind]
            same_ways = keeps_off_the_way(changed, kinds_at_hand) == keeps_off_the_way(present, kinds_at_hand)
            if least < changed.count(kind) <= most and same_ways:  # or it could never be left again
                allowed.add(kind)
        if not allowed:
            raise stays(room, "the spec asks for no more rooms of the other kinds than there are")
        return allowed

    def change_doors(self, number: int) -> None:
        """See `RoomRoller.change_doors`. Both doors of each of the room's hallways change."""
        draft = self._draft
        own = {opening.door for opening in draft.openings(number)}
        for hallway in draft.level.hallways:
            if not own.isdisjoint(hallway.doors):
                ends = tuple(draft.rooms[draft.doors[door].rooms[0]].kind for door in hallway.doors)
                kind = door_kind(ends, self._kinds)
                for door in hallway.doors:
                    draft.doors[door] = replace(draft.doors[door], kind=kind)

    @cached_property
    def _rects(self) -> Sequence[Rect]:
        """The rooms' rectangles in the spec's floorplan. Empty if the level no longer has that floorplan."""
        level, spec = self._draft.level, self._spec_with_layouts
        ranges = (spec.range_of(kind, "rooms") for kind in gungeon_kinds(self._kinds).values())
        least, most = (spec.rooms or sum(numbers) for numbers in zip(*ranges, strict=True))
        most += len(injected_rows(level))
        if spec.flow in WITHOUT_PLAN and not least <= len(level.rooms) <= most:
            return ()  # not from this spec, whose plan may take long
        try:
            plan = floorplan(spec, stage_seed(spec, level.seed))
        except (SpecError, GenerationFailed):
            return ()
        if plan.size != (level.width, level.height) or len(plan.rooms) != len(level.rooms):
            return ()
        return [room.bounds for room in plan.rooms]

    def _on_its_site(self, room: Room) -> Room:
        """Restore a room's bounds in the floorplan, of which its tiles may fill only a part.

        A room that a person moved keeps its own bounds.
        """
        rect = self._rects[room.id] if self._rects else room.bounds
        x, y, width, height = room.bounds
        is_within = rect.contains(x, y) and rect.contains(x + width - 1, y + height - 1)
        return replace(room, bounds=rect) if is_within else room

    def _site(self, room: Room) -> Site:
        """Return the site of the room, for furnishing. Raises LevelError if no such room is possible."""
        bounds = room.bounds
        height, width = self._draft.terrain.shape
        if bounds.x < 1 or bounds.y < 1 or bounds.right >= width or bounds.bottom >= height:
            raise LevelError(f"rooms[{room.id}].bounds: {list(bounds)} is at the level's edge")
        known = self._kinds.rooms if self._spec.kit else gungeon_kinds(self._kinds)
        if room.kind not in known or not all(_MIN_SIDE <= side <= MAX_DRAWN for side in bounds[2:]):
            width, height = bounds[2:]
            raise LevelError(
                f"rooms[{room.id}]: there is no {room.kind} room of {width} x {height} tiles in this style"
            )
        openings = self._draft.openings(room.id)
        if len(openings) > 2 * sum(bounds[2:]):
            raise LevelError(f"doors: room {room.id} has {len(openings)}, more than its wall has tiles")
        kit, facts = self._spec.load_kit(), self._draft.level.facts
        return Site(
            kind=room.kind,
            width=bounds.width,
            height=bounds.height,
            openings=tuple(self._opening(room, opening) for opening in openings),
            distance=room.distance or 0,
            danger=danger_of(100 * (room.distance or 0) // self._furthest, room.difficulty, kit),
            is_quiet=(has_flow(self._draft.level) or is_led(self._draft.level))
            and gungeon_kind(self._kinds, room.kind).has_fights
            and not room.difficulty,
            kit=kit,
            hand=self._hands[room.id],
            turn=width + height + room.id,
            gives=prize_of(kit, room.kind) if is_led(self._draft.level) and len(openings) == 1 else "",
            stages=stages_of(str(facts.get(f"zone.{room.zone}", "")) if room.zone else "", kit),
        )

    @cached_property
    def _hands(self) -> Sequence[int]:
        """The arrangements that each room may have, as when the level was made."""
        level = self._draft.level
        pairs = self._ends.values()
        return hands_of(len(level.rooms), list(pairs), (level.width, level.height))

    @cached_property
    def _ends(self) -> Mapping[int, tuple[int, int]]:
        """The rooms at both ends of each hallway."""
        doors = self._draft.level.doors
        ends = {}
        for hallway in self._draft.level.hallways:
            first, last = (doors[door].rooms[0] for door in hallway.doors)
            if first is not None and last is not None:
                ends[hallway.id] = first, last
        return ends

    def _kind_of_door(self, room: Room, door: int) -> str:
        """Return the kind of a door, or `border` for an open one that is entered from another district."""
        kind = self._draft.doors[door].kind
        hallway = next((way for way in self._draft.level.hallways if door in way.doors), None)
        if kind != "open" or hallway is None or hallway.id not in self._ends:
            return kind
        first, last = (self._draft.rooms[end] for end in self._ends[hallway.id])
        if first.zone == last.zone:
            return kind
        entered = max(first, last, key=lambda end: (end.distance or 0, end.id))
        return BORDER if entered.id == room.id else kind

    def _opening(self, room: Room, opening: drafts.RoomDoor) -> Opening:
        """Convert a door to tiles of the room. Raises LevelError unless it lies in that side's wall."""
        bounds, side = room.bounds, opening.side
        tiles = tuple((x - bounds.x, y - bounds.y) for x, y in opening.tiles)
        if tiles != _door_at(tiles[0] if tiles else (0, 0), side, self._spec.hallway_width, bounds):
            raise LevelError(
                f"doors[{opening.door}]: its tiles are not in the {side.label} wall of room {room.id}; "
                "see `undercroft check`"
            )
        return Opening(side, tiles, self._kind_of_door(room, opening.door))


def _name_of(boss: Mapping[str, Property]) -> dict[str, Property]:
    """Return what a boss of a run keeps when its room is made anew."""
    return {key: boss[key] for key in ("rank", "name") if "name" in boss}


def _vary(site: Site, marker: PlacedMarker, stream: Stream) -> PlacedMarker:
    """Draw a chest's kind again. Takes one word."""
    tier = chest_tier(site.danger, stream)
    return (
        marker._replace(properties={**marker.properties, "tier": tier}) if marker.kind == "chest" else marker
    )


def _door_at(first: tuple[int, int], side: Side, width: int, bounds: Rect) -> tuple[tuple[int, int], ...]:
    """List the tiles of a door of this width in a room's side, clear of corners. Empty if it does not fit."""
    along = int(not side.is_vertical_way)  # the axis that it runs along
    start, length = first[along], bounds[2 + along]
    if not 1 <= start <= length - 1 - width:
        return ()
    edge = 0 if side in (Side.NORTH, Side.WEST) else bounds[3 - along] - 1
    run = range(start, start + width)
    return tuple((edge, i) if along else (i, edge) for i in run)


def _wall_beside_hallways(bounds: Rect, terrain: Tiles) -> None:
    """Put walls on a room's empty tiles that touch a hallway, diagonally too."""
    around = terrain[bounds.shrunk(-1).slices] == HALLWAY
    touched = mask_of(dilate8(board_of(around), around.shape[1] + 1), around.shape)[1:-1, 1:-1]
    inside = terrain[bounds.slices]
    inside[touched & (inside == VOID)] = WALL


def _arena(draft: LevelDraft, room: Room, site: Site, taken: Sequence[Point]) -> Arena:
    """Represent the room as boards: the floor reachable from its doors. The tiles in `taken` are covered."""
    terrain, covered = own_tiles(draft, room)
    stands = board_of(covered > 0)
    stands |= site.board((x, y) for x, y in taken if 0 <= x < site.width and 0 <= y < site.height)
    floor = board_of((terrain == FLOOR) | (terrain == RUBBLE)) & site.inside
    kinds = site.kinds
    blocks = ~kinds.decor_where("walk")[covered] | kinds.decor_where("hazard")[covered]
    doors = site.doors
    walkable = (floor | doors) & ~board_of(blocks)
    if doors:
        walkable = component4(doors, walkable, site.stride)
    shots = board_of(passable(terrain, covered, "shoot", kinds))
    return Arena(floor, doors, stands, walkable, shots)
