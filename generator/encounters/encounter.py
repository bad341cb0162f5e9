"""Who fights in a room: the places drawn for enemies, filled from the roster until the budget is spent.

Each role that the places name gets one kind for the whole room, so that players see at a glance who is there.
Places too near to a door move aside to the nearest free tile, and are filled last. If the places cannot take
the whole budget, enemies stand on other free tiles too, and come later than the others. Where no tile is far
enough from the doors and somebody must fight, the places are filled as drawn.

A kit can have gangs, enemies that come together. A room that one of them suits gets this gang instead, from
the same budget, on the same places.

A place with its own `name`, or with a role that the roster does not have, is always filled as drawn.

Encounters are fair: nobody stands near a door in use, and whoever could hit at once waits a while.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from functools import lru_cache
from itertools import repeat
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from generator.algorithms.bitboard import Bitboard, dilate4, lowest, nth_tile, rectangle
from generator.algorithms.board_drawing import line
from generator.encounters.budget import Threat
from generator.encounters.cast import Actor, RolePart, parts_of
from generator.encounters.gangs import GangMember, lineup_of
from generator.geometry import Point
from generator.interiors.interior import PlacedMarker
from generator.kinds import SHIPPED, Kinds
from generator.kinds.kind_tables import AFAR, ROLES
from generator.level import Property
from generator.named_tuple import NamedTuple
from generator.reasons import came, passed_over
from generator.rng import Stream

if TYPE_CHECKING:
    from generator.kinds.gangs import GangRow

# ....+....        + a door; ! up to three steps from the tile in front of it: nobody stands there
# .!!!!!!!.
# ..!!!!!..
# ...!!!.S.        S a shooter with a clear line to the tile, at most six tiles away: it waits
# ....!....

NEAR = 3  # steps: nobody stands this near to the tile in front of a door
SIGHT = 6  # tiles
WAIT = 1.0  # seconds


class Battleground(NamedTuple):
    """A room as input for an encounter: its size, boards of its tiles, and the tiles in front of its doors.

    `free` is bare floor that can be reached from the doors without a hazard; `shots` are the tiles that a
    shot passes. The enemies are those of `kinds`.
    """

    width: int
    height: int
    free: Bitboard
    shots: Bitboard
    ways_in: tuple[Point, ...]
    kinds: Kinds = SHIPPED

    @property
    def stride(self) -> int:
        """The stride of the boards."""
        return self.width + 1

    @property
    def room(self) -> Bitboard:
        """All tiles of the room."""
        return rectangle(0, 0, self.width, self.height, self.stride)

    def near(self) -> Bitboard:
        """Return the tiles too near to a door for anybody to stand on, whatever lies between."""
        return _near(self.width, self.height, self.ways_in)

    def sees_door(self, point: Point) -> bool:
        """Check whether a shot from a tile can hit a tile in front of a door that is near enough."""
        x, y = point
        for doorstep in self.ways_in:
            is_near = abs(doorstep[0] - x) <= SIGHT and abs(doorstep[1] - y) <= SIGHT
            if is_near and (self.is_clear(point, doorstep) or self.is_clear(doorstep, point)):
                return True
        return False

    def is_clear(self, start: Point, end: Point) -> bool:
        """Check whether nothing stops a shot from one tile to another a few tiles away."""
        x, y = start
        stride = self.width + 1
        tiles, first = _line(end[0] - x, end[1] - y, stride)
        tiles <<= x + y * stride - first
        return self.shots & tiles == tiles


@lru_cache(maxsize=1024)
def _near(width: int, height: int, ways_in: tuple[Point, ...]) -> Bitboard:
    board, stride = 0, width + 1
    for x, y in ways_in:
        board |= 1 << x + y * stride
    return within_steps(board, NEAR, rectangle(0, 0, width, height, stride), stride)


@lru_cache(maxsize=1 << 14)
def _line(dx: int, dy: int, stride: int) -> tuple[Bitboard, int]:
    """Return the board of a line with these offsets, its lowest bit shifted to 0, and the bit of its start.

    Lines are no longer than `SIGHT`, so there are few.
    """
    tiles = [x + y * stride for x, y in line((0, 0), (dx, dy))]
    lowest = min(tiles)
    return sum(1 << tile - lowest for tile in tiles), -lowest


def within_steps(start: Bitboard, steps: int, inside: Bitboard, stride: int) -> Bitboard:
    """Return the start and the tiles of `inside` at most `steps` steps from it, ignoring obstacles."""
    near = start
    for _ in range(steps):
        near |= dilate4(near, stride) & inside
    return near


def stands_near(point: Point, ways_in: Iterable[Point]) -> bool:
    """Check whether a tile is too near to one of the tiles in front of doors."""
    return any(abs(point[0] - x) + abs(point[1] - y) <= NEAR for x, y in ways_in)


def hits_from_afar(kinds: Kinds, name: object, role: object) -> bool:
    """Check whether an enemy shoots: by its name, or by its role if the roster does not have the name."""
    kind = kinds.enemies.get(str(name))
    return kind.hits_from_afar if kind else role in AFAR


_APART = 2  # steps at least between enemies on added tiles
_TILES_EACH = 9  # free tiles at least per enemy for another one to be added
_NOTHING_DRAWN: Mapping[str, Property] = MappingProxyType({})


class DrawnPlace(NamedTuple):
    """A place that a layout draws for an enemy: its tile on boards, and its properties."""

    tile: int
    drawn: Mapping[str, Property]
    is_as_drawn: bool
    role: str  # whether or not the roster has it


class DrawnMarkers(NamedTuple):
    """A room's markers, sorted for encounters.

    `others` are not places for enemies; `bosses` are the indices of bosses among them. `all_rolled` is
    whether no place is filled as drawn. `taken` has all markers' tiles.
    """

    others: tuple[PlacedMarker, ...]
    bosses: tuple[int, ...]
    places: tuple[DrawnPlace, ...]
    roles: frozenset[str]
    all_rolled: bool
    taken: Bitboard


def drawn_by(markers: Iterable[PlacedMarker], stride: int) -> DrawnMarkers:
    """Sort a layout's markers for encounters. `stride` is that of the boards."""
    others: list[PlacedMarker] = []
    bosses, spots, taken = [], [], 0
    for marker in markers:
        kind, x, y, drawn = marker
        tile = x + y * stride
        taken |= 1 << tile
        if kind == "enemy":
            spots.append(DrawnPlace(tile, drawn, is_as_drawn(drawn), str(drawn.get("role", ROLES[0]))))
            continue
        if kind == "boss":
            bosses.append(len(others))
        others.append(marker)
    roles = frozenset(spot.role for spot in spots)
    all_rolled = not any(spot.is_as_drawn for spot in spots)
    return DrawnMarkers(tuple(others), tuple(bosses), tuple(spots), roles, all_rolled, taken)


