"""Who waits in a level's boss rooms: names by chapter. A run does not repeat those already met."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice
from typing import NamedTuple

from generator.interiors.chapters import boss_names
from generator.rng import Stream
from generator.styles.grid.spec import GridSpec


class _Turn(NamedTuple):
    """Which names the rooms of a kind take: from every `each` names of a rank, those from `first` to `last`.

    So the names in a room do not depend on rooms of other kinds, which a reroll may change.
    """

    rank: str
    first: int
    last: int
    each: int


_TURNS = {
    "boss": _Turn("bosses", 0, 0, 1),
    "mini_boss": _Turn("mini_bosses", 0, 0, 3),
    "boss_challenge": _Turn("mini_bosses", 1, 2, 3),
}

RoomNames = tuple[str, ...]


def names_in_rooms(spec: GridSpec, seed: int, chapter: str, kinds: Sequence[str]) -> list[RoomNames]:
    """Choose the names of the bosses in each room of a level, given the rooms' kinds."""
    met = {"bosses": spec.memory.bosses, "mini_bosses": spec.memory.mini_bosses}
    names: list[RoomNames] = [()] * len(kinds)
    for kind, turn in _TURNS.items():
        rooms = [number for number, room_kind in enumerate(kinds) if room_kind == kind]
        if rooms:
            stream = Stream(seed, f"grid.{turn.rank}", spec.stage)
            order = cycle(boss_names(chapter, turn.rank, met[turn.rank], stream, spec.load_kit()))
            for number in rooms:
                names[number] = tuple(islice(order, turn.each))[turn.first : turn.last + 1]
    return names


def names_of_rank(names: Sequence[RoomNames], kinds: Sequence[str], rank: str) -> list[str]:
    """List the names of a rank (`bosses` or `mini_bosses`) among those in the rooms of these kinds."""
    return [
        name
        for room_names, kind in zip(names, kinds, strict=True)
        if kind in _TURNS and _TURNS[kind].rank == rank
        for name in room_names
    ]
