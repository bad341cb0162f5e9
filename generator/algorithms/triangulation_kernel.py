r"""An exact Delaunay triangulation of points (Delaunay 1934), in whole numbers: which ones are neighbours.

Points are taken from left to right and joined to the part of the hull that they see; each time, edges that
the exact in-circle test forbids are flipped until none is left (Lawson, "Software for C1 Surface
Interpolation", 1977). At last, points on one circle are all joined to the one with the lowest number. The
result depends only on the points.

Half edge 3 * t + i of triangle t leads from its corner i to the next one; its twin leads back.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

MAX_SPAN = 29_000  # of points: in-circle determinants fit into 63 bits


class TriangleMesh(NamedTuple):
    """Buffers for a triangulation of n points, which has at most 6 n half edges."""

    corners: array[int]  # [half edge]: the point where it begins
    twins: array[int]  # [half edge]: -1 on the hull
    after: array[int]  # [point]: the next one on the hull, counter-clockwise
    before: array[int]
    hull: array[int]  # [point]: the half edge of the hull that begins there
    parents: array[int]  # [triangle]: disjoint sets of triangles with their corners on one circle
    lowest: array[int]  # [triangle]: the lowest point of such a set


def triangulate(
    x: array[int], y: array[int], points: list[int], mesh: TriangleMesh, edges: list[int], base: int
) -> None:
    """Append the edges a, b (a < b) of the triangulation of `points` to `edges`, as a * base + b.

    `points` are indices of x and y; some edges may be appended twice.
    """
    order = _from_left_to_right(x, y, points)
    apart = 1
    while apart < len(order) - 1 and _turn(x, y, order[0], order[apart], order[apart + 1]) == 0:
        apart += 1
    apart += 1  # the first point that is not on a line with those before it
    if apart >= len(order):
        edges.extend([_edge(order[i], order[i + 1], base) for i in range(len(order) - 1)])
        return
    count = _first_fan(x, y, order, apart, mesh)
    for i in range(apart + 1, len(order)):
        first, count = count, _add_point(x, y, order[i], order[i - 1], mesh, count)
        _legalise(x, y, mesh, first, count)
    _collect(x, y, mesh, count, edges, base)


def _edge(a: int, b: int, base: int) -> int:
    return min(a, b) * base + max(a, b)


def _from_left_to_right(x: array[int], y: array[int], points: list[int]) -> list[int]:
    """Sort the points by x, then by y."""
    left = x[points[0]]
    top = bottom = y[points[0]]
    for point in points:
        left, top, bottom = min(left, x[point]), min(top, y[point]), max(bottom, y[point])
    rows = bottom - top + 1
    keys = [(((x[point] - left) * rows + y[point] - top) << 20) + point for point in points]
    keys.sort()
    return [key & 0xFFFFF for key in keys]


def _turn(x: array[int], y: array[int], a: int, b: int, c: int) -> int:
    """Return a number: positive if a, b, c run counter-clockwise, 0 on one line."""
    return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a])


def _first_fan(x: array[int], y: array[int], order: list[int], apart: int, mesh: TriangleMesh) -> int:
    """Join the points on a line to the first one off it, and return the number of half edges."""
    top, count = order[apart], 0
    is_left = _turn(x, y, order[0], order[1], top) > 0
    for i in range(apart - 1):
        a, b = order[i], order[i + 1]
        if not is_left:
            a, b = b, a
        mesh.corners[count], mesh.corners[count + 1], mesh.corners[count + 2] = a, b, top
        for edge in range(count, count + 3):
            mesh.twins[edge] = -1
        if count > 0:
            mine, previous = (count + 2, count - 2) if is_left else (count + 1, count - 1)
            mesh.twins[mine], mesh.twins[previous] = previous, mine
        _on_hull(mesh, a, b, count)
        count += 3
    first, last = (order[0], order[apart - 1]) if is_left else (order[apart - 1], order[0])
    _on_hull(mesh, last, top, count - 2 if is_left else 1)
    _on_hull(mesh, top, first, 2 if is_left else count - 1)
    return count


def _on_hull(mesh: TriangleMesh, a: int, b: int, edge: int) -> None:
    mesh.after[a], mesh.before[b], mesh.hull[a] = b, a, edge


def _add_point(x: array[int], y: array[int], point: int, last: int, mesh: TriangleMesh, count: int) -> int:
    """Join a point to the edges of the hull that it sees, which are next to the last point."""
    start, end = last, last
    while _turn(x, y, mesh.before[start], start, point) < 0:
        start = mesh.before[start]
    while _turn(x, y, end, mesh.after[end], point) < 0:
        end = mesh.after[end]
    at, first = start, count
    while at != end:
        following, seen = mesh.after[at], mesh.hull[at]
        mesh.corners[count], mesh.corners[count + 1], mesh.corners[count + 2] = following, at, point
        mesh.twins[count], mesh.twins[seen] = seen, count
        mesh.twins[count + 1] = mesh.twins[count + 2] = -1
        if count > first:
            mesh.twins[count + 1], mesh.twins[count - 1] = count - 1, count + 1
        at = following
        count += 3
    _on_hull(mesh, start, point, first + 1)
    _on_hull(mesh, point, end, count - 1)
    return count


def _next(edge: int) -> int:
    return edge - 2 if edge % 3 == 2 else edge + 1


def _in_circle(x: array[int], y: array[int], mesh: TriangleMesh, edge: int) -> int:
    """Return a number: positive if the corner across an edge is in its triangle's circle, 0 if on it."""
    corners, twin = mesh.corners, mesh.twins[edge]
    first, first_of_twin = edge - edge % 3, twin - twin % 3
    a, b, c = corners[edge], corners[first + (edge + 1) % 3], corners[first + (edge + 2) % 3]
    d = corners[first_of_twin + (twin + 2) % 3]
    ax, ay, bx, by = x[a] - x[d], y[a] - y[d], x[b] - x[d], y[b] - y[d]
    cx, cy = x[c] - x[d], y[c] - y[d]
    return (
        (ax * ax + ay * ay) * (bx * cy - by * cx)
        + (bx * bx + by * by) * (cx * ay - cy * ax)
        + (cx * cx + cy * cy) * (ax * by - ay * bx)
    )


