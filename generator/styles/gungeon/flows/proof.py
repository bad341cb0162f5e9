"""Proves that nobody can get stuck in a flow, whatever they do, and that each lock has an effect."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from generator.algorithms.gated_map import Gate, GatedMap
from generator.algorithms.graph import neighbours_of, steps_from
from generator.algorithms.lock_proof import MAX_STATES, Verdict, prove
from generator.algorithms.lock_states import CROSS, FIND, PICK, Act
from generator.kinds.signs import keys_in_words
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.flows.planar import crossing_edges
from generator.styles.gungeon.flows.records import Flow, FlowKey, FlowLock

_UNDECIDED = "has more than"
_MAX_NAMED = 12  # connections that a message names


def all_keys(keys: Sequence[FlowKey]) -> list[FlowKey]:
    """List the keys one by one: each as many times as it has copies."""
    return [key._replace(copies=1) for key in keys for _ in range(key.copies)]


def hidden_rooms(flow: Flow) -> frozenset[str]:
    """Return the rooms that only secret doors lead to."""
    return _joined(flow, secret=True) - _joined(flow, secret=False)


def _joined(flow: Flow, *, secret: bool) -> frozenset[str]:
    """Return the rooms connected to the start, with or without secret connections."""
    edges = [(joined.a, joined.b) for joined in flow.connections if secret or not joined.secret]
    return frozenset(steps_from(flow.start, neighbours_of((room.id for room in flow.rooms), edges)))


class FlowWorld(NamedTuple):
    """A flow in the form that is proved. Keys without a room are left out.

    `names` are the names of the places: ids of rooms, then a hallway for each shortcut with a lock at its far
    end. `keys` are in the order of the map's keys, `locks` in that of its gates.
    """

    map: GatedMap
    names: tuple[str, ...]
    keys: tuple[FlowKey, ...]
    locks: tuple[FlowLock | None, ...]


def world_of(flow: Flow) -> FlowWorld:
    """Build the places, gates and keys of a flow."""
    names = [room.id for room in flow.rooms]
    index = {room: number for number, room in enumerate(names)}
    kinds = {key.name: number for number, key in enumerate(flow.keys)}
    gates: list[Gate] = []
    locks: list[FlowLock | None] = []
    for connection in flow.connections:
        a, b = connection.a, connection.b
        if connection.opens_from == b:
            a, b = b, a
        lock = flow.lock_of(connection)
        needs = tuple(kinds[key] for key in lock.needs) if lock else ()
        if lock and connection.opens_from and lock.on[0] == b:
            hallway = len(names)
            names.append(f"the hallway {connection.name}")
            gates += [Gate(index[a], hallway, (), False, True), Gate(hallway, index[b], needs)]
            locks += [None, lock]
            continue
        gates.append(
            Gate(
                index[a], index[b], needs, connection.one_way, bool(connection.opens_from), connection.secret
            )
        )
        locks.append(lock)
    keys = tuple(key for key in all_keys(flow.keys) if key.room)
    must = tuple((number, index[key.room]) for number, key in enumerate(keys) if key.must)
    return FlowWorld(
        GatedMap(
            places=len(names),
            gates=tuple(gates),
            keys=tuple((kinds[key.name], index[key.room]) for key in keys),
            used_up=frozenset(kinds[key.name] for key in flow.keys if key.consumed),
            start=index[flow.start],
            goals=frozenset(index[goal] for goal in flow.goals),
            must=must,
        ),
        tuple(names),
        keys,
        tuple(locks),
    )


def flow_problem(flow: Flow) -> str | None:
    """Report what is wrong with a flow as a whole, in a line. None if it is sound.

    Keys without a room count as missing, so ask only once all have one.
    """
    return shape_problem(flow) or walking_problem(flow)


def shape_problem(flow: Flow) -> str | None:
    """Report what is wrong with a flow's rooms and connections, locks and keys aside. None if nothing is."""
    return secret_problem(flow) or crossing_problem(flow)


