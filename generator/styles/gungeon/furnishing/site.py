"""The empty room that furnishing starts from, and the furnished one that it returns."""

from __future__ import annotations

from typing import NamedTuple

from generator.geometry import Point, Side
from generator.interiors.chapters import chapter_number
from generator.interiors.pools import SHIPPED_KIT
from generator.kinds import Kinds, Kit
from generator.styles.gungeon.furnishing.gungeon_layouts import GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import danger_of
from generator.styles.gungeon.furnishing.room_kinds import GungeonRoomKind, gungeon_kind
from generator.styles.gungeon.plan import HeapPlan


class Opening(NamedTuple):
    """A door in the room's outer wall: the side of the room that it is on, and its tiles.

    The tiles run left to right or top to bottom on the outermost ring of the site, never in a corner.
    """

    side: Side
    tiles: tuple[Point, ...]


class Site(NamedTuple):
    """An empty room: its size in tiles, walls included, and its openings (only those in use).

    `distance` counts the rooms walked from the start; `danger` is this in percent of the furthest room's of
    the level: 0 at the start, 100 there. Without a `layout` the room is furnished by procedure. A room that
    `is_quiet` has no enemies. `stages` are those whose enemies it gets; None: the spec's. The kinds of things
    in it, and their tables, are those of `kit`.
    """

    kind: str
    width: int
    height: int
    openings: tuple[Opening, ...]
    distance: int
    danger: int
    layout: GungeonLayout | None = None
    is_quiet: bool = False
    stages: tuple[int, int] | None = None
    kit: Kit = SHIPPED_KIT

    @property
    def kinds(self) -> Kinds:
        """The kinds of its kit."""
        return self.kit.kinds

    @property
    def row(self) -> GungeonRoomKind:
        """The style's row for its kind."""
        return gungeon_kind(self.kit.kinds, self.kind)


def stages_of(chapter: str, kit: Kit = SHIPPED_KIT) -> tuple[int, int] | None:
    """Return the two stages of a chapter of a kit. None for an empty or unknown name."""
    if chapter not in kit.rules.chapters:
        return None
    last = 2 * chapter_number(chapter, kit)
    return last - 1, last


def sites_of(plan: HeapPlan, kit: Kit = SHIPPED_KIT) -> list[Site]:
    """List the sites of a floorplan's rooms, in their order."""
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
            distance=0 if room.is_hidden else room.distance,
            danger=danger_of(0 if room.is_hidden else 100 * room.distance // furthest, room.difficulty, kit),
            layout=room.layout,
            is_quiet=room.is_quiet,
            stages=stages_of(room.chapter, kit),
            kit=kit,
        )
        for room, ways in zip(plan.rooms, openings, strict=True)
    ]
