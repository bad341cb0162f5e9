"""What doors cost on a grid: their keys lie in rooms before them, see `generator.styles.costs`."""

from __future__ import annotations

from dataclasses import replace

from generator.algorithms.graph import neighbours_of, steps_from
from generator.errors import GenerationFailed
from generator.styles.costs import payments, refuse_lasting
from generator.styles.grid.floorplan import DoorGate, Floorplan, KeyPlace


def with_costs(plan: Floorplan, seed: int, stage: int) -> Floorplan:
    """Put a price on the doors of a floorplan whose kinds have one, and the keys for them into its rooms.

    A door that a plan has locked keeps its lock. Raises GenerationFailed if a player could get stuck,
    and SpecError if a key of the plan that lasts has the name of a cost.
    """
    costs = plan.kinds.costs
    priced = [door for door in plan.doors if door.kind in costs and plan.gate(door) is None]
    if not priced:
        return plan
    pairs = {(min(door.a, door.b), max(door.a, door.b)): costs[door.kind] for door in priced}
    free = [
        (door.a, door.b)
        for door in plan.doors
        if door.kind not in costs and plan.gate(door) is None and door.kind not in plan.kinds.secret_doors
    ]
    needs = [name for door in priced for name in costs[door.kind]]
    own = ((key.name, key.consumed) for key in plan.keys)
    refuse_lasting(own, needs, plan.kinds, "plan", 'give the cost another name, or plan.keys = "alike"')
    reached = steps_from(0, neighbours_of(range(len(plan.rooms)), free))
    keys = payments(plan.kinds, [room.kind for room in plan.rooms], reached, needs, seed, stage)
    gates = {pair: DoorGate(cost, is_price=True) for pair, cost in pairs.items()}
    counts = {"keys": len(keys), "locks": len(priced)} if "locks" in plan.facts else {}
    paid = replace(
        plan,
        gates={**plan.gates, **gates},
        keys=(*plan.keys, *(KeyPlace(name, room, consumed=True) for name, room in keys)),
        facts={**plan.facts, **{name: _number(plan, name) + count for name, count in counts.items()}},
    )
    if plan.gates:
        from generator.algorithms.lock_proof import prove  # few levels have locks
        from generator.styles.grid.gates import world_of

        verdict = prove(world_of(paid))
        if verdict.undecided or verdict.stuck is not None:
            reason = "with what the kit's doors cost, the locks of plan leave a player stuck; ask for fewer"
            raise GenerationFailed("costs of doors", 1, reason, seed)
    return paid


def _number(plan: Floorplan, fact: str) -> int:
    value = plan.facts[fact]
    assert isinstance(value, int)
    return value
