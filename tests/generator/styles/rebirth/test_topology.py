"""The remake's topology: the game's own layouts, draw for draw, and nothing else is accepted."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import GenerationFailed
from generator.shapes import SHAPES_BY_ID
from generator.styles.rebirth import topology

from . import oracle

SEEDS = st.integers(1, 2**32 - 1)
OWN = Path(__file__).with_name("layouts.json")


def layouts() -> list[dict[str, Any]]:
    """Ours, and those that UNDERCROFT_ISAAC_LAYOUTS names, of the same form."""
    paths = [OWN, *([Path(given)] if (given := os.environ.get("UNDERCROFT_ISAAC_LAYOUTS")) else [])]
    return [layout for path in paths for layout in json.loads(path.read_text())]


def as_layout(seed: int, target: int, ends: int, xl: bool = False, mask: int = 0x1FFE) -> dict[str, Any]:
    grown = topology(seed, target, ends, xl=xl, shape_mask=mask)
    return {
        "generator_seed": seed, "target": target, "required_dead_ends": ends, "xl": xl, "shape_mask": mask,
        "rooms": [list(room) for room in grown.rooms], "distance": grown.distances,
        "dead_ends": grown.dead_ends, "final_rng": grown.state,
    }  # fmt: skip


def test_the_layouts_are_the_games_room_for_room_and_draw_for_draw() -> None:
    known = layouts()
    assert len(known) >= 12
    for one in known:
        made = as_layout(
            one["generator_seed"], one["target"], one["required_dead_ends"], one["xl"], one["shape_mask"]
        )
        assert made == one


def test_the_result_is_plain_lists() -> None:
    grown = topology(3892950396, 9, 5)
    assert type(grown.rooms) is type(grown.distances) is type(grown.dead_ends) is list
    assert {type(room) for room in grown.rooms} == {tuple}
    assert {type(n) for room in grown.rooms for n in room} == {type(n) for n in grown.distances} == {int}
    assert grown.rooms[0] == (6, 6, 1) and grown.distances[0] == 0


@given(
    SEEDS,
    st.integers(1, 45),
    st.integers(0, 9),
    st.booleans(),
    st.one_of(st.sampled_from([0x1FFE, 0x1FF0]), st.integers(0, 0xFFF).map(lambda bits: bits << 1)),
    st.sampled_from([(), ((6, 5),), ((6, 5), (5, 6))]),
    st.booleans(),
)
@settings(max_examples=80)
def test_growth_is_that_of_the_facts(
    seed: int, target: int, ends: int, xl: bool, mask: int, blocked: tuple[oracle.Cell, ...], patient: bool
) -> None:
    """The same as a reading of the facts that knows no board of bits, also in its last draw."""
    expected = oracle.topology(
        seed, target, ends, xl=xl, shape_mask=mask, blocked=blocked, patient=patient, tries=20
    )
    if expected is None:
        return
    grown = topology(seed, target, ends, xl=xl, shape_mask=mask, blocked=blocked, patient=patient)
    assert (grown.rooms, grown.distances, grown.dead_ends, grown.state) == expected


@given(SEEDS, st.sampled_from([(8, 5, False), (15, 6, False), (20, 6, False), (36, 7, True), (54, 8, True)]))
def test_what_is_known_of_each_room_fits_together(seed: int, size: tuple[int, int, bool]) -> None:
    target, ends, xl = size
    grown = topology(seed, target, ends, xl=xl)
    assert len(grown.rooms) > target and len(grown.dead_ends) >= ends
    cells = [cell for x, y, shape in grown.rooms for cell in oracle.cells_of(shape, (x, y))]
    assert len(set(cells)) == len(cells)
    assert all(0 <= x < 13 and 0 <= y < 13 for x, y in cells)
    for number, (x, y, shape) in enumerate(grown.rooms):
        assert grown.entries[number] in oracle.cells_of(shape, (x, y))
        parent = grown.parents[number]
        if number:
            assert parent < number and grown.distances[number] == grown.distances[parent] + 1
            px, py, parents_shape = grown.rooms[parent]
            doors = [oracle.plus((px, py), to) for to in oracle.SHAPES[parents_shape][1].values()]
            assert grown.entries[number] in doors
    assert set(grown.dead_ends).isdisjoint(grown.parents) and 0 not in grown.dead_ends
    far = [grown.distances[number] for number in grown.dead_ends]
    assert far == sorted(far, reverse=True)


def test_the_shapes_are_those_of_the_facts() -> None:
    for number, (cells, slots) in oracle.SHAPES.items():
        shape = SHAPES_BY_ID[number]
        assert shape.name == oracle.NAMES[number] and shape.cells == cells
        order = ["W", "N", "E", "S", "W2", "N2", "E2", "S2"]
        found = {
            order.index(name): (x + side.dx, y + side.dy) for name, ((x, y), side) in shape.slots.items()
        }
        assert found == slots


def test_no_room_of_a_shape_that_is_masked() -> None:
    for seed in range(1, 100):
        assert {room[2] for room in topology(seed, 15, 6, shape_mask=0b10).rooms} == {1}
        assert {room[2] for room in topology(seed, 30, 6, shape_mask=0x1FF0).rooms}.isdisjoint({2, 3})


def test_nothing_grows_on_a_blocked_cell() -> None:
    for seed in range(1, 200):
        grown = topology(seed, 20, 6, blocked=[(6, 5)])
        assert all((6, 5) not in oracle.cells_of(shape, (x, y)) for x, y, shape in grown.rooms)


def test_the_editions_force_dead_ends_differently() -> None:
    """Five at most; Repentance until there are enough, before it until there are five."""
    forced = [topology(seed, 8, 7) for seed in range(1, 400)]
    assert all(len(grown.dead_ends) == 7 for grown in forced)
    first = [grown for grown in forced if grown.tries < 10]  # later there are more rooms to begin with
    assert max(len(grown.rooms) for grown in first) == 1 + 8 + 5
    before = [topology(seed, 12, 6, patient=False) for seed in range(1, 60)]
    assert {len(grown.rooms) for grown in before} == {1 + 12}  # six without help: forcing ends at five
    assert max(grown.tries for grown in before) > 1
    enough = [topology(seed, 8, 5, patient=False) for seed in range(1, 60)]
    assert [grown.rooms for grown in enough] == [topology(seed, 8, 5).rooms for seed in range(1, 60)]


def test_two_rooms_that_touch_have_doors_to_each_other() -> None:
    """A narrow room touches nobody with its long sides, and nobody touches them."""
    for number in range(1, 130):
        seed = number * 7919
        for target, ends, xl in ((12, 6, False), (20, 6, False), (45, 7, True)):
            grown = topology(seed, target, ends, xl=xl)
            ways = [oracle.doorways((x, y), shape) for x, y, shape in grown.rooms]
            owners = {
                cell: number
                for number, (x, y, shape) in enumerate(grown.rooms)
                for cell in oracle.cells_of(shape, (x, y))
            }
            for cell, owner in owners.items():
                for way in range(4):
                    other = owners.get(oracle.plus(cell, oracle.WAYS[way]), owner)
                    assert other == owner or (cell, way) in ways[owner]


def test_the_giants_rooms_are_all_large() -> None:
    """No room that grows is a single cell but the start; without single cells every large room is tried."""
    for seed in range(1, 100):
        shapes = [room[2] for room in topology(seed, 12, 6, shape_mask=0x1FF0).rooms]
        assert shapes[0] == 1 and {1, 2, 3}.isdisjoint(shapes[1:])


@pytest.mark.parametrize(
    ("seed", "target", "ends"),
    [(0, 15, 6), (-1, 15, 6), (2**32, 15, 6), (1, 0, 6), (1, 64, 6), (1, -3, 6), (1, 15, -1), (1, 15, 64)],
)
def test_numbers_that_make_no_layout_are_refused_in_one_line(seed: int, target: int, ends: int) -> None:
    with pytest.raises(ValueError, match=r"\(1 to \d+\)|give at most \d+") as caught:
        topology(seed, target, ends)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("mask", [-1, 0x2000, 1 << 40])
def test_a_mask_of_no_shapes_is_refused(mask: int) -> None:
    with pytest.raises(ValueError, match=r"shape_mask: .* give at most 8190"):
        topology(1, 15, 6, shape_mask=mask)


def test_after_ten_tries_repentance_asks_for_a_room_more() -> None:
    """On 25 cells, where 17 rooms grow in one try of two, and few seeds need more than ten."""
    wall = tuple((x, y) for x in range(13) for y in range(13) if max(abs(x - 6), abs(y - 6)) > 2)
    for seed, tries in ((611, 11), (2026, 13)):
        grown = topology(seed, 17, 2, shape_mask=0b10, blocked=wall)
        assert (grown.tries, len(grown.rooms)) == (tries, 1 + 17 + 1)
        before = topology(seed, 17, 2, shape_mask=0b10, blocked=wall, patient=False)
        assert len(before.rooms) == 1 + 17
        assert oracle.topology(seed, 17, 2, shape_mask=0b10, blocked=wall) == (
            grown.rooms, grown.distances, grown.dead_ends, grown.state,
        )  # fmt: skip


def test_a_board_without_place_fails_in_a_counted_number_of_tries() -> None:
    walls = [(x, y) for x in range(13) for y in range(13) if 2 < abs(x - 6) + abs(y - 6) < 5]
    with pytest.raises(
        GenerationFailed, match="63 rooms with 6 dead ends did not grow; ask for another number of rooms"
    ) as caught:
        topology(1, 63, 6, blocked=walls)
    assert caught.value.attempts == 1000
    with pytest.raises(GenerationFailed) as caught:
        topology(1, 63, 6, blocked=walls, patient=False)
    assert caught.value.attempts == 100


@pytest.mark.parametrize(("target", "ends"), [(0, 0), (-1, 0), (5, -1), (64, 0), (5, 64)])
def test_a_floor_has_some_rooms_and_not_more_than_there_is_place_for(target: int, ends: int) -> None:
    with pytest.raises(ValueError, match=f"{target} rooms with {ends} dead ends: give at most"):
        topology(1, target, ends)
