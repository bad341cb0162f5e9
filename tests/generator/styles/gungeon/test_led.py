"""Levels that are led, over seeds: what their rooms hold, and the shape that the spec asks for."""

from __future__ import annotations

import json
import random
from array import array
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest

from generator import GungeonSpec, Level, generate, load_level, problems, reroll
from generator.batch.facts import FACTS, SavedSubject, Subject
from generator.checks.base import connections
from generator.errors import SpecError
from generator.kinds import read_kit
from generator.kinds.heap_tables import LED_PLACES
from generator.level_file import level_from_dict
from generator.rerolls.record import NothingElseError
from generator.styles.gungeon import led_seats_kernel
from generator.styles.gungeon.facts_checks import is_led
from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.flows.library import chosen_name, flow_text
from generator.styles.gungeon.led_close_kernel import Spans, draw_together
from generator.styles.gungeon.led_kernel import MOST
from generator.styles.gungeon.led_shape_kernel import BASE
from generator.styles.gungeon.plan import HeapPlan, edges_of

SPEC = GungeonSpec(body=2)
SEEDS = range(36)
PRIZES = {"chest", "pickup", "item", "ware", "boss"}
ASIDE = {"shop", "chest", "boss"}
ODD = {
    "many chests": {"chest_rooms": (6, 6), "enemy_rooms": (8, 8)},
    "no boss": {"boss_rooms": (0, 0)},
    "more off the way than on it": {"chest_rooms": (9, 9), "enemy_rooms": (5, 5)},
    "no fights": {"enemy_rooms": (0, 0), "chest_rooms": (8, 8)},
    "neither fights nor a boss": {"enemy_rooms": (0, 0), "chest_rooms": (8, 8), "boss_rooms": (0, 0)},
    "a short way": {"linearity": (15, 15)},
    "two bosses": {"boss_rooms": (2, 2)},
}


@cache
def planned(seed: int, **values: object) -> HeapPlan:
    return floorplan(SPEC.replace(values), seed)


@cache
def made(seed: int) -> Level:
    return generate(SPEC, seed)


def graph(plan: HeapPlan, *, loops: bool = True) -> nx.Graph[int]:
    joined: nx.Graph[int] = nx.Graph()
    joined.add_edges_from(edges_of(way for way in plan.hallways if loops or not way.is_loop))
    return joined


def boss_of(plan: HeapPlan) -> int:
    return next(number for number, room in enumerate(plan.rooms) if room.kind == "boss")


def linearity(plan: HeapPlan) -> float:
    return len(nx.shortest_path(graph(plan), 0, boss_of(plan))) / len(plan.rooms)


def test_every_dead_end_holds_something() -> None:
    """The start aside, in the finished level: no rule of ours is asked."""
    for seed in SEEDS:
        level = made(seed)
        held: dict[int | None, set[str]] = {}
        for marker in level.markers:
            held.setdefault(marker.room, set()).add(marker.kind)
        doors = Counter(room for pair in connections(level) for room in pair)
        for room in level.rooms:
            if doors[room.id] == 1 and room.kind != "start":
                assert held[room.id] & PRIZES, (seed, room.id)


def test_no_more_than_three_fights_follow_one_another_on_any_shortest_way_to_the_boss() -> None:
    for seed in SEEDS:
        level, joined = made(seed), nx.Graph(connections(made(seed)))
        fights = {marker.room for marker in level.markers if marker.kind == "enemy"}
        boss = next(room.id for room in level.rooms if room.kind == "boss")
        for way in nx.all_shortest_paths(joined, 0, boss):
            is_fight = "".join("f" if room in fights else "." for room in way[:-1])
            assert "ffff" not in is_fight, (seed, way)


def test_each_loop_shortens_a_walk_by_three_rooms() -> None:
    for seed in SEEDS:
        plan = planned(seed)
        joined = graph(plan, loops=False)
        for hallway in (hallway for hallway in plan.hallways if hallway.is_loop):
            a, b = (end.room for end in hallway.ends)
            assert nx.shortest_path_length(joined, a, b) >= 4
            joined.add_edge(a, b)


def test_half_of_the_levels_have_two_ways_to_the_boss_and_some_chests_lie_on_loops() -> None:
    two, chests = 0, Counter[int]()
    for seed in SEEDS:
        plan = planned(seed)
        joined, boss = graph(plan), boss_of(plan)
        (before,) = joined[boss]
        joined.remove_node(boss)
        if not joined.has_edge(0, before):
            two += nx.node_connectivity(joined, 0, before) >= 2
        chests.update(joined.degree[i] for i, room in enumerate(plan.rooms) if room.kind == "chest")
    assert two >= 0.45 * len(SEEDS)
    assert set(chests) == {1, 2} and min(chests.values()) > 0.25 * sum(chests.values())


