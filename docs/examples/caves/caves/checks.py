"""What holds for caves beyond what holds for every level; and what `search` may ask of them."""

from __future__ import annotations

from collections.abc import Iterator

from caves.spec import CavesSpec
from generator.batch.facts import Fact, Subject
from generator.checks.base import Check, Problem, problem
from generator.level import Level


def kinds_as_asked_for(level: Level) -> Iterator[Problem]:
    """There are as many chambers of each kind as the spec says, but for those rolled again as another."""
    spec = level.spec
    assert isinstance(spec, CavesSpec)
    if any("kind" in row or "edited" in row for row in level.rerolls):
        return
    asked = {"normal": spec.chambers, "chest": spec.chests, "grotto": spec.grottoes, "boss": 1}
    for kind, count in asked.items():
        found = sum(room.kind == kind for room in level.rooms)
        if found != count:
            yield problem(kinds_as_asked_for, "rooms", f"there are {found} of kind {kind}, not {count}")


def boss_in_a_dead_end(level: Level) -> Iterator[Problem]:
    """One tunnel leads to the boss, and no other way."""
    for room in level.rooms:
        doors = [door.id for door in level.doors if door.rooms[0] == room.id]
        if room.kind == "boss" and len(doors) != 1:
            yield problem(boss_in_a_dead_end, f"room {room.id}", f"the boss has doors {doors}, not one")


def _longest_tunnel(subject: Subject, _: str) -> int:
    spec = subject.spec
    assert isinstance(spec, CavesSpec)
    return max((len(hallway.tiles) for hallway in subject.level.hallways), default=0) // spec.tunnel_width


CHECKS: tuple[Check, ...] = (kinds_as_asked_for, boss_in_a_dead_end)
FACTS = (Fact("longest_tunnel", "tiles of the longest tunnel, from door to door", _longest_tunnel, True),)
