"""Flows: shipped ones make levels with exactly their rooms and connections; bad ones are refused in a line."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator import GenerationFailed, Level, RerollError, SpecError, generate, load_spec, reroll
from generator.batch.backtracking import backtracking
from generator.batch.facts import Subject, ask
from generator.checks import problems
from generator.cli import main
from generator.kinds import SHIPPED, read_kit, shipped_kit
from generator.level_file import level_from_dict
from generator.styles.gungeon.flows.flow_file import flow_schema
from generator.styles.gungeon.flows.grow import grow
from generator.styles.gungeon.flows.library import chosen_flow, load_flow
from generator.styles.gungeon.flows.proof import flow_problem, hidden_rooms
from generator.styles.gungeon.flows.records import (
    QUIET_TAGS,
    Flow,
    in_a_row,
    path_to_goal,
    shipped_flows,
    steps,
)
from tests.generator.kits.base import write_kit

FLOWS = shipped_flows()
SMALL = """
[flow]
name = "small"
[[room]]
id = "gate"
kind = "start"
[[room]]
id = "a"
kind = "normal"
[[room]]
id = "b"
kind = "normal"
[[room]]
id = "loot"
kind = "chest"
[[room]]
id = "throne"
kind = "boss"
[[connection]]
path = ["gate", "a", "b", "throne"]
"""


def planned(name: str, seed: int) -> Flow:
    flow = chosen_flow(name, seed, shipped_kit())
    assert flow is not None
    return flow


def pairs_of(level: Level) -> Counter[frozenset[int]]:
    ends = [[level.doors[door].rooms[0] for door in way.doors] for way in level.hallways]
    return Counter(frozenset(pair) for pair in ends)


@pytest.mark.parametrize("name", FLOWS)
def test_a_level_has_exactly_the_rooms_and_connections_of_its_flow(name: str) -> None:
    for seed in (1, 2):
        flow, level = planned(name, seed), generate("gungeon", seed, flow=name)
        assert problems(level) == []
        assert [room.kind for room in level.rooms] == [room.kind for room in flow.rooms]
        number = {room.id: place for place, room in enumerate(flow.rooms)}
        assert pairs_of(level) == Counter(
            frozenset((number[one.a], number[one.b])) for one in flow.connections
        )
        assert level.facts["flow"] == flow.name
        assert _gates(level) == _wanted_gates(flow, number)
        keys = [(marker.properties["opens"], marker.room) for marker in level.markers if marker.kind == "key"]
        assert sorted(keys) == sorted(
            (key.name, number[key.room]) for key in flow.keys for _ in range(key.copies)
        )


def _gates(level: Level) -> Counter[tuple[object, ...]]:
    """What each hallway asks: the rooms, at the door of which room which keys, where to, opened from where."""
    found: Counter[tuple[object, ...]] = Counter()
    for way in level.hallways:
        doors = [level.doors[door] for door in way.doors]
        rooms = frozenset(door.rooms[0] for door in doors)
        needs = [(door.rooms[0], door.needs) for door in doors if door.needs]
        into = [door.rooms[0] for door in doors if door.one_way]
        opens = [door.opens_from for door in doors if door.opens_from is not None]
        secret = [door.kind for door in doors].count("secret")
        found[rooms, *map(tuple, (needs, into, opens)), secret] += 1
    return found


def _wanted_gates(flow: Flow, number: dict[str, int]) -> Counter[tuple[object, ...]]:
    wanted: Counter[tuple[object, ...]] = Counter()
    for one in flow.connections:
        rooms = frozenset((number[one.a], number[one.b]))
        needs = [(number[lock.on[0]], lock.needs) for lock in flow.locks if set(lock.on) == {one.a, one.b}]
        into = [number[one.b]] * one.one_way
        opens = [number[one.opens_from]] if one.opens_from else []
        wanted[rooms, *map(tuple, (needs, into, opens)), 2 * one.secret] += 1
    return wanted


@pytest.mark.parametrize("name", FLOWS)
def test_many_plans_of_a_flow_are_sound_and_well_paced(name: str) -> None:
    """Nobody gets stuck, at most three fights in a row, loops are long, and each holds a reward or is a way."""
    plans = set()
    for seed in range(60):
        flow = planned(name, seed)
        plans.add((flow.rooms, flow.connections))
        assert flow_problem(flow) is None
        quiet = {room.id for room in flow.rooms if not QUIET_TAGS.isdisjoint(room.tags)}
        assert max(in_a_row(flow, quiet).values()) <= 3
        kinds = {room.id: room.kind for room in flow.rooms}
        for loop in loops_of(flow):
            assert len(loop) >= 5, loop
        rings = {room for loop in loops_of(flow) for room in loop}
        assert any(kinds[room] == "chest" for room in rings), rings
    assert len(plans) > 1


def test_the_hidden_key_lies_off_the_way_and_apart_and_fights_have_breaths_between() -> None:
    """On the shortest way that fetches both keys, rooms counted once: more than three fights are rare."""
    longest = []
    for seed in range(60):
        flow = planned("two_keys", seed)
        rooms = {key.name: key.room for key in flow.keys}
        assert rooms["silver_key"] not in (*path_to_goal(flow), rooms["gold_key"])
        longest.append(_most_fights(flow))
    assert sum(most > 3 for most in longest) <= 1, longest


def _most_fights(flow: Flow) -> int:
    """Most fights in a row on the shortest way to the goal that takes all keys on it first."""
    beside, keys = steps(flow), {key.room for key in flow.keys}
    fights = {room.id for room in flow.rooms if room.kind == "normal" and QUIET_TAGS.isdisjoint(room.tags)}
    ways: list[tuple[str, ...]] = [(flow.start,)]
    seen = {(flow.start, frozenset[str]())}
    for way in ways:
        held = keys.intersection(way)
        if way[-1] in flow.goals:
            runs = "".join("f" if room in fights else " " for room in dict.fromkeys(way))
            return max(map(len, runs.split()))
        for other in beside[way[-1]]:
            state = other, frozenset(held | keys.intersection([other]))
            if state not in seen and (other not in flow.goals or held == keys):
                seen.add(state)
                ways.append((*way, other))
    raise AssertionError(flow.name)


def loops_of(flow: Flow) -> list[list[str]]:
    """For each connection on a loop, the shortest one that it closes."""
    beside: dict[str, set[str]] = {room.id: set() for room in flow.rooms}
    for one in flow.connections:
        beside[one.a].add(one.b)
        beside[one.b].add(one.a)
    loops = []
    for one in flow.connections:
        trails = [[one.a]]
        seen = {one.a}
        for trail in trails:
            for other in sorted(beside[trail[-1]] - seen):
                if {trail[-1], other} != {one.a, one.b}:
                    seen.add(other)
                    trails.append([*trail, other])
        loops += [trail for trail in trails if trail[-1] == one.b]
    return loops


def test_a_fork_of_one_seed_leaves_the_others_alone_and_levels_come_back(tmp_path: Path) -> None:
    level = generate("gungeon", 4, flow="two_keys")
    assert level == generate("gungeon", 4, flow="two_keys") != generate("gungeon", 5, flow="two_keys")
    assert level_from_dict(level.to_dict()) == level
    assert {len(door.needs) for door in level.doors} == {0, 2}


def test_a_file_counts_from_the_spec_and_a_level_keeps_no_path(tmp_path: Path) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    (folder / "own.toml").write_text(SMALL + '[[connection]]\npath = ["b", "loot"]\n')
    (tmp_path / "spec.toml").write_text('style = "gungeon"\nflow = "plans/own.toml 3, hub"\n')
    spec = load_spec(tmp_path / "spec.toml")
    names = {generate(spec, seed, until="floorplan").facts["flow"] for seed in range(12)}
    assert names == {"small", "hub"}
    level = generate(spec, 1)
    assert str(tmp_path) not in str(level.to_dict()["spec"])
    before = spec.files_digest()
    (folder / "own.toml").write_text(SMALL + '[[connection]]\npath = ["a", "loot"]\n')
    assert spec.files_digest() != before


def test_a_folder_may_have_a_comma_in_its_name(tmp_path: Path) -> None:
    folder = tmp_path / 'rooms, "halls" 2'
    folder.mkdir()
    (folder / "own, too.toml").write_text(SMALL + LOOT)
    (folder / "spec.toml").write_text('style = "gungeon"\nflow = \'"own, too.toml" 2\'\n')
    spec = load_spec(folder / "spec.toml")
    level = generate(spec, 1)
    assert level.facts["flow"] == "small" and str(folder) not in str(level.to_dict()["spec"])
    assert (
        CliRunner().invoke(main, ["flow", "show", str(folder / "own, too.toml"), "--seed", "1"]).exit_code
        == 0
    )


ASKED = ("keys", "locks", "loops", "one_ways", "shortcuts", "backtracking")
LOOT = '[[connection]]\npath = ["b", "loot"]\n'
KEY = '[[key]]\nname = "gold"\nroom = "{}"\n'
PAID = '[[key]]\nname = "gold"\nroom = "a"\nconsumed = true\ncount = {}\n'
LOCK = '[[lock]]\non = ["b", "throne"]\nneeds = ["gold"]\n'


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("", "room loot cannot be reached from the start"),
        (LOOT.replace("b", "bb"), "connection[1].path[0]: unknown room 'bb'"),
        (LOOT.replace("loot", "lot"), "connection[1].path[1]: unknown room 'lot'; did you mean loot?"),
        (LOOT + LOOT, "connection: b - loot is given twice"),
        (LOOT + LOCK, "lock[0].needs[0]: unknown key 'gold'"),
        (LOOT + LOCK.replace('"gold"', '"gold", "gold"') + KEY.format("a"), "lock[0].needs: costs 2 gold, but they are not used up; give the key consumed = true"),
        (LOOT + LOCK.replace('["gold"]', "{ gold = 2 }") + PAID.format(1), "lock[0].needs: costs 2 gold, but there are only 1; give the key count = 2"),
        (LOOT + LOCK.replace('["gold"]', "{ gold = 21 }") + PAID.format(30), "lock[0].needs.gold: 21 is not a whole number from 1 to 20"),
        (LOOT + LOCK.replace('["gold"]', "{ glod = 2 }") + PAID.format(2), "lock[0].needs: unknown key 'glod'; did you mean gold?"),
        (LOOT + LOCK.replace('"gold"', ""), "lock[0].needs: names no key; give one or more"),
        (LOOT + LOCK.replace('["gold"]', '"gold"'), """lock[0].needs: 'gold' is neither a list nor a table; give ["gold_key"] or { coins = 3 }"""),
        (LOOT + LOCK + KEY.format("throne"), "after the start without gold there is no way out"),
        (
            LOOT.replace("path", "one_way = true\npath") + LOCK + KEY.format("a"),
            "after b > loot without gold there is no way out",
        ),
        (
            LOOT.replace("path", "one_way = true\npath") + LOCK.replace("b", "loot") + KEY.format("a"),
            "lock[0].on: ['loot', 'throne'] are not joined",
        ),
        (
            LOOT + '[[connection]]\npath = ["gate", "b"]\n' + LOCK.replace('"b", "throne"', '"a", "b"') + KEY.format("a"),
            "lock a - b can be walked around: both rooms can be reached without opening it; set optional = true",
        ),
        (LOOT + '[[rule]]\nname = "detuor"\n', "rule[0].name: unknown rule 'detuor'; did you mean detour?"),
        (LOOT + '[[rule]]\nname = "fork"\ntimes = true\n', "rule[0].times: True is not a number of times; give a number"),
        (LOOT + '[[rule]]\nname = "fork"\ntimes = "two"\n', "rule[0].times: 'two' is not a number of times; give a number"),
        (LOOT + "[zones]\n", "zones: unknown key; did you mean zone?"),
        (LOOT + '[pacing]\ncurve = ["fihgt"]\n', "pacing.curve[0]: unknown beat 'fihgt'; did you mean fight?"),
        ("[[room]]\nid = 3\nkind = \"normal\"\n", "room[5].id: 3 is not the id of a room"),
    ],
)  # fmt: skip
def test_a_bad_flow_is_refused_with_its_place_or_its_story(more: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(SMALL + more)
    with pytest.raises(SpecError) as refused:
        load_flow(str(path), shipped_kit())
    assert message in str(refused.value) and "own.toml" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_cost_is_paid_with_keys_that_lie_before_it(tmp_path: Path) -> None:
    """Coins for the throne and the loot, one of them short: whoever buys the loot first is stuck."""
    path = tmp_path / "own.toml"
    loot = LOOT + '[[lock]]\non = ["b", "loot"]\nneeds = { gold = 2 }\n'
    path.write_text(SMALL + loot + LOCK.replace('["gold"]', "{ gold = 3 }") + PAID.format(4))
    with pytest.raises(SpecError, match=r"after taking gold in a.* opening b - loot .*there is no way out"):
        load_flow(str(path), shipped_kit())
    path.write_text(path.read_text().replace("count = 4", "count = 5"))
    level = generate("gungeon", 1, flow=str(path))
    assert problems(level) == []
    assert sorted(door.needs for door in level.doors if door.needs) == [("gold",) * 2, ("gold",) * 3]
    assert [key.properties["opens"] for key in level.markers if key.kind == "key"] == ["gold"] * 5
    poor = replace(level, markers=tuple(key for key in level.markers if key.kind != "key" or key.id % 2))
    assert "nobody-gets-stuck" in {problem.check for problem in problems(poor)}


@pytest.mark.parametrize(
    ("times", "read"),
    [("0", (0, 0)), ("[0, 2]", (0, 2)), ("2", (2, 2)), ("[20, 20]", (20, 20)), ("20", (20, 20))],
)
def test_a_rule_may_be_used_any_number_of_times_and_also_never(
    times: str, read: tuple[int, int], tmp_path: Path
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'{SMALL}{LOOT}[[rule]]\nname = "fork"\ntimes = {times}\n')
    assert [use.times for use in load_flow(str(path), shipped_kit()).uses] == [read]


@pytest.mark.parametrize("times", ["-1", "[2, 1]", "1000", "[-1, 1]"])
def test_a_number_of_times_that_cannot_be_is_refused(times: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'{SMALL}{LOOT}[[rule]]\nname = "fork"\ntimes = {times}\n')
    with pytest.raises(SpecError, match=r"rule\[0\].times"):
        load_flow(str(path), shipped_kit())


def test_what_cannot_be_drawn_is_refused_by_the_name_of_the_connection(tmp_path: Path) -> None:
    names = "vwxyz"
    rooms = "".join(f'[[room]]\nid = "{name}"\nkind = "normal"\n' for name in names)
    ways = [f'[[connection]]\npath = ["{a}", "{b}"]\n' for i, a in enumerate(names) for b in names[:i]]
    path = tmp_path / "five.toml"
    path.write_text(SMALL + LOOT + '[[connection]]\npath = ["a", "v"]\n' + rooms + "".join(ways))
    with pytest.raises(
        SpecError, match=r"five.toml: two of the connections w - v, x - v, .* and z - y must cross"
    ):
        load_flow(str(path), shipped_kit())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"flow": "decsent"}, "flow: unknown flow 'decsent'; did you mean descent?"),
        ({"flow": "descent 0"}, "flow: the weight of 'descent' is out of range \\(1 to 1000\\)"),
        ({"flow": "descent", "rooms": 20}, "flow: 'descent' cannot be used with rooms = 20"),
        ({"flow": "nowhere.toml"}, "nowhere.toml: cannot be read"),
        (
            {"flow": "0123456789abcdef"},
            "is a digest, which a level stores in place of a file; give that file",
        ),
    ],
)
def test_a_bad_value_is_refused_in_a_line(values: dict[str, object], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        generate("gungeon", 1, **values)


def test_a_rule_of_ones_own_is_applied(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        SMALL
        + LOOT
        + '[[rule]]\nname = "porch"\non = "normal-boss"\n'
        + '[own_rule.porch]\nroom = [{ id = "p", kind = "normal", tags = ["foyer"] }]\n'
        + 'connection = [{ path = ["A", "p", "B"] }]\n'
    )
    grown = grow(load_flow(str(path), shipped_kit()), 3)
    assert [room.id for room in grown.rooms][-1] == "porch1_p"
    assert {(one.a, one.b) for one in grown.connections} >= {("b", "porch1_p"), ("porch1_p", "throne")}
    level = generate("gungeon", 3, flow=str(path))
    fights = {marker.room for marker in level.markers if marker.kind == "enemy"}
    assert len(level.rooms) - 1 not in fights and level.rooms[-1].difficulty == 0


def test_a_rule_that_fits_nowhere_fails_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(SMALL + LOOT + '[[rule]]\nname = "detour"\non = "shop-shop"\n')
    with pytest.raises(GenerationFailed, match="the rule detour found no shop-shop connection"):
        generate("gungeon", 1, flow=str(path))


def test_rooms_behind_secret_doors_are_reached_through_them_alone() -> None:
    seed = next(seed for seed in range(50) if hidden_rooms(planned("descent", seed)))
    flow, level = planned("descent", seed), generate("gungeon", seed, flow="descent")
    assert problems(level) == []
    for room, each in zip(level.rooms, flow.rooms, strict=True):
        doors = [door.kind for door in level.doors if door.rooms[0] == room.id]
        assert (
            (each.id in hidden_rooms(flow))
            == (room.distance is None)
            == SHIPPED.secret_doors.issuperset(doors)
        )


def test_zones_reach_rooms_and_their_enemies(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    zoned = SMALL.replace('id = "b"\nkind = "normal"', 'id = "b"\nkind = "normal"\nzone = "vault"')
    path.write_text(zoned + LOOT + '[zone.vault]\nfloor = "crypt"\nchapter = "cellar"\n')
    level = generate("gungeon", 2, flow=str(path), enemy_stages=(11, 12))
    assert [room.zone for room in level.rooms] == ["", "", "vault", "", ""]
    assert level.facts["zone.vault"] == "cellar" and level.facts["zone.vault.floor"] == "crypt"
    assert problems(level) == []


def test_a_zone_has_a_chapter_of_the_kit(tmp_path: Path) -> None:
    """And no other: a kit of its own has none of the shipped ones."""
    own, bare = tmp_path / "frost", Path(__file__).parents[5] / "docs/examples/orbital"
    write_kit(own, '[chapter.frost]\nreplaces = "keep"\nvariant = "third"\npools = ["keep"]\n')
    zone = SMALL.replace('id = "b"\nkind = "normal"', 'id = "b"\nkind = "normal"\nzone = "cold"') + LOOT
    path = tmp_path / "own.toml"
    path.write_text(f'{zone}[zone.cold]\nchapter = "frost"\n')
    level = generate("gungeon", 2, flow=str(path), kit=str(own))
    assert level.facts["zone.cold"] == "frost" and problems(level) == []
    for kit in ("", str(bare)):
        with pytest.raises(SpecError, match=r"zone.cold.chapter: unknown chapter 'frost'"):
            generate("gungeon", 2, flow=str(path), kit=kit)
    zones = [flow_schema(read_kit(each))["properties"]["zone"] for each in (own, bare)]
    chapters = [each["additionalProperties"]["properties"]["chapter"]["enum"] for each in zones]
    assert "frost" in chapters[0] and chapters[1] == []


CROWDS = """
[[crowd.gungeon]]
danger = 0
difficulty = 1
enemies = [2, 3]
roles = { walker = 1 }
[[crowd.gungeon]]
danger = 90
difficulty = 20
enemies = [7, 9]
roles = { walker = 1 }
"""


@pytest.mark.parametrize("share", [0, 100])
def test_a_rooms_difficulty_is_one_of_the_kits_crowds(share: int, tmp_path: Path) -> None:
    """In a kit whose crowds are the easy and the deadly, the first room of this flow is deadly."""
    kit, path = write_kit(tmp_path / "kit", CROWDS), tmp_path / "own.toml"
    path.write_text(SMALL.replace('id = "a"\nkind = "normal"', 'id = "a"\nkind = "normal"\ndifficulty = "deadly"') + LOOT)  # fmt: skip
    level = generate("gungeon", 2, flow=str(path), kit=str(kit), procedural_share=share)
    assert [room.difficulty for room in level.rooms if room.kind == "normal"] == [20, 1]
    again = reroll(level, room=1, kit=str(kit))
    assert again.rooms[1].difficulty == 20 and problems(level) == problems(again) == []


@pytest.mark.parametrize("name", FLOWS)
def test_levels_of_a_kit_pass_the_checks_though_only_the_kit_knows_its_difficulties(name: str) -> None:
    kit = Path(__file__).parents[5] / "docs/examples/garden"
    assert problems(generate("gungeon", 1, flow=name, kit=str(kit))) == []


def test_backtracking_is_what_the_way_to_the_key_costs(tmp_path: Path) -> None:
    """gate - a - b - throne with the key in loot beside a: out of loot one comes through a again."""
    path = tmp_path / "own.toml"
    path.write_text(SMALL + LOOT.replace("b", "a") + LOCK + KEY.format("loot"))
    level = generate("gungeon", 2, flow=str(path))
    assert backtracking(level) == 1
    facts = {
        name: ask(name).of(Subject(load_spec("gungeon").replace({"flow": str(path)}), 2)) for name in ASKED
    }
    assert facts == {"keys": 1, "locks": 1, "loops": 0, "one_ways": 0, "shortcuts": 0, "backtracking": 1}
    assert [backtracking(generate(style, 3)) for style in ("isaac", "gungeon")] == [0, 0]


def test_shortcuts_are_told_where_there_are_some() -> None:
    spec = load_spec("gungeon").replace({"flow": "shortcut"})
    level = generate(spec, 2)
    opened = sum(door.opens_from is not None for door in level.doors)
    assert level.facts["shortcuts"] == ask("shortcuts").of(Subject(spec, 2)) == opened == 3
    assert "shortcuts" not in generate("gungeon", 2, flow="rings").facts


@pytest.mark.parametrize(("name", "seed"), [("gauntlet", 19), ("rings", 4), ("hub", 24)])
def test_no_hallway_winds_round_the_level_where_another_drawing_has_short_ones(name: str, seed: int) -> None:
    """The first drawing of these seeds has one of more than three and a half rooms."""
    plan = generate("gungeon", seed, flow=name, until="floorplan")
    side = sum(room.bounds.width + room.bounds.height for room in plan.rooms) / (2 * len(plan.rooms))
    assert max(len(hallway.path) for hallway in plan.hallways) <= 3.5 * side
    assert plan.tries > 1


def test_a_room_that_is_rolled_again_keeps_its_key_and_its_kind() -> None:
    level = generate("gungeon", 3, flow="lock_and_key")
    (key,) = (marker for marker in level.markers if marker.kind == "key")
    assert key.room is not None
    rolled = reroll(level, room=key.room, what="layout")
    assert rolled != level and problems(rolled) == []
    (again,) = (marker for marker in rolled.markers if marker.kind == "key")
    assert (again.room, again.properties) == (key.room, key.properties)
    boss = next(room.id for room in level.rooms if room.kind == "boss")
    for room in (key.room, boss):
        with pytest.raises(RerollError, match="the flow of the level says what kind it is"):
            reroll(level, room=room, what="kind")


@pytest.mark.soak
@pytest.mark.parametrize("name", FLOWS)
def test_thousands_of_levels_hold_what_they_promise(name: str) -> None:
    """2,500 levels of each flow: none fails, nobody gets stuck in any, and at most five tries for 99 of 100."""
    tries = []
    for seed in range(2_500):
        tries.append(generate("gungeon", seed, flow=name, until="floorplan").tries)
        assert flow_problem(planned(name, seed)) is None
        if seed % 5 == 0:
            assert problems(generate("gungeon", seed, flow=name)) == [], seed
    assert sorted(tries)[len(tries) * 99 // 100] <= 5
