"""What a flow is made of; `docs/flows.md` is the format of its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

MOST_CONNECTIONS = 6  # of a room: two cells of the drawing have as many sides
QUIET_TAGS = frozenset({"breath", "foyer"})  # of rooms in which nobody fights
GAUNTLET = "gauntlet"  # of rooms of hard fights


class FlowRoom(NamedTuple):
    """A room of the plan; what is empty or 0 is left to chance. `size` is small, medium or large."""

    id: str
    kind: str
    tags: frozenset[str] = frozenset()
    layout: str = ""
    zone: str = ""
    difficulty: int = 0
    size: str = ""


class FlowConnection(NamedTuple):
    """A connection of two rooms, by their ids, in the order of the file.

    One that is `one_way` leads from a to b alone. `opens_from` is the room of the two that it can be opened
    from, empty for one that is open. A `secret` one has secret doors.
    """

    a: str
    b: str
    one_way: bool = False
    opens_from: str = ""
    secret: bool = False

    @property
    def name(self) -> str:
        """As messages call it."""
        return f"{self.a} > {self.b}" if self.one_way else f"{self.a} - {self.b}"


class FlowLock(NamedTuple):
    """A lock on the connection of two rooms, at the door in the first one's wall."""

    on: tuple[str, str]
    needs: tuple[str, ...]
    optional: bool = False


class FlowKey(NamedTuple):
    """A key, or several `copies` of it, in one room, or where the generator hides it if `room` is empty."""

    name: str
    room: str = ""
    consumed: bool = False
    copies: int = 1
    lever: bool = False


class RuleUse(NamedTuple):
    """A rule, how many times it is applied, least and most, and the kinds of the two rooms that it is for."""

    name: str
    on: tuple[str, str]
    times: tuple[int, int]


class FlowRule(NamedTuple):
    """A rule: what takes the place of a connection of two rooms, which it calls A and B.

    The connection itself stays if `keeps`. All other names are of rooms that are new.
    """

    name: str
    keeps: bool
    rooms: tuple[FlowRoom, ...]
    connections: tuple[FlowConnection, ...]
    locks: tuple[FlowLock, ...] = ()
    keys: tuple[FlowKey, ...] = ()


class Pacing(NamedTuple):
    """What one meets on the shortest way to the goal, and how many of a kind at most follow one another."""

    curve: tuple[str, ...] = ()
    at_most: Mapping[str, int] = {}


class Zone(NamedTuple):
    """What rooms of a zone share: the floor that a theme gives them, and the chapter of their enemies."""

    name: str
    floor: str = ""
    chapter: str = ""


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
    where: str = ""  # its file, or the name of a shipped one; for messages

    @property
    def start(self) -> str:
        """The id of the start room."""
        return next(room.id for room in self.rooms if room.kind == "start")

    @property
    def goals(self) -> tuple[str, ...]:
        """The ids of the boss rooms."""
        return tuple(room.id for room in self.rooms if room.kind == "boss")

    def lock_of(self, connection: FlowConnection) -> FlowLock | None:
        """The lock of a connection, if it has one."""
        return self._locks.get(frozenset((connection.a, connection.b)))

    @cached_property
    def _locks(self) -> Mapping[frozenset[str], FlowLock]:
        return {frozenset(lock.on): lock for lock in self.locks}
