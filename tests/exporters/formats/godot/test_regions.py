"""Navigation regions of whole levels and of levels in parts: they join, and nobody gets in another's way."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
import shapely

import exporters
import generator
from exporters.dress import dress
from exporters.formats.godot.regions import PartRegions, regions
from exporters.formats.godot.setting import agent_radius, parts, whole
from exporters.formats.godot.shapes import Mesh
from exporters.theme.loader import load_theme
from generator.errors import BadInput
from generator.geometry import Point
from generator.level import Level

from . import crypt_level, notch_level

LEVELS = {
    "isaac": lambda: generator.generate("isaac", 7),
    "rebirth": lambda: generator.generate("rebirth", 10, stage=5),
    "gungeon": lambda: generator.generate("gungeon", 7),
    "notch": notch_level.level,
    "by hand": crypt_level.level,
}
SIZE, RADIUS = 16, 6


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> Level:
    return LEVELS[request.param]()


def meshes(found: list[PartRegions]) -> list[Mesh]:
    return [
        each.mesh.lists() for part in found for some in (part.always, *part.behind.values()) for each in some
    ]


def edges(found: list[Mesh]) -> Counter[tuple[Point, Point]]:
    rings = [[mesh.vertices[i] for i in (*ring, ring[0])] for mesh in found for ring in mesh.polygons]
    return Counter(tuple(sorted(edge)) for ring in rings for edge in pairwise(ring))  # type: ignore[misc]


def apart(level: Level) -> list[PartRegions]:
    some = [part for _, part in parts(level, dress(level, load_theme()))]
    return regions(level, some, SIZE, RADIUS)


def test_all_regions_join_along_whole_edges(level: Level) -> None:
    """No vertex of one lies inside of another's edge, and no edge is shared by more than two polygons."""
    for found in (meshes(apart(level)), meshes(regions(level, [whole(level)], SIZE, RADIUS))):
        counted = edges(found)
        assert max(counted.values()) == 2
        points = shapely.STRtree([shapely.Point(point) for mesh in found for point in mesh.vertices])
        for edge in counted:
            touched = points.geometries[points.query(shapely.LineString(edge), "intersects")]
            assert {(point.x, point.y) for point in touched} <= set(edge)


def test_parts_together_are_the_level(level: Level) -> None:
    """And have the same secret doors; nothing overlaps."""

    def polygons(found: list[PartRegions]) -> list[shapely.Polygon]:
        return [
            shapely.Polygon([mesh.vertices[i] for i in ring])
            for mesh in meshes(found)
            for ring in mesh.polygons
        ]

    split, one = apart(level), regions(level, [whole(level)], SIZE, RADIUS)
    union = shapely.union_all(polygons(split))
    assert union.equals(shapely.union_all(polygons(one)))
    assert sum(polygon.area for polygon in polygons(split)) == union.area
    assert {door for part in split for door in part.behind} == set(one[0].behind)


def test_the_radius_fits_the_tile() -> None:
    level = generator.generate("isaac", 7)
    assert [agent_radius(level, size, -1) for size in (8, 16, 24, 32, 1)] == [3, 6, 9, 12, 0]
    assert agent_radius(level, 16, 7) == 7
    wide = generator.generate("isaac", 3, door_width=3)
    assert agent_radius(wide, 16, 23) == 23


@pytest.mark.parametrize(
    ("style", "radius", "line"),
    [
        ("isaac", 8, "godot.agent_radius: 8 closes doors, which are 16 px wide; give 0 to 7"),
        ("gungeon", 16, "godot.agent_radius: 16 closes doors, which are 32 px wide; give 0 to 15"),
        ("isaac", -2, "godot.agent_radius: -2 is out of range (-1 to 1024)"),
    ],
)
def test_a_radius_that_closes_doors_is_refused(style: str, radius: int, line: str) -> None:
    with pytest.raises(BadInput) as refused:
        exporters.export(generator.generate(style, 7), ["godot"], {"godot.agent_radius": radius})
    assert str(refused.value) == line
