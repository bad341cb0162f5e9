"""Dressing: each rule of it, on levels that can be taken in at a glance."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporters.blob import reduce
from exporters.dress import EMPTY, dress
from exporters.theme import Theme, Variants
from exporters.variants import tables_of
from generator.errors import ThemeError
from generator.geometry import Point, Rect, Side
from generator.kinds import DECOR_KINDS, DOOR, FLOOR, WALL, DecorKind
from generator.level import Door, Level
from generator.rng import Stream
from tests.exporters import hallway_level
from tests.exporters.formats.ldtk.reader import chosen
from tests.exporters.small_level import GRID, LETTERS, Way, built, drawn, fifteen_rooms

STEPS = {1: (0, -1), 2: (1, -1), 4: (1, 0), 8: (1, 1), 16: (0, 1), 32: (-1, 1), 64: (-1, 0), 128: (-1, -1)}

ROOM = """
########
#......#
#..~~..#
#..~=..#
#......#
########
"""


def tiles_of(*variants: Variants) -> set[int]:
    """Every tile of some variants."""
    return {tile for each in variants for tile in each.tiles}


def name_at(level: Level, x: int, y: int) -> str:
    """The terrain of a tile; void outside the level."""
    inside = 0 <= x < level.width and 0 <= y < level.height
    return level.terrain_kinds[level.terrain[y, x]].name if inside else "void"


def mask_at(x: int, y: int, like: set[Point]) -> int:
    """The reduced mask of one tile, neighbour by neighbour."""
    return reduce(sum(bit for bit, (dx, dy) in STEPS.items() if (x + dx, y + dy) in like))


# ---- choice ----------------------------------------------------------------------------------------


def test_the_same_level_is_dressed_the_same(plain: Theme) -> None:
    """In this process, and in every other on every machine: the digest is pinned."""
    once, again = dress(fifteen_rooms(), plain), dress(fifteen_rooms(), plain)
    assert all(np.array_equal(a, b) for a, b in zip(once, again, strict=True))
    data = b"".join(layer.astype("<i4").tobytes() for layer in once)
    assert hashlib.blake2b(data, digest_size=8).hexdigest() == "9aac943aeca198c0"


def test_another_seed_chooses_other_variants(plain: Theme) -> None:
    """Floors differ here and there; what has one look only does not."""
    one, other = dress(fifteen_rooms(1), plain), dress(fifteen_rooms(2), plain)
    assert not np.array_equal(one.ground, other.ground)
    assert np.array_equal(one.walls, other.walls)


def test_a_change_stays_where_it_is(built_in: Theme) -> None:
    """A pit more, far from everything: all other tiles are those that stood there before."""
    level = built([("normal", [(0, 0)])])
    terrain = level.terrain.copy()
    terrain[6, 9] = 3
    before, after = dress(level, built_in), dress(replace(level, terrain=terrain), built_in)
    assert np.argwhere(before.ground != after.ground).tolist() == [[6, 9]]
    assert np.array_equal(before.walls, after.walls)


def test_a_tile_is_what_one_draw_at_its_place_gives(built_in: Theme) -> None:
    """The whole layer at once, and one tile after the other as LDtk chooses it, are the same."""
    level = drawn("\n".join(["." * 30] * 20), kind="boss")
    ground, floor = dress(level, built_in).ground, built_in.floors["boss"].plain
    listed = [tile for tile, weight in zip(floor.tiles, floor.weights, strict=True) for _ in range(weight)]
    key = (Stream(level.seed, "dress").word() >> 32) + tables_of(built_in).rooms["boss"]
    for (y, x), tile in np.ndenumerate(ground):
        assert tile == listed[chosen(key, x, y, len(listed))]


def test_weights_are_kept(plain: Theme) -> None:
    """Of many thousand tiles of weights 6, 3, 1 about as many are drawn as that asks for."""
    level = drawn("\n".join(["." * 200] * 100))
    counts = Counter(dress(level, plain).ground.ravel().tolist())
    shares = [counts[tile] / 20_000 for tile in plain.floors["default"].plain.tiles]
    assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.02)


def test_layers_cannot_be_changed(plain: Theme) -> None:
    """Several exporters look at the same ones."""
    for layer in dress(drawn(ROOM), plain):
        assert layer.dtype == np.int32 and not layer.flags.writeable


# ---- ground ----------------------------------------------------------------------------------------


def test_each_room_has_its_kinds_floor(built_in: Theme) -> None:
    """Also where the bounds of an L overlap another room."""
    level = built([("boss", [(0, 0), (0, 1), (1, 1)]), ("shop", [(1, 0)]), ("normal", [(2, 0)])])
    ground = dress(level, built_in).ground
    for room in level.rooms:
        looks = tiles_of(*built_in.floors[room.kind])
        for cell in room.cells:
            inside = GRID.cell_rect(cell).shrunk(1).slices
            assert set(ground[inside].ravel().tolist()) <= looks


def test_without_a_grid_rooms_have_the_floor_of_their_bounds(plain: Theme) -> None:
    """So it is in styles whose rooms stand anywhere."""
    level = drawn(ROOM, kind="boss")
    assert dress(level, plain).ground[4, 3] == plain.floors["boss"].plain.tiles[0]
    elsewhere = replace(level, rooms=(replace(level.rooms[0], bounds=Rect(0, 0, 2, 2)),))
    assert dress(elsewhere, plain).ground[4, 3] in plain.floors["default"].plain.tiles


def test_terrain_other_than_floor_has_its_own_tiles(plain: Theme) -> None:
    """Whatever the room; under walls and in the void there is nothing."""
    level = drawn("......\n.-,=D.\n......\n ####", kind="boss")
    ground = dress(level, plain).ground
    for x, name in enumerate(("hallway", "rubble", "bridge", "door"), start=1):
        assert ground[1, x] in plain.floors[name].plain.tiles
    assert (ground[3] == EMPTY).all()


def test_floors_are_shaded_below_walls_only(plain: Theme) -> None:
    """Not below doors, nor at the level's edge; below a secret door as below the wall that it seems."""
    picture = """
 #D#
....
"""
    floor = plain.floors["default"]
    for kind, x_shaded in (("open", {1, 3}), ("secret", {1, 2, 3})):
        door = Door(0, (0, None), ((2, 0),), "south", kind)
        ground = dress(drawn(picture, doors=[door]), plain).ground
        for x in range(4):
            assert ground[1, x] in (floor.shaded if x in x_shaded else floor.plain).tiles


