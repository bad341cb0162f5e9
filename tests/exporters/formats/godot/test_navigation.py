"""Navigation polygons: they cover the tiles, are convex, and share whole edges."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.ndimage import label
from scipy.sparse.csgraph import connected_components

from exporters.formats.godot.shapes import Mesh, mesh, outlines, outlines_of_tiles, rectangles, solids
from generator.geometry import Point

Bools = npt.NDArray[np.bool_]
MASKS = arrays(np.bool_, st.tuples(st.integers(1, 9), st.integers(1, 9)))


def meshed(mask: Bools) -> Mesh:
    return mesh(rectangles(mask)).lists()


def rings(found: Mesh) -> list[list[Point]]:
    return [[found.vertices[i] for i in polygon] for polygon in found.polygons]


def tiles(mask: Bools) -> shapely.Geometry:
    return shapely.union_all([shapely.box(x, y, x + 1, y + 1) for y, x in np.argwhere(mask).tolist()])


@given(MASKS)
def test_rectangles_are_the_tiles_each_once(mask: Bools) -> None:
    count = np.zeros(mask.shape, int)
    for left, top, right, bottom in rectangles(mask):
        count[top:bottom, left:right] += 1
    assert np.array_equal(count, mask.astype(int))


@given(MASKS)
def test_the_polygons_are_the_area_of_shapelys_union(mask: Bools) -> None:
    polygons = [shapely.Polygon(ring) for ring in rings(meshed(mask))]
    assert all(polygon.is_valid and polygon.equals(polygon.convex_hull) for polygon in polygons)
    assert shapely.union_all(polygons).equals(tiles(mask))
    assert sum(polygon.area for polygon in polygons) == mask.sum()


@given(MASKS)
def test_no_vertex_lies_inside_anothers_edge(mask: Bools) -> None:
    """So that two polygons that touch along a line share its edges, which is how Godot joins them."""
    found = meshed(mask)
    edges: Counter[frozenset[Point]] = Counter()
    for ring in rings(found):
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
            edges[frozenset(((ax, ay), (bx, by)))] += 1
            low, high = sorted(((ax, ay), (bx, by)))
            between = [
                (x, y) for x, y in found.vertices if low < (x, y) < high and (x == ax == bx or y == ay == by)
            ]
            assert not between
    assert max(edges.values(), default=0) <= 2


@given(MASKS)
def test_one_walks_from_polygon_to_polygon_as_from_tile_to_tile(mask: Bools) -> None:
    """Polygons that share edges make as many regions as the tiles, by four-neighbour steps, do."""
    found = meshed(mask)
    owners: dict[frozenset[int], list[int]] = {}
    for number, polygon in enumerate(found.polygons):
        for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True):
            owners.setdefault(frozenset((a, b)), []).append(number)
    count = len(found.polygons)
    graph = np.zeros((count, count), bool)
    for pair in owners.values():
        graph[pair[0], pair[-1]] = True
    regions = connected_components(graph, directed=False)[0] if count else 0
    assert regions == label(mask)[1]


@given(MASKS)
@settings(max_examples=60)
def test_outlines_are_the_borders_of_the_union(mask: Bools) -> None:
    found = outlines(mask).lists()
    assert found == sorted(found)
    whole = shapely.Polygon()
    for ring in found:  # a hole's ring takes away what the ring round it has
        whole = whole.symmetric_difference(shapely.Polygon(ring))
    assert whole.equals(tiles(mask))
    assert sum(shapely.LinearRing(ring).length for ring in found) == tiles(mask).length
    for ring in found:
        assert ring[0] == min(ring) and len(set(ring)) == len(ring)
        around = [shapely.Polygon(other).contains(shapely.Polygon(ring)) for other in found if other != ring]
        assert shapely.LinearRing(ring).is_ccw is (sum(around) % 2 == 0)  # with y down this is clockwise
        for before, here, after in zip([ring[-1], *ring], ring, [*ring[1:], ring[0]], strict=False):
            assert not (before[0] == here[0] == after[0]) and not (before[1] == here[1] == after[1])


@given(MASKS)
def test_solids_cover_an_outline_without_its_holes(mask: Bools) -> None:
    rings_found = outlines(mask).lists()
    covered = [shapely.Polygon(ring) for ring in solids(rings_found)]
    assert shapely.union_all(covered).equals(tiles(mask))
    assert sum(solid.area for solid in covered) == mask.sum()


@given(MASKS, st.integers(0, 5), st.integers(0, 5))
def test_outlines_of_tiles_lie_where_the_tiles_lie(mask: Bools, dx: int, dy: int) -> None:
    places = [(x + dx, y + dy) for y, x in np.argwhere(mask).tolist()]
    (found,) = outlines_of_tiles([places])
    assert found == [[(x + dx, y + dy) for x, y in ring] for ring in outlines(mask).lists()]
    covered = shapely.union_all([shapely.Polygon(ring) for ring in solids(found)])
    assert covered.area == len(places)
    assert covered.equals(shapely.union_all([shapely.box(x, y, x + 1, y + 1) for x, y in places]))


@given(st.lists(MASKS, max_size=4))
def test_areas_that_touch_have_outlines_of_their_own(masks: list[Bools]) -> None:
    areas = [[(x, y) for y, x in np.argwhere(mask).tolist()] for mask in masks]
    assert outlines_of_tiles(areas) == [outlines(mask).lists() for mask in masks]


def test_an_outline_without_holes_stays_whole() -> None:
    ell = ((0, 0), (4, 0), (4, 2), (2, 2), (2, 4), (0, 4))
    assert solids([ell]) == [ell]
    assert solids([]) == []
