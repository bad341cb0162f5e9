"""Undercroft in Tiled's menu: a level is painted, brought home, checked, rolled again and taken back in Tiled."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

import exporters
import generator
from exporters.bundle import Bundle
from exporters.writing import write
from generator.cli import tiled as command
from generator.cli.group import main
from generator.level_file import load_level

from .editor import editor

ROOT = Path(generator.__file__).parents[1]

# Each step of a designer, and what there is then.
_STORY = """
  const paths = %s;
  const files = () => paths.map(path => { const f = new TextFile(path); const text = f.readAll(); f.close(); return text; });
  const changed = (before, after) => after.map((text, i) => text !== before[i]);
  const steps = {};
  const reopened = () => tiled.openAssets.find(one => one.fileName === map.fileName);
  const first = files();

  tiled.trigger("UndercroftOnSave");
  let now = map;
  const walls = now.layers.find(one => one.name === "Walls"), ground = now.layers.find(one => one.name === "Ground");
  const room = now.layers.find(one => one.name === "Rooms").objects.find(one => one.property("kind") === "normal");
  const x = room.x / 16 + 4, y = room.y / 16 + 4;
  let edit = walls.edit();
  edit.setTile(x, y, walls.tileAt(room.x / 16 + 5, room.y / 16));
  edit.apply();
  edit = ground.edit();
  edit.setTile(x, y, null);
  edit.apply();
  now.save();
  const painted = files();
  steps.saved = changed(first, painted);
  tiled.trigger("UndercroftOnSave");

  now = reopened();
  const undone = undercroft.undo(now);
  steps.undone = [undone.status, changed(first, files())[1]];

  now = reopened();
  now.selectedObjects = [now.layers.find(one => one.name === "Rooms").objects[2]];
  const rolled = undercroft.rollRooms(now);
  steps.rolled = [rolled.status, changed(painted, files())];
  now = reopened();
  now.selectedObjects = [now.layers.find(one => one.name === "Rooms").objects[2]];
  steps.pinned = undercroft.pin(now);
  steps.problems = undercroft.check(now);
  const place = undercroft.placeOf(now, "marker 3 (key at 9,9): is outside its room 1 (normal at 1,1)");
  steps.place = [place.object.property("marker_id"), place.x === place.object.x];

  const read = new TextFile(paths[1]), level = JSON.parse(read.readAll());
  read.close();
  level.markers[3].x = 0;
  const write = new TextFile(paths[1], TextFile.WriteOnly);
  write.write(JSON.stringify(level));
  write.commit();
  steps.broken = undercroft.check(now).some(problem => /^marker 3 .*: is outside/.test(problem));

  const made = undercroft.newLevel(%s, "isaac", "8");
  steps.made = made.property("seed");
  const out = new TextFile(%s, TextFile.WriteOnly);
  out.write(JSON.stringify(steps));
  out.commit();
"""


def installed(folder: Path, home: Path) -> Path:
    """Install the extension for the user of `home`. Return a command for it, in a folder."""
    (home / "tiled" / "extensions").mkdir(parents=True)
    done = CliRunner().invoke(main, ["tiled", "install"], env={"XDG_CONFIG_HOME": str(home)})
    assert done.exit_code == 0, done.output
    tool = folder / "undercroft"
    tool.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m generator.cli "$@"\n', "utf-8"
    )
    tool.chmod(0o755)
    return tool


def test_a_day_in_tiled(tmp_path: Path) -> None:
    folder, home, answer = tmp_path / "levels", tmp_path / "home", tmp_path / "steps.json"
    exporters.export(generator.generate("isaac", 7), ["json", "tiled", "ldtk"], name="a").write(folder)
    tool = installed(tmp_path, home)
    names = [str(folder / name) for name in ("a.tmj", "a.level.json", "a.ldtk")]
    script = _STORY % tuple(map(json.dumps, (names, str(folder), str(answer))))
    with editor(script, folder / "a.tmj", home=home, command=tool):
        steps = json.loads(answer.read_bytes())
    assert steps.pop("problems") == [] and steps == {
        "saved": [True, True, True],
        "undone": [0, False],
        "rolled": [0, [True, True, True]],
        "pinned": [2],
        "place": [3, True],
        "broken": True,
        "made": "8",
    }
    assert load_level(folder / "isaac-8.level.json").seed == 8


def test_it_goes_where_tiled_looks(tmp_path: Path) -> None:
    """Into the user's folder, or that of a project."""
    done = CliRunner().invoke(main, ["tiled", "install", str(tmp_path)])
    assert done.exit_code == 0, done.output
    scripts = sorted((tmp_path / "extensions").iterdir())
    assert [script.name for script in scripts] == ["undercroft.js", "undercroft_room.js"]
    assert b"registerAction" in scripts[0].read_bytes() and b"registerTool" in scripts[1].read_bytes()
    assert command.user_extensions().name == "extensions"


