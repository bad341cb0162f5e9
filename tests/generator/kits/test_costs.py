"""Doors of a kit that cost something: their keys lie before them in every style, and nobody gets stuck."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator import Level, RerollError, SpecError, generate, reroll
from generator.checks import problems
from generator.kinds import read_kit
from generator.kinds.kit_problems import kit_problems
from generator.level_file import level_from_dict

from .base import write_kit

TOLL = """
[door.toll]
needs = { coins = 3 }
[room.shop]
glyph = "$"
color = "#ffcc00"
door = "toll"
off_the_way = true
markers = { shopkeeper = "1", ware = "1.." }
[room.shop.gungeon]
spec = "shop"
rooms = [1, 1]
furnisher = "shop"
width = [13, 15]
height = [11, 13]
"""
LOCKS = {"plan.locks": [1, 1], "plan.shortcuts": [1, 1]}


@pytest.fixture
def toll(tmp_path: Path) -> str:
    return str(write_kit(tmp_path / "toll", TOLL))


def coins(level: Level) -> list[int]:
    """The rooms with a coin."""
    return [
        key.room for key in level.markers if key.properties.get("opens") == "coins" and key.room is not None
    ]


@pytest.mark.parametrize(
    ("style", "values"),
    [("isaac", {}), ("isaac", LOCKS), ("rebirth", {"stage": 2}), ("gungeon", {}), ("gungeon", {"flow": "hub"})],
)  # fmt: skip
def test_a_level_has_the_coins_that_its_doors_cost(style: str, values: dict[str, object], toll: str) -> None:
    for seed in (1, 2):
        level = generate(style, seed, kit=toll, **values)
        assert problems(level) == []
        paid = [door for door in level.doors if door.kind == "toll" and door.needs]
        assert {door.needs for door in paid} == {("coins",) * 3} and len(coins(level)) == 3 * len(paid)
        assert "shop" not in {level.rooms[room].kind for room in coins(level)}
        assert problems(level_from_dict(level.to_dict())) == []


def test_a_coin_less_or_a_door_for_nothing_is_a_problem(toll: str) -> None:
    level = generate("gungeon", 1, kit=toll)
    door = next(door for door in level.doors if door.needs)
    doors = tuple(replace(each, needs=()) if each == door else each for each in level.doors)
    free = [str(problem) for problem in problems(replace(level, doors=doors))]
    assert any("a door of the kind toll costs 3 coins, but asks for nothing" in message for message in free)
    lost = next(key.id for key in level.markers if key.properties.get("opens") == "coins")
    markers = tuple(key for key in level.markers if key.id != lost)
    found = {problem.check: str(problem) for problem in problems(replace(level, markers=markers))}
    assert "cannot be reached from the start" in found["nobody-gets-stuck"]


def test_a_flow_pays_with_coins_of_its_own_name_only_if_they_are_used_up(toll: str, tmp_path: Path) -> None:
    flow = tmp_path / "own.toml"
    rooms = "".join(
        f'[[room]]\nid = "{name}"\nkind = "{kind}"\n'
        for name, kind in zip("sabz", ("start", "normal", "shop", "boss"), strict=True)
    )
    ways = '[[connection]]\npath = ["s", "a", "z"]\n[[connection]]\npath = ["a", "b"]\n'
    key = '[[key]]\nname = "coins"\nroom = "a"\n'
    flow.write_text(f'[flow]\nname = "own"\n{rooms}{ways}{key}')
    with pytest.raises(
        SpecError, match=r"own\.toml: key coins: doors of the kit cost some, which are used up"
    ):
        generate("gungeon", 1, kit=toll, flow=str(flow))


def test_a_room_behind_such_a_door_stays_what_it_is(toll: str) -> None:
    level = generate("gungeon", 1, kit=toll)
    shop = next(room.id for room in level.rooms if room.kind == "shop")
    with pytest.raises(RerollError, match="its doors cost keys"):
        reroll(level, room=shop, what="kind", kit=toll)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ('secret = true\n[room.shop]\nglyph = "$"', "door.toll.needs: nobody pays at a door that is hidden; leave secret out"),
        ('[room.start]\nglyph = "s"\ndoor = "toll"\nmarkers = { player_start = "1" }', "door.toll.needs: is the door of room.start, which holds the keys"),
        ("[door.locked]\nneeds = { coins = 1 }", "door.locked.needs: doors of this kind ask for what a flow or a plan says"),
    ],
)  # fmt: skip
def test_a_door_that_nobody_could_pay_at_is_a_problem(rows: str, says: str, tmp_path: Path) -> None:
    kit = write_kit(tmp_path, f"[door.toll]\nneeds = {{ coins = 3 }}\n{rows}")
    assert any(says in line for line in kit_problems(kit)), kit_problems(kit)


def test_the_kinds_of_a_level_know_the_cost(toll: str) -> None:
    assert read_kit(toll).kinds.costs == {"toll": ("coins",) * 3}
