"""Rules with weights grow a flow to its budget of rooms, and rules nest in what other rules made."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import networkx as nx
import pytest

from generator import GenerationFailed, SpecError
from generator.kinds import shipped_kit
from generator.styles.gungeon.flows.grow import grow
from generator.styles.gungeon.flows.library import chosen_flow, load_flow
from generator.styles.gungeon.flows.proof import flow_problem
from generator.styles.gungeon.flows.records import Flow, distances, shipped_flows
from tests.combinations import usually
from tests.generator.styles.gungeon.flows.plans import flow_file


def rule(name: str, *lines: str) -> str:
    return "\n".join(["[[rule]]", f'name = "{name}"', *lines, ""])


def grown_from(folder: Path, seed: int, more: str) -> Flow:
    return grow(load_flow(flow_file(folder, "s a b c z", more=more), shipped_kit()), seed)


def uses_of(flow: Flow) -> Counter[str]:
    """How often each rule was applied: `detour2_loot` is of the second detour."""
    return Counter(
        name.rstrip("0123456789")
        for name in {room.id.rpartition("_")[0] for room in flow.rooms if "_" in room.id}
    )


def test_rules_with_weights_stop_at_the_budget(tmp_path: Path) -> None:
    more = "[grow]\nrooms = [9, 14]\n" + rule("stretch", "weight = 1") + rule("ring", "weight = [0, 3]")
    sizes = Counter(len(grown_from(tmp_path, seed, more).rooms) for seed in range(120))
    assert set(sizes) == set(range(9, 15)) and min(sizes.values()) >= 8


def test_a_rule_is_picked_by_its_weight(tmp_path: Path) -> None:
    """One room each: at 3 to 1, three of four are stretches, within four standard deviations."""
    more = "[grow]\nrooms = 25\n" + rule("stretch", "weight = 3") + rule("pause", "weight = 1")
    picked = sum((uses_of(grown_from(tmp_path, seed, more)) for seed in range(40)), Counter[str]())
    assert picked.total() == 800
    assert abs(picked["stretch"] - 600) < 4 * (800 * 0.75 * 0.25) ** 0.5


def test_times_bound_a_rule_with_a_weight(tmp_path: Path) -> None:
    seldom = rule("nook", "weight = 50", "times = [1, 2]")
    more = "[grow]\nrooms = 16\n" + rule("stretch", "weight = 1") + seldom
    counts = {uses_of(grown_from(tmp_path, seed, more))["nook"] for seed in range(20)}
    assert counts <= {1, 2} and 2 in counts


NESTED = rule("fork") + rule("ring", 'inside = "fork"') + rule("fork", 'inside = "ring"')


def test_rules_nest_in_what_other_rules_made(tmp_path: Path) -> None:
    """A lock in a branch of a ring in a branch: its key path begins in rooms that only those rules made."""
    more = NESTED + rule("lock_and_key", 'inside = "ring"')
    for seed in range(12):
        flow = grown_from(tmp_path, seed, more)
        assert flow_problem(flow) is None
        (lock,) = flow.locks
        assert all(room.split("_")[0] in ("fork1", "fork2", "ring1") for room in lock.on), lock
        assert any(room.startswith("fork2") for room in lock.on)  # elsewhere on a ring it would be idle
        ends = [one for one in flow.connections if "ring1" in one.a + one.b and "fork1" in one.a + one.b]
        assert ends  # the ring is part of the branch


def test_inside_counts_rules_at_any_depth(tmp_path: Path) -> None:
    more = NESTED + rule("stretch", 'inside = "fork"', "times = 4")
    outer = {"s", "a", "b", "c", "z"}
    for seed in range(10):
        flow = grown_from(tmp_path, seed, more)
        for one in flow.connections:
            if "stretch" in one.a + one.b:
                assert not outer.issuperset((one.a, one.b))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (rule("fork", "weight = 2"), "rule[0].weight: needs a budget of rooms; add [grow] with rooms = [18, 24]"),
        ("[grow]\nrooms = 9\n" + rule("fork"), "grow: no rule has a weight"),
        ("[grow]\nrooms = 5\n" + rule("fork", "weight = 1", "times = [1, 2]"), "already make 8; give at least"),
        ("[grow]\nrooms = [9, 4]\n" + rule("fork", "weight = 1"), "grow.rooms: [9, 4] is out of range"),
        ("[grow]\nrooms = 301\n" + rule("fork", "weight = 1"), "grow.rooms: 301 is out of range (1 to 300"),
        ("[grow]\nroms = 9\n" + rule("fork", "weight = 1"), "grow.rooms: is missing; give it"),
        ("[grow]\n" + rule("fork", "weight = 1"), "grow.rooms: is missing"),
        ("[grow]\nrooms = 9\n" + rule("fork", "weight = 0"), "rule[0].weight: is 0, so the rule is never picked"),
        ("[grow]\nrooms = 9\n" + rule("fork", 'weight = "x"'), "rule[0].weight: 'x' is not a weight; give a number"),
        (rule("fork", 'inside = "rnig"'), "rule[0].inside: unknown rule 'rnig'; did you mean ring?"),
        (rule("fork", 'inside = "ring"'), "rule[0].inside: no [[rule]] applies ring; add one"),
        (rule("fork", 'inside = "ring"') + rule("ring"), "rule[0].inside: no rule ring comes before it, and rules apply in the order"),
        (rule("fork", 'inside = "fork"'), "rule[0].inside: no rule fork comes before it"),
    ],
)  # fmt: skip
def test_a_bad_budget_is_refused_in_a_line(more: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as refused:
        grown_from(tmp_path, 1, more)
    assert message in str(refused.value) and "\n" not in str(refused.value)


def test_rules_that_cannot_reach_the_budget_say_so(tmp_path: Path) -> None:
    more = "[grow]\nrooms = 20\n" + rule("fork", "weight = 1", "times = [0, 2]")
    with pytest.raises(
        GenerationFailed, match=r"after 1 try: its rules stop at 11 rooms, and \[grow\] asks for at least 20"
    ):
        grown_from(tmp_path, 1, more)
    with pytest.raises(GenerationFailed, match="found no normal-normal connection inside ring to apply to"):
        grown_from(tmp_path, 1, rule("ring", "times = 0") + rule("fork", 'inside = "ring"'))


# --- how different the plans of a flow are -----------------------------------------------------------


def as_graph(flow: Flow) -> nx.DiGraph[str]:
    """A plan as a graph: what stands in a room and what a connection asks, without the names of rooms."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    keys = Counter(key.room for key in flow.keys)
    for room in flow.rooms:
        graph.add_node(room.id, says=f"{room.kind} {keys[room.id]}")
    for one in flow.connections:
        lock = flow.lock_of(one)
        says = f"{one.one_way} {bool(one.opens_from)} {one.secret} {len(lock.needs) if lock else 0}"
        graph.add_edge(one.a, one.b, says=says)
        if not one.one_way:
            graph.add_edge(one.b, one.a, says=says)
    return graph