def test_install_replaces_an_older_one(tmp_path: Path) -> None:
    """What a person changed stays, with the new file beside it, where Tiled does not run it."""
    for name, is_changed in (("plain", False), ("mine", True)):
        folder = tmp_path / name
        write(Bundle({"extensions/undercroft.js": b"// older"}), folder, "keep")
        if is_changed:
            (folder / "extensions" / "undercroft.js").write_bytes(b"// mine")
        done = CliRunner().invoke(main, ["tiled", "install", str(folder)])
        assert done.exit_code == 0 and ("was changed by hand, so it stays" in done.output) == is_changed
        assert ((folder / "extensions" / "undercroft.js").read_bytes() == b"// mine") == is_changed
        found = {path.name for path in (folder / "extensions").iterdir()}
        assert found == {*command.SCRIPTS, *(["undercroft.js.new"] if is_changed else [])}


def test_install_finds_the_project(tmp_path: Path) -> None:
    """A folder that is missing is a name typed wrong; one without a project is said."""
    done = CliRunner().invoke(main, ["tiled", "install", str(tmp_path / "typo")])
    assert done.exit_code == 2 and "typo: is missing" in done.output and not (tmp_path / "typo").exists()
    done = CliRunner().invoke(main, ["tiled", "install", str(tmp_path)])
    assert done.exit_code == 0 and "has no *.tiled-project" in done.output


# What Tiled does for an extension, as far as Bring Home goes. Whoever asks a map that was read again fails.
_STAND_IN = """
const actions = {}, onSaved = [], runs = [], issues = [], opened = [];
const newMap = () => ({isTileMap: true, fileName: "/l/a.tmj", layers: [], selectedObjects: [], modified: true,
  property: name => name === "fingerprint" ? "x" : undefined,
  save() { this.modified = false; onSaved.forEach(one => one(this)); return true; }});
const map = newMap();
const reload = old => {
  for (const key of ["fileName", "property", "layers"])
    Object.defineProperty(old, key, {get() { throw new Error("a map that was read again is asked for " + key); }});
  tiled.openAssets = [newMap()];
  tiled.openAssets[0].modified = false;
};
global.tiled = {extensionsPath: "/e", openAssets: [map], activeAsset: map, extendMenu() {}, log() {}, alert() {},
  reload: reload, open: name => (opened.push(name), tiled.openAssets[0]), mapEditor: {}, confirm: () => true,
  warn: (text, go) => issues.push(go), error: (text, go) => issues.push(go),
  assetSaved: {connect: one => onSaved.push(one)}, registerAction: (id, work) => actions[id] = {work}};
global.File = {exists: path => path === "/l/a.level.json", makePath() {}, remove() {}};
global.Process = class {
  getEnv() { return "undercroft"; } setEnv() {} close() {} readStdErr() { return "12,34: said"; }
  exec(command, words) { runs.push(words[0]); return words[0] === "sync" ? global.status || 0 : 0; }
  readStdOut() { return JSON.stringify({event: "synced", notes: ["12,34: noted"], ...global.found}); }
};
require("vm").runInThisContext(require("fs").readFileSync(process.argv[1], "utf8"));
actions.UndercroftOnSave.checked = true;
"""


