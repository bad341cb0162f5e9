"""Who fights in the rooms of a level on a grid: where, how strong an encounter is, and the bosses' names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import cycle, islice
from typing import NamedTuple

import numpy as np

from generator.algorithms.bitboard import Bitboard, board_of, component4, dilate8
from generator.encounters.budget import Threat, champions_of, threat_of
from generator.encounters.fairness import Battleground
from generator.geometry import Point
from generator.interiors.bosses import boss_names
from generator.interiors.doorways import covered_by_body
from generator.interiors.footprint import doorsteps
from generator.interiors.interior import Interior
from generator.interiors.layouts import Layout
from generator.interiors.passage import Passage
from generator.kinds import FLOOR, RUBBLE, Kit
from generator.level import passable
from generator.rng import Stream
from generator.shapes import Slot
from generator.styles.grid.spec import GridSpec


class RoomPlace(NamedTuple):
    """What counts of a room's place in the level for its encounter: its kind, and how far it is.

    `way` is its distance in percent of the furthest room's: 0 at the start. `chapter` is the level's.
    """

    kind: str
    way: int
    chapter: str = ""


def room_places(rooms: list[tuple[str, int | None]], chapter: str) -> list[RoomPlace]:
    """Place a level's rooms by their kinds, their distances from the start, and the chapter."""
    furthest = max((distance or 0 for _, distance in rooms), default=0) or 1
    return [RoomPlace(kind, 100 * (distance or 0) // furthest, chapter) for kind, distance in rooms]


class Ground(NamedTuple):
    """The part of a battleground that does not depend on the doors, and its number of walkable tiles."""

    free: Bitboard
    shots: Bitboard
    unwalled: Bitboard
    open_floor: int


@lru_cache(maxsize=4096)
def ground_of(layout: Layout, mirror: str) -> Ground:
    """Return the ground of a layout's mirror image."""
    interior = layout.interior(mirror)
    covered, kinds = interior.covered, layout.kinds
    bare = ((interior.terrain == FLOOR) | (interior.terrain == RUBBLE)) & (covered == 0)
    walk, stride = passable(interior.terrain, covered, "walk", kinds), layout.size[0] + 1
    x, y = doorsteps(layout.pitch, layout.slots(mirror))[0]  # any will do: all doors are connected
    return Ground(
        free=board_of(bare) & component4(1 << x + y * stride, board_of(interior.safe()), stride),
        shots=board_of(passable(interior.terrain, covered, "shoot", kinds)),
        unwalled=board_of(passable(interior.terrain, np.zeros_like(covered), "shoot", kinds)),
        open_floor=int(np.count_nonzero(walk)),
    )


def _board(tiles: set[Point], stride: int) -> Bitboard:
    """Make a board of tiles, without the door tiles outside the room."""
    return sum(1 << x + y * stride for x, y in tiles if 0 <= x < stride - 1 and y >= 0)


def battleground(
    ground: Ground, layout: Layout, interior: Interior, passage: Passage, doors: frozenset[Slot]
) -> Battleground:
    """Return the battleground of a layout with a room's doors. `interior` is its inside with these doors."""
    width, height = layout.size
    free, shots, unwalled, _ = ground
    if passage.body > 1:
        free &= _board(covered_by_body(interior, layout, doors, passage), width + 1)
    steps = _ways_in(layout.pitch, doors, passage.door_width)
    if passage.door_width > 1:  # wide doors remove things of up to two tiles
        front = _board(set(steps), width + 1)
        shots |= front | (dilate8(front, width + 1) & unwalled)
    return Battleground(width, height, free, shots, steps, layout.kinds)


@lru_cache(maxsize=1024)
def _ways_in(pitch: Point, doors: frozenset[Slot], door_width: int) -> tuple[Point, ...]:
    return tuple(doorsteps(pitch, doors, door_width))


@lru_cache(maxsize=4096)
def threat_in(
    room: RoomPlace, stage: int, difficulty: int, open_floor: int, champions: int, kit: Kit
) -> Threat:
    """Rate how strong the encounter of a room is. `champions` is in percent of its enemies."""
    threat = threat_of(room.kind, stage, difficulty, room.way, open_floor, champions, kit.rules)
    return threat._replace(name=room.chapter, must=kit.kinds.room(room.kind).needs("enemy"))


def champions(spec: GridSpec) -> int:
    """Return the percentage of champions among a level's enemies, doubled in hard mode."""
    return champions_of(spec.stage, spec.champions * (2 if spec.hard else 1), spec.load_kit().rules)


# Who waits in a level's boss rooms: names by chapter. A run does not repeat those already met.


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
