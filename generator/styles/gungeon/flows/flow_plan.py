"""The finished floorplan of a flow: what its rooms, keys and locks are, on the floor that was laid."""

from __future__ import annotations

from dataclasses import replace

from generator.algorithms.graph import UnionFind
from generator.styles.gungeon.flows.dealing import difficulty_of
from generator.styles.gungeon.flows.floor import FlowFloor
from generator.styles.gungeon.flows.proof import all_keys, hidden_rooms
from generator.styles.gungeon.flows.records import QUIET_TAGS, Flow
from generator.styles.gungeon.plan import HeapPlan, PlannedGate, PlannedKey, finished_plan
from generator.styles.gungeon.spec import GungeonSpec


def flow_plan(spec: GungeonSpec, flow: Flow, seed: int) -> HeapPlan:
    """Make the floorplan of a flow. Raises GenerationFailed, and SpecError for an impossible flow."""
    floor = FlowFloor(spec, flow, seed)
    heap, hallways, tries = floor.make()
    order = _tree_first(floor)
    tree = len(heap.kinds) - 1
    laid = [hallways[i]._replace(is_loop=index >= tree) for index, i in enumerate(order)]
    plan = finished_plan(heap, laid, floor.far, tries)
    hidden = hidden_rooms(flow)
    rooms = tuple(
        heap_room._replace(
            zone=room.zone,
            chapter=flow.zones[room.zone].chapter if room.zone else "",
            difficulty=difficulty_of(room),
            is_quiet=not QUIET_TAGS.isdisjoint(room.tags),
            is_hidden=room.id in hidden,
        )
        for heap_room, room in zip(plan.rooms, flow.rooms, strict=True)
    )
    keys = tuple(
        PlannedKey(key.name, floor.number[key.room], key.consumed, key.lever, key.room)
        for key in all_keys(flow.keys)
    )
    gates = tuple(_gate(flow, i) for i in order)
    facts = {
        **plan.facts,
        "flow": flow.name,
        "keys": len(keys),
        "locks": sum(bool(gate.needs) for gate in gates),
        "one_ways": sum(gate.one_way for gate in gates),
        **{f"zone.{zone.name}": zone.chapter for zone in flow.zones.values() if zone.chapter},
        **{f"zone.{zone.name}.floor": zone.floor for zone in flow.zones.values() if zone.floor},
    }
    return replace(plan, rooms=rooms, gates=gates, keys=keys, facts=facts)


def _tree_first(floor: FlowFloor) -> list[int]:
    """Order the connections: first those of a tree of shortest paths to all rooms, then the loops."""
    far = floor.far
    by_distance = sorted(
        range(len(floor.edges)), key=lambda i: (max(far[room] for room in floor.edges[i]), i)
    )
    sets = UnionFind(len(floor.number))
    tree = []
    for i in by_distance:
        a, b = floor.edges[i]
        if sets.find(a) != sets.find(b):
            sets.union(a, b)
            tree.append(i)
    return [*tree, *(i for i in range(len(floor.edges)) if i not in tree)]


def _gate(flow: Flow, number: int) -> PlannedGate:
    """Describe what a connection asks of the player."""
    connection = flow.connections[number]
    lock = flow.lock_of(connection)
    return PlannedGate(
        needs=lock.needs if lock else (),
        lock_end=int(lock is not None and lock.on[0] == connection.b),
        one_way=connection.one_way,
        opens_end=None if not connection.opens_from else int(connection.opens_from == connection.b),
        is_secret=connection.secret,
    )
