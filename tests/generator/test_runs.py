"""Runs: what a stage remembers, whom one meets, and that each stage can be made alone."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exporters
from generator import (
    GungeonSpec,
    IsaacSpec,
    Level,
    Marker,
    Memory,
    RebirthSpec,
    Run,
    RunStage,
    SpecError,
    State,
    generate,
    load_level,
    problems,
    reroll,
    run,
)
from generator.interiors.chapters import boss_names, main_chapter
from generator.kinds import ROOM_KINDS, shipped_kit
from generator.rerolls.exits import with_exit
from generator.rng import Stream
from generator.spec.game import MAX_SEEN
from generator.styles.base import Style
from generator.styles.grid.furnish import names_in_rooms
from generator.styles.grid.pools import chapter_of
from generator.styles.gungeon.spec import GungeonMemory, GungeonState
from generator.styles.registry import style
from tests.generator.kits.base import write_kit

STYLES = ("isaac", "rebirth")


def layouts(level: Level) -> list[str]:
    return [room.layout.partition("+")[0] for room in level.rooms]


def unlike_red(level: Level) -> list[str]:
    """The layouts of the rooms that a run counts: not the passages that a red key opens."""
    return [layout for layout in layouts(level) if not layout.startswith("red/")]


def bosses(level: Level, rank: str) -> list[str]:
    return [str(m.properties["name"]) for m in level.markers if m.properties.get("rank") == rank]


@pytest.fixture(scope="module", params=[(name, seed) for name in STYLES for seed in (1, 2)], ids=str)
def played(request: pytest.FixtureRequest) -> tuple[Run, list[Level]]:
    name, seed = request.param
    made = run(name, seed)
    return made, list(made)


def test_a_run_has_all_stages(played: tuple[Run, list[Level]]) -> None:
    made, levels = played
    assert [level.spec.to_dict()["stage"] for level in levels] == list(range(1, 13))
    assert [level.spec.to_dict()["memory"]["place"] for level in levels] == list(range(1, 13))
    assert len(made) == 12 and {level.seed for level in levels} == {made.seed(5)}


def test_a_stage_remembers_what_those_before_it_showed(played: tuple[Run, list[Level]]) -> None:
    _, levels = played
    seen: list[str] = []
    met: list[str] = []
    kinds: list[str] = []
    for level in levels:
        memory = level.spec.memory  # type: ignore[attr-defined]
        assert (memory.layouts, memory.bosses) == (tuple(sorted(seen)), tuple(sorted(met)))
        assert memory.special_rooms == tuple(sorted(kinds))
        seen += layouts(level)
        met += bosses(level, "boss")
        kinds += [room.kind for room in level.rooms if room.kind not in ("start", "normal")]


def test_nobody_is_met_twice(played: tuple[Run, list[Level]]) -> None:
    _, levels = played
    for rank in ("boss", "mini"):
        met = [name for level in levels for name in bosses(level, rank)]
        assert len(met) == len(set(met)) > 1


def test_a_run_shows_more_layouts_than_its_stages_made_alone(played: tuple[Run, list[Level]]) -> None:
    _, levels = played
    seen = Counter(layout for level in levels for layout in unlike_red(level))
    apart = [generate(_without_memory(level), level.seed) for level in levels]
    alone = Counter(layout for level in apart for layout in unlike_red(level))
    assert max(seen.values()) <= 3 <= max(alone.values())
    assert len(seen) > len(alone) + 15


def _without_memory(level: Level) -> IsaacSpec | RebirthSpec:
    spec = level.spec
    assert isinstance(spec, IsaacSpec | RebirthSpec)
    return dataclasses.replace(spec, memory=Memory())


def test_each_stage_is_made_again_alone(played: tuple[Run, list[Level]], tmp_path: Path) -> None:
    made, levels = played
    exporters.export(levels[6], "json", name="x").write(tmp_path)
    saved = load_level(tmp_path / "x.level.json")
    assert saved == levels[6] == generate(saved.spec, saved.seed)
    assert Run(made.stages).level(7) == levels[6]
    ahead = run(saved.spec, saved.seed)
    assert len(ahead) == 6 and ahead.level(2) == levels[7]


@pytest.mark.parametrize("name", STYLES)
def test_a_boss_keeps_the_name_when_the_room_is_rolled_again(name: str) -> None:
    level = run(name, 5).level(4)
    room = next(room.id for room in level.rooms if room.kind == "boss")
    rolled = reroll(level, room=room, times=2)
    assert rolled.rooms[room].layout != level.rooms[room].layout
    assert bosses(rolled, "boss") == bosses(level, "boss")
    assert [exit_.properties["to"] for exit_ in exits(rolled)] == ["5"]
    assert generate(rolled.spec, rolled.seed, rerolls=rolled.rerolls) == rolled


# --- exits ------------------------------------------------------------------------------------------------


def exits(level: Level) -> list[Marker]:
    return [marker for marker in level.markers if marker.kind == "exit"]


def test_each_level_has_one_exit_which_leads_to_the_next(played: tuple[Run, list[Level]]) -> None:
    _, levels = played
    assert [[exit_.properties["to"] for exit_ in exits(level)] for level in levels] == [
        [to] for to in (*map(str, range(2, 13)), "end")
    ]
    for level in levels:
        room = level.rooms[exits(level)[0].room or 0]
        assert room.kind == "boss"
        assert room.distance == max(one.distance or 0 for one in level.rooms if one.kind == "boss")


@pytest.mark.parametrize("kind", ["boss", "normal"])
def test_an_exit_is_placed_where_none_is_drawn(kind: str) -> None:
    """In the boss room, or in the furthest room of a level without one."""
    level = run("isaac", 3).level(2)
    rooms = [replace(room, kind=kind) if room.kind == "boss" else room for room in level.rooms]
    bare = tuple(marker for marker in level.markers if marker.kind != "exit")
    placed = with_exit(replace(level, markers=bare, rooms=tuple(rooms)))
    (exit_,) = exits(placed)
    assert exit_.room is not None and placed.rooms[exit_.room].kind == kind
    if kind == "normal":
        assert placed.rooms[exit_.room].distance == max(room.distance or 0 for room in level.rooms)
    of_exits = ("markers-", "exit-", "rooms-can-be-crossed", "reached-on-foot")
    assert not [
        found for found in problems(placed) if found.check.startswith(of_exits) and "boss" not in found.what
    ]
    assert with_exit(placed) == placed


def test_in_which_order_rooms_are_rolled_again_does_not_matter_to_the_exit() -> None:
    level = run("rebirth", 1).level(12)  # with six boss rooms
    first, *_, last = [room.id for room in level.rooms if room.kind == "boss"]
    rolled = reroll(reroll(level, room=first), room=last)
    assert rolled == reroll(reroll(level, room=last), room=first) and len(exits(rolled)) == 1


def test_a_level_outside_of_a_run_keeps_the_exits_of_its_layouts() -> None:
    level = generate("isaac", 7)
    assert with_exit(level) is level and [dict(exit_.properties) for exit_ in exits(level)] == [
        {"to": "next"}
    ]


def test_a_single_stage_has_no_memory() -> None:
    level = generate("isaac", 7)
    assert "memory" not in level.to_dict()["spec"]
    assert generate("isaac", 7, memory={"place": 0}) == level
    assert run("isaac", 7).level(1).spec.saved()["memory"]["place"] == 1


# --- names ------------------------------------------------------------------------------------------------


def names(chapter: str, rank: str, met: Collection[str] = ()) -> list[str]:
    return list(boss_names(chapter, rank, met, Stream(3, "x"), shipped_kit()))


@pytest.mark.parametrize("rank", ["bosses", "mini_bosses"])
def test_no_name_stands_twice_and_every_chapter_begins_with_its_own(rank: str) -> None:
    rows = shipped_kit().rules.chapters.items()
    orders = {name: names(name, rank) for name, row in rows if row.bosses or row.mini_bosses}
    assert all(len(order) == len(set(order)) for order in orders.values())
    assert len({frozenset(order) for order in orders.values()}) == 2  # one for each path
    least = (
        4 if rank == "bosses" else 3
    )  # a labyrinth's two and the next stage's one; a mini-boss and two more
    firsts = [name for order in orders.values() for name in order[:least]]
    assert len(firsts) == len(set(firsts))


def test_who_was_met_comes_last() -> None:
    order = names("mines", "bosses")
    met = {*order[:2], order[10]}
    again = names("mines", "bosses", met)
    assert again[:2] == order[2:4] and set(again[-3:]) == met


def test_the_games_pool_of_bosses_fills_again_and_some_bosses_are_fixed() -> None:
    """With `reading = "game"`: own bosses that were met come before others', and even late stages have the last one."""
    own = shipped_kit().rules.chapters["mines"].bosses
    order = list(boss_names("mines", "bosses", own, Stream(3, "x"), shipped_kit(), own_again=True))
    assert set(order[: len(own)]) == set(own) and len(order) == len(set(order))
    for path in (False, True):
        for stage in (2, 4, 6, 8, 10, 12):
            alternate = path and stage <= 8
            spec = RebirthSpec(stage=stage, reading="game", alternate_path=alternate)
            row = shipped_kit().rules.chapters[main_chapter(chapter_of(spec, 7).name, shipped_kit())]
            names = [name for room in names_in_rooms(spec, 7, row.name, ["boss"]) for name in room]
            assert bool(row.last_boss) == (stage >= 6)
            assert names == [row.last_boss] if row.last_boss else names[0] in row.bosses
            assert (
                row.last_boss
                not in names_in_rooms(spec.replace({"reading": "wiki"}), 7, row.name, ["boss"])[0]
            )