def encounter(
    markers: Iterable[PlacedMarker], ground: Battleground, threat: Threat, stream: Stream
) -> tuple[PlacedMarker, ...]:
    """Return a room's markers: first all that are not places for enemies, in order, then its enemies.

    A boss moves aside too if need be. A place is left empty if the budget is spent, or if there is no tile to
    move aside to.
    """
    return encounter_of(drawn_by(markers, ground.stride), ground, threat, stream)


def encounter_of(
    drawn: DrawnMarkers, ground: Battleground, threat: Threat, stream: Stream
) -> tuple[PlacedMarker, ...]:
    """Return `encounter` for markers that are used repeatedly."""
    if not drawn.places and not drawn.bosses:
        return drawn.others
    muster, others = _Muster(ground, threat, stream, drawn.taken), list(drawn.others)
    for number in drawn.bosses:
        others[number] = muster.fair_boss(others[number])
    if drawn.places:
        muster = muster.filled(drawn)
    return (*others, *muster.enemies())


class _Muster:
    """A room while enemies are put into it."""

    def __init__(self, ground: Battleground, threat: Threat, stream: Stream, taken: Bitboard) -> None:
        self._ground = ground
        self._threat = threat
        self._stream = stream
        self._left = threat.budget
        self._stride = ground.stride
        self._near = ground.near()
        self._taken = taken
        self._found: list[tuple[int, dict[str, Property], Actor]] = []  # with the tile and properties
        self._most = 0  # enemies: at this number no more are added on other tiles
        self._cast: dict[str, Actor] = {}

    def fair_boss(self, boss: PlacedMarker) -> PlacedMarker:
        """Move the boss away from doors, or leave it where it is drawn if there is no such tile."""
        tile = boss.x + boss.y * self._stride
        if self._near >> tile & 1:
            fair = self._fair(tile)
            tile = tile if fair is None else fair
        self._taken |= 1 << tile
        y, x = divmod(tile, self._stride)
        waits = WAIT if self._ground.sees_door((x, y)) else 0.0
        return boss._replace(x=x, y=y, properties={**boss.properties, "wakes_after": waits})

    def filled(self, drawn: DrawnMarkers) -> _Muster:
        """Fill places until the budget is spent, then add enemies on other tiles if need be.

        Places that are always filled come first, those that move aside last.
        """
        threat, spots, near = self._threat, list(drawn.places), self._near
        if threat.gangs and (with_gang := self._with_gang(spots)):
            return with_gang
        self._most = self._ground.free.bit_count() // _TILES_EACH if threat.adds else 0
        crowd = max(self._most, len(spots))
        parts = parts_of(
            self._ground.kinds, drawn.roles, threat.budget, threat.chapter, threat.name, crowd, threat.absent
        )
        self._cast = self._casting(parts)
        self._stream.shuffle(spots)
        if near & drawn.taken or not drawn.all_rolled:
            spots.sort(key=lambda spot: (not spot.is_as_drawn, near >> spot.tile & 1))
        self._fill_all(spots)
        if threat.adds and len(self._found) < self._most:
            self._add([spot.role for spot in spots])
        if threat.must and not self._found:
            self._near = 0
            self._fill_all(spots)
        self._ambush()
        return self

    def _with_gang(self, spots: list[DrawnPlace]) -> _Muster | None:
        """Return the room with one of the gangs that suit it. None if none fits."""
        drawn = [spot for spot in spots if spot.is_as_drawn]
        places = [spot for spot in spots if not spot.is_as_drawn]
        gangs = list(self._threat.gangs)
        while gangs and places:
            gang = self._stream.weighted(gangs, [gang.weight for gang in gangs])
            gangs.remove(gang)
            tried = copy(self)
            tried._found = []
            tried._fill_all(drawn)
            if tried._all_stand(gang, places):
                came("gang", gang.name)
                return tried
        return None

    def _all_stand(self, gang: GangRow, places: Iterable[DrawnPlace]) -> bool:
        """Put a gang into the room, as many of it as the budget pays for. False if that is too little."""
        stream = self._stream
        lineup = lineup_of(gang, self._ground.kinds, self._threat, self._left, stream)
        if lineup is None:
            return False
        left = list(places)
        stream.shuffle(left)
        most = max(len(left), self._ground.free.bit_count() // _TILES_EACH)
        for member in lineup.certain:
            if not self._stand(member, left):
                return passed_over("gang", gang.name, "a room has too little space for it")
        for member in lineup.further:
            if member.cost <= self._left and len(self._found) < most:
                self._stand(member, left)
        return True

    def _stand(self, member: GangMember, places: list[DrawnPlace]) -> bool:
        """Put a member on one of the places left, or on another tile. False if there is none. Takes one word.

        If possible, the place is one for its role, but somebody who shoots does not see a door from it.
        """
        actor = member.actor

        def unsuitable(place: DrawnPlace) -> tuple[bool, bool]:
            y, x = divmod(place.tile, self._stride)
            return actor.shoots and self._ground.sees_door((x, y)), place.role != member.role

        safe = self._ground.free
        fair = [place for place in places if not self._near >> place.tile & 1]
        fitting = [place for place in fair if safe >> place.tile & 1 or place.role == member.role]
        place = min(fitting, key=unsuitable, default=None)
        tile = place.tile if place else self._other_tile()
        if tile is None:
            return False
        if place:
            places.remove(place)
        drawn = {**(place.drawn if place else _NOTHING_DRAWN), "wave": member.wave}
        self._put(actor, tile, drawn, self._stream.below(100) < self._threat.champions, False)
        return True

    def _fill_all(self, spots: Iterable[DrawnPlace]) -> None:
        """Put enemies on drawn spots until the budget is spent. The first is always put.

        Each that is not left out takes a word.
        """
        cast, near, below, champions = self._cast, self._near, self._stream.below, self._threat.champions
        cheapest = min([actor.cost for actor in cast.values()], default=0)
        for tile, drawn, is_as_drawn, role in spots:
            may_leave_out = bool(self._found) and not is_as_drawn
            if may_leave_out and self._left < cheapest:
                break
            actor = self._as_drawn(drawn) if is_as_drawn else cast.get(role)
            if actor is None:  # this kit has nobody for this room
                continue
            champion = below(100) < champions
            if may_leave_out and actor.cost > self._left:
                continue
            at = self._fair(tile) if near >> tile & 1 else tile
            if at is not None:
                self._put(actor, at, drawn, champion, is_as_drawn)

    def _casting(self, parts: Iterable[RolePart | None]) -> dict[str, Actor]:
        """Cast each role of the room. Takes a word for each of `ROLES`."""
        cast, stream = dict[str, Actor](), self._stream
        for part in parts:
            if part is None:
                stream.position += 1
            else:
                cast[part.role] = part.actors[stream.drawn_place(part.totals)]
        return cast

    def _as_drawn(self, drawn: Mapping[str, Property]) -> Actor:
        """Return who stands at a place where the layout names the enemy."""
        kind = self._ground.kinds.enemies.get(str(drawn["name"])) if "name" in drawn else None
        return Actor.of(kind) if kind else Actor.unknown(drawn.get("role", ROLES[0]))

    def _put(
        self, actor: Actor, tile: int, drawn: Mapping[str, Property], champion: bool, is_as_drawn: bool
    ) -> None:
        _, flies, _, cost, usual = actor
        self._taken |= 1 << tile
        self._left -= cost
        properties = {**usual, **drawn, "champion": champion, "flies": flies}
        if not is_as_drawn:
            properties["role"] = usual["role"]  # another role, if the kit has no enemy of the drawn one
        self._found.append((tile, properties, actor))

    def _fair(self, tile: int) -> int | None:
        """Find the free tile nearest to `tile` that is far enough from doors. None if there is none."""
        board, room = 1 << tile, self._ground.room
        free = self._ground.free & ~self._near & ~self._taken
        while free:
            if board & free:
                return lowest(board & free)
            board = dilate4(board, self._stride) & room
        return None

    def _add(self, roles: Iterable[str]) -> None:
        """Spend the rest of the budget on other tiles, as long as there is space."""
        named = [role for role in roles if role in ROLES and role != "turret"] or [ROLES[0]]
        actors = [self._cast[role] for role in named if role in self._cast]
        while actors and len(self._found) < self._most:
            actor = actors[len(self._found) % len(actors)]
            if actor.cost > self._left:
                return
            tile = self._other_tile()
            if tile is None:
                return
            self._put(actor, tile, _NOTHING_DRAWN, self._stream.below(100) < self._threat.champions, False)

    def _other_tile(self) -> int | None:
        """Draw a free tile that is far enough from doors and other markers. None if there is none."""
        around = self._taken
        for _ in range(_APART):
            around = dilate4(around, self._stride) & self._ground.room
        free = self._ground.free & ~self._near & ~around
        return nth_tile(free, self._stream.below(free.bit_count())) if free else None

    def _ambush(self) -> None:
        """Hold back a third of the enemies sometimes, unless the layout draws waves. Takes one word."""
        ambush = self._stream.below(100) < self._threat.ambush
        if not ambush or len(self._found) < 4 or any(_wave(details) > 1 for _, details, _ in self._found):
            return
        late = [properties for _, properties, _ in self._found if properties["role"] != "turret"]
        for properties in late[-(len(self._found) // 3) :]:
            properties["wave"] = 2

    def enemies(self) -> list[PlacedMarker]:
        """List all enemies from top to bottom, in consecutive waves, with the time that they wait.

        In the first wave, shooters with a clear line to a tile in front of a nearby door wait.
        """
        stride, sees_door = self._stride, self._ground.sees_door
        self._found.sort(key=itemgetter(0))
        waves: list[int] = []
        if len({properties["wave"] for _, properties, _ in self._found}) > 1:
            waves = sorted({_wave(properties) for _, properties, _ in self._found})
        markers = []
        for tile, properties, actor in self._found:
            y, x = divmod(tile, stride)
            wave = properties["wave"] = 1 + waves.index(_wave(properties)) if len(waves) > 1 else 1
            properties["wakes_after"] = WAIT if actor.shoots and wave == 1 and sees_door((x, y)) else 0.0
            markers.append(("enemy", x, y, MappingProxyType(properties)))
        return list(map(tuple.__new__, repeat(PlacedMarker), markers))


def waits(ground: Battleground, marker: PlacedMarker) -> float:
    """Return how many seconds an enemy waits after the player has come in. See `_Muster.enemies`."""
    properties = marker.properties
    shoots = hits_from_afar(ground.kinds, properties.get("name", ""), properties.get("role"))
    return WAIT if shoots and _wave(properties) == 1 and ground.sees_door((marker.x, marker.y)) else 0.0


def is_as_drawn(drawn: Mapping[str, Property]) -> bool:
    """Check whether the layout itself names the enemy."""
    return "name" in drawn or drawn.get("role", ROLES[0]) not in ROLES


def _wave(properties: Mapping[str, Property]) -> int:
    wave = properties.get("wave", 1)
    return wave if isinstance(wave, int) else 1
