"""A level has the files of one split and one file format: those of its former export go, and work in them stays."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.exporters.edits.test_faults import run
from tests.exporters.edits.test_undo import done
from tests.folders import files_in

ISAAC = "generate isaac --name a --out . --seed 7 --set rooms=8 --to json --to"
WAYS = {
    "map": "tiled --option tiled.split=none --option tiled.format=tmj",
    "xml": "tiled --option tiled.split=none --option tiled.format=tmx",
    "world": "tiled --option tiled.split=rooms --option tiled.format=tmj",
    "xml world": "tiled --option tiled.split=rooms --option tiled.format=tmx",
    "project": "ldtk",
    "external": "ldtk --option ldtk.external=true",
    "rooms": "ldtk --option ldtk.levels=rooms --option ldtk.external=true",
    "scene": "godot --option godot.split=none",
    "scenes": "godot --option godot.split=rooms",
}
SWITCHES = [
    ("map", "xml"),
    ("world", "map"),
    ("map", "xml world"),
    ("xml world", "world"),
    ("external", "project"),
    ("rooms", "project"),
    ("scenes", "scene"),
]
SHARED = "undercroft."  # files of the theme


class Switch(NamedTuple):
    """A folder with a level in one way, what was in it then, and the command that writes it in another."""

    folder: Path
    before: dict[str, bytes]
    command: str

    @property
    def stale(self) -> set[str]:
        """The files that only the former way has."""
        other = self.folder.parent / "other"
        other.mkdir(exist_ok=True)
        done(self.command, other)
        return of_level(self.before).keys() - files_in(other).keys()


def of_level(files: dict[str, bytes]) -> dict[str, bytes]:
    """Leave out the files that levels share."""
    return {path: data for path, data in files.items() if not path.startswith(SHARED)}


def switch(tmp_path: Path, old: str, new: str) -> Switch:
    folder = tmp_path / "levels"
    folder.mkdir()
    done(f"{ISAAC} {WAYS[old]}", folder)
    return Switch(folder, files_in(folder), f"{ISAAC} {WAYS[new]}")


def paint(file: Path) -> None:
    """Change a map, as Tiled does that drops the digest."""
    table = json.loads(file.read_bytes())
    table["properties"] = [{"name": "mine", "type": "string", "value": "yes"}]
    file.write_text(json.dumps(table), "utf-8")


@pytest.mark.parametrize(("old", "new"), SWITCHES)
def test_unchanged_files_go(old: str, new: str, tmp_path: Path) -> None:
    """The folder is then as if nothing else had been exported into it; a dry run says so, and undo takes it back."""
    at = switch(tmp_path, old, new)
    stale = at.stale
    assert stale
    said = run(f"{at.command} --dry-run", at.folder)
    assert {
        line.removeprefix("would remove ") for line in said.stdout.splitlines() if "remove" in line
    } == stale
    assert files_in(at.folder) == at.before
    result = run(at.command, at.folder)
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert "a: " in line and line.endswith("no longer part of the export, and removed"), line
    assert line in said.stderr
    after = files_in(at.folder)
    assert not stale & after.keys()
    assert of_level(after) == of_level(files_in(tmp_path / "other"))
    assert (at.folder / "a").is_dir() == any(path.startswith("a/") for path in after)
    done("undo .", at.folder)
    assert files_in(at.folder) == at.before


@pytest.mark.parametrize(("old", "changed"), [("map", "a.tmj"), ("world", "a/room2.tmj")])
@pytest.mark.parametrize("edits", ["keep", "fail", "replace", "merge"])
def test_a_persons_files_stay_or_are_put_aside(edits: str, old: str, changed: str, tmp_path: Path) -> None:
    at = switch(tmp_path, old, "xml")
    paint(at.folder / changed)
    mine = files_in(at.folder)
    result = run(f"{at.command} --edits {edits}", at.folder)
    after = files_in(at.folder)
    if edits in ("keep", "fail"):
        assert of_level(after) == of_level(mine) and len(result.stderr.splitlines()) == 1, result.stderr
        assert result.exit_code == (edits == "fail")
        assert f"{changed}: was changed by hand, so" in result.stderr
        return
    aside = changed.replace(".tmj", ".mine.tmj")
    assert result.exit_code == 0 and after[aside] == mine[changed], result.stderr
    assert not at.stale & after.keys() and "a.tmx" in after
    assert f"{changed}: was changed by hand" in result.stderr and Path(aside).name in result.stderr
    done("undo .", at.folder)
    assert files_in(at.folder) == mine


def move_an_enemy(file: Path) -> None:
    """Change what a level has, as Tiled and Godot save it."""
    text = file.read_text("utf-8")
    if file.suffix == ".tmj":
        table = json.loads(text)
        layers = {layer["name"]: layer for layer in table["layers"]}
        next(each for each in layers["Markers"]["objects"] if each["type"] == "enemy")["x"] += 16
        changed = json.dumps(table)
    else:
        place = r'(name="Enemy_[^\n]*\nposition = Vector2\()(\d+)'
        changed = re.sub(place, lambda found: f"{found[1]}{int(found[2]) + 16}", text, count=1)
    assert changed != text
    file.write_text(changed, "utf-8")


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [("map", "world", "a.tmj"), ("world", "map", "a/room2.tmj"), ("scenes", "scene", "a/room2.tscn")],
)
def test_no_copy_is_kept_of_a_file_whose_changes_the_level_has(
    old: str, new: str, changed: str, tmp_path: Path
) -> None:
    at = switch(tmp_path, old, new)
    move_an_enemy(at.folder / changed)
    mine = files_in(at.folder)
    for _ in range(2):  # and again after an undo
        said = run(f"{at.command} --edits merge", at.folder).stderr
        assert f"{changed}: was changed by hand; these changes are also in the new file" in said
        assert not [path for path in files_in(at.folder) if "mine" in path or path == changed]
        done("undo .", at.folder)
        assert files_in(at.folder) == mine


def test_a_copy_is_kept_of_a_file_of_which_an_edit_is_lost(tmp_path: Path) -> None:
    """And of no other: not of the world, which nobody changed."""
    at = switch(tmp_path, "world", "map")
    move_an_enemy(at.folder / "a" / "room2.tmj")
    mine = files_in(at.folder)
    said = run(f"{at.command} --edits merge --seed 8", at.folder).stderr
    assert "the place of the " in said
    kept = {path: data for path, data in files_in(at.folder).items() if "mine" in path}
    assert kept == {"a/room2.mine.tmj": mine["a/room2.tmj"]}


def test_no_copy_is_kept_of_a_map_that_was_only_saved_again(tmp_path: Path) -> None:
    at = switch(tmp_path, "map", "world")
    path = at.folder / "a.tmj"
    path.write_text(json.dumps(json.loads(path.read_bytes())), "utf-8")
    assert "by hand" not in run(f"{at.command} --edits merge", at.folder).stderr
    assert not [path for path in files_in(at.folder) if "mine" in path]


def test_other_files_of_the_name_stay(tmp_path: Path) -> None:
    """What is not of the format, not recorded, or what a program only reads, such as a map in Lua, stays."""
    at = switch(tmp_path, "map", "world")
    done(f"{ISAAC} tiled --option tiled.format=lua --to png", at.folder)
    assert "a.tmj" in files_in(at.folder)
    (at.folder / "a.tmx").write_text("mine", "utf-8")
    (at.folder / "a").mkdir()
    (at.folder / "a" / "room77.tmj").write_text("{}", "utf-8")
    done(at.command, at.folder)
    left = files_in(at.folder)
    assert {"a.lua", "a.png", "a.tmx", "a/room77.tmj"} < left.keys() and "a.tmj" not in left


def test_rooms_of_a_smaller_level_go(tmp_path: Path) -> None:
    """Another level under the name has other rooms: none of the former level is left over."""
    at = switch(tmp_path, "world", "world")
    smaller = at.command.replace("rooms=8", "rooms=6")
    done(smaller, at.folder)
    rooms = {
        f"a/{map_['fileName'].rpartition('/')[2]}"
        for map_ in json.loads((at.folder / "a.world").read_bytes())["maps"]
    }
    assert {path for path in files_in(at.folder) if path.startswith("a/")} == rooms
    assert rooms < at.before.keys()


def test_three_switches_after_an_edit(tmp_path: Path) -> None:
    """An edit in a room's map is in the level, and so in each file that the level has later."""
    at = switch(tmp_path, "world", "map")
    paint(at.folder / "a" / "room2.tmj")
    for way in ("map", "xml world", "world", "map"):
        result = run(f"{ISAAC} {WAYS[way]} --edits merge", at.folder)
        assert result.exit_code == 0, result.stderr
    assert of_level(files_in(at.folder)).keys() == {"a.level.json", "a.tmj", "a/room2.mine.tmj"}