def _in_node(steps: str) -> object:
    script = Path(command.__file__).parents[2] / "exporters/formats/tiled/undercroft.js"
    node = shutil.which("node")
    assert node, "node is missing; install it"
    done = subprocess.run(
        [node, "-e", _STAND_IN + steps, str(script)], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_a_map_is_brought_home_once() -> None:
    """Also where each save brings it home."""
    assert _in_node("undercroft.bringHome(map); console.log(JSON.stringify(runs));") == ["sync"]
    assert _in_node("map.save(); console.log(JSON.stringify(runs));") == ["sync"]


def test_a_map_that_was_read_again_is_asked_nothing() -> None:
    steps = """
    map.selectedObjects = [{className: "room", property: () => 2}];
    undercroft.rollRooms(map);
    issues.forEach(go => go());
    console.log(JSON.stringify([runs, [...new Set(opened)]]));
    """
    assert _in_node(steps) == [["sync", "reroll", "export"], ["/l/a.tmj"]]


def test_a_room_is_rolled_to_mend_a_rule() -> None:
    """Such as a drawn shop, which has no wares yet. Files that contradict each other stop it."""
    steps = """
    global.status = 1;
    global.found = {conflicts: %s, problems: ["room 2: this shop room has 0 ware markers"]};
    map.selectedObjects = [{className: "room", property: () => 2}];
    undercroft.rollRooms(map);
    console.log(JSON.stringify(runs));
    """
    assert _in_node(steps % "[]") == ["sync", "reroll", "export"]
    assert _in_node(steps % '["a.tmj and a.ldtk differ"]') == ["sync"]


def test_a_map_that_breaks_a_rule_is_read_again() -> None:
    """It was written. One that contradicts another file was not, and stays as it is."""
    steps = """
    global.status = 1;
    global.found = {conflicts: %s, problems: ["room 2: this shop room has 0 ware markers"]};
    undercroft.bringHome(map);
    console.log(JSON.stringify(tiled.openAssets[0] !== map));
    """
    assert _in_node(steps % "[]") is True
    assert _in_node(steps % '["a.tmj and a.ldtk differ"]') is False


def test_a_broken_map_stops_no_rules_of_others(tmp_path: Path) -> None:
    for name in ("a", "b"):
        exporters.export(generator.generate("isaac", 7), ["json", "tiled"], name=name).write(tmp_path)
    (tmp_path / "a.tmj").write_text('{"bro', "utf-8")
    done = CliRunner().invoke(main, ["tiled", "rules", str(tmp_path)])
    assert done.exit_code == 0 and "a.tmj: is not JSON" in done.output, done.output
    assert (tmp_path / "rules" / "rules.txt").is_file()


def test_a_broken_map_alone_is_one_line(tmp_path: Path) -> None:
    exporters.export(generator.generate("isaac", 7), ["json", "tiled"], name="a").write(tmp_path)
    (tmp_path / "a.tmj").write_text('{"bro', "utf-8")
    done = CliRunner().invoke(main, ["tiled", "rules", str(tmp_path)])
    (line,) = done.output.splitlines()
    assert done.exit_code == 2 and "a.tmj: is not JSON" in line
    assert not (tmp_path / "rules").exists()


def test_a_file_named_rules_is_said(tmp_path: Path) -> None:
    exporters.export(generator.generate("isaac", 7), "tiled", name="a").write(tmp_path)
    (tmp_path / "rules").write_text("mine", "utf-8")
    done = CliRunner().invoke(main, ["tiled", "rules", str(tmp_path)])
    assert done.exit_code == 2 and "rules: is a file" in done.output, done.output
