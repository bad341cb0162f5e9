"""Match the rooms, doors, hallways and markers of two levels by what they are and where.

Numbers count through a level, so they say little: with one room more, all later ones have other numbers. They
count only between two states of one level, whose markers keep their ids while a person moves them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

from exporters.merge.matching import Moves, RoomFact, moves_of
from generator.checks.base import RoomNumbers, owners
from generator.geometry import Point, Rect
from generator.kinds import DecorKind, TerrainKind
from generator.level import Door, Hallway, Level, Marker, Property, Room
from generator.named_tuple import NamedTuple

_MAX_CANDIDATES = 1 << 20  # pairs of which the nearest are chosen; with more, things are matched in order

T = TypeVar("T")
MatchedPairs = list[tuple[T, T]]
"""Each thing before and now."""


class NamedTiles(NamedTuple):
    """The same array of two levels, numbered alike: indexes [y, x] into `names`."""

    names: tuple[str, ...]
    before: npt.NDArray[np.uint16]
    after: npt.NDArray[np.uint16]


class RoomMatch(NamedTuple):
    """A room of both levels. `shift` is how far its tiles moved; if it was resized, those at one corner."""

    old: Room
    new: Room
    shift: Point


@dataclass(frozen=True)
class RoomMatches:
    """The rooms of both levels. `shift` is how far everything moved that is in none of them."""

    all: tuple[RoomMatch, ...]
    shift: Point

    @cached_property
    def by_old(self) -> Mapping[int, RoomMatch]:
        """The matches by the room's number in the first level."""
        return {match.old.id: match for match in self.all}

    @cached_property
    def by_new(self) -> Mapping[int, RoomMatch]:
        """The matches by the room's number in the second level."""
        return {match.new.id: match for match in self.all}

    def moved(self, tile: Point, old_room: int | None) -> Point:
        """Return where a tile of a room of the first level is in the second one."""
        match = None if old_room is None else self.by_old.get(old_room)
        dx, dy = match.shift if match else self.shift
        return tile[0] + dx, tile[1] + dy


class MarkerPlace(NamedTuple):
    """A marker of either level, and its place and room in the second level."""

    marker: Marker
    place: Point
    room: int | None


class Matches(NamedTuple):
    """What is the same in two levels. `old_markers` and `new_markers` are those that are compared."""

    before: Level
    after: Level
    terrain: NamedTiles
    decor: NamedTiles
    old_owners: RoomNumbers
    new_owners: RoomNumbers
    rooms: RoomMatches
    doors: MatchedPairs[Door]
    hallways: MatchedPairs[Hallway]
    markers: MatchedPairs[MarkerPlace]
    old_markers: Sequence[MarkerPlace]
    new_markers: Sequence[MarkerPlace]


def matched(before: Level, after: Level) -> Matches:
    """Match two levels."""
    terrain = _named_alike(before, after, "terrain", before.terrain_kinds, after.terrain_kinds)
    decor = _named_alike(before, after, "decor", before.decor_kinds, after.decor_kinds)
    old_owners, new_owners = owners(before), owners(after)
    old_facts = _room_facts(before, old_owners, terrain.names, (terrain.before, decor.before))
    new_facts = _room_facts(after, new_owners, terrain.names, (terrain.after, decor.after))
    of_one_level = before.seed == after.seed and before.spec.saved() == after.spec.saved()
    same = _rooms_that_stayed(before, after) if of_one_level else {}
    if before.fingerprint <= after.fingerprint:
        numbers, shift = _room_pairs(before.rooms, after.rooms, old_facts, new_facts, same)
    else:  # ties are broken alike in both directions
        same = {new: old for old, new in same.items()}
        backwards, (x, y) = _room_pairs(after.rooms, before.rooms, new_facts, old_facts, same)
        numbers, shift = {old: new for new, old in backwards.items()}, (-x, -y)
    rooms = RoomMatches(
        tuple(
            RoomMatch(
                before.rooms[old],
                after.rooms[new],
                _step(before.rooms[old].bounds, after.rooms[new].bounds, shift),
            )
            for old, new in sorted(numbers.items(), key=lambda pair: pair[1])
        ),
        shift,
    )
    doors = _door_pairs(before, after, rooms)
    hallways = _hallway_pairs(before, after, doors)
    old_markers, new_markers = _placed_markers(before, after, old_owners, new_owners, rooms, hallways)
    return Matches(
        before,
        after,
        terrain,
        decor,
        old_owners,
        new_owners,
        rooms,
        doors,
        hallways,
        _marker_pairs(old_markers, new_markers, of_one_level=of_one_level),
        old_markers,
        new_markers,
    )