def test_hallways_are_short() -> None:
    """Shorter than by chance, none goes round much of the level."""
    lengths = [len(hallway.path) for seed in SEEDS for hallway in planned(seed).hallways]
    by_chance = [len(way.path) for seed in range(20) for way in planned(seed, flow="random").hallways]
    assert sum(lengths) / len(lengths) < 0.85 * sum(by_chance) / len(by_chance)
    assert max(lengths) <= 40


def gap(spans: Spans, a: int, b: int) -> int:
    """The tiles between two rooms on an axis, 0 if they overlap there."""
    return max(spans.at[a] - spans.at[b] - spans.length[b], spans.at[b] - spans.at[a] - spans.length[a], 0)


def test_rooms_that_are_drawn_together_stay_apart_from_others() -> None:
    chance, margin = random.Random(1), 4
    for _ in range(30):
        rooms = chance.randrange(2, 12)
        corners = [divmod(place, 4) for place in chance.sample(range(16), rooms)]
        sides = [[chance.randrange(5, 20) for _ in range(rooms)] for _ in "xy"]
        x, y = (array("q", [30 * corner[i] for corner in corners]) for i in range(2))
        width, height = (array("q", side) for side in sides)
        edges = [chance.randrange(room) * BASE + room for room in range(1, rooms)]

        across, along = Spans(x, width, y, height), Spans(y, height, x, width)
        before = sum(gap(across, *divmod(edge, BASE)) + gap(along, *divmod(edge, BASE)) for edge in edges)
        draw_together(across, along, edges, rooms, margin)
        after = sum(gap(across, *divmod(edge, BASE)) + gap(along, *divmod(edge, BASE)) for edge in edges)
        assert after <= before
        for a, b in combinations(range(rooms), 2):
            assert max(gap(across, a, b), gap(along, a, b)) >= margin


def test_levels_are_sound_and_told_apart_from_those_by_chance() -> None:
    for seed in range(8):
        assert list(problems(made(seed))) == []
        assert made(seed) != generate(replace(SPEC, flow="random"), seed)


@pytest.mark.parametrize("least", [20, 30, 50, 70])
def test_the_way_is_as_long_as_the_spec_asks(least: int) -> None:
    """Rounded to a room, in all but a few levels. A loop that found no path, or a detour, may change it."""
    asked = {"linearity": (least, least + 5), "loop_share": (0, 0)}
    found = [linearity(planned(seed, **asked)) for seed in range(24)]
    near = [100 * share for share in found if least - 5 <= 100 * share <= least + 12]
    assert len(near) >= 0.6 * len(found), found


def beside_the_way(plan: HeapPlan) -> float:
    """The share of dead ends in the rooms that are not on the shortest path to the boss."""
    joined = graph(plan)
    others = set(joined) - set(nx.shortest_path(joined, 0, boss_of(plan)))
    return sum(joined.degree[room] == 1 for room in others) / len(others)


@pytest.mark.parametrize(("percent", "least", "most"), [(0, 0, 0.25), (50, 0.4, 0.65), (100, 0.7, 1)])
def test_branching_is_the_share_of_dead_ends_beside_the_way(percent: int, least: float, most: float) -> None:
    asked = {"branching": (percent, percent), "chest_rooms": (0, 0), "shop_rooms": (0, 0)}
    shares = [beside_the_way(planned(seed, **asked)) for seed in range(20)]
    assert least <= sum(shares) / len(shares) <= most, shares


def test_linearity_spans_the_range() -> None:
    shares = [
        linearity(planned(seed, linearity=(percent, percent))) for percent in (0, 90) for seed in range(12)
    ]
    assert min(shares) < 0.18 and max(shares) > 0.82


def kit_with(folder: Path, rows: str) -> str:
    (folder / "kit.toml").write_text(f'name = "ours"\nextends = "shipped"\n{rows}\n', "utf-8")
    return str(folder)


def distances(plan: HeapPlan, kind: str) -> list[int]:
    return [room.distance for room in plan.rooms if room.kind == kind]


@pytest.mark.parametrize(
    ("rows", "holds"),
    [
        ('[led.shop]\nplace = "near"', lambda plan: distances(plan, "shop")[0] <= 3),
        ('[led.shop]\nplace = "beside:start"', lambda plan: distances(plan, "shop")[0] == 1),
        ("[led.chest]\ndepth = [75, 100]", lambda plan: min(distances(plan, "chest")) >= 3),
    ],
    ids=["near", "beside", "depth"],
)
def test_a_kit_says_where_rooms_lie(rows: str, holds: object, tmp_path: Path) -> None:
    spec = SPEC.replace({"kit": kit_with(tmp_path, rows)})
    held = [holds(floorplan(spec, seed)) for seed in range(12)]  # type: ignore[operator]
    assert sum(held) >= 10


