"""A level as a graph of networkx: each room is a node, each connection is an edge.

    graph = level.graph()
    networkx.shortest_path(graph, 0, boss.id)
    open_ones = networkx.subgraph_view(graph, filter_edge=lambda a, b, key: not graph[a][b][key]["secret"])

Nodes are the rooms' ids, in order, with attributes from `Room`: `kind`, `shape`, `distance`, `depth`,
`difficulty`, `layout`, `cells`, `bounds`.

An edge is a connection: a door between two rooms, or a hallway with its two doors. The graph is a multigraph,
because two large rooms may share more than one door. An edge's key is the id of its first door. It has `kind`
(of the door; for a hallway, of its first door that is not plainly open), `secret` (one of its doors is secret
or red), `doors` (their ids), `hallway` (its id, or None) and `tiles` (how long the hallway is, 0 for a door).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx

    from generator.level import Level

_OF_ROOMS = ("kind", "shape", "distance", "depth", "difficulty", "layout", "cells", "bounds")


def graph(level: Level) -> networkx.MultiGraph[int]:
    """Build the graph of a level's rooms and their connections. Raises ImportError without networkx."""
    try:
        import networkx
    except ModuleNotFoundError as error:
        if error.name != "networkx":
            raise
        remedy = "pip install 'undercroft[graph]'"
        raise ImportError(f"level.graph() needs networkx; {remedy}", name="networkx") from None
    result: networkx.MultiGraph[int] = networkx.MultiGraph(style=level.style, seed=level.seed)
    for room in level.rooms:
        result.add_node(room.id, **{name: getattr(room, name) for name in _OF_ROOMS})
    for door in level.doors:
        if door.rooms[1] is not None:
            _join(result, level, door.rooms[0], door.rooms[1], (door.id,))
    for hallway in level.hallways:
        first, second = (level.doors[number].rooms[0] for number in hallway.doors)
        _join(result, level, first, second, hallway.doors, hallway.id, len(hallway.tiles))
    return result


def _join(
    graph: networkx.MultiGraph[int],
    level: Level,
    first: int,
    second: int,
    doors: tuple[int, ...],
    hallway: int | None = None,
    tiles: int = 0,
) -> None:
    kinds = [level.doors[number].kind for number in doors]
    graph.add_edge(
        first,
        second,
        key=doors[0],
        kind=next((kind for kind in kinds if kind != "open"), "open"),
        secret=not level.kinds.secret_doors.isdisjoint(kinds),
        doors=doors,
        hallway=hallway,
        tiles=tiles,
    )
