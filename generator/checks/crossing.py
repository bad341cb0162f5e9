"""A second proof that rooms and hallways can be crossed: with polygons, where the generator counts tiles.

A place is a room or a hallway. Its ground are the polygons of the tiles where one can walk. shapely takes the
body's radius off them, with mitred corners, which is exact for a square body. What is left are the parts in
which the middle of the body can be:

    ####DD####        A quarter of a tile less than the radius is taken off, so that a gap as wide as the body
    #   ..   #        stays an area and is no line. That changes nothing else: all gaps are whole tiles, so a
    #   ...  D        body that is half a tile narrower gets through the same ones. Tiles that meet only at a
    #    ....D        corner stay apart.
    ##########

No level and no export depends on this: `generate` and `export` do not even import shapely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from generator.arrays import Ints, Mask
from generator.checks.base import Problem, body_of, hazards, mask_of, needs_no_way, owners, problem
from generator.geometry import Side
from generator.interiors.interior import STANDS_ON
from generator.level import Door, Level, Marker
from generator.named_tuple import NamedTuple

# The ground of rooms and hallways as polygons of shapely, for `crossing`.
#
# #######        The borders of the tiles, as long lines; shapely makes polygons of them. That is several
# #  #  #        times as fast as the union of as many boxes.
# #     #
# ##   ##
# #######

Geometries = npt.NDArray[np.object_]


class PlaceGround(NamedTuple):
    """Polygons without common borders, and the place of each."""

    polygons: Geometries
    place: Ints


class LevelPlaces:
    """The places of a level: first its rooms, then its hallways.

    A place also has the tiles straight behind its doors, as far as the spec's `body` is long.
    `around` has the two places of each door; -1 for none.
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self._rooms = len(level.rooms)
        halls = {door: self._rooms + hallway.id for hallway in level.hallways for door in hallway.doors}
        self.around = [
            (door.rooms[0], halls.get(door.id, -1) if door.rooms[1] is None else door.rooms[1])
            for door in level.doors
        ]
        self._place, self._tile = self._tiles()

    def _tiles(self) -> tuple[Ints, Ints]:
        """Return all tiles of the places, as places and tile numbers. Some stand there twice."""
        owner = owners(self.level).ravel()
        inside = np.flatnonzero(owner >= 0)
        parts = [(owner[inside].astype(np.int64), inside)]
        for hallway in self.level.hallways:
            xs, ys = np.array(hallway.tiles, np.int64).reshape(-1, 2).T
            parts.append((np.full_like(xs, self._rooms + hallway.id), ys * self.level.width + xs))
        for door, around in zip(self.level.doors, self.around, strict=True):
            left, top, right, bottom = strip(door, self.level.spec.body)
            xs = np.arange(max(left, 0), min(right, self.level.width))
            ys = np.arange(max(top, 0), min(bottom, self.level.height))
            tiles = (ys[:, np.newaxis] * self.level.width + xs).ravel()
            parts += [(np.full_like(tiles, place), tiles) for place in around if place >= 0]
        place, tile = zip(*parts, strict=True)
        return np.concatenate(place), np.concatenate(tile)

    def look_only_at(self, places: set[int]) -> None:
        """Leave out the tiles of all other places, except those that share a door with one of them."""
        near = {place for pair in self.around if not places.isdisjoint(pair) for place in pair} | places
        kept = np.isin(self._place, list(near))
        self._place, self._tile = self._place[kept], self._tile[kept]

    def name(self, place: int) -> str:
        """Return the name of a place for problems."""
        return f"room {place}" if place < self._rooms else f"hallway {place - self._rooms}"

    def of(self, marker: Marker) -> int:
        """Return the place of a marker, or -1 for none."""
        if marker.room is not None:
            return marker.room
        return -1 if marker.hallway is None else self._rooms + marker.hallway

    def ground(self, free: Mask) -> PlaceGround:
        """Compute the ground of all places, where tiles [y, x] are free."""
        return polygons_of(self._place, self._tile, free)

    def less_ground(self, ground: PlaceGround, free: Mask, without: Mask) -> PlaceGround:
        """Compute the ground without some tiles. It is the same ground if none of them are on it."""
        removed = (free & without).ravel()[self._tile]
        if not removed.any():
            return ground
        changed = np.isin(self._place, self._place[removed])
        kept = ~np.isin(ground.place, self._place[removed])
        again = polygons_of(self._place[changed], self._tile[changed], free & ~without)
        return PlaceGround(
            *(np.concatenate([old[kept], new]) for old, new in zip(ground, again, strict=True))
        )


