"""Gangs of a kit: who comes with whom, in which rooms, and what is refused."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from generator import Level, generate, reroll
from generator.batch.why import row_fates, see_block
from generator.checks import problems
from generator.cli.check import kit_notes
from generator.kinds import SHIPPED, read_kit
from generator.kinds.kit_problems import kit_problems
from generator.spec import load_spec
from tests.cases import for_each

from .base import write_kit
from .test_docs import KITS, blocks

SHOWN = next(block for block in blocks(KITS, "toml") if "[gang." in block)
GUARD = {("spitter", 1): (1, 2), ("cask_breaker", 2): (1, 1)}


def fighters(level: Level) -> dict[int, Counter[tuple[str, int]]]:
    """How many enemies of each name and wave each room has."""
    found: dict[int, Counter[tuple[str, int]]] = defaultdict(Counter)
    for marker in level.markers:
        if marker.kind == "enemy" and marker.room is not None:
            properties = marker.properties
            found[marker.room][str(properties["name"]), int(str(properties["wave"]))] += 1
    return found


def is_guard(level: Level, room: Counter[tuple[str, int]]) -> bool:
    """Whether the enemies of a room are the guard of the page: each role has one kind, and nobody is missing."""
    walkers = [key for key in room if level.kinds.enemies[key[0]].role == "walker"]
    return (
        all(least <= room[key] <= most for key, (least, most) in GUARD.items())
        and len(walkers) == 1
        and 1 <= room[walkers[0]] <= 3
        and {*room} == {*GUARD, *walkers}
    )


def is_flock(level: Level, room: Counter[tuple[str, int]]) -> bool:
    (first, *others) = room
    return not others and level.kinds.enemies[first[0]].role == "flyer" and 2 <= room[first] <= 8


@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_the_gangs_of_the_page_come_as_it_says(style: str, tmp_path: Path) -> None:
    """In place of single enemies, by the rules of all encounters, and again when a room is rolled again."""
    kit = write_kit(tmp_path, SHOWN)
    stage = {"enemy_stages": [2, 4]} if style == "gungeon" else {"stage": 4}
    guards = flocks = others = 0
    for seed in range(1, 5):
        level = generate(style, seed, kit=str(kit), **stage)
        assert problems(level) == []
        rooms = {room: found for room, found in fighters(level).items() if level.rooms[room].kind == "normal"}
        having = {room for room, found in rooms.items() if is_flock(level, found)}
        assert len({room % 4 for room in having}) <= 1
        flocks += len(having)
        guards += sum(is_guard(level, found) for found in rooms.values())
        others += sum(not is_guard(level, found) and room not in having for room, found in rooms.items())
    assert guards > 10 and flocks > 2
    assert others * 5 < guards  # small rooms, whose budget pays for no gang
    room = next(room for room, found in rooms.items() if is_guard(level, found))
    again = reroll(level, room=room, kit=kit)
    found = fighters(again)[room]
    assert problems(again) == [] and (is_guard(again, found) or is_flock(again, found))


@for_each(style=["isaac", "rebirth", "gungeon"])
def test_a_rare_enemy_is_met_in_one_of_several_rooms(style: str) -> None:
    with TemporaryDirectory() as folder:
        kit = write_kit(Path(folder), '[enemy.mimic]\nrole = "walker"\ncost = 2\none_in = 4\n')
        met = 0
        for seed in range(1, 7):
            level = generate(style, seed, kit=str(kit))
            having = [room for room, found in fighters(level).items() if ("mimic", 1) in found]
            assert len({room % 4 for room in having}) <= 1
            assert problems(level) == []
            met += len(having)
    assert met


def test_a_rare_enemy_comes_where_nobody_else_is_met(tmp_path: Path) -> None:
    """And no gang gets it for another role."""
    rows = '[enemy.blob]\nrole = "walker"\ncost = 2\none_in = 8\n[gang.flock]\nwaves = [{ flyer = [2, 5] }]\n'
    others = ", ".join(f'"enemy.{name}"' for name in SHIPPED.enemies)
    kit = tmp_path / "kit.toml"
    kit.write_text(f'name = "rare"\nwithout = [{others}]\n{rows}', "utf-8")
    spec = load_spec("isaac").replace({"kit": str(tmp_path)})
    level = generate(spec, 3)
    assert problems(level) == []
    fights = [room.id for room in level.rooms if room.kind == "normal"]
    assert sum(room in fighters(level) for room in fights) * 2 > len(fights)
    fates = {fate.name: fate for fate in row_fates(spec, see_block((spec, range(1, 3))))}
    assert (fates["flock"].came, fates["flock"].why) == (0, "no flyer is met in the room")


def test_a_gang_that_never_comes_says_why(tmp_path: Path) -> None:
    text = """
