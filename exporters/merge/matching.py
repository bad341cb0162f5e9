"""Match the rooms and objects of two levels by what they are, not by their numbers.

Numbers count through a level: with one enemy fewer, all later ones get other numbers. And with one more room
the whole level can shift in its frame. So rooms are matched by their facts. The first step finds the shift of
most rooms:

    old  +--+--+           new  +--+--+--+      all rooms moved by one room's width: that is the shift
         | A| B|                | x| A| B|
         +--+--+                +--+--+--+
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from generator.geometry import Point, Rect
from generator.named_tuple import NamedTuple

_BLOCK = 16  # tiles


def step_of_world(steps: Iterable[Point]) -> Point:
    """Return how far a whole world was moved, from the steps of its parts.

    That is the step of most of them, as the others were moved in it, too. If a part stayed, so did the world.
    """
    counts = Counter(steps)
    (step, count), *_ = counts.most_common(1) or [((0, 0), 0)]
    return step if (0, 0) not in counts and 2 * count > counts.total() else (0, 0)


class RoomFact(NamedTuple):
    """A room in a file: its key there, its rectangle of tiles, and its kind."""

    key: Hashable
    rect: Rect
    features: tuple[object, ...]  # kind, shape, layout


class ThingFact(NamedTuple):
    """A door, hallway or marker: its key, its sort, its kind, its tile, and a marker's own number."""

    key: Hashable
    sort: str
    kind: str
    place: Point
    number: str = ""


_Key = Callable[[RoomFact], tuple[object, ...]]
_Way = Callable[[bool], _Key]


class RoomPair(NamedTuple):
    """A room of the old level and its match in the new one. `same`: whether it is unchanged."""

    old: RoomFact
    new: RoomFact
    same: bool

    @property
    def shift(self) -> Point:
        """How far it moved, in tiles."""
        return self.new.rect.x - self.old.rect.x, self.new.rect.y - self.old.rect.y


