"""Builds: what changed and nothing else, whatever happened to the folder in between."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import exporters
import generator
from exporters import durable
from exporters.builder.manifest import load_manifest
from exporters.builder.plan import BuildPlan
from generator import generate, run
from generator.cli import main
from generator.errors import GenerationFailed
from generator.level import Level
from generator.level_file import load_level
from generator.serialise import dumps
from generator.spec import LevelSpec
from tests.engines import HANG
from tests.exporters.builder.games import SMALL, Game, files_of
from tests.exporters.own_sheet import sheet, themes


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path / "game")


def test_files_are_those_of_the_commands(game: Game) -> None:
    told = game.build()
    assert told.counts == {"built": 5, "generated": 5}
    files = game.files()
    assert told.written() == set(files)
    level = generate("isaac", 4)
    expected = exporters.export(level, ["json", "godot"], name="isaac-4")
    assert {name: files[f"cellars/{name}"] for name in expected} == dict(expected)
    cellar, heap = (
        load_level(game.levels / "descent" / f"{name}.level.json") for name in ("01-cellar", "02-heap")
    )
    assert (heap.style, len(heap.rooms)) == ("gungeon", 4)
    assert cellar.seed != heap.seed and cellar == run("isaac", cellar.seed).level(1)


def test_the_second_time_nothing_is_done(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game.build()
    before = {path: path.stat().st_mtime_ns for path in game.levels.rglob("*.tscn")}
    monkeypatch.setattr("exporters.builder.run.make", None)
    told = game.build()
    assert told.counts == {"unchanged": 5} and len(told.events) == 1
    assert {path: path.stat().st_mtime_ns for path in game.levels.rglob("*.tscn")} == before


def test_any_number_of_jobs_gives_the_same_bytes(game: Game) -> None:
    game.build()
    files = game.files()
    for number, words in enumerate(
        (("--jobs", "3"), ("--executor", "concurrent.futures:ThreadPoolExecutor"))
    ):
        out = game.folder / f"out{number}"
        told = game.build("--out", str(out), *words)
        assert files_of(out) == files and told.counts["built"] == 5


# --- what changes a level ----------------------------------------------------------------------------


def test_a_changed_theme_exports_again_and_generates_nothing(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = game.folder / "look"
    shutil.copytree(Path(exporters.__file__).parent / "themes", look)
    toml = look / "undercroft.toml"
    toml.write_text(toml.read_text("utf-8").replace('name = "undercroft"', 'name = "crypt"'), "utf-8")
    game.change('out = "levels"', 'out = "levels"\ntheme = "look/undercroft.toml"')
    game.build()
    before = game.files()
    toml.write_text(toml.read_text("utf-8") + "\n# the same, but who knows\n", "utf-8")
    monkeypatch.setattr("generator.pipeline.generate", None)
    told = game.build()
    assert told.counts == {"built": 5} and told.written() == set()  # the same bytes came out
    text = toml.read_text("utf-8")
    toml.write_text(text.replace("weights = [", "weights = [7 +", 1).replace("7 +", "7"), "utf-8")
    told = game.build()
    assert told.counts == {"built": 5}
    changed = {name for name, data in game.files().items() if before[name] != data}
    assert told.written() == changed and changed
    assert not any(name.endswith(".json") for name in changed)
    assert game.build().counts == {"unchanged": 5}


def test_inputs_count_by_content(game: Game) -> None:
    """A spec's file, layouts, and a file of options; a touched or moved one is the same."""
    (game.folder / "spec.toml").write_text("style = 'isaac'\nlayouts = 'rooms'", "utf-8")
    (game.folder / "options.toml").write_text("[godot.scenes]\nenemy = 'res://a.tscn'", "utf-8")
    shop = game.folder / "rooms" / "shop" / "ours.txt"
    shop.parent.mkdir(parents=True)
    shipped = Path(generator.__file__).parent / "interiors" / "layouts" / "shop" / "long-counter.txt"
    shop.write_text(shipped.read_text("utf-8"), "utf-8")
    game.write(
        "formats = ['json', 'godot']\noptions = 'options.toml'\n[group.a]\nspec = 'spec.toml'\nseeds = '0:3'\n"
    )
    game.levels = game.folder / "build"
    assert game.build().counts == {"built": 3, "generated": 3}
    os.utime(shop, ns=(0, 0))
    os.utime(game.folder / "options.toml", ns=(0, 0))
    assert game.build().counts == {"unchanged": 3}
    (game.folder / "options.toml").write_text("[godot.scenes]\nenemy = 'res://b.tscn'", "utf-8")
    told = game.build()
    assert told.counts == {"built": 3}
    assert {name.partition(".")[2] for name in told.written()} == {"tscn", "level.json"}  # it names them
    shop.write_text("tags: ours\n" + shop.read_text("utf-8"), "utf-8")
    assert game.build().counts == {"built": 3, "generated": 3}
    (game.folder / "spec.toml").write_text("style = 'isaac'\nlayouts = 'rooms'\nstage = 2", "utf-8")
    assert game.build().counts == {"built": 3, "generated": 3}


