"""One story in the real Tiled, in maps as JSON and as XML: what is there in the end is the same."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from generator.level_file import load_level
from tests.commands import undercroft
from tests.exporters.formats.tiled.conftest import read, run_tiled

SCRIPTS = Path(__file__).parent / "scripts"
pytestmark = pytest.mark.xdist_group("merge_programs")

FORMS = ("tmj", "tmx")
OWN = """<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.0" name="own" tilewidth="16" tileheight="16" tilecount="4" columns="4">
 <image source="own.png" width="64" height="16"/>
</tileset>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The same level in both notations, each in a folder of its own, and a person's tileset."""
    for form in FORMS:
        words = ("--to", "json", "--to", "tiled", "--option", f"tiled.format={form}", "--out", form)
        assert undercroft("generate", "isaac", "--seed", "7", *words, cwd=tmp_path).returncode == 0
    (tmp_path / "own.tsx").write_text(OWN, "utf-8")
    shutil.copy(tmp_path / "tmx" / "undercroft.png", tmp_path / "own.png")
    return tmp_path


def each(folder: Path, *words: str) -> list[str]:
    """Run a command in both folders. Return what it says, in words that do not name the form."""
    said = []
    for form in FORMS:
        done = undercroft(*words, cwd=folder / form)
        assert done.returncode == 0, done.stderr
        lines = [line for line in done.stderr.splitlines() if "stays as it was exported" not in line]
        said.append("\n".join(lines).replace(f".{form}", ""))
        assert not [*(folder / form).glob("*.mine*"), *(folder / form).glob("*.conflicts.txt")]
    assert said[0] == said[1]
    return said


def in_tiled(folder: Path, what: str) -> None:
    run_tiled("--evaluate", SCRIPTS / "work.js", folder, what)


def alike(folder: Path) -> None:
    """The levels are equal, and what Tiled sees of the maps, beside the tileset's suffix."""
    levels = [load_level(folder / form / "isaac-7.level.json") for form in FORMS]
    assert levels[0] == levels[1] and levels[0].edited
    maps = [read(folder / form / "isaac-7.told") for form in FORMS]
    maps[0]["tilesets"][0]["source"] = maps[0]["tilesets"][0]["source"].replace(".tsj", ".tsx")
    assert maps[0] == maps[1]


def test_work_in_xml_stays_as_in_json(folder: Path) -> None:
    in_tiled(folder, "first")
    each(folder, "sync", ".")
    in_tiled(folder, "second")  # before the first is home in the map that is open
    each(folder, "sync", ".")
    each(folder, "reroll", "isaac-7.level.json", "--room", "3")
    each(
        folder,
        "export",
        "isaac-7.level.json",
        "--edits",
        "merge",
        "--to",
        "json",
        "--to",
        "tiled",
        "--out",
        ".",
    )
    in_tiled(folder, "save")
    said = each(folder, "sync", ".")
    assert said[0] == "undercroft: isaac-7: no new edits; what a level cannot have stays in its file"
    alike(folder)
    text = (folder / "tmx" / "isaac-7.tmx").read_text("utf-8")
    for token in ("Look again", 'name="loot" value="sceptre"', 'locked="1"', "../own.png", "<ellipse/>"):
        assert token in text
    shutil.copy(folder / "tmx" / "isaac-7.tmx", folder / "before")
    each(folder, "sync", ".")
    assert (folder / "tmx" / "isaac-7.tmx").read_bytes() == (folder / "before").read_bytes()


@pytest.mark.parametrize("stays", [True, False])
def test_a_map_saved_as_xml_is_one_of_the_level_from_then_on(folder: Path, stays: bool) -> None:
    """With *Save As*: its tileset is then our own in XML, and what is painted in it goes to both files."""
    home = folder / "tmj"
    run_tiled("--export-map", "tmx", home / "isaac-7.tmj", home / "isaac-7.tmx")
    if not stays:
        (home / "isaac-7.tmj").unlink()
    text = (home / "isaac-7.tmx").read_text("utf-8")
    assert '"undercroft.tsj"' in text
    boss = re.search(r'<object id="\d+" type="boss" gid="\d+" x="(\d+)', text)
    assert boss
    text = text.replace('name="Rooms"', 'name="Rooms" tintcolor="#123456"').replace(
        boss[0], boss[0].replace(f'x="{boss[1]}', f'x="{int(boss[1]) + 32}')
    )
    (home / "isaac-7.tmx").write_text(text, "utf-8")
    done = undercroft("sync", ".", cwd=home)
    assert done.returncode == 0 and "isaac-7.tmx: 1 marker moved" in done.stderr
    after = (home / "isaac-7.tmx").read_text("utf-8")
    assert '"undercroft.tsx"' in after and 'tintcolor="#123456"' in after
    files = {path.name for path in home.iterdir() if path.is_file()}
    kept = {"isaac-7.tmj"} if stays else set()
    assert files - {"undercroft.tsj", "undercroft.png", "undercroft.tiled-project"} == {
        "isaac-7.level.json", "isaac-7.tmx", "undercroft.tsx", *kept,
    }  # fmt: skip
    assert "no new edits" in undercroft("sync", ".", cwd=home).stderr
