"""Finished levels in a manifest: `build` exports them as `export` does, and notices when they change."""

from __future__ import annotations

import json
import os
import shutil
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

import exporters
from exporters.builder.manifest import load_manifest
from exporters.formats.pack.reader import load_pack
from exporters.studio import starring
from generator import Level, generate
from generator.cli import main
from generator.level_file import level_from_bytes, load_level
from generator.serialise import dumps
from tests.exporters.builder.games import Game

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
FORMATS = ["json", "godot", "tiled", "ldtk", "png"]
MANIFEST = f"""
out = "levels"
formats = {FORMATS}
[group.handmade]
levels = ["handmade/crypt.level.json", "handmade/well.json"]
[group.cellars]
spec = "isaac"
seeds = [3]
formats = ["json"]
"""


def with_property(level: Level, value: int) -> Level:
    """The level as if somebody had edited an enemy, and the edit was accepted."""
    table = level.to_dict()
    enemy = next(marker for marker in table["markers"] if marker["kind"] == "enemy")
    enemy["properties"]["mood"] = value
    return level_from_bytes(json.dumps(table).encode(), "level", accept_edits=True)


@cache
def crypt() -> Level:
    return with_property(generate("isaac", 4), 1)


@cache
def well() -> Level:
    return generate("gungeon", "a text", rooms=4)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    game = Game(tmp_path / "game", MANIFEST)
    (game.folder / "handmade").mkdir()
    (game.folder / "handmade" / "crypt.level.json").write_bytes(dumps(crypt()))
    (game.folder / "handmade" / "well.json").write_bytes(dumps(well()))
    return game


def refusal(game: Game, *words: str) -> str:
    """The one line that refuses the manifest, before anything is built."""
    done = game.run(*words)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.output
    assert not game.levels.exists()
    return done.stderr


def test_the_files_are_those_of_export(game: Game) -> None:
    told = game.build()
    assert told.counts == {"built": 3, "generated": 1}
    assert {event["level"] for event in told.of("built")} == {
        "handmade, crypt", "handmade, well", "cellars, seed 3",
    }  # fmt: skip
    files = game.files()
    for level, name in ((crypt(), "crypt"), (well(), "well")):
        expected = exporters.export(level, FORMATS, name=name)
        own = {path: data for path, data in expected.items() if path.startswith(name)}
        assert {path: files[f"handmade/{path}"] for path in own} == own
    assert files["handmade/crypt.level.json"] == dumps(crypt())
    assert {path.partition("/")[2] for path in files if path.startswith("handmade/")} == {
        *exporters.export(crypt(), FORMATS, name="crypt"), *exporters.export(well(), FORMATS, name="well"),
    }  # fmt: skip


def test_the_second_time_nothing_is_done_and_the_check_is_green(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.build(jobs="2")
    assert game.build("--check").counts == {"same": 3}
    monkeypatch.setattr("exporters.builder.run.make", None)
    os.utime(game.folder / "handmade" / "crypt.level.json", (0, 0))
    told = game.build()
    assert told.counts == {"unchanged": 3} and len(told.events) == 1


def test_a_changed_level_is_built_again(game: Game) -> None:
    game.build()
    changed = with_property(crypt(), 2)
    (game.folder / "handmade" / "crypt.level.json").write_bytes(dumps(changed))
    told = game.build("--check", status=1)
    assert told.counts == {"differs": 1, "same": 2}
    assert "handmade/crypt.level.json" in told.files("differs")
    told = game.build()
    assert told.counts == {"built": 1, "unchanged": 2} and not told.of("edited")
    assert load_level(game.levels / "handmade" / "crypt.level.json") == changed
    assert game.build("--check").counts == {"same": 3}


def test_a_level_that_is_no_longer_listed_is_pruned_and_its_source_stays(game: Game) -> None:
    game.build()
    game.change(', "handmade/well.json"', "")
    told = game.build("--prune")
    assert told.counts == {"unchanged": 2} and "handmade/well.level.json" in told.files("removed")
    assert (game.folder / "handmade" / "well.json").read_bytes() == dumps(well())


def test_paths_have_the_name_and_number_of_the_level(game: Game) -> None:
    game.change("[group.cellars]", 'path = "{format}/{number:02}-{name}-{spec}-{style}"\n[group.cellars]')
    game.build()
    assert {"json/01-crypt-crypt-isaac.level.json", "png/02-well-well-gungeon.png"} <= game.files().keys()


def test_packs_hold_them_by_name(game: Game) -> None:
    game.write(MANIFEST.replace(str(FORMATS), '["pack"]'))
    assert game.build().counts == {"built": 3, "generated": 1}
    pack = load_pack(game.levels / "handmade.ucpack")
    assert [pack.facts(index)["name"] for index in range(2)] == ["crypt", "well"]
    assert game.build().counts == {"unchanged": 3} and game.run("--check").exit_code == 0
    done = CliRunner().invoke(
        main, ["pack", str(game.folder / "undercroft.toml"), "--out", str(game.folder / "all.ucpack")]
    )
    assert done.exit_code == 0, done.output
    (game.folder / "handmade" / "crypt.level.json").write_bytes(dumps(with_property(crypt(), 2)))
    assert game.build().counts == {"built": 2, "unchanged": 1}


def test_folders_that_the_level_was_made_from_are_not_needed(game: Game, tmp_path: Path) -> None:
    """A level.json has the rows of its kit; the kit and the layouts may be on another machine."""
    kit = shutil.copytree(EXAMPLES / "garden", tmp_path / "garden")
    level = generate("isaac", 4, kit=str(kit))
    (game.folder / "handmade" / "crypt.level.json").write_bytes(dumps(level))
    kit.rename(tmp_path / "elsewhere")
    game.write(MANIFEST.replace("'png'", "'png', 'pack'"))
    assert not kit.exists()
    game.build()
    assert "handmade.ucpack" in game.files() and game.run("--check").exit_code == 0
    done = CliRunner().invoke(main, ["check", str(game.folder)])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("spec = 'isaac'", "spec: does not go with levels, which are finished; leave one of them out"),
        ("seeds = [1]", "seeds: does not go with levels"),
        ("set.stage = 2", "set: does not go with levels"),
        ("rerolls = []", "rerolls: does not go with levels"),
    ],
)
def test_values_of_generation_are_refused(line: str, says: str, game: Game) -> None:
    game.change("[group.handmade]", f"[group.handmade]\n{line}")
    assert f"undercroft.toml: group.handmade.{says}" in refusal(game)


