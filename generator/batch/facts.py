"""Facts: what can be asked about a level by name, and how much of the level must be made for it.

A fact is a number, a text, or None if it does not exist (the distance of a shop that is not there). Facts
about kinds take a word: the name of a kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from generator.batch.backtracking import backtracking
from generator.batch.many_seeds import plan_in_turn
from generator.checks.base import connections
from generator.errors import hint, shown, unknown
from generator.geometry import Point
from generator.kinds import SHIPPED, Kinds
from generator.level import Level, Property, Room
from generator.named_tuple import NamedTuple
from generator.pipeline import floorplan_of, level_of
from generator.plugins import guarded
from generator.shapes import SHAPES
from generator.spec import LevelSpec
from generator.styles.base import Plan, Style
from generator.styles.registry import style

if TYPE_CHECKING:
    import numpy.typing as npt

    from generator.kinds import DecorKind, TerrainKind

OF_ROOMS = "count", "rooms.KIND.distance", "rooms.KIND.depth"
"""The facts about a room kind."""


def words_of(kinds: Kinds) -> dict[str, tuple[str, ...]]:
    """Return the words of each fact about kinds, by the fact's name."""
    return {
        **dict.fromkeys(OF_ROOMS, tuple(kinds.rooms)),
        "doors": tuple(kinds.doors),
        "markers": tuple(kinds.markers),
        "enemies": tuple(kinds.enemies),
        "tiles": tuple(kind.name for kind in kinds.terrain),
        "things": tuple(kind.name for kind in kinds.decor[1:]),
    }


SHIPPED_WORDS = words_of(SHIPPED)


Answer: TypeAlias = int | float | str | None


class Subject:
    """The level of a spec and a seed, made only as far as needed. Raises what `generate` raises."""

    def __init__(self, spec: LevelSpec, seed: int) -> None:
        self.spec = spec
        self.seed = seed

    @cached_property
    def plan(self) -> Plan:
        """Only the floorplan."""
        return floorplan_of(self.spec, self.seed, plan_in_turn)

    @cached_property
    def level(self) -> Level:
        """The whole level, built from the floorplan."""
        return level_of(self.spec, self.seed, lambda *_: self.plan)

    @cached_property
    def kinds(self) -> Counter[str]:
        """How many rooms there are of each kind."""
        return Counter(room.kind for room in self.plan.rooms)

    @cached_property
    def markers(self) -> Counter[str]:
        """How many markers there are of each kind."""
        return Counter(marker.kind for marker in self.level.markers)

    @cached_property
    def enemies(self) -> Counter[object]:
        """How many enemies there are of each name."""
        enemies = (marker for marker in self.level.markers if marker.kind == "enemy")
        return Counter(marker.properties.get("name") for marker in enemies)


class Fact(NamedTuple):
    """A fact.

    `get` returns its value for a subject and one of the words `of`, or "" if it takes no word. `needs_level`
    is whether it looks beyond the floorplan. If `style` is not empty, only its levels have the fact.
    """

    name: str
    help: str
    get: Callable[[Subject, str], Answer]
    needs_level: bool = False
    of: tuple[str, ...] = ()
    is_text: bool = False
    style: str = ""

    def told(self) -> dict[str, Any]:
        """Return what programs are told of it."""
        return {"fact": self.written(), "help": self.help, "of": self.of, "needs_level": self.needs_level}

    def written(self, word: str = "KIND") -> str:
        """Return the fact as it is written: `loops`, `count("shop")`, `rooms.shop.distance`."""
        if "KIND" in self.name:
            return self.name.replace("KIND", word)
        return f'{self.name}("{word}")' if self.of else self.name


# --- of the floorplan --------------------------------------------------------------------------------


def _dead_ends(subject: Subject, _: str) -> int:
    joined = Counter(room for pair in subject.plan.connections for room in pair)
    return sum(count == 1 for count in joined.values())


def _loops(subject: Subject, _: str) -> int:
    connections = subject.plan.connections
    joined = {room for pair in connections for room in pair}
    return len(connections) - len(joined) + 1 if joined else 0


def _distances(subject: Subject, kind: str) -> list[int]:
    rooms = subject.plan.rooms
    return [room.distance for room in rooms if room.distance is not None and kind in ("", room.kind)]


def _longest(subject: Subject, _: str) -> int | None:
    return max(_distances(subject, ""), default=None)  # a saved level may lack distances


def _distance(subject: Subject, kind: str) -> int | None:
    return min(_distances(subject, kind), default=None)


def _depth(subject: Subject, kind: str) -> int | None:
    return min((room.depth for room in subject.plan.rooms if room.kind == kind), default=None)


def share(part: int, whole: int) -> float:
    """Return what part of a whole this is, to thousandths."""
    return (2_000 * part + whole) // (2 * whole) / 1_000


def _linearity(subject: Subject, _: str) -> float | None:
    furthest = max(_distances(subject, "boss"), default=None)
    return None if furthest is None else share(furthest + 1, len(subject.plan.rooms))


def _dead_end_share(subject: Subject, _: str) -> float | None:
    rooms = len(subject.plan.rooms)
    return share(_dead_ends(subject, ""), rooms) if rooms else None


