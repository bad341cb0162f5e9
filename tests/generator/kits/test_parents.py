"""Kits that extend several others, what `kit show` says about them, and how `kit diff` compares kits."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from generator.errors import KitError
from generator.kinds import read_kit, shipped_kit
from generator.kinds.kit_files import digest_of_kit
from generator.kinds.kit_rows import rows_of, toml_blocks
from tests.commands import undercroft

from .base import write_kit

DOCS = Path(__file__).parents[3] / "docs"
POND = '[room.pond]\nglyph = ";"\ncolor = "{}"\n'
WELL = '[room.well]\nglyph = "&"\n'


@pytest.fixture
def family(tmp_path: Path) -> Path:
    """A kit that adds to two, which both have a pond, and of which both add to a third."""
    write_kit(tmp_path / "base", '[door.hedge]\n[enemy.slug]\nrole = "walker"\ncost = 2')
    write_kit(tmp_path / "green", POND.format("#00ff00"), 'extends = "../base"\nwithout = ["room.arcade"]')
    away = 'extends = "../base"\nwithout = ["room.arcade", "enemy.slug"]'
    write_kit(tmp_path / "blue", POND.format("#0000ff") + WELL, away)
    return write_kit(tmp_path / "ours", '[door.gate]\nicon = "g"', 'extends = ["../green", "../blue"]')


def test_the_later_kit_wins(family: Path) -> None:
    kit = read_kit(family)
    assert kit.kinds.rooms["pond"].color == "#0000ff" and "well" in kit.kinds.rooms
    assert {"hedge", "gate"} <= set(kit.kinds.doors)
    assert kit.gone == {"room.arcade", "enemy.slug"} and "slug" not in kit.kinds.enemies
    turned = write_kit(family.parent / "turned", "", 'extends = ["../blue", "../green"]')
    assert read_kit(turned).kinds.rooms["pond"].color == "#00ff00"
    assert digest_of_kit(read_kit(turned)) != digest_of_kit(kit)


def test_a_list_of_one_is_the_kit_itself(family: Path) -> None:
    """And its digest is that of files without a list, so levels that exist find their kit again."""
    alone, listed = (
        write_kit(family.parent / name, "", f"extends = {extends}")
        for name, extends in (("alone", '"../green"'), ("listed", '["shipped", "../green"]'))
    )
    assert digest_of_kit(read_kit(alone)) == digest_of_kit(read_kit(listed))
    assert digest_of_kit(read_kit(alone)) == "4d65c336a5ea67201fac"


@pytest.mark.parametrize(
    ("extends", "says"),
    [
        ("[]", "kit.toml: extends: has 0 kits; give 1 to 8"),
        (str(["../green"] * 9), "has 9 kits; give 1 to 8"),
        ("[3]", '3 is not "shipped", "none" or the folder of a kit; give one'),
        ('["../green", "../green"]', "'../green' is there twice; leave one out"),
        ('["../green", "../gone"]', "gone' is not a folder"),
        ('["../green", "../bare"]', "'../green' is based on the shipped kit, and '../bare' is not"),
        ('["../bare", "shipped"]', "'shipped' is based on the shipped kit, and '../bare' is not"),
        ('["../green", "../back"]', "back/kit.toml: extends: '../ours' extends this kit in turn; remove one"),
    ],
)
def test_lists_that_cannot_be_read_say_why(family: Path, extends: str, says: str) -> None:
    write_kit(family.parent / "bare", "", 'extends = "none"')
    write_kit(family.parent / "back", "", 'extends = "../ours"')
    write_kit(family, "", f"extends = {extends}")
    with pytest.raises(KitError) as found:
        read_kit(family)
    assert says in str(found.value)


def test_many_kits_are_refused_before_they_are_merged(tmp_path: Path) -> None:
    """Each of some kits extends all below it: there are 2 ** 9 ways down."""
    for number in range(10):
        below = [f"../k{lower}" for lower in range(max(0, number - 8), number)] or ["shipped"]
        write_kit(tmp_path / f"k{number}", "", f"extends = {below}")
    assert len(read_kit(tmp_path / "k8").layouts) == 0
    with pytest.raises(KitError, match="more than 8 kits extend each other; merge some of them"):
        read_kit(tmp_path / "k9")


def test_show_prints_each_row_with_its_file(family: Path) -> None:
    (family / "more.toml").write_text('[door.hedge]\nicon = "h"\n', "utf-8")
    shown = undercroft("kit", "show", "ours", "room.pond", cwd=family.parent)
    first, *_ = shown.stdout.splitlines()
    assert first == "# ours/../blue/kit.toml, instead of ours/../green/kit.toml"
    told = undercroft("kit", "show", "ours", "--json", cwd=family.parent)
    *rows, done = map(json.loads, told.stdout.splitlines())
    by_name = {row["name"]: row for row in rows}
    assert by_name["door.hedge"]["file"] == "ours/more.toml"
    assert by_name["door.hedge"]["replaces"] == ["ours/../green/../base/kit.toml"]
    assert by_name["room.shop"]["file"] == "shipped/rooms.toml"
    assert done["without"] == ["enemy.slug", "room.arcade"] and done["rows"] == len(rows)
    wrong = undercroft("kit", "show", "ours", "room.pont", cwd=family.parent)
    assert wrong.returncode == 2 and "ROW: the kit our-kit has no 'room.pont'; did you mean" in wrong.stderr


@pytest.mark.parametrize("name", ["shipped", "orbital"])
def test_what_show_prints_is_the_rule_book(name: str) -> None:
    kit = shipped_kit() if name == "shipped" else read_kit(DOCS / "examples" / name)
    assert tomllib.loads("\n\n".join(toml_blocks(rows_of(kit)))) == {
        key: value for key, value in kit.tables.items() if value != {}
    }


def test_diff_lists_what_differs_row_by_row(family: Path) -> None:
    listed = undercroft("kit", "diff", "green", "blue", cwd=family.parent)
    assert listed.returncode == 1
    assert listed.stdout.splitlines() == [
        '- enemy.slug = {"role" = "walker", "cost" = 2}',
        '~ room.pond.color: "#00ff00" -> "#0000ff"',
        '+ room.well = {"glyph" = "&"}',
    ]
    same = undercroft("kit", "diff", "shipped", "shipped", "--json", cwd=family.parent)
    assert same.returncode == 0 and json.loads(same.stdout) == {"event": "done", "differences": 0}
