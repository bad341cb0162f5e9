"""The proof by polygons that rooms can be crossed, against squares that move from tile to tile."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from generator import Door, GungeonSpec, Level, generate
from generator.arrays import Mask
from generator.checks import body, rooms
from generator.checks.base import hazards, mask_of, needs_no_way, owners
from generator.checks.crossing import polygons_of, rooms_can_be_crossed
from generator.geometry import Point, Side
from generator.kinds import DECOR_IDS, SHIPPED

# --- the oracle ------------------------------------------------------------------------------------------

Tiles = frozenset[Point]


class PlaceWalk:
    """The main piece of each room and hallway that a square of `side` tiles can walk on.

    Rooms have their numbers, hallways are numbered on; `joined` are the doors that join the two main pieces.
    """

    def __init__(self, level: Level, free: Mask, side: int, *, from_start: bool = False) -> None:
        self.side = side
        walk = frozenset((x, y) for y, x in np.argwhere(free).tolist())
        halls = {door: len(level.rooms) + way.id for way in level.hallways for door in way.doors}
        around = [(door.rooms[0], halls.get(door.id, door.rooms[1])) for door in level.doors]
        owner = owners(level)
        tiles: dict[int | None, set[Point]] = {
            room.id: {(x, y) for y, x in np.argwhere(owner == room.id).tolist()} for room in level.rooms
        }
        tiles |= {len(level.rooms) + way.id: set(way.tiles) for way in level.hallways}
        for door, both in zip(level.doors, around, strict=True):
            for place in both:
                tiles[place] |= strip(door, level.spec.body)[0]
        ways = {door.id: [*self._ways(door, walk)] for door in level.doors}
        starts = self._starts(level) if from_start else set()
        self.main: dict[int | None, Tiles] = {}
        for place, mine in tiles.items():
            doors = [ways[door.id] for door, both in zip(level.doors, around, strict=True) if place in both]
            begun = starts if place == 0 else set()
            self.main[place] = main_of(pieces_of(squares(walk & mine, side)), doors, begun)
        self.joined = {
            door
            for door, both in zip(level.doors, around, strict=True)
            if any(all(way <= self.main[place] for place in both) for way in ways[door.id])
        }
        steps = [*product(range(side), repeat=2)]
        self.covered = {
            place: {(x + dx, y + dy) for x, y in main for dx, dy in steps}
            for place, main in self.main.items()
        }

    def _starts(self, level: Level) -> set[Point]:
        """Where a square can be that covers the player's start."""
        steps = [*product(range(self.side), repeat=2)]
        starts = [marker for marker in level.markers if marker.kind == "player_start"]
        return {(marker.x - dx, marker.y - dy) for marker in starts for dx, dy in steps}

    def _ways(self, door: Door, walk: Tiles) -> Iterator[Tiles]:
        both, before, behind = (squares(walk & tiles, self.side) for tiles in strip(door, self.side))
        yield from (way for way in pieces_of(both) if way & before and way & behind)


def main_of(pieces: Iterable[Tiles], doors: list[list[Tiles]], begun: set[Point]) -> Tiles:
    """The piece that one begins in, or else with the most doors, or else the largest."""
    return max(
        pieces,
        key=lambda piece: (
            not begun.isdisjoint(piece),
            sum(any(way <= piece for way in door) for door in doors),
            len(piece),
        ),
        default=frozenset(),
    )


def squares(tiles: Tiles, side: int) -> Tiles:
    """The top left tiles of all squares on these tiles."""
    steps = [*product(range(side), repeat=2)]
    return frozenset((x, y) for x, y in tiles if all((x + dx, y + dy) in tiles for dx, dy in steps))


def pieces_of(places: Tiles) -> Iterator[Tiles]:
    left = set(places)
    while left:
        todo = [left.pop()]
        for x, y in todo:
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            left -= near
            todo += near
        yield frozenset(todo)


