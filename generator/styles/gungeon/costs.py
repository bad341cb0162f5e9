"""What doors cost: their keys lie in rooms before them, see `generator.styles.costs`.

A hallway has a door at both ends. The one that is paid at is in the wall of the room that one comes from.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache

from generator.algorithms.graph import neighbours_of, steps_from
from generator.errors import GenerationFailed
from generator.kinds import Kinds
from generator.kinds.signs import keys_in_words
from generator.styles.costs import payments, refuse_lasting
from generator.styles.gungeon.flows.grow import hide_keys
from generator.styles.gungeon.flows.proof import is_undecided
from generator.styles.gungeon.flows.records import Flow, FlowKey, FlowLock
from generator.styles.gungeon.furnishing.kit_tables import BOSS
from generator.styles.gungeon.plan import HeapPlan, PlannedGate, PlannedKey


def with_costs(plan: HeapPlan, kinds: Kinds, seed: int) -> HeapPlan:
    """Put a price on the hallways of a plan without a flow, and the keys for them into its rooms."""
    rooms = [room.kind for room in plan.rooms]
    prices = [_price((rooms[a], rooms[b]), kinds) for a, b in plan.connections]
    if plan.gates or not any(prices):
        return plan
    free = [ends for ends, price in zip(plan.connections, prices, strict=True) if not price]
    reached = steps_from(0, neighbours_of(range(len(rooms)), free))
    needs = [name for price in prices for name in price]
    gates = tuple(
        PlannedGate(price, lock_end=_paid_end((rooms[a], rooms[b]), kinds)) if price else PlannedGate()
        for (a, b), price in zip(plan.connections, prices, strict=True)
    )
    keys = tuple(
        PlannedKey(name, room, consumed=True, is_lever=False, place=str(room))
        for name, room in payments(kinds, rooms, reached, needs, seed)
    )
    return replace(plan, gates=gates, keys=keys)


def priced(flow: Flow, kinds: Kinds, seed: int) -> Flow:
    """Add locks for doors that cost something, and hide the keys for them. A lock of its own stays.

    The flow itself if none does. Raises SpecError if the flow has keys of this name that last or are pulled,
    and GenerationFailed if there are no rooms for the keys.
    """
    kind_of = {room.id: room.kind for room in flow.rooms}
    locks = []
    for connection in flow.connections:
        ends = connection.a, connection.b
        kinds_of_ends = kind_of[ends[0]], kind_of[ends[1]]
        price = _price(kinds_of_ends, kinds)
        if price and not connection.secret and flow.lock_of(connection) is None:
            first = _paid_end(kinds_of_ends, kinds)
            locks.append(FlowLock((ends[first], ends[1 - first]), price, optional=True))
    if not locks:
        return flow
    count = Counter(name for lock in locks for name in lock.needs)
    own = ((key.name, key.consumed and not key.lever) for key in flow.keys)
    remedy = "give the key consumed = true and no lever, or another name"
    refuse_lasting(own, count, kinds, flow.where or flow.name, remedy)
    keys = [FlowKey(name, consumed=True, copies=copies) for name, copies in count.items()]
    try:
        return hide_keys(replace(flow, locks=(*flow.locks, *locks), keys=(*flow.keys, *keys)), seed)
    except GenerationFailed as error:
        if is_undecided(error.reason):
            raise
        cost, door = " and ".join(keys_in_words(count.elements())), " - ".join(locks[0].on)
        reason = (
            f"its doors cost {cost} by the kit, the first one at {door}, and no rooms before them can hold "
            "these keys; connect rooms before them, or give them a [[lock]] of the flow's own"
        )
        raise GenerationFailed(error.stage, error.attempts, reason, seed) from None


def _price(rooms: tuple[str, str], kinds: Kinds) -> tuple[str, ...]:
    """Return the keys that a hallway between rooms of two kinds costs."""
    return kinds.costs.get(door_kind(rooms, kinds), ()) if kinds.costs else ()


def _paid_end(rooms: tuple[str, str], kinds: Kinds) -> int:
    """Return the end of a hallway that is paid at: not the one at the room that the price is for."""
    row = kinds.room(rooms[0])
    return int(row.door is not None and row.door[0] == door_kind(rooms, kinds))


@lru_cache(maxsize=4096)
def door_kind(rooms: tuple[str, ...], kinds: Kinds) -> str:
    """Return the kind of both doors of a hallway between rooms of these kinds.

    A boss room decides it; otherwise the first room whose door is not `open`.
    """
    rows = [kinds.room(kind) for kind in sorted(rooms, key=lambda kind: kind != BOSS)]
    return next((row.door[0] for row in rows if row.door and row.door[0] != "open"), "open")
