"""Who fights in a room: the places drawn for enemies, filled from the roster until the budget is spent.

Each role that the places name gets one kind for the whole room, so that one sees at a glance who is there.
Places that are too near to a door step aside to the nearest free tile, and are filled last. Where the places
do not suffice for the budget, enemies stand on other free tiles, and come later than the others.

A place with a `name` of its own, or with a role that the roster does not have, is always filled as drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from generator.algorithms.bitboard import Bitboard, dilate4, rectangle, tiles_in
from generator.encounters.budget import Threat
from generator.encounters.fairness import WAIT, Battleground, hits_from_afar
from generator.geometry import Point
from generator.interiors.interior import PlacedMarker
from generator.kinds import Kinds
from generator.kinds.enemies import ROLES, EnemyKind
from generator.level import Property
from generator.rng import Stream

_APART = 2  # steps at least between enemies that stand on tiles which are no places
_TILES_EACH = 9  # free tiles for each enemy at least, before another one comes to such a tile
_RECENT = 4  # how much likelier a kind is in its first chapter than four later


def encounter(
    markers: Sequence[PlacedMarker], ground: Battleground, threat: Threat, stream: Stream
) -> tuple[PlacedMarker, ...]:
    """A room's markers with its enemies: those that are not places for enemies in their order, then these.

    A boss steps aside too if it has to. A place is left empty if the budget is spent, or if there is no tile
    to step aside to.
    """
    others = [marker for marker in markers if marker.kind != "enemy"]
    places = [marker for marker in markers if marker.kind == "enemy"]
    if not places and not any(marker.kind == "boss" for marker in others):
        return tuple(others)
    muster = _Muster(ground, threat, stream, markers)
    others = [muster.fair_boss(marker) if marker.kind == "boss" else marker for marker in others]
    if places:
        muster.fill(places)
    return (*others, *muster.enemies())


class _Muster:
    """A room while enemies are put into it."""

    def __init__(
        self, ground: Battleground, threat: Threat, stream: Stream, markers: Iterable[PlacedMarker]
    ) -> None:
        self._ground = ground
        self._threat = threat
        self._stream = stream
        self._left = threat.budget
        self._near = ground.near()
        self._stride = stride = ground.stride
        taken = 0
        for marker in markers:
            taken |= 1 << marker.x + marker.y * stride
        self._taken = taken
        self._found: list[PlacedMarker] = []
        self._most = 0  # enemies, before no more come to tiles that are no places
        self._cast: dict[str, EnemyKind] = {}

    def fair_boss(self, boss: PlacedMarker) -> PlacedMarker:
        """The boss, away from doors; where it is drawn if there is no such tile."""
        place = self._fair((boss.x, boss.y)) or (boss.x, boss.y)
        self._taken |= self._ground.tile(place)
        waits = WAIT if self._ground.sees_door(place) else 0.0
        properties = {**boss.properties, "wakes_after": waits}
        return boss._replace(x=place[0], y=place[1], properties=properties)

    def fill(self, places: Sequence[PlacedMarker]) -> None:
        """Fill places until the budget is spent, then other tiles if need be."""
        self._most = self._ground.free.bit_count() // _TILES_EACH if self._threat.adds else 0
        roles = {place.properties.get("role") for place in places}
        self._cast = self._casting(max(self._most, len(places)), roles)
        order = list(places)
        self._stream.shuffle(order)
        order.sort(key=self._rank)
        cheapest = min((kind.cost for kind in self._cast.values()), default=0)
        for place in order:
            if self._left < cheapest and self._found and not _is_as_drawn_by(place.properties):
                break
            self._fill(place)
        if self._threat.adds:
            self._add([str(place.properties.get("role", ROLES[0])) for place in order])
        self._ambush()

    def _casting(self, crowd: int, roles: Collection[object]) -> dict[str, EnemyKind]:
        """For each of these roles, and for walkers, the kind that has it here. A word for each of `ROLES`."""
        cast: dict[str, EnemyKind] = {}
        threat = self._threat._replace(champions=0, ambush=0)  # which choose nobody
        for role in ROLES:
            kinds, weights = (
                _candidates(self._ground.kinds, role, threat, crowd)
                if role in roles or role == ROLES[0]
                else ((), ())
            )
            if kinds:
                cast[role] = self._stream.weighted(kinds, weights)
            else:
                self._stream.skip(1)
        return cast

    def _rank(self, place: PlacedMarker) -> tuple[bool, bool]:
        """What is always filled comes first, what has to step aside last."""
        return not _is_as_drawn_by(place.properties), self._is_near(place)

    def _is_near(self, place: PlacedMarker) -> bool:
        return bool(self._near >> place.x + place.y * self._stride & 1)

    def _fill(self, place: PlacedMarker) -> None:
        """Put an enemy on a place if it can be paid, the first one in any case. A word."""
        properties = place.properties
        as_drawn, at = _is_as_drawn_by(properties), (place.x, place.y)
        kind = self._ground.kinds.enemies.get(str(properties["name"])) if "name" in properties else None
        if not kind and not as_drawn:
            kind = self._cast.get(str(properties.get("role", ROLES[0])))
            if kind is None:  # nobody of this kit is met here
                return
        champion = self._stream.chance(self._threat.champions, 100)
        cost = kind.cost if kind else 0
        if cost > self._left and self._found and not as_drawn:
            return
        fair = self._fair(at) if self._is_near(place) else at
        if fair is not None:
            self._put(kind, fair, properties, champion, as_drawn=as_drawn)

    def _put(
        self,
        kind: EnemyKind | None,
        at: Point,
        drawn: Mapping[str, Property],
        champion: bool,
        *,
        as_drawn: bool,
    ) -> None:
        self._taken |= 1 << at[0] + at[1] * self._stride
        properties: dict[str, Property]
        if kind:
            properties = {"name": kind.name, "role": kind.role, "wave": 1, **drawn, "champion": champion}
            if not as_drawn:
                properties["role"] = kind.role  # in a kit without an enemy of the role drawn, another one's
            properties["flies"] = kind.flies
            self._left -= kind.cost
        else:
            role = drawn.get("role", ROLES[0])
            properties = {"role": role, "wave": 1, **drawn, "champion": champion, "flies": role == "flyer"}
        self._found.append(PlacedMarker("enemy", *at, properties))

    def _fair(self, place: Point) -> Point | None:
        """The place, or the nearest free tile that is far enough from doors; None if there is none."""
        ground = self._ground
        board = ground.tile(place)
        if not board & self._near:
            return place
        room = rectangle(0, 0, ground.width, ground.height, ground.stride)
        free = ground.free & ~self._near & ~self._taken
        while free:
            if board & free:
                return _lowest(board & free, ground.stride)
            board = dilate4(board, ground.stride) & room
        return None

    def _add(self, roles: Sequence[str]) -> None:
        """Spend what is left on other tiles, as long as there is room for more."""
        ground, stream = self._ground, self._stream
        if len(self._found) >= self._most:
            return
        room = rectangle(0, 0, ground.width, ground.height, ground.stride)
        roles = [role for role in roles if role in ROLES and role != "turret"] or [ROLES[0]]
        roles = [role for role in roles if role in self._cast]
        while roles and len(self._found) < self._most:
            kind = self._cast[roles[len(self._found) % len(roles)]]
            around = self._taken
            for _ in range(_APART):
                around = dilate4(around, ground.stride) & room
            free = ground.free & ~self._near & ~around
            if kind.cost > self._left or not free:
                return
            for _ in range(stream.below(free.bit_count())):
                free &= free - 1
            champion = stream.chance(self._threat.champions, 100)
            self._put(kind, _lowest(free, ground.stride), {}, champion, as_drawn=False)

    def _ambush(self) -> None:
        """Now and then a third of the enemies come later, if nobody does as it is drawn. A word."""
        ambush = self._stream.chance(self._threat.ambush, 100)
        if not ambush or len(self._found) < 4 or any(_wave(marker) > 1 for marker in self._found):
            return
        late = [i for i, marker in enumerate(self._found) if marker.properties["role"] != "turret"]
        for i in late[-(len(self._found) // 3) :]:
            marker = self._found[i]
            self._found[i] = marker._replace(properties={**marker.properties, "wave": 2})

    def enemies(self) -> list[PlacedMarker]:
        """All of them from top to bottom, in waves without a gap, with the time that they wait."""
        waves = sorted({_wave(marker) for marker in self._found})
        number = {wave: place for place, wave in enumerate(waves, 1)}
        made = []
        for marker in sorted(self._found, key=_row_by_row):
            properties = {**marker.properties, "wave": number[_wave(marker)]}
            one = PlacedMarker(marker.kind, marker.x, marker.y, properties)
            properties["wakes_after"] = waits(self._ground, one)
            made.append(one)
        return made


def _row_by_row(marker: PlacedMarker) -> Point:
    return marker.y, marker.x


def waits(ground: Battleground, marker: PlacedMarker) -> float:
    """How many seconds an enemy waits after the player has come in.

    Those wait of the first wave who shoot and have a clear line to a tile in front of a door near by.
    """
    properties = marker.properties
    if not hits_from_afar(ground.kinds, properties.get("name", ""), properties.get("role")):
        return 0.0
    return WAIT if _wave(marker) == 1 and ground.sees_door((marker.x, marker.y)) else 0.0


@lru_cache(maxsize=4096)
def _candidates(
    roster: Kinds, role: str, threat: Threat, crowd: int
) -> tuple[tuple[EnemyKind, ...], tuple[int, ...]]:
    """The kinds that may have a role in a room, and how likely each is.

    If there are such kinds, two of them can be paid, and a crowd of them spends most of the budget. Where a
    kit has nobody of the role, those of all roles may have it.
    """
    chapter, budget = threat.chapter, threat.budget
    known = roster.enemies_of(role, chapter, threat.name) or roster.enemies_of("", chapter, threat.name)
    if not known:
        return (), ()
    kinds = [kind for kind in known if 2 * kind.cost <= budget] or [known[0]]
    kinds = [kind for kind in kinds if kind.cost * crowd * 5 >= budget * 4] or [max(kinds, key=_cost)]
    return tuple(kinds), tuple(max(1, _RECENT - chapter + kind.chapter) for kind in kinds)


def _cost(kind: EnemyKind) -> int:
    return kind.cost


def _is_as_drawn_by(properties: Mapping[str, Property]) -> bool:
    """Whether the layout itself says who stands at a place with these properties."""
    return "name" in properties or properties.get("role", ROLES[0]) not in ROLES


def _wave(marker: PlacedMarker) -> int:
    wave = marker.properties.get("wave", 1)
    return wave if isinstance(wave, int) else 1


def _lowest(board: Bitboard, stride: int) -> Point:
    """The first tile of a board, row by row."""
    tile = next(tiles_in(board))
    return tile % stride, tile // stride
