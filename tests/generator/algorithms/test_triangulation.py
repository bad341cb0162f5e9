"""The triangulation against an oracle that looks at every circle, in whole numbers."""

from __future__ import annotations

from functools import cmp_to_key
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.algorithms.graph import Edge
from generator.algorithms.triangulation import triangulate

Points = list[tuple[int, int]]


def turn(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def in_circle(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int], d: tuple[int, int]) -> int:
    (ax, ay), (bx, by), (cx, cy) = ((p[0] - d[0], p[1] - d[1]) for p in (a, b, c))
    return (
        (ax * ax + ay * ay) * (bx * cy - by * cx)
        + (bx * bx + by * by) * (cx * ay - cy * ax)
        + (cx * cx + cy * cy) * (ax * by - ay * bx)
    )


def faces(points: Points) -> set[tuple[int, ...]]:
    """All sets of points that lie on one circle with no point inside."""
    found = set()
    for i, j, k in combinations(range(len(points)), 3):
        area = turn(points[i], points[j], points[k])
        if area == 0:
            continue
        a, b, c = (i, j, k) if area > 0 else (i, k, j)
        tests = {
            m: in_circle(points[a], points[b], points[c], points[m])
            for m in range(len(points))
            if m not in (i, j, k)
        }
        if all(test <= 0 for test in tests.values()):
            found.add(tuple(sorted([i, j, k, *(m for m, test in tests.items() if test == 0)])))
    return found


def round_the_middle(points: Points, face: tuple[int, ...]) -> list[int]:
    """The corners of a convex polygon in their order."""
    count = len(face)
    middle = sum(points[m][0] for m in face), sum(points[m][1] for m in face)

    def towards(m: int) -> tuple[int, int]:
        return points[m][0] * count - middle[0], points[m][1] * count - middle[1]

    def order(m: int, n: int) -> int:
        (ax, ay), (bx, by) = towards(m), towards(n)
        half = (ay < 0 or (ay == 0 and ax < 0)) - (by < 0 or (by == 0 and bx < 0))
        return half or (-1 if ax * by - ay * bx > 0 else 1)

    return sorted(face, key=cmp_to_key(order))


def oracle(points: Points) -> list[Edge]:
    """The sides of all faces, and the lines from each face's lowest point to its others."""
    edges = set()
    for face in faces(points):
        ring = round_the_middle(points, face)
        edges |= {(min(a, b), max(a, b)) for a, b in pairwise([*ring, ring[0]])}
        edges |= {(face[0], other) for other in face[1:]}
    return sorted(edges)


def on_a_line(points: Points) -> bool:
    return all(turn(points[0], points[1], point) == 0 for point in points[2:])


def points_within(side: int, most: int = 14) -> st.SearchStrategy[Points]:
    point = st.tuples(st.integers(0, side), st.integers(0, side))
    return st.lists(point, min_size=3, max_size=most, unique=True)


@given(st.one_of(points_within(3), points_within(8), points_within(60), points_within(29_000)))
@settings(max_examples=400)
def test_the_triangulation_is_delaunays_and_ties_go_to_the_lowest(points: Points) -> None:
    if not on_a_line(points):
        assert triangulate(np.array(points)) == oracle(points)


@given(st.lists(st.tuples(st.integers(0, 29_000), st.integers(0, 1)), min_size=3, max_size=9, unique=True))
@settings(max_examples=200)
def test_points_that_are_nearly_on_a_line(points: Points) -> None:
    slanted = [(x, x // 7 + nudge) for x, nudge in points]
    if not on_a_line(slanted):
        assert triangulate(np.array(slanted)) == oracle(slanted)


@given(points_within(4, 10), st.integers(1, 4))
@settings(max_examples=100)
def test_points_too_far_apart_for_64_bits(points: Points, power: int) -> None:
    if not on_a_line(points):
        far = [(x * 10**5 * power, y * 10**5 * power) for x, y in points]
        assert triangulate(np.array(far)) == oracle(points)


@given(points_within(6), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_the_order_in_which_points_are_handed_over_decides_nothing(points: Points, random: object) -> None:
    """Without four points on a circle there is but one triangulation: numbers may be dealt anew."""
    if on_a_line(points) or any(len(face) > 3 for face in faces(points)):
        return
    new = list(range(len(points)))
    random.shuffle(new)  # type: ignore[attr-defined]
    dealt = [points[new.index(place)] for place in range(len(points))]
    edges = triangulate(np.array(points))
    assert triangulate(np.array(dealt)) == sorted(
        (min(new[a], new[b]), max(new[a], new[b])) for a, b in edges
    )


@pytest.mark.parametrize(
    ("points", "edges"),
    [
        ([(3, 4)], []),
        ([(3, 4), (0, 0)], [(0, 1)]),
        ([(0, 0), (10, 0), (5, 0)], [(0, 2), (1, 2)]),
        ([(6, 9), (2, 3), (4, 6), (0, 0)], [(0, 2), (1, 2), (1, 3)]),
        ([(0, 0), (4, 0), (0, 3)], [(0, 1), (0, 2), (1, 2)]),
        ([(0, 0), (1, 0), (0, 1), (1, 1)], [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]),
    ],
)
def test_few_points_and_points_on_a_line_are_all_connected(points: Points, edges: list[Edge]) -> None:
    assert triangulate(np.array(points)) == edges


def test_a_large_grid_is_all_ties() -> None:
    """Every square has its corners on a circle: one diagonal each, from its lowest corner."""
    side = 30
    points = [(x, y) for y in range(side) for x in range(side)]
    edges = set(triangulate(np.array(points)))
    assert len(edges) == 2 * side * (side - 1) + (side - 1) ** 2
    assert all(
        (y * side + x, (y + 1) * side + x + 1) in edges for y in range(side - 1) for x in range(side - 1)
    )


@pytest.mark.parametrize("side", [22, 60, 3000])
def test_many_points_make_a_triangulation_without_crossings(side: int) -> None:
    """Euler: n points, h of them on the hull, are joined by 3n - 3 - h edges if every face is a triangle."""
    grid = np.random.default_rng(side)
    points = np.unique(grid.integers(0, side, (400, 2)), axis=0)
    edges = np.array(triangulate(points))
    hull = sum(
        any((sides := np.sign(turns_of(points, a, b))).min() >= 0 or sides.max() <= 0 for b in others)
        for a, others in enumerate(ends_of(edges.tolist(), len(points)))
    )
    assert len(edges) == 3 * len(points) - 3 - hull
    a, b = points[edges[:, 0]], points[edges[:, 1]]
    for (one, other), p, q in zip(edges.tolist(), a, b, strict=True):
        apart = np.sign(cross(p, q, a)) * np.sign(cross(p, q, b)) >= 0
        apart |= np.sign(cross(a, b, p)) * np.sign(cross(a, b, q)) >= 0
        assert apart.all(), (one, other)


def cross(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    d, e = b - a, c - a
    return d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0]


def turns_of(points: np.ndarray, a: int, b: int) -> np.ndarray:
    """On which side of the line a-b each point lies."""
    return cross(points[a], points[b], points)


def ends_of(edges: list[Edge], count: int) -> list[list[int]]:
    """[point]: who it is joined to."""
    found: list[list[int]] = [[] for _ in range(count)]
    for a, b in edges:
        found[a].append(b)
        found[b].append(a)
    return found
