"""Which kinds a room may become: those that its style's own rules could have given it where it is.

The floorplan stays, so a room that is where it is for its kind keeps it: the start, bosses, secret rooms
and the grave. What always comes neither goes nor comes. What is left are dead ends of the grid styles,
which the tables of special rooms fill, and in the `gungeon` style enemy rooms, shops and chest rooms, as
many as the spec's ranges allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from generator.errors import LevelError
from generator.floorplans.gungeon.plan import keeps_off_the_way
from generator.floorplans.rebirth.special_rooms import special_rooms as rebirth_rooms
from generator.floorplans.special_rooms import SpecialRoom
from generator.floorplans.special_rooms import special_rooms as isaac_rooms
from generator.kinds import ROOM_KINDS, SECRET_ROOM_KINDS
from generator.level import Room
from generator.rerolls.draft import Draft
from generator.rerolls.record import NothingElseError
from generator.rng import Stream
from generator.spec import GridSpec, GungeonSpec, IsaacSpec, RebirthSpec

_KEPT = {
    "start": "the player starts there",
    "boss": "the style puts the boss as far away as it can",
    "grave": "the style digs it into the last dead end that is left",
    **dict.fromkeys(SECRET_ROOM_KINDS, "a secret room is where it is for what lies round it"),
}


def next_kind(draft: Draft, room: Room) -> str:
    """The kind that a room becomes: in an order that is drawn for the room, the next that may be.

    So the same roll again and again leads through all of them. Raises NothingElseError if it must stay what
    it is.
    """
    if room.kind in _KEPT:
        raise _stays(room, _KEPT[room.kind])
    spec = draft.level.spec
    if isinstance(spec, GungeonSpec):
        allowed = _in_heap(draft, room, spec)
    else:
        assert isinstance(spec, GridSpec)
        allowed = _on_grid(draft, room, spec)
    order = list(ROOM_KINDS)
    Stream(draft.level.seed, "reroll.kind", room.id).shuffle(order)
    at = order.index(room.kind)
    return next(kind for kind in order[at + 1 :] + order[:at] if kind in allowed)


def _stays(room: Room, why: str) -> NothingElseError:
    return NothingElseError(f"room {room.id}: stays {room.kind}: {why}")


# --- the grid styles ---------------------------------------------------------------------------------


class _Row(NamedTuple):
    """A special room that a style places: the kinds that it may be, and whether it always comes."""

    kinds: frozenset[str]
    is_certain: bool


def _on_grid(draft: Draft, room: Room, spec: GridSpec) -> set[str]:
    labyrinth = draft.level.facts.get("curse") == "labyrinth"
    if room.kind == "normal":
        doors = sum(draft.doors[each.door].kind != "secret" for each in draft.openings(room.id))
        if doors != 1:
            raise _stays(room, f"it has {doors} doors, and special rooms are dead ends")
        if room.shape != "1x1":
            raise _stays(room, f"it is a {room.shape}, and special rooms are single cells")
        if labyrinth and isinstance(spec, IsaacSpec):
            raise _stays(room, "in a labyrinth no more dead ends than the furthest are special")
    rows = _rows(spec, labyrinth)
    rest = [one.kind for one in draft.rooms if one.id != room.id and one.kind not in {*_KEPT, "normal"}]
    fits, certain = _placed(rows, [*rest, *_special(room.kind)])
    if not fits:
        raise LevelError("rooms: its special rooms are not those of its spec; see `undercroft check`")
    allowed = set()
    for kind in {"normal"}.union(*(row.kinds for row in rows)) - {room.kind} - _KEPT.keys():
        fits, still_certain = _placed(rows, [*rest, *_special(kind)])
        if fits and still_certain == certain and not (kind == "curse" and _near_ultra_secret(draft, room)):
            allowed.add(kind)
    if not allowed and room.kind == "normal":
        raise _stays(room, "the level has every special room that its spec allows")
    if not allowed:
        raise _stays(room, "a level of this spec always has one")
    return allowed


def _special(kind: str) -> list[str]:
    return [] if kind == "normal" else [kind]


def _rows(spec: GridSpec, labyrinth: bool) -> list[_Row]:
    if isinstance(spec, RebirthSpec):
        return [_row(row) for row in rebirth_rooms(spec, labyrinth)]
    assert isinstance(spec, IsaacSpec)
    always = [_Row(frozenset({kind}), True) for kind in ("shop", "treasure")] * (1 + labyrinth)
    return always + [_row(row) for row in isaac_rooms(spec)]


def _row(row: SpecialRoom) -> _Row:
    comes = row.chance.is_certain and row.allowed and row.other_allowed
    return _Row(row.kinds(), row.must or comes)


def _placed(rows: Sequence[_Row], kinds: Sequence[str]) -> tuple[bool, set[int]]:
    """Whether rooms of these kinds can each be another row's, and which rows that always come have one.

    A bipartite matching along augmenting paths (Kuhn 1955): who has a partner once always keeps one. So
    rows that always come choose first, in their order, and then the rooms that are left.
    """
    room_of: dict[int, int] = {}  # by row

    def find_room(row: int, seen: set[int]) -> bool:
        for room, kind in enumerate(kinds):
            if kind in rows[row].kinds and room not in seen:
                seen.add(room)
                other = next((each for each, taken in room_of.items() if taken == room), None)
                if other is None or find_room(other, seen):
                    room_of[row] = room
                    return True
        return False

    def find_row(room: int, seen: set[int]) -> bool:
        for row, each in enumerate(rows):
            if kinds[room] in each.kinds and row not in seen:
                seen.add(row)
                if row not in room_of or find_row(room_of[row], seen):
                    room_of[row] = room
                    return True
        return False

    certain = {row for row, each in enumerate(rows) if each.is_certain and find_room(row, set())}
    left = set(range(len(kinds))) - set(room_of.values())
    return all(find_row(room, set()) for room in sorted(left)), certain


def _near_ultra_secret(draft: Draft, room: Room) -> bool:
    """Whether an ultra secret room is two steps away: the gap between must not be beside a curse room."""
    return any(
        abs(x - cell_x) + abs(y - cell_y) == 2
        for other in draft.rooms
        if other.kind == "ultra_secret"
        for x, y in other.cells
        for cell_x, cell_y in room.cells
    )


# --- the gungeon style -------------------------------------------------------------------------------


def _in_heap(draft: Draft, room: Room, spec: GungeonSpec) -> set[str]:
    """Of enemy rooms, shops and chest rooms those whose numbers stay within the spec's ranges.

    Where the spec fixes the number of all rooms, its ranges are shares: the last room of a kind that it asks
    for stays, and none comes of one that it does not. The room keeps its size: furniture of every kind fits
    into any.
    """
    ranges = {"normal": spec.enemy_rooms, "shop": spec.shop_rooms, "chest": spec.chest_rooms}
    if spec.rooms:
        ranges = {kind: (min(1, least), spec.rooms * min(1, most)) for kind, (least, most) in ranges.items()}
    if room.kind not in ranges:
        raise LevelError(f"rooms[{room.id}]: there are no {room.kind} rooms in this style")
    kinds = [one.kind for one in draft.rooms]
    doors = len(draft.openings(room.id))
    if doors != 1:
        raise _stays(room, f"it has {doors} doors, and shops and chest rooms have one")
    if kinds.count(room.kind) <= ranges[room.kind][0]:
        raise _stays(room, f"the spec asks for no fewer than there are ({kinds.count(room.kind)})")
    allowed = set()
    for kind in sorted(ranges.keys() - {room.kind}):
        changed = [*kinds[: room.id], kind, *kinds[room.id + 1 :]]
        least, most = ranges[kind]
        same_ways = keeps_off_the_way(changed) == keeps_off_the_way(kinds)
        if least < changed.count(kind) <= most and same_ways:  # or it could never be left again
            allowed.add(kind)
    if not allowed:
        raise _stays(room, "the spec asks for no more rooms of the other kinds than there are")
    return allowed
