"""Makes hallways places: niches, landings, wider bends, pits, barricades, carpets, broken floor, litter.

# # # # # # # # # # # # #        The rows `[hallway.NAME]` of a kit say what there is. What is dug beside a
# # n # # # n # # # # # #        hallway becomes part of it. It is dug from free ground only: nothing that a
D h h h h h h h h h h h D        room or another hallway needs, and a wall is left all round. Things beside a
D h h b b h h h h h h h D        hallway never matter to those who pass; on its floor (b) they leave a lane
# # # # # # # L L L # # #        as wide as the spec's `body`, and keep two tiles away from doors and bends.
          # # L L L #
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from generator.geometry import Point, Rect
from generator.kinds import HALLWAY, PIT, RUBBLE, VOID, WALL, Kit
from generator.kinds.heap_tables import LEAST_HALLWAY, HallwayRow
from generator.level import MARGIN, Tiles
from generator.named_tuple import NamedTuple
from generator.rng import Stream, name_key
from generator.styles.gungeon.plan import GungeonRoom, HeapPlan, PlannedHallway, is_straight
from generator.styles.gungeon.spec import GungeonSpec

_CLOSED = bytes((VOID, WALL))
_TO_WALL = bytes(WALL if terrain == VOID else terrain for terrain in range(256))
_KINDS = (2, 3)  # of hallways in a level
_LANDING = 2  # tiles that a hallway is wider there
_LANDING_EVERY = 16  # tiles of a stretch
_CLEAR = 2  # tiles between a door or bend and things on the floor
_ONE = 1, 1  # least and most


class _Thing(NamedTuple):
    number: int
    width: int
    height: int
    needs_wall: bool  # to its north


_NOTHING = _Thing(0, 1, 1, needs_wall=False)


class _HallwayKind(NamedTuple):
    """A row of the kit, with the things of each of its parts, repeated by their weights."""

    row: HallwayRow
    things: Mapping[str, tuple[_Thing, ...]]


class FurnishedHallway(NamedTuple):
    """All tiles of a hallway, row by row; walls where a torch would tell of a niche; tiles with things.

    `torches` are the least and the most tiles between others, or 0.
    """

    tiles: tuple[Point, ...]
    tells: Sequence[Point] = ()
    things: Sequence[Point] = ()
    torches: tuple[int, int] = HallwayRow("").torches


def furnish_hallways(
    spec: GungeonSpec, seed: int, plan: HeapPlan, terrain: Tiles, decor: Tiles
) -> list[FurnishedHallway]:
    """Dig and furnish what the kit's rows give hallways, and return what became of each.

    All hallways are carved already. `terrain` and `decor` are contiguous arrays, and are changed.
    """
    furnished = [FurnishedHallway(hallway.tiles) for hallway in plan.hallways]
    kit = spec.load_kit()
    kinds = _kinds_of(kit)
    long = [number for number, way in enumerate(plan.hallways) if len(way.path) >= LEAST_HALLWAY]
    if not kinds or not long:
        return furnished
    ground = _FreeGround(terrain, decor, plan.rooms)
    orders: dict[tuple[str, str], Sequence[_HallwayKind]] = {}
    streams = Stream.numbered(len(plan.hallways), seed, "gungeon.hallway")
    for number in long:
        hallway, stream = plan.hallways[number], streams[number]
        place = _place_of(spec, plan, hallway)
        if place not in orders:
            orders[place] = _drawn(kinds, *place, seed)
        fitting = [
            kind for kind in orders[place] if kind.row.length[0] <= len(hallway.path) <= kind.row.length[1]
        ]
        if fitting:
            kind = fitting[0] if place[0] else stream.pick(fitting)
            digger = _Digger(ground, hallway, kind, stream)
            digger.furnish(spec.body)
            furnished[number] = FurnishedHallway(
                digger.all_tiles(), digger.tells, digger.things, kind.row.torches
            )
    return furnished


def _place_of(spec: GungeonSpec, plan: HeapPlan, hallway: PlannedHallway) -> tuple[str, str]:
    """Return the zone and the chapter of the room at an end of a hallway that is nearer to the start."""
    room = min((plan.rooms[end.room] for end in hallway.ends), key=lambda room: room.distance)
    return room.zone, room.chapter or ("" if spec.chapter == "none" else spec.chapter)


def _drawn(kinds: Sequence[_HallwayKind], zone: str, chapter: str, seed: int) -> Sequence[_HallwayKind]:
    """Draw the kinds of hallways of a zone, in order, or the few that a level without zones has."""
    stream = Stream(seed, "gungeon.hallways", *([name_key(zone)] if zone else ()))
    left = [kind for kind in kinds if chapter in kind.row.chapters or not kind.row.chapters]
    most = len(left) if zone else stream.between(*_KINDS)
    drawn: list[_HallwayKind] = []
    while left and len(drawn) < most:
        drawn.append(stream.weighted(left, [kind.row.weight for kind in left]))
        left.remove(drawn[-1])
    return drawn


@lru_cache(maxsize=16)
def _kinds_of(kit: Kit) -> tuple[_HallwayKind, ...]:
    """Return the kinds of hallways that a kit has, with what stands in them."""
    parts = ("niches", "landing", "posts", "barricades", "runner", "litter", "walls")
    return tuple(
        _HallwayKind(row, {part: _things_of(kit, getattr(row, part)) for part in parts})
        for row in kit.rules.hallways
        if row.weight
    )


def _things_of(kit: Kit, part: Mapping[str, Any]) -> tuple[_Thing, ...]:
    places = kit.rules.numbers["decor_place"]
    things = []
    for name, weight in part.get("things", {}).items():
        number = kit.kinds.decor_ids[name]
        kind = kit.kinds.decor[number]
        things += [_Thing(number, kind.width, kind.height, places.get(name) == "north")] * weight
    return tuple(things)


class _FreeGround:
    """The tiles of a level, flat, and those that no hallway may take: at rooms, and near the edge."""

    def __init__(self, terrain: Tiles, decor: Tiles, rooms: Sequence[GungeonRoom]) -> None:
        self.stride = terrain.shape[1]
        self.terrain = terrain.reshape(-1).data
        self.decor = decor.reshape(-1).data
        kept = np.ones(terrain.shape, np.uint8)
        kept[MARGIN + 1 : -MARGIN - 1, MARGIN + 1 : -MARGIN - 1] = 0
        for room in rooms:
            kept[room.bounds.shrunk(-1).slices] = 1
        self.kept = kept.tobytes()

    def is_free(self, rect: Rect, own: set[int]) -> bool:
        """Check whether a hallway may spread to some tiles: it keeps a wall between itself and all others."""
        x, y, width, height = rect
        stride, terrain = self.stride, self.terrain
        for row in range(y, y + height):
            start = row * stride + x
            if 1 in self.kept[start : start + width] or terrain[start : start + width].tobytes().strip(
                _CLOSED
            ):
                return False
        for row in range(y - 1, y + height + 1):
            start = row * stride + x - 1
            line = terrain[start : start + width + 2].tobytes()
            if line.strip(_CLOSED):
                open_tiles = (start + i for i, kind in enumerate(line) if kind not in _CLOSED)
                if not own.issuperset(open_tiles):
                    return False
        return True

    def dig(self, rect: Rect, kind: int) -> list[int]:
        """Make some tiles a hallway's, of this terrain, with walls round them, and return them."""
        x, y, width, height = rect
        stride, terrain = self.stride, self.terrain
        for row in range(y - 1, y + height + 1):
            start = row * stride + x - 1
            line = terrain[start : start + width + 2]
            line[:] = line.tobytes().translate(_TO_WALL)
        dug: list[int] = []
        for row in range(y, y + height):
            start = row * stride + x
            terrain[start : start + width] = bytes((kind,)) * width
            dug += range(start, start + width)
        return dug


