"""Another kind for a room on a grid: of its dead ends the tables of special rooms fill some."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from generator.errors import LevelError
from generator.level import Room
from generator.rerolls.draft import LevelDraft
from generator.rerolls.kinds import stays
from generator.styles.grid.special_rooms import SpecialRoom

AT_DEAD_ENDS = "dead_end", "far", "near"  # the places of rules that are rooms with one door


class KindRow(NamedTuple):
    """A special room that a style places: the kinds that it may be, and whether it always comes."""

    kinds: frozenset[str]
    is_certain: bool


def other_kinds(
    draft: LevelDraft,
    room: Room,
    rows: Sequence[KindRow],
    has_shape: Callable[[str, str], bool],
    why_normal: str = "",
) -> set[str]:
    """The kinds that a room may become if its style places rooms by these rows.

    Dead ends become what the rows place, if that kind has rooms of their shape (`has_shape`, of a kind and a
    shape); what always comes neither goes nor comes. Where normal rooms cannot become another kind, nor
    others normal, `why_normal` says why. From every kind that a room may become there is a way back. Raises
    NothingElseError if the room must stay what it is, and LevelError if the level's special rooms are not
    the rows'.
    """
    kinds = draft.level.kinds
    doors = sum(draft.doors[each.door].kind not in kinds.secret_doors for each in draft.openings(room.id))
    if doors > 1 or (room.kind == "normal" and doors != 1):
        raise stays(room, f"it has {doors} doors, and special rooms are dead ends")
    if room.kind == "normal" and not any(has_shape(kind, room.shape) for row in rows for kind in row.kinds):
        raise stays(room, f"it is a {room.shape}, and special rooms are single cells")
    if room.kind == "normal" and why_normal:
        raise stays(room, why_normal)
    rest = [one.kind for one in draft.rooms if one.id != room.id]
    rest = [kind for kind in rest if kind != "normal" and not kinds.room(kind).stays]
    fits, certain = _placed(rows, [*rest, *_special(room.kind)])
    if not fits:
        raise LevelError("rooms: its special rooms are not those of its spec; see `undercroft check`")
    allowed = set()
    others = {kind for row in rows for kind in row.kinds} | (set() if why_normal else {"normal"})
    for kind in others - {room.kind}:
        fits, still_certain = _placed(rows, [*rest, *_special(kind)])
        can_be = not kinds.room(kind).stays and not (kind == "curse" and _has_red_door(draft, room))
        can_be &= kind == "normal" or has_shape(kind, room.shape)
        if fits and still_certain == certain and can_be:
            allowed.add(kind)
    if not allowed and room.kind == "normal":
        raise stays(room, "the level has every special room that its spec allows")
    if not allowed and why_normal and not any(row.is_certain and room.kind in row.kinds for row in rows):
        raise stays(room, why_normal)
    if not allowed:
        raise stays(room, "a level of this spec always has one")
    return allowed


def _special(kind: str) -> list[str]:
    return [] if kind == "normal" else [kind]


def kind_row(row: SpecialRoom) -> KindRow:
    """A row of a style's table."""
    comes = row.chance.is_certain and row.allowed and row.other_allowed
    return KindRow(row.kinds(), row.must or comes)


def _placed(rows: Sequence[KindRow], kinds: Sequence[str]) -> tuple[bool, set[int]]:
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


def _has_red_door(draft: LevelDraft, room: Room) -> bool:
    """Whether a red room is beside a room: beside a curse room there is none."""
    return any(draft.doors[each.door].kind == "red" for each in draft.openings(room.id))
