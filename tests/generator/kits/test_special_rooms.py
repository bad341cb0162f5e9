"""Special rooms by the rules of a kit: where they come to lie, when they come, and what they leave alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

import generator
from generator.errors import KitError
from generator.geometry import Rect
from generator.kinds import read_kit, shipped_kit
from generator.kinds.special_rooms import chance_order
from generator.level_file import level_from_dict
from generator.rng import Stream
from generator.spec import describe, spec_from_dict
from generator.styles.base import Plan
from generator.styles.grid.floorplan import Floorplan
from generator.styles.grid.own_rooms import with_own_rooms
from generator.styles.grid.special_rooms import SpecialRoom
from generator.styles.gungeon.spec import GungeonSpec
from generator.styles.isaac.plan_kernel import ROW
from generator.styles.isaac.special_rooms import tables_of

from .base import GARDEN, write_kit

GRIDS = ("isaac", "rebirth")
STYLES = (*GRIDS, "gungeon")
SEEDS = range(1, 13)


def plan(style: str, seed: int, kit: Path | None, **values: object) -> Plan:
    return generator.generate(style, seed, until="floorplan", kit=str(kit or ""), **values)


def kinds(style: str, kit: Path, **values: object) -> Counter[str]:
    return Counter(room.kind for seed in SEEDS for room in plan(style, seed, kit, **values).rooms)


@pytest.mark.parametrize("style", STYLES)
def test_a_room_without_a_chance_comes_in_every_level(style: str, tmp_path: Path) -> None:
    kit = write_kit(tmp_path, f"{GARDEN}\n[special_room.garden]\nmust = true")
    assert kinds(style, kit)["garden"] == len(SEEDS)


@pytest.mark.parametrize("style", GRIDS)
def test_the_floor_without_the_rule_stays(style: str, tmp_path: Path) -> None:
    """Rooms of a rule take normal rooms, or stand on free cells."""
    rows = "[special_room.garden]\n[room.lobby]\nglyph = ':'\n[special_room.lobby]\nplace = 'on_the_way'"
    kit = write_kit(tmp_path, f"{GARDEN}\n{rows}")
    for seed in SEEDS:
        ours, plain = plan(style, seed, kit), plan(style, seed, None)
        for before, now in zip(plain.rooms, ours.rooms, strict=False):
            assert now == before or (before.kind == "normal" and now.kind in ("garden", "lobby"))
        assert len(ours.rooms) - len(plain.rooms) in (0, 1)


@pytest.mark.parametrize("style", STYLES)
def test_conditions_hold_against_the_facts_of_the_kit(style: str, tmp_path: Path) -> None:
    rule = '[special_room.garden]\nmust = true\nonly = ["courage >= 2", "not labyrinth"]'
    kit = write_kit(tmp_path, f"{GARDEN}\n{rule}")
    spec = generator.load_spec(style).replace({"kit": str(kit), "state.courage": 1})
    assert not any(room.kind == "garden" for room in generator.generate(spec, 7, until="floorplan").rooms)
    assert any(room.kind == "garden" for room in plan(style, 7, kit).rooms)


@pytest.mark.parametrize("style", STYLES)
def test_a_chance_is_rolled_with_dice_of_its_own(style: str, tmp_path: Path) -> None:
    """Of 120 levels some 60, with a deviation of 5.5: far from 40, which 1/3 would give, and from 120."""
    row = f'[special_room.garden]\nchance = "1/2"\nplace = "on_the_way"\nstyles = ["{style}"]'
    kit = write_kit(tmp_path, f"{GARDEN.replace('off_the_way = true', '')}\n{row}")
    came = sum(any(room.kind == "garden" for room in plan(style, seed, kit).rooms) for seed in range(1, 121))
    assert 50 <= came <= 72


def test_the_dice_of_a_rule_are_those_of_its_name_the_stage_its_turn_and_the_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a rule changes nothing for the others, and the first try has the number 0."""
    kit = write_kit(tmp_path, f'{GARDEN}\n[special_room.garden]\nplace = "near"\nmust = true')
    rolled: list[tuple[int, list[tuple[str, int]]]] = []

    def place(floor: Floorplan, rules: Sequence[tuple[SpecialRoom, Stream]], board: Rect) -> Floorplan:
        rolled.append((floor.tries, [(rule.row.name, stream.key) for rule, stream in rules]))
        return with_own_rooms(floor, rules, board)

    monkeypatch.setattr("generator.styles.isaac.floorplan.with_own_rooms", place)
    for seed in SEEDS:
        plan("isaac", seed, kit, stage=3)
        tries, rules = rolled[-1]
        dice = Stream(seed, "kit.special_room.garden", 3, 0, tries - 1)
        assert rules == [("garden", dice.key)]


