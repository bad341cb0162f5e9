"""Layouts for large bodies and wide doors.

Obstacles to a large body are left out, and layouts that it cannot pass are not used.

If no layout of a pool could be used, walls and pits are removed too.

Layouts are drawn for a body of one tile. A larger, square one gets through a layout if walls and pits leave
enough space; as few things as possible are left out:

    ....o....        ....o....
    .o.o.o.o.   ->   .o....o..      a body of 2, from left to right
    ....o....        ....o....

A place is the tile of the body's top left corner.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from heapq import heappop, heappush

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from generator.arrays import Mask
from generator.errors import LayoutError
from generator.geometry import Point
from generator.interiors.interior import (
    STANDS_ON,
    Interior,
    PlacedMarker,
    doorsteps,
    inside_tiles,
    joined,
    reached,
    too_near,
)
from generator.interiors.layout_rules import reached_on_foot
from generator.interiors.layouts import Layout
from generator.kinds import PIT
from generator.level import spread_decor
from generator.named_tuple import NamedTuple
from generator.shapes import Slot

_THING = 1000  # the cost of a tile with a thing; a step costs 1
_SOLID = 1_000_000  # the cost of a tile of wall or pit that is removed


class Passage(NamedTuple):
    """What has to get through a room: the side of a body, and the width of the doors, in tiles."""

    body: int = 1
    door_width: int = 1


ONE_TILE = Passage()


@lru_cache(maxsize=4096)
def with_passage(layout: Layout, passage: Passage) -> Layout | None:
    """Remove from the layout what blocks the body. Returns None if walls or pits block it.

    The body can walk from each of the layout's doors to all others without touching a hazard, whichever of
    them a room has, and to every marker, to cover it or a tile beside it. The same holds for its mirror
    images.
    """
    return layout if passage.body == 1 else _joined_up(_PassageRoom(layout, passage))


@lru_cache(maxsize=4096)
def with_way_cut(layout: Layout, passage: Passage) -> Layout:
    """Apply `with_passage`, but turn walls and pits, as few as possible, into floor and bridges too."""
    cut = _joined_up(_PassageRoom(layout, passage, cuts=True))
    assert cut is not None, layout.path  # no room is narrower than the largest body
    return cut


def _joined_up(room: _PassageRoom) -> Layout | None:
    """Return the layout once all obstacles are removed, or None if that does not help."""
    layout = room.layout
    home, *goals = (room.places_in_door(layout.shape.slots[name]) for name in layout.doors)
    interior = layout.fullest.interior()
    walk = layout.kinds.terrain_where("walk") & ~layout.kinds.terrain_where("hazard")
    markers = [
        candidate for candidate in interior.markers if walk[interior.terrain[candidate.y, candidate.x]]
    ]
    if all(room.join(home, goal, safely=True) for goal in goals) and all(
        room.join(home, room.places_at(marker), safely=False) for marker in markers
    ):
        return replace(layout, rows=room.rows()) if room.changed else layout
    return None


def covered_from(doors: Iterable[Point], free: Mask, body: int) -> set[Point]:
    """Return the tiles of `free` [y, x] that a body can cover on paths from the doors' tiles."""
    places = _places(free, body)
    height, width = places.shape
    seen: set[Point] = set()
    for x, y in doors:
        for top in range(max(0, y - body + 1), min(y + 1, height)):
            for left in range(max(0, x - body + 1), min(x + 1, width)):
                if places[top, left] and (left, top) not in seen:
                    seen |= reached((left, top), places)
    return {(x + dx, y + dy) for x, y in seen for dx in range(body) for dy in range(body)}


def _places(free: Mask, body: int) -> Mask:
    """Return where the body's top left tile can be so that all of it is free [y, x], smaller than `free`."""
    return np.asarray(sliding_window_view(free, (body, body)).all(axis=(2, 3)))


