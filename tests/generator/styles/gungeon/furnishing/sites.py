"""Sites to furnish, and the rules that every furnished room keeps."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from generator.geometry import Point, Side
from generator.interiors.interior import FurnishedRoom, reached
from generator.kinds import DECOR_KINDS, DOOR, FLOOR, RUBBLE, WALL
from generator.level import passable, spread_decor
from generator.rng import Stream
from generator.styles.gungeon.furnishing.site import Opening, Site


def site_of(
    kind: str, width: int, height: int, ways: int, door_width: int, seed: int, danger: int = 50
) -> Site:
    """A site with up to `ways` openings anywhere on its sides, several on one too, a tile or more apart."""
    stream = Stream(seed, "test.site", width, height, ways, door_width)
    openings: list[Opening] = []
    taken: set[tuple[Side, int]] = set()
    for _ in range(8 * ways):
        side = stream.pick(list(Side))
        length = width if side.is_vertical_way else height
        first = stream.between(1, length - 1 - door_width)
        around = {(side, place) for place in range(first - 1, first + door_width + 1)}
        if len(openings) < ways and not around & taken:
            taken |= around
            openings.append(opening(side, first, width, height, door_width))
    return Site(kind, width, height, tuple(openings), 3, danger)


def opening(side: Side, first: int, width: int, height: int, door_width: int) -> Opening:
    """An opening over a side of a room, from its `first` tile on."""
    line = {Side.NORTH: 0, Side.WEST: 0, Side.SOUTH: height - 1, Side.EAST: width - 1}[side]
    places = range(first, first + door_width)
    return Opening(side, tuple((at, line) if side.is_vertical_way else (line, at) for at in places))


def middle_openings(width: int, height: int, door_width: int) -> tuple[Opening, ...]:
    """An opening in the middle of each side."""
    return tuple(
        opening(
            side, ((width if side.is_vertical_way else height) - door_width) // 2, width, height, door_width
        )
        for side in Side
    )


def doorsteps(site: Site) -> set[Point]:
    """The two tiles inside every tile of an opening."""
    return {
        (x - step * way.side.dx, y - step * way.side.dy)
        for way in site.openings
        for x, y in way.tiles
        for step in (1, 2)
    }


def covered(inside: FurnishedRoom) -> npt.NDArray[np.uint8]:
    """Decor on every tile that it covers."""
    return spread_decor(inside.decor, DECOR_KINDS)


def walkable(inside: FurnishedRoom) -> npt.NDArray[np.bool_]:
    """[y, x]: where one walks without being hurt."""
    hazards = np.array([kind.hazard for kind in DECOR_KINDS])[covered(inside)]
    return passable(inside.terrain, covered(inside), "walk") & ~hazards


def check_shell(site: Site, inside: FurnishedRoom) -> None:
    """A ring of wall, in which exactly the openings are doors, and nothing but decor on its face."""
    doors = {tile for way in site.openings for tile in way.tiles}
    for y, x in np.ndindex(site.height, site.width):
        if x in (0, site.width - 1) or y in (0, site.height - 1):
            assert inside.terrain[y, x] == (DOOR if (x, y) in doors else WALL)
            if inside.decor[y, x]:
                assert DECOR_KINDS[inside.decor[y, x]].name == "banner"
                assert y == 0
                assert (x, y) not in doors
    inner = inside.terrain[1:-1, 1:-1]
    assert inner.all()
    assert not (inner == DOOR).any()


def check_ways(site: Site, inside: FurnishedRoom) -> None:
    """All that one can walk on is joined, but for the ground below flyers; doorsteps are clear.

    All but flyers stand where one can walk.
    """
    free = walkable(inside)
    on_foot = reached(site.openings[0].tiles[0], free)
    flyers = [(marker.x, marker.y) for marker in inside.markers if marker.properties.get("flies")]
    plinths = set().union(*(reached((x, y), free) for x, y in flyers if free[y, x]))
    assert len(on_foot | plinths) == np.count_nonzero(free)
    things = covered(inside)
    for x, y in doorsteps(site):
        assert inside.terrain[y, x] in (FLOOR, RUBBLE)
        assert DECOR_KINDS[things[y, x]].is_flat
    for way in site.openings:
        assert on_foot.issuperset(way.tiles)
    for marker in inside.markers:
        assert marker.properties.get("flies") or (marker.x, marker.y) in on_foot


def check_decor(inside: FurnishedRoom) -> None:
    """Things lie on dry floor and not over each other, and no marker stands in one that is in the way."""
    taken = np.zeros(inside.terrain.shape, np.int64)
    for number, kind in enumerate(DECOR_KINDS):
        for y, x in np.argwhere(inside.decor == number).tolist() if number else ():
            taken[y : y + kind.height, x : x + kind.width] += 1
            if kind.name != "banner":
                ground = inside.terrain[y : y + kind.height, x : x + kind.width]
                assert np.isin(ground, (FLOOR, RUBBLE)).all()
    assert taken.max() <= 1
    places = [(marker.x, marker.y) for marker in inside.markers]
    assert len(set(places)) == len(places)
    things = covered(inside)
    assert all(DECOR_KINDS[things[y, x]].is_flat for x, y in places)