def _legalise(x: array[int], y: array[int], mesh: TriangleMesh, first: int, count: int) -> None:
    """Flip edges that the in-circle test forbids. Every third of the new half edges faces the new point."""
    todo = list(range(first, count, 3))
    while todo:
        edge = todo.pop()
        twin = mesh.twins[edge]
        if twin >= 0 and _in_circle(x, y, mesh, edge) > 0:
            _flip(mesh, edge)
            todo.append(edge)
            todo.append(_next(twin))


def _flip(mesh: TriangleMesh, edge: int) -> None:
    r"""Turn the edge a-b of the triangles a b c and b a d into c-d: then they are d b c and c a d.

    The first keeps its numbers: its edge a-b becomes d-b, its edge c-a becomes c-d.
    """
    twin = mesh.twins[edge]
    third, of_twin = _next(_next(edge)), _next(_next(twin))  # c-a and d-b
    c, d = mesh.corners[third], mesh.corners[of_twin]
    outer, outer_of_twin = mesh.twins[third], mesh.twins[of_twin]
    if outer < 0:
        mesh.hull[c] = twin
    if outer_of_twin < 0:
        mesh.hull[d] = edge
    mesh.corners[edge], mesh.corners[twin] = d, c
    _link(mesh, edge, outer_of_twin)
    _link(mesh, twin, outer)
    _link(mesh, third, of_twin)


def _link(mesh: TriangleMesh, edge: int, twin: int) -> None:
    mesh.twins[edge] = twin
    if twin >= 0:
        mesh.twins[twin] = edge


def _collect(
    x: array[int], y: array[int], mesh: TriangleMesh, count: int, edges: list[int], base: int
) -> None:
    """Append all edges. Points on one circle are joined only to the lowest of them, and along the rim."""
    for triangle in range(count // 3):
        mesh.parents[triangle] = triangle
        mesh.lowest[triangle] = -1
    for edge in range(count):
        twin = mesh.twins[edge]
        if twin > edge and _in_circle(x, y, mesh, edge) == 0:
            mesh.parents[_root(mesh.parents, edge // 3)] = _root(mesh.parents, twin // 3)
        elif twin < 0 or twin > edge:
            edges.append(_edge(mesh.corners[edge], mesh.corners[_next(edge)], base))
    for edge in range(count):
        root = _root(mesh.parents, edge // 3)
        if mesh.lowest[root] < 0 or mesh.corners[edge] < mesh.lowest[root]:
            mesh.lowest[root] = mesh.corners[edge]
    for edge in range(count):
        low = mesh.lowest[_root(mesh.parents, edge // 3)]
        if mesh.corners[edge] != low:
            edges.append(_edge(low, mesh.corners[edge], base))


def _root(parents: array[int], item: int) -> int:
    while parents[item] != item:
        parents[item] = parents[parents[item]]
        item = parents[item]
    return item
