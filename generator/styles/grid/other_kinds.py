"""Rerolls the kind of a room on a grid, within what the tables of special rooms allow at dead ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from generator.errors import LevelError
from generator.level import Room
from generator.rerolls.draft import LevelDraft
from generator.rerolls.kinds import stays
from generator.styles.grid.special_rooms import SpecialRoom

AT_DEAD_ENDS = "dead_end", "far", "near"  # the places of rules that mean rooms with one door


class KindRow(NamedTuple):
    """A special room that a style places: its possible kinds, and whether it always comes."""

    kinds: frozenset[str]
    is_certain: bool


def other_kinds(
    draft: LevelDraft,
    room: Room,
    rows: Sequence[KindRow],
    has_shape: Callable[[str, str], bool],
    why_normal: str = "",
) -> set[str]:
    """Find the kinds that a room may become, given the rows by which its style places rooms.

    Dead ends may become what the rows place, if that kind has rooms of their shape (`has_shape` takes a kind
    and a shape); what always comes is neither removed nor added. If normal rooms cannot become special, nor
    special ones normal, `why_normal` says why. Every change can be undone. Raises NothingElseError if the
    room must stay what it is, and LevelError if the level's special rooms do not match the rows.
    """
    kinds = draft.level.kinds
    doors = sum(
        draft.doors[opening.door].kind not in kinds.secret_doors for opening in draft.openings(room.id)
    )
    if doors > 1 or (room.kind == "normal" and doors != 1):
        raise stays(room, f"it has {doors} doors, but special rooms are dead ends")
    if room.kind == "normal" and not any(has_shape(kind, room.shape) for row in rows for kind in row.kinds):
        raise stays(room, f"it is a {room.shape}, but special rooms are single cells")
    if room.kind == "normal" and why_normal:
        raise stays(room, why_normal)
    rest = [level_room.kind for level_room in draft.rooms if level_room.id != room.id]
    rest = [kind for kind in rest if kind != "normal" and not kinds.room(kind).stays]
    fits, certain = _placed(rows, [*rest, *_special(room.kind)])
    if not fits:
        raise LevelError("rooms: the special rooms are not those of the spec; see `undercroft check`")
    allowed = set()
    candidates = {kind for row in rows for kind in row.kinds} | (set() if why_normal else {"normal"})
    for kind in candidates - {room.kind}:
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
    """Reduce a special room's row to a `KindRow`."""
    comes = row.chance.is_certain and row.allowed and row.other_allowed
    return KindRow(row.kinds(), row.must or comes)


def _placed(rows: Sequence[KindRow], kinds: Sequence[str]) -> tuple[bool, set[int]]:
    """Return whether each room of these kinds can have its own row, and which certain rows are used.

    A bipartite matching along augmenting paths (Kuhn 1955): whatever is matched once stays matched. So rows
    that always come choose first, in their order, and then the remaining rooms.
    """
    room_of: dict[int, int] = {}  # by row

    def find_room(row: int, seen: set[int]) -> bool:
        for room, kind in enumerate(kinds):
            if kind in rows[row].kinds and room not in seen:
                seen.add(room)
                holder = next((entry for entry, taken in room_of.items() if taken == room), None)
                if holder is None or find_room(holder, seen):
                    room_of[row] = room
                    return True
        return False

    def find_row(room: int, seen: set[int]) -> bool:
        for row, entry in enumerate(rows):
            if kinds[room] in entry.kinds and row not in seen:
                seen.add(row)
                if row not in room_of or find_row(room_of[row], seen):
                    room_of[row] = room
                    return True
        return False

    certain = {row for row, entry in enumerate(rows) if entry.is_certain and find_room(row, set())}
    left = set(range(len(kinds))) - set(room_of.values())
    return all(find_row(room, set()) for room in sorted(left)), certain


def _has_red_door(draft: LevelDraft, room: Room) -> bool:
    """Check whether a red room is beside a room. A curse room may not have one."""
    return any(draft.doors[opening.door].kind == "red" for opening in draft.openings(room.id))
