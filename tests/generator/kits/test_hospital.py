"""A kit that extends none, with a flow and a theme of its own: what a team met that made a hospital."""

from __future__ import annotations

from pathlib import Path

import pytest

import generator
from generator.cli.recognise import kit_folder_of
from generator.picture import room_lines
from generator.runs import run
from tests.commands import undercroft

from .base import write_kit

HEAD = 'extends = "none"'
ROWS = """
[room.start]
glyph = "s"
markers = { player_start = "1" }
[room.start.gungeon]
spec = "start"
rooms = [1, 1]

[room.normal]
glyph = "."
markers = { enemy = "0.." }
[room.normal.gungeon]
spec = "enemy"
rooms = [3, 4]
furnisher = "battle"

[room.boss]
glyph = "b"
off_the_way = true
markers = { boss = "1", exit = "0..1" }
[room.boss.gungeon]
spec = "boss"
rooms = [1, 1]
width = [20, 24]
height = [18, 20]
least_side = 15
furnisher = "boss"

[door.open]
[marker.player_start]
glyph = "P"
[marker.enemy]
[marker.boss]
[marker.exit]

[enemy.nurse]
role = "walker"
cost = 2

[chapter.one]
bosses = ["matron"]
[chapter.one.gungeon]
flow = "flows/ward.toml"
"""
FLOW = """
[flow]
name = "ward"

[[room]]
id = "hall"
kind = "start"
[[room]]
id = "beds"
kind = "normal"
[[room]]
id = "theatre"
kind = "boss"

[[connection]]
path = ["hall", "beds", "theatre"]
"""


BAY = """
exits: N any, E any, W any
map:
.............
.............
.............
......P......
.............
.............
.............
"""


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    folder = write_kit(tmp_path / "hospital", ROWS, HEAD)
    (folder / "flows").mkdir()
    (folder / "flows" / "ward.toml").write_text(FLOW, "utf-8")
    return folder


def problems(*words: str, cwd: Path) -> list[str]:
    return undercroft("check", *words, cwd=cwd).stdout.splitlines()


def test_the_flow_of_a_chapter_lies_beside_its_row(kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the command is run, a run follows it; and `check` says if it is not there."""
    for place, name in ((kit, "."), (kit.parent, kit.name)):
        monkeypatch.chdir(place)
        (level,) = run("gungeon", 7, kit=name)
        assert [room.kind for room in level.rooms] == ["start", "normal", "boss"]
    (kit / "flows" / "ward.toml").unlink()
    (line,) = problems(kit.name, cwd=kit.parent)
    assert line.startswith(
        "hospital/kit.toml: chapter.one.gungeon.flow: hospital/flows/ward.toml: cannot be read"
    )


def test_a_rule_for_a_room_that_the_kit_lacks_is_a_problem_of_the_flow(kit: Path) -> None:
    flow = kit / "flows" / "ward.toml"
    flow.write_text(f'{FLOW}\n[[rule]]\nname = "nook"\n', "utf-8")
    said = "the rule nook adds a chest room, and the kit has none in gungeon; give it room.chest.gungeon"
    assert any(f"rule[0].name: {said}" in line for line in problems(kit.name, cwd=kit.parent))
    alone = undercroft("flow", "check", "flows/ward.toml", cwd=kit)  # it knows the kit that it lies in
    assert alone.returncode == 1 and said in alone.stdout


def test_shipped_layouts_do_without_decor_of_another_size(kit: Path) -> None:
    with (kit / "kit.toml").open("a", encoding="utf-8") as file:
        file.write('\n[decor.table]\nglyph = "q"\nwalk = false\nfly = true\nshoot = true\nsize = [2, 2]\n')
    assert problems(kit.name, cwd=kit.parent) == []


def test_what_is_wrong_with_a_kit_is_said_once(kit: Path) -> None:
    text = (kit / "kit.toml").read_text("utf-8")
    (kit / "kit.toml").write_text(text.replace('glyph = "b"', 'glyph = "bb"'), "utf-8")
    lines = problems(kit.name, cwd=kit.parent)
    assert [line.partition(":")[0] for line in lines] == ["hospital/flows/ward.toml", "hospital/kit.toml"]
    assert "cannot be checked before its kit is sound" in lines[0]


def test_a_kit_is_named_as_somebody_named_it(kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(kit.parent)
    assert kit_folder_of(Path("hospital/flows/ward.toml")) == Path("hospital")
    monkeypatch.chdir(kit / "flows")
    assert kit_folder_of(Path("ward.toml")) == kit


def test_the_look_of_a_kits_chapter_is_not_called_unknown() -> None:
    """A level has only the digest of its kit, which says nothing of its chapters."""
    level = generator.generate("gungeon", 1, kit="docs/examples/highnoon", chapter="town")
    assert any(name.endswith(".look") for name in level.facts)
    assert "unknown chapter" not in "".join(room_lines(level))


def test_why_says_that_rooms_are_furnished_by_procedure(kit: Path) -> None:
    """The default of a kit's rows is that all are."""
    (kit / "layouts" / "start").mkdir(parents=True)
    (kit / "layouts" / "start" / "bay.txt").write_text(BAY, "utf-8")
    text = (
        (kit / "kit.toml")
        .read_text("utf-8")
        .replace('spec = "start"', 'spec = "start"\nprocedural_share = SHARE')
    )
    said = "all start rooms are furnished by procedure; give room.start.gungeon a procedural_share below 100"
    for share, is_said in ((100, True), (0, False)):
        (kit / "kit.toml").write_text(text.replace("SHARE", str(share)), "utf-8")
        told = undercroft("why", "gungeon", "--set", "kit=.", "--seeds", "1:3", cwd=kit).stdout
        assert "layout  own/start/bay" in told and (said in told) is is_said