def _named_alike(
    before: Level,
    after: Level,
    layer: str,
    old_kinds: Sequence[TerrainKind | DecorKind],
    new_kinds: Sequence[TerrainKind | DecorKind],
) -> NamedTiles:
    names = tuple(dict.fromkeys(kind.name for kind in (*old_kinds, *new_kinds)))
    numbers = {name: number for number, name in enumerate(names)}
    old, new = (
        np.array([numbers[kind.name] for kind in kinds], np.uint16)[getattr(level, layer)]
        for level, kinds in ((before, old_kinds), (after, new_kinds))
    )
    return NamedTiles(names, old, new)


# --- rooms -------------------------------------------------------------------------------------------


def _room_facts(
    level: Level, owner: RoomNumbers, names: Sequence[str], layers: Sequence[npt.NDArray[np.uint16]]
) -> list[RoomFact]:
    """Describe rooms by what is painted in them. A door counts as wall, for it depends on the neighbours."""
    as_wall = np.arange(len(names), dtype=np.uint16)
    if "door" in names and "wall" in names:
        as_wall[names.index("door")] = names.index("wall")
    facts = []
    for room in level.rooms:
        place = room.bounds.slices
        outside = owner[place] != room.id
        terrain, decor = (np.where(outside, 0, layer[place]) for layer in layers)
        facts.append(RoomFact(room.id, room.bounds, (as_wall[terrain].tobytes(), decor.tobytes())))
    return facts


def _rooms_that_stayed(before: Level, after: Level) -> dict[int, int]:
    """Match rooms with the same number and rectangle in two states of one level, whatever is in them."""
    return {
        old.id: new.id
        for old, new in zip(before.rooms, after.rooms, strict=False)
        if old.bounds == new.bounds
    }


def _room_pairs(
    old: Sequence[Room],
    new: Sequence[Room],
    old_facts: Sequence[RoomFact],
    new_facts: Sequence[RoomFact],
    known: Mapping[int, int],
) -> tuple[dict[int, int], Point]:
    """Match rooms: those with the same tiles, those in the same place, and those with the same layout.

    Return the new number by the old one, the `known` ones included, and how far most rooms moved.
    """
    used = set(known.values())
    moves = moves_of(
        [fact for fact in old_facts if fact.key not in known],
        [fact for fact in new_facts if fact.key not in used],
    )
    numbers = {**known, **_numbers(moves)}
    moved = sum(pair.shift == moves.shift for pair in moves.pairs)
    most_moved = not known and 3 * moved >= min(len(old), len(new))  # fewer may do so by chance
    shift = moves.shift if most_moved else (0, 0)
    for match_left in (_in_place, _by_layout):
        left = [room for room in old if room.id not in numbers]
        used = set(numbers.values())
        numbers |= match_left(left, [room for room in new if room.id not in used], shift)
    return numbers, shift


def _numbers(moves: Moves) -> dict[int, int]:
    return {cast("int", pair.old.key): cast("int", pair.new.key) for pair in moves.pairs if pair.same}


def _in_place(old: Sequence[Room], new: Sequence[Room], shift: Point) -> dict[int, int]:
    """Match rooms with the same rectangle, then those with a common corner, all of one kind or layout.

    A room at the place of another one, of another kind and layout, is another room.
    """
    moved = [
        (room, room.bounds._replace(x=room.bounds.x + shift[0], y=room.bounds.y + shift[1])) for room in old
    ]
    candidates = sorted(
        (rect != other.bounds, -_common(rect, other.bounds), room.id, other.id)
        for room, rect in moved
        for other in new
        if (room.kind == other.kind and _have_a_corner(rect, other.bounds))
        or (rect == other.bounds and room.layout == other.layout)
    )
    return dict(_first_of_each((first, second) for _, _, first, second in candidates))


def _have_a_corner(first: Rect, second: Rect) -> bool:
    """Check whether two rectangles have a corner in common and lie on the same side of it."""
    return (first.x == second.x or first.right == second.right) and (
        first.y == second.y or first.bottom == second.bottom
    )


def _step(old: Rect, new: Rect, shift: Point) -> Point:
    """Return how far the corner of a room moved that went with the level, or else its first corner."""
    right, bottom = new.right - old.right, new.bottom - old.bottom
    return (
        right if right == shift[0] else new.x - old.x,
        bottom if bottom == shift[1] else new.y - old.y,
    )