def neighbours(plan: Plan, number: int) -> list[int]:
    return [b if a == number else a for a, b in plan.connections if number in (a, b)]


@pytest.mark.parametrize("style", GRIDS)
@pytest.mark.parametrize(
    "place", ["dead_end", "far", "near", "on_the_way", "beside:start", "secret", "super_secret"]
)
def test_a_room_lies_where_its_rule_says(style: str, place: str, tmp_path: Path) -> None:
    row = f"[room.nook]\nglyph = ';'\nsecret = {str('secret' in place).lower()}"
    kit = write_kit(tmp_path, f"{row}\n[special_room.nook]\nplace = '{place}'")
    found = 0
    for seed in SEEDS:
        made = plan(style, seed, kit, stage=3)
        for number, room in enumerate(made.rooms):
            if room.kind == "nook":
                found += 1
                near = neighbours(made, number)
                assert len(near) == {"on_the_way": len(near), "beside:start": len(near)}.get(
                    place, 0 if "secret" in place else 1
                )
                assert place != "on_the_way" or len(near) > 1
                assert place != "beside:start" or 0 in near
                assert (room.distance is None) == ("secret" in place)
                normal = [each.distance or 0 for each in made.rooms if each.kind == "normal"]
                assert place != "near" or room.distance == 1 or min(normal) <= (room.distance or 0)
    assert found > 2 * len(SEEDS) // 3


@pytest.mark.parametrize("style", GRIDS)
def test_a_hidden_room_has_the_hidden_door_of_its_row(style: str, tmp_path: Path) -> None:
    row = '[room.nook]\nglyph = ";"\nsecret = true\ndoor = "panel"\n[door.panel]\nsecret = true\nstarts_shut = true\n'
    rule = "[special_room.nook]\nplace = 'super_secret'\nmust = true"
    kit = write_kit(tmp_path, f"{row}{rule}")
    layout = kit / "layouts" / "nook" / "bare.txt"
    layout.parent.mkdir(parents=True)
    layout.write_text("map:\n" + ".............\n" * 7, "utf-8")
    level = generator.generate(style, 4, kit=str(kit), stage=3)
    found = {level.rooms[room].kind: door.kind for door in level.doors for room in door.rooms if room}
    assert found["nook"] == "panel" and found["secret"] == "secret" and generator.problems(level) == []


def test_a_row_before_another_takes_its_dead_end_first(tmp_path: Path) -> None:
    later = write_kit(tmp_path / "later", f'{GARDEN}\n[special_room.garden]\nstyles = ["isaac"]')
    rows = f'{GARDEN}\n[special_room.garden]\nstyles = ["isaac"]\nbefore = "sacrifice"'
    first = write_kit(tmp_path / "first", rows)
    assert kinds("isaac", first)["curse"] < kinds("isaac", later)["curse"]


def test_a_row_before_a_middle_one_comes_right_before_it(tmp_path: Path) -> None:
    """Also where that one does not count, and whichever of the kit's own rows stands first in the file."""
    garden = '[special_room.garden]\nstyles = ["isaac"]\nbefore = "lobby"'
    lobby = "[room.lobby]\nglyph = ':'\n[special_room.lobby]\nstyles = ['isaac']\nbefore = 'mini_boss'"
    kit = read_kit(write_kit(tmp_path, f"{GARDEN}\n{garden}\n{lobby}"))
    plain = [name for name, _ in chance_order(shipped_kit().rules.special_rooms)]
    here = plain.index("mini_boss")
    assert 0 < here < len(plain) - 1
    ordered = [*plain[:here], "garden", "lobby", *plain[here:]]
    assert [name for name, _ in chance_order(kit.rules.special_rooms)] == ordered
    spec = generator.load_spec("isaac").replace({"kit": str(tmp_path), "stage": 4, "state.coins": 10})
    for met in (False, True):
        tables = tables_of(spec.replace({"state.mini_boss_met": met}), labyrinth=False)
        names = [tables.kinds[number].removeprefix("boss_") for number in tables.tables.by_chance[::ROW]]
        assert names == [name for name in ordered if not (met and name == "mini_boss")]


