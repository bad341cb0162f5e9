"""What the studio writes: the same files as its command lines and its Python, and levels in the manifest."""

from __future__ import annotations

import json
import os
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import generator
from exporters.builder.manifest import load_manifest
from exporters.studio.requests import LevelRequest
from exporters.studio.tasks import do
from generator.cli import main
from generator.level_file import load_level
from tests.exporters.studio.page import EXAMPLES, TOKEN, Page, begun, make_project
from tests.folders import files_in

pytestmark = pytest.mark.xdist_group("studio")


def run(line: str, folder: Path) -> None:
    """A command line in a folder; it ends well."""
    program, *words = shlex.split(line)
    assert program == "undercroft"
    here = Path.cwd()
    os.chdir(folder)
    try:
        done = CliRunner().invoke(main, words)
    finally:
        os.chdir(here)
    assert done.exit_code == 0, done.output


def run_python(text: str, folder: Path) -> None:
    """A program in a folder."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        exec(compile(text, "studio.py", "exec"), {})
    finally:
        os.chdir(here)


def rolls_of_every_sort(name: str, seed: int) -> list[dict[str, Any]]:
    """A room of another kind, layouts, markers, a layout from another seed."""
    level = generator.generate(name, seed)
    normal = [room.id for room in level.rooms if room.kind == "normal"]
    level = _another_kind(level)
    level = generator.reroll(level, room=normal[:2], times=3)
    level = generator.reroll(level, room=normal[1], what="markers", times=2)
    level = generator.reroll(level, room=normal[2], seed="other", times=2)
    return [dict(row) for row in level.rerolls]


def _another_kind(level: generator.Level) -> generator.Level:
    """The level with a room that may be of another kind, and then is rolled once more."""
    for room in level.rooms:
        with suppress(generator.RerollError):
            return generator.reroll(generator.reroll(level, room=room.id, what="kind", times=2), room=room.id)
    raise AssertionError("no room may be of another kind")


ASKED: list[dict[str, Any]] = [
    {
        "spec": {
            "name": "rebirth",
            "set": {"stage": 3, "state.coins": 5, "curse": "lost", "room_size": [15, 9]},
        },
        "seed": "it's a seed",
        "formats": ["json", "tiled", "png"],
        "options": {"png.scale": 2, "png.background": "#102030", "tiled.encoding": "csv"},
    },
    {
        "spec": {"name": "gungeon", "set": {"flow": "descent 2, hub"}},
        "formats": ["godot", "json"],
        "options": {"godot.scenes": {"enemy": "res://slime.tscn"}, "godot.target": "4.2"},
        "name": "the heap",
    },
    {"spec": {"name": "specs/cellar.toml"}, "seed": 11, "formats": ["json"], "folder": "-levels/deep"},
    {
        "spec": {"name": "isaac"},
        "seed": 3,
        "formats": ["json", "png"],
        "manifest": 'formats = ["ldtk"]\noptions = { png = { scale = 3 } }\n',
    },
    {"spec": {"name": "isaac", "set": {"kit": "garden"}}, "seed": 2, "formats": ["json", "ldtk"]},
    {
        "spec": {"name": "rebirth"},
        "seed": 4,
        "rerolls": "of every sort",
        "formats": ["json", "png"],
        "options": {"png.markers": True},
    },
]


@pytest.mark.parametrize("asked", ASKED, ids=[str(number) for number in range(len(ASKED))])
def test_command_and_python_make_the_files_that_the_studio_writes(
    studio: Page, tmp_path: Path, asked: dict[str, Any]
) -> None:
    manifest = studio.folder / "undercroft.toml"  # what it says for all levels is not what the page asks for
    manifest.write_text(asked.get("manifest", ""), "utf-8")
    asked = {key: given for key, given in asked.items() if key != "manifest"}
    if "rerolls" in asked:
        asked = {**asked, "rerolls": rolls_of_every_sort(asked["spec"]["name"], asked["seed"])}
        assert {key for row in asked["rerolls"] for key in row} == {
            "room",
            "kind",
            "seed",
            "layout",
            "markers",
        }
    told = studio.post("/api/write", {"folder": "out", **asked})
    assert told["files"] and not told["changes"]
    same = studio.post("/api/commands", {"folder": "out", **asked})
    written = files_in(studio.folder / asked.get("folder", "out"))
    names = {Path(path).relative_to(asked.get("folder", "out")).as_posix() for path in told["files"]}
    for number, make in enumerate((lambda at: [run(line, at) for line in same["command"].splitlines()],
                                   lambda at: run_python(same["python"], at))):  # fmt: skip
        folder = tmp_path / str(number)
        folder.mkdir()
        for name in ("garden", "specs", "layouts"):
            if (studio.folder / name).exists():
                (folder / name).symlink_to(studio.folder / name)
        (folder / manifest.name).write_bytes(manifest.read_bytes())
        make(folder)
        made = files_in(folder / asked.get("folder", "out"))
        assert {path: made[path] for path in names} == {path: written[path] for path in names}


def test_why_there_is_no_command_is_told(tmp_path: Path) -> None:
    make_project(tmp_path)
    asked: dict[str, Any] = {"spec": {"name": "isaac"}, "seed": 3, "formats": ["godot"]}
    with begun(tmp_path) as client:
        client.get(f"/?token={TOKEN}")
        page = Page(tmp_path, client)
        told = page.post("/api/commands", {**asked, "options": {"godot.properties": {"enemy": "a=b"}}})
        assert told["command"] is None and "equals sign" in told["why"]
        assert page.post("/api/commands", asked)["why"] == ""
        (tmp_path / "undercroft.toml").write_text("[group", "utf-8")
        told = page.post("/api/commands", asked)
        assert told["command"] is None and told["why"].startswith("undercroft.toml is broken")


def test_what_a_person_changed_is_kept_and_told(studio: Page) -> None:
    asked = {"spec": {"name": "isaac"}, "seed": 21, "formats": ["tiled"], "folder": "kept"}
    studio.post("/api/write", asked)
    file = studio.folder / "kept" / "isaac-21.tmj"
    file.write_text(file.read_text("utf-8").replace('"normal"', '"mine"'), "utf-8")
    mine = file.read_bytes()
    told = studio.post(
        "/api/write", {**asked, "spec": {"name": "isaac", "set": {"stage": 2}}, "name": "isaac-21"}
    )
    assert file.read_bytes() == mine
    (change,) = told["changes"]
    assert change["what"] == "kept"
    assert change["said"] == (
        f"{Path('kept', file.name)}: was changed by hand, so all files of isaac-21 stay; merge brings the "
        "changes into the new level, replace puts changed files aside"
    )
    before = files_in(studio.folder / "kept")
    refused = studio.post("/api/write", {**asked, "edits": "fail", "options": {"tiled.encoding": "csv"}})
    assert refused["refused"] and files_in(studio.folder / "kept") == before


def test_why_a_level_was_not_merged_is_told(studio: Page) -> None:
    asked = {"spec": {"name": "isaac"}, "seed": 22, "formats": ["json", "tiled"], "folder": "damaged"}
    studio.post("/api/write", asked)
    file = studio.folder / "damaged" / "isaac-22.tmj"
    file.write_text("{", "utf-8")
    told = studio.post("/api/write", {**asked, "edits": "merge"})
    assert told["refused"] and file.read_text("utf-8") == "{"
    (note,) = told["notes"]
    assert "isaac-22.tmj: is not JSON" in note


def test_nothing_is_written_over_a_drawn_level(studio: Page) -> None:
    folder = studio.folder / "drawn"
    run = CliRunner().invoke(main, ["import", str(EXAMPLES / "drawn" / "crypt.tmj"), "--out", str(folder)])
    assert run.exit_code == 0, run.output
    before = files_in(folder)
    asked = {"spec": {"name": "isaac"}, "seed": 22, "formats": ["json"], "folder": "drawn", "name": "crypt"}
    told = studio.post("/api/write", {**asked, "edits": "merge"})
    (note,) = told["notes"]
    assert told["refused"] and files_in(folder) == before
    assert note.endswith("so nothing was written; give another name, or keep or replace")


@pytest.mark.parametrize("edits", ["keep", "merge", "replace", "fail"])
def test_the_command_line_says_what_becomes_of_edits_unless_it_is_the_usual(edits: str, studio: Page) -> None:
    asked = {"spec": {"name": "isaac"}, "seed": 21, "formats": ["tiled"], "edits": edits}
    (line,) = studio.post("/api/commands", asked)["command"].splitlines()
    words = shlex.split(line)
    assert ("--edits" in words) == (edits != "keep")
    assert edits == "keep" or words[words.index("--edits") + 1] == edits


def test_what_a_person_changed_in_vain_is_told_with_its_file(studio: Page) -> None:
    asked = {"spec": {"name": "isaac"}, "seed": 23, "formats": ["godot"], "folder": "vain"}
    studio.post("/api/write", asked)
    (edit,) = (studio.folder / "vain").glob("*_edit.tscn")
    edit.write_text(edit.read_text("utf-8") + '[node name="Gone" parent="Markers"]\n', "utf-8")
    (misfit,) = studio.post("/api/write", asked)["misfits"]
    assert misfit["said"].startswith(
        f"{Path('vain', edit.name)}: changes nodes that no longer exist: Markers/Gone"
    )


def test_rooms_that_were_rolled_are_a_choice_that_generate_leaves_alone(studio: Page) -> None:
    asked = {"spec": {"name": "isaac"}, "seed": 22, "formats": ["json", "png"], "folder": "rolled"}
    rolled = studio.post("/api/reroll", {"spec": {"name": "isaac"}, "seed": 22, "rooms": [1]})
    told = studio.post("/api/write", {**asked, "rerolls": rolled["rerolls"]})
    assert len(told["files"]) == 2
    run("undercroft generate isaac --seed 22 --to json --out rolled", studio.folder)
    file = studio.folder / "rolled" / "isaac-22.level.json"
    assert load_level(file).fingerprint == rolled["fingerprint"]


@pytest.mark.parametrize(
    ("asked", "control"),
    [
        ({"folder": "../elsewhere"}, "folder"),
        ({"folder": "/tmp"}, "folder"),
        ({"folder": "out/way"}, "folder"),
        ({"name": "a/b"}, "name"),
        ({"formats": ["paper"]}, "formats"),
        ({"options": {"png.scale": 99}}, "png.scale"),
        ({"edits": "lose"}, "edits"),
        ({"theme": "../theme.toml"}, "theme"),
        ({"spec": {"name": "isaac", "set": {"kit": "way"}}}, "kit"),
        ({"spec": {"name": "gungeon", "set": {"flow": "hub, ../a.toml 2"}}}, "flow"),
        ({"spec": {"name": "out/way/a.toml"}}, "spec"),
    ],
)
def test_nothing_is_written_elsewhere_or_by_mistake(
    studio: Page, asked: dict[str, Any], control: str | None
) -> None:
    (studio.folder / "out").mkdir(exist_ok=True)
    way = studio.folder / "out" / "way"
    if not way.is_symlink():
        way.symlink_to(studio.folder.parent, target_is_directory=True)
        (studio.folder / "way").symlink_to(studio.folder.parent, target_is_directory=True)
    before = files_in(studio.folder)
    body = {"spec": {"name": "isaac"}, "formats": ["png"], **asked}
    assert studio.error("/api/write", body)["control"] == control
    assert files_in(studio.folder) == before


# --- stars -----------------------------------------------------------------------------------------------

MANIFEST = """\
# Our levels.
out = "levels"    # not in git
formats = ["json"]