def _common(first: Rect, second: Rect) -> int:
    """Count the tiles that two rectangles share."""
    width = min(first.right, second.right) - max(first.x, second.x)
    height = min(first.bottom, second.bottom) - max(first.y, second.y)
    return width * height if width > 0 and height > 0 else 0


def _by_layout(old: Sequence[Room], new: Sequence[Room], _shift: Point) -> dict[int, int]:
    """Match rooms of one kind, shape, size and layout, wherever they are."""
    facts = (
        [RoomFact(room.id, room.bounds, (room.kind, room.shape, room.layout)) for room in rooms]
        for rooms in (old, new)
    )
    return _numbers(moves_of(*facts))


K = TypeVar("K", bound=Hashable)


def _first_of_each(pairs: Iterable[tuple[K, K]]) -> Iterator[tuple[K, K]]:
    """Yield the pairs whose two sides did not come before."""
    old_used, new_used = set[K](), set[K]()
    for old, new in pairs:
        if old not in old_used and new not in new_used:
            old_used.add(old)
            new_used.add(new)
            yield old, new


# --- things ------------------------------------------------------------------------------------------


class _NumberedPlace(NamedTuple):
    """A thing of a level, its number, and its place in the second level."""

    number: int
    place: Point


def _nearest(
    old: Iterable[tuple[Hashable, _NumberedPlace]], new: Iterable[tuple[Hashable, _NumberedPlace]]
) -> dict[int, int]:
    """Match things with the same key, the nearest first. Return the new number by the old one."""
    groups: dict[Hashable, tuple[list[_NumberedPlace], list[_NumberedPlace]]] = defaultdict(lambda: ([], []))
    for side, things in enumerate((old, new)):
        for key, placed in things:
            groups[key][side].append(placed)
    pairs: dict[int, int] = {}
    for before, after in groups.values():
        if len(before) * len(after) > _MAX_CANDIDATES:
            pairs |= {a.number: b.number for a, b in zip(before, after, strict=False)}
            continue
        candidates = sorted(
            (_distance(a.place, b.place), min(a.place, b.place), max(a.place, b.place), a.number, b.number)
            for a in before
            for b in after
        )
        pairs |= dict(_first_of_each((first, second) for *_, first, second in candidates))
    return pairs


