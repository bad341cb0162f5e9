"""Whether a flow can be drawn without crossings, as networkx finds too, and the levels of all that can."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import SpecError, generate, problems
from generator.algorithms.graph import Edge
from generator.kinds import shipped_kit
from generator.level import Level
from generator.rng import Stream
from generator.styles.gungeon import flow_floor
from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.flow_floor import FlowFloor
from generator.styles.gungeon.flow_lanes import _MAX_ANEW, ends_of
from generator.styles.gungeon.flows.draw import FlowDrawing, draw
from generator.styles.gungeon.flows.library import load_flow
from generator.styles.gungeon.flows.planar import crossing_edges, planar_drawing
from generator.styles.gungeon.route import Router
from generator.styles.gungeon.spec import GungeonSpec
from tests.combinations import usually
from tests.generator.styles.gungeon.flows.plans import flow_file, graph_text, planar_graph

_PLACES = st.integers(0, 9)
_PLANAR = (st.integers(0, 10_000), st.integers(2, 40), st.integers(0, 60))


@settings(max_examples=150, deadline=None)
@given(st.sets(st.tuples(_PLACES, _PLACES).filter(lambda edge: edge[0] < edge[1]), max_size=24))
def test_edges_that_cross_are_found_where_networkx_finds_some_and_none_can_be_spared(
    edges: set[Edge],
) -> None:
    listed = sorted(edges)
    crossing = [listed[i] for i in crossing_edges(listed)]
    assert bool(crossing) != networkx.check_planarity(networkx.Graph(listed))[0]
    for edge in crossing:
        assert networkx.check_planarity(networkx.Graph([other for other in crossing if other != edge]))[0]


def test_a_flow_that_is_not_planar_is_refused_with_the_connections_of_which_two_cross(tmp_path: Path) -> None:
    """Three rooms, each joined to the same three others, one of them past another room."""
    path = flow_file(tmp_path, "s d x", "s e", "s f", "b d", "b e", "b f", "c d", "c e", "c m f z")
    with pytest.raises(SpecError) as refused:
        load_flow(path, shipped_kit())
    assert str(refused.value) == (
        f"{path}: two of the connections s - d, s - e, s - f, b - d, b - e, b - f, c - d, c - e, c - m and m - f "
        "must cross; leave one of them out, or connect other rooms"
    )


@settings(max_examples=80, deadline=None)
@given(*_PLANAR)
def test_what_is_planar_is_drawn_with_each_cell_taken_once(seed: int, rooms: int, extra: int) -> None:
    edges = planar_graph(seed, rooms, extra)
    graph = networkx.convert_node_labels_to_integers(networkx.Graph(edges), ordering="sorted")
    edges = [edge[:: 1 - 2 * (number & 1)] for number, edge in enumerate(graph.edges)]
    rooms = 1 + max(map(max, edges))
    drawing = planar_drawing(rooms, edges, Stream(seed, "test"))
    taken = Counter(cell for cells in (*drawing.cells, *drawing.passed.values()) for cell in cells)
    assert set(taken.values()) == {1}
    at_sides = Counter[tuple[int, str]]()
    for a, b in edges:
        for x, y in pairwise(drawing.passed[min(a, b), max(a, b)]):
            assert abs(x[0] - y[0]) + abs(x[1] - y[1]) == 1
        at_sides.update(zip((a, b), (side.label for _, side in ends_of(drawing, (a, b))), strict=True))
    for (room, side), count in at_sides.items():
        cells = drawing.cells[room]
        is_long = cells[0][1] == cells[-1][1] if side in ("north", "south") else cells[0][0] == cells[-1][0]
        assert count <= 1 + (len(cells) > 1 and is_long)


def _made(edges: list[Edge], folder: Path, seed: int, **values: object) -> Level:
    path = folder / "own.toml"
    path.write_text(graph_text(edges))
    return generate("gungeon", seed, flow=str(path), **values)


def _joined(level: Level) -> list[tuple[int, ...]]:
    return sorted(
        tuple(sorted(level.doors[door].rooms[0] for door in hallway.doors)) for hallway in level.hallways
    )


@pytest.mark.parametrize(
    "seed", usually([0, 1, 2, 7], [0, 1, 2, 5, 7, 10])
)  # each width of hallways, each share of rooms
def test_any_planar_flow_becomes_a_level_with_its_connections_and_no_others(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the free search, so that all of them come from an embedding."""
    monkeypatch.setattr(flow_floor, "_MAX_TRIES", 0)
    edges = planar_graph(seed, 4 + 3 * seed, 2 * seed)
    level = _made(edges, tmp_path, seed, hallway_width=2 + seed % 4, procedural_share=(0, 25, 100)[seed % 3])
    assert problems(level) == []
    names = {room: f"r{room}" for edge in edges for room in edge}
    ids = [room.id for room in load_flow(str(tmp_path / "own.toml"), shipped_kit()).rooms]
    index = {room: ids.index(name) for room, name in names.items()}
    assert _joined(level) == sorted(tuple(sorted((index[a], index[b]))) for a, b in edges)