[group.cellars]
spec = "specs/cellar.toml"   # by hand
seeds = "0:2"
"""


def test_a_starred_level_is_built(studio: Page) -> None:
    manifest = studio.folder / "undercroft.toml"
    manifest.write_text(MANIFEST, "utf-8")
    asked = {"spec": {"name": "rebirth", "set": {"stage": 2, "state.coins": 7}}, "seed": 31}
    first = studio.post("/api/star", asked)
    assert (first["group"], first["added"]) == ("starred", True)
    assert studio.post("/api/star", {**asked, "seed": "a text"})["group"] == "starred"
    assert not studio.post("/api/star", asked)["added"]
    assert studio.post("/api/star", {"spec": {"name": "isaac"}, "seed": 2**64 - 1})["group"] == "starred-2"
    assert manifest.read_text("utf-8").startswith(MANIFEST)
    told = studio.get("/api/stars")["groups"]
    assert told[0]["set"] == asked["spec"]["set"]  # so that the page knows it again
    groups = {group["group"]: group["seeds"] for group in told}
    assert groups == {"starred": ["31", "a text"], "starred-2": [str(2**64 - 1)]}
    assert {group.name for group in load_manifest(manifest).groups} == {"cellars", *groups}
    run(f"{first['command']} --jobs 1", studio.folder)
    shown = studio.post("/api/level", asked)["fingerprint"]
    (built,) = (studio.folder / "levels" / "starred").glob("*31.level.json")
    assert load_level(built).fingerprint == shown


def test_a_manifest_that_begins_with_a_star_names_its_schema(studio: Page) -> None:
    (studio.folder / ".schemas").mkdir()
    (studio.folder / ".schemas" / "manifest.schema.json").write_text("{}", "utf-8")
    studio.post("/api/star", {"spec": {"name": "isaac"}, "seed": 5})
    manifest = studio.folder / "undercroft.toml"
    assert manifest.read_text("utf-8").startswith(
        "#:schema ./.schemas/manifest.schema.json\n[group.starred]\n"
    )
    assert load_manifest(manifest).groups


def test_the_star_of_a_level_with_rerolls_builds_what_the_studio_writes(studio: Page) -> None:
    manifest = studio.folder / "undercroft.toml"
    manifest.write_text(MANIFEST.replace('["json"]', '["json", "tiled"]'), "utf-8")
    plain = {"spec": {"name": "isaac", "set": {"stage": 2}}, "seed": 22}
    studio.post("/api/star", plain)
    once = manifest.read_text("utf-8")
    rolled = studio.post("/api/reroll", {**plain, "rooms": [1, 3]})["rerolls"]
    asked = {**plain, "rerolls": rolled}
    told = studio.post("/api/star", asked)
    assert (told["group"], told["added"]) == ("starred-2", True)
    assert not studio.post("/api/star", {**asked, "rerolls": rolled[::-1]})["added"]
    assert studio.post("/api/star", {**asked, "seed": 23})["group"] == "starred-3"  # other rooms
    groups = {group["group"]: group["rerolls"] for group in studio.get("/api/stars")["groups"]}
    assert groups == {"starred": [], "starred-2": rolled, "starred-3": rolled}
    run(f"{told['command']} --jobs 1", studio.folder)
    studio.post(
        "/api/write", {**asked, "formats": ["json", "tiled"], "folder": "by-hand", "name": "isaac-22"}
    )
    built = files_in(studio.folder / "levels" / "starred-2")
    assert len(built) > 1 and built == files_in(studio.folder / "by-hand")
    assert studio.post("/api/unstar", {**plain, "seed": 23, "rerolls": rolled})["groups"] == ["starred-3"]
    assert studio.post("/api/unstar", {**plain, "rerolls": rolled})["groups"] == ["starred-2"]
    assert manifest.read_text("utf-8") == once


def test_a_star_is_taken_back(studio: Page) -> None:
    manifest = studio.folder / "undercroft.toml"
    manifest.write_text(MANIFEST, "utf-8")
    asked = {"spec": {"name": "isaac", "set": {"stage": 2}}, "seed": 5}
    studio.post("/api/star", asked)
    once = manifest.read_text("utf-8")
    studio.post("/api/star", {**asked, "seed": 6})
    assert studio.post("/api/unstar", {**asked, "seed": 6})["groups"] == ["starred"]
    assert manifest.read_text("utf-8") == once
    assert studio.post("/api/unstar", {**asked, "seed": 6})["groups"] == []
    assert (
        studio.post("/api/unstar", {"spec": {"name": "specs/cellar.toml"}, "seed": 0})["groups"] == []
    )  # a range
    studio.post("/api/unstar", asked)
    assert manifest.read_text("utf-8") == MANIFEST


def test_a_manifest_is_begun_where_there_is_none(studio: Page) -> None:
    manifest = studio.folder / "undercroft.toml"
    manifest.unlink(missing_ok=True)
    studio.post("/api/star", {"spec": {"name": "gungeon"}, "seed": 1})
    assert manifest.read_text("utf-8") == '[group.starred]\nspec = "gungeon"\nseeds = [1]\n'
    studio.post("/api/unstar", {"spec": {"name": "gungeon"}, "seed": 1})
    assert studio.get("/api/stars")["groups"] == []
    assert studio.post("/api/star", {"spec": {"name": "gungeon"}, "seed": 2})["added"]


@pytest.mark.parametrize(
    ("text", "asked", "said"),
    [
        ("[group", {}, "undercroft.toml: is not TOML"),
        ('[group.a]\nspec = "nowhere"\nseeds = [1]\n', {}, "undercroft.toml: group.a.spec: "),
        ('group = { a = { spec = "gungeon", seeds = [1] } }\n', {}, "add yourself: [group.starred]"),
        ("group = []\n", {}, "undercroft.toml: group: [] is not a table"),
        (MANIFEST, {"rerolls": [{"room": 99, "layout": 1}]}, "rerolls[0].room: 99 is not a whole number"),
        (
            MANIFEST,
            {"rerolls": [{"room": 1, "kind": "throne", "layout": 1}]},
            "rerolls[0].kind: 'throne' is not",
        ),
        (MANIFEST, {"rerolls": [{"edited": True}]}, "rerolls: the level was changed by hand"),
        (MANIFEST, {"rerolls": [{"room": [], "layout": 1}]}, "rerolls[0].room: [] is not a whole number"),
        (MANIFEST, {"spec": {"name": "isaac", "set": {"stage": 99}}}, "stage: 99 is out of range"),
    ],
)
def test_a_manifest_that_cannot_take_a_star_stays_as_it_is(
    studio: Page, text: str, asked: dict[str, Any], said: str
) -> None:
    manifest = studio.folder / "undercroft.toml"
    manifest.write_text(text, "utf-8")
    found = studio.error("/api/star", {"spec": {"name": "isaac"}, "seed": 5, **asked})
    assert said in found["message"]
    assert manifest.read_text("utf-8") == text
    assert not list(studio.folder.glob(".undercroft.toml*"))


def test_a_manifest_that_cannot_be_written_is_reported_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / f".undercroft.toml.{os.getpid()}").mkdir()  # in the way, as a full or read-only disk would be
    told = json.loads(do("star", LevelRequest("isaac", {}, "7", "", ())).body)["error"]
    assert told["message"].startswith("undercroft.toml: cannot be written: ")
    assert told["file"] == "undercroft.toml"