def strip(door: Door, length: int) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of a door with the tiles straight before and behind it.

    Empty if the door's tiles are no rectangle.
    """
    xs, ys = zip(*(door.tiles or ((0, 0),)), strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs) + 1, max(ys) + 1
    if (right - left) * (bottom - top) != len(door.tiles):
        return 0, 0, 0, 0
    dx, dy = (0, length) if Side.named(door.side).is_vertical_way else (length, 0)
    return left - dx, top - dy, right + dx, bottom + dy


def polygons_of(place: Ints, tile: Ints, free: Mask) -> PlaceGround:
    """Compute the polygons of each place's free tiles. Tiles that meet only at a corner are in two."""
    import shapely

    height, width = free.shape
    is_free = free.ravel()[tile]
    place, tile = np.divmod(np.unique(place[is_free] * free.size + tile[is_free]), free.size)
    y, x = np.divmod(tile, width)
    rows = [*_borders(place, y, x, free.shape)]
    columns = [*_borders(place, x, y, (width, height))]
    places = np.concatenate([line[0] for line in (*rows, *columns)])
    ends = np.concatenate(
        [np.stack([start, line, end, line], 1) for _, line, start, end in rows]
        + [np.stack([line, start, line, end], 1) for _, line, start, end in columns]
    )
    order = np.argsort(places, kind="stable")
    lines: Geometries = np.asarray(shapely.linestrings(ends[order].reshape(-1, 2, 2).astype(float)))
    bounds = np.append(np.flatnonzero(np.diff(places[order], prepend=-1)), len(lines)).tolist()
    faces: Geometries = np.array([shapely.polygonize(lines[start:end]) for start, end in pairwise(bounds)])
    polygons, group = shapely.get_parts(faces, return_index=True)
    owner = places[order][bounds[:-1]][group]
    # The holes are faces too.
    point_x, point_y = shapely.get_coordinates(shapely.point_on_surface(polygons)).astype(np.int64).T
    solid = np.isin(owner * free.size + point_y * width + point_x, place * free.size + tile)
    return PlaceGround(polygons[solid], owner[solid])


def _borders(
    place: Ints, line: Ints, at: Ints, shape: tuple[int, ...]
) -> Iterator[tuple[Ints, Ints, Ints, Ints]]:
    """Yield the borders of places along lines of tiles, before them and then behind them.

    Each as its place, the line, and where it starts and ends.
    """
    lines, stride = shape[0] + 1, shape[1] + 1  # one more than there are: nothing reaches into the next
    key = np.sort((place * lines + line) * stride + at)
    for step in (0, 1):
        beyond = key + (2 * step - 1) * stride
        at_border = key[np.searchsorted(key, beyond) % max(len(key), 1)] != beyond if len(key) else key > 0
        border = key[at_border]
        starts = np.diff(border, prepend=-2) != 1
        ends = np.diff(border, append=-2) != 1
        row, start = np.divmod(border[starts], stride)
        yield row // lines, row % lines + step, start, border[ends] % stride + 1


BoxEdges = npt.NDArray[np.float64]  # [box, 4]: left, top, right, bottom

_SPARE = 0.25  # tiles
_START = "player_start"


def rooms_can_be_crossed(level: Level) -> Iterator[Problem]:
    """Check that one can walk from every door of a room or hallway to all others and to every marker.

    So can a square body of the spec's `body` tiles, without touching a hazard between doors. It must cover
    the tile of a marker or one beside it; that of the player's start and of a boss itself. All doors are
    open; but the large body uses secret doors only to get to secret rooms. Markers that need not be
    reachable do not count: lights, a flying boss.
    """
    places, walk = LevelPlaces(level), level.passable("walk")
    ground = places.ground(walk)
    for side in sorted({1, level.spec.body}):
        body = body_of(side)
        parts = _Parts(places, ground, side)
        shut = parts.shut_doors() if side == 1 else _shut_to_large(places, ground, walk)
        for door, message in shut:
            yield problem(rooms_can_be_crossed, f"door {door.id}", f"{body} cannot walk {message}")
        yield from _missed(parts, level.markers, body)