MANIFEST = 'out = "."\nformats = ["tiled"]\n%s[group.a]\nspec = "isaac"\nseeds = [7, 8]\npath = "{seed}"\n'


@pytest.mark.parametrize("is_changed", [False, True])
def test_builds_remove_them_too(is_changed: bool, tmp_path: Path) -> None:
    for name, options in (("whole", ""), ("split", '[options.tiled]\nsplit = "rooms"\n')):
        (tmp_path / f"{name}.toml").write_text(MANIFEST % options, "utf-8")
    done("build whole.toml", tmp_path)
    if is_changed:
        paint(tmp_path / "7.tmj")
    before = files_in(tmp_path)
    dry = run("build split.toml --dry-run --edits replace", tmp_path)
    assert "would remove 8.tmj" in dry.stdout and "no longer asks" not in dry.stderr, dry.output
    result = run("build split.toml --edits replace", tmp_path)
    after = files_in(tmp_path)
    assert result.exit_code == 0 and not {"7.tmj", "8.tmj"} & after.keys(), result.output
    assert "8: 8.tmj is no longer part of the export, and removed" in result.stderr
    assert after.get("7.mine.tmj") == (before["7.tmj"] if is_changed else None)
    done("build whole.toml", tmp_path)
    assert not any("/" in path for path in files_in(tmp_path))
    for _ in range(2):
        done("undo .", tmp_path)
    assert files_in(tmp_path) == before