# --- the state --------------------------------------------------------------------------------------------


def test_no_stage_is_planned_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither for what it carries over nor for its level."""
    planned: list[str] = []

    def counted(name: str) -> Style:
        chosen = style(name)

        def plan(spec: Any, seed: int) -> Any:
            planned.append(f"{name} {spec.stage}")
            return chosen.plan(spec, seed)

        return chosen._replace(plan=plan)

    monkeypatch.setattr("generator.runs.style", counted)
    stages = run("rebirth", 4, stage=9)
    assert len(list(stages)) == len(stages) == len(planned) == len({*planned})


def test_what_rooms_give_is_known() -> None:
    known = {field.name for field in dataclasses.fields(RebirthSpec().state)}
    carried = shipped_kit().rules.carried
    assert carried.keys() <= set(ROOM_KINDS)
    for gift in chain(*carried.values()):
        assert {*gift.needs, *gift.gives, *gift.sets} <= known


def test_the_state_is_that_of_a_player_who_gets_on() -> None:
    states = [run("rebirth", seed).spec(7).state for seed in range(1, 13)]  # type: ignore[attr-defined]
    assert any(state.coins >= 5 for state in states) and any(state.keys >= 2 for state in states)
    assert {state.full_health for state in states} == {True, False}
    assert {state.mini_boss_met for state in states} == {True, False}
    assert all(1 <= state.red_hearts <= state.heart_containers for state in states)


def test_what_a_stage_keeps_for_itself_is_not_carried_over() -> None:
    stages = [RunStage(IsaacSpec(stage=1), 7), RunStage(IsaacSpec(stage=2), 7, (("state.coins", 42),))]
    spec = Run(stages).spec(2)
    assert isinstance(spec, IsaacSpec) and spec.state.coins == 42 and spec.memory.place == 2


def test_stages_of_several_styles_share_what_both_know() -> None:
    specs = [RebirthSpec(), GungeonSpec(rooms=5), IsaacSpec(stage=2)]
    mixed = Run(RunStage(spec, 7) for spec in specs)
    second, last = mixed.spec(2), mixed.spec(3)
    assert isinstance(second, GungeonSpec) and second.memory.place == 2
    assert isinstance(last, IsaacSpec) and type(last.state) is State and type(last.memory) is Memory
    assert last.memory.place == 3 and set(layouts(mixed.level(1))) < set(last.memory.layouts)


def test_what_a_stage_does_not_know_is_kept_for_those_that_do(tmp_path: Path) -> None:
    kit = write_kit(tmp_path, '[state.relics]\nrange = [0, 9]\nhelp = "relics"')
    met = GungeonMemory(place=3, injections=("locked_chest",))
    first = GungeonSpec(rooms=2, kit=str(kit), memory=met, state=GungeonState(own=(("relics", 4),)))
    mixed = Run(RunStage(spec, 7) for spec in (first, IsaacSpec(), GungeonSpec(rooms=2), first))
    third, last = mixed.spec(3), mixed.spec(4)
    assert isinstance(third, GungeonSpec) and isinstance(last, GungeonSpec)
    assert (third.memory.place, third.memory.injections) == (5, met.injections)
    assert not third.state.own and last.state.own == (("relics", 4),)
    assert last.memory.injections == met.injections and len(last.memory.layouts) > len(third.memory.layouts)


# --- what is refused --------------------------------------------------------------------------------------


def test_a_style_without_stages_has_no_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    without = style("gungeon")._replace(run_rules=None)
    with (
        monkeypatch.context() as patched,
        pytest.raises(SpecError, match=r"^run: the style gungeon has no s"),
    ):
        patched.setattr("generator.runs.style", lambda _: without)
        run("gungeon", 7)
    with pytest.raises(SpecError, match=r"^run: 13 is not a level of this run; give 1 to 12$"):
        run("isaac", 7).spec(13)


def test_the_other_path_leads_back_to_the_main_one() -> None:
    made = run("rebirth", 7, alternate_path=True)
    paths = [stage.spec.to_dict()["alternate_path"] for stage in made.stages]
    assert paths == [True] * 8 + [False] * 4


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        ({"place": -1}, r"memory.place: -1 is not a whole number from 0 to 10000; give "),
        ({"place": True}, r"memory.place: True is not"),
        ({"layouts": ["a"]}, r"memory.layouts: is for a level of a run; set memory.place too"),
        ({"last": True}, r"memory.last: is for a level of a run; set memory.place too"),
        ({"place": 1, "last": 1}, r"memory.last: 1 is neither true nor false; give one of them"),
        ({"place": 1, "layouts": "a"}, r"memory.layouts: 'a' is not a list of texts, such as"),
        ({"place": 1, "bosses": [3]}, r"memory.bosses: 3 is not text of 1 to 256 characters; copy "),
        ({"place": 1, "bosses": ["a\n"]}, r"memory.bosses: 'a\\n' is not text"),
        ({"place": 1, "layouts": ["a"] * 1001}, r"memory.layouts: has 1001 texts; give at most 1000"),
        ({"layout": []}, r"memory.layout: unknown key; did you mean memory.layouts\?"),
        (3, r"memory: 3 is not a table"),
    ],
)
def test_a_bad_memory_is_reported_in_one_line(memory: object, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        generate("isaac", 7, memory=memory)


@given(st.lists(st.text("abcdef", min_size=1, max_size=3), max_size=3000))
def test_a_memory_is_bounded_and_keeps_what_was_seen_most(seen: list[str]) -> None:
    memory = Memory(place=1).with_seen(seen)
    kept, counts = Counter(memory.layouts), Counter(seen)
    assert len(memory.layouts) <= MAX_SEEN
    if len(seen) <= MAX_SEEN:
        assert kept == counts
    for some, other in zip(kept, list(kept)[1:], strict=False):
        assert kept[some] - kept[other] == counts[some] - counts[other]


def test_only_exits_of_a_run_leave_gaps_in_the_ids_of_markers() -> None:
    level = generate("isaac", 1, curse="labyrinth", memory=Memory(place=1))
    ids = [marker.id for marker in level.markers]
    (gap,) = set(range(ids[-1])) - set(ids)  # the first boss has lost its exit
    assert {level.rooms[m.room or 0].kind for m in level.markers if abs(m.id - gap) == 1} & {"boss"}
    last = [marker for marker in level.markers if marker.kind == "exit"]
    added = [replace(marker, id=level.terrain.size + (marker.room or 0)) for marker in last]
    enemies = [marker for marker in level.markers if marker.kind == "enemy"]

    def found(*gone: Marker, extra: Collection[Marker] = ()) -> list[str]:
        left = [marker for marker in level.markers if marker not in gone]
        rules = {"marker-ids-count-up"}
        return [one.check for one in problems(replace(level, markers=(*left, *extra)), rules=rules)]

    assert found() == found(extra=added) == []
    assert found(*enemies[:1]) == found(*enemies[:2], extra=added) == ["marker-ids-count-up"]
    assert found(extra=[replace(enemies[0], id=level.terrain.size)]) == ["marker-ids-count-up"]