@pytest.mark.parametrize(
    ("levels", "says"),
    [
        ('"handmade/crypt.level.json"', "is not a list; write one like [\"handmade/crypt.level.json\"]"),
        ("[]", "is empty; give at least one"),
        ("[3]", "levels[0]: 3 is not text"),
        ('[""]', "levels[0]: is empty; give a text"),
        ('["a\\u0000b"]', "contains characters that cannot be printed"),
        ('["handmade"]', "handmade: is not a file; name one"),
        ('["none.level.json"]', "none.level.json: cannot be read: No such file or directory; check the name"),
        ('["undercroft.toml"]', "undercroft.toml: is not JSON"),
        ('["levels/crypt.level.json"]', "'levels/crypt.level.json' is in the folder that is built; move it into another one"),
        ('["handmade/well.json", "other/WELL.level.json"]', "'handmade/well.json' and 'other/WELL.level.json' have the same name; rename one"),
    ],
)  # fmt: skip
def test_other_levels_are_refused_in_one_line(levels: str, says: str, game: Game) -> None:
    game.change('["handmade/crypt.level.json", "handmade/well.json"]', levels)
    told = refusal(game)
    assert "undercroft.toml: group.handmade.levels" in told and says in told


def test_campaigns_have_no_finished_levels(game: Game) -> None:
    game.write("[campaign.c]\nseed = 1\nlevels = ['handmade/well.json']\nstages = [{name = 'a'}]")
    assert "campaign.c.levels: unknown key" in refusal(game)


def test_another_folder_to_build_is_checked_too(game: Game) -> None:
    assert "is in the folder that is built" in refusal(game, "--out", str(game.folder / "handmade"))
    assert "is in the folder that is built" in refusal(game, "--check", "--out", str(game.folder))


def test_a_level_that_was_changed_by_hand_is_refused_until_that_is_accepted(game: Game) -> None:
    game.build()
    path = game.folder / "handmade" / "crypt.level.json"
    table = crypt().to_dict()
    next(marker for marker in table["markers"] if marker["kind"] == "enemy")["properties"]["mood"] = 3
    path.write_text(json.dumps(table), "utf-8")
    done = game.run()
    assert done.exit_code == 2 and done.stderr.count("\n") == 1
    said, command = done.stderr.rstrip("`\n").split("`")
    assert said.endswith(f"group.handmade.levels[0]: {path}: was changed by hand; accept that with ")
    program, *words = command.split()
    assert program == "undercroft" and CliRunner().invoke(main, words).exit_code == 0
    game.build()
    assert load_level(path) == load_level(game.levels / "handmade" / "crypt.level.json")
    assert game.build("--check").counts == {"same": 3}


def test_a_level_that_breaks_a_rule_is_refused_with_the_rule(game: Game) -> None:
    table = crypt().to_dict()
    table["markers"] = [marker for marker in table["markers"] if marker["kind"] != "player_start"]
    (game.folder / "handmade" / "crypt.level.json").write_text(json.dumps(table), "utf-8")
    assert "was changed by hand and breaks a rule" in refusal(game)


def test_a_level_that_changes_during_the_build_fails_alone(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = load_manifest(game.folder)
    (game.folder / "handmade" / "crypt.level.json").write_bytes(dumps(with_property(crypt(), 2)))
    monkeypatch.setattr("exporters.builder.manifest.load_manifest", lambda *_: manifest)
    told = game.build(status=1)
    assert told.counts == {"built": 2, "generated": 1, "failed": 1}
    assert told.of("failed")[0]["reason"].endswith("was changed during the build; build again")


def test_the_studio_lists_only_groups_with_seeds(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(game.folder)
    body = starring.stars().body
    assert [group["group"] for group in json.loads(body)["groups"]] == ["cellars"]
