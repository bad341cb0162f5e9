"""`--dry-run` of every command that writes: it says what the write then does, and leaves everything as it was."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from exporters.edits import EDITS
from generator.cli import main
from tests.commands import undercroft
from tests.dry_runs import does_as_it_says, ran
from tests.test_json import names

FIRST = (
    "generate isaac --seed 8 --set rooms=6 --to json --to tiled --name cellar --out levels",
    "layouts new boss --like boss/colosseum --to tiled --name arena --out drawn",
    "layouts import drawn/arena.tmj --out rooms",
    "theme new levels/undercroft.png --tile-size 16 --name crypt",
    "addon install installed",
    "init project --ci none",
)
OTHER = "generate isaac --seed 8 --set rooms=6 --set stage=2 --to json --to tiled --name cellar --out levels"
BESIDE = ("levels/cellar.mine.tmj", "levels/cellar.conflicts.txt")  # for the enemy that is gone
# The commands, and what each has to change; nothing if it is refused, or if all is as it should be.
CASES = {
    "generate isaac --seed 8 --set rooms=6 --to json --name x --out new/er": {"new/er/x.level.json"},
    "generate isaac --seed 8 --set rooms=6 --to json --to tiled --name cellar --out levels": set(),
    OTHER: set(),
    f"{OTHER} --edits merge": {"levels/cellar.level.json", "levels/cellar.tmj", *BESIDE},
    f"{OTHER} --edits replace": {"levels/cellar.level.json", "levels/cellar.tmj", "levels/cellar.mine.tmj"},
    f"{OTHER} --edits fail": set(),
    "run isaac --seed 7 --stages 1:3 --to json --to tiled --out run": None,
    "run isaac --seed 7 --stages 1:2 --html run.html": {"run.html"},
    "export levels/cellar.level.json --to png --out levels": {"levels/cellar.png"},
    "reroll levels/cellar.level.json --room 2": {"levels/cellar.level.json"},
    "import levels/cellar.tmj --out back": {"back/cellar.level.json"},
    "import levels/cellar.tmj --out levels": {"levels/cellar.level.json", "levels/cellar.tmj"},
    "diff levels/cellar.tmj --png marked.png": {"marked.png"},
    "undo levels": None,
    "sync levels": {"levels/cellar.level.json", "levels/cellar.tmj"},
    "pack isaac --seeds 0:2 --out packs/x.ucpack": {
        f"packs/{name}" for name in ("x.ucpack", "undercroft.tres", "undercroft.png")
    },
    "gallery isaac --seeds 0:1": {"gallery.html"},
    "describe isaac --html chart.pdf": set(),  # tests/exporters/pages/test_chart.py: the page takes seconds
    "layouts show boss/colosseum --png boss.png": {"boss.png"},
    "layouts new shop --to txt --name x": {"x.txt"},
    "layouts import drawn/arena.tmj --out rooms": set(),
    "layouts import drawn/arena.tmj --pool boss --out other": {"other/boss/arena.txt"},
    "stats isaac --seeds 0:2 --fact rooms --plot plot.svg": {"plot.svg"},
    "flow grow hub --seeds 0:2": {"hub-plans.png"},
    "init our-game": None,
    "init project": set(),
    "schema options --out schemas": {"schemas/options.schema.json"},
    "kit new mine": None,
    "theme new levels/undercroft.png --tile-size 16 --name cave": None,
    "theme check levels/crypt.toml --out pictures": {"pictures/crypt-check.png"},
    "addon install game": None,
    "tiled install levels": {f"levels/extensions/{name}.js" for name in ("undercroft", "undercroft_room")},
    "tiled rules levels": None,
    "tiled templates levels": None,
    "addon install installed": {
        f"installed/addons/undercroft/{name}" for name in ("gone.gd", ".installed.json")
    },
}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every case has something to do."""
    folder = tmp_path_factory.mktemp("first")
    for game in ("game", "installed"):
        (folder / game).mkdir()
        (folder / game / "project.godot").write_text("config_version=5\n", "utf-8")
    for command in FIRST:
        assert undercroft(*command.split(), cwd=folder).returncode == 0, command
    _move_an_enemy(folder / "levels" / "cellar.tmj")
    _install_one_file_more(folder / "installed" / "addons" / "undercroft")
    return folder


def _move_an_enemy(path: Path) -> None:
    """As a person does in Tiled, who also says why."""
    table = json.loads(path.read_text("utf-8"))
    objects = [each for layer in table["layers"] for each in layer.get("objects", [])]
    enemy = next(each for each in objects if each["type"] == "enemy")
    enemy["x"] += table["tilewidth"]
    table["properties"] = [*table.get("properties", []), {"name": "why", "type": "string", "value": "fairer"}]
    path.write_text(json.dumps(table), "utf-8")


def _install_one_file_more(addon: Path) -> None:
    """As an older version of the addon had one."""
    (addon / "gone.gd").write_bytes(b"pass\n")
    listed = json.loads((addon / ".installed.json").read_text("utf-8"))
    listed["files"]["gone.gd"] = hashlib.sha256(b"pass\n").hexdigest()
    (addon / ".installed.json").write_text(json.dumps(listed), "utf-8")


@pytest.mark.parametrize("command", CASES)
def test_it_says_what_the_command_does(command: str, first: Path, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    less = shutil.ignore_patterns() if command.startswith("addon") else shutil.ignore_patterns("installed")
    shutil.copytree(first, folder, ignore=less)  # the addon has many files
    expected = CASES[command]
    changed = does_as_it_says(command.split(), folder)
    assert changed if expected is None else changed == expected, changed


def test_every_command_that_writes_has_it() -> None:
    flags = {
        words: {flag for option in command.params for flag in option.opts} for words, command in names(main)
    }
    having = {words for words, known in flags.items() if "--dry-run" in known}
    assert having == {words for words, known in flags.items() if known & {"--edits", "--out", "--ci"}}
    tried = {words for words in having for case in CASES if case.split()[: len(words)] == [*words]}
    assert having - tried == {("build",)}, "see tests/exporters/builder/test_dry_run.py"


def test_a_folder_without_a_record_has_none_afterwards(tmp_path: Path) -> None:
    for edits in EDITS:
        done = ran(
            ["generate", "isaac", "--to", "json", "--out", ".", "--edits", edits, "--dry-run"], tmp_path
        )
        assert (done.status, done.out) == (0, ["would write isaac-0.level.json"])
    assert [*tmp_path.iterdir()] == []


def test_what_is_only_printed_is_printed(first: Path) -> None:
    """A dry run of what writes no file is that itself."""
    for command in ("generate isaac --to json --out -", "schema spec", "layouts show boss/colosseum"):
        assert ran([*command.split(), "--dry-run"], first).out == ran(command.split(), first).out


def test_a_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    done = [ran(f"kit new file/x {flag}".split(), tmp_path) for flag in ("", "--dry-run")]
    assert [each.status for each in done] == [1, 1]
    assert done[0].err[-1] == done[1].err[-1]


def test_the_page_shows_what_is_said(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "edits.md").read_text("utf-8")
    story = re.search(r"```sh\n(undercroft .*--dry-run)\n```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert story
    words = shlex.split(story[1])[1:]
    assert ran(["generate", "isaac", "--seed", "7", "--to", "tiled"], tmp_path).status == 0
    edited = tmp_path / "isaac-7.tmj"
    edited.write_bytes(edited.read_bytes() + b"\n")
    said = ran(words, tmp_path)
    assert [*said.out, *said.err] == story[2].splitlines()