def strip(door: Door, length: int) -> tuple[Tiles, Tiles, Tiles]:
    """The tiles of a door with those straight before and behind it; those before it; those behind it."""
    side, own = Side.named(door.side), frozenset(door.tiles)
    before, behind = (
        frozenset((x + side.dx * step, y + side.dy * step) for x, y in own for step in steps) - own
        for steps in (range(-length, 0), range(1, length + 1))
    )
    return own | before | behind, before, behind


def is_crossed(level: Level) -> bool:
    """What the check promises, tile by tile."""
    walk, harmless = level.passable("walk"), level.passable("walk") & ~hazards(level)
    secret = {door for door in level.doors if door.kind in level.kinds.secret_doors}
    shut = mask_of(level, [tile for door in secret for tile in door.tiles])
    for side in {1, level.spec.body}:
        on_ground = PlaceWalk(level, walk, side)
        joined = on_ground.joined
        if side > 1:
            joined = PlaceWalk(level, harmless & ~shut, side, from_start=True).joined - secret
            joined |= PlaceWalk(level, harmless, side, from_start=True).joined & secret
        if len(joined) < len(level.doors):
            return False
        for marker in level.markers:
            place = marker.room if marker.hallway is None else len(level.rooms) + marker.hallway
            must = side == 1 or marker.kind in ("player_start", "boss")
            near = ((0, 0),) if must else ((0, 0), (0, -1), (1, 0), (0, 1), (-1, 0))
            tiles = {(marker.x + dx, marker.y + dy) for dx, dy in near}
            if not needs_no_way(level, marker) and tiles.isdisjoint(on_ground.covered[place]):
                return False
    return True


# --- both methods ----------------------------------------------------------------------------------------


def changed(level: Level, tiles: Mapping[Point, str]) -> Level:
    """The level with other terrain, or other decor, on some tiles."""
    terrain, decor = level.terrain.copy(), level.decor.copy()
    for (x, y), name in tiles.items():
        array, ids = (decor, DECOR_IDS) if name in DECOR_IDS else (terrain, SHIPPED.terrain_ids)
        array[y, x] = ids[name]
    return replace(level, terrain=terrain, decor=decor)


def small_level(style: str, seed: int, body_: int, width: int) -> Level:
    if style == "gungeon":
        return generate(
            style, seed, body=body_, hallway_width=width, rooms=2 + seed % 5, loop_share=(100, 100)
        )
    return generate(style, seed, body=body_, door_width=width | 1, stage=1 + seed % 3)


def littered(level: Level, count: int, seed: int) -> Level:
    """With pits and spikes on some of the tiles that one can walk on, not in doors, but most of them near."""
    chance = random.Random(seed)
    walk = level.passable("walk") & (level.terrain != SHIPPED.terrain_ids["door"])
    near = sorted({tile for door in level.doors for tile in strip(door, 3)[0] if walk[tile[1], tile[0]]})
    far = [(x, y) for y, x in np.argwhere(walk).tolist()]
    tiles = [chance.choice(near if chance.random() < 0.7 else far) for _ in range(count)]
    return changed(level, {tile: chance.choice(("pit", "pit", "spikes")) for tile in tiles})


@given(
    st.sampled_from(["isaac", "rebirth", "gungeon"]),
    st.integers(1, 9999),
    st.integers(1, 3),
    st.sampled_from([1, 2, 3, 5]),
    st.integers(0, 8),
)
@settings(max_examples=30)
def test_polygons_find_what_squares_find(style: str, seed: int, body_: int, width: int, count: int) -> None:
    assert_both_agree(littered(small_level(style, seed, body_, max(body_, width)), count, seed))


