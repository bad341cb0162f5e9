"""Encounters: places filled by a budget, fair at the door, the same from the same stream."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import Level, generate
from generator.algorithms.bitboard import board_of
from generator.checks import problems
from generator.encounters.budget import Threat, budget_of, stage_of_danger
from generator.encounters.encounter import Battleground, drawn_by, encounter
from generator.geometry import Side
from generator.interiors.interior import PlacedMarker
from generator.kinds import ROSTER, shipped_kit
from generator.kinds.kind_tables import ROLES
from generator.rng import Stream

WIDTH, HEIGHT = 13, 7
DOORS = ((6, 0), (6, 6), (0, 3), (12, 3))
STYLES = st.sampled_from(["isaac", "rebirth", "gungeon"])
SHOTS = ("shoots", "sprays")


def room(doors: tuple[tuple[int, int], ...] = DOORS[:1], walls: Any = ()) -> Battleground:
    floor = np.ones((HEIGHT, WIDTH), bool)
    for x, y in walls:
        floor[y, x] = False
    return Battleground(WIDTH, HEIGHT, board_of(floor), board_of(floor), doors)


def place(x: int, y: int, **properties: Any) -> PlacedMarker:
    return PlacedMarker("enemy", x, y, {"role": "walker", **properties})


def filled(
    places: list[PlacedMarker], ground: Battleground | None = None, seed: int = 1, **values: Any
) -> list[PlacedMarker]:
    threat = Threat(**{"budget": 100, "chapter": 1, "champions": 0, "ambush": 0, **values})
    return list(encounter(places, ground or room(), threat, Stream(seed, "test")))


def test_only_tiles_with_a_marker_on_them_are_taken() -> None:
    stride = WIDTH + 1
    markers = [place(3, 2), PlacedMarker("chest", 5, 6, {})]
    assert drawn_by(markers, stride).taken == 1 << 3 + 2 * stride | 1 << 5 + 6 * stride
    assert drawn_by([], stride).taken == 0


places_drawn = st.lists(
    st.builds(
        lambda at, role, wave: place(*at, role=role, wave=wave),
        st.tuples(st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1)),
        st.sampled_from(ROLES),
        st.integers(1, 3),
    ),
    min_size=1,
    max_size=12,
    unique_by=lambda marker: (marker.x, marker.y),
)


@given(
    places_drawn,
    st.sets(st.sampled_from(DOORS), min_size=1),
    st.integers(0, 80),
    st.integers(1, 6),
    st.booleans(),
    st.integers(0, 1 << 32),
)
def test_every_encounter_keeps_the_rules(
    drawn: list[PlacedMarker], doors: set[tuple[int, int]], budget: int, chapter: int, adds: bool, seed: int
) -> None:
    ground = room(tuple(sorted(doors)))
    found = filled(drawn, ground, seed, budget=budget, chapter=chapter, champions=30, ambush=50, adds=adds)
    assert len({(one.x, one.y) for one in found}) == len(found)
    kinds = [ROSTER[str(one.properties["name"])] for one in found]
    assert sum(kind.cost for kind in kinds) <= budget or len(found) == 1
    for one, kind in zip(found, kinds, strict=True):
        assert all(abs(one.x - x) + abs(one.y - y) > 3 for x, y in doors)
        assert 0 <= one.x < WIDTH and 0 <= one.y < HEIGHT
        assert kind.chapter <= chapter and kind.role == one.properties["role"]
        assert one.properties["flies"] == ("flies" in kind.habits)
    assert len({kind.role for kind in kinds}) == len({kind.name for kind in kinds})  # one kind a role
    waves = {one.properties["wave"] for one in found}
    assert waves == set(range(1, len(waves) + 1))
    again = filled(drawn, ground, seed, budget=budget, chapter=chapter, champions=30, ambush=50, adds=adds)
    assert again == found


def test_places_as_drawn_are_always_filled() -> None:
    drawn = [place(2, 5, name="of_our_own"), place(9, 5, role="necromancer"), place(4, 5), place(5, 5)]
    found = filled(drawn, budget=0)
    assert [one.properties.get("name", one.properties["role"]) for one in found] == [
        "of_our_own",
        "necromancer",
    ]
    assert [one.properties["flies"] for one in found] == [False, False]


def test_who_is_too_near_to_a_door_steps_aside_to_the_nearest_tile() -> None:
    (one,) = filled([place(6, 2)])
    assert abs(one.x - 6) + abs(one.y - 2) == 2 and abs(one.x - 6) + abs(one.y) == 4
    boss = PlacedMarker("boss", 6, 3, {"rank": "boss"})
    threat = Threat(0, 1, 0, 0)
    (moved,) = encounter([boss], room(), threat, Stream(1, "test"))
    assert (moved.kind, abs(moved.x - 6) + moved.y) == ("boss", 4)


def test_shooters_in_sight_of_a_door_wait_unless_something_is_between() -> None:
    shooter = [place(6, 5, role="shooter")]
    assert [one.properties["wakes_after"] for one in filled(shooter)] == [1.0]
    behind = room(walls=[(x, 3) for x in range(WIDTH)])
    assert [one.properties["wakes_after"] for one in filled(shooter, behind)] == [0.0]
    assert [one.properties["wakes_after"] for one in filled([place(6, 5)])] == [0.0]
    assert [one.properties["wakes_after"] for one in filled([place(0, 0), place(6, 5, wave=2)])] == [0.0] * 2


def test_what_is_left_of_a_budget_comes_on_other_tiles_where_it_may() -> None:
    drawn = [place(2, 5)]
    assert len(filled(drawn)) == 1
    more = filled(drawn, adds=True)
    assert 4 < len(more) <= WIDTH * HEIGHT // 9
    for a in more:
        assert all(a is b or abs(a.x - b.x) + abs(a.y - b.y) > 2 for b in more)


def test_a_room_without_places_stays_empty() -> None:
    pickup = PlacedMarker("pickup", 3, 3, {"item": "any"})
    assert filled([pickup], adds=True) == [pickup]


def test_a_room_that_must_have_enemies_has_them_though_every_tile_is_near_a_door() -> None:
    """As drawn, since no place is better; a room that need not have any stays without."""
    wide = room(tuple((x, y) for x in range(WIDTH) for y in (0, HEIGHT - 1)))
    drawn = [place(4, 3, role="shooter"), place(8, 3, role="shooter")]
    assert filled(drawn, wide, adds=True) == []
    found = filled(drawn, wide, adds=True, must=True)
    assert [(one.x, one.y, one.properties["wakes_after"]) for one in found] == [(4, 3, 1.0), (8, 3, 1.0)]
    assert len(filled(drawn, wide, budget=0, must=True)) == 1
    assert filled([*drawn, place(6, 3)], must=True) == filled([*drawn, place(6, 3)])


# --- budgets and whole levels ------------------------------------------------------------------------


def test_a_spec_of_gungeon_says_whose_enemies_wait_on_the_way() -> None:
    assert [stage_of_danger(danger) for danger in (0, 50, 100)] == [1, 6, 12]
    assert [stage_of_danger(danger, (3, 6)) for danger in (0, 33, 34, 67, 99, 100)] == [3, 3, 4, 5, 5, 6]
    level = generate("gungeon", 7, rooms=9, enemy_stages=(1, 2))
    names = {marker.properties["name"] for marker in level.markers if marker.kind == "enemy"}
    assert {ROSTER[str(name)].chapter for name in names} == {1}
    assert generate("gungeon", 7, rooms=9, enemy_stages=(1, 12)) == generate("gungeon", 7, rooms=9)
    assert "enemy_stages" not in generate("gungeon", 7, rooms=1).to_dict()["spec"]


def test_budgets_rise_with_stage_difficulty_way_and_floor() -> None:
    rules = shipped_kit().rules
    stages = [budget_of("normal", stage, 5, 50, 80, rules) for stage in range(1, 13)]
    difficulties = [budget_of("normal", 6, difficulty, 50, 80, rules) for difficulty in (1, 5, 10, 15, 20)]
    ways = [budget_of("normal", 6, 5, way, 80, rules) for way in (0, 50, 100)]
    floors = [budget_of("normal", 6, 5, 50, floor, rules) for floor in (40, 80, 160, 320)]
    for row in (stages, difficulties, ways, floors):
        assert all(a < b for a, b in pairwise(row)), row
    assert [stage_of_danger(danger) for danger in (0, 50, 100)] == [1, 6, 12]


@pytest.mark.parametrize("style", ["isaac", "rebirth"])
def test_later_chapters_have_more_enemies_that_cost_more(style: str) -> None:
    counts, costs = [], []
    for chapter in range(6):
        cells = found = cost = 0
        for stage in (2 * chapter + 1, 2 * chapter + 2):
            for seed in range(1, 6 if style == "rebirth" else 9):
                level = generate(style, seed, stage=stage)
                names = [str(one.properties["name"]) for one in fights(level)]
                found += len(names)
                cost += sum(ROSTER[name].cost for name in names)
                rooms = {one.room for one in fights(level)}
                cells += sum(len(level.rooms[number].cells) for number in rooms if number is not None)
        counts.append(found / cells)
        costs.append(cost / cells)
    assert all(a < b for a, b in pairwise(costs)), costs
    assert counts[0] < counts[2] < counts[5] and counts[5] > 1.3 * counts[0], counts


def fights(level: Level) -> list[Any]:
    return [
        one
        for one in level.markers
        if one.kind == "enemy" and one.room is not None and level.rooms[one.room].kind == "normal"
    ]


@given(STYLES, st.integers(1, 1 << 32), st.sampled_from([1, 3]))
@settings(max_examples=12)
def test_levels_are_fair_at_the_door(style: str, seed: int, width: int) -> None:
    """Measured once more, from the tiles of the level alone."""
    values = {"hallway_width": width, "body": 1} if style == "gungeon" else {"door_width": width, "stage": 8}
    level = generate(style, seed, **values)
    ways = defaultdict(list)
    for door in level.doors:
        for half in door.halves:
            side = Side.named(half.side)
            ways[half.room] += [(x - side.dx, y - side.dy) for x, y in half.tiles]
    for one in level.markers:
        if one.kind == "enemy":
            assert all(abs(one.x - x) + abs(one.y - y) > 3 for x, y in ways[one.room])
            assert one.properties["wakes_after"] in (0.0, 1.0)


def test_a_challenge_room_between_four_wide_doors_has_enemies() -> None:
    level = generate("rebirth", 3083257337, stage=3, door_width=5, body=3, curse="lost")
    assert list(map(str, problems(level))) == []
    (challenge,) = (room.id for room in level.rooms if room.kind == "challenge")
    assert len([one for one in level.markers if one.kind == "enemy" and one.room == challenge]) > 1


def test_all_of_the_roster_comes_in_levels() -> None:
    found: Counter[str] = Counter()
    for seed in range(1, 7):
        for stage in (2, 4, 6, 8, 10, 12):
            found.update(
                str(one.properties["name"]) for one in fights(generate("rebirth", seed, stage=stage))
            )
    made = {kind.makes for kind in ROSTER.values()}  # they come out of others
    assert set(ROSTER) - made <= set(found)
