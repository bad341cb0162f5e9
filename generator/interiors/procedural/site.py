"""What a room that is furnished by procedure starts from, and what comes out."""

from __future__ import annotations

from typing import NamedTuple

from generator.floorplans.gungeon.plan import HeapPlan
from generator.geometry import Point, Side
from generator.interiors.interior import PlacedMarker
from generator.level import Tiles


class Opening(NamedTuple):
    """A door in the room's outer wall: the side that it leads out over, and its tiles.

    The tiles run left to right or top to bottom on the outermost ring of the site, never in a corner.
    """

    side: Side
    tiles: tuple[Point, ...]


class Site(NamedTuple):
    """An empty room: its size in tiles, walls included, and its openings (only those in use).

    `distance` counts the rooms walked from the start, `danger` is that as percent of the way to the
    furthest room of the level: 0 at the start, 100 there.
    """

    kind: str
    width: int
    height: int
    openings: tuple[Opening, ...]
    distance: int
    danger: int


class Inside(NamedTuple):
    """A furnished site: arrays [height, width] and markers, both in tiles of the site, walls included.

    Terrain is void outside the room's own shape; every opening's tiles are `door`. `layout` names what
    furnished it, `difficulty` is 0 where nobody fights.
    """

    layout: str
    difficulty: int
    terrain: Tiles
    decor: Tiles
    markers: tuple[PlacedMarker, ...]


def sites_of(plan: HeapPlan) -> list[Site]:
    """The rooms of a floorplan, in their order, as their furnishing sees them."""
    openings: list[list[Opening]] = [[] for _ in plan.rooms]
    for hallway in plan.hallways:
        for end in hallway.ends:
            bounds = plan.rooms[end.room].bounds
            tiles = tuple((x - bounds.x, y - bounds.y) for x, y in end.tiles)
            openings[end.room].append(Opening(end.side, tiles))
    furthest = max(room.distance for room in plan.rooms) or 1
    return [
        Site(
            kind=room.kind,
            width=room.bounds.width,
            height=room.bounds.height,
            openings=tuple(ways),
            distance=room.distance,
            danger=100 * room.distance // furthest,
        )
        for room, ways in zip(plan.rooms, openings, strict=True)
    ]