def secret_problem(flow: Flow) -> str | None:
    """Report a room that only secret doors lead to but that has a connection without one, if any."""
    hidden = hidden_rooms(flow)
    for connection in flow.connections:
        if not connection.secret and hidden.intersection((connection.a, connection.b)):
            room = connection.a if connection.a in hidden else connection.b
            return (
                f"room {room} is only behind secret doors, but connection {connection.name} is not secret; "
                "set secret = true there, or connect the room without a secret door"
            )
    return None


def crossing_problem(flow: Flow) -> str | None:
    """Report connections that cannot all be drawn without crossings, none of which can be spared, if any."""
    number = {room.id: index for index, room in enumerate(flow.rooms)}
    crossing = crossing_edges(
        [(number[connection.a], number[connection.b]) for connection in flow.connections]
    )
    if not crossing:
        return None
    names = [flow.connections[i].name for i in crossing]
    if len(names) > _MAX_NAMED:
        names[_MAX_NAMED:] = [f"{len(names) - _MAX_NAMED} more"]
    return (
        f"two of the connections {', '.join(names[:-1])} and {names[-1]} must cross; leave one of them out, "
        "or connect other rooms"
    )


def walking_problem(flow: Flow) -> str | None:
    """Report how a player can get stuck, a room out of reach, or a lock that can be walked around, if any."""
    world = world_of(flow)
    verdict = _verdict(world.map)
    if verdict.undecided:
        return f"{_UNDECIDED} {MAX_STATES:,} states, so it is undecided; {_fewer(world, verdict)}"
    if verdict.stuck is not None:
        return f"{_story(flow, world, verdict)}; move a key, or give another way out"
    unreached = [world.names[room] for room in verdict.unreached if room < len(flow.rooms)]
    if unreached:
        return f"room {unreached[0]} cannot be reached from the start; connect it, or move its key"
    for number in verdict.idle:
        lock = world.locks[number]
        if lock and not lock.optional:
            on = f"{lock.on[0]} - {lock.on[1]}"
            return (
                f"lock {on} can be walked around: both rooms can be reached without opening it; set optional "
                "= true if that is meant, move it, or close the way around it with one_way or a lock"
            )
    return None


@lru_cache(maxsize=64)
def _verdict(world: GatedMap) -> Verdict:
    """Prove a map, once: many seeds grow the same one."""
    return prove(world)


def _fewer(world: FlowWorld, verdict: Verdict) -> str:
    """Name the lock that multiplies the states most, and suggest a remedy."""
    lock = world.locks[verdict.hardest] if verdict.hardest is not None else None
    if lock is None:
        return "use fewer one-way connections, shortcuts or secrets"
    keys = " and ".join(keys_in_words(lock.needs))
    return f"lock {lock.on[0]} - {lock.on[1]} multiplies them most: leave it out, or use fewer of {keys}"


def is_undecided(problem: str) -> bool:
    """Return whether the problem is that there are too many states to examine."""
    return problem.startswith(_UNDECIDED)


def _story(flow: Flow, world: FlowWorld, verdict: Verdict) -> str:
    acts = ", ".join(_act_text(world, act) for act in verdict.stuck or ()) or "the start"
    needed = {kind for gate in world.map.gates for kind in gate.needs}
    names = [flow.keys[kind].name for kind in verdict.without if kind in needed]
    nowhere = [key.name for key in flow.keys if not key.room]
    without = list(dict.fromkeys([*names, *nowhere]))
    missing = f" without {' and '.join(without)}" if without else ""
    return f"after {acts}{missing} there is no way out"


def _act_text(world: FlowWorld, act: Act) -> str:
    kind, number = act
    if kind == PICK:
        return f"taking {world.keys[number].name} in {world.keys[number].room}"
    gate, lock = world.map.gates[number], world.locks[number]
    a, b = lock.on if lock and not gate.one_way else (world.names[gate.a], world.names[gate.b])
    if kind == CROSS:
        return f"{a} > {b}"
    return f"{'finding' if kind == FIND else 'opening'} {a} - {b}"