class _PassageRoom:
    """A layout with open doors in a rim as wide as the body, while things are removed from it.

    Only the middle of a door counts, so that the paths of two rooms meet. With `cuts`, walls and pits inside
    the room's shape can be removed too.
    """

    def __init__(self, layout: Layout, passage: Passage, *, cuts: bool = False) -> None:
        self.layout = layout
        self._body = body = passage.body
        self._door_width = passage.door_width
        interior = layout.fullest.interior()
        kinds = self._kinds = layout.kinds
        walk = (kinds.terrain_where("walk") & ~kinds.terrain_where("hazard"))[interior.terrain]
        self._blocks = ~kinds.decor_where("walk")
        self._blocks_or_hurts = self._blocks | kinds.decor_where("hazard")
        self._widest = max(max(kind.width, kind.height) for kind in kinds.decor)
        self._floor = np.pad(walk, body)
        self._decor = np.pad(interior.decor, body)
        inside = inside_tiles(layout.shape.cells, layout.pitch)
        self._solid = np.pad(inside & ~walk & cuts, body)  # what can be cut
        self.changed: dict[Point, str] = {}  # the glyphs of tiles that are not as drawn
        self._costs: dict[bool, dict[Point, int]] = {}  # of places, until something is removed
        self._near: dict[bool, set[Point]] = {}  # the places that the body reaches freely
        for name in layout.doors:
            for x, y in self._door_tiles(layout.shape.slots[name]):
                self._floor[y, x] = True

    def _door_tiles(self, slot: Slot) -> list[Point]:
        """Return the middle of a door, as deep as the body is long."""
        aside = (self._door_width - self._body) // 2
        steps = doorsteps(self.layout.pitch, [slot], self._door_width)[aside : self._door_width - aside]
        side, body = slot[1], self._body
        return [
            (x + body + side.dx * i, y + body + side.dy * i) for x, y in steps for i in range(1, body + 1)
        ]

    def places_in_door(self, slot: Slot) -> set[Point]:
        """Return the places where the body is wholly within a door."""
        tiles = self._door_tiles(slot)
        reach = range(self._body)
        return {(x, y) for x, y in tiles if all((x + dx, y + dy) in tiles for dx in reach for dy in reach)}

    def places_at(self, marker: PlacedMarker) -> set[Point]:
        """Return the places where the body covers a marker or, if that is enough, a tile beside it."""
        x, y = marker.x + self._body, marker.y + self._body
        tiles = [(x, y)]
        if marker.kind not in STANDS_ON:
            tiles += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        reach = range(self._body)
        return {(x - dx, y - dy) for x, y in tiles for dx in reach for dy in reach}

    def join(self, home: set[Point], goal: set[Point], *, safely: bool) -> bool:
        """Remove the things between two sets of places. Returns False if nothing helps.

        A place costs one step, and much more for each tile of its square with a thing on it. `safely`:
        hazards count as such things. `home` must always be the same.
        """
        if safely not in self._costs:
            self._costs[safely] = self._costs_now(safely)
            self._near[safely] = joined(home, {at for at, cost in self._costs[safely].items() if cost == 1})
        if not self._near[safely].isdisjoint(goal):
            return True
        path = _cheapest_path(home, goal, self._costs[safely])
        for position in path:
            self._clear(position, safely)
        self._costs.clear()
        return bool(path)

    def _costs_now(self, safely: bool) -> dict[Point, int]:
        """Return the cost of each place that no wall or pit rules out."""
        room = _places(self._floor | self._solid, self._body)
        blocks = self._blocks_or_hurts if safely else self._blocks
        obstacles = blocks[spread_decor(self._decor, self._kinds.decor)]
        tiles = obstacles * _THING + self._solid * _SOLID
        costs = 1 + sliding_window_view(tiles, (self._body, self._body)).sum((2, 3))
        return {(x, y): int(costs[y, x]) for y, x in np.argwhere(room).tolist()}

    def _clear(self, position: Point, safely: bool) -> None:
        """Remove the things under the body, and the walls and pits."""
        self._cut(position)
        blocks = self._blocks_or_hurts if safely else self._blocks
        x, y = position
        back = self._widest - 1
        area = np.s_[max(0, y - back) : y + self._body, max(0, x - back) : x + self._body]
        for dy, dx in np.argwhere(blocks[self._decor[area]]).tolist():
            top, left = area[0].start + dy, area[1].start + dx
            kind = self._kinds.decor[self._decor[top, left]]
            if top + kind.height > y and left + kind.width > x:
                self._decor[top, left] = 0
                self.changed |= {
                    (left + i - self._body, top + j - self._body): "."
                    for i in range(kind.width)
                    for j in range(kind.height)
                }

    def _cut(self, position: Point) -> None:
        """Turn walls under the body to floor, and lay bridges over pits."""
        x, y = position
        area = np.s_[y : y + self._body, x : x + self._body]
        for dy, dx in np.argwhere(self._solid[area]).tolist():
            tile = x + dx - self._body, y + dy - self._body
            pit = self.layout.fullest.interior().terrain[tile[1], tile[0]] == PIT
            self.changed[tile] = "=" if pit else "."
        self._floor[area] |= self._solid[area]
        self._solid[area] = False

    def rows(self) -> tuple[str, ...]:
        """Return the map with its changes."""
        return tuple(
            "".join(self.changed.get((x, y), glyph) for x, glyph in enumerate(row))
            for y, row in enumerate(self.layout.rows)
        )