def _shapes(subject: Subject, shape: str) -> int:
    return sum(getattr(room, "shape", "rectangle") == shape for room in subject.plan.rooms)


def _size(axis: int) -> Callable[[Subject, str], int]:
    return lambda subject, _: subject.plan.extent[axis]


# --- of the level ------------------------------------------------------------------------------------


def _doors(subject: Subject, kind: str) -> int:
    return sum(door.kind == kind for door in subject.level.doors)


def _tiles(subject: Subject, name: str) -> int:
    return _painted(subject.level.terrain, subject.level.terrain_kinds, name)


def _things(subject: Subject, name: str) -> int:
    return _painted(subject.level.decor, subject.level.decor_kinds, name)


def _painted(layer: npt.NDArray[Any], kinds: Sequence[TerrainKind | DecorKind], name: str) -> int:
    return sum(int((layer == number).sum()) for number, kind in enumerate(kinds) if kind.name == name)


def _enemies(subject: Subject, name: str) -> int:
    return subject.enemies[name]


def _cost(subject: Subject, _: str) -> int:
    """Compute the total cost of all enemies. Those that the roster does not have cost nothing."""
    roster = subject.level.kinds.enemies
    kinds = (roster.get(str(marker.properties.get("name"))) for marker in subject.level.markers)
    return sum(kind.cost for kind in kinds if kind)


def _looks(subject: Subject, _: str) -> int:
    level = subject.level
    return len({level.look_of_zone(room.zone) for room in level.rooms})


def _champions(subject: Subject, _: str) -> int:
    return sum(marker.properties.get("champion") is True for marker in subject.level.markers)


def _per_cell(of: Callable[[Subject, str], int]) -> Callable[[Subject, str], float | None]:
    """Return a function that counts per cell of the rooms with enemies. It returns None without cells."""

    def per_cell(subject: Subject, word: str) -> float | None:
        level = subject.level
        fights = {marker.room for marker in level.markers if marker.kind == "enemy"} - {None}
        cells = sum(len(level.rooms[room].cells) for room in fights if room is not None)
        return round(of(subject, word) / cells, 1) if cells else None

    return per_cell


def _recorded(name: str, missing: Answer = None) -> Callable[[Subject, str], Answer]:
    return lambda subject, _: subject.plan.facts.get(name, missing)


_ROOMS = SHIPPED_WORDS["count"]


FACTS: dict[str, Fact] = {
    fact.name: fact
    for fact in (
        Fact("rooms", "how many rooms there are", lambda subject, _: len(subject.plan.rooms)),
        Fact("count", "rooms of a kind", lambda subject, kind: subject.kinds[kind], of=_ROOMS),
        Fact("shapes", "rooms of a shape", _shapes, of=tuple(SHAPES)),
        Fact("rooms.KIND.distance", "rooms walked to the nearest room of a kind", _distance, of=_ROOMS),
        Fact(
            "rooms.KIND.depth",
            "depth of the first room of a kind in the tree of the rooms",
            _depth,
            of=_ROOMS,
        ),
        Fact("longest", "rooms walked to the furthest room", _longest),
        Fact("dead_ends", "rooms with one way in, not counting secret and red doors", _dead_ends),
        Fact("dead_end_share", "share of the rooms that are dead ends, 0 to 1", _dead_end_share),
        Fact(
            "linearity",
            "share of the rooms on the shortest path from the start to the furthest boss, 0 to 1",
            _linearity,
        ),
        Fact("loops", "connections beyond a spanning tree, not counting secret and red doors", _loops),
        Fact("keys", "keys for locks", _recorded("keys", 0)),
        Fact("locks", "doors that need keys", _recorded("locks", 0)),
        Fact("one_ways", "connections that lead one way only", _recorded("one_ways", 0)),
        Fact("shortcuts", "connections that open from one side", _recorded("shortcuts", 0)),
        Fact("unmet", "rooms that do not lie where a rule of a led level asks", _recorded("unmet", 0)),
        Fact(
            "unmet_rules",
            "the rules that these rooms break, a text such as shop beside:boss",
            _recorded("unmet_rules"),
            is_text=True,
        ),
        Fact(
            "not_led",
            "why a level that is to be led is connected at random, a text",
            _recorded("not_led"),
            is_text=True,
        ),
        Fact(
            "set_pieces",
            "the set pieces and the ids of their rooms, a text such as cathedral 31-37",
            _recorded("set_pieces"),
            is_text=True,
        ),
        Fact("columns", "width of the floorplan: in cells on a grid, else in tiles", _size(0)),
        Fact("rows", "height of the floorplan: in cells on a grid, else in tiles", _size(1)),
        Fact("curse", "the level's curse, a text", _recorded("curse"), is_text=True),
        Fact(
            "tries", "how many floorplans were tried, up to this one", lambda subject, _: subject.plan.tries
        ),
        Fact(
            "backtracking",
            "rooms entered again on the shortest path to the exit, to fetch keys",
            lambda subject, _: backtracking(subject.level),
            True,
        ),
        Fact("width", "width of the level in tiles", lambda subject, _: subject.level.width, True),
        Fact("height", "height of the level in tiles", lambda subject, _: subject.level.height, True),
        Fact(
            "chapter",
            "the chapter, a text",
            lambda subject, _: subject.level.facts.get("chapter"),
            True,
            is_text=True,
        ),
        Fact("looks", "looks that rooms are drawn in: 1 without districts", _looks, True),
        Fact("doors", "doors of a kind", _doors, True, SHIPPED_WORDS["doors"]),
        Fact(
            "markers",
            "markers of a kind",
            lambda subject, kind: subject.markers[kind],
            True,
            SHIPPED_WORDS["markers"],
        ),
        Fact("enemies", "enemies of a kind", _enemies, True, SHIPPED_WORDS["enemies"]),
        Fact("champions", "enemies that are champions", _champions, True),
        Fact("enemy_cost", "cost of all enemies together", _cost, True),
        Fact(
            "enemies_per_cell",
            "enemies per cell of the rooms that have some, to tenths; only on a grid",
            _per_cell(lambda subject, _: subject.markers["enemy"]),
            True,
        ),
        Fact(
            "cost_per_cell",
            "cost of the enemies per cell of these rooms, to tenths; only on a grid",
            _per_cell(_cost),
            True,
        ),
        Fact("tiles", "tiles of a terrain", _tiles, True, SHIPPED_WORDS["tiles"]),
        Fact("things", "pieces of decor of a kind", _things, True, SHIPPED_WORDS["things"]),
    )
}


