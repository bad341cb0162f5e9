"""The parts of a flow. `docs/flows.md` describes the format of its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from generator.algorithms.graph import steps_from
from generator.named_tuple import NamedTuple
from generator.shipped_files import shipped_folder
from generator.styles.gungeon.flows.relations import Relation

RANDOM = "random"  # in place of a flow's name: no flow, neighbours are joined by chance
LED = "led"  # likewise: neighbours are joined by a plan
WITHOUT_PLAN = (LED, RANDOM)  # the words that are not the name of a flow
MAX_CONNECTIONS = 6  # of a room: two cells of the drawing have six sides
QUIET_TAGS = frozenset({"breath", "foyer"})  # of rooms without fights
GAUNTLET = "gauntlet"  # the tag of rooms with hard fights


@cache
def shipped_flows() -> tuple[str, ...]:
    """List the names of the shipped flows, sorted."""
    folder = shipped_folder("generator.styles.gungeon.flows") / "shipped"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir()))


class FlowRoom(NamedTuple):
    """A room of the plan. Empty or 0 leaves a value to chance. `size` is small, medium or large."""

    id: str
    kind: str
    tags: frozenset[str] = frozenset()
    layout: str = ""
    zone: str = ""
    difficulty: int = 0
    size: str = ""
    relations: tuple[Relation, ...] = ()


class FlowConnection(NamedTuple):
    """A connection of two rooms, by their ids, in the order of the file.

    A `one_way` connection leads only from a to b. `opens_from` is the room from which a shortcut is opened;
    empty if it is open from the start. A `secret` one has secret doors. One that `joins` a class leads only
    from an exit of that class to another; if that is empty, both are plain.
    """

    a: str
    b: str
    one_way: bool = False
    opens_from: str = ""
    secret: bool = False
    joins: str = ""

    @property
    def name(self) -> str:
        """The name that messages use."""
        return f"{self.a} > {self.b}" if self.one_way else f"{self.a} - {self.b}"


class FlowLock(NamedTuple):
    """A lock on the connection of two rooms, at the door in the first one's wall."""

    on: tuple[str, str]
    needs: tuple[str, ...]
    optional: bool = False


class FlowKey(NamedTuple):
    """A key, or several `copies` of it, in a room. If `room` is empty, the generator hides it.

    Whoever is in the room of a key that `must` be taken has it.
    """

    name: str
    room: str = ""
    consumed: bool = False
    copies: int = 1
    lever: bool = False
    must: bool = False


class RuleUse(NamedTuple):
    """A rule, the least and most times that it is applied, and the kinds of the two rooms it applies to.

    With a `weight`, from which each level draws its own between the two numbers, it is picked among others
    until the flow's budget of rooms is spent. With `inside`, it only applies to what that rule has made.
    """

    name: str
    on: tuple[str, str]
    times: tuple[int, int]
    weight: tuple[int, int] | None = None
    inside: str = ""


class FlowRule(NamedTuple):
    """A rule: what replaces a connection of two rooms, which it calls A and B.

    The connection itself stays if `keeps`. All other names are those of new rooms.
    """

    name: str
    keeps: bool
    rooms: tuple[FlowRoom, ...]
    connections: tuple[FlowConnection, ...]
    locks: tuple[FlowLock, ...] = ()
    keys: tuple[FlowKey, ...] = ()


class Pacing(NamedTuple):
    """The curve of beats on the shortest path to the goal, and how many of each may follow in a row."""

    curve: tuple[str, ...] = ()
    at_most: Mapping[str, int] = {}


class Zone(NamedTuple):
    """What the rooms of a zone share: a floor of the theme, and the chapters of their enemies and looks."""

    name: str
    floor: str = ""
    chapter: str = ""
    look: str = ""

    @property
    def facts(self) -> dict[str, str]:
        """What the level says of the zone."""
        facts = {f"zone.{self.name}": self.chapter}
        facts |= {f"zone.{self.name}.{word}": getattr(self, word) for word in ("floor", "look")}
        return {name: value for name, value in facts.items() if value}


@dataclass(frozen=True)
class Flow:
    """A plan: named rooms, connections, locks, keys, and rules that grow it."""

    name: str
    rooms: tuple[FlowRoom, ...]
    connections: tuple[FlowConnection, ...]
    locks: tuple[FlowLock, ...] = ()
    keys: tuple[FlowKey, ...] = ()
    uses: tuple[RuleUse, ...] = ()
    rules: Mapping[str, FlowRule] = field(default_factory=dict)
    pacing: Pacing = field(default_factory=Pacing)
    zones: Mapping[str, Zone] = field(default_factory=dict)
    budget: tuple[int, int] | None = None  # the least and most rooms that its rules with weights stop at
    where: str = ""  # its file, or the name of a shipped flow; for messages

    @property
    def start(self) -> str:
        """The id of the start room."""
        return next(room.id for room in self.rooms if room.kind == "start")

    @property
    def goals(self) -> tuple[str, ...]:
        """The ids of the boss rooms."""
        return tuple(room.id for room in self.rooms if room.kind == "boss")

    def lock_of(self, connection: FlowConnection) -> FlowLock | None:
        """Return the lock of a connection, if it has one."""
        return self._locks.get(frozenset((connection.a, connection.b)))

    @cached_property
    def _locks(self) -> Mapping[frozenset[str], FlowLock]:
        return {frozenset(lock.on): lock for lock in self.locks}


# Walks through a flow: how far its rooms are, and the shortest path to the goal.


def steps(flow: Flow) -> dict[str, list[str]]:
    """List the rooms that each leads to on a first visit, with all keys but without secret doors.

    One-way connections and shut shortcuts lead one way only.
    """
    beside: dict[str, list[str]] = {room.id: [] for room in flow.rooms}
    for connection in flow.connections:
        if connection.secret:
            continue
        if connection.opens_from != connection.b:
            beside[connection.a].append(connection.b)
        if not connection.one_way and connection.opens_from != connection.a:
            beside[connection.b].append(connection.a)
    return beside


def distances(flow: Flow) -> dict[str, int]:
    """Return each room's distance from the start. Rooms behind secret doors only are omitted."""
    return steps_from(flow.start, steps(flow))


def path_to_goal(flow: Flow) -> list[str]:
    """Return the rooms of the shortest path from the start to the furthest goal, both included."""
    beside, far = steps(flow), distances(flow)
    goal = max((goal for goal in flow.goals if goal in far), key=lambda goal: far[goal], default=flow.start)
    path = [goal]
    while path[-1] != flow.start:
        at = path[-1]
        path.append(next(room for room in far if far[room] == far[at] - 1 and at in beside[room]))
    return path[::-1]


def in_a_row(flow: Flow, quiet: set[str]) -> dict[str, int]:
    """Count, for each room, the fights in a row, without a quiet room, at the end of a shortest path."""
    beside, far = steps(flow), distances(flow)
    fights = {room.id for room in flow.rooms if room.kind == "normal"} - quiet
    runs: dict[str, int] = {}
    for room in sorted(far, key=lambda room: far[room]):
        before = [
            runs[earlier] for earlier in runs if room in beside[earlier] and far[earlier] == far[room] - 1
        ]
        runs[room] = 1 + max(before, default=0) if room in fights else 0
    return runs
