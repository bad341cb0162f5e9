"""A drawing is read again as it was read before: with the same words for its tiles, kit and theme."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli.group import main
from generator.level_file import load_level
from tests.exporters import small_theme
from tests.exporters.reading.drawn_maps import CRYPT, TILESET, Json, rooms_of, tiled_map, write_map

BARE = {key: value for key, value in TILESET.items() if key != "tiles"}
WORDS = ("mine:0=wall", "mine:1=floor", "mine:2=pit", "mine:3=altar_cloth", "mine:4=floor")
OPTIONS = [part for word in WORDS for part in ("--meaning", word)]
KIT = """name = "ours"
[decor.altar_cloth]
walk = true
fly = true
shoot = true
"""


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], prog_name="undercroft")


def mute(folder: Path, picture: str = CRYPT, **more: Json) -> Path:
    """A map whose tiles say nothing themselves."""
    return write_map(folder, tiled_map(picture, rooms_of(), tilesets=[BARE], **more))


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    """A folder with such a map in `drawn`, its level in `game`, and a kit of the team's own."""
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "kit.toml").write_text(KIT, "utf-8")
    drawing = mute(tmp_path / "drawn")
    options = [*OPTIONS, "--kit", tmp_path / "kit", "--to", "tiled", "--to", "ldtk"]
    done = run("import", drawing, *options, "--out", tmp_path / "game")
    assert (done.exit_code, done.stderr) == (0, "")
    return tmp_path


def cloths(file: Path) -> int:
    level = load_level(file)
    names = [kind.name for kind in level.decor_kinds]
    return int((level.decor == names.index("altar_cloth")).sum())


@pytest.mark.parametrize("is_clone", [False, True])
def test_the_next_import_reads_it_with_the_same_words_and_kit(imported: Path, is_clone: bool) -> None:
    """Also in a clone elsewhere, without the record."""
    project = imported
    if is_clone:
        project = imported / "elsewhere" / "clone"
        shutil.copytree(imported, project, ignore=shutil.ignore_patterns(".undercroft", "elsewhere"))
        shutil.rmtree(imported / "kit")
    file = project / "game" / "crypt.level.json"
    said = json.loads(file.read_bytes())["exported"]
    assert said["drawing"]["options"] == {
        "kit": "../kit",
        "meaning": dict(word.split("=") for word in WORDS),
    }
    drawing = mute(project / "drawn", CRYPT.replace("#..o....#", "#..o.o..#"))
    compared = run("diff", file, drawing)
    assert (compared.exit_code, "altar_cloth added" in compared.stdout) == (1, True), compared.output
    assert run("sync", project / "game").exit_code == 0
    done = run("import", drawing, "--out", project / "game")
    kept = " ".join(f"--meaning {word}" for word in WORDS)
    line = f"undercroft: {drawing}: is read as before: {kept} --kit {project / 'kit'}\n"
    assert (done.exit_code, done.stderr) == (0, line)
    assert cloths(file) == 2
    assert json.loads(file.read_bytes())["exported"] == said
    assert run("check", project / "game").exit_code == 0


def test_what_is_given_again_replaces_it(imported: Path) -> None:
    drawing, file = imported / "drawn" / "crypt.tmj", imported / "game" / "crypt.level.json"
    done = run("import", drawing, "--meaning", "mine:3=rock", "--meaning", "mine:4=", "--out", file.parent)
    assert (done.exit_code, "mine:3" in done.stderr, "mine:4" in done.stderr) == (0, False, False)
    said = json.loads(file.read_bytes())["exported"]["drawing"]["options"]["meaning"]
    assert said == {"mine:0": "wall", "mine:1": "floor", "mine:2": "pit", "mine:3": "rock"}
    assert cloths(file) == 0


def test_a_merge_of_edits_keeps_what_was_given_last(imported: Path) -> None:
    """A level with edits is exported twice in one write."""
    game = imported / "game"
    map_ = json.loads((game / "crypt.tmj").read_bytes())
    (things,) = (layer for layer in map_["layers"] if layer["name"] == "Rooms")
    things["objects"][1]["name"] = "Pantry"
    (game / "crypt.tmj").write_text(json.dumps(map_))
    assert run("sync", game).exit_code == 0
    assert (
        run("import", imported / "drawn" / "crypt.tmj", "--meaning", "mine:3=rock", "--out", game).exit_code
        == 0
    )
    file = game / "crypt.level.json"
    assert "Pantry" in [room.name for room in load_level(file).rooms]
    assert json.loads(file.read_bytes())["exported"]["drawing"]["options"]["meaning"]["mine:3"] == "rock"


def test_the_theme_is_known_if_only_the_level_was_written(tmp_path: Path) -> None:
    theme = small_theme.write(tmp_path)
    drawing = write_map(tmp_path / "drawn", tiled_map(CRYPT, rooms_of()))
    out = tmp_path / "game"
    assert run("import", drawing, "--theme", theme, "--out", out).exit_code == 0
    assert run("import", drawing, "--to", "png", "--out", out).exit_code == 0
    said = json.loads((out / "crypt.level.json").read_bytes())["exported"]
    assert said["png"] == {"theme": f"../{theme.name}"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"meaning": 7}, "exported.drawing.options.meaning: 7 is not a table"),
        ({"meaning": {"a": 7}}, "exported.drawing.options.meaning.a: 7 is not"),
        ({"kit": []}, "exported.drawing.options.kit: [] is not"),
        ({"kit": "../gone"}, "gone"),
    ],
)
def test_something_odd_there_is_one_line(options: Json, says: str, imported: Path) -> None:
    shutil.rmtree(imported / "game" / ".undercroft")
    file = imported / "game" / "crypt.level.json"
    table = json.loads(file.read_bytes())
    file.write_text(json.dumps({**table, "exported": {"drawing": {"options": options}}}), "utf-8")
    done = run("import", imported / "drawn" / "crypt.tmj", "--out", file.parent)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.stderr
    assert says in done.stderr


def test_a_generated_level_in_its_place_says_nothing_of_it(imported: Path) -> None:
    file = imported / "game" / "crypt.level.json"
    names = ["--name", "crypt", "--to", "json", "--to", "tiled", "--edits", "replace"]
    done = run("generate", "isaac", *names, "--out", file.parent)
    assert done.exit_code == 0 and "drawing" not in done.stderr
    assert "exported" not in json.loads(file.read_bytes())
