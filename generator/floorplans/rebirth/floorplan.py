"""Floorplans of the remake: the game's own topology, then special rooms, until all have a place."""

from __future__ import annotations

from collections import Counter

from generator.errors import GenerationFailed
from generator.floorplans.floorplan import Floorplan, PlannedRoom
from generator.floorplans.rebirth.counts import Counts, counts
from generator.floorplans.rebirth.draft import Draft, leads_to
from generator.floorplans.rebirth.growth import topology
from generator.floorplans.rebirth.seeds import code_of, start_seed_of
from generator.floorplans.rebirth.special_rooms import Rejected, assign_kinds
from generator.floorplans.special_rooms import door_kinds
from generator.kinds import SECRET_ROOM_KINDS
from generator.level import Property
from generator.spec import RebirthSpec

_MOST_FLOORS = 100


def floorplan(spec: RebirthSpec, seed: int) -> Floorplan:
    """A floorplan that has all rooms that it must have, the first of counted floors. Raises GenerationFailed.

    The low 32 bits of `seed` are the game's start seed. A floor that lacks a place is grown anew, with the
    game's generator going on.
    """
    numbers = counts(spec, start_seed_of(seed))
    state = numbers.generator_seed
    reasons: Counter[str] = Counter()
    tries = 0
    for attempt in range(_MOST_FLOORS):
        try:
            grown = topology(
                state,
                numbers.rooms,
                numbers.dead_ends,
                xl=numbers.is_large,
                shape_mask=numbers.shape_mask,
                blocked=numbers.blocked,
                patient=spec.is_repentance,
            )
        except GenerationFailed as failed:
            raise GenerationFailed("floorplan", tries + failed.attempts, failed.reason, seed) from None
        state = grown.state
        tries += grown.tries
        draft = Draft(grown, numbers.blocked)
        try:
            assign_kinds(draft, spec, numbers, seed, attempt)
        except Rejected as reason:
            reasons[str(reason)] += 1
        else:
            return _finished(spec, draft, numbers, seed, tries)
    why = "; ".join(f"{reason} ({count} times)" for reason, count in reasons.most_common())
    raise GenerationFailed("floorplan", tries, f"{why}; ask for more rooms or another stage", seed)


def _finished(spec: RebirthSpec, draft: Draft, numbers: Counts, seed: int, tries: int) -> Floorplan:
    distances = _distances(draft)
    rooms = tuple(
        PlannedRoom(room.kind, room.shape.name, tuple(room.cells()), distances.get(number), room.depth)
        for number, room in enumerate(draft.rooms)
    )
    facts: dict[str, Property] = {
        "curse": numbers.curse,
        "edition": spec.edition,
        "seed_code": code_of(start_seed_of(seed)),
        "generator_seed": numbers.generator_seed,
        "target_rooms": numbers.rooms,
    }
    return Floorplan(rooms, door_kinds(spec.stage), facts, tries)


def _distances(draft: Draft) -> dict[int, int]:
    """Rooms walked from the start, breadth first; secret rooms are not walked through."""
    distances = {0: 0}
    queue = [0]
    for number in queue:
        room = draft.rooms[number]
        for slot in room.shape.slots.values():
            other = draft.owners.get(leads_to(slot, room.anchor))
            if (
                other is not None
                and other not in distances
                and draft.offers_door(other, slot[1].opposite)
                and draft.rooms[other].kind not in SECRET_ROOM_KINDS
            ):
                distances[other] = distances[number] + 1
                queue.append(other)
    return distances