@dataclass(frozen=True)
class Moves:
    """Where an old level's parts moved to: pairs of rooms, rooms that are gone, and the shift of the rest."""

    pairs: tuple[RoomPair, ...]
    gone: tuple[RoomFact, ...]
    shift: Point

    @cached_property
    def _by_block(self) -> dict[Point, list[tuple[Rect, RoomPair | None]]]:
        """The old rooms that touch each block of tiles, the smallest first."""
        blocks: dict[Point, list[tuple[Rect, RoomPair | None]]] = defaultdict(list)
        rooms = [*((pair.old.rect, pair) for pair in self.pairs), *((room.rect, None) for room in self.gone)]
        for rect, pair in sorted(rooms, key=lambda entry: _area(entry[0])):
            for y in range(rect.y // _BLOCK, (rect.bottom - 1) // _BLOCK + 1):
                for x in range(rect.x // _BLOCK, (rect.right - 1) // _BLOCK + 1):
                    blocks[x, y].append((rect, pair))
        return blocks

    def pair_at(self, x: int, y: int) -> RoomPair | None:
        """Find the pair whose old room contains a tile: the smallest, for rooms in another's notch."""
        return next((pair for rect, pair in self._near(x, y) if pair and rect.contains(x, y)), None)

    def is_gone(self, x: int, y: int) -> bool:
        """Check whether a tile is in a room that the new level does not have."""
        inside = [pair for rect, pair in self._near(x, y) if rect.contains(x, y)]
        return bool(inside) and not any(inside)

    def _near(self, x: int, y: int) -> Sequence[tuple[Rect, RoomPair | None]]:
        return self._by_block.get((x // _BLOCK, y // _BLOCK), ())

    def shift_at(self, x: int, y: int) -> Point:
        """Return how far a tile of the old level moved, in tiles."""
        pair = self.pair_at(x, y)
        return pair.shift if pair else self.shift


def moves_of(old: Sequence[RoomFact], new: Sequence[RoomFact]) -> Moves:
    """Match the rooms of two levels: equal features at the shifted place, at the same place, or unique.

    Finally, a room at the same place counts as the same room with another layout if its kind and shape are
    the same, and as one that was given another kind if its shape and layout are.
    """
    shift = _shift(old, new)
    pairs: list[RoomPair] = []
    ways: Sequence[tuple[_Way, bool]] = (
        (_at(shift), True),
        (_at((0, 0)), True),
        (_features, True),
        (_there(shift, lambda features: features[:2]), False),
        (_there(shift, lambda features: features[1:] if any(features[2:]) else features), False),
    )
    for by, same in ways:
        used_old, used_new = {pair.old.key for pair in pairs}, {pair.new.key for pair in pairs}
        old_rooms = _by(by(True), [room for room in old if room.key not in used_old])
        new_rooms = _by(by(False), [room for room in new if room.key not in used_new])
        for key, rooms in old_rooms.items():
            if len(rooms) == 1 and len(new_rooms.get(key, ())) == 1:
                pairs.append(RoomPair(rooms[0], new_rooms[key][0], same))
    matched = {pair.old.key for pair in pairs}
    pairs.sort(key=lambda pair: _area(pair.old.rect), reverse=True)
    return Moves(tuple(pairs), tuple(room for room in old if room.key not in matched), shift)


def _area(rect: Rect) -> int:
    return rect.width * rect.height


def _shift(old: Sequence[RoomFact], new: Sequence[RoomFact]) -> Point:
    """Find the most frequent shift between rooms with the same features, or the shortest one in a tie."""
    candidates = _by(_whole, new)
    votes = Counter(
        (candidate.rect.x - room.rect.x, candidate.rect.y - room.rect.y)
        for room in old
        for candidate in candidates.get(_whole(room), ())[:64]
    )
    return max(votes, key=lambda way: (votes[way], -abs(way[0]) - abs(way[1]), way), default=(0, 0))


def _whole(room: RoomFact) -> tuple[object, ...]:
    return (*room.features, room.rect.width, room.rect.height)


# A way to match: two functions, for old and new rooms, to the value that must be equal.


def _at(shift: Point) -> _Way:
    return lambda is_old: lambda room: (*_whole(room), *_place(room, shift if is_old else (0, 0)))


def _there(shift: Point, part: Callable[[tuple[object, ...]], tuple[object, ...]]) -> _Way:
    return lambda is_old: (
        lambda room: (
            *part(room.features),
            room.rect.width,
            room.rect.height,
            *_place(room, shift if is_old else (0, 0)),
        )
    )


def _features(is_old: bool) -> _Key:
    return _whole


def _place(room: RoomFact, by: Point) -> Point:
    return room.rect.x + by[0], room.rect.y + by[1]


def _by(key: _Key, rooms: Iterable[RoomFact]) -> dict[tuple[object, ...], list[RoomFact]]:
    groups: dict[tuple[object, ...], list[RoomFact]] = defaultdict(list)
    for room in rooms:
        groups[key(room)].append(room)
    return groups


def things_of(
    old: Sequence[ThingFact], new: Sequence[ThingFact], moves: Moves
) -> Mapping[Hashable, Hashable]:
    """Match each old thing with one of the new level if possible. Return the new key by the old one.

    Tried in order: a marker of the same number, if these still are the same; the same kind at the place where
    it would be now, in its room; a door there, in whatever room; a door of another kind there; the only one
    left of its kind in a room; and the only one of its kind in the level.
    """
    rooms = {pair.old.key: pair.new.key for pair in moves.pairs}
    back = Moves(tuple(RoomPair(pair.new, pair.old, pair.same) for pair in moves.pairs), (), (0, 0))
    matches = _by_number(old, new, moves)

    def key(fact: ThingFact, is_old: bool, attempt: int) -> Hashable:
        x, y = fact.place
        pair = (moves if is_old else back).pair_at(x, y)
        room = None if pair is None else rooms[pair.old.key] if is_old else pair.old.key
        if attempt <= 2:
            if is_old and fact.sort != "door" and moves.is_gone(x, y):
                return fact.key  # another room is at that place now
            dx, dy = moves.shift_at(x, y) if is_old else (0, 0)
            kind = fact.kind if attempt < 2 else ""
            return fact.sort, kind, x + dx, y + dy, room if attempt == 0 else None
        return fact.sort, fact.kind, room if attempt == 3 else ""

    for attempt in range(5):
        used, only_doors = set(matches.values()), attempt in (1, 2)
        old_groups, new_groups = defaultdict(list), defaultdict(list)
        for fact in old:
            if fact.key not in matches and (not only_doors or fact.sort == "door"):
                old_groups[key(fact, True, attempt)].append(fact)
        for fact in new:
            if fact.key not in used and (not only_doors or fact.sort == "door"):
                new_groups[key(fact, False, attempt)].append(fact)
        for group, before in old_groups.items():
            after = new_groups.get(group, [])
            if attempt < 2 or len(before) == len(after) == 1:
                matches |= {a.key: b.key for a, b in zip(before, after, strict=False)}
    return matches


def _by_number(old: Sequence[ThingFact], new: Sequence[ThingFact], moves: Moves) -> dict[Hashable, Hashable]:
    """Match markers by their numbers, if a person only moved some: all rooms and most markers are in place.

    So what somebody put on one of two that change places goes with it.
    """
    numbers = {(fact.sort, fact.kind, fact.number): fact for fact in new if fact.number}
    same = [(fact, numbers.get((fact.sort, fact.kind, fact.number))) for fact in old if fact.number]
    is_level = not moves.gone and all(pair.same and pair.shift == (0, 0) for pair in moves.pairs)
    in_place = [fact for fact, now in same if now and now.place == fact.place]
    if not is_level or 2 * len(in_place) <= len(same):
        return {}
    return {fact.key: now.key for fact, now in same if now}
