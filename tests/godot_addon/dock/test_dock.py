"""The dock in the real editor, on a virtual screen: its buttons are pressed, and the level opens."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from generator import generate
from generator.errors import SpecError
from generator.spec import all_keys, load_spec, preset_names
from tests.engines import godot
from tests.godot_addon.conftest import ADDON

from .conftest import Editor


def test_a_person_makes_levels(editor: Editor, on_path: None) -> None:
    """Every preset's values are there; a level is generated, worked on, generated again; what fails says why."""
    specs = editor.folder / "specs"
    specs.mkdir()
    (specs / "deep.toml").write_text('style = "rebirth"\nstage = 6\nhard = true\n', "utf-8")
    seen = editor.play("generate")

    shown = {preset: sorted(keys) for preset, keys in seen["presets"].items()}
    assert shown == {name: sorted(all_keys(type(load_spec(name)))) for name in preset_names()}
    level = generate("isaac", 7, stage=3)
    assert seen["preview_size"] == [level.width * 16, level.height * 16]
    assert seen["heading"] == "Level (1 changed)" and seen["name"] == "isaac-7-stage-3"
    assert seen["first"] == {
        "message": "res://levels/isaac-7-stage-3_edit.tscn was written.",
        "scene": "res://levels/isaac-7-stage-3_edit.tscn",
        "rooms": len(level.rooms),
        "seed": "7",
        "mine": False,
    }
    other = generate("isaac", 9, stage=3)
    assert len(other.rooms) != len(level.rooms)
    assert seen["again"]["rooms"] == len(other.rooms) and seen["again"]["seed"] == "9"
    assert seen["again"]["mine"], "what a person added and had not even saved is kept"
    _what_a_person_changed_stays(seen["changed"], editor.folder / "levels")
    with pytest.raises(SpecError) as error:
        generate("isaac", -1, stage=3)
    assert seen["mistake_seen"] == seen["mistake"] == str(error.value)
    assert seen["mended"] == ""
    assert seen["progress"].startswith("Generating…") and seen["still_busy"]
    assert seen["cancelled"].startswith("Cancelled")
    assert not [path.name for path in (editor.folder / "levels").iterdir() if "endless" in path.name]
    (own_file,) = (editor.folder / "levels").glob("deep-TKMG_13C2-*.level.json")
    own = json.loads(own_file.read_bytes())
    assert own["seed_text"] == "TKMG 13C2" and own["spec"]["stage"] == 6
    assert seen["own"]["rooms"] == len(own["rooms"])


def _what_a_person_changed_stays(told: str, levels: Path) -> None:
    written, *remarks = told.splitlines()
    assert written == "The level below res://levels/cellar_edit.tscn was written."
    # Godot has saved the TileSet with the scene, which counts as a change too.
    assert remarks[0].startswith(
        "res://levels/cellar.tscn: was changed by hand, so it stays; the new file is cellar.new.tscn; --edits merge"
    )
    kept, new = (levels / f"cellar{end}.tscn" for end in ("", ".new"))
    assert kept.read_bytes().endswith(b"\n\n") and b"metadata/seed = " in new.read_bytes()
    assert kept.read_bytes() != new.read_bytes()


def test_the_dock_is_in_front_the_first_time(editor: Editor, on_path: None) -> None:
    """At 1600 x 900 its tab is the fourth, behind a scroller: it is brought to the front once, never again."""
    seen = editor.play("placement")
    assert seen == {"screen": [1600, 900], "seen": True, "tab": 3, "seen_again": False}


def test_on_and_off_leaves_nothing_behind(editor: Editor, on_path: None) -> None:
    """Turned off while it works, again and again: no error, no leak, no setting; on again it knows what was chosen."""
    seen = editor.play("on_and_off", "--verbose", display=False)
    assert seen["docks"] == [False, True] * 3
    assert seen["settings"] == [False, True] * 3
    assert seen["remembered"] == 50


def test_a_missing_command_is_reported_with_the_line_to_run(editor: Editor, command: Path) -> None:
    """What is missing, what is broken, and a virtual environment that is found as soon as it is named."""
    wrong = editor.folder / "wrong"
    wrong.write_text("#!/bin/sh\necho no level here >&2\nexit 3\n", "utf-8")
    wrong.chmod(0o755)
    (editor.folder / ".venv").symlink_to(command.parent.parent)
    editor.set_command("res://nowhere")
    seen = editor.play("missing", display=False)
    assert seen["why"] == "res://nowhere, given in the project's settings, is not the command undercroft."
    assert seen["line"] == "pip install ." and not seen["page"]
    assert seen["wrong"] == f"{wrong} cannot be used: no level here"
    assert seen["picture"]


def test_the_zip_of_the_addon_works_in_an_empty_project(tmp_path: Path) -> None:
    """As the asset library unpacks it: at the first start, without a cache, with warnings as errors."""
    packed = Path(shutil.make_archive(str(tmp_path / "addon"), "zip", ADDON, "addons"))
    project = tmp_path / "project"
    shutil.unpack_archive(packed, project)
    (project / "project.godot").write_text(
        'config_version=5\n\n[editor_plugins]\n\nenabled=PackedStringArray("res://addons/undercroft/plugin.cfg")\n',
        "utf-8",
    )
    for _start in range(2):
        done = godot().run("--headless", "--path", project, "--editor", "--quit")
        assert done.returncode == 0 and not done.stderr.strip(), done.stderr


def test_only_what_was_changed_is_passed_on(editor: Editor, on_path: None) -> None:
    """Values that equal the spec's, not the style's, are left out; what TOML would misread is quoted."""
    seen = editor.play("arguments", display=False)
    always = ["generate", "--json"]
    files = ["--to=json", "--to=godot"]
    out = [f"--out={editor.folder}/levels", "--", "void"]
    assert seen["untouched"] == [*always, *files, *out]
    assert seen["changed"] == [
        *always,
        "--set=stage=1",
        "--set=hard=true",
        "--set=room_size=[17, 11]",
        f"--set=layouts={editor.folder}/my layouts",
        "--set=state.coins=15",
        "--set=edition=afterbirth",
        *files,
        "--option=godot.tileset=res://art/tiles.tres",
        "--option=godot.scenes.enemy.role=shooter=res://archer.tscn",
        "--option=godot.scenes.chest=res://c.tscn",
        *out,
    ]
    assert '--set=layouts="7"' in seen["quoted"] and "--set=hard=true" not in seen["quoted"]
    assert seen["doors"] == 2
    of_doors = {"--set=body=2", "--set=door_width=3", "--set=rooms=20"}
    of_sizes = {"--set=room_size=[17, 11]", '--set=layouts="7"'}  # which belong together
    assert set(seen["narrowed"]) == set(seen["quoted"]) - of_sizes | of_doors
    assert set(seen["widened"]) == set(seen["quoted"]) - of_sizes
