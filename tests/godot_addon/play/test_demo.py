"""The demo: its levels are the generator's, a bot plays it to the end, and it makes new levels."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import generator
from generator.cli import main
from tests.engines import godot
from tests.godot_addon.conftest import ADDON

from .conftest import PROBES, Play

pytestmark = pytest.mark.xdist_group("play")

DEMO = ADDON / "demo"
STYLES = ("isaac", "rebirth", "gungeon")


def test_the_shipped_levels_are_what_the_generator_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = (DEMO / "README.md").read_text("utf-8").splitlines()
    commands = [shlex.split(line)[1:] for line in lines if line.startswith("undercroft ")]
    for command in commands:
        CliRunner().invoke(main, command, catch_exceptions=False)
    levels = [path for path in (DEMO / "levels").iterdir() if path.suffix != ".import"]
    shipped = {path.name: path.read_bytes() for path in levels}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == shipped
    assert {f"{style}.tscn" for style in STYLES} <= set(shipped)


def test_every_script_compiles_without_a_warning(play: Play) -> None:
    play.quiet("-s", "probes/compile.gd")


@pytest.mark.parametrize("style", STYLES)
def test_a_bot_plays_it_from_the_start_to_the_way_out(play: Play, style: str) -> None:
    seen = play.run("bot.gd", style)
    assert seen["won"], seen
    assert [room for room in seen["entered"] if room in seen["path"]] == seen["path"]
    assert seen["path"][-1] in seen["cleared"]
    assert seen["shut"] and seen["opened"] >= seen["shut"]  # each door that shut for a fight opened again
    assert seen["frames"] < 60 * 240


def test_keys_bombs_curses_and_wares_do_what_they_say(play: Play) -> None:
    told = play.run("touch.gd")
    assert (told["locked_without_key"], told["locked_with_key"]) == (False, [True, 0])
    assert (told["hidden_before"], told["hidden_after"]) == (False, [True, 0, 4])  # too near to the bomb
    assert told["shop"] == [True, False, 2]  # not sold for too little; then sold, and two coins left
    assert told["chest"] == [3, False]
    assert told["item"]
    assert told["curse"] == 5
    assert told["dead"] == [True, True]
    assert told["again"] == [6, False, "start"]


def test_a_typed_seed_makes_a_new_level(play: Play) -> None:
    command = shutil.which("undercroft", path=Path(sys.executable).parent)
    assert command
    (play.folder / "override.cfg").write_text(f'[undercroft]\n\ngenerator/command="{command}"\n')
    try:
        (able, made), (_, again), (_, refused) = play.run(
            "seed.gd", "rebirth", "99", "TKMG 13C2", "TKMG 13C3"
        )
    finally:
        (play.folder / "override.cfg").unlink()
    assert able
    assert made == generator.generate("rebirth", 99).fingerprint
    assert again == generator.generate("rebirth", "TKMG 13C2").fingerprint
    assert "TKMG 13C3" in refused


def test_without_the_command_no_seed_can_be_typed(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    (play.folder / "override.cfg").write_text('[undercroft]\n\ngenerator/command="res://nowhere"\n')
    try:
        ((able, played),) = play.run("seed.gd", "isaac", "")
    finally:
        (play.folder / "override.cfg").unlink()
    assert not able
    assert played == generator.generate("isaac", 8, stage=2).fingerprint


def test_an_exported_game_loads_levels_and_plays(play: Play, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    probe = shutil.copy(PROBES / "exported.gd", tmp_path)
    arguments = ("--headless", "--main-pack", str(play.pack), "-s", str(probe), "--", str(answer))
    done = godot().run(*arguments, timeout=60)
    assert not done.stderr.strip(), done.stderr
    told = json.loads(answer.read_bytes())
    fingerprint = generator.generate("isaac", 8, stage=2).fingerprint
    assert told["json"] == told["scene"] == fingerprint
    assert (told["room"], told["rooms"]) == ("start", 9)
    assert not told["sources"]  # nothing of the project's folder was in reach
