"""Triangulation: which points are neighbours, by an exact Delaunay triangulation (Delaunay 1934).

scipy (Qhull) computes in floating point, and to it any triangulation of points on one circle is as good. So
its answer is only a start: edges that an exact in-circle test forbids are flipped (Lawson, "Software for C1
Surface Interpolation", 1977), and points on one circle are all joined to the one with the lowest number. The
result depends only on the points.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.machinery import ExtensionFileLoader, PathFinder
from importlib.util import find_spec, module_from_spec
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from generator.algorithms.graph import Edge, UnionFind
from generator.arrays import Ints, numbers_in

if TYPE_CHECKING:
    from scipy.spatial import Delaunay


# In-circle determinants are sums of twelve products of four differences; up to this span they fit into 64
# bits.
_MAX_SPAN_64 = 29_000


def triangulate(points: Ints) -> list[Edge]:
    """Return the edges of the Delaunay triangulation of distinct whole points [room, 2], sorted.

    Points on one line are joined one after the other; one point has no edge.
    """
    along = np.lexsort((points[:, 1], points[:, 0]))
    points = points - points.min(axis=0)
    if points.max() > _MAX_SPAN_64:
        points = points.astype(object)  # whole numbers of any size
    if len(points) < 3 or not _turns(points[along[:1]], points[along[-1:]], points[along]).any():
        line = along.tolist()
        return sorted(_edge(a, b) for a, b in pairwise(line))
    triangles = _counter_clockwise(points, along[delaunay()(points[along].astype(float)).simplices])
    while True:
        quads = _quads(triangles)
        tests = _in_circle(points, quads)
        if not (tests > 0).any():
            return _joined_to_lowest(triangles, quads[:, tests == 0])
        triangles = _flipped(triangles, quads[:, tests > 0])


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)


def _turns(a: Ints, b: Ints, c: Ints) -> Ints:
    """Compute twice the area of the triangles abc: positive if counter-clockwise, 0 on one line."""
    result: Ints = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    return result


def _counter_clockwise(points: Ints, triangles: Ints) -> Ints:
    """Return corners [triangle, 3] in counter-clockwise order. Slivers without an area are dropped."""
    turns = _turns(*points[triangles.T])
    if (turns > 0).all():
        return triangles
    triangles[turns < 0] = triangles[turns < 0][:, ::-1]
    with_area: Ints = triangles[turns != 0]
    return with_area


def _quads(triangles: Ints) -> Ints:
    r"""Return [6, edge]: each edge a-b of two triangles, the corners c and d across it, and both triangles.

    c
    |\      abc and bad run counter-clockwise
    | \
    a--b
     \ |
      \|
       d
    """
    a, b, c = triangles.ravel(), triangles[:, [1, 2, 0]].ravel(), triangles[:, [2, 0, 1]].ravel()
    keys = np.minimum(a, b) * (int(a.max()) + 1) + np.maximum(a, b)
    order = keys.argsort(kind="stable")
    keys = keys[order]
    pair = (keys[:-1] == keys[1:]).nonzero()[0]
    one, other = order[pair], order[pair + 1]
    return np.stack([a[one], b[one], c[one], c[other], one // 3, other // 3])


def _in_circle(points: Ints, quads: Ints) -> Ints:
    """Return a number [edge]: positive if d lies in the circle through a, b and c, 0 if it lies on it."""
    corners = points[quads[:4]]  # [corner, edge, 2]
    (ax, bx, cx), (ay, by, cy) = (corners[:3] - corners[3]).transpose(2, 0, 1)
    result: Ints = (
        (ax * ax + ay * ay) * (bx * cy - by * cx)
        + (bx * bx + by * by) * (cx * ay - cy * ax)
        + (cx * cx + cy * cy) * (ax * by - ay * bx)
    )
    return result


def _flipped(triangles: Ints, quads: Ints) -> Ints:
    """Turn each edge a-b into c-d, at most one per triangle. The rest waits for the next round."""
    triangles = triangles.copy()
    touched: set[int] = set()
    for a, b, c, d, first, second in quads.T.tolist():
        if first not in touched and second not in touched:
            triangles[first], triangles[second] = (a, d, c), (d, b, c)
            touched |= {first, second}
    return triangles


def _joined_to_lowest(triangles: Ints, on_circle: Ints) -> list[Edge]:
    """Return all edges, sorted, with points on one circle joined to the lowest of them.

    `on_circle` are the quads whose edge could equally be the other diagonal. Without those edges, the
    triangles on both sides form one polygon with all its corners on a circle.
    """
    a, b = triangles.ravel(), triangles[:, [1, 2, 0]].ravel()
    edges = set(zip(np.minimum(a, b).tolist(), np.maximum(a, b).tolist(), strict=True))
    for polygon in _polygons(triangles, on_circle):
        edges -= {(a, b) for a in polygon for b in polygon}  # the sides are added again below
        edges |= {_edge(a, b) for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True)}
        edges |= {_edge(polygon[0], corner) for corner in polygon[1:]}
    return sorted(edges)


def _polygons(triangles: Ints, on_circle: Ints) -> list[list[int]]:
    """Return each polygon's corners in order round it, the lowest first."""
    sets = UnionFind(len(triangles))
    pairs = on_circle[4:].T
    for first, second in pairs.tolist():
        sets.union(first, second)
    parts_of: dict[int, list[int]] = {}
    for triangle in numbers_in(pairs):
        parts_of.setdefault(sets.find(triangle), []).append(triangle)
    polygons = []
    for parts in parts_of.values():
        sides = {(t[i], t[i - 2]) for t in triangles[parts].tolist() for i in range(3)}
        following = {a: b for a, b in sides if (b, a) not in sides}
        polygon = [min(following)]
        while (after := following[polygon[-1]]) != polygon[0]:
            polygon.append(after)
        polygons.append(polygon)
    return polygons