class _Stretch(NamedTuple):
    """A straight part of a hallway: its first row or column, and where it is clear of doors and bends."""

    is_level: bool
    line: int
    width: int
    first: int
    last: int  # excluded

    def beside(self, at: int, length: int, side: int, depth: int) -> Rect:
        """Return the tiles beside it, to the north or west (side 0), or south or east (1)."""
        across = self.line - depth if side == 0 else self.line + self.width
        return Rect(at, across, length, depth) if self.is_level else Rect(across, at, depth, length)

    def tile(self, at: int, across: int) -> Point:
        return (at, self.line + across) if self.is_level else (self.line + across, at)


def _stretches(path: Sequence[Point], width: int) -> Iterator[_Stretch]:
    """Yield the straight parts of a hallway that are longer than what its doors and bends take."""
    bends: list[Point] = []
    if not is_straight(path):
        threes = zip(path, path[1:], path[2:], strict=False)
        bends = [b for a, b, c in threes if a[0] != c[0] and a[1] != c[1]]
    corners = [path[0], *bends, path[-1]]
    for number, (a, b) in enumerate(pairwise(corners)):
        is_level = a[1] == b[1]
        along = 0 if is_level else 1
        low, high = min(a[along], b[along]), max(a[along], b[along]) + width
        at_ends = [1 if number == 0 else width + 1, 1 if number == len(corners) - 2 else width + 1]
        if a[along] > b[along]:
            at_ends.reverse()
        if low + at_ends[0] < high - at_ends[1]:
            yield _Stretch(is_level, a[1 - along], width, low + at_ends[0], high - at_ends[1])