def _distance(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _door_pairs(before: Level, after: Level, rooms: RoomMatches) -> MatchedPairs[Door]:
    """Match doors in the same walls that lead to the same rooms, the nearest first."""
    old_ends, new_ends = far_ends(before), far_ends(after)

    def old_key(door: Door) -> tuple[Hashable, _NumberedPlace]:
        walls = frozenset((_new_number(rooms, half.room), half.side) for half in door.halves)
        end = _new_number(rooms, old_ends[door.id]) if door.id in old_ends else None
        place = rooms.moved(min(door.tiles), door.rooms[0])
        return (walls, None if door.rooms[1] is not None else end), _NumberedPlace(door.id, place)

    def new_key(door: Door) -> tuple[Hashable, _NumberedPlace]:
        walls = frozenset((half.room, half.side) for half in door.halves)
        end = None if door.rooms[1] is not None else new_ends.get(door.id)
        return (walls, end), _NumberedPlace(door.id, min(door.tiles))

    pairs = _nearest(map(old_key, before.doors), map(new_key, after.doors))
    return [(before.doors[old], after.doors[new]) for old, new in pairs.items()]


def far_ends(level: Level) -> dict[int, int]:
    """Find the room that each door leads to from its first room, through a hallway or not."""
    ends = {door.id: door.rooms[1] for door in level.doors if door.rooms[1] is not None}
    for hallway in level.hallways:
        first, last = hallway.doors
        ends |= {first: level.doors[last].rooms[0], last: level.doors[first].rooms[0]}
    return ends


def _new_number(rooms: RoomMatches, old_room: int) -> int:
    return rooms.by_old[old_room].new.id if old_room in rooms.by_old else -1


def _hallway_pairs(before: Level, after: Level, doors: MatchedPairs[Door]) -> MatchedPairs[Hallway]:
    """Match hallways that join the same doors."""
    numbers = {old.id: new.id for old, new in doors}
    by_doors = {frozenset(hallway.doors): hallway for hallway in after.hallways}
    pairs = []
    for hallway in before.hallways:
        new = by_doors.get(frozenset(numbers.get(door, -1) for door in hallway.doors))
        if new is not None:
            pairs.append((hallway, new))
    return pairs


_MarkerKey = Callable[[MarkerPlace], Hashable]


def _placed_markers(
    before: Level,
    after: Level,
    old_owners: RoomNumbers,
    new_owners: RoomNumbers,
    rooms: RoomMatches,
    hallways: MatchedPairs[Hallway],
) -> tuple[list[MarkerPlace], list[MarkerPlace]]:
    """Place the markers of both levels in the second one.

    Those of rooms and hallways that only one level has are left out. So is the light of a torch or fire that
    only one level has: it follows from the decor.
    """
    old_hallways, new_hallways = ({None, *(pair[side].id for pair in hallways)} for side in (0, 1))
    old = [
        MarkerPlace(
            marker,
            rooms.moved((marker.x, marker.y), marker.room),
            None if marker.room is None else rooms.by_old[marker.room].new.id,
        )
        for marker in before.markers
        if (marker.room is None or marker.room in rooms.by_old) and marker.hallway in old_hallways
    ]
    new = [
        MarkerPlace(marker, (marker.x, marker.y), marker.room)
        for marker in after.markers
        if (marker.room is None or marker.room in rooms.by_new) and marker.hallway in new_hallways
    ]
    old_lamps = {(name, rooms.moved(tile, owner)) for name, tile, owner in _lamps(before, old_owners)}
    new_lamps = {(name, tile) for name, tile, _ in _lamps(after, new_owners)}
    old_lights, new_lights = set(map(_light, old)), set(map(_light, new))
    only_old, only_new = old_lamps - new_lamps - new_lights, new_lamps - old_lamps - old_lights
    return (
        [placed for placed in old if _light(placed) not in only_old],
        [placed for placed in new if _light(placed) not in only_new],
    )


def _lamps(level: Level, owner: RoomNumbers) -> Iterator[tuple[str, Point, int | None]]:
    """Yield the decor that lights have, such as torches: its name, its tile and its room."""
    names = [kind.name for kind in level.decor_kinds]
    lamps = np.array([name in level.kinds.light_markers for name in names])
    for y, x in np.argwhere(lamps[level.decor]).tolist():
        room = int(owner[y, x])
        yield names[level.decor[y, x]], (x, y), None if room == -1 else room


def _light(placed: MarkerPlace) -> tuple[str, Point]:
    return placed.marker.kind, placed.place


def _marker_pairs(
    old: Sequence[MarkerPlace], new: Sequence[MarkerPlace], *, of_one_level: bool
) -> list[tuple[MarkerPlace, MarkerPlace]]:
    """Match markers, the surest way first. Ids count only between states of one level."""
    pairs: dict[int, int] = {}
    with_ids = (_with_id, _with_id_here) if of_one_level else ()
    for key in (_unchanged, *with_ids, _here, _alike, _only):
        used = set(pairs.values())
        old_left = [placed for placed in old if placed.marker.id not in pairs]
        new_left = [placed for placed in new if placed.marker.id not in used]
        if key is _only:
            old_left, new_left = _single(old_left, old), _single(new_left, new)
        pairs |= _nearest(
            ((key(placed), _NumberedPlace(placed.marker.id, placed.place)) for placed in old_left),
            ((key(placed), _NumberedPlace(placed.marker.id, placed.place)) for placed in new_left),
        )
    by_id = {placed.marker.id: placed for placed in new}
    return [(placed, by_id[pairs[placed.marker.id]]) for placed in old if placed.marker.id in pairs]


def _unchanged(placed: MarkerPlace) -> Hashable:
    return placed.marker.kind, placed.place, placed.room, _properties(placed)


def _with_id(placed: MarkerPlace) -> Hashable:
    return placed.marker.id, placed.marker.kind


def _with_id_here(placed: MarkerPlace) -> Hashable:
    return placed.marker.id, placed.place


def _here(placed: MarkerPlace) -> Hashable:
    return placed.marker.kind, placed.place, placed.room


def _alike(placed: MarkerPlace) -> Hashable:
    where = placed.place if placed.room is None else placed.room  # the torches of hallways are all alike
    return placed.marker.kind, where, _properties(placed)


def _only(placed: MarkerPlace) -> Hashable:
    return placed.marker.kind


def _properties(placed: MarkerPlace) -> frozenset[tuple[str, Property]]:
    return frozenset(placed.marker.properties.items())


def _single(markers: Sequence[MarkerPlace], of_level: Sequence[MarkerPlace]) -> list[MarkerPlace]:
    """Keep the markers that are the only ones of their kind in the level, such as the player's start."""
    counts = Counter(map(_only, of_level))
    return [placed for placed in markers if counts[_only(placed)] == 1]
