"""Rerolls of the kind of a room of the `gungeon` style, and of the enemies in it."""

from __future__ import annotations

from collections.abc import Sequence

from generator.algorithms.bitboard import board_of, component4
from generator.errors import LevelError
from generator.geometry import Point
from generator.kinds import FLOOR, RUBBLE
from generator.level import Room, passable
from generator.rerolls.draft import LevelDraft
from generator.rerolls.kinds import stays
from generator.rerolls.markers import MAX_TRIES, MOVED, own_tiles
from generator.rerolls.record import NothingElseError, Rolls
from generator.rng import Stream
from generator.styles.gungeon.furnishing.battle_room import Arena, place_enemies
from generator.styles.gungeon.furnishing.shell import doors_of, inside_of
from generator.styles.gungeon.furnishing.site import Site
from generator.styles.gungeon.plan import keeps_off_the_way
from generator.styles.gungeon.room_kinds import gungeon_kinds, off_the_way
from generator.styles.gungeon.spec import GungeonSpec


def other_kinds(draft: LevelDraft, room: Room, spec: GungeonSpec) -> set[str]:
    """Find the kinds, except start and boss, that a room may become within the spec's ranges.

    If the spec fixes the total, its ranges are shares: the last room of a kind that it asks for stays, and no
    kind is added that it does not ask for. The room keeps its size: the furniture of every kind fits any
    size.
    """
    kinds_at_hand = spec.load_kit().kinds
    aside = off_the_way(kinds_at_hand)
    ranges = {
        name: spec.range_of(kind, "rooms")
        for name, kind in gungeon_kinds(kinds_at_hand).items()
        if not kinds_at_hand.room(name).stays and min(room.bounds[2:]) >= kind.least_side
    }
    if spec.rooms:
        ranges = {kind: (min(1, least), spec.rooms * min(1, most)) for kind, (least, most) in ranges.items()}
    if spec.kit and room.kind in kinds_at_hand.rooms and room.kind not in gungeon_kinds(kinds_at_hand):
        raise stays(room, "a rule of its kit has placed it")
    if room.kind not in ranges:
        raise LevelError(f"rooms[{room.id}]: there are no {room.kind} rooms in this style")
    present = [level_room.kind for level_room in draft.rooms]
    doors = len(draft.openings(room.id))
    candidates = ranges.keys() - {room.kind}
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


def place_enemies_anew(
    draft: LevelDraft, room: Room, site: Site, spec: GungeonSpec, rolls: Rolls, seed: int
) -> None:
    """Draw the enemies of a room and their places again. Raises NothingElseError if nothing can change."""
    old = [marker for marker in draft.markers(room.id) if marker.kind in MOVED]
    kept = [marker for marker in draft.markers(room.id) if marker.kind not in MOVED]
    before = [(marker.kind, marker.x, marker.y, marker.properties) for marker in old]
    x, y = room.bounds.x, room.bounds.y
    arena = _arena(draft, room, site, [(marker.x - x, marker.y - y) for marker in kept])
    for attempt in range(MAX_TRIES):
        stream = Stream(seed, "reroll.markers", room.id, rolls.layout, rolls.markers, attempt)
        placed = [
            marker._replace(x=x + marker.x, y=y + marker.y)
            for marker in place_enemies(site, arena, spec, stream)
        ]
        if [tuple(marker) for marker in placed] != before:
            draft.put_markers(room.id, placed, kept)
            return
    raise NothingElseError(f"room {room.id}: has no other free tile for its enemies, pickups and chests")


def _arena(draft: LevelDraft, room: Room, site: Site, taken: Sequence[Point]) -> Arena:
    """Represent the room as boards: the floor reachable from its doors. The tiles in `taken` are covered."""
    terrain, covered = own_tiles(draft, room)
    stands = board_of(covered > 0)
    for x, y in taken:
        if 0 <= x < site.width and 0 <= y < site.height:
            stands |= 1 << x + y * (site.width + 1)
    floor = board_of((terrain == FLOOR) | (terrain == RUBBLE)) & inside_of(site)
    kinds = site.kinds
    blocks = ~kinds.decor_where("walk")[covered] | kinds.decor_where("hazard")[covered]
    doors = doors_of(site)
    walkable = (floor | doors) & ~board_of(blocks)
    if doors:
        walkable = component4(doors, walkable, site.width + 1)
    shots = board_of(passable(terrain, covered, "shoot", kinds))
    return Arena(floor, doors, stands, walkable, shots)