def test_a_rule_that_cannot_hold_is_named(tmp_path: Path) -> None:
    rows = '[led.shop]\nplace = "beside:boss"'
    plan = floorplan(SPEC.replace({"kit": kit_with(tmp_path, rows)}), 1)
    assert (plan.facts["unmet"], plan.facts["unmet_rules"]) == (1, "shop beside:boss")


@pytest.mark.parametrize("values", ODD.values(), ids=ODD)
def test_odd_heaps_are_led_too(values: dict[str, tuple[int, int]]) -> None:
    """The rooms that lie as no rule of their kind asks are counted again, from the shipped rules in words."""
    for seed in range(6):
        plan = planned(seed, loop_share=(0, 0), **values)
        degrees = dict(graph(plan).degree)
        assert "not_led" not in plan.facts
        assert not any(hallway.is_loop for hallway in plan.hallways)
        ends = sum(degrees[i] > 1 for i, room in enumerate(plan.rooms) if room.kind in ("shop", "chest"))
        assert ends <= plan.facts.get("unmet", 0), seed
        if 2 * sum(room.kind in ASIDE for room in plan.rooms) < len(plan.rooms):
            assert not ends


@pytest.mark.parametrize("place", ["far", "near", "anywhere", "branch", "beside:start"])
def test_rooms_off_the_way_have_one_door_unless_their_place_is_on_a_loop(place: str, tmp_path: Path) -> None:
    kit = kit_with(tmp_path, f'[led.shop]\nplace = "{place}"')
    spec = SPEC.replace({"kit": kit, "boss_rooms": (3, 3), "shop_rooms": (2, 2), "chest_rooms": (0, 0)})
    for seed in range(4):
        plan = floorplan(spec, seed)
        doors = Counter(room for pair in plan.connections for room in pair)
        assert {doors[i] for i, room in enumerate(plan.rooms) if room.kind in ASIDE} == {1}, seed


def test_rooms_get_their_places_where_there_are_enough_dead_ends() -> None:
    """About a room in a level on average; far fewer than the eight shops."""
    plans = [planned(seed, shop_rooms=(8, 8)) for seed in range(20)]
    assert sum(plan.facts.get("unmet", 0) for plan in plans) <= 24


def test_without_a_boss_the_way_leads_to_the_furthest_room() -> None:
    for seed in range(12):
        plan = planned(seed, boss_rooms=(0, 0))
        joined = graph(plan)
        steps = nx.single_source_shortest_path_length(joined, 0)
        fights = {i for i, room in enumerate(plan.rooms) if room.kind == "normal" and not room.is_quiet}
        ways = [nx.shortest_path(joined, 0, room) for room in steps if steps[room] == max(steps.values())]
        rows = ["".join("f" if room in fights else "." for room in way) for way in ways]
        assert any("ffff" not in row for row in rows), seed


