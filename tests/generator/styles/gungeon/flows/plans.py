"""Small flows for tests, written in a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random

import networkx
from scipy.spatial import Delaunay

FROM_DOCS = {path.stem: path for path in sorted((Path(__file__).parent / "from_docs").glob("*.toml"))}
"""Twelve flows as people write them who have read docs/flows.md."""

KINDS = {"s": "start", "z": "boss"}


def flow_text(*ways: str, more: str = "", **rooms: str) -> str:
    """The TOML of a flow with ways such as `s a z`; `a='size = "small"'` adds to a room, or gives its kind.

    `s a | secret = true` adds to a connection.
    """
    paths = [way.partition(" | ")[::2] for way in ways]
    ids = dict.fromkeys(room for path, _ in paths for room in path.split())
    lines = ["[flow]", 'name = "t"']
    for room in ids:
        kind = "" if "kind" in rooms.get(room, "") else f'kind = "{KINDS.get(room, "normal")}"'
        lines += ["[[room]]", f'id = "{room}"', kind, rooms.get(room, "")]
    for path, adds in paths:
        listed = ", ".join(f'"{room}"' for room in path.split())
        lines += ["[[connection]]", f"path = [{listed}]", adds]
    return "\n".join([*lines, more, ""])


def flow_file(folder: Path, *ways: str, more: str = "", **rooms: str) -> str:
    """The path of `own.toml` in a folder, written with `flow_text`."""
    path = folder / "own.toml"
    path.write_text(flow_text(*ways, more=more, **rooms))
    return str(path)


def planar_graph(seed: int, rooms: int, extra: int) -> list[tuple[int, int]]:
    """A random connected planar graph: a tree and `extra` more edges of a triangulation of random points.

    No room has more than six edges.
    """
    random = Random(seed)
    points = [(random.random(), random.random()) for _ in range(max(rooms, 3))]
    near = {
        tuple(sorted((int(a), int(b))))
        for triangle in Delaunay(points).simplices
        for a, b in combinations(triangle, 2)
    }
    edges = [(a, b) for a, b in sorted(near) if b < rooms]
    random.shuffle(edges)
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(rooms))
    later = []
    for a, b in edges:
        if graph.degree(a) < 6 and graph.degree(b) < 6 and not networkx.has_path(graph, a, b):
            graph.add_edge(a, b)
        else:
            later.append((a, b))
    for a, b in later:
        if extra and graph.degree(a) < 6 and graph.degree(b) < 6:
            graph.add_edge(a, b)
            extra -= 1
    first = networkx.node_connected_component(graph, 0)
    return [(min(edge), max(edge)) for edge in graph.edges if edge[0] in first]


def graph_text(edges: Sequence[tuple[int, int]], more: str = "", **rooms: str) -> str:
    """The TOML of a flow with rooms r0 (the start) to the last one (the boss)."""
    names = sorted({room for edge in edges for room in edge})
    ids = {room: f"r{room}" for room in names}
    kinds = {names[0]: 'kind = "start"', names[-1]: 'kind = "boss"'}
    ways = [f"{ids[a]} {ids[b]}" for a, b in edges]
    of_rooms = {ids[room]: kind for room, kind in kinds.items()} | rooms
    return flow_text(*ways, more=more, **of_rooms)
