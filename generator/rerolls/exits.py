"""The exit of a level of a run: one, in its last room, to the next level.

Most layouts of boss rooms draw an exit. If the last room's does not, one is placed.
"""

from __future__ import annotations

from dataclasses import replace

from generator.errors import GenerationFailed
from generator.interiors.interior import PlacedMarker, too_near
from generator.level import Level, Marker, Room
from generator.links import EXIT, last_room, leads_on, next_place, place_of
from generator.rerolls.draft import LevelDraft
from generator.rerolls.markers import free_tiles
from generator.rerolls.record import NothingElseError
from generator.rng import Stream


def with_exit(level: Level) -> Level:
    """Return a level with its exit. Outside of a run it stays as it is. Raises GenerationFailed."""
    if not next_place(level.spec):
        return level
    draft = LevelDraft(level)
    try:
        for room in level.rooms:
            link(draft, room.id)
    except NothingElseError as error:
        raise GenerationFailed(EXIT, 1, str(error), level.seed) from None
    return draft.finished({}, is_edited=False)


def link(draft: LevelDraft, number: int) -> None:
    """Let a room's exit lead to the next level of the run. Only the last room has one.

    Exits that a layout leads somewhere else stay. Raises NothingElseError if there is no room for an exit.
    """
    to = next_place(draft.level.spec)
    if not to or EXIT not in draft.level.kinds.markers:
        return
    markers = draft.markers(number)
    exits = [marker for marker in markers if leads_on(marker, to)]
    others = [marker for marker in markers if marker not in exits]
    if number != last_room(draft.rooms):
        if exits:
            draft.put_markers(number, (), others)
    elif exits:
        linked = replace(exits[0], properties={**exits[0].properties, "to": to})
        draft.put_markers(number, (), [*others, linked])
    else:
        draft.put_markers(number, [_placed(draft, draft.rooms[number], others, to)], others)


def _placed(draft: LevelDraft, room: Room, others: list[Marker], to: str) -> PlacedMarker:
    """Place an exit on a free tile, away from doors and other markers if there is such a tile."""
    steps = [step for opening in draft.openings(room.id) for step in opening.steps]
    near = [*steps, *((marker.x, marker.y) for marker in others)]
    free = [tile for tile in free_tiles(draft, room, others) if not too_near(EXIT, tile, steps)]
    apart = [tile for tile in free if all(max(abs(tile[0] - x), abs(tile[1] - y)) > 1 for x, y in near)]
    if not free:
        raise NothingElseError(
            f"room {room.id}: has no free tile for the exit to the next level; draw an exit in its layout"
        )
    stream = Stream(draft.level.seed, "run.exit", place_of(draft.level.spec))
    x, y = stream.pick(apart or free)
    return PlacedMarker(EXIT, x, y, {"to": to})