class _Digger:
    """Digs and furnishes one hallway."""

    def __init__(
        self, ground: _FreeGround, hallway: PlannedHallway, kind: _HallwayKind, stream: Stream
    ) -> None:
        self._ground, self._kind, self._stream = ground, kind, stream
        self._path = hallway.path
        self._width = len(hallway.ends[0].tiles)
        self._own = {y * ground.stride + x for x, y in hallway.tiles}
        self._stretches = list(_stretches(hallway.path, self._width))
        self._covered: set[int] = set()
        self.tells: list[Point] = []
        self.things: list[Point] = []
        self._tiles = hallway.tiles
        self._with_landings: list[_Stretch] = []  # which have barricades already

    def all_tiles(self) -> tuple[Point, ...]:
        """Return the hallway's tiles, row by row."""
        stride = self._ground.stride
        if len(self._own) == len(self._tiles):
            return self._tiles
        return tuple([(tile % stride, tile // stride) for tile in sorted(self._own)])

    def furnish(self, body: int) -> None:
        """Give the hallway what its row asks for, as far as there is free ground."""
        row = self._kind.row
        if row.landing:
            self._dig_landings(row.landing["length"], body)
        if row.posts:
            self._widen_bends()
        if row.pits:
            self._dig_pits(row.pits["length"], row.pits.get("deep", _ONE))
        if row.niches:
            self._dig_niches(row.niches)
        if row.barricades and self._width > body:
            self._put_barricades(row.barricades["every"], row.barricades.get("row", _ONE), body)
        if row.rubble:
            self._break_floor(row.rubble)
        if row.runner:
            self._lay_runner(row.runner["least"])
        if row.litter:
            self._litter(row.litter["chance"])
        if row.walls:
            self._hang(row.walls["chance"])

    def _dig(self, rect: Rect, kind: int = HALLWAY) -> bool:
        if not self._ground.is_free(rect, self._own):
            return False
        self._own.update(self._ground.dig(rect, kind))
        return True

    def _put(self, part: str, rect: Rect, *, has_wall: bool = False, far: bool = False) -> None:
        """Put one of the things of a part into some tiles: their top left, or with `far` their bottom right.

        None, if none fits there.
        """
        x, y, width, height = rect
        fitting = [
            thing
            for thing in self._kind.things[part]
            if thing.width <= width and thing.height <= height and (has_wall or not thing.needs_wall)
        ]
        thing = self._stream.pick(fitting) if fitting else None
        if thing is None or not thing.number:
            return
        if far:
            x, y = rect.right - thing.width, rect.bottom - thing.height
        stride = self._ground.stride
        area = {(y + j) * stride + x + i for i in range(thing.width) for j in range(thing.height)}
        if self._covered.isdisjoint(area):
            self._ground.decor[y * stride + x] = thing.number
            self._covered |= area
            self.things.append((x, y))

    def _dig_landings(self, lengths: tuple[int, int], body: int) -> None:
        """Widen the longest stretch once, and every stretch once in `_LANDING_EVERY` tiles."""
        by_length = sorted(self._stretches, key=lambda s: s.first - s.last)
        for stretch in by_length:
            total = stretch.last - stretch.first
            many = max(total // _LANDING_EVERY, int(stretch is by_length[0]))
            for part in range(many):
                first, last = total * part // many, total * (part + 1) // many - (part + 1 < many)
                if last - first >= lengths[0]:
                    self._dig_landing(stretch, stretch.first + first, last - first, lengths, body)

    def _dig_landing(
        self, stretch: _Stretch, first: int, room: int, lengths: tuple[int, int], body: int
    ) -> None:
        """Widen a part of a stretch, with things along its outer wall: at both ends, and between."""
        stream = self._stream
        length = min(stream.between(*lengths), room)
        at = first + stream.below(room - length + 1)
        side = stream.below(2)
        for each in (side, 1 - side):
            rect = stretch.beside(at, length, each, _LANDING)
            if self._dig(rect):
                across = -1 - _LANDING if each == 0 else self._width + _LANDING
                self.tells.append(stretch.tile(at + length // 2, across))
                self._furnish_landing(rect, is_level=stretch.is_level, side=each)
                self._put_opposite(stretch, range(at + body, at + length - body), each)
                return

    def _put_opposite(self, stretch: _Stretch, places: range, side: int) -> None:
        """Put a barricade opposite a landing, a body's length away from its ends."""
        if not self._kind.row.barricades or not places:
            return
        row = min(self._stream.between(*self._kind.row.barricades.get("row", _ONE)), len(places))
        first = places[(len(places) - row) // 2]
        self._with_landings.append(stretch)
        for at in range(first, first + row):
            tile = stretch.tile(at, self._width - 1 if side == 0 else 0)
            self._put("barricades", Rect(*tile, 1, 1))

    def _furnish_landing(self, rect: Rect, *, is_level: bool, side: int) -> None:
        """Put things along a landing's outer wall: at its ends, and in the middle if nothing is opposite."""
        x, y, right, bottom = rect.x, rect.y, rect.right - 1, rect.bottom - 1
        if is_level:
            outer = y if side == 0 else bottom
            ends = (x, outer), (right, outer)
        else:
            outer = x if side == 0 else right
            ends = (outer, y), (outer, bottom)
        for end in ends:
            self._put("landing", Rect(*end, 1, 1))
        if not self._kind.row.barricades and max(rect[2:]) >= 2 * _LANDING:
            middle = (x + (rect.width - 2) // 2, y) if is_level else (x, y + (rect.height - 2) // 2)
            self._put("landing", Rect(*middle, 2, 2), far=side == 1)

    def _widen_bends(self) -> None:
        """Dig the inside of each bend, and put a post where the corner of its wall was."""
        path, width = self._path, self._width
        if is_straight(path):
            return
        for a, (x, y), c in zip(path, path[1:], path[2:], strict=False):
            if a[0] == c[0] or a[1] == c[1]:
                continue
            dx, dy = a[0] + c[0] - 2 * x, a[1] + c[1] - 2 * y  # from the bend to the inside of its corner
            left = x + width if dx > 0 else x - 2
            top = y + width if dy > 0 else y - 2
            if self._dig(Rect(left, top, 2, 2)):
                post = (left if dx > 0 else left + 1, top if dy > 0 else top + 1)
                self._put("posts", Rect(*post, 1, 1))

    def _dig_pits(self, lengths: tuple[int, int], deep: tuple[int, int]) -> None:
        stream = self._stream
        for stretch in self._stretches:
            room = stretch.last - stretch.first
            if room < lengths[0]:
                continue
            length, depth, side = min(stream.between(*lengths), room), stream.between(*deep), stream.below(2)
            at = stretch.first + (room - length) // 2
            for each in (side, 1 - side):
                if self._dig(stretch.beside(at, length, each, depth), PIT) or self._dig(
                    stretch.beside(at, length, each, 1), PIT
                ):
                    break

    def _dig_niches(self, niches: Mapping[str, Any]) -> None:
        """Dig niches at even steps, centred on their stretch, or at steps drawn from a range."""
        stream, every, wide = self._stream, niches["every"], niches.get("wide", _ONE)
        sides = niches.get("sides", "one")
        number = stream.below(2)
        for stretch in self._stretches:
            length = stream.between(*wide)
            room = stretch.last - stretch.first - length
            if room < 0:
                continue
            is_even = every[0] == every[1]
            at = stretch.first + (
                room % (every[0] + length - 1) // 2 if is_even else stream.below(min(room, every[0]) + 1)
            )
            while at + length <= stretch.last:
                for side in (0, 1) if sides == "both" else (number & 1,):
                    rect = stretch.beside(at, length, side, 1)
                    if self._dig(rect):
                        has_wall = side == 0 and stretch.is_level
                        self._put("niches", rect, has_wall=has_wall)
                        self.tells.append(stretch.tile(at + length, -1 if side == 0 else self._width))
                number += sides == "turns"
                at += length - 1 + stream.between(*every)

    def _put_barricades(self, every: tuple[int, int], rows: tuple[int, int], body: int) -> None:
        stream = self._stream
        for stretch in self._stretches:
            if any(stretch is other for other in self._with_landings):
                continue
            at = stretch.first + _CLEAR - 1 + stream.below(every[0])
            while at < stretch.last - _CLEAR + 1:
                row = min(stream.between(*rows), stretch.last - _CLEAR + 1 - at)
                across = stream.below(2) * (self._width - 1)
                for i in range(row):
                    tile = stretch.tile(at + i, across)
                    self._put("barricades", Rect(*tile, 1, 1))
                at += row + max(stream.between(*every), body)

    def _floor(self) -> list[int]:
        """Return the tiles of its floor on which nothing stands, away from doors and bends."""
        stride = self._ground.stride
        tiles = [
            y * stride + x
            for stretch in self._stretches
            for at in range(stretch.first + 1, stretch.last - 1)
            for across in range(self._width)
            for x, y in (stretch.tile(at, across),)
        ]
        return [tile for tile in tiles if tile not in self._covered]

    def _break_floor(self, percent: int) -> None:
        """Turn tiles of the floor to rubble, in patches: a tile and often the next."""
        floor = self._floor()
        for _ in range(len(floor) * percent // 200):
            tile = self._stream.pick(floor)
            for near in (tile, tile + 1 if self._stream.chance(1, 2) else tile + self._ground.stride):
                if near in floor:
                    self._ground.terrain[near] = RUBBLE

    def _lay_runner(self, least: int) -> None:
        """Lay the same flat thing on the free floor of long stretches."""
        thing = self._stream.pick(self._kind.things["runner"] or (_NOTHING,))
        for stretch in self._stretches:
            for at in (
                range(stretch.first + 1, stretch.last - 1) if stretch.last - stretch.first >= least else ()
            ):
                for x, y in (stretch.tile(at, across) for across in range(self._width)):
                    tile = y * self._ground.stride + x
                    if tile not in self._covered and self._ground.terrain[tile] == HALLWAY:
                        self._ground.decor[tile] = thing.number
                        self._covered.add(tile)

    def _litter(self, percent: int) -> None:
        """Put flat things on the floor, each alone or with one or two beside it."""
        floor, stride = self._floor(), self._ground.stride
        for _ in range((len(floor) * percent + self._stream.below(200)) // 200):
            tile = self._stream.pick(floor)
            for near in (tile, tile + 1, tile + stride)[: 1 + self._stream.below(3)]:
                if near in floor:
                    self._put("litter", Rect(near % stride, near // stride, 1, 1))

    def _hang(self, percent: int) -> None:
        """Hang things on the faces of walls to the north."""
        for stretch in self._stretches:
            length = stretch.last - stretch.first
            for _ in range((length * percent + self._stream.below(100)) // 100 if stretch.is_level else 0):
                x, y = stretch.first + self._stream.below(length), stretch.line - 1
                if self._ground.terrain[y * self._ground.stride + x] == WALL:
                    self._put("walls", Rect(x, y, 1, 1))
