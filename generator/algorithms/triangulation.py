"""Triangulation: which points are neighbours, by an exact Delaunay triangulation (Delaunay 1934)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from generator.algorithms.graph import Edge
from generator.algorithms.triangulation_kernel import TriangleMesh
from generator.algorithms.triangulation_kernel import triangulate as append_edges
from generator.arrays import Ints

if TYPE_CHECKING:
    from array import array


def triangulate(points: Ints) -> list[Edge]:
    """Return the edges of the Delaunay triangulation of distinct whole points [room, 2], sorted.

    Points on one line are joined one after the other; one point has no edge. Points on one circle are all
    joined to the one with the lowest number. The result depends only on the points.
    """
    count = len(points)
    # Lists do for the buffers where nothing is compiled, and are faster.
    x, y = cast("list[array[int]]", points.T.tolist())
    mesh = TriangleMesh(*cast("list[array[int]]", [[0] * (6 * count) for _ in TriangleMesh._fields]))
    edges: list[int] = []
    append_edges(x, y, list(range(count)), mesh, edges, count)
    return [divmod(edge, count) for edge in sorted(set(edges))]
