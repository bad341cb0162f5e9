"""Districts: zones of one look in led levels."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import networkx
import numpy as np
import pytest

import generator
from generator import generate, load_spec, problems
from generator.batch.facts import SavedSubject, ask
from generator.checks.record import notes
from generator.errors import KitError, SpecError
from generator.kinds import read_kit
from generator.styles.gungeon import STYLE
from generator.styles.gungeon.districts import looks_beside, with_districts
from generator.styles.gungeon.plan import HeapPlan, edges_of
from tests.generator.kits.base import write_kit


def plan_of(seed: int, **values: object) -> HeapPlan:
    spec = load_spec("gungeon").replace(values)
    return with_districts(spec, STYLE.plan(spec, seed), seed)


def zones_of(plan: HeapPlan) -> dict[str, set[int]]:
    zones: dict[str, set[int]] = {}
    for number, room in enumerate(plan.rooms):
        zones.setdefault(room.zone, set()).add(number)
    return zones


def look_of(plan: HeapPlan, zone: str) -> object:
    return plan.facts.get(f"zone.{zone}.look", "")


@pytest.mark.parametrize(("rooms", "seed"), [(0, 2), (12, 0), (40, 1)])
def test_districts_are_connected_and_differ_from_those_beside_them(rooms: int, seed: int) -> None:
    plan = plan_of(seed, rooms=rooms)
    zones, graph = zones_of(plan), networkx.Graph(edges_of(plan.hallways))
    assert len(zones) > 1 and plan.rooms[0].zone == "district_1" and look_of(plan, "district_1") == ""
    assert all(networkx.is_connected(graph.subgraph(inside)) for inside in zones.values())
    for a, b in edges_of(plan.hallways):
        one, other = plan.rooms[a].zone, plan.rooms[b].zone
        assert one == other or look_of(plan, one) != look_of(plan, other)
    if len(plan.rooms) < 30:
        (boss,) = (room for room in plan.rooms if room.kind == "boss")
        assert boss.zone == "district_2" and 3 * len(zones["district_2"]) <= len(plan.rooms)
    else:
        assert all(8 <= len(inside) <= 30 for inside in zones.values())


def test_a_large_level_has_all_looks_and_few_ways_between_districts() -> None:
    plan = plan_of(0, rooms=200)
    zones = zones_of(plan)
    assert 8 <= len(zones) <= 14 and len({look_of(plan, zone) for zone in zones}) >= 5
    pairs = ((plan.rooms[a].zone, plan.rooms[b].zone) for a, b in edges_of(plan.hallways))
    borders = Counter(frozenset(pair) for pair in pairs if pair[0] != pair[1])
    assert sum(count == 1 for count in borders.values()) >= len(borders) / 2


def test_the_rooms_stay_and_only_looks_and_kinds_of_hallways_change() -> None:
    with_them, without = (generate("gungeon", 3, rooms=12, districts=word) for word in ("led", "none"))
    for room in without.rooms:
        inside = room.bounds.shrunk(1).slices
        assert np.array_equal(with_them.terrain[inside], without.terrain[inside])
    assert [door.tiles for door in with_them.doors] == [door.tiles for door in without.doors]
    assert problems(with_them) == [] == problems(without)
    assert not any(room.zone for room in without.rooms)
    assert [ask("looks").of(SavedSubject(level)) for level in (with_them, without)] == [2, 1]


@pytest.mark.parametrize(("flow", "word", "has"), [("random", "led", False), ("random", "every", True),
                                                   ("hub", "led", False), ("hub", "every", True), ("led", "none", False)])  # fmt: skip
def test_a_word_says_which_levels_have_districts(flow: str, word: str, has: bool) -> None:
    assert any(room.zone for room in plan_of(3, flow=flow, districts=word).rooms) is has


def test_a_level_saved_without_the_value_has_none(tmp_path: Path) -> None:
    level = generate("gungeon", 3, rooms=8)
    assert level.spec.saved()["districts"] == "led"
    assert "districts" not in generate("gungeon", 3, rooms=8, districts="none").spec.saved()
    (tmp_path / "bad.toml").write_text('style = "gungeon"\ndistricts = "yes"')
    with pytest.raises(SpecError, match="districts"):
        load_spec(tmp_path / "bad.toml")


def test_a_level_in_a_chapter_has_its_own_look_first() -> None:
    spec = load_spec("gungeon")
    assert looks_beside(spec) == ("caverns", "depths", "hollow", "keep", "abyss")
    assert looks_beside(spec.replace({"chapter": "ruins"})) == (
        "cellar",
        "caverns",
        "depths",
        "hollow",
        "abyss",
    )
    assert {look_of(plan_of(1, rooms=60, chapter="keep"), f"district_{n}") for n in (2, 3)}.isdisjoint(
        {"keep", ""}
    )


def test_a_kit_names_the_looks_of_districts(tmp_path: Path) -> None:
    rows = '[chapter.cellar]\nbosses = ["Cork"]\ndistricts = ["{}"]\n'
    spec = load_spec("gungeon").replace({"kit": str(write_kit(tmp_path, rows.format("keep")))})
    assert looks_beside(spec) == ("keep",)
    with pytest.raises(
        KitError, match=r"chapter\.cellar\.districts: unknown chapter 'kep'; did you mean keep"
    ):
        read_kit(write_kit(tmp_path, rows.format("kep")))


def test_a_rerolled_room_stays_in_its_district() -> None:
    level = generate("gungeon", 3, rooms=12)
    room = next(room for room in level.rooms if room.zone == "district_2" and room.kind == "normal")
    again = generator.reroll(level, room=room.id)
    assert again.rooms[room.id].zone == "district_2" and again.facts == level.facts
    assert again.fingerprint != level.fingerprint and problems(again) == []


def test_a_look_that_nobody_knows_is_told() -> None:
    level = generate("gungeon", 3, rooms=8)
    assert not list(notes(level))
    odd = replace(level, facts={**level.facts, "zone.district_2.look": "kep"})
    (line,) = notes(odd)
    assert line == "zone.district_2.look: unknown chapter 'kep'; did you mean keep?"