@pytest.mark.parametrize("style", STYLES)
def test_a_must_whose_needs_do_not_hold_is_none(style: str, tmp_path: Path) -> None:
    rule = '[special_room.garden]\nmust = true\nneeds = ["courage >= 9"]'
    kit = write_kit(tmp_path, f"{GARDEN}\n{rule}")
    assert not any(room.kind == "garden" for room in plan(style, 7, kit).rooms)
    spec = generator.load_spec(style).replace({"kit": str(kit), "state.courage": 9})
    assert any(room.kind == "garden" for room in generator.generate(spec, 7, until="floorplan").rooms)


def test_rules_of_two_kits_add_up_and_a_row_of_a_name_takes_the_others_place(tmp_path: Path) -> None:
    write_kit(tmp_path / "theirs", f'{GARDEN}\n[special_room.garden]\nchance = "0/1"')
    ours = write_kit(tmp_path / "ours", "[special_room.garden]\nmust = true", 'extends = "../theirs"')
    assert kinds("isaac", ours)["garden"] == len(SEEDS)


@pytest.mark.parametrize("style", STYLES)
def test_rows_that_were_taken_away_do_not_come(style: str, tmp_path: Path) -> None:
    head = 'without = ["room.shop", "special_room.secret", "special_room.curse"]'
    kit = write_kit(tmp_path, "", head)
    found = kinds(style, kit, **({"stage": 3} if style != "gungeon" else {}))
    assert not found.keys() & {"shop", "secret", "curse"} and found["boss"] >= len(SEEDS)


def test_no_room_lies_behind_red_rooms_that_were_taken_away(tmp_path: Path) -> None:
    kit = write_kit(tmp_path, "", 'without = ["room.red"]')
    assert "ultra_secret" in {room.kind for room in plan("rebirth", 2, None).rooms}
    level = generator.generate("rebirth", 2, kit=str(kit))
    assert "ultra_secret" not in {room.kind for room in level.rooms} and generator.problems(level) == []


@pytest.mark.parametrize("style", STYLES)
def test_a_kit_that_lacks_what_a_style_needs_is_refused(style: str, tmp_path: Path) -> None:
    kit = write_kit(tmp_path, "", 'without = ["room.boss"]')
    with pytest.raises(KitError, match=rf"room: .*boss.*{style}"):
        plan(style, 1, kit)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ('only = ["corage >= 2"]', "unknown fact 'corage'; did you mean courage?"),
        ('only = ["courage => 2"]', "is not a condition; write NAME"),
        ('only = ["__import__"]', "is not a condition"),
        ('room = "gardn"', r"special_room\.garden\.room: unknown room kind 'gardn'; did you mean garden?"),
        ('place = "beside:gardn"', "unknown room kind 'gardn'"),
        ('place = "secret"', r"give room\.garden secret = true"),
        ('place = "on_the_way"', "is off the way"),
        ('place = "loft"', "is not a place; give dead_end"),
        ('before = "librery"', "unknown special room 'librery'; did you mean library?"),
        ('chance = "1/0"', "is not a chance"),
        ('chance = "bravery/100"', "unknown fact 'bravery'"),
        ('again = { chance = "1/2" }', "again.when: is missing; give it"),
        ('chanse = "1/2"', "unknown key; did you mean chance?"),
        ('styles = ["gungeon"]\nplace = "secret"\nroom = "secret"', "has no secret rooms"),
    ],
)
def test_a_wrong_rule_is_reported_in_one_line(row: str, problem: str, tmp_path: Path) -> None:
    kit = write_kit(tmp_path, f"{GARDEN}\n[special_room.garden]\n{row}")
    with pytest.raises(KitError, match=problem.replace("?", r"\?")):
        read_kit(kit)


