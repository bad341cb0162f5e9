"""Keeps equal layouts apart: no two rooms near each other have the same layout."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from generator.geometry import Point, Side
from generator.styles.gungeon.dealing import has_size, pool
from generator.styles.gungeon.furnishing.gungeon_layouts import GungeonLayout
from generator.styles.gungeon.plan import Heap, PlannedHallway, RoutedHallway
from generator.styles.gungeon.spec import GungeonSpec

_FAR = 3  # the least number of hallways between two rooms of the same layout

DoorPlace = tuple[Side, int]
"""A side of a room, and where along it a door begins."""


def keep_apart(spec: GungeonSpec, heap: Heap, hallways: Sequence[RoutedHallway | PlannedHallway]) -> Heap:
    """Replace repeated layouts of the heap by others of the same size that allow the same doors.

    If there is none, the room is furnished by procedure. A room that has the size of a team's layout, which
    no room by procedure may have, keeps that layout.
    """
    if not any(heap.layouts):
        return heap
    near = _near(len(heap.kinds), hallways)
    layouts = list(heap.layouts)
    rects = heap.rects()
    doors: list[list[DoorPlace]] = [[] for _ in layouts]
    for end in (end for hallway in hallways for end in hallway.ends):
        (x, y), corner = end.tiles[0], rects[end.room]
        doors[end.room].append(door_of(end.side, (x - corner.x, y - corner.y)))
    for room, layout in enumerate(layouts):
        if layout is None:
            continue
        used = {nearby.file for number in near[room] if (nearby := layouts[number]) is not None}
        if layout.file in used:
            layouts[room] = next(
                (
                    candidate
                    for candidate in fitting(spec, heap.kinds[room], layout.size, doors[room])
                    if candidate.file not in used and candidate.layout.repeat != "once"
                ),
                None if has_size(spec, heap.kinds[room], layout) else layout,
            )
    return heap._replace(layouts=tuple(layouts))


def fitting(
    spec: GungeonSpec, kind: str, size: tuple[int, int], doors: Collection[DoorPlace]
) -> Iterable[GungeonLayout]:
    """Yield the layouts for a room of this kind and size (walls included) that can have these doors."""
    for card in pool(spec, kind):
        for image in card.images:
            if image.size == size and _has_doors(image, spec, doors):
                yield image


def _has_doors(layout: GungeonLayout, spec: GungeonSpec, doors: Collection[DoorPlace]) -> bool:
    exits = layout.exits(spec.hallway_width, spec.body)
    return exits is not None and all(
        any(offset in offsets for offsets in exits.get(side, ())) for side, offset in doors
    )


def door_of(side: Side, tile: Point) -> DoorPlace:
    """Return the position of a door in a layout, from its first tile in tiles of the room."""
    return side, tile[0] if side.is_vertical_way else tile[1]


def _near(rooms: int, hallways: Sequence[RoutedHallway | PlannedHallway]) -> list[set[int]]:
    """List, for each room, the rooms fewer than `_FAR` hallways away."""
    beside: list[set[int]] = [set() for _ in range(rooms)]
    for hallway in hallways:
        a, b = (end.room for end in hallway.ends)
        beside[a].add(b)
        beside[b].add(a)
    near = []
    for room in range(rooms):
        reached = {room}
        for _ in range(_FAR - 1):
            reached |= {neighbour for current in reached for neighbour in beside[current]}
        near.append(reached - {room})
    return near
