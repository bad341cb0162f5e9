"""The navigation meshes in a scene's text, audited with shapely: it knows the level's tiles and no exporter."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import shapely

from generator.arrays import Mask
from generator.checks.base import mask_of
from generator.level import Door, Level

WALKERS, FLYERS = 1, 2
_TEXT = re.compile(r"(?m)^\[(\w+)([^\n]*)\]\n((?:(?!\[(?:node|sub_resource|ext_resource) ).*\n?)*)")
_POINTS = re.compile(r"PackedVector2Array\(([^)]*)\)")
_RINGS = re.compile(r"PackedInt32Array\(([^)]*)\)")


class SceneMesh(NamedTuple):
    """The polygons of a region in px of the level; `door` is the id of the shut door that it belongs to."""

    layers: int
    door: int | None
    polygons: tuple[shapely.Polygon, ...]


def meshes_of(scene: str) -> tuple[list[SceneMesh], set[int]]:
    """The meshes of a whole level's scene, and the doors with a link."""
    shapes: dict[str, str] = {}
    nodes: dict[str, tuple[float, float, str]] = {}
    found, linked = [], set()
    for kind, heading, body in _TEXT.findall(scene):
        if kind == "sub_resource" and 'type="NavigationPolygon"' in heading:
            shapes[_in_quotes("id", heading)] = body
        if kind != "node" or "parent=" not in heading:
            continue
        name, parent = _in_quotes("name", heading), _in_quotes("parent", heading)
        x, y, of_door = nodes.get(parent, (0.0, 0.0, ""))
        if place := re.search(r"^position = Vector2\(([^,]+), ([^)]+)\)", body, re.MULTILINE):
            x, y = x + float(place[1]), y + float(place[2])
        door = re.search(r"^metadata/id = (\d+)", body, re.MULTILINE)
        of_door = door[1] if door and parent == "Doors" else of_door
        nodes[name if parent == "." else f"{parent}/{name}"] = x, y, of_door
        if 'type="NavigationLink2D"' in heading:
            linked.add(int(of_door))
        if 'type="NavigationRegion2D"' in heading:
            shape = re.search(r'^navigation_polygon = SubResource\("([^"]+)"\)', body, re.MULTILINE)
            layers = re.search(r"^navigation_layers = (\d+)", body, re.MULTILINE)
            assert shape and layers and bool(of_door) is ("\nenabled = false\n" in f"\n{body}"), heading
            polygons = tuple(_polygons(shapes[shape[1]], (x, y)))
            found.append(SceneMesh(int(layers[1]), int(of_door) if of_door else None, polygons))
    return found, linked


def _in_quotes(key: str, heading: str) -> str:
    return re.findall(rf'\b{key}="([^"]*)"', heading)[0]


