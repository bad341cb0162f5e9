"""What doors of a kit cost: which keys a kind of door uses up, and where these lie.

    S..A..$B     the door $ of a kind with needs = { coins = 2 }: two coins lie in A and C, which one can
       .         reach without passing a door that asks for anything
       C

All doors of a level can be paid for: there are as many coins as they cost together, before all of them. So it
does not matter which of them somebody opens first, and nobody gets stuck.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generator.errors import GenerationFailed, SpecError
from generator.kinds import Kinds
from generator.named_tuple import NamedTuple
from generator.rng import Stream

WITHOUT_KEYS = ("boss", "shop", "start")  # kinds of rooms in which no style hides keys


class Payment(NamedTuple):
    """A key that a door uses up, and the room that it lies in."""

    name: str
    room: int


def payments(
    kinds: Kinds,
    rooms: Sequence[str],
    reached: Iterable[int],
    needs: Iterable[str],
    seed: int,
    stage: int = 1,
) -> list[Payment]:
    """Deal the keys that all doors of a level need together among rooms before these doors.

    `rooms` are the rooms' kinds, the start first; `reached` are those that one gets to from the start by ways
    that ask for nothing. Raises GenerationFailed if there is no room.
    """
    holders = [room for room in sorted(reached) if rooms[room] not in WITHOUT_KEYS]
    holders = [room for room in holders or [0] if kinds.room(rooms[room]).markers.get("key", (0, 1))[1]]
    names = list(needs)
    if not holders:
        reason = f"no room before the doors may hold the keys that they need ({names[0]})"
        raise GenerationFailed("place for a key", 1, f"{reason}; let normal rooms have the marker key", seed)
    Stream(seed, "costs", stage).shuffle(holders)
    return [Payment(name, holders[number % len(holders)]) for number, name in enumerate(names)]


def refuse_lasting(
    keys: Iterable[tuple[str, bool]], needs: Iterable[str], kinds: Kinds, place: str, remedy: str
) -> None:
    """Refuse keys, each a name and whether it is used up, that last although doors use up keys of the name.

    `place` is where the keys are named. Raises SpecError.
    """
    used_up = frozenset(needs)
    for name, is_used_up in keys:
        if name in used_up and not is_used_up:
            door = next(kind for kind, cost in kinds.costs.items() if name in cost)
            raise SpecError(
                f"{place}: key {name}: lasts, but the kit's row door.{door}.needs uses up keys of this name; "
                f"{remedy}"
            )


def costly_rooms(kinds: Kinds) -> frozenset[str]:
    """Return the kinds of rooms whose doors cost something."""
    return frozenset(row.name for row in kinds.rooms.values() if kinds.costs.keys() & set(row.door or ()))
