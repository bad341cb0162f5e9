"""The invariants of the levels of a run."""

from __future__ import annotations

from collections.abc import Iterator

from generator.checks.base import Problem, problem
from generator.level import Level
from generator.links import EXIT, leads_on, next_place


def exit_leads_on(level: Level) -> Iterator[Problem]:
    """Check that a level of a run has an exit to the next level, in a room that no secret door hides.

    Other exits may lead elsewhere. Kits without that marker are exempt.
    """
    to = next_place(level.spec)
    if not to or EXIT not in level.kinds.markers:
        return
    exits = [marker for marker in level.markers if leads_on(marker, to)]
    if not exits:
        message = f'the level belongs to a run, but has no exit with the property to = "{to}"'
        yield problem(exit_leads_on, "markers", message)
    elif not any(
        marker.room is not None and level.rooms[marker.room].distance is not None for marker in exits
    ):
        message = "the exit to the next level is in no room that can be reached without secret doors"
        yield problem(exit_leads_on, f"marker {exits[0].id}", message)
