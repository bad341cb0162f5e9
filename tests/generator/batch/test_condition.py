"""Conditions: what they mean, and that whatever people write there is a line with a caret at worst."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import generate
from generator.batch import facts
from generator.batch.backtracking import backtracking
from generator.batch.condition import Slip, parse_condition
from generator.batch.facts import FACTS, Subject, ask
from generator.kinds import SHIPPED, Kinds
from generator.spec import LevelSpec, load_spec, preset_names
from generator.styles.grid.floorplan import Floorplan

ISAAC = load_spec("isaac").replace({"stage": 4})


def holds(text: str, seed: int = 7) -> bool:
    return parse_condition(text).holds(Subject(ISAAC, seed))


@pytest.mark.parametrize("seed", range(8))
def test_facts_are_those_of_the_level(seed: int) -> None:
    level = generate(ISAAC, seed)
    boss = next(room for room in level.rooms if room.kind == "boss")
    assert holds(f"rooms.boss.distance == {boss.distance} and rooms == {len(level.rooms)}", seed)
    assert holds(f'count("secret") == 1 and width == {level.width} and {level.height} == height', seed)
    enemies = sum(marker.kind == "enemy" for marker in level.markers)
    assert holds(f'markers("enemy") == {enemies} and chapter == "{level.facts["chapter"]}"', seed)
    assert holds('loops == 0 and curse in ["none", "lost"] and not shapes("1x1") != rooms', seed)


def test_what_is_not_there_compares_with_nothing() -> None:
    """A planetarium's distance in the old game: no number is more, less, the same or another."""
    for sign in ("==", "!=", "<", "<=", ">", ">="):
        assert not holds(f"rooms.planetarium.distance {sign} 3")
    assert not holds("rooms.planetarium.distance * 2 - 1 > 0") and not holds("-rooms.planetarium.depth < 0")
    assert holds("not rooms.planetarium.distance > 0")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 < 2 <= 2", True),
        ("1 < 2 < 2", False),
        ("2 * 3 + 1 == 7 and -1 < 0", True),
        ("not (1 == 1 or 2 == 3)", False),
        ("1 in (3, 2)", False),
        ("'a' in ['a', 'b'] and 'c' not in ['a']", True),
        ("1.5 > 1", True),
        ("\t1 <\n2 ", True),
    ],
)
def test_the_language(text: str, value: bool) -> None:
    assert holds(text) is value


@pytest.mark.parametrize(
    ("text", "column", "what"),
    [
        ("loops", 1, "this is a value; compare it with something"),
        ("loops = 2", 7, "write == to compare"),
        ("loops == 1 and", 15, "something is missing here"),
        ("rooms.bos.distance > 2", 1, "did you mean boss?"),
        ("1 == 1 and foo > 1", 12, "unknown fact 'foo'; choose one of rooms"),
        ("curse == lost", 10, 'did you mean longest? (a text needs quotes: "lost")'),
        ("rooms.shop > 1", 1, 'write rooms.shop.distance, or count("shop")'),
        ("count == 1", 1, 'count needs a word, such as count("start")'),
        ('loops("x") == 1', 1, "loops takes no word; write loops alone"),
        ('"ä" == loops', 8, "a text and a number are never equal"),
        ('curse < "b"', 9, "texts have no order"),
        ("loops in 2", 10, "`in` needs a list after it"),
        ("loops == [2]", 10, "a list goes after `in` only"),
        ("loops is 2", 10, "unknown sign before this"),
        ('curse + "x" == 1', 1, "this is not a number"),
        ("loops ** 9 == 1", 1, "only + - * can calculate here"),
        ("count(shop) == 1", 1, 'write count("shop")'),
        ("loops == 1 && rooms > 2", 12, "write and"),
        ("  (loops == 1", 1, "this bracket is never closed"),
        ("loops == 1)", 11, "this bracket closes nothing"),
        ("curse == 'lost", 10, "this text does not end"),
        (
            "rooms.boss.distence > 3",
            1,
            "unknown fact 'rooms.boss.distence'; did you mean rooms.boss.distance?",
        ),
        ('__import__("os") == 1', 1, "unknown fact '__import__'"),
        ("(lambda: 1)() == 1", 1, "not a fact"),
        ("[x for x in 3] == 1", 1, "not a fact"),
        ("rooms.__class__.__mro__ == 1", 1, "unknown fact 'rooms.__class__.__mro__'"),
        ("", 1, "the condition is empty"),
        ("x" * 1001, 1, "1001 characters are too many; write at most 1000"),
        ("loops ==\x00 2", 9, "cannot stand here; write a space instead"),
        ("loops ==\u00a0 2", 9, "(no-break space) cannot stand here"),
    ],
)
def test_slips_have_a_place(text: str, column: int, what: str) -> None:
    with pytest.raises(Slip) as caught:
        parse_condition(text)
    assert str(caught.value).startswith(f"--where: column {column}: ") and what in str(caught.value)
    assert caught.value.caret.splitlines()[-1] == " " * (column - 1) + "^"