def _cheapest_path(home: set[Point], goal: set[Point], costs: dict[Point, int]) -> list[Point]:
    """Find the cheapest path from one set of places to another, by Dijkstra's algorithm. [] if none."""
    before: dict[Point, Point | None] = {}
    queue: list[tuple[int, Point, Point | None]] = [(0, position, None) for position in sorted(home)]
    while queue:
        cost, position, last = heappop(queue)
        if position in before:
            continue
        before[position] = last
        if position in goal:
            path = [position]
            while (last := before[path[-1]]) is not None:
                path.append(last)
            return path
        x, y = position
        for following in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if following in costs and following not in before:
                heappush(queue, (cost + costs[following], following, position))
    return []


# --- doors wider than a layout is drawn for: markers too near to one are moved aside -----------------


@lru_cache(maxsize=4096)
def interior_behind(layout: Layout, mirror: str, passage: Passage, doors: frozenset[Slot]) -> Interior:
    """Return the inside of a room with doors in some slots, which may be wider than a tile.

    Layouts are drawn, and checked, for doors of one tile. Near a wider one a marker moves to the nearest free
    tile that is far enough from all doors and can be reached safely, by a large body too:

        ####+####          ##+++++##
        .........          .........
        .E.......    ->    E........     two steps from the tile in front of the door's left end

    An enemy without such a tile is left out. Raises LayoutError if it is the boss.
    """
    interior, door_width = layout.interior(mirror), passage.door_width
    steps = doorsteps(layout.pitch, doors, door_width)
    if not any(too_near(marker.kind, (marker.x, marker.y), steps) for marker in interior.markers):
        return interior
    start = doorsteps(layout.pitch, layout.slots(mirror))[0]  # any will do: all doors are connected
    safe = reached_on_foot(interior, start, safely=True)
    if passage.body > 1:
        safe &= covered_by_body(interior, layout, doors, passage)
    taken = {(marker.x, marker.y) for marker in interior.markers}
    markers = []
    for marker in interior.markers:
        position = x, y = marker.x, marker.y
        if too_near(marker.kind, position, steps):
            free = [tile for tile in safe - taken if not too_near(marker.kind, tile, steps)]
            if not free and marker.kind == "enemy":
                continue
            if not free:
                raise LayoutError(
                    f"{layout.path}: has no place for its {marker.kind} away from doors that are "
                    f"{door_width} tiles wide; draw more free floor, or make door_width smaller"
                )
            position = min(free, key=lambda tile: (abs(tile[0] - x) + abs(tile[1] - y), tile[1], tile[0]))
            taken.add(position)
        markers.append(marker._replace(x=position[0], y=position[1]))
    return interior._replace(markers=tuple(markers))


def covered_by_body(
    interior: Interior, layout: Layout, doors: frozenset[Slot], passage: Passage
) -> set[Point]:
    """Return the tiles that a body can cover on paths from the doors."""
    free = np.pad(interior.safe(), 1)
    openings = [
        (x + 1 + slot[1].dx, y + 1 + slot[1].dy)
        for slot in doors
        for x, y in doorsteps(layout.pitch, [slot], passage.door_width)
    ]
    for x, y in openings:
        free[y, x] = True
    return {(x - 1, y - 1) for x, y in covered_from(openings, free, passage.body)}
