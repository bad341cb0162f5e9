"""Who may have each role in a room: the kinds of the roster within its budget, and their likelihood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import attrgetter

from generator.kinds import Kinds
from generator.kinds.kind_tables import AFAR, ROLES, EnemyKind
from generator.level import Property
from generator.named_tuple import NamedTuple
from generator.reasons import cached_unless_noted, passed_over

_RECENT = 4  # a kind is this much likelier in its first chapter than four chapters later


class Actor(NamedTuple):
    """Who fights, and what matters for its position and its marker.

    `kind` is None if it is not in the roster; it then costs nothing. `usual` are the properties of its marker
    where nothing else is drawn.
    """

    kind: EnemyKind | None
    flies: bool
    shoots: bool
    cost: int
    usual: Mapping[str, Property]

    @classmethod
    def of(cls, kind: EnemyKind) -> Actor:
        """Create the actor of an enemy of the roster."""
        usual: dict[str, Property] = {"name": kind.name, "role": kind.role, "wave": 1}
        return cls(kind, kind.flies, kind.hits_from_afar, kind.cost, usual)

    @classmethod
    def unknown(cls, role: object) -> Actor:
        """Create an actor with a drawn role, which the roster does not have."""
        return cls(None, role == "flyer", role in AFAR, 0, {"role": ROLES[0], "wave": 1})


class RolePart(NamedTuple):
    """A role in a room: who may have it, and the running totals of their weights."""

    role: str
    actors: tuple[Actor, ...]
    totals: tuple[int, ...]


@cached_unless_noted(4096)
def parts_of(
    roster: Kinds,
    roles: frozenset[str],
    budget: int,
    chapter: int,
    name: str,
    crowd: int,
    absent: frozenset[str] = frozenset(),
    each: int = 2,
) -> tuple[RolePart | None, ...]:
    """Return the part, or None, of each of `ROLES` in a room with these roles. Walkers always have one.

    Enemies that are `absent` have none, unless nobody else is met. If possible, the budget pays for `each` of
    a kind, and a crowd of them spends most of it.
    """

    def present(role: str) -> list[EnemyKind]:
        return [kind for kind in roster.enemies_of(role, chapter, name) if kind.name not in absent]

    anybody = present("") or roster.enemies_of("", chapter, name)
    return tuple(
        _part(role, present(role) or anybody, budget, chapter, crowd, each)
        if role in roles or role == ROLES[0]
        else None
        for role in ROLES
    )


def _part(
    role: str, known: Sequence[EnemyKind], budget: int, chapter: int, crowd: int, each: int
) -> RolePart | None:
    """Determine who may have a role, of those that are met: if nobody has the role, of all."""
    if not known:
        return None
    kinds = [kind for kind in known if each * kind.cost <= budget or _left_out(kind, _DEAR[each])] or [
        known[0]
    ]
    kinds = [kind for kind in kinds if kind.cost * crowd * 5 >= budget * 4 or _left_out(kind, _CHEAP)] or [
        max(kinds, key=attrgetter("cost"))
    ]
    weights = (max(1, _RECENT - chapter + kind.chapter) for kind in kinds)
    return RolePart(role, tuple(map(Actor.of, kinds)), tuple(accumulate(weights)))


_DEAR = {
    1: "it costs more than its share of a room's budget",
    2: "two of it cost more than a room's budget",
}
_CHEAP = "as many as have space would not spend a room's budget"


def _left_out(kind: EnemyKind, reason: str) -> bool:
    return passed_over("enemy", kind.name, reason)