def test_brackets_hundreds_deep() -> None:
    with pytest.raises(Slip):
        parse_condition("(" * 450 + "loops == 1" + ")" * 450)
    with pytest.raises(Slip):
        parse_condition("not " * 249 + "loops")


@given(st.text("loopsrmdistancebcountkey.()[]<>=!\"' 0123456789+-*andornti\\#:", max_size=40))
def test_any_text_is_a_condition_or_a_slip(text: str) -> None:
    try:
        parse_condition(text)
    except Slip as slip:
        assert "\n" not in str(slip)


def test_only_what_is_asked_about_is_made() -> None:
    subject = Subject(ISAAC, 7)
    assert parse_condition('count("shop") == 1 and loops == 0').holds(subject)
    assert "level" not in vars(subject)
    assert parse_condition("width > 0").needs_level and not parse_condition("columns > 0").needs_level


@pytest.mark.parametrize(
    ("text", "is_possible"),
    [
        ("rooms == 12", True),
        ('count("shop") == 1 and loops == 0', True),
        ("rooms.boss.distance >= 3", True),
        ("width > 30", False),
        ("rooms == 12 and width > 30", False),
        ('markers("enemy") > 9', False),
    ],
)
def test_what_floorplans_tell_is_asked_of_many_at_once_and_nothing_else(text: str, is_possible: bool) -> None:
    assert (parse_condition(text).in_columns is not None) == is_possible


@pytest.mark.parametrize("preset", preset_names())
def test_every_fact_can_be_asked_of_every_style(preset: str) -> None:
    subject = Subject(load_spec(preset), 3)
    for fact in FACTS.values():
        for word in fact.of or (None,):
            answer = ask(fact.name, word).of(subject)
            assert answer is None or isinstance(answer, str if fact.is_text else int | float), fact.name
    doors = (
        sum(door.kind not in SHIPPED.secret_doors for door in subject.plan.doors)
        if isinstance(subject.plan, Floorplan)
        else 0
    )
    reached = sum(room.distance is not None for room in subject.plan.rooms)
    if doors:
        assert ask("loops").of(subject) == doors - reached + 1


@pytest.mark.parametrize(
    ("style", "values"),
    [
        ("isaac", {"stage": 4, "plan": {"locks": 2, "shortcuts": 1}}),
        ("gungeon", {"flow": "lock_and_key"}),
        ("gungeon", {"flow": "shortcut"}),
        ("rebirth", {}),
        ("isaac", {}),
    ],
)
def test_locks_keys_shortcuts_and_backtracking_are_known_for_every_style(
    style: str, values: dict[str, Any]
) -> None:
    """Counted again from the doors and markers; a level without locks has no backtracking."""
    spec = load_spec(style).replace(values)
    level, subject = generate(spec, 3), Subject(spec, 3)
    keys = sum(bool(marker.properties.get("opens")) for marker in level.markers)
    barred = {door.kind for door in level.doors if door.opens_from is not None}
    assert (ask("keys").of(subject), bool(ask("locks").of(subject))) == (keys, keys > 0)
    assert bool(ask("shortcuts").of(subject)) == bool(barred) == ("shortcut" in str(values))
    assert bool(ask("backtracking").of(subject)) == ("lock" in str(values))


def test_nobody_fetches_keys_through_secret_doors_of_a_kits_own() -> None:
    doors = {**SHIPPED.tables["door"], "open": {"secret": True}}
    level = generate(ISAAC, 7)
    assert backtracking(level) == 0
    assert backtracking(replace(level, kinds=Kinds({**SHIPPED.tables, "door": doors}))) is None


def test_a_level_is_built_from_the_floorplan_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(spec: LevelSpec, seed: int) -> Any:
        made.append(seed)
        return generate(spec, seed, until="floorplan")

    monkeypatch.setattr(facts, "plan_in_turn", counted)
    subject = Subject(load_spec("gungeon"), 3)
    assert subject.markers["boss"] and subject.kinds["boss"]
    assert made == [3]
    assert subject.level.fingerprint == generate("gungeon", 3).fingerprint


@pytest.mark.parametrize("flow", ["hub", "lock_and_key"])
def test_shares_of_rooms_are_those_of_the_plan(flow: str) -> None:
    """Counted again by hand from the rooms and connections, for levels with dead ends and loops."""
    subject = Subject(load_spec("gungeon").replace({"flow": flow}), 3)
    rooms, ends = subject.plan.rooms, [room for pair in subject.plan.connections for room in pair]
    boss = max(room.distance or 0 for room in rooms if room.kind == "boss")
    assert ask("linearity").of(subject) == pytest.approx((boss + 1) / len(rooms), abs=0.0005)
    alone = sum(ends.count(room) == 1 for room in range(len(rooms)))
    assert ask("dead_end_share").of(subject) == pytest.approx(alone / len(rooms), abs=0.0005)