def test_a_new_version_makes_all_anew(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game.build()
    monkeypatch.setattr("exporters.builder.plan.VERSION", "9.9.9")
    assert game.build().counts == {"built": 5, "generated": 5}


def test_only_what_changed_in_the_manifest(game: Game) -> None:
    game.build()
    game.change("3:6", "4:8")
    told = game.build()
    assert told.counts == {"unchanged": 4, "built": 2, "generated": 2}
    gone = ["isaac-3.level.json", "isaac-3.tscn", "isaac-3_edit.tscn"]
    assert told.files("leftover") == [f"cellars/{name}" for name in gone]
    game.change('formats = ["json", "godot"]', 'formats = ["json", "godot", "tiled"]')
    told = game.build()
    assert told.counts == {"built": 6}
    assert all(name.endswith((".tmj", ".tsj", ".tiled-project", ".world")) for name in told.written())


def test_force_builds_all_anew(game: Game) -> None:
    game.build()
    told = game.build("--force")
    assert told.counts == {"built": 5, "generated": 5} and not told.written()


# --- what happens to the folder ----------------------------------------------------------------------


def test_deleted_files_come_back(game: Game) -> None:
    game.build()
    before = game.files()
    for name in ("cellars/isaac-4.tscn", "cellars/undercroft.tres", "descent/01-cellar_edit.tscn"):
        (game.levels / name).unlink()
    told = game.build()
    assert told.counts == {"unchanged": 2, "built": 3} and game.files() == before
    shutil.rmtree(game.levels / "descent")
    assert game.build().counts == {"unchanged": 3, "built": 2} and game.files() == before


def test_a_file_changed_by_hand_stays(game: Game) -> None:
    game.build()
    before = game.files()
    scene, edit = game.levels / "cellars" / "isaac-4.tscn", game.levels / "cellars" / "isaac-4_edit.tscn"
    scene.write_bytes(b"mine")
    edit.write_bytes(b"mine too")
    hand_made = {"cellars/isaac-4.tscn": b"mine", "cellars/isaac-4_edit.tscn": b"mine too"}
    stays = "cellars/isaac-4.tscn: has changed since it was built, and was left alone; --edits replace puts it aside"
    assert game.run("--dry-run").stderr == f"undercroft: {stays}\nundercroft: dry run: no file would change\n"
    told = game.build()
    assert not told.of("edited"), "there is nothing new"
    assert [each["kept"] for each in told.of("built")] == [["cellars/isaac-4.tscn"]]
    assert told.counts == {"unchanged": 4, "built": 1}
    assert game.run().stderr == "", "it was said"
    scene.write_bytes(b"mine again")
    (game.levels / "cellars" / "undercroft.tres").write_bytes(b"mine")  # all levels share it
    more = "have changed since they were built, and were left alone; --edits replace puts them aside"
    assert game.run().stderr == f"undercroft: cellars/undercroft.tres and 1 more: {more}\n"
    (game.levels / "cellars" / "undercroft.tres").write_bytes(before["cellars/undercroft.tres"])
    scene.write_bytes(b"mine")
    game.build()
    assert game.files() == before | hand_made
    game.change('seeds = "3:6"', 'seeds = "3:6"\nset.rooms = 9')
    told = game.build()
    (event,) = told.of("edited")
    assert (event["file"], event["what"]) == ("cellars/isaac-4.tscn", "kept")
    assert event["said"] == (
        "cellars/isaac-4.tscn: was changed by hand, so all files of isaac-4 stay; "
        "--edits merge brings the changes into the new level, --edits replace puts changed files aside"
    )
    assert told.counts["built"] == 3
    found = game.files()
    assert {name: found[name] for name in hand_made} == hand_made
    assert found.keys() == before.keys()
    game.change('seeds = "3:6"\nset.rooms = 9', 'seeds = "3:6"')
    scene.write_bytes(before["cellars/isaac-4.tscn"])  # back to what it was
    game.build("--force")
    assert game.files() == {**before, "cellars/isaac-4_edit.tscn": b"mine too"}
    assert game.build().counts == {"unchanged": 5}


def with_edit(tmp_path: Path, edit: Callable[[dict[str, Any]], object]) -> tuple[Game, Path]:
    """A game that is built, and one of its maps, with an enemy that was edited."""
    game = Game(tmp_path / "game", SMALL.replace('"godot"', '"tiled"').partition("[campaign")[0])
    game.build()
    table = game.levels / "cellars" / "isaac-4.tmj"
    data = json.loads(table.read_bytes())
    edit(next(it for part in data["layers"] for it in part.get("objects", ()) if it["type"] == "enemy"))
    table.write_text(json.dumps(data), "utf-8")
    return game, table


def test_an_edit_that_breaks_a_rule_fails_every_build_that_merges_it(tmp_path: Path) -> None:
    game, _ = with_edit(tmp_path, lambda enemy: enemy.update(x=16, y=16))
    for _ in range(2):
        told = game.build("--edits", "merge", status=1)
        assert told.counts == {"unchanged": 2, "built": 1} and told.of("problem")


@pytest.mark.parametrize("edits", ["keep", "merge"])
def test_what_stays_because_of_edits_is_not_built_again(edits: str, tmp_path: Path) -> None:
    """Also what has no file yet, such as a level that stays in another format."""
    game, table = with_edit(tmp_path, lambda enemy: enemy.update(name="Bob"))
    game.change("[group.cellars]", "[group.cellars]\nset.stage = 3")
    game.change('"tiled"', '"tiled", "ldtk"')
    words = ("--edits", edits, "--prune")
    assert game.build(*words).counts["built"] == 3
    before, edited = game.files(), table.read_bytes()
    assert ("cellars/isaac-4.ldtk" in before, "cellars/undercroft.tsj" in before) == (
        edits == "merge",
        edits == "keep",  # the map that stays shows its tiles
    )
    for more in ((), ("--dry-run",), ("--edits", "keep"), ()):
        told = game.build(*words, *more)
        assert [event["event"] for event in told.events] == ["stays", "done"]
        (stays,) = told.of("stays")
        assert stays["level"] == "cellars, seed 4" and "cellars/isaac-4.tmj" in stays["files"]
        assert told.counts == {"unchanged": 3, "edited": 1}
    done = game.run(*words)
    assert done.stdout.splitlines()[1].split() == ["cellars", "3", "1"] and not done.stderr
    table.write_bytes(edited + b"\n")
    assert (game.build(*words).counts["built"], game.build(*words).counts["built"]) == (1, 0)
    assert game.build("--edits", "replace", "--prune").counts["built"] == 1
    assert game.build().counts == {"unchanged": 3} and "cellars/undercroft.tsj" not in game.files()


def test_a_file_changed_by_hand_is_replaced_if_asked(game: Game) -> None:
    game.build()
    before = game.files()
    scene = game.levels / "cellars" / "isaac-4.tscn"
    for number, name in enumerate(("isaac-4.tscn.mine", "isaac-4.tscn.mine-2")):
        scene.write_bytes(b"mine %d" % number)
        (event,) = game.build("--edits", "replace").of("edited")
        assert (event["what"], event["beside"]) == ("replaced", f"cellars/{name}")
        assert (scene.parent / name).read_bytes() == b"mine %d" % number, "and stays"
        assert scene.read_bytes() == before["cellars/isaac-4.tscn"]
    assert game.build().counts == {"unchanged": 5}


def test_a_build_that_fails_on_edits_writes_nothing(game: Game) -> None:
    game.build()
    for name in ("isaac-3.tscn", "isaac-4.level.json"):
        (game.levels / "cellars" / name).write_bytes(b"mine")
    (game.levels / "cellars" / "isaac-5.tscn").unlink()
    game.change("3:6", "2:7")
    before = game.files()
    done = game.run("--edits", "fail")
    assert (done.exit_code, game.files()) == (1, before)
    lines = done.stderr.splitlines()
    assert [line.split(":")[1].strip() for line in lines] == [
        "cellars/isaac-3.tscn",
        "cellars/isaac-4.level.json",
    ]
    assert all("was changed by hand, so nothing was written; give another name" in line for line in lines)
    assert done.stdout == "", "no table of what was not done"
    (game.levels / "cellars" / "isaac-6.tscn").write_bytes(b"a stranger's")
    game.change("2:7", "5:8")
    (event,) = game.build("--edits", "fail", status=1).of("failed")
    assert event["level"] == "cellars, seed 6" and "cellars/isaac-6.tscn: already exists" in event["reason"]
    assert (game.levels / "cellars" / "isaac-6.tscn").read_bytes() == b"a stranger's"
    assert game.run("--check", "--edits", "keep").exit_code == 2


def test_what_other_commands_wrote_into_the_folder_is_theirs(game: Game) -> None:
    """A build neither names it as left over nor removes it, and takes it over where it asks for it too."""
    game.build()
    told = CliRunner().invoke(
        main, ["generate", "isaac", "--seed", "9", "--to", "json", "--out", str(game.levels), "--json"]
    )
    assert told.exit_code == 0
    assert not game.build("--prune").of("removed")
    assert (game.levels / "isaac-9.level.json").exists()
    game.build("--check")


def test_a_touched_file_is_the_same(game: Game) -> None:
    game.build()
    for path in game.levels.rglob("*.*"):
        os.utime(path, ns=(1, 1))
    assert game.build().counts == {"unchanged": 5}


def test_what_stood_there_before_stays(game: Game) -> None:
    (game.levels / "cellars").mkdir(parents=True)
    (game.levels / "cellars" / "isaac-3.tscn").write_bytes(b"foreign")
    (game.levels / "cellars" / "notes.txt").write_bytes(b"foreign too")
    (event,) = game.build().of("edited")
    assert (event["file"], event["what"]) == ("cellars/isaac-3.tscn", "kept")
    assert (
        "already exists, and nothing says that Undercroft wrote it, so all files of isaac-3 stay"
        in event["said"]
    )
    assert game.files()["cellars/isaac-3.tscn"] == b"foreign"
    assert game.files()["cellars/notes.txt"] == b"foreign too"


def test_prune_removes_what_is_ours_and_unchanged(game: Game) -> None:
    game.build()
    game.change("3:6", "3:4")
    (game.levels / "cellars" / "isaac-4.tscn").write_bytes(b"changed")
    (game.levels / "cellars" / "isaac-5_edit.tscn").write_bytes(b"changed")
    (game.levels / "cellars" / "isaac-6.tscn").write_bytes(b"never ours")
    assert len(game.build().of("leftover")) == 6
    saved = set((game.levels / ".undercroft" / "levels").rglob("*.gz"))
    told = game.build("--prune")
    assert told.files("kept") == ["cellars/isaac-4.tscn", "cellars/isaac-5_edit.tscn"]
    left = {Path(name).name for name in game.files() if name.startswith("cellars/")}
    assert left == {
        "isaac-3.level.json", "isaac-3.tscn", "isaac-3_edit.tscn", "isaac-4.tscn", "isaac-5_edit.tscn",
        "isaac-6.tscn", "undercroft.png", "undercroft.tres",
    }  # fmt: skip
    assert len(set((game.levels / ".undercroft" / "levels").rglob("*.gz"))) == len(saved) - 2 == 3
    game.change("[group.cellars]", "[group.others]")
    game.build("--prune")
    assert not (game.levels / "cellars" / "isaac-3.tscn").exists()
    assert (game.levels / "others" / "undercroft.png").exists()


def test_prune_leaves_what_a_scene_that_stays_uses(game: Game) -> None:
    game.build()
    cellars = game.levels / "cellars"
    for name, old, new in (
        ("isaac-3_edit.tscn", "\n[node", '\n[node name="Mine" type="Node2D"]\n[node'),
        (
            "isaac-4_edit.tscn",
            'path="isaac-4.tscn"',
            'uid="uid://a" path="res://a/levels/cellars/isaac-4.tscn"',
        ),
    ):
        text = (cellars / name).read_text("utf-8")
        assert old in text
        (cellars / name).write_text(text.replace(old, new), "utf-8")
    game.change("[group.cellars]", "[group.others]")
    for words in (["--prune", "--dry-run"], ["--prune"]):
        told = game.build(*words)
        kept = {event["file"]: event["said"] for event in told.of("kept")}
        assert {path.removeprefix("cellars/") for path in kept} == {
            "isaac-3.tscn", "isaac-3_edit.tscn", "isaac-4.tscn", "isaac-4_edit.tscn", "undercroft.png", "undercroft.tres",
        }  # fmt: skip
        assert kept["cellars/isaac-3.tscn"] == "cellars/isaac-3_edit.tscn uses it, which stays"
    assert {path.name for path in cellars.iterdir()} == {path.removeprefix("cellars/") for path in kept}


def test_prune_leaves_the_scene_below_one_that_undercroft_did_not_write(game: Game) -> None:
    game.levels.joinpath("cellars").mkdir(parents=True)
    mine = game.levels / "cellars" / "isaac-3_edit.tscn"
    mine.write_text(
        '[gd_scene format=4]\n\n[ext_resource type="PackedScene" path="isaac-3.tscn" id="1"]\n', "utf-8"
    )
    game.build()
    game.change("3:6", "4:6")
    told = game.build("--prune")
    assert told.files("kept") == ["cellars/isaac-3.tscn"] and mine.exists()
    assert told.files("removed") == ["cellars/isaac-3.level.json"]


def test_prune_leaves_what_lies_outside(game: Game) -> None:
    """A state that says otherwise is not believed."""
    game.build()
    outside = game.folder / "precious.txt"
    outside.write_bytes(b"precious")
    (game.levels / "link").symlink_to(game.folder)
    db = sqlite3.connect(game.levels / ".undercroft" / "state.db")
    digest = db.execute("SELECT digest FROM file").fetchone()[0]
    from exporters.edits.digests import digest_of_bytes as digest_of

    rows = [(name, digest_of(b"precious")) for name in ("../precious.txt", "link/precious.txt", str(outside))]
    db.executemany("INSERT INTO file(path, folded, digest) VALUES (?1, ?1, ?2)", rows)
    db.commit()
    db.close()
    assert digest != rows[0][1]
    assert len(game.build("--prune").of("kept")) == 3
    assert outside.read_bytes() == b"precious"


@pytest.mark.parametrize("damage", [b"", b"no database", None])
def test_a_damaged_state_costs_no_file(game: Game, damage: bytes | None) -> None:
    game.build()
    before = game.files()
    state = game.levels / ".undercroft" / "state.db"
    if damage is None:  # in the middle
        data = bytearray(state.read_bytes())
        data[4096 : len(data) // 2] = os.urandom(len(data) // 2 - 4096)
        damage = bytes(data)
    state.write_bytes(damage)
    state.with_name("state.db-wal").unlink(missing_ok=True)  # it would restore the state
    done = game.run()
    assert done.exit_code == 0 and (
        "its state was damaged or of another version; everything is built again" in done.stderr
    ) is bool(damage)
    assert "replaced" not in done.stderr
    assert game.files() == before and game.build().counts == {"unchanged": 5}
    assert len(list((game.levels / ".undercroft" / "levels").rglob("*.gz"))) == 5


def test_a_damaged_saved_level_is_made_again(game: Game) -> None:
    game.build()
    before = game.files()
    for number, path in enumerate(sorted((game.levels / ".undercroft" / "levels").rglob("*.gz"))):
        path.write_bytes((b"", b"x", path.read_bytes()[:-9])[number % 3])
    (game.levels / "cellars" / "isaac-3.tscn").unlink()
    told = game.build()
    assert told.counts == {"unchanged": 4, "built": 1, "generated": 1} and game.files() == before


# --- what goes wrong ---------------------------------------------------------------------------------


def test_one_failing_level_does_not_stop_the_others(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(spec, seed, **more):  # type: ignore[no-untyped-def]
        if seed == 3:
            raise GenerationFailed("floorplan", 100, "of the test", 3)
        if seed == 4:
            raise ZeroDivisionError("a slip")
        return generate(spec, seed, **more)

    monkeypatch.setattr("generator.pipeline.generate", failing)
    told = game.build(status=1)
    assert told.counts == {"failed": 2, "built": 3, "generated": 3}
    reasons = {event["level"]: event["reason"] for event in told.of("failed")}
    assert reasons == {
        "cellars, seed 3": "seed 3: no floorplan after 100 tries: of the test",
        "cellars, seed 4": "ZeroDivisionError: a slip",
    }
    assert (game.levels / "cellars" / "undercroft.png").exists()  # seed 3 was to bring it
    done = game.run()
    assert done.exit_code == 1 and done.stderr.startswith("undercroft: cellars, seed 3: seed 3: no floorplan")
    assert done.stdout.splitlines()[-1].split() == ["all", "3", "0", "0", "2"] or "failed" in done.stdout
    monkeypatch.undo()
    assert game.build().counts == {"unchanged": 3, "built": 2, "generated": 2}


def test_a_place_that_is_taken_fails_its_level(game: Game) -> None:
    (game.levels / "cellars" / "isaac-4.tscn").mkdir(parents=True)
    told = game.build(status=1)
    assert told.counts == {"built": 4, "generated": 4, "failed": 1}
    assert "cannot be written" in told.of("failed")[0]["reason"]


def test_levels_that_share_a_file_must_agree_on_it(game: Game) -> None:
    """Two targets of Godot have two TileSets of one name; the first in the manifest has it, each time."""
    game.change(
        "[campaign",
        "[group.old]\nspec='isaac'\nseeds=[3]\npath='cellars/old'\noptions.godot.target='4.2'\n[campaign",
    )
    for _ in range(2):
        told = game.build(status=1)
        (event,) = told.of("failed")
        assert event["level"] == "old, seed 3"
        assert (
            "cellars/undercroft.tres belongs to cellars/isaac-3 (godot) too, with other content"
            in event["reason"]
        )
    assert game.build("--check", status=1).files("clashes") == ["cellars/undercroft.tres"]


def test_inputs_are_never_written_over(game: Game) -> None:
    (game.folder / "levels" / "a").mkdir(parents=True)
    spec = game.folder / "levels" / "a" / "undercroft.toml"
    spec.write_text("style = 'isaac'", "utf-8")
    themes = Path(exporters.__file__).parent / "themes"
    for file in (themes / "undercroft.toml", *themes.glob("*.png")):
        shutil.copy(file, game.folder / "levels" / "a" / file.name)
    own = (spec.parent / "undercroft.png").read_bytes()
    text = spec.read_text("utf-8").replace('name = "undercroft"', 'name = "crypt"')
    spec.write_text(text, "utf-8")
    (spec.parent / "undercroft.png").rename(spec.parent / "crypt.png")
    spec.write_text(text.replace("undercroft.png", "crypt.png"), "utf-8")
    game.write("out='levels'\ntheme='levels/a/undercroft.toml'\n[group.a]\nspec='isaac'\nseeds=[1]\n")
    game.build()
    assert (spec.parent / "crypt.png").read_bytes() == own


def test_one_build_at_a_time(game: Game) -> None:
    from exporters.builder.store import Store

    game.build()
    with Store(game.levels):
        done = game.run()
    assert done.exit_code == 1
    assert (
        done.stderr
        == f"undercroft: {game.levels}: another run of undercroft is using this folder; wait until it ends\n"
    )
    assert game.build().counts == {"unchanged": 5}


def test_links_in_place_of_its_own_folders_are_refused(game: Game) -> None:
    elsewhere = game.folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ".0123456789abcdef.tmp").write_bytes(b"precious")
    (game.levels / ".undercroft").mkdir(parents=True)
    (game.levels / ".undercroft" / "begun").symlink_to(elsewhere)
    done = game.run()
    assert done.exit_code == 1 and done.stderr.endswith("begun: is a link; remove it\n")
    assert (elsewhere / ".0123456789abcdef.tmp").exists()


# --- the plan ----------------------------------------------------------------------------------------


def test_a_stage_keeps_its_level_when_others_come(game: Game) -> None:
    """In a campaign without a memory, and in any campaign the stages before those that come."""
    game.change('seed = "a rope"', 'seed = "a rope"\nmemory = false')
    first = {level.group.stage_name: level.key for level in BuildPlan(load_manifest(game.folder))}
    game.change("stages = [", 'stages = [{ name = "new" }, ')
    second = {level.group.stage_name: level.key for level in BuildPlan(load_manifest(game.folder))}
    assert {**second, **first} == second and len(second) == len(first) + 1


def test_keys_are_the_same_on_every_machine(tmp_path: Path) -> None:
    """Whatever the folder is called; one that changes unawares makes everybody build all again."""
    keys = []
    for name in ("a", "b"):
        game = Game(tmp_path / name, SMALL)
        keys.append(
            [output.key for level in BuildPlan(load_manifest(game.folder)) for output in level.outputs]
        )
    assert keys[0] == keys[1] and len(set(keys[0])) == 10


def test_saved_levels_are_level_files(game: Game) -> None:
    import gzip

    game.build()
    saved = {gzip.decompress(path.read_bytes()) for path in (game.levels / ".undercroft").rglob("*.gz")}
    assert saved == {data for name, data in game.files().items() if name.endswith(".level.json")}
    assert dumps(generate("isaac", 3)) in saved


# --- what else may go wrong --------------------------------------------------------------------------


def test_a_level_that_fails_keeps_its_old_files(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forced or not, and pruned: it is still asked for."""
    game.build()
    before = game.files()

    def failing(spec, seed, **more):  # type: ignore[no-untyped-def]
        raise GenerationFailed("floorplan", 100, "of the test", seed)

    monkeypatch.setattr("generator.pipeline.generate", failing)
    told = game.build("--force", "--prune", status=1)
    assert told.counts == {"failed": 5} and game.files() == before
    monkeypatch.setattr("exporters.builder.plan.VERSION", "9.9.9")
    told = game.build("--prune", status=1)
    assert told.counts == {"failed": 5} and game.files() == before and not told.of("removed")


def test_a_sheet_of_ones_own_is_never_written_over(tmp_path: Path) -> None:
    """A theme whose tiles are put together has a sheet with more rows; it goes elsewhere, or nowhere."""
    game = Game(
        tmp_path / "game",
        "out = '.'\ntheme = 'keep.toml'\n[group.a]\nspec = 'isaac'\nseeds = [1]\npath = '{seed}'\n",
    )
    themes(game.folder)
    before = sheet()
    assert (game.folder / "keep.png").read_bytes() == before
    told = game.build(status=1)
    assert (
        "would be replaced, but is the file from which these files are made" in told.of("failed")[0]["reason"]
    )
    assert (game.folder / "keep.png").read_bytes() == before
    assert not [name for name in told.files("leftover") if name == "keep.png"]
    game.change("'{seed}'", "'levels/{seed}'")
    assert game.build("--prune").counts["built"] == 1
    assert (game.folder / "keep.png").read_bytes() == before
    assert (game.folder / "levels" / "keep.png").read_bytes() != before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE file SET path = CAST(x'ff00' AS TEXT) WHERE id = 1",
        "UPDATE file SET size = 'x', mtime_ns = x'00', digest = 7",
        "UPDATE claim SET digest = 'x', once = 'y'",
        "UPDATE output SET key = 5",
        "UPDATE level SET digest = 'x'",
        "DELETE FROM file",
        "DROP TABLE level",
        "PRAGMA user_version = 2",
        "CREATE TABLE more(x)",
    ],
)
def test_a_state_from_elsewhere_breaks_nothing(game: Game, statement: str) -> None:
    game.build()
    before = game.files()
    db = sqlite3.connect(game.levels / ".undercroft" / "state.db")
    db.execute(statement)
    db.commit()
    db.close()
    done = game.run()
    assert done.exit_code == 0 or (done.exit_code == 1 and done.stderr.count("\n") == 1), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert game.files() == before


def test_folders_that_cannot_be_built(game: Game) -> None:
    game.levels.write_bytes(b"a file")
    done = game.run()
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith(f"undercroft: {game.levels}: cannot be used: ")
    done = game.run("--out", str(game.folder / "none" / "such"))
    assert done.exit_code == 0
    (game.folder / "undercroft.toml").unlink()
    done = game.run()
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"undercroft: {game.folder / 'undercroft.toml'}: cannot be read: ")
    assert done.stderr.endswith("; name another, or begin a project with `undercroft init`\n")


@pytest.mark.parametrize("stem", ["undercroft", "Undercroft", "x_edit"])
def test_names_that_formats_refuse(game: Game, stem: str) -> None:
    game.write(f"[group.a]\nspec = 'isaac'\nseeds = [1]\nformats = ['godot']\npath = '{stem}'\n")
    (event,) = game.build(status=1).of("failed")
    assert stem in event["reason"]


# The command line, with a bar from the first level on.
AT_ONCE = """
import sys
from generator.cli import main, progress
progress.DELAY = progress._TICK = 0
main(sys.argv[1:])
"""


def test_progress_is_for_terminals(game: Game) -> None:
    """With a rate; nothing but the table in a pipe."""
    command = [sys.executable, "-c", AT_ONCE, "build", str(game.folder), "--jobs", "1"]
    terminal, end = os.openpty()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=end, text=True, check=True, timeout=HANG)
    os.close(end)
    shown = os.read(terminal, 1 << 16).decode()
    os.close(terminal)
    assert "building" in shown and "5/5" in shown and re.search(r"[0-9]\.[0-9]/s", shown)
    assert done.stdout.splitlines()[-1].split() == ["all", "5", "5"]
    piped = subprocess.run(command, capture_output=True, text=True, check=True, timeout=HANG)
    assert piped.stderr == "" and piped.stdout.splitlines()[-1].split() == ["all", "5"]


def test_levels_with_their_own_folders(game: Game) -> None:
    """Each has the theme's files; a folder a format too."""
    game.change('formats = ["json", "godot"]', 'formats = ["godot", "png"]')
    game.change(
        'seeds = "3:6"', 'seeds = "3:6"\npath = "{format}/{seed}/level"\noptions.godot.split = "rooms"'
    )
    game.build()
    files = game.files()
    for seed in (3, 4, 5):
        alone = exporters.export(generate("isaac", seed), ["godot"], {"godot.split": "rooms"}, name="level")
        assert {name: files[f"godot/{seed}/{name}"] for name in alone} == dict(alone)
        assert f"png/{seed}/level.png" in files
    assert game.build().counts == {"unchanged": 5} and game.build("--check").counts == {"same": 5}


def test_levels_of_several_chapters_share_a_folder(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look's files come once, with the first level that wears it, and no level is made twice for them."""
    stages = ", ".join(f"{{ name = '{stage}', set.stage = {stage} }}" for stage in (1, 3, 4, 11))
    game.write(
        "out = 'levels'\nformats = ['tiled', 'pack']\n"
        f"[campaign.down]\nseed = 7\nspec = 'isaac'\nset.stage_variant = 'main'\nstages = [{stages}]\n"
    )
    made: list[object] = []

    def counted(spec: LevelSpec, seed: int | str, **more: Any) -> Level:
        made.append(seed)
        return generate(spec, seed, **more)

    monkeypatch.setattr("generator.pipeline.generate", counted)
    assert game.build().of("failed") == [] and len(made) == 8
    looks = {f"undercroft{look}" for look in ("", "-caverns", "-abyss")}
    files = {Path(name).name for name in game.files()}
    assert {name for name in files if name.startswith("undercroft")} == {
        f"{look}.{end}" for look in looks for end in ("png", "tsj", "tres")
    } | {"undercroft.tiled-project"}
    assert game.build().counts == {"unchanged": 8}


def test_a_full_disk_is_reported_once_and_ends_the_build(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier results are not lost, and the next build continues."""
    flush, asked = durable.flush, []

    def full(paths: Sequence[Path]) -> None:
        asked.append(paths)
        if len(asked) > 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(paths[0]))
        flush(paths)

    with monkeypatch.context() as patch:
        patch.setattr(durable, "flush", full)
        done = game.run()
    assert (done.exit_code, done.stdout, len(asked)) == (1, "", 3)
    assert re.fullmatch(r"undercroft: \S+: cannot be written: No space left on device\n", done.stderr), (
        done.stderr
    )
    assert game.build().counts["unchanged"] == 2


def test_changes_in_a_leftover_are_not_passed_over(tmp_path: Path) -> None:
    """A merge of levels that are up to date does not read a format that is no longer asked for, and says so."""
    text = 'out = "."\nformats = ["json", "tiled"%s]\n[group.a]\nspec = "isaac"\nseeds = [7]\npath = "x"\n'
    manifest, project = tmp_path / "m.toml", tmp_path / "x.ldtk"

    def build(*options: str) -> str:
        return CliRunner().invoke(main, ["build", str(manifest), *options]).stderr

    for formats in (', "ldtk"', ""):
        manifest.write_text(text % formats, "utf-8")
        build()
    unchanged = "x.ldtk: the manifest no longer asks for it; remove it with --prune"
    by_hand = "x.ldtk: the manifest no longer asks for it, but it was changed by hand; remove it yourself"
    changed = (
        "x.ldtk: was changed by hand, but the manifest no longer asks for it; --force merges the changes"
    )
    assert unchanged in build("--edits", "merge")
    table = json.loads(project.read_bytes())
    at = next(each for each in table["levels"][0]["layerInstances"] if each["entityInstances"])
    gone = at["entityInstances"].pop()["iid"]
    project.write_text(json.dumps(table), "utf-8")
    assert changed in build("--edits", "merge") and by_hand in build()
    told = build("--edits", "merge", "--force")
    assert by_hand in told and gone not in project.read_text("utf-8")
    assert load_level(tmp_path / "x.level.json").edited
    assert by_hand in build("--edits", "merge") and by_hand in build("--prune"), "as it says"