def test_pits_have_edges_but_none_to_bridges(plain: Theme) -> None:
    """The mask counts bridges as pits; the bridge itself is a floor."""
    ground = dress(drawn(ROOM), plain).ground
    like = {(3, 2), (4, 2), (3, 3), (4, 3)}
    for x, y in like - {(4, 3)}:
        assert ground[y, x] in plain.pits[mask_at(x, y, like)].tiles
    assert ground[3, 4] in plain.floors["bridge"].plain.tiles


# ---- walls -----------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.lists(st.text(sorted(LETTERS), min_size=6, max_size=6), min_size=2, max_size=7))
def test_walls_follow_their_neighbours(built_in: Theme, lines: list[str]) -> None:
    """Tile by tile: walls, and void above or below one, by the mask of such tiles around them."""
    level = drawn("\n".join(["......", *lines]))
    places = [(x, y) for y in range(level.height) for x in range(level.width)]
    wall = {place for place in places if name_at(level, *place) == "wall"}
    void = {place for place in places if name_at(level, *place) == "void"}
    mass = wall | {(x, y) for x, y in void if {(x, y - 1), (x, y + 1)} & wall}
    walls = dress(level, built_in).walls
    for x, y in places:
        allowed = tiles_of(built_in.walls[mask_at(x, y, mass)]) if (x, y) in mass else {EMPTY}
        assert walls[y, x] in allowed


def test_a_room_has_tops_behind_and_a_front_below(plain: Theme) -> None:
    """The stone rises one tile into the void above the room, and stands one tile deep below it."""
    level = built([("normal", [(0, 0)])])
    walls, room = dress(level, plain).walls, GRID.cell_rect((0, 0))
    assert (walls[room.y - 1, room.x : room.right] != EMPTY).all()
    assert (walls[room.bottom, room.x : room.right] != EMPTY).all()
    assert (walls[room.y - 2] == EMPTY).all() and (walls[room.bottom + 1] == EMPTY).all()
    assert (walls[:, room.x - 1] == EMPTY).all()
    faces = tiles_of(*(look for mask, look in plain.walls.items() if not mask & 16))
    assert set(walls[room.bottom].tolist()) - {EMPTY} <= faces
    assert set(walls[room.y, room.x + 1 : room.right - 1].tolist()) <= faces


