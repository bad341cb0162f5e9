"""The demo: its packs are the generator's, a bot plays runs in it and in its export, saves and goes on."""

from __future__ import annotations

import copy
import json
import random
import shlex
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import generator
from exporters.pack.file import HEADER
from exporters.pack.work import LEVELS_A_BLOCK
from generator.cli import main
from tests.engines import environment
from tests.godot_addon.conftest import ADDON

from .conftest import Play

pytestmark = pytest.mark.xdist_group("play")

DEMO = ADDON / "demo"
STYLES = ("isaac", "rebirth", "gungeon")
FLOORS = 3


@pytest.mark.parametrize("style", STYLES)
def test_the_shipped_packs_are_what_the_generator_makes(
    style: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first levels of the last floor, packed again, are the same to the byte."""
    (command,) = [line for line in _commands() if f"levels/{style}.ucpack" in line]
    *_, last = specs = [word for word in command if word.endswith(".toml")]
    start, end = map(int, command[command.index("--seeds") + 1].split(":"))
    few, out = f"{start}:{start + LEVELS_A_BLOCK}", tmp_path / f"{style}.ucpack"
    monkeypatch.chdir(DEMO)
    arguments = ["pack", last, "--seeds", few, "--out", str(out), "--jobs", "1"]
    CliRunner().invoke(main, arguments, catch_exceptions=False)
    shipped = list(_blocks(DEMO / "levels" / out.name))
    a_floor = -(-(end - start) // LEVELS_A_BLOCK)
    assert len(shipped) == a_floor * len(specs) + 1  # the last is the index
    assert next(_blocks(out)) == shipped[-1 - a_floor]
    for file in tmp_path.glob("undercroft.*"):
        assert file.read_bytes() == (DEMO / "levels" / file.name).read_bytes()


def _commands() -> list[list[str]]:
    lines = (DEMO / "README.md").read_text("utf-8").splitlines()
    return [shlex.split(line)[1:] for line in lines if line.startswith("undercroft ")]


def _blocks(pack: Path) -> Iterator[bytes]:
    """What a pack holds, stream after stream."""
    packed = pack.read_bytes()[HEADER.size :]
    while packed:
        stream = zlib.decompressobj()
        yield stream.decompress(packed)
        packed = stream.unused_data


def test_a_seed_of_the_pack_plays_its_own_levels_and_any_other_the_same_ones_again(play: Play) -> None:
    told = play.run("packs.gd", "3", "999999", "a word")
    for style in STYLES:
        specs = [str(DEMO / f"specs/{style}-{number}.toml") for number in range(1, FLOORS + 1)]
        assert told[style]["3"][0] == [generator.generate(spec, seed=3).fingerprint for spec in specs]
        for first, again in told[style].values():
            assert first == again
        assert len({tuple(first) for first, _ in told[style].values()}) == 3


def test_every_script_compiles_without_a_warning(play: Play) -> None:
    play.quiet("-s", "probes/compile.gd")


@pytest.mark.parametrize("style", STYLES)
def test_a_bot_plays_it_from_the_start_to_the_next_floor(play: Play, style: str) -> None:
    seen = play.play("bot.gd", style=style, seed="7")
    assert seen["ended"] == "down", seen
    assert (seen["begin"]["floor"], seen["end"]["floor"]) == (1, 2)
    assert [room for room in seen["entered"] if room in seen["path"]] == seen["path"]
    assert seen["path"][-1] in seen["cleared"]
    assert seen["shut"] and seen["opened"] >= seen["shut"]  # each door that shut for a fight opened again


def test_a_whole_run_ends_with_the_last_floor(play: Play) -> None:
    seen = play.play("bot.gd", style="isaac", seed="11", whole=True)
    assert (seen["ended"], seen["begin"]["floor"]) == ("won", FLOORS), seen
    left = play.play("bot.gd", style="isaac", seed="11", rooms=1)
    assert left["title"]["continue"] == ""  # a run that is over cannot be gone on with


def test_an_exported_game_saves_and_goes_on(play: Play) -> None:
    """The game that players get, without project, editor and Python: from the title into a run and out."""
    assert sorted(path.name for path in play.game.parent.iterdir()) == ["game", "game.pck"]
    left = play.play("bot.gd", exported=True, style="gungeon", seed="deep", rooms=3)
    assert left["ended"] == "left"
    assert left["title_after"]["continue"] == "Continue: gungeon, floor 1"
    again = play.play("bot.gd", exported=True)
    assert again["title"]["continue"] == "Continue: gungeon, floor 1"
    assert again["begin"].pop("place") == pytest.approx(left["end"].pop("place"), abs=1)
    assert again["begin"] == left["end"]
    assert len(left["end"]["visited"]) >= 3
    assert again["ended"] == "down", again


def test_an_exported_game_loads_levels_of_every_kind(play: Play) -> None:
    told = play.play("exported.gd", exported=True)
    fingerprint = generator.generate("isaac", 8, stage=2).fingerprint
    assert told["json"] == told["scene"] == told["pack"] == fingerprint
    assert not told["sources"]  # nothing of the project's folder was in reach


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


# Each: what becomes of the saved run, and the line that tells of it.
BROKEN: dict[str, tuple[list[str | int], object, str]] = {
    "format": (["format"], "undercroft-level", "is not a saved run"),
    "version": (["format_version"], 2, "format_version: is no whole number from 1 to 1"),
    "style": (["style"], "maze", "style: is not one of isaac, rebirth, gungeon"),
    "seed": (["seed"], "9" * 41, "seed: has more than 40 letters"),
    "floor": (["floor"], 4, "floor: is no whole number from 1 to 3"),
    "health": (["belongings", "health"], 0, "belongings.health: is no whole number from 1 to 1000"),
    "haste": (["belongings", "haste"], 1e99, "belongings.haste: is no whole number"),
    "place": (["place"], [1, 2, 3], "place: has 3 items, not 2"),
    "rooms": (["visited"], {"0": 1}, "visited: is no list"),
    "loose": (["loose"], [{"kind": "coin", "place": ["x", 0]}], "loose[0].place[0]: is no whole number"),
    "levels": (["fingerprint"], "0" * 32, "does not fit this game's levels"),
    "room-id": (["visited"], [0, 999], "does not fit this game's levels"),
    "door-id": (["opened"], [60000], "does not fit this game's levels"),
    "nowhere": (["place"], [-5000, 4], "does not fit this game's levels"),
}


def test_a_broken_save_is_refused_in_a_line(play: Play) -> None:
    whole = _saved_run(play)
    files = {name: json.dumps(_with(whole, *BROKEN[name][:2])).encode() for name in BROKEN}
    files |= {"empty": b"", "list": b"[]", "deep": b"[" * 100_000, "large": b" " * (1 << 19)}
    text = json.dumps(whole).encode()
    files |= {f"cut{i:02}": text[: len(text) * i // 12] for i in range(1, 12)}
    wrong = {f"wrong{i:02}": json.dumps(_wrong_somewhere(whole, i)).encode() for i in range(40)}
    folder = play.folder / "saves"
    folder.mkdir()
    for name, data in (files | wrong | {"whole": text}).items():
        (folder / name).write_bytes(data)
    told = play.run("saves.gd", "res://saves")
    outcomes: dict[str, list[str]] = told["files"]
    assert outcomes["whole"][1:] == ["Continue: isaac, floor 1", "isaac"]
    for name in files:
        line, _, played = outcomes[name]
        assert not played, name
        assert "\n" not in line and line.startswith(("user://run.json: ", "The saved run does not fit")), name
    for name, (_, _, line) in BROKEN.items():
        assert line in outcomes[name][0]
    assert set(outcomes) == {*files, *wrong, "whole"}  # whatever is wrong, the title screen lives
    assert (told["kept"], told["plays"]) == ("of another game", True)
    assert "cannot be saved" in told["refused"] and told["whole"]


def _saved_run(play: Play) -> Any:
    """A run that a bot has left after three rooms."""
    left = play.play("bot.gd", style="isaac", seed="4", rooms=3)
    assert left["ended"] == "left"
    (saved,) = (Path(environment()["XDG_DATA_HOME"]) / "godot").rglob("run.json")
    return json.loads(saved.read_bytes())


def _with(whole: Any, place: list[Any], value: object) -> Any:
    table = copy.deepcopy(whole)
    inner = table
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return table


def _wrong_somewhere(whole: Any, number: int) -> Any:
    chance = random.Random(number)
    key = chance.choice(sorted(whole))
    return _with(whole, [key], chance.choice([None, {}, [], [[]], "text", -1, 1e300, {"health": "x"}]))
