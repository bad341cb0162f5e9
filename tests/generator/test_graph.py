"""`level.graph()`: every room a node, every door or hallway between two rooms an edge."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import networkx
import pytest

from generator import Level, generate, load_level
from generator.checks.base import connections

LEVELS = [("isaac", 7, {}), ("rebirth", 7, {"stage": 4}), ("rebirth", 12, {"stage": 8}), ("gungeon", 3, {})]


@pytest.fixture(params=LEVELS, ids=lambda one: f"{one[0]}-{one[1]}")
def level(request: pytest.FixtureRequest) -> Level:
    style, seed, values = request.param
    made: Level = generate(style, seed, **values)
    return made


def test_nodes_are_the_rooms(level: Level) -> None:
    graph = level.graph()
    assert list(graph) == [room.id for room in level.rooms]
    for room in level.rooms:
        for name, value in graph.nodes[room.id].items():
            assert value == getattr(room, name)
    assert graph.nodes[0]["kind"] == "start" and graph.nodes[0]["distance"] == 0
    assert graph.graph == {"style": level.style, "seed": level.seed}


def test_edges_are_the_connections(level: Level) -> None:
    graph = level.graph()
    open_ones = [tuple(sorted((a, b))) for a, b, secret in graph.edges(data="secret") if not secret]
    assert Counter(open_ones) == Counter(tuple(sorted(pair)) for pair in connections(level))
    doors = [door for *_, some in graph.edges(data="doors") for door in some]
    assert sorted(doors) == [door.id for door in level.doors]
    for _, _, key, facts in graph.edges(keys=True, data=True):
        assert key == facts["doors"][0]
        kinds = {level.doors[door].kind for door in facts["doors"]}
        assert facts["kind"] in kinds and facts["secret"] == bool(kinds & {"secret", "red"})
        if facts["hallway"] is None:
            assert facts["tiles"] == 0 and len(facts["doors"]) == 1
        else:
            assert facts["tiles"] == len(level.hallways[facts["hallway"]].tiles)


def test_distances_are_those_of_the_rooms(level: Level) -> None:
    """networkx finds the same by the doors that are neither secret nor red."""
    graph = level.graph()
    seen = networkx.subgraph_view(graph, filter_edge=lambda a, b, key: not graph[a][b][key]["secret"])
    found = networkx.single_source_shortest_path_length(seen, 0)
    assert {room.id: room.distance for room in level.rooms if room.distance is not None} == dict(found)


def test_red_rooms_join_the_ultra_secret_room_to_the_rest() -> None:
    levels = (generate("rebirth", seed, stage=3) for seed in range(1, 20))
    level = next(one for one in levels if any(room.kind == "ultra_secret" for room in one.rooms))
    (ultra,) = (room.id for room in level.rooms if room.kind == "ultra_secret")
    graph = level.graph()
    assert {graph.nodes[node]["kind"] for node in graph[ultra]} == {"red"}
    path = networkx.shortest_path(graph, 0, ultra)
    kinds = [next(iter(graph[a][b].values()))["kind"] for a, b in pairwise(path)]
    assert kinds[-2:] == ["red", "red"]


def test_two_doors_between_two_rooms_are_two_edges() -> None:
    """Large rooms may share two doors: one of them can be walked through, both are there."""
    for seed in range(1, 60):
        level = generate("rebirth", seed, stage=5)
        pairs = Counter(frozenset(door.rooms) for door in level.doors)
        if max(pairs.values()) > 1:
            a, b = next(tuple(pair) for pair, often in pairs.items() if often > 1)
            assert level.graph().number_of_edges(a, b) == 2
            return
    raise AssertionError("no level with such a pair")


def test_a_saved_level_has_the_same(level: Level, tmp_path: Path) -> None:
    import exporters

    exporters.export(level, "json", name="x").write(tmp_path)
    graphs = [one.graph() for one in (level, load_level(tmp_path / "x.level.json"))]
    assert networkx.utils.graphs_equal(*graphs)
