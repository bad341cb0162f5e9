"""The pages for people who extend Undercroft: following them word by word gives what they promise."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import click
import numpy as np
import pytest
from PIL import Image

import generator
from exporters.looks import terrains
from exporters.theme.loader import load_theme
from generator.cli import main
from generator.kinds import shipped_kit
from generator.level_file import load_level
from generator.styles.gungeon.flows.library import load_flow
from tests.commands import undercroft_line
from tests.engines import RECIPES
from tests.folders import entries
from tests.guides import ROOT, follow
from tests.typed import mypy


@pytest.mark.xdist_group("types")
def test_who_follows_write_an_exporter_has_one(tmp_path: Path) -> None:
    done = follow("write-an-exporter.md", tmp_path)
    described = json.loads(done[1].stdout)
    assert [option["key"] for option in described["options"]] == ["text.markers"]
    level = generator.generate("isaac", 7)
    whole = (tmp_path / "build" / "isaac-7.txt").read_text("utf-8")
    plain = (tmp_path / "build" / "plain.txt").read_text("utf-8")
    assert len(whole.splitlines()) == level.height
    assert "B" in whole and "B" not in plain and "?" not in plain
    assert (tmp_path / "again" / "isaac-7.txt").read_text("utf-8") == whole
    assert (tmp_path / "build" / "gungeon-3.txt").is_file()
    assert "1 passed" in done[-1].stdout
    typed = mypy("--strict", tmp_path / "undercroft-text" / "undercroft_text.py")
    assert typed.returncode == 0, typed.stdout


def test_who_follows_write_a_theme_has_one(tmp_path: Path) -> None:
    done = follow("write-a-theme.md", tmp_path)
    checks = [one.stderr + one.stdout for one in done if "check" in one.args]
    assert len(checks) == 2
    for said in checks:
        told = [line for line in said.splitlines() if line]
        assert told and all(line.startswith("note: ") or line == "dungeon-check.png" for line in told)
    assert "treasure" in checks[0] and "treasure" not in checks[1].partition("door:")[0]
    sheet, written = (np.asarray(Image.open(tmp_path / part / "dungeon.png")) for part in ("", "build"))
    assert np.array_equal(written[: sheet.shape[0], : sheet.shape[1]], sheet)
    colours = {"#5f546e", "#675b78", "#3b3545", "#786b92", "#a9744f", "#8f8a99", "#15121b"}
    assert colours <= _colours_of(tmp_path / "build" / "isaac-7.png")
    meant = terrains(load_theme(tmp_path / "dungeon.toml"))
    assert meant[3] == ("wall",) and meant[8] == ("pit",)  # so that painted walls are walls


def _colours_of(path: Path) -> set[str]:
    with Image.open(path) as image:
        drawn = image.convert("RGB")
    return {f"#{bytes(colour).hex()}" for _, colour in drawn.getcolors(drawn.width * drawn.height)}


def test_who_follows_write_a_flow_has_one(tmp_path: Path) -> None:
    checked, shown, graph, *_ = follow("tutorial-flow.md", tmp_path)
    assert checked.stdout == "" and "detour1_loot" in shown.stdout and "vault -> a" in graph.stdout
    level = load_level(tmp_path / "build" / "sunken-spec-3.level.json")
    assert level.facts["flow"] == "sunken vault" and 14 <= len(level.rooms) <= 20
    told = (ROOT / "docs" / "tutorial-flow.md").read_text("utf-8")
    (refusal,) = re.findall(r"^    (sunken.toml: .*)$", told, re.MULTILINE)
    plan = (tmp_path / "sunken.toml").read_text("utf-8")
    (tmp_path / "sunken.toml").write_text(
        plan.replace('[[connection]]\npath = ["vault", "a"]\none_way = true\n', "")
    )
    with pytest.raises(generator.SpecError, match=re.escape(refusal)):
        load_flow(str(tmp_path / "sunken.toml"), shipped_kit())


CONTRIBUTING = (ROOT / "docs" / "contributing.md").read_text("utf-8")
COMMANDS = [
    command
    for block in re.findall(r"^```sh\n(.*?)^```$", CONTRIBUTING, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
    for command in line.partition("#")[0].strip().split(" && ")
]
SETTING = re.compile(r"[A-Z_]+=\S+ ")


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_contributing_can_be_given(line: str) -> None:
    """Its options exist, and the files that it names are there."""
    setting = SETTING.match(line)
    if setting:
        names = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
        assert any(setting[0].partition("=")[0] in text for text in names)
    program, *words = shlex.split(line.removeprefix(setting[0] if setting else ""))
    if program == "undercroft":
        parent = click.Context(main)
        command = main.get_command(parent, words[0])
        assert command is not None
        command.make_context(words[0], words[1:], parent=parent)
    elif program == "pytest":
        _can_be_collected(words)
    elif program == "python" and words[0] != "-m":
        assert (ROOT / words[0]).is_file() and set(words[1:]) <= set(RECIPES)
    else:
        assert program in {"python", "pip", ".", "ruff", "mypy", "gdformat", "gdlint"}


def _can_be_collected(words: list[str]) -> None:
    """Paths are there, and marks and options are known."""
    given = iter(words)
    for word in given:
        if word == "-m":
            marks = set(next(given).split()) - {"not", "and", "or"}
            assert marks <= {"engine", "soak"}
        elif word == "-n":
            assert next(given).isdigit()
        else:
            assert word == "--soak" or (ROOT / word).exists(), word


def test_contributing_names_files_that_are_there() -> None:
    """Paths in backquotes; NAME and POOL stand for any."""
    paths = re.findall(r"`((?:tests|docs|generator|exporters|godot_addon)/[\w./]*)`", CONTRIBUTING)
    assert len(paths) > 12
    for path in paths:
        found = ROOT.glob(re.sub("[A-Z]{4}", "*", path.rstrip("/")))
        assert next(found, None), path
    readme = (ROOT / "README.md").read_text("utf-8")
    for command in (
        "pip install . && undercroft generate isaac --seed 7 --out build",
        "pip install -e '.[test]' && pytest",
    ):
        assert f"{command}\n" in readme and f"{command}\n" in CONTRIBUTING


@pytest.mark.xdist_group("types")
def test_who_follows_write_a_style_has_one(tmp_path: Path) -> None:
    done = follow("write-a-style.md", tmp_path)
    assert [value["key"] for value in json.loads(done[1].stdout)["values"]] == [
        "rooms",
        "enemies",
        "body",
        "kit",
    ]
    made = {path.name for path in entries(tmp_path / "build")}
    assert {f"row-7-rooms-8{end}" for end in (".level.json", ".tscn", ".tmj", ".ldtk", ".png")} <= made
    audited = next(one for one in done if "audit" in one.args)
    assert audited.stdout == "50 levels, 0 with problems\n"
    assert 'style = "row"' in done[-1].stdout
    typed = mypy("--strict", tmp_path / "undercroft-row" / "undercroft_row.py")
    assert typed.returncode == 0, typed.stdout


def test_who_follows_another_engine_reads_a_level(tmp_path: Path) -> None:
    _, shown, path = follow("tutorial-engine.md", tmp_path)
    level = generator.generate("isaac", 7)
    rows = shown.stdout.splitlines()
    walkable = level.passable("walk")
    enemies = [marker for marker in level.markers if marker.kind == "enemy"]
    assert rows.pop() == f"{len(enemies)} enemies" and len(rows) == level.height
    assert all(rows[marker.y][2 * marker.x + 1] == "e" for marker in enemies)
    for x, y in ((x, y) for y in range(level.height) for x in range(level.width) if not walkable[y, x]):
        assert (
            rows[y][2 * x + 1] != "." or level.decor[y, x] == 0
        )  # a thing of several tiles, told on the page
    boss = next(room for room in level.rooms if room.kind == "boss")
    found = path.stdout.strip().split(" -> ")
    assert (found[0], found[-1], len(found)) == ("start", "boss", boss.distance + 1)


def test_who_follows_the_tutorial_for_research_has_numbers(tmp_path: Path) -> None:
    counted, compared, _ = follow("tutorial-research.md", tmp_path)
    plans = [generator.generate("isaac", seed, stage=3, until="floorplan") for seed in range(500)]
    distances = [room.distance for plan in plans for room in plan.rooms if room.kind == "boss"]
    assert f"{distances.count(4) / 500:6.1%}" in next(
        line for line in counted.stdout.splitlines() if line.startswith("  4 rooms to the boss")
    )
    assert [line.split(":")[0] for line in compared.stdout.splitlines()] == ["stage 1", "stage 6"]
    rows = (tmp_path / "levels.csv").read_text("utf-8").splitlines()
    assert rows[8].split(",")[:2] == ["7", str(len(plans[7].rooms))] and len(rows) == 201
    assert np.load(tmp_path / "plans.npz")["distance"].shape[0] == 200


def test_who_measures_levels_sees_what_is_chance_and_what_is_not(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "many-levels.md").read_text("utf-8")
    text = text.partition("## What is a good level?")[2].partition("\n## ")[0]
    usual, short, kept, chance, changed = (
        undercroft_line(line, tmp_path) for line in re.findall("^ *(undercroft .*)$", text, re.MULTILINE)
    )
    for told in re.findall(r"^    (\S+: .* median .*)$", text, re.MULTILINE):
        assert f"{told}\n" in usual.stdout
    assert short.stdout.startswith("31 ") and kept.returncode == 0
    moved = r"^(.*): the distribution moved by ([\d.]+)"
    by_chance, by_value = (
        {fact: float(far) for fact, far in re.findall(moved, done.stdout + done.stderr, re.MULTILINE)}
        for done in (chance, changed)
    )
    assert chance.returncode == changed.returncode == 1 and max(by_chance.values()) == 0.25
    assert (by_value["rooms.boss.distance"], by_value["loops"]) == (0.967, 0.633)


def test_who_follows_draw_rooms_has_rooms_in_a_level(tmp_path: Path) -> None:
    done = follow("draw-rooms.md", tmp_path)
    assert [one.stdout for one in done if "check" in one.args] == [""]
    assert (tmp_path / "text" / "normal" / "any" / "hard" / "court.txt").is_file()
    assert (tmp_path / "text" / "shop" / "stalls.txt").is_file()
    level = generator.load_level(tmp_path / "cellar-3.level.json")
    assert len(level.to_dict()["spec"]["layouts"]) == 16
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert min(sheet.size) > 500
    assert "own/shop/stalls" in done[-2].stdout