def test_where_the_free_search_finds_nothing_a_flow_is_drawn_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The icosahedron: all of its twelve rooms have five connections. It is soon left to an embedding."""
    drawings: list[object] = []

    def counted(*args: Any) -> FlowDrawing | None:
        drawings.append(draw(*args))
        return None

    monkeypatch.setattr(flow_floor, "draw", counted)
    edges = [*networkx.icosahedral_graph().edges]
    level = _made(edges, tmp_path, 1)
    assert len(drawings) == flow_floor._MAX_WITHOUT_CELLS
    assert problems(level) == [] and len(level.hallways) == 30
    longest = max(len(hallway.tiles) for hallway in level.hallways) / 2
    assert longest < level.terrain.shape[0] + level.terrain.shape[1]
    monkeypatch.undo()
    assert level.fingerprint == _made(edges, tmp_path, 1).fingerprint


def test_a_flow_whose_hallways_find_no_way_is_soon_drawn_from_an_embedding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(FlowFloor, "_hallways", lambda *args: asked.append(args))
    assert problems(_made(planar_graph(1, 12, 2), tmp_path, 1)) == []
    assert len(asked) == flow_floor._MAX_WITHOUT_WAY


def test_of_two_hundred_rooms_only_short_hallways_are_laid_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hallway of a thousand tiles takes A* as long as all others together."""
    anew: list[int] = []

    def counted(router: Router, number: int) -> None:
        anew.append(len(router.hallways[number].path))
        lay_anew(router, number)

    lay_anew = Router.lay_anew
    monkeypatch.setattr(flow_floor, "_MAX_TRIES", 0)
    monkeypatch.setattr(Router, "lay_anew", counted)
    path = tmp_path / "own.toml"
    path.write_text(graph_text(planar_graph(1, 200, 20)))
    plan = floorplan(GungeonSpec(flow=str(path)), 0)
    assert len(plan.hallways) == 219
    assert 300 < len(anew) < 438 and max(anew) <= _MAX_ANEW


def test_a_triangulated_grid_has_hallways_no_longer_than_a_few_rooms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow_floor, "_MAX_TRIES", 0)
    at = [(x, y) for y in range(5) for x in range(5)]
    steps = {(1, 0), (0, 1), (1, 1)}
    edges = [
        (i, j)
        for (i, (ax, ay)), (j, (bx, by)) in combinations(enumerate(at), 2)
        if (bx - ax, by - ay) in steps
    ]
    lengths = sorted(len(hallway.tiles) // 2 for hallway in _made(edges, tmp_path, 2).hallways)
    assert len(lengths) == 56 and lengths[28] <= 30 and lengths[-1] <= 120


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100))
def test_random_planar_flows_all_become_levels(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of up to 60 rooms, from sparse to as dense as six connections a room allow; with narrow rooms too."""
    monkeypatch.setattr(flow_floor, "_MAX_TRIES", 0)
    edges = planar_graph(1_000 + seed, 5 + 7 * seed % 56, 11 * seed % 90)
    sizes = {"enemy_width": (9, 12), "enemy_height": (9, 10)} if seed % 3 == 0 else {}
    level = _made(edges, tmp_path, seed, hallway_width=2 + seed % 4, **sizes)
    assert problems(level) == [] and len(level.hallways) == len(edges)
