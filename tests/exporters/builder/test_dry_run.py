"""`build --dry-run`: what would be built and why, what each file becomes, and nothing is written."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator
from exporters.builder import inputs
from generator.level import Level
from generator.spec import LevelSpec
from tests.dry_runs import Said, does_as_it_says, ran, snapshot
from tests.exporters.builder.games import Game
from tests.upgrade.team import Team

MANIFEST = """
out = "levels"
formats = ["json", "tiled"]
[group.cellars]
spec = "cellar.toml"
seeds = "3:5"
theme = "look/undercroft.toml"
[group.vault]
spec = "isaac"
set.rooms = 5
seeds = "0:2"
formats = ["pack"]
[campaign.descent]
seed = "a rope"
spec = "isaac"
set.rooms = 5
formats = ["json"]
stages = [{ name = "cellar", set.stage = 1 }, { name = "caves", set.stage = 3 }]
"""
CELLARS = {"cellars, seed 3", "cellars, seed 4"}


@pytest.fixture
def game(tmp_path: Path) -> Game:
    game = Game(tmp_path / "game", MANIFEST)
    shutil.copytree(Path(exporters.__file__).parent / "themes", game.folder / "look")
    (game.folder / "cellar.toml").write_text('style = "isaac"\nrooms = 5\nlayouts = "rooms"\n', "utf-8")
    (game.folder / "rooms" / "shop").mkdir(parents=True)
    shipped = Path(exporters.__file__).parents[1] / "generator" / "interiors" / "layouts" / "shop"
    shutil.copy(shipped / "long-counter.txt", game.folder / "rooms" / "shop" / "ours.txt")
    return game


def does(game: Game, *words: str) -> set[str]:
    return does_as_it_says(["build", *words], game.folder, "levels")


def why(game: Game, *words: str) -> dict[str, str]:
    """Why each level or pack would be built, by its name."""
    events = dry(game.folder, *words).out
    return {event.get("level", event["group"]): event["why"] for event in events if "why" in event}


def dry(folder: Path, *words: str) -> Said:
    return ran(["build", "--dry-run", "--json", *words], folder)


def test_it_says_what_the_build_does(game: Game) -> None:
    """New levels, a changed file with each policy, a group less with its files, and nothing to do."""
    assert "cellars/cellar-3.tmj" in {path.removeprefix("levels/") for path in does(game)}
    assert does(game) == set() and why(game) == {}
    edited = game.levels / "cellars" / "cellar-3.tmj"
    edited.write_bytes(edited.read_bytes().replace(b'"layers"', b'"mine": 1, "layers"'))
    (game.levels / "cellars" / "cellar-4.tmj").unlink()
    assert why(game) == {"cellars, seed 3": "file changed by hand", "cellars, seed 4": "file missing"}
    assert does(game) == {"levels/cellars/cellar-4.tmj"}
    game.change('seeds = "3:5"', 'seeds = "3:5"\nset.stage = 2')
    assert does(game, "--edits", "fail") == set()
    assert does(game) == {f"levels/cellars/cellar-4.{suffix}" for suffix in ("tmj", "level.json")}
    game.change("set.stage = 2", "set.stage = 3")
    assert "levels/cellars/cellar-3.mine.tmj" in does(game, "--edits", "replace")
    game.change('formats = ["json", "tiled"]', 'formats = ["json"]')
    gone = does(game, "--prune")
    assert "levels/cellars/cellar-3.tmj" in gone and not edited.exists()
    assert does(game, "--force") == set()
    game.change("set.stage = 3", "set.stage = 99")
    assert ran(["build", "--dry-run"], game.folder).status == 2


def test_why(game: Game) -> None:
    every = {*CELLARS, "vault", "descent, cellar", "descent, caves"}
    assert why(game) == dict.fromkeys(every, "new")
    ran(["build"], game.folder)
    assert why(game, "--force") == dict.fromkeys(every, "--force")

    def changed(old: str, new: str, file: str = "undercroft.toml") -> dict[str, str]:
        path = game.folder / file
        before = path.read_text("utf-8")
        assert old in before
        path.write_text(before.replace(old, new, 1), "utf-8")
        reasons = why(game)
        path.write_text(before, "utf-8")
        return reasons

    assert changed("rooms = 5", "rooms = 6", "cellar.toml") == dict.fromkeys(CELLARS, "spec changed")
    assert changed("rooms = 5", "rooms = 5\n# a note", "cellar.toml") == {}
    assert changed("map:", "tags: ours\nmap:", "rooms/shop/ours.txt") == dict.fromkeys(
        CELLARS, "layouts changed"
    )
    assert changed("tile_size", "# a note\ntile_size", "look/undercroft.toml") == dict.fromkeys(
        CELLARS, "theme changed"
    )
    options = 'theme = "look/undercroft.toml"\noptions.tiled.encoding = "base64"'
    assert changed('theme = "look/undercroft.toml"', options) == dict.fromkeys(CELLARS, "options changed")
    assert changed('"json", "tiled"', '"json", "tiled", "ldtk"') == dict.fromkeys(CELLARS, "new format")
    assert changed('seeds = "3:5"', 'path = "cellars/cellar-{number:02}"\nseeds = "3:5"') == dict.fromkeys(
        CELLARS, "new"
    )
    assert changed('seeds = "0:2"', 'seeds = "0:3"') == {"vault": "seeds changed"}
    assert changed("set.stage = 1", "set.stage = 2") == {
        "descent, cellar": "spec changed",
        "descent, caves": "stages changed",
    }
    assert changed('seed = "a rope"', 'seed = "a knot"') == {
        "descent, cellar": "seed changed",
        "descent, caves": "seed changed, stages changed",
    }


def test_what_a_new_version_changes_is_told_apart(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    ran(["build"], game.folder)
    made = generator.generate

    def otherwise(spec: LevelSpec, seed: int | str, **more: Any) -> Level:
        level = made(spec, 104 if seed == 4 else seed, **more)  # a level of own rooms must be a sound one
        return replace(level, markers=level.markers[:-1]) if seed == 1 else level

    monkeypatch.setattr("generator.pipeline.generate", otherwise)
    monkeypatch.setattr("exporters.builder.plan.VERSION", "9.9.9")
    before = snapshot(game.folder)
    said = ran(["build", "--dry-run"], game.folder)
    assert snapshot(game.folder) == before
    lines = [line for line in said.out if line.startswith("would build")]
    assert [line.partition("; ")[2] for line in lines] == [
        "the same level",
        "another level",
        *["the same level"] * 2,
    ]
    assert all("made by version " in line for line in lines)
    assert [line for line in said.out if line.startswith("  vault, ")] == ["  vault, seed 1: another level"]
    assert "made by another version: 2 levels would change, 4 would stay the same" in said.out
    assert {
        event["level"]: event["same_level"] for event in dry(game.folder).out if "same_level" in event
    } == {"cellars, seed 3": True, "cellars, seed 4": False, "descent, cellar": True, "descent, caves": True}


def test_files_of_a_version_that_did_not_record_why(tmp_path: Path) -> None:
    """The files of version 0.2.0 say themselves which level they show, where nobody has changed them."""
    team = Team(tmp_path)
    told = {event.get("level", event["group"]): event for event in dry(team.folder).out if "why" in event}
    assert {event["why"] for event in told.values()} == {"made by an earlier version"}
    assert {name: event.get("same_level") for name, event in told.items()} == {
        "cellars, seed 1": None,
        "cellars, seed 2": False,  # later versions list more kinds of decor
        "vault, seed 3": False,
        "vault": None,
    }
    assert told["vault"]["same_levels"] == 0 and len(told["vault"]["other_levels"]) == 1


def test_levels_that_did_not_change_are_not_made(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    ran(["build"], game.folder)
    monkeypatch.setattr("exporters.builder.run.make", None)
    monkeypatch.setattr("exporters.builder.packs.make", None)
    assert dry(game.folder).out[-1]["groups"] == {
        "cellars": {"unchanged": 2},
        "vault.ucpack": {"unchanged": 2},
        "descent": {"unchanged": 2},
    }
    game.change('seeds = "3:5"', 'seeds = "3:6"')
    with pytest.raises(TypeError):  # what is new is made, as its files have to be known
        dry(game.folder)


def test_a_level_that_cannot_be_written_fails(game: Game) -> None:
    (game.levels / "cellars" / "cellar-3.tmj").mkdir(parents=True)
    assert does(game) and dry(game.folder).status == 1


def test_the_page_shows_what_is_said_and_every_reason(game: Game) -> None:
    page = (Path(__file__).parents[3] / "docs" / "pipelines.md").read_text("utf-8")
    shown, _ = re.findall(r"```text\n(would build .*?)```", page, re.DOTALL)
    words = (
        inputs.NEW,
        inputs.FORCED,
        inputs.MISSING,
        inputs.BY_HAND,
        inputs.UNFINISHED,
        inputs._EARLIER,
    )
    assert [word for word in words if f"`{word}`" not in page] == []
    game.write(
        'out = "levels"\nformats = ["json", "png"]\n'
        '[group.cellars]\nspec = "cellar.toml"\nseeds = [0]\n[group.vaults]\nspec = "gungeon"\nset.rooms = 4\nseeds = [3, 4]\n'
    )
    ran(["build"], game.folder)
    (game.folder / "cellar.toml").write_text('style = "isaac"\nrooms = 6\nlayouts = "rooms"\n', "utf-8")
    (game.levels / "vaults" / "gungeon-3.png").unlink()
    assert ran(["build", "--dry-run"], game.folder).out == shown.splitlines()
