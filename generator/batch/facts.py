"""Facts: what can be asked about a level by name, and how much of the level must be made to know it.

A fact is a number, a text, or None where there is no such thing (the distance of a shop that is not there).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple, TypeAlias

from generator.errors import hint, shown
from generator.floorplans.floorplan import Floorplan
from generator.kinds import DECOR_KINDS, DOOR_KINDS, MARKER_KINDS, ROOM_KINDS, TERRAIN_KINDS
from generator.level import Level
from generator.pipeline import AnyPlan, generate
from generator.shapes import SHAPES
from generator.spec import LevelSpec

Answer: TypeAlias = int | float | str | None


class Subject:
    """The level of a spec and a seed, made as far as it is asked about. Raises what `generate` does."""

    def __init__(self, spec: LevelSpec, seed: int) -> None:
        self.spec = spec
        self.seed = seed

    @cached_property
    def plan(self) -> AnyPlan:
        """The floorplan alone."""
        return generate(self.spec, self.seed, until="floorplan")

    @cached_property
    def level(self) -> Level:
        """Everything."""
        return generate(self.spec, self.seed)

    @cached_property
    def ways(self) -> list[tuple[int, int]]:
        """Pairs of rooms that a door that is not secret, or a hallway, joins; some come twice."""
        return list(_ways(self.plan))

    @cached_property
    def kinds(self) -> Counter[str]:
        """How many rooms there are of each kind."""
        return Counter(room.kind for room in self.plan.rooms)

    @cached_property
    def markers(self) -> Counter[str]:
        """How many markers there are of each kind."""
        return Counter(marker.kind for marker in self.level.markers)


def _ways(plan: AnyPlan) -> Iterator[tuple[int, int]]:
    if isinstance(plan, Floorplan):
        yield from ((door.a, door.b) for door in plan.doors if door.kind != "secret")
    else:
        yield from ((hallway.ends[0].room, hallway.ends[1].room) for hallway in plan.hallways)


class Fact(NamedTuple):
    """A fact by its name; `of` are the words that it may be asked for, none if it takes none."""

    name: str
    help: str
    get: Callable[[Subject, str], Answer]
    needs_level: bool = False
    of: tuple[str, ...] = ()
    is_text: bool = False

    def written(self, word: str = "KIND") -> str:
        """How it is asked for: `loops`, `count("shop")`, `rooms.shop.distance`."""
        if "KIND" in self.name:
            return self.name.replace("KIND", word)
        return f'{self.name}("{word}")' if self.of else self.name


# --- of the floorplan --------------------------------------------------------------------------------


def _dead_ends(subject: Subject, _: str) -> int:
    doors = Counter(room for way in subject.ways for room in way)
    return sum(count == 1 for count in doors.values())


def _loops(subject: Subject, _: str) -> int:
    joined = {room for way in subject.ways for room in way}
    return len(subject.ways) - len(joined) + 1 if joined else 0


def _distances(subject: Subject, kind: str) -> list[int]:
    rooms = subject.plan.rooms
    return [room.distance for room in rooms if room.distance is not None and kind in ("", room.kind)]


def _longest(subject: Subject, _: str) -> int | None:
    return max(_distances(subject, ""), default=None)  # a saved level may be anybody's


def _distance(subject: Subject, kind: str) -> int | None:
    return min(_distances(subject, kind), default=None)


def _depth(subject: Subject, kind: str) -> int | None:
    return min((room.depth for room in subject.plan.rooms if room.kind == kind), default=None)


def _shapes(subject: Subject, shape: str) -> int:
    return sum(getattr(room, "shape", "rectangle") == shape for room in subject.plan.rooms)


def _tries(subject: Subject, _: str) -> int:
    return getattr(subject.plan, "tries", 1)


def _size(axis: int) -> Callable[[Subject, str], int]:
    def size(subject: Subject, _: str) -> int:
        plan = subject.plan
        if not isinstance(plan, Floorplan):
            return plan.size[axis]
        places = [cell[axis] for room in plan.rooms for cell in room.cells]
        return max(places) - min(places) + 1

    return size


# --- of the level ------------------------------------------------------------------------------------


def _doors(subject: Subject, kind: str) -> int:
    return sum(door.kind == kind for door in subject.level.doors)


def _tiles(subject: Subject, kind: str) -> int:
    level = subject.level
    return sum(
        int((level.terrain == number).sum())
        for number, each in enumerate(level.terrain_kinds)
        if each.name == kind
    )


def _things(subject: Subject, kind: str) -> int:
    level = subject.level
    return sum(
        int((level.decor == number).sum())
        for number, each in enumerate(level.decor_kinds)
        if each.name == kind
    )


def _told(name: str) -> Callable[[Subject, str], Answer]:
    def told(subject: Subject, _: str) -> Answer:
        return subject.plan.facts.get(name)

    return told


_TERRAIN = tuple(kind.name for kind in TERRAIN_KINDS)
_DECOR = tuple(kind.name for kind in DECOR_KINDS[1:])
_DOORS = tuple(kind.name for kind in DOOR_KINDS)

FACTS: dict[str, Fact] = {
    fact.name: fact
    for fact in (
        Fact("rooms", "how many rooms there are", lambda subject, _: len(subject.plan.rooms)),
        Fact("count", "rooms of a kind", lambda subject, kind: subject.kinds[kind], of=ROOM_KINDS),
        Fact("shapes", "rooms of a shape", _shapes, of=tuple(SHAPES)),
        Fact("rooms.KIND.distance", "rooms walked to the nearest of a kind", _distance, of=ROOM_KINDS),
        Fact(
            "rooms.KIND.depth",
            "depth of the first of a kind in the tree that grew the rooms",
            _depth,
            of=ROOM_KINDS,
        ),
        Fact("longest", "rooms walked to the furthest room", _longest),
        Fact("dead_ends", "rooms with one way in, secret doors not counted", _dead_ends),
        Fact("loops", "ways beyond a spanning tree, secret doors not counted", _loops),
        Fact("columns", "width of the floorplan: cells, or tiles in `gungeon`", _size(0)),
        Fact("rows", "height of the floorplan: cells, or tiles in `gungeon`", _size(1)),
        Fact("curse", "the level's curse, a text", _told("curse"), is_text=True),
        Fact("tries", "floorplans thrown away for this one, itself included", _tries),
        Fact("width", "tiles", lambda subject, _: subject.level.width, True),
        Fact("height", "tiles", lambda subject, _: subject.level.height, True),
        Fact(
            "chapter",
            "the chapter, a text",
            lambda subject, _: subject.level.facts.get("chapter"),
            True,
            is_text=True,
        ),
        Fact("doors", "doors of a kind", _doors, True, _DOORS),
        Fact("markers", "markers of a kind", lambda subject, kind: subject.markers[kind], True, MARKER_KINDS),
        Fact("tiles", "tiles of a terrain", _tiles, True, _TERRAIN),
        Fact("things", "pieces of decor of a kind", _things, True, _DECOR),
    )
}


class Asked(NamedTuple):
    """A fact, and the word that it is asked for with, if it takes one."""

    fact: Fact
    word: str

    @property
    def name(self) -> str:
        """As it is written."""
        return self.fact.written(self.word)

    def of(self, subject: Subject) -> Answer:
        """What it is of a level."""
        return self.fact.get(subject, self.word)


def ask(name: str, word: str | None = None) -> Asked:
    """The fact of that name, with a word or without. Raises ValueError with the remedy."""
    if name not in FACTS:
        raise ValueError(f"{shown(name)} is no fact; {hint(name, tuple(FACTS))}")
    fact = FACTS[name]
    if fact.of and word is None:
        raise ValueError(f"{name} needs a word, such as {fact.written(fact.of[0])}")
    if not fact.of and word is not None:
        raise ValueError(f"{name} takes no word; write {name} alone")
    if word is not None and word not in fact.of:
        raise ValueError(f"{shown(word)} is none for {name}; {hint(word, fact.of)}")
    return Asked(fact, word or "")
