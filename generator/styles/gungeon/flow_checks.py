"""The invariants of the flow of a level of the `gungeon` style, and of its facts."""

from __future__ import annotations

from collections.abc import Iterator

from generator.checks.base import Problem, problem
from generator.checks.record import wrong_facts
from generator.level import Door, Level, Property
from generator.styles.gungeon.spec import RANDOM, GungeonSpec


def has_flow(level: Level) -> bool:
    """Return whether a level follows a flow. Its facts name the flow."""
    assert isinstance(level.spec, GungeonSpec)
    return level.spec.flow != RANDOM and "flow" in level.facts


def loops_as_facts_say(level: Level) -> Iterator[Problem]:
    """Check that the facts count the connections beyond a spanning tree, and name the chapter, if any.

    For a flow they give its name, the chapters and floors of its zones, and the numbers of keys, locks and
    one-way doors.
    """
    assert isinstance(level.spec, GungeonSpec)
    expected: dict[str, Property] = {"loops": len(level.hallways) - len(level.rooms) + 1}
    if level.spec.chapter != "none":
        expected["chapter"] = level.spec.chapter
    if has_flow(level):
        expected["keys"] = sum(marker.kind == "key" for marker in level.markers)
        expected["locks"] = sum(bool(door.needs) for door in level.doors)
        expected["one_ways"] = sum(door.one_way for door in level.doors)
        expected |= {
            name: fact for name, fact in level.facts.items() if name == "flow" or name.startswith("zone.")
        }
    for message in wrong_facts(level, expected):
        yield problem(loops_as_facts_say, "facts", message)


def gate_kinds(level: Level, door: Door) -> set[str]:
    """Return the kinds that a gate's door may have. Empty for a door without a gate."""
    if door.needs:
        return {"locked"}
    if door.one_way:
        return {"one_way"}
    if door.opens_from is not None:
        return {"barred"}
    return {"secret"} if door.kind == "secret" and has_flow(level) else set()