# Loads scipy's Delaunay triangulation without the rest of scipy.
#
# C. B. Barber, D. P. Dobkin and H. Huhdanpaa, "The Quickhull algorithm for convex hulls" (1996). scipy
# includes their program, Qhull. `import scipy.spatial` imports sparse matrices, rotations, linear algebra
# and more, which takes longer than many levels do. Qhull itself is one compiled module, and needs one
# other. Only these two are loaded.
#
# scipy does not promise where they are. If anything fails, the class comes from `scipy.spatial` as usual.
# It is the same class: a later `import scipy.spatial` gets what is loaded here.


_CALLED = "scipy.linalg.cython_lapack"
_QHULL = "scipy.spatial._qhull"


@cache
def delaunay() -> type[Delaunay]:
    """Return the class `scipy.spatial.Delaunay`."""
    if "scipy.spatial" not in sys.modules:
        try:
            loaded = _alone()
        except Exception:  # another version of scipy may do anything here
            loaded = None
        if loaded is not None:
            return loaded
    from scipy.spatial import Delaunay

    return Delaunay


def _alone() -> type[Delaunay] | None:
    """Load the class from its module only. Returns None if that has moved. Raises whatever loading it raises.

    The modules are in `sys.modules` only while this runs. When their packages are imported later, those
    import them again, get the same modules, and bind their names.
    """
    added = []
    try:
        for name in (_CALLED, _QHULL):
            if name in sys.modules:
                continue
            package = find_spec(name.rpartition(".")[0])  # imports `scipy` but none of its modules
            places = package and package.submodule_search_locations
            spec = places and PathFinder.find_spec(name, places)
            if not spec or not isinstance(spec.loader, ExtensionFileLoader):
                return None
            module = sys.modules[name] = module_from_spec(spec)
            added.append(name)
            spec.loader.exec_module(module)
        loaded: type[Delaunay] | None = getattr(sys.modules[_QHULL], "Delaunay", None)
        return loaded
    finally:
        for name in added:
            sys.modules.pop(name, None)