@pytest.mark.parametrize("side", [Side.EAST, Side.SOUTH])
@pytest.mark.parametrize("kind", ["secret", "red"])
def test_a_secret_door_is_not_given_away(kind: str, side: Side, built_in: Theme) -> None:
    """Walls and floors beside it, or a red one, are those of a wall without a door; the door draws itself."""
    rooms = [("normal", [(0, 0)]), ("normal", [(side.dx, side.dy)])]
    secret = built(rooms, [Way(0, 1, (0, 0), side, kind, 3)])
    none = built(rooms)
    dressed, solid = dress(secret, built_in), dress(none, built_in)
    door = secret.terrain == DOOR
    assert np.array_equal(dressed.walls[~door], solid.walls[~door])
    assert (dressed.walls[door] == EMPTY).all() and (dressed.doors[door] != EMPTY).all()
    beside = none.terrain != WALL
    assert np.array_equal(dressed.ground[beside], solid.ground[beside])
    assert (dressed.overlay == EMPTY).all()


# ---- doors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "parts"), [(1, [0]), (2, [1, 3]), (3, [1, 2, 3]), (5, [1, 2, 2, 2, 3])])
@pytest.mark.parametrize("side", [Side.EAST, Side.SOUTH])
@pytest.mark.parametrize(
    ("kind", "state"),
    [("open", "open"), ("boss", "open"), ("locked", "shut"), ("secret", "shut"), ("red", "shut")],
)
def test_doors_have_four_parts_in_two_walls(
    kind: str, state: str, side: Side, width: int, parts: list[int], built_in: Theme
) -> None:
    """Alone, or first, middle, last; the other room sees the other side of it."""
    level = built(
        [("normal", [(0, 0)]), ("normal", [(side.dx, side.dy)])], [Way(0, 1, (0, 0), side, kind, width)]
    )
    layers, (own, theirs) = dress(level, built_in), GRID.door_tiles((0, 0), side, width)
    for tiles, seen in ((own, side), (theirs, side.opposite)):
        look = built_in.doors[kind, seen.label]
        expected = look.shut if state == "shut" else look.open
        assert [layers.doors[y, x] for x, y in tiles] == [expected[part] for part in parts]
        above = [look.overlay[part] for part in parts] if look.overlay else [EMPTY] * width
        assert [layers.overlay[y, x] for x, y in tiles] == above
    assert (layers.doors != EMPTY).sum() == 2 * width


def test_a_door_to_a_hallway_is_in_one_wall(built_in: Theme) -> None:
    """There is no second half, and an unknown kind looks like an open door."""
    level = drawn("##DD##\n..--..", doors=[Door(0, (0, None), ((2, 0), (3, 0)), "south", "odd")])
    doors = dress(level, built_in).doors
    look = built_in.doors["open", "south"].open
    assert doors[0].tolist() == [EMPTY, EMPTY, look[1], look[3], EMPTY, EMPTY]
    assert (doors[1] == EMPTY).all()


@pytest.mark.parametrize("width", range(1, 6))
@pytest.mark.parametrize("side", list(Side), ids=lambda side: side.label)
def test_a_hallways_doors_are_as_wide_as_it_and_one_tile_deep(
    side: Side, width: int, built_in: Theme
) -> None:
    """The wall goes on beside them, and each has the look of the side of its one room."""
    along = [(3 + i, 1) if side.is_vertical_way else (1, 3 + i) for i in range(width)]
    lines = ["." * 11, "#" * 3 + "D" * width + "#" * (8 - width), "-" * 11]
    if not side.is_vertical_way:
        lines = ["".join(column) for column in zip(*lines, strict=True)]
    door = Door(0, (0, None), tuple(reversed(along)), side.label, "boss")
    layers = dress(drawn("\n".join(lines), doors=[door]), built_in)
    look = built_in.doors["boss", side.label]
    parts = [0] if width == 1 else [1, *[2] * (width - 2), 3]
    assert [layers.doors[y, x] for x, y in along] == [look.open[part] for part in parts]
    assert (layers.doors != EMPTY).sum() == width
    above = [look.overlay[part] for part in parts] if look.overlay else [EMPTY] * width
    assert [layers.overlay[y, x] for x, y in along] == above
    in_walls = layers.walls[1] if side.is_vertical_way else layers.walls[:, 1]
    assert [place for place, tile in enumerate(in_walls) if tile == EMPTY] == [3 + i for i in range(width)]
    for x, y in along:
        assert layers.ground[y, x] in tiles_of(*built_in.floors["door"])


