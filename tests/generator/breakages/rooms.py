"""Rooms that are not what they should be: outlines, bounds, kinds, distances, layouts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from generator import Level
from generator.checks.base import connections
from generator.geometry import GridFrame, Point, Rect
from generator.kinds import DIFFICULTIES, FLOOR
from generator.shapes import SHAPES

from .base import (
    GRID,
    Breakage,
    Unfit,
    bare_floor,
    doors_of,
    first,
    found,
    found_by,
    last,
    neighbours_of,
    rooms_of,
    with_door,
    with_room,
    with_spec,
    with_terrain,
)

# --- outlines and bounds ---------------------------------------------------------------------------------


def outline_shifted(level: Level) -> Level:
    room = level.rooms[-1]
    moved = tuple(tuple((x + 1, y) for x, y in ring) for ring in room.outline)
    return with_room(level, room.id, outline=moved)


def outline_reversed(level: Level) -> Level:
    room = level.rooms[1]
    return with_room(level, room.id, outline=(room.outline[0][::-1], *room.outline[1:]))


def outline_reversed_from_its_first_corner(level: Level) -> Level:
    room, ring = level.rooms[0], level.rooms[0].outline[0]
    return with_room(level, room.id, outline=((ring[0], *ring[:0:-1]), *room.outline[1:]))


def outline_begun_elsewhere(level: Level) -> Level:
    room, ring = level.rooms[2], level.rooms[2].outline[0]
    return with_room(level, room.id, outline=((*ring[2:], *ring[:2]), *room.outline[1:]))


def outline_with_a_knot(level: Level) -> Level:
    room, ring = level.rooms[1], level.rooms[1].outline[0]
    return with_room(level, room.id, outline=((*ring, *ring), *room.outline[1:]))


def outline_with_a_needless_corner(level: Level) -> Level:
    room, ring = level.rooms[1], level.rooms[1].outline[0]
    (x, y), *rest = ring
    return with_room(level, room.id, outline=(((x, y), (x + 1, y), *rest), *room.outline[1:]))


def outline_without_a_corner(level: Level) -> Level:
    room = last(room for room in level.rooms if len(room.outline[0]) > 4)
    return with_room(level, room.id, outline=(room.outline[0][:-1], *room.outline[1:]))


def outline_gone(level: Level) -> Level:
    return with_room(level, 1, outline=())


def outline_of_another_room(level: Level) -> Level:
    return with_room(level, 1, outline=level.rooms[2].outline)


def outline_across_a_notch(level: Level) -> Level:
    """The rectangle round a room that is none."""
    room = last(room for room in level.rooms if len(room.outline[0]) > 4)
    x, y, right, bottom = room.bounds.x, room.bounds.y, room.bounds.right, room.bounds.bottom
    return with_room(level, room.id, outline=(((x, y), (right, y), (right, bottom), (x, bottom)),))


def hole_missing(level: Level) -> Level:
    """Void amid walls in a room, and no ring round it."""
    room = level.rooms[0]
    x, y = first(
        (x, y)
        for x, y in bare_floor(level, room)
        if (level.terrain[y - 1 : y + 2, x - 1 : x + 2] == FLOOR).all()
    )
    walls = {(x + dx, y + dy): "wall" for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return with_terrain(level, {**walls, (x, y): "void"})


def hole_where_there_is_floor(level: Level) -> Level:
    room = level.rooms[0]
    x, y = first(bare_floor(level, room))
    hole = (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)
    return with_room(level, room.id, outline=(*room.outline, hole))


def hole_outside_of_the_outline(level: Level) -> Level:
    room, (x, y) = level.rooms[0], level.rooms[0].bounds[:2]
    hole = (x - 1, y - 1), (x, y - 1), (x, y), (x - 1, y)
    return with_room(level, room.id, outline=(*room.outline, hole))


def bounds_shifted(level: Level) -> Level:
    bounds = level.rooms[1].bounds
    return with_room(level, 1, bounds=bounds._replace(x=bounds.x + 1))


def bounds_grown(level: Level) -> Level:
    return with_room(level, 1, bounds=level.rooms[1].bounds.shrunk(-1))


def bounds_shrunk(level: Level) -> Level:
    return with_room(level, 1, bounds=level.rooms[1].bounds.shrunk(1))


def bounds_with_a_row_of_void(level: Level) -> Level:
    bounds = level.rooms[2].bounds
    return with_room(level, 2, bounds=bounds._replace(height=bounds.height + 1))


def bounds_outside_of_the_level(level: Level) -> Level:
    return with_room(level, 1, bounds=level.rooms[1].bounds._replace(x=level.width - 2))


# --- kinds -----------------------------------------------------------------------------------------------


def two_starts(level: Level) -> Level:
    return with_room(level, last(rooms_of(level, "normal")).id, kind="start")


def no_start(level: Level) -> Level:
    return with_room(level, 0, kind="normal")


def start_is_not_room_0(level: Level) -> Level:
    other = first(rooms_of(level, "normal"))
    return with_room(with_room(level, 0, kind="normal"), other.id, kind="start")


def boss_beside_the_start(level: Level) -> Level:
    return with_room(level, first(neighbours_of(level, level.rooms[0])).id, kind="boss")


def no_boss(level: Level) -> Level:
    for room in rooms_of(level, "boss"):
        level = with_room(level, room.id, kind="normal")
    return level


def one_boss_too_many(level: Level) -> Level:
    return with_room(level, last(rooms_of(level, "normal", "treasure")).id, kind="boss")


def kind_of_another_style(level: Level) -> Level:
    kind = {"isaac": "planetarium", "rebirth": "chest", "gungeon": "library"}[level.style]
    return with_room(level, first(rooms_of(level, "shop", "normal")).id, kind=kind)


def special_room_on_the_way(level: Level) -> Level:
    """A room with several doors is a shop."""
    ways = Counter(room for pair in connections(level) for room in pair)
    room = first(room for room in rooms_of(level, "normal") if ways[room.id] > 1)
    return with_room(level, room.id, kind="shop")


def no_shop(level: Level) -> Level:
    return with_room(level, first(rooms_of(level, "shop")).id, kind="normal")


def shops_too_many(level: Level) -> Level:
    for room in rooms_of(level, "normal")[-2:]:
        level = with_room(level, room.id, kind="shop")
    return level


def a_room_more_in_the_spec(level: Level) -> Level:
    if len(level.rooms) + 3 > 63:  # as many as a spec may ask for
        raise Unfit
    return with_spec(level, rooms=len(level.rooms) + 3)


def more_bosses_in_the_spec(level: Level) -> Level:
    return with_spec(level, boss_rooms=(7, 8))


def other_ranges_in_the_spec(level: Level) -> Level:
    return with_spec(level, rooms=0, enemy_rooms=(40, 50))


def smaller_rooms_in_the_spec(level: Level) -> Level:
    return with_spec(level, enemy_height=(7, 7))


def other_room_size_in_the_spec(level: Level) -> Level:
    return with_spec(level, room_size=(17, 11), layouts="ours")


def two_secret_rooms_in_a_row(level: Level) -> Level:
    secret = first(rooms_of(level, "secret"))
    return with_room(level, first(neighbours_of(level, secret)).id, kind="secret")


def special_room_of_two_cells(level: Level) -> Level:
    room = first(room for room in level.rooms if room.shape in ("1x2", "2x1"))
    return with_room(level, room.id, kind="treasure")


def boss_of_an_odd_shape(level: Level) -> Level:
    room = first(room for room in level.rooms if room.shape.startswith("L"))
    return with_room(level, room.id, kind="boss")


def secret_room_beside_the_boss(level: Level) -> Level:
    boss = first(rooms_of(level, "boss"))
    return with_room(level, first(neighbours_of(level, boss)).id, kind="secret")


def ultra_secret_room_on_the_way(level: Level) -> Level:
    return with_room(level, last(rooms_of(level, "normal")).id, kind="ultra_secret")


def secret_room_on_the_way(level: Level) -> Level:
    """It is a normal room with open doors, and closes a loop."""
    if level.facts["curse"] == "labyrinth":  # which has loops
        raise Unfit
    room = first(room for room in rooms_of(level, "secret") if len(doors_of(level, room)) > 1)
    for door in doors_of(level, room):
        level = with_door(level, door.id, kind="open")
    return with_room(level, room.id, kind="normal")


def boss_of_no_depth(level: Level) -> Level:
    return with_room(level, first(rooms_of(level, "boss")).id, depth=1)


def bosses_of_a_labyrinth_apart(level: Level) -> Level:
    """One of the two has become the end of another way."""
    if level.facts["curse"] != "labyrinth":
        raise Unfit
    level = with_room(level, rooms_of(level, "boss")[1].id, kind="shop")
    return with_room(level, first(rooms_of(level, "treasure")).id, kind="boss")


def secret_room_beside_the_start_of_the_chest(level: Level) -> Level:
    if level.spec.to_dict()["stage"] != 11:
        raise Unfit
    return with_room(level, first(neighbours_of(level, level.rooms[0])).id, kind="secret")


def room_above_the_start_of_the_chest(level: Level) -> Level:
    if level.spec.to_dict()["stage"] != 11:
        raise Unfit
    return with_room(level, first(rooms_of(level, "normal")).id, shape="1x1", cells=((6, 5),))


def ultra_secret_room_far_away(level: Level) -> Level:
    room = first(rooms_of(level, "ultra_secret"))
    return with_room(level, room.id, cells=(free_cell(level),))


def free_cell(level: Level) -> Point:
    """A cell that no room is near to."""
    cells = [cell for each in level.rooms for cell in each.cells]
    xs, ys = zip(*cells, strict=True)
    free = (
        (x, y)
        for x in range(min(xs), max(xs) + 1)
        for y in range(min(ys), max(ys) + 1)
        if all(abs(x - a) + abs(y - b) > 2 for a, b in cells)
    )
    return first(free)


def red_room_that_leads_nowhere(level: Level) -> Level:
    return with_room(level, first(rooms_of(level, "treasure")).id, kind="red")


def red_room_beside_a_curse_room(level: Level) -> Level:
    red = first(rooms_of(level, "red"))
    beside = first(room for room in neighbours_of(level, red) if room.kind == "normal")
    return with_room(level, beside.id, kind="curse")


def red_room_without_a_door(level: Level) -> Level:
    """It leads into another room instead."""
    red = first(rooms_of(level, "red"))
    door = first(doors_of(level, red))
    a, b = (0 if room == red.id else room for room in door.rooms)
    return with_door(level, door.id, rooms=(a, b))


def red_room_missing(level: Level) -> Level:
    """It lies elsewhere, and leads nowhere."""
    return with_room(level, first(rooms_of(level, "red")).id, cells=(free_cell(level),))


# --- cells and the grid ----------------------------------------------------------------------------------


def shape_unknown(level: Level) -> Level:
    return with_room(level, 1, shape="pentagon")


def shape_of_other_cells(level: Level) -> Level:
    return with_room(level, 1, shape="LTL" if level.rooms[1].shape != "LTL" else "2x2")


def shape_that_is_not_its_outlines(level: Level) -> Level:
    shape = "ragged" if level.rooms[1].shape == "rectangle" else "rectangle"
    return with_room(level, 1, shape=shape)


def cells_gone(level: Level) -> Level:
    return with_room(level, 1, cells=())


def cells_without_a_grid(level: Level) -> Level:
    return with_room(level, 1, cells=((0, 0),))


def cells_in_another_order(level: Level) -> Level:
    room = first(room for room in level.rooms if len(room.cells) > 1)
    return with_room(level, room.id, cells=room.cells[::-1])


def cells_outside_of_the_level(level: Level) -> Level:
    return with_room(level, 1, cells=((40, 40),))


def cells_of_another_room(level: Level) -> Level:
    return with_room(level, 1, cells=level.rooms[2].cells)


def bounds_of_another_room(level: Level) -> Level:
    return with_room(level, 1, bounds=level.rooms[2].bounds)


def cells_off_the_board(level: Level) -> Level:
    """The whole floorplan is moved, and its frame with it, so that all tiles stay where they are."""
    assert level.grid is not None
    (left, top), (width, _) = level.grid.origin, level.grid.cell_size
    rooms = [replace(room, cells=tuple((x + 7, y) for x, y in room.cells)) for room in level.rooms]
    return replace(level, rooms=tuple(rooms), grid=GridFrame((left - 7 * width, top), level.grid.cell_size))


def frame_shifted(level: Level) -> Level:
    assert level.grid is not None
    x, y = level.grid.origin
    return replace(level, grid=level.grid._replace(origin=(x + 1, y)))


def frame_of_other_cells(level: Level) -> Level:
    assert level.grid is not None
    width, height = level.grid.cell_size
    left = min(x for room in level.rooms for x, _ in room.cells)
    x, y = level.grid.origin
    return replace(level, grid=GridFrame((x + 2 * left, y), (width - 2, height)))


def frame_gone(level: Level) -> Level:
    return replace(level, grid=None)


def frame_without_cells(level: Level) -> Level:
    return replace(level, grid=GridFrame((2, 2), (15, 9)))


def rooms_in_another_order(level: Level) -> Level:
    return replace(level, rooms=(*level.rooms[:-2], level.rooms[-1], level.rooms[-2]))


def room_ids_doubled(level: Level) -> Level:
    return with_room(level, 1, id=2)


# --- distance, depth, difficulty, layout -----------------------------------------------------------------


def distance_wrong(level: Level) -> Level:
    room = last(room for room in level.rooms if room.distance is not None)
    return with_room(level, room.id, distance=(room.distance or 0) + 1)


def distance_missing(level: Level) -> Level:
    return with_room(level, 1, distance=None)


def distance_of_a_secret_room(level: Level) -> Level:
    return with_room(level, first(rooms_of(level, "secret", "super_secret")).id, distance=3)


def depth_too_large(level: Level) -> Level:
    room = first(room for room in level.rooms[1:] if len(neighbours_of(level, room)) == 1)
    return with_room(level, room.id, depth=room.depth + 1)


def depth_too_small(level: Level) -> Level:
    room = last(room for room in level.rooms[1:] if len(neighbours_of(level, room)) == 1)
    return with_room(level, room.id, depth=room.depth - 1)


def depth_of_the_start(level: Level) -> Level:
    return with_room(level, 0, depth=1)


def difficulty_unknown(level: Level) -> Level:
    return with_room(level, first(rooms_of(level, "normal")).id, difficulty=3)


def difficulty_of_another_room(level: Level) -> Level:
    room = last(rooms_of(level, "normal"))
    other = first(number for number in DIFFICULTIES.values() if number != room.difficulty)
    return with_room(level, room.id, difficulty=other)


def difficulty_of_a_start(level: Level) -> Level:
    return with_room(level, 0, difficulty=1)


def difficulty_of_another_stage(level: Level) -> Level:
    """A layout of a difficulty that the stage does not have."""
    room = first(
        room
        for room in rooms_of(level, "normal")
        if room.shape == "1x1" and room.layout.startswith("normal/")
    )
    _, pool, *_ = room.layout.split("/")
    name = "brutal" if level.spec.to_dict()["stage"] == 12 else "deadly"
    return with_room(level, room.id, layout=f"normal/{pool}/{name}/x", difficulty=DIFFICULTIES[name])


def layout_unknown(level: Level) -> Level:
    room = last(rooms_of(level, "normal"))
    return with_room(level, room.id, layout=room.layout.partition("+")[0] + "-of-nowhere")


def layout_of_another_kind(level: Level) -> Level:
    return with_room(level, 0, layout=last(rooms_of(level, "boss", "shop")).layout)


def layout_of_another_shape(level: Level) -> Level:
    large = first(room for room in rooms_of(level, "normal") if len(room.cells) == 4)
    room = first(
        room
        for room in rooms_of(level, "normal")
        if room.shape == "1x1" and room.difficulty == large.difficulty
    )
    return with_room(level, large.id, layout=room.layout)


def layout_in_no_such_mirror(level: Level) -> Level:
    return with_room(level, 1, layout=level.rooms[1].layout.partition("+")[0] + "+d")


def layout_of_a_team_without_layouts(level: Level) -> Level:
    room = last(rooms_of(level, "normal"))
    return with_room(level, room.id, layout=f"own/{room.layout}")


def layout_of_another_chapter(level: Level) -> Level:
    room = first(rooms_of(level, "normal"))
    _, pool, difficulty, name = room.layout.split("/")
    other = "womb" if pool != "womb" else "cellar"
    return with_room(level, room.id, layout=f"normal/{other}/{difficulty}/{name}")


_ODD_SHAPES = sorted(set(SHAPES) - {"1x1"})


def large_room_in_one_cell(level: Level) -> Level:
    room = first(room for room in level.rooms if room.shape == "1x1")
    return with_room(level, room.id, shape=_ODD_SHAPES[0])


def empty_bounds(level: Level) -> Level:
    return with_room(level, 1, bounds=Rect(5, 5, 0, 0))


def room_in_a_zone(level: Level) -> Level:
    return with_room(level, 1, zone="limbo")


BREAKAGES: tuple[Breakage, ...] = (
    *found(
        "outlines-round-rooms",
        outline_shifted,
        outline_reversed,
        outline_reversed_from_its_first_corner,
        outline_begun_elsewhere,
        outline_with_a_knot,
        outline_with_a_needless_corner,
        outline_gone,
        outline_of_another_room,
        hole_where_there_is_floor,
    ),
    *found("outlines-round-rooms", hole_outside_of_the_outline, styles=("isaac", "rebirth")),
    *found(
        "outlines-round-rooms",
        outline_without_a_corner,
        outline_across_a_notch,
        styles=("rebirth", "gungeon"),
    ),
    *found("outlines-round-rooms", hole_missing, styles=("gungeon",)),
    *found("bounds-are-tight", bounds_shifted, bounds_grown, bounds_shrunk, bounds_with_a_row_of_void),
    *found(
        "numbers-stand-for-something",
        bounds_outside_of_the_level,
        empty_bounds,
        rooms_in_another_order,
        room_ids_doubled,
    ),
    *found("one-start", two_starts, no_start, start_is_not_room_0),
    *found("boss-is-far", boss_beside_the_start),
    *(
        found_by(
            make, isaac="rooms-as-spec-says", rebirth="rooms-as-rules-allow", gungeon="rooms-as-spec-says"
        )
        for make in (no_boss, one_boss_too_many, kind_of_another_style, no_shop, shops_too_many)
    ),
    found_by(special_room_on_the_way, grid="special-rooms-are-dead-ends", gungeon="rooms-off-the-way"),
    found_by(
        a_room_more_in_the_spec,
        isaac="rooms-as-spec-says",
        rebirth="facts-follow-from-the-seed",
        gungeon="rooms-as-spec-says",
    ),
    *found("rooms-as-spec-says", more_bosses_in_the_spec, other_ranges_in_the_spec, styles=("gungeon",)),
    *found("sizes-as-spec-says", smaller_rooms_in_the_spec, styles=("gungeon",)),
    *found("rooms-have-no-zone", room_in_a_zone, styles=GRID),
    *found("cells-lie-in-frame", other_room_size_in_the_spec, styles=GRID),
    found_by(
        two_secret_rooms_in_a_row,
        isaac="secret-rooms-away-from-dead-ends",
        rebirth="secret-rooms-away-from-bosses",
    ),
    *found(
        "special-rooms-are-single-cells", special_room_of_two_cells, boss_of_an_odd_shape, styles=("rebirth",)
    ),
    *found("secret-rooms-away-from-bosses", secret_room_beside_the_boss, styles=("rebirth",)),
    *found(
        "ultra-secret-rooms-alone",
        ultra_secret_room_on_the_way,
        ultra_secret_room_far_away,
        styles=("rebirth",),
    ),
    *found(
        "red-rooms-lead-on",
        red_room_that_leads_nowhere,
        red_room_beside_a_curse_room,
        red_room_without_a_door,
        red_room_missing,
        styles=("rebirth",),
    ),
    *found("rooms-without-loops", secret_room_on_the_way, styles=("isaac",)),
    *found("bosses-are-deep", boss_of_no_depth, bosses_of_a_labyrinth_apart, styles=("rebirth",)),
    *found("secret-rooms-away-from-bosses", secret_room_beside_the_start_of_the_chest, styles=("rebirth",)),
    *found("rooms-on-the-grid", room_above_the_start_of_the_chest, styles=("rebirth",)),
    *found(
        "cells-fit-shapes",
        shape_unknown,
        shape_of_other_cells,
        cells_gone,
        large_room_in_one_cell,
        styles=GRID,
    ),
    *found("cells-fit-shapes", cells_in_another_order, styles=("rebirth",)),
    *found("rooms-have-no-cells", shape_that_is_not_its_outlines, frame_without_cells, styles=("gungeon",)),
    *found("rooms-have-no-cells", cells_without_a_grid, styles=("gungeon",)),
    *found("numbers-stand-for-something", cells_outside_of_the_level, styles=GRID),
    *found("rooms-apart", cells_of_another_room, styles=GRID),
    *found("rooms-apart", bounds_of_another_room, styles=("gungeon",)),
    found_by(cells_off_the_board, isaac="rooms-on-the-board", rebirth="rooms-on-the-grid"),
    *found("cells-lie-in-frame", frame_shifted, frame_of_other_cells, frame_gone, styles=GRID),
    *found("distances-walked", distance_wrong, distance_missing),
    *found("distances-walked", distance_of_a_secret_room, styles=GRID),
    *(
        found_by(make, grid="depths-grow", gungeon="depths-follow-the-tree")
        for make in (depth_too_large, depth_too_small, depth_of_the_start)
    ),
    *found(
        "layouts-are-known",
        difficulty_unknown,
        difficulty_of_another_room,
        difficulty_of_a_start,
        layout_unknown,
        layout_of_another_kind,
        layout_in_no_such_mirror,
        layout_of_a_team_without_layouts,
    ),
    *found("layouts-are-known", layout_of_another_chapter, styles=GRID),
    *found("layouts-are-known", layout_of_another_shape, styles=("rebirth",)),
    *found("difficulties-of-the-stage", difficulty_of_another_stage, styles=GRID),
)