@pytest.mark.soak
@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_polygons_find_what_squares_find_in_thousands_of_levels(style: str) -> None:
    for seed in range(1, 1500):
        level = small_level(style, seed, 1 + seed % 3, max(1 + seed % 3, (1, 2, 3, 5)[seed // 3 % 4]))
        assert_both_agree(littered(level, seed % 9, seed))


def assert_both_agree(level: Level) -> None:
    """And what the checks that count tiles find is found too; they take whole levels, and miss some."""
    found = [str(problem) for problem in rooms_can_be_crossed(level)]
    assert bool(found) is not is_crossed(level), (level.seed, found)
    for check in (rooms.reached_on_foot, body.body_gets_everywhere):
        assert found or not [*check(level)], level.seed


@given(arrays(np.int8, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.integers(0, 2)))
def test_the_ground_is_the_union_of_tiles(numbers: npt.NDArray[np.int8]) -> None:
    """Of two places, with pits in pits and tiles that meet at corners."""
    places, tiles = np.divmod(np.arange(2 * numbers.size), numbers.size)
    own = numbers.ravel()[tiles] == places
    found = polygons_of(places[own], tiles[own], numbers >= 0)
    for place in (0, 1):
        boxes = [shapely.box(x, y, x + 1, y + 1) for y, x in np.argwhere(numbers == place).tolist()]
        mine = found.polygons[found.place == place]
        assert shapely.union_all(mine).equals(shapely.union_all(boxes))
        assert shapely.area(mine).sum() == len(boxes)


# --- planted faults --------------------------------------------------------------------------------------


def told(level: Level) -> set[str]:
    return {str(problem) for problem in rooms_can_be_crossed(level)}


def front(door: Door) -> list[Point]:
    """The tiles straight inside a door's first room."""
    side = Side.named(door.side)
    own = door.tiles[: len(door.tiles) // (1 if door.rooms[1] is None else 2)]
    return [(x - side.dx, y - side.dy) for x, y in own]


@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_a_pillar_in_a_doorway(style: str) -> None:
    level = generate(GungeonSpec(hallway_width=1, body=1) if style == "gungeon" else style, 7)
    for door in level.doors[:6]:
        lines = told(changed(level, dict.fromkeys(front(door), "wall")))
        assert f"door {door.id}: one cannot walk through it [rooms-can-be-crossed]" in lines


@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_a_marker_that_is_walled_in(style: str) -> None:
    level = generate(style, 7)
    start = next(marker for marker in level.markers if marker.kind == "player_start")
    around = {(start.x + dx, start.y + dy): "wall" for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy}
    what = f"walk to the player_start at {start.x},{start.y} from the doors of its room"
    assert f"marker {start.id}: one cannot {what} [rooms-can-be-crossed]" in told(changed(level, around))


@pytest.mark.parametrize("body_", [2, 3])
def test_a_gap_that_is_a_tile_too_narrow_for_the_body(body_: int) -> None:
    level = generate("isaac", 7, body=body_, door_width=3)
    for door in level.doors:
        pillar = changed(level, dict.fromkeys(front(door)[: 4 - body_], "wall"))
        assert any(
            line.startswith(f"door {door.id}: a body of {body_} x {body_} tiles cannot")
            for line in told(pillar)
        )
        assert not told(replace(pillar, spec=pillar.spec.replace({"body": 1})))


def test_spikes_across_a_door_stop_large_bodies_only() -> None:
    level = generate("isaac", 7, body=2, door_width=3)
    door = level.doors[0]
    spiked = changed(level, dict.fromkeys(front(door), "spikes"))
    assert told(spiked) == {
        f"door {door.id}: a body of 2 x 2 tiles cannot walk through it [rooms-can-be-crossed]"
    }


def test_a_room_in_two_halves_that_others_join() -> None:
    """Nothing is out of reach in the level, but who comes in by one door cannot leave by the other."""
    found = 0
    for seed in range(1, 8):
        level = generate("gungeon", seed, rooms=9, loop_share=(100, 100), body=1)
        markers = {(marker.x, marker.y) for marker in level.markers}
        for room in level.rooms:
            inside = room.bounds.shrunk(1)
            column = [(inside.x + inside.width // 2, y) for y in range(inside.y, inside.bottom)]
            parted = changed(level, dict.fromkeys(column, "wall"))
            if markers.isdisjoint(column) and not [*rooms.reached_on_foot(parted)]:
                lines = told(parted)
                if lines:
                    found += 1
                    assert all(
                        line.endswith(f"to the rest of room {room.id} [rooms-can-be-crossed]")
                        or "marker" in line
                        for line in lines
                    ), lines
    assert found