def new_markers_can_be_reached(level: Level, since: Level) -> Iterator[Problem]:
    """Find what `rooms_can_be_crossed` finds in a level, but not in one that differs only in its markers.

    Only the places of markers that differ are looked at, with those beside them: a door belongs to two.
    """
    new, places = new_markers(level, since), LevelPlaces(level)
    if not are_judged_by_place(new, level, since):
        yield from rooms_can_be_crossed(level)
    elif new:
        places.look_only_at({places.of(marker) for marker in new})
        ground = places.ground(level.passable("walk"))
        for side in sorted({1, level.spec.body}):
            yield from _missed(_Parts(places, ground, side), new, body_of(side))


def new_markers(level: Level, since: Level) -> list[Marker]:
    """Return the markers that are new or changed since another state of the level."""
    before = {marker.id: marker for marker in since.markers}
    return [marker for marker in level.markers if before.get(marker.id) != marker]


def are_judged_by_place(new: Sequence[Marker], level: Level, since: Level) -> bool:
    """Check whether the room or hallway of each new marker says how one gets there from the start."""
    starts, former = ([each for each in side.markers if each.kind == _START] for side in (level, since))
    in_places = all(marker.room is not None or marker.hallway is not None for marker in new)
    return starts == former and bool(level.doors) and in_places


def _missed(parts: _Parts, markers: Sequence[Marker], body: str) -> Iterator[Problem]:
    for marker in parts.missed(markers):
        home = "hallway" if marker.room is None else "room"
        message = f"cannot walk to the {marker.kind} at {marker.x},{marker.y} from the doors of its {home}"
        yield problem(rooms_can_be_crossed, f"marker {marker.id}", f"{body} {message}")


def _shut_to_large(places: LevelPlaces, ground: PlaceGround, walk: Mask) -> Iterator[tuple[Door, str]]:
    """Yield `shut_doors` for a body that touches no hazard, and no secret door on its way to others."""
    level = places.level
    hurts, secret = hazards(level), level.kinds.secret_doors
    hidden = mask_of(level, [tile for door in level.doors if door.kind in secret for tile in door.tiles])
    for without, is_secret in ((hurts | hidden, False), (hurts, True)):
        if is_secret and not hidden.any():
            return
        parts = _Parts(places, places.less_ground(ground, walk, without), level.spec.body, from_start=True)
        yield from (shut for shut in parts.shut_doors() if (shut[0].kind in secret) is is_secret)


class _Crossing(NamedTuple):
    """A way through a door, and the parts of the door's two places that it belongs to, or -1 for none."""

    door: int
    parts: tuple[int, int]


