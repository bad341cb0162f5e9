"""Doors of a kit that cost something: their keys lie before them in every style, and nobody gets stuck."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator import GenerationFailed, Level, RerollError, SpecError, generate, reroll
from generator.checks import problems
from generator.kinds import read_kit
from generator.kinds.kit_problems import kit_problems
from generator.level_file import level_from_dict
from tests.commands import undercroft

from .base import write_kit
from .test_docs import KITS, blocks

TOLL = next(block for block in blocks(KITS, "toml") if "[door.toll]" in block)
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


@pytest.mark.parametrize(("name", "keys"), [("boss_key", "own"), ("small_key", "alike")])
def test_a_cost_can_have_the_name_of_a_plans_key_only_if_that_is_used_up(
    name: str, keys: str, tmp_path: Path
) -> None:
    kit = str(write_kit(tmp_path, TOLL.replace("coins", name)))
    values = {"kit": kit, "plan.locks": [2, 2], "plan.keys": keys}
    if keys == "alike":
        assert problems(generate("isaac", 1, **values)) == []
        return
    with pytest.raises(SpecError) as failed:
        generate("isaac", 1, **values)
    assert str(failed.value) == (
        "plan: key boss_key: lasts, but the kit's row door.toll.needs uses up keys of this name; "
        'give the cost another name, or plan.keys = "alike"'
    )


def test_a_coin_less_or_a_door_for_nothing_is_a_problem(toll: str) -> None:
    level = generate("gungeon", 1, kit=toll)
    door = next(door for door in level.doors if door.needs)
    doors = tuple(replace(each, needs=()) if each == door else each for each in level.doors)
    free = [str(problem) for problem in problems(replace(level, doors=doors))]
    assert any("a door of the kind toll costs 3 coins, but asks for nothing" in message for message in free)
    dear = tuple(replace(each, needs=("coins",) * 4) if each == door else each for each in level.doors)
    assert [
        str(problem)
        for problem in problems(replace(level, doors=dear))
        if problem.check != "nobody-gets-stuck"
    ] == [
        f"door {door.id}: costs 4 coins, but there are only 3 [keys-fit-locks]",
        f"door {door.id}: a door of the kind toll costs 3 coins, but asks for 4 coins [keys-fit-locks]",
    ]
    lost = next(key.id for key in level.markers if key.properties.get("opens") == "coins")
    markers = tuple(key for key in level.markers if key.id != lost)
    found = {problem.check: str(problem) for problem in problems(replace(level, markers=markers))}
    assert "cannot be reached from the start" in found["nobody-gets-stuck"]
    assert "costs 3 coins, but there are only 2" in found["keys-fit-locks"]


def own_flow(folder: Path, ways: str) -> str:
    """A flow of a start, a normal room, a boss and a shop, and what joins them."""
    rooms = "".join(
        f'[[room]]\nid = "{name}"\nkind = "{kind}"\n'
        for name, kind in zip("sabz", ("start", "normal", "boss", "shop"), strict=True)
    )
    flow = folder / "own.toml"
    flow.write_text(f'[flow]\nname = "own"\n{rooms}{ways}')
    return str(flow)


SHOP_BESIDE = '[[connection]]\npath = ["s", "a", "z"]\n[[connection]]\npath = ["a", "b"]\n'
UNPAID_FLOWS = {
    f'{SHOP_BESIDE}[[key]]\nname = "coins"\nroom = "a"\n': (
        "own.toml: key coins: lasts, but the kit's row door.toll.needs uses up keys of this name; "
        "give the key consumed = true and no lever, or another name"
    ),
    '[[connection]]\npath = ["s", "z", "a", "b"]\n': (
        "its doors cost 6 coins by the kit, the first one at s - z, and no rooms before them can hold these keys; "
        "connect rooms before them, or give them a [[lock]] of the flow's own"
    ),
}


@pytest.mark.parametrize("ways", UNPAID_FLOWS)
def test_a_flow_whose_doors_nobody_can_pay_is_told_before_a_level_is_made(
    ways: str, toll: str, tmp_path: Path
) -> None:
    flow, says = own_flow(tmp_path, ways), UNPAID_FLOWS[ways]
    with pytest.raises((SpecError, GenerationFailed)) as failed:
        generate("gungeon", 1, kit=toll, flow=flow)
    assert says in str(failed.value)
    checked = undercroft("flow", "check", "own.toml", "--kit", toll, cwd=tmp_path)
    assert checked.stdout == f"own.toml: {says.removeprefix('own.toml: ')}\n"
    Path(toll, "flows").mkdir()
    moved = Path(flow).rename(Path(toll, "flows", "own.toml"))
    assert says.removeprefix("own.toml: ") in undercroft("check", str(moved), cwd=tmp_path).stdout


LOCKED = f'{SHOP_BESIDE}[[key]]\nname = "gold"\n[[lock]]\non = ["a", "b"]\nneeds = ["gold"]\n'
KEYLESS_FLOWS = {
    LOCKED: "key[0]: the kit has no marker for keys; add [marker.key] to the kit, or leave keys and locks out",
    f'{SHOP_BESIDE}[[rule]]\nname = "lock_and_key"\n': (
        "rule[0]: the rule adds keys, but the kit has no marker for keys; add [marker.key] to the kit, or leave the"
    ),
}


@pytest.mark.usefixtures("few_of_a_kit")
def test_a_flow_with_keys_needs_a_marker_for_them(tmp_path: Path) -> None:
    """Told by `check` of the folder, and before a level is made."""
    kit = write_kit(tmp_path / "kit", "", 'without = ["marker.key"]')
    wanted = []
    for name, (ways, says) in zip("ab", KEYLESS_FLOWS.items(), strict=True):
        folder = kit / "flows" / name
        folder.mkdir(parents=True)
        flow = own_flow(folder, ways)
        wanted.append(f"{flow}: {says}")
        with pytest.raises(SpecError) as refused:
            generate("gungeon", 1, kit=str(kit), flow=flow)
        assert str(refused.value).startswith(wanted[-1])
    found = undercroft("check", str(kit / "flows"), cwd=tmp_path).stdout.splitlines()
    assert [line[: len(says)] for line, says in zip(found, wanted, strict=True)] == wanted


def test_a_flow_that_pays_is_sound(toll: str, tmp_path: Path) -> None:
    own_flow(tmp_path, f'{SHOP_BESIDE}[[key]]\nname = "coins"\nroom = "a"\nconsumed = true\n')
    assert undercroft("flow", "check", "own.toml", "hub", "--kit", toll, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    "way", ['["z", "a"]\nopens_from = "a"', '["z", "a"]\none_way = true', '["a", "z"]\none_way = true']
)
def test_a_price_can_be_where_a_shortcut_opens_or_a_way_leads_only_on(
    way: str, toll: str, tmp_path: Path
) -> None:
    flow = own_flow(
        tmp_path,
        f'[[connection]]\npath = ["s", "a", "b"]\n[[connection]]\npath = {way}\n[[connection]]\npath = ["z", "s"]\n',
    )
    level = generate("gungeon", 1, kit=toll, flow=flow)
    assert (
        problems(level) == []
        and sum(map(len, (door.needs for door in level.doors))) == len(coins(level)) == 6
    )


def test_coins_that_are_too_few_for_all_doors_together_are_a_problem(toll: str, tmp_path: Path) -> None:
    flow = own_flow(
        tmp_path, '[[connection]]\npath = ["s", "a", "b"]\n[[connection]]\npath = ["a", "z", "s"]\n'
    )
    level = generate("gungeon", 1, kit=toll, flow=flow)
    lost = next(key.id for key in level.markers if key.properties.get("opens") == "coins")
    few = replace(level, markers=tuple(key for key in level.markers if key.id != lost))
    (told,) = (str(problem) for problem in problems(few) if problem.check == "keys-fit-locks")
    assert told == "level: its doors cost 6 coins together, but there are only 5 [keys-fit-locks]"


def test_flow_check_tells_every_problem_of_an_unsound_kit_once(tmp_path: Path) -> None:
    kit = write_kit(tmp_path / "bad", TOLL.replace("= 3", "= 300").replace("= true", "= 3"))
    own_flow(tmp_path, SHOP_BESIDE)
    told = undercroft("flow", "check", "own.toml", "hub", "--kit", str(kit), cwd=tmp_path).stdout
    assert told.splitlines() == kit_problems(kit) and len(kit_problems(kit)) == 2


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
        ("[door.gift]\nneeds = {}", "door.gift.needs: names no key; give { coins = 5 }, or leave it out for doors that cost nothing"),
        ("[door.locked]\nneeds = { coins = 1 }", "door.locked.needs: doors of this kind ask for what a flow or a plan says"),
    ],
)  # fmt: skip
def test_a_door_that_nobody_could_pay_at_is_a_problem(rows: str, says: str, tmp_path: Path) -> None:
    kit = write_kit(tmp_path, f"[door.toll]\nneeds = {{ coins = 3 }}\n{rows}")
    assert any(says in line for line in kit_problems(kit)), kit_problems(kit)


def test_the_kinds_of_a_level_know_the_cost(toll: str) -> None:
    assert read_kit(toll).kinds.costs == {"toll": ("coins",) * 3}
