"""Kits with inconsistent rows: reported in one line, or the level is right anyway."""

from __future__ import annotations

from pathlib import Path

import pytest

import generator
from generator.errors import KitError
from generator.kinds import read_kit, shipped_kit
from generator.kinds.rule_checks import rule_problems

from .base import GARDEN, write_kit

SHOP = '[room.shop]\nglyph = "$"\n'
LOBBY = '[room.lobby]\nglyph = ";"\n'


def test_the_shipped_kit_is_sound() -> None:
    """It is read without these checks, since every command reads it."""
    kit = shipped_kit()
    assert list(rule_problems(kit.rules, kit.kinds)) == []


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (f'{LOBBY}door = "lockd"', r"room\.lobby\.door: unknown door kind 'lockd'; did you mean locked\?"),
        (f'{LOBBY}markers = {{ item = "3..1" }}', r"room\.lobby\.markers\.item: '3\.\.1' is out of order"),
        ('[special_room.library]\nchance = "3/2"', r"special_room\.library\.chance: '3/2' is more than 1"),
        ("[door.boss]\nsecret = true", r"room\.boss\.door: door\.boss is secret, so no path would lead"),
        ("[door.open]\nsecret = true", r"door\.open\.secret: all rooms without a door kind have this door"),
        (
            '[room.nook]\nglyph = ";"\nsecret = true\ndoor = "locked"',
            r"room\.nook\.door: door\.locked is in plain sight",
        ),
        ("[door.secret]", r"door\.secret\.secret: is the door of secret rooms; give secret = true"),
        (
            f'{LOBBY}markers = {{ player_start = "1" }}',
            r"room\.lobby\.markers: players start only in room\.start",
        ),
        ('[room.start]\nglyph = "s"', r'room\.start\.markers: .* give player_start = "1"'),
        (
            '[special_room.more]\nroom = "start"',
            r"special_room\.more\.room: a level has only one room\.start",
        ),
        (
            f'{LOBBY}[room.lobby.gungeon]\nfurnisher = "battle"',
            r'furnisher: battle puts enemy markers .* give room\.lobby markers = { enemy = "0\.\." }',
        ),
        (
            f'{LOBBY}markers = {{ exit = "1" }}\n[room.lobby.gungeon]\nfurnisher = "boss"\nwidth = [20, 20]\n'
            "height = [20, 20]",
            r'furnisher: boss puts boss markers .* give room\.lobby markers = { boss = "1" }',
        ),
        (
            f'{LOBBY}markers = {{ ware = "2" }}\n[room.lobby.gungeon]\nfurnisher = "shop"',
            r"furnisher: shop puts ware markers",
        ),
        (
            f"{LOBBY}[room.lobby.gungeon]\nmotifs = {{ ring = 1 }}",
            r'room\.lobby\.gungeon\.motifs: are for furnisher = "battle"; set it',
        ),
        (
            f'{LOBBY}markers = {{ enemy = "0.." }}\n[room.lobby.gungeon]\nfurnisher = "battle"\n'
            "motifs = { ring = 0 }",
            r"room\.lobby\.gungeon\.motifs: none has a weight above 0; give none = 1",
        ),
    ],
)
def test_rows_that_do_not_go_together_are_reported(rows: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(KitError, match=problem):
        read_kit(write_kit(tmp_path, rows))


@pytest.mark.parametrize("rows", [SHOP, f'{SHOP}[room.shop.gungeon]\nspec = "shop"\nrooms = [1, 1]\n'])
def test_a_replaced_shop_takes_no_layout_that_breaks_its_row(rows: str, tmp_path: Path) -> None:
    kit = str(write_kit(tmp_path, rows))
    assert generator.problems(generator.generate("gungeon", 1, kit=kit)) == []
    with pytest.raises(KitError, match=r"room\.shop: no layout fits the row; draw some in"):
        generator.generate("isaac", 1, kit=kit)


def test_a_room_of_a_rule_needs_no_table_of_the_heap(tmp_path: Path) -> None:
    kit = str(write_kit(tmp_path, f"{GARDEN}\n[special_room.garden]\nmust = true"))
    level = generator.generate("gungeon", 1, kit=kit)
    assert any(room.kind == "garden" for room in level.rooms) and generator.problems(level) == []


def test_a_room_of_a_kit_may_have_any_shape_if_its_row_says_so(tmp_path: Path) -> None:
    rows = '[room.garden]\nglyph = ";"\nhas_shapes = true\n[special_room.garden]\nmust = true\nplace = "on_the_way"'
    kit = write_kit(tmp_path, rows)
    pool = kit / "layouts" / "garden"
    pool.mkdir(parents=True)
    for shape, size in (("1x1", (13, 7)), ("2x1", (28, 7))):
        lines = "\n".join("." * size[0] for _ in range(size[1]))
        (pool / f"{shape.lower()}.txt").write_text(f"shape: {shape}\nmap:\n{lines}\n", "utf-8")
    level = generator.generate("rebirth", 1, kit=str(kit))
    (garden,) = (room for room in level.rooms if room.kind == "garden")
    assert garden.shape == "2x1" and generator.problems(level) == []
