"""The demo: its packs are the generator's, a bot plays runs in it and in its export, saves and goes on."""

from __future__ import annotations

import copy
import json
import random
import shlex
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

import generator
from exporters.formats.pack.file import HEADER, LEVELS_A_BLOCK
from exporters.theme.loader import load_theme
from generator.cli import main
from generator.kinds import ROSTER
from tests.combinations import usually
from tests.engines import environment
from tests.godot_addon.conftest import ADDON
from tests.upgrade.team import Team

from .conftest import Play

pytestmark = pytest.mark.xdist_group("play")

DEMO = ADDON / "demo"
STYLES = ("isaac", "rebirth", "gungeon")
FLOORS = 3


@pytest.mark.parametrize("style", usually(["isaac", "locked"], [*STYLES, "locked"]))
def test_the_shipped_packs_are_what_the_generator_makes(
    style: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first levels of the last floor, packed again, are the same to the byte."""
    (command,) = [line for line in _commands() if f"levels/{style}.ucpack" in line]
    specs = [word for word in command if word.endswith(".toml")]
    run = ["--run"] if "--run" in command else []
    needed = specs if run else specs[-1:]  # a run's last floor knows of those before
    start, end = map(int, command[command.index("--seeds") + 1].split(":"))
    few, out = f"{start}:{start + LEVELS_A_BLOCK}", tmp_path / f"{style}.ucpack"
    monkeypatch.chdir(DEMO)
    arguments = ["pack", *needed, *run, "--seeds", few, "--out", str(out), "--jobs", "1"]
    CliRunner().invoke(main, arguments, catch_exceptions=False)
    shipped = list(_blocks(DEMO / "levels" / out.name))
    a_floor = -(-(end - start) // LEVELS_A_BLOCK)
    assert len(shipped) == a_floor * len(specs) + 1  # the last is the index
    assert list(_blocks(out))[-2] == shipped[-1 - a_floor]
    for file in tmp_path.glob("undercroft*"):
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
    told = play.ask("packs.gd", "3", "999999", "a word")
    for style in STYLES:
        specs = [DEMO / f"specs/{style}-{number}.toml" for number in range(1, FLOORS + 1)]
        if style != "gungeon":  # whose floors are levels of their own
            levels = list(generator.Run(generator.run(specs[0], 3).stages[:FLOORS]))
        else:
            levels = [generator.generate(spec, seed=3) for spec in specs]
        assert told[style]["3"][0] == [level.fingerprint for level in levels]
        for first, again in told[style].values():
            assert first == again
        assert len({tuple(first) for first, _ in told[style].values()}) == 3


def test_every_script_compiles_without_a_warning(play: Play) -> None:
    play.quiet("-s", "probes/compile.gd")


@pytest.mark.parametrize("style", usually(["isaac", "gungeon"], STYLES))
def test_a_bot_plays_it_from_the_start_to_the_next_floor(play: Play, style: str) -> None:
    seen = play.play("bot.gd", style=style, seed="7")
    assert seen["ended"] == "down", seen
    assert (seen["begin"]["floor"], seen["end"]["floor"]) == (1, 2)
    if style == "gungeon":  # the shortest way through hallways need not be the one with the fewest rooms
        assert (seen["entered"][0], seen["entered"][-1]) == (seen["path"][0], seen["path"][-1])
    else:
        assert [room for room in seen["entered"] if room in seen["path"]] == seen["path"]
    assert seen["path"][-1] in seen["cleared"]
    assert seen["end"]["belongings"]["red_keys"] == int(seen["red"])  # the boss had it
    assert seen["shut"] and seen["opened"] >= seen["shut"]  # each door that shut for a fight opened again
    assert seen["end"]["belongings"]["health"] >= 30  # of 60: over eight seeds of each style, it is 34 to 55
    if style == "isaac":  # equal runs are equal, whatever the level behind the title was
        again = play.play("bot.gd", style=style, seed="7")
        assert (again["frames"], again["end"]) == (seen["frames"], seen["end"])


def test_a_bot_finds_the_key_and_gets_through_the_lock(play: Play) -> None:
    """Past a door that falls shut to the key, back by the shortcut, and, gone on with, through the lock."""
    left = play.play("bot.gd", style="locked", seed="7", rooms=5)
    level = generator.generate(DEMO / "specs/locked-1.toml", seed=7)
    assert left["begin"]["fingerprint"] == level.fingerprint
    assert (left["ended"], left["locks"], left["keys"]) == ("left", 1, ["iron_key"]), left
    names = {"start": "gate", "chest": "treasury", "boss": "throne", "normal": "room"}
    kinds = [names[level.rooms[room].kind] for room in left["entered"]]
    assert kinds == ["gate", "room", "room", "treasury", "gate"]
    again = play.play("bot.gd")
    assert (again["ended"], again["keys"]) == ("down", []), again
    assert level.rooms[again["entered"][-1]].kind == "boss"


@pytest.mark.soak
def test_a_whole_run_ends_with_the_last_floor(play: Play) -> None:
    """Between any two floors, the game is closed and goes on from what it saved."""
    seen = play.play("bot.gd", style="isaac", seed="11", whole=True, reload=True)
    assert (seen["ended"], seen["begin"]["floor"], seen["reloaded"]) == ("won", FLOORS, FLOORS - 1), seen
    left = play.play("bot.gd", style="isaac", seed="11", rooms=1)
    assert left["title"]["continue"] == ""  # a run that is over cannot be gone on with


def test_an_exported_game_saves_and_goes_on(play: Play) -> None:
    """The game that players get, without project, editor and Python: from the title into a run and out.

    On a screen to the boss, who is in the third room; then gone on with.
    """
    assert sorted(path.name for path in play.game.parent.iterdir()) == ["game", "game.pck"]
    boss = play.folder / "boss.png"
    left = play.play("bot.gd", exported=True, style="gungeon", seed="deep", rooms=3, picture=str(boss))
    assert left["ended"] == "left" and left["path"][-1] in left["cleared"]
    with Image.open(boss) as drawn:
        colours = drawn.convert("RGB").getcolors(drawn.width * drawn.height)
    assert drawn.width >= 640 and colours and len(colours) > 50
    assert left["title_after"]["continue"] == "Continue: gungeon, floor 1"
    again = play.play("bot.gd", exported=True)
    assert again["title"]["continue"] == "Continue: gungeon, floor 1"
    assert again["begin"].pop("place") == pytest.approx(left["end"].pop("place"), abs=1)
    assert again["begin"] == left["end"]
    assert len(left["end"]["visited"]) >= 3
    assert again["ended"] == "down", again


def test_an_exported_game_loads_levels_of_every_kind(play: Play) -> None:
    told = play.play("exported.gd", exported=True)
    assert told["json"] == told["scene"] == generator.generate("isaac", 8, stage=2).fingerprint
    _, second, *_ = islice(generator.run(DEMO / "specs/isaac-1.toml", 8), FLOORS)
    assert told["pack"] == second.fingerprint
    assert not told["sources"]  # nothing of the project's folder was in reach


def test_keys_bombs_curses_and_wares_do_what_they_say(play: Play) -> None:
    told = play.run("touch.gd")
    assert (told["locked_without_key"], told["locked_with_key"]) == (False, [True, 0])
    assert (told["hidden_before"], told["hidden_after"]) == (False, [True, 0, 4])  # too near to the bomb
    assert told["shop"] == [True, False, 2]  # not sold for too little; then sold, and two coins left
    assert told["chest"] == [3, False]
    assert told["item"]
    assert told["spoils"] == [True, False, True, True]
    assert told["bosses"] == ["Left and Right", 80, 100, "Right", True, "", False]
    assert told["curse"] == 5
    assert told["dead"] == [True, True]
    assert told["again"] == [6, False, "start"]


def test_every_enemy_kind_has_a_picture_and_lives_up_to_its_habits(play: Play) -> None:
    told = play.run("foes.gd")
    theme = load_theme()
    assert told["asleep"] == [False, True]
    for kind in ROSTER.values():
        x, y = told["pictures"][kind.name]
        assert theme.at_px(theme.icons[f"enemy_{kind.name}"]) == (x * 16, y * 16), kind.name
        did = told["kinds"][kind.name]
        shots = not {"shoots", "sprays"}.isdisjoint(kind.habits)
        assert (did["shots"] > 0, did["shots_at_death"] > 0) == (shots, "bursts" in kind.habits), kind.name
        assert did["vanished"] == ("hides" in kind.habits), kind.name
        assert (did["fastest"] > 100) == (not {"charges", "leaps"}.isdisjoint(kind.habits)), kind.name
        assert did["moved"] <= ("stays" not in kind.habits), kind.name
        assert did["called_at_death"] == (2 if "splits" in kind.habits else 0), kind.name
        assert set(did["called"]) == ({kind.makes} if kind.makes else set()), kind.name
        assert did["flies"] == kind.flies


# Each: what becomes of the saved run, and the line that tells of it.
BROKEN: dict[str, tuple[list[str | int], object, str]] = {
    "format": (["format"], "undercroft-level", "is not a saved run"),
    "version": (["format_version"], 3, "format_version: is not a whole number from 2 to 2"),
    "style": (["style"], "maze", "style: is not one of isaac, rebirth, gungeon, locked"),
    "seed": (["seed"], "9" * 41, "seed: has more than 40 letters"),
    "floor": (["floors", "place"], 4, "floors.place: is not a whole number from 1 to 3"),
    "other-floor": (["floors", "state", "4"], {}, "floors.state.4: has no fingerprint"),
    "health": (["belongings", "health"], 0, "belongings.health: is not a whole number from 1 to 1000"),
    "haste": (["belongings", "haste"], 1e99, "belongings.haste: is not a whole number"),
    "place": (["place"], [1, 2, 3], "place: has 3 items, not 2"),
    "rooms": (["floors", "state", "1", "visited"], {"0": 1}, "floors.state.1.visited: is not a list"),
    "loose": (["loose"], [{"kind": "coin", "place": ["x", 0]}], "loose[0].place[0]: is not a whole number"),
    "levels": (["floors", "state", "1", "fingerprint"], "0" * 32, "fingerprint: is that of another level"),
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
    older = Team(play.folder.parent / "older").folder.parent / "run.json"
    for name, data in (files | wrong | {"whole": text, "older": older.read_bytes()}).items():
        (folder / name).write_bytes(data)
    told = play.run("saves.gd", "res://saves")
    outcomes: dict[str, list[str]] = told["files"]
    assert outcomes["whole"][1:] == ["Continue: isaac, floor 1", "isaac"]
    assert outcomes["older"][1:] == ["", ""] and "format_version: is not" in outcomes["older"][0]
    for name in files:
        line, _, played = outcomes[name]
        assert not played, name
        assert "\n" not in line and line.startswith(("user://run.json: ", "The saved run does not fit")), name
    for name, (_, _, line) in BROKEN.items():
        assert line in outcomes[name][0]
    assert set(outcomes) == {*files, *wrong, "whole", "older"}  # whatever is wrong, the title screen lives
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