[gang.horde]
waves = [{ walker = 30 }, { brute = 30 }]
[gang.early]
waves = [{ iron_knight = 1 }]
[gang.deep]
waves = [{ walker = 2 }]
stages = [5, 12]
[gang.rare]
waves = [{ walker = [1, 4] }]
one_in = 50
"""
    spec = load_spec("isaac").replace({"kit": str(write_kit(tmp_path, text))})
    why = {
        fate.name: fate.why
        for fate in row_fates(spec, see_block((spec, range(1, 3))))
        if fate.table == "gang"
    }
    assert why == {
        "horde": "the fewest of it cost more than a room's budget",
        "early": "iron_knight is not met in the room's chapter",
        "deep": "no room with places for enemies was of its kinds, stages and chapters",
        "rare": "by its `one_in`, it was another room's turn",
    }


def no_flyers() -> str:
    """What a kit leaves out so that nobody flies: also the obelisk, which makes flyers."""
    names = [name for name, enemy in SHIPPED.enemies.items() if enemy.role == "flyer"]
    return ", ".join(f'"enemy.{name}"' for name in (*names, "dark_obelisk"))


def test_members_who_need_not_come_do_not_keep_the_others_away(tmp_path: Path) -> None:
    """An enemy of a later chapter, and a role that nobody has, are left out as long as they are not met."""
    rows = "[gang.march]\nwaves = [{ walker = 2, iron_knight = [0, 2], flyer = [0, 2] }]\n"
    kit = write_kit(tmp_path, rows, f"without = [{no_flyers()}]")
    assert kit_problems(kit) == []
    met = {
        stage: Counter(
            name
            for seed in range(1, 4)
            for found in fighters(generate("isaac", seed, kit=str(kit), stage=stage)).values()
            for name, _ in found
        )
        for stage in (3, 12)
    }
    assert "iron_knight" not in met[3] and met[12]["iron_knight"] > 3
    spec = load_spec("isaac").replace({"kit": str(kit), "stage": 3})
    fates = {fate.name: fate for fate in row_fates(spec, see_block((spec, range(1, 4))))}
    assert fates["march"].came == 3


NEVER = {
    "waves = [{ walker = 1 }]\nrooms = ['boss', 'mini_boss']": (
        "rooms: no enemies stand in boss and mini_boss rooms, so it never comes; name rooms with enemies"
    ),
    "waves = [{ walker = 30 }, { brute = 30, iron_knight = 30 }]": "waves: the fewest of it cost 360, but no room",
    "waves = [{ walker = 30, brute = [0, 9], shooter = 10 }]\nstages = [1, 2]": "waves: the fewest of it cost 90, but",
    "waves = [{ spitter = 1, flyer = 1 }]": "waves: no flyer is met at its stages, so it never comes; add an enemy",
    "waves = [{ walker = 20, brute = [0, 9] }]\nstages = [1, 2]\nrooms = ['boss', 'normal']": "",
    "waves = [{ walker = 3, flyer = [0, 2] }]\nrooms = ['challenge']": "",
}


def test_check_notes_gangs_that_never_come(tmp_path: Path) -> None:
    """By the kinds of their rooms, what the richest of these have to spend, and who is met."""
    rows = "".join(f"[gang.g{number}]\n{row}\n" for number, row in enumerate(NEVER))
    notes = list(kit_notes(read_kit(write_kit(tmp_path, rows, f"without = [{no_flyers()}]"))))
    says = [f"gang.g{number}.{why}" for number, why in enumerate(NEVER.values()) if why]
    assert [part for part, note in zip(says, notes, strict=True) if part not in note] == [], notes


SLIPS = {
    "waves = [{ grue = 1 }]": "waves: unknown enemy or role 'grue'",
    "waves = [{ walkr = 1 }]": "did you mean walker?",
    "waves = [{ walker = [0, 3] }]": "waves: [{'walker': [0, 3]}] has no member that always comes; write",
    "waves = [{ walker = 0 }]": "waves[0].walker: 0 is not a whole number from 1 to 30; give one",
    "waves = [{ walker = [4, 2] }]": "waves[0].walker: [4, 2] is out of order",
    "waves = []": "waves: ",
    "waves = [{ walker = 1 }, {}]": "has a wave without anybody; leave it out",
    "waves = [{ flyer = 1 }]": "waves: flyer is an enemy and a role; give the enemy another name",
    "rooms = ['normal']": "waves: is missing; give",
    "waves = [{ walker = 1 }]\nrooms = ['crypt']": "rooms: unknown room kind 'crypt'",
    "waves = [{ walker = 1 }]\nrooms = []": "rooms: is empty, so it comes into no room",
    "waves = [{ walker = 1 }]\nchapters = ['hell']": "chapters: unknown chapter 'hell'",
    "waves = [{ iron_knight = 1 }]\nstages = [1, 8]": "iron_knight is met from chapter 5 on, which begins with stage 9",
    "waves = [{ eel = 1 }]\nchapters = ['cellar']": "eel is met in mire, but not in the gang's chapters",
    "waves = [{ walker = 3 }]\nrooms = ['nest']": "room.nest has at most 2 enemies by its row, the gang at least 3",
}
MORE = """
[enemy.eel]
role = "walker"
cost = 2
chapters = ["mire"]
[enemy.flyer]
role = "brute"
cost = 2
[room.nest]
glyph = ";"
markers = { enemy = "0..2" }
"""


@for_each(row=SLIPS)
def test_slips_in_gangs_are_named(row: str) -> None:
    with TemporaryDirectory() as folder:
        found = kit_problems(write_kit(Path(folder), f"[gang.posse]\n{row}\n{MORE}"))
    assert any("gang.posse" in line and SLIPS[row] in line for line in found), found