def test_hallways_have_floors_walls_and_torches_of_their_own(built_in: Theme) -> None:
    level = hallway_level.level()
    layers = dress(level, built_in)
    floors = tiles_of(*built_in.floors["hallway"])
    for hallway in level.hallways:
        for x, y in hallway.tiles:
            assert layers.ground[y, x] in floors and layers.walls[y, x] == EMPTY
            assert layers.doors[y, x] == layers.overlay[y, x] == EMPTY
    assert (layers.walls[level.terrain == WALL] != EMPTY).all()
    torches = tiles_of(built_in.decor["torch"].variants)
    hung = [(marker.x, marker.y) for marker in level.markers if marker.kind == "torch"]
    assert len(hung) == 3
    for x, y in hung:
        assert layers.decor[y, x] in torches and layers.walls[y, x] != EMPTY


def test_rooms_of_any_outline_have_their_kinds_floor(built_in: Theme) -> None:
    """Nothing is drawn in the void that an outline goes round."""
    level = hallway_level.level()
    ground = dress(level, built_in).ground
    for room in level.rooms:
        floor = level.terrain[room.bounds.slices] == FLOOR
        assert set(ground[room.bounds.slices][floor].tolist()) <= tiles_of(*built_in.floors[room.kind])
    assert ground[6, 35] == EMPTY and level.terrain[6, 35] == 0


# ---- decor -----------------------------------------------------------------------------------------


def test_things_are_blocks_and_their_tops_lie_above_bodies(plain: Theme) -> None:
    """A boulder takes 2 x 2 tiles; a bookshelf's top both tiles above it; both by the same choice."""
    places = {(1, 3): "boulder", (5, 2): "bookshelf", (3, 1): "statue", (1, 1): "rock"}
    layers = dress(drawn("\n".join(["." * 8] * 6), decor=places), plain)
    first = layers.decor[3, 1]
    assert first in plain.decor["boulder"].variants.tiles
    columns = plain.columns
    assert layers.decor[3:5, 1:3].tolist() == [[first, first + 1], [first + columns, first + columns + 1]]
    for (x, y), name, width in (((5, 2), "bookshelf", 2), ((3, 1), "statue", 1)):
        look = plain.decor[name]
        choice = look.variants.tiles.index(layers.decor[y, x])
        tops = [look.overlay[choice] + i for i in range(width)]
        assert layers.overlay[y - 1, x : x + width].tolist() == tops
    assert (layers.decor != EMPTY).sum() == 4 + 2 + 1 + 1
    assert (layers.overlay != EMPTY).sum() == 2 + 1


def test_things_at_the_edge_are_cut_off(plain: Theme) -> None:
    """A level from outside may say such a thing; nothing comes in again at the other side."""
    layers = dress(drawn("....\n....", decor={(3, 1): "boulder", (0, 0): "statue"}), plain)
    assert np.argwhere(layers.decor != EMPTY).tolist() == [[0, 0], [1, 3]]
    assert (layers.overlay == EMPTY).all()


def test_a_level_brings_its_own_numbers(plain: Theme) -> None:
    """Kinds in another order are dressed by their names; one that no theme draws is refused if used."""
    level = drawn("....", decor={(0, 0): "rock", (2, 0): "statue"})
    names = {number: kind.name for number, kind in enumerate(DECOR_KINDS)}
    kinds = (*DECOR_KINDS[:1], *reversed(DECOR_KINDS[1:]), DecorKind("lantern", True, True, True))
    numbers = {kind.name: number for number, kind in enumerate(kinds)}
    decor = np.array([[numbers[names[n]] for n in row] for row in level.decor.tolist()], np.uint8)
    same = dress(replace(level, decor=decor, decor_kinds=kinds), plain)
    assert all(np.array_equal(a, b) for a, b in zip(dress(level, plain), same, strict=True))
    lantern = np.array([[0, 0, 0, len(kinds) - 1]], np.uint8)
    with pytest.raises(ThemeError, match="plain: themes cannot draw the decor 'lantern' of 1 x 1 tiles"):
        dress(replace(level, decor=lantern, decor_kinds=kinds), plain)