def test_facts_of_a_kit_are_values_of_every_spec(tmp_path: Path) -> None:
    kit = write_kit(tmp_path, GARDEN)
    for style in STYLES:
        spec = generator.load_spec(style).replace({"kit": str(kit)})
        assert spec.to_dict()["state"]["courage"] == 3
        assert spec.replace({"state.courage": 7}).to_dict()["state"]["courage"] == 7
        assert "courage" not in spec.replace({"kit": ""}).to_dict().get("state", {})
        with pytest.raises(generator.SpecError, match=r"state\.courage: 11 is out of range"):
            spec.replace({"state.courage": 11})
        with pytest.raises(generator.SpecError, match=r"did you mean state\.courage"):
            spec.replace({"state.corage": 1})
        sealed = spec.replace({"state.courage": 7}).sealed()
        assert spec_from_dict(sealed.saved()) == sealed and len(sealed.kit) == 20


def test_chances_of_a_kit_count_where_the_spec_is_silent(tmp_path: Path) -> None:
    kit = write_kit(tmp_path, "[chances]\nred_fires = 44")
    spec = generator.load_spec("isaac")
    assert spec.replace({"kit": str(kit)}).to_dict()["red_fires"] == 44
    assert spec.replace({"kit": str(kit), "red_fires": 5}).to_dict()["red_fires"] == 5
    assert spec.replace({"kit": str(kit)}).replace({"kit": ""}).to_dict()["red_fires"] == 15


def test_the_digest_is_of_rows_and_layouts_wherever_they_lie(tmp_path: Path) -> None:
    folders = [write_kit(tmp_path / name, GARDEN) for name in ("a", "b")]
    digests = {
        generator.load_spec("isaac").replace({"kit": str(each)}).sealed().to_dict()["kit"] for each in folders
    }
    assert digests == {"d1b4c0f610d539884a9e"}  # whichever rows the shipped kit has
    (folders[0] / "layouts" / "garden").mkdir(parents=True)
    (folders[0] / "layouts" / "garden" / "pond.txt").write_text("map:\n", "utf-8")
    (digest,) = digests
    assert generator.load_spec("isaac").replace({"kit": str(folders[0])}).sealed().to_dict()["kit"] != digest


def test_a_boss_room_of_a_kit_that_says_nothing_of_a_style_comes_without_a_number(tmp_path: Path) -> None:
    kit = write_kit(tmp_path, '[room.boss]\nglyph = "b"\noff_the_way = true\nmarkers = { boss = "1" }')
    assert "boss" not in kinds("gungeon", kit)


def test_chapters_of_a_kit_are_choices_of_the_heap(tmp_path: Path) -> None:
    rows = '[chapter.roof]\nreplaces = "abyss"\npools = ["any"]\n[enemy.owl]\nrole = "walker"\ncost = 3\nchapters = ["roof"]'
    kit = write_kit(tmp_path, rows, 'without = ["chapter.gate"]')
    with pytest.raises(
        generator.SpecError, match="'roof' is not one of the choices; choose one of none, cellar"
    ):
        generator.load_spec("gungeon").replace({"chapter": "roof"})
    level = generator.generate("gungeon", 3, kit=str(kit), chapter="roof", rooms=40)
    assert level.facts["chapter"] == "roof" and generator.problems(level) == []
    names = {marker.properties["name"] for marker in level.markers if marker.kind == "enemy"}
    assert "owl" in names
    assert level_from_dict(level.to_dict()).spec.to_dict()["chapter"] == "roof"
    (row,) = (each for each in describe(GungeonSpec, read_kit(kit)) if each["key"] == "chapter")
    assert row["choices"][-1] == "roof" and "gate" not in row["choices"]
    with pytest.raises(
        generator.SpecError, match=r"'gate' is not one of the choices; choose one of none, cellar.*roof"
    ):
        generator.load_spec("gungeon").replace({"kit": str(kit), "chapter": "gate"})