class _Parts:
    """The parts of each place in which the middle of a body can be.

    The main part of a place is the one with the most doors, or else the largest. `from_start`: in the first
    room, it is the one that the player starts in; so it is in a level without doors.
    """

    def __init__(
        self, places: LevelPlaces, ground: PlaceGround, side: int, *, from_start: bool = False
    ) -> None:
        import shapely  # slow to load, and only checks need it

        self._places, self._level, self._side = places, places.level, side
        self._radius = side / 2 - _SPARE
        eroded = shapely.buffer(ground.polygons, -self._radius, join_style="mitre")
        self._parts, polygon = shapely.get_parts(eroded, return_index=True)
        self._place = ground.place[polygon]
        self._ways: dict[int, list[_Crossing]] = {}
        for crossing in self._through_doors():
            self._ways.setdefault(crossing.door, []).append(crossing)
        self._main = self._main_parts(from_start)

    def _through_doors(self) -> Iterator[_Crossing]:
        """Yield ways from a body's length before a door to as far behind it, with the parts on both sides."""
        import shapely

        if not self._level.doors:
            return
        around = np.array(self._places.around)
        boxes = np.array([strip(door, self._side) for door in self._level.doors], float)
        boxes = _widened(boxes, -self._radius)
        tree = shapely.STRtree(self._parts)
        door, part = tree.query(_areas(boxes), predicate="intersects")
        is_near = self._place[part] == around[door, 0]
        pieces = shapely.intersection(self._parts[part[is_near]], _areas(boxes[door[is_near]]))
        pieces, origin = shapely.get_parts(pieces, return_index=True)
        door, part = door[is_near][origin], part[is_near][origin]
        low, high = _ends(boxes[door], [_axis(self._level.doors[door_id]) for door_id in door.tolist()])
        is_way = shapely.intersects(pieces, low) & shapely.intersects(pieces, high)
        door, part = door[is_way], part[is_way]
        behind = np.full(len(door), -1)
        piece, reached = tree.query(shapely.point_on_surface(pieces[is_way]), predicate="intersects")
        is_beyond = self._place[reached] == around[door[piece], 1]
        behind[piece[is_beyond]] = reached[is_beyond]
        for number, parts in zip(
            door.tolist(), zip(part.tolist(), behind.tolist(), strict=True), strict=True
        ):
            yield _Crossing(number, parts)

    def _main_parts(self, from_start: bool) -> dict[int, int]:
        """Return, by place, the number of its main part."""
        import shapely

        ends = {
            (crossing.door, part)
            for crossings in self._ways.values()
            for crossing in crossings
            for part in crossing.parts
        }
        doors = Counter(part for _, part in ends)
        counts = from_start or not self._level.doors
        starts = [marker for marker in self._level.markers if counts and marker.kind == _START]
        begun = {
            part
            for start, stands in zip(starts, self._around(starts), strict=True)
            for part in np.flatnonzero(self._place == self._places.of(start)).tolist()
            if shapely.intersects(self._parts[part], shapely.box(*stands))
        }
        ranks = [
            (part in begun, doors[part], size) for part, size in enumerate(shapely.area(self._parts).tolist())
        ]
        places = self._place.tolist()
        return {places[part]: part for part in sorted(range(len(ranks)), key=ranks.__getitem__)}

    def _around(self, markers: Sequence[Marker]) -> BoxEdges:
        """Return where the middle of a body can be that covers the tile of a marker."""
        tiles = np.array([(marker.x, marker.y) for marker in markers], float).reshape(-1, 2)
        return _widened(np.tile(tiles + 0.5, 2), (self._side - 1) / 2 + _SPARE / 2)

    def shut_doors(self) -> Iterator[tuple[Door, str]]:
        """Yield doors that do not join the main parts of their places, and what the body cannot do there."""
        for door, around in zip(self._level.doors, self._places.around, strict=True):
            joined_sides = [
                [
                    place < 0 or part == self._main.get(place)
                    for place, part in zip(around, crossing.parts, strict=True)
                ]
                for crossing in self._ways.get(door.id, ())
            ]
            if any(map(all, joined_sides)):
                continue
            apart = [
                place
                for place, joins in zip(around, zip(*joined_sides, strict=True), strict=False)
                if not any(joins)
            ]
            for place in apart:
                yield door, f"from it to the rest of {self._places.name(place)}"
            if not apart:
                yield door, "through it"

    def missed(self, markers: Sequence[Marker]) -> Iterator[Marker]:
        """Yield those markers that the body does not reach in the main part of their place."""
        import shapely

        markers = [candidate for candidate in markers if not needs_no_way(self._level, candidate)]
        mains: Geometries = np.empty(len(markers), object)
        for number, marker in enumerate(markers):
            part = self._main.get(self._places.of(marker))
            mains[number] = None if part is None else self._parts[part]
        shapely.prepare(mains)
        middles = self._around(markers)
        reached = shapely.intersects(mains, _areas(middles))
        if self._side > 1:
            touches = np.array([marker.kind not in STANDS_ON for marker in markers], bool)
            for by in ((-1, 0, 1, 0), (0, -1, 0, 1)):
                reached |= touches & shapely.intersects(mains, _areas(middles + np.array(by)))
        return (
            marker for marker, is_reached in zip(markers, reached.tolist(), strict=True) if not is_reached
        )


def _axis(door: Door) -> int:
    """Return the axis along which one walks through a door: 0 for x, 1 for y."""
    return int(Side.named(door.side).is_vertical_way)


def _ends(boxes: BoxEdges, axes: list[int]) -> tuple[Geometries, Geometries]:
    """Return the first and last piece of each box along an axis, half as deep as a body can move there."""
    rows, axis = np.arange(len(boxes)), np.array(axes, int)
    low, high = boxes.copy(), boxes.copy()
    low[rows, axis + 2] = boxes[rows, axis] + _SPARE
    high[rows, axis] = boxes[rows, axis + 2] - _SPARE
    return _areas(low), _areas(high)


def _areas(boxes: BoxEdges) -> Geometries:
    import shapely

    return np.asarray(shapely.box(*boxes.T))


def _widened(boxes: BoxEdges, by: float) -> BoxEdges:
    wider: BoxEdges = boxes + np.array([-by, -by, by, by])
    return wider