def _polygons(shape: str, place: tuple[float, float]) -> Iterator[shapely.Polygon]:
    vertices, polygons, _ = shape.split("\n", 2)
    numbers = [float(each) for each in _POINTS.findall(vertices)[0].split(",") if each.strip()]
    points = [(x + place[0], y + place[1]) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    for ring in _RINGS.findall(polygons.partition("(")[2]):
        yield shapely.Polygon([points[int(index)] for index in ring.split(",")])


def faults(level: Level, meshes: Iterable[SceneMesh], linked: set[int], size: int, radius: int) -> list[str]:
    """What is wrong with the meshes of a level whose tiles are `size` px, for bodies of a radius in px."""
    return [*_Audit(level, meshes, linked, size, radius).faults()]


class _Audit:
    def __init__(
        self, level: Level, meshes: Iterable[SceneMesh], linked: set[int], size: int, radius: int
    ) -> None:
        self._level, self._meshes, self._linked = level, [*meshes], linked
        self._size, self._radius = size, radius
        self._shut = linked | {mesh.door for mesh in self._meshes if mesh.door is not None}

    def faults(self) -> Iterator[str]:
        everything = [polygon for mesh in self._meshes for polygon in mesh.polygons]
        bad = [each for each in everything if not each.is_valid or not each.equals(each.convex_hull)]
        if bad:
            yield from (f"not a convex polygon: {polygon.wkt}" for polygon in bad)
            return
        if not np.isclose(shapely.union_all(everything).area, sum(polygon.area for polygon in everything)):
            yield "polygons overlap"
        kinds = self._level.kinds
        shut = kinds.secret_doors | kinds.doors_that_start_shut
        for door in self._level.doors:
            asks = door.kind in shut or door.needs or door.one_way or door.opens_from is not None
            if asks and door.id not in self._shut:
                yield f"door {door.id} starts open"
        walk, fly = self._eroded("walk", self._shut), self._eroded("fly", self._shut)
        yield from _difference("walkers", self._of(WALKERS, None), walk)
        yield from _difference("flyers", self._of(FLYERS, None), shapely.union_all([walk, fly]))
        for name, layers, way in (("walkers", WALKERS, "walk"), ("flyers", FLYERS, "fly")):
            opened = [polygon for mesh in self._meshes if mesh.layers & layers for polygon in mesh.polygons]
            wanted = self._eroded(way, self._linked)
            if way == "fly":
                wanted = shapely.union_all([wanted, self._eroded("walk", self._linked)])
            yield from _difference(f"{name} with all doors open", opened, wanted)
        yield from self._joints(walk)
        for door in sorted(self._shut - self._linked):
            yield from self._opened(self._level.doors[door])

    def _of(self, layers: int, door: int | None) -> list[shapely.Polygon]:
        return [
            polygon
            for mesh in self._meshes
            if mesh.layers & layers and mesh.door == door
            for polygon in mesh.polygons
        ]

    def _eroded(self, way: str, shut: Iterable[int]) -> shapely.Geometry:
        tiles = [tile for door in shut for tile in self._level.doors[door].tiles]
        free: Mask = self._level.passable(way) & ~mask_of(self._level, tiles)
        ys, xs = np.nonzero(free)
        boxes = shapely.box(*(self._size * side for side in (xs, ys, xs + 1, ys + 1)))
        return shapely.buffer(shapely.coverage_union_all(boxes), -self._radius, join_style="mitre")

    def _joints(self, walk: shapely.Geometry) -> Iterator[str]:
        """Polygons that Godot joins, over whole edges, are the parts in which a body can walk."""
        polygons = self._of(WALKERS, None)
        group = [*range(len(polygons))]

        def first(number: int) -> int:
            while group[number] != number:
                number = group[number]
            return number

        for numbers in _by_edge(polygons).values():
            for a, b in pairwise(numbers):
                group[first(a)] = first(b)
        parts = shapely.get_parts(walk)
        points = [polygon.representative_point() for polygon in polygons]
        number, part = shapely.STRtree(parts).query(points, predicate="intersects")
        pairs = {(first(one), other) for one, other in zip(number.tolist(), part.tolist(), strict=True)}
        if not len(pairs) == len({one for one, _ in pairs}) == len(parts):
            yield f"{len(parts)} parts of the level are {len({one for one, _ in pairs})} meshes"

    def _opened(self, door: Door) -> Iterator[str]:
        """The mesh of a shut door joins what is before it and what is behind it."""
        own = self._of(WALKERS, door.id)
        others = [
            polygon
            for mesh in self._meshes
            if mesh.layers & WALKERS and mesh.door != door.id
            for polygon in mesh.polygons
        ]
        edges = _by_edge(others)
        touched = [others[number] for edge in _by_edge(own) for number in edges.get(edge, ())]
        axis = 1 if door.side in ("north", "south") else 0
        middle = self._size * np.mean([tile[axis] + 0.5 for tile in door.tiles])
        sides = {bool(polygon.centroid.coords[0][axis] > middle) for polygon in touched}
        if len(sides) < 2:
            yield f"opening door {door.id} joins nothing"


def _by_edge(polygons: Iterable[shapely.Polygon]) -> dict[frozenset[tuple[float, ...]], list[int]]:
    found = defaultdict(list)
    for number, polygon in enumerate(polygons):
        for edge in pairwise(polygon.exterior.coords):
            found[frozenset(edge)].append(number)
    return found


def _difference(name: str, polygons: list[shapely.Polygon], wanted: shapely.Geometry) -> Iterator[str]:
    union = shapely.union_all(polygons)
    for what, area in (("off their ground", union - wanted), ("of their ground left out", wanted - union)):
        if area.area > 1e-6:
            yield f"{name}: {area.area:g} px² {what}"