def distinct(flows: list[Flow]) -> int:
    """Count plans up to isomorphism: equal hashes (Weisfeiler and Lehman) are looked at again."""
    groups: dict[str, list[nx.DiGraph[str]]] = defaultdict(list)
    for graph in map(as_graph, flows):
        group = groups[nx.weisfeiler_lehman_graph_hash(graph, node_attr="says", edge_attr="says")]
        if not any(nx.is_isomorphic(graph, other, _same, _same) for other in group):
            group.append(graph)
    return sum(map(len, groups.values()))


def _same(first: dict[str, str], second: dict[str, str]) -> bool:
    return first["says"] == second["says"]


def cell_of(flow: Flow) -> tuple[int, int]:
    """The cell of the expressive range, 20 by 20: linearity and the share of dead ends."""
    joined = Counter(room for one in flow.connections if not one.secret for room in (one.a, one.b))
    rooms, far = len(flow.rooms), distances(flow)
    steps = max(far[goal] for goal in flow.goals if goal in far) + 1
    return 20 * steps // rooms, 20 * sum(count == 1 for count in joined.values()) // rooms


@pytest.mark.filterwarnings("ignore:The hashes produced for directed graphs")
@pytest.mark.parametrize("name", usually(["hub", "two_keys"], shipped_flows()))
def test_a_shipped_flow_grows_many_plans(name: str) -> None:
    """Of 300 seeds, at least 200 plans that are no other's with rooms renamed, in 20 cells or more."""
    plans = [chosen_flow(name, seed, shipped_kit()) for seed in range(300)]
    flows = [plan for plan in plans if plan]
    assert len(flows) == 300
    assert distinct(flows) >= 200
    assert len({cell_of(flow) for flow in flows}) >= 20