# --- of saved levels ---------------------------------------------------------------------------------


class _SavedPlan(NamedTuple):
    """A finished level's data in the form of a floorplan, for facts. The number of tries is unknown."""

    rooms: tuple[Room, ...]
    connections: tuple[tuple[int, int], ...]
    extent: Point
    facts: Mapping[str, Property]
    tries: None = None


class SavedSubject(Subject):
    """A finished level as a subject of facts."""

    def __init__(self, level: Level) -> None:
        super().__init__(level.spec, level.seed)
        self._level = level

    @cached_property
    def level(self) -> Level:
        """The level as it was saved."""
        return self._level

    @cached_property
    def plan(self) -> Plan:
        """The level's rooms in the form of a floorplan."""
        level = self._level
        places = [cell for room in level.rooms for cell in room.cells]
        if level.grid and places:
            xs, ys = zip(*places, strict=True)
            size = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        else:
            size = level.width, level.height
        return cast(Plan, _SavedPlan(level.rooms, tuple(connections(level)), size, level.facts))


# --- asking ------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A fact, with its word if it takes one."""

    fact: Fact
    word: str

    @property
    def name(self) -> str:
        """The fact as people write it."""
        return self.fact.written(self.word)

    def of(self, subject: Subject) -> Answer:
        """Return the fact of a level, or None if the level's style does not have it."""
        if self.fact.style not in ("", subject.spec.style):
            return None
        return self.fact.get(subject, self.word)


def facts_of(styles: Iterable[str], kinds: Iterable[Kinds] = ()) -> Mapping[str, Fact]:
    """Return the facts of levels of some styles, by name.

    First those of all levels, whose words include the kinds of the styles and of `kinds`, and then the
    styles' own, which cannot have the name of another fact. Raises SpecError for an unknown style.
    """
    facts = dict(FACTS)
    for kit_kinds in dict.fromkeys(kinds):
        _add_words(facts, words_of(kit_kinds))
    for record in map(style, dict.fromkeys(styles)):
        _add_words(facts, _own_kinds(record))
        for fact in record.facts():
            get = guarded(f"style {record.name}: its fact {fact.name}", fact.get)
            facts.setdefault(fact.name, fact._replace(style=record.name, get=get))
    return facts


def _add_words(facts: dict[str, Fact], words: Mapping[str, tuple[str, ...]]) -> None:
    for name, extra in words.items():
        facts[name] = facts[name]._replace(of=tuple(dict.fromkeys((*facts[name].of, *extra))))


def _own_kinds(record: Style) -> dict[str, tuple[str, ...]]:
    """Return the words that a style adds to each fact."""
    return dict.fromkeys(OF_ROOMS, record.room_kinds) | {
        "doors": record.door_kinds,
        "markers": record.marker_kinds,
    }


def ask(name: str, word: str | None = None, facts: Mapping[str, Fact] = FACTS) -> Asked:
    """Look up the fact of this name, with or without a word. Raises ValueError with the remedy."""
    if name not in facts:
        written, *known = (each.replace("KIND", word or "KIND") for each in (name, *facts))
        raise ValueError(unknown("fact", written, known))
    fact = facts[name]
    if fact.of and word is None:
        raise ValueError(f"{name} needs a word, such as {fact.written(fact.of[0])}")
    if not fact.of and word is not None:
        raise ValueError(f"{name} takes no word; write {name} alone")
    if word is not None and word not in fact.of:
        raise ValueError(f"unknown word {shown(word)} for {name}; {hint(word, fact.of)}")
    return Asked(fact, word or "")