@pytest.mark.parametrize(
    ("rooms", "reason"), [(5, "fewer than 6 rooms"), (MOST + 1, f"more than {MOST} rooms"), (6, None)]
)
def test_a_heap_that_is_not_led_says_why(rooms: int, reason: str | None) -> None:
    assert planned(1, rooms=rooms).facts.get("not_led") == reason


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ('[led.pantry]\nplace = "far"', "led.pantry: unknown room kind"),
        ('[led.shop]\nplace = "attic"', "is not a place"),
        ('[led.normal]\nplace = "far"', "normal rooms lie where no others do"),
        ('[led.shop]\ngives = "gold"', "unknown marker kind"),
        ('[led.shop]\nplace = "far"\ngives = "chest"', "is for rooms at a dead_end"),
        ('[led.normal]\ngives = "boss"', "led.normal.gives: room.normal has no boss markers by its row"),
        ('[led.normal]\ngives = "enemy"', "enemy markers come with what the room holds"),
        ('[led.chest]\ngives = "key"', "key markers come with what the room holds"),
        ('[led.normal]\ngives = "torch"', "torch markers come with what the room holds"),
        ('[led.shop]\ngives = "buoy"\n[marker.buoy]\nstands_on = ["pit"]', "buoy markers cannot be on floor"),
        ('[led.boss]\nplace = "far"', "places boss rooms itself"),
        ('[[led.shop]]\nplace = "on_the_way"\nquiet_after = 2', r"give it in \[\[led.normal\]\]"),
        ("[[led.normal]]\ngives = 'chest'\ndepth = [50, 100]", "depth: is for rows that say where rooms lie"),
        ('[[led.shop]]\ngives = "chest"\napart = 2', "apart: is for rows that say where rooms lie"),
    ],
)
def test_bad_rows_are_refused_in_one_line(rows: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(Exception, match=message) as caught:
        read_kit(kit_with(tmp_path, rows))
    assert "\n" not in str(caught.value)


def test_a_level_that_was_saved_without_a_flow_is_by_chance(tmp_path: Path) -> None:
    """As levels were before the default changed; a led one says so."""
    older, file = generate(replace(SPEC, flow="random"), 3), tmp_path / "older.level.json"
    file.write_text(json.dumps(older.to_dict()), "utf-8")
    assert "flow" not in older.to_dict()["spec"]
    assert load_level(file) == older
    assert load_level(file).spec == older.spec
    file.write_text(json.dumps(made(3).to_dict()), "utf-8")
    assert made(3).to_dict()["spec"]["flow"] == "led"
    assert load_level(file) == made(3)


def test_rooms_keep_their_roles_when_they_are_rolled_again() -> None:
    level = made(4)
    doors = Counter(room for pair in connections(level) for room in pair)
    ends = [room.id for room in level.rooms if room.kind == "normal" and doors[room.id] == 1]
    quiet = [room.id for room in level.rooms if room.kind == "normal" and not room.difficulty]
    assert ends
    for what in ("layout", "markers"):
        for room in ends:
            again = reroll(level, room=room, what=what)
            assert any(marker.kind == "chest" and marker.room == room for marker in again.markers)
            assert list(problems(again)) == []
    for room in quiet:
        again = reroll(level, room=room, what="layout")
        assert not any(marker.kind == "enemy" and marker.room == room for marker in again.markers)


def test_small_and_large_heaps_are_joined_all_the_same() -> None:
    for rooms in (1, 2, 3, 5, 6, 7, MOST + 1):
        plan = floorplan(replace(SPEC, rooms=rooms), 2)
        assert len(plan.rooms) == rooms
        assert rooms == 1 or nx.is_connected(graph(plan))


def test_linearity_is_a_fact() -> None:
    fact = FACTS["linearity"]
    for seed in range(5):
        assert fact.get(Subject(SPEC, seed), "") == pytest.approx(linearity(planned(seed)), abs=0.0006)
        assert fact.get(SavedSubject(made(seed)), "") == fact.get(Subject(SPEC, seed), "")


def test_led_can_be_one_of_several_flows() -> None:
    spec = replace(SPEC, flow="led, hub")
    names = {floorplan(spec, seed).facts.get("flow", "led") for seed in range(8)}
    assert names == {"led", "hub"}
    with pytest.raises(SpecError, match="linearity"):
        replace(SPEC, linearity=(50, 40))


@pytest.mark.parametrize("flow", ["led", "two_keys"])
def test_no_enemies_come_to_a_quiet_room_when_its_markers_are_rolled(flow: str) -> None:
    level, room = next(
        (level, room.id)
        for level in (generate(GungeonSpec(flow=flow), seed=seed) for seed in range(1, 9))
        for room in level.rooms
        if room.kind == "normal" and not room.difficulty
    )
    with suppress(NothingElseError):  # it may have nothing to move
        level = reroll(level, room=room, what="markers")
    assert not any(marker.kind == "enemy" and marker.room == room for marker in level.markers)


@pytest.mark.parametrize("flow", ["random, hub", "random, led"])
def test_a_level_is_led_only_if_its_seed_chooses_that(flow: str) -> None:
    spec = GungeonSpec(flow=flow)
    chosen = {chosen_name(flow, seed): generate(spec, seed=seed) for seed in range(8)}
    assert set(chosen) == set(flow.split(", "))
    assert {name for name, level in chosen.items() if is_led(level)} == set(chosen) & {"led"}


def test_levels_of_a_mix_are_checked_by_what_their_seed_chose(tmp_path: Path) -> None:
    """Also if a choice is a file, of which a level keeps only the digest."""
    (tmp_path / "own.toml").write_text(flow_text("hub"), "utf-8")
    flow = f"led, random, {tmp_path / 'own.toml'}"
    chosen = {}
    for seed in range(8):
        level = generate(GungeonSpec(flow=flow), seed)
        chosen[chosen_name(flow, seed).rpartition("/")[2]] = level_from_dict(level.to_dict())
    assert set(chosen) == {"led", "random", "own.toml"}
    for name, level in chosen.items():
        assert list(problems(level)) == []
        fight = next(room for room in level.rooms if room.kind == "normal" and room.difficulty)
        rooms = [replace(room, difficulty=0) if room == fight else room for room in level.rooms]
        broken = {problem.check for problem in problems(replace(level, rooms=tuple(rooms)))}
        assert "fights-have-a-difficulty" in broken
        assert ("layouts-are-known" in broken) == (name == "random")


def test_the_kernel_numbers_places_in_the_order_of_the_rules() -> None:
    names = [place.upper() for place in LED_PLACES]
    assert [getattr(led_seats_kernel, name) for name in names] == list(range(len(names)))
    assert len(names) == led_seats_kernel.NEXT_TO
